#include "ir/ctl.h"
#include "lang/promela/lower.h"

static const struct pml_self nobody = {.proctype = NULL};

/* Every process has ended, or stands where it may stand for ever. */
static struct expr *may_end(struct pml_lower *lower, struct span span)
{
    struct system *system = lower->system;
    const struct variable *pid = system_add_scratch(system, "p", lower->pids, span);
    struct expr *some = NULL;
    for (size_t p = 0; p <= lower->model->proctypes.count; p++) {
        bool is_off = p == lower->model->proctypes.count;
        for (uint32_t n = 0; n < (is_off ? 1 : lower->flows[p].nodes.count); n++) {
            if (!is_off && (!lower->flows[p].nodes.items[n].is_end || lower->ordinals[p][n] == UINT32_MAX))
                continue;
            struct pml_self self = {.proctype = is_off ? NULL : lower->model->proctypes.items[p], .pid = pid};
            some = pml_either(lower, some, pml_is_at(lower, self, is_off ? PML_NOWHERE : n, span));
        }
    }
    return expr_quantifier(system, OP_FORALL, pid, (struct domain){.type = lower->pids}, some, span);
}

static enum ctl_kind operator_of(enum pml_formula_kind kind)
{
    static const enum ctl_kind table[] = {
        [PML_F_NOT] = CTL_NOT,    [PML_F_AND] = CTL_AND,    [PML_F_OR] = CTL_OR, [PML_F_IMPLIES] = CTL_IMPLIES,
        [PML_ALWAYS] = LTL_G,     [PML_EVENTUALLY] = LTL_F, [PML_NEXT] = LTL_X,  [PML_UNTIL] = LTL_U,
        [PML_WEAK_UNTIL] = LTL_W, [PML_RELEASE] = LTL_R};
    return table[kind];
}

static struct ctl *lower_formula(struct pml_lower *lower, const struct pml_formula *formula)
{
    struct system *system = lower->system;
    if (formula->kind == PML_ATOM)
        return ctl_proposition(system, pml_lower_condition(lower, nobody, formula->atom), NULL, 0, formula->span);
    struct ctl *left = lower_formula(lower, formula->left);
    struct ctl *right = formula->right ? lower_formula(lower, formula->right) : NULL;
    if (formula->kind != PML_F_EQUIVALENT)
        return ctl_operator(system, operator_of(formula->kind), left, right, formula->span);
    struct ctl *forth = ctl_operator(system, CTL_IMPLIES, left, right, formula->span);
    struct ctl *back = ctl_operator(system, CTL_IMPLIES, lower_formula(lower, formula->right),
                                    lower_formula(lower, formula->left), formula->span);
    return ctl_operator(system, CTL_AND, forth, back, formula->span);
}

void pml_lower_properties(struct pml_lower *lower)
{
    struct system *system = lower->system;
    system->properties.items[SYSTEM_DEADLOCK]->formula = may_end(lower, lower->model->proctypes.items[0]->span);
    for (size_t i = 0; i < lower->model->formulas.count && !lower->diagnostics->errors; i++) {
        const struct pml_ltl *ltl = lower->model->formulas.items[i];
        struct property *property =
            system_add_property(system, PROPERTY_LTL, arena_string(system->arena, ltl->name), NULL, ltl->span);
        property->ltl = lower_formula(lower, ltl->formula);
    }
    if (lower->model->never && !lower->diagnostics->errors)
        system_add_property(system, PROPERTY_LTL, "never claim", NULL, lower->model->never->span)->ltl =
            pml_lower_never(lower, lower->model->never);
}
