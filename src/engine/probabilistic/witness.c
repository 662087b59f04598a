#include "engine/probabilistic/witness.h"

#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "numeric/likely.h"
#include "numeric/scheduler.h"

enum { MOST_POINTS = 256, MOST_STEPS = 400 };

static bool is_wanted(const struct markov *markov)
{
    return markov->options->detail && markov->initial_count == 1;
}

/* When there are too many points, every other one is dropped. */
static void thin(struct witness *witness)
{
    size_t kept = 0;
    for (size_t i = 0; i < witness->series.count; i += 2)
        witness->series.items[kept++] = witness->series.items[i];
    witness->series.count = kept;
    witness->stride *= 2;
}

static void keep_point(struct witness *witness, struct convergence_point point)
{
    size_t count = witness->series.count;
    const struct convergence_point *last = count ? &witness->series.items[count - 1] : NULL;
    if (last && last->lower == point.lower && last->upper == point.upper)
        return;
    /* What is verified is always kept. */
    bool is_news = !last || last->upper != point.upper;
    if (!is_news && point.iteration < last->iteration + witness->stride)
        return;
    if (count == MOST_POINTS)
        thin(witness);
    VEC_PUSH(&witness->series, point);
}

static void note(struct witness *witness, double lower, double upper)
{
    witness->lower = witness->has_bounds ? fmax(witness->lower, lower) : lower;
    witness->upper = witness->has_bounds ? fmin(witness->upper, upper) : upper;
    witness->has_bounds = true;
}

void witness_note(struct markov *markov, const struct pctl *formula, const struct bounds *bounds)
{
    if (formula == markov->evaluator.root && markov->initial_count == 1)
        note(&markov->witness, bounds->lower[0], bounds->upper[0]);
}

static void watch(void *user, uint64_t sweeps, double lower, double upper)
{
    struct markov *markov = user;
    struct witness *witness = &markov->witness;
    struct convergence_point point = {sweeps, lower, upper};
    witness->sweeps = sweeps;
    if (witness->is_root)
        note(witness, lower, upper);
    if (markov->options->detail)
        keep_point(witness, point);
}

void witness_open(struct markov *markov, const struct pctl *root)
{
    markov->evaluator.root = root;
    markov->witness.has_bounds = false;
}

static void forget(struct witness *witness)
{
    VEC_CLEAR(&witness->series);
    witness->stride = 1;
    free(witness->rows);
    free(witness->through);
    free(witness->goal);
    witness->rows = NULL;
    witness->through = witness->goal = NULL;
}

void witness_begin(struct markov *markov, const struct pctl *formula, struct fixpoint *problem)
{
    forget(&markov->witness);
    if (markov->initial_count != 1)
        return;
    markov->witness.is_root = formula == markov->evaluator.root;
    problem->watch = watch;
    problem->watched = 0;
}

static uint8_t *copy_set(const struct markov *markov, const uint8_t *set)
{
    uint8_t *copy = memory_zeroed((size_t)markov_count(markov) + 1, 1);
    memcpy(copy, set, markov_count(markov));
    return copy;
}

void witness_schedule(struct markov *markov, const struct fixpoint *problem, const double *values,
                      const uint8_t *through, const uint8_t *goal)
{
    struct witness *witness = &markov->witness;
    if (!is_wanted(markov))
        return;
    witness->rows = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *witness->rows);
    witness->through = copy_set(markov, through);
    witness->goal = copy_set(markov, goal);
    scheduler_choose(markov_reverse(markov), problem, values, through, goal, witness->rows);
}

static void attach_run(struct markov *markov, struct scheduled_run *run)
{
    const struct witness *witness = &markov->witness;
    struct likely_path path;
    if (!likely_path_find(&markov->matrix, witness->rows, witness->through, witness->goal, 0, &path))
        return;
    run->is_cut = path.count > MOST_STEPS + 1;
    run->trace = witness_run(markov, path.states, run->is_cut ? MOST_STEPS + 1 : path.count);
    run->chance = path.chance;
    if (run->trace)
        run->chances = path.chances;
    else
        free(path.chances);
    free(path.states);
}

void witness_attach(struct markov *markov, struct property_result *property)
{
    struct witness *witness = &markov->witness;
    struct quantity *quantity = &property->quantity;
    quantity_free(quantity);
    for (size_t i = 0; i < witness->series.count; i++)
        VEC_PUSH(&quantity->convergence, witness->series.items[i]);
    if (witness->rows)
        attach_run(markov, &quantity->run);
    if (witness->rows && markov->options->witness && markov->chain->kind == CHAIN_MDP)
        witness_scheduler(markov, quantity);
    forget(witness);
}

void witness_free(struct witness *witness)
{
    forget(witness);
    VEC_FREE(&witness->series);
}
