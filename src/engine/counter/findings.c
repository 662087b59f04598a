/* What is checked of every state and step, and the run of the reduced system that shows it. */
#include "engine/counter/search.h"

#include <stdlib.h>
#include <string.h>

#include "exec/conditions.h"

void findings_begin(struct counter_search *search)
{
    search->decided = memory_zeroed(search->system->properties.count, sizeof *search->decided);
    if (search->options->deadlock == DEADLOCK_OFF)
        search->result->checked[SYSTEM_DEADLOCK] = false;
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        search->undecided += search->result->checked[i];
        if (property->kind == PROPERTY_INVARIANT && property->antecedent)
            VEC_PUSH(&search->unmet, property);
    }
    if (!search->unmet.count)
        return;
    search->lens = stepper_create_vm(search->system, search->layout);
    search->lens->is_watched = true;
}

static void findings_decide(struct counter_search *search, const struct property *property, bool is_violation)
{
    if (search->decided[property->id])
        return;
    search->decided[property->id] = true;
    if (property->kind != PROPERTY_ASSUMPTION)
        search->undecided--;
    if (is_violation && !search->options->keep_going)
        counter_stop(search, stop_of(STOP_VIOLATION));
    if (!search->undecided)
        counter_stop(search, stop_of(STOP_DECIDED));
}

/* The instance that leads from a state (NO_STATE: start) to another one. */
static void findings_push_step(struct counter_search *search, struct stepper *stepper, struct trace *trace,
                               uint32_t from, uint32_t to)
{
    struct step step = {0};
    enum step_outcome outcome;
    int32_t *cells = memory_alloc((search->layout->cell_count + 1) * sizeof *cells);
    if (from == NO_STATE) {
        stepper_begin_starts(stepper);
    } else {
        tally_read(&search->tally, from, cells);
        stepper_begin_successors(stepper, cells);
    }
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && tally_is(&search->tally, to, step.cells)) {
            trace_push(trace, step.rule, step.instance, step.cells, NULL);
            break;
        }
    ENSURE(outcome == STEP_STATE);
    free(cells);
}

/* The run to a state. */
static struct trace *findings_run(struct counter_search *search, uint32_t state)
{
    struct trace *trace = trace_create(search->system, search->layout);
    VEC(uint32_t) states = {0};
    for (uint32_t s = state; s != NO_STATE; s = search->tally.parents.items[s])
        VEC_PUSH(&states, s);
    struct stepper *stepper = stepper_create_vm(search->system, search->layout);
    for (size_t i = states.count; i-- > 0;)
        findings_push_step(search, stepper, trace, i + 1 < states.count ? states.items[i + 1] : NO_STATE,
                           states.items[i]);
    stepper_destroy(stepper);
    VEC_FREE(&states);
    return trace;
}

static void findings_violate(struct counter_search *search, const struct property *property, struct trace *trace,
                             const struct fault *fault, const char *reason)
{
    result_set_failed(search->result, property, fault, trace, reason);
    findings_decide(search, property, true);
}

static void findings_meet_goal(struct counter_search *search, const struct property *property, struct trace *trace)
{
    result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
    search->result->properties[property->id].trace = trace;
    findings_decide(search, property, false);
}

bool findings_admit(struct counter_search *search, const int32_t *cells, uint32_t parent, const struct step *step)
{
    struct fault fault = {0};
    enum truth truth = TRUTH_TRUE;
    const struct property *property = conditions_breach(search->judge, cells, &truth, &fault);
    if (truth == TRUTH_FAULT && !search->decided[property->id]) {
        struct trace *trace = findings_run(search, parent);
        trace_push(trace, step->rule, step->instance, cells, NULL);
        findings_violate(search, property, trace, &fault, NULL);
    }
    return !property;
}

/* Which antecedents are true here, or cannot be evaluated? */
static void findings_meet_antecedents(struct counter_search *search, const int32_t *cells)
{
    size_t kept = 0;
    for (size_t i = 0; i < search->unmet.count; i++) {
        struct fault fault;
        if (stepper_judge(search->lens, search->unmet.items[i]->antecedent, cells, NULL, &fault) == TRUTH_FALSE)
            search->unmet.items[kept++] = search->unmet.items[i];
    }
    search->unmet.count = kept;
}

void findings_judge(struct counter_search *search, uint32_t state, const int32_t *cells)
{
    findings_meet_antecedents(search, cells);
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        struct fault fault = {0};
        if (search->decided[i] || !property->formula)
            continue;
        if (property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_COVER && property->kind != PROPERTY_CTL)
            continue;
        enum truth truth = stepper_holds(search->judge, property, cells, &fault);
        if (property->kind == PROPERTY_CTL && truth == TRUTH_FAULT) /* liveness */
            findings_violate(search, property, findings_run(search, state), &fault, NULL);
        if (property->kind == PROPERTY_INVARIANT && truth != TRUTH_TRUE)
            findings_violate(search, property, findings_run(search, state), truth == TRUTH_FAULT ? &fault : NULL,
                             "a reachable state violates it");
        if (property->kind == PROPERTY_COVER && truth == TRUTH_TRUE)
            findings_meet_goal(search, property, findings_run(search, state));
    }
}

void findings_fault(struct counter_search *search, uint32_t state, const struct step *step)
{
    if (search->decided[step->fault.property->id])
        return;
    struct trace *trace = findings_run(search, state);
    trace_push(trace, step->rule, step->instance, NULL, &step->fault);
    findings_violate(search, step->fault.property, trace, &step->fault, NULL);
}

void findings_deadlock(struct counter_search *search, uint32_t state)
{
    const struct property *property = search->system->properties.items[SYSTEM_DEADLOCK];
    if (!search->decided[property->id] && !conditions_allow_end(search->judge, search->cells))
        findings_violate(search, property, findings_run(search, state), NULL,
                         deadlock_reason(search->options->deadlock));
}

void findings_cover_statements(struct counter_search *search, uint32_t state, const struct step *step)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        if (property->kind != PROPERTY_COVER || property->formula || search->decided[i] || !search->stepper->covered[i])
            continue;
        struct trace *trace = NULL; /* no run has a step to a state that is left out, though it meets the cover */
        if (!step->cells || conditions_admit(search->judge, step->cells)) {
            trace = findings_run(search, state);
            trace_push(trace, step->rule, step->instance, step->cells, &step->fault);
        }
        findings_meet_goal(search, property, trace);
    }
}

void findings_conclude(struct counter_search *search)
{
    struct result *result = search->result;
    struct statistics *statistics = &result->statistics;
    if (search->is_depth_cut)
        counter_stop(search, stop_limit(STOP_DEPTH, search->options->limits.depth));
    result->is_complete = !search->stopped;
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            result_settle(result, search->system->properties.items[i]);
    for (size_t i = 0; i < search->unmet.count; i++)
        result->properties[search->unmet.items[i]->id].is_vacuous = result->is_complete;
    VEC_FREE(&search->unmet);
    stepper_destroy(search->lens);
    statistics->states = search->tally.ends.count;
    statistics->depth = search->deepest;
    statistics->store_bytes = tally_bytes(&search->tally);
    statistics->seconds = pace_seconds(&search->pace);
    statistics->cpu_seconds = pace_cpu_seconds(&search->pace);
    free(search->decided);
}
