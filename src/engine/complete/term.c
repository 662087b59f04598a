/* The table of terms, and the terms that stand for values. */
#include "engine/complete/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "ir/arith.h"

const struct complete_term term_many_leaves = {.kind = TERM_CONST};

static uint64_t term_hash(const struct complete_term *term)
{
    uint64_t hash = hash_mix((uint64_t)term->kind << 32 | (uint64_t)term->op << 24 | term->count);
    hash = hash_combine(hash, (uint64_t)term->object << 32 | term->slot);
    hash = hash_combine(hash, (uint64_t)term->value ^ (uint64_t)term->cell << 40);
    hash = hash_combine(hash, (uint64_t)(uintptr_t)term->role ^ (uint64_t)(uintptr_t)term->type << 1);
    for (uint32_t i = 0; i < term->count; i++) {
        hash = hash_combine(hash, term->arguments[i]->id);
        if (term->coefficients)
            hash = hash_combine(hash, (uint64_t)term->coefficients[i]);
    }
    return hash;
}

static bool term_is_equal(const struct complete_term *left, const struct complete_term *right)
{
    return left->hash == right->hash && left->kind == right->kind && left->op == right->op &&
           left->count == right->count && left->object == right->object && left->slot == right->slot &&
           left->cell == right->cell && left->value == right->value && left->role == right->role &&
           left->type == right->type &&
           (!left->count || memcmp(left->arguments, right->arguments, left->count * sizeof *left->arguments) == 0) &&
           (!left->coefficients ||
            memcmp(left->coefficients, right->coefficients, left->count * sizeof *left->coefficients) == 0);
}

