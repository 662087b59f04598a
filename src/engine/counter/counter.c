/* The engine `counter`: how many processes are in which local state, instead of which. */
#include "base/clock.h"
#include "engine/counter/search.h"
#include "result/factored.h"
#include "result/unreduce.h"

static struct reduce_options counter_reduce_options(const struct engine_options *options)
{
    return (struct reduce_options){.keep_dead = options->keep_dead, .leaves_quantified = true, .liveness_as_ctl = true,
                                   .leaves_untranslated = options->leaves_properties,
                                   .most_locations = options->most_locations, .most_work = options->most_work};
}

static const char *const counter_deadlock_refusal =
    "some rules can exchange processes in the same local state, which counters take for stuttering: they cannot tell "
    "where the CTL formula's deadlocks are (--deadlock stuck counts enabled rules only)";

static const char *counter_supports(const struct system *system, const struct engine_options *options,
                                    struct arena *words)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = counter_reduce_options(options);
    struct reduce_memo own = {0}, *memo = options->memo ? options->memo : &own;
    const struct reduction *reduction = reduce_remembered(memo, system, &reduce, &diagnostics);
    const char *refusal = NULL;
    if (!reduction)
        refusal = watch_is_up() ? NULL : diag_first(&diagnostics, words); /* it is not known */
    else if (!options->leaves_properties && options->deadlock != DEADLOCK_STUCK && reduction_mistakes_deadlocks(reduction, NULL))
        refusal = counter_deadlock_refusal;
    reduce_forget(&own);
    diag_free(&diagnostics);
    return refusal;
}

/* CTL properties without quantifiers, on the graph of the counted states. */
static void counter_decide_ctl(const struct layout *reduced, const struct engine_options *options, struct result *result)
{
    struct symmetry *none = symmetry_none(reduced->system);
    ctl_decide(reduced, none, options, result);
    symmetry_destroy(none);
}

/* One with quantifiers, on a graph of its own. */
static void counter_decide_factored(const struct layout *layout, const struct property *property,
                                    const struct engine_options *options, struct result *result)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = counter_reduce_options(options);
    struct factored factored;
    struct arena *words = arena_create();
    reduce.leaves_untranslated = false; /* it is the only one */
    if (!factored_open(&factored, layout, property, &reduce, &diagnostics)) {
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", diag_first(&diagnostics, words));
    } else if (options->deadlock != DEADLOCK_STUCK && reduction_mistakes_deadlocks(factored.reduction, NULL)) {
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", counter_deadlock_refusal);
    } else {
        struct result *reduced = result_create(factored.layout->system, engine_counter.name);
        double begin = clock_wall(), begin_cpu = clock_cpu();
        reduced->is_complete = true;
        reduced->statistics.seconds = result->statistics.seconds; /* of the limit */
        counter_decide_ctl(factored.layout, options, reduced);
        factored_answer(&factored, reduced, result);
        result->statistics.seconds += clock_wall() - begin;
        result->statistics.cpu_seconds += clock_cpu() - begin_cpu;
    }
    factored_close(&factored);
    diag_free(&diagnostics);
    arena_destroy(words);
}

static struct result *counter_explore(const struct layout *reduced, const struct reduction *reduction,
                                      const struct engine_options *options)
{
    uint32_t first, count;
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
    search.stepper->is_watched = search.judge->is_watched = true;
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
    return search.result;
}

static struct result *counter_run(const struct layout *layout, const struct symmetry *symmetry,
                                  const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = counter_reduce_options(options);
    struct reduce_memo own = {0}, *memo = options->memo ? options->memo : &own;
    const struct reduction *reduction = reduce_remembered(memo, layout->system, &reduce, &diagnostics);
    (void)symmetry; /* full, and in the counters already */
    if (!reduction) {
        struct arena *words = arena_create();
        struct result *refused =
            result_refuse(layout->system, engine_counter.name, diag_first(&diagnostics, words));
        arena_destroy(words);
        diag_free(&diagnostics);
        return refused;
    }
    diag_free(&diagnostics);
    struct layout *reduced = layout_create(reduction_system(reduction));
    struct result *found = counter_explore(reduced, reduction, options);
    if (found->is_complete)
        counter_decide_ctl(reduced, options, found);
    struct result *result = unreduce_result(layout, reduction, found, engine_counter.name);
    if (options->deadlock != DEADLOCK_STUCK)
        unreduce_deadlocks(result, reduction, counter_deadlock_refusal);
    for (size_t p = 0; result->is_complete && p < layout->system->properties.count; p++)
        if (reduction_leaves(reduction, layout->system->properties.items[p]))
            counter_decide_factored(layout, layout->system->properties.items[p], options, result);
    result->statistics.peak_bytes = clock_peak_bytes();
    layout_destroy(reduced);
    reduce_forget(&own);
    return result;
}

const struct engine engine_counter = {
    .name = "counter",
    .summary = "counts of processes by local state, for fully symmetric models",
    .supports = counter_supports,
    .run = counter_run,
};
