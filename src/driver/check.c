#include "driver/check.h"

#include "driver/counted.h"
#include "driver/generic.h"
#include "driver/idle.h"

#include <stdlib.h>
#include <string.h>

#include "driver/choose.h"
#include "reduce/reduce.h"

static enum trace_evidence evidence_of(const struct trace *trace, const struct property *property,
                                       enum verdict verdict, enum deadlock_mode deadlock)
{
    if (!trace->steps[trace->count - 1].cells)
        return TRACE_SHOWS_FAULT;
    if (verdict == VERDICT_UNKNOWN)
        return TRACE_SHOWS_STATE; /* just a run */
    if (property->kind == PROPERTY_DEADLOCK)
        return deadlock == DEADLOCK_STUCK ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING;
    if ((!property->formula && !property->ctl) || property->kind == PROPERTY_LIVENESS)
        return TRACE_SHOWS_STATE;
    return verdict == VERDICT_HOLDS ? TRACE_SHOWS_TRUE : TRACE_SHOWS_FALSE;
}

char *check_evidence(const struct trace *trace, const struct property *property, enum verdict verdict,
                     enum deadlock_mode deadlock)
{
    char *wrong = trace_replay(trace);
    if (!wrong)
        wrong = trace_confirm(trace, evidence_of(trace, property, verdict, deadlock), property);
    return wrong;
}

struct fault check_last_fault(const struct trace *trace, const struct property *property)
{
    struct fault fault = {0};
    const int32_t *last = trace->steps[trace->count - 1].cells;
    if (!last || !property->formula)
        return fault;
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    if (stepper_holds(stepper, property, last, &fault) != TRUTH_FAULT)
        fault = (struct fault){0};
    stepper_destroy(stepper);
    return fault;
}

/* A wrong verdict is the worst answer: evidence that does not stand is no evidence. */
static void withdraw(struct property_result *property, char *wrong)
{
    struct text reason = {0};
    text_format(&reason, "internal error, please report it: the trace does not replay: %s", wrong);
    trace_destroy(property->trace);
    property->trace = NULL;
    property->verdict = VERDICT_UNKNOWN;
    free(property->reason);
    property->reason = reason.chars;
    free(wrong);
}

static void confirm_traces(struct result *result, enum deadlock_mode deadlock)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        struct property_result *property = &result->properties[i];
        const struct trace *run = property->quantity.run.trace;
        char *wrong = result->checked[i] && run ? trace_replay(run) : NULL;
        if (wrong) {
            withdraw(property, wrong);
            quantity_free(&property->quantity);
        }
        if (!result->checked[i] || !property->trace)
            continue;
        wrong = check_evidence(property->trace, property->property, property->verdict, deadlock);
        if (wrong)
            withdraw(property, wrong);
    }
}

/* Did evaluation itself fail, or might it? Quantifiers over what was found to be interchangeable look at more than those
 * of the model do (ir/retype.h), so a failure there says nothing of the model. */
static bool is_in_doubt(const struct result *result)
{
    if (result->system->chain)
        return false; /* they have no quantifiers */
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        bool is_failure = property->property->kind == PROPERTY_RUNTIME && property->verdict == VERDICT_VIOLATED;
        bool is_open = property->verdict == VERDICT_UNKNOWN && result->is_complete &&
                       property->property->kind != PROPERTY_CTL &&     /* a limit was reached */
                       property->property->kind != PROPERTY_DEADLOCK; /* counters cannot tell an exchange */
        if (result->checked[i] && (is_failure || is_open || property->fault.kind >= FAULT_UNDEFINED))
            return true;
    }
    return false;
}

static struct result *check_run(const struct engine *engine, const struct layout *layout,
                                const struct symmetry *symmetry, const struct engine_options *options)
{
    struct result *result = engine->run(layout, symmetry, options);
    if (engine->leaves_ctl && result->is_complete)
        ctl_decide(layout, symmetry, options, result);
    return result;
}

static const struct engine *engine_of(enum engine_choice choice)
{
    static const struct engine *const engines[] = {
        [ENGINE_EXPLICIT] = &engine_explicit,
        [ENGINE_ADAPTIVE] = &engine_adaptive,
        [ENGINE_COMPLETE] = &engine_complete,
        [ENGINE_SYMBOLIC] = &engine_symbolic,
        [ENGINE_COUNTER] = &engine_counter,
        [ENGINE_PROBABILISTIC] = &engine_probabilistic,
    };
    return engines[choice];
}

