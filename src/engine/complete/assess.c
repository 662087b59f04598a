/* What is checked of a state, and what of it must stay true. Only what is still undecided counts: a property that is
 * known to be violated need not be preserved. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/explore.h"
#include "exec/conditions.h"
#include "result/decide.h"

void assess_create(struct complete_search *search)
{
    size_t count = search->system->properties.count;
    search->decided = memory_zeroed(count + 1, sizeof *search->decided);
    search->is_faulted = memory_zeroed(count + 1, sizeof *search->is_faulted);
    search->fault_traces = memory_zeroed(count + 1, sizeof *search->fault_traces);
    if (search->options->deadlock == DEADLOCK_OFF) {
        search->result->checked[SYSTEM_DEADLOCK] = false;
        search->decided[SYSTEM_DEADLOCK] = true;
    }
    search->undecided = decide_count(search->result);
}

void assess_destroy(struct complete_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++)
        trace_destroy(search->fault_traces[i]);
    interpolant_free(&search->granted);
    free(search->decided);
    free(search->is_faulted);
    free(search->fault_traces);
}

void explore_decide(struct complete_search *search, const struct property *property)
{
    if (decide_property(property, search->decided, &search->undecided) && !search->stopped)
        explore_stop(search, stop_of(STOP_DECIDED));
}

/* A witness of a goal. */
static bool assess_met(struct complete_search *search, const struct property *property, struct node *node)
{
    struct finding finding = {.property = property, .evidence = TRACE_SHOWS_TRUE, .node = node};
    result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
    search->result->properties[property->id].trace = evidence_trace(search, &finding);
    explore_decide(search, property);
    return !search->stopped;
}

/* The formula faults here: of an invariant that is a violation; of a goal it is remembered for the end. */
static bool assess_fault(struct complete_search *search, const struct property *property, struct node *node)
{
    struct fault fault = search->follow->fault;
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    struct finding finding = {.property = property, .evidence = TRACE_SHOWS_FALSE, .fault = &fault, .node = node};
    interpolant_pin(&node->interpolant, search->terms, &at);
    if (property->kind == PROPERTY_INVARIANT)
        return evidence_report(search, &finding, NULL);
    if (!search->is_faulted[property->id]) {
        search->is_faulted[property->id] = true;
        search->fault_traces[property->id] = evidence_trace(search, &finding);
        search->result->properties[property->id].fault = fault;
    }
    return true;
}

static bool assess_property(struct complete_search *search, const struct property *property, struct node *node)
{
    struct follow *follow = search->follow;
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    const struct complete_term *truth = term_const(search->terms, 1);
    bool is_invariant = property->kind == PROPERTY_INVARIANT, holds = false;
    enum course course = follow_formula(follow, property->formula, &holds, &truth);
    if (course == COURSE_FAULT)
        return assess_fault(search, property, node);
    if (course == COURSE_DISCARDED) {
        holds = is_invariant;
        truth = term_const(search->terms, holds);
    }
    if (is_invariant && !holds) {
        struct finding finding = {.property = property, .evidence = TRACE_SHOWS_FALSE, .node = node};
        return evidence_report(search, &finding, "a reachable state violates it");
    }
    if (!is_invariant && holds)
        return assess_met(search, property, node);
    for (size_t i = 0; i < follow->sides.count; i++)
        interpolant_add(&node->interpolant, search->terms, follow->sides.items[i], &at);
    ENSURE(interpolant_add(&node->interpolant, search->terms, is_invariant ? truth : term_not(search->terms, truth),
                           &at) != ADDITION_FALSE);
    return true;
}

bool assess_allows_end(struct complete_search *search, struct node *node)
{
    const struct property *deadlock = search->system->properties.items[SYSTEM_DEADLOCK];
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    const struct complete_term *truth = term_const(search->terms, 1);
    bool holds = false;
    if (!deadlock->formula)
        return false;
    explore_look_at(search, node);
    if (follow_formula(search->follow, deadlock->formula, &holds, &truth) != COURSE_OK || !holds)
        return false;
    for (size_t i = 0; i < search->follow->sides.count; i++)
        interpolant_add(&node->interpolant, search->terms, search->follow->sides.items[i], &at);
    ENSURE(interpolant_add(&node->interpolant, search->terms, truth, &at) != ADDITION_FALSE);
    return true;
}

bool assess_node(struct complete_search *search, struct node *node)
{
    explore_look_at(search, node);
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        bool counts = property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_COVER;
        if (counts && property->formula && !search->decided[i] && !assess_property(search, property, node))
            return false;
    }
    return true;
}

/* Do the assumptions leave the state in? Asked of few states only: those in which a cover was met. */
static bool is_considered(const struct complete_search *search, const int32_t *cells)
{
    struct stepper *judge = stepper_create_evaluator(search->system, search->layout);
    bool is_admitted = conditions_admit(judge, cells);
    stepper_destroy(judge);
    return is_admitted;
}

/* Cover statements that were met in the step at hand. */
bool assess_covers(struct complete_search *search, struct node *node, const struct rule *rule, uint64_t instance,
                   const int32_t *cells, const struct fault *fault)
{
    bool *covered = search->follow->covered;
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        if (!covered[i] || search->decided[i])
            continue;
        /* The step may have been discarded after the statement, or leads to what the assumptions leave out: then there
         * is no run to show. */
        bool has_step = fault || (cells && is_considered(search, cells));
        struct finding finding = {property,
                                  !fault ? TRACE_SHOWS_STATE : TRACE_SHOWS_FAULT,
                                  fault,
                                  node,
                                  has_step ? rule : NULL,
                                  instance,
                                  has_step ? cells : NULL};
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        if (node || has_step)
            search->result->properties[i].trace = evidence_trace(search, &finding);
        explore_decide(search, property);
        if (search->stopped)
            return false;
    }
    return true;
}

bool assess_is_granted(struct complete_search *search, struct node *parent, const struct rule *rule, uint64_t instance,
                       const int32_t *cells, bool *goes_on)
{
    struct complete_scene at = {.shape = search->shape, .cells = cells};
    bool is_granted = true, has_begun = false;
    interpolant_free(&search->granted);
    for (size_t i = 0; i < search->system->properties.count && is_granted; i++) {
        const struct property *property = search->system->properties.items[i];
        const struct complete_term *truth = term_const(search->terms, 1);
        if (!property_is_assumed(property))
            continue;
        if (!has_begun)
            follow_begin(search->follow, cells);
        has_begun = true;
        search->looks_at = 0;
        enum course course = follow_formula(search->follow, property->formula, &is_granted, &truth);
        if (course != COURSE_OK)
            is_granted = false;
        if (course == COURSE_FAULT) {
            struct fault fault = search->follow->fault;
            struct finding finding = {property, TRACE_SHOWS_FALSE, &fault, parent, rule, instance, cells};
            interpolant_pin(&search->granted, search->terms, &at);
            if (!search->decided[i])
                *goes_on = evidence_report(search, &finding, NULL);
            return false;
        }
        for (size_t s = 0; s < search->follow->sides.count; s++)
            interpolant_add(&search->granted, search->terms, search->follow->sides.items[s], &at);
        if (!is_granted && course == COURSE_OK)
            interpolant_add(&search->granted, search->terms, term_not(search->terms, truth), &at);
    }
    return is_granted;
}
