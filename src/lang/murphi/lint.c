#include "lang/murphi/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

struct murphi_lint {
    struct lower *lower;
    const struct ast_name **globals; /* variables, by name */
    size_t global_count;
};

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->source != y->source)
        return (uintptr_t)x->source < (uintptr_t)y->source ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column == y->column ? 0 : x->column < y->column ? -1 : 1;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct ast_name *const *)a)->text, (*(const struct ast_name *const *)b)->text);
}

static bool is_used(const struct murphi_lint *lint, const struct ast_name *name)
{
    const struct lower *lower = lint->lower;
    return lower->used.count &&
           bsearch(&name->span, lower->used.items, lower->used.count, sizeof *lower->used.items, compare_spans);
}

static void warn_unused(struct murphi_lint *lint, const struct ast_name *name, const char *what, const char *how)
{
    if (is_used(lint, name))
        return;
    diag_warning(lint->lower->diagnostics, name->span, "the %s \"%s\" is never %s", what, name->text, how);
    diag_kind(lint->lower->diagnostics, WARNING_UNUSED);
}

static void warn_hiding(struct murphi_lint *lint, const struct ast_name *name)
{
    const struct ast_name *const *hidden =
        lint->global_count ? bsearch(&name, lint->globals, lint->global_count, sizeof name, compare_names) : NULL;
    if (!hidden || compare_spans(&(*hidden)->span, &name->span) >= 0)
        return;
    diag_warning(lint->lower->diagnostics, name->span, "\"%s\" hides the variable that is declared in line %u",
                 name->text, (*hidden)->span.line);
    diag_kind(lint->lower->diagnostics, WARNING_HIDES);
}

/* A type is used by its name or by one of its values. */
static void lint_type(struct murphi_lint *lint, const struct ast_decl *decl, const struct ast_name *name)
{
    for (size_t i = 0; i < decl->type->labels.count; i++)
        if (is_used(lint, &decl->type->labels.items[i]))
            return;
    warn_unused(lint, name, "type", "used");
}

static void lint_decls(struct murphi_lint *lint, const struct ast_decls *decls, bool is_local)
{
    for (size_t i = 0; i < decls->count; i++)
        for (size_t n = 0; n < decls->items[i].names.count; n++) {
            const struct ast_name *name = &decls->items[i].names.items[n];
            if (decls->items[i].kind == AST_TYPE)
                lint_type(lint, &decls->items[i], name);
            if (decls->items[i].kind == AST_VAR && is_local) {
                warn_unused(lint, name, "local variable", "used");
                warn_hiding(lint, name);
            }
        }
}

static void lint_function(struct murphi_lint *lint, const struct ast_function *function)
{
    warn_unused(lint, &function->name, function->result ? "function" : "procedure", "called");
    for (size_t p = 0; p < function->parameter_count; p++)
        for (size_t n = 0; n < function->parameters[p].names.count; n++) {
            warn_unused(lint, &function->parameters[p].names.items[n], "parameter", "used");
            warn_hiding(lint, &function->parameters[p].names.items[n]);
        }
    lint_decls(lint, &function->decls, true);
}

/* A rule inside rulesets was lowered once for each of them: their parameters are used if one rule uses them. */
static void lint_rule(struct murphi_lint *lint, const struct ast_rule *rule)
{
    for (size_t i = 0; rule->kind == AST_RULESET && i < rule->quantifiers.count; i++) {
        warn_unused(lint, &rule->quantifiers.items[i].name, "parameter", "used by a rule");
        warn_hiding(lint, &rule->quantifiers.items[i].name);
    }
    lint_decls(lint, &rule->decls, true);
    for (size_t i = 0; i < rule->rules.count; i++)
        lint_rule(lint, rule->rules.items[i]);
}

static void list_globals(struct murphi_lint *lint, const struct ast_model *model)
{
    VEC(const struct ast_name *) names = {0};
    for (size_t i = 0; i < model->count; i++)
        for (size_t d = 0; d < model->items[i].decls.count; d++)
            for (size_t n = 0; n < model->items[i].decls.items[d].names.count; n++)
                if (model->items[i].decls.items[d].kind == AST_VAR)
                    VEC_PUSH(&names, &model->items[i].decls.items[d].names.items[n]);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    lint->global_count = names.count;
    lint->globals = names.items;
}

void lint_declarations(struct lower *lower)
{
    struct murphi_lint lint = {.lower = lower};
    const struct ast_model *model = lower->model;
    if (lower->used.count)
        qsort(lower->used.items, lower->used.count, sizeof *lower->used.items, compare_spans);
    list_globals(&lint, model);
    for (size_t i = 0; i < model->count && !watch_is_up(); i++) {
        lint_decls(&lint, &model->items[i].decls, false);
        if (model->items[i].function)
            lint_function(&lint, model->items[i].function);
        if (model->items[i].rule)
            lint_rule(&lint, model->items[i].rule);
    }
    free(lint.globals);
}
