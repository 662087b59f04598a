#include "driver/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "driver/doubt.h"
#include "driver/fill_in.h"
#include "driver/keeping.h"
#include "driver/plan.h"
#include "driver/rounds.h"
#include "pass/guarded.h"

const struct engine *engine_of(enum engine_choice choice)
{
    static const struct engine *const engines[] = {
        [ENGINE_EXPLICIT] = &engine_explicit,
        [ENGINE_ADAPTIVE] = &engine_adaptive,
        [ENGINE_COMPLETE] = &engine_complete,
        [ENGINE_SYMBOLIC] = &engine_symbolic,
        [ENGINE_COUNTER] = &engine_counter,
        [ENGINE_COVER] = &engine_cover,
        [ENGINE_SAT] = &engine_sat,
        [ENGINE_EVERY] = &engine_every,
        [ENGINE_PROBABILISTIC] = &engine_probabilistic,
    };
    return engines[choice];
}

bool check_is_of_threads(const struct model *model)
{
    struct arena *words = arena_create();
    bool has_index = false;
    for (size_t i = 0; i < model->system->types.count; i++)
        has_index |= model->system->types.items[i]->kind == TYPE_INDEX;
    bool is_of_threads = !has_index || model->system->is_unbounded || model->manner.threads ||
                         !engine_cover.supports(model->system, NULL, words);
    arena_destroy(words);
    return is_of_threads;
}

bool engine_choice_of(const char *name, enum engine_choice *choice)
{
    for (*choice = ENGINE_AUTO; *choice <= ENGINE_PROBABILISTIC; (*choice)++)
        if (!strcmp(name, *choice == ENGINE_AUTO ? "auto" : engine_of(*choice)->name))
            return true;
    return false;
}

/* Did the limits of a trial or a start end it, and not what the user asked for? */
static bool is_cut_short(const struct plan *plan, const struct attempt *attempt, const struct result *result)
{
    bool is_less = attempt->options.limits.states != plan->options.limits.states;
    for (size_t i = 0; is_less && i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_UNKNOWN &&
            result->properties[i].stop == STOP_STATES)
            return true; /* of a formula, on a larger graph of its own */
    return (is_less && result->stop.kind == STOP_STATES) || result->stop.kind == STOP_WORK;
}

/* A run that was found with another number of threads is one of the model with this number. */
static void take_member(struct check *check, const struct attempt *attempt, const struct result *result)
{
    if (!attempt->options.sizes || result->system == check->plan->model->system)
        return;
    check->layout = sizes_layout(check->plan->sizes, result->system);
    check->symmetry = sizes_symmetry(check->plan->sizes, result->system);
}

/* The answer, about the lowest view, or NULL: plan->refusal says why. */
static struct result *attempt_run(struct check *check, struct attempt *attempt)
{
    struct plan *plan = check->plan;
    const struct view *view = plan_view(plan, attempt);
    if (!view)
        return NULL;
    check->symmetry = plan_base(plan, attempt->base)->symmetry;
    check->layout = plan_base(plan, attempt->base)->layout;
    plan->refusal = representative_refusal(view->symmetry, attempt->options.representative);
    if (plan->refusal)
        return NULL;
    struct result *result = rounds_run(plan, attempt, view);
    fill_in_numbers(plan, attempt, result);
    bool is_counted = view->counting != NULL;
    result = view_lift(&view, result, &attempt->options);
    if (is_counted && attempt->engine == &engine_probabilistic)
        result->engine = engine_counter.name; /* that is what the user asks for */
    fill_in_rest(plan, attempt, result);
    take_member(check, attempt, result);
    return result;
}

static bool is_violated(const struct result *result, size_t property)
{
    return result->properties[property].verdict == VERDICT_VIOLATED;
}

/* Has what the attempt is for become of the last one? */
static bool attempt_is_due(const struct check *check, const struct attempt *attempt, const struct attempt *last)
{
    const struct result *result = check->result;
    switch (attempt->cause) {
    case CAUSE_NONE:
        return !last;
    case CAUSE_CUT:
        return last == attempt - 1 && is_cut_short(check->plan, last, result);
    case CAUSE_EXCHANGE:
        return last == attempt - 1 && reduction_remark(last->view->reduction) && is_violated(result, SYSTEM_DEADLOCK);
    case CAUSE_DOUBT:
        return (last->base == BASE_DETECTED || last->base == BASE_VIRTUAL) && doubt_find(result);
    case CAUSE_FAULT:
        return is_violated(result, SYSTEM_RUNTIME);
    case CAUSE_RIVAL:
    case CAUSE_MOMENT:
        return false; /* they run beside others: see overtake */
    case CAUSE_OPEN:
        return last->base == BASE_GUARDED && !watch_is_up() && (!guarded_is_decided(last->view) || doubt_find(result));
    }
    UNREACHABLE("cause");
}

