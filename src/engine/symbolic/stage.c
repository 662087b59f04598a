#include "engine/symbolic/stage.h"

#include <stdlib.h>

#include "base/clock.h"
#include "rewrite/point.h"

/* The time and the memory that the model of the search has left. */
static void stage_leave_rest(struct limits *limits, const struct symbolic_model *main)
{
    uint64_t used = dd_statistics(main->m).bytes;
    double left = limits->seconds - (clock_wall() - main->begin);
    if (limits->seconds > 0)
        limits->seconds = left > 0.001 ? left : 0.001;
    if (limits->memory_bytes)
        limits->memory_bytes = limits->memory_bytes > 2 * used ? limits->memory_bytes - used : limits->memory_bytes / 2;
}

bool stage_open(struct stage *stage, struct symbolic_search *search, const struct variable *const *variables,
                size_t count, bool is_plain)
{
    struct symbolic_model *main = &search->model;
    is_plain |= symmetry_is_trivial(main->symmetry);
    *stage = (struct stage){.model = main};
    if (!count && is_plain == symmetry_is_trivial(main->symmetry))
        return true;
    stage->system = point_system(main->system, variables, (uint32_t)count);
    if (!stage->system) {
        stop_once(&main->stop, stop_because(STOP_UNDECIDED, "the formula has too many variables"));
        return false;
    }
    stage->layout = layout_create(stage->system);
    stage->symmetry = is_plain ? symmetry_none(stage->system) : symmetry_find(stage->system);
    stage->options = *search->options;
    if (is_plain)
        stage->options.method = METHOD_NONE;
    stage_leave_rest(&stage->options.limits, main);
    stage->model = &stage->own;
    return symbolic_open(&stage->own, stage->layout, stage->symmetry, &stage->options) && symbolic_reach(&stage->own);
}

void stage_close(struct stage *stage)
{
    if (!stage->system)
        return;
    symbolic_close(&stage->own);
    layout_destroy(stage->layout);
    symmetry_destroy(stage->symmetry);
    system_destroy(stage->system);
}
