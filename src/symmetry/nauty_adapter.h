/* Canonical labelling of a state's structure as a coloured graph (the one adapter to nauty is nauty_adapter.c). */
#ifndef NOETHER_SYMMETRY_NAUTY_ADAPTER_H
#define NOETHER_SYMMETRY_NAUTY_ADAPTER_H

#include "symmetry/canon_inner.h"

struct nauty_labeller;

struct nauty_labeller *nauty_labeller_create(const struct structure *structure);
void nauty_labeller_destroy(struct nauty_labeller *labeller);
/* Writes a canonical order of the elements that refines the partition (which must be an invariant of the state). */
void nauty_label(struct nauty_labeller *labeller, const struct canon_partition *partition, const int32_t *cells,
                 uint32_t *order);
/* Multiplies `order` by the order of the stabiliser of the state last labelled. */
void nauty_group_order(const struct nauty_labeller *labeller, struct bigint *order);

#endif
