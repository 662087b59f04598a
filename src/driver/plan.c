#include "driver/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "driver/choose.h"
#include "driver/generators.h"
#include "driver/unused.h"

const char *const plan_time_is_over = "the time is over";

static struct view *base_open(struct plan *plan, enum base base)
{
    const struct layout *layout = plan->model->layout;
    bool splits = system_has_probabilities(plan->model->system); /* its engine computes each property by itself */
    switch (base) {
    case BASE_DETECTED:
        return view_detected(
            layout,
            &(struct detect_options){
                .watch = watch_of_thread, .splits = splits, .gathers = true, .claims = plan->model->generators},
            &plan->is_copy);
    case BASE_DECLARED:
        return plan->model->generators ? view_plain(layout) : view_declared(layout);
    default:
        return view_plain(layout);
    }
}

struct view *plan_base(struct plan *plan, enum base base)
{
    if (!plan->bases[base])
        plan->bases[base] = base_open(plan, base);
    return plan->bases[base];
}

struct view *plan_view(struct plan *plan, struct attempt *attempt)
{
    if (!attempt->view)
        attempt->view = attempt->counts ? plan_count(plan, attempt->base, attempt->engine, &attempt->options)
                                        : plan_base(plan, attempt->base);
    if (!attempt->view)
        return NULL;
    attempt->options.reduction = attempt->view->reduction;
    attempt->options.counting = attempt->view->counting;
    if (attempt->counts && attempt->engine == &engine_symbolic) {
        attempt->options.method = METHOD_NONE;
        attempt->options.saturate_first = attempt->view->reduction != NULL;
    }
    return attempt->view;
}

enum base plan_symmetry_base(const struct plan *plan)
{
    static const enum base bases[] = {[SYMMETRY_AUTO] = BASE_DETECTED,
                                      [SYMMETRY_DECLARED] = BASE_DECLARED,
                                      [SYMMETRY_OFF] = BASE_PLAIN,
                                      [SYMMETRY_GUARDED] = BASE_DETECTED,
                                      [SYMMETRY_DETECTED] = BASE_DETECTED};
    return bases[plan->symmetry];
}

/* Which symmetry the engine can use: `complete` none of the whole model, `adaptive` and `sat` take the model as it is.
 */
static enum base base_for(const struct plan *plan, enum engine_choice engine)
{
    if (engine == ENGINE_COMPLETE || (engine == ENGINE_SYMBOLIC && plan->options.method == METHOD_NONE))
        return BASE_PLAIN;
    enum base base = plan_symmetry_base(plan);
    return (engine == ENGINE_ADAPTIVE || engine == ENGINE_SAT) && base == BASE_DETECTED ? BASE_DECLARED : base;
}

static void plan_add(struct plan *plan, struct attempt attempt)
{
    bool may_exchange = attempt.counts && !(attempt.view && !reduction_remark(attempt.view->reduction));
    VEC_PUSH(&plan->attempts, attempt);
    if (may_exchange && attempt.engine == &engine_symbolic && attempt.options.deadlock == DEADLOCK_STUTTERING) {
        attempt.cause = CAUSE_EXCHANGE;
        attempt.options.deadlock = DEADLOCK_OFF;
        VEC_PUSH(&plan->attempts, attempt);
    }
}

void plan_add_declared(struct plan *plan, const struct attempt *doubted)
{
    struct attempt attempt = {.cause = CAUSE_DOUBT,
                              .base = plan->model->generators ? BASE_PLAIN : BASE_DECLARED,
                              .engine = doubted->engine,
                              .options = doubted->options,
                              .counts = doubted->counts};
    if (doubted->base != BASE_VIRTUAL && (doubted->base != BASE_DETECTED || !plan->is_copy))
        return;
    bool is_own_choice =
        doubted->engine == &engine_symbolic ? plan->options.method == METHOD_AUTO : plan->choice == ENGINE_AUTO;
    if (doubted->counts && is_own_choice) {
        attempt.counts = false;
        attempt.engine = doubted->engine == &engine_counter ? &engine_explicit : doubted->engine;
    }
    plan_add(plan, attempt);
}

/* A search that is no longer than that needs no other engine: fewer states where each has many rules to try. */
enum { RACE_STATES = 4096, RACE_LEAST_STATES = 256, RACE_INSTANCES = 100 };

