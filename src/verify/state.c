#include "verify/state.h"

#include <string.h>

#include "ir/system.h"

bool state_read(const struct layout *layout, const uint64_t *packed, int32_t *cells, uint64_t *image)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct cell *cell = &layout->cells[c];
        uint64_t value = packed[cell->word] >> cell->shift & ((UINT64_C(1) << cell->bits) - 1);
        if (cell->type && value > cell->type->size)
            return false;
    }
    layout_unpack(layout, packed, cells);
    layout_pack(layout, cells, image);
    return layout_is_normal(layout, cells) && !memcmp(image, packed, layout->words * sizeof *packed);
}

void state_print(const struct layout *layout, const int32_t *cells, struct text *out)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (!layout->cells[c].type || cells[c] == UNDEFINED || system_is_internal_cell(layout->system, c))
            continue;
        text_append(out, "\n    ");
        layout_cell_name(layout, c, out);
        text_append(out, " = ");
        type_print_value(layout->cells[c].type, cells[c], out);
    }
}
