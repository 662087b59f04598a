#include "base/locale.h"

#include <pthread.h>

static locale_t plain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* It needs no memory with the C libraries that we know; where it does and there is none, the thread keeps its own. */
static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t locale_use_plain(void)
{
    pthread_once(&once, make_plain);
    return uselocale(plain); /* none: asks only */
}

void locale_restore(locale_t before)
{
    uselocale(before);
}
