/* The operator of a chain or decision process on arrays: loops over stretches of states. Rounding is that of the mode set
 * around a sweep; values are computed only in functions called by address, so nothing moves across the change of the mode. */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/chance_numbers.h"

/* An outcome with one weight: into the unknown states, into those of value 1, and into those of value 0. */
struct sweep_move {
    struct dd_blocks *pairs, *ones, *zeros;
    double weight[2]; /* by side */
};

/* Rows with a number. */
struct sweep_number {
    struct dd_blocks *rows;
    double number[2];
};

struct sweep_choice {
    uint32_t first, count;           /* its moves */
    uint32_t first_gain, gain_count; /* what taking it earns */
    struct dd_blocks *rows;
    bool is_direct; /* one move for certain, and nothing to earn: no sum to make */
};

struct chance_operator {
    const struct chance_problem *problem;
    struct dd_index *index;
    uint64_t size;
    bool is_rate;  /* states earn by time: before that is divided by the rate */
    bool is_chain; /* no choice: all moves are added up, and divided by what they add up to */
    VEC(struct sweep_move) moves;
    VEC(struct sweep_choice) choices;
    VEC(struct sweep_number) gains;     /* of choices */
    VEC(struct sweep_number) own_gains; /* of states */
    VEC(struct sweep_number) divisors;
    struct dd_blocks *dead; /* these stay */
    double *sum, *widest;   /* of the choice under way */
    uint64_t limit, bytes;  /* of the blocks */
    bool is_failed;
};

/* --- loops --- */

struct loop {
    const double *from, *other;
    double *to;
    double number;
    bool is_changed;
};

#define LOOP(name, body)                                                                                               \
    static void name(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)      \
    {                                                                                                                  \
        struct loop *loop = user;                                                                                      \
        double number = loop->number;                                                                                  \
        (void)number;                                                                                                  \
        for (size_t s = 0; s < count; s++) {                                                                           \
            double *to = loop->to + row + stretches[s].row;                                                            \
            const double *from = loop->from + column + stretches[s].column;                                            \
            (void)from;                                                                                                \
            for (uint32_t i = 0; i < stretches[s].length; i++)                                                         \
                body;                                                                                                  \
        }                                                                                                              \
    }

LOOP(add_product, to[i] += number * from[i])
LOOP(add_number, to[i] += number)
LOOP(set_number, to[i] = number)
LOOP(take_greater, to[i] = from[i] > to[i] ? from[i] : to[i])
LOOP(take_less, to[i] = from[i] < to[i] ? from[i] : to[i])
LOOP(limit_below, to[i] = number > to[i] ? number : to[i])
LOOP(limit_above, to[i] = number < to[i] ? number : to[i])
LOOP(divide, to[i] /= number)

static void run(const struct dd_blocks *blocks, dd_visitor *visitor, const double *from, double *to, double number)
{
    struct loop loop = {.from = from, .to = to, .number = number};
    dd_blocks_visit(blocks, visitor, &loop);
}

/* --- sweeps --- */

static void apply_sum(struct chance_operator *all, const struct sweep_choice *choice, const double *x, double *sum,
                      enum chance_side side)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct sweep_move *move = &all->moves.items[choice->first + i];
        run(move->pairs, add_product, x, sum, move->weight[side]);
        run(move->ones, add_number, sum, sum, move->weight[side]);
    }
    for (uint32_t i = 0; i < choice->gain_count; i++) {
        const struct sweep_number *gain = &all->gains.items[choice->first_gain + i];
        run(gain->rows, add_number, sum, sum, gain->number[side]);
    }
}

static void apply_choice(struct chance_operator *all, const struct sweep_choice *choice, const double *x, double *y,
                         enum chance_side side)
{
    bool is_least = all->problem->is_least;
    dd_visitor *better = is_least ? take_less : take_greater;
    if (choice->is_direct) {
        const struct sweep_move *move = &all->moves.items[choice->first];
        run(move->pairs, better, x, y, 0);
        run(move->ones, is_least ? limit_above : limit_below, y, y, 1);
        run(move->zeros, is_least ? limit_above : limit_below, y, y, 0);
        return;
    }
    run(choice->rows, set_number, all->sum, all->sum, 0);
    apply_sum(all, choice, x, all->sum, side);
    run(choice->rows, better, all->sum, y, 0);
}

