#include "driver/inspect.h"

#include "observe/rules.h"

struct inspection inspect_symmetry(const struct model *model)
{
    bool is_copy;
    struct inspection inspection;
    struct detect_options options = {
        .explains = true, .splits = true, .claims = model->generators, .watch = watch_of_thread};
    inspection.view = view_detected(model->layout, &options, &is_copy);
    uint64_t work = watch_is_up() ? RULES_WORK_WHEN_LATE : RULES_WORK_TO_SHOW;
    inspection.rules = rules_find(inspection.view->layout, inspection.view->symmetry, work, true);
    return inspection;
}

void inspection_free(struct inspection *inspection)
{
    rule_partitions_destroy(inspection->rules);
    view_close(inspection->view);
}
