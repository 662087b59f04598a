#include "lang/prism/generic.h"

static bool reduce(struct prism_generic *generic, const char *title, struct prism_reduced *reduced)
{
    if (!generic_collect_choices(generic) || !generic_find_families(generic))
        return false;
    generic_find_orbits(generic);
    if (!generic_find_locations(generic) || !generic_write_model(generic, title, &reduced->model, &reduced->commands))
        return false;
    generic_write_properties(generic, reduced);
    return !watch_is_up(); /* all these end early then, with what is no reduction */
}

static bool begins_alike(const struct prism_generic *generic, const struct generic_family *family)
{
    const struct prism_component *components = generic->network->components;
    for (uint32_t m = 1; m < family->count; m++)
        for (uint32_t i = 0; i < family->variable_count; i++)
            if (components[family->members[m]].variables[i]->initial !=
                components[family->members[0]].variables[i]->initial)
                return false;
    return true;
}

static void keep_family(const struct prism_generic *generic, uint32_t number, struct prism_reduced *reduced)
{
    const struct generic_family *family = &generic->families.items[number];
    uint32_t variables = family->variable_count;
    size_t locations = family->locations.count;
    char **names = memory_zeroed((size_t)family->count * variables + 1, sizeof *names);
    int64_t *values = memory_zeroed(locations * variables + 1, sizeof *values);
    for (uint32_t m = 0; m < family->count; m++)
        for (uint32_t i = 0; i < variables; i++)
            names[m * variables + i] =
                memory_string(generic->network->components[family->members[m]].variables[i]->name.text);
    for (size_t l = 0; l < locations; l++)
        for (uint32_t i = 0; i < variables; i++)
            values[l * variables + i] = family->locations.items[l][i];
    reduced->family_variables[number] = variables;
    reduced->variable_names[number] = names;
    reduced->local_values[number] = values;
}

static void keep_counts(const struct prism_generic *generic, struct prism_reduced *reduced)
{
    reduced->counters = generic->counter_count;
    reduced->family_count = (uint32_t)generic->families.count;
    reduced->family_counters = memory_zeroed(reduced->family_count + 1, sizeof *reduced->family_counters);
    reduced->family_modules = memory_zeroed(reduced->family_count + 1, sizeof *reduced->family_modules);
    reduced->family_variables = memory_zeroed(reduced->family_count + 1, sizeof *reduced->family_variables);
    reduced->variable_names = memory_zeroed(reduced->family_count + 1, sizeof *reduced->variable_names);
    reduced->local_values = memory_zeroed(reduced->family_count + 1, sizeof *reduced->local_values);
    reduced->names = memory_zeroed(reduced->counters + 1, sizeof *reduced->names);
    for (uint32_t i = 0; i < reduced->counters; i++)
        reduced->names[i] = memory_string(generic->counter_names[i]);
    reduced->is_symmetric_start = true;
    for (size_t i = 0; i < generic->families.count; i++) {
        const struct generic_family *family = &generic->families.items[i];
        reduced->modules += family->count;
        reduced->family_counters[i] = (uint32_t)family->locations.count;
        reduced->family_modules[i] = family->count;
        keep_family(generic, (uint32_t)i, reduced);
        reduced->is_symmetric_start &= generic->network->initial || begins_alike(generic, family);
    }
}

static void clean_up(struct prism_generic *generic)
{
    for (size_t i = 0; i < generic->families.count; i++)
        VEC_FREE(&generic->families.items[i].locations);
    VEC_FREE(&generic->families);
    VEC_FREE(&generic->choices);
    VEC_FREE(&generic->orbits);
    gterms_destroy(generic->terms);
}

void prism_reduced_free(struct prism_reduced *reduced)
{
    text_free(&reduced->model);
    text_free(&reduced->properties);
    for (uint32_t i = 0; i < reduced->counters; i++)
        free((char *)reduced->names[i]);
    free(reduced->names);
    for (uint32_t f = 0; f < reduced->family_count; f++) {
        for (uint32_t i = 0; i < reduced->family_modules[f] * reduced->family_variables[f]; i++)
            free(reduced->variable_names[f][i]);
        free(reduced->variable_names[f]);
        free(reduced->local_values[f]);
    }
    free(reduced->variable_names);
    free(reduced->local_values);
    free(reduced->family_variables);
    for (uint32_t i = 0; i < reduced->property_count; i++)
        free((char *)reduced->left_out[i]);
    free(reduced->left_out);
    diag_free(&reduced->warnings);
    free(reduced->family_counters);
    free(reduced->family_modules);
}

bool prism_reduce(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics,
                  struct prism_reduced *reduced)
{
    *reduced = (struct prism_reduced){0};
    struct prism_reader *reader = prism_reader_create(source, reading, diagnostics);
    if (!reader)
        return false;
    struct prism_generic generic = {.reader = reader,
                                    .network = &reader->network,
                                    .arena = reader->arena,
                                    .diagnostics = diagnostics,
                                    .terms = gterms_create(&reader->values, &reader->network)};
    bool is_reduced = reduce(&generic, source->shown, reduced);
    if (is_reduced)
        keep_counts(&generic, reduced);
    clean_up(&generic);
    prism_reader_destroy(reader);
    if (!is_reduced)
        prism_reduced_free(reduced);
    return is_reduced;
}
