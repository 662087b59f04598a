#include "driver/counted.h"

#include <stdlib.h>
#include <string.h>

#include "driver/counted_lift.h"

bool counted_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced)
{
    struct reading reading = model_reading(model);
    reading.most_combined = 0;
    reading.is_lenient = false;
    return prism_reduce(model->source, &reading, diagnostics, reduced);
}

/* More are more variables and relations than it is worth. */
enum { PROMISING_COUNTERS = 256, PROMISING_COMMANDS = 2000 };

/* With all properties. False: `why_not` says why, and there is nothing to free. */
static bool count_all(const struct model *model, struct prism_reduced *reduced, struct text *why_not)
{
    struct diagnostics diagnostics = {0};
    bool is_reduced = counted_texts(model, &diagnostics, reduced);
    const struct diagnostics *wrong = is_reduced ? &reduced->warnings : &diagnostics;
    bool is_whole = is_reduced && !wrong->count;
    if (!is_whole)
        text_format(why_not, "line %u: %s", wrong->items[0].span.line, wrong->items[0].message);
    if (is_reduced && !is_whole)
        prism_reduced_free(reduced);
    diag_free(&diagnostics);
    return is_whole;
}

static bool is_small(const struct prism_reduced *reduced)
{
    return reduced->counters <= PROMISING_COUNTERS && reduced->commands <= PROMISING_COMMANDS;
}

static bool is_promising(const struct model *model, struct text *why_not)
{
    struct prism_reduced reduced;
    text_append(why_not, "sets of states know symmetry by counters only, and ");
    if (!count_all(model, &reduced, why_not))
        return false;
    bool is_good = is_small(&reduced);
    if (is_good)
        text_free(why_not); /* the caller drops it */
    else
        text_format(why_not, "there would be %u of them and %zu commands", reduced.counters, reduced.commands);
    prism_reduced_free(&reduced);
    return is_good;
}

bool counted_is_wanted(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                       const struct engine_options *options, struct text *why_not)
{
    if (!system_has_probabilities(model->system) || (choice != ENGINE_COUNTER && choice != ENGINE_SYMBOLIC))
        return false;
    if (choice == ENGINE_COUNTER || options->method == METHOD_GENERIC)
        return true;
    return options->method == METHOD_AUTO && symmetry != SYMMETRY_OFF && is_promising(model, why_not);
}

/* Fewer copies are no matter for the quotient, unless it is large; below the last number counted states are taken one by one. */
enum { CHOOSE_LEAST_CELLS = 8, CHOOSE_MANY_COPIES = 20 };
static const double CHOOSE_MANY_STATES = 1e7, CHOOSE_FEW_STATES = 2e6;

/* No more states than ways to spread the modules over the counters. */
static double most_counted(const struct prism_reduced *reduced, uint32_t *copies)
{
    double states = 1;
    *copies = 0;
    for (uint32_t f = 0; f < reduced->family_count; f++) {
        uint32_t modules = reduced->family_modules[f];
        *copies = modules > *copies ? modules : *copies;
        for (uint32_t i = 1; i < reduced->family_counters[f]; i++)
            states *= (double)(modules + i) / i;
    }
    return states;
}

/* What only the quotient has. */
static const char *choose_excuse(const struct model *model, enum symmetry_choice symmetry,
                                 const struct engine_options *options)
{
    if (symmetry != SYMMETRY_AUTO)
        return "not all symmetry is to be used";
    if (options->is_exact || options->is_fair || options->witness || options->method != METHOD_AUTO ||
        options->stepper != STEPPER_AUTO || options->limits.states)
        return "only this engine has the options given";
    return model->layout->cell_count < CHOOSE_LEAST_CELLS ? "there are few variables" : NULL;
}

