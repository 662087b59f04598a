/* Multisets, and whole values that are cleared or undefined. */
#include "exec/vm_emit.h"

static void template_append(struct vm_emitter *emitter, const struct type *type, bool is_clear)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++)
            template_append(emitter, type->element, is_clear);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            template_append(emitter, type->fields[f].type, is_clear);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            VEC_PUSH(&emitter->program->templates, 0);
            template_append(emitter, type->element, false);
        }
        return;
    default:
        VEC_PUSH(&emitter->program->templates, is_clear ? type_code(type, 0) : UNDEFINED);
        return;
    }
}

void emit_fill(struct vm_emitter *emitter, int32_t address, const struct type *type, bool is_clear)
{
    int64_t *at = (is_clear ? emitter->clear_templates : emitter->blank_templates) + type->id;
    if (*at < 0) {
        *at = (int64_t)emitter->program->templates.count;
        template_append(emitter, type, is_clear);
    }
    EMIT(emitter, VM_FILL, address, (int32_t)*at, (int32_t)type->cells);
}

void emit_multiset_add(struct vm_emitter *emitter, const struct stmt *stmt)
{
    const struct type *multiset = stmt->place->type;
    struct vm_operand operand = {.kind = OPERAND_REGISTER};
    if (stmt->value)
        operand.reg = emit_value(emitter, stmt->value);
    else
        operand.reg = emit_aggregate(emitter, stmt->source, place_has_call(stmt->place));
    int32_t base = emit_place_address(emitter, stmt->place), element = register_new(emitter);
    EMIT(emitter, VM_TAKE_SLOT, element, base, (int32_t)multiset->capacity, (int32_t)multiset_stride(multiset));
    emit_site(emitter, 0, FAULT_MULTISET_FULL, stmt->span, NULL, NULL);
    if (stmt->value) {
        const struct address address = {.mode = MODE_INDIRECT, .reg = element};
        emit_store(emitter, stmt->value, &operand, &address, multiset->element);
    } else {
        EMIT(emitter, VM_COPY, element, operand.reg, (int32_t)multiset->element->cells);
    }
}

static void emit_free_slot(struct vm_emitter *emitter, const struct type *multiset, int32_t base, int32_t slot,
                           struct span span)
{
    int32_t element = register_new(emitter);
    EMIT(emitter, VM_FREE_SLOT, element, base, slot, (int32_t)multiset->capacity, (int32_t)multiset_stride(multiset));
    emit_site(emitter, 0, FAULT_SLOT_FREE, span, NULL, NULL);
    emit_fill(emitter, element, multiset->element, false);
}

void emit_multiset_remove(struct vm_emitter *emitter, const struct stmt *stmt)
{
    int32_t slot = emit_value(emitter, stmt->value);
    int32_t base = emit_place_address(emitter, stmt->place);
    emit_free_slot(emitter, stmt->place->type, base, slot, stmt->value->span);
}

/* The predicate is evaluated for every taken slot before any is freed: the doomed are noted first. */
void emit_multiset_remove_if(struct vm_emitter *emitter, const struct stmt *stmt)
{
    const struct type *multiset = stmt->place->type;
    struct slot_loop loop;
    int32_t base = emit_place_address(emitter, stmt->place), slot = register_new(emitter);
    int32_t doomed = (int32_t)emit_temporary(emitter, multiset->capacity);
    for (uint32_t s = 0; s < multiset->capacity; s++)
        EMIT(emitter, VM_SET, doomed + (int32_t)s, 0);
    emit_slots_begin(emitter, &loop, stmt->variable, multiset, base);
    emit_branch(emitter, stmt->value, false, &loop.next);
    EMIT(emitter, VM_STORE_K_E, doomed, loop.cell, 1, 1);
    emit_slots_end(emitter, &loop);

    emit_slots_begin(emitter, &loop, stmt->variable, multiset, base);
    EMIT(emitter, VM_JEQ_K_E, doomed, loop.cell, 1, 0, 0);
    label_use(emitter, &loop.next);
    EMIT(emitter, VM_RAW_C, slot, loop.cell);
    emit_free_slot(emitter, multiset, base, slot, stmt->span);
    emit_slots_end(emitter, &loop);
}
