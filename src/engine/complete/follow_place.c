/* Places, and the cells in them. */
#include "base/memory.h"
#include "engine/complete/follow.h"

static bool place_is_within(const struct type *type, int64_t lo, int64_t hi)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (lo >= type->blocks[b].lo && hi <= type->blocks[b].hi)
            return true;
    return false;
}

enum course follow_check(struct follow *follow, enum fault_kind kind, const struct type *type,
                         struct complete_value value, struct span span)
{
    if (!type_has(type, value.number)) {
        follow_fail(follow, kind, span);
        follow->fault.value = value.number;
        follow->fault.type = type;
        return COURSE_FAULT;
    }
    if (!value.term || place_is_within(type, value.term->lo, value.term->hi))
        return COURSE_OK;
    const struct complete_term *terms[] = {NULL, NULL};
    if (type->kind == TYPE_RANGE && value.term->kind != TERM_ROLE && !term_has_masks(value.term->leaf)) {
        terms[0] = term_compare(follow->terms, OP_GE, value.term, term_const(follow->terms, type->blocks[0].lo));
        terms[1] = term_compare(follow->terms, OP_LE, value.term, term_const(follow->terms, type->blocks[0].hi));
    }
    if (!terms[0] || !terms[1])
        terms[0] = terms[1] = term_member(follow->terms, value.term, type);
    follow_require(follow, terms[0]);
    follow_require(follow, terms[1]);
    return COURSE_OK;
}

enum course follow_storable(struct follow *follow, const struct expr *expr, const struct type *type,
                            struct complete_value value)
{
    bool may_be_undefined = expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw);
    if (!may_be_undefined || value.number != UNDEFINED) {
        enum course course = follow_check(follow, FAULT_RANGE, type, value, expr->span);
        return course;
    }
    if (value.term && !place_is_within(type, value.term->lo, value.term->hi))
        follow_settle(follow, &value);
    return COURSE_OK;
}

static enum course place_element(struct follow *follow, const struct place *place, struct complete_spot *spot)
{
    struct complete_value index;
    const struct type *type = place->base->type->index;
    enum course course = follow_place(follow, place->base, spot);
    if (course == COURSE_OK)
        course = follow_expr(follow, place->index, &index);
    if (course == COURSE_OK)
        course = follow_check(follow, FAULT_INDEX, type, index, place->index->span);
    if (course != COURSE_OK)
        return course;
    if (spot->address >= follow->system->state_cells)
        follow_settle(follow, &index); /* local arrays are followed with fixed indices */
    else
        spot->indices[spot->index_count++] = follow_term(follow, index);
    spot->address += (uint32_t)type_ordinal(type, index.number) * place->type->cells;
    return COURSE_OK;
}

enum course follow_place(struct follow *follow, const struct place *place, struct complete_spot *spot)
{
    enum course course;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *spot = (struct complete_spot){.address = place->variable->address};
        return COURSE_OK;
    case PLACE_DEREF:
        *spot = follow->bindings[place->variable->address];
        return COURSE_OK;
    case PLACE_ELEMENT:
        return place_element(follow, place, spot);
    case PLACE_FIELD:
        course = follow_place(follow, place->base, spot);
        if (course == COURSE_OK)
            spot->address += place->field->offset;
        return course;
    case PLACE_CALL:
        course = follow_call(follow, place->call);
        *spot = (struct complete_spot){.address = place->call->function->result->address};
        return course;
    case PLACE_SLOT:
        break;
    }
    UNREACHABLE("place kind");
}

/* The scalar `offset` cells into a place of the state: its slot and the terms of all its indices. */
static const struct slot *place_complete(struct follow *follow, const struct complete_spot *spot, uint32_t address,
                                         const struct complete_term **indices)
{
    const struct slot *slot = &follow->shape->slots[follow->shape->slot_of[address]];
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        indices[d] =
            d < spot->index_count ? spot->indices[d] : term_const(follow->terms, shape_index_of_cell(slot, address, d));
    return slot;
}

/* The location of an object named by its own index is known from the program point. */
static bool place_is_location(const struct follow *follow, const struct slot *slot, const struct complete_term *leaf)
{
    return slot->family != SHAPE_NONE && leaf->kind == TERM_VIEW &&
           follow->shape->family_of[leaf->object] == slot->family &&
           leaf->view->cells[leaf->object - follow->shape->families[slot->family].first] ==
               follow->shape->location_of[leaf->object];
}

static struct complete_value place_load_state(struct follow *follow, const struct complete_spot *spot, uint32_t address)
{
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
    const struct slot *slot = place_complete(follow, spot, address, indices);
    const struct complete_term *leaf = term_cell(follow->terms, slot, indices), *term;
    struct backward *reader = &follow->reader;
    reader->writes = follow->writes.items;
    reader->count = (uint32_t)follow->writes.count;
    VEC_CLEAR(&reader->required);
    term = backward_resolve(reader, leaf, NULL);
    for (size_t i = 0; i < reader->required.count; i++)
        follow_require(follow, reader->required.items[i]);
    struct complete_value value = {follow->memory[address], term};
    if (term_is_const(term) || (term_is_leaf(term) && term->kind != TERM_ID &&
                                place_is_location(follow, &follow->shape->slots[term->slot], term)))
        value.term = NULL;
    return value;
}

struct complete_value follow_load(struct follow *follow, const struct complete_spot *spot, uint32_t offset)
{
    uint32_t address = spot->address + offset;
    if (follow->loop_depth)
        loop_note_read(follow, spot, address);
    if (address < follow->system->state_cells)
        return place_load_state(follow, spot, address);
    if (follow->is_stale[address]) {
        follow_require_order(follow);
        follow->is_stale[address] = false;
    }
    return (struct complete_value){follow->memory[address], follow->scratch[address]};
}

void follow_set(struct follow *follow, uint32_t address, struct complete_value value)
{
    follow->memory[address] = (int32_t)value.number;
    follow->scratch[address] = value.term;
    follow->is_stale[address] = false;
}

/* A location is written with a constant, by the object's own name: else the program point after the step would depend
 * on more than the program point before it. */
static void place_settle_location(struct follow *follow, const struct slot *slot, struct write *write,
                                  struct complete_value *value)
{
    const struct complete_family *family = &follow->shape->families[slot->family];
    uint32_t element = (write->cell - slot->base) / slot->dimensions[0].stride;
    const struct complete_term *id = follow->terms->ids[family->first + element];
    if (write->indices[0] != id)
        follow_require(follow, term_compare(follow->terms, OP_EQ, write->indices[0], id));
    write->indices[0] = id;
    follow_settle(follow, value);
}

void follow_store(struct follow *follow, const struct complete_spot *spot, uint32_t offset, struct complete_value value)
{
    uint32_t address = spot->address + offset;
    if (follow->loop_depth)
        loop_note_write(follow, spot, address);
    if (address >= follow->system->state_cells) {
        follow_set(follow, address, value);
        return;
    }
    struct write write = {.cell = address};
    const struct slot *slot = place_complete(follow, spot, address, write.indices);
    write.slot = slot->id;
    if (slot->family != SHAPE_NONE)
        place_settle_location(follow, slot, &write, &value);
    write.value = follow_term(follow, value);
    VEC_PUSH(&follow->writes, write);
    follow->memory[address] = (int32_t)value.number;
}
