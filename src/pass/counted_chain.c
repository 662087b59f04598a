#include "pass/counted_chain.h"

#include <stdlib.h>
#include <string.h>

#include "pass/chain_lift.h"

struct counted_chain {
    struct view view;
    struct census *census;
    struct layout *layout;
    struct symmetry *none;
    uint32_t *family_of; /* by cell */
    struct counting counting;
};

const struct census_facts *counted_chain_facts(const struct view *view)
{
    return census_facts(((const struct counted_chain *)view)->census);
}

/* More are more variables and relations than it is worth. */
enum { PROMISING_COUNTERS = 256, PROMISING_COMMANDS = 2000 };

bool counted_chain_is_small(const struct view *view)
{
    const struct census_facts *facts = counted_chain_facts(view);
    return facts->counters <= PROMISING_COUNTERS && facts->commands <= PROMISING_COMMANDS;
}

double counted_chain_most_states(const struct view *view, uint32_t *copies)
{
    const struct census_facts *facts = counted_chain_facts(view);
    double states = 1;
    *copies = 0;
    for (uint32_t f = 0; f < facts->family_count; f++) {
        uint32_t modules = facts->family_modules[f];
        *copies = modules > *copies ? modules : *copies;
        for (uint32_t i = 1; i < facts->family_counters[f]; i++)
            states *= (double)(modules + i) / i;
    }
    return states;
}

/* Which cells are counters, and of which family. */
static void find_counters(struct counted_chain *counted)
{
    const struct census_facts *facts = census_facts(counted->census);
    uint32_t cell = 0, cells = counted->layout->cell_count;
    counted->family_of = memory_zeroed(cells + 1, sizeof *counted->family_of);
    while (cell < facts->first_counter)
        counted->family_of[cell++] = COUNTING_NONE;
    for (uint32_t f = 0; f < facts->family_count; f++)
        for (uint32_t i = 0; i < facts->family_counters[f]; i++)
            counted->family_of[cell++] = f;
    counted->counting = (struct counting){counted->family_of,    cells,
                                          facts->family_modules, facts->family_counters,
                                          facts->family_count,   facts->is_symmetric_start};
}

/* Do not lift an unrequested run of a model with more cells than this: lifting would dominate the run time. */
enum { COUNTED_SHORT_STATES = 100 };

/* The run over counters, as one of the model. */
static void take_run(struct scheduled_run *to, const struct scheduled_run *from, const struct layout *layout,
                     const struct counted_chain *counted)
{
    struct trace *trace = from->trace ? chain_lift(layout, counted->census, from->trace, from->chances) : NULL;
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

static void take_corners(struct quantity *to, const struct quantity *from)
{
    for (size_t i = 0; i < from->pareto.count; i++) {
        struct pareto_point point = from->pareto.items[i];
        for (int k = 0; k < 2; k++)
            point.exact[k] = point.exact[k] ? memory_string(point.exact[k]) : NULL;
        VEC_PUSH(&to->pareto, point);
    }
}

static void take_quantity(struct property_result *to, const struct property_result *from)
{
    to->has_value = from->has_value;
    to->lower = from->lower;
    to->upper = from->upper;
    to->is_range = from->is_range;
    to->quantity.exact = from->quantity.exact ? memory_string(from->quantity.exact) : NULL;
    take_corners(&to->quantity, &from->quantity);
    for (size_t i = 0; i < from->quantity.convergence.count; i++)
        VEC_PUSH(&to->quantity.convergence, from->quantity.convergence.items[i]);
}

/* What was found of the one is true of the other. */
static void take_verdict(struct result *to, struct result *from, uint32_t id, uint32_t number,
                         const struct counted_chain *counted, bool wants_runs)
{
    const struct layout *layout = counted->view.below->layout;
    struct property_result *found = &from->properties[number], *now = &to->properties[id];
    to->checked[id] = from->checked[number];
    now->verdict = found->verdict;
    now->stop = found->stop;
    bool has_run =
        found->trace && found->property->kind != PROPERTY_RUNTIME; /* such a run is looked for in the model itself */
    now->trace = has_run ? chain_lift(layout, counted->census, found->trace, NULL) : NULL;
    now->reason = NULL;
    if (found->reason)
        take_reason(now, found);
    take_quantity(now, found);
    if (layout->cell_count <= COUNTED_SHORT_STATES || wants_runs)
        take_run(&now->quantity.run, &found->quantity.run, layout, counted);
}

/* The same properties in the same order, but for those that are left out. */
static void take_verdicts(struct result *to, struct result *from, const struct counted_chain *counted, bool wants_runs)
{
    const struct census_facts *facts = census_facts(counted->census);
    const struct system *system = to->system;
    uint32_t number = 0;
    for (uint32_t i = 0; i < system->properties.count; i++)
        if (facts->left_out[i])
            result_leave_out(to, system->properties.items[i], facts->left_out[i]);
        else
            take_verdict(to, from, i, number++, counted, wants_runs);
    ENSURE(number == from->system->properties.count);
}

static struct result *counted_chain_lift(const struct view *view, struct result *from,
                                         const struct engine_options *options)
{
    const struct counted_chain *counted = (const struct counted_chain *)view;
    const struct census_facts *facts = census_facts(counted->census);
    struct result *to = result_create(view->below->layout->system, from->engine);
    take_verdicts(to, from, counted, options->witness);
    to->is_complete = from->is_complete;
    result_set_stopped(to, stop_copy(&from->stop));
    text_append(&to->stepper, text_chars(&from->stepper));
    result_take_statistics(to, from);
    free(to->statistics.fired_by_rule); /* the rules that fired are not the model's */
    to->statistics.fired_by_rule = NULL;
    text_format(&to->counted, "%u interchangeable modules, counted by local state (%u counters)", facts->modules,
                facts->counters);
    result_destroy(from);
    return to;
}

static void counted_chain_close(struct view *view)
{
    struct counted_chain *counted = (struct counted_chain *)view;
    symmetry_destroy(counted->none);
    free(counted->family_of);
    layout_destroy(counted->layout);
    census_destroy(counted->census);
    free(counted);
}

struct view *counted_chain_open(const struct view *below, struct diagnostics *diagnostics)
{
    struct census *census = census_reduce(below->layout->system, diagnostics);
    if (!census)
        return NULL;
    struct counted_chain *counted = memory_zeroed(1, sizeof *counted);
    counted->census = census;
    counted->layout = layout_create(census_system(census));
    counted->none = symmetry_none(counted->layout->system);
    find_counters(counted);
    counted->view = (struct view){.below = below,
                                  .layout = counted->layout,
                                  .symmetry = counted->none,
                                  .counting = &counted->counting,
                                  .lift = counted_chain_lift,
                                  .close = counted_chain_close};
    return &counted->view;
}
