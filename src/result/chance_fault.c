#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "ir/chain.h"
#include "result/chance.h"

/* A choice that is enabled in the state, and the sum of the probabilities of its outcomes. */
struct chance_sum {
    const struct choice *choice;
    uint64_t way;            /* which of the choices that the rule stands for */
    const struct rule *rule; /* its first outcome */
    uint64_t instance;
    double sum;
};

struct result_inspection {
    const struct system *system;
    struct chances *chances;
    const int32_t *cells;
    VEC(struct chance_sum) sums;
    VEC(struct chance_fault) found;
};

static struct fault fault_of(const struct result_inspection *inspection, enum fault_kind kind, struct span span,
                             double number)
{
    return (struct fault){
        .kind = kind, .span = span, .number = number, .property = inspection->system->properties.items[SYSTEM_RUNTIME]};
}

static void add_fault(struct result_inspection *inspection, const struct step *step, struct fault fault)
{
    struct chance_fault item = {step ? step->rule : NULL, step ? step->instance : 0, fault};
    VEC_PUSH(&inspection->found, item);
}

static void add_weight(struct result_inspection *inspection, const struct step *step, double weight)
{
    const struct choice *choice =
        &inspection->system->chain->choices[chain_choice(inspection->system->chain, step->rule)];
    uint64_t way = chain_way(step->rule, step->instance);
    for (size_t i = 0; i < inspection->sums.count; i++) {
        struct chance_sum *sum = &inspection->sums.items[i];
        if (sum->choice == choice && sum->way == way) {
            sum->sum += weight;
            return;
        }
    }
    VEC_PUSH(&inspection->sums, ((struct chance_sum){choice, way, step->rule, step->instance, weight}));
}

/* What never happens may as well be wrong. */
static void inspect_step(struct result_inspection *inspection, enum step_outcome outcome, const struct step *step)
{
    struct fault fault;
    double weight;
    if (!chances_outcome(inspection->chances, step->rule, step->instance, &weight, &fault))
        add_fault(inspection, step, fault);
    else if (weight < 0)
        add_fault(inspection, step, fault_of(inspection, FAULT_NEGATIVE, step->rule->span, weight));
    else if (weight > 0 && outcome == STEP_FAULT)
        add_fault(inspection, step, step->fault);
    else
        add_weight(inspection, step, weight);
}

static void inspect_sums(struct result_inspection *inspection)
{
    for (size_t i = 0; i < inspection->sums.count; i++) {
        const struct chance_sum *sum = &inspection->sums.items[i];
        struct step step = {.rule = sum->rule, .instance = sum->instance};
        if (fabs(sum->sum - 1) <= CHANCES_TOLERANCE)
            continue;
        struct fault fault = fault_of_sum(sum->choice, sum->rule, sum->way, sum->sum);
        fault.property = inspection->system->properties.items[SYSTEM_RUNTIME];
        add_fault(inspection, &step, fault);
    }
}

static bool is_enabled(const struct result_inspection *inspection, const struct reward *item)
{
    for (size_t i = 0; i < inspection->sums.count; i++) {
        const struct chance_sum *sum = &inspection->sums.items[i];
        if (sum->sum > 0 && chain_is_same_action(item->action, sum->choice->action))
            return true;
    }
    return false;
}

static void inspect_reward(struct result_inspection *inspection, struct stepper *judge,
                           const struct reward_structure *structure, const struct reward *item)
{
    struct fault fault;
    double value;
    if (item->is_transition && !is_enabled(inspection, item))
        return;
    enum truth truth = stepper_judge(judge, item->guard, inspection->cells, NULL, &fault);
    if (truth == TRUTH_FALSE)
        return;
    if (truth == TRUTH_FAULT || !chances_number(inspection->chances, item->value, &value, &fault))
        add_fault(inspection, NULL, fault);
    else if (value < 0)
        add_fault(inspection, NULL, fault_of(inspection, FAULT_REWARD, structure->span, value));
}

static void inspect(struct result_inspection *inspection, struct stepper *stepper)
{
    const struct chain *chain = inspection->system->chain;
    struct step step;
    enum step_outcome outcome;
    stepper_begin_successors(stepper, inspection->cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome != STEP_DISCARDED)
            inspect_step(inspection, outcome, &step);
    if (chain->kind != CHAIN_CTMC && !inspection->found.count) /* else a part of the sum is not known */
        inspect_sums(inspection);
    for (uint32_t i = 0; i < chain->reward_count; i++)
        for (uint32_t k = 0; k < chain->rewards[i].count; k++)
            inspect_reward(inspection, stepper, &chain->rewards[i], &chain->rewards[i].items[k]);
}

struct chance_fault *chances_find_faults(const struct layout *layout, const int32_t *cells, size_t *count)
{
    struct result_inspection inspection = {.system = layout->system, .chances = chances_create(layout), .cells = cells};
    struct stepper *stepper = stepper_create_evaluator(layout->system, layout);
    chances_load(inspection.chances, cells);
    inspect(&inspection, stepper);
    stepper_destroy(stepper);
    chances_destroy(inspection.chances);
    VEC_FREE(&inspection.sums);
    *count = inspection.found.count;
    return inspection.found.items;
}

bool chances_confirm_fault(const struct layout *layout, const int32_t *cells, const struct chance_fault *claim)
{
    size_t count;
    bool is_found = false;
    struct chance_fault *faults = chances_find_faults(layout, cells, &count);
    for (size_t i = 0; i < count && !is_found; i++)
        is_found = faults[i].rule == claim->rule && faults[i].instance == claim->instance &&
                   faults[i].fault.kind == claim->fault.kind && faults[i].fault.property == claim->fault.property;
    free(faults);
    return is_found;
}
