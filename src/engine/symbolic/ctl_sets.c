/* The sets of a formula. Everything is reduced to EX, EU, EG, EY and EP; paths are maximal, so a state without
 * successors is the end of one.
 *
 * All functions take referenced sets, leave them to the caller, and return referenced ones. DD_NONE goes through
 * everything to the end. */
#include "engine/symbolic/ctl.h"

#include <stdlib.h>

dd set_and(struct symbolic_model *model, dd a, dd b)
{
    return dd_ref(model->m, dd_and(model->m, a, b));
}

dd set_or(struct symbolic_model *model, dd a, dd b)
{
    return dd_ref(model->m, dd_or(model->m, a, b));
}

dd set_without(struct symbolic_model *model, dd a, dd b)
{
    return dd_ref(model->m, dd_difference(model->m, a, b));
}

dd set_complement(struct symbolic_model *model, dd set)
{
    return set_without(model, model->reached, set);
}

dd set_close(struct symbolic_model *model, dd set)
{
    dd_ref(model->m, set);
    dd closed = dd_ref(model->m, symbolic_meet(model, set, model->reached));
    dd_unref(model->m, set);
    return closed;
}

static dd set_before(struct symbolic_model *model, dd set)
{
    return set_close(model, symbolic_previous(model, set));
}

dd set_after(struct symbolic_model *model, dd set)
{
    return set_close(model, symbolic_next(model, set));
}

dd set_ends(struct symbolic_model *model)
{
    dd before = set_before(model, model->reached), ends = set_complement(model, before);
    dd_unref(model->m, before);
    return ends;
}

static void set_replace(struct symbolic_model *model, dd *set, dd by)
{
    dd_unref(model->m, *set);
    *set = by;
}

/* The least set with `goal` in it and all of `inside` from which one step leads into it; forwards: to which one step
 * leads from it. */
static dd set_least(struct symbolic_model *model, dd inside, dd goal, dd (*step)(struct symbolic_model *, dd))
{
    dd all = dd_ref(model->m, goal), new = dd_ref(model->m, goal);
    while (new != DD_FALSE &&new != DD_NONE && all != DD_NONE) {
        set_replace(model, &new, step(model, new));
        set_replace(model, &new, set_and(model, new, inside));
        set_replace(model, &new, set_without(model, new, all));
        set_replace(model, &all, set_or(model, all, new));
    }
    bool is_good = new != DD_NONE;
    dd_unref(model->m, new);
    if (!is_good)
        set_replace(model, &all, DD_NONE);
    return all;
}

/* EG: the greatest part of the set from every state of which a step leads back into it, or none leads anywhere. */
static dd set_greatest(struct symbolic_model *model, dd set)
{
    dd ends = set_ends(model), all = dd_ref(model->m, set), before = DD_FALSE;
    while (before != all && all != DD_NONE) {
        set_replace(model, &before, dd_ref(model->m, all));
        dd step = set_before(model, all), stays = set_or(model, step, ends);
        set_replace(model, &all, set_and(model, all, stays));
        dd_unref(model->m, step);
        dd_unref(model->m, stays);
    }
    dd_unref(model->m, before);
    dd_unref(model->m, ends);
    return all;
}

/* --- temporal operators --- */

static dd sets_next(struct symbolic_model *model, dd set, bool is_all)
{
    if (!is_all)
        return set_before(model, set);
    dd other = set_complement(model, set), before = set_before(model, other), all = set_complement(model, before);
    dd_unref(model->m, other);
    dd_unref(model->m, before);
    return all;
}

/* A[f U g] = !(E[!g U (!f & !g)] | EG !g) */
static dd sets_all_until(struct symbolic_model *model, dd left, dd right)
{
    dd not_right = set_complement(model, right), neither = set_without(model, not_right, left);
    dd fails = set_least(model, not_right, neither, set_before), never = set_greatest(model, not_right);
    dd either = set_or(model, fails, never), all = set_complement(model, either);
    dd used[] = {not_right, neither, fails, never, either};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        dd_unref(model->m, used[i]);
    return all;
}

/* Not: some (not f). */
static dd sets_dual(struct symbolic_model *model, dd set, bool is_always)
{
    dd other = set_complement(model, set);
    dd some = is_always ? set_least(model, model->reached, other, set_before) : set_greatest(model, other);
    dd all = set_complement(model, some);
    dd_unref(model->m, other);
    dd_unref(model->m, some);
    return all;
}

static dd sets_temporal(struct symbolic_model *model, enum ctl_kind kind, dd left, dd right)
{
    switch (kind) {
    case CTL_EX:
    case CTL_AX:
        return sets_next(model, left, kind == CTL_AX);
    case CTL_EF:
        return set_least(model, model->reached, left, set_before);
    case CTL_EG:
        return set_greatest(model, left);
    case CTL_EU:
        return set_least(model, left, right, set_before);
    case CTL_AF:
    case CTL_AG:
        return sets_dual(model, left, kind == CTL_AG);
    case CTL_AU:
        return sets_all_until(model, left, right);
    case CTL_EY:
        return set_after(model, left);
    case CTL_EP:
        return set_least(model, model->reached, left, set_after);
    default:
        UNREACHABLE("temporal operator");
    }
}

