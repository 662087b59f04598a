/* The product of a matrix and a vector, as the images of relation.c with sums for unions: no renaming, and no diagram
 * of the products before they are summed. */
#include "dd/cache.h"

static dd step_matrix_vector(struct dd_worker *w, dd matrix, dd vector, dd cube);
static dd sum_of_two(struct dd_worker *w, dd m0, dd v0, dd m1, dd v1, dd rest)
{
    dd a, b;
    if (!dd_both(w, step_matrix_vector, m0, v0, rest, m1, v1, rest, &a, &b))
        return DD_NONE;
    return dd_step_apply(w, a, b, DD_PLUS);
}

static dd step_matrix_vector(struct dd_worker *w, dd matrix, dd vector, dd cube)
{
    struct dd_manager *m = w->m;
    if (matrix == m->zero || vector == m->zero)
        return m->zero;
    if (cube == DD_TRUE)
        return dd_step_apply(w, matrix, vector, DD_TIMES);
    dd result, v0, v1, m0, m1, low, high;
    if (dd_cache_find3(w, DD_OP_MATRIX_VECTOR, matrix, vector, cube, &result))
        return result;
    uint32_t cube_level = dd_level_at(m, cube);
    uint32_t level = dd_lower(cube_level, dd_lower(dd_level_at(m, matrix), dd_level_at(m, vector)));
    dd_split(m, vector, level, &v0, &v1);
    if (level != cube_level) {
        dd_split(m, matrix, level, &m0, &m1);
        if (!dd_both(w, step_matrix_vector, m0, v0, cube, m1, v1, cube, &low, &high))
            return DD_NONE;
    } else {
        struct dd_quarters q = dd_split_pair(m, matrix, level);
        dd rest = dd_at(m, cube)->high;
        low = sum_of_two(w, q.by[0][0], v0, q.by[0][1], v1, rest);
        high = low == DD_NONE ? DD_NONE : sum_of_two(w, q.by[1][0], v0, q.by[1][1], v1, rest);
        if (high == DD_NONE)
            return DD_NONE;
    }
    result = dd_make(w, level + 1, low, high);
    if (result != DD_NONE)
        dd_cache_keep3(w, DD_OP_MATRIX_VECTOR, matrix, vector, cube, result);
    return result;
}

dd dd_matrix_vector(struct dd_manager *m, dd matrix, dd vector, dd cube)
{
    dd_expect(m, matrix, true);
    dd_expect(m, vector, true);
    dd_ensure_pairs(m, cube);
    return dd_run(m, step_matrix_vector, 3, matrix, vector, cube);
}
