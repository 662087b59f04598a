/* One element of a factor has changed, all others are in order: it is taken out and put in where it belongs.
 *
 * The places between move up or down by one. Of a class of twins that moves, the one at its end goes to the place at
 * its other end, and the others stay where they are: as many rows move as there are classes between, and one. */
#include "canon/canon_inner.h"

/* The bits below this one, 0 .. 64. */
static inline uint64_t reinsert_below(uint32_t bit)
{
    return bit < 64 ? ((uint64_t)1 << bit) - 1 : UINT64_MAX;
}

/* Class starts without the element: what is behind it comes one place forward. */
static uint64_t reinsert_take_out(uint64_t classes, uint32_t element, uint32_t stop)
{
    uint64_t behind = classes & ~reinsert_below(element + 1);
    bool is_first = classes & canon_bit(element);
    bool is_followed = element + 1 < stop && !(behind & canon_bit(element + 1));
    uint64_t kept = (classes & reinsert_below(element)) | behind >> 1;
    return is_first && is_followed ? kept | canon_bit(element) : kept;
}

/* The class starts with one more element in the class that begins at `start`, or (is_new) before it. */
static uint64_t reinsert_put_in(uint64_t classes, uint32_t start, bool is_new)
{
    uint64_t before = reinsert_below(start + !is_new);
    return (classes & before) | canon_bit(start) | (classes & ~before) << 1;
}

/* The element at `from` goes to `to`: the order, and which places have got another element. */
static void reinsert_move(struct canon *canon, uint64_t classes, uint32_t from, uint32_t to, uint32_t stop)
{
    struct canon_move *move = &canon->move;
    uint32_t *order = canon->levels[0].partition.order, hole = from;
    while (hole != to) {
        uint64_t behind = hole < to ? classes & ~reinsert_below(hole + 2) : 0;
        uint32_t other = hole > to     ? 63 - (uint32_t)__builtin_clzll(classes & reinsert_below(hole))
                         : behind != 0 ? (uint32_t)__builtin_ctzll(behind) - 1
                                       : stop - 1;
        order[hole] = other;
        move->places[move->place_count++] = hole;
        hole = other;
    }
    order[to] = from;
    if (from != to)
        move->places[move->place_count++] = to;
}

/* Where the signature of the element belongs among those of the others. */
struct reinsert_place {
    uint32_t start, equal; /* the class with this signature begins there, and has that many others */
    uint32_t other;        /* one of them */
};

/* All are looked at: that takes less time than to guess wrong where to stop. */
static struct reinsert_place reinsert_find(const uint64_t *signature, uint32_t first, uint32_t stop, uint32_t element)
{
    uint64_t key = signature[element];
    uint32_t lesser = 0, same = 0, other = element;
    for (uint32_t e = first; e < stop; e++) {
        lesser += signature[e] < key;
        same += signature[e] == key;
        other = signature[e] == key && e != element ? e : other;
    }
    return (struct reinsert_place){first + lesser, same - 1, other};
}

bool canon_reinsert(struct canon *canon, const struct moved_factor *factor, uint32_t element, const int32_t *cells,
                    uint64_t *classes)
{
    uint32_t stop = factor->first + factor->degree, to = element;
    struct reinsert_place place = reinsert_find(canon->signature, factor->first, stop, element);
    if (place.start == element && !place.equal) {
        *classes |= canon_bit(element) | (element + 1 < stop ? canon_bit(element + 1) : 0);
        return true;
    }
    if (place.equal && !canon_are_twins(canon, place.other < element ? place.other : element,
                                        place.other < element ? element : place.other, cells))
        return false;
    to = place.start > to ? place.start : place.start + place.equal < to ? place.start + place.equal : to;
    if (to != element)
        reinsert_move(canon, *classes, element, to, stop);
    *classes = reinsert_put_in(reinsert_take_out(*classes, element, stop), place.start, !place.equal);
    return true;
}
