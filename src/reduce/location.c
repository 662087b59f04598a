/* Locations: the local states of elements, interned. */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "reduce/inner.h"

static uint64_t location_hash(const struct reduce_family *family, const int32_t *values)
{
    return hash_bytes(values, family->cell_count * sizeof *values);
}

static uint32_t *location_slot(const struct reduce_family *family, const int32_t *values)
{
    uint32_t at = (uint32_t)location_hash(family, values) & (family->table_size - 1);
    for (;; at = (at + 1) & (family->table_size - 1)) {
        uint32_t entry = family->table[at];
        if (!entry || !memcmp(family->locations.items[entry - 1].values, values, family->cell_count * sizeof *values))
            return &family->table[at];
    }
}

static void location_grow(struct reduce_family *family)
{
    free(family->table);
    family->table_size = family->table_size ? 2 * family->table_size : 64;
    family->table = memory_zeroed(family->table_size, sizeof *family->table);
    for (uint32_t l = 0; l < family->locations.count; l++)
        *location_slot(family, family->locations.items[l].values) = l + 1;
}

uint32_t location_find(const struct reduce_family *family, const int32_t *values)
{
    uint32_t entry = family->table_size ? *location_slot(family, values) : 0;
    return entry ? entry - 1 : NONE;
}

uint32_t location_intern(struct reducer *reducer, uint32_t number, const int32_t *values)
{
    struct reduction *reduction = reducer->reduction;
    struct reduce_family *family = &reduction->families[number];
    if (2 * (family->locations.count + 1) > family->table_size)
        location_grow(family);
    uint32_t *slot = location_slot(family, values);
    if (*slot)
        return *slot - 1;
    reducer->is_broken |= !reducer->is_analysis;
    struct location location = {0};
    location.values = arena_copy(reduction->arena, values, family->cell_count * sizeof *values);
    location.live = ARENA_ARRAY(reduction->arena, uint64_t, family->words);
    location.read = ARENA_ARRAY(reduction->arena, uint64_t, family->words);
    location.class = NONE;
    VEC_PUSH(&family->locations, location);
    *slot = (uint32_t)family->locations.count;
    return *slot - 1;
}

void location_reach(struct reducer *reducer, uint32_t number, uint32_t location)
{
    struct reduce_family *family = &reducer->reduction->families[number];
    if (family->locations.items[location].is_reached)
        return;
    reducer->is_broken |= !reducer->is_analysis;
    if (reducer->is_broken)
        return;
    family->locations.items[location].is_reached = true;
    family->locations.items[location].class = (uint32_t)family->classes.count;
    VEC_PUSH(&family->classes, location);
    reducer->found = true;
}

/* A value as a part of a name, in which there is no minus. */
static void print_in_name(const struct type *type, int32_t value, struct text *out)
{
    if (value < 0 && type->kind == TYPE_RANGE)
        text_format(out, "m%lld", -(long long)value);
    else
        type_print_value(type, value, out);
}

/* The last part of "proc[...].pc": what the user calls the cell. */
static void location_cell_name(const struct reduction *reduction, const struct local_cell *cell, struct text *out)
{
    const struct system *system = reduction->system;
    struct text name = {0};
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        if (cell->address < variable->address || cell->address - variable->address >= variable->type->cells)
            continue;
        uint32_t offset = cell->address - variable->address;
        text_append(&name, variable->name);
        for (const struct type *type = variable->type; !type_is_scalar(type);) {
            if (type->kind == TYPE_RECORD) {
                uint32_t f = 0;
                while (offset - type->fields[f].offset >= type->fields[f].type->cells)
                    f++;
                text_clear(&name);
                text_append(&name, type->fields[f].name);
                offset -= type->fields[f].offset;
                type = type->fields[f].type;
                continue;
            }
            uint32_t ordinal = offset / type->element->cells;
            int32_t code = type_code(type->index, ordinal);
            if (!type_has_index(type->index) || families_of_code(reduction, code) == NONE) {
                text_char(&name, '_');
                print_in_name(type->index, code, &name);
            }
            offset %= type->element->cells;
            type = type->element;
        }
    }
    text_append(out, text_chars(&name));
    text_free(&name);
}

static void location_value_name(const struct reduction *reduction, const struct local_cell *cell, int32_t value,
                                struct text *out)
{
    if (cell->type->kind == TYPE_BOOL || value == UNDEFINED)
        text_append(out, value == UNDEFINED ? "undef_" : value ? "" : "not_");
    if (cell->type->kind == TYPE_BOOL || cell->type->kind == TYPE_RANGE || value == UNDEFINED)
        location_cell_name(reduction, cell, out);
    if (value == UNDEFINED || cell->type->kind == TYPE_BOOL)
        return;
    print_in_name(cell->type, value, out);
}

void location_name(const struct reduction *reduction, const struct reduce_family *family, uint32_t number,
                   struct text *out)
{
    const struct location *location = &family->locations.items[number];
    size_t length = out->length;
    for (uint32_t c = 0; c < family->cell_count; c++) {
        if (!(location->live[c / 64] >> c % 64 & 1))
            continue;
        if (out->length > length)
            text_char(out, '_');
        location_value_name(reduction, &family->cells[c], location->values[c], out);
    }
    if (out->length == length)
        text_format(out, "Any_%s", family->type->name);
}

void location_note_read(struct reduce_run *run, const struct element *element, uint32_t cell)
{
    struct reduce_family *family = &run->reducer->reduction->families[element->family];
    if (run->reducer->is_analysis && !(element->written[cell / 64] >> cell % 64 & 1))
        family->locations.items[element->location].read[cell / 64] |= UINT64_C(1) << cell % 64;
}

void location_note_passage(struct reduce_run *run, const struct element *element, uint32_t to)
{
    struct reduction *reduction = run->reducer->reduction;
    struct reduce_family *family = &reduction->families[element->family];
    if (!run->reducer->is_analysis || run->mode == RUN_START)
        return;
    struct passage passage = {.from = element->location, .to = to};
    passage.kept = ARENA_ARRAY(reduction->arena, uint64_t, family->words);
    for (uint32_t w = 0; w < family->words; w++)
        passage.kept[w] = ~element->written[w];
    VEC_PUSH(&family->passages, passage);
}
