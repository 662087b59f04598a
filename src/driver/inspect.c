#include "driver/inspect.h"

#include "observe/rules.h"

struct inspection inspect_symmetry(const struct model *model)
{
    bool is_copy;
    struct inspection inspection;
    struct detect_options options = {
        .explains = true, .splits = true, .gathers = true, .claims = model->generators, .watch = watch_of_thread};
    inspection.view = view_detected(model->layout, &options, &is_copy);
    uint64_t work = watch_is_up() ? RULES_WORK_WHEN_LATE : RULES_WORK_TO_SHOW;
    inspection.rules = rules_find(inspection.view->layout, inspection.view->symmetry, work, true);
    return inspection;
}

bool inspect_keeping_dead(const struct model *model)
{
    bool is_asked = model->system->hides_deaths && model->manner.death == DEATH_LAST;
    struct system *system = is_asked ? model_with_death(model, DEATH_NEVER) : NULL;
    if (!system)
        return false;
    struct detect_options options = {.watch = watch_of_thread};
    struct detection before = detect_symmetry(model->system, &options), after = detect_symmetry(system, &options);
    struct bigint *order = symmetry_order(before.symmetry), *larger = symmetry_order(after.symmetry);
    bool gains = bigint_compare(larger, order) > 0 && !watch_is_up();
    bigint_destroy(order);
    bigint_destroy(larger);
    detection_free(&before);
    detection_free(&after);
    system_destroy(system);
    return gains;
}

void inspection_free(struct inspection *inspection)
{
    rule_partitions_destroy(inspection->rules);
    view_close(inspection->view);
}