/* Did the limits of the trial end it, and not what the user asked for? */
static bool is_cut_short(const struct result *result, const struct limits *trial, const struct limits *wanted)
{
    bool is_states = result->stopped_by && !strncmp(result->stopped_by, "state limit", strlen("state limit"));
    return (is_states && trial->states != wanted->states) ||
           (result->stopped_by && !strcmp(result->stopped_by, "work limit"));
}

/* The adaptive engine gets a trial. Where it does not come to an end soon it is not worth while: NULL, and the time it
 * took is taken from the limits. */
static struct result *run_trial(const struct model *model, struct engine_options *options, struct text *why)
{
    struct engine_options trial = *options;
    trial.limits.work = CHOOSE_TRIAL_WORK;
    if (!trial.limits.states || trial.limits.states > CHOOSE_TRIAL_STATES)
        trial.limits.states = CHOOSE_TRIAL_STATES;
    struct result *result = engine_adaptive.run(model->layout, NULL, &trial);
    if (!is_cut_short(result, &trial.limits, &options->limits))
        return result;
    double spent = result->statistics.seconds;
    text_format(why, "; after a trial with %llu states, explicit",
                (unsigned long long)result->statistics.states);
    result_destroy(result);
    limits_take_seconds(&options->limits, spent);
    return NULL;
}

static void drop_symmetry(struct check *check)
{
    reduce_forget(&check->memo);
    if (check->detection.symmetry)
        detection_free(&check->detection);
    else
        symmetry_destroy(check->symmetry);
    layout_destroy(check->own_layout);
    check->detection = (struct detection){0};
    check->symmetry = NULL;
    check->own_layout = NULL;
}

/* What was found holds of a copy in which it is declared (symmetry/detect.h). The time it took is taken from the limits. */
static void find_symmetry(struct check *check, const struct model *model, enum symmetry_choice choice,
                          bool splits, struct engine_options *options)
{
    check->layout = model->layout;
    if (choice != SYMMETRY_AUTO) {
        check->symmetry = choice == SYMMETRY_OFF ? symmetry_none(model->system) : symmetry_find(model->system);
        return;
    }
    struct watch watch;
    watch_begin(&watch, options->limits.seconds, options->interrupted);
    check->detection = detect_symmetry(model->system, &(struct detect_options){.watch = &watch, .splits = splits});
    limits_take_seconds(&options->limits, pace_seconds(&watch.pace));
    watch_end(&watch);
    check->symmetry = check->detection.symmetry;
    if (check->detection.retyped.system)
        check->layout = check->own_layout = layout_create(check->detection.system);
}

/* With the symmetry that was found; where the answer is in doubt, with what is declared. */
static void run_engine(struct check *check, const struct model *model, const struct engine *engine,
                       struct engine_options *options)
{
    check->refusal = representative_refusal(check->symmetry, options->representative);
    if (check->refusal)
        return;
    check->result = check_run(engine, check->layout, check->symmetry, options);
    if (!check->own_layout || !is_in_doubt(check->result))
        return;
    result_destroy(check->result);
    check->result = NULL;
    drop_symmetry(check);
    find_symmetry(check, model, SYMMETRY_DECLARED, false, options);
    if (engine == &engine_generic && options->method == METHOD_AUTO)
        engine = &engine_symbolic; /* what is declared may not be countable */
    check->refusal = representative_refusal(check->symmetry, options->representative);
    if ((engine == &engine_counter || engine == &engine_generic) && !check->symmetry->factor_count)
        check->result = result_refuse(model->system, engine->name,
                                      "counted were elements of a range or enum, and a formula about all of them could not be "
                                      "evaluated, which may be no error of the model (--engine explicit decides it)");
    else
        check->result = check->refusal ? NULL : check_run(engine, check->layout, check->symmetry, options);
}

/* Which symmetry the engine can use: `complete` none of the whole model, `adaptive` takes the model as it is. */
static enum symmetry_choice symmetry_for(enum engine_choice engine, enum symmetry_choice symmetry, enum method method)
{
    if (engine == ENGINE_COMPLETE || (engine == ENGINE_SYMBOLIC && method == METHOD_NONE))
        return SYMMETRY_OFF;
    return engine == ENGINE_ADAPTIVE && symmetry == SYMMETRY_AUTO ? SYMMETRY_DECLARED : symmetry;
}

