#include "ir/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"

/* What pack and unpack do to one cell, by word, so that a word is built in a register. Taken-flags have base and empty
 * 0, so they need no case of their own. */
struct packing {
    uint32_t address;
    int32_t base;  /* code - base = packed value of a defined cell */
    int32_t empty; /* the code that packs to 0 */
    uint32_t mask, shift;
};

enum { LAYOUT_NO_PACKING = 64 };

/* Where a cell stands in the order of packing. What stands with the same elements of index types is packed side by
 * side: permutations move it as a whole, and it recurs in other states as a whole. */
struct seat {
    uint64_t row;
    uint32_t address;
};

static uint32_t layout_bits(uint32_t largest)
{
    return largest ? 32 - (uint32_t)__builtin_clz(largest) : 0;
}

static void layout_add_site(struct layout *layout, const struct type *type, uint32_t address, uint32_t *capacity)
{
    if (layout->multiset_count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 8;
        layout->multisets = memory_resize(layout->multisets, *capacity * sizeof *layout->multisets);
    }
    layout->multisets[layout->multiset_count++] = (struct multiset_site){.type = type, .address = address};
}

/* Is the code an element of an index type? */
static bool layout_is_element(const struct type *type, int32_t code)
{
    for (uint32_t b = 0; type->kind >= TYPE_ENUM && b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            return type->blocks[b].owner->kind == TYPE_INDEX;
    return false;
}

/* Gives every cell its type and row: a hash of the elements that index it. Inner multisets are listed before those they
 * are in, so that normalising in order of the list is right. */
static void layout_add_cells(struct layout *layout, const struct type *type, uint32_t address, struct seat *seats,
                             uint64_t row, uint32_t *capacity)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            int32_t code = type_code(type->index, i);
            uint64_t inner = layout_is_element(type->index, code) ? hash_combine(row, (uint32_t)code) : row;
            layout_add_cells(layout, type->element, address + i * type->element->cells, seats, inner, capacity);
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            layout_add_cells(layout, type->fields[f].type, address + type->fields[f].offset, seats, row, capacity);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = address + s * multiset_stride(type);
            layout->cells[slot].bits = 1;
            seats[slot].row = row;
            layout_add_cells(layout, type->element, slot + 1, seats, row, capacity);
        }
        layout_add_site(layout, type, address, capacity);
        return;
    default:
        layout->cells[address].type = type;
        layout->cells[address].bits = layout_bits(type->size);
        seats[address].row = row;
        return;
    }
}

static int layout_compare_seats(const void *first, const void *second)
{
    const struct seat *x = first, *y = second;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static bool layout_is_ordered(const struct seat *seats, uint32_t count)
{
    uint32_t i = 1;
    while (i < count && layout_compare_seats(&seats[i - 1], &seats[i]) < 0)
        i++;
    return i >= count;
}

/* Cells in the order of their addresses, but those of a row together, where its first one is. */
static void layout_order_seats(struct seat *seats, uint32_t count)
{
    for (int pass = 0; pass < 2; pass++) {
        if (!layout_is_ordered(seats, count)) /* as often with a million cells, and sorting them is felt */
            qsort(seats, count, sizeof *seats, layout_compare_seats);
        for (uint32_t end, i = 0; !pass && i < count; i = end) {
            uint64_t row = seats[i].row;
            uint32_t first = seats[i].address;
            for (end = i; end < count && seats[end].row == row; end++)
                seats[end].row = first;
        }
    }
}

/* First fit: cells keep the order of their seats but for those that fill a gap left in an earlier word.
 * Words only fill up, so the search for b bits never has to look before the word it found last. */
static void layout_place_cells(struct layout *layout, const struct seat *seats)
{
    uint32_t from[33] = {0};
    uint8_t *used = memory_zeroed((size_t)layout->cell_count + 1, 1);
    layout->words = 1;
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        struct cell *cell = &layout->cells[seats[c].address];
        uint32_t word = from[cell->bits];
        while (used[word] + cell->bits > 64)
            word++;
        from[cell->bits] = word;
        cell->word = word;
        cell->shift = used[word];
        used[word] = (uint8_t)(used[word] + cell->bits);
        layout->bits += cell->bits;
        if (word >= layout->words)
            layout->words = word + 1;
    }
    free(used);
}

