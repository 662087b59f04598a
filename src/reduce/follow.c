/* Statements and calls. */
#include "reduce/inner.h"

static enum reduce_go follow_stmt(struct reduce_run *run, const struct stmt *stmt);

enum { FOLLOW_MOST_STEPS = 1000000 };

enum reduce_go run_block(struct reduce_run *run, const struct block *block)
{
    enum reduce_go go = GO_OK;
    for (uint32_t i = 0; i < block->count && go == GO_OK; i++) {
        if (++run->steps > FOLLOW_MOST_STEPS)
            return run_refuse(run, block->items[i]->span, "a rule or function that takes too many steps");
        go = run_spend(run, block->items[i]->span);
        if (go == GO_OK)
            go = follow_stmt(run, block->items[i]);
    }
    return go;
}

static enum reduce_go follow_assign(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_value value;
    struct reduce_spot spot;
    enum reduce_go go;
    if (run->crowd_depth && crowd_accumulates(run, stmt, &go))
        return go;
    go = eval_expr(run, stmt->value, &value);
    if (go == GO_OK)
        eval_before(run, &value, &(struct argument){.place = stmt->place});
    if (go == GO_OK)
        go = place_resolve(run, stmt->place, &spot);
    return go == GO_OK ? spot_write(run, &spot, value, stmt->span) : go;
}

static enum reduce_go follow_copy(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_spot from, to;
    enum reduce_go go = place_resolve(run, stmt->source, &from);
    if (go == GO_OK && eval_disturbs(run, &from, &(struct argument){.place = stmt->place}))
        return run_refuse(run, stmt->span, "a record or array beside a call that may change it");
    if (go == GO_OK)
        go = place_resolve(run, stmt->place, &to);
    if (go == GO_OK)
        go = scratch_keep(run, &from);
    return go == GO_OK ? spot_copy(run, &to, &from, stmt->span) : go;
}

static enum reduce_go follow_if(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_value value = {0};
    enum reduce_go go = eval_expr(run, stmt->value, &value);
    bool holds = value.code != 0;
    if (go == GO_OK && value.kind == VALUE_RESIDUAL) {
        if (plain_if(run, stmt, value.expr))
            return GO_OK;
        if (run->is_plain)
            return GO_STOP; /* the statement around it cannot be translated whole, either */
        go = run_branch(run, value.expr, &holds);
    }
    return go == GO_OK ? run_block(run, holds ? &stmt->body : &stmt->otherwise) : go;
}

static enum reduce_go follow_for(struct reduce_run *run, const struct stmt *stmt)
{
    struct iteration iteration;
    int64_t code;
    if (eval_is_unordered(&stmt->domain))
        return crowd_loop(run, stmt);
    enum reduce_go go = eval_iteration(run, &stmt->domain, stmt->span, &iteration);
    while (go == GO_OK && iteration_next(&iteration, &code)) {
        if (!type_has(stmt->variable->type, code))
            return run_fault(run, stmt->span, "value out of range");
        eval_set_variable(run, stmt->variable, value_known(code));
        go = run_block(run, &stmt->body);
    }
    return go;
}

static enum reduce_go follow_while(struct reduce_run *run, const struct stmt *stmt)
{
    bool holds;
    enum reduce_go go = eval_condition(run, stmt->value, &holds);
    for (uint64_t i = 0; go == GO_OK && holds; i++) {
        if (i >= run->reducer->system->loop_limit)
            return run_fault(run, stmt->span, "a loop that does not end");
        if (++run->steps > FOLLOW_MOST_STEPS)
            return run_refuse(run, stmt->span, "a loop that takes too many steps");
        go = run_block(run, &stmt->body);
        if (go == GO_OK)
            go = eval_condition(run, stmt->value, &holds);
    }
    return go;
}

