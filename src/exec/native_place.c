/* Places as addresses. */
#include "exec/native_emit.h"

bool place_is_local(struct native_emitter *emitter, const struct place *place)
{
    return place->kind == PLACE_VARIABLE && !place->variable->is_global &&
           home_of(emitter, place->variable)->home == HOME_LOCAL;
}

/* (Start states and what they call run before there are values.) */
bool place_is_definite(const struct native_emitter *emitter, const struct place *place)
{
    return !emitter->is_start && !emitter->function && definite_place(emitter->is_definite, place);
}

bool place_may_be_state(const struct place *place)
{
    while (place->base)
        place = place->base;
    return place->kind == PLACE_DEREF || (place->kind == PLACE_VARIABLE && place->variable->is_global);
}

static bool index_is_inside(struct native_emitter *emitter, const struct place *element)
{
    int64_t low, high, least, greatest;
    expr_bounds(&emitter->facts, element->index, &least, &greatest);
    return type_interval(element->base->type->index, &low, &high) && least >= low && greatest <= high;
}

bool place_is_plain(struct native_emitter *emitter, const struct place *place)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        return true;
    case PLACE_DEREF: /* in memory, a call could bind it anew */
        return home_of(emitter, place->variable)->home != HOME_MEMORY;
    case PLACE_FIELD:
        return place_is_plain(emitter, place->base);
    case PLACE_ELEMENT:
        return place_is_plain(emitter, place->base) && expr_is_plain(emitter, place->index) &&
               index_is_inside(emitter, place);
    default:
        return false;
    }
}

/* The position of the index in the array, from 0. */
static void write_index(struct native_emitter *emitter, const struct place *place)
{
    const struct type *type = place->base->type->index;
    int64_t low, high, value;
    if (expr_static_value(&emitter->facts, place->index, &value) && type_has(type, value)) {
        text_format(emitter->out, "%lld", (long long)type_ordinal(type, value));
        return;
    }
    if (!type_interval(type, &low, &high)) {
        const char *helper = type_ordinal_helper(emitter, type);
        text_append(emitter->out, "ORDINAL(");
        write_expr(emitter, place->index);
        text_format(emitter->out, ", %s, %u)", helper,
                    write_site(emitter, FAULT_INDEX, place->index->span, NULL, type));
        return;
    }
    bool is_inside = index_is_inside(emitter, place);
    text_append(emitter->out, low ? "(" : "");
    text_append(emitter->out, !is_inside ? "IN_RANGE(" : place->index->kind == EXPR_READ ? "" : "(int)");
    write_expr(emitter, place->index);
    if (!is_inside)
        text_format(emitter->out, ", %lld, %lld, %u)", (long long)low, (long long)high,
                    write_site(emitter, FAULT_INDEX, place->index->span, NULL, type));
    if (low)
        text_format(emitter->out, " - %lld)", (long long)low);
}

static void write_element(struct native_emitter *emitter, const struct place *place)
{
    bool is_simple = place_is_plain(emitter, place->base) || place_is_plain(emitter, place);
    if (is_simple) {
        write_address(emitter, place->base);
        text_append(emitter->out, " + ");
    } else { /* the base first */
        text_append(emitter->out, "({ int array_ = ");
        write_address(emitter, place->base);
        text_append(emitter->out, "; array_ + ");
    }
    if (place->type->cells != 1)
        text_format(emitter->out, "%u * ", place->type->cells);
    write_index(emitter, place);
    if (!is_simple)
        text_append(emitter->out, "; })");
}

static void write_slot(struct native_emitter *emitter, const struct place *place)
{
    const struct type *multiset = place->base->type;
    text_append(emitter->out, "TAKEN(SLOT(");
    write_address(emitter, place->base);
    text_append(emitter->out, ", ");
    write_expr(emitter, place->index);
    text_format(emitter->out, ", %u, %u, %u)", multiset->capacity, multiset_stride(multiset),
                write_site(emitter, FAULT_SLOT_FREE, place->index->span, NULL, NULL));
    text_format(emitter->out, ", %u)", write_site(emitter, FAULT_SLOT_FREE, place->span, NULL, NULL));
}

static void write_reference(struct native_emitter *emitter, const struct variable *variable)
{
    struct scratch_home *home = home_of(emitter, variable);
    switch (home->home) {
    case HOME_KNOWN:
        write_address(emitter, home->known);
        return;
    case HOME_LOCAL:
        text_append(emitter->out, name_local(emitter, variable));
        return;
    case HOME_MEMORY:
        text_format(emitter->out, "m[%s]", name_address(emitter, variable));
        return;
    }
}

void write_address(struct native_emitter *emitter, const struct place *place)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        text_append(emitter->out, name_address(emitter, place->variable));
        return;
    case PLACE_DEREF:
        write_reference(emitter, place->variable);
        return;
    case PLACE_FIELD:
        write_address(emitter, place->base);
        text_format(emitter->out, " + %s", name_field(emitter, place->base->type, place->field));
        return;
    case PLACE_ELEMENT:
        write_element(emitter, place);
        return;
    case PLACE_SLOT:
        write_slot(emitter, place);
        return;
    case PLACE_CALL:
        text_append(emitter->out, "({ (void)");
        write_call(emitter, place->call);
        text_format(emitter->out, "; (int)%s; })", name_address(emitter, place->call->function->result));
        return;
    }
}

void write_cell(struct native_emitter *emitter, const struct place *place)
{
    if (place_is_local(emitter, place)) {
        text_append(emitter->out, name_local(emitter, place->variable));
        return;
    }
    text_append(emitter->out, "m[");
    write_address(emitter, place);
    text_append(emitter->out, "]");
}
