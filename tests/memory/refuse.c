/* Loaded before the C library (LD_PRELOAD): requests for memory are refused. REFUSE=one:N the N-th only, every:N each
 * N-th, rest:N all from the N-th on. Everything that the program and its libraries ask for counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic long asked;
static long chosen;
static char how; /* 0: none is refused */

__attribute__((constructor)) static void begin(void)
{
    const char *wish = getenv("REFUSE"), *number = wish ? strchr(wish, ':') : NULL;
    if (!number)
        return;
    chosen = atol(number + 1);
    atomic_store(&asked, 0);
    how = wish[0];
    unsetenv("LD_PRELOAD"); /* not the programs that it starts */
}

/* For a program that knows of us. */
void refuse_end(void)
{
    how = 0;
}

static int is_refused(void)
{
    long count = atomic_fetch_add(&asked, 1) + 1;
    if (!how)
        return 0;
    int refused = how == 'o' ? count == chosen : how == 'e' ? count % chosen == 0 : count >= chosen;
    if (refused)
        errno = ENOMEM;
    return refused;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}
