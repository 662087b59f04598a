/* The pool of terms: every term once; and those without parts. */
#include <string.h>

#include "reduce/gterms.h"

struct gterms *gterms_create(struct arena *arena, const struct system *system, const struct census_variable *variables,
                             const struct census_module *modules)
{
    struct gterms *terms = memory_zeroed(1, sizeof *terms);
    terms->arena = arena;
    terms->system = system;
    terms->variables = variables;
    terms->modules = modules;
    terms->of_scratch = ARENA_ARRAY(arena, const struct gterm *, system->memory_cells - system->state_cells + 1);
    terms->a = terms->b = UINT32_MAX;
    return terms;
}

void gterms_destroy(struct gterms *terms)
{
    VEC_FREE(&terms->all);
    VEC_FREE(&terms->of_shared);
    VEC_FREE(&terms->exchanges);
    VEC_FREE(&terms->made);
    words_free(&terms->words);
    free(terms);
}

/* --- every term once --- */

static void collect_modules(struct gterms *terms, struct gterm *term)
{
    VEC(uint32_t) found = {0};
    if (term->variable && term->variable->module != CENSUS_GLOBAL)
        VEC_PUSH(&found, term->variable->module);
    for (uint32_t i = 0; i < term->count; i++)
        for (uint32_t k = 0; k < term->parts[i]->module_count; k++)
            VEC_PUSH(&found, term->parts[i]->modules[k]);
    found.count = words_sort_unique(found.items, found.count);
    term->module_count = (uint32_t)found.count;
    term->modules = VEC_SEAL(&found, terms->arena);
}

/* All that makes it the term it is. */
static uint32_t number_of(struct gterms *terms, const struct gterm *term)
{
    enum { OWN = 5 };
    uint32_t *words = memory_alloc((OWN + (size_t)term->count) * sizeof *words);
    words[0] = 2 * (uint32_t)term->kind + term->is_bool;
    words[1] = (uint32_t)term->value;
    words[2] = (uint32_t)((uint64_t)term->value >> 32);
    words[3] = term->variable ? term->variable->cell : UINT32_MAX;
    words[4] = term->counter;
    for (uint32_t i = 0; i < term->count; i++)
        words[OWN + i] = term->parts[i]->id;
    uint32_t number = words_intern(&terms->words, words, OWN + term->count);
    free(words);
    return number;
}

const struct gterm *gterms_intern(struct gterms *terms, struct gterm *term)
{
    term->id = number_of(terms, term);
    if (term->id < terms->all.count)
        return terms->all.items[term->id];
    struct gterm *kept = arena_copy(terms->arena, term, sizeof *term);
    kept->parts = arena_copy(terms->arena, term->parts, term->count * sizeof *term->parts);
    collect_modules(terms, kept);
    kept->has_counter = kept->kind == TERM_COUNTER;
    for (uint32_t i = 0; i < kept->count; i++)
        kept->has_counter |= kept->parts[i]->has_counter;
    VEC_PUSH(&terms->all, kept);
    return kept;
}

/* --- leaves --- */

const struct gterm *gterm_int(struct gterms *terms, int64_t value)
{
    return gterms_intern(terms, &(struct gterm){.kind = TERM_VALUE, .value = value});
}

const struct gterm *gterm_bool(struct gterms *terms, bool value)
{
    return gterms_intern(terms, &(struct gterm){.kind = TERM_VALUE, .is_bool = true, .value = value});
}

const struct gterm *gterm_variable(struct gterms *terms, const struct census_variable *variable)
{
    return gterms_intern(terms,
                         &(struct gterm){.kind = TERM_VARIABLE, .is_bool = variable->is_bool, .variable = variable});
}

const struct gterm *gterm_counter(struct gterms *terms, uint32_t counter)
{
    return gterms_intern(terms, &(struct gterm){.kind = TERM_COUNTER, .counter = counter});
}
