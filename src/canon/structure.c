#include "canon/structure.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "canon/families.h"

typedef VEC(uint32_t) number_list;
typedef VEC(struct use) use_list;
typedef VEC(struct fact) fact_list;

/* What the walk over the state's types has gathered. */
struct builder {
    struct structure *structure;
    number_list elements, strides, addresses;
    number_list path, path_strides; /* the tuple at the cell the walk stands on */
    use_list outside, inside;
    fact_list facts, parts;
    VEC(struct slots) slots;
};

static bool structure_mentions(const struct structure *structure, const struct type *type)
{
    for (uint32_t f = 0; f < structure->factor_count; f++)
        if (structure_type_names(type, &structure->factors[f]))
            return true;
    return false;
}

static uint32_t structure_push_tuple(struct builder *b, size_t from)
{
    uint32_t tuple = (uint32_t)b->elements.count;
    for (size_t p = from; p < b->path.count; p++) {
        VEC_PUSH(&b->elements, b->path.items[p]);
        VEC_PUSH(&b->strides, b->path_strides.items[p]);
    }
    return tuple;
}

/* The address with all positions at the first elements of their factors. */
static uint32_t structure_kind(const struct builder *b, uint32_t address, size_t from)
{
    for (size_t p = from; p < b->path.count; p++) {
        uint32_t element = b->path.items[p];
        uint32_t first = b->structure->factors[b->structure->factor_of[element]].first;
        address -= structure_distance(b->structure, first, element) * b->path_strides.items[p];
    }
    return address;
}

static bool structure_is_ref(const struct structure *structure, const struct type *type)
{
    for (uint32_t i = 0; type_has_index(type) && i < type->size; i++)
        if (structure_element(structure, type_code(type, i)) != NO_ELEMENT)
            return true;
    return false;
}

static void structure_walk(struct builder *b, const struct type *type, uint32_t address, use_list *uses, size_t from);

static void structure_add_cell(struct builder *b, bool is_ref, uint32_t address, use_list *uses, size_t from)
{
    if (!is_ref && b->path.count == from && uses == &b->outside)
        return; /* never moved, never renamed */
    struct use use = {.address = address,
                      .kind = structure_kind(b, address, from),
                      .arity = (uint32_t)(b->path.count - from),
                      .is_ref = is_ref};
    use.tuple = structure_push_tuple(b, from);
    VEC_PUSH(uses, use);
}

static void structure_walk_array(struct builder *b, const struct type *type, uint32_t address, use_list *uses,
                                 size_t from)
{
    for (uint32_t i = 0; i < type->index->size; i++) {
        int32_t code = type_code(type->index, i);
        bool is_coded = type->index->kind >= TYPE_ENUM; /* the codes of ranges and booleans mean no elements */
        uint32_t element = is_coded ? structure_element(b->structure, code) : NO_ELEMENT;
        if (element != NO_ELEMENT) {
            VEC_PUSH(&b->path, element);
            VEC_PUSH(&b->path_strides, type->element->cells);
        }
        structure_walk(b, type->element, address + i * type->element->cells, uses, from);
        if (element != NO_ELEMENT) {
            b->path.count--;
            b->path_strides.count--;
        }
    }
}

