#include "explore/places.h"

#include <stdlib.h>

#include "base/account.h"
#include "base/memory.h"
#include "ir/layout.h"

/* The table may take a part of the memory that is left. */
enum { MOST_PLACES = 1 << 24, ROOM_SHARE = 8 };

/* 0: too many. */
static uint64_t number_cells(const struct layout *layout, uint64_t *strides)
{
    uint64_t count = 1;
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type;
        if (!type || count * type->size > MOST_PLACES)
            return 0;
        strides[c] = count;
        count *= type->size;
    }
    return count;
}

struct places *places_create(const struct layout *layout)
{
    uint64_t *strides = memory_zeroed((size_t)layout->cell_count + 1, sizeof *strides);
    uint64_t count = number_cells(layout, strides);
    if (!count || count * sizeof(uint32_t) > account_room() / ROOM_SHARE) {
        free(strides);
        return NULL;
    }
    struct places *places = memory_zeroed(1, sizeof *places);
    *places = (struct places){layout, strides, count, memory_zeroed(count, sizeof *places->numbers)};
    return places;
}

void places_destroy(struct places *places)
{
    if (!places)
        return;
    free(places->strides);
    free(places->numbers);
    free(places);
}

uint64_t places_of(const struct places *places, const int32_t *cells)
{
    const struct layout *layout = places->layout;
    uint64_t place = 0;
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        int64_t ordinal = type_ordinal(layout->cells[c].type, cells[c]);
        ENSURE(ordinal >= 0);
        place += places->strides[c] * (uint64_t)ordinal;
    }
    return place;
}

void places_cells(const struct places *places, uint64_t place, int32_t *cells)
{
    const struct layout *layout = places->layout;
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type;
        cells[c] = type_code(type, (uint32_t)(place % type->size));
        place /= type->size;
    }
}
