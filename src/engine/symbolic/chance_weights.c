/* Weights. An outcome whose weight is 0 in a state does not happen there. */
#include <math.h>

#include "engine/symbolic/chance.h"

/* What rounding may add to a sum of chances that do not depend on the state. */
static const double SUM_TOLERANCE = 1e-9;

static struct expr constant(const struct system *system, int64_t value)
{
    return (struct expr){.kind = EXPR_CONST, .type = system->integer, .value = value};
}

static struct expr binary(const struct type *type, enum operator op, struct expr *left, struct expr *right)
{
    return (struct expr){.kind = EXPR_BINARY, .op = op, .type = type, .left = left, .right = right, .span = left->span};
}

/* Where "number op value" holds; kept. *is_wrong: where the number cannot be evaluated. */
static bool compare(struct chance *chance, struct expr *number, enum operator op, struct expr *value, dd *holds,
                    dd *is_wrong)
{
    struct expr condition = binary(chance->model.system->boolean, op, number, value);
    struct formula_sets sets;
    if (!symbolic_formula(&chance->model, &condition, false, &sets))
        return chance_stop(chance);
    *holds = chance_keep(chance, sets.holds);
    *is_wrong = chance_keep(chance, sets.wrong);
    dd_unref(chance->model.m, sets.holds);
    dd_unref(chance->model.m, sets.wrong);
    return true;
}

/* Where the weight is not 0. Divisors are refused: nobody has needed them yet. */
static bool nonzero(struct chance *chance, const struct rule *rule, dd *set)
{
    const struct weight *weight = rule->weight;
    struct expr zero = constant(chance->model.system, 0);
    dd wrong, negative;
    int sign = weight ? rational_sign(weight->factor) : 1;
    *set = sign ? DD_TRUE : DD_FALSE;
    if (weight && weight->bottom)
        return pctl_fail_at(&chance->evaluator, rule->span.line,
                            "a probability or rate divides by a variable, which the symbolic engine does not know");
    if (!sign || !weight || !weight->top)
        return true;
    if (!compare(chance, weight->top, OP_NE, &zero, set, &wrong) ||
        !compare(chance, weight->top, sign < 0 ? OP_GT : OP_LT, &zero, &negative, &wrong))
        return false;
    if (wrong != DD_FALSE || negative != DD_FALSE) {
        /* where the rule is enabled; whether that is reachable is seen later */
        dd bad = dd_or(chance->model.m, wrong, negative);
        *set = chance_keep(chance, dd_difference(chance->model.m, *set, bad));
    }
    return *set != DD_NONE;
}

bool chance_weigh(struct chance *chance, const struct ground_rule *rule, struct chance_outcome *outcome)
{
    struct dd_manager *m = chance->model.m;
    dd set;
    if (!nonzero(chance, rule->rule, &set))
        return false;
    outcome->step.changed = dd_ref(m, rule->step.changed);
    outcome->step.relation = dd_ref(m, dd_and(m, rule->step.relation, set));
    outcome->happens = dd_ref(m, dd_and(m, rule->fires, set));
    outcome->back = (struct dd_relation){DD_FALSE, outcome->step.changed};
    return (outcome->step.relation != DD_NONE && outcome->happens != DD_NONE) || chance_stop(chance);
}

/* --- are they right in all reached states? --- */

static bool check_rule(struct chance *chance, const struct ground_rule *rule)
{
    struct symbolic_model *model = &chance->model;
    const struct weight *weight = rule->rule->weight;
    struct expr zero = constant(model->system, 0);
    dd enabled = chance_keep(chance, dd_and(model->m, model->reached, dd_or(model->m, rule->fires, rule->faults)));
    dd faults = chance_keep(chance, dd_and(model->m, model->reached, rule->faults));
    dd holds, wrong;
    if (enabled == DD_NONE || faults == DD_NONE)
        return false;
    int sign = weight ? rational_sign(weight->factor) : 1;
    if (sign < 0 && !weight->top && enabled != DD_FALSE)
        return pctl_fail_at(&chance->evaluator, rule->rule->span.line, "a probability or rate is negative");
    if (weight && weight->top) {
        enum operator bad = sign<0 ? OP_GT : OP_LT;
        if (!compare(chance, weight->top, bad, &zero, &holds, &wrong))
            return false;
        holds = sign ? holds : DD_FALSE;
        if (dd_is_disjoint(model->m, enabled, dd_or(model->m, holds, wrong)) != DD_TRUE)
            return pctl_fail_at(&chance->evaluator, rule->rule->span.line,
                                "a probability or rate is negative, or has no value");
        if (!compare(chance, weight->top, OP_NE, &zero, &holds, &wrong))
            return false;
        faults = dd_and(model->m, faults, holds);
    }
    if (faults != DD_FALSE && sign) /* what never happens may as well be wrong */
        return pctl_fail_at(&chance->evaluator, rule->rule->span.line, "a variable leaves its range");
    return true;
}

