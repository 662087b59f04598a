/* From an abstract run to a run of the model, backwards: given a concrete form of a state, a concrete form of its
 * parent that leads there. The successor of u by an edge is annotated with R, and every permutation in <R> maps the
 * whole step to a step: so the elements of each cell of R can be matched by what became of them, in any way that
 * fits the counts. */
#include <string.h>

#include "engine/adaptive/search.h"
#include "ir/instance.h"

struct lift {
    struct adaptive_search *search;
    struct adaptive_view view; /* of the parent */
    struct unwinding unwinding;
    const uint32_t *target; /* words of the state */
    uint32_t target_length;
    const uint32_t *locals; /* its concrete form */
    struct firing *firing;
};

/* Takes an element of the cell that is in this local state and not used yet. */
static uint32_t lift_take(const struct lift *lift, uint32_t cell, uint32_t local, bool *is_used)
{
    const struct partition *fine = &lift->unwinding.fine;
    for (uint32_t i = 0; i < fine->size[cell]; i++) {
        uint32_t element = fine->members[fine->start[cell] + i];
        if (!is_used[element] && lift->locals[element] == local) {
            is_used[element] = true;
            return element;
        }
    }
    UNREACHABLE("a step that cannot be turned back");
}

static void lift_turn_back(struct lift *lift)
{
    struct adaptive_search *search = lift->search;
    const struct unwinding *unwinding = &lift->unwinding;
    const struct adaptive_edge *edge = unwinding->edge;
    const struct adaptive_view *view = &lift->view;
    bool *is_used = memory_zeroed(search->roster->element_count, sizeof *is_used);
    for (uint32_t a = 0; a < unwinding->actor_count; a++) {
        lift->firing->actors[a] = lift_take(lift, unwinding->place[a], edge->locals_after[a], is_used);
        lift->firing->locals[lift->firing->actors[a]] = edge->locals[a];
    }
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        uint32_t map = edge->map_of_cell ? edge->map_of_cell[unwinding->q_cell_of[unwinding->fine.first[r]]] : NO_MAP;
        for (uint32_t l = 0; l < view->local_count; l++)
            for (uint32_t i = unwinding->counts[r * view->local_count + l]; i > 0; i--) {
                uint32_t after = map == NO_MAP ? view->locals[l] : effect_map(&search->book, map, view->locals[l]);
                lift->firing->locals[lift_take(lift, r, after, is_used)] = view->locals[l];
            }
    }
    lift->firing->variant = edge->variant;
    lift->firing->shared = view->shared;
    free(is_used);
}

static bool lift_use(struct unwinding *unwinding)
{
    struct lift *lift = unwinding->user;
    struct adaptive_search *search = lift->search;
    if (unwinding->edge->outcome != OUTCOME_STATE || !unwind_holds(unwinding, &search->book))
        return true;
    unfold_build(search, unwinding);
    if (search->words.count != lift->target_length ||
        memcmp(search->words.items, lift->target, lift->target_length * sizeof *lift->target))
        return true;
    lift_turn_back(lift);
    return false;
}

/* The firing that leads from the parent to the state in this form. */
static void lift_step(struct adaptive_search *search, uint32_t parent, uint32_t number, const uint32_t *locals,
                      struct firing *firing)
{
    struct lift lift = {.search = search, .locals = locals, .firing = firing};
    struct edge_queue queue = {0};
    bool is_found = false;
    lift.target = words_at(&search->reached.states, number);
    lift.target_length = words_length(&search->reached.states, number);
    lift.unwinding = (struct unwinding){.use = lift_use, .user = &lift};
    view_load(&lift.view, &search->reached, parent);
    unfold_collect(search, &lift.view, 0, search->rule_variants, &queue);
    for (size_t i = 0; i < queue.count && !is_found; i++)
        is_found = !unwind_edge(&lift.unwinding, &search->book, &lift.view, queue.items[i]);
    if (!is_found && !concrete_find(search, &lift.view, lift.target[0], locals, firing))
        UNREACHABLE("a step of the search that is not found again");
    VEC_FREE(&queue);
    view_free(&lift.view);
    unwind_free(&lift.unwinding);
}

static uint64_t lift_instance(const struct adaptive_search *search, const struct firing *firing)
{
    const struct variant *variant = &search->variants.items[firing->variant];
    int32_t *values = memory_alloc((variant->binding_count + 1) * sizeof *values);
    for (uint32_t b = 0; b < variant->binding_count; b++) {
        const struct adaptive_binding *binding = &variant->bindings[b];
        values[b] =
            binding->actor == NO_ACTOR ? binding->code : search->roster->code_of[firing->actors[binding->actor]];
    }
    uint64_t instance = instance_number(variant->rule, values);
    free(values);
    return instance;
}

static void lift_start(struct adaptive_search *search, struct trace *trace, const int32_t *cells)
{
    struct stepper *stepper = stepper_create_evaluator(search->system, search->layout);
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && !memcmp(step.cells, cells, search->layout->cell_count * sizeof *cells)) {
            trace_push(trace, step.rule, step.instance, cells, NULL);
            break;
        }
    if (!trace->count)
        UNREACHABLE("a run that does not begin in a start state");
    stepper_destroy(stepper);
}

struct trace *lift_trace(struct adaptive_search *search, uint32_t number, const uint32_t *locals,
                         const struct firing *fired, const struct fault *fault)
{
    size_t n = search->roster->element_count, length = 0;
    for (uint32_t s = number; s != NO_STATE; s = search->reached.parents.items[s])
        length++;
    struct firing *firings = memory_zeroed(length, sizeof *firings); /* firings[i]: from state i of the run */
    uint32_t *all = memory_alloc((length * n + 1) * sizeof *all), state = number;
    int32_t *cells = memory_alloc((search->layout->cell_count + 1) * sizeof *cells);
    memcpy(all + (length - 1) * n, locals, n * sizeof *all);
    uint32_t shared = words_at(&search->reached.states, number)[0];
    for (size_t i = length - 1; i > 0; i--) {
        firings[i - 1].locals = all + (i - 1) * n;
        lift_step(search, search->reached.parents.items[state], state, all + i * n, &firings[i - 1]);
        state = search->reached.parents.items[state];
    }
    struct trace *trace = trace_create(search->system, search->layout);
    for (size_t i = 0; i < length; i++) {
        scene_write(&search->scene, i + 1 < length ? firings[i].shared : shared, all + i * n, cells);
        if (i == 0)
            lift_start(search, trace, cells);
        else
            trace_push(trace, search->variants.items[firings[i - 1].variant].rule,
                       lift_instance(search, &firings[i - 1]), cells, NULL);
    }
    if (fired)
        trace_push(trace, search->variants.items[fired->variant].rule, lift_instance(search, fired), NULL, fault);
    trace_insist(trace_replay(trace));
    free(firings);
    free(all);
    free(cells);
    return trace;
}
