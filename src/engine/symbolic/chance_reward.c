/* Expected rewards: until something is reached, over a number of steps, and after it. */
#include <math.h>
#include <stdlib.h>

#include "engine/symbolic/chance_numbers.h"
#include "pctl/refusal.h"

/* --- what is earned where --- */

struct symbolic_earnings {
    struct chance *chance;
    VEC(struct chance_gain) gains;
    bool is_failed;
};

static void add_gain(struct symbolic_earnings *all, struct chance_gain gain)
{
    struct chance *chance = all->chance;
    gain.where = chance_keep(chance, dd_and(chance->model.m, chance->model.reached, gain.where));
    all->is_failed |= gain.where == DD_NONE;
    if (gain.where != DD_NONE && gain.where != DD_FALSE && gain.upper != 0)
        VEC_PUSH(&all->gains, gain);
    if (gain.lower < 0 && gain.where != DD_FALSE)
        all->is_failed |= !pctl_fail(&chance->evaluator, "a reward is negative");
}

/* In a ctmc a choice is taken at the rate of its outcomes. */
static void add_for_choice(struct symbolic_earnings *all, struct chance_gain gain, uint32_t number)
{
    struct chance *chance = all->chance;
    const struct chance_choice *choice = &chance->choices.items[number];
    gain.choice = number;
    dd where = gain.where;
    if (chance->chain->kind != CHAIN_CTMC) {
        gain.where = dd_and(chance->model.m, where, choice->enabled);
        add_gain(all, gain);
        return;
    }
    for (uint32_t i = 0; i < choice->move_count; i++) {
        const struct chance_move *move = &chance->moves.items[choice->first_move + i];
        struct chance_gain part = {.choice = number,
                                   .lower = nextafter(gain.lower * move->lower, 0),
                                   .upper = gain.upper == 0 ? 0 : nextafter(gain.upper * move->upper, INFINITY)};
        part.where = dd_and(chance->model.m, where, move->where);
        add_gain(all, part);
    }
}

/* `where` is kept. */
static void add_reward(struct symbolic_earnings *all, const struct reward *reward, struct chance_gain gain)
{
    const struct chance *chance = all->chance;
    gain.choice = GAIN_OF_STATE;
    if (!reward->is_transition) {
        add_gain(all, gain);
        return;
    }
    for (uint32_t c = 0; c < chance->choices.count && !all->is_failed; c++)
        if (chain_is_same_action(reward->action, chance->choices.items[c].choice->action))
            add_for_choice(all, gain, c);
}

static bool add_values(struct symbolic_earnings *all, const struct reward *reward, dd where)
{
    struct chance *chance = all->chance;
    struct symbolic_model *model = &chance->model;
    number_cases cases = {0};
    dd wrong = DD_FALSE;
    bool is_good = symbolic_values(model, reward->value->top, where, &cases, &wrong);
    if (!is_good) {
        VEC_FREE(&cases);
        return chance_stop(chance);
    }
    for (size_t i = 0; i < cases.count; i++) { /* kept first: what follows may collect the others */
        chance_keep(chance, cases.items[i].when);
        dd_unref(model->m, cases.items[i].when);
    }
    bool is_wrong = wrong != DD_FALSE;
    dd_unref(model->m, wrong);
    for (size_t i = 0; i < cases.count; i++) {
        struct chance_gain gain = {.where = cases.items[i].when};
        chance_multiply(reward->value, cases.items[i].value, &gain.lower, &gain.upper);
        add_reward(all, reward, gain);
    }
    VEC_FREE(&cases);
    return is_wrong ? pctl_fail(&chance->evaluator, "a reward has no value in some state") : !all->is_failed;
}

static bool add_item(struct symbolic_earnings *all, const struct reward *reward)
{
    struct chance *chance = all->chance;
    struct symbolic_model *model = &chance->model;
    struct formula_sets sets;
    if (reward->value->bottom)
        return pctl_refuse_diagrams(&chance->evaluator, "a reward that divides by a variable");
    if (!symbolic_formula(model, reward->guard->formula, false, &sets))
        return chance_stop(chance);
    bool is_wrong = dd_is_disjoint(model->m, model->reached, sets.wrong) != DD_TRUE;
    struct chance_gain gain = {.where = chance_keep(chance, dd_and(model->m, model->reached, sets.holds))};
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    if (is_wrong)
        return pctl_fail(&chance->evaluator, "the guard of a reward has no value in some state");
    if (gain.where == DD_NONE)
        return false;
    if (reward->value->top)
        return add_values(all, reward, gain.where);
    chance_multiply(reward->value, 1, &gain.lower, &gain.upper);
    add_reward(all, reward, gain);
    return !all->is_failed;
}

static bool find_gains(struct symbolic_earnings *all, uint32_t structure)
{
    const struct reward_structure *rewards = &all->chance->chain->rewards[structure];
    bool is_good = chance_find_moves(all->chance);
    for (uint32_t i = 0; i < rewards->count && is_good; i++)
        is_good = add_item(all, &rewards->items[i]);
    return is_good;
}

/* --- until something is reached --- */

