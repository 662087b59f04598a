/* A computation large enough to fill a store: the ways to put n queens on a board. */
#ifndef NOETHER_TESTS_DD_WORK_H
#define NOETHER_TESTS_DD_WORK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dd/dd.h"

static inline bool work_attacks(int n, int a, int b)
{
    int rows = a / n - b / n, columns = a % n - b % n;
    return a != b && (!rows || !columns || rows == columns || rows == -columns);
}

/* The boards; the result carries a reference unless it is DD_NONE. */
static inline dd work_queens(struct dd_manager *m, int n)
{
    dd keep[3] = {DD_TRUE, DD_FALSE, DD_FALSE};
    dd_register(m, keep, 3);
    for (int row = 0; row < n; row++) {
        keep[1] = DD_FALSE;
        for (int column = n; column-- > 0;)
            keep[1] = dd_or(m, dd_variable(m, (uint32_t)(row * n + column)), keep[1]);
        keep[0] = dd_and(m, keep[0], keep[1]);
    }
    for (int field = 0; field < n * n && keep[0] != DD_NONE; field++) {
        keep[1] = DD_TRUE;
        for (int other = n * n; other-- > 0;)
            if (work_attacks(n, field, other))
                keep[1] = dd_and(m, dd_literal(m, (uint32_t)other, false), keep[1]);
        keep[2] = dd_or(m, dd_literal(m, (uint32_t)field, false), keep[1]);
        keep[0] = dd_and(m, keep[0], keep[2]);
    }
    dd_unregister(m, keep);
    return dd_ref(m, keep[0]);
}

static inline double work_count(struct dd_manager *m, dd f)
{
    uint32_t count = dd_variable_count(m), *all = malloc(count * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    double result = dd_count_double(m, f, dd_cube(m, all, count));
    free(all);
    return result;
}

#endif
