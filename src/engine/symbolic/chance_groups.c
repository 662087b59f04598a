/* In a chain all moves are added up, so those that are alike are one, as often as they are there: counted models have a
 * command for each module that may take it. */
#include "engine/symbolic/chance_numbers.h"

static dd add_relation(struct dd_manager *m, dd matrix, dd relation)
{
    dd keep[3] = {relation, DD_FALSE, DD_FALSE};
    dd_register(m, keep, 3);
    keep[1] = dd_leaf(m, 1);
    keep[2] = dd_leaf(m, 0);
    keep[1] = dd_select(m, keep[0], keep[1], keep[2]);
    dd_unregister(m, keep);
    return dd_apply(m, DD_PLUS, matrix, keep[1]);
}

static struct chance_group *find(chance_groups *groups, struct dd_manager *m, dd changed,
                                 const struct chance_move *move)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct chance_group *group = &groups->items[i];
        if (group->changed == changed && group->lower == move->lower && group->upper == move->upper)
            return group;
    }
    struct chance_group fresh = {changed, move->lower, move->upper, dd_ref(m, dd_leaf(m, 0))};
    VEC_PUSH(groups, fresh);
    return &VEC_LAST(groups);
}

static bool add_move(struct chance *chance, const struct chance_move *move, dd rows, chance_groups *groups)
{
    struct dd_manager *m = chance->model.m;
    const struct chance_outcome *outcome = &chance->outcomes.items[move->outcome];
    struct chance_group *group = find(groups, m, outcome->step.changed, move);
    dd relation = dd_and(m, rows, move->where);
    relation = dd_and(m, outcome->step.relation, relation);
    dd matrix = dd_ref(m, add_relation(m, group->matrix, relation));
    dd_unref(m, group->matrix);
    group->matrix = matrix;
    return matrix != DD_NONE;
}

bool chance_find_groups(struct chance *chance, const struct chance_problem *problem, chance_groups *groups)
{
    bool is_good = true;
    for (uint32_t c = 0; c < chance->choices.count; c++) {
        const struct chance_choice *choice = &chance->choices.items[c];
        for (uint32_t i = 0; i < choice->move_count && is_good; i++)
            is_good = add_move(chance, &chance->moves.items[choice->first_move + i], problem->rows[c], groups);
    }
    return is_good;
}

void chance_groups_free(struct chance *chance, chance_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        dd_unref(chance->model.m, groups->items[i].matrix);
    VEC_FREE(groups);
}
