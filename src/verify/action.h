/* How a group acts on states, as a certificate describes it.
 *
 * The group permutes *elements*; it is a product of factors with disjoint elements. A cell of the state may be labelled
 * by a *kind* and a tuple of elements: a permutation p takes the cell (kind, e1 e2) to (kind, p(e1) p(e2)). A cell may
 * have a *class*, which says which of its values stand for elements: a value (sort, e) becomes (sort, p(e)), any other
 * stays. So each permutation is a bijection of the states, if its targets exist: action_map checks that.
 * Multisets are put in order afterwards. */
#ifndef NOETHER_VERIFY_ACTION_H
#define NOETHER_VERIFY_ACTION_H

#include "base/vec.h"
#include "ir/layout.h"

enum { ACTION_NONE = -1, ACTION_WIDEST = 8 };

struct action_factor {
    uint32_t first, degree;
    bool is_full;                     /* all permutations of its elements; else what the generators make: */
    VEC(const uint32_t *) generators; /* images of 0 .. degree - 1 */
};

struct action_value {
    int32_t code;
    uint32_t sort, element;
};
struct action_class {
    VEC(struct action_value) values;
};
struct action_cell {
    uint32_t cell;
    int32_t class, kind; /* or ACTION_NONE */
    const uint32_t *tuple;
    uint32_t arity;
};

struct group_action {
    struct arena *arena;
    uint32_t element_count;
    VEC(struct action_factor) factors;
    VEC(struct action_class) classes;
    VEC(struct action_cell) cells;                  /* in increasing order; all others stay, with their values */
    const struct action_cell **by_label, **by_cell; /* by_cell: NULL: not labelled. Both made by action_prepare */
};

/* One permutation as a map of states: the value v of cell c becomes the value action_value(v) of cell target[c]. */
struct action_map {
    const struct group_action *action;
    const uint32_t *image; /* of elements */
    uint32_t *target;      /* by position in action->cells: the position of the target */
};

/* NULL, or what is wrong with the description, whatever the permutation. */
const char *action_prepare(struct group_action *action, const struct layout *layout);
void action_free(struct group_action *action);
/* False: it is no map of states. `target` has room for all labelled cells. */
bool action_map(struct action_map *map, const struct layout *layout);
/* Permutations that generate the group: the image of all elements. False: there are no more. */
bool action_generator(const struct group_action *action, uint32_t number, uint32_t *image);
/* The element that a value of a cell stands for; NULL: none. */
const struct action_value *action_element(const struct group_action *action, const struct action_cell *cell,
                                          int32_t code);
/* The value in the target cell. */
int32_t action_rename(const struct action_map *map, const struct action_cell *cell, int32_t code);
/* The whole state, multisets in order. */
void action_apply(const struct action_map *map, const struct layout *layout, const int32_t *cells, int32_t *out);

#endif
