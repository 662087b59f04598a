#include "base/children.h"

#include <signal.h>
#include <stdatomic.h>

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
