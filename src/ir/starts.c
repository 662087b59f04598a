#include "ir/starts.h"

#include <math.h>
#include <stdlib.h>

#include "base/watch.h"
#include "ir/idiom.h"

enum { STARTS_MOST_NODES = 100 * 1000 * 1000 }; /* of expressions looked at */
static const double STARTS_MOST_NUMBERS = 0x1p62;

struct interval {
    double low, high;
};

/* The guard, with parameters by number. */
struct start_node {
    enum { NODE_VALUE, NODE_PARAMETER, NODE_UNARY, NODE_BINARY, NODE_MIN, NODE_MAX, NODE_COND } kind;
    bool is_truth;
    enum operator op;
    struct interval value;
    uint32_t parameter;
    const struct start_node *condition, *left, *right;
};

struct conjunct {
    const struct start_node *node;
    uint32_t *parameters; /* each once */
    uint32_t parameter_count, unordered;
};

struct start_search {
    const struct rule *rule;
    struct arena *arena;
    const struct start_node **shared; /* by number of the expression: what it became */
    struct interval *ranges;          /* by parameter: what is known of it */
    VEC(struct conjunct) conjuncts;
    uint32_t **conjuncts_of; /* by parameter: which are about it */
    uint32_t *conjunct_counts;
    uint32_t *order; /* of the parameters */
    bool *is_seen;
    uint64_t nodes;
    size_t most;
    VEC(uint64_t) found;
};

/* One more node is looked at. True: it takes too long, and from here on nothing is said of what is not known yet. */
static bool is_spent(struct start_search *search)
{
    if (watch_is_up())
        search->nodes = STARTS_MOST_NODES;
    return search->nodes++ >= STARTS_MOST_NODES;
}

/* --- the guard --- */

static const struct start_node *node_of(struct start_search *search, const struct expr *expr);

static struct start_node node_of_read(const struct start_search *search, const struct expr *expr)
{
    uint32_t parameter = 0;
    ENSURE(expr->place->kind == PLACE_VARIABLE);
    while (search->rule->parameters[parameter].variable != expr->place->variable)
        parameter++;
    return (struct start_node){.kind = NODE_PARAMETER, .parameter = parameter};
}

static struct start_node node_of_cond(struct start_search *search, const struct expr *expr)
{
    struct expr *left, *right;
    enum idiom idiom = idiom_of(expr, &left, &right);
    if (idiom == IDIOM_MIN || idiom == IDIOM_MAX)
        return (struct start_node){.kind = idiom == IDIOM_MIN ? NODE_MIN : NODE_MAX,
                                   .left = node_of(search, left),
                                   .right = node_of(search, right)};
    return (struct start_node){.kind = NODE_COND,
                               .condition = node_of(search, expr->condition),
                               .left = node_of(search, expr->left),
                               .right = node_of(search, expr->right)};
}

static struct start_node node_of_kind(struct start_search *search, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return (struct start_node){.kind = NODE_VALUE, .value = {(double)expr->value, (double)expr->value}};
    case EXPR_READ:
        return node_of_read(search, expr);
    case EXPR_UNARY:
        return (struct start_node){.kind = NODE_UNARY, .op = expr->op, .left = node_of(search, expr->left)};
    case EXPR_BINARY:
        return (struct start_node){.kind = NODE_BINARY,
                                   .op = expr->op,
                                   .left = node_of(search, expr->left),
                                   .right = node_of(search, expr->right)};
    case EXPR_COND:
        return node_of_cond(search, expr);
    default:
        UNREACHABLE("an expression that no start state has");
    }
}

