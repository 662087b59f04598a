#include "exec/native_dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static inline uint32_t selector_values(const struct native_selector *selector)
{
    return (uint32_t)selector->high - (uint32_t)selector->low + 1;
}

static uint32_t program_most_values(const struct native_program *program)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < program->selector_count; s++)
        if (selector_values(&program->selectors[s]) > most)
            most = selector_values(&program->selectors[s]);
    return most;
}

static void dispatch_forget(struct native_dispatch *dispatch)
{
    const struct native_program *program = dispatch->program;
    for (uint32_t w = 0; w <= program->rule_count / 64; w++)
        dispatch->called[w] = program->always[w];
    memcpy(dispatch->selected, program->opened, program->selection_count * sizeof *dispatch->selected);
    memset(dispatch->unsure, UINT8_MAX, program->mask_count * sizeof *dispatch->unsure);
    dispatch->asked = program->always;
    dispatch->touched_count = 0;
    dispatch->has_changed = false;
}

void dispatch_open(struct native_dispatch *dispatch, const struct native_program *program)
{
    *dispatch = (struct native_dispatch){.program = program};
    dispatch->called = memory_zeroed(program->rule_count / 64 + 1, sizeof *dispatch->called);
    dispatch->selected = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->selected);
    dispatch->unsure = memory_zeroed((size_t)program->mask_count + 1, sizeof *dispatch->unsure);
    dispatch->masks = memory_zeroed((size_t)program_most_values(program) + 1, sizeof *dispatch->masks);
    dispatch->touched = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->touched);
    dispatch_forget(dispatch);
}

void dispatch_close(struct native_dispatch *dispatch)
{
    free(dispatch->called);
    free(dispatch->selected);
    free(dispatch->unsure);
    free(dispatch->touched);
    free(dispatch->masks);
    free(dispatch->callers);
    free(dispatch->begins);
    free(dispatch->watchers);
}

static inline void dispatch_select(struct native_dispatch *dispatch, const struct native_selection *from,
                                   const struct native_selection *end, uint64_t positions)
{
    for (const struct native_selection *one = from; one < end; one++) {
        uint64_t before = dispatch->selected[one->number];
        dispatch->selected[one->number] = before | positions;
        dispatch->touched[dispatch->touched_count] = one->number;
        dispatch->touched_count += !before;
        if (one->rule != UINT32_MAX)
            dispatch->called[one->rule / 64] |= (uint64_t)1 << one->rule % 64;
    }
}

/* These positions have the value with that number, from the lowest. */
static inline void dispatch_choose(struct native_dispatch *dispatch, const struct native_choice *choice, uint32_t value,
                                   uint64_t positions)
{
    dispatch_select(dispatch, choice->items + choice->begins[value], choice->items + choice->begins[value + 1],
                    positions);
}

static void dispatch_look_at(struct native_dispatch *dispatch, const struct native_selector *selector,
                             const struct native_choice *choice, int32_t cell, uint32_t position)
{
    uint32_t values = selector_values(selector), value = (uint32_t)cell - (uint32_t)selector->low;
    if (value < values)
        dispatch_choose(dispatch, choice, value, (uint64_t)1 << position);
    else if (cell == INT32_MIN) /* undefined: each of them faults */
        dispatch_select(dispatch, selector->all.items, selector->all.items + selector->all.begins[values],
                        (uint64_t)1 << position);
}

/* Positions with the same value are selected together. */
static void dispatch_look(struct native_dispatch *dispatch, const struct native_selector *selector,
                          const int32_t *cells)
{
    const int32_t *cell = cells + selector->first;
    uint32_t values = selector_values(selector), met[64], met_count = 0;
    for (uint32_t p = 0; p < selector->count; p++, cell += selector->stride) {
        uint32_t value = (uint32_t)*cell - (uint32_t)selector->low;
        if (value >= values) {
            dispatch_look_at(dispatch, selector, &selector->all, *cell, p);
            continue;
        }
        met[met_count] = value;
        met_count += !dispatch->masks[value];
        dispatch->masks[value] |= (uint64_t)1 << p;
    }
    for (uint32_t i = 0; i < met_count; i++) {
        dispatch_choose(dispatch, &selector->all, met[i], dispatch->masks[met[i]]);
        dispatch->masks[met[i]] = 0;
    }
}

static void dispatch_look_held(struct native_dispatch *dispatch, const struct native_selector *selector,
                               const int32_t *cells)
{
    const int32_t *cell = cells + selector->first;
    int64_t holder = (int64_t)cells[dispatch->program->holder] - selector->who;
    for (uint32_t p = 0; p < selector->count; p++, cell += selector->stride)
        dispatch_look_at(dispatch, selector, p == holder ? &selector->all : &selector->loose, *cell, p);
}

static void dispatch_clear(struct native_dispatch *dispatch)
{
    const struct native_program *program = dispatch->program;
    if (dispatch->has_changed)
        dispatch_forget(dispatch);
    for (uint32_t w = 0; w <= program->rule_count / 64; w++)
        dispatch->called[w] = program->always[w];
    for (uint32_t i = 0; i < dispatch->touched_count; i++)
        dispatch->selected[dispatch->touched[i]] = 0;
    dispatch->touched_count = 0;
}

/* --- from one state to another --- */

