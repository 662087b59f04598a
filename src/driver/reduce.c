#include "driver/reduce.h"

#include "lang/murphi/murphi.h"
#include "lang/prism/prism.h"
#include "reduce/census.h"
#include "reduce/reduce.h"
#include "detect/detect.h"

/* The reduction may look at more elements than the model does where a range was found to be interchangeable
 * (rewrite/retype.h). */
static const char *const reduce_doubt = "a range or enum was taken for a scalarset: its quantifiers look at all "
                                        "elements here, and an error in evaluating one "
                                        "may be none of the original model";

static bool reduce_can_fail(const struct reduction *reduction)
{
    const struct system *system = reduction_system(reduction);
    for (size_t p = 0; p < system->properties.count; p++)
        if (reduction_is_extra(reduction, system->properties.items[p]))
            return true;
    return false;
}

static bool reduce_write(const struct model *model, const struct reduction *reduction, bool is_found,
                         struct diagnostics *diagnostics, struct text *out, struct reduce_summary *summary)
{
    const struct system *reduced = reduction_system(reduction);
    const struct diagnostics *warnings = reduction_warnings(reduction);
    *summary = (struct reduce_summary){reduction_locations(reduction), reduced->rules.count,
                                       reduction_remark(reduction), warnings->count};
    text_format(out, "-- %s, counted: how many processes are in which local state (noether reduce).\n",
                model->system->name);
    if (summary->remark)
        text_format(out, "-- Note: %s.\n", summary->remark);
    if (is_found && reduce_can_fail(reduction))
        text_format(out, "-- Note: %s.\n", reduce_doubt);
    if (reduced->propositions.count)
        text_append(out, "-- Note: ctl and ltl properties are Noether's own; other tools do not read them.\n");
    for (size_t i = 0; i < warnings->count; i++)
        text_format(out, "-- Note: line %u: %s.\n", warnings->items[i].span.line, warnings->items[i].message);
    text_char(out, '\n');
    bool ok = murphi_write(reduced, model->manner.dialect, out);
    if (!ok)
        diag_error(diagnostics, (struct span){0}, "operations on bits cannot be written as Murphi");
    diag_append(diagnostics, warnings);
    return ok;
}

/* Reduces the system, or the copy in which detected symmetry is declared. */
static bool reduce_one(const struct model *model, const struct system *system, const struct reduce_options *options,
                       struct diagnostics *diagnostics, struct text *out, struct reduce_summary *summary)
{
    text_clear(out);
    struct reduction *reduction = reduce_system(system, options, diagnostics);
    bool ok = reduction && reduce_write(model, reduction, system != model->system, diagnostics, out, summary);
    reduction_destroy(reduction);
    return ok;
}

/* With all properties, of what was found to be interchangeable or of what is declared; else without those that cannot
 * be translated. */
static bool reduce_murphi(const struct model *model, bool keep_dead, struct diagnostics *diagnostics, struct text *out,
                          struct reduce_summary *summary)
{
    struct detection detection = detect_symmetry(model->system, NULL);
    const struct system *systems[] = {detection.system, model->system};
    size_t count = detection.retyped.system ? 2 : 1;
    bool ok = false;
    for (size_t i = 0; !ok && i < 2 * count; i++) {
        struct diagnostics own = {0};
        struct reduce_options options = {.keep_dead = keep_dead, .leaves_untranslated = i >= count};
        ok = reduce_one(model, systems[i % count], &options, &own, out, summary);
        if (ok || i + count == 2 * count) { /* the first refusal of all that is not about a property says most */
            diag_free(diagnostics);
            diag_append(diagnostics, &own);
        }
        diag_free(&own);
    }
    detection_free(&detection);
    return ok;
}

static bool reduce_prism(const struct model *model, struct diagnostics *diagnostics, struct text *out,
                         struct text *properties, struct reduce_summary *summary)
{
    struct census *census = census_reduce(model->system, diagnostics);
    if (!census)
        return false;
    const struct census_facts *facts = census_facts(census);
    struct prism_remarks remarks = {facts->titles, facts->notes};
    diag_append(diagnostics, &facts->warnings);
    text_format(out, "// %s, counted: how many modules are in which local state (noether reduce).\n",
                model->system->name);
    bool ok = prism_write(census_system(census), &remarks, out, properties, diagnostics);
    *summary = (struct reduce_summary){facts->counters, facts->commands, NULL, diagnostics->count};
    census_destroy(census);
    return ok;
}

bool reduce_model(const struct model *model, bool keep_dead, struct diagnostics *diagnostics, struct text *out,
                  struct text *properties, struct reduce_summary *summary)
{
    return system_has_probabilities(model->system) ? reduce_prism(model, diagnostics, out, properties, summary)
                                                   : reduce_murphi(model, keep_dead, diagnostics, out, summary);
}
