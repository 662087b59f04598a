#include "lang/murphi/lower.h"

static struct place *call_of(struct place *place)
{
    while (place->kind == PLACE_ELEMENT || place->kind == PLACE_FIELD)
        place = place->base;
    return place->kind == PLACE_CALL ? place : NULL;
}

static struct argument pass_on(struct system *system, const struct variable *parameter, struct span span)
{
    struct place *place = place_variable(system, parameter, span);
    if (parameter->is_reference || !type_is_scalar(parameter->type))
        return (struct argument){.place = place};
    return (struct argument){.value = expr_read(system, place, true, span)};
}

/* A function that only calls the other one: its result is a place of its own. */
static const struct function *wrap(struct lower *lower, const struct function *inner, struct span span)
{
    struct system *system = lower->system;
    struct function *outer = system_add_function(system, inner->name, inner->span);
    uint32_t count = inner->parameter_count;
    struct argument *arguments = ARENA_ARRAY(system->arena, struct argument, count);
    outer->result = system_add_scratch(system, inner->name, inner->result->type, inner->span);
    outer->parameters = ARENA_ARRAY(system->arena, const struct variable *, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct variable *parameter = inner->parameters[i];
        outer->parameters[outer->parameter_count++] =
            parameter->is_reference ? system_add_reference(system, parameter->name, parameter->type, parameter->span)
                                    : system_add_scratch(system, parameter->name, parameter->type, parameter->span);
        arguments[i] = pass_on(system, outer->parameters[i], span);
    }
    struct stmts body = {0};
    stmts_add(lower, &body, STMT_UNDEFINE, span)->place = place_variable(system, outer->result, span);
    stmts_add(lower, &body, STMT_RETURN, span)->source =
        place_call(system, expr_call(system, inner, arguments, span), span);
    outer->body = stmts_seal(lower, &body);
    return outer;
}

void keep_call_result(struct lower *lower, const struct murphi_value *value, const struct ast_expr *beside)
{
    struct place *result = value->place && !type_is_scalar(value->type) ? call_of(value->place) : NULL;
    if (!result || !has_call(beside))
        return;
    const struct expr *call = result->call;
    lower->cost++;
    result->call = expr_call(lower->system, wrap(lower, call->function, call->span), call->arguments, call->span);
}
