/* Instructions, labels, registers: the bottom of the emitter. */
#include "exec/vm_emit.h"

#include <string.h>

void emit_op(struct vm_emitter *emitter, enum vm_op op, const int32_t *operands, uint32_t count)
{
    struct vm_program *program = emitter->program;
    ENSURE(strlen(vm_op_operands(op)) == count);
    emitter->last = (uint32_t)program->code.count;
    VEC_PUSH(&program->code, (int32_t)op);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&program->code, operands[i]);
}

void emit_addressed(struct vm_emitter *emitter, enum vm_op op_c, const int32_t *before, uint32_t before_count,
                    const struct address *address, const int32_t *after, uint32_t after_count)
{
    int32_t words[8];
    uint32_t count = 0;
    for (uint32_t i = 0; i < before_count; i++)
        words[count++] = before[i];
    words[count++] = address->base;
    if (address->mode == MODE_ELEMENT) {
        words[count++] = address->var;
        words[count++] = address->stride;
    } else if (address->mode == MODE_INDIRECT) {
        words[count++] = address->reg;
    }
    for (uint32_t i = 0; i < after_count; i++)
        words[count++] = after[i];
    emit_op(emitter, (enum vm_op)((int)op_c + (int)address->mode), words, count);
}

void emit_site(struct vm_emitter *emitter, uint32_t check, enum fault_kind kind, struct span span,
               const struct property *property, const struct type *type)
{
    const struct vm_site site = {
        .pc = emitter->last, .check = check, .kind = kind, .span = span, .property = property, .type = type};
    VEC_PUSH(&emitter->program->sites, site);
}

struct vm_label label_new(void)
{
    return (struct vm_label){.target = VM_LABEL_OPEN};
}

void label_place(struct vm_emitter *emitter, struct vm_label *label)
{
    ENSURE(label->target == VM_LABEL_OPEN);
    label->target = (int32_t)emitter->program->code.count;
    for (size_t i = 0; i < label->uses.count; i++)
        emitter->program->code.items[label->uses.items[i]] = label->target;
    VEC_FREE(&label->uses);
}

void label_use(struct vm_emitter *emitter, struct vm_label *label)
{
    uint32_t at = (uint32_t)emitter->program->code.count - 1;
    if (label->target == VM_LABEL_OPEN)
        VEC_PUSH(&label->uses, at);
    else
        emitter->program->code.items[at] = label->target;
}

void emit_jump(struct vm_emitter *emitter, struct vm_label *label)
{
    EMIT(emitter, VM_JUMP, 0);
    label_use(emitter, label);
}

int32_t register_new(struct vm_emitter *emitter)
{
    uint32_t reg = emitter->next_register++;
    if (emitter->next_register > emitter->program->register_count)
        emitter->program->register_count = emitter->next_register;
    return (int32_t)reg;
}

int32_t emit_type_number(struct vm_emitter *emitter, const struct type *type)
{
    for (size_t i = 0; i < emitter->program->types.count; i++)
        if (emitter->program->types.items[i] == type)
            return (int32_t)i;
    VEC_PUSH(&emitter->program->types, type);
    return (int32_t)emitter->program->types.count - 1;
}

uint32_t emit_temporary(struct vm_emitter *emitter, uint32_t cells)
{
    uint32_t address = emitter->program->memory_cells;
    emitter->program->memory_cells += cells;
    return address;
}

struct known *emit_known(struct vm_emitter *emitter, const struct variable *variable)
{
    ENSURE(!variable->is_global);
    return &emitter->known[variable->address - emitter->system->state_cells];
}

struct scratch_facts *emit_facts(struct vm_emitter *emitter, const struct variable *variable)
{
    ENSURE(!variable->is_global);
    return &emitter->facts[variable->address - emitter->system->state_cells];
}
