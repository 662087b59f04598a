/* Iteration with diagrams, for sets of states that no array holds. Everything is rounded down; bounds from above are
 * kept as their negatives, so that they are rounded up. After each step the leaves keep a few digits only, and more of
 * them once that is what the bounds wait for. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/symbolic/chance_numbers.h"

enum { FIRST_DIGITS = 24, MORE_DIGITS = 8, MOST_DIGITS = 48, WIDEN_MOST_ROUNDS = 100000 };

/* An outcome with its weight, for one side: from row to where it leads. */
struct leaf_move {
    dd matrix[2]; /* by side; referenced */
    dd changed;
    dd plain; /* with 1 for its weight; only where there is going round */
};

struct leaves {
    struct chance *chance;
    const struct chance_problem *problem;
    struct chance_numbers *numbers;
    struct dd_manager *m;
    VEC(struct leaf_move) moves;
    uint32_t *first; /* by choice, one more than there are */
    /* Registered: nothing, the value 1 on each side, vectors, and what is under way. */
    struct {
        dd zero, one[2], value[2], sum, best, part, counts, widest;
    } keep;
    uint32_t digits;
    bool is_failed;
};

enum { KEPT = sizeof(((struct leaves *)0)->keep) / sizeof(dd) };

static double sign_of(enum chance_side side)
{
    return side == SIDE_LOWER ? 1 : -1;
}

static dd matrix_of(struct leaves *all, dd relation, double weight)
{
    dd keep[2] = {relation, DD_FALSE};
    dd_register(all->m, keep, 2);
    keep[1] = dd_leaf(all->m, weight);
    dd matrix = dd_select(all->m, keep[0], keep[1], all->keep.zero);
    dd_unregister(all->m, keep);
    all->is_failed |= matrix == DD_NONE;
    return dd_ref(all->m, matrix);
}

static void add_move(struct leaves *all, const struct chance_move *move, dd rows)
{
    const struct chance_outcome *outcome = &all->chance->outcomes.items[move->outcome];
    dd relation = dd_and(all->m, rows, move->where);
    relation = dd_ref(all->m, dd_and(all->m, outcome->step.relation, relation));
    if (relation == DD_FALSE)
        return;
    struct leaf_move made = {.changed = outcome->step.changed, .plain = DD_FALSE};
    made.matrix[SIDE_LOWER] = matrix_of(all, relation, move->lower);
    made.matrix[SIDE_UPPER] = matrix_of(all, relation, move->upper);
    if (all->problem->may_go_round)
        made.plain = matrix_of(all, relation, 1);
    dd_unref(all->m, relation);
    VEC_PUSH(&all->moves, made);
}

/* The sum over the outcomes of a choice. */
static dd sum_of(struct leaves *all, uint32_t choice, dd vector, enum chance_side side)
{
    all->keep.sum = all->keep.zero;
    for (uint32_t i = all->first[choice]; i < all->first[choice + 1]; i++) {
        const struct leaf_move *move = &all->moves.items[i];
        all->keep.part = dd_matrix_vector(all->m, move->matrix[side], vector, move->changed);
        all->keep.sum = dd_apply(all->m, DD_PLUS, all->keep.sum, all->keep.part);
    }
    return all->keep.sum;
}

/* Where the choice cannot be taken, nothing better than the worst. */
static dd masked(struct leaves *all, uint32_t choice, dd sum, double worst)
{
    all->keep.sum = sum;
    all->keep.part = dd_leaf(all->m, worst);
    return dd_select(all->m, all->problem->rows[choice], all->keep.sum, all->keep.part);
}

/* All moves of a chain are those of the first choice. */
static dd step_chain(struct leaves *all, enum chance_side side)
{
    all->keep.best = sum_of(all, 0, all->keep.value[side], side);
    return dd_apply(all->m, DD_DIVIDE, all->keep.best, all->keep.counts);
}

static dd step_choices(struct leaves *all, enum chance_side side)
{
    bool is_least = all->problem->is_least;
    /* of negatives the greatest is the least */
    enum dd_operation better = is_least == (side == SIDE_LOWER) ? DD_MIN : DD_MAX;
    double worst = is_least ? 2 * sign_of(side) : 0;
    all->keep.best = dd_leaf(all->m, worst);
    for (uint32_t c = 0; c < all->chance->choices.count; c++) {
        if (all->problem->rows[c] == DD_FALSE)
            continue;
        dd sum = masked(all, c, sum_of(all, c, all->keep.value[side], side), worst);
        all->keep.best = dd_apply(all->m, better, all->keep.best, sum);
    }
    return all->keep.best;
}