static __attribute__((noinline)) void fill(double *y, uint64_t size, double value)
{
    for (uint64_t i = 0; i < size; i++)
        y[i] = value;
}

static __attribute__((noinline)) void cut(double *y, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        y[i] = y[i] < 1 ? y[i] : 1;
}

static void apply_own_gains(struct chance_operator *all, double *y, enum chance_side side)
{
    for (size_t i = 0; i < all->own_gains.count; i++)
        run(all->own_gains.items[i].rows, add_number, y, y, all->own_gains.items[i].number[side]);
}

void chance_operator_apply(struct chance_operator *all, const double *x, double *y, enum chance_side side)
{
    fesetround(side == SIDE_LOWER ? FE_DOWNWARD : FE_UPWARD);
    fill(y, all->size, !all->is_chain && all->problem->is_least ? INFINITY : 0);
    for (size_t c = 0; c < all->choices.count; c++)
        if (all->is_chain)
            apply_sum(all, &all->choices.items[c], x, y, side);
        else
            apply_choice(all, &all->choices.items[c], x, y, side);
    if (all->is_rate)
        apply_own_gains(all, y, side);
    for (size_t i = 0; i < all->divisors.count; i++) /* the greater one makes it less */
        run(all->divisors.items[i].rows, divide, y, y, all->divisors.items[i].number[!side]);
    run(all->dead, set_number, y, y, 0);
    run(all->dead, add_product, x, y, 1);
    if (!all->is_rate)
        apply_own_gains(all, y, side);
    if (!all->problem->is_reward)
        cut(y, all->size);
    fesetround(FE_TONEAREST);
}

/* --- the widest way --- */

static void raise_pairs(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)
{
    struct loop *loop = user;
    for (size_t s = 0; s < count; s++) {
        double *to = loop->to + row + stretches[s].row;
        const double *u = loop->other + column + stretches[s].column, *w = loop->from + column + stretches[s].column;
        for (uint32_t i = 0; i < stretches[s].length; i++) {
            double width = u[i] < w[i] ? u[i] : w[i];
            if (width > to[i]) {
                to[i] = width;
                loop->is_changed = true;
            }
        }
    }
}

static bool widen_choice(struct chance_operator *all, const struct sweep_choice *choice, const double *u, double *w)
{
    struct loop loop = {.to = w};
    if (choice->is_direct) {
        const struct sweep_move *move = &all->moves.items[choice->first];
        loop.from = w;
        loop.other = u;
        dd_blocks_visit(move->pairs, raise_pairs, &loop);
        run(move->ones, limit_below, w, w, 1); /* once and for all */
        return loop.is_changed;
    }
    run(choice->rows, set_number, all->sum, all->sum, 0);
    run(choice->rows, set_number, all->widest, all->widest, 0);
    fesetround(FE_UPWARD);
    apply_sum(all, choice, u, all->sum, SIDE_UPPER);
    fesetround(FE_TONEAREST);
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct sweep_move *move = &all->moves.items[choice->first + i];
        run(move->pairs, take_greater, w, all->widest, 0);
        run(move->ones, limit_below, all->widest, all->widest, 1);
    }
    loop.from = all->widest;
    loop.other = all->sum;
    dd_blocks_visit(choice->rows, raise_pairs, &loop);
    return loop.is_changed;
}

bool chance_operator_widen(struct chance_operator *all, const double *u, double *w)
{
    bool is_changed = false;
    for (size_t c = 0; c < all->choices.count; c++)
        is_changed |= widen_choice(all, &all->choices.items[c], u, w);
    return is_changed;
}

/* --- making it --- */

static struct dd_blocks *block_of(struct chance_operator *all, dd relation, dd changed)
{
    struct dd_blocks *blocks = NULL;
    uint64_t left = all->limit > all->bytes ? all->limit - all->bytes : 1;
    if (!all->is_failed)
        blocks = dd_blocks_create(all->index, relation, changed, left);
    all->is_failed |= !blocks;
    all->bytes += blocks ? dd_blocks_bytes(blocks) : 0;
    return blocks;
}