static int structure_compare_uses(const struct builder *b, const struct use *x, const struct use *y)
{
    if (x->arity != y->arity)
        return x->arity < y->arity ? -1 : 1;
    for (uint32_t p = 0; p < x->arity; p++) {
        uint32_t e = b->elements.items[x->tuple + p], f = b->elements.items[y->tuple + p];
        if (e != f)
            return e < f ? -1 : 1;
    }
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int structure_compare(const void *x, const void *y, void *builder)
{
    return structure_compare_uses(builder, x, y);
}

static bool structure_same_tuple(const struct builder *b, const struct use *x, const struct use *y)
{
    if (x->arity != y->arity)
        return false;
    for (uint32_t p = 0; p < x->arity; p++)
        if (b->elements.items[x->tuple + p] != b->elements.items[y->tuple + p])
            return false;
    return true;
}

/* Which positions hold the same element: a cell at (e, e) is unlike one at (e, f). */
static uint64_t structure_pattern(const struct builder *b, uint32_t tuple, uint32_t arity)
{
    uint64_t pattern = arity;
    for (uint32_t p = 0; p < arity; p++)
        for (uint32_t q = 0; q < p; q++)
            pattern = 2 * pattern + (b->elements.items[tuple + p] == b->elements.items[tuple + q]);
    return pattern;
}

static void structure_push_addresses(struct builder *b, const struct use *use, size_t count, bool is_ref)
{
    for (size_t i = 0; i < count; i++)
        if (use[i].is_ref == is_ref)
            VEC_PUSH(&b->addresses, use[i].address);
}

/* Sorts the uses from `first` on by tuple and kind, and makes a fact of each run with the same tuple. */
static void structure_group(struct builder *b, use_list *uses, size_t first, fact_list *into)
{
    if (uses->count > first)
        qsort_r(uses->items + first, uses->count - first, sizeof *uses->items, structure_compare, b);
    for (size_t end, at = first; at < uses->count; at = end) {
        const struct use *use = &uses->items[at];
        for (end = at + 1; end < uses->count && structure_same_tuple(b, use, &uses->items[end]);)
            end++;
        struct fact fact = {.kind = use->kind, .tuple = use->tuple, .arity = use->arity};
        fact.uses = (uint32_t)at;
        fact.use_count = (uint32_t)(end - at);
        uint64_t pattern = structure_pattern(b, use->tuple, use->arity);
        fact.seed = hash_combine(hash_mix(use->kind), pattern);
        for (size_t u = at; u < end; u++) {
            uses->items[u].fact = (uint32_t)into->count;
            uses->items[u].weight = hash_combine(hash_mix(uses->items[u].kind) + 2, pattern) | 1;
            uses->items[u].mixed = hash_mix(uses->items[u].weight);
        }
        fact.plain = (uint32_t)b->addresses.count;
        structure_push_addresses(b, use, end - at, false);
        fact.refs = (uint32_t)b->addresses.count;
        fact.plain_count = fact.refs - fact.plain;
        structure_push_addresses(b, use, end - at, true);
        fact.ref_count = (uint32_t)b->addresses.count - fact.refs;
        VEC_PUSH(into, fact);
    }
}

static void structure_walk_multiset(struct builder *b, const struct type *type, uint32_t address, use_list *uses,
                                    size_t from)
{
    uint32_t stride = multiset_stride(type);
    if (!structure_mentions(b->structure, type->element) || uses == &b->inside) {
        for (uint32_t s = 0; s < type->capacity; s++) {
            structure_add_cell(b, false, address + s * stride, uses, from);
            structure_walk(b, type->element, address + s * stride + 1, uses, from);
        }
        return;
    }
    struct slots slots = {.address = address, .stride = stride, .capacity = type->capacity};
    slots.kind = structure_kind(b, address, 0);
    slots.tuple = structure_push_tuple(b, 0);
    slots.arity = (uint32_t)b->path.count;
    slots.seed = hash_combine(hash_mix(slots.kind) + 1, structure_pattern(b, slots.tuple, slots.arity));
    slots.uses = (uint32_t)b->inside.count;
    slots.parts = (uint32_t)b->parts.count;
    structure_walk(b, type->element, 1, &b->inside, b->path.count);
    slots.use_count = (uint32_t)b->inside.count - slots.uses;
    structure_group(b, &b->inside, slots.uses, &b->parts);
    slots.part_count = (uint32_t)b->parts.count - slots.parts;
    slots.is_bare = slots.arity == 0;
    for (uint32_t q = 0; q < slots.part_count; q++)
        slots.is_bare &= b->parts.items[slots.parts + q].arity == 0;
    if (type->cells > b->structure->largest_multiset)
        b->structure->largest_multiset = type->cells;
    VEC_PUSH(&b->slots, slots);
}

static void structure_walk(struct builder *b, const struct type *type, uint32_t address, use_list *uses, size_t from)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        structure_walk_array(b, type, address, uses, from);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            structure_walk(b, type->fields[f].type, address + type->fields[f].offset, uses, from);
        return;
    case TYPE_MULTISET:
        structure_walk_multiset(b, type, address, uses, from);
        return;
    default:
        structure_add_cell(b, structure_is_ref(b->structure, type), address, uses, from);
        return;
    }
}

static void structure_add_type(struct structure *s, struct moved_factor *moved, const struct type *type)
{
    const struct type **types = ARENA_ARRAY(s->arena, const struct type *, moved->type_count + 1);
    if (moved->type_count)
        memcpy(types, moved->types, moved->type_count * sizeof *types);
    types[moved->type_count++] = type;
    moved->types = types;
}

/* The points of an orbit become elements. */
static void structure_add_factor(struct structure *s, const struct symmetry *symmetry, uint32_t index, uint32_t orbit,
                                 const uint32_t *orbits)
{
    const struct symmetry_factor *factor = &symmetry->factors[index];
    struct moved_factor *moved = &s->factors[s->factor_count];
    *moved = (struct moved_factor){.index = index, .first = s->element_count};
    structure_add_type(s, moved, factor->points[orbit].type);
    moved->is_full = factor->kind == SYMMETRY_FULL;
    for (uint32_t p = 0; p < factor->degree; p++) {
        if (orbits[p] != orbit)
            continue;
        ENSURE(factor->points[p].type == moved->types[0]);
        s->factor_of[s->element_count] = s->factor_count;
        s->code_of[s->element_count++] = symmetry_code(factor->points[p]);
        moved->degree++;
    }
    s->factor_count++;
}