struct addend {
    int64_t factor;
    struct expr *top; /* NULL: 1 */
};

/* The weights over one denominator. */
static bool bring_together(const struct choice *choice, const struct system *system, struct addend *addends,
                           int64_t *denominator)
{
    uint64_t common = 1;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < choice->rule_count; i++) {
            const struct weight *weight = system->rules.items[choice->first_rule + i]->weight;
            int64_t top = 1;
            uint64_t bottom = 1, a, b;
            if (weight && !rational_fits_fraction(weight->factor, &top, &bottom))
                return false;
            if (!pass) {
                for (a = common, b = bottom; b;) {
                    uint64_t rest = a % b;
                    a = b;
                    b = rest;
                }
                if (__builtin_mul_overflow(common, bottom / a, &common) || common > INT32_MAX)
                    return false;
            } else if (__builtin_mul_overflow(top, (int64_t)(common / bottom), &addends[i].factor))
                return false;
            addends[i].top = weight ? weight->top : NULL;
        }
    *denominator = (int64_t)common;
    return true;
}

/* Where it may be taken, also where none of its outcomes has a chance; kept. */
static dd find_guard(struct chance *chance, const struct chance_choice *choice)
{
    struct dd_manager *m = chance->model.m;
    dd guard = DD_FALSE;
    dd_register(m, &guard, 1);
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct ground_rule *rule = &chance->model.ground.rules.items[choice->first + i]; /* as many as outcomes */
        guard = dd_or(m, guard, dd_or(m, rule->fires, rule->faults));
    }
    dd_unregister(m, &guard);
    return chance_keep(chance, dd_and(m, chance->model.reached, guard));
}

static bool check_state_dependent_sum(struct chance *chance, const struct chance_choice *choice)
{
    const struct system *system = chance->model.system;
    uint32_t count = choice->choice->rule_count;
    struct addend *addends = memory_zeroed(count, sizeof *addends);
    struct expr *nodes = memory_zeroed(4 * (size_t)count + 1, sizeof *nodes), *sum = NULL;
    int64_t denominator;
    bool is_right = bring_together(choice->choice, system, addends, &denominator);
    size_t next = 0;
    for (uint32_t i = 0; i < count && is_right; i++) {
        struct expr *factor = &nodes[next++], *term = factor;
        *factor = constant(system, addends[i].factor);
        if (addends[i].top) {
            term = &nodes[next++];
            *term = binary(system->integer, OP_MUL, factor, addends[i].top);
        }
        if (sum) {
            struct expr *all = &nodes[next++];
            *all = binary(system->integer, OP_ADD, sum, term);
            sum = all;
        } else
            sum = term;
    }
    if (is_right) {
        struct expr whole = constant(system, denominator);
        dd holds, wrong, guard = find_guard(chance, choice);
        is_right = guard != DD_NONE && compare(chance, sum, OP_NE, &whole, &holds, &wrong) &&
                   dd_is_disjoint(chance->model.m, guard, dd_or(chance->model.m, holds, wrong)) == DD_TRUE;
    }
    free(addends);
    free(nodes);
    return is_right || pctl_fail_at(&chance->evaluator, choice->choice->span.line,
                                    "the probabilities do not add up to 1 in all states, or not without rounding");
}

static bool check_sum(struct chance *chance, const struct chance_choice *choice)
{
    const struct system *system = chance->model.system;
    double sum = 0;
    for (uint32_t i = 0; i < choice->choice->rule_count; i++) {
        const struct weight *weight = system->rules.items[choice->choice->first_rule + i]->weight;
        if (weight && weight->top)
            return check_state_dependent_sum(chance, choice);
        sum += weight ? weight->value : 1;
    }
    if (fabs(sum - 1) <= SUM_TOLERANCE || find_guard(chance, choice) == DD_FALSE)
        return true;
    return pctl_fail_at(&chance->evaluator, choice->choice->span.line, "the probabilities add up to %.12g", sum);
}

bool chance_check_weights(struct chance *chance)
{
    bool is_right = true;
    for (size_t i = 0; i < chance->model.ground.rules.count && is_right; i++)
        is_right = check_rule(chance, &chance->model.ground.rules.items[i]);
    for (size_t i = 0; i < chance->choices.count && is_right && chance->chain->kind != CHAIN_CTMC; i++)
        is_right = check_sum(chance, &chance->choices.items[i]);
    return is_right;
}
