#include "engine/symbolic/model.h"

#include <stdlib.h>

#include "base/clock.h"

enum { SYMBOLIC_ROOTS = 6 };

/* How far it is, from the only thread. */
static void symbolic_tell(const struct symbolic_model *model, double seconds)
{
    const struct engine_options *options = model->options;
    if (!options->progress || options->threads > 1 || !model->m)
        return;
    struct dd_statistics statistics = dd_statistics(model->m);
    struct progress_sample sample = {.nodes = statistics.nodes,
                                     .bytes = statistics.bytes,
                                     .depth = (uint32_t)model->layers.count,
                                     .seconds = seconds};
    options->progress(options->progress_user, &sample);
}

bool symbolic_is_over(const struct symbolic_model *model)
{
    const struct engine_options *options = model->options;
    if (watch_is_epilogue())
        return watch_is_up();
    if (watch_is_up() || flag_is_set(options->interrupted))
        return true;
    return options->limits.seconds > 0 && clock_wall() - model->begin >= options->limits.seconds;
}

static bool symbolic_stops(void *data)
{
    const struct symbolic_model *model = data;
    symbolic_tell(model, clock_wall() - model->begin);
    return symbolic_is_over(model);
}

/* For the diagrams: what the process has by now is a part of the limit, too. */
static uint64_t symbolic_memory(uint64_t limit)
{
    uint64_t held = account_held();
    return limit > 2 * held ? limit - held : limit / 2;
}

static bool symbolic_stop(struct symbolic_model *model, struct stop stop)
{
    stop_once(&model->stop, stop);
    return false;
}

bool symbolic_failed(struct symbolic_model *model)
{
    const struct limits *limits = &model->options->limits;
    struct stop stop;
    if (watch_is_up())
        stop = watch_stop(watch_of_thread);
    else if (flag_is_set(model->options->interrupted))
        stop = stop_of(STOP_INTERRUPTED);
    else if (symbolic_stops(model))
        stop = stop_time(limits_asked_seconds(limits));
    else
        stop = stop_limit(STOP_MEMORY, limits->memory_bytes);
    if (!model->is_translated) /* so there are no states yet */
        stop.detail = memory_string("while the rules were translated");
    return symbolic_stop(model, stop);
}

/* What could not be translated, and where. */
static bool symbolic_refused(struct symbolic_model *model)
{
    struct text reason = {0};
    const struct span *span = &model->refusal.span;
    if (!model->refusal.is_refused)
        return symbolic_failed(model);
    if (span->source)
        text_format(&reason, "%s:%u:%u: ", span->source->shown, span->line, span->column);
    text_append(&reason, text_chars(&model->refusal.words));
    struct stop stop = stop_because(STOP_REFUSED, "%s", text_chars(&reason));
    text_free(&reason);
    return symbolic_stop(model, stop);
}

bool symbolic_formula(struct symbolic_model *model, const struct expr *formula, bool when_discarded,
                      struct formula_sets *sets)
{
    return ground_formula(&model->ground, formula, when_discarded, sets, &model->refusal) || symbolic_refused(model);
}

bool symbolic_proposition(struct symbolic_model *model, const struct proposition *proposition, const int32_t *values,
                          struct formula_sets *sets)
{
    return ground_proposition(&model->ground, proposition, values, sets, &model->refusal) || symbolic_refused(model);
}

bool symbolic_values(struct symbolic_model *model, const struct expr *number, dd under, number_cases *cases, dd *wrong)
{
    return ground_values(&model->ground, number, under, cases, wrong, &model->refusal) || symbolic_refused(model);
}

static bool symbolic_add_assumption(struct symbolic_model *model, const struct property *property)
{
    struct formula_sets sets;
    if (!symbolic_formula(model, property->formula, false, &sets))
        return false;
    model->has_assumptions = true;
    model->assumed = dd_and(model->m, model->assumed, sets.holds);
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    return model->assumed != DD_NONE || symbolic_failed(model);
}

