/* Functions. There is no recursion, so parameters and results have cells of their own; those are set for all states at
 * once: for states that are not live now nobody looks at them before the next call. */
#include "bits/machine.h"

static uint32_t parameter_cells(const struct variable *parameter)
{
    return parameter->is_reference ? 1 : parameter->type->cells;
}

static const struct number **machine_argument(struct machine *machine, const struct variable *parameter,
                                              const struct argument *argument)
{
    const struct number **values = ARENA_NEW(machine->calculator.arena, const struct number *);
    if (!parameter->is_reference && type_is_scalar(parameter->type)) {
        *values = machine_expr(machine, argument->value);
        machine_check_storable(machine, argument->value, parameter->type, *values);
        return values;
    }
    struct spots spots = machine_place(machine, argument->place);
    if (!parameter->is_reference)
        return machine_load_all(machine, &spots, parameter->type->cells);
    *values = machine_address(machine, &spots);
    return values;
}

/* All arguments first, then all parameters: an argument may call the same function. */
static void machine_pass(struct machine *machine, const struct expr *call)
{
    const struct function *function = call->function;
    const struct number ***taken =
        ARENA_ARRAY(machine->calculator.arena, const struct number **, function->parameter_count + 1);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        taken[p] = machine_argument(machine, function->parameters[p], &call->arguments[p]);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        for (uint32_t c = 0; c < parameter_cells(function->parameters[p]); c++)
            machine_set(machine, function->parameters[p]->address + c, taken[p][c]);
}

void machine_call(struct machine *machine, const struct expr *call)
{
    const struct function *caller = machine->function, *function = call->function;
    bit returned = machine->returned;
    machine_pass(machine, call);
    for (uint32_t c = 0; function->result && c < function->result->type->cells; c++)
        machine_set(machine, function->result->address + c, NULL);
    machine->function = function;
    machine->returned = BIT_FALSE;
    machine_block(machine, &function->body);
    if (function->result)
        machine_fault(machine, NULL, BIT_TRUE); /* came to the end without a return */
    machine->live = calculate_or(&machine->calculator, machine->live, machine->returned);
    machine->returned = returned;
    machine->function = caller;
}

/* The first return of a call fills the result for all states: those that are not live have none yet. */
static void machine_set_result(struct machine *machine, uint32_t address, const struct number *value)
{
    if (machine->memory[address])
        machine_store(machine, address, BIT_TRUE, value);
    else
        machine_set(machine, address, value);
}

void machine_return(struct machine *machine, const struct stmt *stmt)
{
    const struct variable *result = machine->function ? machine->function->result : NULL;
    if (stmt->source) {
        struct spots spots = machine_place(machine, stmt->source);
        const struct number **values = machine_load_all(machine, &spots, result->type->cells);
        for (uint32_t c = 0; c < result->type->cells; c++)
            machine_set_result(machine, result->address + c, values[c]);
    } else if (stmt->value) {
        const struct number *value = machine_expr(machine, stmt->value);
        machine_fault(machine, NULL, bit_not(machine_has(machine, result->type, value)));
        machine_set_result(machine, result->address, value);
    }
    machine->returned = calculate_or(&machine->calculator, machine->returned, machine->live);
    machine->live = BIT_FALSE;
}