/* Is anything different now? */
static bool step(struct leaves *all, enum chance_side side)
{
    bool is_chain = all->chance->chain->kind != CHAIN_MDP;
    dd old = all->keep.value[side];
    all->keep.best = is_chain ? step_chain(all, side) : step_choices(all, side);
    if (side == SIDE_UPPER) {
        all->keep.part = dd_leaf(all->m, -1);
        all->keep.best = dd_apply(all->m, DD_MAX, all->keep.best, all->keep.part);
    }
    all->keep.best = dd_truncate(all->m, all->keep.best, all->digits);
    /* from bounds that were cut off, rounding would climb again, by a digit each step */
    if (side == SIDE_UPPER && !all->problem->is_bounded)
        all->keep.best = dd_apply(all->m, DD_MAX, all->keep.best, all->keep.value[side]);
    /* dead states stay as they are, known ones are known */
    all->keep.part = dd_difference(all->m, all->problem->unknown, all->chance->dead);
    all->keep.best = dd_select(all->m, all->keep.part, all->keep.best, all->keep.value[side]);
    if (all->keep.best == DD_NONE) {
        all->is_failed = true;
        return false;
    }
    all->keep.value[side] = all->keep.best;
    all->numbers->sweeps++;
    return all->keep.value[side] != old;
}

/* What is all in the cache is over before it asks for the time. */
static bool may_go_on(struct leaves *all)
{
    all->is_failed |= symbolic_is_over(&all->chance->model);
    return !all->is_failed;
}

/* --- the widest way, as in chance_operator.c: by negatives, so the other way round --- */

static dd widen_choice(struct leaves *all, uint32_t choice)
{
    all->keep.best = all->keep.zero;
    for (uint32_t i = all->first[choice]; i < all->first[choice + 1]; i++) {
        const struct leaf_move *move = &all->moves.items[i];
        all->keep.part = dd_matrix_vector(all->m, move->plain, all->keep.widest, move->changed);
        all->keep.best = dd_apply(all->m, DD_MIN, all->keep.best, all->keep.part);
    }
    dd mean = sum_of(all, choice, all->keep.value[SIDE_UPPER], SIDE_UPPER);
    return dd_apply(all->m, DD_MAX, mean, all->keep.best);
}

/* Were bounds cut off? */
static bool widen(struct leaves *all)
{
    dd last;
    uint32_t rounds = 0;
    all->keep.widest = all->keep.one[SIDE_UPPER];
    do {
        last = all->keep.widest;
        for (uint32_t c = 0; c < all->chance->choices.count; c++)
            if (all->problem->rows[c] != DD_FALSE) {
                dd width = widen_choice(all, c);
                all->keep.widest = dd_apply(all->m, DD_MIN, all->keep.widest, width);
            }
        all->is_failed |= all->keep.widest == DD_NONE;
        all->numbers->sweeps++;
    } while (all->keep.widest != last && may_go_on(all) && ++rounds < WIDEN_MOST_ROUNDS);
    if (all->is_failed || all->keep.widest != last)
        return false;
    dd cut = dd_apply(all->m, DD_MAX, all->keep.value[SIDE_UPPER], all->keep.widest);
    bool is_cut = cut != all->keep.value[SIDE_UPPER] && cut != DD_NONE;
    all->keep.value[SIDE_UPPER] = is_cut ? cut : all->keep.value[SIDE_UPPER];
    return is_cut;
}

/* --- bounds --- */

static bool extreme(struct dd_manager *m, dd cube, dd vector, dd states, enum dd_operation operation, double *value)
{
    dd keep[2] = {dd_leaf(m, operation == DD_MIN ? INFINITY : -INFINITY), states};
    dd_register(m, keep, 2);
    dd chosen = dd_select(m, keep[1], vector, keep[0]);
    chosen = dd_abstract(m, operation, chosen, cube);
    dd_unregister(m, keep);
    if (chosen == DD_NONE)
        return false;
    *value = dd_leaf_value(m, chosen);
    return true;
}

/* The greatest distance of the bounds of one state, relative to what is asked for there. */
static bool find_gap(struct leaves *all, dd states, double *gap)
{
    struct dd_manager *m = all->m;
    dd low = all->keep.value[SIDE_LOWER], high = all->keep.value[SIDE_UPPER];
    double least = 0;
    if (all->problem->is_complement) {
        all->keep.part = dd_leaf(m, 1);
        all->keep.best = dd_apply(m, DD_MINUS, all->keep.part, low);
    } else
        all->keep.best = dd_apply(m, DD_MINUS, all->keep.zero, high);
    all->keep.part = dd_apply(m, DD_PLUS, low, high); /* lower less upper */
    all->keep.part = dd_apply(m, DD_DIVIDE, all->keep.part, all->keep.best);
    bool is_done = extreme(m, all->chance->model.encoding->current, all->keep.part, states, DD_MIN, &least);
    *gap = 0 - least;
    return is_done;
}

