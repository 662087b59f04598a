#include "lang/promela/guards.h"

bool pml_is_number(const struct pml_expr *expr, int64_t *value)
{
    int64_t left, right;
    if (expr->kind == PML_NUMBER) {
        *value = expr->value;
        return true;
    }
    if (expr->kind != PML_BINARY || !pml_is_number(expr->left, &left) || !pml_is_number(expr->right, &right) ||
        left > INT32_MAX || left < INT32_MIN || right > INT32_MAX || right < INT32_MIN)
        return false;
    *value = expr->op == PML_ADD ? left + right : left - right;
    return expr->op == PML_ADD || expr->op == PML_SUB;
}

/* Is the place a variable as a whole? NULL: no. */
const struct pml_variable *pml_scalar_of(const struct pml_place *place)
{
    return place && !place->index && !place->below && !place->variable->length ? place->variable : NULL;
}

bool pml_reads(const struct pml_expr *expr, const struct pml_variable *variable)
{
    return expr->kind == PML_READ && pml_scalar_of(expr->place) == variable;
}

static bool is_same(const struct pml_expr *a, const struct pml_expr *b);

static bool is_same_place(const struct pml_place *a, const struct pml_place *b)
{
    if (!a || !b)
        return a == b;
    return a->variable == b->variable && is_same(a->index, b->index) && is_same_place(a->below, b->below);
}

static bool is_same(const struct pml_expr *a, const struct pml_expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op)
        return false;
    switch (a->kind) {
    case PML_NUMBER:
        return a->value == b->value;
    case PML_READ:
        return is_same_place(a->place, b->place);
    case PML_UNARY:
    case PML_BINARY:
        return is_same(a->left, b->left) && is_same(a->right, b->right);
    case PML_SELF:
        return true;
    default:
        return false;
    }
}

/* Is one condition true where the other is false? */
bool pml_are_opposite(const struct pml_expr *a, const struct pml_expr *b)
{
    static const enum pml_op opposites[][2] = {{PML_EQ, PML_NE}, {PML_LT, PML_GE}, {PML_LE, PML_GT}};
    if (a->kind == PML_UNARY && a->op == PML_NOT && is_same(a->left, b))
        return true;
    if (b->kind == PML_UNARY && b->op == PML_NOT && is_same(b->left, a))
        return true;
    if (a->kind != PML_BINARY || b->kind != PML_BINARY || !is_same(a->left, b->left) || !is_same(a->right, b->right))
        return false;
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        if ((a->op == opposites[i][0] && b->op == opposites[i][1]) ||
            (a->op == opposites[i][1] && b->op == opposites[i][0]))
            return true;
    return false;
}

/* Can both conditions not hold together? x == 1 and x == 2 cannot. */
bool pml_are_exclusive(const struct pml_expr *a, const struct pml_expr *b)
{
    int64_t one, other;
    bool are_equations = a->kind == PML_BINARY && b->kind == PML_BINARY && a->op == PML_EQ && b->op == PML_EQ;
    return pml_are_opposite(a, b) || (are_equations && is_same(a->left, b->left) && pml_is_number(a->right, &one) &&
                                      pml_is_number(b->right, &other) && one != other);
}