static void add_move(struct chance_operator *all, struct chance *chance, const struct chance_move *move, dd rows)
{
    struct dd_manager *m = chance->model.m;
    const struct chance_outcome *outcome = &chance->outcomes.items[move->outcome];
    const struct chance_problem *problem = all->problem;
    dd keep[2] = {dd_and(m, rows, move->where), DD_FALSE};
    if (keep[0] == DD_FALSE)
        return;
    dd_register(m, keep, 2);
    struct sweep_move made = {.weight = {move->lower, move->upper}};
    keep[1] = dd_and(m, outcome->step.relation, keep[0]);
    made.pairs = block_of(all, keep[1], outcome->step.changed);
    made.ones = block_of(all, dd_previous(m, problem->one, keep[1], outcome->step.changed), DD_TRUE);
    dd elsewhere = dd_or(m, problem->one, problem->unknown); /* in what is left the value is 0 */
    elsewhere = dd_previous(m, elsewhere, keep[1], outcome->step.changed);
    made.zeros = block_of(all, dd_difference(m, keep[0], elsewhere), DD_TRUE);
    dd_unregister(m, keep);
    VEC_PUSH(&all->moves, made);
}

static void add_gain(struct chance_operator *all, struct chance *chance, const struct chance_gain *gain, dd rows)
{
    struct sweep_number made = {NULL, {gain->lower, gain->upper}};
    made.rows = block_of(all, dd_and(chance->model.m, gain->where, rows), DD_TRUE);
    if (gain->choice == GAIN_OF_STATE)
        VEC_PUSH(&all->own_gains, made);
    else
        VEC_PUSH(&all->gains, made);
}

static void add_choice(struct chance_operator *all, struct chance *chance, uint32_t number)
{
    const struct chance_choice *choice = &chance->choices.items[number];
    const struct chance_problem *problem = all->problem;
    dd rows = problem->rows[number];
    if (rows == DD_FALSE)
        return;
    struct sweep_choice made = {.first = (uint32_t)all->moves.count, .first_gain = (uint32_t)all->gains.count};
    for (uint32_t i = 0; i < choice->move_count && !all->is_failed; i++)
        add_move(all, chance, &chance->moves.items[choice->first_move + i], rows);
    for (size_t i = 0; i < problem->gain_count && !problem->is_instant && !all->is_failed; i++)
        if (problem->gains[i].choice == number)
            add_gain(all, chance, &problem->gains[i], rows);
    made.count = (uint32_t)all->moves.count - made.first;
    made.gain_count = (uint32_t)all->gains.count - made.first_gain;
    made.rows = block_of(all, rows, DD_TRUE);
    const struct sweep_move *first = made.count ? &all->moves.items[made.first] : NULL;
    made.is_direct = made.count == 1 && !made.gain_count && first->weight[0] == 1 && first->weight[1] == 1;
    VEC_PUSH(&all->choices, made);
}

/* What the weights of all that is enabled add up to: the number of choices, or the rate. As leaves; DD_NONE: no memory. */
static dd add_up(struct chance *chance, dd unknown)
{
    struct dd_manager *m = chance->model.m;
    bool is_rate = chance->chain->kind == CHAIN_CTMC;
    dd keep[4] = {dd_leaf(m, 0), DD_FALSE, DD_FALSE, DD_FALSE}; /* nothing, all, a number, where */
    dd_register(m, keep, 4);
    keep[1] = keep[0];
    for (size_t c = 0; c < chance->choices.count; c++) {
        const struct chance_choice *choice = &chance->choices.items[c];
        for (uint32_t i = 0; i < (is_rate ? choice->move_count : 1); i++) {
            const struct chance_move *move = is_rate ? &chance->moves.items[choice->first_move + i] : NULL;
            keep[3] = dd_and(m, move ? move->where : choice->enabled, unknown);
            keep[2] = dd_leaf(m, move ? move->lower / 2 + move->upper / 2 : 1);
            keep[2] = dd_select(m, keep[3], keep[2], keep[0]);
            keep[1] = dd_apply(m, DD_PLUS, keep[1], keep[2]);
        }
    }
    dd_unregister(m, keep);
    return keep[1];
}

