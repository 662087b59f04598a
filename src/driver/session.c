#include "driver/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exec/conditions.h"
#include "explore/explore.h"
#include "ir/instance.h"
#include "report/value.h"
#include "result/chance.h"

const int32_t *session_cells(const struct session *session)
{
    const struct trace *trace = session->trace;
    return trace->count ? trace->steps[trace->count - 1].cells : NULL;
}

static bool is_over(const struct session *session)
{
    return session->trace->count && !session_cells(session);
}

static void begin(struct session *session, const int32_t *cells)
{
    if (cells)
        stepper_begin_successors(session->stepper, cells);
    else
        stepper_begin_starts(session->stepper);
}

/* Deadlock as in engine/explicit: what an assume statement discards is not enabled; a step that fails, or whose state
 * breaks an assumption, is. */
static void refresh(struct session *session)
{
    const int32_t *cells = session_cells(session);
    size_t size = session->model->layout->cell_count * sizeof *cells;
    struct step step = {0};
    enum step_outcome outcome;
    uint64_t ordinal = 0;
    VEC_CLEAR(&session->choices);
    session->is_alive = session->deadlock == DEADLOCK_OFF || !session->trace->count || is_over(session);
    if (is_over(session))
        return;
    if (session->chances && cells)
        chances_load(session->chances, cells);
    begin(session, cells);
    for (; (outcome = stepper_next(session->stepper, &step)) != STEP_END && !watch_is_up(); ordinal++) {
        double weight = session->chances && cells ? chances_weight(session->chances, step.rule, step.instance) : 1;
        if (outcome == STEP_DISCARDED || weight == 0)
            continue;
        bool fails = outcome == STEP_FAULT, leads = outcome == STEP_STATE;
        bool is_other = !leads || !cells || memcmp(cells, step.cells, size);
        session->is_alive |= is_other || session->deadlock == DEADLOCK_STUCK;
        if (fails || (leads && conditions_admit(session->judge, step.cells)))
            VEC_PUSH(&session->choices, ((struct offer){step.rule, step.instance, fails, ordinal, weight}));
    }
    session->is_alive |= watch_is_up(); /* perhaps not all was seen */
    if (!session->is_alive)
        session->is_alive = conditions_allow_end(session->judge, cells);
}

struct session *session_create(const struct model *model, enum deadlock_mode deadlock, uint64_t seed)
{
    struct session *session = memory_zeroed(1, sizeof *session);
    session->model = model;
    session->trace = trace_create(model->system, model->layout);
    session->stepper = stepper_create_vm(model->system, model->layout);
    session->judge = stepper_create_vm(model->system, model->layout);
    session->stepper->is_watched = session->judge->is_watched = true;
    session->deadlock = system_has_probabilities(model->system)
                            ? DEADLOCK_OFF
                            : deadlock_mode_of(model->system, deadlock); /* chains rest there (ir/chain.h) */
    session->random = seed;
    session->chances = chances_create(model->layout);
    chances_watch(session->chances);
    refresh(session);
    return session;
}

void session_destroy(struct session *session)
{
    stepper_destroy(session->stepper);
    stepper_destroy(session->judge);
    trace_destroy(session->trace);
    chances_destroy(session->chances);
    VEC_FREE(&session->choices);
    free(session);
}

/* The step that the choice stands for; valid until the stepper is asked again. STEP_END: the time was over before it
 * was found. */
static enum step_outcome find_step(struct session *session, size_t choice, struct step *step)
{
    uint64_t wanted = session->choices.items[choice].ordinal;
    enum step_outcome outcome;
    begin(session, session_cells(session));
    for (uint64_t ordinal = 0;; ordinal++) {
        outcome = stepper_next(session->stepper, step);
        ENSURE(outcome != STEP_END || watch_is_up());
        if (watch_is_up())
            return STEP_END;
        if (ordinal == wanted)
            return outcome;
    }
}

