/* Expressions and places as text, in two styles: with everything in parentheses that has an operator, so that the text
 * shows the tree; or as people write formulas. */
#include "base/watch.h"
#include "ir/print.h"
#include "ir/written.h"

/* How tightly the surroundings bind: what binds less goes in parentheses. ALWAYS: everything does. */
enum expr_binding {
    LOOSE,
    CONDITIONAL,
    IMPLICATION,
    DISJUNCTION,
    CONJUNCTION,
    COMPARISON,
    BITWISE,
    SUM,
    PRODUCT,
    TIGHT,
    ALWAYS
};

static enum expr_binding print_binding(enum operator op)
{
    switch (op) {
    case OP_IMPLIES:
        return IMPLICATION;
    case OP_OR:
        return DISJUNCTION;
    case OP_AND:
        return CONJUNCTION;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return COMPARISON;
    case OP_ADD:
    case OP_SUB:
        return SUM;
    case OP_MUL:
    case OP_DIV:
    case OP_MOD:
        return PRODUCT;
    default:
        return BITWISE;
    }
}

/* Around a part that is set off by brackets or commas anyway. */
static enum expr_binding print_inside(enum expr_binding outer)
{
    return outer == ALWAYS ? ALWAYS : LOOSE;
}

/* Where to, and how. */
struct printing {
    struct text *out;
    bool hides_tests; /* that comparisons imply */
};

static void print_expr(const struct expr *expr, enum expr_binding outer, struct printing *to);

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

/* What people call this element of an array, where it has a name of its own; else NULL. */
static const char *print_element_name(const struct place *place, enum expr_binding outer)
{
    const struct place *base = place->base;
    if (outer == ALWAYS || place->kind != PLACE_ELEMENT || base->kind != PLACE_VARIABLE ||
        !base->variable->element_names || place->index->kind != EXPR_CONST)
        return NULL;
    int64_t ordinal = type_ordinal(base->type->index, place->index->value);
    return ordinal < 0 ? NULL : base->variable->element_names[ordinal];
}

static void print_place(const struct place *place, enum expr_binding outer, struct printing *to)
{
    const char *name = print_element_name(place, outer);
    if (name) {
        text_append(to->out, name);
        return;
    }
    switch (place->kind) {
    case PLACE_VARIABLE:
        text_append(to->out, place->variable->name);
        return;
    case PLACE_DEREF:
        text_format(to->out, "*%s", place->variable->name);
        return;
    case PLACE_FIELD:
        print_place(place->base, outer, to);
        text_format(to->out, ".%s", place->field->name);
        return;
    case PLACE_ELEMENT:
    case PLACE_SLOT:
        print_place(place->base, outer, to);
        text_char(to->out, place->kind == PLACE_SLOT ? '{' : '[');
        print_expr(place->index, print_inside(outer), to);
        text_char(to->out, place->kind == PLACE_SLOT ? '}' : ']');
        return;
    case PLACE_CALL:
        print_expr(place->call, outer, to);
        return;
    }
    UNREACHABLE("place kind");
}

static void print_constant(const struct expr *expr, struct printing *to)
{
    if (expr->value >= INT32_MIN && expr->value <= INT32_MAX)
        type_print_value(expr->type, (int32_t)expr->value, to->out);
    else
        text_format(to->out, "%lld", (long long)expr->value);
}

static void print_domain(const struct domain *domain, enum expr_binding outer, struct printing *to)
{
    if (!domain->from) {
        type_print(domain->type, to->out);
        return;
    }
    print_expr(domain->from, print_inside(outer), to);
    text_append(to->out, " to ");
    print_expr(domain->to, print_inside(outer), to);
    if (domain->by) {
        text_append(to->out, " by ");
        print_expr(domain->by, print_inside(outer), to);
    }
}

static void print_call(const struct expr *call, enum expr_binding outer, struct printing *to)
{
    text_format(to->out, "%s(", call->function->name);
    for (uint32_t p = 0; p < call->function->parameter_count; p++) {
        text_append(to->out, p ? ", " : "");
        if (call->function->parameters[p]->is_reference)
            text_append(to->out, "var ");
        if (call->arguments[p].value)
            print_expr(call->arguments[p].value, print_inside(outer), to);
        else
            print_place(call->arguments[p].place, outer, to);
    }
    text_char(to->out, ')');
}

static void print_binary(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    enum expr_binding own = print_binding(expr->op), left = own;
    if (own == COMPARISON || own == IMPLICATION || own == BITWISE)
        left++; /* these are not written in chains */
    print_expr(expr->left, outer == ALWAYS ? ALWAYS : left, to);
    text_format(to->out, " %s ", print_operator(expr->op));
    print_expr(expr->right, outer == ALWAYS ? ALWAYS : own + 1, to);
}

static void print_cond(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    enum expr_binding part = outer == ALWAYS ? ALWAYS : CONDITIONAL + 1;
    print_expr(expr->condition, part, to);
    text_append(to->out, " ? ");
    print_expr(expr->left, part, to);
    text_append(to->out, " : ");
    print_expr(expr->right, part, to);
}

