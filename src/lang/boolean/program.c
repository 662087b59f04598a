#include "lang/boolean/program.h"

#include <string.h>

#include "base/report.h"

struct bp_scope {
    struct bp_program *program;
    struct bp_procedure *procedure;
    struct arena *arena;
    struct diagnostics *diagnostics;
};

static struct bp_variable *find_among(struct bp_variable *const *variables, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(variables[i]->name.text, name))
            return variables[i];
    return NULL;
}

static struct bp_variable *find_variable(const struct bp_scope *scope, const char *name)
{
    struct bp_variable *local = find_among(scope->procedure->variables.items, scope->procedure->variables.count, name);
    return local ? local : find_among(scope->program->globals.items, scope->program->globals.count, name);
}

static void hint_variable(const struct bp_scope *scope, const char *name)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < scope->procedure->variables.count; i++)
        VEC_PUSH(&names, scope->procedure->variables.items[i]->name.text);
    for (size_t i = 0; i < scope->program->globals.count; i++)
        VEC_PUSH(&names, scope->program->globals.items[i]->name.text);
    const char *closest = diag_closest(name, names.items, names.count);
    if (closest)
        diag_hint(scope->diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&names);
}

/* NULL after an error. */
static struct bp_variable *resolve_variable(const struct bp_scope *scope, const struct bp_name *name)
{
    struct bp_variable *found = find_variable(scope, name->text);
    if (found)
        return found;
    size_t length = strlen(name->text);
    const char *stem = arena_string_n(scope->arena, name->text, length - 1);
    if (name->text[length - 1] == '$' && find_variable(scope, stem))
        report_error(scope->diagnostics, name->span, "the variables of other threads (%s) are not supported",
                     name->text);
    else if (report_error(scope->diagnostics, name->span, "there is no variable \"%s\"", name->text))
        hint_variable(scope, name->text);
    return NULL;
}

static void resolve_expr(const struct bp_scope *scope, struct bp_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == BP_EXPR_READ || expr->kind == BP_EXPR_NEXT) {
        expr->variable = resolve_variable(scope, &expr->name);
        if (expr->variable)
            expr->variable->is_read = true;
    }
    resolve_expr(scope, expr->left);
    resolve_expr(scope, expr->right);
    resolve_expr(scope, expr->condition);
}

static void resolve_exprs(const struct bp_scope *scope, const struct bp_exprs *list)
{
    for (size_t i = 0; i < list->count; i++)
        resolve_expr(scope, list->items[i]);
}

static void resolve_assigned(const struct bp_scope *scope, struct bp_step *step)
{
    step->variables = ARENA_ARRAY(scope->arena, struct bp_variable *, step->names.count + 1);
    for (size_t i = 0; i < step->names.count; i++) {
        if (!strcmp(step->names.items[i].text, "_"))
            continue;
        step->variables[i] = resolve_variable(scope, &step->names.items[i]);
        for (size_t j = 0; j < i; j++)
            if (step->variables[i] && step->variables[j] == step->variables[i])
                report_error(scope->diagnostics, step->names.items[i].span, "\"%s\" is assigned twice in one step",
                             step->names.items[i].text);
    }
}

static uint32_t resolve_label(const struct bp_scope *scope, const struct bp_name *name)
{
    const struct bp_procedure *procedure = scope->procedure;
    for (size_t i = 0; i < procedure->labels.count; i++)
        if (!strcmp(procedure->labels.items[i].name.text, name->text))
            return procedure->labels.items[i].step;
    report_error(scope->diagnostics, name->span, "there is no label \"%s\" in procedure \"%s\"", name->text,
                 procedure->name.text);
    return 0;
}

static void resolve_targets(const struct bp_scope *scope, struct bp_step *step)
{
    step->targets = ARENA_ARRAY(scope->arena, uint32_t, step->names.count + 1);
    for (size_t i = 0; i < step->names.count; i++)
        step->targets[i] = resolve_label(scope, &step->names.items[i]);
    if (step->kind == BP_STEP_PASS && step->names.count)
        step->next = step->targets[0];
}

static struct bp_procedure *find_procedure(const struct bp_program *program, const char *name)
{
    for (size_t i = 0; i < program->procedures.count; i++)
        if (!strcmp(program->procedures.items[i]->name.text, name))
            return program->procedures.items[i];
    return NULL;
}

static void check_call(const struct bp_scope *scope, const struct bp_step *step)
{
    const struct bp_procedure *called = step->called;
    if (step->values.count != called->parameter_count)
        report_error(scope->diagnostics, step->callee.span, "the number of arguments of \"%s\" is %u, not %zu",
                     called->name.text, called->parameter_count, step->values.count);
    if (step->names.count && step->names.count != called->result_count)
        report_error(scope->diagnostics, step->callee.span, "the number of values that \"%s\" returns is %u, not %zu",
                     called->name.text, called->result_count, step->names.count);
}

