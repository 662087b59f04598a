/* Expressions and places. */
#include <string.h>

#include "exec/evaluate.h"
#include "ir/arith.h"

enum run evaluate_fault(struct evaluator *evaluator, enum fault_kind kind, struct span span)
{
    const struct property *runtime = evaluator->stepper.system->properties.items[SYSTEM_RUNTIME];
    evaluator->fault = (struct fault){.kind = kind, .span = span, .property = runtime};
    return RUN_FAULT;
}

enum run evaluate_check(struct evaluator *evaluator, enum fault_kind kind, const struct type *type, int64_t value,
                        struct span span)
{
    if (type_has(type, value))
        return RUN_OK;
    evaluate_fault(evaluator, kind, span);
    evaluator->fault.value = value;
    evaluator->fault.type = type;
    return RUN_FAULT;
}

static enum run evaluate_element(struct evaluator *evaluator, const struct place *place, uint32_t *address)
{
    int64_t index;
    enum run run = evaluate_place(evaluator, place->base, address);
    if (run == RUN_OK)
        run = evaluate_expr(evaluator, place->index, &index);
    if (run == RUN_OK)
        run = evaluate_check(evaluator, FAULT_INDEX, place->base->type->index, index, place->index->span);
    if (run == RUN_OK)
        *address += (uint32_t)type_ordinal(place->base->type->index, index) * place->type->cells;
    return run;
}

/* The address of a slot of a multiset (of its taken-flag); faults when there is no such slot. */
static enum run evaluate_slot(struct evaluator *evaluator, const struct place *multiset, const struct expr *slot,
                              uint32_t *address)
{
    int64_t number;
    enum run run = evaluate_place(evaluator, multiset, address);
    if (run == RUN_OK)
        run = evaluate_expr(evaluator, slot, &number);
    if (run != RUN_OK)
        return run;
    if (number < 0 || number >= multiset->type->capacity)
        return evaluate_fault(evaluator, FAULT_SLOT_FREE, slot->span);
    *address += (uint32_t)number * multiset_stride(multiset->type);
    return RUN_OK;
}

enum run evaluate_place(struct evaluator *evaluator, const struct place *place, uint32_t *address)
{
    enum run run;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *address = place->variable->address;
        return RUN_OK;
    case PLACE_DEREF:
        ENSURE(evaluator->memory[place->variable->address] != UNDEFINED);
        *address = (uint32_t)evaluator->memory[place->variable->address];
        return RUN_OK;
    case PLACE_ELEMENT:
        return evaluate_element(evaluator, place, address);
    case PLACE_FIELD:
        run = evaluate_place(evaluator, place->base, address);
        if (run == RUN_OK)
            *address += place->field->offset;
        return run;
    case PLACE_SLOT:
        run = evaluate_slot(evaluator, place->base, place->index, address);
        if (run == RUN_OK && !evaluator->memory[(*address)++])
            return evaluate_fault(evaluator, FAULT_SLOT_FREE, place->span);
        return run;
    case PLACE_CALL:
        *address = place->call->function->result->address;
        return evaluate_call(evaluator, place->call);
    }
    UNREACHABLE("place kind");
}

enum run evaluate_aggregate(struct evaluator *evaluator, const struct place *place, int32_t *cells)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, place, &address);
    if (run == RUN_OK)
        memmove(cells, evaluator->memory + address, place->type->cells * sizeof *cells);
    return run;
}

enum run evaluate_storable(struct evaluator *evaluator, const struct expr *expr, const struct type *type, int64_t value)
{
    /* Only by the kind of expression: arithmetic may yield the number that encodes "undefined". */
    bool may_be_undefined = expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw);
    if (may_be_undefined && value == UNDEFINED)
        return RUN_OK;
    return evaluate_check(evaluator, FAULT_RANGE, type, value, expr->span);
}

static enum run evaluate_read(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, expr->place, &address);
    if (run != RUN_OK)
        return run;
    *value = evaluator->memory[address];
    if (*value == UNDEFINED && !expr->raw)
        return evaluate_fault(evaluator, FAULT_UNDEFINED, expr->place->span);
    return RUN_OK;
}

static enum run evaluate_arith(struct evaluator *evaluator, enum arith_status status, struct span span)
{
    if (status == ARITH_OK)
        return RUN_OK;
    return evaluate_fault(evaluator, status == ARITH_DIVISION ? FAULT_DIVISION : FAULT_OVERFLOW, span);
}

static enum run evaluate_binary(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    enum run run = evaluate_expr(evaluator, expr->left, &left);
    if (run != RUN_OK)
        return run;
    if ((expr->op == OP_AND && !left) || (expr->op == OP_OR && left) || (expr->op == OP_IMPLIES && !left)) {
        *value = expr->op != OP_AND;
        return RUN_OK;
    }
    run = evaluate_expr(evaluator, expr->right, &right);
    if (run != RUN_OK)
        return run;
    return evaluate_arith(evaluator, arith_binary(expr->op, left, right, value), expr->span);
}

