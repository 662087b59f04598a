/* The states for which init ... endinit can hold: variable by variable, with what the conjuncts say of those that have
 * no value yet (intervals). A conjunct that cannot become true any more ends the branch.
 *
 * Intervals are generous where numbers are not integers: what is found may turn out not to satisfy the condition, but
 * nothing that does is left out. */
#include <math.h>
#include <stdlib.h>

#include "base/watch.h"
#include "lang/prism/lower.h"

enum { MOST_NODES = 100 * 1000 * 1000 }; /* of expressions looked at */

struct interval {
    double low, high;
};

struct conjunct {
    const struct prism_expr *expr;
    uint32_t *variables; /* numbers, each once */
    uint32_t variable_count, unordered;
};

struct prism_search {
    const struct prism_network *network;
    struct arena *arena;
    struct interval *ranges; /* by number of the variable: what is known of it */
    VEC(struct conjunct) conjuncts;
    uint32_t **conjuncts_of; /* by number of the variable: which are about it */
    uint32_t *conjunct_counts;
    uint32_t *order; /* of the variables */
    bool *is_seen;
    uint64_t nodes;
    const struct prism_start_space *space;
    size_t most;
    struct prism_starts *found;
};

/* One more node is looked at. True: it takes too long, and from here on nothing is said of what is not known yet. */
static bool is_spent(struct prism_search *search)
{
    if (watch_is_up())
        search->nodes = MOST_NODES;
    return search->nodes++ >= MOST_NODES;
}

/* --- intervals --- */

static const struct interval anything = {-INFINITY, INFINITY}, either = {0, 1};

static struct interval truth(bool may_be_false, bool may_be_true)
{
    return (struct interval){may_be_false ? 0 : 1, may_be_true ? 1 : 0};
}

/* For what rounding may do. */
static struct interval widened(struct interval a)
{
    return (struct interval){a.low - fabs(a.low) * 1e-9 - 1e-300, a.high + fabs(a.high) * 1e-9 + 1e-300};
}

static struct interval checked(struct interval a)
{
    return isnan(a.low) || isnan(a.high) ? anything : fabs(a.low) < 0x1p52 && fabs(a.high) < 0x1p52 ? a : widened(a);
}

static struct interval multiply(struct interval a, struct interval b)
{
    double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    struct interval result = {products[0], products[0]};
    for (int i = 0; i < 4; i++) {
        if (isnan(products[i]))
            return anything;
        result.low = fmin(result.low, products[i]);
        result.high = fmax(result.high, products[i]);
    }
    return checked(result);
}

static struct interval combine(enum prism_operator op, struct interval a, struct interval b)
{
    switch (op) {
    case PRISM_OP_AND:
        return (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)};
    case PRISM_OP_OR:
        return (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
    case PRISM_OP_IMPLIES:
        return (struct interval){fmax(1 - a.high, b.low), fmax(1 - a.low, b.high)};
    case PRISM_OP_IFF:
    case PRISM_OP_EQ:
        return truth(a.low != a.high || b.low != b.high || a.low != b.low, a.low <= b.high && b.low <= a.high);
    case PRISM_OP_NE:
        return truth(a.low <= b.high && b.low <= a.high, a.low != a.high || b.low != b.high || a.low != b.low);
    case PRISM_OP_LT:
        return truth(a.high >= b.low, a.low < b.high);
    case PRISM_OP_LE:
        return truth(a.high > b.low, a.low <= b.high);
    case PRISM_OP_GT:
        return truth(b.high >= a.low, b.low < a.high);
    case PRISM_OP_GE:
        return truth(b.high > a.low, b.low <= a.high);
    case PRISM_OP_ADD:
        return checked((struct interval){a.low + b.low, a.high + b.high});
    case PRISM_OP_SUB:
        return checked((struct interval){a.low - b.high, a.high - b.low});
    case PRISM_OP_MUL:
        return multiply(a, b);
    default:
        return anything;
    }
}

static struct interval bounds(struct prism_search *search, const struct prism_expr *expr);

static struct interval bounds_of_call(struct prism_search *search, const struct prism_expr *expr)
{
    struct interval result = bounds(search, expr->arguments.items[0]);
    struct interval second = expr->arguments.count > 1 ? bounds(search, expr->arguments.items[1]) : result;
    for (uint32_t i = 1; i < expr->arguments.count && expr->function <= PRISM_MAX; i++) {
        struct interval next = i == 1 ? second : bounds(search, expr->arguments.items[i]);
        double (*extreme)(double, double) = expr->function == PRISM_MIN ? fmin : fmax;
        result = (struct interval){extreme(result.low, next.low), extreme(result.high, next.high)};
    }
    if (expr->function <= PRISM_MAX)
        return result;
    if (expr->function == PRISM_FLOOR || expr->function == PRISM_CEIL || expr->function == PRISM_ROUND)
        return (struct interval){floor(result.low) - 1, ceil(result.high) + 1};
    if (expr->function != PRISM_MOD || second.low != second.high || second.low <= 0)
        return anything;
    if (result.low == result.high && fabs(result.low) < 0x1p52) {
        double rest = fmod(result.low, second.low);
        rest += rest < 0 ? second.low : 0;
        return (struct interval){rest, rest};
    }
    return (struct interval){0, second.low - 1};
}