static void structure_span_codes(struct structure *s, const struct symmetry *symmetry)
{
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        for (uint32_t p = 0; symmetry->factors[f].is_used && p < symmetry->factors[f].degree; p++) {
            int32_t code = symmetry_code(symmetry->factors[f].points[p]);
            low = code < low ? code : low;
            high = code > high ? code : high;
        }
    s->code_low = low;
    s->code_span = s->element_count ? (uint32_t)(high - low) + 1 : 0;
    s->element_at = ARENA_ARRAY(s->arena, uint32_t, s->code_span);
    s->point_at = ARENA_ARRAY(s->arena, uint32_t, s->code_span);
    memset(s->element_at, 0xff, s->code_span * sizeof *s->element_at);
    for (uint32_t e = 0; e < s->element_count; e++)
        s->element_at[s->code_of[e] - low] = e;
}

/* Elements by the codes of all points; an element of several families has a code in each. */
static void structure_number_codes(struct structure *s, const struct symmetry *symmetry, uint32_t **leads)
{
    structure_span_codes(s, symmetry);
    for (uint32_t f = 0; f < symmetry->factor_count && s->element_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        for (uint32_t p = 0; factor->is_used && p < factor->degree; p++) {
            uint32_t at = (uint32_t)(symmetry_code(factor->points[p]) - s->code_low);
            s->point_at[at] = p;
            if (leads[f])
                s->element_at[at] = structure_element(s, symmetry_code(factor->points[leads[f][p]]));
        }
    }
}

/* Points that nothing moves are plain values. */
static void structure_add_orbits(struct structure *s, const struct symmetry *symmetry, uint32_t f,
                                 const uint32_t *orbits, const uint32_t *lead)
{
    const struct symmetry_factor *factor = &symmetry->factors[f];
    for (uint32_t p = 0; p < factor->degree; p++) {
        uint32_t length = 0;
        for (uint32_t q = p; q < factor->degree && orbits[p] == p; q++)
            length += orbits[q] == p;
        if (length > 1 && (!lead || orbits[lead[p]] == p))
            structure_add_factor(s, symmetry, f, p, orbits);
        else if (length > 1)
            structure_add_type(s, &s->factors[s->factor_count - 1], factor->points[p].type);
    }
    if (lead)
        s->factors[s->factor_count - 1].is_full = true;
}

/* Those of different orbits are never exchanged: a factor here is an orbit, or several that go together. */
static void structure_number_elements(struct structure *s, const struct symmetry *symmetry)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        most += symmetry->factors[f].is_used ? symmetry->factors[f].degree : 0;
    s->factors = ARENA_ARRAY(s->arena, struct moved_factor, most);
    s->factor_of = ARENA_ARRAY(s->arena, uint32_t, most);
    s->code_of = ARENA_ARRAY(s->arena, int32_t, most);
    s->point_count = most;
    uint32_t *orbits = memory_zeroed((size_t)most + 1, sizeof *orbits);
    uint32_t **leads = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *leads);
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        symmetry_orbits(&symmetry->factors[f], orbits);
        leads[f] = families_of(&symmetry->factors[f], s->layout, orbits);
        structure_add_orbits(s, symmetry, f, orbits, leads[f]);
        s->is_generated |= symmetry->factors[f].kind != SYMMETRY_FULL && !leads[f];
    }
    structure_number_codes(s, symmetry, leads);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        free(leads[f]);
    free(leads);
    free(orbits);
}

bool structure_is_full(const struct structure *s, uint32_t index)
{
    for (uint32_t f = 0; f < s->factor_count; f++)
        if (s->factors[f].index == index)
            return s->factors[f].is_full;
    return true;
}

struct structure *structure_create(const struct symmetry *symmetry, const struct layout *layout)
{
    struct arena *arena = arena_create();
    struct structure *s = ARENA_NEW(arena, struct structure);
    s->arena = arena;
    s->layout = layout;
    s->cell_count = layout->cell_count;
    structure_number_elements(s, symmetry);
    struct builder b = {.structure = s};
    for (size_t g = 0; s->element_count && g < layout->system->globals.count; g++)
        structure_walk(&b, layout->system->globals.items[g]->type, layout->system->globals.items[g]->address,
                       &b.outside, 0);
    structure_group(&b, &b.outside, 0, &b.facts);
    s->use_count = (uint32_t)b.outside.count;
    s->fact_count = (uint32_t)b.facts.count;
    s->slots_count = (uint32_t)b.slots.count;
    s->elements = VEC_SEAL(&b.elements, arena);
    s->strides = VEC_SEAL(&b.strides, arena);
    s->addresses = VEC_SEAL(&b.addresses, arena);
    s->uses = VEC_SEAL(&b.outside, arena);
    s->slot_uses = VEC_SEAL(&b.inside, arena);
    s->facts = VEC_SEAL(&b.facts, arena);
    s->parts = VEC_SEAL(&b.parts, arena);
    s->slots = VEC_SEAL(&b.slots, arena);
    VEC_FREE(&b.path);
    VEC_FREE(&b.path_strides);
    structure_index(s);
    return s;
}

void structure_destroy(struct structure *structure)
{
    if (structure)
        arena_destroy(structure->arena);
}
