#include "smt/cutoff.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VISITS = 1000000, MOST_NESTED = 64 };

/* How many witnesses of each sort. */
struct need {
    uint32_t of[CUTOFF_MOST_SORTS];
};

/* A symbol, or the witness of an existential quantifier below universal ones. */
struct made {
    uint32_t sort;
    uint32_t count;
    uint32_t sorts[MOST_NESTED];
    uint32_t formula, symbol;
};

/* A quantifier that is open. */
struct cutoff_scope {
    term variable;
    bool is_universal;
    uint64_t depends; /* an existential one: on these universal ones, by their positions */
};

struct cutoff_finder {
    const struct fol_store *terms;
    struct cutoff *cutoff;
    struct cutoff_scope scopes[MOST_NESTED];
    uint32_t depth;
    bool *has_quantifier, *is_seen; /* by node */
    struct need **known;            /* of nodes without variables that are bound: four each, as `kind_of_visit` */
    VEC(struct made) made;
    struct need constants;
    uint32_t formula;
    uint32_t visits;
};

static void add(struct need *to, const struct need *more)
{
    for (uint32_t s = 0; s < CUTOFF_MOST_SORTS; s++)
        to->of[s] = to->of[s] + more->of[s] < to->of[s] ? UINT32_MAX : to->of[s] + more->of[s];
}

static void take_larger(struct need *to, const struct need *other)
{
    for (uint32_t s = 0; s < CUTOFF_MOST_SORTS; s++)
        to->of[s] = to->of[s] > other->of[s] ? to->of[s] : other->of[s];
}

static bool refuse(struct cutoff_finder *finder, uint32_t symbol, const char *why)
{
    if (!finder->cutoff->why.length) {
        text_append(&finder->cutoff->why, why);
        finder->cutoff->formula = finder->formula;
        finder->cutoff->symbol = symbol;
    }
    return false;
}

/* -- Symbols, and where quantifiers are -- */

static void survey(struct cutoff_finder *finder, term t)
{
    const struct fol_node *node = fol_at(finder->terms, t);
    if (finder->is_seen[t])
        return;
    finder->is_seen[t] = true;
    for (uint32_t i = 0; i < node->count; i++) {
        survey(finder, node->parts[i]);
        finder->has_quantifier[t] |= finder->has_quantifier[node->parts[i]];
    }
    finder->has_quantifier[t] |= node->kind == TERM_UNIVERSAL || node->kind == TERM_EXISTENTIAL;
}

static void add_symbol(struct cutoff_finder *finder, uint32_t symbol)
{
    const struct symbol_about *about = &finder->terms->symbols.items[symbol];
    struct made made = {.sort = about->sort, .count = about->count, .formula = UINT32_MAX, .symbol = symbol};
    if (about->sort == SORT_BOOLEAN)
        return;
    if (about->count > MOST_NESTED) {
        refuse(finder, symbol, "it has too many dimensions");
        return;
    }
    memcpy(made.sorts, about->sorts, about->count * sizeof *made.sorts);
    VEC_PUSH(&finder->made, made);
}

/* Variables that no quantifier binds, and symbols, of all formulas. */
static void take_terms(struct cutoff_finder *finder, const term *formulas, size_t count, bool *is_taken)
{
    for (size_t i = 0; i < count; i++) {
        const struct term_frees *frees = &fol_at(finder->terms, formulas[i])->frees;
        survey(finder, formulas[i]);
        for (uint32_t f = 0; f < frees->count; f++) {
            finder->constants.of[fol_at(finder->terms, frees->items[f])->sort] += !is_taken[frees->items[f]];
            is_taken[frees->items[f]] = true;
        }
    }
}

static void take_symbols(struct cutoff_finder *finder)
{
    bool *is_used = memory_zeroed(finder->terms->symbols.count + 1, sizeof *is_used);
    for (size_t t = 0; t < finder->terms->nodes.count; t++)
        if (finder->is_seen[t] && finder->terms->nodes.items[t].kind == TERM_APPLICATION)
            is_used[finder->terms->nodes.items[t].symbol] = true;
    for (uint32_t s = 0; s < finder->terms->symbols.count; s++)
        if (is_used[s])
            add_symbol(finder, s);
    free(is_used);
}

/* -- Witnesses -- */

static uint64_t depends_on(const struct cutoff_finder *finder, term t)
{
    const struct term_frees *frees = &fol_at(finder->terms, t)->frees;
    uint64_t depends = 0;
    for (uint32_t d = 0; d < finder->depth; d++)
        for (uint32_t f = 0; f < frees->count; f++)
            if (frees->items[f] == finder->scopes[d].variable)
                depends |= finder->scopes[d].is_universal ? UINT64_C(1) << d : finder->scopes[d].depends;
    return depends;
}

