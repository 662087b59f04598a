/* Iteration with arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rounding.h"
#include "engine/symbolic/chance_numbers.h"

enum { LOOK_AFTER = 16 };

struct symbolic_enclosure {
    struct chance *chance;
    const struct chance_problem *problem;
    struct chance_numbers *numbers;
    struct chance_operator *operator;
    struct dd_blocks *watched;  /* those that are unknown */
    struct chance_bounds known; /* of the watched ones that are not */
    uint64_t size;
    double *next, *guess; /* guess: NULL, or room for it */
    double near;          /* lower values that change by less may be near the end */
    uint64_t widen_at;    /* sweeps: time for the widest ways again */
    bool is_over;         /* a limit */
};

/* --- what is known of the states that are watched --- */

struct look {
    const double *lower, *upper;
    struct chance_bounds *bounds;
    bool is_complement;
};

static void look_at(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)
{
    struct look *look = user;
    (void)column;
    for (size_t s = 0; s < count; s++)
        for (uint32_t i = 0; i < stretches[s].length; i++) {
            uint64_t state = (uint64_t)row + stretches[s].row + i;
            chance_bounds_add(look->bounds, look->lower[state], look->upper[state], look->is_complement);
        }
}

static void look(const struct symbolic_enclosure *all, struct chance_bounds *bounds)
{
    struct look look = {all->numbers->lower, all->numbers->upper, bounds, all->problem->is_complement};
    *bounds = all->known;
    dd_blocks_visit(all->watched, look_at, &look);
}

static bool is_near(struct symbolic_enclosure *all)
{
    struct chance_bounds bounds;
    look(all, &bounds);
    chance_tell(all->chance, all->numbers->sweeps, &bounds);
    return chance_bounds_are_near(&bounds, all->problem);
}

static bool may_go_on(struct symbolic_enclosure *all)
{
    all->is_over |= symbolic_is_over(&all->chance->model);
    return !all->is_over;
}

/* --- sweeps --- */

/* The greatest change relative to the value. */
static double changes(const double *old, const double *now, uint64_t size)
{
    double most = 0;
    for (uint64_t i = 0; i < size; i++) {
        double change = now[i] != old[i] ? fabs(now[i] - old[i]) / fmax(fabs(now[i]), 0x1p-1022) : 0;
        most = change > most ? change : most;
    }
    return most;
}

static double sweep(struct symbolic_enclosure *all, double **x, enum chance_side side)
{
    chance_operator_apply(all->operator, * x, all->next, side);
    double change = changes(*x, all->next, all->size), *old = *x;
    *x = all->next;
    all->next = old;
    all->numbers->sweeps++;
    return change;
}

/* From bounds that were cut off, rounding would climb again. */
static double sweep_above(struct symbolic_enclosure *all)
{
    sweep(all, &all->numbers->upper, SIDE_UPPER);
    double *upper = all->numbers->upper;
    for (uint64_t i = 0; i < all->size; i++)
        upper[i] = fmin(upper[i], all->next[i]);
    return changes(all->next, upper, all->size);
}

