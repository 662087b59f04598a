/* Which state of the matrix a successor has become, as long as it is remembered.
 *
 * Where many states have the same successors (all processes of a ring move at once), finding the representative of a
 * successor again and again costs more than looking it up. Where that is rare, the memo gives up; under products of full
 * groups, whose representatives are cheap, there is none. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_MEMO_H
#define NOETHER_ENGINE_PROBABILISTIC_MEMO_H

#include <stdbool.h>
#include <stdint.h>

struct layout;
struct memo;

struct memo *memo_create(const struct layout *layout);
void memo_destroy(struct memo *memo);
/* Nothing is looked for in one that has given up. */
bool memo_is_worth_it(const struct memo *memo);
bool memo_find(struct memo *memo, const int32_t *cells, uint32_t *number);
/* Of the last one that was not found. */
void memo_keep(struct memo *memo, uint32_t number);

#endif