static void print_quantifier(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    text_format(to->out, "%s %s: ", print_operator(expr->op), expr->variable->name);
    print_domain(&expr->domain, outer, to);
    text_append(to->out, " do ");
    print_expr(expr->left, print_inside(outer), to);
}

/* The kinds of expressions with an operator, and how tightly they bind; TIGHT: all others. */
static enum expr_binding print_expr_binding(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_QUANTIFIER:
        return LOOSE;
    case EXPR_COND:
        return CONDITIONAL;
    case EXPR_BINARY:
        return print_binding(expr->op);
    case EXPR_EQUAL:
        return COMPARISON;
    default:
        return TIGHT;
    }
}

static void print_equal(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    print_place(expr->place, outer, to);
    text_append(to->out, outer == ALWAYS ? " == " : " = ");
    print_place(expr->other, outer, to);
}

static void print_operation(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    bool in_parentheses = outer > print_expr_binding(expr);
    text_append(to->out, in_parentheses ? "(" : "");
    if (expr->kind == EXPR_QUANTIFIER)
        print_quantifier(expr, outer, to);
    else if (expr->kind == EXPR_COND)
        print_cond(expr, outer, to);
    else if (expr->kind == EXPR_EQUAL)
        print_equal(expr, outer, to);
    else
        print_binary(expr, outer, to);
    text_append(to->out, in_parentheses ? ")" : "");
}

/* Two minus signs in a row would begin a comment. */
static void print_unary(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    const struct expr *inner = expr->left;
    bool has_sign = inner->kind == EXPR_CONST ? inner->value < 0 : inner->kind == EXPR_UNARY && inner->op == OP_NEGATE;
    bool in_parentheses = expr->op == OP_NEGATE && has_sign && outer != ALWAYS;
    text_append(to->out, print_operator(expr->op));
    text_append(to->out, in_parentheses ? "(" : "");
    print_expr(inner, outer == ALWAYS ? ALWAYS : TIGHT, to);
    text_append(to->out, in_parentheses ? ")" : "");
}

enum { PRINT_MOST_NODES = 4096 }; /* of something that stands in several places, for people */

static void print_expr(const struct expr *expr, enum expr_binding outer, struct printing *to)
{
    if (expr->shared && (outer == ALWAYS ? watch_cuts() : expr->size > PRINT_MOST_NODES)) {
        text_append(to->out, "...");
        return;
    }
    if (to->hides_tests)
        expr = written_expr(expr);
    switch (expr->kind) {
    case EXPR_CONST:
        print_constant(expr, to);
        return;
    case EXPR_READ:
        if (expr->raw && outer == ALWAYS)
            text_append(to->out, "raw ");
        print_place(expr->place, outer, to);
        return;
    case EXPR_UNARY:
        print_unary(expr, outer, to);
        return;
    case EXPR_BINARY:
    case EXPR_COND:
    case EXPR_QUANTIFIER:
    case EXPR_EQUAL:
        print_operation(expr, outer, to);
        return;
    case EXPR_IS_UNDEFINED:
        text_append(to->out, "isundefined(");
        print_place(expr->place, outer, to);
        text_char(to->out, ')');
        return;
    case EXPR_IS_MEMBER:
        text_append(to->out, "ismember(");
        print_expr(expr->left, print_inside(outer), to);
        text_append(to->out, ", ");
        type_print(expr->member, to->out);
        text_char(to->out, ')');
        return;
    case EXPR_CALL:
        print_call(expr, outer, to);
        return;
    case EXPR_SLOT_TAKEN:
        text_append(to->out, "taken(");
        print_place(expr->place, outer, to);
        text_append(to->out, ", ");
        print_expr(expr->left, print_inside(outer), to);
        text_char(to->out, ')');
        return;
    case EXPR_COUNT:
        text_format(to->out, "count(%s in ", expr->variable->name);
        print_place(expr->place, outer, to);
        text_append(to->out, ": ");
        print_expr(expr->left, print_inside(outer), to);
        text_char(to->out, ')');
        return;
    }
    UNREACHABLE("expression kind");
}

void ir_print_expr(const struct expr *expr, struct text *out)
{
    print_expr(expr, ALWAYS, &(struct printing){.out = out});
}

void ir_print_place(const struct place *place, struct text *out)
{
    print_place(place, ALWAYS, &(struct printing){.out = out});
}

void ir_print_domain(const struct domain *domain, struct text *out)
{
    print_domain(domain, ALWAYS, &(struct printing){.out = out});
}

void ir_print_formula(const struct expr *expr, struct text *out)
{
    print_expr(expr, LOOSE, &(struct printing){.out = out});
}

void ir_print_claim(const struct expr *expr, struct text *out)
{
    print_expr(expr, LOOSE, &(struct printing){.out = out, .hides_tests = true});
}
