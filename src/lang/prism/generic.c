#include "lang/prism/generic.h"

static bool reduce(struct generic *generic, const char *title, struct prism_reduced *reduced)
{
    generic_collect_choices(generic);
    if (!generic_find_families(generic))
        return false;
    generic_find_orbits(generic);
    return generic_find_locations(generic) && generic_write_model(generic, title, &reduced->model, &reduced->commands) &&
           generic_write_properties(generic, &reduced->properties);
}

static void keep_counts(const struct generic *generic, struct prism_reduced *reduced)
{
    reduced->counters = generic->counter_count;
    for (size_t i = 0; i < generic->families.count; i++)
        reduced->modules += generic->families.items[i].count;
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
    keep_counts(&generic, reduced);
    clean_up(&generic);
    prism_reader_destroy(reader);
    if (!is_reduced)
        prism_reduced_free(reduced);
    return is_reduced;
}
