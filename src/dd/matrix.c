/* Products of matrices and vectors, as the images of relation.c with sums for unions: no renaming, and no diagram of
 * the products before they are summed. */
#include "dd/cache.h"

static dd step_matrix_vector(struct dd_worker *w, dd matrix, dd vector, dd cube);
static dd step_vector_matrix(struct dd_worker *w, dd matrix, dd vector, dd cube);

static dd sum_of_two(struct dd_worker *w, dd_step *step, dd m0, dd v0, dd m1, dd v1, dd rest)
{
    dd a, b;
    if (!dd_both(w, step, m0, v0, rest, m1, v1, rest, &a, &b))
        return DD_NONE;
    return dd_step_apply(w, a, b, DD_PLUS);
}

static dd product(struct dd_worker *w, dd_step *step, enum dd_op op, dd matrix, dd vector, dd cube)
{
    struct dd_manager *m = w->m;
    if (matrix == m->zero || vector == m->zero)
        return m->zero;
    if (cube == DD_TRUE)
        return dd_step_apply(w, matrix, vector, DD_TIMES);
    dd result, v0, v1, m0, m1, low, high;
    if (dd_cache_find3(w, op, matrix, vector, cube, &result))
        return result;
    uint32_t cube_level = dd_level_at(m, cube);
    uint32_t level = dd_lower(cube_level, dd_lower(dd_level_at(m, matrix), dd_level_at(m, vector)));
    dd_split(m, vector, level, &v0, &v1);
    if (level != cube_level) {
        dd_split(m, matrix, level, &m0, &m1);
        if (!dd_both(w, step, m0, v0, cube, m1, v1, cube, &low, &high))
            return DD_NONE;
    } else {
        struct dd_quarters q = dd_split_pair(m, matrix, level);
        bool transposed = op == DD_OP_VECTOR_MATRIX;
        dd rest = dd_at(m, cube)->high, upper = transposed ? q.by[1][0] : q.by[0][1],
           lower = transposed ? q.by[0][1] : q.by[1][0];
        low = sum_of_two(w, step, q.by[0][0], v0, upper, v1, rest);
        high = low == DD_NONE ? DD_NONE : sum_of_two(w, step, lower, v0, q.by[1][1], v1, rest);
        if (high == DD_NONE)
            return DD_NONE;
    }
    result = dd_make(w, m->index_at[level], low, high);
    if (result != DD_NONE)
        dd_cache_keep3(w, op, matrix, vector, cube, result);
    return result;
}

static dd step_matrix_vector(struct dd_worker *w, dd matrix, dd vector, dd cube)
{
    return product(w, step_matrix_vector, DD_OP_MATRIX_VECTOR, matrix, vector, cube);
}

static dd step_vector_matrix(struct dd_worker *w, dd matrix, dd vector, dd cube)
{
    return product(w, step_vector_matrix, DD_OP_VECTOR_MATRIX, matrix, vector, cube);
}

static dd step_matrix_vector_first(struct dd_worker *w, dd matrix, dd vector, dd cube)
{
    dd_ensure_pairs(w->m, cube);
    return step_matrix_vector(w, matrix, vector, cube);
}

static dd step_vector_matrix_first(struct dd_worker *w, dd matrix, dd vector, dd cube)
{
    dd_ensure_pairs(w->m, cube);
    return step_vector_matrix(w, matrix, vector, cube);
}

static dd matrix_run(struct dd_manager *m, dd_step *step, dd matrix, dd vector, dd cube)
{
    dd_expect(m, matrix, true);
    dd_expect(m, vector, true);
    return dd_run(m, step, 3, matrix, vector, cube);
}

dd dd_matrix_vector(struct dd_manager *m, dd matrix, dd vector, dd cube)
{
    return matrix_run(m, step_matrix_vector_first, matrix, vector, cube);
}

dd dd_vector_matrix(struct dd_manager *m, dd vector, dd matrix, dd cube)
{
    return matrix_run(m, step_vector_matrix_first, matrix, vector, cube);
}
