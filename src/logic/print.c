/* Formulas as text. */
#include "logic/pool.h"

struct printer {
    const struct logic *logic;
    void (*name)(void *user, uint32_t atom, struct text *out);
    void *user;
    struct text *out;
};

static void print(const struct printer *printer, logic_formula formula);

static bool is_unary(const struct logic_node *node)
{
    bool is_fixpoint = node->kind == LOGIC_UNTIL || node->kind == LOGIC_RELEASE;
    return node->kind <= LOGIC_NOT || node->kind == LOGIC_NEXT ||
           (is_fixpoint && node->left == (logic_formula)(node->kind == LOGIC_UNTIL ? LOGIC_TRUE : LOGIC_FALSE));
}

/* As an operand: in parentheses unless it is an atom or begins with an operator of one operand. */
static void print_operand(const struct printer *printer, logic_formula formula)
{
    bool is_open = is_unary(logic_node(printer->logic, formula));
    text_append(printer->out, is_open ? "" : "(");
    print(printer, formula);
    text_append(printer->out, is_open ? "" : ")");
}

static void print_binary(const struct printer *printer, logic_formula left, const char *operator, logic_formula right)
{
    print_operand(printer, left);
    text_append(printer->out, operator);
    print_operand(printer, right);
}

static bool is_among(const struct logic_operands *operands, logic_formula formula)
{
    for (size_t i = 0; i < operands->list.count; i++)
        if (operands->list.items[i] == formula)
            return true;
    return false;
}

/* The operands of `whole` that are not operands of `part`, as text; false: `part` has others, or nothing is left. */
static bool print_rest(const struct printer *printer, enum logic_kind kind, logic_formula whole, logic_formula part)
{
    struct logic_operands all = {0}, parts = {0};
    logic_collect(printer->logic, kind, whole, &all);
    logic_collect(printer->logic, kind, part, &parts);
    bool is_inside = parts.list.count < all.list.count;
    for (size_t i = 0; i < parts.list.count; i++)
        is_inside = is_inside && is_among(&all, parts.list.items[i]);
    size_t left = all.list.count - parts.list.count, shown = 0;
    if (is_inside && left > 1)
        text_char(printer->out, '(');
    for (size_t i = 0; is_inside && i < all.list.count; i++)
        if (!is_among(&parts, all.list.items[i])) {
            text_append(printer->out, shown++ ? kind == LOGIC_OR ? " | " : " & " : "");
            print_operand(printer, all.list.items[i]);
        }
    if (is_inside && left > 1)
        text_char(printer->out, ')');
    VEC_FREE(&all.list);
    VEC_FREE(&parts.list);
    return is_inside;
}

/* a W b = b R (a | b), a M b = b U (a & b), and U and R themselves. */
static void print_fixpoint(const struct printer *printer, const struct logic_node *node)
{
    bool is_until = node->kind == LOGIC_UNTIL;
    if (is_unary(node)) {
        text_append(printer->out, is_until ? "F " : "G ");
        print_operand(printer, node->right);
    } else if (print_rest(printer, is_until ? LOGIC_AND : LOGIC_OR, node->right, node->left)) {
        text_append(printer->out, is_until ? " M " : " W ");
        print_operand(printer, node->left);
    } else {
        print_binary(printer, node->left, is_until ? " U " : " R ", node->right);
    }
}

static void print_junction(const struct printer *printer, const struct logic_node *node)
{
    print_operand(printer, node->left);
    text_append(printer->out, node->kind == LOGIC_AND ? " & " : " | ");
    bool is_same = logic_node(printer->logic, node->right)->kind == node->kind;
    (is_same ? print : print_operand)(printer, node->right);
}

static void print(const struct printer *printer, logic_formula formula)
{
    const struct logic_node *node = logic_node(printer->logic, formula);
    switch (node->kind) {
    case LOGIC_FALSE:
    case LOGIC_TRUE:
        text_append(printer->out, node->kind == LOGIC_TRUE ? "true" : "false");
        break;
    case LOGIC_ATOM:
    case LOGIC_NOT:
        text_append(printer->out, node->kind == LOGIC_NOT ? "!" : "");
        printer->name(printer->user, node->left, printer->out);
        break;
    case LOGIC_NEXT:
        text_append(printer->out, "X ");
        print_operand(printer, node->left);
        break;
    case LOGIC_AND:
    case LOGIC_OR:
        print_junction(printer, node);
        break;
    default:
        print_fixpoint(printer, node);
    }
}

void logic_print(const struct logic *logic, logic_formula formula,
                 void (*name)(void *user, uint32_t atom, struct text *out), void *user, struct text *out)
{
    print(&(struct printer){.logic = logic, .name = name, .user = user, .out = out}, formula);
}
