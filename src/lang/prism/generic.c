#include "lang/prism/generic.h"

static bool reduce(struct generic *generic, const char *title, struct prism_reduced *reduced)
{
    if (!generic_collect_choices(generic) || !generic_find_families(generic))
        return false;
    generic_find_orbits(generic);
    return generic_find_locations(generic) && generic_write_model(generic, title, &reduced->model, &reduced->commands) &&
           generic_write_properties(generic, &reduced->properties);
}

static bool begins_alike(const struct generic *generic, const struct generic_family *family)
{
    const struct prism_component *components = generic->network->components;
    for (uint32_t m = 1; m < family->count; m++)
        for (uint32_t i = 0; i < family->variable_count; i++)
            if (components[family->members[m]].variables[i]->initial !=
                components[family->members[0]].variables[i]->initial)
                return false;
    return true;
}

static void keep_counts(const struct generic *generic, struct prism_reduced *reduced)
{
    reduced->counters = generic->counter_count;
    reduced->family_count = (uint32_t)generic->families.count;
    reduced->family_counters = memory_zeroed(reduced->family_count + 1, sizeof *reduced->family_counters);
    reduced->family_modules = memory_zeroed(reduced->family_count + 1, sizeof *reduced->family_modules);
    reduced->names = memory_zeroed(reduced->counters + 1, sizeof *reduced->names);
    for (uint32_t i = 0; i < reduced->counters; i++)
        reduced->names[i] = memory_string(generic->counter_names[i]);
    reduced->is_symmetric_start = true;
    for (size_t i = 0; i < generic->families.count; i++) {
        const struct generic_family *family = &generic->families.items[i];
        reduced->modules += family->count;
        reduced->family_counters[i] = (uint32_t)family->locations.count;
        reduced->family_modules[i] = family->count;
        reduced->is_symmetric_start &= generic->network->initial || begins_alike(generic, family);
    }
}

static void clean_up(struct generic *generic)
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
    free(reduced->family_counters);
    free(reduced->family_modules);
}

bool prism_reduce(const struct source *source, const struct prism_options *options, struct diagnostics *diagnostics,
                  struct prism_reduced *reduced)
{
    *reduced = (struct prism_reduced){0};
    struct prism_reader *reader = prism_reader_create(source, options, diagnostics);
    if (!reader)
        return false;
    struct generic generic = {.reader = reader, .network = &reader->network, .arena = reader->arena,
                              .diagnostics = diagnostics, .terms = gterms_create(&reader->values, &reader->network)};
    bool is_reduced = reduce(&generic, source->path, reduced);
    if (is_reduced)
        keep_counts(&generic, reduced);
    clean_up(&generic);
    prism_reader_destroy(reader);
    if (!is_reduced)
        prism_reduced_free(reduced);
    return is_reduced;
}