/* The symbolic engine with counters: when asked for, and by its own choice where they can be had and are few. */
static bool wants_counters(const struct check *check, const struct engine_options *options)
{
    if (options->method != METHOD_AUTO)
        return options->method == METHOD_GENERIC;
    return !symmetry_is_trivial(check->symmetry) && generic_is_promising(check->layout, options);
}

/* Chances, with counters: states one by one, or in sets. */
static struct check check_counted(const struct model *model, enum engine_choice choice,
                                  const struct engine_options *options)
{
    struct check check = {.layout = model->layout, .symmetry = symmetry_none(model->system)};
    struct engine_options plain = *options;
    plain.method = METHOD_NONE;
    check.result = counted_run(model, choice == ENGINE_COUNTER ? &engine_probabilistic : &engine_symbolic, &plain,
                               &check.refused, &check.refusal);
    if (check.result)
        confirm_traces(check.result, options->deadlock);
    return check;
}

/* Where in the model the counters are refused. */
static void show_refusal(struct check *check, const struct engine_options *options)
{
    struct reduce_options reduce = {.keep_dead = options->keep_dead, .leaves_quantified = true, .liveness_as_ctl = true};
    diag_free(&check->refused);
    reduction_destroy(reduce_system(check->layout->system, &reduce, &check->refused));
}

/* What was found cannot be counted; perhaps what is declared can. Where nothing is, the first refusal says more. */
static void count_declared(struct check *check, const struct model *model, const struct engine *engine,
                           struct engine_options *options)
{
    check->refusal = arena_string(model->system->arena, check->refusal);
    drop_symmetry(check);
    find_symmetry(check, model, SYMMETRY_DECLARED, false, options);
    if (!check->symmetry->factor_count)
        return;
    check->refusal = engine->supports(model->system, options);
    diag_free(&check->refused);
    if (check->refusal)
        show_refusal(check, options);
}

struct check check_model(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                         const struct engine_options *options)
{
    struct check check = {.layout = model->layout, .refusal = idle_option(model->system, choice, symmetry, options)};
    struct engine_options own = *options;
    if (check.refusal) {
        check.symmetry = symmetry_none(model->system);
        return check;
    }
    if (choice == ENGINE_AUTO && model->system->chain) {
        struct text why = {0};
        choice = counted_choose(model, symmetry, options, &why);
        check = choice == ENGINE_PROBABILISTIC ? check : check_counted(model, choice, options);
        check.why = why;
        if (choice != ENGINE_PROBABILISTIC)
            return check;
    } else if (counted_is_wanted(model, choice, symmetry, options))
        return check_counted(model, choice, options);
    if (model->system->chain && choice == ENGINE_SYMBOLIC)
        symmetry = SYMMETRY_OFF; /* sets of representatives have no chances */
    find_symmetry(&check, model, symmetry_for(choice, symmetry, options->method), choice == ENGINE_PROBABILISTIC, &own);
    const struct engine *engine =
        choice == ENGINE_AUTO
            ? choose_engine(model, check.layout, check.symmetry, symmetry == SYMMETRY_OFF, options, &check.why)
            : engine_of(choice);
    /* The counter engine counts what was found to be interchangeable, too. */
    own.memo = &check.memo;
    if (engine == &engine_symbolic && wants_counters(&check, &own))
        engine = &engine_generic;
    bool counts = engine == &engine_counter || engine == &engine_generic;
    check.refusal = engine->supports(counts ? check.layout->system : model->system, &own);
    if (check.refusal && counts)
        show_refusal(&check, options);
    if (check.refusal && counts && check.own_layout)
        count_declared(&check, model, engine, &own);
    if (check.refusal)
        return check;
    if (choice == ENGINE_AUTO && engine == &engine_adaptive) {
        check.result = run_trial(model, &own, &check.why);
        engine = &engine_explicit;
    }
    if (!check.result) {
        run_engine(&check, model, engine, &own);
    } else if (check.own_layout) { /* its states are those of the model itself */
        drop_symmetry(&check);
        find_symmetry(&check, model, SYMMETRY_DECLARED, false, &own);
    }
    reduce_forget(&check.memo);
    if (check.result)
        confirm_traces(check.result, options->deadlock);
    return check;
}

void check_free(struct check *check)
{
    result_destroy(check->result);
    drop_symmetry(check);
    text_free(&check->why);
    diag_free(&check->refused);
    *check = (struct check){0};
}
