#include "observe/rules.h"

#include "exec/steppers.h"

enum { RULES_MOST_START_CELLS = 1 << 20 };

/* If there are too many start states, none is returned: then no variable counts as a constant. */
static size_t rules_read_starts(const struct layout *layout, int32_t **cells)
{
    struct stepper *stepper = stepper_create_vm(layout->system, layout);
    struct step step = {0};
    enum step_outcome outcome;
    VEC(int32_t) list = {0};
    size_t count = 0, width = layout->cell_count;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && list.count <= RULES_MOST_START_CELLS) {
        if (outcome != STEP_STATE)
            continue;
        for (size_t c = 0; c < width; c++)
            VEC_PUSH(&list, step.cells[c]);
        count++;
    }
    stepper_destroy(stepper);
    *cells = list.items;
    return list.count <= RULES_MOST_START_CELLS && !watch_is_up() ? count : 0;
}

struct rule_partitions *rules_find(const struct layout *layout, const struct symmetry *symmetry, uint64_t work,
                                   bool blames)
{
    int32_t *starts;
    size_t count = rules_read_starts(layout, &starts);
    struct rule_partitions *partitions = rule_partitions_find(layout, symmetry, starts, count, work, blames);
    free(starts);
    return partitions;
}