static const struct start_node *node_of(struct start_search *search, const struct expr *expr)
{
    if (expr->shared && search->shared[expr->shared])
        return search->shared[expr->shared];
    struct start_node node = node_of_kind(search, expr);
    node.is_truth = expr->type->kind == TYPE_BOOL;
    const struct start_node *kept = arena_copy(search->arena, &node, sizeof node);
    if (expr->shared)
        search->shared[expr->shared] = kept;
    return kept;
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

/* By a positive constant, towards zero. */
static struct interval divide(struct interval a, struct interval b)
{
    if (b.low != b.high || b.low < 1)
        return anything;
    return checked((struct interval){trunc(a.low / b.low), trunc(a.high / b.low)});
}

static struct interval rest_of(struct interval a, struct interval b)
{
    if (b.low != b.high || b.low < 1)
        return anything;
    if (a.low == a.high && fabs(a.low) < 0x1p52)
        return (struct interval){fmod(a.low, b.low), fmod(a.low, b.low)};
    return (struct interval){a.low < 0 ? 1 - b.low : 0, a.high > 0 ? b.low - 1 : 0};
}

static struct interval combine(enum operator op, struct interval a, struct interval b)
{
    switch (op) {
    case OP_AND:
        return (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)};
    case OP_OR:
        return (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
    case OP_IMPLIES:
        return (struct interval){fmax(1 - a.high, b.low), fmax(1 - a.low, b.high)};
    case OP_EQ:
        return truth(a.low != a.high || b.low != b.high || a.low != b.low, a.low <= b.high && b.low <= a.high);
    case OP_NE:
        return truth(a.low <= b.high && b.low <= a.high, a.low != a.high || b.low != b.high || a.low != b.low);
    case OP_LT:
        return truth(a.high >= b.low, a.low < b.high);
    case OP_LE:
        return truth(a.high > b.low, a.low <= b.high);
    case OP_GT:
        return truth(b.high >= a.low, b.low < a.high);
    case OP_GE:
        return truth(b.high > a.low, b.low <= a.high);
    case OP_ADD:
        return checked((struct interval){a.low + b.low, a.high + b.high});
    case OP_SUB:
        return checked((struct interval){a.low - b.high, a.high - b.low});
    case OP_MUL:
        return multiply(a, b);
    case OP_DIV:
        return divide(a, b);
    case OP_MOD:
        return rest_of(a, b);
    default:
        return anything;
    }
}

static struct interval bounds(struct start_search *search, const struct start_node *node);

static struct interval bounds_of_cond(struct start_search *search, const struct start_node *node)
{
    struct interval condition = bounds(search, node->condition);
    if (condition.low == condition.high)
        return bounds(search, condition.low == 1 ? node->left : node->right);
    struct interval left = bounds(search, node->left), right = bounds(search, node->right);
    return (struct interval){fmin(left.low, right.low), fmax(left.high, right.high)};
}

static struct interval bounds(struct start_search *search, const struct start_node *node)
{
    struct interval left, right;
    if (is_spent(search))
        return node->is_truth ? either : anything;
    switch (node->kind) {
    case NODE_VALUE:
        return checked(node->value);
    case NODE_PARAMETER:
        return search->ranges[node->parameter];
    case NODE_UNARY:
        left = bounds(search, node->left);
        return node->op == OP_NOT ? (struct interval){1 - left.high, 1 - left.low}
                                  : (struct interval){-left.high, -left.low};
    case NODE_COND:
        return bounds_of_cond(search, node);
    default:
        break;
    }
    left = bounds(search, node->left);
    right = bounds(search, node->right);
    if (node->kind == NODE_BINARY)
        return combine(node->op, left, right);
    return node->kind == NODE_MIN ? (struct interval){fmin(left.low, right.low), fmin(left.high, right.high)}
                                  : (struct interval){fmax(left.low, right.low), fmax(left.high, right.high)};
}

/* --- conjuncts and the order of the parameters --- */

static void note_parameters(struct start_search *search, const struct start_node *node, struct conjunct *conjunct)
{
    if (!node || is_spent(search))
        return;
    if (node->kind == NODE_PARAMETER && !search->is_seen[node->parameter]) {
        search->is_seen[node->parameter] = true;
        conjunct->parameters[conjunct->parameter_count++] = node->parameter;
    }
    note_parameters(search, node->condition, conjunct);
    note_parameters(search, node->left, conjunct);
    note_parameters(search, node->right, conjunct);
}

static void add_conjuncts(struct start_search *search, const struct start_node *node)
{
    if (is_spent(search))
        return;
    if (node->kind == NODE_BINARY && node->op == OP_AND) {
        add_conjuncts(search, node->left);
        add_conjuncts(search, node->right);
        return;
    }
    struct conjunct conjunct = {.node = node};
    conjunct.parameters = ARENA_ARRAY(search->arena, uint32_t, search->rule->parameter_count);
    note_parameters(search, node, &conjunct);
    for (uint32_t i = 0; i < conjunct.parameter_count; i++)
        search->is_seen[conjunct.parameters[i]] = false;
    conjunct.unordered = conjunct.parameter_count;
    VEC_PUSH(&search->conjuncts, conjunct);
}

static void list_by_parameter(struct start_search *search)
{
    uint32_t count = search->rule->parameter_count;
    search->conjuncts_of = ARENA_ARRAY(search->arena, uint32_t *, count);
    search->conjunct_counts = ARENA_ARRAY(search->arena, uint32_t, count);
    for (size_t c = 0; c < search->conjuncts.count; c++)
        for (uint32_t i = 0; i < search->conjuncts.items[c].parameter_count; i++)
            search->conjunct_counts[search->conjuncts.items[c].parameters[i]]++;
    for (uint32_t v = 0; v < count; v++) {
        search->conjuncts_of[v] = ARENA_ARRAY(search->arena, uint32_t, search->conjunct_counts[v]);
        search->conjunct_counts[v] = 0;
    }
    for (uint32_t c = 0; c < search->conjuncts.count; c++)
        for (uint32_t i = 0; i < search->conjuncts.items[c].parameter_count; i++) {
            uint32_t v = search->conjuncts.items[c].parameters[i];
            search->conjuncts_of[v][search->conjunct_counts[v]++] = c;
        }
}

static void order_parameter(struct start_search *search, uint32_t parameter, uint32_t *count)
{
    if (search->is_seen[parameter])
        return;
    search->is_seen[parameter] = true;
    search->order[(*count)++] = parameter;
    for (uint32_t i = 0; i < search->conjunct_counts[parameter]; i++)
        search->conjuncts.items[search->conjuncts_of[parameter][i]].unordered--;
}

/* Those of the conjunct that needs the fewest more come next. */
static void order_parameters(struct start_search *search)
{
    uint32_t count = 0;
    search->order = ARENA_ARRAY(search->arena, uint32_t, search->rule->parameter_count);
    for (;;) {
        struct conjunct *next = NULL;
        for (size_t c = 0; c < search->conjuncts.count; c++) {
            struct conjunct *conjunct = &search->conjuncts.items[c];
            if (conjunct->unordered && (!next || conjunct->unordered < next->unordered))
                next = conjunct;
        }
        if (!next)
            break;
        for (uint32_t i = 0; i < next->parameter_count; i++)
            order_parameter(search, next->parameters[i], &count);
    }
    for (uint32_t v = 0; v < search->rule->parameter_count; v++)
        order_parameter(search, v, &count);
}

/* --- the search --- */

/* May all that is said of the parameter still be true? */
static bool is_possible(struct start_search *search, uint32_t parameter)
{
    for (uint32_t i = 0; i < search->conjunct_counts[parameter]; i++)
        if (bounds(search, search->conjuncts.items[search->conjuncts_of[parameter][i]].node).high == 0)
            return false;
    return true;
}

/* The end of a range is cut off as far as no state has it. */
static bool shave_end(struct start_search *search, uint32_t parameter, bool is_high)
{
    struct interval range = search->ranges[parameter];
    double at = is_high ? range.high : range.low;
    bool is_shaved = false;
    while (range.low <= range.high && search->nodes < STARTS_MOST_NODES) {
        search->ranges[parameter] = (struct interval){at, at};
        if (is_possible(search, parameter))
            break;
        is_shaved = true;
        at += is_high ? -1 : 1;
        *(is_high ? &range.high : &range.low) = at;
    }
    search->ranges[parameter] = range;
    return is_shaved;
}

/* False: there is no state. */
static bool shave(struct start_search *search)
{
    bool goes_on = true;
    while (goes_on && search->nodes < STARTS_MOST_NODES) {
        goes_on = false;
        for (uint32_t v = 0; v < search->rule->parameter_count; v++)
            for (int end = 0; end < 2 && search->conjunct_counts[v]; end++) {
                goes_on |= shave_end(search, v, end);
                if (search->ranges[v].low > search->ranges[v].high)
                    return false;
            }
    }
    return true;
}

static void keep(struct start_search *search)
{
    uint64_t instance = 0;
    for (uint32_t v = 0; v < search->rule->parameter_count; v++) {
        const struct type *type = search->rule->parameters[v].type;
        instance = instance * type->size + (uint64_t)type_ordinal(type, (int32_t)search->ranges[v].low);
    }
    VEC_PUSH(&search->found, instance);
}

/* False: too many, or it takes too long. */
static bool go_on(struct start_search *search, uint32_t depth)
{
    if (depth == search->rule->parameter_count) {
        keep(search);
        return search->found.count <= search->most;
    }
    uint32_t parameter = search->order[depth];
    struct interval range = search->ranges[parameter];
    bool is_good = true;
    for (double value = range.low; value <= range.high && is_good; value++) {
        search->ranges[parameter] = (struct interval){value, value};
        if (is_possible(search, parameter))
            is_good = go_on(search, depth + 1);
        is_good = is_good && search->nodes < STARTS_MOST_NODES;
    }
    search->ranges[parameter] = range;
    return is_good;
}

static int compare_instances(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void prepare(struct start_search *search, const struct system *system)
{
    uint32_t count = search->rule->parameter_count;
    search->shared = ARENA_ARRAY(search->arena, const struct start_node *, system->shared_count + 1);
    search->ranges = ARENA_ARRAY(search->arena, struct interval, count);
    search->is_seen = ARENA_ARRAY(search->arena, bool, count);
    for (uint32_t v = 0; v < count; v++) {
        const struct type *type = search->rule->parameters[v].type;
        search->ranges[v] = (struct interval){(double)type_code(type, 0), (double)type_code(type, type->size - 1)};
    }
    if (search->rule->guard)
        add_conjuncts(search, node_of(search, search->rule->guard));
    list_by_parameter(search);
    order_parameters(search);
}

static double space_of(const struct rule *rule)
{
    double size = 1;
    for (uint32_t i = 0; i < rule->parameter_count; i++)
        size *= (double)rule->parameters[i].type->size;
    return size;
}

/* The type of the one truth value that is left. */
static const struct type *type_of_truth(struct system *system, int32_t value)
{
    struct type *type = arena_copy(system->arena, system->boolean, sizeof *type);
    type->blocks = arena_copy(system->arena, &(struct code_block){value, value, type}, sizeof *type->blocks);
    type->size = 1;
    type->id = (uint32_t)system->types.count;
    VEC_PUSH(&system->types, type);
    return type;
}

static void narrow(struct system *system, struct rule *start, const struct start_search *search)
{
    for (uint32_t i = 0; i < start->parameter_count; i++) {
        const struct interval *range = &search->ranges[i];
        struct parameter *parameter = &start->parameters[i];
        if ((double)parameter->type->size <= range->high - range->low + 1)
            continue;
        parameter->type =
            parameter->type->kind == TYPE_BOOL
                ? type_of_truth(system, (int32_t)range->low)
                : type_range(system, NULL, (int32_t)range->low, (int32_t)range->high, parameter->variable->span);
    }
}

static enum starts list(struct system *system, struct rule *start, struct start_search *search, double *space)
{
    bool is_possible = shave(search);
    *space = space_of(start);
    if (*space > STARTS_MOST_NUMBERS && is_possible)
        narrow(system, start, search);
    *space = space_of(start);
    if (!is_possible)
        return STARTS_NONE;
    if (*space > STARTS_MOST_NUMBERS)
        return STARTS_TOO_LONG;
    double worth_it = *space <= STARTS_SMALL ? 0 : *space / 4;
    search->most = *space <= STARTS_MOST ? (size_t)worth_it : STARTS_MOST;
    bool is_listed = go_on(search, 0) && (double)search->found.count <= worth_it;
    if (!is_listed)
        return *space <= STARTS_MOST                       ? STARTS_FOUND
               : search->found.count > (size_t)STARTS_MOST ? STARTS_TOO_MANY
                                                           : STARTS_TOO_LONG;
    if (!search->found.count)
        return STARTS_NONE;
    qsort(search->found.items, search->found.count, sizeof *search->found.items, compare_instances);
    start->tried_count = search->found.count;
    start->tried = VEC_SEAL(&search->found, system->arena);
    return STARTS_FOUND;
}

enum starts starts_list(struct system *system, struct rule *start, double *space)
{
    struct start_search search = {.rule = start, .arena = arena_create()};
    prepare(&search, system);
    enum starts result = list(system, start, &search, space);
    VEC_FREE(&search.found);
    VEC_FREE(&search.conjuncts);
    arena_destroy(search.arena);
    return result;
}
