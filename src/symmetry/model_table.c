/* Expressions that compute with elements, as tables of their values. */
#include <string.h>

#include "ir/arith.h"
#include "symmetry/effects.h"
#include "symmetry/model_term.h"

enum { MOST_LEAVES = 2, MOST_ENTRIES = 1 << 16, MOST_STEPS = 10000 };

/* A value that depends on the state: a variable of a carrier. */
struct leaf {
    const struct expr *read;
    uint32_t carrier;
    int64_t value; /* the one tried */
};

struct evaluation {
    struct sketch *sketch;
    struct leaf leaves[MOST_LEAVES];
    uint32_t leaf_count;
    bool is_bound;   /* the leaves have values; else they are being collected */
    bool is_broken;  /* something is computed or named */
    bool faults;
    uint32_t steps;
    /* locals of the functions being interpreted */
    const struct variable *locals[16];
    int64_t values[16];
    uint32_t local_count;
};

/* The value does not follow from what is known: nothing is to be made of it. */
static bool evaluate(struct evaluation *v, const struct expr *expr, int64_t *value);

static int64_t *find_local(struct evaluation *v, const struct variable *variable)
{
    for (uint32_t i = v->local_count; i-- > 0;)
        if (v->locals[i] == variable)
            return &v->values[i];
    return NULL;
}

static bool evaluate_leaf(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    struct sketch *s = v->sketch;
    uint32_t carrier = sketch_carrier(s, expr->type), i = 0;
    if (carrier == NO_CARRIER || expr->raw)
        return false;
    while (i < v->leaf_count && !effects_same_place(v->leaves[i].read->place, expr->place))
        i++;
    if (i == v->leaf_count) {
        if (v->is_bound || i == MOST_LEAVES)
            return false;
        v->leaves[v->leaf_count++] = (struct leaf){.read = expr, .carrier = carrier, .value = s->carriers->items[carrier].lo};
    }
    *value = v->leaves[i].value;
    return true;
}

static bool evaluate_read(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    const struct place *place = expr->place;
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global) {
        const int64_t *local = find_local(v, place->variable);
        if (!local && v->sketch->is_known[place->variable->address])
            local = &v->sketch->values[place->variable->address];
        if (local) {
            *value = *local;
            return true;
        }
    }
    uint32_t cell;
    if (v->sketch->system->chain && sketch_cell(v->sketch, place, &cell) && v->sketch->is_known[cell]) {
        *value = v->sketch->values[cell]; /* the guard says so */
        return true;
    }
    return v->local_count == 0 && evaluate_leaf(v, expr, value);
}

/* While leaves are being collected all sides are looked at. */
static bool evaluate_logic(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    if (!evaluate(v, expr->left, &left))
        return false;
    bool decides = expr->op == OP_OR ? left : !left;
    if (decides && (v->is_bound || !v->leaf_count)) {
        *value = expr->op != OP_AND;
        return true;
    }
    if (!evaluate(v, expr->right, &right))
        return false;
    *value = decides ? expr->op != OP_AND : right;
    return true;
}

static bool evaluate_binary(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return evaluate_logic(v, expr, value);
    if (!evaluate(v, expr->left, &left) || !evaluate(v, expr->right, &right))
        return false;
    v->is_broken |= expr->op != OP_EQ && expr->op != OP_NE;
    if (arith_binary(expr->op, left, right, value) != ARITH_OK) {
        v->faults = true;
        *value = 0;
    }
    return true;
}

static bool evaluate_cond(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t condition, left, right;
    if (!evaluate(v, expr->condition, &condition))
        return false;
    if (v->is_bound || !v->leaf_count)
        return evaluate(v, condition ? expr->left : expr->right, value);
    if (!evaluate(v, expr->left, &left) || !evaluate(v, expr->right, &right))
        return false;
    *value = condition ? left : right;
    return true;
}

