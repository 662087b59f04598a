#include "rewrite/antecedents.h"

#include "ir/build.h"
#include "ir/ctl.h"

/* For all parameters a -> b: for some of them a. NULL: it is no implication. */
static struct expr *antecedent_of(struct system *system, struct expr *formula)
{
    if (formula->kind == EXPR_BINARY && formula->op == OP_IMPLIES)
        return formula->left;
    if (formula->kind != EXPR_QUANTIFIER || formula->op != OP_FORALL)
        return NULL;
    struct expr *inner = antecedent_of(system, formula->left);
    return inner ? expr_quantifier(system, OP_EXISTS, formula->variable, formula->domain, inner, formula->span) : NULL;
}

void antecedents_add(struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++) {
        struct property *property = system->properties.items[p];
        struct expr *antecedent =
            property->kind == PROPERTY_INVARIANT ? antecedent_of(system, property->formula) : NULL;
        if (antecedent)
            property->antecedent = proposition_create(system, antecedent);
    }
}