/* A union with gaps between its blocks: its ordinals need a search, so its cells are packed apart from the rest. */
static bool layout_is_scattered(const struct type *type)
{
    if (!type)
        return false;
    const struct code_block *last = &type->blocks[type->block_count - 1];
    return (int64_t)last->hi - type->blocks->lo + 1 != type->size;
}

static struct packing layout_packing(const struct layout *layout, uint32_t address)
{
    const struct cell *cell = &layout->cells[address];
    return (struct packing){
        .address = address,
        .base = cell->type ? cell->type->blocks->lo - 1 : 0,
        .empty = cell->type ? UNDEFINED : 0,
        .mask = (uint32_t)(((uint64_t)1 << cell->bits) - 1),
        .shift = cell->shift,
    };
}

/* Sorts the cells by word (counting sort; stable, so by shift within a word). */
static void layout_tabulate(struct layout *layout)
{
    layout->word_start = memory_zeroed((size_t)layout->words + 1, sizeof *layout->word_start);
    layout->packings = memory_zeroed((size_t)layout->cell_count + 1, sizeof *layout->packings);
    layout->scattered = memory_zeroed((size_t)layout->cell_count + 1, sizeof *layout->scattered);
    uint32_t *next = memory_zeroed((size_t)layout->words + 1, sizeof *next);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (layout_is_scattered(layout->cells[c].type))
            layout->scattered[layout->scattered_count++] = c;
        else
            layout->word_start[layout->cells[c].word + 1]++;
    }
    for (uint32_t w = 0; w < layout->words; w++)
        layout->word_start[w + 1] += layout->word_start[w];
    memcpy(next, layout->word_start, layout->words * sizeof *next);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        if (!layout_is_scattered(layout->cells[c].type))
            layout->packings[next[layout->cells[c].word]++] = layout_packing(layout, c);
    free(next);
}

static void layout_note_bits(struct layout *layout)
{
    size_t bits = 64 * (size_t)layout->words;
    layout->packing_of_bit = memory_alloc(bits);
    memset(layout->packing_of_bit, LAYOUT_NO_PACKING, bits);
    layout->first_bits = memory_zeroed(layout->words, sizeof *layout->first_bits);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        if (layout->cells[c].bits)
            layout->first_bits[layout->cells[c].word] |= (uint64_t)1 << layout->cells[c].shift;
    for (uint32_t w = 0; w < layout->words; w++)
        for (uint32_t p = layout->word_start[w]; p < layout->word_start[w + 1]; p++)
            for (uint32_t bit = 0; (uint64_t)layout->packings[p].mask >> bit; bit++)
                layout->packing_of_bit[64 * (size_t)w + layout->packings[p].shift + bit] =
                    (uint8_t)(p - layout->word_start[w]);
}

static void layout_note_placements(struct layout *layout)
{
    layout->placements = memory_zeroed((size_t)layout->cell_count + 1, sizeof *layout->placements);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        struct packing packing = layout_packing(layout, c);
        layout->placements[c] = (struct placement){
            .bits = (uint64_t)packing.mask << packing.shift,
            .base = packing.base,
            .word = layout->cells[c].word,
            .shift = (uint8_t)packing.shift,
            .is_scattered = layout_is_scattered(layout->cells[c].type),
        };
    }
}

