#include "driver/counted.h"

#include <stdlib.h>
#include <string.h>

bool counted_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced)
{
    struct prism_define *defines = memory_zeroed(model->define_count + 1, sizeof *defines);
    for (size_t i = 0; i < model->define_count; i++)
        defines[i] = (struct prism_define){.name = model->defines[i].name, .value = model->defines[i].value};
    struct prism_options options = {.defines = defines, .define_count = model->define_count,
                                    .properties = model->properties, .asked = model->asked};
    bool is_reduced = prism_reduce(model->source, &options, diagnostics, reduced);
    free(defines);
    return is_reduced;
}

/* More are more variables and relations than it is worth. */
enum { PROMISING_COUNTERS = 256, PROMISING_COMMANDS = 2000 };

static bool is_promising(const struct model *model)
{
    struct diagnostics diagnostics = {0};
    struct prism_reduced reduced;
    bool is_reduced = counted_texts(model, &diagnostics, &reduced);
    bool is_small = is_reduced && reduced.counters <= PROMISING_COUNTERS && reduced.commands <= PROMISING_COMMANDS;
    if (is_reduced)
        prism_reduced_free(&reduced);
    diag_free(&diagnostics);
    return is_small;
}

bool counted_is_wanted(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                       const struct engine_options *options)
{
    if (!model->system->chain || (choice != ENGINE_COUNTER && choice != ENGINE_SYMBOLIC))
        return false;
    if (choice == ENGINE_COUNTER || options->method == METHOD_GENERIC)
        return true;
    return options->method == METHOD_AUTO && symmetry != SYMMETRY_OFF && is_promising(model);
}

/* The counted model, loaded. */
struct counted {
    struct source *source, *properties;
    struct system *system;
    struct layout *layout;
    struct prism_reduced reduced;
    uint32_t *family_of;
    struct counting counting;
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

/* The first thing that is wrong, with its line. */
static const char *refusal_of(const struct model *model, const struct diagnostics *diagnostics)
{
    const struct diagnostic *first = &diagnostics->items[0];
    return first->span.line ? arena_format(model->system->arena, "line %u: %s", first->span.line, first->message)
                            : arena_string(model->system->arena, first->message);
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

static bool counted_load(const struct model *model, struct counted *counted, struct diagnostics *refused,
                         const char **refusal)
{
    struct diagnostics diagnostics = {0};
    *counted = (struct counted){0};
    struct prism_reduced *reduced = &counted->reduced;
    if (!counted_texts(model, refused, reduced)) {
        *refusal = refusal_of(model, refused);
        return false;
    }
    const char *properties = text_chars(&reduced->properties);
    counted->source = source_from_text("counted model", text_chars(&reduced->model), reduced->model.length);
    counted->properties = source_from_text("counted properties", properties, strlen(properties));
    struct prism_options options = {.properties = counted->properties};
    counted->system = prism_read(counted->source, &options, &diagnostics);
    if (!counted->system) /* what is written is read again */
        UNREACHABLE(diagnostics.items[0].message);
    diag_free(&diagnostics);
    counted->layout = layout_create(counted->system);
    find_counters(counted);
    return true;
}

/* The same properties in the same order: what was found of the one is true of the other. */
static void take_verdict(struct result *to, struct result *from, uint32_t id)
{
    struct property_result *found = &from->properties[id];
    struct property_result *now = &to->properties[id];
    to->checked[id] = from->checked[id];
    now->verdict = found->verdict;
    now->reason = found->reason ? memory_string(found->reason) : NULL;
    now->has_value = found->has_value;
    now->lower = found->lower;
    now->upper = found->upper;
    now->quantity = found->quantity;
    found->quantity = (struct quantity){0};
    trace_destroy(now->quantity.run.trace); /* a run of the counted model is none of this one */
    free(now->quantity.run.chances);
    now->quantity.run = (struct scheduled_run){0};
}

static struct result *take_result(const struct system *system, struct result *from, const char *engine)
{
    struct result *to = result_create(system, engine);
    ENSURE(system->properties.count == from->system->properties.count);
    for (uint32_t i = 0; i < system->properties.count; i++)
        take_verdict(to, from, i);
    to->is_complete = from->is_complete;
    if (from->stopped_by) /* lines it names are not those of the user's file */
        result_set_stopped(to, strstr(from->stopped_by, "line ") ? "%s; in the model that noether reduce writes" : "%s",
                           from->stopped_by);
    text_append(&to->stepper, text_chars(&from->stepper));
    to->statistics.states = from->statistics.states;
    to->statistics.transitions = from->statistics.transitions;
    to->statistics.rules_fired = from->statistics.rules_fired;
    to->statistics.depth = from->statistics.depth;
    to->statistics.seconds = from->statistics.seconds;
    to->statistics.cpu_seconds = from->statistics.cpu_seconds;
    to->statistics.peak_bytes = from->statistics.peak_bytes;
    to->statistics.store_bytes = from->statistics.store_bytes;
    bigint_copy(to->statistics.represented, from->statistics.represented);
    to->statistics.represented_is_exact = from->statistics.represented_is_exact;
    return to;
}

/* What sets of states leave open takes numbers, state by state: where the states are few. */
enum { COUNTED_FEW_STATES = 5000000 };

static bool is_left_open(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_UNKNOWN)
            return result->is_complete && result->statistics.states <= COUNTED_FEW_STATES;
    return false;
}

static void fill_in_numbers(const struct counted *counted, const struct symmetry *none,
                            const struct engine_options *options, struct result *result)
{
    struct result *numbers = engine_probabilistic.run(counted->layout, none, options);
    for (uint32_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_UNKNOWN) {
            free(result->properties[i].reason);
            take_verdict(result, numbers, i);
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
    struct result *result = take_result(model->system, found, engine == &engine_probabilistic ? "counter" : engine->name);
    result_destroy(found);
    if (engine == &engine_symbolic && is_left_open(result))
        fill_in_numbers(counted, none, options, result);
    text_format(&result->counted, "%u interchangeable modules, counted by local state (%u counters)", counted->reduced.modules,
                counted->reduced.counters);
    symmetry_destroy(none);
    return result;
}

struct result *counted_run(const struct model *model, const struct engine *engine,
                           const struct engine_options *options, struct diagnostics *refused, const char **refusal)
{
    struct counted counted;
    struct result *result = NULL;
    if (options->is_fair) {
        /* section 6 of the paper: a process cannot be followed among those that are counted */
        *refusal = "fairness is about single modules, which counters do not tell apart";
        return NULL;
    }
    if (!counted_load(model, &counted, refused, refusal))
        return NULL;
    const char *reason = engine->supports(counted.system, options);
    if (reason)
        *refusal = arena_string(model->system->arena, reason);
    else
        result = run_counted(model, &counted, engine, options);
    counted_free(&counted);
    return result;
}
