/* The tree of a Promela model as text, for comparisons. */
#ifndef NOETHER_TESTS_PROMELA_TEXT_H
#define NOETHER_TESTS_PROMELA_TEXT_H

#include "base/text.h"
#include "lang/promela/ast.h"

static void write_block(struct text *out, const struct pml_block *block);

static void write_stmt(struct text *out, const struct pml_stmt *stmt)
{
    static const char *const names[] = {
        [PML_IF] = "if", [PML_DO] = "do", [PML_ATOMIC] = "at", [PML_DSTEP] = "d_step", [PML_BLOCK] = "block"};
    for (uint32_t i = 0; i < stmt->label_count; i++)
        text_format(out, "%s: ", stmt->labels[i].name);
    bool is_compound = stmt->kind >= PML_IF && stmt->kind <= PML_UNLESS;
    if (!is_compound)
        text_format(out, "%s%s", stmt->kind == PML_DECLARE ? "D:" : "", stmt->text);
    else if (stmt->kind != PML_UNLESS)
        text_append(out, names[stmt->kind]);
    for (uint32_t i = 0; i < stmt->option_count; i++)
        write_block(out, &stmt->options[i]);
    if (stmt->body.count)
        write_block(out, &stmt->body);
    if (stmt->escape.count) {
        text_append(out, "unless");
        write_block(out, &stmt->escape);
    }
}

/* {a; b}, with the text of statements that are steps. */
static void write_block(struct text *out, const struct pml_block *block)
{
    text_char(out, '{');
    for (uint32_t i = 0; i < block->count; i++) {
        text_append(out, i ? "; " : "");
        write_stmt(out, block->items[i]);
    }
    text_char(out, '}');
}

static void write_expr(struct text *out, const struct pml_expr *expr)
{
    static const char *const names[] = {"!",  "~", "-",  "*",  "/",  "%", "+", "-", "<<", ">>", "<",
                                        "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"};
    switch (expr->kind) {
    case PML_NUMBER:
        text_format(out, "%lld", (long long)expr->value);
        break;
    case PML_READ:
        text_append(out, expr->place->variable->name);
        break;
    case PML_UNARY:
        text_append(out, names[expr->op]);
        write_expr(out, expr->left);
        break;
    case PML_BINARY:
        text_char(out, '(');
        write_expr(out, expr->left);
        text_append(out, names[expr->op]);
        write_expr(out, expr->right);
        text_char(out, ')');
        break;
    case PML_COND:
        text_char(out, '[');
        write_expr(out, expr->condition);
        text_append(out, "->");
        write_expr(out, expr->left);
        text_char(out, ':');
        write_expr(out, expr->right);
        text_char(out, ']');
        break;
    default:
        text_format(out, "#%d", (int)expr->kind);
    }
}

static void write_formula(struct text *out, const struct pml_formula *formula)
{
    static const char *const names[] = {"", "!", " && ", " || ", " -> ", " <-> ", "[]", "<>", "X", " U ", " W ", " V "};
    if (formula->kind == PML_ATOM) {
        write_expr(out, formula->atom);
        return;
    }
    text_char(out, '{');
    if (!formula->right)
        text_append(out, names[formula->kind]);
    write_formula(out, formula->left);
    if (formula->right) {
        text_append(out, names[formula->kind]);
        write_formula(out, formula->right);
    }
    text_char(out, '}');
}

#endif
