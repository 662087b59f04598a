/* Backward over a step: the condition before it under which a condition holds after it (pre, section 4).
 *
 * A step is the list of its writes, in order; values and indices are terms over the state before. It is exact with
 * one exception: if the state decides whether two array elements are the same one, the current case is taken and
 * required. */
#ifndef NOETHER_ENGINE_COMPLETE_BACKWARD_H
#define NOETHER_ENGINE_COMPLETE_BACKWARD_H

#include "engine/complete/interpolant.h"

struct write {
    uint32_t slot, cell;
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
    const struct complete_term *value; /* CONST, UNDEFINED included, or any other term */
};

struct term_list {
    const struct complete_term **items;
    size_t count, capacity;
};

struct backward {
    struct terms *terms;
    const struct write *writes;
    uint32_t count;
    struct complete_scene at; /* the state before the step */
    struct term_list required;
    /* For bounds: coefficients of IDs by object, and the other items. */
    int64_t *coefficients;
    VEC(struct sum_item) items;
    struct sum_item *sum; /* all of them, sorted: room for every object and sum_others more */
    size_t sum_others;
};

void backward_create(struct backward *backward, struct terms *terms);
void backward_destroy(struct backward *backward);

/* The value, before the writes, of a cell after them: the leaf itself when none of them touches it. Its indices are
 * over the state before. `keeps`: not NULL: only whether the value is among these of the slot's type matters. What has
 * to be required is added to `required`. */
const struct complete_term *backward_resolve(struct backward *backward, const struct complete_term *leaf,
                                             const uint64_t *keeps);
/* Adds to `before` what must be true for `after`, renamed by `map`, to be true after the step. FALSE: something of it
 * is not true of the state at hand (the step does not lead to a state that satisfies it). */
enum addition backward_interpolant(struct backward *backward, const struct interpolant *after, const uint32_t *map,
                                   struct interpolant *before);

#endif
