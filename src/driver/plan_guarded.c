/* The symmetric super-structure of a model: which guards break the symmetry, and what is left without them. */
#include "driver/plan.h"
#include "observe/rules.h"
#include "pass/guarded.h"
#include "rewrite/weaken.h"

/* Behind one conjunct that distinguishes processes there may be another. */
enum { GUARDED_MOST_ROUNDS = 8 };

/* Leaves out every conjunct that distinguishes two processes. False: there is none. */
static bool guarded_round(struct system *copy)
{
    struct layout *layout = layout_create(copy);
    struct rule_partitions *partitions = rules_find(layout, NULL, RULES_WORK_TO_CHOOSE);
    bool is_weaker = false;
    for (uint32_t i = 0; i < partitions->count; i++) {
        const struct rule_partition *partition = &partitions->items[i];
        for (uint32_t c = 0; partition->rule && c < partition->class_count; c++)
            for (uint32_t b = 0; b < partition->classes[c].boundary_count; b++)
                is_weaker |= weaken_guard(copy, copy->rules.items[partition->rule->id],
                                          partition->classes[c].boundaries[b].span);
    }
    rule_partitions_destroy(partitions);
    layout_destroy(layout);
    return is_weaker;
}

static struct system *guarded_system(const struct system *system)
{
    struct system *copy = weaken_begin(system);
    bool is_weaker = false, fits = true;
    bool goes_on = copy != NULL;
    for (int round = 0; goes_on && fits && round < GUARDED_MOST_ROUNDS && !watch_is_up(); round++) {
        goes_on = guarded_round(copy);
        is_weaker |= goes_on;
        fits = weaken_finish(copy);
    }
    if (copy && fits && is_weaker)
        return copy;
    system_destroy(copy);
    return NULL;
}

struct view *plan_guarded(struct plan *plan)
{
    const struct system *system = plan->model->system;
    const char *refusal = guarded_refusal(system);
    struct view **view = &plan->bases[BASE_GUARDED];
    struct system *weak = refusal ? NULL : guarded_system(system);
    if (weak)
        *view = view_guarded(plan_base(plan, BASE_PLAIN), weak, &(struct detect_options){.watch = watch_of_thread});
    if (*view)
        text_format(&plan->why, "explicit, without the guards of %u rule%s that break the symmetry", guarded_count(*view),
                    guarded_count(*view) == 1 ? "" : "s");
    else
        text_format(&plan->why, "explicit, since %s",
                    refusal ? refusal
                    : weak  ? "without the guards that distinguish processes nothing is symmetric either"
                            : "no guard breaks the symmetry that can be left out");
    return *view;
}
