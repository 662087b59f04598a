/* Engine `probabilistic`: the chain is explored into a matrix; quantitative properties are decided on it, by the graph
 * where that is enough, else by iteration with bounds on both sides. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/processors.h"
#include "base/turns.h"
#include "engine/probabilistic/breakdown.h"
#include "engine/probabilistic/counterexample.h"
#include "engine/probabilistic/evidence.h"
#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/multi.h"
#include "engine/probabilistic/witness.h"
#include "pctl/verdict.h"

enum { MAX_REFINEMENTS = 4, MOST_EXACT_STATES = 2000, FEW_STATES = 300 };
/* So many questions of the numeric room, each after some hundred thousand states: less than a second. */
enum { PATIENCE = 100 };

static const char *supports(const struct system *system, const struct engine_options *options, struct arena *words)
{
    (void)options, (void)words;
    if (system_has_macro_steps(system))
        return system_refuses_single_rules(system);
    if (!system->chain)
        return "the model has no probabilities: the probabilistic engine is for PRISM models";
    return NULL;
}

/* In every initial state? A range is not expected to be narrow. */
static bool is_near(const struct markov *markov, const struct pctl *formula, const struct bounds *bounds,
                    double epsilon)
{
    bool is_near = true;
    if (markov->is_small)
        return true;
    for (uint32_t s = 0; s < markov->initial_count; s++)
        is_near = is_near && (pctl_is_narrow(bounds->lower[s], bounds->upper[s], epsilon) ||
                              pctl_is_tiny(bounds->lower[s], bounds->upper[s], markov->evaluator.absolute));
    return is_near || (formula->kind == PCTL_FILTER && formula->filter == PCTL_FILTER_RANGE);
}

/* Was the last thing that was iterated the property itself? */
static bool is_outermost_measure(const struct pctl *formula)
{
    bool is_bounded = formula->window.lower || formula->window.upper;
    return (formula->kind == PCTL_PROBABILITY && formula->path != PCTL_NEXT && !is_bounded) ||
           (formula->kind == PCTL_REWARD && formula->goal == PCTL_REACH);
}

static void forget_failure(struct markov *markov)
{
    stop_free(&markov->evaluator.failure);
    markov->evaluator.is_undecided = false;
}

/* Of several initial states the least and the greatest; one exact number when these are the same. */
static void settle_number(const struct markov *markov, const struct pctl_value *value, struct property_result *found)
{
    struct pctl_number first = numbers_at(value->numbers, 0);
    struct pctl_number least = pctl_number_copy(&first), greatest = pctl_number_copy(&first);
    for (uint32_t s = 1; s < markov->initial_count; s++) {
        struct pctl_number number = numbers_at(value->numbers, s);
        pctl_number_take(&least, &number, true);
        pctl_number_take(&greatest, &number, false);
    }
    found->has_value = true;
    found->is_range = pctl_number_compare(OP_LT, &least, &greatest) > 0;
    if (first.is_exact) {
        found->lower = least.exact ? rational_to_double_below(least.exact) : INFINITY;
        found->upper = greatest.exact ? rational_to_double_above(greatest.exact) : INFINITY;
        free(found->quantity.exact);
        found->quantity.exact = found->is_range ? NULL
                                : least.exact   ? rational_digits(least.exact)
                                                : memory_string("infinity");
    } else {
        found->lower = least.lower;
        found->upper = greatest.upper;
    }
    pctl_number_free(&least);
    pctl_number_free(&greatest);
}

/* Of a bound that is violated: what the number is, and what attains it. False: it is no bound, or the number is not
 * known. */
static bool find_value(struct markov *markov, const struct pctl *formula, struct property_result *found)
{
    bool is_bound = formula->kind == PCTL_PROBABILITY || formula->kind == PCTL_STEADY || formula->kind == PCTL_REWARD;
    struct pctl asked = *formula;
    struct pctl_value value = {0};
    asked.extreme = pctl_is_least(formula) ? PCTL_LEAST : PCTL_GREATEST;
    asked.is_query = asked.is_number = true;
    witness_open(markov, &asked);
    bool is_found = is_bound && markov_evaluate(markov, &asked, &value);
    if (is_found && is_outermost_measure(formula) && !markov->exact)
        witness_attach(markov, found);
    if (is_found)
        settle_number(markov, &value, found);
    pctl_value_free(&markov->evaluator, &value);
    witness_open(markov, NULL);
    forget_failure(markov);
    return is_found;
}

