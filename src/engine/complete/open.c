/* The nodes that are not finished, found by state, or by a state that is the same but for the names of the objects.
 *
 * Inside a component there is no interpolant yet to compare with. But where two states are the same up to a permutation
 * of objects that nothing has distinguished so far, the interpolant of the one, renamed, will most likely cover the
 * other. That is only a hope: the component checks it (component.c). What is distinguished are sets of indices that
 * occur in an interpolant: "id < 3". */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "engine/complete/explore.h"

/* The family of the values that a cell of the slot holds, or SHAPE_NONE. */
static uint32_t open_pointer_family(const struct shape *shape, const struct slot *slot)
{
    return shape_family_of_type(shape, slot->type);
}

static uint32_t open_element(const struct shape *shape, uint32_t family, int32_t code)
{
    int64_t ordinal = code == UNDEFINED ? -1 : type_ordinal(shape->families[family].type, code);
    return ordinal < 0 ? SHAPE_NONE : shape->families[family].first + (uint32_t)ordinal;
}

/* The part of a state that belongs to no object. A shared variable that points to an object marks it. */
static uint64_t open_sign_shared(struct complete_search *search, const struct slot *slot, const int32_t *cells,
                                 uint64_t hash)
{
    const struct shape *shape = search->shape;
    uint32_t family = open_pointer_family(shape, slot);
    uint32_t object = family == SHAPE_NONE ? SHAPE_NONE : open_element(shape, family, cells[slot->base]);
    if (object == SHAPE_NONE)
        return hash_combine(hash, (uint32_t)cells[slot->base]);
    search->signatures[object] = hash_combine(search->signatures[object], slot->id + 1);
    return hash;
}

static void open_sign_local(struct complete_search *search, const struct slot *slot, const int32_t *cells)
{
    const struct shape *shape = search->shape;
    uint32_t f = shape_family_of_type(shape, slot->dimensions[0].type);
    if (f == SHAPE_NONE || open_pointer_family(shape, slot) != SHAPE_NONE)
        return;
    for (uint32_t e = 0; e < shape->families[f].count; e++) {
        uint64_t *signature = &search->signatures[shape->families[f].first + e];
        *signature = hash_combine(*signature, (uint32_t)cells[slot->base + e * slot->dimensions[0].stride]);
    }
}

/* A hash that does not depend on the names of objects which are alike, and of each object what it can be told by. */
static uint64_t open_sign(struct complete_search *search, const int32_t *cells)
{
    const struct shape *shape = search->shape;
    uint64_t hash = 1;
    for (uint32_t o = 0; o < shape->object_count; o++)
        search->signatures[o] = hash_combine(search->classes[o], shape->family_of[o]);
    for (uint32_t s = 0; s < shape->slot_count; s++) {
        if (shape->slots[s].dimension_count == 0)
            hash = open_sign_shared(search, &shape->slots[s], cells, hash);
        else if (shape->slots[s].dimension_count == 1)
            open_sign_local(search, &shape->slots[s], cells);
    }
    for (uint32_t o = 0; o < shape->object_count; o++)
        hash += hash_mix(search->signatures[o]);
    return hash;
}

static void open_link(struct complete_search *search, struct node *node)
{
    struct node **place = &search->orbits[node->orbit & (search->orbit_capacity - 1)];
    node->next_in_orbit = *place;
    *place = node;
}

/* All of them anew, after the table has grown or the signatures have changed. */
static void open_rebuild(struct complete_search *search, bool has_other_signatures)
{
    memset(search->orbits, 0, search->orbit_capacity * sizeof *search->orbits);
    for (size_t i = 0; i < search->open.count; i++) {
        if (has_other_signatures)
            search->open.items[i]->orbit = open_sign(search, search->open.items[i]->cells);
        open_link(search, search->open.items[i]);
    }
}

void open_insert(struct complete_search *search, struct node *node)
{
    node->orbit = open_sign(search, node->cells);
    if (search->open.count > search->orbit_capacity) {
        search->orbit_capacity *= 2;
        search->orbits = memory_resize(search->orbits, search->orbit_capacity * sizeof *search->orbits);
        open_rebuild(search, false);
        return;
    }
    open_link(search, node);
}

void open_remove(struct complete_search *search, struct node *node)
{
    struct node **place = &search->orbits[node->orbit & (search->orbit_capacity - 1)];
    while (*place != node)
        place = &(*place)->next_in_orbit;
    *place = node->next_in_orbit;
}

