/* Weights as numbers. One that depends on the state is a move for each value it has among the reached states. */
#include <math.h>

#include "engine/symbolic/chance.h"

void chance_multiply(const struct weight *weight, int64_t value, double *lower, double *upper)
{
    struct rational *product = rational_create(value, 1);
    rational_multiply(product, weight->factor);
    *lower = rational_to_double_below(product);
    *upper = rational_to_double_above(product);
    if (weight->is_rounded && *lower != 0) { /* as written it may be next to it */
        *lower = nextafter(nextafter(*lower, -INFINITY), -INFINITY);
        *upper = nextafter(nextafter(*upper, INFINITY), INFINITY);
    }
    rational_destroy(product);
}

static bool add_move(struct chance *chance, struct chance_move move)
{
    if (move.where == DD_NONE) {
        symbolic_failed(&chance->model);
        return chance_stop(chance);
    }
    if (move.where == DD_FALSE || move.upper == 0)
        return true;
    dd_ref(chance->model.m, move.where);
    VEC_PUSH(&chance->moves, move);
    return true;
}

static bool add_values(struct chance *chance, uint32_t number, dd where)
{
    struct symbolic_model *model = &chance->model;
    const struct weight *weight = chance->outcomes.items[number].rule->weight;
    number_cases cases = {0};
    dd wrong = DD_FALSE, under = dd_ref(model->m, where);
    bool is_good = symbolic_values(model, weight->top, under, &cases, &wrong);
    if (!is_good) {
        chance_stop(chance);
        VEC_FREE(&cases);
    }
    for (size_t i = 0; i < cases.count; i++) {
        struct chance_move move = {.outcome = number, .where = cases.items[i].when};
        chance_multiply(weight, cases.items[i].value, &move.lower, &move.upper);
        is_good = is_good && add_move(chance, move);
        dd_unref(model->m, cases.items[i].when);
    }
    VEC_FREE(&cases);
    dd_unref(model->m, is_good ? wrong : DD_FALSE);
    dd_unref(model->m, under);
    return is_good;
}

static bool add_outcome(struct chance *chance, uint32_t number)
{
    const struct chance_outcome *outcome = &chance->outcomes.items[number];
    const struct weight *weight = outcome->rule->weight;
    struct chance_move move = {.outcome = number, .lower = 1, .upper = 1};
    move.where = dd_and(chance->model.m, chance->model.reached, outcome->happens);
    if (weight && weight->top)
        return add_values(chance, number, move.where);
    if (weight)
        chance_multiply(weight, 1, &move.lower, &move.upper);
    return add_move(chance, move);
}

bool chance_find_moves(struct chance *chance)
{
    bool is_good = true;
    if (chance->has_moves)
        return true;
    for (size_t c = 0; c < chance->choices.count && is_good; c++) {
        struct chance_choice *choice = &chance->choices.items[c];
        choice->first_move = (uint32_t)chance->moves.count;
        for (uint32_t i = 0; i < choice->count && is_good; i++)
            is_good = add_outcome(chance, choice->first + i);
        choice->move_count = (uint32_t)chance->moves.count - choice->first_move;
    }
    chance->has_moves = is_good;
    return is_good;
}