static void settle_violated(struct markov *markov, const struct property *property)
{
    const char *reason = NULL;
    struct property_result *found = &markov->result->properties[property->id];
    markov->epsilon = MARKOV_EPSILON;
    struct trace *trace = counterexample_find(markov, property->pctl, false, &reason);
    forget_failure(markov);
    bool is_found = find_value(markov, property->pctl, found);
    struct pctl_extent extent = {found->lower, found->upper, found->is_range, found->quantity.exact};
    pctl_settle_violated(&markov->evaluator, markov->result, property, trace, reason, is_found ? &extent : NULL);
}

/* What holds may have a run that shows it. */
static void settle_holds(struct markov *markov, const struct property *property)
{
    const char *reason = NULL;
    result_set_verdict(markov->result, property, VERDICT_HOLDS, NULL);
    if (!markov->options->witness)
        return;
    struct property_result *found = &markov->result->properties[property->id];
    markov->epsilon = MARKOV_EPSILON;
    trace_destroy(found->trace);
    found->trace = counterexample_find(markov, property->pctl, true, &reason);
    forget_failure(markov);
}

static void settle(struct markov *markov, const struct property *property, const struct pctl_value *value)
{
    struct property_result *found = &markov->result->properties[property->id];
    print_states(markov, property->pctl, value, &found->quantity);
    if (!value->is_number) {
        bool holds = !memchr(value->truth.bytes, 0, markov->initial_count);
        (holds ? settle_holds : settle_violated)(markov, property);
        return;
    }
    result_set_verdict(markov->result, property, VERDICT_HOLDS, NULL);
    if (!markov->exact && is_outermost_measure(property->pctl))
        witness_attach(markov, found);
    settle_number(markov, value, found);
    if (property->pctl->kind == PCTL_FILTER && property->pctl->filter == PCTL_FILTER_RANGE)
        found->is_range = !pctl_is_narrow(found->lower, found->upper, 2 * MARKOV_EPSILON);
}

/* A number that is wider than asked for is no answer; the interval is shown with the reason. */
static void settle_wide(struct markov *markov, const struct property *property, const struct pctl_value *value)
{
    struct property_result *found = &markov->result->properties[property->id];
    pctl_fail_wide(&markov->evaluator);
    result_set_unknown(markov->result, property, &markov->evaluator.failure);
    if (is_outermost_measure(property->pctl))
        witness_attach(markov, found);
    settle_number(markov, value, found);
}

/* What is known when there is no answer. */
static void settle_partly(struct markov *markov, const struct property *property)
{
    const struct witness *witness = &markov->witness;
    struct pctl_number bounds = pctl_interval(witness->lower, witness->upper);
    if (markov->initial_count > 1)
        markov->evaluator.absolute = 0; /* the bounds are those of one initial state */
    pctl_settle_unknown(&markov->evaluator, markov->result, property, witness->has_bounds ? &bounds : NULL);
    markov->evaluator.absolute = markov->options->epsilon_absolute;
}

/* What is too near to compare, or does not become narrow, is found exactly, where that can be done at once. */
static bool decide_exactly(struct markov *markov, const struct property *property, uint32_t most_states)
{
    struct pctl_value value = {0};
    if (markov->exact || markov_count(markov) > most_states)
        return false;
    forget_failure(markov);
    bool is_decided = exact_chain_build(markov) && markov_evaluate(markov, property->pctl, &value);
    if (is_decided)
        settle(markov, property, &value);
    pctl_value_free(&markov->evaluator, &value);
    exact_chain_destroy(markov->exact);
    markov->exact = NULL;
    forget_failure(markov);
    return is_decided;
}

/* Of an attempt without a value. `is_last`: there is no other one, with narrower bounds. */
static bool decide_after_failure(struct markov *markov, const struct property *property, bool is_last)
{
    struct stop failure = markov->evaluator.failure;
    bool is_undecided = is_last && markov->evaluator.is_undecided, is_slow = markov->patience == 1;
    markov->evaluator.failure = (struct stop){0};
    markov->patience = 0;
    if ((is_undecided || is_slow) && decide_exactly(markov, property, is_slow ? FEW_STATES : MOST_EXACT_STATES)) {
        stop_free(&failure);
        return true;
    }
    markov->evaluator.failure = failure;
    settle_partly(markov, property);
    return false;
}

