/* Method `generic` of the symbolic engine: generic representatives, that is, counters (reduce/), without any further
 * symmetry. */
#include "driver/generic.h"

#include "reduce/reduce.h"
#include "result/unreduce.h"

static struct reduce_options generic_options(const struct engine_options *options)
{
    return (struct reduce_options){.keep_dead = options->keep_dead, .is_bounded = true};
}

static const char *generic_supports(const struct system *system, const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct reduction *reduction = reduce_system(system, &reduce, &diagnostics);
    const char *refusal = NULL;
    if (!reduction)
        refusal = diagnostics.items[0].span.line
                      ? arena_format(system->arena, "line %u: %s", diagnostics.items[0].span.line,
                                     diagnostics.items[0].message)
                      : arena_string(system->arena, diagnostics.items[0].message);
    else
        refusal = engine_symbolic.supports(reduction_system(reduction), options);
    reduction_destroy(reduction);
    diag_free(&diagnostics);
    return refusal;
}

/* More counters than these are more variables than it is worth. */
enum { GENERIC_FEW_LOCATIONS = 256 };

bool generic_is_promising(const struct system *system, const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    reduce.most_locations = GENERIC_FEW_LOCATIONS;
    struct reduction *reduction = reduce_system(system, &reduce, &diagnostics);
    bool is_promising = reduction && !reduction_remark(reduction) &&
                        !engine_symbolic.supports(reduction_system(reduction), options);
    reduction_destroy(reduction);
    diag_free(&diagnostics);
    return is_promising;
}

static struct result *generic_run(const struct layout *layout, const struct symmetry *symmetry,
                                  const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct reduce_options reduce = generic_options(options);
    struct engine_options plain = *options;
    struct reduction *reduction = reduce_system(layout->system, &reduce, &diagnostics);
    (void)symmetry;
    ENSURE(reduction);
    struct layout *reduced = layout_create(reduction_system(reduction));
    struct symmetry *none = symmetry_none(reduction_system(reduction));
    plain.method = METHOD_NONE;
    plain.saturate_first = true;
    struct result *result = engine_symbolic.run(reduced, none, &plain);
    /* A step that only exchanges processes looks like stuttering there, so a deadlock may be none. */
    bool is_open = reduction_remark(reduction) && options->deadlock == DEADLOCK_STUTTERING &&
                   result->properties[SYSTEM_DEADLOCK].verdict == VERDICT_VIOLATED;
    if (is_open) {
        result_destroy(result);
        plain.deadlock = DEADLOCK_OFF;
        result = engine_symbolic.run(reduced, none, &plain);
    }
    result = unreduce_result(layout, reduction, result, engine_symbolic.name);
    if (is_open)
        result_set_verdict(result, layout->system->properties.items[SYSTEM_DEADLOCK], VERDICT_UNKNOWN, "%s",
                           reduction_remark(reduction));
    symmetry_destroy(none);
    layout_destroy(reduced);
    reduction_destroy(reduction);
    diag_free(&diagnostics);
    return result;
}

const struct engine engine_generic = {
    .name = "symbolic",
    .summary = "counters as decision diagrams",
    .supports = generic_supports,
    .run = generic_run,
};
