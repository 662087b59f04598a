/* The engine `counter`: how many processes are in which local state, instead of which. */
#include "engine/counter/search.h"
#include "base/memory.h"

#include <stdlib.h>

static const char *counter_supports(const struct system *system, const struct engine_options *options,
                                    struct arena *words)
{
    (void)system;
    (void)words;
    return options->reduction ? NULL : "the counter engine is for systems that count";
}

static struct result *counter_run(const struct layout *layout, const struct symmetry *symmetry,
                                  const struct engine_options *options)
{
    uint32_t first, count;
    struct counter_search search = {
        .reduction = options->reduction,
        .layout = layout,
        .system = layout->system,
        .options = options,
        .result = result_create(layout->system, engine_counter.name),
    };
    (void)symmetry; /* full, and in the counters already */
    reduction_counters(options->reduction, &first, &count);
    tally_create(&search.tally, layout, first, count);
    search.steppers = steppers_create(layout, options->stepper, false);
    if (steppers_refusal(search.steppers)) {
        result_set_stopped(search.result, steppers_stop(search.steppers));
        steppers_destroy(search.steppers);
        tally_destroy(&search.tally);
        return search.result;
    }
    search.stepper = steppers_make(search.steppers);
    search.judge = steppers_make(search.steppers);
    search.stepper->is_watched = search.judge->is_watched = true;
    search.cells = memory_zeroed(layout->cell_count + 1, sizeof *search.cells);
    pace_begin(&search.pace, &options->limits, options->interrupted, options->progress, options->progress_user);
    findings_begin(&search);
    counter_search(&search);
    findings_conclude(&search);
    stepper_destroy(search.stepper);
    stepper_destroy(search.judge);
    steppers_destroy(search.steppers);
    tally_destroy(&search.tally);
    free(search.cells);
    return search.result;
}

const struct engine engine_counter = {
    .name = "counter",
    .summary = "counts of processes by local state, for fully symmetric models",
    .leaves_ctl = true,
    .supports = counter_supports,
    .run = counter_run,
};