static void print_effect(const struct session *session, const int32_t *after, struct text *out)
{
    struct value_lines lines = {0};
    value_list_changes(session->model->layout, session_cells(session), after, &lines);
    for (size_t i = 0; i < lines.items.count; i++)
        text_format(out, "%s%s %s", i ? ", " : "", lines.items.items[i].name, lines.items.items[i].value);
    if (!lines.items.count)
        text_append(out, "nothing changes");
    value_free_lines(&lines);
}

/* "A, B, ": the rules that fire before the last. */
static void print_passed(const struct passed *last, struct text *out)
{
    VEC(const struct passed *) all = {0};
    for (; last; last = last->before)
        VEC_PUSH(&all, last);
    while (all.count) {
        const struct passed *passed = VEC_POP(&all);
        instance_print(passed->rule, passed->instance, out);
        text_append(out, ", ");
    }
    VEC_FREE(&all);
}

void session_print_choice(struct session *session, size_t choice, struct text *out)
{
    const struct offer *offer = &session->choices.items[choice];
    struct step step = {0};
    if (system_has_macro_steps(session->model->system) && find_step(session, choice, &step) != STEP_END)
        print_passed(step.passed, out);
    instance_print(offer->rule, offer->instance, out);
    if (!session->chances || !session->trace->count)
        return;
    text_format(out, "  %.6g: ", offer->weight);
    if (find_step(session, choice, &step) == STEP_STATE)
        print_effect(session, step.cells, out);
}

bool session_take(struct session *session, size_t choice)
{
    struct step step = {0};
    enum step_outcome outcome = find_step(session, choice, &step);
    if (outcome == STEP_END)
        return false;
    trace_push_step(session->trace, &step, outcome);
    refresh(session);
    return true;
}

/* Splitmix64 (Steele, Lea, Flood, 2014): every seed is a good one, the same on every machine. */
static uint64_t draw(struct session *session)
{
    uint64_t z = session->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The outcomes of each choice of a dtmc or mdp weigh 1 together, so this also picks a choice. */
static size_t draw_by_weight(struct session *session)
{
    double sum = 0, mark;
    for (size_t i = 0; i < session->choices.count; i++)
        sum += session->choices.items[i].weight;
    mark = sum * ldexp((double)(draw(session) >> 11), -53);
    for (size_t i = 0; i + 1 < session->choices.count; i++)
        if ((mark -= session->choices.items[i].weight) < 0)
            return i;
    return session->choices.count - 1;
}

bool session_take_any(struct session *session)
{
    if (!session->choices.count)
        return false;
    return session_take(session, session->chances ? draw_by_weight(session) : draw(session) % session->choices.count);
}

void session_undo(struct session *session, uint32_t steps)
{
    while (steps-- && session->trace->count)
        trace_pop(session->trace);
    session->trace->has_loop = false;
    refresh(session);
}

void session_seed(struct session *session, uint64_t seed)
{
    session->random = seed;
}

void session_adopt(struct session *session, struct trace *trace)
{
    trace_destroy(session->trace);
    session->trace = trace;
    trace->has_loop = false; /* it may now go another way */
    refresh(session);
}

const struct property *session_violated(struct session *session, struct fault *fault)
{
    const struct system *system = session->model->system;
    const int32_t *cells = session_cells(session);
    *fault = (struct fault){0};
    if (is_over(session)) {
        *fault = session->trace->steps[session->trace->count - 1].fault;
        return fault->property;
    }
    for (size_t i = 0; cells && i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == PROPERTY_INVARIANT) {
            enum truth truth = stepper_holds(session->judge, property, cells, fault);
            if (truth == TRUTH_FALSE)
                *fault = (struct fault){0};
            if (truth != TRUTH_TRUE)
                return property;
        }
    }
    return session->is_alive ? NULL : system->properties.items[SYSTEM_DEADLOCK];
}

/* A breadth-first search from the state of the session. */
struct finder {
    struct session *session;
    struct inquiry *condition;
    struct explore *explore;
    struct budget budget;
    VEC(struct offer) how; /* by number: the step that first led there */
    int32_t *cells;
    uint32_t found; /* UINT32_MAX: not yet */
    bool is_cut;
};

