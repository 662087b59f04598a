/* Before each search every rank says whether it is ready; a rank that comes to no search any more says that instead,
 * until all do. So none waits for one whose time was over before it began, or that was done earlier. */
#ifndef NOETHER_RANKS_ROLL_CALL_H
#define NOETHER_RANKS_ROLL_CALL_H

#include "base/stop.h"
#include "ranks/transport.h"

/* Before a search: is every rank ready? `mine`: why this one is not, if it is not; else, if another one is not, it
 * becomes what that one says. `topic`: a hash of what is to be searched, which must be the same for all. */
bool roll_call_answer(const struct transport *transport, uint64_t topic, struct stop *mine);
/* After the last search, or without one: comes back when all ranks are here. `why`: there was none, for others that are
 * about to search. */
void roll_call_leave(const struct transport *transport, const struct stop *why);

#endif
