#include "ir/type.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ir/system.h"

static struct type *type_new(struct system *system, enum type_kind kind, const char *name, struct span span)
{
    struct type *type = ARENA_NEW(system->arena, struct type);
    type->kind = kind;
    type->name = name ? arena_string(system->arena, name) : NULL;
    type->span = span;
    type->id = (uint32_t)system->types.count;
    VEC_PUSH(&system->types, type);
    return type;
}

/* Makes the type a scalar whose codes are lo..hi. */
static void type_set_block(struct system *system, struct type *type, int32_t lo, int32_t hi)
{
    struct code_block *block = ARENA_NEW(system->arena, struct code_block);
    *block = (struct code_block){.lo = lo, .hi = hi, .owner = type};
    type->blocks = block;
    type->block_count = 1;
    type->size = (uint32_t)((int64_t)hi - lo + 1);
    type->cells = 1;
}

const struct type *type_bool(struct system *system)
{
    if (!system->boolean) {
        struct type *type = type_new(system, TYPE_BOOL, "boolean", (struct span){0});
        type_set_block(system, type, 0, 1);
        system->boolean = type;
    }
    return system->boolean;
}

static struct type *range_new(struct system *system, const char *name, int32_t lo, int32_t hi, struct span span)
{
    ENSURE(lo <= hi && lo != UNDEFINED);
    struct type *type = type_new(system, TYPE_RANGE, name, span);
    type_set_block(system, type, lo, hi);
    return type;
}

const struct type *type_range(struct system *system, const char *name, int32_t lo, int32_t hi, struct span span)
{
    return range_new(system, name, lo, hi, span);
}

const struct type *type_cut_range(struct system *system, const char *name, int32_t hi, struct span span)
{
    struct type *type = range_new(system, name, INT32_MIN + 1, hi, span);
    type->is_cut = true;
    return type;
}

const struct type *type_least_range(struct system *system, const char *name, int32_t hi, struct span span)
{
    struct type *type = range_new(system, name, INT32_MIN + 1, hi > INT32_MIN ? hi : INT32_MIN + 1, span);
    type->is_least_undefined = true;
    return type;
}

const struct type *type_named_range(struct system *system, int32_t lo, int32_t hi, const char *const *names,
                                    bool has_things, struct span span)
{
    struct type *type = range_new(system, NULL, lo, hi, span);
    const char **copy = ARENA_ARRAY(system->arena, const char *, type->size);
    for (uint32_t i = 0; i < type->size; i++)
        copy[i] = names[i] ? arena_string(system->arena, names[i]) : NULL;
    type->names = copy;
    type->has_things = has_things;
    return type;
}

/* A type with the next `count` codes no other type has; NULL when there are not so many. */
static struct type *type_new_named(struct system *system, enum type_kind kind, const char *name, uint32_t count,
                                   struct span span)
{
    ENSURE(count > 0);
    if ((int64_t)system->next_code + count > INT32_MAX)
        return NULL;
    struct type *type = type_new(system, kind, name, span);
    int32_t lo = system->next_code;
    type_set_block(system, type, lo, (int32_t)(lo + (int64_t)count - 1));
    system->next_code = (int32_t)(lo + (int64_t)count);
    return type;
}

static struct type *enum_new(struct system *system, const char *name, const char *const *labels, uint32_t count,
                             struct span span)
{
    struct type *type = type_new_named(system, TYPE_ENUM, name, count, span);
    if (!type)
        return NULL;
    const char **copies = ARENA_ARRAY(system->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        copies[i] = arena_string(system->arena, labels[i]);
    type->labels = copies;
    return type;
}

const struct type *type_enum(struct system *system, const char *name, const char *const *labels, uint32_t count,
                             struct span span)
{
    return enum_new(system, name, labels, count, span);
}

const struct type *type_places(struct system *system, const char *name, const char *const *labels, uint32_t count,
                               struct span span)
{
    struct type *type = enum_new(system, name, labels, count, span);
    if (type)
        type->has_things = true;
    return type;
}

const struct type *type_index(struct system *system, const char *name, uint32_t size, struct span span)
{
    return type_new_named(system, TYPE_INDEX, name, size, span);
}

/* Blocks stay sorted by code, so that ordinals follow codes; a block met twice is kept once. */
static uint32_t type_insert_block(struct code_block *blocks, uint32_t count, struct code_block block)
{
    uint32_t at = count;
    while (at > 0 && blocks[at - 1].lo > block.lo)
        at--;
    if (at > 0 && blocks[at - 1].owner == block.owner)
        return count;
    memmove(blocks + at + 1, blocks + at, (count - at) * sizeof *blocks);
    blocks[at] = block;
    return count + 1;
}

const struct type *type_union(struct system *system, const char *name, const struct type *const *members,
                              uint32_t count, struct span span)
{
    uint32_t most = 0;
    for (uint32_t m = 0; m < count; m++) {
        enum type_kind kind = members[m]->kind;
        ENSURE(kind == TYPE_ENUM || kind == TYPE_INDEX || kind == TYPE_UNION);
        most += members[m]->block_count;
    }
    ENSURE(most > 0);
    struct type *type = type_new(system, TYPE_UNION, name, span);
    struct code_block *blocks = ARENA_ARRAY(system->arena, struct code_block, most);
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t b = 0; b < members[m]->block_count; b++)
            type->block_count = type_insert_block(blocks, type->block_count, members[m]->blocks[b]);
    for (uint32_t b = 0; b < type->block_count; b++)
        type->size += (uint32_t)(blocks[b].hi - blocks[b].lo + 1);
    type->blocks = blocks;
    type->cells = 1;
    return type;
}