/* The states by that, the least first. */
static void add_divisors(struct chance_operator *all, struct chance *chance)
{
    struct dd_manager *m = chance->model.m;
    bool is_rate = chance->chain->kind == CHAIN_CTMC;
    double slack = is_rate ? (double)(chance->moves.count + 4) * 0x1p-52 : 0, value = 0;
    dd keep[4] = {add_up(chance, all->problem->unknown), DD_FALSE, DD_FALSE, DD_FALSE}; /* all, left, more, endless */
    dd_register(m, keep, 4);
    keep[3] = dd_leaf(m, INFINITY);
    keep[1] = dd_above(m, keep[0], 0);
    while (keep[1] != DD_FALSE && keep[1] != DD_NONE && !all->is_failed) {
        dd least = dd_select(m, keep[1], keep[0], keep[3]);
        least = dd_abstract(m, DD_MIN, least, chance->model.encoding->current);
        if (least == DD_NONE)
            break;
        value = dd_leaf_value(m, least);
        struct sweep_number divisor = {NULL, {value * (1 - slack), value * (1 + slack)}};
        keep[2] = dd_above(m, keep[0], value);
        keep[2] = dd_and(m, keep[1], keep[2]);
        if (value != 1 || slack != 0) {
            divisor.rows = block_of(all, dd_difference(m, keep[1], keep[2]), DD_TRUE);
            VEC_PUSH(&all->divisors, divisor);
        }
        keep[1] = keep[2];
    }
    all->is_failed |= keep[1] != DD_FALSE;
    dd_unregister(m, keep);
}

struct chance_operator *chance_operator_create(struct chance *chance, const struct chance_problem *problem,
                                               struct dd_index *index)
{
    struct chance_operator *all = memory_zeroed(1, sizeof *all);
    uint64_t memory = chance->model.options->limits.memory_bytes;
    *all = (struct chance_operator){.problem = problem, .index = index, .size = dd_index_size(index),
                                    .is_chain = chance->chain->kind != CHAIN_MDP,
                                    .is_rate = chance->chain->kind == CHAIN_CTMC,
                                    .limit = memory ? memory / 4 : UINT64_MAX};
    for (uint32_t c = 0; c < chance->choices.count && !all->is_failed; c++)
        add_choice(all, chance, c);
    for (size_t i = 0; i < problem->gain_count && !problem->is_instant && !all->is_failed; i++)
        if (problem->gains[i].choice == GAIN_OF_STATE)
            add_gain(all, chance, &problem->gains[i], problem->unknown);
    all->dead = block_of(all, dd_and(chance->model.m, problem->unknown, chance->dead), DD_TRUE);
    if (all->is_chain && !all->is_failed)
        add_divisors(all, chance);
    bool needs_sum = false;
    for (size_t c = 0; c < all->choices.count; c++)
        needs_sum |= !all->is_chain && !all->choices.items[c].is_direct;
    if (needs_sum && !all->is_failed) {
        all->sum = memory_alloc((all->size + 1) * sizeof *all->sum);
        all->widest = problem->may_go_round ? memory_alloc((all->size + 1) * sizeof *all->widest) : NULL;
    }
    if (!all->is_failed)
        return all;
    chance_operator_destroy(all);
    return NULL;
}

void chance_operator_destroy(struct chance_operator *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->moves.count; i++) {
        dd_blocks_destroy(all->moves.items[i].pairs);
        dd_blocks_destroy(all->moves.items[i].ones);
        dd_blocks_destroy(all->moves.items[i].zeros);
    }
    for (size_t i = 0; i < all->choices.count; i++)
        dd_blocks_destroy(all->choices.items[i].rows);
    for (size_t i = 0; i < all->gains.count; i++)
        dd_blocks_destroy(all->gains.items[i].rows);
    for (size_t i = 0; i < all->own_gains.count; i++)
        dd_blocks_destroy(all->own_gains.items[i].rows);
    for (size_t i = 0; i < all->divisors.count; i++)
        dd_blocks_destroy(all->divisors.items[i].rows);
    dd_blocks_destroy(all->dead);
    VEC_FREE(&all->moves);
    VEC_FREE(&all->choices);
    VEC_FREE(&all->gains);
    VEC_FREE(&all->own_gains);
    VEC_FREE(&all->divisors);
    free(all->sum);
    free(all->widest);
    free(all);
}

uint64_t chance_operator_bytes(const struct chance_operator *all)
{
    return all->bytes;
}
