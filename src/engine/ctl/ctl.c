/* The CTL and LTL properties of a system, one by one. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/turns.h"
#include "base/vec.h"
#include "engine/ctl/fairly.h"

enum { CTL_TICK = 4096 }; /* successors or nodes between two looks at the clock */

void checker_stop(struct checker *checker, struct stop stop)
{
    stop_once(&checker->stop, stop);
}

bool checker_spend(struct checker *checker, uint64_t work)
{
    const struct engine_options *options = checker->options;
    if (watch_is_epilogue() && !watch_is_up())
        return true;
    if (checker->until_tick > work && !watch_is_up()) {
        checker->until_tick -= work;
        return true;
    }
    checker->until_tick = CTL_TICK;
    double now = clock_wall(), before = checker->result->statistics.seconds;
    if (watch_is_up())
        checker_stop(checker, watch_stop(watch_of_thread));
    else if (flag_is_set(options->interrupted))
        checker_stop(checker, stop_of(STOP_INTERRUPTED));
    else if (options->limits.seconds > 0 && now - checker->begin + before >= options->limits.seconds)
        checker_stop(checker, stop_time(limits_asked_seconds(&options->limits)));
    return !stop_is_set(&checker->stop);
}

void *checker_alloc(struct checker *checker, size_t count, size_t size)
{
    if (budget_take(&checker->budget, count * size))
        return memory_zeroed(count, size);
    checker_stop(checker, stop_limit(STOP_MEMORY, checker->budget.limit));
    return NULL;
}

void checker_free(struct checker *checker, void *memory, size_t count, size_t size)
{
    if (memory)
        budget_give(&checker->budget, count * size);
    free(memory);
}

/* With layout, system, symmetry, options and result set. */
static void checker_create(struct checker *checker)
{
    const struct system *system = checker->system;
    checker->begin = clock_wall();
    checker->is_fair = fairness_is_required(system);
    checker->budget.limit = checker->options->limits.memory_bytes;
    checker->steppers = steppers_create(checker->layout, checker->options->stepper, false);
    if (steppers_refusal(checker->steppers)) {
        checker_stop(checker, steppers_stop(checker->steppers));
        steppers_destroy(checker->steppers); /* nothing is asked of it, but its like is needed */
        checker->steppers = steppers_create(checker->layout, STEPPER_VM, false);
    }
    checker->stepper = steppers_make(checker->steppers);
    checker->stepper->is_watched = true;
    checker->judge = checker->options->stepper == STEPPER_EVALUATOR ? stepper_create_evaluator(system, checker->layout)
                                                                    : stepper_create_vm(system, checker->layout);
    checker->values = memory_zeroed((size_t)(system->memory_cells - system->state_cells) + 1, sizeof *checker->values);
    checker->assumptions = memory_zeroed(system->properties.count + 1, sizeof *checker->assumptions);
    for (size_t i = 0; i < system->properties.count; i++)
        if (property_is_assumed(system->properties.items[i]))
            checker->assumptions[checker->assumption_count++] = system->properties.items[i];
}

void checker_forget_graphs(struct checker *checker)
{
    for (size_t i = 0; i < checker->graphs.count; i++)
        graph_destroy(checker, checker->graphs.items[i]);
    VEC_CLEAR(&checker->graphs);
    checker->part = NULL;
}

static void checker_destroy(struct checker *checker)
{
    truth_forget(checker);
    VEC_FREE(&checker->temporals);
    checker_forget_graphs(checker);
    VEC_FREE(&checker->graphs);
    stepper_destroy(checker->stepper);
    stepper_destroy(checker->judge);
    steppers_destroy(checker->steppers);
    free(checker->values);
    free(checker->assumptions);
    stop_free(&checker->stop);
    stop_free(&checker->doubt);
}

/* Does every start state satisfy the formula? TRUTH_FAULT: not decided, see the checker. A start state that does not is
 * worth more than one of which nothing is known. */
