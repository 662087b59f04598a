#include <stdlib.h>

#include "base/memory.h"
#include "stubborn/inner.h"

static uint64_t *units_set(struct stubborn *stubborn)
{
    uint64_t *set = arena_alloc(stubborn->arena, stubborn->cell_words * sizeof *set);
    for (uint32_t w = 0; w < stubborn->cell_words; w++)
        set[w] = 0;
    return set;
}

struct footprint_sets units_new_sets(struct stubborn *stubborn)
{
    return (struct footprint_sets){units_set(stubborn), units_set(stubborn), units_set(stubborn), units_set(stubborn)};
}

static void units_add(struct stubborn *stubborn, struct unit unit)
{
    unit.touched = units_new_sets(stubborn);
    unit.varied_by = UINT32_MAX;
    stubborn->units[stubborn->unit_count++] = unit;
}

/* False: even the rules are too many. */
bool units_create(struct stubborn *stubborn, const bool *is_observed)
{
    const struct system *system = stubborn->system;
    size_t room = STUBBORN_WORDS / stubborn->cell_words, limit = room < STUBBORN_UNITS ? room : STUBBORN_UNITS;
    bool is_coarse = system_total_instances(system, limit + 1) > limit;
    size_t most = (is_coarse ? system->rules.count : limit) + system->properties.count;
    if (is_coarse && system->rules.count > limit)
        return false;
    stubborn->units = memory_zeroed(most + 1, sizeof *stubborn->units);
    stubborn->first_unit = memory_zeroed(system->rules.count + 1, sizeof *stubborn->first_unit);
    for (size_t r = 0; r < system->rules.count; r++) {
        const struct rule *rule = system->rules.items[r];
        stubborn->first_unit[r] = stubborn->unit_count;
        for (uint64_t i = 0; i < (is_coarse ? 1 : rule->instance_count); i++)
            units_add(stubborn, (struct unit){.rule = rule, .instance = i, .is_coarse = is_coarse});
    }
    for (size_t p = 0; p < system->properties.count; p++)
        if (is_observed[p])
            units_add(stubborn, (struct unit){.property = system->properties.items[p]});
    stubborn->unit_words = bits_words(stubborn->unit_count);
    return true;
}

bool units_trace(struct stubborn *stubborn)
{
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        struct unit *unit = &stubborn->units[u];
        bool is_done = unit->rule ? trace_unit(stubborn, unit)
                                  : trace_reads(stubborn, unit, unit->property->formula, unit->touched.reads);
        if (!is_done || watch_is_up())
            return false;
    }
    return true;
}

void unit_free(struct unit *unit)
{
    VEC_FREE(&unit->effects);
    VEC_FREE(&unit->known);
}

void units_destroy(struct stubborn *stubborn)
{
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        unit_free(&stubborn->units[u]);
    for (size_t v = 0; v < stubborn->varied.count; v++)
        unit_free(&stubborn->varied.items[v]);
    VEC_FREE(&stubborn->varied);
    free(stubborn->units);
    free(stubborn->first_unit);
}

bool unit_writes(const struct unit *unit, uint32_t cell)
{
    const struct footprint_sets *touched = &unit->touched;
    return bits_has(touched->writes, cell) || bits_has(touched->sends, cell) || bits_has(touched->receives, cell);
}

const struct effect *unit_effect(const struct unit *unit, uint32_t cell)
{
    for (size_t i = 0; i < unit->effects.count; i++)
        if (unit->effects.items[i].cell == cell)
            return &unit->effects.items[i];
    return NULL;
}
