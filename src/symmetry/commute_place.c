/* Places: addresses, every index a constant on this way. */
#include "symmetry/commuting.h"

enum { COMMUTING_MOST_CELLS = 4096, COMMUTING_MOST_SLOTS = 64 };

static const char slot_words[] = "it looks into a multiset";

enum path_end commuting_is_copied(struct commuting *c, const struct type *type)
{
    if (type_has_multiset(type))
        return commuting_stuck(c, "it copies a multiset");
    return type->cells > COMMUTING_MOST_CELLS ? commuting_stuck(c, "a value is too large") : PATH_OK;
}

const struct type *commuting_cell_type(const struct type *type, uint32_t cell)
{
    while (!type_is_scalar(type)) {
        if (type->kind == TYPE_ARRAY) {
            type = type->element;
            cell %= type->cells;
            continue;
        }
        uint32_t f = type->field_count - 1;
        while (type->fields[f].offset > cell)
            f--;
        cell -= type->fields[f].offset;
        type = type->fields[f].type;
    }
    return type;
}

static enum path_end place_element(struct commuting *c, const struct place *place, uint32_t *address)
{
    struct linear_sum index;
    int64_t value = 0;
    enum path_end end = commuting_place(c, place->base, address);
    if (end == PATH_OK)
        end = commuting_number(c, place->index, &index);
    if (end == PATH_OK)
        end = commuting_settle(c, index, &value);
    if (end != PATH_OK)
        return end;
    int64_t ordinal = type_ordinal(place->base->type->index, value);
    if (ordinal < 0)
        return PATH_FAULT;
    *address += (uint32_t)ordinal * place->type->cells;
    return PATH_OK;
}

/* An index on the way to what a reference was bound to, outside the loop. */
static enum path_end place_bound_index(struct commuting *c, const struct meaning *index, const struct type *type,
                                       int64_t *value)
{
    if (index->kind == MEANS_CONST) {
        *value = index->code;
        return PATH_OK;
    }
    struct held held;
    if (index->kind == MEANS_VARIABLE && !index->variable->is_reference)
        held = commuting_initial(c, index->variable->address, index->variable->type);
    else
        held.unknown = commuting_new_unknown(c, type->blocks[0].lo, type->blocks[type->block_count - 1].hi,
                                             (struct origin){.type = type, .name = "an index"});
    return commuting_settle(c, linear_unknown(held.unknown), value);
}

static enum path_end place_follow(struct commuting *c, const struct effects_path *path, uint32_t *address)
{
    const struct type *type = path->root->type;
    *address = path->root->address;
    for (uint32_t s = 0; s < path->count; s++) {
        const struct path_step *step = &path->steps[s];
        int64_t value = 0;
        if (step->field) {
            *address += step->field->offset;
            type = step->field->type;
            continue;
        }
        if (type->kind != TYPE_ARRAY)
            return commuting_stuck(c, "a reference leads into a multiset");
        enum path_end end = place_bound_index(c, &step->index, type->index, &value);
        if (end != PATH_OK)
            return end;
        if (!type_has(type->index, value))
            return PATH_IMPOSSIBLE; /* it would not have been bound */
        *address += (uint32_t)type_ordinal(type->index, value) * type->element->cells;
        type = type->element;
    }
    return PATH_OK;
}

static enum path_end place_refer(struct commuting *c, const struct variable *variable, uint32_t *address)
{
    uint32_t number = pairs_get(&c->now->at, variable->address);
    if (number != WORDS_NONE) { /* bound in the loop */
        *address = (uint32_t)c->now->values.items[number].number.constant;
        return PATH_OK;
    }
    *address = pairs_get(&c->bound, variable->address);
    if (*address != WORDS_NONE)
        return PATH_OK;
    const struct effects_path *path = proof_path(c, variable);
    if (!path || !path->root || path->is_slot || path->root->is_reference)
        return commuting_stuck(c, "it is not known what a reference leads to");
    enum path_end end = place_follow(c, path, address);
    if (end == PATH_OK)
        pairs_set(&c->bound, variable->address, *address);
    return end;
}

