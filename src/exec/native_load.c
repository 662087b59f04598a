/* The loader: a packed state is unpacked, and the selections made, in one go, where a state has few cells. (Where it
 * has many, looking at those that differ from the state before takes less: native_change.) */
#include <stdlib.h>

#include "exec/native_emit.h"
#include "ir/layout.h"

enum { LOADER_CELLS = 128, LOADER_POSITIONS = 256, LOADER_VALUES = 64 };

/* Tests compare both ways on small states. */
static unsigned long loader_cells(void)
{
    const char *most = getenv("NOETHER_LOADER_CELLS");
    return most ? strtoul(most, NULL, 10) : LOADER_CELLS;
}

bool loader_is_possible(const struct native_emitter *emitter)
{
    return emitter->layout->cell_count <= loader_cells() && !emitter->layout->scattered_count &&
           !emitter->system->holder;
}

static bool loader_is_wanted(const struct native_emitter *emitter)
{
    size_t positions = 0;
    for (size_t s = 0; s < emitter->selections.count; s++)
        positions += emitter->selections.items[s].is_masked ? 0 : emitter->selections.items[s].count;
    return (positions <= LOADER_POSITIONS || emitter->has_split) && loader_is_possible(emitter);
}

/* (The cells of a state that somebody has at hand may have multisets in an order that packing would change.) */
bool loader_is_alone(const struct native_emitter *emitter)
{
    return loader_is_wanted(emitter) && !emitter->layout->multiset_count;
}

bool cells_are_alike(const struct layout *layout, uint32_t a, uint32_t b)
{
    const struct placement *one = &layout->placements[a], *other = &layout->placements[b];
    return one->base == other->base && one->bits >> one->shift == other->bits >> other->shift &&
           !layout->cells[a].type == !layout->cells[b].type;
}

uint64_t cell_most(const struct layout *layout, uint32_t cell)
{
    return layout->placements[cell].bits >> layout->placements[cell].shift;
}

/* The first cell that is like it: its table of values serves both. */
static uint32_t cell_model(const struct layout *layout, uint32_t cell)
{
    uint32_t first = 0;
    while (!cells_are_alike(layout, first, cell))
        first++;
    return first;
}

static bool cell_has_table(const struct layout *layout, uint32_t cell)
{
    return cell_most(layout, cell) < LOADER_VALUES;
}

/* A branch on whether a cell is undefined would be taken in no order that a processor could learn. */
static void write_tables(struct native_emitter *emitter, const struct layout *layout)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (!cell_has_table(layout, c) || cell_model(layout, c) != c)
            continue;
        text_format(emitter->out, "static const int32_t codes_%u_[] = {%s", c,
                    layout->cells[c].type ? "UNDEFINED" : "0");
        for (uint32_t v = 1; v <= cell_most(layout, c); v++)
            text_format(emitter->out, ", (int32_t)%uu", v + (uint32_t)layout->placements[c].base);
        text_append(emitter->out, "};\n");
    }
}

/* --- selections --- */

static bool selections_share(const struct selection *a, const struct selection *b)
{
    return a->first == b->first && a->stride == b->stride && a->count == b->count;
}

/* The first selection among the same cells: the positions are gathered by value for it and the others. SIZE_MAX: each
 * is made for itself. */
static size_t selection_leader(const struct native_emitter *emitter, const struct layout *layout, size_t number)
{
    const struct selection *selection = &emitter->selections.items[number];
    size_t leader = SIZE_MAX;
    for (size_t s = 0; s < emitter->selections.count; s++)
        if (s < leader && !emitter->selections.items[s].is_masked &&
            selections_share(&emitter->selections.items[s], selection))
            leader = s;
    for (uint32_t i = 0; i < selection->count; i++)
        if (!cells_are_alike(layout, selection->first, selection->first + i * selection->stride))
            return SIZE_MAX;
    bool is_fit = selection->count > 1 && !selection->is_masked && cell_has_table(layout, selection->first) &&
                  layout->cells[selection->first].type;
    return is_fit ? leader : SIZE_MAX;
}

