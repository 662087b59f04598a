#include "smt/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* -- Free variables -- */

static bool frees_have(const struct term_frees *frees, term variable)
{
    for (uint32_t i = 0; i < frees->count; i++)
        if (frees->items[i] == variable)
            return true;
    return false;
}

static int variable_compare(const void *a, const void *b)
{
    term x = *(const term *)a, y = *(const term *)b;
    return (x > y) - (x < y);
}

static struct term_frees frees_join(struct fol_store *terms, struct term_frees a, struct term_frees b)
{
    uint32_t extra = 0;
    for (uint32_t i = 0; i < b.count; i++)
        extra += !frees_have(&a, b.items[i]);
    if (!extra)
        return a;
    if (extra == b.count && !a.count)
        return b;
    term *items = ARENA_ARRAY(terms->arena, term, a.count + extra);
    uint32_t count = a.count;
    memcpy(items, a.items, a.count * sizeof *items);
    for (uint32_t i = 0; i < b.count; i++)
        if (!frees_have(&a, b.items[i]))
            items[count++] = b.items[i];
    qsort(items, count, sizeof *items, variable_compare);
    return (struct term_frees){items, count};
}

static struct term_frees frees_without(struct fol_store *terms, struct term_frees a, term variable)
{
    if (!frees_have(&a, variable))
        return a;
    term *items = ARENA_ARRAY(terms->arena, term, a.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a.count; i++)
        if (a.items[i] != variable)
            items[count++] = a.items[i];
    return (struct term_frees){items, count};
}

static void node_find_frees(struct fol_store *terms, struct fol_node *node)
{
    bool binds = node->kind == TERM_UNIVERSAL || node->kind == TERM_EXISTENTIAL;
    node->frees = (struct term_frees){0};
    for (uint32_t i = binds ? 1 : 0; i < node->count; i++)
        node->frees = frees_join(terms, node->frees, terms->nodes.items[node->parts[i]].frees);
    if (binds)
        node->frees = frees_without(terms, node->frees, node->parts[0]);
}

/* -- Nodes -- */

/* What makes a node the same as another; its parts follow. */
enum { NODE_HEAD = 3 };

static term node_number(struct fol_store *terms, const struct fol_node *node)
{
    const uint32_t head[NODE_HEAD] = {(uint32_t)node->kind, node->symbol, node->sort};
    VEC_CLEAR(&terms->key);
    for (uint32_t i = 0; i < NODE_HEAD; i++)
        VEC_PUSH(&terms->key, head[i]);
    for (uint32_t i = 0; i < node->count; i++)
        VEC_PUSH(&terms->key, node->parts[i]);
    return words_intern(&terms->known, terms->key.items, (uint32_t)terms->key.count);
}

static term node_make(struct fol_store *terms, struct fol_node node)
{
    term t = node_number(terms, &node);
    if (t < terms->nodes.count)
        return t;
    node.parts = words_at(&terms->known, t) + NODE_HEAD;
    if (node.kind != TERM_VARIABLE)
        node_find_frees(terms, &node);
    VEC_PUSH(&terms->nodes, node);
    return t;
}

void terms_open(struct fol_store *terms)
{
    *terms = (struct fol_store){.arena = arena_create()};
    for (uint32_t value = TERM_FALSE; value <= TERM_TRUE; value++)
        ENSURE(node_make(terms, (struct fol_node){.kind = TERM_CONSTANT, .symbol = value}) == value);
    VEC_PUSH(&terms->sorts, "Bool");
}

void terms_close(struct fol_store *terms)
{
    if (terms->arena)
        arena_destroy(terms->arena);
    VEC_FREE(&terms->nodes);
    VEC_FREE(&terms->symbols);
    VEC_FREE(&terms->sorts);
    VEC_FREE(&terms->key);
    words_free(&terms->known);
    *terms = (struct fol_store){0};
}

/* Between bars any printable character may stand in SMT-LIB but a bar and a backslash. */
static const char *name_quotable(struct fol_store *terms, const char *name)
{
    char *copy = arena_string(terms->arena, name);
    for (char *c = copy; *c; c++)
        if (*c == '|' || *c == '\\')
            *c = '_';
    return copy;
}