static void resolve_call(const struct bp_scope *scope, struct bp_step *step)
{
    step->called = find_procedure(scope->program, step->callee.text);
    if (step->called) {
        check_call(scope, step);
        return;
    }
    VEC(const char *) names = {0};
    for (size_t i = 0; i < scope->program->procedures.count; i++)
        VEC_PUSH(&names, scope->program->procedures.items[i]->name.text);
    const char *closest = diag_closest(step->callee.text, names.items, names.count);
    if (report_error(scope->diagnostics, step->callee.span, "there is no procedure \"%s\"", step->callee.text) &&
        closest)
        diag_hint(scope->diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&names);
}

static void check_return(const struct bp_scope *scope, const struct bp_step *step)
{
    const struct bp_procedure *procedure = scope->procedure;
    bool is_end = step == procedure->steps.items[procedure->steps.count - 1];
    if (!is_end && step->values.count != procedure->result_count)
        report_error(scope->diagnostics, step->span, "the number of values that \"%s\" returns is %u, not %zu",
                     procedure->name.text, procedure->result_count, step->values.count);
}

static void resolve_step(const struct bp_scope *scope, struct bp_step *step)
{
    resolve_exprs(scope, &step->values);
    resolve_expr(scope, step->condition);
    switch (step->kind) {
    case BP_STEP_ASSIGN:
    case BP_STEP_DEAD:
        resolve_assigned(scope, step);
        break;
    case BP_STEP_CALL:
    case BP_STEP_START_CALL:
        resolve_assigned(scope, step);
        resolve_call(scope, step);
        break;
    case BP_STEP_GOTO:
    case BP_STEP_START_GOTO:
    case BP_STEP_PASS:
        resolve_targets(scope, step);
        break;
    case BP_STEP_RETURN:
        check_return(scope, step);
        break;
    default:
        break;
    }
}

static void check_variables(const struct bp_scope *scope, struct bp_variable *const *variables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (find_among(variables, i, variables[i]->name.text))
            report_error(scope->diagnostics, variables[i]->name.span, "\"%s\" is declared twice",
                         variables[i]->name.text);
}

/* c2bp repeats labels of one place. */
static void check_labels(const struct bp_scope *scope)
{
    const struct bp_procedure *procedure = scope->procedure;
    for (size_t i = 0; i < procedure->labels.count; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(procedure->labels.items[i].name.text, procedure->labels.items[j].name.text) &&
                procedure->labels.items[i].step != procedure->labels.items[j].step)
                report_error(scope->diagnostics, procedure->labels.items[i].name.span,
                             "the label \"%s\" stands at two places", procedure->labels.items[i].name.text);
}

static void resolve_procedure(struct bp_scope *scope, struct bp_procedure *procedure)
{
    scope->procedure = procedure;
    if (find_procedure(scope->program, procedure->name.text) != procedure)
        report_error(scope->diagnostics, procedure->name.span, "there are two procedures \"%s\"", procedure->name.text);
    check_variables(scope, procedure->variables.items, procedure->variables.count);
    check_labels(scope);
    resolve_exprs(scope, &procedure->enforced);
    for (size_t i = 0; i < procedure->steps.count && !diag_is_late(scope->diagnostics); i++)
        resolve_step(scope, procedure->steps.items[i]);
}

void bp_resolve(struct bp_program *program, struct arena *arena, struct diagnostics *diagnostics)
{
    struct bp_scope scope = {.program = program, .arena = arena, .diagnostics = diagnostics};
    check_variables(&scope, program->globals.items, program->globals.count);
    for (size_t i = 0; i < program->procedures.count; i++)
        resolve_procedure(&scope, program->procedures.items[i]);
    program->main = find_procedure(program, "main");
    if (program->main && program->main->parameter_count)
        report_error(diagnostics, program->main->name.span, "main has no parameters: nothing calls it");
}

static void free_step(struct bp_step *step)
{
    VEC_FREE(&step->names);
    VEC_FREE(&step->values);
}

static void free_procedure(struct bp_procedure *procedure)
{
    for (size_t i = 0; i < procedure->steps.count; i++)
        free_step(procedure->steps.items[i]);
    VEC_FREE(&procedure->variables);
    VEC_FREE(&procedure->steps);
    VEC_FREE(&procedure->labels);
    VEC_FREE(&procedure->enforced);
}

void bp_program_free(struct bp_program *program)
{
    for (size_t i = 0; i < program->procedures.count; i++)
        free_procedure(program->procedures.items[i]);
    VEC_FREE(&program->globals);
    VEC_FREE(&program->procedures);
}
