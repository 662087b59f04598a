/* Variables without a value are not listed in a run: those that a false formula asks about are named at its end. */
#include "ir/walk.h"
#include "report/report.h"

enum { MOST_UNDEFINED = 4 };

struct undefined_names {
    const struct system *system;
    const int32_t *cells;
    const struct variable *found[MOST_UNDEFINED];
    size_t count;
};

static bool is_undefined(const struct variable *variable, const int32_t *cells)
{
    for (uint32_t c = 0; c < variable->type->cells; c++)
        if (cells[variable->address + c] != UNDEFINED)
            return false;
    return variable->type->cells > 0 && !type_has_least(variable->type);
}

static bool note_place(void *user, const struct place *place, bool is_written)
{
    struct undefined_names *names = user;
    const struct variable *variable = place->kind == PLACE_VARIABLE ? place->variable : NULL;
    (void)is_written;
    if (!variable || !variable->is_global || system_is_internal(names->system, variable) ||
        !is_undefined(variable, names->cells))
        return true;
    for (size_t i = 0; i < names->count; i++)
        if (names->found[i] == variable)
            return true;
    if (names->count < MOST_UNDEFINED)
        names->found[names->count++] = variable;
    return true;
}

void report_text_undefined(const struct property_result *property, struct text *out)
{
    const struct trace *trace = property->trace;
    const int32_t *cells = trace && trace->count ? trace->steps[trace->count - 1].cells : NULL;
    if (!cells || !property->property->formula)
        return;
    struct undefined_names names = {.system = trace->system, .cells = cells};
    struct walker walker = {.on_place = note_place, .user = &names};
    walk_expr(&walker, property->property->formula);
    for (size_t i = 0; i < names.count; i++)
        text_format(out, "%s%s", i == 0 ? " (" : ", ", names.found[i]->name);
    text_append(out, names.count == 0 ? "" : names.count == 1 ? " is undefined)" : " are undefined)");
}
