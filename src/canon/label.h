/* Canonical labelling of a state's structure as a coloured graph (group/nauty.h). */
#ifndef NOETHER_CANON_LABEL_H
#define NOETHER_CANON_LABEL_H

#include "canon/canon_inner.h"

struct labeller;

struct labeller *labeller_create(const struct structure *structure);
void labeller_destroy(struct labeller *labeller);
/* Writes a canonical order of the elements that refines the partition (which must be an invariant of the state). */
void labeller_label(struct labeller *labeller, const struct canon_partition *partition, const int32_t *cells,
                    uint32_t *order);
/* Multiplies `order` by the order of the stabiliser of the state last labelled. */
void labeller_group_order(const struct labeller *labeller, struct bigint *order);

#endif