uint32_t terms_sort(struct fol_store *terms, const char *name)
{
    VEC_PUSH(&terms->sorts, name_quotable(terms, name));
    return (uint32_t)terms->sorts.count - 1;
}

uint32_t terms_symbol(struct fol_store *terms, const char *name, uint32_t sort, uint32_t count, const uint32_t *sorts)
{
    uint32_t number = (uint32_t)terms->symbols.count;
    bool is_taken = false;
    name = name_quotable(terms, name);
    for (uint32_t i = 0; i < number && !is_taken; i++)
        is_taken = !strcmp(terms->symbols.items[i].name, name);
    if (is_taken)
        name = arena_format(terms->arena, "%s #%u", name, number);
    struct symbol_about about = {name, sort, count, arena_copy(terms->arena, sorts, count * sizeof *sorts)};
    VEC_PUSH(&terms->symbols, about);
    return number;
}

term fol_variable(struct fol_store *terms, uint32_t sort)
{
    term t = node_make(terms, (struct fol_node){.kind = TERM_VARIABLE, .sort = sort, .symbol = terms->variables++});
    term *own = ARENA_NEW(terms->arena, term);
    *own = t;
    terms->nodes.items[t].frees = (struct term_frees){own, 1};
    return t;
}

term fol_apply(struct fol_store *terms, uint32_t symbol, const term *arguments)
{
    const struct symbol_about *about = &terms->symbols.items[symbol];
    return node_make(terms, (struct fol_node){.kind = TERM_APPLICATION,
                                              .sort = about->sort,
                                              .symbol = symbol,
                                              .count = about->count,
                                              .parts = arguments});
}

static term node_pair(struct fol_store *terms, enum fol_kind kind, uint32_t sort, term a, term b)
{
    term parts[2] = {a, b};
    return node_make(terms, (struct fol_node){.kind = kind, .sort = sort, .count = 2, .parts = parts});
}

term fol_equal(struct fol_store *terms, term a, term b)
{
    if (a == b)
        return TERM_TRUE;
    return a < b ? node_pair(terms, TERM_EQUALITY, 0, a, b) : node_pair(terms, TERM_EQUALITY, 0, b, a);
}

term fol_not(struct fol_store *terms, term a)
{
    if (a <= TERM_TRUE)
        return a ^ 1u;
    if (fol_at(terms, a)->kind == TERM_NEGATION)
        return fol_at(terms, a)->parts[0];
    return node_make(terms, (struct fol_node){.kind = TERM_NEGATION, .count = 1, .parts = &a});
}

static bool is_negation_of(const struct fol_store *terms, term a, term b)
{
    return (fol_at(terms, a)->kind == TERM_NEGATION && fol_at(terms, a)->parts[0] == b) ||
           (fol_at(terms, b)->kind == TERM_NEGATION && fol_at(terms, b)->parts[0] == a);
}

/* Is b an operand of a, which is of this kind, or of its last operands? */
static bool has_operand(const struct fol_store *terms, enum fol_kind kind, term a, term b)
{
    for (uint32_t depth = 0; depth < 16 && fol_at(terms, a)->kind == kind; depth++) {
        if (fol_at(terms, a)->parts[1] == b || fol_at(terms, a)->parts[0] == b)
            return true;
        a = fol_at(terms, a)->parts[0];
    }
    return false;
}

term fol_and(struct fol_store *terms, term a, term b)
{
    if (a == TERM_FALSE || b == TERM_FALSE || is_negation_of(terms, a, b))
        return TERM_FALSE;
    if (a == TERM_TRUE || a == b || has_operand(terms, TERM_CONJUNCTION, b, a))
        return b;
    if (b == TERM_TRUE || has_operand(terms, TERM_CONJUNCTION, a, b))
        return a;
    return node_pair(terms, TERM_CONJUNCTION, 0, a, b);
}

term fol_or(struct fol_store *terms, term a, term b)
{
    if (a == TERM_TRUE || b == TERM_TRUE || is_negation_of(terms, a, b))
        return TERM_TRUE;
    if (a == TERM_FALSE || a == b || has_operand(terms, TERM_DISJUNCTION, b, a))
        return b;
    if (b == TERM_FALSE || has_operand(terms, TERM_DISJUNCTION, a, b))
        return a;
    return node_pair(terms, TERM_DISJUNCTION, 0, a, b);
}