static bool interpret(struct evaluation *v, const struct block *block, bool *returned, int64_t *value)
{
    for (uint32_t i = 0; i < block->count && !*returned; i++) {
        const struct stmt *stmt = block->items[i];
        int64_t given, *local;
        if (++v->steps > MOST_STEPS)
            return false;
        switch (stmt->kind) {
        case STMT_ASSIGN:
            local = stmt->place->kind == PLACE_VARIABLE ? find_local(v, stmt->place->variable) : NULL;
            if (!evaluate(v, stmt->value, &given) || v->faults)
                return false;
            if (!local && (stmt->place->kind != PLACE_VARIABLE || stmt->place->variable->is_global ||
                           v->local_count == sizeof v->locals / sizeof *v->locals))
                return false;
            if (!type_has(stmt->place->type, given))
                return false;
            if (!local) {
                v->locals[v->local_count++] = stmt->place->variable;
                local = &v->values[v->local_count - 1];
            }
            *local = given;
            break;
        case STMT_UNDEFINE: /* a local that is assigned to before it is read, or else not known */
            if (stmt->place->kind != PLACE_VARIABLE || stmt->place->variable->is_global ||
                find_local(v, stmt->place->variable))
                return false;
            break;
        case STMT_IF:
            if (!evaluate(v, stmt->value, &given) || v->faults ||
                !interpret(v, given ? &stmt->body : &stmt->otherwise, returned, value))
                return false;
            break;
        case STMT_RETURN:
            if (!stmt->value || !evaluate(v, stmt->value, value) || v->faults)
                return false;
            *returned = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* A function that looks at nothing but its arguments. Its body is run when they have values. */
static bool evaluate_call(struct evaluation *v, const struct expr *call, int64_t *value)
{
    const struct function *function = call->function;
    int64_t given[8];
    if (function->parameter_count > 8 || !function->result || !type_is_scalar(function->result->type))
        return false;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!call->arguments[p].value || !evaluate(v, call->arguments[p].value, &given[p]) ||
            !type_has(function->parameters[p]->type, given[p]))
            return false;
    uint32_t locals = v->local_count;
    if (locals + function->parameter_count > sizeof v->locals / sizeof *v->locals)
        return false;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        v->locals[v->local_count] = function->parameters[p];
        v->values[v->local_count++] = given[p];
    }
    if (v->local_count == 0)
        return false;
    bool returned = false, is_fine = interpret(v, &function->body, &returned, value);
    v->local_count = locals;
    v->is_broken = true;
    return is_fine && returned && type_has(function->result->type, *value);
}

static bool evaluate(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = expr->value;
        v->is_broken |= expr->type->kind != TYPE_BOOL;
        return expr->value != UNDEFINED;
    case EXPR_READ:
        return evaluate_read(v, expr, value);
    case EXPR_UNARY:
        if (!evaluate(v, expr->left, &left))
            return false;
        v->is_broken |= expr->op != OP_NOT;
        v->faults |= arith_unary(expr->op, left, value) != ARITH_OK;
        return true;
    case EXPR_BINARY:
        return evaluate_binary(v, expr, value);
    case EXPR_COND:
        return evaluate_cond(v, expr, value);
    case EXPR_IS_MEMBER:
        v->is_broken = true;
        if (!evaluate(v, expr->left, &left))
            return false;
        *value = type_has(expr->member, left);
        return true;
    case EXPR_CALL:
        return evaluate_call(v, expr, value);
    default:
        return false;
    }
}

bool sketch_fold(struct sketch *s, const struct expr *expr, int64_t *value)
{
    struct evaluation v = {.sketch = s, .is_bound = true};
    return evaluate(&v, expr, value) && !v.faults && *value != UNDEFINED;
}

/* --- the table as vertices --- */

struct table {
    uint32_t carriers[MOST_LEAVES], sizes[MOST_LEAVES], arity;
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
static int64_t table_default(const struct table *table)
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
    sketch_join(s, vertex, neighbour);
    return vertex;
}

