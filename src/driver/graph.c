#include "driver/graph.h"

#include <stdlib.h>
#include <string.h>

#include "driver/inquiry.h"
#include "observe/reachable.h"
#include "report/report.h"

static int32_t restore_code(const struct type *type, int32_t code)
{
    for (uint32_t b = 0; type && code != UNDEFINED && b < type->block_count; b++) {
        const struct type *owner = type->blocks[b].owner;
        if (owner->origin && code >= owner->blocks->lo && type_has(owner, code))
            return code - owner->blocks->lo + owner->origin->blocks->lo;
    }
    return code;
}

/* A state of a copy with other codes (rewrite/retype.h), as the model itself has it. */
static void restore_codes(const struct layout *model, const struct layout *copy, const int32_t *cells, int32_t *out)
{
    for (uint32_t i = 0; i < copy->cell_count; i++) {
        out[i] = restore_code(copy->cells[i].type, cells[i]);
        ENSURE(out[i] == UNDEFINED || !model->cells[i].type || type_has(model->cells[i].type, out[i]));
    }
    layout_normalise(model, out);
}

static bool find_condition(const struct model *model, struct chart *chart, const char *condition, uint32_t *found,
                           struct text *message)
{
    struct inquiry *inquiry = inquiry_create(model, condition, true, message);
    struct fault fault;
    if (!inquiry)
        return false;
    int32_t *cells = memory_zeroed(model->layout->cell_count + 1, sizeof *cells);
    *found = UINT32_MAX;
    for (uint32_t i = 0; i < chart->nodes.count && *found == UINT32_MAX; i++) {
        restore_codes(model->layout, chart->layout, chart->nodes.items[i].cells, cells);
        if (inquiry_holds(inquiry, cells, &fault) == TRUTH_TRUE)
            *found = i;
    }
    if (*found == UINT32_MAX)
        text_format(message, "the condition \"%s\" is true in none of the %zu states explored%s", condition,
                    chart->nodes.count, chart->is_complete ? "" : " (--states N explores more)");
    free(cells);
    inquiry_destroy(inquiry);
    return *found != UINT32_MAX;
}

static bool find_centre(const struct model *model, struct chart *chart, const char *around, uint32_t *found,
                        struct text *message)
{
    char *end;
    *found = UINT32_MAX;
    if (!around)
        return true;
    if (around[strspn(around, "0123456789")])
        return find_condition(model, chart, around, found, message);
    unsigned long long number = strtoull(around, &end, 10);
    if (!*around || number >= chart->nodes.count) {
        text_format(message, "there is no state %s: the %zu states explored are numbered from 0%s", around,
                    chart->nodes.count, chart->is_complete ? "" : " (--states N explores more)");
        return false;
    }
    *found = (uint32_t)number;
    return true;
}

static const struct property_result *violated_run(const struct result *result)
{
    const struct property_result *shown = result ? report_main_trace(result) : NULL;
    return shown && shown->verdict == VERDICT_VIOLATED ? shown : NULL;
}

bool graph_draw(const struct model *model, const struct graph_request *request, struct drawing *drawing,
                struct text *message)
{
    struct engine_options options = {.deadlock = deadlock_mode_of(model->system, request->deadlock),
                                     .store = STORE_PLAIN,
                                     .stepper = STEPPER_VM,
                                     .interrupted = request->interrupted,
                                     .limits = {.states = request->states}};
    uint32_t centre;
    *drawing = (struct drawing){0};
    if (request->symmetry == SYMMETRY_GUARDED) {
        text_append(message, "--symmetry guarded is for check: the orbits drawn would be those of a model with fewer "
                             "guards");
        return false;
    }
    if (system_has_probabilities(
            model->system)) /* nothing that the explicit engine could check, but something to look at */
        drawing->check = check_symmetry(model, request->symmetry);
    else
        drawing->check = check_model(model, ENGINE_EXPLICIT, request->symmetry, &options);
    if (drawing->check.refusal) {
        text_append(message, drawing->check.refusal);
        return false;
    }
    drawing->chart = reachable_chart(drawing->check.layout, drawing->check.symmetry, request->states,
                                     violated_run(drawing->check.result), request->interrupted);
    if (!find_centre(model, drawing->chart, request->around, &centre, message))
        return false;
    if (request->is_about_path && drawing->chart->path.count && centre == UINT32_MAX)
        chart_select_path(drawing->chart, request->most);
    else
        chart_select(drawing->chart, centre, request->most);
    return true;
}

void drawing_free(struct drawing *drawing)
{
    chart_destroy(drawing->chart);
    check_free(&drawing->check);
}
