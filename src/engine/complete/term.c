/* The table of terms, and the terms that stand for values. */
#include "engine/complete/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "ir/arith.h"

const struct term term_many_leaves = {.kind = TERM_CONST};

/* Numbers stay well within 64 bits, so that no sum of two bounds overflows. */
static const int64_t TERM_WIDEST = INT64_C(1) << 56;

static uint64_t term_hash(const struct term *term)
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

static bool term_is_equal(const struct term *left, const struct term *right)
{
    return left->hash == right->hash && left->kind == right->kind && left->op == right->op &&
           left->count == right->count && left->object == right->object && left->slot == right->slot &&
           left->cell == right->cell && left->value == right->value && left->role == right->role &&
           left->type == right->type &&
           (!left->count ||
            memcmp(left->arguments, right->arguments, left->count * sizeof *left->arguments) == 0) &&
           (!left->coefficients ||
            memcmp(left->coefficients, right->coefficients, left->count * sizeof *left->coefficients) == 0);
}

static void terms_grow(struct terms *terms)
{
    size_t capacity = terms->capacity ? 2 * terms->capacity : 1024;
    const struct term **table = memory_zeroed(capacity, sizeof *table);
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
static void term_note_leaves(struct terms *terms, struct term *term)
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
        const struct term *leaf = term->arguments[i]->leaf;
        term->is_rigid = term->is_rigid && term->arguments[i]->is_rigid;
        term->asks_defined = term->asks_defined || term->arguments[i]->asks_defined;
        if (leaf)
            term->leaf = !term->leaf || term->leaf == leaf ? leaf : TERM_MANY;
    }
}

static void term_bound_sum(struct term *term)
{
    term->lo = term->hi = term->value;
    for (uint32_t i = 0; i < term->count; i++) {
        int64_t c = term->coefficients[i];
        term->lo += c * (c > 0 ? term->arguments[i]->lo : term->arguments[i]->hi);
        term->hi += c * (c > 0 ? term->arguments[i]->hi : term->arguments[i]->lo);
    }
}

static void term_bound_codes(struct term *term, const struct type *type)
{
    term->lo = INT32_MAX;
    term->hi = INT32_MIN;
    for (uint32_t b = 0; b < type->block_count; b++) {
        term->lo = type->blocks[b].lo < term->lo ? type->blocks[b].lo : term->lo;
        term->hi = type->blocks[b].hi > term->hi ? type->blocks[b].hi : term->hi;
    }
}

int64_t term_magnitude(const struct term *term)
{
    int64_t lo = term->lo < 0 ? -term->lo : term->lo, hi = term->hi < 0 ? -term->hi : term->hi;
    return lo > hi ? lo : hi;
}

bool term_is_sum_within(const struct sum_item *items, size_t count, int64_t constant, uint64_t most)
{
    uint64_t total = constant < 0 ? -(uint64_t)constant : (uint64_t)constant, part;
    for (size_t i = 0; i < count; i++) {
        uint64_t c = items[i].coefficient < 0 ? -(uint64_t)items[i].coefficient : (uint64_t)items[i].coefficient;
        if (__builtin_mul_overflow(c, (uint64_t)term_magnitude(items[i].term), &part) ||
            __builtin_add_overflow(total, part, &total))
            return false;
    }
    return total <= most;
}

/* Bounds of operators that are not sums: cautious, and within TERM_WIDEST by what term_operator lets through. */
static void term_bound_operator(struct term *term)
{
    int64_t bound = term_magnitude(term->arguments[0]);
    if (term->op == OP_MUL)
        bound *= term_magnitude(term->arguments[1]);
    else if (term->op == OP_MOD)
        bound = term_magnitude(term->arguments[1]);
    term->lo = -bound;
    term->hi = bound;
}

static void term_bound_role(struct term *term, uint32_t count)
{
    term->lo = term->hi = term->role->codes[0];
    for (uint32_t e = 1; e < count; e++) {
        term->lo = term->role->codes[e] < term->lo ? term->role->codes[e] : term->lo;
        term->hi = term->role->codes[e] > term->hi ? term->role->codes[e] : term->hi;
    }
}

