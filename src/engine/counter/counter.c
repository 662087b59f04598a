/* The engine `counter`: how many processes are in which local state, instead of which. */
#include "base/clock.h"
#include "engine/counter/search.h"
#include "result/unreduce.h"

/* The first thing that is wrong, with its line. */
static const char *counter_refusal(const struct system *system, const struct diagnostics *diagnostics)
{
    const struct diagnostic *first = &diagnostics->items[0];
    return first->span.line ? arena_format(system->arena, "line %u: %s", first->span.line, first->message)
                            : arena_string(system->arena, first->message);
}

static const char *counter_supports(const struct system *system, const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = {.keep_dead = options->keep_dead};
    const char *refusal = NULL;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == PROPERTY_LIVENESS)
            return arena_format(system->arena, "line %u: the counter engine does not check liveness properties; noether "
                                               "reduce translates them", system->properties.items[i]->span.line);
    struct reduction *reduction = reduce_system(system, &reduce, &diagnostics);
    if (!reduction)
        refusal = counter_refusal(system, &diagnostics);
    reduction_destroy(reduction);
    diag_free(&diagnostics);
    return refusal;
}

static struct result *counter_run(const struct layout *layout, const struct symmetry *symmetry,
                                  const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = {.keep_dead = options->keep_dead};
    struct reduction *reduction = reduce_system(layout->system, &reduce, &diagnostics);
    uint32_t first, count;
    (void)symmetry; /* full, and in the counters already */
    if (!reduction) {
        struct result *refused = result_create(layout->system, engine_counter.name);
        result_set_stopped(refused, "%s", counter_refusal(layout->system, &diagnostics));
        for (size_t i = 0; i < layout->system->properties.count; i++)
            if (refused->checked[i])
                result_settle(refused, layout->system->properties.items[i]);
        diag_free(&diagnostics);
        return refused;
    }
    diag_free(&diagnostics);
    struct layout *reduced = layout_create(reduction_system(reduction));
    struct search search = {
        .reduction = reduction,
        .layout = reduced,
        .system = reduction_system(reduction),
        .options = options,
        .result = result_create(reduction_system(reduction), engine_counter.name),
    };
    reduction_counters(reduction, &first, &count);
    tally_create(&search.tally, reduced, first, count);
    search.steppers = steppers_create(reduced, options->stepper, false);
    search.stepper = steppers_make(search.steppers);
    search.judge = steppers_make(search.steppers);
    search.cells = memory_zeroed(reduced->cell_count + 1, sizeof *search.cells);
    pace_begin(&search.pace, &options->limits, options->interrupted, options->progress, options->progress_user);
    findings_begin(&search);
    counter_search(&search);
    findings_conclude(&search);
    stepper_destroy(search.stepper);
    stepper_destroy(search.judge);
    steppers_destroy(search.steppers);
    tally_destroy(&search.tally);
    free(search.cells);
    struct result *result = unreduce_result(layout, reduction, search.result, engine_counter.name);
    result->statistics.peak_bytes = clock_peak_bytes();
    layout_destroy(reduced);
    reduction_destroy(reduction);
    return result;
}

const struct engine engine_counter = {
    .name = "counter",
    .summary = "counts of processes by local state, for fully symmetric models",
    .supports = counter_supports,
    .run = counter_run,
};