term fol_choose(struct fol_store *terms, term condition, term a, term b)
{
    if (condition == TERM_TRUE || a == b)
        return a;
    if (condition == TERM_FALSE)
        return b;
    uint32_t sort = fol_at(terms, a)->sort;
    if (sort == SORT_BOOLEAN)
        return fol_or(terms, fol_and(terms, condition, a), fol_and(terms, fol_not(terms, condition), b));
    term parts[3] = {condition, a, b};
    return node_make(terms, (struct fol_node){.kind = TERM_CHOICE, .sort = sort, .count = 3, .parts = parts});
}

bool fol_has_free(const struct fol_store *terms, term t, term variable)
{
    return frees_have(&fol_at(terms, t)->frees, variable);
}

/* Sorts are never empty: what does not depend on the variable needs no quantifier. */
static term node_quantify(struct fol_store *terms, enum fol_kind kind, term variable, term body)
{
    return fol_has_free(terms, body, variable) ? node_pair(terms, kind, 0, variable, body) : body;
}

term fol_forall(struct fol_store *terms, term variable, term body)
{
    return node_quantify(terms, TERM_UNIVERSAL, variable, body);
}

term fol_exists(struct fol_store *terms, term variable, term body)
{
    return node_quantify(terms, TERM_EXISTENTIAL, variable, body);
}

/* -- Substitution -- */

struct substitution {
    struct fol_store *terms;
    term variable, by;
    term *images; /* by node, of those before; 0 stands for "not yet" (the constants have themselves) */
    uint32_t count;
};

static term substitute(struct substitution *substitution, term t);

static term substitute_parts(struct substitution *substitution, term t)
{
    struct fol_store *terms = substitution->terms;
    struct fol_node node = *fol_at(terms, t);
    term few[4], *parts = node.count <= 4 ? few : memory_alloc(node.count * sizeof *parts);
    bool binds = node.kind == TERM_UNIVERSAL || node.kind == TERM_EXISTENTIAL;
    for (uint32_t i = 0; i < node.count; i++)
        parts[i] = binds && !i ? node.parts[0] : substitute(substitution, node.parts[i]);
    if (binds) /* else it would be captured */
        ENSURE(!fol_has_free(terms, substitution->by, node.parts[0]));
    term image = TERM_FALSE;
    switch (node.kind) {
    case TERM_APPLICATION:
        image = fol_apply(terms, node.symbol, parts);
        break;
    case TERM_EQUALITY:
        image = fol_equal(terms, parts[0], parts[1]);
        break;
    case TERM_NEGATION:
        image = fol_not(terms, parts[0]);
        break;
    case TERM_CONJUNCTION:
        image = fol_and(terms, parts[0], parts[1]);
        break;
    case TERM_DISJUNCTION:
        image = fol_or(terms, parts[0], parts[1]);
        break;
    case TERM_CHOICE:
        image = fol_choose(terms, parts[0], parts[1], parts[2]);
        break;
    case TERM_UNIVERSAL:
    case TERM_EXISTENTIAL:
        image = node_quantify(terms, node.kind, parts[0], parts[1]);
        break;
    case TERM_CONSTANT:
    case TERM_VARIABLE:
        UNREACHABLE("has no parts");
    }
    if (parts != few)
        free(parts);
    return image;
}

static term substitute(struct substitution *substitution, term t)
{
    if (t == substitution->variable)
        return substitution->by;
    if (!fol_has_free(substitution->terms, t, substitution->variable))
        return t;
    if (substitution->images[t])
        return substitution->images[t] - 1;
    term image = substitute_parts(substitution, t);
    substitution->images[t] = image + 1;
    return image;
}

term fol_substitute(struct fol_store *terms, term t, term variable, term by)
{
    if (t == variable)
        return by;
    if (variable == by || !fol_has_free(terms, t, variable))
        return t;
    struct substitution substitution = {terms, variable, by, NULL, (uint32_t)t + 1};
    substitution.images = memory_zeroed((size_t)t + 1, sizeof *substitution.images); /* parts come before a node */
    term image = substitute(&substitution, t);
    free(substitution.images);
    return image;
}
