/* The abstract states reached, and subsumption (the paper's Definition 3 and Theorem 4).
 *
 * An abstract state (s, P) represents all images of s under permutations within the cells of P. So it is
 *
 *   shared values, partition, for each cell: the number of pairs, then for each local state in it (local, how often)
 *
 * in as many words as there are pairs: its size does not depend on the number of elements. A pair is packed into
 * one word.
 *
 * (s, P) subsumes (t, Q) iff every cell of Q with two different local states lies in one cell of P, and t, counted
 * in the cells of P, is s. So for each partition P there is at most one state that can subsume a given one, and it
 * is looked up, not searched for. Only partitions are tried that occur in the state's bucket: states with the same
 * shared values and the same local states, counted over all elements; in large buckets only those with a state
 * whose rarest local state may be where it is in the new one. A state of the coarsest partition subsumes all others
 * in its bucket. */
#ifndef NOETHER_ENGINE_ADAPTIVE_REACHED_H
#define NOETHER_ENGINE_ADAPTIVE_REACHED_H

#include "engine/adaptive/partition.h"

struct numbers {
    uint32_t *items;
    size_t count, capacity;
};

/* The states of one bucket with the same partition. */
struct shelf {
    uint32_t partition, cell_count;
    struct numbers states; /* ascending */
    bool *is_posted;       /* by cell; NULL: the bucket has no postings */
};

struct bucket {
    bool has_coarsest, has_postings;
    uint32_t rarest;     /* local */
    uint32_t most_cells; /* of its partitions */
    struct shelf *items; /* shelves */
    size_t count, capacity;
};

struct reached {
    struct partitions *partitions;
    uint32_t coarsest, radix; /* pair = local * radix + count */
    struct words states;
    struct numbers parents;
    VEC(bool) is_dropped; /* subsumed by a later state before it was expanded */
    struct words bucket_words;
    VEC(struct bucket) buckets;
    struct pairs shelf_of;        /* (bucket, partition) -> shelf */
    struct pairs posting_of;      /* (bucket, element) -> posting */
    VEC(struct numbers) postings; /* shelves */
    uint32_t *lists, *projected;  /* scratch */
    size_t lists_size, projected_size;
    uint64_t shelf_bytes;
};

void reached_create(struct reached *reached, struct partitions *partitions, uint32_t coarsest);
void reached_destroy(struct reached *reached);

/* True when the state is new and not subsumed: then it has the last number. States from number `level` on that it
 * subsumes are dropped (Algorithm 2, line 3): those of its own level. The paper drops all that are not yet
 * expanded, but what could be reached from a state one level higher would then be found one step late, and errors
 * not at minimum distance. */
bool reached_add(struct reached *reached, const uint32_t *words, uint32_t length, uint32_t parent, uint32_t level);
uint64_t reached_bytes(const struct reached *reached);

static inline uint32_t reached_count(const struct reached *reached)
{
    return words_count(&reached->states);
}

static inline uint32_t pair_local(const struct reached *reached, uint32_t pair)
{
    return pair / reached->radix;
}
static inline uint32_t pair_count(const struct reached *reached, uint32_t pair)
{
    return pair % reached->radix;
}

#endif
