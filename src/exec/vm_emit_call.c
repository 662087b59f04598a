/* Calls. Recursion is excluded, so parameters and locals have fixed cells. Small functions are emitted where they are
 * called; others once, with registers of their own. */
#include "exec/vm_emit.h"

/* An argument, evaluated but not yet passed. */
struct vm_passed {
    struct vm_operand operand; /* a scalar; for an aggregate or a reference the register holds an address */
    struct address address;    /* of a reference */
};

/* Checked against the parameter's type as soon as it is evaluated. */
static struct vm_operand emit_scalar_argument(struct vm_emitter *emitter, const struct expr *value,
                                              const struct type *type)
{
    struct vm_operand operand = emit_operand(emitter, value);
    if (operand_is_storable(value, &operand, type))
        return operand;
    operand.reg = emit_register(emitter, &operand);
    operand.kind = OPERAND_REGISTER;
    if (!value_is_inside(emitter, value, type))
        emit_check(emitter, operand.reg, type, expr_is_raw(value), value->span);
    return operand;
}

static struct vm_passed emit_argument(struct vm_emitter *emitter, const struct expr *call, uint32_t p)
{
    const struct variable *parameter = call->function->parameters[p];
    const struct argument *argument = &call->arguments[p];
    struct vm_passed passed = {.operand = {.kind = OPERAND_REGISTER}};
    if (parameter->is_reference) {
        passed.address = emit_place(emitter, argument->place);
    } else if (type_is_scalar(parameter->type)) {
        passed.operand = emit_scalar_argument(emitter, argument->value, parameter->type);
    } else {
        passed.operand.reg = emit_aggregate(emitter, argument->place, arguments_have_call(call, p + 1));
    }
    return passed;
}

static void emit_parameter(struct vm_emitter *emitter, const struct function *function, uint32_t p,
                           const struct vm_passed *passed)
{
    const struct variable *parameter = function->parameters[p];
    bool is_inlined = emitter->functions[function->id].is_inlined;
    struct known *known = emit_known(emitter, parameter);
    int32_t cell = (int32_t)parameter->address;
    if (parameter->is_reference) {
        known->is_known = is_inlined && passed->address.mode == MODE_CELL;
        known->value = passed->address.base;
        if (!known->is_known)
            EMIT(emitter, VM_LET, cell, emit_address(emitter, &passed->address));
        return;
    }
    if (!type_is_scalar(parameter->type)) {
        int32_t target = register_new(emitter);
        EMIT(emitter, VM_CONST, target, cell);
        EMIT(emitter, VM_COPY, target, passed->operand.reg, (int32_t)parameter->type->cells);
        return;
    }
    bool is_constant = passed->operand.kind == OPERAND_CONST;
    known->is_known =
        is_inlined && is_constant && passed->operand.value != UNDEFINED && !emit_facts(emitter, parameter)->is_written;
    known->value = is_constant ? (int32_t)passed->operand.value : 0;
    if (is_constant)
        EMIT(emitter, VM_SET, cell, known->value);
    else
        EMIT(emitter, VM_LET, cell, passed->operand.reg);
}

static void emit_no_return(struct vm_emitter *emitter, const struct function *function)
{
    emit_op(emitter, VM_FAULT, NULL, 0);
    emit_site(emitter, 0, FAULT_NO_RETURN, function->span, NULL, NULL);
}

static void emit_inline(struct vm_emitter *emitter, const struct function *function)
{
    struct vm_label exit = label_new(), *outer_exit = emitter->exit;
    const struct function *outer = emitter->function;
    emitter->exit = &exit;
    emitter->function = function;
    emit_block(emitter, &function->body);
    emitter->exit = outer_exit;
    emitter->function = outer;
    if (function->result)
        emit_no_return(emitter, function);
    label_place(emitter, &exit);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        emit_known(emitter, function->parameters[p])->is_known = false;
}

void emit_call(struct vm_emitter *emitter, const struct expr *call)
{
    const struct function *function = call->function;
    struct vm_passed *passed = memory_zeroed((size_t)function->parameter_count + 1, sizeof *passed);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        passed[p] = emit_argument(emitter, call, p);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        emit_parameter(emitter, function, p, &passed[p]);
    free(passed);
    if (emitter->functions[function->id].is_inlined) {
        emit_inline(emitter, function);
        return;
    }
    EMIT(emitter, VM_CALL, 0);
    label_use(emitter, &emitter->entries[function->id]);
}

void emit_function(struct vm_emitter *emitter, const struct function *function)
{
    emitter->next_register = emitter->program->register_count; /* disjoint from those of every caller */
    emitter->exit = NULL;
    emitter->function = function;
    label_place(emitter, &emitter->entries[function->id]);
    emit_block(emitter, &function->body);
    if (function->result)
        emit_no_return(emitter, function);
    else
        emit_op(emitter, VM_RETURN, NULL, 0);
    emitter->function = NULL;
}
