/* An LTL property. */
#include <stdlib.h>

#include "engine/ctl/fairly.h"

void linear_free(struct linear_case *linear)
{
    struct checker *checker = linear->checker;
    requirements_forget(linear);
    VEC_FREE(&linear->requirements);
    if (linear->product.graph) {
        size_t nodes = (size_t)linear->product.graph->count + 1;
        checker_free(checker, linear->is_true, nodes, sizeof *linear->is_true);
        checker_free(checker, linear->is_false, nodes, sizeof *linear->is_false);
        checker_free(checker, linear->region, (size_t)product_count(&linear->product) + 1, sizeof *linear->region);
    }
    automaton_destroy(linear->automaton);
    linear_claim_free(&linear->claim);
    stop_free(&linear->fair_doubt);
}

static bool linear_prepare(struct linear_case *linear)
{
    linear->automaton = linear_automaton(&linear->claim);
    if (!linear->automaton)
        return !stop_is_set(&linear->claim.stop) && checker_spend(linear->checker, 0);
    const struct variable *const *variables = (const struct variable *const *)linear->claim.tracked.items;
    linear->product = (struct linear_product){.linear = linear, .variables = variables};
    linear->product.graph = graph_get(linear->checker, variables, (uint32_t)linear->claim.tracked.count);
    if (!linear->product.graph)
        return false;
    if ((uint64_t)linear->product.graph->count * linear->automaton->state_count >= UINT32_MAX) {
        stop_once(&linear->claim.stop, stop_because(STOP_UNDECIDED, "the product has more than 2^32 states"));
        linear->product.graph = NULL;
        return false;
    }
    if (linear->checker->most)
        linear->checker->part = linear->product.graph;
    linear->is_finite = linear_is_closed(&linear->claim, linear->checker->system, linear->drops_finite);
    return letters_find(linear) && (linear->is_finite || requirements_find(linear));
}

/* A safety formula that no finite run of the automaton shows to be violated, for all that: the automaton has no place
 * that accepts everything. */
static bool linear_find(struct linear_case *linear)
{
    if (!emptiness_decide(linear))
        return false;
    if (!linear->good || !linear->is_finite || lasso_is_finite(linear))
        return true;
    linear->is_finite = false;
    return requirements_find(linear) && emptiness_decide(linear);
}

/* TRUTH_FAULT: a condition that matters cannot be evaluated; or stopped. */
static enum truth linear_decide(struct linear_case *linear)
{
    if (!linear_prepare(linear) || !linear_find(linear))
        return TRUTH_FAULT;
    bool is_unfair = stop_is_set(&linear->fair_doubt);
    if (!linear->good || (!linear->has_doubt && !is_unfair))
        return linear->good ? TRUTH_FALSE : TRUTH_TRUE;
    linear->is_sure = true;
    bool is_found = (!is_unfair || requirements_find(linear)) && linear_find(linear) && linear->good;
    if (!is_found && is_unfair)
        stop_once(&linear->claim.stop, stop_copy(&linear->fair_doubt));
    return is_found ? TRUTH_FALSE : TRUTH_FAULT;
}

/* Of a formula that holds: is there no run that counts, so that every formula would hold? */
static bool linear_is_runless(struct linear_case *linear)
{
    const struct checker *checker = linear->checker;
    bool may_be = linear_may_be_vacuous(checker->system, checker->options->drops_finite);
    struct logic *logic = linear->claim.logic;
    struct automaton *all = may_be ? automaton_create(logic, logic_truth(logic, true), 1) : NULL;
    if (!all)
        return false;
    checker_free(linear->checker, linear->region, (size_t)product_count(&linear->product) + 1, sizeof *linear->region);
    linear->region = NULL;
    automaton_destroy(linear->automaton);
    linear->automaton = all;
    return emptiness_decide(linear) && !linear->good;
}

/* The antecedent first: the question of runs takes the automaton. */
static void linear_find_vacuity(struct linear_case *linear, struct property_result *entry)
{
    const struct linear_product *product = &linear->product;
    bool is_unmet = antecedent_is_unmet(linear->checker, linear->claim.property, product->graph, product->variables);
    entry->is_runless = linear_is_runless(linear);
    entry->is_vacuous = entry->is_runless || is_unmet;
}

