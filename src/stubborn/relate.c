/* Which units accord, and which could make a conjunct true: computed once, by the cells that they share. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "stubborn/inner.h"

/* --- who touches a cell --- */

static uint64_t *column(const struct stubborn *stubborn, uint64_t *columns, uint32_t cell)
{
    return columns + (size_t)cell * stubborn->unit_words;
}

static void relate_note(struct stubborn *stubborn, uint32_t unit, const uint64_t *cells, uint64_t *columns)
{
    for (uint32_t c = bits_next(cells, stubborn->cell_words, 0); c < stubborn->layout->cell_count;
         c = bits_next(cells, stubborn->cell_words, c + 1))
        bits_add(column(stubborn, columns, c), unit);
}

static void relate_make_columns(struct stubborn *stubborn)
{
    size_t size = ((size_t)stubborn->layout->cell_count + 1) * stubborn->unit_words;
    struct columns *columns = &stubborn->columns;
    columns->reads = memory_zeroed(size, sizeof(uint64_t));
    columns->writes = memory_zeroed(size, sizeof(uint64_t));
    columns->sends = memory_zeroed(size, sizeof(uint64_t));
    columns->receives = memory_zeroed(size, sizeof(uint64_t));
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        const struct footprint_sets *touched = &stubborn->units[u].touched;
        relate_note(stubborn, u, touched->reads, columns->reads);
        relate_note(stubborn, u, touched->writes, columns->writes);
        relate_note(stubborn, u, touched->sends, columns->sends);
        relate_note(stubborn, u, touched->receives, columns->receives);
    }
}

enum { READS = 1, WRITES = 2, SENDS = 4, RECEIVES = 8, ALL_WRITES = WRITES | SENDS | RECEIVES };

/* Adds the units that do one of these things to one of the cells. */
static void relate_join(const struct stubborn *stubborn, const uint64_t *cells, uint32_t how, uint64_t *row)
{
    uint64_t *kinds[] = {stubborn->columns.reads, stubborn->columns.writes, stubborn->columns.sends,
                         stubborn->columns.receives};
    for (uint32_t c = bits_next(cells, stubborn->cell_words, 0); c < stubborn->layout->cell_count;
         c = bits_next(cells, stubborn->cell_words, c + 1))
        for (uint32_t k = 0; k < 4; k++)
            if (how >> k & 1)
                bits_join(row, column(stubborn, kinds[k], c), stubborn->unit_words);
}

/* --- units that do not accord --- */

/* Is there a cell of which the guards ask different things? */
static bool relate_exclude(const struct stubborn *stubborn, const struct unit *a, const struct unit *b)
{
    if (a->is_coarse || b->is_coarse)
        return false;
    for (uint32_t i = 0; i < a->conjunct_count; i++) {
        const struct guard_conjunct *own = &a->conjuncts[i];
        for (uint32_t j = 0; own->allowed && j < b->conjunct_count; j++) {
            const struct guard_conjunct *other = &b->conjuncts[j];
            if (other->allowed && own->cell == other->cell &&
                !bits_meet(own->allowed, other->allowed, bits_words(stubborn->layout->cells[own->cell].type->size + 1)))
                return true;
        }
    }
    return false;
}

static void relate_unit(struct stubborn *stubborn, uint32_t number, uint64_t *row)
{
    const struct unit *unit = &stubborn->units[number];
    relate_join(stubborn, unit->touched.reads, ALL_WRITES, row);
    relate_join(stubborn, unit->touched.writes, READS | ALL_WRITES, row);
    relate_join(stubborn, unit->touched.sends, READS | WRITES | SENDS, row);
    relate_join(stubborn, unit->touched.receives, READS | WRITES | RECEIVES, row);
    for (uint32_t b = bits_next(row, stubborn->unit_words, 0); b < stubborn->unit_count;
         b = bits_next(row, stubborn->unit_words, b + 1))
        if (b == number || relate_exclude(stubborn, unit, &stubborn->units[b]))
            bits_remove(row, b);
}

void relate_wakers(const struct stubborn *stubborn, uint32_t unit, uint64_t *row)
{
    const struct footprint_sets *touched = &stubborn->units[unit].touched;
    relate_join(stubborn, touched->reads, ALL_WRITES, row);
    relate_join(stubborn, touched->writes, ALL_WRITES, row);
    relate_join(stubborn, touched->sends, ALL_WRITES, row);
    relate_join(stubborn, touched->receives, ALL_WRITES, row);
}

/* --- who enables a conjunct --- */

static bool relate_has_value(const struct guard_conjunct *conjunct, const struct type *type, int64_t value)
{
    int64_t ordinal = type_ordinal(type, value);
    return ordinal >= 0 && bits_has(conjunct->allowed, (uint32_t)ordinal + 1);
}