/* The slot of the multiset that the variable chooses; a new one if it is met for the first time in this run. */
static struct held_slot slot_find(struct commuting *c, const struct variable *variable, uint32_t multiset,
                                  const struct type *element)
{
    for (size_t i = 0; i < c->slots.count; i++)
        if (c->slots.items[i].variable == variable && c->slots.items[i].multiset == multiset)
            return c->slots.items[i];
    struct origin origin = {.address = multiset, .name = "an element", .definedness = DEFINED_SURELY};
    struct held_slot slot = {.variable = variable,
                             .multiset = multiset,
                             .address = COMMUTING_SLOTS + (uint32_t)c->slots.count * COMMUTING_MOST_CELLS,
                             .taken = commuting_new_unknown(c, 0, 1, origin)};
    origin.definedness = DEFINED_PERHAPS;
    for (uint32_t i = 0; i < element->cells; i++) {
        origin.type = commuting_cell_type(element, i);
        pairs_set(&c->unknown_of, slot.address + i,
                  commuting_new_unknown(c, origin.type->blocks[0].lo,
                                        origin.type->blocks[origin.type->block_count - 1].hi, origin));
    }
    VEC_PUSH(&c->slots, slot);
    return slot;
}

static bool has_added(const struct commuting *c, uint32_t multiset)
{
    for (size_t i = 0; i < c->now->insertions.count; i++)
        if (c->now->insertions.items[i].multiset == multiset)
            return true;
    return false;
}

/* The element of a slot. A slot that was free in the beginning fails, unless an iteration may have filled it. */
static enum path_end place_held_slot(struct commuting *c, const struct place *place, const struct variable *variable,
                                     uint32_t *address)
{
    const struct type *element = place->base->type->element;
    bool is_free = false;
    enum path_end end = commuting_is_copied(c, element);
    if (end == PATH_OK)
        end = commuting_place(c, place->base, address);
    if (end != PATH_OK)
        return end;
    if (pairs_get(&c->now->at, variable->address) != WORDS_NONE || c->slots.count == COMMUTING_MOST_SLOTS)
        return commuting_stuck(c, slot_words);
    struct held_slot slot = slot_find(c, variable, *address, element);
    end = commuting_is_zero(c, linear_unknown(slot.taken), &is_free);
    if (end == PATH_OK && is_free)
        return has_added(c, *address) ? commuting_stuck(c, slot_words) : PATH_FAULT;
    *address = slot.address;
    return end;
}

/* The element that a condition is about, or that of a slot. */
static enum path_end place_slot(struct commuting *c, const struct place *place, uint32_t *address)
{
    const struct expr *index = place->index;
    if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE)
        return commuting_stuck(c, slot_words);
    if (index->place->variable != c->element.variable)
        return place_held_slot(c, place, index->place->variable, address);
    enum path_end end = commuting_place(c, place->base, address);
    if (end == PATH_OK && *address != c->element.multiset)
        return commuting_stuck(c, slot_words);
    *address = c->element.address;
    return end;
}

enum path_end commuting_place(struct commuting *c, const struct place *place, uint32_t *address)
{
    enum path_end end;
    *address = 0;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *address = place->variable->address;
        return PATH_OK;
    case PLACE_DEREF:
        return place_refer(c, place->variable, address);
    case PLACE_ELEMENT:
        return place_element(c, place, address);
    case PLACE_FIELD:
        end = commuting_place(c, place->base, address);
        *address += place->field->offset;
        return end;
    case PLACE_SLOT:
        return place_slot(c, place, address);
    case PLACE_CALL:
        end = commuting_call(c, place->call);
        *address = place->call->function->result->address;
        return end;
    }
    UNREACHABLE("place kind");
}
