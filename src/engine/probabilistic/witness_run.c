/* A run of the model through given states of the matrix, by the choices of a scheduler.
 *
 * The matrix may be that of a quotient: its states stand for their orbits. Then the run goes on from whatever state of
 * an orbit it has reached, by a choice that has the same chances of reaching the same orbits as the row it is to take.
 */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/walk.h"
#include "engine/probabilistic/witness.h"

static const double SAME_CHANCE = 1e-9;

/* A choice of the concrete state, as far as it has been enumerated. */
struct option {
    uint32_t choice;
    uint64_t way;
    double *sums;     /* by entry of the row */
    bool is_foreign;  /* it also leads where the row does not */
    struct step step; /* the first that leads to the next state of the path; rule NULL: none */
    int32_t *cells;
};

struct running {
    struct markov *markov;
    struct outcomes *outcomes; /* its stepper and its numbers of states */
    VEC(struct option) options;
    struct trace *trace;
};

static struct option *option_of(struct running *running, const struct step *step, uint64_t entries)
{
    uint32_t choice = chain_choice(running->markov->chain, step->rule);
    uint64_t way = chain_way(step->rule, step->instance);
    for (size_t i = running->options.count; i-- > 0;)
        if (running->options.items[i].choice == choice && running->options.items[i].way == way)
            return &running->options.items[i];
    VEC_PUSH(&running->options,
             ((struct option){.choice = choice, .way = way, .sums = memory_zeroed(entries + 1, sizeof(double))}));
    return &VEC_LAST(&running->options);
}

/* Adds an outcome to its choice. */
static void count_outcome(struct running *running, const struct step *step, double weight, uint32_t row,
                          uint32_t wanted)
{
    const struct matrix *matrix = &running->markov->matrix;
    uint64_t first = matrix->row_entry.items[row], end = matrix->row_entry.items[row + 1], entry = first;
    struct option *option = option_of(running, step, end - first);
    size_t size = running->markov->layout->cell_count * sizeof(int32_t);
    uint32_t target;
    if (!outcomes_number(running->outcomes, step->cells, &target)) {
        option->is_foreign = true;
        return;
    }
    while (entry < end && matrix->entries.items[entry].target != target)
        entry++;
    if (entry < end)
        option->sums[entry - first] += weight;
    option->is_foreign |= entry == end;
    if (target != wanted || option->step.rule)
        return;
    option->step = *step;
    option->cells = memory_alloc(size + 1);
    memcpy(option->cells, step->cells, size);
}

static bool is_the_row(const struct running *running, const struct option *option, uint32_t row)
{
    const struct matrix *matrix = &running->markov->matrix;
    uint64_t first = matrix->row_entry.items[row], end = matrix->row_entry.items[row + 1];
    if (!option->step.rule)
        return false;
    if (running->markov->chain->kind != CHAIN_MDP)
        return true; /* all choices are in the one row */
    for (uint64_t i = first; i < end; i++)
        if (fabs(option->sums[i - first] - matrix->entries.items[i].value) > SAME_CHANCE)
            return false;
    return !option->is_foreign;
}

/* The choice in the place of the row where that is it: others with the same chances may have other rewards. */
static const struct option *find_option(const struct running *running, uint32_t state, uint32_t row)
{
    uint32_t place = row - running->markov->matrix.state_row.items[state];
    if (place < running->options.count && is_the_row(running, &running->options.items[place], row))
        return &running->options.items[place];
    for (size_t i = 0; i < running->options.count; i++)
        if (is_the_row(running, &running->options.items[i], row))
            return &running->options.items[i];
    return NULL;
}

static void clear_options(struct running *running)
{
    for (size_t i = 0; i < running->options.count; i++) {
        free(running->options.items[i].sums);
        free(running->options.items[i].cells);
    }
    VEC_CLEAR(&running->options);
}

static bool take_step(struct running *running, uint32_t from, uint32_t to)
{
    struct markov *markov = running->markov;
    struct trace *trace = running->trace;
    struct step step;
    enum step_outcome outcome;
    double weight;
    uint32_t row = markov->witness.rows[from];
    memcpy(running->outcomes->source, trace->steps[trace->count - 1].cells,
           markov->layout->cell_count * sizeof(int32_t));
    weigher_load(running->outcomes->weigher, running->outcomes->source);
    stepper_begin_successors(running->outcomes->stepper, running->outcomes->source);
    while ((outcome = stepper_next(running->outcomes->stepper, &step)) != STEP_END && !watch_is_up())
        if (outcome == STEP_STATE && weigher_weigh(running->outcomes->weigher, step.rule, step.instance, &weight) &&
            weight > 0)
            count_outcome(running, &step, weight, row, to);
    const struct option *option = watch_is_up() ? NULL : find_option(running, from, row);
    if (option)
        trace_push(trace, option->step.rule, option->step.instance, option->cells, NULL);
    clear_options(running);
    return option != NULL;
}

struct trace *witness_run(struct markov *markov, const uint32_t *states, uint32_t count)
{
    const struct layout *layout = markov->layout;
    struct running running = {
        .markov = markov, .outcomes = outcomes_create(markov), .trace = trace_create(layout->system, layout)};
    bool is_right = walk_start(running.outcomes, states[0], running.trace);
    for (uint32_t i = 1; i < count && is_right; i++)
        is_right = take_step(&running, states[i - 1], states[i]);
    if (!is_right) {
        trace_destroy(running.trace);
        running.trace = NULL;
    }
    VEC_FREE(&running.options);
    outcomes_destroy(running.outcomes);
    return running.trace;
}
