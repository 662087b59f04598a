#include "ir/same.h"

#include <stddef.h>

static bool same_optional_place(const struct place *a, const struct place *b)
{
    return a && b ? same_place(a, b) : a == b;
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

/* Part by part: what a kind does not have is NULL in both. */
bool same_place(const struct place *a, const struct place *b)
{
    return a == b ||
           (a->kind == b->kind && a->kind != PLACE_CALL && a->variable == b->variable && a->field == b->field &&
            same_optional_place(a->base, b->base) && same_optional(a->index, b->index));
}

static bool same_leaf(const struct expr *a, const struct expr *b)
{
    return a->kind == b->kind && a->kind != EXPR_CALL && a->op == b->op && a->value == b->value &&
           a->variable == b->variable && a->member == b->member;
}

bool same_expr(const struct expr *a, const struct expr *b)
{
    return a == b ||
           (same_leaf(a, b) && same_optional_place(a->place, b->place) && same_optional_place(a->other, b->other) &&
            same_optional(a->condition, b->condition) && same_domain(&a->domain, &b->domain) &&
            same_optional(a->left, b->left) && same_optional(a->right, b->right));
}