/* The start states one by one: there are as many as instances of start rules at most. */
static bool symbolic_add_starts(struct symbolic_model *model)
{
    struct stepper *stepper = stepper_create_vm(model->system, model->layout);
    struct step step = {0};
    enum step_outcome outcome;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && model->all_starts != DD_NONE)
        if (outcome == STEP_STATE) {
            dd state = encoding_state(model->encoding, step.cells);
            model->all_starts = dd_or(model->m, model->all_starts, state);
        }
    for (size_t i = 0; i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        struct machine_event event = {property, DD_TRUE, true};
        if (stepper->covered[property->id])
            VEC_PUSH(&model->ground.covered, event);
    }
    stepper_destroy(stepper);
    model->starts = dd_and(model->m, model->all_starts, model->assumed);
    model->starts = symbolic_represent(model, model->starts);
    return model->starts != DD_NONE || symbolic_failed(model);
}

/* What --method auto stands for. */
static enum method symbolic_method(const struct symbolic_model *model)
{
    if (symmetry_is_trivial(model->symmetry))
        return METHOD_NONE;
    return model->options->method == METHOD_AUTO ? METHOD_DYNAMIC : model->options->method;
}

static bool symbolic_choose_method(struct symbolic_model *model)
{
    enum method method = symbolic_method(model);
    if (method == METHOD_NONE)
        return true;
    const char *refusal = method_refusal(method, model->symmetry, model->layout);
    if (refusal)
        return symbolic_stop(model, stop_because(STOP_REFUSED, "%s", refusal));
    model->reducer = reducer_create(method, model->symmetry, model->encoding);
    return model->reducer || symbolic_failed(model);
}

static bool symbolic_translate(struct symbolic_model *model)
{
    if (!ground_create(&model->ground, model->encoding, &model->refusal))
        return symbolic_refused(model);
    for (size_t i = 0; i < model->system->properties.count; i++)
        if (property_is_assumed(model->system->properties.items[i]) &&
            !symbolic_add_assumption(model, model->system->properties.items[i]))
            return false;
    return symbolic_add_starts(model);
}

bool symbolic_open(struct symbolic_model *model, const struct layout *layout, const struct symmetry *symmetry,
                   const struct engine_options *options)
{
    *model = (struct symbolic_model){
        .layout = layout,
        .system = layout->system,
        .symmetry = symmetry,
        .options = options,
        .all_starts = DD_FALSE,
        .assumed = DD_TRUE,
        .starts = DD_FALSE,
        .reached = DD_FALSE,
        .explored = DD_FALSE,
        .waiting = DD_FALSE,
        .begin = clock_wall(),
    };
    uint32_t bits = encoding_bits(layout);
    if (bits > DD_MAX_VARIABLES / 2)
        return symbolic_stop(model, stop_because(STOP_REFUSED,
                                                 "a state has %u bits, and a decision diagram has variables for %d "
                                                 "of them (--engine explicit has no such limit)",
                                                 bits, DD_MAX_VARIABLES / 2));
    struct dd_options dd_options = {
        .variables = 2 * bits,
        .threads = options->threads,
        .memory = symbolic_memory(options->limits.memory_bytes),
        .stop = symbolic_stops,
        .stop_data = model,
    };
    model->m = dd_create(&dd_options);
    enum order_kind kind = symbolic_method(model) == METHOD_NONE ? ORDER_PROCESSES : ORDER_FOR_EXCHANGES;
    model->encoding = model->m ? encoding_create(layout, kind, model->m) : NULL;
    if (!model->encoding)
        return symbolic_failed(model);
    dd_register(model->m, &model->all_starts, SYMBOLIC_ROOTS);
    model->is_translated = symbolic_choose_method(model) && symbolic_translate(model);
    return model->is_translated;
}

void symbolic_close(struct symbolic_model *model)
{
    stop_free(&model->stop);
    text_free(&model->refusal.words);
    if (model->encoding) {
        for (size_t i = 0; i < model->layers.count; i++)
            dd_unref(model->m, model->layers.items[i]);
        reducer_destroy(model->reducer);
        if (model->ground.encoding)
            ground_destroy(&model->ground);
        dd_unregister(model->m, &model->all_starts);
        encoding_destroy(model->encoding);
    }
    VEC_FREE(&model->layers);
    if (model->m)
        dd_destroy(model->m);
}
