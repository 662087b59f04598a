#include "result/luck.h"

#include "exec/steppers.h"
#include "ir/chain.h"
#include "result/chance.h"

struct luck {
    const struct trace *trace;
    const struct chain *chain;
    struct stepper *stepper;
    struct chances *chances;
};

struct luck *luck_create(const struct trace *trace)
{
    struct luck *luck = memory_zeroed(1, sizeof *luck);
    luck->trace = trace;
    luck->chain = trace->system->chain;
    luck->stepper = stepper_create_vm(trace->system, trace->layout);
    luck->chances = chances_create(trace->layout);
    return luck;
}

void luck_destroy(struct luck *luck)
{
    stepper_destroy(luck->stepper);
    chances_destroy(luck->chances);
    free(luck);
}

struct luck_step luck_of_step(struct luck *luck, uint32_t at)
{
    const int32_t *before = luck->trace->steps[at - 1].cells;
    struct luck_step found = {0};
    struct step step = {0};
    double weights = 0;
    uint64_t way = 0;
    uint32_t last = UINT32_MAX; /* outcomes come choice by choice */
    chances_load(luck->chances, before);
    stepper_begin_successors(luck->stepper, before);
    while (stepper_next(luck->stepper, &step) != STEP_END) {
        uint32_t choice = chain_choice(luck->chain, step.rule);
        found.choices += choice != last || chain_way(step.rule, step.instance) != way;
        last = choice;
        way = chain_way(step.rule, step.instance);
        weights += chances_weight(luck->chances, step.rule, step.instance);
    }
    found.chance = chances_weight(luck->chances, luck->trace->steps[at].rule, luck->trace->steps[at].instance);
    /* In a DTMC every enabled choice is as likely as the others; in a CTMC all race (ir/chain.h). */
    if (luck->chain->kind == CHAIN_DTMC && found.choices)
        found.chance /= found.choices;
    else if (luck->chain->kind == CHAIN_CTMC && weights > 0)
        found.chance /= weights;
    return found;
}
