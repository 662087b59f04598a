#include "ir/same.h"

#include <stddef.h>

bool same_place(const struct place *a, const struct place *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case PLACE_VARIABLE:
    case PLACE_DEREF:
        return a->variable == b->variable;
    case PLACE_FIELD:
        return a->field == b->field && same_place(a->base, b->base);
    case PLACE_ELEMENT:
    case PLACE_SLOT:
        return same_place(a->base, b->base) && same_expr(a->index, b->index);
    case PLACE_CALL:
        return false;
    }
    return false;
}

static bool same_optional(const struct expr *a, const struct expr *b)
{
    return a && b ? same_expr(a, b) : a == b;
}

static bool same_domain(const struct domain *a, const struct domain *b)
{
    return a->type == b->type && same_optional(a->from, b->from) && same_optional(a->to, b->to) &&
           same_optional(a->by, b->by);
}

bool same_expr(const struct expr *a, const struct expr *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case EXPR_CONST:
        return a->value == b->value;
    case EXPR_READ:
    case EXPR_IS_UNDEFINED:
        return same_place(a->place, b->place);
    case EXPR_UNARY:
        return a->op == b->op && same_expr(a->left, b->left);
    case EXPR_BINARY:
        return a->op == b->op && same_expr(a->left, b->left) && same_expr(a->right, b->right);
    case EXPR_COND:
        return same_expr(a->condition, b->condition) && same_expr(a->left, b->left) && same_expr(a->right, b->right);
    case EXPR_QUANTIFIER:
        return a->op == b->op && a->variable == b->variable && same_domain(&a->domain, &b->domain) &&
               same_expr(a->left, b->left);
    case EXPR_IS_MEMBER:
        return a->member == b->member && same_expr(a->left, b->left);
    case EXPR_EQUAL:
        return same_place(a->place, b->place) && same_place(a->other, b->other);
    case EXPR_SLOT_TAKEN:
    case EXPR_COUNT:
        return same_place(a->place, b->place) && a->variable == b->variable && same_expr(a->left, b->left);
    case EXPR_CALL:
        return false;
    }
    return false;
}