static enum reduce_go follow_violation(struct reduce_run *run, const struct stmt *stmt)
{
    enum reduce_go go = run_fault(run, stmt->span, NULL);
    if (go == GO_FAULT)
        run->fault_property = stmt->property;
    return go;
}

static enum reduce_go follow_emit_check(struct reduce_run *run, const struct stmt *stmt, struct expr *value)
{
    struct stmt *made = stmt_new(run->out, stmt->kind, stmt->span);
    made->value = value;
    made->property = run->reducer->property_of[stmt->property->id];
    return run_emit(run, made);
}

/* assert, assume, cover */
static enum reduce_go follow_check(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_value value;
    enum reduce_go go = eval_expr(run, stmt->value, &value);
    if (go != GO_OK)
        return go;
    if (run->pure && stmt->kind != STMT_ASSERT)
        return run_refuse(run, stmt->span, "assume or cover in a function called in an expression");
    if (run->pure && value.kind == VALUE_RESIDUAL) {
        bool holds;
        go = run_branch(run, value.expr, &holds);
        value = value_known(holds);
        if (go != GO_OK)
            return go;
    }
    if (value.kind == VALUE_RESIDUAL)
        return follow_emit_check(run, stmt, value.expr);
    if (stmt->kind == STMT_ASSERT)
        return value.code ? GO_OK : follow_violation(run, stmt);
    if ((value.code != 0) != (stmt->kind == STMT_COVER))
        return GO_OK;
    go = follow_emit_check(run, stmt, expr_const(run->out, run->out->boolean, value.code, stmt->span));
    return go == GO_OK && stmt->kind == STMT_ASSUME ? GO_STOP : go;
}

static enum reduce_go follow_put(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_value value;
    struct reduce_spot spot = {0};
    enum reduce_go go = GO_OK;
    if (stmt->value) {
        go = eval_expr(run, stmt->value, &value);
        if (go == GO_OK)
            touch_value(run, &value);
        return go;
    }
    if (stmt->source)
        go = place_resolve(run, stmt->source, &spot);
    if (go == GO_OK && spot.residual)
        touch_place(run, spot.residual);
    return go;
}

static enum reduce_go follow_fill(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_spot spot;
    enum reduce_go go = place_resolve(run, stmt->place, &spot);
    return go == GO_OK ? spot_fill(run, &spot, stmt->kind == STMT_CLEAR, stmt->span) : go;
}

static enum reduce_go follow_bind(struct reduce_run *run, const struct stmt *stmt)
{
    struct reduce_spot spot;
    enum reduce_go go = place_resolve(run, stmt->place, &spot);
    if (go != GO_OK)
        return go;
    touch_keep(run, &spot);
    run->bound[stmt->variable->address - run->reducer->system->state_cells] = spot;
    return GO_OK;
}

static enum reduce_go follow_return(struct reduce_run *run, const struct stmt *stmt)
{
    const struct variable *result = run->frames.count ? VEC_LAST(&run->frames)->result : NULL;
    struct reduce_spot from, to = {.element = NONE};
    struct reduce_value value;
    enum reduce_go go = GO_OK;
    if (result && (stmt->value || stmt->source)) {
        to.type = result->type;
        to.address = result->address;
        go = stmt->value ? eval_expr(run, stmt->value, &value) : place_resolve(run, stmt->source, &from);
        if (go == GO_OK)
            go = stmt->value ? spot_write(run, &to, value, stmt->span) : spot_copy(run, &to, &from, stmt->span);
    }
    return go == GO_OK ? GO_RETURN : go;
}

static enum reduce_go follow_require(struct reduce_run *run, const struct stmt *stmt)
{
    bool holds;
    enum reduce_go go = eval_condition(run, stmt->value, &holds);
    return go == GO_OK && !holds ? GO_STOP : go;
}

static enum reduce_go eval_call(struct reduce_run *run, const struct expr *call);

