/* Statements and calls. */
#include <string.h>

#include "exec/evaluate.h"

/* Evaluates one argument into `cells`: an address, a code, or a whole aggregate. */
static enum run evaluate_argument(struct evaluator *evaluator, const struct variable *parameter,
                                  const struct argument *argument, int32_t *cells)
{
    if (parameter->is_reference) {
        uint32_t address;
        enum run run = evaluate_place(evaluator, argument->place, &address);
        if (run == RUN_OK)
            *cells = (int32_t)address;
        return run;
    }
    if (!type_is_scalar(parameter->type))
        return evaluate_aggregate(evaluator, argument->place, cells);
    int64_t value;
    enum run run = evaluate_expr(evaluator, argument->value, &value);
    if (run == RUN_OK)
        run = evaluate_storable(evaluator, argument->value, parameter->type, value);
    if (run == RUN_OK)
        *cells = (int32_t)value;
    return run;
}

static uint32_t evaluate_parameter_cells(const struct variable *parameter)
{
    return parameter->is_reference ? 1 : parameter->type->cells;
}

/* All arguments first, then all parameters: an argument may call the same function. */
static enum run evaluate_pass(struct evaluator *evaluator, const struct expr *call)
{
    const struct function *function = call->function;
    size_t total = 1, at = 0;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        total += evaluate_parameter_cells(function->parameters[p]);
    int32_t *taken = memory_alloc(total * sizeof *taken);
    enum run run = RUN_OK;
    for (uint32_t p = 0; run == RUN_OK && p < function->parameter_count; p++) {
        run = evaluate_argument(evaluator, function->parameters[p], &call->arguments[p], taken + at);
        at += evaluate_parameter_cells(function->parameters[p]);
    }
    at = 0;
    for (uint32_t p = 0; run == RUN_OK && p < function->parameter_count; p++) {
        uint32_t cells = evaluate_parameter_cells(function->parameters[p]);
        memcpy(evaluator->memory + function->parameters[p]->address, taken + at, cells * sizeof *taken);
        at += cells;
    }
    free(taken);
    return run;
}

enum run evaluate_call(struct evaluator *evaluator, const struct expr *call)
{
    enum run run = evaluate_pass(evaluator, call);
    if (run != RUN_OK)
        return run;
    if (stepper_is_cut(&evaluator->stepper)) /* calls in calls multiply */
        return RUN_DISCARDED;
    const struct function *caller = evaluator->function;
    evaluator->function = call->function;
    run = evaluate_block(evaluator, &call->function->body);
    evaluator->function = caller;
    if (run == RUN_OK && call->function->result)
        return evaluate_fault(evaluator, FAULT_NO_RETURN, call->function->span);
    return run == RUN_RETURNED ? RUN_OK : run;
}

static enum run evaluate_assign(struct evaluator *evaluator, const struct stmt *stmt)
{
    int64_t value;
    uint32_t address;
    enum run run = evaluate_expr(evaluator, stmt->value, &value);
    if (run == RUN_OK)
        run = evaluate_place(evaluator, stmt->place, &address);
    if (run == RUN_OK)
        run = evaluate_storable(evaluator, stmt->value, stmt->place->type, value);
    if (run == RUN_OK)
        evaluator->memory[address] = (int32_t)value;
    return run;
}

static enum run evaluate_copy(struct evaluator *evaluator, const struct stmt *stmt)
{
    size_t size = stmt->place->type->cells * sizeof(int32_t);
    int32_t *taken = memory_alloc(size + 1);
    uint32_t address;
    enum run run = evaluate_aggregate(evaluator, stmt->source, taken);
    if (run == RUN_OK)
        run = evaluate_place(evaluator, stmt->place, &address);
    if (run == RUN_OK)
        memcpy(evaluator->memory + address, taken, size);
    free(taken);
    return run;
}

static enum run evaluate_if(struct evaluator *evaluator, const struct stmt *stmt)
{
    int64_t holds;
    enum run run = evaluate_expr(evaluator, stmt->value, &holds);
    return run == RUN_OK ? evaluate_block(evaluator, holds ? &stmt->body : &stmt->otherwise) : run;
}

static enum run evaluate_for(struct evaluator *evaluator, const struct stmt *stmt)
{
    struct iteration iteration;
    enum run run = iteration_begin(evaluator, &stmt->domain, stmt->span, &iteration);
    int64_t value;
    while (run == RUN_OK && iteration_next(&iteration, &value)) {
        run = evaluate_set_variable(evaluator, stmt->variable, value, stmt->span);
        if (run == RUN_OK)
            run = evaluate_block(evaluator, &stmt->body);
    }
    return run;
}