static uint64_t race_states(const struct system *system)
{
    uint64_t instances = 1 + system_total_instances(system, RACE_STATES * RACE_INSTANCES);
    uint64_t states = RACE_STATES * RACE_INSTANCES / instances;
    return states > RACE_STATES ? RACE_STATES : states < RACE_LEAST_STATES ? RACE_LEAST_STATES : states;
}

/* The explicit engine begins: what it finds with few states needs no other engine. */
static void plan_add_start(struct plan *plan, const struct attempt *explicit)
{
    struct attempt first = *explicit;
    first.is_start = true;
    uint64_t states = race_states(plan->model->system);
    if (!first.options.limits.states || first.options.limits.states > states)
        first.options.limits.states = states;
    plan_add(plan, first);
}

/* The adaptive engine goes on if it comes to the same depth as the start in less time. So what is given up is a small
 * part of a long search. */
static void plan_add_race(struct plan *plan, const struct attempt *explicit)
{
    plan_add_start(plan, explicit);
    plan_add(plan,
             (struct attempt){
                 .cause = CAUSE_CUT, .base = BASE_DECLARED, .engine = &engine_adaptive, .options = plan->options});
}

/* Many processes and no symmetry: states one by one are too many. The complete engine may find that what is left to do
 * after one process is like what is left after another. */
static bool plan_wants_moment(struct plan *plan, const char *excuse, const struct symmetry *symmetry)
{
    return !excuse && !watch_is_up() && symmetry_is_trivial(symmetry) &&
           choose_crowd_of_rules(plan->model->system, &plan->options) &&
           !engine_complete.supports(plan->model->system, &plan->options, plan->words);
}

static void plan_add_moment(struct plan *plan)
{
    struct attempt attempt = {
        .cause = CAUSE_MOMENT, .base = BASE_PLAIN, .engine = &engine_complete, .options = plan->options};
    attempt.options.tell = NULL;
    attempt.options.progress = NULL;
    plan_add(plan, attempt);
}

struct attempt *plan_moment(struct plan *plan)
{
    for (size_t i = 0; i < plan->attempts.count; i++)
        if (plan->attempts.items[i].cause == CAUSE_MOMENT)
            return &plan->attempts.items[i];
    return NULL;
}

/* With more states than that, as many processes in as many places, they are not counted one by one. */
static double most_counted(const struct plan *plan)
{
    return plan->options.crowd ? plan->options.crowd : 3e6;
}

/* How many ways there are to have `processes` in `places`, or more than enough. */
static double count_crowd(uint32_t processes, uint32_t places)
{
    double count = 1;
    for (uint32_t i = 1; i < places && count < 1e12; i++)
        count *= (double)(processes + i) / i;
    return count;
}

/* Where there are too many states to count: do the states that violate something exclude themselves? */
static bool plan_add_backward(struct plan *plan, enum base base, const struct view *crowd)
{
    const struct system *system = plan->model->system;
    struct attempt attempt = {.base = base, .engine = &engine_symbolic, .counts = true, .options = plan->options};
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->ctl || system->properties.items[i]->ltl ||
            system->properties.items[i]->kind == PROPERTY_COVER ||
            system->properties.items[i]->kind == PROPERTY_LIVENESS)
            return false; /* what is to be found, not to be excluded */
    attempt.options.order = SEARCH_BACKWARD;
    attempt.options.only_backward = true;
    attempt.view = plan_few_counters(plan, base, crowd);
    if (attempt.view)
        plan_add(plan, attempt);
    return attempt.view != NULL;
}

/* Formulas of linear time take a graph of the states of counters, with edges and an automaton. With more states than
 * that, decision diagrams are smaller and faster. */
static double most_stored(const struct plan *plan)
{
    return plan->options.crowd ? plan->options.crowd : 3e5;
}

/* The attempt with counters becomes a trial, and is followed by a symbolic one. */
static void plan_add_counted(struct plan *plan, struct attempt *attempt)
{
    struct limits *limits = &attempt->options.limits;
    uint64_t most = (uint64_t)most_stored(plan);
    struct attempt other = {.cause = CAUSE_CUT,
                            .base = attempt->base,
                            .engine = &engine_symbolic,
                            .counts = true,
                            .options = plan->options,
                            .view = plan_few_counters(plan, attempt->base, attempt->view)};
    if (!other.view || (limits->states && limits->states <= most))
        return;
    limits->states = most;
    plan_add(plan, *attempt);
    *attempt = other;
}