struct layout *layout_create(const struct system *system)
{
    ENSURE(system->finished);
    struct layout *layout = memory_zeroed(1, sizeof *layout);
    layout->system = system;
    layout->cell_count = system->state_cells;
    layout->cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *layout->cells);
    uint32_t capacity = 0;
    struct seat *seats = memory_zeroed((size_t)layout->cell_count + 1, sizeof *seats);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        seats[c].address = c;
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *global = system->globals.items[g];
        layout_add_cells(layout, global->type, global->address, seats, 0, &capacity);
    }
    layout_order_seats(seats, layout->cell_count);
    layout_place_cells(layout, seats);
    free(seats);
    layout_tabulate(layout);
    layout_note_bits(layout);
    layout_note_placements(layout);
    return layout;
}

void layout_destroy(struct layout *layout)
{
    if (!layout)
        return;
    free(layout->cells);
    free(layout->multisets);
    free(layout->word_start);
    free(layout->packings);
    free(layout->scattered);
    free(layout->packing_of_bit);
    free(layout->first_bits);
    free(layout->placements);
    free(layout);
}

void layout_pack(const struct layout *layout, const int32_t *cells, uint64_t *words)
{
    const struct packing *packing = layout->packings;
    for (uint32_t w = 0; w < layout->words; w++) {
        const struct packing *end = layout->packings + layout->word_start[w + 1];
        uint64_t packed = 0;
        for (; packing < end; packing++) {
            int32_t code = cells[packing->address];
            uint32_t value = (uint32_t)code - (uint32_t)packing->base;
            packed |= (uint64_t)(code == UNDEFINED ? 0 : value) << packing->shift;
        }
        words[w] = packed;
    }
    for (uint32_t i = 0; i < layout->scattered_count; i++) {
        const struct cell *cell = &layout->cells[layout->scattered[i]];
        uint64_t value = (uint64_t)(type_ordinal(cell->type, cells[layout->scattered[i]]) + 1);
        words[cell->word] |= value << cell->shift;
    }
}

void layout_repack(const struct layout *layout, const int32_t *cells, const uint32_t *changed, uint32_t count,
                   uint64_t *words)
{
    for (uint32_t i = 0; i < count; i++)
        layout_place(layout, changed[i], cells[changed[i]], words);
}

static inline int32_t packing_code(const struct packing *packing, uint64_t word)
{
    uint32_t value = (uint32_t)(word >> packing->shift) & packing->mask;
    int32_t code = (int32_t)(value + (uint32_t)packing->base), empty = packing->empty;
    return value ? code : empty;
}

static int32_t layout_scattered_code(const struct cell *cell, const uint64_t *words)
{
    uint32_t value = (uint32_t)((words[cell->word] >> cell->shift) & (((uint64_t)1 << cell->bits) - 1));
    return value ? type_code(cell->type, value - 1) : UNDEFINED;
}

void layout_unpack(const struct layout *layout, const uint64_t *words, int32_t *cells)
{
    const struct packing *packing = layout->packings;
    for (uint32_t w = 0; w < layout->words; w++) {
        const struct packing *end = layout->packings + layout->word_start[w + 1];
        uint64_t packed = words[w];
        for (; packing < end; packing++)
            cells[packing->address] = packing_code(packing, packed);
    }
    for (uint32_t i = 0; i < layout->scattered_count; i++)
        cells[layout->scattered[i]] = layout_scattered_code(&layout->cells[layout->scattered[i]], words);
}

/* Without the lowest bit that is set, and the rest of the cell that it is in. (In a register: what the next step waits
 * for must not come from a table.) */
static inline uint64_t layout_pass_cell(uint64_t bits, uint64_t first_bits)
{
    uint64_t above = first_bits & ~(bits ^ (bits - 1)); /* the first bits of the cells behind it */
    return bits & ~(~above & (above - 1));
}