/* For the graph backwards, and for vectors: what the numbers need at least. */
static bool has_room(struct markov *markov)
{
    enum { VECTORS = 6 };
    const struct matrix *matrix = &markov->matrix;
    uint64_t reverse = matrix->entries.count * sizeof(uint32_t) + matrix->row_entry.count * sizeof(uint32_t) +
                       matrix->state_row.count * sizeof(uint64_t);
    return markov_fits(markov, reverse + VECTORS * sizeof(double) * (uint64_t)markov_count(markov));
}

/* The errors of components add up along a path, so it may take a second attempt to get as near as wanted. Where the
 * iteration of a small chain takes long, fractions have the answer sooner. */
static void decide(struct markov *markov, const struct property *property)
{
    double wanted = markov->options->epsilon > 0 ? markov->options->epsilon : MARKOV_EPSILON;
    witness_open(markov, property->pctl);
    forget_failure(markov);
    if (!markov_is_within_limits(markov) || !has_room(markov)) {
        settle_partly(markov, property);
        return;
    }
    if (property->pctl->kind == PCTL_MULTI) {
        multi_decide(markov, property);
        return;
    }
    markov->epsilon = wanted;
    markov->patience = markov->exact || markov_count(markov) > FEW_STATES ? 0 : PATIENCE;
    for (int attempt = 0; attempt < MAX_REFINEMENTS; attempt++, markov->epsilon /= 64) {
        struct pctl_value value = {0};
        bool is_last = attempt + 1 == MAX_REFINEMENTS;
        forget_failure(markov);
        markov->is_small = false;
        if (!markov_evaluate(markov, property->pctl, &value)) {
            if (decide_after_failure(markov, property, is_last) || markov->exact || !markov_may_go_on(markov))
                return;
            continue;
        }
        const struct bounds *bounds = value.is_number && !markov->exact ? &numbers_of(&value)->bounds : NULL;
        bool is_good = !bounds || is_near(markov, property->pctl, bounds, wanted);
        if (!is_good)
            witness_note(markov, property->pctl, bounds);
        if (is_good || is_last)
            markov->patience = 0;
        if (is_good) {
            settle(markov, property, &value);
            result_set_final(markov->result, property);
        } else if (is_last && !decide_exactly(markov, property, FEW_STATES)) {
            settle_wide(markov, property, &value);
        }
        pctl_value_free(&markov->evaluator, &value);
        if (is_good)
            return;
    }
}

/* What is asked of single states is asked of the chain itself. */
static bool shows_states(const struct markov *markov, const struct property *property)
{
    return markov->canon && property->kind == PROPERTY_PCTL && pctl_shows_states(property->pctl);
}

/* The chain without a part of the symmetry was not built. */
static void leave_unknown(struct markov *markov, const struct property *property)
{
    struct text words = {0};
    stop_print(&markov->evaluator.failure, &words);
    result_set_verdict(markov->result, property, VERDICT_UNKNOWN, "with less symmetry: %s", text_chars(&words));
    markov->result->properties[property->id].stop = markov->evaluator.failure.kind;
    text_free(&words);
}

/* Properties that are decided on one matrix. */
struct agenda {
    struct markov *markov;
    VEC(const struct property *) properties;
};

/* An interval of an earlier attempt counts as much as one of this attempt. */
static void keep_narrower(struct property_result *found, double lower, double upper)
{
    found->lower = found->has_value ? fmax(found->lower, lower) : lower;
    found->upper = found->has_value ? fmin(found->upper, upper) : upper;
    found->has_value = true;
}

static bool decide_item(void *user, size_t item)
{
    struct agenda *agenda = user;
    const struct property *property = agenda->properties.items[item];
    struct property_result *found = &agenda->markov->result->properties[property->id];
    struct property_result before = *found;
    bool was_bounded = before.verdict == VERDICT_UNKNOWN && before.has_value && !before.is_range;
    decide(agenda->markov, property);
    if (found->verdict == VERDICT_UNKNOWN && was_bounded && !found->is_range)
        keep_narrower(found, before.lower, before.upper);
    return found->verdict != VERDICT_UNKNOWN;
}

/* `later`: how many properties other matrices are for. */
static void decide_in_turns(struct agenda *agenda, size_t later)
{
    struct turn_order turns = {
        .count = agenda->properties.count, .later = later, .decide = decide_item, .user = agenda};
    turns_run(&turns);
    VEC_FREE(&agenda->properties);
}