static void term_note_bounds(const struct terms *terms, struct term *term)
{
    term->hi = 1;
    if (term->kind == TERM_CONST)
        term->lo = term->hi = term->value;
    else if (term->kind == TERM_SUM)
        term_bound_sum(term);
    else if (term->kind == TERM_OP)
        term_bound_operator(term);
    else if (term->kind == TERM_ROLE)
        term_bound_role(term, terms->shape->families[term->role->family].count);
    else if (term_is_leaf(term))
        term_bound_codes(term, term->type);
}

static const struct role *role_intern(struct terms *terms, uint32_t family, const int32_t *codes)
{
    size_t size = terms->shape->families[family].count * sizeof *codes;
    for (size_t i = 0; i < terms->roles.count; i++)
        if (terms->roles.items[i]->family == family && memcmp(terms->roles.items[i]->codes, codes, size) == 0)
            return terms->roles.items[i];
    struct role *role = ARENA_NEW(terms->arena, struct role);
    role->family = family;
    role->codes = arena_copy(terms->arena, codes, size);
    VEC_PUSH(&terms->roles, role);
    return role;
}

/* A term that depends on one index only is a function of it: its table is its normal form. NULL: not for every
 * element. */
static const struct term *term_as_role(struct terms *terms, const struct term *term)
{
    const struct shape *shape = terms->shape;
    uint32_t object = term->leaf->object, f = shape->family_of[object];
    const struct family *family = &shape->families[f];
    int32_t *codes = memory_alloc(family->count * sizeof *codes);
    bool is_total = true, is_identity = true, is_constant = true;
    for (uint32_t e = 0; e < family->count && is_total; e++) {
        struct scene scene = {.shape = shape, .leaf = term->leaf, .value = shape->codes[family->first + e]};
        int64_t value = 0;
        is_total = term_evaluate(term, &scene, &value) && value > INT32_MIN && value <= INT32_MAX;
        codes[e] = (int32_t)value;
        is_identity = is_identity && value == scene.value;
        is_constant = is_constant && value == codes[0];
    }
    const struct term *role = NULL;
    if (is_total && is_identity)
        role = term->leaf;
    else if (is_total && is_constant)
        role = term_const(terms, codes[0]);
    else if (is_total)
        role = term_intern(terms, &(struct term){.kind = TERM_ROLE,
                                                 .object = object,
                                                 .role = role_intern(terms, f, codes),
                                                 .type = terms->shape->system->integer});
    free(codes);
    return role;
}

static bool term_is_boolean(const struct term *term)
{
    return (term->kind >= TERM_LE && term->kind <= TERM_NOT) || term->kind >= TERM_MEMBER;
}

/* What is the same for every value of its leaves is a constant. That a cell is defined is remembered where it is
 * read, so only defined values count here. */
