#include "exec/workspace.h"

#include <string.h>

uint32_t workspace_shift(uint32_t state_cells)
{
    uint32_t shift = 0;
    while (((uint64_t)64 << shift) < state_cells)
        shift++;
    return shift;
}

uint64_t workspace_blocks(const struct workspace *workspace, uint32_t address, uint32_t cells)
{
    if (address >= workspace->layout->cell_count)
        return 0;
    uint32_t first = address >> workspace->shift, last = (address + cells - 1) >> workspace->shift;
    if (last > 63)
        last = 63;
    return (UINT64_MAX >> (63 - last)) & (UINT64_MAX << first);
}

void workspace_open(struct workspace *workspace, const struct layout *layout, uint32_t memory_cells)
{
    size_t state = layout->cell_count;
    *workspace = (struct workspace){.layout = layout, .shift = workspace_shift(layout->cell_count)};
    workspace->changed = memory_zeroed(state + 1, sizeof *workspace->changed);
    workspace->original = memory_zeroed(state + 1, sizeof *workspace->original);
    workspace->memory = memory_zeroed((size_t)memory_cells + 1, sizeof *workspace->memory);
    workspace->probe = memory_zeroed((size_t)memory_cells + 1, sizeof *workspace->probe);
    workspace->multisets = memory_zeroed((size_t)layout->multiset_count + 1, sizeof *workspace->multisets);
    for (uint32_t m = 0; m < layout->multiset_count; m++)
        workspace->multisets[m] =
            workspace_blocks(workspace, layout->multisets[m].address, layout->multisets[m].type->cells);
}

void workspace_close(struct workspace *workspace)
{
    free(workspace->multisets);
    free(workspace->changed);
    free(workspace->original);
    free(workspace->memory);
    free(workspace->probe);
}

void workspace_begin(struct workspace *workspace, const int32_t *cells)
{
    const struct layout *layout = workspace->layout;
    size_t size = layout->cell_count * sizeof *workspace->memory;
    workspace->is_start = !cells;
    if (cells)
        memcpy(workspace->original, cells, size);
    else
        layout_blank(layout, workspace->original);
    memcpy(workspace->memory, workspace->original, size);
    workspace_begin_again(workspace);
}

void workspace_begin_again(struct workspace *workspace)
{
    const struct layout *layout = workspace->layout;
    workspace->dirty = 0;
    /* A multiset not touched is in normal order afterwards only if it was before. */
    workspace->is_normal = !layout->multiset_count || layout_is_normal(layout, workspace->original);
    workspace->fault_next = workspace->fault_end = 0;
}

/* Where a block is a cell: those of the state, each with its bit. (Stores to scratch may have marked others.) */
static inline uint64_t workspace_dirty_cells(const struct workspace *workspace)
{
    uint32_t state = workspace->layout->cell_count;
    if (workspace->shift)
        return 0;
    return state >= 64 ? workspace->dirty : workspace->dirty & (((uint64_t)1 << state) - 1);
}

/* Stores to scratch may have marked blocks too: copying those back changes nothing. */
void workspace_restore(struct workspace *workspace)
{
    uint32_t state = workspace->layout->cell_count, size = 1u << workspace->shift;
    int32_t *memory = workspace->memory;
    const int32_t *original = workspace->original;
    for (uint64_t dirty = workspace_dirty_cells(workspace); dirty; dirty &= dirty - 1)
        memory[__builtin_ctzll(dirty)] = original[__builtin_ctzll(dirty)];
    for (uint64_t dirty = workspace->shift ? workspace->dirty : 0; dirty; dirty &= dirty - 1) {
        uint32_t start = (uint32_t)__builtin_ctzll(dirty) << workspace->shift;
        if (start < state)
            memcpy(memory + start, original + start, (start + size <= state ? size : state - start) * sizeof *memory);
    }
    workspace->dirty = 0;
}