/* What it takes to make its view is a part of what it is given. */
static void plan_add_rival(struct plan *plan)
{
    struct attempt rival = {.cause = CAUSE_RIVAL,
                            .base = base_for(plan, ENGINE_SYMBOLIC),
                            .engine = &engine_symbolic,
                            .options = plan->options};
    rival.options.tell = NULL;
    rival.options.progress = NULL;
    if (!engine_symbolic.supports(plan->model->system, &plan->options, plan->words))
        plan_add(plan, rival);
}

/* What the sat engine decides: safety. */
static bool has_only_safety(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->ctl || property->ltl || property->kind == PROPERTY_LIVENESS ||
            property->kind == PROPERTY_FAIRNESS)
            return false;
    }
    return true;
}

/* Large data: a solver that finds a run, or an inductive invariant, looks at no state by itself. */
static void plan_add_solver(struct plan *plan)
{
    struct attempt rival = {
        .cause = CAUSE_RIVAL, .base = base_for(plan, ENGINE_SAT), .engine = &engine_sat, .options = plan->options};
    rival.options.tell = NULL;
    rival.options.progress = NULL;
    if (!plan->options.wants_warnings && has_only_safety(plan->model->system) &&
        !engine_sat.supports(plan->model->system, &plan->options, plan->words))
        plan_add(plan, rival);
}

static void plan_choose(struct plan *plan)
{
    struct attempt attempt = {
        .base = base_for(plan, ENGINE_EXPLICIT), .engine = &engine_explicit, .options = plan->options};
    const struct view *view = plan_base(plan, attempt.base);
    if (plan_virtual(plan, &attempt)) {
        plan->refusal = engine_explicit.supports(plan->model->system, &plan->options, plan->words);
        plan_add(plan, attempt);
        plan_add_declared(plan, &attempt);
        return;
    }
    const char *excuse = choose_excuse(plan->symmetry == SYMMETRY_OFF, &plan->options);
    uint32_t crowd = excuse || watch_is_up() ? 0 : choose_crowd(view->symmetry, &plan->options);
    attempt.view = crowd ? plan_crowd(plan, attempt.base) : NULL;
    bool has_moment = !attempt.view && plan_wants_moment(plan, excuse, view->symmetry);
    struct attempt threads;
    if (!attempt.view && !excuse && !watch_is_up() && plan_threads(plan, &threads)) {
        plan_add_start(plan, &attempt);
        plan_add(plan, threads);
        attempt.cause = CAUSE_CUT;
    }
    if (attempt.view) {
        attempt.counts = true;
        attempt.engine = &engine_counter;
        text_format(&plan->why, "counter, since %u processes are interchangeable, and counting them takes few counters",
                    crowd);
        double count = count_crowd(crowd, reduction_locations(attempt.view->reduction));
        if (count > most_counted(plan) && plan_add_backward(plan, attempt.base, attempt.view))
            attempt.cause = CAUSE_CUT;
        else if (count > most_stored(plan) && system_has_ltl(plan->model->system))
            plan_add_counted(plan, &attempt);
    } else if (choose_adaptive(plan->model, view->layout, view->symmetry, excuse, &plan->options, &plan->why)) {
        plan_add_race(plan, &attempt);
        attempt.cause = CAUSE_CUT;
    } else {
        plan->refusal = engine_explicit.supports(plan->model->system, &plan->options, plan->words);
        if (has_moment && !plan->refusal) {
            plan_add_start(plan, &attempt);
            attempt.cause = CAUSE_CUT;
        }
    }
    plan_add(plan, attempt);
    if (attempt.engine == &engine_explicit && !excuse && !plan->refusal)
        plan_add_rival(plan), plan_add_solver(plan);
    plan_add_declared(plan, &attempt);
    if (has_moment && !plan->refusal)
        plan_add_moment(plan);
}

