/* The run that violates the formula: by a shortest way to the goal, and around in it, past every mark and every event
 * that fairness asks for; then turns until it is a cycle of states. */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/ltl.h"
#include "exec/conditions.h"
#include "result/close.h"
#include "result/fair.h"
#include "result/pointed.h"

struct ltl_run {
    struct ltl_case *linear;
    struct closer closer;
    struct canon *canon; /* NULL: the symmetry is trivial */
    int32_t *aim, *image;
    struct trace *trace; /* of the model that the sets are about */
    uint32_t place;      /* state of the automaton, after the trace */
    uint64_t marks;      /* met with since the cycle began */
    bool *is_met;        /* by event of fairness */
};

/* States of the product, one after the other. */
struct ltl_way {
    int32_t *cells;
    uint32_t *places;
    size_t count;
};

static const int32_t *run_cells(const struct ltl_run *run)
{
    return run->trace->steps[run->trace->count - 1].cells;
}

/* The state with those of its orbit; referenced. */
static dd run_orbit(const struct ltl_run *run, const int32_t *cells)
{
    struct symbolic_model *model = run->linear->model;
    return set_close(model, encoding_state(model->encoding, cells));
}

static dd *run_single(const struct ltl_run *run, const int32_t *cells, uint32_t place)
{
    dd *one = ltl_set(run->linear);
    one[place] = run_orbit(run, cells);
    return one;
}

static bool run_is_in(const struct ltl_run *run, dd set)
{
    dd here = run_orbit(run, run_cells(run));
    bool is_in = here != DD_NONE && dd_is_disjoint(run->linear->model->m, here, set) == DD_FALSE;
    dd_unref(run->linear->model->m, here);
    return is_in;
}

/* --- ways through sets --- */

struct ltl_layers {
    dd **items;
    size_t count, capacity;
};

static void layers_drop(const struct ltl_case *linear, struct ltl_layers *layers)
{
    for (size_t i = 0; i < layers->count; i++)
        ltl_free(linear, layers->items[i]);
    VEC_FREE(layers);
}

/* Layers from the first one on, until one meets the goal: that part of it. NULL: no memory or time. */
static dd *layers_spread(const struct ltl_case *linear, struct ltl_layers *layers, const dd *inside, const dd *goal)
{
    dd *seen = ltl_copy(linear, layers->items[0]), *hit = ltl_combine(linear, seen, goal, set_and);
    while (ltl_is_good(linear, hit) && ltl_is_empty(linear, hit) && !symbolic_is_over(linear->model)) {
        dd *next = ltl_after(linear, VEC_LAST(layers), NULL, 0);
        ltl_replace(linear, &next, ltl_combine(linear, next, inside, set_and));
        ltl_replace(linear, &next, ltl_combine(linear, next, seen, set_without));
        ltl_replace(linear, &seen, ltl_combine(linear, seen, next, set_or));
        ltl_replace(linear, &hit, ltl_combine(linear, next, goal, set_and));
        VEC_PUSH(layers, next);
        if (ltl_is_good(linear, next) && ltl_is_empty(linear, next))
            UNREACHABLE("no way leads to the goal");
    }
    ltl_free(linear, seen);
    if (ltl_is_good(linear, hit) && !ltl_is_empty(linear, hit))
        return hit;
    ltl_free(linear, hit);
    return NULL;
}

/* A state of the set, which is not empty. */
static void way_pick(const struct ltl_case *linear, const dd *set, struct ltl_way *way, size_t position)
{
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        if (set[a] != DD_FALSE) {
            way->places[position] = a;
            encoding_pick(linear->model->encoding, set[a], way->cells + position * linear->model->layout->cell_count);
            return;
        }
    UNREACHABLE("an empty set on the way");
}

static void way_free(struct ltl_way *way)
{
    free(way->cells);
    free(way->places);
    *way = (struct ltl_way){0};
}

/* From the last state, in `hit`, back through the layers. */
static bool way_go_back(const struct ltl_run *run, const struct ltl_layers *layers, dd *hit, struct ltl_way *way)
{
    const struct ltl_case *linear = run->linear;
    size_t cells = linear->model->layout->cell_count;
    bool is_good = true;
    way->count = layers->count;
    way->cells = memory_alloc((way->count * cells + 1) * sizeof *way->cells);
    way->places = memory_alloc((way->count + 1) * sizeof *way->places);
    for (size_t i = way->count; is_good && i-- > 0;) {
        way_pick(linear, hit, way, i);
        if (!i)
            break;
        dd *one = run_single(run, way->cells + i * cells, way->places[i]), *before = ltl_before(linear, one, NULL, 0);
        ltl_replace(linear, &hit, ltl_combine(linear, before, layers->items[i - 1], set_and));
        ltl_free(linear, one);
        ltl_free(linear, before);
        is_good = ltl_is_good(linear, hit);
    }
    ltl_free(linear, hit);
    return is_good;
}

/* A shortest way from the nearest of some states (taken) to the goal. False: no memory or time. Free the way then, too.
 */