struct node *open_find(struct complete_search *search, const int32_t *cells)
{
    uint64_t orbit = open_sign(search, cells);
    size_t size = search->layout->cell_count * sizeof *cells;
    struct node *node = search->orbits[orbit & (search->orbit_capacity - 1)];
    for (; node; node = node->next_in_orbit)
        if (node->orbit == orbit && memcmp(node->cells, cells, size) == 0)
            return node;
    return NULL;
}

/* Objects by family, signature, then number: two states with different signatures must not make objects of different
 * families correspond, even if their hashes are the same. */
static void open_sort(const struct complete_search *search, uint32_t *order)
{
    const struct shape *shape = search->shape;
    for (uint32_t i = 0; i < shape->object_count; i++) {
        uint32_t at = i;
        for (; at > shape->families[shape->family_of[i]].first &&
               search->signatures[order[at - 1]] > search->signatures[i];
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* A value under the permutation: pointers to objects are renamed. */
static int32_t open_rename(const struct complete_search *search, const struct slot *slot, int32_t code)
{
    uint32_t family = open_pointer_family(search->shape, slot);
    uint32_t object = family == SHAPE_NONE ? SHAPE_NONE : open_element(search->shape, family, code);
    return object == SHAPE_NONE ? code : search->shape->codes[search->map[object]];
}

/* The cell that a cell becomes. */
static uint32_t open_rename_cell(const struct complete_search *search, const struct slot *slot, uint32_t cell)
{
    uint32_t other = slot->base;
    for (uint32_t d = 0; d < slot->dimension_count; d++) {
        const struct type *type = slot->dimensions[d].type;
        int32_t code = shape_index_of_cell(slot, cell, d);
        uint32_t family = shape_family_of_type(search->shape, type);
        if (family != SHAPE_NONE)
            code = search->shape->codes[search->map[open_element(search->shape, family, code)]];
        other += (uint32_t)type_ordinal(type, code) * slot->dimensions[d].stride;
    }
    return other;
}

static bool open_is_image(const struct complete_search *search, const int32_t *from, const int32_t *to)
{
    for (uint32_t c = 0; c < search->layout->cell_count; c++) {
        const struct slot *slot = &search->shape->slots[search->shape->slot_of[c]];
        if (to[open_rename_cell(search, slot, c)] != open_rename(search, slot, from[c]))
            return false;
    }
    return true;
}

struct node *open_find_similar(struct complete_search *search, const int32_t *cells)
{
    uint64_t orbit = open_sign(search, cells);
    uint32_t count = search->shape->object_count;
    struct node *node = search->orbits[orbit & (search->orbit_capacity - 1)];
    while (node && node->orbit != orbit)
        node = node->next_in_orbit;
    if (node)
        open_sort(search, search->right_order);
    for (; node; node = node->next_in_orbit) {
        if (node->orbit != orbit)
            continue;
        open_sign(search, node->cells);
        open_sort(search, search->left_order);
        for (uint32_t k = 0; k < count; k++)
            search->map[search->left_order[k]] = search->right_order[k];
        if (open_is_image(search, node->cells, cells))
            return node;
    }
    return NULL;
}

static bool open_is_new_distinction(const struct complete_search *search, uint32_t family, uint64_t mask)
{
    for (size_t i = 0; i < search->distinctions.count; i++)
        if (search->distinctions.items[i].family == family && search->distinctions.items[i].mask == mask)
            return false;
    return true;
}

void open_note_distinctions(struct complete_search *search, const struct node *node)
{
    const struct shape *shape = search->shape;
    bool is_changed = false;
    for (size_t i = 0; i < node->interpolant.masks.count; i++) {
        const struct mask_atom *atom = &node->interpolant.masks.items[i];
        if (atom->leaf->kind != TERM_ID)
            break; /* they come first */
        uint32_t f = shape->family_of[atom->leaf->object];
        if (!open_is_new_distinction(search, f, atom->mask))
            continue;
        VEC_PUSH(&search->distinctions, ((struct distinction){f, atom->mask}));
        for (uint32_t e = 0; e < shape->families[f].count; e++) {
            uint64_t *class = &search->classes[shape->families[f].first + e];
            *class = hash_combine(*class, atom->mask >> e & 1);
        }
        is_changed = true;
    }
    if (is_changed)
        open_rebuild(search, true);
}

void open_destroy(struct complete_search *search)
{
    free(search->orbits);
    free(search->classes);
    free(search->signatures);
    free(search->left_order);
    free(search->right_order);
    free(search->map);
    VEC_FREE(&search->distinctions);
}
