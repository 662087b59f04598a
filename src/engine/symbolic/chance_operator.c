/* The operator of a chain or decision process on arrays: loops over stretches of states. Rounding is that of the mode
 * set around a sweep; values are computed only in loops that are called as kernels (base/rounding.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rounding.h"
#include "engine/symbolic/chance_operator.h"

/* --- loops --- */

struct symbolic_loop {
    const double *from, *other;
    double *to;
    double number;
    bool is_changed;
};

#define LOOP(name, body)                                                                                               \
    static void name(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)      \
    {                                                                                                                  \
        struct symbolic_loop *loop = user;                                                                             \
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
    struct symbolic_loop loop = {.from = from, .to = to, .number = number};
    if (blocks)
        dd_blocks_visit(blocks, ROUNDED(visitor), &loop);
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

static void fill(double *y, uint64_t size, double value)
{
    for (uint64_t i = 0; i < size; i++)
        y[i] = value;
}

static void cut(double *y, uint64_t size)
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
    rounding_set(side == SIDE_LOWER ? ROUNDING_DOWN : ROUNDING_UP);
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
    rounding_set(ROUNDING_NEAREST);
}

/* --- the widest way --- */

static void raise_pairs(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)
{
    struct symbolic_loop *loop = user;
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
    struct symbolic_loop loop = {.to = w};
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
    rounding_set(ROUNDING_UP);
    apply_sum(all, choice, u, all->sum, SIDE_UPPER);
    rounding_set(ROUNDING_NEAREST);
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
