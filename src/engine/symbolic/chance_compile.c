/* From relations and weights to blocks. */
#include <math.h>
#include <stdlib.h>

#include "engine/symbolic/chance_operator.h"

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

/* What the weights of all that is enabled add up to: the number of choices, or the rate. As leaves; DD_NONE: no memory.
 */
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

/* The states by that. */
static void add_divisors(struct chance_operator *all, struct chance *chance)
{
    struct dd_manager *m = chance->model.m;
    bool is_rate = chance->chain->kind == CHAIN_CTMC;
    double slack = is_rate ? (double)(chance->moves.count + 4) * 0x1p-52 : 0;
    dd sums = dd_ref(m, add_up(chance, all->problem->unknown));
    size_t count = 0;
    double *values = sums == DD_NONE ? NULL : dd_leaf_values(m, sums, &count);
    for (size_t i = 0; i < count && !all->is_failed; i++) {
        struct sweep_number divisor = {NULL, {values[i] * (1 - slack), values[i] * (1 + slack)}};
        if (values[i] == 0 || (values[i] == 1 && slack == 0))
            continue;
        divisor.rows = block_of(all, dd_equal(m, sums, dd_leaf(m, values[i])), DD_TRUE);
        VEC_PUSH(&all->divisors, divisor);
    }
    all->is_failed |= sums == DD_NONE;
    free(values);
    dd_unref(m, sums);
}

/* --- chains --- */

/* count * weight, rounded to both sides. */
static void multiply(double count, const struct chance_group *group, double weight[2])
{
    for (int side = 0; side < 2; side++) {
        double factor = side ? group->upper : group->lower, product = count * factor,
               error = fma(count, factor, -product);
        bool is_off = side ? error > 0 : error < 0;
        weight[side] = is_off ? nextafter(product, side ? INFINITY : 0) : product;
    }
}

/* One move for each number of times; `is_known`: into states of value 1, by the numbers in `times` for each row. */
static void group_split(struct chance_operator *all, struct chance *chance, const struct chance_group *group, dd times,
                        bool is_known)
{
    struct dd_manager *m = chance->model.m;
    size_t count = 0;
    double *values = times == DD_NONE ? NULL : dd_leaf_values(m, times, &count);
    all->is_failed |= times == DD_NONE;
    dd_ref(m, times);
    for (size_t i = 0; i < count && !all->is_failed; i++) {
        struct sweep_move made = {0};
        if (values[i] == 0)
            continue;
        multiply(values[i], group, made.weight);
        dd where = dd_equal(m, times, dd_leaf(m, values[i]));
        if (is_known)
            made.ones = block_of(all, where, DD_TRUE);
        else
            made.pairs = block_of(all, where, group->changed);
        VEC_PUSH(&all->moves, made);
    }
    dd_unref(m, times);
    free(values);
}

static void group_finish(struct chance_operator *all, struct chance *chance, const struct chance_group *group)
{
    struct dd_manager *m = chance->model.m;
    dd keep[2] = {dd_leaf(m, 1), DD_FALSE};
    dd_register(m, keep, 2);
    keep[1] = dd_leaf(m, 0);
    keep[0] = dd_select(m, all->problem->one, keep[0], keep[1]);
    keep[0] = dd_matrix_vector(m, group->matrix, keep[0], group->changed);
    group_split(all, chance, group, keep[0], true);
    group_split(all, chance, group, group->matrix, false);
    dd_unregister(m, keep);
}

static void add_chain(struct chance_operator *all, struct chance *chance)
{
    const struct chance_problem *problem = all->problem;
    struct sweep_choice made = {0};
    chance_groups groups = {0};
    all->is_failed |= !chance_find_groups(chance, problem, &groups);
    for (size_t i = 0; i < groups.count && !all->is_failed; i++)
        group_finish(all, chance, &groups.items[i]);
    chance_groups_free(chance, &groups);
    for (size_t i = 0; i < problem->gain_count && !problem->is_instant && !all->is_failed; i++)
        if (problem->gains[i].choice != GAIN_OF_STATE)
            add_gain(all, chance, &problem->gains[i], problem->rows[problem->gains[i].choice]);
    made.count = (uint32_t)all->moves.count;
    made.gain_count = (uint32_t)all->gains.count;
    VEC_PUSH(&all->choices, made);
}

struct chance_operator *chance_operator_create(struct chance *chance, const struct chance_problem *problem,
                                               struct dd_index *index)
{
    struct chance_operator *all = memory_zeroed(1, sizeof *all);
    uint64_t memory = chance->model.options->limits.memory_bytes;
    *all = (struct chance_operator){.problem = problem,
                                    .index = index,
                                    .size = dd_index_size(index),
                                    .is_chain = chance->chain->kind != CHAIN_MDP,
                                    .is_rate = chance->chain->kind == CHAIN_CTMC,
                                    .limit = memory ? memory / 4 : UINT64_MAX};
    if (all->is_chain)
        add_chain(all, chance);
    for (uint32_t c = 0; c < chance->choices.count && !all->is_chain && !all->is_failed; c++)
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