static struct interval bounds_of_value(const struct prism_value *value)
{
    if (value->type != PRISM_TYPE_REAL)
        return checked((struct interval){(double)value->integer, (double)value->integer});
    double real = rational_to_double(value->real);
    return widened((struct interval){real, real});
}

static struct interval bounds(struct prism_search *search, const struct prism_expr *expr)
{
    struct interval inner, other;
    if (is_spent(search))
        return expr->type == PRISM_TYPE_BOOL ? either : anything;
    switch (expr->kind) {
    case PRISM_EXPR_VALUE:
        return bounds_of_value(expr->value);
    case PRISM_EXPR_VARIABLE:
        return search->ranges[expr->variable->number];
    case PRISM_EXPR_UNARY:
        inner = bounds(search, expr->left);
        return expr->op == PRISM_OP_NOT ? (struct interval){1 - inner.high, 1 - inner.low}
                                        : (struct interval){-inner.high, -inner.low};
    case PRISM_EXPR_BINARY:
        inner = bounds(search, expr->left);
        return combine(expr->op, inner, bounds(search, expr->right));
    case PRISM_EXPR_COND:
        inner = bounds(search, expr->condition);
        if (inner.low == inner.high)
            return bounds(search, inner.low == 1 ? expr->left : expr->right);
        inner = bounds(search, expr->left);
        other = bounds(search, expr->right);
        return (struct interval){fmin(inner.low, other.low), fmax(inner.high, other.high)};
    case PRISM_EXPR_CALL:
        return bounds_of_call(search, expr);
    default:
        return expr->type == PRISM_TYPE_BOOL ? either : anything;
    }
}

/* --- conjuncts and the order of the variables --- */

static void note_variables(struct prism_search *search, const struct prism_expr *expr, struct conjunct *conjunct)
{
    if (!expr || is_spent(search))
        return;
    if (expr->kind == PRISM_EXPR_VARIABLE && !search->is_seen[expr->variable->number]) {
        search->is_seen[expr->variable->number] = true;
        conjunct->variables[conjunct->variable_count++] = expr->variable->number;
    }
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        note_variables(search, expr->arguments.items[i], conjunct);
    note_variables(search, expr->condition, conjunct);
    note_variables(search, expr->left, conjunct);
    note_variables(search, expr->right, conjunct);
}

static void add_conjuncts(struct prism_search *search, const struct prism_expr *expr)
{
    if (is_spent(search))
        return;
    if (expr->kind == PRISM_EXPR_BINARY && expr->op == PRISM_OP_AND) {
        add_conjuncts(search, expr->left);
        add_conjuncts(search, expr->right);
        return;
    }
    struct conjunct conjunct = {.expr = expr};
    conjunct.variables = ARENA_ARRAY(search->arena, uint32_t, search->network->variable_count);
    note_variables(search, expr, &conjunct);
    for (uint32_t i = 0; i < conjunct.variable_count; i++)
        search->is_seen[conjunct.variables[i]] = false;
    conjunct.unordered = conjunct.variable_count;
    VEC_PUSH(&search->conjuncts, conjunct);
}

static void list_by_variable(struct prism_search *search)
{
    uint32_t count = search->network->variable_count;
    search->conjuncts_of = ARENA_ARRAY(search->arena, uint32_t *, count);
    search->conjunct_counts = ARENA_ARRAY(search->arena, uint32_t, count);
    for (size_t c = 0; c < search->conjuncts.count; c++)
        for (uint32_t i = 0; i < search->conjuncts.items[c].variable_count; i++)
            search->conjunct_counts[search->conjuncts.items[c].variables[i]]++;
    for (uint32_t v = 0; v < count; v++) {
        search->conjuncts_of[v] = ARENA_ARRAY(search->arena, uint32_t, search->conjunct_counts[v]);
        search->conjunct_counts[v] = 0;
    }
    for (uint32_t c = 0; c < search->conjuncts.count; c++)
        for (uint32_t i = 0; i < search->conjuncts.items[c].variable_count; i++) {
            uint32_t v = search->conjuncts.items[c].variables[i];
            search->conjuncts_of[v][search->conjunct_counts[v]++] = c;
        }
}

static void order_variable(struct prism_search *search, uint32_t variable, uint32_t *count)
{
    if (search->is_seen[variable])
        return;
    search->is_seen[variable] = true;
    search->order[(*count)++] = variable;
    for (uint32_t i = 0; i < search->conjunct_counts[variable]; i++)
        search->conjuncts.items[search->conjuncts_of[variable][i]].unordered--;
}