const struct type *type_array(struct system *system, const char *name, const struct type *index,
                              const struct type *element, struct span span)
{
    ENSURE(type_is_scalar(index));
    uint64_t cells = (uint64_t)index->size * element->cells;
    if (cells > TYPE_MAX_CELLS)
        return NULL;
    struct type *type = type_new(system, TYPE_ARRAY, name, span);
    type->index = index;
    type->element = element;
    type->cells = (uint32_t)cells;
    return type;
}

const struct type *type_record(struct system *system, const char *name, const struct field *fields, uint32_t count,
                               struct span span)
{
    uint64_t cells = 0;
    for (uint32_t f = 0; f < count; f++)
        cells += fields[f].type->cells;
    if (cells > TYPE_MAX_CELLS)
        return NULL;
    struct type *type = type_new(system, TYPE_RECORD, name, span);
    struct field *copies = ARENA_ARRAY(system->arena, struct field, count);
    for (uint32_t f = 0; f < count; f++) {
        copies[f] = (struct field){
            .name = arena_string(system->arena, fields[f].name), .type = fields[f].type, .offset = type->cells};
        type->cells += fields[f].type->cells;
    }
    type->fields = copies;
    type->field_count = count;
    return type;
}

const struct type *type_multiset(struct system *system, const char *name, const struct type *element, uint32_t capacity,
                                 struct span span)
{
    ENSURE(capacity > 0);
    uint64_t cells = (uint64_t)capacity * (1 + (uint64_t)element->cells);
    if (cells > TYPE_MAX_CELLS)
        return NULL;
    struct type *type = type_new(system, TYPE_MULTISET, name, span);
    type->element = element;
    type->capacity = capacity;
    type->cells = (uint32_t)cells;
    return type;
}

int64_t type_ordinal(const struct type *type, int64_t code)
{
    int64_t before = 0;
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        if (code >= block->lo && code <= block->hi)
            return before + (code - block->lo);
        before += (int64_t)block->hi - block->lo + 1;
    }
    return -1;
}

bool type_interval(const struct type *type, int64_t *low, int64_t *high)
{
    for (uint32_t i = 0; i + 1 < type->block_count; i++)
        if ((int64_t)type->blocks[i].hi + 1 != type->blocks[i + 1].lo)
            return false;
    *low = type->blocks[0].lo;
    *high = type->blocks[type->block_count - 1].hi;
    return true;
}

int32_t type_code(const struct type *type, uint32_t ordinal)
{
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        uint32_t size = (uint32_t)((int64_t)block->hi - block->lo + 1);
        if (ordinal < size)
            return (int32_t)(block->lo + (int64_t)ordinal);
        ordinal -= size;
    }
    UNREACHABLE("ordinal outside the type");
}

bool type_mentions(const struct type *type, const struct type *index)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_RANGE:
    case TYPE_ENUM:
    case TYPE_INDEX:
    case TYPE_UNION:
        for (uint32_t b = 0; b < type->block_count; b++)
            if (type->blocks[b].owner == index)
                return true;
        return false;
    case TYPE_ARRAY:
        return type_mentions(type->index, index) || type_mentions(type->element, index);
    case TYPE_MULTISET:
        return type_mentions(type->element, index);
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type_mentions(type->fields[f].type, index))
                return true;
        return false;
    }
    UNREACHABLE("type kind");
}

/* True if a scalar that the value has from the start satisfies the test: a multiset is empty at first. */
static bool type_some(const struct type *type, bool (*test)(const struct type *))
{
    switch (type->kind) {
    case TYPE_ARRAY:
        return type_some(type->element, test);
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type_some(type->fields[f].type, test))
                return true;
        return false;
    default:
        return test(type);
    }
}

static bool type_is_cut(const struct type *type)
{
    return type->is_cut;
}

