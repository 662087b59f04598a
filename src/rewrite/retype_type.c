#include "base/text.h"
#include "rewrite/retyping.h"

static struct type *retype_copy(struct retyping *r, const struct type *type)
{
    struct type *copy = ARENA_NEW(r->new->arena, struct type);
    *copy = *type;
    return copy;
}

static void retype_set_block(struct retyping *r, struct type *type, int64_t lo, int64_t hi, const struct type *owner)
{
    struct code_block *block = ARENA_NEW(r->new->arena, struct code_block);
    *block = (struct code_block){.lo = (int32_t)lo, .hi = (int32_t)hi, .owner = owner};
    type->blocks = block;
    type->block_count = 1;
    type->size = (uint32_t)(hi - lo + 1);
    type->cells = 1;
}

/* The elements are named as the values were. */
static const char *const *retype_labels(struct retyping *r, const struct carrier *carrier)
{
    if (carrier->type->labels)
        return carrier->type->labels;
    uint32_t size = (uint32_t)(carrier->hi - carrier->lo + 1);
    const char **labels = ARENA_ARRAY(r->new->arena, const char *, size);
    for (uint32_t i = 0; i < size; i++)
        labels[i] = arena_format(r->new->arena, "%d", carrier->lo + (int32_t)i);
    return labels;
}

static const char *retype_name(struct retyping *r, const struct type *type)
{
    if (type->name)
        return type->name;
    struct text text = {0};
    type_print_structure(type, &text);
    const char *name = arena_string(r->new->arena, text_chars(&text));
    text_free(&text);
    return name;
}

/* Enums keep their codes; ranges get codes of their own. The widest type becomes the index type when it spans the
 * carrier; else one is added. */
static bool retype_carrier(struct retyping *r, uint32_t number)
{
    const struct carrier *carrier = &r->carriers->items[number];
    const struct type *widest = carrier->type;
    if (widest->kind == TYPE_RANGE) {
        int64_t size = (int64_t)carrier->hi - carrier->lo + 1;
        if (r->new->next_code + size > INT32_MAX)
            return false;
        r->shift[number] = (int64_t)r->new->next_code - carrier->lo;
        r->new->next_code += (int32_t)size;
    }
    struct type *index = retype_copy(r, widest);
    index->kind = TYPE_INDEX;
    index->name = retype_name(r, widest);
    index->labels = retype_labels(r, carrier);
    index->origin = widest;
    retype_set_block(r, index, carrier->lo + r->shift[number], carrier->hi + r->shift[number], index);
    bool spans = widest->blocks->lo == carrier->lo && widest->blocks->hi == carrier->hi;
    if (spans) {
        r->types[widest->id] = index;
    } else {
        index->names = NULL; /* of fewer values */
        index->id = (uint32_t)r->new->types.count;
        VEC_PUSH(&r->new->types, index);
    }
    r->indices[number] = index;
    return true;
}

/* Another type of the carrier: some or all of its elements. */
static const struct type *retype_part(struct retyping *r, const struct type *type, uint32_t number)
{
    struct type *part = retype_copy(r, type);
    int64_t shift = r->shift[number];
    part->kind = TYPE_UNION;
    part->name = retype_name(r, type);
    retype_set_block(r, part, type->blocks->lo + shift, type->blocks->hi + shift, r->indices[number]);
    return part;
}

static const struct type *retype_one(struct retyping *r, const struct type *type);

/* A part of a range that became an index type may stand before it. */
static const struct type *retype_owner(struct retyping *r, const struct type *owner)
{
    if (!r->types[owner->id])
        r->types[owner->id] = retype_one(r, owner);
    return r->types[owner->id];
}

static const struct type *retype_union(struct retyping *r, const struct type *type)
{
    struct code_block *blocks = arena_copy(r->new->arena, type->blocks, type->block_count * sizeof *blocks);
    bool is_same = true;
    for (uint32_t b = 0; b < type->block_count; b++) {
        blocks[b].owner = retype_owner(r, blocks[b].owner);
        is_same &= blocks[b].owner == type->blocks[b].owner;
    }
    if (is_same)
        return type;
    struct type *copy = retype_copy(r, type);
    copy->blocks = blocks;
    return copy;
}

static const struct type *retype_array(struct retyping *r, const struct type *type)
{
    const struct type *index = retype_type(r, type->index), *element = retype_type(r, type->element);
    if (index == type->index && element == type->element)
        return type;
    struct type *copy = retype_copy(r, type);
    copy->index = index;
    copy->element = element;
    return copy;
}

static const struct type *retype_record(struct retyping *r, const struct type *type)
{
    struct field *fields = arena_copy(r->new->arena, type->fields, type->field_count * sizeof *fields);
    bool is_same = true;
    for (uint32_t f = 0; f < type->field_count; f++) {
        fields[f].type = retype_type(r, fields[f].type);
        is_same &= fields[f].type == type->fields[f].type;
    }
    if (is_same)
        return type;
    struct type *copy = retype_copy(r, type);
    copy->fields = fields;
    return copy;
}

static const struct type *retype_one(struct retyping *r, const struct type *type)
{
    uint32_t number;
    switch (type->kind) {
    case TYPE_RANGE:
        number = retype_wanted(r, carriers_of_type(r->carriers, type));
        return number == NO_CARRIER ? type : retype_part(r, type, number);
    case TYPE_UNION:
        return retype_union(r, type);
    case TYPE_ARRAY:
    case TYPE_MULTISET:
        return retype_array(r, type);
    case TYPE_RECORD:
        return retype_record(r, type);
    default:
        return type;
    }
}

/* Types keep their ids; those made of others come after them, but for retype_owner. */
bool retype_types(struct retyping *r)
{
    size_t count = r->old->types.count;
    for (size_t t = 0; t < count; t++)
        VEC_PUSH(&r->new->types, r->old->types.items[t]);
    for (uint32_t c = 0; c < r->carriers->count; c++) {
        const struct carrier *carrier = &r->carriers->items[c];
        if (carrier->is_declared)
            r->indices[c] = carrier->type;
        else if (carrier->is_wanted && !retype_carrier(r, c))
            return false;
    }
    for (size_t t = 0; t < count; t++) {
        if (!r->types[t])
            r->types[t] = retype_one(r, r->old->types.items[t]);
        r->new->types.items[t] = r->types[t];
    }
    return true;
}
