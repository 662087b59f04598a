#include "pass/counted.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pass/unreduce.h"
#include "result/fair.h"
#include "result/pointed.h"
#include "rewrite/prenex.h"

/* A property on counters of its own: its quantifiers are brought to the front (rewrite/prenex.h), their variables
 * become part of the state, and that system is reduced: there the process of a variable is the one that a shared
 * variable points to. */
struct factored {
    struct view view;
    const struct layout *original;
    const struct property *property; /* of the original */
    struct system *pointed;
    struct layout *pointed_layout;
    struct reduction *reduction;
    struct layout *layout; /* of the reduced system */
    struct symmetry *none;
    struct diagnostics refused; /* there is no such view, and why */
};

struct counted {
    struct view view;
    struct reduce_options options;
    struct reduction *reduction;
    struct layout *layout;
    struct symmetry *none;
    VEC(struct factored *) factored; /* those that were asked for */
};

static const char *const deadlock_refusal =
    "some rules can exchange processes in the same local state, which counters take for stuttering: they cannot tell "
    "where the CTL formula's deadlocks are (--deadlock stuck counts enabled rules only)";

/* What the answer shows; the values that it is violated for. */
static void factored_say(const struct factored *factored, const struct property_result *answer,
                         const struct trace *trace, struct text *words)
{
    struct text values = {0};
    bool is_violated = trace && answer->verdict == VERDICT_VIOLATED;
    if (is_violated)
        pointed_say_values(answer->trace, factored->original, &values);
    if (is_violated && factored->property->ltl && trace->has_loop)
        fair_say_run(trace, false, text_chars(&values), words);
    else
        text_format(words, "%s%s", answer->reason ? answer->reason : "", text_chars(&values));
    text_free(&values);
}

static struct result *factored_lift(const struct view *view, struct result *reduced,
                                    const struct engine_options *options)
{
    const struct factored *factored = (const struct factored *)view;
    struct result *result = result_create(factored->original->system, reduced->engine);
    struct result *pointed = unreduce_result(factored->pointed_layout, factored->reduction, reduced);
    const struct property *own = VEC_LAST(&factored->pointed->properties);
    const struct property_result *answer = &pointed->properties[own->id];
    struct trace *trace = answer->trace ? pointed_trace(answer->trace, factored->original) : NULL;
    struct text words = {0};
    (void)options;
    factored_say(factored, answer, trace, &words);
    if (answer->verdict == VERDICT_VIOLATED) {
        result_set_violated(result, factored->property, NULL, trace, "%s", text_chars(&words));
    } else { /* that it holds, no one run shows: it does for all values */
        trace_destroy(trace);
        bool has_words = answer->reason && (answer->verdict == VERDICT_UNKNOWN || factored->property->ltl);
        struct property_result *own_answer = &result->properties[factored->property->id];
        own_answer->is_vacuous = answer->is_vacuous;
        own_answer->is_runless = answer->is_runless;
        result_set_verdict(result, factored->property, answer->verdict, has_words ? "%s" : NULL, text_chars(&words));
        own_answer->stop = answer->stop;
    }
    result_take_fallbacks(result, pointed);
    result->statistics.seconds = pointed->statistics.seconds;
    result->statistics.cpu_seconds = pointed->statistics.cpu_seconds;
    text_free(&words);
    result_destroy(pointed);
    return result;
}

static void factored_close(struct view *view)
{
    struct factored *factored = (struct factored *)view;
    symmetry_destroy(factored->none);
    layout_destroy(factored->layout);
    reduction_destroy(factored->reduction);
    layout_destroy(factored->pointed_layout);
    system_destroy(factored->pointed);
    diag_free(&factored->refused);
    free(factored);
}

static struct factored *factored_open(const struct counted *counted, const struct property *property)
{
    struct factored *factored = memory_zeroed(1, sizeof *factored);
    struct reduce_options options = counted->options;
    options.leaves_untranslated = false; /* it is the only one */
    options.most_locations = 0;
    options.most_work = 0;
    factored->original = counted->view.below->layout;
    factored->property = property;
    factored->pointed = prenex_system(factored->original->system, property);
    if (!factored->pointed) {
        diag_error(&factored->refused, property->span, "the formula has too many variables");
        return factored;
    }
    factored->pointed_layout = layout_create(factored->pointed);
    factored->reduction = reduce_system(factored->pointed, &options, &factored->refused);
    if (!factored->reduction)
        return factored;
    factored->layout = layout_create(reduction_system(factored->reduction));
    factored->none = symmetry_none(factored->layout->system);
    factored->view = (struct view){.below = counted->view.below,
                                   .layout = factored->layout,
                                   .symmetry = factored->none,
                                   .reduction = factored->reduction,
                                   .lift = factored_lift,
                                   .close = factored_close};
    return factored;
}

const struct view *counted_factored(struct view *view, const struct property *property, struct diagnostics *diagnostics)
{
    struct counted *counted = (struct counted *)view;
    struct factored *factored = NULL;
    for (size_t i = 0; i < counted->factored.count; i++)
        if (counted->factored.items[i]->property == property)
            factored = counted->factored.items[i];
    if (!factored) {
        factored = factored_open(counted, property);
        VEC_PUSH(&counted->factored, factored);
    }
    diag_append(diagnostics, &factored->refused);
    return factored->reduction ? &factored->view : NULL;
}

static struct result *counted_lift_result(const struct view *view, struct result *reduced,
                                          const struct engine_options *options)
{
    struct result *result = unreduce_result(view->below->layout, view->reduction, reduced);
    if (options->deadlock != DEADLOCK_STUCK)
        unreduce_deadlocks(result, view->reduction, deadlock_refusal);
    return result;
}

static void counted_close(struct view *view)
{
    struct counted *counted = (struct counted *)view;
    for (size_t i = 0; i < counted->factored.count; i++)
        factored_close(&counted->factored.items[i]->view);
    VEC_FREE(&counted->factored);
    symmetry_destroy(counted->none);
    layout_destroy(counted->layout);
    reduction_destroy(counted->reduction);
    free(counted);
}

struct view *counted_open(const struct view *below, const struct reduce_options *options,
                          struct diagnostics *diagnostics)
{
    struct reduction *reduction = reduce_system(below->layout->system, options, diagnostics);
    if (!reduction)
        return NULL;
    struct counted *counted = memory_zeroed(1, sizeof *counted);
    counted->options = *options;
    counted->options.known = NULL; /* for the system below, and no other one */
    counted->reduction = reduction;
    counted->layout = layout_create(reduction_system(reduction));
    counted->none = symmetry_none(counted->layout->system); /* the symmetry is full, and in the counters already */
    counted->view = (struct view){.below = below,
                                  .layout = counted->layout,
                                  .symmetry = counted->none,
                                  .reduction = reduction,
                                  .lift = counted_lift_result,
                                  .close = counted_close};
    return &counted->view;
}

const char *counted_refusal(const struct view *counted, const struct engine *engine,
                            const struct engine_options *options, struct arena *words)
{
    if (!options->leaves_properties && options->deadlock != DEADLOCK_STUCK &&
        reduction_mistakes_deadlocks(counted->reduction, NULL))
        return deadlock_refusal;
    return engine->supports(counted->layout->system, options, words);
}