/* Does the unit's own guard let it run at this value of the cell? */
static bool relate_runs_at(const struct unit *unit, uint32_t cell, const struct type *type, int64_t value)
{
    for (uint32_t i = 0; i < unit->conjunct_count; i++)
        if (unit->conjuncts[i].allowed && unit->conjuncts[i].cell == cell &&
            !relate_has_value(&unit->conjuncts[i], type, value))
            return false;
    return true;
}

/* Can the unit, which writes the only cell that the conjunct reads, make it true? */
static bool relate_can_enable(const struct stubborn *stubborn, const struct unit *unit,
                              const struct guard_conjunct *conjunct)
{
    const struct type *type = stubborn->layout->cells[conjunct->cell].type;
    const struct effect *effect = unit_effect(unit, conjunct->cell);
    if (!effect || effect->kind == EFFECT_ANY)
        return true;
    for (uint32_t i = 0; i < effect->count && effect->kind == EFFECT_CONSTANTS; i++)
        if (relate_has_value(conjunct, type, effect->values[i]))
            return true;
    for (uint32_t v = 0; v < type->size && effect->kind == EFFECT_MORE; v++) {
        int64_t code = type_code(type, v);
        if (!relate_has_value(conjunct, type, code) && relate_has_value(conjunct, type, code + effect->values[0]) &&
            relate_runs_at(unit, conjunct->cell, type, code))
            return true;
    }
    return false;
}

static void relate_conjunct(struct stubborn *stubborn, const struct guard_conjunct *conjunct, uint64_t *row)
{
    uint64_t *cells = memory_alloc(stubborn->cell_words * sizeof *cells);
    relate_join(stubborn, conjunct->reads, WRITES | RECEIVES, row);
    for (uint32_t w = 0; w < stubborn->cell_words; w++)
        cells[w] = conjunct->heads ? conjunct->reads[w] & ~conjunct->heads[w] : conjunct->reads[w];
    relate_join(stubborn, cells, SENDS, row);
    free(cells);
    for (uint32_t b = bits_next(row, stubborn->unit_words, 0); conjunct->allowed && b < stubborn->unit_count;
         b = bits_next(row, stubborn->unit_words, b + 1))
        if (!relate_can_enable(stubborn, &stubborn->units[b], conjunct))
            bits_remove(row, b);
}

/* Rows recur: each is kept once. */
struct row_table {
    uint32_t *slots; /* number + 1; 0: free */
    uint32_t count;  /* a power of two */
};

static void relate_grow(const struct stubborn *stubborn, struct row_table *table)
{
    free(table->slots);
    table->count = table->count ? 2 * table->count : 1024;
    table->slots = memory_zeroed(table->count, sizeof *table->slots);
    for (uint32_t r = 0; r < stubborn->rows.count; r++) {
        uint64_t hash = hash_bytes(stubborn->rows.items[r], stubborn->unit_words * sizeof(uint64_t));
        uint32_t s = (uint32_t)hash & (table->count - 1);
        while (table->slots[s])
            s = (s + 1) & (table->count - 1);
        table->slots[s] = r + 1;
    }
}

static uint32_t relate_intern(struct stubborn *stubborn, struct row_table *table, const uint64_t *row)
{
    size_t size = stubborn->unit_words * sizeof *row;
    if (2 * stubborn->rows.count >= table->count)
        relate_grow(stubborn, table);
    uint32_t s = (uint32_t)hash_bytes(row, size) & (table->count - 1);
    for (; table->slots[s]; s = (s + 1) & (table->count - 1))
        if (memcmp(stubborn->rows.items[table->slots[s] - 1], row, size) == 0)
            return table->slots[s] - 1;
    VEC_PUSH(&stubborn->rows, memcpy(memory_alloc(size), row, size));
    table->slots[s] = (uint32_t)stubborn->rows.count;
    return table->slots[s] - 1;
}

bool relate_units(struct stubborn *stubborn)
{
    struct row_table table = {0};
    size_t size = stubborn->unit_words * sizeof(uint64_t);
    uint64_t *row = memory_alloc(size);
    relate_make_columns(stubborn);
    stubborn->dependent = memory_zeroed((size_t)stubborn->unit_count * stubborn->unit_words + 1, sizeof(uint64_t));
    for (uint32_t u = 0; u < stubborn->unit_count && !watch_is_up(); u++) {
        struct unit *unit = &stubborn->units[u];
        relate_unit(stubborn, u, stubborn->dependent + (size_t)u * stubborn->unit_words);
        for (uint32_t i = 0; i < unit->conjunct_count; i++) {
            memset(row, 0, size);
            relate_conjunct(stubborn, &unit->conjuncts[i], row);
            unit->conjuncts[i].row = relate_intern(stubborn, &table, row);
        }
    }
    free(row);
    free(table.slots);
    return !watch_is_up();
}
