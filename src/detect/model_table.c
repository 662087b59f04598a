/* Expressions that compute with elements, as tables of their values. */
#include <string.h>

#include "detect/model_value.h"

/* Large tables are of numbers, such as bytes, more often than of elements: there is room for few of them. Without a
 * table all elements are told apart. */
enum { MOST_ENTRIES = 129 * 129, LARGE = 33 * 33, UNORDERED = 200 /* a kind of set */ };

/* --- the table as vertices --- */

static uint32_t carrier_size(const struct sketch *s, uint32_t carrier)
{
    return (uint32_t)(s->carriers->items[carrier].hi - s->carriers->items[carrier].lo + 1);
}

struct model_table {
    uint32_t carriers[MOST_LEAVES], arity;
    /* As many values as the carrier has elements; one more: undefined, where it matters that a variable may be that. */
    uint32_t sizes[MOST_LEAVES];
    uint32_t want;
    int64_t *values; /* INT64_MIN: a fault */
    uint32_t count;
};

static int compare_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The commonest value, the least of those: entries with it are left out. Elements have no common value. */
static int64_t table_default(const struct model_table *table)
{
    int64_t *sorted = memory_alloc(table->count * sizeof *sorted), best = INT64_MAX;
    uint32_t most = 0;
    memcpy(sorted, table->values, table->count * sizeof *sorted);
    qsort(sorted, table->count, sizeof *sorted, compare_values);
    for (uint32_t end, at = 0; at < table->count; at = end) {
        for (end = at; end < table->count && sorted[end] == sorted[at];)
            end++;
        if (end - at > most) {
            most = end - at;
            best = sorted[at];
        }
    }
    free(sorted);
    return best;
}

static uint32_t table_new_vertex(struct sketch *s, uint32_t colour, uint32_t neighbour)
{
    uint32_t vertex = (uint32_t)s->colours.count;
    VEC_PUSH(&s->colours, colour);
    if (s->options->claim_count) /* from the whole to its parts, as terms are joined */
        sketch_join(s, neighbour, vertex);
    else
        sketch_join(s, vertex, neighbour);
    return vertex;
}

static void table_add_entry(struct sketch *s, const struct model_table *table, uint32_t vertex, uint32_t number)
{
    int64_t value = table->values[number];
    const struct carrier *want = table->want == NO_CARRIER ? NULL : &s->carriers->items[table->want];
    bool is_element = want && value >= want->lo && value <= want->hi;
    uint32_t last = table->sizes[table->arity - 1];
    uint32_t ordinals[MOST_LEAVES] = {table->arity > 1 ? number / last : number, number % last};
    uint32_t words[] = {is_element, (uint32_t)value, (uint32_t)((uint64_t)value >> 32)};
    for (uint32_t p = 0; p < table->arity; p++)
        words[0] |= ordinals[p] == carrier_size(s, table->carriers[p]) ? 2u << p : 0;
    uint32_t entry = table_new_vertex(s, sketch_colour(s, COLOUR_ENTRY, words, is_element ? 1 : 3), vertex);
    for (uint32_t p = 0; p < table->arity; p++) {
        if (ordinals[p] == carrier_size(s, table->carriers[p]))
            continue;
        uint32_t port = table->arity > 1 ? table_new_vertex(s, sketch_colour(s, COLOUR_PORT, &p, 1), entry) : entry;
        sketch_join(s, port, s->graph->first[table->carriers[p]] + ordinals[p]);
    }
    if (is_element) {
        uint32_t result = table_new_vertex(s, sketch_colour(s, COLOUR_RESULT, NULL, 0), entry);
        sketch_join(s, result, s->graph->first[table->want] + (uint32_t)(value - want->lo));
    }
}

static uint32_t table_vertex(struct sketch *s, const struct model_table *table)
{
    uint32_t head[] = {table->arity, table->carriers[0], table->arity > 1 ? table->carriers[1] : 0, table->want};
    int64_t usual = table->want == NO_CARRIER ? table_default(table) : INT64_MAX;
    VEC(uint32_t) content = {0};
    for (uint32_t i = 0; i < 4; i++)
        VEC_PUSH(&content, head[i]);
    for (uint32_t i = 0; i < table->count; i++) {
        VEC_PUSH(&content, (uint32_t)table->values[i]);
        VEC_PUSH(&content, (uint32_t)((uint64_t)table->values[i] >> 32));
    }
    uint32_t words[] = {head[0], head[1], head[2], head[3], (uint32_t)usual, (uint32_t)((uint64_t)usual >> 32)};
    uint32_t colour = sketch_colour(s, COLOUR_TABLE, words, 6);
    size_t before = s->vertex_of.count, edges = s->edges.count;
    uint32_t vertex = sketch_vertex(s, colour, content.items, (uint32_t)content.count);
    s->edges.count = edges; /* its content stood for neighbours: they are joined below */
    VEC_FREE(&content);
    for (uint32_t i = 0; s->vertex_of.count > before && i < table->count; i++)
        if (table->values[i] != usual)
            table_add_entry(s, table, vertex, i);
    return vertex;
}

/* --- from expressions --- */

