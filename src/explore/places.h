/* The states of a small system in a row.
 *
 * Where every cell always has a value, a state is a number in mixed radix, its *place*: the sum over the cells of
 * ordinal times stride. A step that changes a cell moves the place by a multiple of the stride of that cell, so the
 * places of the successors of independent parts are sums. A table says which state of the store is at a place, or
 * represents what is there.
 *
 * Cost: four bytes by place, of which only those in use are touched. */
#ifndef NOETHER_EXPLORE_PLACES_H
#define NOETHER_EXPLORE_PLACES_H

#include <stdint.h>

struct layout;

struct places {
    const struct layout *layout;
    uint64_t *strides; /* by cell */
    uint64_t count;
    uint32_t *numbers; /* by place: in the store, plus 1; 0: not known */
};

/* NULL: there are too many, or multisets in the states. */
struct places *places_create(const struct layout *layout);
void places_destroy(struct places *places);
/* Every cell has a value. */
uint64_t places_of(const struct places *places, const int32_t *cells);
/* The cells of the state at a place. */
void places_cells(const struct places *places, uint64_t place, int32_t *cells);

/* UINT32_MAX: not known. */
static inline uint32_t places_number(const struct places *places, uint64_t place)
{
    return places->numbers[place] - 1;
}
static inline void places_keep(struct places *places, uint64_t place, uint32_t number)
{
    places->numbers[place] = number + 1;
}

#endif