/* What was found does not serve, and what is declared may not be countable. False: that is the answer. */
static bool take_declared(struct check *check, const struct attempt *attempt, const char *doubt)
{
    struct plan *plan = check->plan;
    struct text refused = {0};
    text_append(&plan->set_aside, plan->set_aside.length ? "; " : "");
    text_format(&plan->set_aside,
                "that of ranges and enums is set aside, since with it %s, which may be no error of the model", doubt);
    if (!attempt->counts || plan_base(plan, BASE_DECLARED)->symmetry->factor_count)
        return true;
    text_format(&refused,
                "elements of a range or enum were counted, and there %s, which may be no error of the model "
                "(--engine explicit decides it)",
                doubt);
    check->result = result_refuse(plan->model->system, attempt->engine->name, text_chars(&refused));
    check->symmetry = plan_base(plan, BASE_DECLARED)->symmetry;
    check->layout = plan->model->layout;
    text_free(&refused);
    return false;
}

/* Less is not measured well, and an engine that compares the instances of rules has to do that first. */
static const double RACE_LEAST_SECONDS = 0.01, RACE_SECONDS_AN_INSTANCE = 1e-4;

static struct race race_begin(const struct result *start)
{
    double spent = start->statistics.cpu_seconds;
    double least = RACE_LEAST_SECONDS + RACE_SECONDS_AN_INSTANCE * (double)system_total_instances(start->system, 5000);
    return (struct race){spent > least ? spent : least, start->statistics.depth};
}

/* What is said of the attempt that is given up. False: there is no other. */
static bool give_up(struct check *check, struct attempt *attempt, const struct attempt *last)
{
    struct result *result = check->result;
    struct text doubt = {0};
    check->result = NULL;
    bool goes_on = true;
    if (last->is_start)
        attempt->options.race = race_begin(result);
    if (attempt->cause == CAUSE_CUT && (last->engine == &engine_adaptive || last->engine == &engine_counter))
        text_format(&check->plan->why, "; after a trial with %llu states, %s",
                    (unsigned long long)result->statistics.states, attempt->engine->name);
    if (attempt->cause == CAUSE_CUT && check->plan->bases[BASE_GUARDED])
        plan_note_growth(check->plan, attempt, result->statistics.states);
    if (attempt->cause == CAUSE_OPEN) {
        text_format(&check->plan->why, "; after %llu states of that, which leave a property open, on the model itself",
                    (unsigned long long)result->statistics.states);
        text_clear(&check->plan->set_aside);
        text_append(&check->plan->set_aside,
                    "without the guards that break the symmetry a property is left open: the states are those of the "
                    "model itself");
    }
    if (attempt->cause == CAUSE_EXCHANGE)
        attempt->view = last->view;
    if (attempt->cause == CAUSE_DOUBT) {
        doubt_print(doubt_find(result), &doubt);
        goes_on = take_declared(check, attempt, text_chars(&doubt));
    }
    text_free(&doubt);
    result_destroy(result);
    return goes_on;
}

/* A later attempt, too, may find that it cannot be counted: that is an answer then. */
static void refuse_late(struct check *check, const struct attempt *attempt)
{
    struct plan *plan = check->plan;
    if (attempt->cause == CAUSE_NONE || !attempt->counts || watch_is_up())
        return;
    check->result = result_refuse(plan->model->system, attempt->engine->name, plan->refusal);
    plan->refusal = NULL;
}

static void say_short(struct check *check)
{
    text_free(&check->plan->why);
    text_format(&check->plan->why, "explicit, since it is done with %llu states",
                (unsigned long long)check->result->statistics.states);
}

static void say_any_number(struct check *check)
{
    text_free(&check->plan->why);
    text_append(&check->plan->why, "cover, since decision diagrams answer for any number of threads");
}

struct overtaking {
    struct check *check;
    struct attempt *first, *rival; /* of the rivals; the one that runs, or has the answer */
    struct result *result;         /* NULL: it has no answer yet */
};

/* Was there no time for the run that shows a violation? */
static bool lacks_trace(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_VIOLATED && !result->properties[i].trace)
            return true;
    return false;
}

/* An answer is all that could be said: where evaluation fails, the search itself says more. */
static bool is_answer(const struct result *result)
{
    bool is_over = result->is_complete ? !result_has_open(result) : result->stop.kind == STOP_VIOLATION;
    return is_over && !doubt_find(result) && !lacks_trace(result);
}

