/* The processes: families of elements, and the element to which each cell of the state belongs.
 *
 * A family is an index type or a range over which arrays of the state range and some rule is parameterised. Its
 * elements are numbered through all families. Every cell of the state has a role:
 *
 *   FROZEN     no rule writes its variable and all start states agree on it: a constant
 *   LOCAL      part of the local state of one element (below an array over its family; the outermost such array counts)
 *   REFERENCE  a shared variable that holds an element: renamed with the elements, a flag in the holder's local state
 *   SHARED     everything else: values that no permutation touches
 *
 * A permutation moves local states and renames references, nothing else. Any such action is sound: whether a rule
 * is invariant under it is decided rule by rule (engine/adaptive/edge.h while a search runs, rule_partition.h without
 * one), and a rule that is not only makes partitions finer. */
#ifndef NOETHER_PORTRAIT_ROSTER_H
#define NOETHER_PORTRAIT_ROSTER_H

#include "base/words.h"
#include "ir/layout.h"

#define NO_ELEMENT UINT32_MAX
#define NO_FAMILY UINT32_MAX

enum role { ROLE_SHARED, ROLE_FROZEN, ROLE_LOCAL, ROLE_REFERENCE };
enum { ROSTER_MAX_REFERENCES = 3 };

struct family {
    const struct type *type; /* an index type or a range */
    uint32_t first, size;    /* its elements */
    uint32_t slot_count;     /* cells of a local state */
    const struct type **slot_types;
    bool *may_be_undefined; /* by slot: some local state met so far has it undefined */
};

struct roster {
    struct arena *arena;
    const struct layout *layout;
    const struct system *system;
    struct family *families;
    uint32_t family_count, element_count;
    uint32_t *family_of;                                         /* by element */
    int32_t *code_of;                                            /* by element */
    uint8_t *role;                                               /* by cell */
    uint32_t *element_of, *slot_of;                              /* by cell, LOCAL */
    uint32_t **addresses;                                        /* by element and slot: the cell */
    uint32_t *shared, shared_count;                              /* cells */
    uint32_t references[ROSTER_MAX_REFERENCES], reference_count; /* cells */
    int32_t *frozen;                                             /* by cell: values of the FROZEN ones */
};

/* `starts`: the start states, one after the other. With none nothing is frozen. NULL when there is no family. */
struct roster *roster_create(const struct layout *layout, const int32_t *starts, size_t start_count);
void roster_destroy(struct roster *roster);

/* The family whose elements are the values of `type` (an index type or a range); NO_FAMILY. */
uint32_t roster_family(const struct roster *roster, const struct type *type);
/* Do all values of the scalar type stand for elements? */
bool roster_is_elements(const struct roster *roster, const struct type *type);
/* The element that `code`, a value of `type`, stands for; all values of the type must stand for elements. */
uint32_t roster_element(const struct roster *roster, const struct type *type, int32_t code);
/* The family that a parameter or quantified variable of `type`, used in `rule` (or NULL), ranges over: also where
 * its type is a part of a range that it indexes. */
uint32_t roster_family_of_parameter(const struct roster *roster, const struct variable *variable,
                                    const struct type *type, const struct rule *rule);

/* The element that such a variable stands for when it has the value; also one of a union. NO_ELEMENT: none. */
uint32_t roster_element_of_parameter(const struct roster *roster, const struct variable *variable,
                                     const struct type *type, const struct rule *rule, int64_t value);
/* The coarsest partition in which elements share a cell iff they are of one family and `alike` (an equivalence):
 * labels[e] is the least element of the cell of e. */
void roster_label(const struct roster *roster, bool (*alike)(void *user, uint32_t p, uint32_t q), void *user,
                  uint32_t *labels);

/* roster_use.c: the range type of arrays which the variable is an index of somewhere in the rule, or NULL */
const struct type *use_as_index(const struct rule *rule, const struct variable *variable);
/* Marks the global variables (by address) that rules, or functions, may write. */
void use_mark_written(const struct system *system, bool *written);
/* Does the rule, or expression, mention the variable, in called functions too? */
bool use_mentions(const struct rule *rule, const struct expr *expr, const struct variable *variable);
/* May evaluating the expression write to the state? */
bool use_has_effect(const struct expr *expr);

#endif