bool type_has_cut(const struct type *type)
{
    return type_some(type, type_is_cut);
}

static bool type_holds_least(const struct type *type)
{
    return type->is_least_undefined;
}

bool type_has_least(const struct type *type)
{
    return type_some(type, type_holds_least);
}

bool type_has_multiset(const struct type *type)
{
    switch (type->kind) {
    case TYPE_MULTISET:
        return true;
    case TYPE_ARRAY:
        return type_has_multiset(type->element);
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type_has_multiset(type->fields[f].type))
                return true;
        return false;
    default:
        return false;
    }
}

bool type_has_index(const struct type *type)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (type->blocks[b].owner->kind == TYPE_INDEX)
            return true;
    return false;
}

static const struct code_block *type_find_block(const struct type *type, int32_t code)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            return &type->blocks[b];
    return NULL;
}

void type_print_value(const struct type *type, int32_t code, struct text *out)
{
    if (!type_has_value(type, code)) {
        text_append(out, "undefined");
        return;
    }
    const struct code_block *block = type_find_block(type, code);
    const struct type *owner = block ? block->owner : type;
    if (type_has_name(type, code))
        text_append(out, type->names[type_ordinal(type, code)]);
    else if (owner->kind == TYPE_BOOL && block)
        text_append(out, code ? "true" : "false");
    else if (owner->kind == TYPE_ENUM && block)
        text_append(out, owner->labels[code - block->lo]);
    else if (owner->kind == TYPE_INDEX && block && owner->labels)
        text_append(out, owner->labels[code - owner->blocks->lo]);
    else if (owner->kind == TYPE_INDEX && block)
        text_format(out, "%s_%d", owner->name ? owner->name : "element", code - block->lo + 1);
    else
        text_format(out, "%d", code);
}

bool type_number(const struct type *type, int32_t code, int64_t *number)
{
    const struct code_block *block = type_find_block(type, code);
    const struct type *owner = block ? block->owner : type;
    if (owner->kind == TYPE_RANGE) {
        *number = code;
        return true;
    }
    if (!block || !owner->origin || owner->origin->kind != TYPE_RANGE)
        return false;
    *number = strtoll(owner->labels[code - owner->blocks->lo], NULL, 10);
    return true;
}

static void type_print_members(const struct type *type, struct text *out)
{
    text_append(out, "union {");
    for (uint32_t b = 0; b < type->block_count; b++) {
        text_append(out, b ? ", " : "");
        type_print(type->blocks[b].owner, out);
    }
    text_char(out, '}');
}

static void type_print_fields(const struct type *type, struct text *out)
{
    text_append(out, "record {");
    for (uint32_t f = 0; f < type->field_count; f++) {
        text_format(out, "%s%s: ", f ? "; " : "", type->fields[f].name);
        type_print(type->fields[f].type, out);
    }
    text_char(out, '}');
}

void type_print_structure(const struct type *type, struct text *out)
{
    switch (type->kind) {
    case TYPE_BOOL:
        text_append(out, "boolean");
        return;
    case TYPE_RANGE:
        text_format(out, "%d..%d", type->is_cut || type->is_least_undefined ? INT32_MIN : type->blocks->lo,
                    type->blocks->hi);
        return;
    case TYPE_ENUM:
        text_append(out, "enum {");
        for (uint32_t i = 0; i < type->size; i++)
            text_format(out, "%s%s", i ? ", " : "", type->labels[i]);
        text_char(out, '}');
        return;
    case TYPE_INDEX:
        if (type->origin)
            type_print_structure(type->origin, out);
        else
            text_format(out, "scalarset(%u)", type->size);
        return;
    case TYPE_UNION:
        type_print_members(type, out);
        return;
    case TYPE_ARRAY:
        text_append(out, "array [");
        type_print(type->index, out);
        text_append(out, "] of ");
        type_print(type->element, out);
        return;
    case TYPE_RECORD:
        type_print_fields(type, out);
        return;
    case TYPE_MULTISET:
        text_format(out, "multiset [%u] of ", type->capacity);
        type_print(type->element, out);
        return;
    }
    UNREACHABLE("type kind");
}

void type_print(const struct type *type, struct text *out)
{
    if (type->name)
        text_append(out, type->name);
    else
        type_print_structure(type, out);
}

bool type_has_same_values(const struct type *a, const struct type *b)
{
    bool is_same =
        a == b || (a && b && a->block_count == b->block_count && a->is_least_undefined == b->is_least_undefined);
    for (uint32_t i = 0; is_same && a != b && i < a->block_count; i++)
        is_same = a->blocks[i].lo == b->blocks[i].lo && a->blocks[i].hi == b->blocks[i].hi;
    return is_same;
}
