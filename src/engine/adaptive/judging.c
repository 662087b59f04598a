/* What is checked of every new state: does one of the states it stands for break an invariant, or meet a goal? The
 * property need not be symmetric: it is unwound like a rule. */
#include <string.h>

#include "engine/adaptive/search.h"
#include "result/decide.h"

void judging_create(struct adaptive_search *search)
{
    const struct system *system = search->system;
    search->decided = memory_zeroed(system->properties.count + 1, sizeof *search->decided);
    search->unevaluated = memory_zeroed(system->properties.count + 1, sizeof *search->unevaluated);
    search->result->checked[SYSTEM_DEADLOCK] = search->options->deadlock != DEADLOCK_OFF;
    search->undecided = decide_count(search->result);
}

void judging_forget(struct adaptive_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        trace_destroy(search->unevaluated[i].trace);
        search->unevaluated[i].trace = NULL;
    }
}

void judging_decide(struct adaptive_search *search, const struct property *property)
{
    if (decide_property(property, search->decided, &search->undecided) && !search->stopped)
        bounds_stop(search, stop_of(STOP_DECIDED));
}

/* What a formula that is not true does: the evaluator says whether it is false or cannot be evaluated. */
static bool judging_find_fault(struct adaptive_search *search, const struct property *property, uint32_t number,
                               const uint32_t *locals, struct fault *fault)
{
    int32_t *cells = memory_alloc((search->layout->cell_count + 1) * sizeof *cells);
    struct stepper *stepper = stepper_create_evaluator(search->system, search->layout);
    scene_write(&search->scene, words_at(&search->reached.states, number)[0], locals, cells);
    bool is_fault = stepper_holds(stepper, property, cells, fault) == TRUTH_FAULT;
    stepper_destroy(stepper);
    free(cells);
    return is_fault;
}

bool judging_report(struct adaptive_search *search, const struct property *property, uint32_t number,
                    const uint32_t *locals, const struct firing *fired, const struct fault *fault, const char *reason)
{
    struct trace *trace = lift_trace(search, number, locals, fired, fault);
    if (property->kind == PROPERTY_COVER) {
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search->result->properties[property->id].trace = trace;
    } else {
        result_set_failed(search->result, property, fault, trace, reason);
        if (!search->options->keep_going && !search->stopped)
            bounds_stop(search, stop_of(STOP_VIOLATION));
    }
    judging_decide(search, property);
    return !search->stopped;
}

static bool judging_shown(struct adaptive_search *search, const struct property *property, uint32_t number,
                          const uint32_t *locals)
{
    struct fault fault = {0};
    bool is_fault =
        property->kind == PROPERTY_INVARIANT && judging_find_fault(search, property, number, locals, &fault);
    return judging_report(search, property, number, locals, NULL, is_fault ? &fault : NULL,
                          "a reachable state violates it");
}

/* A goal that cannot be evaluated here: what to show if it is met nowhere. */
static void judging_note_fault(struct adaptive_search *search, const struct property *property, uint32_t number,
                               const uint32_t *locals)
{
    struct unevaluated *noted = &search->unevaluated[property->id];
    if (!noted->trace && judging_find_fault(search, property, number, locals, &noted->fault))
        noted->trace = lift_trace(search, number, locals, NULL, &noted->fault);
}

struct judgement {
    struct adaptive_search *search;
    uint32_t number, variant;
    bool goes_on;
    uint32_t *locals;
};

static bool judging_use(struct unwinding *unwinding)
{
    struct judgement *judgement = unwinding->user;
    struct adaptive_search *search = judgement->search;
    uint32_t actors[VARIANT_MOST_ACTORS];
    if (!unwind_holds(unwinding, &search->book))
        return true;
    const struct property *property = search->variants.items[unwinding->edge->variant].property;
    bool is_fault = unwinding->edge->outcome == OUTCOME_FAULT;
    if (is_fault && search->unevaluated[property->id].trace)
        return true;
    unwind_concretise(unwinding, judgement->locals, actors);
    if (is_fault)
        judging_note_fault(search, property, judgement->number, judgement->locals);
    else
        judgement->goes_on = judging_shown(search, property, judgement->number, judgement->locals);
    return is_fault;
}

static bool judging_fire(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user)
{
    struct judgement *judgement = user;
    const struct variant *about = &search->variants.items[variant];
    enum go go = rulebook_run_concrete(&search->book, about, search->fresh.shared, judgement->locals, actors);
    if (go == GO_FAULT)
        judging_note_fault(search, about->property, judgement->number, judgement->locals);
    if (go != GO_OK)
        return true;
    judgement->goes_on = judging_shown(search, about->property, judgement->number, judgement->locals);
    return false;
}

static bool judging_use_concrete(struct unwinding *unwinding)
{
    struct judgement *judgement = unwinding->user;
    uint32_t none[VARIANT_MOST_ACTORS];
    if (!bounds_spend(judgement->search, 4))
        return judgement->goes_on = false;
    unwind_concretise(unwinding, judgement->locals, none);
    return concrete_each(judgement->search, judgement->variant, unwinding->view->shared, judgement->locals,
                         judging_fire, judgement);
}

/* One property variant. */
static bool judging_variant(struct adaptive_search *search, uint32_t number, uint32_t variant)
{
    struct judgement judgement = {search, number, variant, true, search->locals};
    struct edge_queue queue = {0};
    const struct property *property = search->variants.items[variant].property;
    if (search->decided[property->id])
        return true;
    unfold_collect(search, &search->fresh, variant, variant + 1, &queue);
    search->probe.user = &judgement;
    search->probe.use = judging_use;
    for (size_t i = 0; i < queue.count; i++)
        if (!unwind_edge(&search->probe, &search->book, &search->fresh, queue.items[i]))
            break;
    if (search->variants.items[variant].is_unclear && !search->decided[property->id]) {
        search->probe.use = judging_use_concrete;
        unwind_over(&search->probe, &search->book, &search->fresh, search->finest);
    }
    VEC_FREE(&queue);
    return judgement.goes_on;
}

bool judging_state(struct adaptive_search *search, uint32_t number)
{
    if (search->variants.count == search->rule_variants)
        return true;
    view_load(&search->fresh, &search->reached, number);
    for (size_t v = search->rule_variants; v < search->variants.count; v++)
        if (!judging_variant(search, number, (uint32_t)v))
            return false;
    return true;
}