/* Of the unknown ones that are watched. */
static bool add_bounds(struct leaves *all, struct chance_bounds *bounds)
{
    struct dd_manager *m = all->m;
    dd cube = all->chance->model.encoding->current, low = all->keep.value[SIDE_LOWER],
       high = all->keep.value[SIDE_UPPER];
    double least_lower, least_upper, greatest_lower, greatest_upper, gap;
    dd states = dd_ref(m, dd_and(m, all->problem->watched, all->problem->unknown));
    bool is_complement = all->problem->is_complement, is_empty = states == DD_FALSE;
    bool is_done = is_empty || (extreme(m, cube, low, states, DD_MIN, &least_lower) &&
                                extreme(m, cube, high, states, DD_MAX, &least_upper) &&
                                extreme(m, cube, low, states, DD_MAX, &greatest_lower) &&
                                extreme(m, cube, high, states, DD_MIN, &greatest_upper) && find_gap(all, states, &gap));
    dd_unref(m, states);
    if (!is_done || is_empty)
        return is_done;
    /* as if there were two states with the extremes; 0 less 0 has no sign */
    chance_bounds_add(bounds, least_lower, 0 - least_upper, is_complement);
    chance_bounds_add(bounds, greatest_lower, 0 - greatest_upper, is_complement);
    bounds->gap = fmax(bounds->gap, gap);
    return true;
}

static bool is_near(struct leaves *all)
{
    struct chance_bounds bounds;
    chance_known_bounds(all->chance, all->problem, &bounds);
    if (!add_bounds(all, &bounds)) {
        all->is_failed = true;
        return false;
    }
    all->numbers->watched = bounds;
    all->numbers->has_watched = true;
    chance_tell(all->chance, all->numbers->sweeps, &bounds);
    return chance_bounds_are_near(&bounds, all->problem);
}

/* --- iteration --- */

static void begin_vectors(struct leaves *all)
{
    const struct chance_problem *problem = all->problem;
    for (int side = 0; side < 2; side++) {
        all->keep.part = dd_leaf(all->m, sign_of(side));
        all->keep.one[side] = dd_select(all->m, problem->one, all->keep.part, all->keep.zero);
        dd set = problem->is_bounded ? problem->begin : side == SIDE_UPPER ? problem->unknown : DD_FALSE;
        all->keep.value[side] = dd_select(all->m, set, all->keep.part, all->keep.one[side]);
    }
    all->is_failed |= all->keep.value[0] == DD_NONE || all->keep.value[1] == DD_NONE;
}

static void iterate(struct leaves *all)
{
    while (may_go_on(all)) {
        bool is_moving = step(all, SIDE_LOWER);
        if (!all->is_failed)
            is_moving |= step(all, SIDE_UPPER);
        if (!is_moving && all->problem->may_go_round && !all->is_failed)
            is_moving = widen(all);
        if (all->is_failed)
            return;
        all->numbers->is_narrow = is_near(all);
        if (all->numbers->is_narrow || (!is_moving && all->digits >= MOST_DIGITS))
            return;
        if (!is_moving)
            all->digits += MORE_DIGITS;
    }
}

/* With more steps to come, the chance is not less; where it begins with 1 everywhere, not more. */
static void keep_part(struct leaves *all)
{
    bool is_falling = chance_is_falling(all->problem);
    if (all->is_failed || (all->problem->begin != DD_FALSE && !is_falling))
        return;
    is_near(all);
    struct chance_bounds *bounds = &all->numbers->watched;
    bounds->least_lower = is_falling ? 0 : bounds->least_lower;
    bounds->greatest_upper = is_falling ? bounds->greatest_upper : 1;
    bounds->least_upper = is_falling ? bounds->least_upper : 1;
    bounds->greatest_lower = is_falling ? 0 : bounds->greatest_lower;
}

static void take_steps_with(struct leaves *all, uint32_t digits)
{
    all->digits = digits;
    for (uint64_t k = 0; k < all->problem->steps && may_go_on(all); k++) {
        bool is_moving = step(all, SIDE_LOWER);
        is_moving = (!all->is_failed && step(all, SIDE_UPPER)) || is_moving;
        if (!is_moving)
            break;
        keep_part(all);
    }
    all->numbers->is_narrow = !all->is_failed && is_near(all);
}