static bool run_find(const struct ltl_run *run, dd *from, const dd *inside, const dd *goal, struct ltl_way *way)
{
    struct ltl_layers layers = {0};
    VEC_PUSH(&layers, from);
    dd *hit = layers_spread(run->linear, &layers, inside, goal);
    bool is_good = hit && way_go_back(run, &layers, hit, way);
    layers_drop(run->linear, &layers);
    return is_good || symbolic_failed(run->linear->model);
}

/* --- real steps --- */

static const int32_t *run_represent(const struct ltl_run *run, const int32_t *cells)
{
    if (!run->canon)
        return cells;
    canon_apply(run->canon, cells, run->image);
    return run->image;
}

static const struct canon *run_canonise(void *user, const int32_t *cells)
{
    const struct ltl_run *run = user;
    run_represent(run, cells);
    return run->canon;
}

static void run_set_aim(struct ltl_run *run, const int32_t *cells)
{
    size_t size = run->linear->model->layout->cell_count * sizeof *cells;
    memcpy(run->aim, run_represent(run, cells), size);
}

static bool run_hits(const struct ltl_run *run, const int32_t *cells)
{
    size_t size = run->linear->model->layout->cell_count * sizeof *cells;
    return memcmp(run_represent(run, cells), run->aim, size) == 0;
}

struct ltl_aim {
    const struct ltl_run *run;
    const struct ltl_event *event; /* a step of its own, or NULL */
};

static bool run_is_aim(void *user, const struct step *step)
{
    const struct ltl_aim *aim = user;
    if (aim->event && aim->event->own &&
        !fairness_is_own(aim->event->fairness, step->rule, step->instance, aim->event->values))
        return false;
    return run_hits(aim->run, step->cells);
}

/* The marks of an edge of the automaton that can be taken here: with `mark`, and with as many as possible that are
 * missing. */
static uint64_t run_marks(const struct ltl_run *run, uint32_t place, uint64_t mark)
{
    const struct automaton *automaton = run->linear->automaton;
    uint64_t best = 0;
    for (uint32_t e = automaton->first[run->place]; e < automaton->first[run->place + 1]; e++) {
        const struct automaton_edge *edge = &automaton->edges[e];
        uint64_t news = edge->marks & ~run->marks;
        if (edge->target == place && (edge->marks & mark) == mark &&
            __builtin_popcountll(news) > __builtin_popcountll(best) && run_is_in(run, run->linear->labels[e]))
            best = news;
    }
    return best;
}

/* What has happened now, after a step or (is_step false) without one. */
static void run_note(struct ltl_run *run, bool is_step)
{
    const struct trace_step *last = &run->trace->steps[run->trace->count - 1];
    for (size_t i = 0; i < run->linear->events.count; i++) {
        const struct ltl_event *event = &run->linear->events.items[i];
        if (!run->is_met[i])
            run->is_met[i] = (is_step && event->own &&
                              fairness_is_own(event->fairness, last->rule, last->instance, event->values)) ||
                             run_is_in(run, event->met);
    }
}

/* One step of the product; where nothing can move, only the automaton moves. */
static void run_step(struct ltl_run *run, const int32_t *cells, uint32_t place, const struct ltl_event *event)
{
    bool stays = run_is_in(run, run->linear->ends);
    struct ltl_aim aim = {run, event};
    run->marks |= run_marks(run, place, event ? event->mark : 0);
    run_set_aim(run, cells);
    if (!stays)
        close_step(&run->closer, run->trace, run_is_aim, &aim);
    run->place = place;
    run_note(run, !stays);
}

static void run_follow(struct ltl_run *run, const struct ltl_way *way, size_t first)
{
    for (size_t i = first; i < way->count; i++)
        run_step(run, way->cells + i * run->linear->model->layout->cell_count, way->places[i], NULL);
}

/* --- the cycle --- */

/* A step from here to some state of the component that makes the event happen (NULL: any step). */
static bool run_make(struct ltl_run *run, const dd *component, const struct ltl_event *event)
{
    const struct ltl_case *linear = run->linear;
    dd *here = run_single(run, run_cells(run), run->place);
    dd *next = ltl_after(linear, here, event->own, event->mark);
    struct ltl_way way = {.count = 1};
    ltl_replace(linear, &next, ltl_combine(linear, next, component, set_and));
    bool is_good = ltl_is_good(linear, next);
    if (is_good) {
        way.cells = memory_alloc((linear->model->layout->cell_count + 1) * sizeof *way.cells);
        way.places = memory_alloc(sizeof *way.places);
        way_pick(linear, next, &way, 0);
        run_step(run, way.cells, way.places[0], event);
    }
    way_free(&way);
    ltl_free(linear, here);
    ltl_free(linear, next);
    return is_good || symbolic_failed(linear->model);
}

static bool run_has(const struct ltl_run *run, size_t number, const struct ltl_event *event)
{
    return event->mark ? run->marks & event->mark : run->is_met[number - run->linear->automaton->mark_count];
}

