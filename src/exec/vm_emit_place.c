/* Places: where the cells are. */
#include "exec/vm_emit.h"
#include "ir/walk.h"

static bool bounds_within(struct vm_emitter *emitter, const struct expr *index, int64_t low, int64_t high)
{
    int64_t least, greatest;
    expr_bounds(emitter, index, &least, &greatest);
    return least >= low && greatest <= high;
}

/* An index that is a parameter or loop variable and cannot be outside. */
static bool index_is_within(struct vm_emitter *emitter, const struct expr *index, int64_t low, int64_t high)
{
    return index->kind == EXPR_READ && index->place->kind == PLACE_VARIABLE && !index->place->variable->is_global &&
           emit_facts(emitter, index->place->variable)->is_sure && bounds_within(emitter, index, low, high);
}

static bool index_is_sure(struct vm_emitter *emitter, const struct expr *index, const struct type *type, int64_t *low)
{
    int64_t high;
    return type_interval(type, low, &high) && index_is_within(emitter, index, *low, high);
}

/* The address of part `index`, counted from `low`. */
static bool address_by_variable(struct address *address, const struct expr *index, int64_t low, int64_t stride)
{
    if (address->mode != MODE_CELL || !fits(address->base - low * stride))
        return false;
    address->mode = MODE_ELEMENT;
    address->base = (int32_t)(address->base - low * stride);
    address->var = (int32_t)index->place->variable->address;
    address->stride = (int32_t)stride;
    return true;
}

static bool element_static(struct vm_emitter *emitter, const struct place *place, struct address *address)
{
    int64_t value, low, stride = place->type->cells;
    const struct type *type = place->base->type->index;
    if (expr_static_value(emitter, place->index, &value)) {
        int64_t ordinal = type_ordinal(type, value);
        if (ordinal < 0 || !fits(address->base + ordinal * stride))
            return false;
        address->base = (int32_t)(address->base + ordinal * stride);
        return true;
    }
    return index_is_sure(emitter, place->index, type, &low) && address_by_variable(address, place->index, low, stride);
}

bool slot_static(struct vm_emitter *emitter, const struct place *multiset, const struct expr *slot,
                 struct address *address)
{
    int64_t value, capacity = multiset->type->capacity, stride = multiset_stride(multiset->type);
    if (!place_static(emitter, multiset, address))
        return false;
    if (expr_static_value(emitter, slot, &value)) {
        if (value < 0 || value >= capacity)
            return false;
        address->base = (int32_t)(address->base + value * stride);
        return true;
    }
    return index_is_within(emitter, slot, 0, capacity - 1) && address_by_variable(address, slot, 0, stride);
}

bool place_static(struct vm_emitter *emitter, const struct place *place, struct address *address)
{
    *address = (struct address){.mode = MODE_CELL};
    switch (place->kind) {
    case PLACE_VARIABLE:
        address->base = (int32_t)place->variable->address;
        return true;
    case PLACE_DEREF:
        if (emit_known(emitter, place->variable)->is_known) {
            address->base = emit_known(emitter, place->variable)->value;
            return true;
        }
        address->mode = MODE_ELEMENT;
        address->var = (int32_t)place->variable->address;
        address->stride = 1;
        return true;
    case PLACE_FIELD:
        if (!place_static(emitter, place->base, address))
            return false;
        address->base += (int32_t)place->field->offset;
        return true;
    case PLACE_ELEMENT:
        return place_static(emitter, place->base, address) && element_static(emitter, place, address);
    case PLACE_SLOT:
    case PLACE_CALL:
        return false;
    }
    UNREACHABLE("kind of place");
}

int32_t emit_address(struct vm_emitter *emitter, const struct address *address)
{
    if (address->mode == MODE_INDIRECT && address->base == 0)
        return address->reg;
    int32_t reg = register_new(emitter);
    switch (address->mode) {
    case MODE_CELL:
        EMIT(emitter, VM_CONST, reg, address->base);
        break;
    case MODE_ELEMENT:
        EMIT(emitter, VM_ADDRESS_E, reg, address->base, address->var, address->stride);
        break;
    case MODE_INDIRECT:
        EMIT(emitter, VM_ADDRESS_X, reg, address->base, address->reg);
        break;
    }
    return reg;
}

/* base + offset, where the offset is in a register. */
static struct address address_plus(struct vm_emitter *emitter, const struct address *base, int32_t offset)
{
    struct address sum = {.mode = MODE_INDIRECT, .base = base->base, .reg = offset};
    if (base->mode == MODE_CELL)
        return sum;
    int32_t reg = base->reg;
    if (base->mode == MODE_ELEMENT) {
        reg = register_new(emitter);
        EMIT(emitter, VM_ADDRESS_E, reg, 0, base->var, base->stride);
    }
    sum.reg = register_new(emitter);
    EMIT(emitter, VM_OFFSET, sum.reg, reg, offset);
    return sum;
}

