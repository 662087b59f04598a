#include "exec/native_dispatch.h"

#include <stdlib.h>

#include "base/memory.h"

void dispatch_open(struct native_dispatch *dispatch, const struct native_program *program)
{
    *dispatch = (struct native_dispatch){.program = program};
    dispatch->called = memory_zeroed(program->rule_count / 64 + 1, sizeof *dispatch->called);
    dispatch->selected = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->selected);
    dispatch->touched = memory_zeroed((size_t)program->selection_count + 1, sizeof *dispatch->touched);
}

void dispatch_close(struct native_dispatch *dispatch)
{
    free(dispatch->called);
    free(dispatch->selected);
    free(dispatch->touched);
}

static inline void dispatch_select(struct native_dispatch *dispatch, const struct native_selection *from,
                                   const struct native_selection *end, uint64_t position)
{
    for (const struct native_selection *one = from; one < end; one++) {
        uint64_t before = dispatch->selected[one->number];
        dispatch->selected[one->number] = before | position;
        dispatch->touched[dispatch->touched_count] = one->number;
        dispatch->touched_count += !before;
        if (one->rule != UINT32_MAX)
            dispatch->called[one->rule / 64] |= (uint64_t)1 << one->rule % 64;
    }
}

static inline void dispatch_look_at(struct native_dispatch *dispatch, const struct native_selector *selector,
                                    const struct native_choice *choice, int32_t cell, uint32_t position)
{
    uint32_t values = (uint32_t)selector->high - (uint32_t)selector->low + 1;
    uint32_t value = (uint32_t)cell - (uint32_t)selector->low;
    if (value < values)
        dispatch_select(dispatch, choice->items + choice->begins[value], choice->items + choice->begins[value + 1],
                        (uint64_t)1 << position);
    else if (cell == INT32_MIN) /* undefined: each of them faults */
        dispatch_select(dispatch, selector->all.items, selector->all.items + selector->all.begins[values],
                        (uint64_t)1 << position);
}

static void dispatch_look(struct native_dispatch *dispatch, const struct native_selector *selector,
                          const int32_t *cells, bool is_held)
{
    const int32_t *cell = cells + selector->first;
    int64_t holder = is_held ? (int64_t)cells[dispatch->program->holder] - selector->who : 0;
    for (uint32_t p = 0; p < selector->count; p++, cell += selector->stride)
        dispatch_look_at(dispatch, selector, is_held && p != holder ? &selector->loose : &selector->all, *cell, p);
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
        dispatch_look(dispatch, &program->selectors[s], cells, is_held);
}
