/* The state as a system of processes.
 *
 * A *slot* is a scalar of the state together with all that differ from it only in array indices: "pc[.]",
 * "msg[.].from". Every cell belongs to one slot. A *family* is an index set (a range or a scalarset) whose elements
 * have a control location: a slot with that one index. The elements of all families are the *objects*, numbered from
 * 0; what is permuted is objects. The locations of all objects are the program point (Chu, Jaffar, CAV 2011,
 * section 2). */
#ifndef NOETHER_ENGINE_COMPLETE_SHAPE_H
#define NOETHER_ENGINE_COMPLETE_SHAPE_H

#include "ir/layout.h"

enum { SHAPE_MAX_DIMENSIONS = 4 };
#define SHAPE_NONE UINT32_MAX

struct dimension {
    const struct type *type; /* of the index */
    uint32_t stride;         /* cells from one element to the next */
};

struct slot {
    uint32_t id, base; /* base: the cell at index 0 in every dimension */
    const struct type *type;
    const struct variable *variable;
    struct dimension dimensions[SHAPE_MAX_DIMENSIONS]; /* outermost first */
    uint32_t dimension_count;
    uint32_t family; /* whose location it is, or SHAPE_NONE */
};

struct complete_family {
    const struct type *type;
    uint32_t first, count; /* its objects */
    uint32_t slot;         /* the location */
};

struct shape {
    const struct system *system;
    struct slot *slots;
    uint32_t slot_count;
    uint32_t *slot_of; /* by cell */
    struct complete_family *families;
    uint32_t family_count;
    uint32_t object_count;
    int32_t *codes;         /* by object: the value of its index */
    uint32_t *family_of;    /* by object */
    uint32_t *location_of;  /* by object: the cell */
    bool is_always_defined; /* no cell of a reachable state is undefined */
};

/* `location` NULL: inferred; else the name of a variable ("pc", "process.state"). NULL, and *refusal says why not,
 * when there is none. */
struct shape *shape_create(const struct system *system, const char *location, const char **refusal);
void shape_destroy(struct shape *shape);

/* The family whose elements a parameter or quantified variable of this type runs over, or SHAPE_NONE. */
uint32_t shape_family_of_type(const struct shape *shape, const struct type *type);
/* The code of the index in dimension d of a cell. */
int32_t shape_index_of_cell(const struct slot *slot, uint32_t cell, uint32_t d);

/* slots.c: the slots of a system; false when an array has too many dimensions. */
bool shape_find_slots(struct shape *shape);
/* location.c: the families; what is wrong, or NULL. */
const char *shape_find_families(struct shape *shape, const char *location);
/* definite.c */
bool shape_is_always_defined(const struct system *system);

#endif