/* The symbolic engine uses counters when asked for, and by its own choice where they can be had and are few. */
static bool plan_wants_counters(struct plan *plan, struct attempt *attempt)
{
    if (attempt->engine == &engine_counter)
        return true;
    if (attempt->engine != &engine_symbolic || plan->options.method != METHOD_AUTO)
        return attempt->engine == &engine_symbolic && plan->options.method == METHOD_GENERIC;
    if (!symmetry_is_trivial(plan_base(plan, attempt->base)->symmetry) && !watch_is_up())
        attempt->view = plan_few_counters(plan, attempt->base, NULL);
    return attempt->view != NULL;
}

bool plan_rival(struct plan *plan, struct attempt *rival)
{
    if (!rival->view)
        rival->counts = plan_wants_counters(plan, rival);
    return !watch_is_up() && (rival->view || !rival->counts);
}

/* Where there are that many ways to distribute the processes, decision diagrams of counters are nearly always faster
 * than states one by one: they get as much time at once as a tenth of these states would take, two seconds at most. */
static const double RIVAL_WAYS = 1e5, RIVAL_SECONDS_A_WAY = 1e-6, RIVAL_MOST_SECONDS = 2;

/* A solver that is given less has made its formula, and found nothing. At first it gets a part of what a rival gets, so
 * that two of them do not take twice as much; of what is more than a second it gets all. */
static const double SOLVER_LEAST_SECONDS = 0.1, SOLVER_PART = 1.0 / 3, SOLVER_SHORT_SECONDS = 1;

static double plan_solver_seconds(double seconds)
{
    double at_first = seconds < SOLVER_SHORT_SECONDS ? seconds : SOLVER_SHORT_SECONDS;
    double all = seconds - at_first + at_first * SOLVER_PART;
    return all < SOLVER_LEAST_SECONDS ? 0 : all;
}

double plan_rival_seconds(const struct attempt *rival, double cpu_seconds)
{
    if (rival->engine == &engine_sat)
        return plan_solver_seconds(cpu_seconds);
    if (!rival->counts || rival->is_tried)
        return cpu_seconds;
    uint32_t processes = choose_largest(rival->view->below->symmetry);
    double ways = count_crowd(processes, reduction_locations(rival->view->reduction));
    double seconds = ways < RIVAL_WAYS ? 0 : RIVAL_SECONDS_A_WAY * ways;
    seconds = seconds > RIVAL_MOST_SECONDS ? RIVAL_MOST_SECONDS : seconds;
    return seconds > cpu_seconds ? seconds : cpu_seconds;
}

static void plan_named(struct plan *plan)
{
    struct attempt attempt = {
        .base = base_for(plan, plan->choice), .engine = engine_of(plan->choice), .options = plan->options};
    attempt.counts = plan_wants_counters(plan, &attempt);
    if (!attempt.counts)
        plan->refusal = attempt.engine->supports(plan->model->system, &plan->options, plan->words);
    else if (!attempt.view && !plan_counters(plan, &attempt))
        return;
    if (plan->refusal)
        return;
    const struct view *view = plan_base(plan, attempt.base);
    if (attempt.engine == &engine_sat && plan_symmetry_base(plan) == BASE_DETECTED &&
        symmetry_is_trivial(view->symmetry))
        text_append(&plan->set_aside, "the sat engine knows declared symmetry only");
    plan_virtual(plan, &attempt);
    plan_add(plan, attempt);
    plan_add_declared(plan, &attempt);
}

static void plan_any_number(struct plan *plan)
{
    struct attempt attempt;
    if (plan_cover(plan, &attempt))
        plan_add(plan, attempt);
}

static bool is_size(const struct system *system, const char *constant)
{
    for (size_t i = 0; i < system->sized.count; i++)
        if (!strcmp(system->sized.items[i].constant, constant))
            return true;
    return false;
}

/* Every size of the scalarsets. */
static void plan_every(struct plan *plan)
{
    struct attempt attempt = {.base = BASE_DECLARED, .engine = &engine_every, .options = plan->options};
    plan->refusal = engine_every.supports(plan->model->system, &plan->options, plan->words);
    if (!plan->refusal && plan->options.parameter && !is_size(plan->model->system, plan->options.parameter))
        plan->refusal = "--parameter names a constant that is the size of a scalarset: there is none of this name";
    if (!plan->refusal)
        plan->refusal = engine_sat.supports(plan->model->system, &plan->options, plan->words);
    if (plan->refusal)
        return;
    plan->sizes = sizes_create(plan->model);
    attempt.options.sizes = sizes_interface(plan->sizes);
    attempt.options.helper = &engine_sat;
    attempt.options.explorer = &engine_explicit;
    plan_base(plan, attempt.base);
    plan_add(plan, attempt);
}

