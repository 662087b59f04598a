/* Functions and calls. Recursion is excluded, so what is not a variable of C has its fixed cells. */
#include "exec/native_emit.h"

static void write_function_name(struct native_emitter *emitter, const struct function *function)
{
    text_format(emitter->out, "function_%u_", function->id);
    write_identifier(emitter->out, function->name, 40);
}

static bool is_passed_in_memory(struct native_emitter *emitter, const struct variable *parameter)
{
    return home_of(emitter, parameter)->home == HOME_MEMORY;
}

/* Evaluates an argument into argN_: a code, an address, or a copy of an aggregate that what follows might change. */
static void write_argument(struct native_emitter *emitter, const struct expr *call, uint32_t p)
{
    const struct variable *parameter = call->function->parameters[p];
    const struct argument *argument = &call->arguments[p];
    bool is_aggregate = !parameter->is_reference && !type_is_scalar(parameter->type);
    if (is_aggregate && arguments_have_call(call, p + 1)) {
        write_copy_limit(emitter, parameter->type->cells);
        text_format(emitter->out, "int32_t arg%u_[%u]; __builtin_memcpy(arg%u_, m + (", p, parameter->type->cells, p);
        write_address(emitter, argument->place);
        text_format(emitter->out, "), sizeof arg%u_); ", p);
        return;
    }
    text_format(emitter->out, "int32_t arg%u_ = ", p);
    if (parameter->is_reference || is_aggregate)
        write_address(emitter, argument->place);
    else
        write_storable(emitter, argument->value, parameter->type);
    text_append(emitter->out, "; ");
}

static void write_parameter(struct native_emitter *emitter, const struct expr *call, uint32_t p)
{
    const struct variable *parameter = call->function->parameters[p];
    if (!is_passed_in_memory(emitter, parameter))
        return;
    const char *name = name_address(emitter, parameter);
    if (parameter->is_reference || type_is_scalar(parameter->type))
        text_format(emitter->out, "m[%s] = arg%u_; ", name, p);
    else if (arguments_have_call(call, p + 1))
        text_format(emitter->out, "__builtin_memcpy(m + %s, arg%u_, sizeof arg%u_); ", name, p, p);
    else
        text_format(emitter->out, "COPY(%s, arg%u_, %u); ", name, p, parameter->type->cells);
}

void write_call(struct native_emitter *emitter, const struct expr *call)
{
    const struct function *function = call->function;
    emitter->needs_scratch = true;
    emitter->has_call = true;
    text_append(emitter->out, "({ ");
    for (uint32_t p = 0; p < function->parameter_count; p++)
        write_argument(emitter, call, p);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        write_parameter(emitter, call, p);
    if (emitter->level >= 0)
        text_format(emitter->out, "CALL_AT(%d, ", emitter->level);
    else
        text_append(emitter->out, "CALL(");
    write_function_name(emitter, function);
    text_append(emitter->out, "(run, m");
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!is_passed_in_memory(emitter, function->parameters[p]))
            text_format(emitter->out, ", arg%u_", p);
    if (function->result && type_is_scalar(function->result->type))
        text_format(emitter->out, ")); m[%s]; })", name_address(emitter, function->result));
    else
        text_append(emitter->out, ")); 0; })");
}

/* With the names of the parameters, or without for a declaration. */
static void write_head(struct native_emitter *emitter, const struct function *function, bool has_names)
{
    text_append(emitter->out, "static int ");
    write_function_name(emitter, function);
    text_append(emitter->out, "(struct native_run *run, int32_t *m");
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!is_passed_in_memory(emitter, function->parameters[p]))
            text_format(emitter->out, ", int32_t%s%s", has_names ? " " : "",
                        has_names ? home_of(emitter, function->parameters[p])->name : "");
    text_append(emitter->out, ")");
}

void write_function_head(struct native_emitter *emitter, const struct function *function)
{
    write_head(emitter, function, false);
    text_append(emitter->out, ";\n");
}

void write_function(struct native_emitter *emitter, const struct function *function)
{
    struct body body;
    struct text head = {0}, *out = emitter->out;
    body_begin(emitter, &body);
    emitter->function = function;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!is_passed_in_memory(emitter, function->parameters[p]))
            home_of(emitter, function->parameters[p])->name =
                name_claim(&emitter->names, function->parameters[p]->name);
    if (block_has_call(&function->body))
        write_line(emitter, "LOOK();"); /* calls in calls multiply */
    write_block(emitter, &function->body);
    if (function->result)
        write_line(emitter, "return fault(run, %u, 0);",
                   write_site(emitter, FAULT_NO_RETURN, function->span, NULL, NULL));
    else
        write_line(emitter, "return NATIVE_DONE;");
    struct text *inner = emitter->out;
    emitter->out = &head;
    write_head(emitter, function, true);
    emitter->out = inner;
    emitter->function = NULL;
    body_end(emitter, &body, "function", function->name, function->span, head.chars);
    ENSURE(emitter->out == out);
    text_free(&head);
}
