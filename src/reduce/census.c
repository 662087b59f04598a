#include "reduce/census_inner.h"

#include <stdlib.h>
#include <string.h>

bool census_error(struct census *census, struct span span, const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    report_error(census->diagnostics, span, "counter abstraction: %s", text_chars(&message));
    text_free(&message);
    return false;
}

/* --- what the system consists of --- */

static void add_cell(struct census *census, const struct variable *global, const struct type *type, uint32_t offset)
{
    struct census_variable *variable = &census->variables[global->address + offset];
    *variable = (struct census_variable){.name = global->element_names ? global->element_names[offset] : global->name,
                                         .span = global->span,
                                         .is_bool = type->kind == TYPE_BOOL,
                                         .low = type_code(type, 0),
                                         .high = type_code(type, type->size - 1),
                                         .cell = global->address + offset,
                                         .module = CENSUS_GLOBAL};
}

static void find_variables(struct census *census)
{
    const struct system *system = census->system;
    census->variables = ARENA_ARRAY(census->arena, struct census_variable, system->state_cells + 1);
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *global = system->globals.items[g];
        bool is_array = global->type->kind == TYPE_ARRAY;
        const struct type *type = is_array ? global->type->element : global->type;
        for (uint32_t i = 0; i < (is_array ? global->type->index->size : 1); i++)
            add_cell(census, global, type, i);
    }
}

static void find_modules(struct census *census)
{
    const struct chain *chain = census->chain;
    census->module_count = chain->module_count;
    census->modules = ARENA_ARRAY(census->arena, struct census_module, chain->module_count + 1);
    for (uint32_t m = 0; m < chain->module_count; m++) {
        const struct chain_module *from = &chain->modules[m];
        struct census_module *module = &census->modules[m];
        *module = (struct census_module){
            .name = from->name, .span = from->span, .original = from->original, .variable_count = from->cell_count};
        module->variables = ARENA_ARRAY(census->arena, const struct census_variable *, from->cell_count);
        for (uint32_t i = 0; i < from->cell_count; i++) {
            struct census_variable *variable = &census->variables[from->cells[i]];
            variable->module = m;
            variable->field = i;
            module->variables[i] = variable;
        }
    }
}

/* The start state's parameters stand for the variables they are assigned to. */
static void find_start(struct census *census)
{
    const struct rule *start = census->system->starts.items[0];
    for (uint32_t i = 0; i < start->body.count; i++) {
        const struct stmt *stmt = start->body.items[i];
        const struct census_variable *variable = gterms_variable(census->terms, stmt->place);
        if (stmt->value->kind == EXPR_CONST)
            census->variables[variable->cell].initial = stmt->value->value;
        else
            gterms_bind(census->terms, stmt->value->place->variable, gterm_variable(census->terms, variable));
    }
    if (!start->parameter_count)
        return;
    census->initial_span = start->span;
    census->initial = start->guard ? gterm_from(census->terms, start->guard) : gterm_bool(census->terms, true);
}

static void open_census(struct census *census)
{
    find_variables(census);
    find_modules(census);
    census->terms = gterms_create(census->arena, census->system, census->variables, census->modules);
    find_start(census);
}

/* --- the result --- */

static bool begins_alike(const struct census *census, const struct census_family *family)
{
    for (uint32_t m = 1; m < family->count; m++)
        for (uint32_t i = 0; i < family->variable_count; i++)
            if (census->modules[family->members[m]].variables[i]->initial !=
                census->modules[family->members[0]].variables[i]->initial)
                return false;
    return true;
}

static void keep_facts(struct census *census)
{
    struct census_facts *facts = &census->facts;
    uint32_t count = (uint32_t)census->families.count;
    uint32_t *counters = ARENA_ARRAY(census->arena, uint32_t, count),
             *modules = ARENA_ARRAY(census->arena, uint32_t, count);
    facts->counters = census->counter_count;
    facts->first_counter = census->kept_count;
    facts->family_count = count;
    facts->is_symmetric_start = true;
    for (uint32_t f = 0; f < count; f++) {
        const struct census_family *family = &census->families.items[f];
        facts->modules += family->count;
        counters[f] = (uint32_t)family->locations.count;
        modules[f] = family->count;
        facts->is_symmetric_start &= census->initial || begins_alike(census, family);
    }
    facts->family_counters = counters;
    facts->family_modules = modules;
}

static bool reduce(struct census *census)
{
    if (!census_collect_choices(census) || !census_find_families(census))
        return false;
    census_find_orbits(census);
    if (!census_find_locations(census) || !census_make_system(census))
        return false;
    keep_facts(census);
    return !watch_is_up(); /* all these end early then, with what is no reduction */
}

/* What was needed on the way only. */
static void clean_up(struct census *census)
{
    VEC_FREE(&census->choices);
    VEC_FREE(&census->orbits);
    VEC_FREE(&census->made);
    VEC_FREE(&census->is_made);
    for (size_t i = 0; i < census->factors.count; i++)
        rational_destroy(census->factors.items[i]);
    VEC_FREE(&census->factors);
    gterms_destroy(census->terms);
    census->terms = NULL;
    census->diagnostics = NULL;
}

struct census *census_reduce(const struct system *system, struct diagnostics *diagnostics)
{
    struct census *census = memory_zeroed(1, sizeof *census);
    census->system = system;
    census->chain = system->chain;
    census->arena = arena_create();
    census->diagnostics = diagnostics;
    open_census(census);
    bool is_reduced = reduce(census);
    if (!is_reduced && !diagnostics->errors) /* nothing was wrong: it was cut short */
        diag_error(diagnostics, (struct span){0}, "counter abstraction: the time is over");
    clean_up(census);
    if (is_reduced)
        return census;
    census_destroy(census);
    return NULL;
}

void census_destroy(struct census *census)
{
    if (!census)
        return;
    for (size_t i = 0; i < census->families.count; i++)
        VEC_FREE(&census->families.items[i].locations);
    VEC_FREE(&census->families);
    diag_free(&census->facts.warnings);
    if (census->out)
        system_destroy(census->out);
    arena_destroy(census->arena);
    free(census);
}

const struct system *census_system(const struct census *census)
{
    return census->out;
}

const struct census_facts *census_facts(const struct census *census)
{
    return &census->facts;
}

/* Of a module, as a position in its family; or NOT_COUNTED. */
static uint32_t location_in(const struct census *census, uint32_t number, uint32_t module, const int32_t *cells)
{
    const struct census_family *family = &census->families.items[number];
    const struct census_variable *const *variables = census->modules[module].variables;
    for (uint32_t location = 0; location < family->locations.count; location++) {
        uint32_t same = 0;
        while (same < family->variable_count && cells[variables[same]->cell] == family->locations.items[location][same])
            same++;
        if (same == family->variable_count)
            return location;
    }
    return NOT_COUNTED;
}

bool census_abstract(const struct census *census, const int32_t *original, int32_t *counted)
{
    for (uint32_t i = 0; i < census->kept_count; i++)
        counted[i] = original[census->kept[i]];
    memset(counted + census->kept_count, 0, census->counter_count * sizeof *counted);
    for (uint32_t f = 0; f < census->families.count; f++) {
        const struct census_family *family = &census->families.items[f];
        for (uint32_t m = 0; m < family->count; m++) {
            uint32_t location = location_in(census, f, family->members[m], original);
            if (location == NOT_COUNTED)
                return false;
            counted[census->kept_count + family->first_counter + location]++;
        }
    }
    return true;
}