static void ltl_report(struct linear_case *linear, enum truth truth)
{
    struct checker *checker = linear->checker;
    struct result *result = checker->result;
    const struct property *property = linear->claim.property;
    struct text words = {0};
    if (stop_is_set(&checker->stop)) {
        result_set_unknown(result, property, &checker->stop);
    } else if (stop_is_set(&linear->claim.stop)) {
        result_set_unknown(result, property, &linear->claim.stop);
    } else if (truth == TRUTH_FAULT) {
        checker->open_start = 0;
        struct trace *trace = evidence_fault(checker, property->ltl);
        struct fault fault = checker->fault;
        result_set_failed(result, property, &fault, trace, NULL);
    } else if (truth == TRUTH_FALSE) {
        struct watch epilogue;
        watch_begin_epilogue(&epilogue);
        struct trace *trace = lasso_show(linear, &words);
        watch_end(&epilogue);
        result_set_violated(result, property, NULL, trace, "%s", text_chars(&words));
    } else {
        fairly_say_runs(checker, linear->product.graph, !linear->is_finite, linear->drops_finite, &words);
        linear_find_vacuity(linear, &result->properties[property->id]);
        result_set_verdict(result, property, VERDICT_HOLDS, words.length ? "%s" : NULL, text_chars(&words));
    }
    text_free(&words);
}

static bool ltl_drops_finite(const struct checker *checker, const struct property *property)
{
    return checker->options->drops_finite || property->drops_finite;
}

void ltl_decide(struct checker *checker, const struct property *property)
{
    struct linear_case linear = {.checker = checker, .drops_finite = ltl_drops_finite(checker, property)};
    bool is_good = linear_translate(&linear.claim, property) && !stop_is_set(&checker->stop);
    enum truth truth = is_good ? linear_decide(&linear) : TRUTH_FAULT;
    checker->result->properties[property->id].product_states = linear.reached;
    ltl_report(&linear, truth);
    linear_free(&linear);
}

/* A finite run is enough where any can go on fairly. */
static bool linear_find_in_part(struct linear_case *linear)
{
    if (linear->is_finite && lasso_is_finite(linear))
        return true;
    if (linear->is_finite && !requirements_find(linear))
        return false;
    linear->is_finite = false;
    return emptiness_decide(linear) && linear->good;
}

/* False: there is no memory for a part of this size. */
static bool ltl_hunt_in_part(struct checker *checker, const struct property *property)
{
    struct linear_case linear = {
        .checker = checker, .is_sure = true, .drops_finite = ltl_drops_finite(checker, property)};
    struct text words = {0};
    struct trace *trace = NULL;
    if (linear_translate(&linear.claim, property) && !stop_is_set(&checker->stop) && linear_prepare(&linear) &&
        linear_find_in_part(&linear)) {
        struct watch epilogue;
        watch_begin_epilogue(&epilogue);
        trace = lasso_show(&linear, &words);
        watch_end(&epilogue);
    }
    if (trace)
        result_set_violated(checker->result, property, NULL, trace, "%s", text_chars(&words));
    text_free(&words);
    linear_free(&linear);
    checker_forget_graphs(checker);
    return trace || checker->stop.kind != STOP_MEMORY;
}

void ltl_hunt(struct checker *checker, const struct property *property)
{
    enum { FEWEST = 256, FACTOR = 4 };
    uint64_t most = checker->most;
    for (; !ltl_hunt_in_part(checker, property) && checker->most > FEWEST; checker->most /= FACTOR) {
        checker->lacks_memory = true;
        stop_free(&checker->stop);
    }
    if (checker->stop.kind == STOP_MEMORY) /* another formula may need less */
        stop_free(&checker->stop);
    checker->most = most;
}

const char *ltl_needs_states(const struct ctl *ltl)
{
    return linear_names_elements(ltl) ? "a quantifier over interchangeable elements stays inside the formula" : NULL;
}
