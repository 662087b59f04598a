#include "driver/check.h"

#include <string.h>

#include "base/clock.h"
#include "driver/choose.h"
#include "driver/counted.h"
#include "driver/generic.h"
#include "driver/idle.h"

static struct arena *words_of(struct check *check)
{
    if (!check->words)
        check->words = arena_create();
    return check->words;
}

/* Did evaluation itself fail, or might it? Quantifiers over what was found to be interchangeable look at more than those
 * of the model do (ir/retype.h), so a failure there says nothing of the model. The property it is about, or NULL. */
static const struct property_result *find_doubt(const struct result *result)
{
    if (system_has_probabilities(result->system))
        return NULL; /* they have no quantifiers */
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        bool is_failure = property->property->kind == PROPERTY_RUNTIME && property->verdict == VERDICT_VIOLATED;
        bool is_open = property->verdict == VERDICT_UNKNOWN && result->is_complete &&
                       property->property->kind != PROPERTY_CTL &&     /* a limit was reached */
                       property->property->kind != PROPERTY_DEADLOCK; /* counters cannot tell an exchange */
        if (result->checked[i] && !property->is_left_out && (is_failure || is_open || property->fault.kind >= FAULT_UNDEFINED))
            return property;
    }
    return NULL;
}

/* `"x[p]" is undefined (rule "enter", line 12)` */
static void print_doubt(const struct property_result *doubt, struct text *out)
{
    const struct trace *trace = doubt->trace;
    const struct trace_step *last = trace && trace->count ? &trace->steps[trace->count - 1] : NULL;
    uint32_t line = doubt->fault.span.line ? doubt->fault.span.line : doubt->property->span.line;
    text_append(out, doubt->reason ? doubt->reason : "something cannot be evaluated");
    if (last && !last->cells)
        text_format(out, " (rule \"%s\"", last->rule->name);
    else
        text_format(out, " (%s%s%s", property_kind_name(doubt->property->kind), doubt->property->name ? " " : "",
                    doubt->property->name ? doubt->property->name : "");
    text_format(out, line ? ", line %u)" : ")", line);
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

bool engine_choice_of(const char *name, enum engine_choice *choice)
{
    for (*choice = ENGINE_AUTO; *choice <= ENGINE_PROBABILISTIC; (*choice)++)
        if (!strcmp(name, *choice == ENGINE_AUTO ? "auto" : engine_of(*choice)->name))
            return true;
    return false;
}

/* Did the limits of the trial end it, and not what the user asked for? */
static bool is_cut_short(const struct result *result, const struct limits *trial, const struct limits *wanted)
{
    return (result->stop.kind == STOP_STATES && trial->states != wanted->states) || result->stop.kind == STOP_WORK;
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
void check_find_symmetry(struct check *check, const struct model *model, enum symmetry_choice choice, bool splits,
                         struct engine_options *options)
{
    check->layout = model->layout;
    if (choice != SYMMETRY_AUTO) {
        check->symmetry = choice == SYMMETRY_OFF ? symmetry_none(model->system) : symmetry_find(model->system);
        return;
    }
    double begin = clock_wall();
    check->detection =
        detect_symmetry(model->system, &(struct detect_options){.watch = watch_of_thread, .splits = splits});
    limits_take_seconds(&options->limits, clock_wall() - begin);
    check->symmetry = check->detection.symmetry;
    if (check->detection.retyped.system)
        check->layout = check->own_layout = layout_create(check->detection.system);
}

/* What was found does not serve: once more, with what is declared. `doubt`: what went wrong. */
static void run_declared(struct check *check, const struct model *model, const struct engine *engine, bool is_auto,
                         const char *doubt, struct engine_options *options)
{
    drop_symmetry(check);
    check_find_symmetry(check, model, SYMMETRY_DECLARED, false, options);
    text_format(&check->set_aside, "that of ranges and enums is set aside, since with it %s, which may be no error of the model",
                doubt);
    bool counts = engine == &engine_counter || engine == &engine_generic;
    bool has_none = !check->symmetry->factor_count; /* and what is declared may not be countable */
    if (engine == &engine_generic && options->method == METHOD_AUTO)
        engine = &engine_symbolic;
    else if (counts && is_auto)
        engine = &engine_explicit;
    else if (counts && has_none) {
        struct text refused = {0};
        text_format(&refused, "counted were elements of a range or enum, and there %s, which may be no error of the model "
                              "(--engine explicit decides it)", doubt);
        check->result = result_refuse(model->system, engine->name, text_chars(&refused));
        text_free(&refused);
        return;
    }
    check->refusal = representative_refusal(check->symmetry, options->representative);
    check->result = check->refusal ? NULL : check_run(engine, check->layout, check->symmetry, options);
}

/* With the symmetry that was found; where the answer is in doubt, with what is declared. */
static void run_engine(struct check *check, const struct model *model, const struct engine *engine, bool is_auto,
                       struct engine_options *options)
{
    check->refusal = representative_refusal(check->symmetry, options->representative);
    if (check->refusal)
        return;
    check->result = check_run(engine, check->layout, check->symmetry, options);
    const struct property_result *doubt = check->own_layout ? find_doubt(check->result) : NULL;
    if (!doubt)
        return;
    struct text words = {0};
    print_doubt(doubt, &words);
    result_destroy(check->result);
    check->result = NULL;
    run_declared(check, model, engine, is_auto, text_chars(&words), options);
    text_free(&words);
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

/* The time was over before the engine could begin: that is no refusal. */
static void check_cut(struct check *check, const struct system *system, const char *engine)
{
    check->refusal = NULL;
    diag_free(&check->refused);
    check->result = result_create(system, engine);
    result_cut(check->result, watch_stop(watch_of_thread));
}

/* Chances, with counters: states one by one, or in sets. */
static struct check check_counted(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                                  const struct engine_options *options, const struct prism_reduced *ready)
{
    struct check check = {.layout = model->layout, .symmetry = symmetry_none(model->system)};
    struct engine_options plain = *options;
    plain.method = METHOD_NONE;
    check.result = counted_run(model, choice == ENGINE_COUNTER ? &engine_probabilistic : &engine_symbolic, &plain, ready,
                               &check.refused, &check.refusal, words_of(&check));
    if (check.result && check.result->properties[SYSTEM_RUNTIME].verdict == VERDICT_VIOLATED) {
        /* A run-time error is shown in the text of the user, not in that of the counters. */
        check_free(&check);
        plain.method = METHOD_AUTO;
        return check_model(model, ENGINE_PROBABILISTIC, symmetry, &plain);
    }
    if (!check.result && watch_is_up())
        check_cut(&check, model->system, choice == ENGINE_COUNTER ? engine_counter.name : engine_symbolic.name);
    if (check.result)
        check_confirm(check.result, options->deadlock);
    return check;
}

static bool has_joint(const struct system *system)
{
    for (size_t i = 0; i < system->rules.count; i++)
        if (system->rules.items[i]->joint)
            return true;
    return false;
}

/* Where in the model the counters are refused. */
static void show_refusal(struct check *check, const struct engine_options *options)
{
    struct reduce_options reduce = {.keep_dead = options->keep_dead, .leaves_quantified = true, .liveness_as_ctl = true,
                                    .leaves_untranslated = options->leaves_properties};
    diag_free(&check->refused);
    reduction_destroy(reduce_system(check->layout->system, &reduce, &check->refused));
}

/* What was found cannot be counted; perhaps what is declared can. Where nothing is, the first refusal says more. */
static void count_declared(struct check *check, const struct model *model, const struct engine *engine,
                           struct engine_options *options)
{
    drop_symmetry(check);
    check_find_symmetry(check, model, SYMMETRY_DECLARED, false, options);
    if (!check->symmetry->factor_count)
        return;
    check->refusal = engine->supports(model->system, options, words_of(check));
    diag_free(&check->refused);
    if (check->refusal)
        show_refusal(check, options);
}

static bool declared_can_be_counted(struct check *check, const struct model *model, const struct engine *engine,
                                    const struct engine_options *options)
{
    struct symmetry *declared = symmetry_find(model->system);
    bool can_be = declared->factor_count && !engine->supports(model->system, options, words_of(check));
    symmetry_destroy(declared);
    return can_be;
}

/* Counters of what was found to be interchangeable, else of what is declared; with all properties, else with those that
 * can be counted. */
static void find_counters(struct check *check, const struct model *model, const struct engine *engine,
                          struct engine_options *options)
{
    check->refusal = engine->supports(check->layout->system, options, words_of(check));
    if (check->refusal && check->own_layout && declared_can_be_counted(check, model, engine, options)) {
        count_declared(check, model, engine, options);
        return;
    }
    if (check->refusal) {
        options->leaves_properties = true;
        check->refusal = engine->supports(check->layout->system, options, words_of(check));
    }
    if (!check->refusal)
        return;
    show_refusal(check, options);
    if (check->own_layout)
        count_declared(check, model, engine, options);
}

/* Of these, what was checked is not what was asked. */
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

/* The symbolic engine has a relation for each way to act together. */
static struct check check_combined(const struct model *model, struct system *combined,
                                   const struct engine_options *options)
{
    struct layout *layout = layout_create(combined);
    struct model own = *model;
    own.system = combined;
    own.layout = layout;
    struct check check = check_model(&own, ENGINE_SYMBOLIC, SYMMETRY_OFF, options);
    check.combined = combined;
    check.combined_layout = layout;
    return check;
}

static struct check check_within(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                                 const struct engine_options *options)
{
    struct check check = {.layout = model->layout, .refusal = idle_option(model->system, choice, symmetry, options)};
    struct engine_options own = *options;
    own.memo = &check.memo; /* the counter engine counts what was found to be interchangeable, too */
    if (check.refusal) {
        check.symmetry = symmetry_none(model->system);
        return check;
    }
    if (choice == ENGINE_AUTO && system_has_probabilities(model->system)) {
        struct text why = {0};
        struct prism_reduced ready;
        choice = counted_choose(model, symmetry, options, &ready, &why);
        check = choice == ENGINE_PROBABILISTIC ? check : check_counted(model, choice, symmetry, options, &ready);
        check.why = why;
        if (choice != ENGINE_PROBABILISTIC)
            return check;
    } else if (counted_is_wanted(model, choice, symmetry, options, &check.set_aside))
        return check_counted(model, choice, symmetry, options, NULL);
    struct system *combined =
        choice == ENGINE_SYMBOLIC && has_joint(model->system) ? model_combine(model) : NULL;
    if (combined && has_joint(combined)) { /* there are too many ways */
        system_destroy(combined);
        combined = NULL;
    }
    if (combined) {
        text_free(&check.set_aside); /* it will be said again */
        return check_combined(model, combined, options);
    }
    if (system_has_probabilities(model->system) && choice == ENGINE_SYMBOLIC)
        symmetry = SYMMETRY_OFF; /* sets of representatives have no chances */
    check_find_symmetry(&check, model, symmetry_for(choice, symmetry, options->method), choice == ENGINE_PROBABILISTIC, &own);
    if (watch_is_up()) { /* what an engine sets up for a large state would take longer than there is time */
        check_cut(&check, check.layout->system, choice == ENGINE_AUTO ? engine_explicit.name : engine_of(choice)->name);
        return check;
    }
    const struct engine *engine =
        choice == ENGINE_AUTO
            ? choose_engine(model, check.layout, check.symmetry, symmetry == SYMMETRY_OFF, &own, &check.why)
            : engine_of(choice);
    if (engine == &engine_symbolic && wants_counters(&check, &own))
        engine = &engine_generic;
    if (engine == &engine_counter || engine == &engine_generic)
        find_counters(&check, model, engine, &own);
    else
        check.refusal = engine->supports(model->system, &own, words_of(&check));
    if (check.refusal && watch_is_up()) { /* that is why */
        check_cut(&check, check.layout->system, engine->name);
        reduce_forget(&check.memo);
        return check;
    }
    if (check.refusal)
        return check;
    if (choice == ENGINE_AUTO && engine == &engine_adaptive) {
        check.result = run_trial(model, &own, &check.why);
        engine = &engine_explicit;
    }
    if (!check.result) {
        run_engine(&check, model, engine, choice == ENGINE_AUTO, &own);
    } else if (check.own_layout) { /* its states are those of the model itself */
        drop_symmetry(&check);
        check_find_symmetry(&check, model, SYMMETRY_DECLARED, false, &own);
    }
    reduce_forget(&check.memo);
    if (check.result) {
        leave_refused(check.result);
        check_confirm(check.result, options->deadlock);
    }
    return check;
}

struct check check_model(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                         const struct engine_options *options)
{
    struct watch watch;
    watch_begin(&watch, options->limits.seconds, options->interrupted);
    struct check check = check_within(model, choice, symmetry, options);
    if (check.result && watch_was_cut(&watch))
        result_cut(check.result, watch_stop(&watch));
    watch_end(&watch);
    return check;
}

void check_free(struct check *check)
{
    result_destroy(check->result);
    drop_symmetry(check);
    layout_destroy(check->combined_layout);
    system_destroy(check->combined);
    text_free(&check->why);
    text_free(&check->set_aside);
    diag_free(&check->refused);
    arena_destroy(check->words);
    *check = (struct check){0};
}