static int64_t leaf_value(const struct sketch *s, const struct model_leaf *leaf, uint32_t ordinal)
{
    return ordinal < carrier_size(s, leaf->carrier) ? s->carriers->items[leaf->carrier].lo + (int64_t)ordinal
                                                    : UNDEFINED;
}

static bool table_fill(struct evaluation *v, const struct expr *expr, struct model_table *table)
{
    v->is_bound = true;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t rest = i;
        for (uint32_t l = v->leaf_count; l-- > 0;) {
            v->leaves[l].value = leaf_value(v->sketch, &v->leaves[l], rest % table->sizes[l]);
            rest /= table->sizes[l];
        }
        v->faults = false;
        v->steps = 0;
        if (!sketch_evaluate(v, expr, &table->values[i]))
            return false;
        if (v->faults)
            table->values[i] = INT64_MIN;
    }
    return true;
}

static bool entry_is_undefined(const struct model_table *table, uint32_t number)
{
    uint32_t last = table->sizes[table->arity - 1];
    return number % last == last - 1 || (table->arity > 1 && number / last == table->sizes[0] - 1);
}

/* Where an undefined variable is a failure whatever the others are, as nearly everywhere, no entry need say so. */
static void table_compact(struct model_table *table)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->count; i++)
        if (entry_is_undefined(table, i) && table->values[i] != INT64_MIN)
            return;
    for (uint32_t i = 0; i < table->count; i++)
        if (!entry_is_undefined(table, i))
            table->values[kept++] = table->values[i];
    table->count = kept;
    for (uint32_t p = 0; p < table->arity; p++)
        table->sizes[p]--;
}

static const char *table_message(const struct expr *expr)
{
    if (expr->kind == EXPR_BINARY && (expr->op == OP_EQ || expr->op == OP_NE))
        return "an element of %s is named";
    if (expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_GE)
        return "elements of %s are compared by order";
    return "elements of %s are computed with";
}

/* Two arguments whose order does not matter, as in len(a) + len(b), whatever else is undefined or fails. */
static bool table_is_symmetric(const struct model_table *table)
{
    uint32_t n = table->sizes[0];
    if (table->arity != 2 || table->carriers[0] != table->carriers[1])
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (table->values[i * n + j] != table->values[j * n + i])
                return false;
    return true;
}

/* Are its values elements, if of several carriers, as those of a union? Then a table of them as numbers would not do.
 */
static bool has_elements(const struct sketch *s, const struct type *type)
{
    bool has_any = false;
    for (uint32_t b = 0; type && type->kind >= TYPE_ENUM && b < type->block_count; b++)
        has_any |= sketch_carrier(s, type->blocks[b].owner) != NO_CARRIER;
    return has_any;
}

bool term_table(struct sketch *s, const struct expr *expr, uint32_t want, struct model_term *term)
{
    struct evaluation v = {.sketch = s};
    struct model_table table = {.want = want, .count = 1};
    int64_t value;
    if (want == NO_CARRIER && has_elements(s, expr->type))
        return false;
    if (expr->kind == EXPR_READ || !sketch_evaluate(&v, expr, &value) || !v.leaf_count || !v.is_broken)
        return false;
    table.arity = v.leaf_count;
    for (uint32_t l = 0; l < v.leaf_count; l++) {
        table.carriers[l] = v.leaves[l].carrier;
        table.sizes[l] = carrier_size(s, v.leaves[l].carrier) + 1;
        if ((uint64_t)table.count * table.sizes[l] > MOST_ENTRIES)
            return false;
        table.count *= table.sizes[l];
    }
    s->tabled += table.count > LARGE ? table.count : 0;
    if (table.count > LARGE && s->tabled > MOST_ENTRIES)
        return false;
    table.values = memory_alloc(table.count * sizeof *table.values);
    bool is_fine = table_fill(&v, expr, &table);
    if (is_fine) {
        table_compact(&table);
        bool counts = false;
        struct model_term parts[MOST_LEAVES + 1];
        for (uint32_t l = 0; l < v.leaf_count; l++) {
            counts |= sketch_break(s, v.leaves[l].carrier, expr->span, table_message(expr));
            parts[l + 1] = term_expr(s, v.leaves[l].read, v.leaves[l].carrier);
        }
        parts[0] = counts ? term_vertex(s, table_vertex(s, &table)) : term_empty(s);
        bool is_symmetric = table_is_symmetric(&table);
        if (is_symmetric)
            parts[1] = term_set(s, UNORDERED, parts + 1, 2);
        uint32_t shape[] = {table.arity, want};
        *term = term_make(s, TERM_TABLE, shape, 2, parts, is_symmetric ? 2 : v.leaf_count + 1);
    }
    free(table.values);
    return is_fine;
}

struct model_term term_identity(struct sketch *s, uint32_t carrier)
{
    struct model_table table = {
        .carriers = {carrier}, .sizes = {carrier_size(s, carrier)}, .arity = 1, .want = NO_CARRIER};
    table.count = table.sizes[0];
    table.values = memory_alloc(table.count * sizeof *table.values);
    for (uint32_t i = 0; i < table.count; i++)
        table.values[i] = i;
    uint32_t vertex = table_vertex(s, &table);
    free(table.values);
    return term_vertex(s, vertex);
}