static enum truth ctl_truth(struct checker *checker, const struct ctl *ctl)
{
    enum truth truth = TRUTH_TRUE;
    struct graph *graph = truth_prepare(checker, ctl) ? graph_get(checker, NULL, 0) : NULL;
    if (!graph)
        return TRUTH_FAULT;
    int32_t *cells = memory_zeroed(checker->system->state_cells + 1, sizeof *cells);
    for (uint32_t n = 0; n < graph->starts && truth != TRUTH_FALSE; n++) {
        struct ctl_spot spot = {.cells = cells};
        layout_unpack(checker->layout, store_state(explore_store(graph->explore), n), cells);
        enum truth one = truth_at(checker, ctl, &spot);
        if (one == TRUTH_FAULT && truth == TRUTH_TRUE)
            checker->open_start = n;
        truth = one == TRUTH_TRUE ? truth : one;
    }
    free(cells);
    return truth;
}

/* Is there no start state with a fair path, so that every formula about all of them would hold? */
static bool ctl_is_runless(struct checker *checker)
{
    const struct graph *graph = checker->is_fair ? graph_get(checker, NULL, 0) : NULL;
    if (!graph || !graph->fair)
        return false;
    for (uint32_t n = 0; n < graph->starts; n++)
        if (bits_has(graph->fair, n))
            return false;
    return true;
}

/* What "holds" is about: the run that shows it, or all runs that are fair. */
static void ctl_report_holds(struct checker *checker, const struct property *property)
{
    struct text words = {0};
    struct property_result *entry = &checker->result->properties[property->id];
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    struct trace *trace = checker->options->witness ? evidence_show(checker, property->ctl, true, &words) : NULL;
    watch_end(&epilogue);
    if (!trace) {
        text_free(&words);
        if (checker->is_fair && ctl_has_future(property->ctl))
            fairly_say_runs(checker, graph_get(checker, NULL, 0), true, checker->options->drops_finite, &words);
    }
    entry->is_runless = ctl_is_runless(checker);
    entry->is_vacuous = entry->is_runless || antecedent_is_unmet(checker, property, graph_get(checker, NULL, 0), NULL);
    result_set_verdict(checker->result, property, VERDICT_HOLDS, words.length ? "%s" : NULL, text_chars(&words));
    entry->trace = trace;
    text_free(&words);
}

static void ctl_report(struct checker *checker, const struct property *property, enum truth truth)
{
    struct result *result = checker->result;
    struct text words = {0};
    if (stop_is_set(&checker->stop)) {
        result_set_unknown(result, property, &checker->stop);
    } else if (stop_is_set(&checker->doubt)) {
        result_set_unknown(result, property, &checker->doubt);
    } else if (truth == TRUTH_FAULT) {
        struct trace *trace = evidence_fault(checker, property->ctl);
        struct fault fault = checker->fault;
        result_set_failed(result, property, &fault, trace, NULL);
    } else if (truth == TRUTH_FALSE) {
        struct watch epilogue;
        watch_begin_epilogue(&epilogue);
        struct trace *trace = evidence_show(checker, property->ctl, false, &words);
        watch_end(&epilogue);
        result_set_violated(result, property, NULL, trace, "%s", text_chars(&words));
    } else {
        ctl_report_holds(checker, property);
    }
    text_free(&words);
}

static void ctl_decide(struct checker *checker, const struct property *property)
{
    enum truth truth = stop_is_set(&checker->stop) ? TRUTH_FAULT : ctl_truth(checker, property->ctl);
    ctl_report(checker, property, truth);
    stop_free(&checker->doubt);
    truth_forget(checker);
}

/* Why orbits cannot decide the property; NULL: they can. Looking back, only reachable states count: the orbits stand
 * for those when the start states are symmetric. */
static const char *why_without_symmetry(const struct property *property, const struct symmetry *symmetry,
                                        const struct result *result)
{
    const char *why = property->ltl ? ltl_needs_states(property->ltl) : NULL;
    if (!why && !fairly_keeps_symmetry(symmetry))
        why = "the symmetry exchanges rules, which fairness may name";
    if (!why && !property->ltl && property->ctl->is_past && !result->statistics.represented_is_exact)
        why = "it looks back, and the start states are not symmetric";
    return why;
}