/* The cells of the touched blocks that are not what they were. */
static uint32_t workspace_list_changed(struct workspace *workspace)
{
    const int32_t *memory = workspace->memory, *original = workspace->original;
    uint32_t state = workspace->layout->cell_count, size = 1u << workspace->shift, count = 0;
    for (uint64_t dirty = workspace_dirty_cells(workspace); dirty; dirty &= dirty - 1) {
        uint32_t cell = (uint32_t)__builtin_ctzll(dirty);
        workspace->changed[count] = cell;
        count += memory[cell] != original[cell];
    }
    for (uint64_t dirty = workspace->shift ? workspace->dirty : 0; dirty; dirty &= dirty - 1) {
        uint32_t start = (uint32_t)__builtin_ctzll(dirty) << workspace->shift, end = start + size;
        if (end > state)
            end = state;
        for (uint32_t cell = start; cell < end; cell++) {
            workspace->changed[count] = cell;
            count += memory[cell] != original[cell];
        }
    }
    return count;
}

static void workspace_normalise(struct workspace *workspace)
{
    uint32_t begin, end;
    for (uint32_t m = 0; m < workspace->layout->multiset_count; m++)
        if (((workspace->dirty & workspace->multisets[m]) || !workspace->is_normal) &&
            layout_normalise_one(workspace->layout, m, workspace->memory, &begin, &end))
            workspace->dirty |= workspace_blocks(workspace, begin, end - begin);
}

void workspace_yield(struct workspace *workspace, struct step *step)
{
    workspace_normalise(workspace);
    step->cells = workspace->memory;
    if (!workspace->is_start) {
        step->changed = workspace->changed;
        step->changed_count = workspace_list_changed(workspace);
    }
}

void workspace_take_back(struct workspace *workspace, const struct step *step)
{
    for (uint32_t i = 0; i < step->changed_count; i++)
        workspace->memory[step->changed[i]] = workspace->original[step->changed[i]];
    workspace->dirty = 0;
}

/* Whether it has changed or not: a branch would be taken for one thing as often as for the other. */
static inline void workspace_pack_cell(struct workspace *workspace, uint32_t cell, uint64_t *packed)
{
    int32_t code = workspace->memory[cell];
    workspace->memory[cell] = workspace->original[cell];
    layout_place(workspace->layout, cell, code, packed);
}

void workspace_pack(struct workspace *workspace, const uint64_t *from, uint64_t *packed)
{
    const struct layout *layout = workspace->layout;
    if (layout->multiset_count)
        workspace_normalise(workspace);
    for (uint32_t w = 0; w < layout->words; w++)
        packed[w] = from[w];
    for (uint64_t dirty = workspace_dirty_cells(workspace); dirty; dirty &= dirty - 1)
        workspace_pack_cell(workspace, (uint32_t)__builtin_ctzll(dirty), packed);
    for (uint64_t dirty = workspace->shift ? workspace->dirty : 0; dirty; dirty &= dirty - 1) {
        uint32_t start = (uint32_t)__builtin_ctzll(dirty) << workspace->shift, size = 1u << workspace->shift;
        for (uint32_t cell = start; cell < start + size && cell < layout->cell_count; cell++)
            workspace_pack_cell(workspace, cell, packed);
    }
    workspace->dirty = 0;
}

void workspace_share_fault(struct workspace *workspace, const struct fault *fault, const struct rule *rule,
                           uint64_t instance, uint32_t level)
{
    uint64_t count = 1;
    for (uint32_t p = level; p < rule->parameter_count && !rule->joint; p++) /* of a joint they may be any number */
        count *= rule->parameters[p].type->size;
    workspace->fault = *fault;
    workspace->fault_rule = rule;
    workspace->fault_next = instance;
    workspace->fault_end = instance + count;
}

void workspace_report_fault(struct workspace *workspace, struct step *step)
{
    *step =
        (struct step){.rule = workspace->fault_rule, .instance = workspace->fault_next++, .fault = workspace->fault};
}

int32_t *workspace_probe(struct workspace *workspace, const int32_t *cells, bool is_pure)
{
    if (cells == workspace->memory && is_pure)
        return workspace->memory;
    memcpy(workspace->probe, cells, workspace->layout->cell_count * sizeof *cells);
    return workspace->probe;
}
