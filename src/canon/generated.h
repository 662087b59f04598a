/* Canonical representatives under a group that is not a product of full symmetric groups: the image with the least
 * cells, over the elements of the group that a refinement of the state leaves to be tried.
 *
 * Smallest images by a search in the stabiliser chain (Linton, "Finding the smallest image of a set", 2004; Jefferson,
 * Jonauskyte, Pfeiffer, Waldecker, "Minimal and canonical images", 2019). An element of the group is settled by the
 * elements of the state that it puts at the base points. Level by level these are chosen among those with the rarest
 * colour, colours being refined after each choice; all of it commutes with the group. The least state over the leaves
 * is the representative. Two equal leaves give an automorphism of the state that lies in the group; choices that it
 * maps to tried ones are not tried.
 *
 * So the representative is unique, rings cost at most one image for each rotation, and the order of the state's
 * stabiliser is the product of the orbits of the automorphisms found along the best path. */
#ifndef NOETHER_CANON_GENERATED_H
#define NOETHER_CANON_GENERATED_H

#include "canon/canon_inner.h"

struct symmetry_generated;

/* The group as one on the elements of the structure. Elements whose factor is full are exchanged as they are. */
struct group *structure_group(const struct structure *structure, const struct symmetry *symmetry);

struct symmetry_generated *generated_create(const struct structure *structure, const struct symmetry *symmetry);
void generated_destroy(struct symmetry_generated *generated);
/* out = the representative (NULL: not wanted); sets canon->image. */
void generated_apply(struct canon *canon, const int32_t *cells, int32_t *out);
/* The same, packed. Returns the order of the state's stabiliser; 0: it does not fit. */
uint64_t generated_successor(struct canon *canon, const int32_t *cells, uint64_t *packed);
/* Of the orbit of the state of the last generated_apply. */
void generated_orbit_size(const struct canon *canon, struct bigint *size);
/* Refines the root partition further; returns an invariant of the state that pairs of elements take part in. */
uint64_t generated_refine_root(struct canon *canon, const int32_t *cells);
/* A leaf of the search, chosen by the seed. */
void generated_random_leaf(struct canon *canon, const int32_t *cells, uint64_t seed, uint64_t *packed);
/* Of the group; 0: it does not fit. */
uint64_t generated_order(const struct symmetry_generated *generated);

#endif
