#include "driver/plan.h"

/* The work of a reduction; one that takes more delays the search too much. */
enum { CROWD_WORK = 1000000 };
/* With more counters, the counter abstraction is not chosen automatically. */
enum { FEW_LOCATIONS = 256 };

static struct reduce_options counters_options(const struct engine *engine, const struct engine_options *options)
{
    bool is_symbolic = engine == &engine_symbolic;
    return (struct reduce_options){.keep_dead = options->keep_dead,
                                   .leaves_quantified = true,
                                   .is_bounded = is_symbolic,
                                   .liveness_as_ctl = !is_symbolic,
                                   .leaves_untranslated = options->leaves_properties};
}

/* NULL: plan->refusal says why. */
static struct view *counters_open(struct plan *plan, enum base base, const struct engine *engine,
                                  const struct engine_options *options, const struct reduce_options *reduce)
{
    struct engine_options own = *options;
    diag_free(&plan->refused);
    struct view *view = counted_open(plan_base(plan, base), reduce, &plan->refused);
    if (!view) {
        plan->refusal = plan->refused.count ? diag_first(&plan->refused, plan->words) : plan_time_is_over;
        return NULL;
    }
    own.reduction = view->reduction;
    plan->refusal = counted_refusal(view, engine, &own, plan->words);
    if (!plan->refusal) {
        VEC_PUSH(&plan->views, view);
        return view;
    }
    view_close(view);
    return NULL;
}

struct view *plan_count(struct plan *plan, enum base base, const struct engine *engine,
                        const struct engine_options *options)
{
    struct reduce_options reduce = counters_options(engine, options);
    return counters_open(plan, base, engine, options, &reduce);
}

bool plan_counters(struct plan *plan, struct attempt *attempt)
{
    enum base found = attempt->base;
    bool has_other = plan_base(plan, found) && found == BASE_DETECTED && plan->is_copy &&
                     plan_base(plan, BASE_DECLARED)->symmetry->factor_count; /* else the first refusal says more */
    for (int leaves = 0; leaves <= 1; leaves++)
        for (int is_other = 0; is_other <= has_other; is_other++) {
            attempt->base = is_other ? BASE_DECLARED : found;
            attempt->options.leaves_properties = leaves;
            attempt->view = plan_count(plan, attempt->base, attempt->engine, &attempt->options);
            if (attempt->view || watch_is_up())
                return attempt->view != NULL;
        }
    return false;
}

/* The user did not ask for counters: a failure is not a refusal. */
static struct view *counters_try(struct plan *plan, enum base base, const struct engine *engine,
                                 const struct reduce_options *reduce)
{
    struct view *view = counters_open(plan, base, engine, &plan->options, reduce);
    plan->refusal = NULL;
    diag_free(&plan->refused);
    return view;
}

struct view *plan_crowd(struct plan *plan, enum base base)
{
    struct reduce_options reduce = counters_options(&engine_counter, &plan->options);
    reduce.most_locations = FEW_LOCATIONS;
    reduce.most_work = CROWD_WORK;
    return counters_try(plan, base, &engine_counter, &reduce);
}

/* Can the properties that need counters of their own have them? */
static bool can_factor(struct plan *plan, struct view *counted)
{
    const struct system *system = counted->below->layout->system;
    bool is_good = true;
    for (size_t p = 0; is_good && p < system->properties.count; p++) {
        struct diagnostics diagnostics = {0};
        if (!reduction_leaves(counted->reduction, system->properties.items[p]))
            continue;
        const struct view *view = counted_factored(counted, system->properties.items[p], &diagnostics);
        is_good = view && !counted_refusal(view, &engine_symbolic, &plan->options, plan->words);
        diag_free(&diagnostics);
    }
    return is_good;
}

struct view *plan_few_counters(struct plan *plan, enum base base, const struct view *crowd)
{
    struct reduce_options reduce = counters_options(&engine_symbolic, &plan->options);
    reduce.most_locations = FEW_LOCATIONS;
    reduce.known = crowd ? crowd->reduction : NULL;
    struct view *view = counters_try(plan, base, &engine_symbolic, &reduce);
    if (!view || (!reduction_remark(view->reduction) && can_factor(plan, view)))
        return view;
    plan->views.count--;
    view_close(view);
    return NULL;
}
