/* Virtual symmetry: on an index domain that the rules distinguish, though its orbits are a bisimulation. */
#include "driver/plan.h"
#include "pass/virtual.h"

/* Does an option ask for steps that are symmetric? Ranks and resumed searches find the same group: the proof has no
 * limits but its own work, and a plan that the time limit cuts is refused as a whole. */
static bool virtual_is_excluded(const struct plan *plan)
{
    const struct engine_options *options = &plan->options;
    return plan->symmetry != SYMMETRY_AUTO || plan->model->generators || options->partial_order != PARTIAL_ORDER_KEPT ||
           options->on_search || options->on_state;
}

/* Has the detection left out elements that index arrays? */
static bool virtual_has_room(const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (!symmetry->factors[f].is_used)
            return true;
    return false;
}

bool plan_virtual(struct plan *plan, struct attempt *attempt)
{
    if (attempt->engine != &engine_explicit || attempt->base != BASE_DETECTED || virtual_is_excluded(plan) ||
        !virtual_has_room(plan_base(plan, BASE_DETECTED)->symmetry))
        return false;
    struct view **view = &plan->bases[BASE_VIRTUAL];
    *view = view_virtual(plan_base(plan, BASE_DETECTED), plan->model->layout, plan->options.deadlock, &plan->set_aside);
    if (!*view)
        return false;
    attempt->base = BASE_VIRTUAL;
    text_format(&plan->why, "explicit, on a virtual symmetry: steps are not symmetric, but symmetric states have "
                            "successors in the same orbits");
    return true;
}
