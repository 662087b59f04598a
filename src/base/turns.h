/* Shares of the time limit for items (properties) that are decided one after the other, so that one hard item does not
 * take the time of all.
 *
 * In the first round, an item gets an equal share of the time that is left: of the items that follow and of the second
 * round, each has a share, too. What it does not need is left for the others. In the second round, items that ran out
 * of their share are decided again, from the beginning, with equal shares of the rest; the last one gets all of it.
 * Without a time limit, and for a single item, decide is called once for each item and nothing else happens. */
#ifndef NOETHER_BASE_TURNS_H
#define NOETHER_BASE_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stop.h"

struct turn_order {
    size_t count;
    size_t later; /* items that the caller decides afterwards: time is kept for them */
    /* Decides the item under the watch of the thread. Returns false if it is still open. */
    bool (*decide)(void *user, size_t item);
    /* Takes the answer to the item back: work was cut (watch_cuts) when its share was over. NULL: nothing that decide
     * calls can be cut like that. `stop`: the limit. */
    void (*withdraw)(void *user, size_t item, const struct stop *stop);
    void *user;
};

void turns_run(const struct turn_order *turns);

#endif
