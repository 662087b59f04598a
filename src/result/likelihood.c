#include "result/likelihood.h"

#include "exec/steppers.h"
#include "ir/chain.h"
#include "result/chance.h"

struct likelihood {
    const struct trace *trace;
    const struct chain *chain;
    struct stepper *stepper;
    struct chances *chances;
};

struct likelihood *likelihood_create(const struct trace *trace)
{
    struct likelihood *likelihood = memory_zeroed(1, sizeof *likelihood);
    likelihood->trace = trace;
    likelihood->chain = trace->system->chain;
    likelihood->stepper = stepper_create_vm(trace->system, trace->layout);
    likelihood->chances = chances_create(trace->layout);
    return likelihood;
}

void likelihood_destroy(struct likelihood *likelihood)
{
    stepper_destroy(likelihood->stepper);
    chances_destroy(likelihood->chances);
    free(likelihood);
}

struct likelihood_step likelihood_of_step(struct likelihood *likelihood, uint32_t at)
{
    const int32_t *before = likelihood->trace->steps[at - 1].cells;
    struct likelihood_step found = {0};
    struct step step = {0};
    double weights = 0;
    uint64_t way = 0;
    uint32_t last = UINT32_MAX; /* outcomes come choice by choice */
    chances_load(likelihood->chances, before);
    stepper_begin_successors(likelihood->stepper, before);
    while (stepper_next(likelihood->stepper, &step) != STEP_END) {
        uint32_t choice = chain_choice(likelihood->chain, step.rule);
        found.choices += choice != last || chain_way(step.rule, step.instance) != way;
        last = choice;
        way = chain_way(step.rule, step.instance);
        weights += chances_weight(likelihood->chances, step.rule, step.instance);
    }
    found.probability =
        chances_weight(likelihood->chances, likelihood->trace->steps[at].rule, likelihood->trace->steps[at].instance);
    /* In a DTMC every enabled choice is as likely as the others; in a CTMC all race (ir/chain.h). */
    if (likelihood->chain->kind == CHAIN_DTMC && found.choices)
        found.probability /= found.choices;
    else if (likelihood->chain->kind == CHAIN_CTMC && weights > 0)
        found.probability /= weights;
    return found;
}