/* The index is computed: its offset in a register, checked where it may be outside. */
static int32_t emit_index(struct vm_emitter *emitter, const struct place *place)
{
    const struct type *type = place->base->type->index;
    int32_t stride = (int32_t)place->type->cells;
    int64_t low, high;
    struct vm_operand index = emit_operand(emitter, place->index);
    int32_t reg = register_new(emitter);
    if (!type_interval(type, &low, &high)) {
        int32_t value = emit_register(emitter, &index);
        EMIT(emitter, VM_INDEX_TYPE, reg, value, emit_type_number(emitter, type), stride);
        emit_site(emitter, 0, FAULT_INDEX, place->index->span, NULL, type);
        return reg;
    }
    bool is_free = bounds_within(emitter, place->index, low, high);
    if (index.kind == OPERAND_CELL && index.address.mode == MODE_CELL && !index.is_raw) {
        if (is_free)
            EMIT(emitter, VM_INDEX_FREE_C, reg, index.address.base, (int32_t)low, stride);
        else
            EMIT(emitter, VM_INDEX_C, reg, index.address.base, (int32_t)low, (int32_t)high, stride);
        emit_site(emitter, 0, FAULT_UNDEFINED, index.span, NULL, NULL);
        if (!is_free)
            emit_site(emitter, 1, FAULT_INDEX, place->index->span, NULL, type);
        return reg;
    }
    int32_t value = emit_register(emitter, &index);
    if (is_free) {
        EMIT(emitter, VM_INDEX_FREE, reg, value, (int32_t)low, stride);
        return reg;
    }
    EMIT(emitter, VM_INDEX, reg, value, (int32_t)low, (int32_t)high, stride);
    emit_site(emitter, 0, FAULT_INDEX, place->index->span, NULL, type);
    return reg;
}

static struct address emit_element(struct vm_emitter *emitter, const struct place *place)
{
    struct address base = emit_place(emitter, place->base), address = base;
    if (element_static(emitter, place, &address))
        return address;
    int64_t low, stride = place->type->cells;
    if (base.mode == MODE_ELEMENT && index_is_sure(emitter, place->index, place->base->type->index, &low) &&
        fits(base.base - low * stride)) {
        int32_t reg = register_new(emitter);
        EMIT(emitter, VM_ADDRESS_EE, reg, (int32_t)(base.base - low * stride), base.var, base.stride,
             (int32_t)place->index->place->variable->address, (int32_t)stride);
        return (struct address){.mode = MODE_INDIRECT, .reg = reg};
    }
    int32_t offset = emit_index(emitter, place);
    return address_plus(emitter, &base, offset);
}

static struct address emit_slot(struct vm_emitter *emitter, const struct place *place)
{
    const struct type *multiset = place->base->type;
    struct address address;
    if (slot_static(emitter, place->base, place->index, &address)) {
        static const int32_t zero_and_target[] = {0, 0};
        struct vm_label taken = label_new();
        emit_addressed(emitter, VM_JNE_K_C, NULL, 0, &address, zero_and_target, 2);
        label_use(emitter, &taken);
        emit_op(emitter, VM_FAULT, NULL, 0);
        emit_site(emitter, 0, FAULT_SLOT_FREE, place->span, NULL, NULL);
        label_place(emitter, &taken);
        address.base++;
        return address;
    }
    int32_t base = emit_place_address(emitter, place->base);
    int32_t slot = emit_value(emitter, place->index);
    int32_t reg = register_new(emitter);
    EMIT(emitter, VM_SLOT, reg, base, slot, (int32_t)multiset->capacity, (int32_t)multiset_stride(multiset));
    emit_site(emitter, 0, FAULT_SLOT_FREE, place->index->span, NULL, NULL);
    emit_site(emitter, 1, FAULT_SLOT_FREE, place->span, NULL, NULL);
    return (struct address){.mode = MODE_INDIRECT, .reg = reg};
}

struct address emit_place(struct vm_emitter *emitter, const struct place *place)
{
    struct address address;
    if (place_static(emitter, place, &address))
        return address;
    switch (place->kind) {
    case PLACE_FIELD:
        address = emit_place(emitter, place->base);
        address.base += (int32_t)place->field->offset;
        return address;
    case PLACE_ELEMENT:
        return emit_element(emitter, place);
    case PLACE_SLOT:
        return emit_slot(emitter, place);
    case PLACE_CALL:
        emit_call(emitter, place->call);
        return (struct address){.mode = MODE_CELL, .base = (int32_t)place->call->function->result->address};
    case PLACE_VARIABLE:
    case PLACE_DEREF:
        break;
    }
    UNREACHABLE("kind of place");
}

int32_t emit_place_address(struct vm_emitter *emitter, const struct place *place)
{
    struct address address = emit_place(emitter, place);
    return emit_address(emitter, &address);
}

static bool find_call(void *user, const struct expr *expr)
{
    if (expr->kind == EXPR_CALL)
        *(bool *)user = true;
    return true;
}

bool place_has_call(const struct place *place)
{
    bool found = false;
    walk_place(&(struct walker){.on_expr = find_call, .user = &found}, place, false);
    return found;
}

bool block_has_call(const struct block *block)
{
    bool found = false;
    walk_block(&(struct walker){.on_expr = find_call, .user = &found}, block);
    return found;
}

static bool expr_has_call(const struct expr *expr)
{
    bool found = false;
    walk_expr(&(struct walker){.on_expr = find_call, .user = &found}, expr);
    return found;
}

bool arguments_have_call(const struct expr *call, uint32_t from)
{
    for (uint32_t p = from; p < call->function->parameter_count; p++)
        if (call->arguments[p].value ? expr_has_call(call->arguments[p].value)
                                     : place_has_call(call->arguments[p].place))
            return true;
    return false;
}

int32_t emit_aggregate(struct vm_emitter *emitter, const struct place *place, bool is_followed_by_call)
{
    int32_t source = emit_place_address(emitter, place);
    if (!is_followed_by_call)
        return source;
    int32_t copy = register_new(emitter);
    EMIT(emitter, VM_CONST, copy, (int32_t)emit_temporary(emitter, place->type->cells));
    EMIT(emitter, VM_COPY, copy, source, (int32_t)place->type->cells);
    return copy;
}
