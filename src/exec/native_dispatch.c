#include "exec/native_dispatch.h"

#include <stdlib.h>

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

void dispatch_open(struct native_dispatch *dispatch, const struct native_program *program)
{
    *dispatch = (struct native_dispatch){.program = program};
    dispatch->called = memory_zeroed(program->rule_count / 64 + 1, sizeof *dispatch->called);
    dispatch->selected = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->selected);
    dispatch->masks = memory_zeroed((size_t)program_most_values(program) + 1, sizeof *dispatch->masks);
    dispatch->touched = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->touched);
}

void dispatch_close(struct native_dispatch *dispatch)
{
    free(dispatch->called);
    free(dispatch->selected);
    free(dispatch->touched);
    free(dispatch->masks);
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
    for (uint32_t w = 0; w <= program->rule_count / 64; w++)
        dispatch->called[w] = program->always[w];
    for (uint32_t i = 0; i < dispatch->touched_count; i++)
        dispatch->selected[dispatch->touched[i]] = 0;
    dispatch->touched_count = 0;
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
