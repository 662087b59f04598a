#include "driver/chain_view.h"

#include <stdlib.h>
#include <string.h>

#include "driver/chain_lift.h"

bool chain_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced)
{
    struct reading reading = model_reading(model);
    reading.most_combined = 0;
    reading.is_lenient = false;
    return prism_reduce(model->source, &reading, diagnostics, reduced);
}

/* The counted model, loaded. */
struct chain_view {
    struct view view;
    struct source *source, *properties;
    struct system *system;
    struct layout *layout;
    struct symmetry *none;
    struct prism_reduced reduced;
    uint32_t *family_of;
    struct counting counting;
};

const struct prism_reduced *chain_reduced(const struct view *view)
{
    return &((const struct chain_view *)view)->reduced;
}

/* More are more variables and relations than it is worth. */
enum { PROMISING_COUNTERS = 256, PROMISING_COMMANDS = 2000 };

bool chain_is_small(const struct view *view)
{
    const struct prism_reduced *reduced = chain_reduced(view);
    return reduced->counters <= PROMISING_COUNTERS && reduced->commands <= PROMISING_COMMANDS;
}

double chain_most_states(const struct view *view, uint32_t *copies)
{
    const struct prism_reduced *reduced = chain_reduced(view);
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

/* Which cells are counters, and of which family. */
static void find_counters(struct chain_view *counted)
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
    counted->counting =
        (struct counting){counted->family_of,       counted->layout->cell_count, reduced->family_modules,
                          reduced->family_counters, reduced->family_count,       reduced->is_symmetric_start};
}

/* Do not lift an unrequested run of a model with more cells than this: lifting would dominate the run time. */
enum { COUNTED_SHORT_STATES = 100 };

/* The run of the counted model, as one of the model. */
static void take_run(struct scheduled_run *to, const struct scheduled_run *from, const struct layout *layout,
                     const struct chain_view *counted)
{
    struct trace *trace = from->trace ? chain_lift(layout, &counted->reduced, from->trace, from->chances) : NULL;
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
        text_append(&reason, " (there is a run of the counter abstraction, noether reduce, that could not be lifted to "
                             "this model)");
    to->reason = reason.chars;
}

/* Of a property of the model: its number in the counted one, where those that were left out are not; UINT32_MAX: it is
 * one of them. */
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
static void take_verdict(struct result *to, struct result *from, uint32_t id, const struct chain_view *counted,
                         bool wants_runs)
{
    const struct layout *layout = counted->view.below->layout;
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
    bool has_run =
        found->trace && found->property->kind != PROPERTY_RUNTIME; /* such a run is looked for in the model itself */
    now->trace = has_run ? chain_lift(layout, &counted->reduced, found->trace, NULL) : NULL;
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
    if (layout->cell_count <= COUNTED_SHORT_STATES || wants_runs)
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

static struct result *chain_lift_result(const struct view *view, struct result *from,
                                        const struct engine_options *options)
{
    const struct chain_view *counted = (const struct chain_view *)view;
    const struct system *system = view->below->layout->system;
    struct result *to =
        result_create(system, from->engine == engine_probabilistic.name ? engine_counter.name : from->engine);
    ENSURE(system->properties.count == from->system->properties.count + counted->reduced.warnings.count);
    for (uint32_t i = 0; i < system->properties.count; i++)
        take_verdict(to, from, i, counted, options->witness);
    to->is_complete = from->is_complete;
    result_set_stopped(to, counted_stop(&from->stop));
    text_append(&to->stepper, text_chars(&from->stepper));
    result_take_statistics(to, from);
    text_format(&to->counted, "%u interchangeable modules, counted by local state (%u counters)",
                counted->reduced.modules, counted->reduced.counters);
    result_destroy(from);
    return to;
}

static void chain_close(struct view *view)
{
    struct chain_view *counted = (struct chain_view *)view;
    symmetry_destroy(counted->none);
    free(counted->family_of);
    prism_reduced_free(&counted->reduced);
    layout_destroy(counted->layout);
    system_destroy(counted->system);
    source_free(counted->source);
    source_free(counted->properties);
    free(counted);
}

/* What is written is read again. False: the time is over. */
static bool chain_read(struct chain_view *counted)
{
    struct diagnostics diagnostics = {0};
    const char *properties = text_chars(&counted->reduced.properties);
    counted->source =
        source_from_text("counter abstraction", text_chars(&counted->reduced.model), counted->reduced.model.length);
    counted->properties = source_from_text("counted properties", properties, strlen(properties));
    struct reading reading = {.properties = counted->properties, .most_combined = UINT32_MAX};
    counted->system = prism_read(counted->source, &reading, &diagnostics);
    if (!counted->system && !watch_is_up())
        UNREACHABLE(diagnostics.items[0].message);
    diag_free(&diagnostics);
    return counted->system != NULL;
}

struct view *chain_open(const struct model *model, const struct view *below, struct diagnostics *diagnostics)
{
    struct chain_view *counted = memory_zeroed(1, sizeof *counted);
    if (!chain_texts(model, diagnostics, &counted->reduced)) {
        free(counted);
        return NULL;
    }
    counted->view = (struct view){.below = below, .lift = chain_lift_result, .close = chain_close};
    return &counted->view;
}

bool chain_load(struct view *view)
{
    struct chain_view *counted = (struct chain_view *)view;
    if (!chain_read(counted))
        return false;
    counted->layout = layout_create(counted->system);
    counted->none = symmetry_none(counted->system);
    find_counters(counted);
    view->layout = counted->layout;
    view->symmetry = counted->none;
    view->counting = &counted->counting;
    return true;
}
