/* Threads: their number is any, or it is fixed and the answer may be the same for any. */
#include "driver/plan.h"
#include "population/shape.h"

static struct attempt cover_attempt(struct plan *plan)
{
    struct attempt attempt = {.base = BASE_DECLARED, .engine = &engine_cover, .options = plan->options};
    plan->sizes = sizes_create(plan->model);
    attempt.options.sizes = sizes_interface(plan->sizes);
    attempt.options.helper = &engine_symbolic;
    return attempt;
}

bool plan_cover(struct plan *plan, struct attempt *attempt)
{
    struct thread_shape *shape = shape_find(plan->model->system, &plan->refused);
    if (plan->model->manner.threads)
        plan->refusal = "the number of threads is fixed by --threads-of-model: engine cover is for any number";
    else if (!shape)
        plan->refusal = diag_first(&plan->refused, plan->words);
    shape_free(shape);
    if (plan->refusal)
        return false;
    *attempt = cover_attempt(plan);
    plan_base(plan, attempt->base);
    return true;
}

/* Can no deadlock be: is it not looked for, or may a run end anywhere? */
static bool has_no_deadlocks(const struct plan *plan)
{
    const struct expr *allowed = plan->model->system->properties.items[SYSTEM_DEADLOCK]->formula;
    return plan->options.deadlock == DEADLOCK_OFF || (allowed && allowed->kind == EXPR_CONST && allowed->value);
}

/* Can everything be decided for any number of threads? Then it is for this number. */
static bool is_of_threads_only(const struct plan *plan)
{
    const struct system *system = plan->model->system;
    struct diagnostics diagnostics = {0};
    struct thread_shape *shape = has_no_deadlocks(plan) ? shape_find(system, &diagnostics) : NULL;
    bool has_all = shape != NULL;
    for (size_t p = 0; has_all && p < system->properties.count; p++)
        has_all = p == SYSTEM_DEADLOCK || !shape->properties[p].left_out;
    shape_free(shape);
    diag_free(&diagnostics);
    return has_all;
}

bool plan_threads(struct plan *plan, struct attempt *attempt)
{
    const struct engine_options *options = &plan->options;
    if (options->wants_warnings || options->limits.states || options->limits.depth ||
        engine_explicit.supports(plan->model->system, options, plan->words) || !is_of_threads_only(plan))
        return false;
    *attempt = cover_attempt(plan);
    attempt->cause = CAUSE_CUT;
    attempt->options.is_fixed = true;
    attempt->options.tell = NULL;
    attempt->options.progress = NULL;
    return true;
}
