/* Calls of functions. */
#include "smt/machine.h"

/* An argument, evaluated before any parameter is written. */
struct smt_argument {
    struct smt_spots spots; /* by reference, or an aggregate */
    const struct smt_value *value;
};

static void argument_take(struct smt_machine *machine, const struct variable *parameter,
                          const struct argument *argument, struct smt_argument *taken)
{
    if (parameter->is_reference || !type_is_scalar(parameter->type))
        taken->spots = smt_place(machine, argument->place);
    else
        taken->value =
            smt_storable(machine, smt_expr(machine, argument->value), parameter->type, argument->value->span);
}

/* The leaves of an aggregate, all of whose elements are those of the source now. */
static void parameter_copy(struct smt_machine *machine, const struct variable *parameter,
                           const struct smt_spots *source)
{
    term variables[SMT_MOST_DIMENSIONS];
    uint32_t leaves = leaf_count_of(parameter->type), first = machine->first[parameter->address];
    for (uint32_t l = 0; source->count && l < leaves && !machine->is_refused; l++) {
        uint32_t count = spot_open(machine, &source->items[0], l, variables);
        const struct smt_value *value = smt_load(machine, source, l, variables, count);
        content_write(machine, first + l, variables, variables, count, TERM_TRUE, value);
    }
}

static void parameters_set(struct smt_machine *machine, const struct function *function,
                           const struct smt_argument *taken)
{
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        if (parameter->is_reference)
            machine->references[parameter->address] = taken[p].spots;
        else if (type_is_scalar(parameter->type))
            smt_set_variable(machine, parameter, taken[p].value);
        else
            parameter_copy(machine, parameter, &taken[p].spots);
    }
}

static void result_forget(struct smt_machine *machine, const struct function *function)
{
    uint32_t leaves = function->result ? leaf_count_of(function->result->type) : 0;
    for (uint32_t l = 0; l < leaves; l++)
        machine->contents[machine->first[function->result->address] + l] = content_undefined(machine);
}

/* An aggregate that is given by value must not be changed, by a later argument, between its evaluation and the call:
 * only a call could do that. */
static bool has_risky_copy(const struct expr *call)
{
    bool has_copy = false, has_call = false;
    for (uint32_t p = 0; p < call->function->parameter_count; p++) {
        const struct argument *argument = &call->arguments[p];
        has_copy |= !call->function->parameters[p]->is_reference && argument->place != NULL;
        has_call |= argument->value && argument->value->kind != EXPR_READ && argument->value->kind != EXPR_CONST;
        has_call |= argument->place && place_root(argument->place)->kind == PLACE_CALL;
    }
    return has_copy && has_call && call->function->parameter_count > 1;
}

void smt_call(struct smt_machine *machine, const struct expr *call)
{
    const struct function *function = call->function, *caller = machine->function;
    struct smt_argument *taken = ARENA_ARRAY(machine->terms->arena, struct smt_argument, function->parameter_count + 1);
    if (has_risky_copy(call))
        smt_refuse(machine, call->span, "a call with an aggregate and a computed value as arguments");
    for (uint32_t p = 0; p < function->parameter_count && !machine->is_refused; p++)
        argument_take(machine, function->parameters[p], &call->arguments[p], &taken[p]);
    if (machine->is_refused)
        return;
    parameters_set(machine, function, taken);
    result_forget(machine, function);
    term active = smt_active(machine), returned = machine->returned;
    VEC_PUSH(&machine->paths, active);
    machine->returned = TERM_FALSE;
    machine->function = function;
    smt_block(machine, &function->body);
    if (function->result) /* it must end with a return */
        smt_fault(machine, NULL, function->span, TERM_TRUE);
    machine->paths.count--;
    machine->returned = returned;
    machine->function = caller;
}