/* Some properties are decided with another group, or none: on another matrix. */
static void decide_elsewhere(const struct markov *main, const struct symmetry *symmetry, const struct layout *layout,
                             const bool *is_left_out)
{
    struct markov markov = {.layout = layout,
                            .symmetry = symmetry,
                            .chain = layout->system->chain,
                            .options = main->options,
                            .result = main->result,
                            .began = main->began,
                            .threads = main->threads,
                            .held_elsewhere = markov_bytes(main),
                            .began_bytes = main->began_bytes};
    markov_open_evaluator(&markov);
    bool is_built =
        markov_may_go_on(&markov) && markov_build(&markov) && (!markov.options->is_exact || exact_chain_build(&markov));
    struct agenda agenda = {.markov = &markov};
    for (size_t i = 0; i < layout->system->properties.count; i++) {
        const struct property *property = layout->system->properties.items[i];
        if (property->kind != PROPERTY_PCTL || is_left_out[i] || !symmetry_keeps(symmetry, property))
            continue;
        if (is_built)
            VEC_PUSH(&agenda.properties, property);
        else
            leave_unknown(&markov, property);
    }
    decide_in_turns(&agenda, 0);
    markov_free(&markov);
}

/* `shows`: the properties that show states. */
static void decide_others(const struct markov *main, const bool *shows)
{
    const struct system *system = main->layout->system;
    bool *others = memory_zeroed(system->properties.count + 1, sizeof *others), has_any = false;
    for (uint32_t p = 0; p < main->symmetry->part_count; p++)
        decide_elsewhere(main, main->symmetry->parts[p].symmetry, main->symmetry->parts[p].layout, shows);
    for (size_t i = 0; i < system->properties.count; i++) {
        others[i] = !shows[i];
        has_any |= shows[i];
    }
    if (has_any) {
        struct symmetry *none = symmetry_none(system);
        for (size_t i = 0; i < system->properties.count && !symmetry_is_trivial(main->symmetry); i++)
            if (shows[i])
                result_fall_back(main->result, system->properties.items[i], "symmetry", "it shows single states");
        decide_elsewhere(main, none, main->layout, others);
        symmetry_destroy(none);
    }
    free(others);
}

static void decide_all(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    bool *shows = memory_zeroed(system->properties.count + 1, sizeof *shows);
    struct agenda agenda = {.markov = markov};
    size_t later = 0;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        shows[i] = shows_states(markov, property);
        if (property->kind == PROPERTY_PCTL && !shows[i] && symmetry_keeps(markov->symmetry, property))
            VEC_PUSH(&agenda.properties, property);
        else
            later += property->kind == PROPERTY_PCTL;
    }
    decide_in_turns(&agenda, later);
    decide_others(markov, shows);
    free(shows);
    evidence_tell(markov);
    result_set_verdict(markov->result, system->properties.items[SYSTEM_RUNTIME], VERDICT_HOLDS, NULL);
    markov->result->is_complete = true;
}

static struct result *run(const struct layout *layout, const struct symmetry *symmetry,
                          const struct engine_options *options)
{
    struct markov markov = {.layout = layout,
                            .symmetry = symmetry,
                            .chain = layout->system->chain,
                            .options = options,
                            .result = pctl_result_create(layout->system, "probabilistic"),
                            .began = clock_wall()};
    double cpu = clock_cpu();
    markov.threads = options->threads ? options->threads : processors_available();
    markov_open_evaluator(&markov);
    bool is_explored = markov_build(&markov);
    if (is_explored && (!options->is_exact || exact_chain_build(&markov)))
        decide_all(&markov);
    else if (is_explored || !breakdown_report(&markov))
        pctl_give_up(&markov.evaluator, markov.result);
    struct statistics *statistics = &markov.result->statistics;
    statistics->states = markov_count(&markov);
    bool is_counted = markov_represented(&markov, statistics->represented);
    if (!is_counted) {
        bigint_destroy(statistics->represented);
        statistics->represented = NULL; /* a part of the sum would be taken for all of it */
    }
    statistics->represented_is_exact = is_counted && markov.result->is_complete &&
                                       (!markov.canon || markov.has_whole_orbits) &&
                                       (!options->counting || options->counting->is_exact);
    statistics->transitions = markov.matrix.entries.count;
    statistics->seconds = clock_wall() - markov.began;
    statistics->cpu_seconds = clock_cpu() - cpu;
    statistics->store_bytes = markov_bytes(&markov);
    statistics->peak_bytes = clock_peak_bytes();
    struct result *result = markov.result;
    markov_free(&markov);
    return result;
}

const struct engine engine_probabilistic = {
    .name = "probabilistic",
    .summary = "probabilities and rewards of Markov chains and decision processes, with bounds",
    .supports = supports,
    .run = run,
};
