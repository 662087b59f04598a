/* Inside report/: the processes of a trace. A lane is one process: an element of a scalarset, or of another type over
 * which arrays and rules range. An entry is a part of the state that is shown as one: a scalar, or a whole multiset; it
 * belongs to the lane that the outermost process index of its name picks, or is shared. */
#ifndef NOETHER_REPORT_LANES_H
#define NOETHER_REPORT_LANES_H

#include "base/vec.h"
#include "ir/layout.h"

enum { LANE_SHARED = -1 };

struct lane {
    const struct type *type; /* the enum, index or range type that owns the code */
    int32_t code;
};

struct lane_entry {
    const struct type *type;
    uint32_t address;
    int32_t lane; /* or LANE_SHARED */
    char *name;   /* "Cache[NODE_2].State" */
};

struct lanes {
    const struct layout *layout;
    VEC(struct lane) lanes;
    VEC(struct lane_entry) entries; /* in order of address */
};

void lanes_find(const struct layout *layout, struct lanes *lanes);
void lanes_free(struct lanes *lanes);

/* Do arrays over this type have a part for each process? */
bool lanes_is_process_index(const struct system *system, const struct type *index);
/* The lane of an element of a scalar type, or LANE_SHARED. */
int32_t lanes_of_code(const struct lanes *lanes, const struct type *type, int32_t code);
/* The lane of the first parameter that is a process, or LANE_SHARED. */
int32_t lanes_of_instance(const struct lanes *lanes, const struct rule *rule, uint64_t instance);

#endif
