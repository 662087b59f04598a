#include <string.h>

#include "ir/fairness.h"
#include "lang/promela/lower.h"

static const struct pml_self nobody = {.proctype = NULL};

static bool is_end(const struct pml_node *node)
{
    return node->is_end;
}

static bool is_accept(const struct pml_node *node)
{
    return node->is_accept;
}

static bool is_progress(const struct pml_node *node)
{
    return node->is_progress;
}

typedef bool pml_node_test(const struct pml_node *node);

/* Has some proctype that runs such a node? Perhaps one at which no process can stand, inside an atomic or d_step. */
static bool has_label(struct pml_lower *lower, pml_node_test *test)
{
    for (size_t p = 0; p < lower->model->proctypes.count; p++)
        for (uint32_t n = 0; n < lower->flows[p].nodes.count; n++)
            if (lower->cast.roles[p].first <= lower->cast.roles[p].last && test(&lower->flows[p].nodes.items[n]))
                return true;
    return false;
}

/* The process stands at such a node; NULL: there is none. */
static struct expr *stands_at(struct pml_lower *lower, const struct variable *pid, pml_node_test *test,
                              struct span span)
{
    struct expr *some = NULL;
    for (size_t p = 0; p < lower->model->proctypes.count; p++)
        for (uint32_t n = 0; n < lower->flows[p].nodes.count; n++) {
            struct pml_self self = {.proctype = lower->model->proctypes.items[p], .pid = pid};
            if (test(&lower->flows[p].nodes.items[n]) && lower->ordinals[p][n] != UINT32_MAX)
                some = pml_either(lower, some, pml_is_at(lower, self, n, span));
        }
    return some;
}

/* Every process has gone, or stands where it may stand for ever, if it may. */
static struct expr *have_ended(struct pml_lower *lower, bool may_stand, struct span span)
{
    const struct variable *pid = system_add_scratch(lower->system, "p", lower->pids, span);
    struct expr *one = may_stand ? stands_at(lower, pid, is_end, span) : NULL;
    one = pml_either(lower, one, pml_is_at(lower, (struct pml_self){.pid = pid}, PML_NOWHERE, span));
    return expr_quantifier(lower->system, OP_FORALL, pid, (struct domain){.type = lower->pids}, one, span);
}

/* The trace assertion is not looked at when there are no processes, as in pan. */
static struct expr *may_end(struct pml_lower *lower, struct span span)
{
    struct expr *traced = pml_trace_may_end(lower, span), *ended = have_ended(lower, true, span);
    return traced ? pml_both(lower, ended, pml_either(lower, have_ended(lower, false, span), traced)) : ended;
}

static struct expr *some_process(struct pml_lower *lower, pml_node_test *test, struct span span)
{
    struct system *system = lower->system;
    const struct variable *pid = system_add_scratch(system, "p", lower->pids, span);
    struct expr *stands = stands_at(lower, pid, test, span);
    return stands ? expr_quantifier(system, OP_EXISTS, pid, (struct domain){.type = lower->pids}, stands, span) : NULL;
}

struct expr *pml_some_accepts(struct pml_lower *lower, struct span span)
{
    return some_process(lower, is_accept, span);
}

struct expr *pml_some_progresses(struct pml_lower *lower, struct span span)
{
    return some_process(lower, is_progress, span);
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

static void add_cycle(struct pml_lower *lower, const char *name, struct expr *often, bool is_wanted)
{
    struct span span = lower->model->proctypes.items[0]->span;
    struct ctl *there = ctl_proposition(lower->system, often ? often : pml_truth(lower, false, span), NULL, 0, span);
    struct property *property = system_add_property(lower->system, PROPERTY_LTL, name, NULL, span);
    property->ltl =
        ctl_operator(lower->system, LTL_G, ctl_operator(lower->system, LTL_F, there, NULL, span), NULL, span);
    if (!is_wanted)
        property->ltl = ctl_operator(lower->system, CTL_NOT, (struct ctl *)property->ltl, NULL, span);
    property->drops_finite = is_wanted;
}

/* SPIN warns of accept labels, too, and counts none that is only passed. */
static void warn_of_passed(struct pml_lower *lower, const struct pml_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->label_count; i++) {
        const char *name = stmt->labels[i].name;
        if (strncmp(name, "accept", 6) != 0 && strncmp(name, "progress", 8) != 0)
            continue;
        diag_warning(lower->diagnostics, stmt->labels[i].span,
                     "no process can stand at \"%s\", inside an atomic sequence or d_step: it does not count", name);
        diag_hint(lower->diagnostics, "write the label in front of the sequence, or behind it");
    }
}

static void warn_of_labels(struct pml_lower *lower)
{
    for (size_t p = 0; p < lower->model->proctypes.count; p++)
        for (uint32_t n = 0; n < lower->flows[p].nodes.count; n++) {
            const struct pml_node *node = &lower->flows[p].nodes.items[n];
            bool is_within = node->is_in_atomic || node->dstep, is_place = lower->ordinals[p][n] != UINT32_MAX;
            if (node->stmt && is_within && !is_place && lower->cast.roles[p].first <= lower->cast.roles[p].last)
                warn_of_passed(lower, node->stmt);
        }
}

/* What pan -a and pan -l look for. Standing at an accept label for ever counts, since a run that ends repeats its last
 * state; to end is no lack of progress. A never claim has the accept labels of processes, too. */
static void lower_cycles(struct pml_lower *lower)
{
    struct span span = lower->model->proctypes.items[0]->span;
    struct expr *accepts = pml_some_accepts(lower, span), *progresses = pml_some_progresses(lower, span);
    bool has_labels = !lower->asked.ignores_labels;
    if ((has_labels && has_label(lower, is_accept) && !lower->model->never) || lower->asked.acceptance)
        add_cycle(lower, PML_NO_ACCEPTANCE, accepts, false);
    if ((has_labels && has_label(lower, is_progress)) || lower->asked.progress)
        add_cycle(lower, PML_NO_NONPROGRESS, progresses, true);
}

static void add_fairness(struct pml_lower *lower, const struct pml_proctype *proctype, enum fairness_kind kind)
{
    struct system *system = lower->system;
    struct fairness *fairness = ARENA_NEW(system->arena, struct fairness);
    const struct variable **variables = ARENA_ARRAY(system->arena, const struct variable *, 1);
    variables[0] = system_add_scratch(system, "process", pml_pids_of(lower, proctype), proctype->span);
    *fairness = (struct fairness){.kind = kind, .variables = variables, .variable_count = 1, .first_acts = true};
    system_add_property(system, PROPERTY_FAIRNESS, proctype->name, NULL, proctype->span)->fairness = fairness;
}

/* Of each process. One that has a pid after another is another process, of the same proctype or not: neither can have
 * gone without a step of its own. */
static void lower_fairness(struct pml_lower *lower)
{
    for (size_t p = 0; p < lower->model->proctypes.count && lower->is_fair; p++)
        if (lower->cast.roles[p].first <= lower->cast.roles[p].last)
            add_fairness(lower, lower->model->proctypes.items[p],
                         lower->asked.is_strong ? FAIRNESS_STRONG : FAIRNESS_WEAK);
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
    if (!lower->diagnostics->errors)
        lower_cycles(lower);
    if (!lower->diagnostics->errors && !lower->asked.ignores_labels)
        warn_of_labels(lower);
    lower_fairness(lower);
}
