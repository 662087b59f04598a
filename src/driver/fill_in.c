#include "driver/fill_in.h"

#include "base/clock.h"
#include "driver/rounds.h"

/* Numbers that the symbolic engine leaves open are computed explicitly if there are few states; goals that a proof for
 * every size leaves open are looked for in so many, or as many as the user allows. */
enum { FEW_STATES = 5000000, COVER_STATES = 1000000 };

static bool wants_numbers(const struct attempt *attempt, const struct result *result)
{
    return attempt->counts && attempt->view->counting && attempt->engine == &engine_symbolic && result->is_complete &&
           result->statistics.states <= FEW_STATES && result_has_open(result);
}

void fill_in_numbers(const struct plan *plan, struct attempt *attempt, struct result *result)
{
    if (!wants_numbers(attempt, result))
        return;
    const struct view *view = attempt->view;
    rounds_hurry(plan, attempt);
    struct result *numbers = engine_probabilistic.run(view->layout, view->symmetry, &attempt->options);
    for (size_t i = 0; i < result->system->properties.count; i++)
        /* an interval, however wide, is more than the next reason why there is none */
        if (result_is_open(result, i) && !(result->properties[i].has_value && !numbers->is_complete))
            result_fill(result, numbers, result->system->properties.items[i]);
    rounds_add_time(result, numbers);
    result_destroy(numbers);
}

/* On counters of its own. */
static struct result *run_factored(const struct attempt *attempt, const struct view *view,
                                   const struct engine_options *options)
{
    if (attempt->engine == &engine_symbolic)
        return engine_symbolic.run(view->layout, view->symmetry, options);
    struct result *result = result_create(view->layout->system, attempt->engine->name);
    result->is_complete = true;
    temporal_decide(view->layout, view->symmetry, options, result);
    return result;
}

static void fill_in_factored(struct plan *plan, struct attempt *attempt, const struct property *property,
                             struct result *result)
{
    struct diagnostics diagnostics = {0};
    const struct view *view = counted_factored(attempt->view, property, &diagnostics), *base = view;
    rounds_hurry(plan, attempt);
    struct engine_options options = attempt->options;
    options.leaves_properties = false; /* it is the only one */
    options.keep_going = true;         /* what else is violated there, perhaps only there, was decided before */
    options.reduction = view ? view->reduction : NULL;
    const char *refusal =
        view ? counted_refusal(view, attempt->engine, &options, plan->words) : diag_first(&diagnostics, plan->words);
    if (refusal) {
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", refusal);
    } else {
        struct result *answer = view_lift(&base, run_factored(attempt, view, &options), &options);
        result_fill(result, answer, property);
        rounds_add_time(result, answer);
        result_destroy(answer);
    }
    diag_free(&diagnostics);
}

/* A goal that is met with the sizes of the model is met; proofs for every size leave it open. */
static void take_cover(struct result *result, struct property_result *found)
{
    struct property_result *entry = &result->properties[found->property->id];
    if (found->verdict == VERDICT_VIOLATED) {
        result_leave_out(result, found->property, "not met with the sizes of the model; with others it is not decided");
    } else if (found->verdict == VERDICT_HOLDS) {
        result_set_verdict(result, found->property, VERDICT_HOLDS, "with the sizes of the model");
        entry->is_left_out = false;
        entry->trace = found->trace;
        found->trace = NULL;
    }
}

static bool is_open_cover(const struct result *result, size_t property)
{
    const struct property_result *entry = &result->properties[property];
    return result->checked[property] && entry->property->kind == PROPERTY_COVER && entry->verdict == VERDICT_UNKNOWN;
}

static void fill_in_covers(struct plan *plan, struct attempt *attempt, struct result *result)
{
    size_t count = 0, properties = result->system->properties.count;
    for (size_t p = 0; result->every.is_asked && p < properties; p++)
        count += is_open_cover(result, p);
    if (!count || result->system != plan->model->system)
        return;
    const struct view *base = plan_base(plan, attempt->base);
    rounds_hurry(plan, attempt);
    struct engine_options options = attempt->options;
    options.sizes = NULL;
    options.keep_going = true;
    if (!options.limits.states || options.limits.states > COVER_STATES)
        options.limits.states = COVER_STATES;
    struct result *small = engine_explicit.run(base->layout, base->symmetry, &options);
    for (size_t p = 0; p < properties; p++)
        if (is_open_cover(result, p))
            take_cover(result, &small->properties[p]);
    rounds_add_time(result, small);
    result_destroy(small);
}

/* Without symmetry no failure hides another. A search of that many states is tried. */
enum { MASKED_STATES = 1000000 };

static bool has_masked(const struct result *result)
{
    for (size_t p = 0; p < result->system->properties.count; p++)
        if (result->checked[p] && result->properties[p].is_masked)
            return true;
    return false;
}

static void fill_in_masked(struct plan *plan, struct attempt *attempt, struct result *result)
{
    if (!attempt->options.keep_going || !has_masked(result) || attempt->base == BASE_GUARDED)
        return; /* a super-structure is not the model: what it leaves open, the next attempt decides */
    const struct view *base = plan_base(plan, attempt->base);
    if (result->system != base->layout->system)
        return;
    rounds_hurry(plan, attempt);
    struct engine_options options = {.order = attempt->options.order,
                                     .deadlock = attempt->options.deadlock,
                                     .threads = attempt->options.threads,
                                     .keep_going = true,
                                     .limits = attempt->options.limits,
                                     .interrupted = attempt->options.interrupted};
    if (options.order == SEARCH_BACKWARD)
        options.order = SEARCH_BREADTH_FIRST;
    if (!options.limits.states || options.limits.states > MASKED_STATES)
        options.limits.states = MASKED_STATES;
    struct symmetry *none = symmetry_none(base->layout->system);
    struct result *plain = engine_explicit.run(base->layout, none, &options);
    for (size_t p = 0; p < result->system->properties.count; p++)
        if (result->properties[p].is_masked && plain->properties[p].verdict != VERDICT_UNKNOWN) {
            result_fill(result, plain, result->system->properties.items[p]);
            if (!symmetry_is_trivial(base->symmetry))
                result_fall_back(result, result->system->properties.items[p], "symmetry",
                                 "with it a failure that was found may hide this one");
        }
    rounds_add_time(result, plain);
    result_destroy(plain);
    symmetry_destroy(none);
}

void fill_in_rest(struct plan *plan, struct attempt *attempt, struct result *result)
{
    const struct system *system = result->system;
    const struct reduction *reduction = attempt->counts ? attempt->view->reduction : NULL;
    for (size_t p = 0; reduction && result->is_complete && p < system->properties.count; p++)
        if (reduction_leaves(reduction, system->properties.items[p]))
            fill_in_factored(plan, attempt, system->properties.items[p], result);
    if (attempt->cause == CAUSE_EXCHANGE)
        result_set_verdict(result, system->properties.items[SYSTEM_DEADLOCK], VERDICT_UNKNOWN, "%s",
                           reduction_remark(reduction));
    fill_in_covers(plan, attempt, result);
    fill_in_masked(plan, attempt, result);
    result->statistics.peak_bytes = clock_peak_bytes();
}