void plan_make(struct plan *plan, const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
               const struct engine_options *options)
{
    *plan = (struct plan){.model = model,
                          .choice = choice,
                          .symmetry = symmetry,
                          .options = *options,
                          .words = arena_create(),
                          .begin = clock_wall()};
    plan->options.deadlock = deadlock_mode_of(model->system, options->deadlock);
    plan->refusal = unused_option(model->system, choice, symmetry, options, plan->words);
    if (!plan->refusal)
        plan->refusal = generators_refusal(model, choice, symmetry, options);
    if (model->generators && choice == ENGINE_AUTO && !system_has_probabilities(model->system)) {
        plan->choice = choice = ENGINE_EXPLICIT;
        text_append(&plan->why, "explicit, which uses any group that is given");
    }
    if (plan->refusal)
        return;
    if (system_has_probabilities(model->system))
        plan_chain(plan);
    else if (symmetry == SYMMETRY_GUARDED)
        plan_by_guards(plan);
    else if (choice == ENGINE_EVERY)
        plan_every(plan);
    else if (choice == ENGINE_COVER || (choice == ENGINE_AUTO && model->system->is_unbounded))
        plan_any_number(plan);
    else if (model->system->is_unbounded)
        plan->refusal = "any number of threads may run: --threads-of-model N fixes it, --engine cover decides all";
    else if (choice == ENGINE_AUTO)
        plan_choose(plan);
    else
        plan_named(plan);
    if (watch_is_up()) /* what an engine sets up for a large state would take longer than there is time */
        plan->refusal = plan_time_is_over;
}

void plan_close_views(struct plan *plan)
{
    for (size_t i = 0; i < plan->views.count; i++)
        view_close(plan->views.items[i]);
    VEC_FREE(&plan->views);
    for (size_t i = 0; i < plan->attempts.count; i++)
        plan->attempts.items[i].view = NULL;
}

void plan_free(struct plan *plan)
{
    plan_close_views(plan);
    for (int base = 0; base < BASE_COUNT; base++)
        view_close(plan->bases[base]);
    sizes_destroy(plan->sizes);
    VEC_FREE(&plan->attempts);
    diag_free(&plan->refused);
    text_free(&plan->why);
    text_free(&plan->set_aside);
    arena_destroy(plan->words);
}

static const char *const cause_words[] = {
    [CAUSE_CUT] = "if that takes too long: ",
    [CAUSE_EXCHANGE] = "if it finds a deadlock that may be an exchange of processes: ",
    [CAUSE_DOUBT] = "if evaluation fails there, though it may not in the model: ",
    [CAUSE_RIVAL] = "while that grows, for a part of its time: ",
    [CAUSE_MOMENT] = "before a search goes on, for a moment: ",
    [CAUSE_FAULT] = "if there is a run-time error: ",
    [CAUSE_OPEN] = "if that leaves a property open: ",
};
static const char *const base_words[] = {
    [BASE_PLAIN] = "no symmetry",          [BASE_DECLARED] = "declared symmetry",
    [BASE_DETECTED] = "detected symmetry", [BASE_COMBINED] = "synchronised commands written out",
    [BASE_VIRTUAL] = "virtual symmetry",   [BASE_GUARDED] = "symmetry without the guards that break it",
};

void plan_print(const struct plan *plan, struct text *out)
{
    for (size_t i = 0; i < plan->attempts.count; i++) {
        const struct attempt *attempt = &plan->attempts.items[i];
        text_format(out, "%zu. %s%s, %sengine %s%s\n", i + 1, attempt->cause ? cause_words[attempt->cause] : "",
                    base_words[attempt->base], attempt->counts ? "counter abstraction, " : "", attempt->engine->name,
                    attempt->options.deadlock == plan->options.deadlock ? "" : " without deadlocks");
    }
}