enum engine_choice counted_choose(const struct model *model, enum symmetry_choice symmetry,
                                  const struct engine_options *options, struct prism_reduced *ready, struct text *why)
{
    struct prism_reduced reduced;
    struct text why_not = {0};
    enum engine_choice choice = ENGINE_PROBABILISTIC;
    const char *excuse = choose_excuse(model, symmetry, options);
    bool is_counted = !excuse && count_all(model, &reduced, &why_not);
    if (excuse)
        text_format(why, "probabilistic, since %s", excuse);
    else if (!is_counted)
        text_format(why, "probabilistic, since not all can be counted (%s)", text_chars(&why_not));
    text_free(&why_not);
    if (!is_counted)
        return choice;
    uint32_t copies;
    double states = most_counted(&reduced, &copies);
    if (copies >= CHOOSE_MANY_COPIES || states > CHOOSE_MANY_STATES)
        choice = states <= CHOOSE_FEW_STATES ? ENGINE_COUNTER : is_small(&reduced) ? ENGINE_SYMBOLIC : ENGINE_PROBABILISTIC;
    text_format(why, "%s, since %u interchangeable modules, counted by local state (%u counters), have %.4g states at most",
                choice == ENGINE_COUNTER    ? "counter"
                : choice == ENGINE_SYMBOLIC ? "symbolic"
                                            : "probabilistic",
                reduced.modules, reduced.counters, states);
    if (choice == ENGINE_PROBABILISTIC)
        prism_reduced_free(&reduced);
    else
        *ready = reduced;
    return choice;
}

/* The counted model, loaded. */
struct counted {
    struct source *source, *properties;
    struct system *system;
    struct layout *layout;
    struct prism_reduced reduced;
    uint32_t *family_of;
    struct counting counting;
    bool wants_runs;
};

static void counted_free(struct counted *counted)
{
    free(counted->family_of);
    prism_reduced_free(&counted->reduced);
    layout_destroy(counted->layout);
    system_destroy(counted->system);
    source_free(counted->source);
    source_free(counted->properties);
}

/* Which cells are counters, and of which family. */
static void find_counters(struct counted *counted)
{
    const struct prism_reduced *reduced = &counted->reduced;
    struct text name = {0};
    counted->family_of = memory_zeroed(counted->layout->cell_count + 1, sizeof *counted->family_of);
    for (uint32_t cell = 0; cell < counted->layout->cell_count; cell++) {
        uint32_t number = 0, family = 0, end = reduced->family_counters[0];
        text_clear(&name);
        layout_cell_name(counted->layout, cell, &name);
        while (number < reduced->counters && strcmp(reduced->names[number], text_chars(&name)))
            number++;
        while (number < reduced->counters && number >= end)
            end += reduced->family_counters[++family];
        counted->family_of[cell] = number < reduced->counters ? family : COUNTING_NONE;
    }
    text_free(&name);
    counted->counting = (struct counting){counted->family_of, counted->layout->cell_count, reduced->family_modules,
                                          reduced->family_counters, reduced->family_count,
                                          reduced->is_symmetric_start};
}

static bool counted_load(const struct model *model, const struct prism_reduced *ready, struct counted *counted,
                         struct diagnostics *refused, const char **refusal, struct arena *words)
{
    struct diagnostics diagnostics = {0};
    *counted = (struct counted){0};
    struct prism_reduced *reduced = &counted->reduced;
    if (ready) {
        *reduced = *ready;
    } else if (!counted_texts(model, refused, reduced)) {
        *refusal = diag_first(refused, words);
        return false;
    }
    const char *properties = text_chars(&reduced->properties);
    counted->source = source_from_text("counted model", text_chars(&reduced->model), reduced->model.length);
    counted->properties = source_from_text("counted properties", properties, strlen(properties));
    struct reading reading = {.properties = counted->properties, .most_combined = UINT32_MAX};
    counted->system = prism_read(counted->source, &reading, &diagnostics);
    if (!counted->system && !watch_is_up()) /* what is written is read again */
        UNREACHABLE(diagnostics.items[0].message);
    diag_free(&diagnostics);
    if (!counted->system) {
        *refusal = "the time is over";
        counted_free(counted);
        return false;
    }
    counted->layout = layout_create(counted->system);
    find_counters(counted);
    return true;
}

