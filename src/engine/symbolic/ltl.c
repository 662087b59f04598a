#include "engine/symbolic/ltl.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/stage.h"

static void ltl_close(struct ltl_case *linear)
{
    struct dd_manager *m = linear->model->m;
    ltl_forget(linear);
    for (size_t i = 0; linear->atoms && i < linear->claim.atoms.count; i++) {
        dd_unref(m, linear->atoms[i].holds);
        dd_unref(m, linear->atoms[i].wrong);
    }
    free(linear->atoms);
    for (size_t i = 0; i < linear->events.count; i++) {
        dd_unref(m, linear->events.items[i].often);
        dd_unref(m, linear->events.items[i].met);
        free(linear->events.items[i].own);
        free(linear->events.items[i].values);
    }
    VEC_FREE(&linear->events);
    dd_unref(m, linear->ends);
    automaton_destroy(linear->automaton);
    linear_claim_free(&linear->claim);
}

/* The atoms, the automaton, and what fairness asks for. False: see model->stop, or claim.stop. */
static bool ltl_open(struct ltl_case *linear, const struct property *property)
{
    struct symbolic_model *model = linear->model;
    if (!linear_translate(&linear->claim, property))
        return false;
    linear->automaton = linear_automaton(&linear->claim);
    linear->ends = set_ends(model);
    if ((!linear->automaton && !stop_is_set(&linear->claim.stop)) || linear->ends == DD_NONE)
        return symbolic_failed(model);
    linear->is_finite = linear_is_closed(&linear->claim, model->system, linear->drops_finite);
    return linear->automaton && ltl_find_atoms(linear) && ltl_label(linear) &&
           (linear->is_finite || ltl_find_fairness(linear));
}

/* What the run leads to that shows a violation: the states before one that no finite run recovers from, or a component
 * of the fair part; empty: there is none. NULL: no memory or time. */
static dd *ltl_find_goal(struct ltl_case *linear)
{
    if (!linear->reached && !ltl_reach(linear))
        return NULL;
    dd *goal = linear->is_finite ? ltl_violations(linear) : ltl_fair(linear);
    if (!linear->is_finite && ltl_is_good(linear, goal) && !ltl_is_empty(linear, goal))
        ltl_replace(linear, &goal, ltl_component(linear, goal));
    if (ltl_is_good(linear, goal))
        return goal;
    ltl_free(linear, goal);
    symbolic_failed(linear->model);
    return NULL;
}

/* The automaton of a safety formula need not have a state that accepts everything: then the violation is a run for
 * ever, too. */
static dd *ltl_find(struct ltl_case *linear)
{
    dd *goal = ltl_find_goal(linear);
    if (!goal || !linear->is_finite || !ltl_is_empty(linear, goal) || automaton_is_terminal(linear->automaton))
        return goal;
    ltl_free(linear, goal);
    linear->is_finite = false;
    goal = ltl_find_goal(linear);                           /* without fairness: is there any run at all? */
    linear->is_finite = goal && ltl_is_empty(linear, goal); /* it holds, whatever is fair */
    if (!goal || linear->is_finite)
        return goal;
    ltl_free(linear, goal);
    return ltl_find_fairness(linear) ? ltl_find_goal(linear) : NULL;
}

/* Of a formula that holds: is there no run that counts? */
static bool ltl_is_runless(struct ltl_case *linear)
{
    struct logic *logic = linear->claim.logic;
    struct automaton *all = linear_may_be_vacuous(linear->model->system, linear->drops_finite)
                                ? automaton_create(logic, logic_truth(logic, true), 1)
                                : NULL;
    if (!all)
        return false;
    ltl_forget(linear);
    automaton_destroy(linear->automaton);
    linear->automaton = all;
    dd *fair = ltl_label(linear) && ltl_reach(linear) ? ltl_fair(linear) : NULL;
    bool is_runless = fair && ltl_is_empty(linear, fair);
    ltl_free(linear, fair);
    return is_runless;
}

/* --- the answer --- */

static void ltl_say_holds(struct symbolic_search *search, const struct property *property, struct ltl_case *linear)
{
    struct text words = {0};
    linear_say_runs(linear->is_finite ? NULL : search->model.system, linear->ends != DD_FALSE, linear->drops_finite,
                    &words);
    struct property_result *entry = &search->result->properties[property->id];
    entry->is_runless = entry->is_vacuous = ltl_is_runless(linear);
    result_set_verdict(search->result, property, VERDICT_HOLDS, words.length ? "%s" : NULL, text_chars(&words));
    text_free(&words);
}

