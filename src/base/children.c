#include "base/children.h"

#include <signal.h>
#include <stdatomic.h>

#include "base/clock.h"

enum { CHILDREN_MOST = 64 };

/* Global, as the children of a process are. */
static _Atomic pid_t children[CHILDREN_MOST];

static void replace(pid_t old, pid_t new)
{
    for (int i = 0; i < CHILDREN_MOST; i++) {
        pid_t expected = old;
        if (atomic_compare_exchange_strong(&children[i], &expected, new))
            return;
    }
}

void children_add(pid_t child)
{
    replace(0, child);
}

void children_remove(pid_t child)
{
    replace(child, 0);
}

uint64_t children_resident_bytes(void)
{
    uint64_t bytes = 0;
    for (int i = 0; i < CHILDREN_MOST; i++) {
        pid_t child = atomic_load_explicit(&children[i], memory_order_relaxed);
        bytes += child > 0 ? clock_resident_bytes_of(child) : 0;
    }
    return bytes;
}

void children_end(void)
{
    for (int i = 0; i < CHILDREN_MOST; i++) {
        pid_t child = atomic_exchange(&children[i], 0);
        if (child <= 0)
            continue;
        kill(-child, SIGKILL);
        kill(child, SIGKILL); /* it may not lead its group yet */
    }
}
