#include "lang/boolean/names.h"

#include <string.h>

#include "lang/boolean/lexer.h"

static void define(struct names *names, enum name_kind kind, struct bp_name name)
{
    names_define(names, kind, name.text, name.span, names_line(names, name.span), NULL);
}

static void use_expr(struct names *names, const struct bp_expr *expr)
{
    if (!expr)
        return;
    if (expr->variable)
        names_use(names, expr->name.span, expr->variable->name.span);
    use_expr(names, expr->left);
    use_expr(names, expr->right);
    use_expr(names, expr->condition);
}

static void use_exprs(struct names *names, const struct bp_exprs *list)
{
    for (size_t i = 0; i < list->count; i++)
        use_expr(names, list->items[i]);
}

static void use_labels(struct names *names, const struct bp_procedure *procedure, const struct bp_step *step)
{
    for (size_t i = 0; i < step->names.count; i++)
        for (size_t l = 0; l < procedure->labels.count; l++)
            if (!strcmp(procedure->labels.items[l].name.text, step->names.items[i].text))
                names_use(names, step->names.items[i].span, procedure->labels.items[l].name.span);
}

static void use_step(struct names *names, const struct bp_procedure *procedure, const struct bp_step *step)
{
    for (size_t i = 0; step->variables && i < step->names.count; i++)
        if (step->variables[i])
            names_use(names, step->names.items[i].span, step->variables[i]->name.span);
    if (step->kind == BP_STEP_GOTO || step->kind == BP_STEP_START_GOTO)
        use_labels(names, procedure, step);
    if (step->called)
        names_use(names, step->callee.span, step->called->name.span);
    use_exprs(names, &step->values);
    use_expr(names, step->condition);
}

static void note_procedure(struct names *names, const struct bp_procedure *procedure)
{
    size_t count = procedure->steps.count;
    struct span first = procedure->name.span, last = count ? procedure->steps.items[count - 1]->span : first;
    define(names, NAME_ROUTINE, procedure->name);
    names_outline(names, NAME_ROUTINE, procedure->name.text, first, first, last, 0);
    for (size_t i = 0; i < procedure->variables.count; i++)
        define(names, procedure->variables.items[i]->is_parameter ? NAME_PARAMETER : NAME_VARIABLE,
               procedure->variables.items[i]->name);
    for (size_t i = 0; i < procedure->labels.count; i++)
        define(names, NAME_LABEL, procedure->labels.items[i].name);
    for (size_t i = 0; i < count; i++)
        use_step(names, procedure, procedure->steps.items[i]);
    use_exprs(names, &procedure->enforced);
}

void bp_note_names(struct names *names, const struct bp_program *program)
{
    if (!names)
        return;
    for (size_t i = 0; i < program->globals.count; i++) {
        struct bp_name name = program->globals.items[i]->name;
        define(names, NAME_VARIABLE, name);
        names_outline(names, NAME_VARIABLE, name.text, name.span, name.span, name.span, 0);
    }
    for (size_t i = 0; i < program->procedures.count; i++)
        note_procedure(names, program->procedures.items[i]);
}

bool bp_is_name(const char *text)
{
    struct arena *arena = arena_create();
    struct diagnostics diagnostics = {0};
    struct bp_tokens tokens = {0};
    struct source source = {.path = "", .shown = "", .text = text, .length = strlen(text)};
    bp_lexer_read(&source, arena, &diagnostics, &tokens);
    bool is_name = !diagnostics.errors && tokens.count == 2 && tokens.items[0].kind == BP_IDENTIFIER &&
                   !strcmp(tokens.items[0].text, text);
    VEC_FREE(&tokens);
    diag_free(&diagnostics);
    arena_destroy(arena);
    return is_name;
}