/* Where something is earned by a choice, or by any. */
static dd earning(struct chance *chance, const struct symbolic_earnings *all, uint32_t choice)
{
    dd found = DD_FALSE;
    dd_register(chance->model.m, &found, 1);
    for (size_t i = 0; i < all->gains.count; i++)
        if (all->gains.items[i].choice == GAIN_OF_STATE || all->gains.items[i].choice == choice)
            found = dd_or(chance->model.m, found, all->gains.items[i].where);
    dd_unregister(chance->model.m, &found);
    return found;
}

/* The least reward is no least fixed point where a scheduler can go round for free. */
static bool check_free(struct chance *chance, const struct symbolic_earnings *all, dd sure, dd unknown)
{
    struct dd_manager *m = chance->model.m;
    size_t count = chance->choices.count;
    dd *rows = memory_zeroed(count + 1, sizeof *rows), stays = DD_NONE;
    dd_register(m, rows, count);
    bool is_good = chance_find_safe(chance, sure, rows);
    for (uint32_t c = 0; c < count && is_good; c++) {
        rows[c] = dd_difference(m, rows[c], earning(chance, all, c));
        is_good = rows[c] != DD_NONE;
    }
    stays = is_good ? chance_can_stay(chance, unknown, rows) : DD_NONE;
    dd_unregister(m, rows);
    free(rows);
    if (stays == DD_NONE)
        return chance_keep(chance, DD_NONE) != DD_NONE;
    return stays == DD_FALSE ||
           pctl_refuse_diagrams(&chance->evaluator,
                                "the minimal expected reward where there are end components without reward");
}

/* Endless where the goal is not reached for certain: by some scheduler (greatest), by any (least). */
static bool set_until_goal(struct chance *chance, dd goal, const struct symbolic_earnings *all,
                           struct chance_problem *problem, dd *endless)
{
    dd sure = chance_one(chance, chance->model.reached, goal, !problem->is_least);
    if (sure == DD_NONE)
        return false;
    problem->unknown = chance_keep(chance, dd_difference(chance->model.m, sure, goal));
    problem->inside = sure;
    *endless = chance_complement(chance, sure);
    if (problem->unknown == DD_NONE || *endless == DD_NONE)
        return false;
    /* a dead state that earns by time earns without end; it never is sure to reach anything but itself */
    return !chance_has_choice(chance) || !problem->is_least || check_free(chance, all, sure, problem->unknown);
}

static void set_steps(struct chance *chance, const struct pctl *formula, struct chance_problem *problem)
{
    problem->unknown = chance->model.reached;
    problem->is_bounded = true;
    problem->steps = (uint64_t)formula->window.upper->value;
    problem->is_instant = formula->goal == PCTL_INSTANT;
}

/* --- the value --- */

static void find_range(const struct chance_numbers *numbers, dd endless, dd watched, struct chance *chance,
                       struct chance_bounds *bounds)
{
    *bounds = numbers->watched;
    if (dd_is_disjoint(chance->model.m, watched, endless) != DD_TRUE) {
        bounds->greatest_lower = bounds->greatest_upper = INFINITY;
        if (dd_is_subset(chance->model.m, watched, endless) == DD_TRUE)
            bounds->least_lower = bounds->least_upper = INFINITY;
    }
}

static bool solve(struct chance *chance, struct chance_problem *problem, dd endless, struct chance_bounds *bounds)
{
    struct chance_numbers numbers = {0};
    dd asked = problem->watched;
    bool is_done = true;
    problem->watched = chance_keep(chance, dd_difference(chance->model.m, asked, endless));
    if (problem->watched == DD_NONE)
        return false;
    if (problem->watched == DD_FALSE) { /* all of them without end */
        chance_bounds_begin(bounds);
        chance_bounds_add(bounds, INFINITY, INFINITY, false);
        return true;
    }
    is_done = chance_solve(chance, problem, &numbers);
    if (is_done && !numbers.is_narrow)
        is_done = pctl_fail_wide(&chance->evaluator);
    find_range(&numbers, endless, asked, chance, bounds);
    chance_numbers_free(chance, &numbers);
    return is_done;
}

bool chance_reward_range(struct chance *chance, const struct chance_value *value, dd states, enum chance_watch watch,
                         struct chance_bounds *bounds)
{
    struct symbolic_earnings all = {.chance = chance};
    const struct pctl *formula = value->reward;
    dd endless = DD_FALSE;
    struct chance_problem problem = {.one = DD_FALSE,
                                     .begin = DD_FALSE,
                                     .inside = DD_FALSE,
                                     .watched = states,
                                     .watch = watch,
                                     .is_least = pctl_is_least(formula),
                                     .is_reward = true};
    bool is_good = find_gains(&all, formula->reward);
    if (formula->goal != PCTL_REACH)
        set_steps(chance, formula, &problem);
    else
        is_good = is_good && set_until_goal(chance, value->goal, &all, &problem, &endless);
    problem.gains = all.gains.items;
    problem.gain_count = all.gains.count;
    is_good = is_good && solve(chance, &problem, endless, bounds);
    VEC_FREE(&all.gains);
    return is_good;
}