static void add_witness(struct cutoff_finder *finder, uint32_t sort, uint64_t depends, struct need *need)
{
    struct made made = {.sort = sort, .formula = finder->formula, .symbol = UINT32_MAX};
    for (uint32_t d = 0; d < finder->depth; d++)
        if (depends >> d & 1)
            made.sorts[made.count++] = fol_at(finder->terms, finder->scopes[d].variable)->sort;
    if (made.count)
        VEC_PUSH(&finder->made, made);
    else
        need->of[sort]++;
}

static struct need visit(struct cutoff_finder *finder, term t, bool is_positive, bool is_below);

static struct need visit_quantifier(struct cutoff_finder *finder, term t, bool is_positive, bool is_below)
{
    const struct fol_node *node = fol_at(finder->terms, t);
    bool is_universal = (node->kind == TERM_UNIVERSAL) == is_positive;
    struct cutoff_scope scope = {.variable = node->parts[0], .is_universal = is_universal};
    struct need need = {0};
    if (finder->depth == MOST_NESTED) {
        refuse(finder, UINT32_MAX, "quantifiers are nested too deeply");
        return need;
    }
    if (!is_universal) {
        scope.depends = depends_on(finder, t);
        add_witness(finder, fol_at(finder->terms, scope.variable)->sort, scope.depends, &need);
    }
    finder->scopes[finder->depth++] = scope;
    struct need below = visit(finder, node->parts[1], is_positive, is_below || is_universal);
    finder->depth--;
    add(&need, &below);
    return need;
}

/* A term that chooses between elements has a condition, which is both true and false somewhere. */
static struct need visit_both(struct cutoff_finder *finder, term t)
{
    const struct fol_node *node = fol_at(finder->terms, t);
    struct need need = {0};
    for (uint32_t i = 0; i < node->count; i++)
        for (uint32_t positive = 0; positive < 2; positive++) {
            struct need one = visit(finder, node->parts[i], positive, true);
            add(&need, &one);
        }
    return need;
}

static struct need visit_node(struct cutoff_finder *finder, term t, bool is_positive, bool is_below)
{
    const struct fol_node *node = fol_at(finder->terms, t);
    if (node->kind == TERM_NEGATION)
        return visit(finder, node->parts[0], !is_positive, is_below);
    if (node->kind == TERM_UNIVERSAL || node->kind == TERM_EXISTENTIAL)
        return visit_quantifier(finder, t, is_positive, is_below);
    if (node->kind != TERM_CONJUNCTION && node->kind != TERM_DISJUNCTION)
        return visit_both(finder, t);
    struct need need = visit(finder, node->parts[0], is_positive, is_below);
    struct need other = visit(finder, node->parts[1], is_positive, is_below);
    /* Below a universal quantifier each operand may be the true one, for some element. */
    if ((node->kind == TERM_CONJUNCTION) == is_positive || is_below)
        add(&need, &other);
    else
        take_larger(&need, &other);
    return need;
}

static bool has_bound(const struct cutoff_finder *finder, term t)
{
    const struct term_frees *frees = &fol_at(finder->terms, t)->frees;
    for (uint32_t d = 0; d < finder->depth; d++)
        for (uint32_t f = 0; f < frees->count; f++)
            if (frees->items[f] == finder->scopes[d].variable)
                return true;
    return false;
}

static struct need visit(struct cutoff_finder *finder, term t, bool is_positive, bool is_below)
{
    uint32_t kind_of_visit = (is_positive ? 1u : 0u) + (is_below ? 2u : 0u);
    struct need need = {0};
    if (!finder->has_quantifier[t] || finder->cutoff->why.length)
        return need;
    if (++finder->visits > MOST_VISITS) {
        refuse(finder, UINT32_MAX, "it has too many quantifiers");
        return need;
    }
    bool is_closed = !has_bound(finder, t);
    struct need **known = &finder->known[4 * (size_t)t + kind_of_visit];
    if (is_closed && *known)
        return **known;
    need = visit_node(finder, t, is_positive, is_below);
    if (is_closed) {
        *known = memory_alloc(sizeof **known);
        **known = need;
    }
    return need;
}

/* -- All ground terms -- */

/* What the functions add to the constants, if the sorts have these sizes. */
static uint32_t count_made(const struct cutoff_finder *finder, uint32_t sort, const uint32_t *sizes)
{
    uint64_t count = finder->constants.of[sort];
    for (size_t m = 0; m < finder->made.count; m++) {
        const struct made *made = &finder->made.items[m];
        uint64_t product = made->sort == sort;
        for (uint32_t a = 0; a < made->count && product <= CUTOFF_LARGEST; a++)
            product *= sizes[made->sorts[a]];
        count += product;
    }
    return count < 1 ? 1 : count > CUTOFF_LARGEST ? CUTOFF_LARGEST + 1 : (uint32_t)count;
}