/* Of more modules than these, nobody looks at a run that was not asked for: to look for it would take longer than all else. */
enum { COUNTED_SHORT_STATES = 100 };

/* The run of the counted model, as one of the model. */
static void take_run(struct scheduled_run *to, const struct scheduled_run *from, const struct layout *layout,
                     const struct counted *counted)
{
    struct trace *trace = from->trace ? counted_lift(layout, &counted->reduced, from->trace, from->chances) : NULL;
    if (!trace)
        return;
    *to = *from;
    to->trace = trace;
    to->chances = memory_alloc((trace->count + 1) * sizeof *to->chances);
    memcpy(to->chances, from->chances, trace->count * sizeof *to->chances);
}

static void take_reason(struct property_result *to, const struct property_result *from)
{
    struct text reason = {0};
    text_append(&reason, from->reason);
    if (from->trace && !to->trace)
        text_append(&reason, " (there is a run of the counted model, noether reduce, that could not be written as one of "
                             "this model)");
    to->reason = reason.chars;
}

/* Of a property of the model: its number in the counted one, where those that were left out are not; UINT32_MAX: it is one
 * of them. */
static uint32_t counted_number(const struct prism_reduced *reduced, const struct system *system, uint32_t id)
{
    uint32_t own = (uint32_t)system->properties.count - reduced->property_count, number = id;
    if (id >= own && reduced->left_out[id - own])
        return UINT32_MAX;
    for (uint32_t i = own; i < id; i++)
        number -= reduced->left_out[i - own] != NULL;
    return number;
}

/* The same properties in the same order: what was found of the one is true of the other. */
static void take_verdict(struct result *to, struct result *from, uint32_t id, const struct layout *layout,
                         const struct counted *counted)
{
    const struct prism_reduced *reduced = &counted->reduced;
    uint32_t number = counted_number(reduced, to->system, id);
    if (number == UINT32_MAX) {
        uint32_t own = (uint32_t)to->system->properties.count - reduced->property_count;
        result_leave_out(to, to->system->properties.items[id], reduced->left_out[id - own]);
        return;
    }
    struct property_result *found = &from->properties[number];
    struct property_result *now = &to->properties[id];
    to->checked[id] = from->checked[number];
    now->verdict = found->verdict;
    now->stop = found->stop;
    bool has_run = found->trace && found->property->kind != PROPERTY_RUNTIME; /* such a run is looked for in the model itself */
    now->trace = has_run ? counted_lift(layout, &counted->reduced, found->trace, NULL) : NULL;
    now->reason = NULL;
    if (found->reason)
        take_reason(now, found);
    now->has_value = found->has_value;
    now->lower = found->lower;
    now->upper = found->upper;
    now->is_range = found->is_range;
    now->quantity.exact = found->quantity.exact ? memory_string(found->quantity.exact) : NULL;
    for (size_t i = 0; i < found->quantity.convergence.count; i++)
        VEC_PUSH(&now->quantity.convergence, found->quantity.convergence.items[i]);
    if (layout->cell_count <= COUNTED_SHORT_STATES || counted->wants_runs)
        take_run(&now->quantity.run, &found->quantity.run, layout, counted);
}

/* The line it names is not one of the user's file. */
static struct stop counted_stop(const struct stop *from)
{
    struct text words = {0};
    if (!from->line)
        return stop_copy(from);
    stop_print(from, &words);
    struct stop stop = stop_because(from->kind, "%s; in the model that noether reduce writes", text_chars(&words));
    text_free(&words);
    return stop;
}