static void table_add_entry(struct sketch *s, const struct table *table, uint32_t vertex, uint32_t number)
{
    int64_t value = table->values[number];
    const struct carrier *want = table->want == NO_CARRIER ? NULL : &s->carriers->items[table->want];
    bool is_element = want && value >= want->lo && value <= want->hi;
    uint32_t words[] = {is_element, (uint32_t)value, (uint32_t)((uint64_t)value >> 32)};
    uint32_t entry = table_new_vertex(s, sketch_colour(s, COLOUR_ENTRY, words, is_element ? 1 : 3), vertex);
    uint32_t last = table->sizes[table->arity - 1];
    uint32_t ordinals[MOST_LEAVES] = {table->arity > 1 ? number / last : number, number % last};
    for (uint32_t p = 0; p < table->arity; p++) {
        uint32_t port = table->arity > 1 ? table_new_vertex(s, sketch_colour(s, COLOUR_PORT, &p, 1), entry) : entry;
        sketch_join(s, port, s->graph->first[table->carriers[p]] + ordinals[p]);
    }
    if (is_element) {
        uint32_t result = table_new_vertex(s, sketch_colour(s, COLOUR_RESULT, NULL, 0), entry);
        sketch_join(s, result, s->graph->first[table->want] + (uint32_t)(value - want->lo));
    }
}

static uint32_t table_vertex(struct sketch *s, const struct table *table)
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

static uint32_t carrier_size(const struct sketch *s, uint32_t carrier)
{
    return (uint32_t)(s->carriers->items[carrier].hi - s->carriers->items[carrier].lo + 1);
}

static bool table_fill(struct evaluation *v, const struct expr *expr, struct table *table)
{
    v->is_bound = true;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t rest = i;
        for (uint32_t l = v->leaf_count; l-- > 0;) {
            v->leaves[l].value = v->sketch->carriers->items[v->leaves[l].carrier].lo + rest % table->sizes[l];
            rest /= table->sizes[l];
        }
        v->faults = false;
        v->steps = 0;
        if (!evaluate(v, expr, &table->values[i]))
            return false;
        if (v->faults)
            table->values[i] = INT64_MIN;
    }
    return true;
}

static const char *table_message(const struct expr *expr)
{
    if (expr->kind == EXPR_BINARY && (expr->op == OP_EQ || expr->op == OP_NE))
        return "an element of %s is named";
    if (expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_GE)
        return "elements of %s are compared by order";
    return "elements of %s are computed with";
}

bool term_table(struct sketch *s, const struct expr *expr, uint32_t want, struct term *term)
{
    struct evaluation v = {.sketch = s};
    struct table table = {.want = want, .count = 1};
    int64_t value;
    if (expr->kind == EXPR_READ || !evaluate(&v, expr, &value) || !v.leaf_count || !v.is_broken)
        return false;
    table.arity = v.leaf_count;
    for (uint32_t l = 0; l < v.leaf_count; l++) {
        table.carriers[l] = v.leaves[l].carrier;
        table.sizes[l] = carrier_size(s, v.leaves[l].carrier);
        if ((uint64_t)table.count * table.sizes[l] > MOST_ENTRIES)
            return false;
        table.count *= table.sizes[l];
    }
    table.values = memory_alloc(table.count * sizeof *table.values);
    bool is_fine = table_fill(&v, expr, &table);
    if (is_fine) {
        bool counts = false;
        struct term parts[MOST_LEAVES + 1];
        for (uint32_t l = 0; l < v.leaf_count; l++) {
            counts |= sketch_break(s, v.leaves[l].carrier, expr->span, table_message(expr));
            parts[l + 1] = term_expr(s, v.leaves[l].read, v.leaves[l].carrier);
        }
        parts[0] = counts ? term_vertex(s, table_vertex(s, &table)) : term_empty(s);
        uint32_t shape[] = {table.arity, want};
        *term = term_make(s, TERM_TABLE, shape, 2, parts, v.leaf_count + 1);
    }
    free(table.values);
    return is_fine;
}

struct term term_identity(struct sketch *s, uint32_t carrier)
{
    struct table table = {.carriers = {carrier}, .sizes = {carrier_size(s, carrier)}, .arity = 1, .want = NO_CARRIER};
    table.count = table.sizes[0];
    table.values = memory_alloc(table.count * sizeof *table.values);
    for (uint32_t i = 0; i < table.count; i++)
        table.values[i] = i;
    uint32_t vertex = table_vertex(s, &table);
    free(table.values);
    return term_vertex(s, vertex);
}
