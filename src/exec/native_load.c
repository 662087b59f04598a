/* The loader: a packed state is unpacked, and the selections made, in one go, where a state has few cells. (Where it
 * has many, looking at those that differ from the state before takes less: native_change.) */
#include <stdlib.h>

#include "exec/native_emit.h"
#include "ir/layout.h"

enum { LOADER_CELLS = 64, LOADER_POSITIONS = 256 };

/* Tests compare both ways on small states. */
static unsigned long loader_cells(void)
{
    const char *most = getenv("NOETHER_LOADER_CELLS");
    return most ? strtoul(most, NULL, 10) : LOADER_CELLS;
}

static bool loader_is_wanted(const struct native_emitter *emitter, const struct layout *layout)
{
    size_t positions = 0;
    for (size_t s = 0; s < emitter->selections.count; s++)
        positions += emitter->selections.items[s].count;
    return layout->cell_count <= loader_cells() && positions <= LOADER_POSITIONS && !layout->scattered_count &&
           !emitter->system->holder;
}

static void write_cells(struct native_emitter *emitter, const struct layout *layout)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct placement *at = &layout->placements[c];
        text_format(emitter->out, "    value = p[%u] >> %u & %lluu; m[%u] = value ? (int32_t)(value + %uu) : %s;\n",
                    at->word, at->shift, (unsigned long long)(at->bits >> at->shift), c, (uint32_t)at->base,
                    layout->cells[c].type ? "UNDEFINED" : "0");
    }
}

/* An undefined element fulfils every selection: the rule that it calls finds out. */
static void write_selection(struct native_emitter *emitter, size_t number)
{
    const struct selection *selection = &emitter->selections.items[number];
    text_format(emitter->out, "    selected[%zu] = 0", number);
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t cell = selection->first + i * selection->stride;
        text_format(emitter->out, " | (uint64_t)((m[%u] == %d) | (m[%u] == UNDEFINED)) << %u", cell, selection->value,
                    cell, i);
    }
    text_append(emitter->out, ";\n");
    if (select_caller(selection) != UINT32_MAX)
        text_format(emitter->out, "    called[%u] |= (uint64_t)(selected[%zu] != 0) << %u;\n",
                    select_caller(selection) / 64, number, select_caller(selection) % 64);
}

const char *write_loader(struct native_emitter *emitter)
{
    struct layout *layout = layout_create(emitter->system);
    bool is_wanted = loader_is_wanted(emitter, layout);
    if (is_wanted) {
        text_append(emitter->out,
                    "static void load(const uint64_t *p, int32_t *m, uint64_t *selected, uint64_t *called)\n"
                    "{\n    uint32_t value;\n");
        write_cells(emitter, layout);
        for (size_t w = 0; w <= emitter->system->rules.count / 64; w++)
            text_format(emitter->out, "    called[%zu] = always_[%zu];\n", w, w);
        for (size_t s = 0; s < emitter->selections.count; s++)
            write_selection(emitter, s);
        text_append(emitter->out, "}\n");
    }
    layout_destroy(layout);
    return is_wanted ? "load" : "0";
}