static void write_gathering(struct native_emitter *emitter, const struct layout *layout)
{
    for (size_t s = 0; s < emitter->selections.count; s++)
        if (selection_leader(emitter, layout, s) == s)
            text_format(emitter->out, "    uint64_t by_%zu_[%llu] = {0};\n", s,
                        (unsigned long long)cell_most(layout, emitter->selections.items[s].first) + 1);
}

/* The cell's position, for the selections that it is among. */
static void write_position(struct native_emitter *emitter, const struct layout *layout, uint32_t cell)
{
    for (size_t s = 0; s < emitter->selections.count; s++) {
        const struct selection *selection = &emitter->selections.items[s];
        for (uint32_t i = 0; i < selection->count; i++)
            if (selection->first + i * selection->stride == cell && selection_leader(emitter, layout, s) == s)
                text_format(emitter->out, " by_%zu_[v_%u_] |= (uint64_t)1 << %u;", s, cell, i);
    }
}

static void write_cells(struct native_emitter *emitter, const struct layout *layout)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct placement *at = &layout->placements[c];
        text_format(emitter->out, "    uint32_t v_%u_ = p[%u] >> %u & %lluu; m[%u] = ", c, at->word, at->shift,
                    (unsigned long long)cell_most(layout, c), c);
        if (cell_has_table(layout, c))
            text_format(emitter->out, "codes_%u_[v_%u_];", cell_model(layout, c), c);
        else
            text_format(emitter->out, "v_%u_ ? (int32_t)(v_%u_ + %uu) : %s;", c, c, (uint32_t)at->base,
                        layout->cells[c].type ? "UNDEFINED" : "0");
        write_position(emitter, layout, c);
        text_append(emitter->out, "\n");
    }
}

/* The elements that have the value, or none: an undefined one fulfils every selection, the rule that it calls finds
 * out. */
static void write_selected(struct native_emitter *emitter, const struct layout *layout, size_t number)
{
    const struct selection *selection = &emitter->selections.items[number];
    size_t leader = selection_leader(emitter, layout, number);
    text_format(emitter->out, "    selected[%zu] = 0", number);
    if (leader != SIZE_MAX) {
        uint32_t value = (uint32_t)selection->value - (uint32_t)layout->placements[selection->first].base;
        text_format(emitter->out, " | by_%zu_[0]", leader);
        if (value && value <= cell_most(layout, selection->first))
            text_format(emitter->out, " | by_%zu_[%u]", leader, value);
        return;
    }
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t cell = selection->first + i * selection->stride;
        text_format(emitter->out, " | (uint64_t)((m[%u] == %d) | (m[%u] == UNDEFINED)) << %u", cell, selection->value,
                    cell, i);
    }
}

static void write_selection(struct native_emitter *emitter, const struct layout *layout, size_t number)
{
    uint32_t caller = select_caller(&emitter->selections.items[number]);
    write_selected(emitter, layout, number);
    text_append(emitter->out, ";\n");
    if (caller != UINT32_MAX)
        text_format(emitter->out, "    called[%u] |= (uint64_t)(selected[%zu] != 0) << %u;\n", caller / 64, number,
                    caller % 64);
}

const char *write_loader(struct native_emitter *emitter)
{
    const struct layout *layout = emitter->layout;
    if (!loader_is_wanted(emitter))
        return "0";
    write_tables(emitter, layout);
    write_mask_tables(emitter);
    text_append(emitter->out, "static void native_load(const uint64_t *p, int32_t *m, uint64_t *selected,"
                              " uint64_t *unsure, uint64_t *called)\n{\n");
    write_gathering(emitter, layout);
    write_cells(emitter, layout);
    for (size_t w = 0; w <= emitter->system->rules.count / 64; w++)
        text_format(emitter->out, "    called[%zu] = asked_[%zu];\n", w, w);
    for (size_t s = 0; s < emitter->selections.count; s++)
        if (!emitter->selections.items[s].is_masked)
            write_selection(emitter, layout, s);
    write_masks(emitter);
    text_append(emitter->out, "}\n");
    return "native_load";
}
