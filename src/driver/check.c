#include "driver/check.h"

#include <stdlib.h>

static enum trace_evidence evidence_of(const struct trace *trace, const struct property *property,
                                       enum verdict verdict, enum deadlock_mode deadlock)
{
    if (!trace->steps[trace->count - 1].cells)
        return TRACE_SHOWS_FAULT;
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
        if (!result->checked[i] || !property->trace)
            continue;
        char *wrong = check_evidence(property->trace, property->property, property->verdict, deadlock);
        if (wrong)
            withdraw(property, wrong);
    }
}

/* Did evaluation itself fail, or might it? Quantifiers over what was found to be interchangeable look at more than those
 * of the model do (ir/retype.h), so a failure there says nothing of the model. */
static bool is_in_doubt(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        bool is_failure = property->property->kind == PROPERTY_RUNTIME && property->verdict == VERDICT_VIOLATED;
        bool is_open = property->verdict == VERDICT_UNKNOWN && result->is_complete &&
                       property->property->kind != PROPERTY_CTL; /* a limit was reached */
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

/* On the copy in which what was found is declared. False when nothing was found, or the answer is in doubt. */
static bool check_detected(const struct model *model, const struct engine *engine, struct check *check,
                           const struct engine_options *options)
{
    check->detection = detect_symmetry(model->system);
    if (check->detection.retyped.system) {
        check->own_layout = layout_create(check->detection.system);
        check->refusal = representative_refusal(check->detection.symmetry, options->representative);
        if (check->refusal)
            return true;
        check->result = check_run(engine, check->own_layout, check->detection.symmetry, options);
        check->symmetry = check->detection.symmetry;
        check->layout = check->own_layout;
        if (!is_in_doubt(check->result))
            return true;
        check_free(check);
    }
    detection_free(&check->detection);
    return false;
}

/* Every method belongs to one engine; auto is the choice of any. */
static const char *method_refusal(enum method method, const struct engine *engine)
{
    bool is_adaptive = method == METHOD_ADAPTIVE || method == METHOD_STANDARD;
    if (method == METHOD_AUTO || engine == (is_adaptive ? &engine_adaptive : &engine_symbolic))
        return NULL;
    return is_adaptive ? "this --method is one of the adaptive engine (--engine adaptive)"
                       : "this --method is one of the symbolic engine (--engine symbolic)";
}

struct check check_model(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                         const struct engine_options *options)
{
    const struct engine *engine = choice == ENGINE_ADAPTIVE   ? &engine_adaptive
                                  : choice == ENGINE_COMPLETE ? &engine_complete
                                  : choice == ENGINE_SYMBOLIC ? &engine_symbolic
                                                              : &engine_explicit;
    struct check check = {0};
    /* The engine `complete` uses no group of the whole model. */
    bool is_off = symmetry == SYMMETRY_OFF || choice == ENGINE_COMPLETE ||
                  (choice == ENGINE_SYMBOLIC && options->method <= METHOD_NONE);
    check.refusal = engine->supports(model->system, options);
    if (engine == &engine_adaptive && options->order == SEARCH_DEPTH_FIRST)
        check.refusal = "the adaptive engine searches breadth first only";
    if (!check.refusal)
        check.refusal = method_refusal(options->method, engine);
    if (!check.refusal && engine != &engine_explicit && options->representative != REPRESENTATIVE_AUTO)
        check.refusal = "--representative is for the explicit engine";
    if (check.refusal)
        return check;
    bool is_done = symmetry == SYMMETRY_AUTO && !is_off &&
                   (engine == &engine_explicit || engine == &engine_symbolic) &&
                   check_detected(model, engine, &check, options);
    if (!is_done) {
        check.symmetry = is_off ? symmetry_none(model->system) : symmetry_find(model->system);
        check.layout = model->layout;
        check.refusal = representative_refusal(check.symmetry, options->representative);
        if (!check.refusal)
            check.result = check_run(engine, model->layout, check.symmetry, options);
    }
    if (check.result)
        confirm_traces(check.result, options->deadlock);
    return check;
}

void check_free(struct check *check)
{
    result_destroy(check->result);
    if (check->detection.symmetry)
        detection_free(&check->detection);
    else
        symmetry_destroy(check->symmetry);
    layout_destroy(check->own_layout);
    *check = (struct check){0};
}
