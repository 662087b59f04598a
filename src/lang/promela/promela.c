#include "lang/promela/promela.h"

#include <string.h>

#include "base/report.h"
#include "lang/promela/lower.h"

/* The tree lives as long as the system: names and places point into it. */
static bool read_model(struct system *system, const struct source *source, const struct reading *reading,
                       struct diagnostics *diagnostics)
{
    struct pml_model *model = pml_parse(source, reading, system->arena, diagnostics);
    if (model && !model->proctypes.count)
        report_error(diagnostics, (struct span){.source = source, .line = 1, .column = 1, .length = 1},
                     "there is no proctype and no init");
    if (model && !diagnostics->errors)
        pml_lower_model(system, model, reading->question, diagnostics);
    if (model)
        pml_model_free(model);
    return !diagnostics->errors;
}

/* Formulas stand in the model. */
static void refuse_properties(const struct source *properties, struct diagnostics *diagnostics)
{
    if (!properties || !strncmp(properties->text, "fairness ", strlen("fairness ")))
        return;
    report_error(diagnostics, (struct span){.source = properties, .line = 1, .column = 1, .length = 1},
                 "properties of a Promela model stand in the model");
    diag_hint(diagnostics, "write: ltl name { formula }, assert(condition), or a label that begins with \"end\"");
}

static struct system *promela_read(const struct source *source, const struct reading *reading,
                                   struct diagnostics *diagnostics)
{
    refuse_properties(reading->properties, diagnostics);
    refuse_properties(reading->asked, diagnostics);
    if (diagnostics->errors)
        return NULL;
    struct system *system = system_create(source->shown);
    system->language = &language_promela;
    if (read_model(system, source, reading, diagnostics))
        return system;
    system_destroy(system);
    return NULL;
}

const struct language language_promela = {.name = "promela",
                                          .title = "Promela",
                                          .extensions = ".pml .prom .promela .spin .p",
                                          .openings = "proctype active init mtype chan byte bit typedef inline",
                                          .may_end = "a label \"end...\" where each process stands",
                                          .loops_move = true,
                                          .statements_are_rules = true,
                                          .read = promela_read};
