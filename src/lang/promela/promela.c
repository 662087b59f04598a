#include "lang/promela/promela.h"

#include <string.h>

#include "base/report.h"
#include "lang/promela/format.h"
#include "lang/promela/lexer.h"
#include "lang/promela/lower.h"

/* The tree lives as long as the system: names and places point into it. */
static bool read_model(struct system *system, const struct source *source, const struct reading *reading,
                       struct pml_asked asked, struct diagnostics *diagnostics)
{
    struct pml_model *model = pml_parse(source, reading, system->arena, diagnostics);
    if (model && !model->proctypes.count)
        report_error(diagnostics, (struct span){.source = source, .line = 1, .column = 1, .length = 1},
                     "there is no proctype and no init");
    if (model && !diagnostics->errors)
        pml_lower_model(system, model, asked, reading->question, diagnostics);
    if (model)
        pml_model_free(model);
    return !diagnostics->errors;
}

/* A file can ask for the same as the command line. */
static struct pml_asked read_asked(const struct reading *reading, struct diagnostics *diagnostics)
{
    struct pml_asked asked = pml_asked_read(reading->asked, diagnostics);
    struct pml_asked more = pml_asked_read(reading->properties, diagnostics);
    asked.acceptance |= more.acceptance;
    asked.progress |= more.progress;
    asked.is_weak |= more.is_weak;
    asked.is_strong |= more.is_strong;
    asked.ignores_labels = reading->manner.ignores_labels;
    asked.processes = reading->manner.processes;
    asked.dies_anyhow = reading->manner.death == DEATH_ANY;
    asked.keeps_dead = reading->manner.death == DEATH_NEVER;
    asked.keeps_loops = reading->manner.keeps_loops;
    return asked;
}

static struct system *promela_read(const struct source *source, const struct reading *reading,
                                   struct diagnostics *diagnostics)
{
    struct pml_asked asked = read_asked(reading, diagnostics);
    if (diagnostics->errors)
        return NULL;
    struct system *system = system_create(source->shown);
    system->language = &language_promela;
    if (read_model(system, source, reading, asked, diagnostics))
        return system;
    system_destroy(system);
    return NULL;
}

static bool promela_is_name(const char *text)
{
    struct arena *arena = arena_create();
    struct diagnostics diagnostics = {0};
    struct pml_tokens tokens = {0};
    struct source source = {.path = "", .shown = "", .text = text, .length = strlen(text)};
    pml_lexer_read(&source, arena, &diagnostics, &tokens);
    bool is_name = tokens.count == 1 && tokens.items[0].kind == PMT_NAME && !strcmp(tokens.items[0].text, text);
    VEC_FREE(&tokens);
    diag_free(&diagnostics);
    arena_destroy(arena);
    return is_name;
}

const struct language language_promela = {
    .name = "promela",
    .title = "Promela",
    .extensions = ".pml .prom .promela .spin .p",
    .openings = "proctype D_proctype active init mtype chan byte bit bool int short unsigned pid "
                "hidden show local typedef inline never ltl trace notrace",
    .equality = "==",
    .manners = "processes process-death cycles",
    .may_end = "a label \"end...\" where each process stands",
    .loops_move = true,
    .statements_are_rules = true,
    .is_name = promela_is_name,
    .lay_out = promela_format,
    .read = promela_read};
