#include "population/demand.h"

#include "base/words.h"

struct demand_search {
    const struct thread_shape *shape;
    const struct rule *rule;
    VEC(struct guard_demand) found;
};

/* Where the words of a variable begin, in the vector of those before it that are shared, or local. */
static uint32_t variable_position(const struct thread_shape *shape, const struct variable *variable, bool is_local)
{
    uint32_t position = 0;
    for (size_t v = 0; v < shape->system->globals.count && shape->system->globals.items[v] != variable; v++) {
        const struct type *type = shape->system->globals.items[v]->type;
        if (shape_is_local(shape, shape->system->globals.items[v]) == is_local)
            position += is_local ? type->element->cells : type->cells;
    }
    return position;
}

static uint32_t find_parameter(const struct rule *rule, const struct expr *index)
{
    if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE)
        return WORDS_NONE;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].variable == index->place->variable)
            return p;
    return WORDS_NONE;
}

/* Is it a scalar whose value the words tell? */
static bool find_scalar(const struct demand_search *search, const struct expr *expr, struct guard_demand *demand)
{
    const struct place *place = expr->kind == EXPR_READ ? expr->place : NULL;
    demand->parameter = WORDS_NONE;
    if (place && place->kind == PLACE_ELEMENT) {
        demand->parameter = find_parameter(search->rule, place->index);
        place = place->base;
        if (demand->parameter == WORDS_NONE)
            return false;
    }
    if (!place || place->kind != PLACE_VARIABLE || !place->variable->is_global)
        return false;
    bool is_local = shape_is_local(search->shape, place->variable);
    const struct type *type = is_local ? place->variable->type->element : place->variable->type;
    if (is_local != (demand->parameter != WORDS_NONE) || !type_is_scalar(type))
        return false;
    demand->position = variable_position(search->shape, place->variable, is_local);
    return true;
}

/* False: the expression is of another form. */
static bool add_equation(struct demand_search *search, const struct expr *scalar, int64_t value)
{
    struct guard_demand demand = {0};
    if (!find_scalar(search, scalar, &demand))
        return false;
    int64_t ordinal = type_ordinal(scalar->place->type, value);
    demand.word = ordinal < 0 ? WORDS_NONE : (uint32_t)ordinal + 1;
    VEC_PUSH(&search->found, demand);
    return true;
}

/* False: nothing behind it is looked at. */
static bool add_demands(struct demand_search *search, const struct expr *expr)
{
    if (expr->kind == EXPR_BINARY && expr->op == OP_AND)
        return add_demands(search, expr->left) && add_demands(search, expr->right);
    if (expr->kind == EXPR_BINARY && expr->op == OP_EQ && expr->right->kind == EXPR_CONST)
        return add_equation(search, expr->left, expr->right->value);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT)
        return add_equation(search, expr->left, 0);
    return add_equation(search, expr, 1);
}

struct demands demands_find(const struct thread_shape *shape, const struct rule *rule)
{
    struct demand_search search = {.shape = shape, .rule = rule};
    if (rule->guard && !rule->prelude.count)
        add_demands(&search, rule->guard);
    struct demands demands = {.count = (uint32_t)search.found.count};
    demands.items = VEC_SEAL(&search.found, shape->arena);
    return demands;
}

bool demands_exclude(const struct demands *demands, const uint32_t *shared, const uint32_t *const *locals)
{
    for (uint32_t i = 0; i < demands->count; i++) {
        const struct guard_demand *demand = &demands->items[i];
        if (demand->parameter != WORDS_NONE && !locals)
            return false; /* it may be undefined, and the guard faults */
        const uint32_t *words = demand->parameter == WORDS_NONE ? shared : locals[demand->parameter];
        if (!words[demand->position])
            return false; /* undefined */
        if (words[demand->position] != demand->word)
            return true;
    }
    return false;
}

bool demands_admit(const struct demands *demands, uint32_t parameter, const uint32_t *local)
{
    for (uint32_t i = 0; i < demands->count; i++)
        if (demands->items[i].parameter == parameter)
            return !local[demands->items[i].position] || local[demands->items[i].position] == demands->items[i].word;
    return true;
}