/* Each step may lose as much as the last digit. With all of them, rounding is all there is. */
static void take_steps(struct leaves *all)
{
    double wanted = log2(8 * (double)(all->problem->steps + 1) / all->problem->epsilon);
    if (wanted < MOST_DIGITS)
        take_steps_with(all, wanted < FIRST_DIGITS ? FIRST_DIGITS : (uint32_t)ceil(wanted));
    if (all->numbers->is_narrow || all->is_failed)
        return;
    begin_vectors(all);
    take_steps_with(all, MOST_DIGITS);
}

/* count * weight, rounded to its side: what is rounded up is computed as its negative. */
static dd multiply(struct leaves *all, dd matrix, double weight, enum chance_side side)
{
    all->keep.part = dd_leaf(all->m, sign_of(side) * weight);
    all->keep.part = dd_apply(all->m, DD_TIMES, matrix, all->keep.part);
    if (side == SIDE_UPPER)
        all->keep.part = dd_apply(all->m, DD_MINUS, all->keep.zero, all->keep.part);
    all->is_failed |= all->keep.part == DD_NONE;
    return dd_ref(all->m, all->keep.part);
}

static void add_groups(struct leaves *all)
{
    chance_groups groups = {0};
    all->is_failed |= !chance_find_groups(all->chance, all->problem, &groups);
    for (size_t i = 0; i < groups.count && !all->is_failed; i++) {
        const struct chance_group *group = &groups.items[i];
        struct leaf_move made = {.changed = group->changed, .plain = DD_FALSE};
        made.matrix[SIDE_LOWER] = multiply(all, group->matrix, group->lower, SIDE_LOWER);
        made.matrix[SIDE_UPPER] = multiply(all, group->matrix, group->upper, SIDE_UPPER);
        VEC_PUSH(&all->moves, made);
    }
    all->first[1] = (uint32_t)all->moves.count;
    chance_groups_free(all->chance, &groups);
}

/* How many choices there are to share the chance; 1 where none is. */
static dd count_choices(struct leaves *all)
{
    dd keep[3] = {all->keep.zero, dd_leaf(all->m, 1), DD_FALSE};
    dd_register(all->m, keep, 3);
    for (size_t c = 0; c < all->chance->choices.count; c++) {
        keep[2] = dd_select(all->m, all->problem->rows[c], keep[1], all->keep.zero);
        keep[0] = dd_apply(all->m, DD_PLUS, keep[0], keep[2]);
    }
    keep[0] = dd_apply(all->m, DD_MAX, keep[0], keep[1]);
    dd_unregister(all->m, keep);
    return keep[0];
}

static void begin(struct leaves *all)
{
    const struct chance_problem *problem = all->problem;
    begin_vectors(all);
    all->first = memory_zeroed(all->chance->choices.count + 2, sizeof *all->first);
    bool is_chain = all->chance->chain->kind != CHAIN_MDP;
    if (is_chain)
        add_groups(all);
    for (uint32_t c = 0; c < all->chance->choices.count && !is_chain; c++) {
        const struct chance_choice *choice = &all->chance->choices.items[c];
        for (uint32_t i = 0; i < choice->move_count && !all->is_failed; i++)
            add_move(all, &all->chance->moves.items[choice->first_move + i], problem->rows[c]);
        all->first[c + 1] = (uint32_t)all->moves.count;
    }
    all->keep.counts = count_choices(all);
    all->is_failed |= all->keep.counts == DD_NONE;
}

static void end(struct leaves *all)
{
    for (size_t i = 0; i < all->moves.count; i++) {
        dd_unref(all->m, all->moves.items[i].matrix[0]);
        dd_unref(all->m, all->moves.items[i].matrix[1]);
        dd_unref(all->m, all->moves.items[i].plain);
    }
    VEC_FREE(&all->moves);
    free(all->first);
}

bool chance_enclose_leaves(struct chance *chance, const struct chance_problem *problem, struct chance_numbers *numbers)
{
    struct leaves all = {
        .chance = chance, .problem = problem, .numbers = numbers, .m = chance->model.m, .digits = FIRST_DIGITS};
    if (chance->chain->kind == CHAIN_CTMC || problem->is_reward)
        return pctl_fail(
            &chance->evaluator,
            "only probabilities of a dtmc or mdp are iterated in diagrams, and arrays of this many states are not "
            "wanted, or do not fit into memory");
    dd_round_down(all.m, true);
    dd_register(all.m, &all.keep.zero, KEPT);
    all.keep.zero = dd_leaf(all.m, 0);
    begin(&all);
    if (!all.is_failed)
        (problem->is_bounded ? take_steps : iterate)(&all);
    if (all.is_failed) {
        symbolic_failed(&chance->model);
        chance_stop(chance);
    }
    end(&all);
    dd_unregister(all.m, &all.keep.zero);
    dd_round_down(all.m, false);
    return !all.is_failed;
}
