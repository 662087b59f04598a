/* Method `generic` of the symbolic engine: generic representatives, that is, counters (reduce/), without any further
 * symmetry. */
#include "driver/generic.h"

#include "result/factored.h"
#include "result/unreduce.h"

static struct reduce_options generic_options(const struct engine_options *options)
{
    return (struct reduce_options){.keep_dead = options->keep_dead, .is_bounded = true, .leaves_quantified = true,
                                   .leaves_untranslated = options->leaves_properties};
}

/* Why the symbolic engine cannot answer for the original, or NULL. */
static const char *generic_doubt(const struct reduction *reduction, const struct engine_options *options, struct arena *words)
{
    if (options->deadlock != DEADLOCK_STUCK && !options->leaves_properties && reduction_mistakes_deadlocks(reduction, NULL))
        return arena_string(words, reduction_remark(reduction)); /* the reduction may be gone by then */
    return engine_symbolic.supports(reduction_system(reduction), options, words);
}

static const char *generic_supports(const struct system *system, const struct engine_options *options,
                                    struct arena *words)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct reduce_memo own = {0}, *memo = options->memo ? options->memo : &own;
    const struct reduction *reduction = reduce_remembered(memo, system, &reduce, &diagnostics);
    const char *refusal = reduction       ? generic_doubt(reduction, options, words)
                          : watch_is_up() ? NULL /* it is not known */
                                          : diag_first(&diagnostics, words);
    reduce_forget(&own);
    diag_free(&diagnostics);
    return refusal;
}

/* More counters than these are more variables than it is worth. */
enum { GENERIC_FEW_LOCATIONS = 256 };

/* Can the properties that need a system of their own have it? */
static bool generic_can_factor(const struct layout *layout, const struct reduction *reduction,
                               const struct reduce_options *reduce, const struct engine_options *options, struct arena *words)
{
    bool is_good = true;
    for (size_t p = 0; is_good && p < layout->system->properties.count; p++) {
        struct diagnostics diagnostics = {0};
        struct factored factored;
        if (!reduction_leaves(reduction, layout->system->properties.items[p]))
            continue;
        is_good = factored_open(&factored, layout, layout->system->properties.items[p], reduce, &diagnostics) &&
                  !generic_doubt(factored.reduction, options, words);
        factored_close(&factored);
        diag_free(&diagnostics);
    }
    return is_good;
}

bool generic_is_promising(const struct layout *layout, const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct reduce_memo own = {0}, *memo = options->memo ? options->memo : &own;
    reduce.most_locations = GENERIC_FEW_LOCATIONS;
    const struct reduction *reduction = reduce_remembered(memo, layout->system, &reduce, &diagnostics);
    struct arena *words = arena_create();
    bool is_promising = reduction && !reduction_remark(reduction) && !generic_doubt(reduction, options, words) &&
                        generic_can_factor(layout, reduction, &reduce, options, words);
    arena_destroy(words);
    reduce_forget(&own);
    diag_free(&diagnostics);
    return is_promising;
}

static struct result *generic_explore(const struct layout *reduced, const struct engine_options *options)
{
    struct engine_options plain = *options;
    struct symmetry *none = symmetry_none(reduced->system);
    plain.method = METHOD_NONE;
    plain.saturate_first = true;
    struct result *result = engine_symbolic.run(reduced, none, &plain);
    symmetry_destroy(none);
    return result;
}

/* A property with quantifiers around temporal operators: in a system of its own, with the time that is left. */
static void generic_decide_factored(const struct layout *layout, const struct property *property,
                                    const struct engine_options *options, struct result *result)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct engine_options rest = *options;
    struct factored factored;
    rest.leaves_properties = reduce.leaves_untranslated = false; /* it is the only one */
    bool is_open = factored_open(&factored, layout, property, &reduce, &diagnostics);
    struct arena *words = arena_create();
    const char *doubt = is_open ? generic_doubt(factored.reduction, &rest, words) : diag_first(&diagnostics, words);
    limits_take_seconds(&rest.limits, result->statistics.seconds);
    if (doubt) {
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", doubt);
    } else {
        struct result *reduced = generic_explore(factored.layout, &rest);
        result->statistics.seconds += reduced->statistics.seconds;
        result->statistics.cpu_seconds += reduced->statistics.cpu_seconds;
        factored_answer(&factored, reduced, result);
    }
    factored_close(&factored);
    diag_free(&diagnostics);
    arena_destroy(words);
}

/* A step that only exchanges processes looks like stuttering there, so a deadlock may be none. */
static bool generic_is_deadlock_open(const struct reduction *reduction, const struct engine_options *options,
                                     const struct result *result)
{
    return reduction_remark(reduction) && options->deadlock == DEADLOCK_STUTTERING &&
           result->properties[SYSTEM_DEADLOCK].verdict == VERDICT_VIOLATED;
}

static struct result *generic_run(const struct layout *layout, const struct symmetry *symmetry,
                                  const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct reduce_memo own = {0}, *memo = options->memo ? options->memo : &own;
    const struct reduction *reduction = reduce_remembered(memo, layout->system, &reduce, &diagnostics);
    (void)symmetry;
    if (!reduction) { /* of a system that nobody asked about: the declared one, after what was found had been in doubt */
        struct arena *words = arena_create();
        struct result *refused =
            result_refuse(layout->system, engine_symbolic.name, diag_first(&diagnostics, words));
        arena_destroy(words);
        diag_free(&diagnostics);
        return refused;
    }
    struct layout *reduced = layout_create(reduction_system(reduction));
    struct result *result = generic_explore(reduced, options);
    bool is_open = generic_is_deadlock_open(reduction, options, result);
    if (is_open) {
        struct engine_options other = *options;
        other.deadlock = DEADLOCK_OFF;
        result_destroy(result);
        result = generic_explore(reduced, &other);
    }
    result = unreduce_result(layout, reduction, result, engine_symbolic.name);
    if (is_open)
        result_set_verdict(result, layout->system->properties.items[SYSTEM_DEADLOCK], VERDICT_UNKNOWN, "%s",
                           reduction_remark(reduction));
    if (options->deadlock != DEADLOCK_STUCK && reduction_remark(reduction))
        unreduce_deadlocks(result, reduction, reduction_remark(reduction));
    for (size_t p = 0; result->is_complete && p < layout->system->properties.count; p++)
        if (reduction_leaves(reduction, layout->system->properties.items[p]))
            generic_decide_factored(layout, layout->system->properties.items[p], options, result);
    layout_destroy(reduced);
    reduce_forget(&own);
    diag_free(&diagnostics);
    return result;
}

const struct engine engine_generic = {
    .name = "symbolic",
    .summary = "counters as decision diagrams",
    .supports = generic_supports,
    .run = generic_run,
};