static enum run evaluate_while(struct evaluator *evaluator, const struct stmt *stmt)
{
    for (uint64_t done = 0;; done++) {
        int64_t holds;
        if (stepper_is_cut(&evaluator->stepper))
            return RUN_DISCARDED;
        enum run run = evaluate_expr(evaluator, stmt->value, &holds);
        if (run != RUN_OK || !holds)
            return run;
        if (done == evaluator->stepper.system->loop_limit)
            return evaluate_fault(evaluator, FAULT_LOOP_LIMIT, stmt->span);
        run = evaluate_block(evaluator, &stmt->body);
        if (run != RUN_OK)
            return run;
    }
}

static enum run evaluate_return(struct evaluator *evaluator, const struct stmt *stmt)
{
    const struct variable *result = evaluator->function ? evaluator->function->result : NULL;
    enum run run = RUN_OK;
    int64_t value;
    if (stmt->source) {
        run = evaluate_aggregate(evaluator, stmt->source, evaluator->memory + result->address);
    } else if (stmt->value) {
        run = evaluate_expr(evaluator, stmt->value, &value);
        if (run == RUN_OK)
            run = evaluate_set_variable(evaluator, result, value, stmt->value->span);
    }
    return run == RUN_OK ? RUN_RETURNED : run;
}

/* ASSERT, ASSUME, COVER, REQUIRE: what a condition leads to. */
static enum run evaluate_condition(struct evaluator *evaluator, const struct stmt *stmt)
{
    int64_t holds;
    enum run run = evaluate_expr(evaluator, stmt->value, &holds);
    if (run != RUN_OK)
        return run;
    switch (stmt->kind) {
    case STMT_COVER:
        if (holds)
            evaluator->stepper.covered[stmt->property->id] = true;
        return RUN_OK;
    case STMT_ASSUME:
        return holds ? RUN_OK : RUN_DISCARDED;
    case STMT_REQUIRE:
        return holds ? RUN_OK : RUN_DISABLED;
    default:
        if (holds)
            return RUN_OK;
        evaluate_fault(evaluator, FAULT_ASSERTION, stmt->span);
        evaluator->fault.property = stmt->property;
        return RUN_FAULT;
    }
}

static enum run evaluate_put(struct evaluator *evaluator, const struct stmt *stmt)
{
    int64_t value;
    uint32_t address;
    if (stmt->value)
        return evaluate_expr(evaluator, stmt->value, &value);
    return stmt->source ? evaluate_place(evaluator, stmt->source, &address) : RUN_OK;
}

static enum run evaluate_error(struct evaluator *evaluator, const struct stmt *stmt)
{
    evaluate_fault(evaluator, FAULT_ERROR, stmt->span);
    evaluator->fault.property = stmt->property;
    return RUN_FAULT;
}

/* CLEAR, UNDEFINE */
static enum run evaluate_reset(struct evaluator *evaluator, const struct stmt *stmt)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, stmt->place, &address);
    if (run == RUN_OK)
        evaluate_fill(stmt->place->type, evaluator->memory + address, stmt->kind == STMT_CLEAR);
    return run;
}

static enum run evaluate_bind(struct evaluator *evaluator, const struct stmt *stmt)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, stmt->place, &address);
    if (run == RUN_OK)
        evaluator->memory[stmt->variable->address] = (int32_t)address;
    return run;
}

/* Puts the element, whose cells are `taken`, in the first free slot. */
static enum run evaluate_insert(struct evaluator *evaluator, const struct stmt *stmt, const int32_t *taken)
{
    const struct type *type = stmt->place->type;
    uint32_t address;
    enum run run = evaluate_place(evaluator, stmt->place, &address);
    if (run != RUN_OK)
        return run;
    uint32_t slot = 0;
    while (slot < type->capacity && evaluator->memory[address + slot * multiset_stride(type)])
        slot++;
    if (slot == type->capacity)
        return evaluate_fault(evaluator, FAULT_MULTISET_FULL, stmt->span);
    int32_t *cells = evaluator->memory + address + slot * multiset_stride(type);
    cells[0] = 1;
    memcpy(cells + 1, taken, type->element->cells * sizeof *cells);
    return RUN_OK;
}