static void terms_grow(struct terms *terms)
{
    size_t capacity = terms->capacity ? 2 * terms->capacity : 1024;
    const struct complete_term **table = memory_zeroed(capacity, sizeof *table);
    for (size_t i = 0; i < terms->capacity; i++) {
        if (!terms->table[i])
            continue;
        size_t at = terms->table[i]->hash & (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = terms->table[i];
    }
    terms->bytes += (capacity - terms->capacity) * sizeof *table;
    free(terms->table);
    terms->table = table;
    terms->capacity = capacity;
}

/* Which leaves, and does a step change it? A ROLE has the ID it is a function of as its leaf. */
static void term_note_leaves(struct terms *terms, struct complete_term *term)
{
    term->is_rigid = true;
    term->asks_defined = term->kind == TERM_UNDEFINED || term->kind == TERM_SAME;
    bool names_object = term->kind == TERM_ID || term->kind == TERM_ROLE || term->kind == TERM_VIEW;
    term->objects = names_object && term->object < 64 ? UINT64_C(1) << term->object : 0;
    term->weight = term->kind != TERM_ID && term->kind != TERM_CONST;
    for (uint32_t i = 0; i < term->count; i++) {
        term->objects |= term->arguments[i]->objects;
        term->weight += term->arguments[i]->weight;
    }
    if (term->weight > UINT16_MAX)
        term->weight = UINT16_MAX;
    if (term_is_leaf(term)) {
        term->leaf = term;
        term->is_rigid = term->kind == TERM_ID;
        return;
    }
    if (term->kind == TERM_ROLE) {
        term->leaf = terms->ids[term->object];
        return;
    }
    for (uint32_t i = 0; i < term->count; i++) {
        const struct complete_term *leaf = term->arguments[i]->leaf;
        term->is_rigid = term->is_rigid && term->arguments[i]->is_rigid;
        term->asks_defined = term->asks_defined || term->arguments[i]->asks_defined;
        if (leaf)
            term->leaf = !term->leaf || term->leaf == leaf ? leaf : TERM_MANY;
    }
}

static const struct term_role *role_intern(struct terms *terms, uint32_t family, const int32_t *codes)
{
    size_t size = terms->shape->families[family].count * sizeof *codes;
    for (size_t i = 0; i < terms->roles.count; i++)
        if (terms->roles.items[i]->family == family && memcmp(terms->roles.items[i]->codes, codes, size) == 0)
            return terms->roles.items[i];
    struct term_role *role = ARENA_NEW(terms->arena, struct term_role);
    role->family = family;
    role->codes = arena_copy(terms->arena, codes, size);
    VEC_PUSH(&terms->roles, role);
    return role;
}

/* A term that depends on one index only is a function of it: its table is its normal form. NULL: not for every
 * element. */
static const struct complete_term *term_as_role(struct terms *terms, const struct complete_term *term)
{
    const struct shape *shape = terms->shape;
    uint32_t object = term->leaf->object, f = shape->family_of[object];
    const struct complete_family *family = &shape->families[f];
    int32_t *codes = memory_alloc(family->count * sizeof *codes);
    bool is_total = true, is_identity = true, is_constant = true;
    for (uint32_t e = 0; e < family->count && is_total; e++) {
        struct complete_scene scene = {.shape = shape, .leaf = term->leaf, .value = shape->codes[family->first + e]};
        int64_t value = 0;
        is_total = term_evaluate(term, &scene, &value) && value > INT32_MIN && value <= INT32_MAX;
        codes[e] = (int32_t)value;
        is_identity = is_identity && value == scene.value;
        is_constant = is_constant && value == codes[0];
    }
    const struct complete_term *role = NULL;
    if (is_total && is_identity)
        role = term->leaf;
    else if (is_total && is_constant)
        role = term_const(terms, codes[0]);
    else if (is_total)
        role = term_intern(terms, &(struct complete_term){.kind = TERM_ROLE,
                                                          .object = object,
                                                          .role = role_intern(terms, f, codes),
                                                          .type = terms->shape->system->integer});
    free(codes);
    return role;
}

static bool term_is_boolean(const struct complete_term *term)
{
    return (term->kind >= TERM_LE && term->kind <= TERM_NOT) || term->kind >= TERM_MEMBER;
}

/* What is the same for every value of its leaves is a constant. That a cell is defined is remembered where it is
 * read, so only defined values count here. */
static const struct complete_term *term_simplify(struct terms *terms, const struct complete_term *term)
{
    struct complete_scene scene = {.shape = terms->shape};
    int64_t value;
    if (term->kind == TERM_CONST || term_is_leaf(term) || term->kind == TERM_ROLE)
        return NULL;
    if (!term->leaf)
        return term_evaluate(term, &scene, &value) ? term_const(terms, value) : NULL;
    if (term_is_boolean(term) && term_has_masks(term->leaf)) {
        uint64_t all = term_mask_of_all(term->leaf), mask = term_mask(terms, term);
        if (term->asks_defined)
            all |= TERM_MASK_UNDEFINED;
        return (mask & all) == 0 ? term_const(terms, 0) : (mask & all) == all ? term_const(terms, 1) : NULL;
    }
    if (term->kind == TERM_OP && term->leaf->kind == TERM_ID)
        return term_as_role(terms, term);
    return NULL;
}

const struct complete_term *term_intern(struct terms *terms, const struct complete_term *wanted)
{
    struct complete_term proto = *wanted;
    proto.hash = term_hash(&proto);
    if (4 * (terms->count + 1) > 3 * terms->capacity)
        terms_grow(terms);
    size_t at = proto.hash & (terms->capacity - 1);
    for (; terms->table[at]; at = (at + 1) & (terms->capacity - 1))
        if (term_is_equal(terms->table[at], &proto))
            return terms->table[at]->simpler ? terms->table[at]->simpler : terms->table[at];
    struct complete_term *term = arena_copy(terms->arena, &proto, sizeof proto);
    if (proto.count)
        term->arguments = arena_copy(terms->arena, proto.arguments, proto.count * sizeof *proto.arguments);
    if (proto.count && proto.coefficients)
        term->coefficients = arena_copy(terms->arena, proto.coefficients, proto.count * sizeof *proto.coefficients);
    term->id = (uint32_t)terms->count++;
    terms->table[at] = term;
    terms->bytes += sizeof *term + proto.count * 16;
    term_note_leaves(terms, term);
    term_note_bounds(terms, term);
    term->simpler = term_simplify(terms, term);
    return term->simpler ? term->simpler : term;
}

struct terms *terms_create(const struct shape *shape)
{
    struct terms *terms = memory_zeroed(1, sizeof *terms);
    terms->shape = shape;
    terms->arena = arena_create();
    terms->identities = memory_zeroed(shape->family_count + 1, sizeof *terms->identities);
    terms->ids = memory_zeroed(shape->object_count + 1, sizeof *terms->ids);
    for (uint32_t o = 0; o < shape->object_count; o++)
        terms->ids[o] = term_intern(
            terms,
            &(struct complete_term){.kind = TERM_ID, .object = o, .type = shape->families[shape->family_of[o]].type});
    return terms;
}

void terms_destroy(struct terms *terms)
{
    if (!terms)
        return;
    VEC_FREE(&terms->roles);
    VEC_FREE(&terms->views);
    arena_destroy(terms->arena);
    free(terms->table);
    free(terms->ids);
    free(terms->identities);
    free(terms);
}

const struct complete_term *term_const(struct terms *terms, int64_t value)
{
    bool is_small = value >= 0 && value < (int64_t)(sizeof terms->small / sizeof *terms->small);
    if (is_small && terms->small[value])
        return terms->small[value];
    const struct complete_term *term = term_intern(terms, &(struct complete_term){.kind = TERM_CONST, .value = value});
    if (is_small)
        terms->small[value] = term;
    return term;
}

static const struct complete_view *view_intern(struct terms *terms, const struct slot *slot,
                                               const struct term_role *role)
{
    for (size_t i = 0; i < terms->views.count; i++)
        if (terms->views.items[i]->slot == slot->id && terms->views.items[i]->role == role)
            return terms->views.items[i];
    uint32_t count = terms->shape->families[role->family].count;
    struct complete_view *view = ARENA_NEW(terms->arena, struct complete_view);
    view->slot = slot->id;
    view->role = role;
    view->cells = ARENA_ARRAY(terms->arena, uint32_t, count);
    for (uint32_t e = 0; e < count; e++) {
        int64_t ordinal = type_ordinal(slot->dimensions[0].type, role->codes[e]);
        view->cells[e] = ordinal < 0 ? SHAPE_NONE : slot->base + (uint32_t)ordinal * slot->dimensions[0].stride;
    }
    VEC_PUSH(&terms->views, view);
    return view;
}

static const struct term_role *role_identity(struct terms *terms, uint32_t family)
{
    if (!terms->identities[family])
        terms->identities[family] =
            role_intern(terms, family, terms->shape->codes + terms->shape->families[family].first);
    return terms->identities[family];
}

static const struct complete_term *term_index(struct terms *terms, const struct complete_term *index)
{
    if (index->kind == TERM_SUM && index->is_rigid && index->leaf != TERM_MANY) {
        const struct complete_term *role = term_as_role(terms, index);
        return role ? role : index;
    }
    return index;
}

const struct complete_term *term_cell(struct terms *terms, const struct slot *slot,
                                      const struct complete_term *const *indices)
{
    const struct complete_term *normal[SHAPE_MAX_DIMENSIONS];
    struct complete_term term = {.slot = slot->id, .type = slot->type, .cell = slot->base};
    bool is_fixed = true;
    for (uint32_t d = 0; d < slot->dimension_count; d++) {
        normal[d] = term_index(terms, indices[d]);
        is_fixed = is_fixed && term_is_const(normal[d]);
        if (is_fixed)
            term.cell +=
                (uint32_t)type_ordinal(slot->dimensions[d].type, normal[d]->value) * slot->dimensions[d].stride;
    }
    if (is_fixed) {
        term.kind = TERM_CELL;
        return term_intern(terms, &term);
    }
    term.cell = 0;
    if (slot->dimension_count == 1 && (normal[0]->kind == TERM_ID || normal[0]->kind == TERM_ROLE)) {
        term.kind = TERM_VIEW;
        term.object = normal[0]->object;
        term.role =
            normal[0]->kind == TERM_ROLE ? normal[0]->role : role_identity(terms, terms->shape->family_of[term.object]);
        term.view = view_intern(terms, slot, term.role);
        return term_intern(terms, &term);
    }
    term.kind = TERM_SELECT;
    term.count = slot->dimension_count;
    term.arguments = normal;
    return term_intern(terms, &term);
}

void term_indices(struct terms *terms, const struct complete_term *leaf, const struct complete_term **indices)
{
    const struct slot *slot = &terms->shape->slots[leaf->slot];
    if (leaf->kind == TERM_VIEW) {
        bool is_identity = leaf->role == role_identity(terms, terms->shape->family_of[leaf->object]);
        indices[0] = is_identity ? terms->ids[leaf->object]
                                 : term_intern(terms, &(struct complete_term){.kind = TERM_ROLE,
                                                                              .object = leaf->object,
                                                                              .role = leaf->role,
                                                                              .type = terms->shape->system->integer});
        return;
    }
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        indices[d] = leaf->kind == TERM_SELECT ? leaf->arguments[d]
                                               : term_const(terms, shape_index_of_cell(slot, leaf->cell, d));
}