static struct result *run_rival(struct overtaking *overtaking)
{
    struct check *check = overtaking->check, own = *check;
    struct attempt *rival = overtaking->rival;
    struct result *result = watch_is_up() ? NULL : attempt_run(&own, rival);
    bool is_late = watch_is_up() || watch_was_cut(watch_of_thread);
    rival->is_dropped = !is_late && !(result && is_answer(result));
    check->plan->refusal = NULL;
    if (is_late || rival->is_dropped) { /* what it says may lack something that there was no time for */
        result_destroy(result);
        return NULL;
    }
    check->symmetry = own.symmetry;
    check->layout = own.layout;
    return result;
}

/* A view takes that long at least, however early it is asked for. */
static const double RIVAL_VIEW_SECONDS = 0.01;

/* The view first: what it is says how long the engine may take. */
static bool prepare_rival(struct overtaking *overtaking, double cpu_seconds)
{
    struct plan *plan = overtaking->check->plan;
    struct watch watch;
    watch_begin_trial(&watch, cpu_seconds > RIVAL_VIEW_SECONDS ? cpu_seconds : RIVAL_VIEW_SECONDS,
                      plan->options.interrupted);
    bool is_ready = plan_rival(plan, overtaking->rival);
    watch_end(&watch);
    return is_ready;
}

/* The memory that must be left: what a trial takes between two looks of its watch is far less, so that it is the trial
 * that ends and not the run. */
static const uint64_t RIVAL_ROOM = 128 << 20;

static bool overtake_by(struct overtaking *overtaking, double cpu_seconds)
{
    struct plan *plan = overtaking->check->plan;
    struct watch watch;
    double begin = clock_cpu();
    if (overtaking->rival->is_dropped || account_room() < RIVAL_ROOM || !prepare_rival(overtaking, cpu_seconds))
        return false;
    double rest = plan_rival_seconds(overtaking->rival, cpu_seconds) - (clock_cpu() - begin);
    if (rest <= 0)
        return false;
    watch_begin_trial(&watch, rest, plan->options.interrupted);
    overtaking->result = run_rival(overtaking);
    overtaking->rival->is_tried = true;
    watch_end(&watch);
    return overtaking->result != NULL;
}

/* The rivals, which follow one another, one by one. */
static bool overtake(void *user, double cpu_seconds)
{
    struct overtaking *overtaking = user;
    const struct plan *plan = overtaking->check->plan;
    const struct attempt *end = plan->attempts.items + plan->attempts.count;
    bool has_overtaken = overtaking->result != NULL; /* asked again, of another part of the model */
    for (struct attempt *rival = overtaking->first; !has_overtaken && rival < end && rival->cause == CAUSE_RIVAL;
         rival++) {
        overtaking->rival = rival;
        has_overtaken = overtake_by(overtaking, cpu_seconds);
    }
    return has_overtaken;
}

/* What overtook another engine is the answer. */
static void take_overtaking(struct check *check, const struct overtaking *overtaking)
{
    struct plan *plan = check->plan;
    text_free(&plan->why);
    text_format(&plan->why, "%s, since it is faster than %s, which had %llu states so far",
                overtaking->rival->engine->name, check->result->engine,
                (unsigned long long)check->result->statistics.states);
    if (system_has_probabilities(plan->model->system))
        text_append(&plan->set_aside, "the symbolic engine supports symmetry by counters only");
    rounds_add_time(overtaking->result, check->result);
    result_destroy(check->result);
    check->result = overtaking->result;
}

/* Processor seconds: less than anyone waits for. */
static const double MOMENT_SECONDS = 0.05;

/* Before the explicit engine goes on where a start or a race was cut. */
static bool run_moment(struct check *check, const struct attempt *next)
{
    struct overtaking overtaking = {.check = check, .rival = plan_moment(check->plan)};
    if (next->cause != CAUSE_CUT || next->engine != &engine_explicit || !overtaking.rival)
        return false;
    if (!overtake_by(&overtaking, MOMENT_SECONDS))
        return false;
    take_overtaking(check, &overtaking);
    return true;
}

/* The attempt, beside which its rival runs, if it has one. */
static void run_contest(struct check *check, struct attempt *attempt)
{
    struct plan *plan = check->plan;
    struct attempt *end = plan->attempts.items + plan->attempts.count;
    struct overtaking overtaking = {.check = check, .first = attempt + 1};
    if (attempt + 1 < end && attempt[1].cause == CAUSE_RIVAL)
        attempt->options.rival = (struct rival){overtake, &overtaking};
    check->result = attempt_run(check, attempt);
    if (overtaking.result)
        take_overtaking(check, &overtaking);
}