static const struct term *term_simplify(struct terms *terms, const struct term *term)
{
    struct scene scene = {.shape = terms->shape};
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

const struct term *term_intern(struct terms *terms, const struct term *wanted)
{
    struct term proto = *wanted;
    proto.hash = term_hash(&proto);
    if (4 * (terms->count + 1) > 3 * terms->capacity)
        terms_grow(terms);
    size_t at = proto.hash & (terms->capacity - 1);
    for (; terms->table[at]; at = (at + 1) & (terms->capacity - 1))
        if (term_is_equal(terms->table[at], &proto))
            return terms->table[at]->simpler ? terms->table[at]->simpler : terms->table[at];
    struct term *term = arena_copy(terms->arena, &proto, sizeof proto);
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
        terms->ids[o] = term_intern(terms, &(struct term){.kind = TERM_ID,
                                                          .object = o,
                                                          .type = shape->families[shape->family_of[o]].type});
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

const struct term *term_const(struct terms *terms, int64_t value)
{
    bool is_small = value >= 0 && value < (int64_t)(sizeof terms->small / sizeof *terms->small);
    if (is_small && terms->small[value])
        return terms->small[value];
    const struct term *term = term_intern(terms, &(struct term){.kind = TERM_CONST, .value = value});
    if (is_small)
        terms->small[value] = term;
    return term;
}

const struct term *term_id(struct terms *terms, uint32_t object)
{
    return terms->ids[object];
}

static const struct view *view_intern(struct terms *terms, const struct slot *slot, const struct role *role)
{
    for (size_t i = 0; i < terms->views.count; i++)
        if (terms->views.items[i]->slot == slot->id && terms->views.items[i]->role == role)
            return terms->views.items[i];
    uint32_t count = terms->shape->families[role->family].count;
    struct view *view = ARENA_NEW(terms->arena, struct view);
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

static const struct role *role_identity(struct terms *terms, uint32_t family)
{
    if (!terms->identities[family])
        terms->identities[family] =
            role_intern(terms, family, terms->shape->codes + terms->shape->families[family].first);
    return terms->identities[family];
}

static const struct term *term_index(struct terms *terms, const struct term *index)
{
    if (index->kind == TERM_SUM && index->is_rigid && index->leaf != TERM_MANY) {
        const struct term *role = term_as_role(terms, index);
        return role ? role : index;
    }
    return index;
}

const struct term *term_cell(struct terms *terms, const struct slot *slot, const struct term *const *indices)
{
    const struct term *normal[SHAPE_MAX_DIMENSIONS];
    struct term term = {.slot = slot->id, .type = slot->type, .cell = slot->base};
    bool is_fixed = true;
    for (uint32_t d = 0; d < slot->dimension_count; d++) {
        normal[d] = term_index(terms, indices[d]);
        is_fixed = is_fixed && term_is_const(normal[d]);
        if (is_fixed)
            term.cell += (uint32_t)type_ordinal(slot->dimensions[d].type, normal[d]->value) *
                         slot->dimensions[d].stride;
    }
    if (is_fixed) {
        term.kind = TERM_CELL;
        return term_intern(terms, &term);
    }
    term.cell = 0;
    if (slot->dimension_count == 1 && (normal[0]->kind == TERM_ID || normal[0]->kind == TERM_ROLE)) {
        term.kind = TERM_VIEW;
        term.object = normal[0]->object;
        term.role = normal[0]->kind == TERM_ROLE ? normal[0]->role
                                                 : role_identity(terms, terms->shape->family_of[term.object]);
        term.view = view_intern(terms, slot, term.role);
        return term_intern(terms, &term);
    }
    term.kind = TERM_SELECT;
    term.count = slot->dimension_count;
    term.arguments = normal;
    return term_intern(terms, &term);
}

void term_indices(struct terms *terms, const struct term *leaf, const struct term **indices)
{
    const struct slot *slot = &terms->shape->slots[leaf->slot];
    if (leaf->kind == TERM_VIEW) {
        bool is_identity = leaf->role == role_identity(terms, terms->shape->family_of[leaf->object]);
        indices[0] = is_identity ? terms->ids[leaf->object]
                                 : term_intern(terms, &(struct term){.kind = TERM_ROLE,
                                                                     .object = leaf->object,
                                                                     .role = leaf->role,
                                                                     .type = terms->shape->system->integer});
        return;
    }
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        indices[d] = leaf->kind == TERM_SELECT ? leaf->arguments[d]
                                               : term_const(terms, shape_index_of_cell(slot, leaf->cell, d));
}

static int term_compare_items(const void *left, const void *right)
{
    const struct sum_item *a = left, *b = right;
    return a->term->id < b->term->id ? -1 : a->term->id > b->term->id;
}

/* Sorted, each term once, none with coefficient 0. */
static size_t term_merge_items(struct sum_item *items, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(items, count, sizeof *items, term_compare_items);
    for (size_t i = 0; i < count; i++) {
        if (kept && items[kept - 1].term == items[i].term)
            items[kept - 1].coefficient += items[i].coefficient;
        else
            items[kept++] = items[i];
        if (items[kept - 1].coefficient == 0)
            kept--;
    }
    return kept;
}

/* Everything that may be summed stays below TERM_WIDEST; false: it does not. */
static bool term_is_narrow(const struct sum_item *items, size_t count, int64_t constant)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].coefficient > TERM_WIDEST || items[i].coefficient < -TERM_WIDEST)
            return false;
    return term_is_sum_within(items, count, constant, (uint64_t)TERM_WIDEST);
}

