/* Terms with two modules exchanged. */
#include <string.h>

#include "reduce/gterms.h"

static bool gterm_mentions(const struct gterm *term, uint32_t module)
{
    uint32_t from = 0, to = term->module_count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (term->modules[middle] < module)
            from = middle + 1;
        else
            to = middle;
    }
    return from < term->module_count && term->modules[from] == module;
}

static const struct gterm *swap(struct gterms *terms, const struct gterm *term);

/* Many parts, of which few change: they need not be put in order again when the changed ones are the same together. */
static bool is_same_bag(const struct gterm *term, const struct gterm *const *parts)
{
    gterm_list before = {0}, after = {0};
    for (uint32_t i = 0; i < term->count; i++)
        if (parts[i] != term->parts[i]) {
            VEC_PUSH(&before, term->parts[i]);
            VEC_PUSH(&after, parts[i]);
        }
    if (after.count)
        qsort(after.items, after.count, sizeof *after.items, gterms_compare_ids);
    bool is_same = !after.count || !memcmp(before.items, after.items, after.count * sizeof *after.items);
    VEC_FREE(&before);
    VEC_FREE(&after);
    return is_same;
}

static const struct gterm *swap_parts(struct gterms *terms, const struct gterm *term)
{
    const struct gterm **parts = memory_alloc((term->count + 1) * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = swap(terms, term->parts[i]);
    bool is_same = term->kind >= TERM_AND && term->kind <= TERM_EQ
                       ? is_same_bag(term, parts)
                       : !memcmp(parts, term->parts, term->count * sizeof *parts);
    const struct gterm *result = is_same ? term : gterm_rebuild(terms, term, parts);
    free(parts);
    return result;
}

static const struct gterm *swap_variable(struct gterms *terms, const struct gterm *term)
{
    const struct census_variable *variable = term->variable;
    uint32_t other = variable->module == terms->a ? terms->b : terms->a;
    return gterm_variable(terms, terms->modules[other].variables[variable->field]);
}

static const struct gterm *swap(struct gterms *terms, const struct gterm *term)
{
    if (!gterm_mentions(term, terms->a) && !gterm_mentions(term, terms->b))
        return term;
    while (terms->exchanges.count <= term->id)
        VEC_PUSH(&terms->exchanges, (struct exchange){0});
    if (terms->exchanges.items[term->id].epoch == terms->epoch)
        return terms->exchanges.items[term->id].result;
    const struct gterm *result = term->kind == TERM_VARIABLE ? swap_variable(terms, term) : swap_parts(terms, term);
    terms->exchanges.items[term->id] = (struct exchange){terms->epoch, result};
    return result;
}

const struct gterm *gterm_swap(struct gterms *terms, const struct gterm *term, uint32_t a, uint32_t b)
{
    if (a == b)
        return term;
    if (terms->a != a || terms->b != b) {
        terms->epoch++;
        terms->a = a;
        terms->b = b;
    }
    return swap(terms, term);
}