static bool keeps_symmetry(const struct property *property, const struct symmetry *symmetry,
                           const struct result *result)
{
    return !why_without_symmetry(property, symmetry, result);
}

static bool is_to_be_decided(const struct result *result, const struct property *property)
{
    bool is_decided = result->properties[property->id].verdict == VERDICT_VIOLATED; /* by a failure on the way */
    return (property->kind == PROPERTY_CTL || property->kind == PROPERTY_LTL) && !is_decided;
}

/* Properties that are decided on the same graphs. */
struct ctl_agenda {
    struct checker *checker;
    VEC(const struct property *) properties;
};

static bool decide_item(void *user, size_t item)
{
    struct ctl_agenda *agenda = user;
    struct checker *checker = agenda->checker;
    const struct property *property = agenda->properties.items[item];
    checker->has_fault = false;
    (checker->most ? ltl_hunt : property->ltl ? ltl_decide : ctl_decide)(checker, property);
    bool is_open = checker->stop.kind == STOP_TIME;
    if (is_open)
        stop_free(&checker->stop); /* its share of the time may be over, not that of others */
    return !is_open;
}

static void withdraw_item(void *user, size_t item, const struct stop *stop)
{
    struct ctl_agenda *agenda = user;
    result_withdraw(agenda->checker->result, agenda->properties.items[item], stop);
}

/* Those that can be decided with the symmetry, on its graphs; or the others, without. `most`: only what is violated in
 * a part of a graph (ltl_hunt); 0: all. False: there was no memory for such a part. */
static bool decide_some(const struct layout *layout, const struct symmetry *symmetry, bool keeps,
                        const struct engine_options *options, uint64_t most, struct result *result)
{
    struct symmetry *none = keeps ? NULL : symmetry_none(layout->system);
    struct checker checker = {.layout = layout,
                              .system = layout->system,
                              .symmetry = keeps ? symmetry : none,
                              .options = options,
                              .most = most,
                              .result = result};
    struct ctl_agenda agenda = {.checker = &checker};
    size_t later = 0;
    for (size_t i = 0; i < layout->system->properties.count; i++) {
        const struct property *property = layout->system->properties.items[i];
        if (!is_to_be_decided(result, property) || (most && !property->ltl))
            continue;
        if (keeps_symmetry(property, symmetry, result) == keeps)
            VEC_PUSH(&agenda.properties, property);
        else
            later += keeps; /* those without the symmetry come after these */
        const char *why = why_without_symmetry(property, symmetry, result);
        if (!keeps && why && !symmetry_is_trivial(symmetry))
            result_fall_back(result, property, "symmetry", "%s", why);
    }
    if (agenda.properties.count) {
        struct turn_order turns = {.count = agenda.properties.count,
                                   .later = later,
                                   .decide = decide_item,
                                   .withdraw = withdraw_item,
                                   .user = &agenda};
        checker_create(&checker);
        turns_run(&turns);
        checker_destroy(&checker);
    }
    VEC_FREE(&agenda.properties);
    symmetry_destroy(none);
    return !checker.lacks_memory;
}

static bool decide_all(const struct layout *layout, const struct symmetry *symmetry,
                       const struct engine_options *options, uint64_t most, struct result *result)
{
    double begin = clock_wall(), begin_cpu = clock_cpu();
    bool has_memory = decide_some(layout, symmetry, true, options, most, result);
    has_memory = decide_some(layout, symmetry, false, options, most, result) && has_memory;
    result->statistics.seconds += clock_wall() - begin;
    result->statistics.cpu_seconds += clock_cpu() - begin_cpu;
    result->statistics.peak_bytes = clock_peak_bytes();
    return has_memory;
}

void temporal_decide(const struct layout *layout, const struct symmetry *symmetry, const struct engine_options *options,
                     struct result *result)
{
    decide_all(layout, symmetry, options, 0, result);
}

bool temporal_hunt(const struct layout *layout, const struct symmetry *symmetry, const struct engine_options *options,
                   uint64_t most, struct result *result)
{
    return decide_all(layout, symmetry, options, most, result);
}
