#include <string.h>

#include "lang/promela/parse.h"

struct pml_expr *pml_expr_new(struct pml_parser *parser, enum pml_expr_kind kind, struct span span)
{
    struct pml_expr *expr = ARENA_NEW(parser->arena, struct pml_expr);
    expr->kind = kind;
    expr->span = span;
    expr->height = 1;
    return expr;
}

/* SPIN reads the literal 2147483648 as -2147483648 and writes that into pan, where C takes it for a long: 2147483648
 * has more than 31 bits, and then the sign. So -2147483648 in a model is the number 2147483648. */
struct pml_expr *pml_number(struct pml_parser *parser, struct span span, int64_t value)
{
    struct pml_expr *expr = pml_expr_new(parser, PML_NUMBER, span);
    expr->value = value;
    expr->is_long = value == INT32_MIN;
    return expr;
}

static void set_height(struct pml_parser *parser, struct pml_expr *expr)
{
    const struct pml_expr *parts[] = {expr->condition, expr->left, expr->right};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] && parts[i]->height >= expr->height)
            expr->height = parts[i]->height + 1;
    if (expr->height > PML_MAX_HEIGHT)
        syntax_error(&parser->syntax, expr->span, "the expression has more than %d operators in a row", PML_MAX_HEIGHT);
}

void pml_refuse_probe(struct pml_parser *parser, const struct pml_expr *operand)
{
    if (!operand || !operand->has_probe)
        return;
    if (report_error(parser->syntax.diagnostics, operand->span,
                     "full, nfull, empty and nempty may be combined only with \"&&\" and \"||\""))
        diag_hint(parser->syntax.diagnostics, "use nfull for \"not full\", and nempty for \"not empty\"");
}

void pml_check_value(struct pml_parser *parser, const struct pml_expr *value)
{
    if (value->kind == PML_READ && pml_place_type(value->place).base == PML_RECORD)
        report_error(parser->syntax.diagnostics, value->span, "a record is used as a value: name one of its fields");
}

/* Channels can be compared, and nothing else. */
static void check_operand(struct pml_parser *parser, const struct pml_expr *operand, bool may_be_channel)
{
    pml_check_value(parser, operand);
    if (!may_be_channel && operand->kind == PML_READ && pml_place_type(operand->place).base == PML_CHAN)
        report_error(parser->syntax.diagnostics, operand->span, "a channel is used as a number");
}

struct pml_expr *pml_binary(struct pml_parser *parser, enum pml_op op, struct pml_expr *left, struct pml_expr *right)
{
    struct pml_expr *expr = pml_expr_new(parser, PML_BINARY, span_join(left->span, right->span));
    expr->op = op;
    expr->left = left;
    expr->right = right;
    bool is_number = !(op >= PML_LT && op <= PML_NE) && op != PML_AND && op != PML_OR;
    bool is_shift = op == PML_SHL || op == PML_SHR;
    expr->is_long = is_number && (left->is_long || (right->is_long && !is_shift));
    bool may_be_channel = op == PML_EQ || op == PML_NE || op == PML_AND || op == PML_OR;
    check_operand(parser, left, may_be_channel);
    check_operand(parser, right, may_be_channel);
    if (op == PML_AND || op == PML_OR)
        expr->has_probe = left->has_probe || right->has_probe;
    else {
        pml_refuse_probe(parser, left);
        pml_refuse_probe(parser, right);
    }
    set_height(parser, expr);
    return expr;
}

struct pml_expr *pml_unary(struct pml_parser *parser, enum pml_op op, struct span span, struct pml_expr *left)
{
    struct pml_expr *expr = pml_expr_new(parser, PML_UNARY, span_join(span, left->span));
    expr->op = op;
    expr->left = left;
    expr->is_long = left->is_long && op != PML_NOT;
    check_operand(parser, left, op == PML_NOT);
    pml_refuse_probe(parser, left);
    set_height(parser, expr);
    return expr;
}

struct pml_expr *pml_choice(struct pml_parser *parser, struct pml_expr *condition, struct pml_expr *left,
                            struct pml_expr *right)
{
    struct pml_expr *expr = pml_expr_new(parser, PML_COND, condition->span);
    expr->condition = condition;
    expr->left = left;
    expr->right = right;
    expr->is_long = left->is_long || right->is_long;
    check_operand(parser, condition, true);
    check_operand(parser, left, true);
    check_operand(parser, right, true);
    pml_refuse_probe(parser, condition);
    pml_refuse_probe(parser, left);
    pml_refuse_probe(parser, right);
    set_height(parser, expr);
    return expr;
}

struct pml_expr *pml_of(struct pml_parser *parser, enum pml_expr_kind kind, struct span span, struct pml_expr *left)
{
    struct pml_expr *expr = pml_expr_new(parser, kind, span);
    expr->left = left;
    expr->has_probe = kind == PML_FULL || kind == PML_NFULL || kind == PML_EMPTY || kind == PML_NEMPTY;
    if (left)
        set_height(parser, expr);
    return expr;
}

struct pml_type pml_place_type(const struct pml_place *place)
{
    while (place->below)
        place = place->below;
    return place->variable->type;
}

struct pml_expr *pml_read(struct pml_parser *parser, struct pml_place *place)
{
    struct pml_expr *expr = pml_expr_new(parser, PML_READ, place->span);
    expr->place = place;
    for (const struct pml_place *part = place; part; part = part->below)
        if (part->index && part->index->height >= expr->height)
            expr->height = part->index->height + 1;
    set_height(parser, expr);
    return expr;
}
