#include "engine/symbolic/stage.h"

#include <stdlib.h>
#include <string.h>

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

/* Pointed states have the symmetry of the declared types only: generators that were found otherwise are lost. */
static void stage_compare(const struct stage *stage, struct symbolic_search *search, const struct property *property)
{
    char *own = symmetry_order_digits(stage->symmetry), *main = symmetry_order_digits(search->model.symmetry);
    if (strcmp(own, main))
        result_fall_back(search->result, property, "symmetry",
                         "with values for its variables only a group of order %s is known", own);
    free(own);
    free(main);
}

bool stage_open(struct stage *stage, struct symbolic_search *search, const struct property *property,
                const struct variable *const *variables, size_t count, const char *why)
{
    struct symbolic_model *main = &search->model;
    bool is_trivial = symmetry_is_trivial(main->symmetry), is_plain = why || is_trivial;
    if (why && !is_trivial)
        result_fall_back(search->result, property, "symmetry", "%s", why);
    *stage = (struct stage){.model = main};
    if (!count && is_plain == is_trivial)
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
    if (!is_plain)
        stage_compare(stage, search, property);
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
