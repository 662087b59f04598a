#include "ir/starts.h"

#include <stdlib.h>

#include "base/watch.h"
#include "base/words.h"
#include "ir/bounds.h"

enum { STARTS_MOST_NODES = 100 * 1000 * 1000 }; /* of expressions looked at */
static const double STARTS_MOST_NUMBERS = 0x1p62;

struct conjunct {
    const struct expr *expr;
    uint32_t *parameters; /* each once */
    uint32_t parameter_count, unordered;
};

struct start_search {
    const struct rule *rule;
    struct arena *arena;
    struct pairs numbers;    /* of the parameters, by the address of the variable */
    struct interval *ranges; /* by parameter: what is known of it */
    VEC(struct conjunct) conjuncts;
    uint32_t **conjuncts_of; /* by parameter: which are about it */
    uint32_t *conjunct_counts;
    uint32_t *order; /* of the parameters */
    bool *is_seen;
    struct expr_bounds bounds;
    size_t most;
    VEC(uint64_t) found;
};

static struct interval range_of(void *user, const struct variable *variable)
{
    const struct start_search *search = user;
    return search->ranges[pairs_get(&search->numbers, (uintptr_t)variable)];
}

/* It takes too long: from here on nothing is said of what is not known yet. */
static bool is_spent(struct start_search *search)
{
    if (watch_is_up())
        search->bounds.nodes = STARTS_MOST_NODES;
    return search->bounds.nodes >= STARTS_MOST_NODES;
}

/* --- conjuncts and the order of the parameters --- */

static void note_parameters(struct start_search *search, const struct expr *expr, struct conjunct *conjunct)
{
    if (!expr || is_spent(search))
        return;
    search->bounds.nodes++;
    uint32_t number =
        expr->kind == EXPR_READ ? pairs_get(&search->numbers, (uintptr_t)expr->place->variable) : WORDS_NONE;
    if (number != WORDS_NONE && !search->is_seen[number]) {
        search->is_seen[number] = true;
        conjunct->parameters[conjunct->parameter_count++] = number;
    }
    note_parameters(search, expr->condition, conjunct);
    note_parameters(search, expr->left, conjunct);
    note_parameters(search, expr->right, conjunct);
}

static void add_conjuncts(struct start_search *search, const struct expr *expr)
{
    if (is_spent(search))
        return;
    if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
        add_conjuncts(search, expr->left);
        add_conjuncts(search, expr->right);
        return;
    }
    struct conjunct conjunct = {.expr = expr};
    conjunct.parameters = ARENA_ARRAY(search->arena, uint32_t, search->rule->parameter_count);
    note_parameters(search, expr, &conjunct);
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
        if (expr_bounds_of(&search->bounds, search->conjuncts.items[search->conjuncts_of[parameter][i]].expr).high == 0)
            return false;
    return true;
}

/* The end of a range is cut off as far as no state has it. */
static bool shave_end(struct start_search *search, uint32_t parameter, bool is_high)
{
    struct interval range = search->ranges[parameter];
    double at = is_high ? range.high : range.low;
    bool is_shaved = false;
    while (range.low <= range.high && search->bounds.nodes < STARTS_MOST_NODES) {
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
    while (goes_on && search->bounds.nodes < STARTS_MOST_NODES) {
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
        is_good = is_good && search->bounds.nodes < STARTS_MOST_NODES;
    }
    search->ranges[parameter] = range;
    return is_good;
}

static int compare_instances(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void prepare(struct start_search *search)
{
    uint32_t count = search->rule->parameter_count;
    search->bounds = (struct expr_bounds){range_of, search, 0, STARTS_MOST_NODES};
    search->ranges = ARENA_ARRAY(search->arena, struct interval, count);
    search->is_seen = ARENA_ARRAY(search->arena, bool, count);
    for (uint32_t v = 0; v < count; v++) {
        const struct type *type = search->rule->parameters[v].type;
        pairs_set(&search->numbers, (uintptr_t)search->rule->parameters[v].variable, v);
        search->ranges[v] = (struct interval){(double)type_code(type, 0), (double)type_code(type, type->size - 1)};
    }
    if (search->rule->guard)
        add_conjuncts(search, search->rule->guard);
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
    prepare(&search);
    enum starts result = list(system, start, &search, space);
    VEC_FREE(&search.found);
    VEC_FREE(&search.conjuncts);
    pairs_free(&search.numbers);
    arena_destroy(search.arena);
    return result;
}
