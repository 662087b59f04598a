/* Substitution of functions for variables, and renaming. */
#include "dd/cache.h"

/* The function that is `high` where the condition holds and `low` elsewhere, of BDDs or of MTBDDs. */
static dd choose(struct dd_worker *w, dd condition, dd high, dd low, bool real)
{
    return real ? dd_step_select(w, condition, high, low) : dd_step_ite(w, condition, high, low);
}

static dd step_compose(struct dd_worker *w, dd f, dd number, dd real)
{
    struct dd_manager *m = w->m;
    uint32_t level = dd_level_at(m, f);
    if (level > m->last_level) /* constants and leaves, too */
        return f;
    dd flip = f & 1u, result, r0, r1;
    f ^= flip;
    if (dd_cache_find(w, DD_OP_COMPOSE, f, number, &result))
        return result ^ flip;
    uint32_t index = dd_at(m, f)->index;
    if (!dd_both(w, step_compose, dd_at(m, f)->low, number, real, dd_at(m, f)->high, number, real, &r0, &r1))
        return DD_NONE;
    dd image = m->images[index];
    if (image == DD_NONE) /* the variable stays */
        image = dd_make(w, index, DD_FALSE, DD_TRUE);
    result = image == DD_NONE ? DD_NONE : choose(w, image, r1, r0, real);
    if (result == DD_NONE)
        return DD_NONE;
    dd_cache_keep(w, DD_OP_COMPOSE, f, number, result);
    return result ^ flip;
}

/* Variables that came later stay where they are. */
static inline uint32_t permuted(const struct dd_permutation *permutation, uint32_t index)
{
    return index <= permutation->variables ? permutation->images[index] : index;
}

static dd step_permute(struct dd_worker *w, dd f, dd number, dd real)
{
    struct dd_manager *m = w->m;
    uint32_t level = dd_level_at(m, f);
    if (level > m->last_level)
        return f;
    dd flip = f & 1u, result, r0, r1;
    f ^= flip;
    if (dd_cache_find(w, DD_OP_PERMUTE, f, number, &result))
        return result ^ flip;
    uint32_t image = permuted(m->permutation, dd_at(m, f)->index);
    if (!dd_both(w, step_permute, dd_at(m, f)->low, number, real, dd_at(m, f)->high, number, real, &r0, &r1))
        return DD_NONE;
    if (image - 1 < dd_lower(dd_level_at(m, r0), dd_level_at(m, r1))) {
        result = dd_make(w, image, r0, r1);
    } else {
        dd literal = dd_make(w, image, DD_FALSE, DD_TRUE);
        result = literal == DD_NONE ? DD_NONE : choose(w, literal, r1, r0, real);
    }
    if (result == DD_NONE)
        return DD_NONE;
    dd_cache_keep(w, DD_OP_PERMUTE, f, number, result);
    return result ^ flip;
}

dd dd_compose_all(struct dd_manager *m, dd f, const uint32_t *variables, const dd *images, size_t count)
{
    if (f == DD_NONE || !count)
        return f;
    dd *by_index = memory_alloc((m->variables + 1) * sizeof *by_index), result = DD_NONE;
    for (uint32_t i = 0; i <= m->variables; i++)
        by_index[i] = DD_NONE;
    bool valid = true;
    m->last_level = 0;
    for (size_t i = 0; i < count; i++) {
        ENSURE(variables[i] < m->variables);
        by_index[variables[i] + 1] = images[i];
        m->last_level = variables[i] > m->last_level ? variables[i] : m->last_level;
        valid = valid && images[i] != DD_NONE;
    }
    if (valid) {
        m->images = by_index;
        dd_register(m, by_index, m->variables + 1);
        result = dd_run(m, step_compose, 1, f, dd_new_number(m), dd_is_real(m, f));
        dd_unregister(m, by_index);
        m->images = NULL;
    }
    free(by_index);
    return result;
}

const struct dd_permutation *dd_permutation(struct dd_manager *m, const uint32_t *images)
{
    struct dd_permutation *permutation = memory_zeroed(1, sizeof *permutation);
    permutation->number = (uint32_t)m->permutations.count + 1;
    permutation->variables = m->variables;
    permutation->images = memory_zeroed(m->variables + 1, sizeof *permutation->images);
    bool *met = memory_zeroed(m->variables + 1, sizeof *met);
    for (uint32_t i = 0; i < m->variables; i++) {
        ENSURE(images[i] < m->variables && !met[images[i]]);
        met[images[i]] = true;
        permutation->images[i + 1] = images[i] + 1;
        permutation->last = images[i] != i ? i : permutation->last;
    }
    free(met);
    VEC_PUSH(&m->permutations, permutation);
    return permutation;
}

dd dd_permute(struct dd_manager *m, dd f, const struct dd_permutation *permutation)
{
    if (f == DD_NONE)
        return f;
    m->permutation = permutation;
    m->last_level = permutation->last;
    return dd_run(m, step_permute, 1, f, permutation->number, dd_is_real(m, f));
}