static enum reduce_go follow_stmt(struct reduce_run *run, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return follow_assign(run, stmt);
    case STMT_COPY:
        return follow_copy(run, stmt);
    case STMT_IF:
        return follow_if(run, stmt);
    case STMT_FOR:
        return follow_for(run, stmt);
    case STMT_WHILE:
        return follow_while(run, stmt);
    case STMT_CALL:
        return eval_call(run, stmt->value);
    case STMT_RETURN:
        return follow_return(run, stmt);
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
        return follow_check(run, stmt);
    case STMT_ERROR:
        return follow_violation(run, stmt);
    case STMT_PUT:
        return follow_put(run, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return follow_fill(run, stmt);
    case STMT_BIND:
        return follow_bind(run, stmt);
    case STMT_REQUIRE:
        return follow_require(run, stmt);
    case STMT_MULTISET_ADD:
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        return run_refuse(run, stmt->span, "multisets");
    default:
        return run_refuse(run, stmt->span, "this kind of statement");
    }
}

struct actual {
    struct reduce_value value;
    struct reduce_spot spot;
};

static enum reduce_go call_argument(struct reduce_run *run, const struct expr *call, uint32_t p, struct actual *actual)
{
    const struct argument *argument = &call->arguments[p];
    if (argument->value) {
        enum reduce_go done = eval_expr(run, argument->value, &actual->value);
        for (uint32_t q = p + 1; done == GO_OK && q < call->function->parameter_count; q++)
            eval_before(run, &actual->value, &call->arguments[q]);
        return done;
    }
    enum reduce_go go = place_resolve(run, argument->place, &actual->spot);
    if (go != GO_OK)
        return go;
    if (call->function->parameters[p]->is_reference)
        touch_keep(run, &actual->spot);
    for (uint32_t q = p + 1; q < call->function->parameter_count; q++)
        if (!call->function->parameters[p]->is_reference && eval_disturbs(run, &actual->spot, &call->arguments[q]))
            return run_refuse(run, call->span, "a record or array beside a call that may change it");
    return GO_OK;
}

/* All arguments are evaluated before any parameter is written. */
static enum reduce_go call_arguments(struct reduce_run *run, const struct expr *call, struct actual *actuals)
{
    const struct function *function = call->function;
    enum reduce_go go = GO_OK;
    for (uint32_t p = 0; p < function->parameter_count && go == GO_OK; p++)
        go = call_argument(run, call, p, &actuals[p]);
    for (uint32_t p = 0; p < function->parameter_count && go == GO_OK; p++) {
        const struct variable *parameter = function->parameters[p];
        struct reduce_spot to = {.type = parameter->type, .address = parameter->address, .element = NONE};
        if (parameter->is_reference)
            run->bound[parameter->address - run->reducer->system->state_cells] = actuals[p].spot;
        else if (call->arguments[p].value)
            go = spot_write(run, &to, actuals[p].value, call->span);
        else
            go = spot_copy(run, &to, &actuals[p].spot, call->span);
    }
    return go;
}

static enum reduce_go eval_call(struct reduce_run *run, const struct expr *call)
{
    const struct function *function = call->function;
    struct actual *actuals = memory_zeroed(function->parameter_count + 1, sizeof *actuals);
    enum reduce_go go = call_arguments(run, call, actuals);
    free(actuals);
    VEC_PUSH(&run->frames, function);
    if (go == GO_OK)
        go = run_block(run, &function->body);
    (void)VEC_POP(&run->frames);
    if (go == GO_OK && function->result)
        return run_fault(run, function->span, "a function that ends without a return");
    return go == GO_RETURN ? GO_OK : go;
}

enum reduce_go eval_call_in_expr(struct reduce_run *run, const struct expr *call)
{
    size_t around = run->around_call;
    if (!run->calls++)
        run->around_calls = run->frames.count;
    run->around_call = run->frames.count;
    run->pure++;
    enum reduce_go go = eval_call(run, call);
    run->pure--;
    run->calls--;
    run->around_call = around;
    return go;
}