static enum run evaluate_multiset_add(struct evaluator *evaluator, const struct stmt *stmt)
{
    int32_t *taken = memory_alloc((stmt->place->type->element->cells + 1) * sizeof *taken);
    enum run run;
    if (stmt->value) {
        int64_t value = 0;
        run = evaluate_expr(evaluator, stmt->value, &value);
        *taken = (int32_t)value;
        if (run == RUN_OK)
            run = evaluate_insert(evaluator, stmt, taken);
        if (run == RUN_OK) /* after the slot was found: full comes before out of range */
            run = evaluate_storable(evaluator, stmt->value, stmt->place->type->element, value);
    } else {
        run = evaluate_aggregate(evaluator, stmt->source, taken);
        if (run == RUN_OK)
            run = evaluate_insert(evaluator, stmt, taken);
    }
    free(taken);
    return run;
}

static void evaluate_free_slot(struct evaluator *evaluator, const struct type *multiset, uint32_t slot)
{
    evaluator->memory[slot] = 0;
    evaluate_fill(multiset->element, evaluator->memory + slot + 1, false);
}

static enum run evaluate_multiset_remove(struct evaluator *evaluator, const struct stmt *stmt)
{
    int64_t number;
    uint32_t address;
    enum run run = evaluate_expr(evaluator, stmt->value, &number);
    if (run == RUN_OK)
        run = evaluate_place(evaluator, stmt->place, &address);
    if (run != RUN_OK)
        return run;
    if (number < 0 || number >= stmt->place->type->capacity)
        return evaluate_fault(evaluator, FAULT_SLOT_FREE, stmt->value->span);
    address += (uint32_t)number * multiset_stride(stmt->place->type);
    if (!evaluator->memory[address])
        return evaluate_fault(evaluator, FAULT_SLOT_FREE, stmt->value->span);
    evaluate_free_slot(evaluator, stmt->place->type, address);
    return RUN_OK;
}

static enum run evaluate_multiset_remove_if(struct evaluator *evaluator, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    uint32_t address, stride = multiset_stride(type);
    enum run run = evaluate_place(evaluator, stmt->place, &address);
    if (run != RUN_OK)
        return run;
    bool *is_doomed = memory_zeroed(type->capacity, sizeof *is_doomed);
    for (uint32_t s = 0; run == RUN_OK && s < type->capacity; s++) {
        int64_t holds = 0;
        if (!evaluator->memory[address + s * stride])
            continue;
        run = evaluate_set_variable(evaluator, stmt->variable, s, stmt->span);
        if (run == RUN_OK)
            run = evaluate_expr(evaluator, stmt->value, &holds);
        is_doomed[s] = run == RUN_OK && holds;
    }
    for (uint32_t s = 0; run == RUN_OK && s < type->capacity; s++)
        if (is_doomed[s])
            evaluate_free_slot(evaluator, type, address + s * stride);
    free(is_doomed);
    return run;
}

static enum run evaluate_stmt(struct evaluator *evaluator, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return evaluate_assign(evaluator, stmt);
    case STMT_COPY:
        return evaluate_copy(evaluator, stmt);
    case STMT_IF:
        return evaluate_if(evaluator, stmt);
    case STMT_FOR:
        return evaluate_for(evaluator, stmt);
    case STMT_WHILE:
        return evaluate_while(evaluator, stmt);
    case STMT_CALL:
        return evaluate_call(evaluator, stmt->value);
    case STMT_RETURN:
        return evaluate_return(evaluator, stmt);
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        return evaluate_condition(evaluator, stmt);
    case STMT_ERROR:
        return evaluate_error(evaluator, stmt);
    case STMT_PUT:
        return evaluate_put(evaluator, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return evaluate_reset(evaluator, stmt);
    case STMT_BIND:
        return evaluate_bind(evaluator, stmt);
    case STMT_MULTISET_ADD:
        return evaluate_multiset_add(evaluator, stmt);
    case STMT_MULTISET_REMOVE:
        return evaluate_multiset_remove(evaluator, stmt);
    case STMT_MULTISET_REMOVE_IF:
        return evaluate_multiset_remove_if(evaluator, stmt);
    }
    UNREACHABLE("statement kind");
}

enum run evaluate_block(struct evaluator *evaluator, const struct block *block)
{
    enum run run = RUN_OK;
    for (uint32_t s = 0; run == RUN_OK && s < block->count; s++)
        run = evaluate_stmt(evaluator, block->items[s]);
    return run;
}