/* Those of the conjunct that needs the fewest more come next. */
static void order_variables(struct prism_search *search)
{
    uint32_t count = 0;
    search->order = ARENA_ARRAY(search->arena, uint32_t, search->network->variable_count);
    for (;;) {
        struct conjunct *next = NULL;
        for (size_t c = 0; c < search->conjuncts.count; c++) {
            struct conjunct *conjunct = &search->conjuncts.items[c];
            if (conjunct->unordered && (!next || conjunct->unordered < next->unordered))
                next = conjunct;
        }
        if (!next)
            break;
        for (uint32_t i = 0; i < next->variable_count; i++)
            order_variable(search, next->variables[i], &count);
    }
    for (uint32_t v = 0; v < search->network->variable_count; v++)
        order_variable(search, v, &count);
}

/* --- the search --- */

/* May all that is said of the variable still be true? */
static bool is_possible(struct prism_search *search, uint32_t variable)
{
    for (uint32_t i = 0; i < search->conjunct_counts[variable]; i++)
        if (bounds(search, search->conjuncts.items[search->conjuncts_of[variable][i]].expr).high == 0)
            return false;
    return true;
}

/* Ends of the ranges that no state has are cut off, as long as that goes on. */
static void shave(struct prism_search *search)
{
    bool goes_on = true;
    while (goes_on && search->nodes < MOST_NODES) {
        goes_on = false;
        for (uint32_t v = 0; v < search->network->variable_count; v++)
            for (int end = 0; end < 2 && search->conjunct_counts[v]; end++) {
                struct interval range = search->ranges[v];
                double at = end ? range.high : range.low;
                while (range.low <= range.high && search->nodes < MOST_NODES) {
                    search->ranges[v] = (struct interval){at, at};
                    if (is_possible(search, v))
                        break;
                    goes_on = true;
                    at += end ? -1 : 1;
                    *(end ? &range.high : &range.low) = at;
                }
                search->ranges[v] = range;
                if (range.low > range.high)
                    return;
            }
    }
}

static void keep(struct prism_search *search)
{
    uint64_t instance = 0;
    for (uint32_t v = 0; v < search->network->variable_count; v++)
        instance =
            instance * search->space->sizes[v] + (uint64_t)((int64_t)search->ranges[v].low - search->space->lows[v]);
    VEC_PUSH(search->found, instance);
}

/* False: too many, or it takes too long. */
static bool go_on(struct prism_search *search, uint32_t depth)
{
    if (depth == search->network->variable_count) {
        keep(search);
        return search->found->count <= search->most;
    }
    uint32_t variable = search->order[depth];
    struct interval range = search->ranges[variable];
    bool is_good = true;
    for (double value = range.low; value <= range.high && is_good; value++) {
        search->ranges[variable] = (struct interval){value, value};
        if (is_possible(search, variable))
            is_good = go_on(search, depth + 1);
        is_good = is_good && search->nodes < MOST_NODES;
    }
    search->ranges[variable] = range;
    return is_good;
}

static int compare_instances(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void prepare(struct prism_search *search, struct prism_start_space *space)
{
    const struct prism_network *network = search->network;
    search->ranges = ARENA_ARRAY(search->arena, struct interval, network->variable_count);
    search->is_seen = ARENA_ARRAY(search->arena, bool, network->variable_count);
    for (uint32_t v = 0; v < network->variable_count; v++)
        search->ranges[v] = (struct interval){(double)network->variables[v]->low, (double)network->variables[v]->high};
    add_conjuncts(search, network->initial);
    list_by_variable(search);
    order_variables(search);
    shave(search);
    for (uint32_t v = 0; v < network->variable_count; v++) {
        space->is_empty |= search->ranges[v].low > search->ranges[v].high;
        space->lows[v] = (int64_t)search->ranges[v].low;
        space->sizes[v] = space->is_empty ? 0 : (uint64_t)(search->ranges[v].high - search->ranges[v].low) + 1;
    }
}

void prism_narrow_starts(const struct prism_network *network, struct prism_start_space *space)
{
    struct prism_search search = {.network = network, .arena = arena_create()};
    prepare(&search, space);
    VEC_FREE(&search.conjuncts);
    arena_destroy(search.arena);
}

bool prism_search_starts(const struct prism_network *network, const struct prism_start_space *space, size_t most,
                         struct prism_starts *found)
{
    struct prism_search search = {.network = network, .arena = arena_create(), .most = most, .found = found};
    struct prism_start_space narrow = {ARENA_ARRAY(search.arena, int64_t, network->variable_count),
                                       ARENA_ARRAY(search.arena, uint64_t, network->variable_count), false};
    prepare(&search, &narrow);
    search.space = space;
    bool is_whole = narrow.is_empty || go_on(&search, 0);
    if (is_whole && found->count)
        qsort(found->items, found->count, sizeof *found->items, compare_instances);
    VEC_FREE(&search.conjuncts);
    arena_destroy(search.arena);
    return is_whole;
}
