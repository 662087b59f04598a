/* A cache from successors to stored states.
 *
 * Where many states have the same successors (all processes of a ring move at once), finding the representative of a
 * successor again and again costs more than looking it up. Where that is rare, the memo gives up; under products of
 * full groups, whose representatives are cheap, there is none. */
#ifndef NOETHER_EXPLORE_MEMO_H
#define NOETHER_EXPLORE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout;
struct explore_memo;

struct explore_memo *memo_create(const struct layout *layout);
void memo_destroy(struct explore_memo *memo);
/* Nothing is looked for in one that has given up. */
bool memo_is_worth_it(const struct explore_memo *memo);
/* A successor as it is, packed. Not found: *place is for memo_keep. */
bool memo_find(struct explore_memo *memo, const uint64_t *packed, size_t *place, uint32_t *number);
/* Its number, once that is known; in vain when the memo has given up since. */
void memo_keep(struct explore_memo *memo, size_t place, const uint64_t *packed, uint32_t number);

#endif