static void ltl_say_violated(struct symbolic_search *search, const struct property *property, struct ltl_case *linear,
                             const dd *goal)
{
    struct text words = {0};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    struct trace *trace = ltl_show(linear, search->model.layout, goal, &words);
    watch_end(&epilogue);
    result_set_violated(search->result, property, NULL, trace, "%s",
                        trace ? text_chars(&words) : "some run does not satisfy it");
    text_free(&words);
}

/* A state in which an atom cannot be evaluated, how it fails there, and a run to it. */
static void ltl_say_failed(struct symbolic_search *search, const struct property *property, struct ltl_case *linear)
{
    struct symbolic_model *model = linear->model;
    struct fault fault = {0};
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    int32_t *cells = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *cells);
    for (size_t i = 0; i < linear->claim.atoms.count && fault.kind == FAULT_NONE; i++) {
        const struct linear_atom *atom = &linear->claim.atoms.items[i];
        const struct proposition *proposition = atom->proposition;
        if (linear->atoms[i].wrong == DD_FALSE)
            continue;
        encoding_pick(model->encoding, linear->atoms[i].wrong, cells);
        int32_t *values = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *values);
        ltl_atom_values(model, atom, cells, values);
        stepper_judge(stepper, proposition, cells, values, &fault);
        free(values);
    }
    result_set_failed(search->result, property, &fault, ctl_fault_trace(search, property, cells), NULL);
    free(cells);
    stepper_destroy(stepper);
}

/* False: see model->stop, or claim.stop. */
static bool ltl_decide_on(struct symbolic_search *search, const struct property *property, struct ltl_case *linear)
{
    dd *goal = ltl_find(linear);
    if (goal && !ltl_is_empty(linear, goal) && linear->has_doubt) { /* is it certain? */
        ltl_free(linear, goal);
        linear->is_sure = true;
        goal = ltl_label(linear) ? ltl_find(linear) : NULL;
        if (goal && ltl_is_empty(linear, goal)) {
            ltl_free(linear, goal);
            ltl_say_failed(search, property, linear);
            return true;
        }
    }
    if (!goal)
        return false;
    if (ltl_is_empty(linear, goal)) {
        ltl_free(linear, goal);
        ltl_say_holds(search, property, linear);
    } else {
        ltl_say_violated(search, property, linear, goal);
        ltl_free(linear, goal);
    }
    return true;
}

/* --- where it is decided --- */

/* Why orbits cannot decide it; NULL: they can. */
static const char *ltl_needs_states(const struct property *property, const struct symmetry *symmetry)
{
    const struct system *system = symmetry->system;
    if (linear_names_elements(property->ltl))
        return "a quantifier over interchangeable elements stays inside the formula";
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct fairness *fairness = system->properties.items[i]->fairness;
        if (fairness && fairness->variable_count)
            return "fairness is about single processes";
        if (fairness && !symmetry->keeps_rules)
            return "the symmetry exchanges rules, which fairness may name";
    }
    return NULL;
}

void ltl_answer(struct symbolic_search *search, const struct property *property)
{
    struct stage stage;
    struct linear_claim claim;
    const struct symmetry *symmetry = search->model.symmetry;
    const char *why = symmetry_is_trivial(symmetry) ? NULL : ltl_needs_states(property, symmetry);
    linear_translate(&claim, property);
    bool is_open = stage_open(&stage, search, property, (const struct variable *const *)claim.tracked.items,
                              claim.tracked.count, why);
    struct ltl_case linear = {.model = stage.model,
                              .ends = DD_FALSE,
                              .drops_finite = search->options->drops_finite || property->drops_finite};
    const struct property *own = stage.system ? stage.system->properties.items[property->id] : property;
    if (!is_open || !ltl_open(&linear, own) || !ltl_decide_on(search, property, &linear))
        result_set_unknown(search->result, property,
                           stop_is_set(&linear.claim.stop) ? &linear.claim.stop : &stage.model->stop);
    if (is_open)
        ltl_close(&linear);
    stage_close(&stage);
    linear_claim_free(&claim);
    search->decided[property->id] = true;
}