/* Where the event happens nowhere in the component, nothing obliges it there either. */
static bool run_meet(struct ltl_run *run, const dd *component, size_t number, const struct ltl_event *event)
{
    const struct ltl_case *linear = run->linear;
    dd *happens = ltl_happens(linear, component, event);
    struct ltl_way way = {0};
    bool is_good = ltl_is_good(linear, happens);
    if (is_good && !ltl_is_empty(linear, happens)) {
        is_good = run_find(run, run_single(run, run_cells(run), run->place), component, happens, &way);
        if (is_good)
            run_follow(run, &way, 1);
        if (is_good && !run_has(run, number, event))
            is_good = run_make(run, component, event);
    }
    way_free(&way);
    ltl_free(linear, happens);
    return is_good || symbolic_failed(linear->model);
}

static bool run_return(struct ltl_run *run, const dd *component, const dd *home, bool has_moved)
{
    const struct ltl_case *linear = run->linear;
    struct ltl_way way = {0};
    dd *from = run_single(run, run_cells(run), run->place);
    if (!has_moved) {
        ltl_replace(linear, &from, ltl_after(linear, from, NULL, 0));
        ltl_replace(linear, &from, ltl_combine(linear, from, component, set_and));
    }
    bool is_good = run_find(run, from, component, home, &way);
    if (is_good)
        run_follow(run, &way, has_moved ? 1 : 0);
    way_free(&way);
    return is_good;
}

static bool run_go_around(struct ltl_run *run, const dd *component)
{
    const struct ltl_case *linear = run->linear;
    uint32_t begin = run->trace->count - 1;
    struct ltl_event event;
    bool is_good = true;
    if (run_is_in(run, linear->ends))
        return true; /* it stays there */
    dd *home = run_single(run, run_cells(run), run->place);
    run->marks = 0;
    memset(run->is_met, 0, linear->events.count * sizeof *run->is_met);
    run_note(run, false);
    for (size_t i = 0; is_good && ltl_event(linear, i, &event); i++)
        is_good = run_has(run, i, &event) || run_meet(run, component, i, &event);
    is_good = is_good && run_return(run, component, home, run->trace->count - 1 > begin);
    is_good = is_good && close_loop(&run->closer, run->trace, begin);
    ltl_free(linear, home);
    return is_good;
}

/* --- from the start --- */

static void run_start(struct ltl_run *run, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    run_set_aim(run, cells);
    stepper_begin_starts(run->closer.stepper);
    while ((outcome = stepper_next(run->closer.stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && conditions_admit(run->closer.judge, step.cells) && run_hits(run, step.cells)) {
            trace_push(run->trace, step.rule, step.instance, step.cells, NULL);
            return;
        }
    UNREACHABLE("no start state is in the orbit of the first state of the way");
}

static bool run_go(struct ltl_run *run, const dd *goal)
{
    const struct ltl_case *linear = run->linear;
    struct ltl_way way = {0};
    bool is_good = run_find(run, ltl_starts(linear), linear->reached, goal, &way);
    if (is_good) {
        run->place = way.places[0];
        run_start(run, way.cells);
        run_follow(run, &way, 1);
    }
    way_free(&way);
    return is_good && (linear->is_finite || run_go_around(run, goal));
}

/* As a run of the user's model, and what it shows. */
static struct trace *run_finish(struct ltl_run *run, const struct layout *layout, struct text *words)
{
    struct trace *trace = pointed_trace(run->trace, layout);
    struct text values = {0};
    pointed_say_values(run->trace, layout, &values);
    fair_say_run(trace, run->linear->is_finite, text_chars(&values), words);
    text_free(&values);
    return trace;
}

static void run_open(struct ltl_run *run, struct ltl_case *linear)
{
    const struct symbolic_model *model = linear->model;
    size_t cells = (size_t)model->layout->cell_count + 1;
    *run = (struct ltl_run){
        .linear = linear,
        .canon = symmetry_is_trivial(model->symmetry) ? NULL : canon_create(model->symmetry, model->layout),
        .aim = memory_zeroed(cells, sizeof *run->aim),
        .image = memory_zeroed(cells, sizeof *run->image),
        .trace = trace_create(model->system, model->layout),
        .is_met = memory_zeroed(linear->events.count + 1, sizeof *run->is_met),
    };
    run->closer = (struct closer){.layout = model->layout,
                                  .symmetry = model->symmetry,
                                  .stepper = stepper_create_evaluator(model->system, model->layout),
                                  .judge = stepper_create_evaluator(model->system, model->layout),
                                  .user = run,
                                  .canonise = run_canonise};
    if (run->canon)
        canon_set_exact(run->canon, true);
}

static void run_close(struct ltl_run *run)
{
    if (run->canon)
        canon_destroy(run->canon);
    stepper_destroy(run->closer.stepper);
    stepper_destroy(run->closer.judge);
    trace_destroy(run->trace);
    free(run->aim);
    free(run->image);
    free(run->is_met);
}

struct trace *ltl_show(struct ltl_case *linear, const struct layout *layout, const dd *goal, struct text *words)
{
    struct ltl_run run;
    run_open(&run, linear);
    struct trace *trace = run_go(&run, goal) ? run_finish(&run, layout, words) : NULL;
    run_close(&run);
    return trace;
}