/* False: this is what was looked for. */
static bool meet(struct finder *finder, const struct rule *rule, uint64_t instance, uint32_t number)
{
    struct fault fault;
    if (number < finder->how.count)
        return true;
    VEC_PUSH(&finder->how, ((struct offer){rule, instance, .weight = 1}));
    layout_unpack(finder->session->model->layout, store_state(explore_store(finder->explore), number), finder->cells);
    if (inquiry_holds(finder->condition, finder->cells, &fault) != TRUTH_TRUE)
        return true;
    finder->found = number;
    return false;
}

/* What the state of the session leads to has no parent. */
static bool find_first(struct finder *finder)
{
    struct session *session = finder->session;
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t number;
    begin(session, session_cells(session));
    while ((outcome = stepper_next(session->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !conditions_admit(session->judge, step.cells))
            continue;
        if (explore_insert(finder->explore, step.cells, &number) == STORE_FULL)
            finder->is_cut = true;
        else if (!meet(finder, step.rule, step.instance, number))
            return false;
    }
    return true;
}

static bool find_expand(void *user, uint32_t state, const int32_t *cells)
{
    struct finder *finder = user;
    struct session *session = finder->session;
    struct step step = {0};
    enum step_outcome outcome;
    (void)state;
    begin(session, cells);
    while ((outcome = stepper_next(session->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && conditions_admit(session->judge, step.cells))
            explore_send(finder->explore, &step);
    return !watch_is_up();
}

static bool find_settle(void *user, uint32_t state, const struct explore_edge *edges, size_t count)
{
    struct finder *finder = user;
    (void)state;
    for (size_t i = 0; i < count; i++)
        if (edges[i].target == EXPLORE_NOWHERE)
            finder->is_cut = true;
        else if (!meet(finder, edges[i].rule, edges[i].instance, edges[i].target))
            return false;
    return true;
}

/* The step that led to the state, once more: with what it passes through. */
static bool follow_step(struct session *session, const struct offer *how, const int32_t *cells)
{
    size_t size = session->model->layout->cell_count * sizeof *cells;
    struct step step = {0};
    enum step_outcome outcome;
    begin(session, session_cells(session));
    while ((outcome = stepper_next(session->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && step.rule == how->rule && step.instance == how->instance &&
            !memcmp(step.cells, cells, size)) {
            trace_push_step(session->trace, &step, outcome);
            return true;
        }
    return false;
}

static void follow(struct finder *finder)
{
    struct session *session = finder->session;
    const struct store *store = explore_store(finder->explore);
    uint32_t count, *path = explore_path(store, finder->found, &count);
    struct watch *watch = watch_suspend(); /* what was found is shown, also when the time is over */
    bool is_there = true;
    for (uint32_t i = 0; i < count && is_there; i++) {
        layout_unpack(session->model->layout, store_state(store, path[i]), finder->cells);
        is_there = follow_step(session, &finder->how.items[path[i]], finder->cells);
    }
    ENSURE(is_there);
    watch_adopt(watch);
    free(path);
    refresh(session);
}

enum search_end session_find(struct session *session, struct inquiry *condition, uint32_t most)
{
    const struct layout *layout = session->model->layout;
    const int32_t *cells = session_cells(session);
    struct fault fault;
    struct finder finder = {
        .session = session,
        .condition = condition,
        .cells = memory_zeroed(layout->cell_count + 1, sizeof(int32_t)),
        .found = UINT32_MAX,
    };
    const struct explore_client client = {&finder, find_expand, find_settle};
    bool is_here = cells && inquiry_holds(condition, cells, &fault) == TRUTH_TRUE;
    finder.explore = explore_create(layout, layout->cell_count, NULL, &finder.budget, most);
    explore_go_on_when_full(finder.explore);
    if (!is_here && !is_over(session) && find_first(&finder))
        explore_run(finder.explore, &client);
    if (finder.found != UINT32_MAX)
        follow(&finder);
    enum search_end end = is_here || finder.found != UINT32_MAX ? SEARCH_FOUND
                          : finder.is_cut || watch_is_up()      ? SEARCH_CUT
                                                                : SEARCH_NOWHERE;
    explore_destroy(finder.explore);
    VEC_FREE(&finder.how);
    free(finder.cells);
    return end;
}
