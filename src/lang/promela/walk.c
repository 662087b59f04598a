#include "lang/promela/walk.h"

static void walk_place(const struct pml_walk *walk, struct pml_place *place)
{
    for (; place; place = place->below)
        pml_walk_expr(walk, place->index, false);
}

static void walk_arguments(const struct pml_walk *walk, struct pml_argument *arguments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        walk_place(walk, arguments[i].place);
        pml_walk_expr(walk, arguments[i].value, false);
    }
}

static bool operates(enum pml_expr_kind kind)
{
    return kind == PML_LENGTH || kind == PML_FULL || kind == PML_NFULL || kind == PML_EMPTY || kind == PML_NEMPTY ||
           kind == PML_POLL;
}

void pml_walk_expr(const struct pml_walk *walk, struct pml_expr *expr, bool is_operated)
{
    if (!expr)
        return;
    if (walk->expr)
        walk->expr(walk->user, expr, is_operated);
    pml_walk_expr(walk, expr->condition, false);
    pml_walk_expr(walk, expr->left, operates(expr->kind));
    pml_walk_expr(walk, expr->right, false);
    walk_place(walk, expr->place);
    walk_arguments(walk, expr->arguments, expr->argument_count);
}

void pml_walk_stmt(const struct pml_walk *walk, struct pml_stmt *stmt)
{
    if (walk->stmt)
        walk->stmt(walk->user, stmt);
    pml_walk_expr(walk, stmt->channel, true);
    walk_arguments(walk, stmt->arguments, stmt->argument_count);
    walk_place(walk, stmt->place);
    pml_walk_expr(walk, stmt->value, false);
}

void pml_walk_block(const struct pml_walk *walk, struct pml_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        pml_walk_stmt(walk, stmt);
        for (uint32_t o = 0; o < stmt->option_count; o++)
            pml_walk_block(walk, &stmt->options[o]);
        pml_walk_block(walk, &stmt->body);
        pml_walk_block(walk, &stmt->escape);
    }
}

static void walk_proctype(const struct pml_walk *walk, struct pml_proctype *proctype)
{
    for (size_t i = 0; i < proctype->locals.count; i++)
        pml_walk_expr(walk, proctype->locals.items[i]->initial, false);
    pml_walk_expr(walk, proctype->provided, false);
    pml_walk_block(walk, &proctype->body);
}

static void walk_formula(const struct pml_walk *walk, struct pml_formula *formula)
{
    if (!formula)
        return;
    pml_walk_expr(walk, formula->atom, false);
    walk_formula(walk, formula->left);
    walk_formula(walk, formula->right);
}

void pml_walk_model(const struct pml_walk *walk, struct pml_model *model)
{
    for (size_t i = 0; i < model->globals.count; i++)
        pml_walk_expr(walk, model->globals.items[i]->initial, false);
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            pml_walk_expr(walk, model->records.items[r]->fields.items[i]->initial, false);
    for (size_t p = 0; p < model->proctypes.count; p++)
        walk_proctype(walk, model->proctypes.items[p]);
    if (model->never)
        walk_proctype(walk, model->never);
    if (model->trace)
        walk_proctype(walk, model->trace);
    for (size_t f = 0; f < model->formulas.count; f++)
        walk_formula(walk, model->formulas.items[f]->formula);
}

struct pml_expr *pml_run_in(struct pml_expr *expr)
{
    if (!expr || expr->kind == PML_RUN)
        return expr;
    struct pml_expr *left = pml_run_in(expr->left);
    return left ? left : pml_run_in(expr->right);
}

const struct pml_expr *pml_started(const struct pml_stmt *stmt)
{
    return stmt->kind == PML_CONDITION || stmt->kind == PML_ASSIGN ? pml_run_in(stmt->value) : NULL;
}

bool pml_is_one(const struct pml_stmt *stmt)
{
    return stmt->kind == PML_CONDITION && stmt->value->kind == PML_NUMBER && stmt->value->value == 1;
}

bool pml_is_sure(const struct pml_stmt *stmt)
{
    switch (stmt->kind) {
    case PML_ASSIGN:
    case PML_PRINT:
    case PML_ASSERT:
    case PML_PRIORITIZE:
    case PML_DECLARE:
    case PML_GOTO:
    case PML_BREAK:
        return true;
    case PML_CONDITION:
        return pml_started(stmt) || (stmt->value->kind == PML_NUMBER && stmt->value->value);
    default:
        return false;
    }
}