static void dispatch_list_watchers(struct native_dispatch *dispatch, uint32_t cell_count)
{
    const struct native_program *program = dispatch->program;
    dispatch->callers = memory_zeroed((size_t)program->rule_count + 1, sizeof *dispatch->callers);
    dispatch->begins = memory_zeroed((size_t)cell_count + 2, sizeof *dispatch->begins);
    for (uint32_t s = 0; s < program->selector_count; s++)
        for (uint32_t p = 0; p < program->selectors[s].count; p++)
            dispatch->begins[program->selectors[s].first + p * program->selectors[s].stride + 2]++;
    for (uint32_t c = 0; c < cell_count; c++)
        dispatch->begins[c + 2] += dispatch->begins[c + 1];
    dispatch->watchers = memory_zeroed((size_t)dispatch->begins[cell_count + 1] + 1, sizeof *dispatch->watchers);
    for (uint32_t s = 0; s < program->selector_count; s++)
        for (uint32_t p = 0; p < program->selectors[s].count; p++)
            dispatch->watchers[dispatch->begins[program->selectors[s].first + p * program->selectors[s].stride + 1]++] =
                (struct native_watcher){s, p};
}

/* The selections that a value of an element fulfils. */
static inline const struct native_selection *selector_list(const struct native_selector *selector, int32_t cell,
                                                           const struct native_selection **end)
{
    const struct native_choice *all = &selector->all;
    uint32_t values = selector_values(selector), value = (uint32_t)cell - (uint32_t)selector->low;
    bool is_value = value < values, is_any = is_value || cell == INT32_MIN;
    *end = all->items + (is_value ? all->begins[value + 1] : is_any ? all->begins[values] : 0);
    return all->items + (is_value ? all->begins[value] : 0);
}

static inline void dispatch_add(struct native_dispatch *dispatch, const struct native_selector *selector,
                                uint32_t position, int32_t cell)
{
    const struct native_selection *end, *one = selector_list(selector, cell, &end);
    for (; one < end; one++) {
        bool is_first = !dispatch->selected[one->number];
        dispatch->selected[one->number] |= (uint64_t)1 << position;
        if (!is_first || one->rule == UINT32_MAX)
            continue;
        dispatch->callers[one->rule]++;
        dispatch->called[one->rule / 64] |= (uint64_t)1 << one->rule % 64;
    }
}

static inline void dispatch_remove(struct native_dispatch *dispatch, const struct native_selector *selector,
                                   uint32_t position, int32_t cell)
{
    const struct native_selection *end, *one = selector_list(selector, cell, &end);
    for (; one < end; one++) {
        uint64_t rest = dispatch->selected[one->number] &= ~((uint64_t)1 << position);
        if (!rest && one->rule != UINT32_MAX && !--dispatch->callers[one->rule])
            dispatch->called[one->rule / 64] &= ~((uint64_t)1 << one->rule % 64);
    }
}

void dispatch_change(struct native_dispatch *dispatch, uint32_t cell, int32_t before, int32_t after)
{
    for (uint32_t w = dispatch->begins[cell]; w < dispatch->begins[cell + 1]; w++) {
        const struct native_watcher *watcher = &dispatch->watchers[w];
        const struct native_selector *selector = &dispatch->program->selectors[watcher->selector];
        dispatch_remove(dispatch, selector, watcher->position, before);
        dispatch_add(dispatch, selector, watcher->position, after);
    }
}

void dispatch_begin_changes(struct native_dispatch *dispatch, const int32_t *cells, uint32_t cell_count)
{
    const struct native_program *program = dispatch->program;
    if (!dispatch->callers)
        dispatch_list_watchers(dispatch, cell_count);
    memset(dispatch->callers, 0, program->rule_count * sizeof *dispatch->callers);
    dispatch_forget(dispatch);
    for (uint32_t s = 0; s < program->selector_count; s++) {
        const struct native_selector *selector = &program->selectors[s];
        for (uint32_t p = 0; p < selector->count; p++)
            dispatch_add(dispatch, selector, p, cells[selector->first + p * selector->stride]);
    }
    dispatch->has_changed = true;
}

void dispatch_end(struct native_dispatch *dispatch)
{
    if (dispatch->touched_count)
        dispatch_clear(dispatch);
}

void dispatch_begin_holder(struct native_dispatch *dispatch, const int32_t *cells)
{
    const struct native_program *program = dispatch->program;
    dispatch_clear(dispatch);
    for (uint32_t s = 0; s < program->selector_count; s++) {
        const struct native_selector *selector = &program->selectors[s];
        int64_t position = (int64_t)cells[program->holder] - selector->who;
        if (position >= 0 && position < selector->count)
            dispatch_look_at(dispatch, selector, &selector->all, cells[selector->first + position * selector->stride],
                             (uint32_t)position);
    }
}

void dispatch_begin(struct native_dispatch *dispatch, const int32_t *cells)
{
    const struct native_program *program = dispatch->program;
    bool is_held = program->holder != UINT32_MAX && cells[program->holder] != program->nobody;
    dispatch_clear(dispatch);
    for (uint32_t s = 0; s < program->selector_count; s++)
        if (is_held)
            dispatch_look_held(dispatch, &program->selectors[s], cells);
        else
            dispatch_look(dispatch, &program->selectors[s], cells);
}
