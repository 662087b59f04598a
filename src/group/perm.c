#include "group/perm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void perm_set_identity(uint32_t n, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = i;
}

bool perm_is_identity(uint32_t n, const uint32_t *p)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i] != i)
            return false;
    return true;
}

bool perm_is_equal(uint32_t n, const uint32_t *a, const uint32_t *b)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

void perm_multiply(uint32_t n, const uint32_t *a, const uint32_t *b, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = b[a[i]];
}

void perm_invert(uint32_t n, const uint32_t *p, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[p[i]] = i;
}

uint32_t perm_cycle(const uint32_t *p, uint32_t point, uint32_t *cycle)
{
    uint32_t length = 0, at = point;
    do {
        cycle[length++] = at;
        at = p[at];
    } while (at != point);
    return length;
}

void perm_print_names(uint32_t n, const uint32_t *p, const char *(*name)(void *user, uint32_t point), void *user,
                      struct text *out)
{
    bool *is_met = memory_zeroed((size_t)n + 1, sizeof *is_met);
    bool is_identity = true;
    for (uint32_t i = 0; i < n; i++) {
        if (is_met[i] || p[i] == i)
            continue;
        is_identity = false;
        text_char(out, '(');
        for (uint32_t at = i; !is_met[at]; at = p[at]) {
            is_met[at] = true;
            if (at != i)
                text_char(out, ' ');
            text_append(out, name(user, at));
        }
        text_char(out, ')');
    }
    if (is_identity)
        text_append(out, "()");
    free(is_met);
}
