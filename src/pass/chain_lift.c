#include "pass/chain_lift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/chain.h"
#include "pass/unreduce.h"
#include "result/chance.h"

static const double SAME_CHANCE = 1e-9;

struct lifting {
    const struct layout *layout, *counted;
    const struct census *census;
    struct stepper *stepper;
    struct chances *chances;
    int32_t *room, *cells;     /* cells: of the successor that is taken */
    const double *run_chances; /* of the steps of the run; or NULL */
};

/* The successors that one choice has; `first` is where it leads to the wanted numbers. */
struct lift_candidate {
    const struct choice *choice;
    uint64_t way, taken_instance;
    const struct rule *rule;
    double chance;
};

/* Is the state of the model counted as that one? */
static bool is_image(const struct lifting *all, const int32_t *cells, const int32_t *wanted)
{
    return census_abstract(all->census, cells, all->room) &&
           !memcmp(all->room, wanted, all->counted->cell_count * sizeof *wanted);
}

static void keep_step(struct lifting *all, const struct step *step, double weight, struct lift_candidate *candidate)
{
    if (!candidate->rule) {
        candidate->rule = step->rule;
        candidate->taken_instance = step->instance;
        memcpy(all->cells, step->cells, all->layout->cell_count * sizeof *all->cells);
    }
    candidate->chance += weight;
}

static bool fits(const struct lifting *all, const struct lift_candidate *candidate, const double *chance)
{
    bool is_mdp = all->layout->system->chain->kind == CHAIN_MDP;
    return candidate->rule && (!chance || !is_mdp || fabs(candidate->chance - *chance) <= SAME_CHANCE);
}

/* Choice by choice, as the stepper enumerates them. */
static bool take_step(struct lifting *all, struct trace *trace, const int32_t *wanted, const double *chance)
{
    const struct chain *chain = all->layout->system->chain;
    struct lift_candidate candidate = {0};
    struct step step;
    enum step_outcome outcome;
    const int32_t *source = trace->steps[trace->count - 1].cells;
    bool is_found = false;
    chances_load(all->chances, source);
    stepper_begin_successors(all->stepper, source);
    while (!is_found && (outcome = stepper_next(all->stepper, &step)) != STEP_END) {
        double weight = chances_weight(all->chances, step.rule, step.instance);
        const struct choice *choice = &chain->choices[chain_choice(chain, step.rule)];
        if (outcome != STEP_STATE || weight <= 0)
            continue;
        uint64_t way = chain_way(step.rule, step.instance);
        if (choice != candidate.choice || way != candidate.way) {
            is_found = fits(all, &candidate, chance);
            if (is_found)
                break;
            candidate = (struct lift_candidate){.choice = choice, .way = way};
        }
        if (is_image(all, step.cells, wanted))
            keep_step(all, &step, weight, &candidate);
    }
    if (!is_found && !fits(all, &candidate, chance))
        return false;
    trace_push(trace, candidate.rule, candidate.taken_instance, all->cells, NULL);
    return true;
}

static bool take_start(struct lifting *all, struct trace *trace, const int32_t *wanted)
{
    struct step step;
    enum step_outcome outcome;
    stepper_begin_starts(all->stepper);
    while ((outcome = stepper_next(all->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && is_image(all, step.cells, wanted)) {
            trace_push(trace, step.rule, step.instance, step.cells, NULL);
            return true;
        }
    return false;
}

static bool follow(void *user, struct trace *trace, const struct trace *run, uint32_t number)
{
    struct lifting *all = user;
    const int32_t *wanted = run->steps[number].cells;
    if (!wanted)
        return false;
    return trace->count ? take_step(all, trace, wanted, all->run_chances ? &all->run_chances[number] : NULL)
                        : take_start(all, trace, wanted);
}

struct trace *chain_lift(const struct layout *layout, const struct census *census, const struct trace *run,
                         const double *chances)
{
    struct lifting all = {.layout = layout, .counted = run->layout, .census = census, .run_chances = chances};
    bool is_wrong;
    if (!run->count)
        return NULL;
    all.stepper = stepper_create_vm(layout->system, layout);
    all.chances = chances_create(layout);
    all.room = memory_zeroed(run->layout->cell_count + 1, sizeof *all.room);
    all.cells = memory_zeroed(layout->cell_count + 1, sizeof *all.cells);
    struct trace *trace = unreduce_run(layout, run, follow, &all, &is_wrong);
    stepper_destroy(all.stepper);
    chances_destroy(all.chances);
    free(all.room);
    free(all.cells);
    return trace;
}
