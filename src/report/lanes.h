/* Inside report/: the processes of a trace. A lane is one process: of the system's face (ir/face.h); else an element of
 * a scalarset, or of another type over which arrays and rules range. An entry is a part of the state that is shown as
 * one: a scalar, or a whole multiset; it belongs to the lane that the outermost process index of its name picks, or is
 * shared. */
#ifndef NOETHER_REPORT_LANES_H
#define NOETHER_REPORT_LANES_H

#include "base/vec.h"
#include "base/words.h"
#include "ir/layout.h"

enum { LANE_SHARED = -1 };

struct lane {
    const struct type *type; /* the enum, index or range type that owns the code */
    int32_t code;
    const struct face_process *process; /* of a system with a face: this one, and no code; else NULL */
};

struct lane_entry {
    const struct type *type;
    uint32_t address;
    int32_t lane;                 /* or LANE_SHARED */
    char *name;                   /* "Cache[NODE_2].State" */
    const struct face_part *part; /* of a system with a face: it is this part, or one of its cells; else NULL */
};

struct lanes {
    const struct layout *layout;
    VEC(struct lane) lanes;
    VEC(struct lane_entry) entries; /* in order of address */
    /* Private. */
    struct words keys;              /* of the lanes without a process: type and code; same numbers as `lanes` */
    const struct type *known_index; /* the type that was asked for last, or NULL */
    bool known_index_is_process;    /* the answer */
};

void lanes_find(const struct layout *layout, struct lanes *lanes);
void lanes_free(struct lanes *lanes);

/* Do arrays over this type have a part for each process? */
bool lanes_is_process_index(const struct system *system, const struct type *index);
/* The name of the process: "NODE_2", "S(0)"; of LANE_SHARED, "shared". */
void lanes_print_name(const struct lanes *lanes, int32_t lane, struct text *out);
/* The lane of an element of a scalar type, or LANE_SHARED. */
int32_t lanes_of_code(const struct lanes *lanes, const struct type *type, int32_t code);
/* The lane of the process that takes the step, the first of several, or of the first parameter that is a process; or
 * LANE_SHARED. */
int32_t lanes_of_instance(const struct lanes *lanes, const struct rule *rule, uint64_t instance);
/* The lane of the second process that takes part; LANE_SHARED: there is none. */
int32_t lanes_of_partner(const struct rule *rule, uint64_t instance);
/* Is there something to see of the entry, and what? */
bool lanes_entry_is_there(const struct lanes *lanes, const struct lane_entry *entry, const int32_t *cells);
void lanes_print_entry(const struct lanes *lanes, const struct lane_entry *entry, const int32_t *cells,
                       struct text *out);

#endif