/* Whatever the operator does not raise anywhere is above its least fixed point. */
static bool is_below(const double *a, const double *b, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

static void begin_guess(struct symbolic_enclosure *all)
{
    const double *lower = all->numbers->lower, *upper = all->numbers->upper;
    if (!all->guess)
        all->guess = memory_alloc((all->size + 1) * sizeof *all->guess);
    for (uint64_t i = 0; i < all->size; i++)
        all->guess[i] = fmin(upper[i], lower[i] * (1 + all->problem->epsilon / 2));
}

static bool guess(struct symbolic_enclosure *all, uint64_t patience)
{
    begin_guess(all);
    while (patience-- && may_go_on(all)) {
        double *before = all->guess;
        sweep(all, &all->guess, SIDE_UPPER);
        if (!is_below(all->guess, before, all->size))
            continue;
        for (uint64_t i = 0; i < all->size; i++)
            all->numbers->upper[i] = fmin(all->numbers->upper[i], all->guess[i]);
        return true;
    }
    return false;
}

/* Bounds above that come from going round are cut off (chance_numbers.h): the widest way from each state. Was there
 * any? It takes as long as the sweeps until the next time. */
static bool widen(struct symbolic_enclosure *all)
{
    double *widest = all->next, *upper = all->numbers->upper;
    bool is_changed = true, is_cut = false;
    uint64_t rounds = 0;
    memcpy(widest, all->numbers->lower, all->size * sizeof *widest);
    /* the first round also fills in what leads to 1, which is no news to the operator */
    for (; (rounds < 2 || is_changed) && may_go_on(all); rounds++)
        is_changed = chance_operator_widen(all->operator, upper, widest);
    for (uint64_t i = 0; i < all->size && !all->is_over; i++)
        if (widest[i] < upper[i]) {
            upper[i] = widest[i];
            is_cut = true;
        }
    all->numbers->sweeps += rounds;
    all->widen_at = all->numbers->sweeps + 2 * rounds;
    return is_cut;
}

/* False: nothing moves any more, or a limit. */
static bool iterate(struct symbolic_enclosure *all)
{
    const struct chance_problem *problem = all->problem;
    double below = sweep(all, &all->numbers->lower, SIDE_LOWER), above = 0;
    if (!problem->is_reward)
        above = sweep_above(all);
    bool is_moving = below > 0 || above > 0;
    if (problem->may_go_round && (!is_moving || all->numbers->sweeps >= all->widen_at))
        is_moving |= widen(all);
    if (!problem->may_go_round && below <= all->near && all->near > 1e-17) {
        is_moving = true;
        if (!guess(all, all->numbers->sweeps / 4 + LOOK_AFTER))
            all->near /= 4;
    }
    return may_go_on(all) && is_moving;
}

static bool enclose_unbounded(struct symbolic_enclosure *all)
{
    all->near = all->problem->epsilon / 4;
    bool is_cheap = all->size <= 1 << 16;
    for (uint64_t round = 1;; round++) {
        bool goes_on = iterate(all);
        if ((is_cheap || round % LOOK_AFTER == 0 || !goes_on) && is_near(all))
            all->numbers->is_narrow = true;
        if (!goes_on || all->numbers->is_narrow)
            return !all->is_over;
    }
}

static bool enclose_steps(struct symbolic_enclosure *all)
{
    struct chance_numbers *numbers = all->numbers;
    for (uint64_t k = 0; k < all->problem->steps; k++) {
        double below = sweep(all, &numbers->lower, SIDE_LOWER), above = sweep(all, &numbers->upper, SIDE_UPPER);
        /* not yet what was asked for; but chances and what is earned only grow with the steps, unless they only fall */
        if (!may_go_on(all)) {
            bool is_falling = chance_is_falling(all->problem);
            if (all->problem->is_instant || all->problem->begin != DD_FALSE)
                memset(numbers->lower, 0, all->size * sizeof(double));
            for (uint64_t i = 0; i < all->size && !is_falling; i++)
                numbers->upper[i] = all->problem->is_reward ? INFINITY : 1;
            return false;
        }
        if (below == 0 && above == 0)
            break;
    }
    numbers->is_narrow = is_near(all); /* rounding is all there is, but of many steps */
    return true;
}

struct beginning {
    double *values, number;
};

static void add_number(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)
{
    const struct beginning *begin = user;
    (void)column;
    for (size_t s = 0; s < count; s++)
        for (uint32_t i = 0; i < stretches[s].length; i++)
            begin->values[row + stretches[s].row + i] += begin->number;
}

static bool begin_with(struct symbolic_enclosure *all, dd where, double lower, double upper)
{
    struct chance_numbers *numbers = all->numbers;
    struct beginning low = {numbers->lower, lower}, high = {numbers->upper, upper};
    struct dd_blocks *blocks = dd_blocks_create(numbers->index, where, DD_TRUE, 0);
    if (!blocks)
        return chance_stop(all->chance);
    rounding_set(ROUNDING_DOWN);
    dd_blocks_visit(blocks, ROUNDED(add_number), &low);
    rounding_set(ROUNDING_UP);
    dd_blocks_visit(blocks, ROUNDED(add_number), &high);
    rounding_set(ROUNDING_NEAREST);
    dd_blocks_destroy(blocks);
    return true;
}

static bool begin(struct symbolic_enclosure *all)
{
    struct chance_numbers *numbers = all->numbers;
    const struct chance_problem *problem = all->problem;
    struct dd_manager *m = all->chance->model.m;
    double above = problem->is_bounded ? 0 : problem->is_reward ? INFINITY : 1;
    numbers->lower = memory_zeroed(all->size + 1, sizeof(double));
    numbers->upper = memory_alloc((all->size + 1) * sizeof(double));
    all->next = memory_alloc((all->size + 1) * sizeof(double));
    for (uint64_t i = 0; i < all->size; i++)
        numbers->upper[i] = above;
    all->watched = dd_blocks_create(numbers->index, dd_and(m, problem->watched, problem->unknown), DD_TRUE, 0);
    bool is_good = all->watched || chance_stop(all->chance);
    if (is_good && problem->is_bounded && problem->begin != DD_FALSE)
        is_good = begin_with(all, problem->begin, 1, 1);
    for (size_t i = 0; i < problem->gain_count && problem->is_instant && is_good; i++)
        if (problem->gains[i].choice == GAIN_OF_STATE)
            is_good = begin_with(all, problem->gains[i].where, problem->gains[i].lower, problem->gains[i].upper);
    return is_good;
}

bool chance_enclose(struct chance *chance, const struct chance_problem *problem, struct chance_numbers *numbers)
{
    struct symbolic_enclosure all = {
        .chance = chance, .problem = problem, .numbers = numbers, .size = dd_index_size(numbers->index)};
    chance_known_bounds(chance, problem, &all.known);
    all.operator= chance_operator_create(chance, problem, numbers->index);
    bool is_done = all.operator;
    if (!is_done && symbolic_is_over(&chance->model))
        chance_stop(chance);
    else if (!is_done)
        pctl_fail(&chance->evaluator, "the transitions do not fit into memory");
    is_done = is_done && begin(&all);
    if (is_done)
        is_done = (problem->is_bounded ? enclose_steps : enclose_unbounded)(&all);
    if (all.is_over) {
        symbolic_failed(&chance->model);
        chance_stop(chance);
    }
    if (numbers->lower && all.watched) {
        look(&all, &numbers->watched);
        numbers->has_watched = true;
    }
    dd_blocks_destroy(all.watched);
    chance_operator_destroy(all.operator);
    free(all.next);
    free(all.guess);
    return is_done;
}
