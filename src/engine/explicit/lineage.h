/* What a layered search with partial-order reduction remembers of each state beside the visited set: when it is
 * expanded, which state it was first found from, and whether it is settled (thin.c). A state is known by its key in the
 * visited set, which is exact; so the set must not be planned again.
 *
 * About 30 bytes a state. Where there is no memory for that, a state is not remembered, and counts as an old one that
 * is not settled: that costs a part of the reduction, and nothing else. */
#ifndef NOETHER_ENGINE_EXPLICIT_LINEAGE_H
#define NOETHER_ENGINE_EXPLICIT_LINEAGE_H

#include <stdbool.h>

#include "store/budget.h"

struct lineage;

struct lineage *lineage_create(struct budget *budget);
void lineage_destroy(struct lineage *lineage);
/* By any thread. `parent`: its key; its own: it has none. */
void lineage_add(struct lineage *lineage, uint64_t key, uint64_t parent, uint32_t level);
/* By any thread: is it of a later level than this one, or settled? */
bool lineage_leads_on(struct lineage *lineage, uint64_t key, uint32_t level, bool *is_settled);
/* The state is settled, and so are those that it was found from. While one thread is at work. */
void lineage_settle(struct lineage *lineage, uint64_t key);

#endif