uint32_t layout_unpack_changes(const struct layout *layout, const uint64_t *known, const uint64_t *words,
                               int32_t *cells, uint32_t *changed)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < layout->words; w++)
        for (uint64_t left = known[w] ^ words[w]; left;) {
            uint32_t bit = (uint32_t)__builtin_ctzll(left), which = layout->packing_of_bit[64 * (size_t)w + bit];
            left = layout_pass_cell(left, layout->first_bits[w]);
            if (which == LAYOUT_NO_PACKING)
                continue;
            const struct packing *packing = &layout->packings[layout->word_start[w] + which];
            cells[packing->address] = packing_code(packing, words[w]);
            changed[count++] = packing->address;
        }
    for (uint32_t i = 0; i < layout->scattered_count; i++) {
        uint32_t address = layout->scattered[i];
        int32_t before = cells[address];
        cells[address] = layout_scattered_code(&layout->cells[address], words);
        changed[count] = address;
        count += cells[address] != before;
    }
    return count;
}

void layout_blank(const struct layout *layout, int32_t *cells)
{
    for (uint32_t c = 0; c < layout->cell_count; c++)
        cells[c] = layout->cells[c].type ? UNDEFINED : 0;
}

/* Does slot `a` stand before slot `b`? Taken slots first; then by the codes of the elements. */
static bool layout_slot_precedes(const int32_t *a, const int32_t *b, uint32_t stride)
{
    if (a[0] != b[0])
        return a[0] > b[0];
    if (!a[0]) /* free slots are alike */
        return false;
    for (uint32_t c = 1; c < stride; c++)
        if (a[c] != b[c])
            return a[c] < b[c];
    return false;
}

static void layout_swap_slots(int32_t *a, int32_t *b, uint32_t stride)
{
    for (uint32_t c = 0; c < stride; c++) {
        int32_t kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

/* Insertion sort: a rule changes few slots, so the multiset is sorted already or nearly so. */
bool layout_normalise_one(const struct layout *layout, uint32_t number, int32_t *cells, uint32_t *begin, uint32_t *end)
{
    const struct multiset_site *site = &layout->multisets[number];
    int32_t *slots = cells + site->address;
    uint32_t stride = multiset_stride(site->type), size = site->type->capacity * stride, low = size, high = 0;
    for (uint32_t s = stride; s < size; s += stride) {
        uint32_t at = s;
        for (; at > 0 && layout_slot_precedes(slots + at, slots + at - stride, stride); at -= stride)
            layout_swap_slots(slots + at, slots + at - stride, stride);
        if (at == s)
            continue;
        low = at < low ? at : low;
        high = s + stride;
    }
    *begin = site->address + low;
    *end = site->address + high;
    return low < high;
}

void layout_normalise(const struct layout *layout, int32_t *cells)
{
    uint32_t begin, end;
    for (uint32_t m = 0; m < layout->multiset_count; m++)
        layout_normalise_one(layout, m, cells, &begin, &end);
}

/* Cells do not overlap, so that what they hold adds up to the words. */
bool layout_is_packed(const struct layout *layout, const uint64_t *words)
{
    uint64_t all = 0, held = 0;
    for (uint32_t i = 0; i < layout->cell_count; i++) {
        const struct cell *cell = &layout->cells[i];
        uint64_t value = words[cell->word] >> cell->shift & (((uint64_t)1 << cell->bits) - 1);
        if (value > (cell->type ? cell->type->size : 1))
            return false;
        held += bits_count_few(value);
    }
    for (uint32_t w = 0; w < layout->words; w++)
        all += (uint64_t)__builtin_popcountll(words[w]);
    return all == held;
}

bool layout_is_normal(const struct layout *layout, const int32_t *cells)
{
    for (uint32_t m = 0; m < layout->multiset_count; m++) {
        const struct type *type = layout->multisets[m].type;
        const int32_t *slots = cells + layout->multisets[m].address;
        uint32_t stride = multiset_stride(type), end = type->capacity * stride;
        for (uint32_t at = stride; at < end; at += stride)
            if (layout_slot_precedes(slots + at, slots + at - stride, stride))
                return false;
    }
    return true;
}

bool layout_read(const struct layout *layout, const uint64_t *words, int32_t *cells)
{
    if (!layout_is_packed(layout, words))
        return false;
    layout_unpack(layout, words, cells);
    return layout_is_normal(layout, cells);
}
