/* The carrier of the evaluator (pctl/evaluate.h): sets of reached states as diagrams, all of them kept until the
 * property is decided; numbers are found where somebody needs them. */
#include <stdlib.h>

#include "engine/symbolic/chance_numbers.h"
#include "pctl/refusal.h"

/* --- sets --- */

static union pctl_set set_of(dd diagram)
{
    return (union pctl_set){.diagram = diagram};
}

static bool condition(void *self, const struct pctl *formula, union pctl_set *set)
{
    struct chance *chance = self;
    struct symbolic_model *model = &chance->model;
    struct formula_sets sets;
    if (!symbolic_formula(model, formula->proposition->formula, false, &sets))
        return chance_stop(chance);
    bool is_wrong = dd_is_disjoint(model->m, model->reached, sets.wrong) != DD_TRUE;
    *set = set_of(chance_keep(chance, dd_and(model->m, model->reached, sets.holds)));
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    if (is_wrong)
        return pctl_fail_at(&chance->evaluator, formula->span.line,
                            "a condition of the property has no value in some state");
    return true;
}

static union pctl_set known(void *self, enum pctl_kind kind)
{
    const struct chance *chance = self;
    return set_of(kind == PCTL_INITIAL    ? chance->model.starts
                  : kind == PCTL_DEADLOCK ? chance->dead
                                          : chance->model.reached);
}

static union pctl_set copy(void *self, union pctl_set set)
{
    (void)self;
    return set;
}

static union pctl_set join(void *self, enum pctl_join how, union pctl_set a, union pctl_set b)
{
    struct chance *chance = self;
    dd (*const operations[])(struct dd_manager *, dd, dd) = {
        [PCTL_INTERSECTION] = dd_and, [PCTL_UNION] = dd_or, [PCTL_DIFFERENCE] = dd_difference, [PCTL_EITHER] = dd_xor};
    return set_of(chance_keep(chance, operations[how](chance->model.m, a.diagram, b.diagram)));
}

static bool is_empty(void *self, union pctl_set set)
{
    (void)self;
    return set.diagram == DD_FALSE;
}

static void free_set(void *self, union pctl_set set)
{
    (void)self, (void)set;
}

static union pctl_set before(void *self, union pctl_set set)
{
    return set_of(chance_before(self, set.diagram));
}

static union pctl_set reach(void *self, union pctl_set through, union pctl_set goal)
{
    return set_of(chance_reach(self, through.diagram, goal.diagram, NULL));
}

static union pctl_set stay(void *self, union pctl_set inside)
{
    return set_of(chance_forever(self, inside.diagram));
}

/* --- numbers --- */

static bool set_numbers(struct pctl_value *value, struct chance_value numbers)
{
    struct chance_value *made = memory_alloc(sizeof *made);
    *made = numbers;
    value->is_number = true;
    value->numbers = made;
    return true;
}

static void free_numbers(void *self, void *numbers)
{
    (void)self;
    free(numbers);
}

static bool number(void *self, const struct pctl *formula, struct pctl_value *value)
{
    (void)self;
    struct chance_value numbers = {.kind = CHANCE_NUMBER};
    chance_multiply(formula->number, 1, &numbers.number.lower, &numbers.number.upper);
    return set_numbers(value, numbers);
}

static bool compare(void *self, const struct pctl *formula, const void *left, const void *right, union pctl_set *set)
{
    struct chance *chance = self;
    const struct chance_value *a = left, *b = right;
    if (!b)
        return chance_decide(chance, formula, a, &set->diagram);
    if (a->kind != CHANCE_NUMBER || b->kind != CHANCE_NUMBER)
        return pctl_refuse_diagrams(&chance->evaluator, "a comparison of values that differ between states");
    int answer = pctl_number_compare(formula->op, &a->number, &b->number);
    *set = set_of(answer > 0 ? chance->model.reached : DD_FALSE);
    return answer || pctl_fail_undecided(&chance->evaluator, a->number.lower, a->number.upper);
}

static bool until(void *self, const struct pctl *formula, const struct pctl_until *until, struct pctl_value *value)
{
    struct chance_value found;
    (void)formula;
    return chance_measure_path(self, until, &found) && set_numbers(value, found);
}

static bool mean(void *self, const struct pctl *formula, union pctl_set set, struct pctl_value *value)
{
    (void)self;
    return set_numbers(value, (struct chance_value){.kind = CHANCE_REWARD, .reward = formula, .goal = set.diagram});
}

/* min and max. */
static bool fold(void *self, const struct pctl *formula, const struct pctl_value *inner, union pctl_set states,
                 struct pctl_value *value)
{
    struct chance *chance = self;
    struct chance_bounds bounds;
    if (states.diagram == DD_FALSE)
        return pctl_fail(&chance->evaluator, "no state satisfies the filter");
    if (!chance_range(chance, formula, inner->numbers, states.diagram, &bounds))
        return false;
    bool is_min = formula->filter == PCTL_FILTER_MIN;
    struct pctl_number number = is_min ? pctl_interval(bounds.least_lower, bounds.least_upper)
                                       : pctl_interval(bounds.greatest_lower, bounds.greatest_upper);
    return set_numbers(value, (struct chance_value){.kind = CHANCE_NUMBER, .number = number});
}

/* The others are refused (pctl/refusal.c). */
const struct pctl_carrier chance_carrier = {
    .condition = condition,
    .known = known,
    .copy = copy,
    .join = join,
    .is_empty = is_empty,
    .free_set = free_set,
    .before = before,
    .reach = reach,
    .stay = stay,
    .number = number,
    .free_numbers = free_numbers,
    .compare = compare,
    .until = until,
    .mean = mean,
    .fold = fold,
};