static struct result *take_result(const struct layout *layout, const struct counted *counted, struct result *from,
                                  const char *engine)
{
    const struct system *system = layout->system;
    struct result *to = result_create(system, engine);
    ENSURE(system->properties.count == from->system->properties.count + counted->reduced.warnings.count);
    for (uint32_t i = 0; i < system->properties.count; i++)
        take_verdict(to, from, i, layout, counted);
    to->is_complete = from->is_complete;
    result_set_stopped(to, counted_stop(&from->stop));
    text_append(&to->stepper, text_chars(&from->stepper));
    to->statistics.states = from->statistics.states;
    to->statistics.transitions = from->statistics.transitions;
    to->statistics.rules_fired = from->statistics.rules_fired;
    to->statistics.is_least = from->statistics.is_least;
    if (from->statistics.large) { /* its rules are others */
        to->statistics.large = large_create(0);
        bigint_copy(to->statistics.large->states, from->statistics.large->states);
        bigint_copy(to->statistics.large->rules_fired, from->statistics.large->rules_fired);
    }
    to->statistics.depth = from->statistics.depth;
    to->statistics.seconds = from->statistics.seconds;
    to->statistics.cpu_seconds = from->statistics.cpu_seconds;
    to->statistics.peak_bytes = from->statistics.peak_bytes;
    to->statistics.store_bytes = from->statistics.store_bytes;
    if (from->statistics.represented)
        bigint_copy(to->statistics.represented, from->statistics.represented);
    else {
        bigint_destroy(to->statistics.represented);
        to->statistics.represented = NULL;
    }
    to->statistics.represented_is_exact = from->statistics.represented_is_exact;
    return to;
}

/* What sets of states leave open takes numbers, state by state: where the states are few. */
enum { COUNTED_FEW_STATES = 5000000 };

static bool is_left_open(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_UNKNOWN && !result->properties[i].is_left_out)
            return result->is_complete && result->statistics.states <= COUNTED_FEW_STATES;
    return false;
}

static void fill_in_numbers(const struct layout *layout, const struct counted *counted, const struct symmetry *none,
                            const struct engine_options *options, struct result *result)
{
    struct engine_options rest = *options;
    limits_take_seconds(&rest.limits, result->statistics.seconds);
    struct result *numbers = engine_probabilistic.run(counted->layout, none, &rest);
    for (uint32_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *open = &result->properties[i];
        /* an interval, however wide, is more than the next reason why there is none */
        if (!result->checked[i] || open->verdict != VERDICT_UNKNOWN || open->is_left_out ||
            (open->has_value && !numbers->is_complete))
            continue;
        free(result->properties[i].reason);
        quantity_free(&result->properties[i].quantity); /* the second engine has its own way to the value */
        take_verdict(result, numbers, i, layout, counted);
    }
    result->statistics.seconds += numbers->statistics.seconds;
    result->statistics.cpu_seconds += numbers->statistics.cpu_seconds;
    result_destroy(numbers);
}

static struct result *run_counted(const struct model *model, const struct counted *counted, const struct engine *engine,
                                  const struct engine_options *given)
{
    struct symmetry *none = symmetry_none(counted->system);
    struct engine_options own = *given, *options = &own;
    own.counting = &counted->counting;
    struct result *found = engine->run(counted->layout, none, options);
    struct result *result = take_result(model->layout, counted, found,
                                        engine == &engine_probabilistic ? "counter" : engine->name);
    result_destroy(found);
    if (engine == &engine_symbolic && is_left_open(result))
        fill_in_numbers(model->layout, counted, none, options, result);
    text_format(&result->counted, "%u interchangeable modules, counted by local state (%u counters)", counted->reduced.modules,
                counted->reduced.counters);
    symmetry_destroy(none);
    return result;
}

struct result *counted_run(const struct model *model, const struct engine *engine, const struct engine_options *options,
                           const struct prism_reduced *ready, struct diagnostics *refused, const char **refusal,
                           struct arena *words)
{
    struct counted counted;
    struct result *result = NULL;
    if (options->is_fair) {
        /* section 6 of the paper: a process cannot be followed among those that are counted */
        *refusal = "fairness is about single modules, which counters do not tell apart";
        return NULL;
    }
    if (!counted_load(model, ready, &counted, refused, refusal, words))
        return NULL;
    counted.wants_runs = options->witness;
    *refusal = engine->supports(counted.system, options, words);
    if (!*refusal)
        result = run_counted(model, &counted, engine, options);
    counted_free(&counted);
    return result;
}
