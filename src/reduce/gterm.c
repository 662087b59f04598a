/* The pool of terms: every term once; and those without parts. */
#include <string.h>

#include "base/hash.h"
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
    terms->size = 1 << 12;
    terms->table = memory_zeroed(terms->size, sizeof *terms->table);
    terms->a = terms->b = UINT32_MAX;
    return terms;
}

void gterms_destroy(struct gterms *terms)
{
    VEC_FREE(&terms->all);
    VEC_FREE(&terms->of_shared);
    VEC_FREE(&terms->exchanges);
    VEC_FREE(&terms->made);
    free(terms->table);
    free(terms);
}

/* --- every term once --- */

static uint64_t gterm_hash(const struct gterm *term)
{
    uint64_t hash = hash_combine(term->kind, hash_combine(term->counter, (uint64_t)term->value));
    if (term->variable)
        hash = hash_combine(hash, term->variable->cell);
    for (uint32_t i = 0; i < term->count; i++)
        hash = hash_combine(hash, term->parts[i]->id);
    return hash;
}

static bool gterms_equal(const struct gterm *a, const struct gterm *b)
{
    return a->hash == b->hash && a->kind == b->kind && a->is_bool == b->is_bool && a->variable == b->variable &&
           a->counter == b->counter && a->value == b->value && a->count == b->count &&
           (!a->count || !memcmp(a->parts, b->parts, a->count * sizeof *a->parts));
}

static void table_put(struct gterms *terms, const struct gterm *term)
{
    size_t at = term->hash & (terms->size - 1);
    while (terms->table[at])
        at = (at + 1) & (terms->size - 1);
    terms->table[at] = term;
}

static void table_grow(struct gterms *terms)
{
    free(terms->table);
    terms->size *= 2;
    terms->table = memory_zeroed(terms->size, sizeof *terms->table);
    for (size_t i = 0; i < terms->all.count; i++)
        table_put(terms, terms->all.items[i]);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void collect_modules(struct gterms *terms, struct gterm *term)
{
    VEC(uint32_t) found = {0};
    if (term->variable && term->variable->module != CENSUS_GLOBAL)
        VEC_PUSH(&found, term->variable->module);
    for (uint32_t i = 0; i < term->count; i++)
        for (uint32_t k = 0; k < term->parts[i]->module_count; k++)
            VEC_PUSH(&found, term->parts[i]->modules[k]);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < found.count; i++)
        if (!kept || found.items[kept - 1] != found.items[i])
            found.items[kept++] = found.items[i];
    found.count = kept;
    term->module_count = (uint32_t)kept;
    term->modules = VEC_SEAL(&found, terms->arena);
}

const struct gterm *gterms_intern(struct gterms *terms, struct gterm *term)
{
    term->hash = gterm_hash(term);
    for (size_t at = term->hash & (terms->size - 1); terms->table[at]; at = (at + 1) & (terms->size - 1))
        if (gterms_equal(terms->table[at], term))
            return terms->table[at];
    struct gterm *kept = arena_copy(terms->arena, term, sizeof *term);
    kept->id = (uint32_t)terms->all.count;
    kept->parts = arena_copy(terms->arena, term->parts, term->count * sizeof *term->parts);
    collect_modules(terms, kept);
    kept->has_counter = kept->kind == TERM_COUNTER;
    for (uint32_t i = 0; i < kept->count; i++)
        kept->has_counter |= kept->parts[i]->has_counter;
    VEC_PUSH(&terms->all, kept);
    if (2 * terms->all.count > terms->size)
        table_grow(terms);
    else
        table_put(terms, kept);
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
