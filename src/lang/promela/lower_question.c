#include "lang/promela/lower.h"
#include "lang/promela/walk.h"

/* What the model never reads may be no part of the state. */
static void check_stored(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_lower *lower = user;
    const struct pml_variable *variable = expr->place && expr->kind == PML_READ ? expr->place->variable : NULL;
    if (!variable || is_operated || variable->channel || lower->homes[variable->leaf])
        return;
    diag_error(lower->diagnostics, expr->span, "\"%s\" is not part of the state: the model never reads it",
               variable->name);
}

static bool is_truth(const struct pml_lower *lower, const struct pml_expr *expr)
{
    switch (expr->kind) {
    case PML_READ:
        return lower->values.leaves.items[pml_place_end(expr->place)->leaf].type.base <= PML_BOOL;
    case PML_REMOTE:
        return expr->place->variable->type.base <= PML_BOOL && !expr->place->variable->length;
    default:
        return pml_is_truth(expr);
    }
}

/* Its type, for the names of values: of a variable that is not a truth value. */
static const struct type *type_of(struct pml_lower *lower, const struct pml_expr *expr, const struct expr *value)
{
    const struct pml_variable *variable = expr->kind == PML_READ     ? pml_place_end(expr->place)
                                          : expr->kind == PML_REMOTE ? expr->place->variable
                                                                     : NULL;
    bool is_stored = variable && lower->homes[variable->leaf] && variable->type.base != PML_RECORD;
    return is_stored ? pml_leaf_type(lower, variable->leaf, &variable->type, expr->span) : value->type;
}

void pml_lower_question(struct pml_lower *lower, struct pml_expr *expr, struct question *question)
{
    const struct pml_walk walk = {.user = lower, .expr = check_stored};
    const struct pml_self nobody = {.proctype = NULL};
    pml_walk_expr(&walk, expr, false);
    if (lower->diagnostics->errors)
        return;
    bool truth = is_truth(lower, expr);
    question->value = truth ? pml_lower_condition(lower, nobody, expr) : pml_lower_value(lower, nobody, expr);
    if (!lower->diagnostics->errors)
        question->type = truth ? lower->system->boolean : type_of(lower, expr, question->value);
}