/* Signs such that the same equation has one form. */
static void term_orient(enum term_kind kind, struct sum_item *items, size_t count, int64_t *constant)
{
    if ((kind != TERM_EQ && kind != TERM_NE) || !count || items[0].coefficient > 0)
        return;
    *constant = -*constant;
    for (size_t i = 0; i < count; i++)
        items[i].coefficient = -items[i].coefficient;
}

static const struct term *term_from_items(struct terms *terms, enum term_kind kind, struct sum_item *items,
                                          size_t count, int64_t constant)
{
    const struct term **arguments = memory_alloc((count + 1) * sizeof *arguments);
    int64_t *coefficients = memory_alloc((count + 1) * sizeof *coefficients);
    for (size_t i = 0; i < count; i++) {
        arguments[i] = items[i].term;
        coefficients[i] = items[i].coefficient;
    }
    struct term term = {.kind = kind,
                        .count = (uint32_t)count,
                        .value = constant,
                        .arguments = arguments,
                        .coefficients = coefficients};
    const struct term *made = term_intern(terms, &term);
    free(arguments);
    free(coefficients);
    return made;
}

/* Decided by the bounds, or by two indices of one family being different? -1: not decided. */
static int term_decide_sum(enum term_kind kind, const struct sum_item *items, size_t count, int64_t constant)
{
    int64_t lo = constant, hi = constant;
    for (size_t i = 0; i < count; i++) {
        int64_t c = items[i].coefficient;
        lo += c * (c > 0 ? items[i].term->lo : items[i].term->hi);
        hi += c * (c > 0 ? items[i].term->hi : items[i].term->lo);
    }
    if (kind == TERM_LE)
        return hi <= 0 ? 1 : lo > 0 ? 0 : -1;
    if (lo > 0 || hi < 0)
        return kind == TERM_NE;
    if (lo == 0 && hi == 0)
        return kind == TERM_EQ;
    bool is_difference = count == 2 && constant == 0 && items[0].coefficient == -items[1].coefficient;
    if (is_difference && items[0].term->kind == TERM_ID && items[1].term->kind == TERM_ID &&
        items[0].term->type == items[1].term->type)
        return kind == TERM_NE;
    return -1;
}

const struct term *term_sum(struct terms *terms, enum term_kind kind, const struct sum_item *given, size_t count,
                            int64_t constant)
{
    VEC(struct sum_item) items = {0};
    const struct term *made = NULL;
    bool is_wide = false;
    int64_t product;
    for (size_t i = 0; i < count; i++) {
        const struct term *term = given[i].term;
        int64_t c = given[i].coefficient;
        if (term->kind != TERM_SUM && term->kind != TERM_CONST) {
            VEC_PUSH(&items, given[i]);
            continue;
        }
        is_wide |= c > INT32_MAX || c < -INT32_MAX;
        is_wide |= __builtin_mul_overflow(c, term->value, &product) || __builtin_add_overflow(constant, product, &constant);
        for (uint32_t a = 0; a < term->count; a++) {
            is_wide |= __builtin_mul_overflow(c, term->coefficients[a], &product);
            VEC_PUSH(&items, ((struct sum_item){term->arguments[a], product}));
        }
    }
    if (is_wide || constant == INT64_MIN) {
        VEC_FREE(&items);
        return NULL;
    }
    items.count = term_merge_items(items.items, items.count);
    term_orient(kind, items.items, items.count, &constant);
    if (term_is_narrow(items.items, items.count, constant)) {
        int decided = kind == TERM_SUM ? -1 : term_decide_sum(kind, items.items, items.count, constant);
        if (decided >= 0)
            made = term_const(terms, decided);
        else if (kind == TERM_SUM && !items.count)
            made = term_const(terms, constant);
        else if (kind == TERM_SUM && items.count == 1 && constant == 0 && items.items[0].coefficient == 1)
            made = items.items[0].term;
        else
            made = term_from_items(terms, kind, items.items, items.count, constant);
    }
    VEC_FREE(&items);
    return made;
}
