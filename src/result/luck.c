#include "result/luck.h"

#include "exec/steppers.h"
#include "ir/chain.h"
#include "result/chance.h"

struct luck {
    const struct trace *trace;
    const struct chain *chain;
    struct stepper *stepper;
    struct chances *chances;
    bool *is_enabled; /* by choice */
};

struct luck *luck_create(const struct trace *trace)
{
    struct luck *luck = memory_zeroed(1, sizeof *luck);
    luck->trace = trace;
    luck->chain = trace->system->chain;
    luck->stepper = stepper_create_vm(trace->system, trace->layout);
    luck->chances = chances_create(trace->layout);
    luck->is_enabled = memory_zeroed((size_t)luck->chain->choice_count + 1, sizeof *luck->is_enabled);
    return luck;
}

void luck_destroy(struct luck *luck)
{
    stepper_destroy(luck->stepper);
    chances_destroy(luck->chances);
    free(luck->is_enabled);
    free(luck);
}

static uint32_t choice_of(const struct chain *chain, const struct rule *rule)
{
    uint32_t choice = 0;
    while (rule->id >= chain->choices[choice].first_rule + chain->choices[choice].rule_count)
        choice++;
    return choice;
}

struct luck_step luck_of_step(struct luck *luck, uint32_t at)
{
    const int32_t *before = luck->trace->steps[at - 1].cells;
    struct luck_step found = {0};
    struct step step = {0};
    double weights = 0;
    chances_load(luck->chances, before);
    for (uint32_t c = 0; c < luck->chain->choice_count; c++)
        luck->is_enabled[c] = false;
    stepper_begin_successors(luck->stepper, before);
    while (stepper_next(luck->stepper, &step) != STEP_END) {
        uint32_t choice = choice_of(luck->chain, step.rule);
        found.choices += !luck->is_enabled[choice];
        luck->is_enabled[choice] = true;
        weights += chances_weight(luck->chances, step.rule);
    }
    found.chance = chances_weight(luck->chances, luck->trace->steps[at].rule);
    /* In a DTMC every enabled choice is as likely as the others; in a CTMC all race (ir/chain.h). */
    if (luck->chain->kind == CHAIN_DTMC && found.choices)
        found.chance /= found.choices;
    else if (luck->chain->kind == CHAIN_CTMC && weights > 0)
        found.chance /= weights;
    return found;
}
