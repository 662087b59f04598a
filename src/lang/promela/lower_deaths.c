/* Can anything see when a process that has ended disappears? If not, it may as well stay where it is: a run in which it
 * disappears is one in which it stays, but for steps that nothing can see. */
#include "lang/promela/lower.h"
#include "lang/promela/walk.h"

static void note_expr(void *user, struct pml_expr *expr, bool is_operated)
{
    const char **why = user;
    (void)is_operated;
    switch (expr->kind) {
    case PML_COUNT:
        *why = "_nr_pr counts the processes";
        break;
    case PML_LAST:
        *why = "_last tells of the step";
        break;
    case PML_AT:
    case PML_REMOTE:
        *why = "a remote reference asks whether a process is there";
        break;
    case PML_ENABLED:
    case PML_PRIORITY:
        *why = "the model asks about processes";
        break;
    default:
        break;
    }
}

static bool has_next(const struct pml_formula *formula)
{
    return formula && (formula->kind == PML_NEXT || has_next(formula->left) || has_next(formula->right));
}

static bool can_end_held(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    return pml_can_hold_at(lower, proctype, lower->flows[proctype->id].end);
}

/* How; NULL: nothing can. */
static const char *pml_sees_deaths(struct pml_lower *lower)
{
    struct pml_model *model = lower->model;
    const char *why = NULL;
    pml_walk_model(&(struct pml_walk){.user = &why, .expr = note_expr}, model);
    if (why)
        return why;
    if (!lower->cast.is_placed)
        return "processes are started under pids that are not known before";
    if (lower->is_fair)
        return "fairness asks for the steps of every process";
    if (model->has_priorities || model->never)
        return model->never ? "the never claim moves with every step" : "processes have priorities";
    for (size_t i = 0; i < model->formulas.count; i++)
        if (has_next(model->formulas.items[i]->formula))
            return "a formula has the operator X";
    for (size_t p = 0; p < model->proctypes.count; p++) {
        const struct pml_proctype *proctype = model->proctypes.items[p];
        if (!lower->cast.roles[p].can_end)
            continue;
        if (proctype->provided || can_end_held(lower, proctype))
            return "a process that has ended may have to wait before it disappears";
        for (size_t i = 0; i < proctype->locals.count; i++)
            if (proctype->locals.items[i]->channel)
                return "channels of a process go with it";
    }
    return NULL;
}

void pml_settle_deaths(struct pml_lower *lower)
{
    const struct pml_cast *cast = &lower->cast;
    const char *why = pml_sees_deaths(lower);
    lower->system->orders_deaths = cast->has_deaths && cast->is_placed && !cast->dies_anyhow;
    lower->system->hides_deaths = lower->system->orders_deaths && !why;
    if (lower->asked.keeps_dead && why) {
        diag_error(lower->diagnostics, lower->model->proctypes.items[0]->span,
                   "a process that has ended cannot stay: %s", why);
        diag_hint(lower->diagnostics, "leave out --process-death never");
    }
}