enum run iteration_begin(struct evaluator *evaluator, const struct domain *domain, struct span span,
                         struct iteration *iteration)
{
    *iteration = iteration_of(domain);
    if (!domain->from)
        return RUN_OK;
    enum run run = evaluate_expr(evaluator, domain->from, &iteration->next);
    if (run == RUN_OK)
        run = evaluate_expr(evaluator, domain->to, &iteration->to);
    if (run == RUN_OK && domain->by)
        run = evaluate_expr(evaluator, domain->by, &iteration->by);
    if (run == RUN_OK && iteration->by == 0)
        run = evaluate_fault(evaluator, FAULT_LOOP_LIMIT, span);
    return run;
}

enum run evaluate_set_variable(struct evaluator *evaluator, const struct variable *variable, int64_t value,
                               struct span span)
{
    if (stepper_is_cut(&evaluator->stepper)) /* in whatever loop this is */
        return RUN_DISCARDED;
    enum run run = evaluate_check(evaluator, FAULT_RANGE, variable->type, value, span);
    if (run == RUN_OK)
        evaluator->memory[variable->address] = (int32_t)value;
    return run;
}

static enum run evaluate_quantifier(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    struct iteration iteration;
    enum run run = iteration_begin(evaluator, &expr->domain, expr->span, &iteration);
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type);
    bool decisive = expr->op == OP_EXISTS, is_decided = false; /* the truth of one instance that decides */
    int64_t element, holds;
    while (run == RUN_OK && (is_exhaustive || !is_decided) && iteration_next(&iteration, &element)) {
        run = evaluate_set_variable(evaluator, expr->variable, element, expr->span);
        if (run == RUN_OK)
            run = evaluate_expr(evaluator, expr->left, &holds);
        if (run == RUN_OK && (holds != 0) == decisive)
            is_decided = true;
    }
    *value = is_decided == decisive;
    return run;
}

static enum run evaluate_count(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, expr->place, &address);
    const struct type *type = expr->place->type;
    *value = 0;
    for (uint32_t s = 0; run == RUN_OK && s < type->capacity; s++) {
        int64_t holds = 0;
        if (!evaluator->memory[address + s * multiset_stride(type)])
            continue;
        run = evaluate_set_variable(evaluator, expr->variable, s, expr->span);
        if (run == RUN_OK)
            run = evaluate_expr(evaluator, expr->left, &holds);
        *value += holds != 0;
    }
    return run;
}

static enum run evaluate_equal(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    size_t size = expr->place->type->cells * sizeof(int32_t);
    int32_t *left = memory_alloc(size + 1), *right = memory_alloc(size + 1);
    enum run run = evaluate_aggregate(evaluator, expr->place, left);
    if (run == RUN_OK)
        run = evaluate_aggregate(evaluator, expr->other, right);
    if (run == RUN_OK)
        *value = memcmp(left, right, size) == 0;
    free(left);
    free(right);
    return run;
}

static enum run evaluate_is_undefined(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    uint32_t address;
    enum run run = evaluate_place(evaluator, expr->place, &address);
    *value = 0;
    for (uint32_t c = 0; run == RUN_OK && c < expr->place->type->cells; c++)
        *value |= evaluator->memory[address + c] == UNDEFINED;
    if (*value && expr->is_implied) {
        evaluator->stepper.covered[stepper_undefined(evaluator->stepper.system)] = true;
        if (evaluator->tell)
            evaluator->tell(evaluator->tell_user, expr);
    }
    return run;
}

enum run evaluate_expr(struct evaluator *evaluator, const struct expr *expr, int64_t *value)
{
    enum run run;
    uint32_t address;
    if (expr->shared && stepper_is_cut(&evaluator->stepper)) /* what is shared multiplies */
        return RUN_DISCARDED;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = expr->value;
        return RUN_OK;
    case EXPR_READ:
        return evaluate_read(evaluator, expr, value);
    case EXPR_UNARY:
        run = evaluate_expr(evaluator, expr->left, value);
        return run == RUN_OK ? evaluate_arith(evaluator, arith_unary(expr->op, *value, value), expr->span) : run;
    case EXPR_BINARY:
        return evaluate_binary(evaluator, expr, value);
    case EXPR_COND:
        run = evaluate_expr(evaluator, expr->condition, value);
        return run == RUN_OK ? evaluate_expr(evaluator, *value ? expr->left : expr->right, value) : run;
    case EXPR_QUANTIFIER:
        return evaluate_quantifier(evaluator, expr, value);
    case EXPR_IS_UNDEFINED:
        return evaluate_is_undefined(evaluator, expr, value);
    case EXPR_IS_MEMBER:
        run = evaluate_expr(evaluator, expr->left, value);
        *value = run == RUN_OK && type_has(expr->member, *value);
        return run;
    case EXPR_CALL:
        run = evaluate_call(evaluator, expr);
        if (run == RUN_OK && expr->function->result)
            *value = evaluator->memory[expr->function->result->address];
        return run;
    case EXPR_EQUAL:
        return evaluate_equal(evaluator, expr, value);
    case EXPR_SLOT_TAKEN:
        run = evaluate_slot(evaluator, expr->place, expr->left, &address);
        if (run == RUN_OK)
            *value = evaluator->memory[address];
        return run;
    case EXPR_COUNT:
        return evaluate_count(evaluator, expr, value);
    }
    UNREACHABLE("expression kind");
}
