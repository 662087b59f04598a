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

/* The same of a formula of time: its parameters are those of the quantifiers around the implication. */
static struct expr *antecedent_in_time(struct system *system, const struct ctl *ctl)
{
    bool is_everywhere;
    const struct ctl *antecedent = ctl_antecedent(ctl, &is_everywhere);
    struct expr *some = antecedent ? antecedent->proposition->formula : NULL;
    for (uint32_t i = antecedent ? antecedent->free_count : 0; i > 0; i--) {
        const struct variable *variable = antecedent->free[i - 1];
        struct domain domain = {.type = variable->type};
        some = expr_quantifier(system, OP_EXISTS, variable, domain, some, antecedent->span);
    }
    return some;
}

static struct expr *antecedent_of_property(struct system *system, const struct property *property)
{
    if (property->kind == PROPERTY_INVARIANT)
        return antecedent_of(system, property->formula);
    const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
    return formula ? antecedent_in_time(system, formula) : NULL;
}

void antecedents_add(struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++) {
        struct expr *antecedent = antecedent_of_property(system, system->properties.items[p]);
        if (antecedent)
            system->properties.items[p]->antecedent = proposition_create(system, antecedent);
    }
}