/* The attempt that a checkpoint is of: those before it have not served. */
static size_t take_kept(struct plan *plan)
{
    const char *set_aside;
    size_t attempt = keeping_attempt(plan->options.checkpoint, &set_aside);
    if (set_aside)
        text_append(&plan->set_aside, set_aside);
    return attempt;
}

static void run_attempts(struct check *check)
{
    struct plan *plan = check->plan;
    struct attempt *last = NULL;
    size_t first = take_kept(plan);
    for (size_t i = first; i < plan->attempts.count && !plan->refusal; i++) {
        struct attempt *attempt = &plan->attempts.items[i];
        if (!(i == first && first) && !attempt_is_due(check, attempt, last))
            continue;
        if (last && (run_moment(check, attempt) || !give_up(check, attempt, last)))
            return;
        keeping_note_attempt(plan->options.checkpoint, i, plan->set_aside.chars);
        run_contest(check, attempt);
        if (!check->result) {
            refuse_late(check, attempt);
            return;
        }
        last = attempt;
    }
    if (last && last->is_start && (check->result->is_complete || check->result->stop.kind == STOP_VIOLATION))
        say_short(check);
    if (last && last->options.is_fixed)
        say_any_number(check);
}

/* The formula that was checked for these is not the one that was asked for. */
static void leave_refused(struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property *property = result->system->properties.items[i];
        if (!property->refusal)
            continue;
        result->properties[i].has_value = false;
        result_leave_out(result, property, property->refusal);
    }
}

/* The time was over before an engine could begin: that is no refusal. */
static void check_cut(struct check *check)
{
    struct plan *plan = check->plan;
    const struct engine *usual =
        system_has_probabilities(plan->model->system) ? &engine_probabilistic : &engine_explicit;
    diag_free(&plan->refused);
    plan->refusal = NULL;
    check->result =
        result_create(check->layout->system, plan->choice == ENGINE_AUTO ? usual->name : engine_of(plan->choice)->name);
    result_cut(check->result, watch_stop(watch_of_thread));
}

static struct check check_begin(const struct model *model)
{
    return (struct check){.layout = model->layout, .plan = memory_zeroed(1, sizeof(struct plan))};
}

/* The symmetry that the user asked for, if that view is open; else none. */
static void check_take_base(struct check *check)
{
    struct plan *plan = check->plan;
    enum base base = plan_symmetry_base(plan);
    const struct view *view = plan_base(plan, plan->bases[base] ? base : BASE_PLAIN);
    check->symmetry = view->symmetry;
    check->layout = view->layout;
}

static void check_within(struct check *check)
{
    struct plan *plan = check->plan;
    check_take_base(check);
    if (!plan->refusal)
        run_attempts(check);
    if (!check->result && watch_is_up())
        check_cut(check);
    plan_close_views(plan);
    if (!check->result)
        return;
    leave_refused(check->result);
    check_confirm(check->result, &(struct evidence_mode){plan->options.deadlock, plan->options.drops_finite});
}

struct check check_model(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                         const struct engine_options *options)
{
    struct watch watch;
    struct check check = check_begin(model);
    watch_begin(&watch, options->limits.seconds, options->interrupted);
    plan_make(check.plan, model, choice, symmetry, options);
    plan_print(check.plan, &check.planned);
    check_within(&check);
    if (check.result && watch_was_cut(&watch))
        result_cut(check.result, watch_stop(&watch));
    if (check.result)
        result_cut_at_bounds(check.result);
    watch_end(&watch);
    check.refusal = check.plan->refusal;
    check.refused = &check.plan->refused;
    check.why = check.plan->why.chars;
    check.set_aside = check.plan->set_aside.chars;
    return check;
}

struct check check_symmetry(const struct model *model, enum symmetry_choice symmetry)
{
    struct check check = check_begin(model);
    *check.plan = (struct plan){.model = model, .symmetry = symmetry, .words = arena_create()};
    plan_base(check.plan, plan_symmetry_base(check.plan));
    check_take_base(&check);
    return check;
}

void check_print_plan(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                      const struct engine_options *options, struct text *out)
{
    struct plan plan;
    plan_make(&plan, model, choice, symmetry, options);
    if (plan.refusal)
        text_format(out, "refused: %s\n", plan.refusal);
    plan_print(&plan, out);
    plan_free(&plan);
}

void check_free(struct check *check)
{
    result_destroy(check->result);
    if (check->plan)
        plan_free(check->plan);
    free(check->plan);
    text_free(&check->planned);
    *check = (struct check){0};
}