/* --- the formula --- */

static bool sets_of_proposition(struct symbolic_model *model, const struct ctl *ctl, struct ctl_sets *sets)
{
    struct formula_sets found;
    if (!symbolic_formula(model, ctl->proposition->formula, false, &found))
        return false;
    sets->sure = set_and(model, found.holds, model->reached);
    dd wrong = set_and(model, found.wrong, model->reached);
    sets->maybe = set_or(model, sets->sure, wrong);
    dd_unref(model->m, wrong);
    dd_unref(model->m, found.holds);
    dd_unref(model->m, found.wrong);
    return true;
}

static void sets_of_deadlock(struct symbolic_model *model, struct ctl_sets *sets)
{
    enum deadlock_mode mode = model->options->deadlock;
    dd alive = dd_ref(model->m, symbolic_alive(model, mode == DEADLOCK_STUCK ? mode : DEADLOCK_STUTTERING));
    sets->sure = set_complement(model, alive);
    sets->maybe = dd_ref(model->m, sets->sure);
    dd_unref(model->m, alive);
}

/* The bits of the variable, which is part of the state. */
static dd sets_cube(const struct symbolic_model *model, const struct variable *variable)
{
    uint32_t variables[64], count = encoding_width(model->encoding, variable->address);
    for (uint32_t b = 0; b < count; b++)
        variables[b] = encoding_variable(model->encoding, variable->address, b);
    return dd_ref(model->m, dd_cube(model->m, variables, count));
}

/* For some value of the variable, whatever it is now. */
static dd sets_some(struct symbolic_model *model, dd set, dd cube)
{
    dd some = dd_ref(model->m, dd_exists(model->m, set, cube)), closed = set_close(model, some);
    dd_unref(model->m, some);
    return closed;
}

static dd sets_quantified(struct symbolic_model *model, dd set, dd cube, bool is_all)
{
    if (!is_all)
        return sets_some(model, set, cube);
    dd other = set_complement(model, set), some = sets_some(model, other, cube), all = set_complement(model, some);
    dd_unref(model->m, other);
    dd_unref(model->m, some);
    return all;
}

/* One of the two sets of the formula from those of its operands. */
static dd sets_combine(struct symbolic_model *model, const struct ctl *ctl, dd left, dd right, dd cube)
{
    dd other, result;
    switch (ctl->kind) {
    case CTL_AND:
        return set_and(model, left, right);
    case CTL_OR:
        return set_or(model, left, right);
    case CTL_IMPLIES: /* left is the other set: an implication falls with it */
        other = set_complement(model, left);
        result = set_or(model, other, right);
        dd_unref(model->m, other);
        return result;
    case CTL_NOT:
        return set_complement(model, left);
    case CTL_FORALL:
    case CTL_EXISTS:
        return sets_quantified(model, left, cube, ctl->kind == CTL_FORALL);
    default:
        return sets_temporal(model, ctl->kind, left, right);
    }
}

static void sets_of_operator(struct symbolic_model *model, const struct ctl *ctl, const struct ctl_sets *left,
                             const struct ctl_sets *right, struct ctl_sets *sets)
{
    bool falls = ctl->kind == CTL_NOT || ctl->kind == CTL_IMPLIES;
    dd cube = ctl->variable ? sets_cube(model, ctl->variable) : DD_TRUE;
    sets->sure = sets_combine(model, ctl, falls ? left->maybe : left->sure, right->sure, cube);
    bool is_certain = left->sure == left->maybe && right->sure == right->maybe;
    sets->maybe = is_certain ? dd_ref(model->m, sets->sure)
                             : sets_combine(model, ctl, falls ? left->sure : left->maybe, right->maybe, cube);
    dd_unref(model->m, cube);
}

const struct ctl_sets *ctl_table_get(const struct ctl_table *table, const struct ctl *ctl)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].ctl == ctl)
            return &table->items[i];
    UNREACHABLE("a formula whose sets were not found");
}

bool ctl_table_fill(struct symbolic_model *model, const struct ctl *ctl, struct ctl_table *table)
{
    struct ctl_sets sets = {ctl, DD_FALSE, DD_FALSE}, none = {0};
    if ((ctl->left && !ctl_table_fill(model, ctl->left, table)) ||
        (ctl->right && !ctl_table_fill(model, ctl->right, table)))
        return false;
    none.sure = none.maybe = DD_FALSE;
    if (ctl->kind == CTL_PROPOSITION) {
        if (!sets_of_proposition(model, ctl, &sets))
            return false;
    } else if (ctl->kind == CTL_DEADLOCK) {
        sets_of_deadlock(model, &sets);
    } else {
        sets_of_operator(model, ctl, ctl_table_get(table, ctl->left),
                         ctl->right ? ctl_table_get(table, ctl->right) : &none, &sets);
    }
    VEC_PUSH(table, sets);
    return (sets.sure != DD_NONE && sets.maybe != DD_NONE) || symbolic_failed(model);
}

void ctl_table_free(struct symbolic_model *model, struct ctl_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        dd_unref(model->m, table->items[i].sure);
        dd_unref(model->m, table->items[i].maybe);
    }
    VEC_FREE(table);
}
