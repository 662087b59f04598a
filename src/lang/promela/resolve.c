#include <string.h>

#include "lang/promela/parse.h"

static struct pml_proctype *find_proctype(const struct pml_parser *parser, const char *name)
{
    const struct pml_model *model = parser->model;
    for (size_t i = 0; i < model->proctypes.count; i++)
        if ((!model->proctypes.items[i]->is_init || parser->is_question) &&
            !strcmp(model->proctypes.items[i]->name, name))
            return model->proctypes.items[i];
    return NULL;
}

static void hint_closest(struct pml_parser *parser, const char *name, const char *const *names, size_t count)
{
    const char *closest = diag_closest(name, names, count);
    if (closest)
        diag_hint(parser->syntax.diagnostics, "did you mean \"%s\"?", closest);
}

static void hint_proctype(struct pml_parser *parser, const char *name)
{
    hint_closest(parser, name, parser->proctypes.items, parser->proctypes.count);
}

static void check_arguments(struct pml_parser *parser, const struct pml_pending *pending)
{
    uint32_t wanted = pending->expr->proctype->parameter_count, given = pending->expr->argument_count;
    if (wanted != given)
        report_error(parser->syntax.diagnostics, pending->span,
                     "the proctype \"%s\" has %u parameter%s, and is given %u", pending->proctype, wanted,
                     wanted == 1 ? "" : "s", given);
}

static void resolve_label(struct pml_parser *parser, const struct pml_pending *pending)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < parser->labels.count; i++) {
        const struct pml_known_label *label = &parser->labels.items[i];
        if (label->proctype != pending->expr->proctype)
            continue;
        if (!strcmp(label->name, pending->name)) {
            pml_note_use(parser, pending->name, pending->name_span, label->span);
            VEC_FREE(&names);
            return;
        }
        VEC_PUSH(&names, label->name);
    }
    if (report_error(parser->syntax.diagnostics, pending->name_span, "the proctype \"%s\" has no label \"%s\"",
                     pending->proctype, pending->name))
        hint_closest(parser, pending->name, names.items, names.count);
    VEC_FREE(&names);
}

static void resolve_variable(struct pml_parser *parser, const struct pml_pending *pending)
{
    const struct pml_proctype *proctype = pending->expr->proctype;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < proctype->locals.count; i++)
        if (!strcmp(proctype->locals.items[i]->name, pending->name)) {
            pending->expr->place->variable = proctype->locals.items[i];
            pml_note_use(parser, pending->name, pending->name_span, proctype->locals.items[i]->span);
            return;
        }
    for (size_t i = 0; i < proctype->locals.count; i++)
        VEC_PUSH(&names, proctype->locals.items[i]->name);
    if (report_error(parser->syntax.diagnostics, pending->name_span, "the proctype \"%s\" has no variable \"%s\"",
                     pending->proctype, pending->name))
        hint_closest(parser, pending->name, names.items, names.count);
    VEC_FREE(&names);
}

static void resolve_one(struct pml_parser *parser, const struct pml_pending *pending)
{
    pending->expr->proctype = find_proctype(parser, pending->proctype);
    if (!pending->expr->proctype) {
        if (report_error(parser->syntax.diagnostics, pending->span, "there is no proctype \"%s\"", pending->proctype))
            hint_proctype(parser, pending->proctype);
        return;
    }
    pml_note_named_use(parser, &parser->model->proctypes, pending->proctype, pending->span);
    if (pending->expr->kind == PML_RUN)
        check_arguments(parser, pending);
    else if (pending->expr->kind == PML_AT)
        resolve_label(parser, pending);
    else
        resolve_variable(parser, pending);
}

/* Priorities that are all the same change nothing. */
static void compare_priorities(struct pml_parser *parser)
{
    for (size_t i = 1; i < parser->priorities.count; i++)
        parser->model->has_priorities |= parser->priorities.items[i] != parser->priorities.items[0];
    for (size_t p = 0; p < parser->model->proctypes.count; p++)
        parser->model->proctypes.items[p]->gives_way =
            parser->model->proctypes.items[p]->provided || parser->model->has_priorities;
}

void pml_resolve(struct pml_parser *parser)
{
    for (size_t i = 0; i < parser->pending.count; i++)
        resolve_one(parser, &parser->pending.items[i]);
    compare_priorities(parser);
}
