/* Expressions and places as text. Everything with an operator is in parentheses: the text shows the tree. */
#include "ir/print.h"

static const char *print_operator(enum operator op)
{
    static const char *const names[] = {
        [OP_NOT] = "!",  [OP_NEGATE] = "-",       [OP_BIT_NOT] = "~",     [OP_AND] = "&",
        [OP_OR] = "|",   [OP_IMPLIES] = "->",     [OP_EQ] = "=",          [OP_NE] = "!=",
        [OP_LT] = "<",   [OP_LE] = "<=",          [OP_GT] = ">",          [OP_GE] = ">=",
        [OP_ADD] = "+",  [OP_SUB] = "-",          [OP_MUL] = "*",         [OP_DIV] = "/",
        [OP_MOD] = "%",  [OP_BIT_AND] = "bitand", [OP_BIT_OR] = "bitor",  [OP_BIT_XOR] = "bitxor",
        [OP_SHL] = "<<", [OP_SHR] = ">>",         [OP_FORALL] = "forall", [OP_EXISTS] = "exists",
    };
    return names[op];
}

void ir_print_place(const struct place *place, struct text *out)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        text_append(out, place->variable->name);
        return;
    case PLACE_DEREF:
        text_format(out, "*%s", place->variable->name);
        return;
    case PLACE_FIELD:
        ir_print_place(place->base, out);
        text_format(out, ".%s", place->field->name);
        return;
    case PLACE_ELEMENT:
    case PLACE_SLOT:
        ir_print_place(place->base, out);
        text_char(out, place->kind == PLACE_SLOT ? '{' : '[');
        ir_print_expr(place->index, out);
        text_char(out, place->kind == PLACE_SLOT ? '}' : ']');
        return;
    case PLACE_CALL:
        ir_print_expr(place->call, out);
        return;
    }
    UNREACHABLE("place kind");
}

static void print_constant(const struct expr *expr, struct text *out)
{
    if (expr->value >= INT32_MIN && expr->value <= INT32_MAX)
        type_print_value(expr->type, (int32_t)expr->value, out);
    else
        text_format(out, "%lld", (long long)expr->value);
}

void ir_print_domain(const struct domain *domain, struct text *out)
{
    if (!domain->from) {
        type_print(domain->type, out);
        return;
    }
    ir_print_expr(domain->from, out);
    text_append(out, " to ");
    ir_print_expr(domain->to, out);
    if (domain->by) {
        text_append(out, " by ");
        ir_print_expr(domain->by, out);
    }
}

static void print_call(const struct expr *call, struct text *out)
{
    text_format(out, "%s(", call->function->name);
    for (uint32_t p = 0; p < call->function->parameter_count; p++) {
        text_append(out, p ? ", " : "");
        if (call->function->parameters[p]->is_reference)
            text_append(out, "var ");
        if (call->arguments[p].value)
            ir_print_expr(call->arguments[p].value, out);
        else
            ir_print_place(call->arguments[p].place, out);
    }
    text_char(out, ')');
}

static void print_infix(const struct expr *left, const char *between, const struct expr *right, struct text *out)
{
    ir_print_expr(left, out);
    text_format(out, " %s ", between);
    ir_print_expr(right, out);
}

void ir_print_expr(const struct expr *expr, struct text *out)
{
    switch (expr->kind) {
    case EXPR_CONST:
        print_constant(expr, out);
        return;
    case EXPR_READ:
        if (expr->raw)
            text_append(out, "raw ");
        ir_print_place(expr->place, out);
        return;
    case EXPR_UNARY:
        text_format(out, "%s", print_operator(expr->op));
        ir_print_expr(expr->left, out);
        return;
    case EXPR_BINARY:
        text_char(out, '(');
        print_infix(expr->left, print_operator(expr->op), expr->right, out);
        text_char(out, ')');
        return;
    case EXPR_COND:
        text_char(out, '(');
        ir_print_expr(expr->condition, out);
        text_append(out, " ? ");
        print_infix(expr->left, ":", expr->right, out);
        text_char(out, ')');
        return;
    case EXPR_QUANTIFIER:
        text_format(out, "(%s %s: ", print_operator(expr->op), expr->variable->name);
        ir_print_domain(&expr->domain, out);
        text_append(out, " do ");
        ir_print_expr(expr->left, out);
        text_char(out, ')');
        return;
    case EXPR_IS_UNDEFINED:
        text_append(out, "isundefined(");
        ir_print_place(expr->place, out);
        text_char(out, ')');
        return;
    case EXPR_IS_MEMBER:
        text_append(out, "ismember(");
        ir_print_expr(expr->left, out);
        text_append(out, ", ");
        type_print(expr->member, out);
        text_char(out, ')');
        return;
    case EXPR_CALL:
        print_call(expr, out);
        return;
    case EXPR_EQUAL:
        text_char(out, '(');
        ir_print_place(expr->place, out);
        text_append(out, " == ");
        ir_print_place(expr->other, out);
        text_char(out, ')');
        return;
    case EXPR_SLOT_TAKEN:
        text_append(out, "taken(");
        ir_print_place(expr->place, out);
        text_append(out, ", ");
        ir_print_expr(expr->left, out);
        text_char(out, ')');
        return;
    case EXPR_COUNT:
        text_format(out, "count(%s in ", expr->variable->name);
        ir_print_place(expr->place, out);
        text_append(out, ": ");
        ir_print_expr(expr->left, out);
        text_char(out, ')');
        return;
    }
    UNREACHABLE("expression kind");
}