/* A function that leads from a sort back to it, by way of others; NULL: none does. */
static const struct made *find_cyclic(const struct cutoff_finder *finder)
{
    bool leads[CUTOFF_MOST_SORTS][CUTOFF_MOST_SORTS] = {0};
    for (size_t m = 0; m < finder->made.count; m++)
        for (uint32_t a = 0; a < finder->made.items[m].count; a++)
            leads[finder->made.items[m].sorts[a]][finder->made.items[m].sort] = true;
    for (uint32_t k = 0; k < CUTOFF_MOST_SORTS; k++)
        for (uint32_t i = 0; i < CUTOFF_MOST_SORTS; i++)
            for (uint32_t j = 0; j < CUTOFF_MOST_SORTS; j++)
                leads[i][j] |= leads[i][k] && leads[k][j];
    for (size_t m = 0; m < finder->made.count; m++)
        for (uint32_t a = 0; a < finder->made.items[m].count; a++)
            if (leads[finder->made.items[m].sort][finder->made.items[m].sorts[a]] ||
                finder->made.items[m].sort == finder->made.items[m].sorts[a])
                return &finder->made.items[m];
    return NULL;
}

static bool find_sizes(struct cutoff_finder *finder)
{
    struct cutoff *cutoff = finder->cutoff;
    const struct made *cyclic = find_cyclic(finder);
    if (cyclic) {
        finder->formula = cyclic->formula;
        return refuse(finder, cyclic->symbol,
                      cyclic->symbol != UINT32_MAX
                          ? "it leads from elements to others of the same type, so no number of elements is enough"
                          : "for any element there is another one, so no number of elements is enough");
    }
    for (uint32_t round = 0; round <= finder->terms->sorts.count; round++) /* no path of functions is longer */
        for (uint32_t s = 1; s < finder->terms->sorts.count; s++)
            cutoff->sizes[s] = count_made(finder, s, cutoff->sizes);
    finder->formula = UINT32_MAX;
    for (uint32_t s = 1; s < finder->terms->sorts.count; s++)
        if (cutoff->sizes[s] > CUTOFF_LARGEST)
            return refuse(finder, UINT32_MAX, "more elements would have to be examined than is feasible");
    return true;
}

static void find_witnesses(struct cutoff_finder *finder, const term *assumed, size_t assumed_count, const term *asked,
                           size_t asked_count)
{
    struct need most = {0};
    for (size_t i = 0; i < assumed_count; i++) {
        finder->formula = (uint32_t)i;
        struct need need = visit(finder, assumed[i], true, false);
        add(&finder->constants, &need);
    }
    for (size_t i = 0; i < asked_count; i++) {
        finder->formula = (uint32_t)(assumed_count + i);
        struct need need = visit(finder, asked[i], true, false);
        take_larger(&most, &need);
    }
    add(&finder->constants, &most);
}

bool cutoff_find(const struct fol_store *terms, const term *assumed, size_t assumed_count, const term *asked,
                 size_t asked_count, struct cutoff *cutoff)
{
    struct cutoff_finder finder = {.terms = terms, .cutoff = cutoff, .formula = UINT32_MAX};
    size_t nodes = terms->nodes.count;
    *cutoff = (struct cutoff){.formula = UINT32_MAX, .symbol = UINT32_MAX};
    if (terms->sorts.count > CUTOFF_MOST_SORTS)
        return refuse(&finder, UINT32_MAX, "there are too many types");
    bool *is_taken = memory_zeroed(nodes + 1, sizeof *is_taken);
    finder.has_quantifier = memory_zeroed(nodes + 1, sizeof *finder.has_quantifier);
    finder.is_seen = memory_zeroed(nodes + 1, sizeof *finder.is_seen);
    finder.known = memory_zeroed(4 * nodes + 1, sizeof(struct need *));
    take_terms(&finder, assumed, assumed_count, is_taken);
    take_terms(&finder, asked, asked_count, is_taken);
    take_symbols(&finder);
    find_witnesses(&finder, assumed, assumed_count, asked, asked_count);
    bool is_found = !cutoff->why.length && find_sizes(&finder);
    for (size_t i = 0; i < 4 * nodes; i++)
        free(finder.known[i]);
    free(finder.known);
    free(finder.is_seen);
    free(finder.has_quantifier);
    free(is_taken);
    VEC_FREE(&finder.made);
    return is_found;
}
