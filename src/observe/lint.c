#include "observe/lint.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/walk.h"

struct usage {
    const struct system *system;
    bool *is_read, *is_assigned; /* by position among the globals */
};

/* Among the globals, which lie in the order of their addresses (a record without fields has that of the next one);
 * their number: it is none of them. */
static size_t position_of(const struct system *system, const struct variable *variable)
{
    size_t low = 0, high = system->globals.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (system->globals.items[middle]->address < variable->address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < system->globals.count && system->globals.items[low] != variable &&
           system->globals.items[low]->address == variable->address)
        low++;
    return low < system->globals.count && system->globals.items[low] == variable ? low : system->globals.count;
}

static bool note_place(void *user, const struct place *place, bool is_written)
{
    struct usage *usage = user;
    if (place->kind != PLACE_VARIABLE)
        return true;
    size_t g = position_of(usage->system, place->variable);
    if (g < usage->system->globals.count)
        (is_written ? usage->is_assigned : usage->is_read)[g] = true;
    return true;
}

/* What is passed by reference may be read there. */
static bool note_call(void *user, const struct expr *expr)
{
    for (uint32_t p = 0; expr->kind == EXPR_CALL && p < expr->function->parameter_count; p++)
        if (expr->function->parameters[p]->is_reference && expr->arguments[p].place)
            note_place(user, place_root(expr->arguments[p].place), false);
    return true;
}

static void warn_of(const struct variable *variable, bool is_read, bool is_assigned, struct diagnostics *diagnostics)
{
    if (!is_read && !is_assigned)
        diag_warning(diagnostics, variable->span, "the variable \"%s\" is never used", variable->name);
    else if (!is_read)
        diag_warning(diagnostics, variable->span, "the variable \"%s\" is never read: it only multiplies states",
                     variable->name);
    else if (!is_assigned)
        diag_warning(diagnostics, variable->span, "the variable \"%s\" is never assigned", variable->name);
    if (!is_read || !is_assigned)
        diag_kind(diagnostics, WARNING_UNUSED);
}

void lint_variables(const struct system *system, struct diagnostics *diagnostics)
{
    size_t count = system->globals.count;
    struct usage usage = {system, memory_zeroed(count + 1, sizeof(bool)), memory_zeroed(count + 1, sizeof(bool))};
    struct walker walker = {.on_expr = note_call, .on_place = note_place, .user = &usage};
    walk_system(&walker, system);
    for (size_t g = 0; g < count; g++)
        if (!system_is_internal(system, system->globals.items[g]))
            warn_of(system->globals.items[g], usage.is_read[g] || system->globals.items[g]->is_folded,
                    usage.is_assigned[g], diagnostics);
    free(usage.is_read);
    free(usage.is_assigned);
}
