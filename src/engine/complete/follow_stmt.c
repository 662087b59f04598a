/* Statements and calls. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/complete/follow.h"

static enum course stmt_assign(struct follow *follow, const struct stmt *stmt)
{
    struct complete_value value;
    struct complete_spot spot;
    const struct expr *item = sum_item_of(follow, stmt);
    if (item)
        return follow_sum(follow, stmt, item);
    enum course course = follow_expr(follow, stmt->value, &value);
    if (course == COURSE_OK)
        course = follow_place(follow, stmt->place, &spot);
    if (course == COURSE_OK)
        course = follow_storable(follow, stmt->value, stmt->place->type, value);
    if (course == COURSE_OK)
        follow_store(follow, &spot, 0, value);
    return course;
}

static struct complete_value *stmt_take(struct follow *follow, const struct complete_spot *spot, uint32_t cells)
{
    struct complete_value *taken = memory_alloc((cells + 1) * sizeof *taken);
    for (uint32_t c = 0; c < cells; c++)
        taken[c] = follow_load(follow, spot, c);
    return taken;
}

static enum course stmt_copy(struct follow *follow, const struct stmt *stmt)
{
    struct complete_spot from, to;
    uint32_t cells = stmt->place->type->cells;
    enum course course = follow_place(follow, stmt->source, &from);
    if (course != COURSE_OK)
        return course;
    struct complete_value *taken = stmt_take(follow, &from, cells);
    course = follow_place(follow, stmt->place, &to);
    for (uint32_t c = 0; course == COURSE_OK && c < cells; c++)
        follow_store(follow, &to, c, taken[c]);
    free(taken);
    return course;
}

static enum course stmt_if(struct follow *follow, const struct stmt *stmt)
{
    struct complete_value value;
    enum course course = follow_expr(follow, stmt->value, &value);
    if (course != COURSE_OK)
        return course;
    return follow_block(follow, follow_decide(follow, value) ? &stmt->body : &stmt->otherwise);
}

static enum course stmt_iterate(struct follow *follow, const struct stmt *stmt, struct complete_value value)
{
    enum course course = follow_check(follow, FAULT_RANGE, stmt->variable->type, value, stmt->span);
    if (course != COURSE_OK)
        return course;
    follow_set(follow, stmt->variable->address, value);
    return follow_block(follow, &stmt->body);
}

/* A loop that is left early has seen the objects before that one and not those after. */
static enum course stmt_for_each(struct follow *follow, const struct stmt *stmt)
{
    const struct type *type = stmt->domain.type;
    bool is_family = shape_family_of_type(follow->shape, type) != SHAPE_NONE;
    enum course course = COURSE_OK;
    if (is_family)
        loop_begin(follow);
    for (uint32_t o = 0; o < type->size && course == COURSE_OK; o++) {
        if (is_family)
            loop_next(follow);
        course = stmt_iterate(follow, stmt, follow_element(follow, type, o));
    }
    if (is_family)
        loop_end(follow);
    if (is_family && course != COURSE_OK)
        follow_require_order(follow);
    return course;
}

static enum course stmt_for(struct follow *follow, const struct stmt *stmt)
{
    struct iteration iteration;
    int64_t element;
    if (!stmt->domain.from)
        return stmt_for_each(follow, stmt);
    enum course course = follow_bounds(follow, &stmt->domain, stmt->span, &iteration);
    while (course == COURSE_OK && iteration_next(&iteration, &element))
        course = stmt_iterate(follow, stmt, (struct complete_value){element, NULL});
    return course;
}

static enum course stmt_while(struct follow *follow, const struct stmt *stmt)
{
    for (uint64_t done = 0;; done++) {
        struct complete_value value;
        enum course course = follow_expr(follow, stmt->value, &value);
        if (course != COURSE_OK || !follow_decide(follow, value))
            return course;
        if (done == follow->system->loop_limit)
            return follow_fail(follow, FAULT_LOOP_LIMIT, stmt->span);
        course = follow_block(follow, &stmt->body);
        if (course != COURSE_OK)
            return course;
    }
}

static enum course stmt_return(struct follow *follow, const struct stmt *stmt)
{
    const struct variable *result = follow->function ? follow->function->result : NULL;
    enum course course = COURSE_OK;
    struct complete_value value;
    struct complete_spot from;
    if (stmt->source) {
        course = follow_place(follow, stmt->source, &from);
        if (course != COURSE_OK)
            return course;
        struct complete_value *taken = stmt_take(follow, &from, stmt->source->type->cells);
        for (uint32_t c = 0; c < stmt->source->type->cells; c++)
            follow_store(follow, &(struct complete_spot){.address = result->address}, c, taken[c]);
        free(taken);
    } else if (stmt->value) {
        course = follow_expr(follow, stmt->value, &value);
        if (course == COURSE_OK)
            course = follow_check(follow, FAULT_RANGE, result->type, value, stmt->value->span);
        if (course == COURSE_OK)
            follow_store(follow, &(struct complete_spot){.address = result->address}, 0, value);
    }
    return course == COURSE_OK ? COURSE_RETURNED : course;
}

/* ASSERT, ASSUME, COVER, REQUIRE */
static enum course stmt_condition(struct follow *follow, const struct stmt *stmt)
{
    struct complete_value value;
    enum course course = follow_expr(follow, stmt->value, &value);
    if (course != COURSE_OK)
        return course;
    bool holds = follow_decide(follow, value);
    switch (stmt->kind) {
    case STMT_COVER:
        if (holds && !follow->is_formula)
            follow->covered[stmt->property->id] = true;
        return COURSE_OK;
    case STMT_ASSUME:
        return holds ? COURSE_OK : COURSE_DISCARDED;
    case STMT_REQUIRE:
        return holds ? COURSE_OK : COURSE_DISABLED;
    default:
        if (holds)
            return COURSE_OK;
        follow_fail(follow, FAULT_ASSERTION, stmt->span);
        follow->fault.property = stmt->property;
        return COURSE_FAULT;
    }
}

static void stmt_fill(struct follow *follow, const struct complete_spot *spot, uint32_t offset, const struct type *type,
                      bool is_cleared)
{
    if (type->kind == TYPE_ARRAY) {
        for (uint32_t i = 0; i < type->index->size; i++)
            stmt_fill(follow, spot, offset + i * type->element->cells, type->element, is_cleared);
    } else if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++)
            stmt_fill(follow, spot, offset + type->fields[f].offset, type->fields[f].type, is_cleared);
    } else {
        follow_store(follow, spot, offset, (struct complete_value){is_cleared ? type_code(type, 0) : UNDEFINED, NULL});
    }
}

static enum course stmt_reset(struct follow *follow, const struct stmt *stmt)
{
    struct complete_spot spot;
    enum course course = follow_place(follow, stmt->place, &spot);
    if (course == COURSE_OK)
        stmt_fill(follow, &spot, 0, stmt->place->type, stmt->kind == STMT_CLEAR);
    return course;
}

static enum course stmt_put(struct follow *follow, const struct stmt *stmt)
{
    struct complete_value value;
    struct complete_spot spot;
    if (stmt->value)
        return follow_expr(follow, stmt->value, &value);
    return stmt->source ? follow_place(follow, stmt->source, &spot) : COURSE_OK;
}

static enum course stmt_by_kind(struct follow *follow, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return stmt_assign(follow, stmt);
    case STMT_COPY:
        return stmt_copy(follow, stmt);
    case STMT_IF:
        return stmt_if(follow, stmt);
    case STMT_FOR:
        return stmt_for(follow, stmt);
    case STMT_WHILE:
        return stmt_while(follow, stmt);
    case STMT_CALL:
        return follow_call(follow, stmt->value);
    case STMT_RETURN:
        return stmt_return(follow, stmt);
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        return stmt_condition(follow, stmt);
    case STMT_ERROR:
        follow_fail(follow, FAULT_ERROR, stmt->span);
        follow->fault.property = stmt->property;
        return COURSE_FAULT;
    case STMT_PUT:
        return stmt_put(follow, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return stmt_reset(follow, stmt);
    case STMT_BIND:
        return follow_place(follow, stmt->place, &follow->bindings[stmt->variable->address]);
    default:
        UNREACHABLE("a statement that the engine does not support");
    }
}

enum course follow_block(struct follow *follow, const struct block *block)
{
    enum course course = COURSE_OK;
    for (uint32_t s = 0; course == COURSE_OK && s < block->count; s++)
        course = stmt_by_kind(follow, block->items[s]);
    return course;
}

/* What is passed for one parameter. */
struct complete_passed {
    struct complete_spot spot;     /* by reference */
    struct complete_value *values; /* by value */
};

static enum course call_argument(struct follow *follow, const struct variable *parameter,
                                 const struct argument *argument, struct complete_passed *passed)
{
    if (parameter->is_reference)
        return follow_place(follow, argument->place, &passed->spot);
    enum course course;
    if (!type_is_scalar(parameter->type)) {
        course = follow_place(follow, argument->place, &passed->spot);
        if (course == COURSE_OK)
            passed->values = stmt_take(follow, &passed->spot, parameter->type->cells);
        return course;
    }
    passed->values = memory_zeroed(1, sizeof *passed->values);
    course = follow_expr(follow, argument->value, passed->values);
    if (course == COURSE_OK)
        course = follow_storable(follow, argument->value, parameter->type, *passed->values);
    return course;
}

static void call_set_parameter(struct follow *follow, const struct variable *parameter,
                               const struct complete_passed *passed)
{
    struct complete_spot spot = {.address = parameter->address};
    if (parameter->is_reference) {
        follow->bindings[parameter->address] = passed->spot;
        return;
    }
    for (uint32_t c = 0; c < parameter->type->cells; c++)
        follow_store(follow, &spot, c, passed->values[c]);
}

enum course follow_call(struct follow *follow, const struct expr *call)
{
    const struct function *function = call->function, *caller = follow->function;
    struct complete_passed *passed = memory_zeroed(function->parameter_count + 1, sizeof *passed);
    enum course course = COURSE_OK;
    for (uint32_t p = 0; course == COURSE_OK && p < function->parameter_count; p++)
        course = call_argument(follow, function->parameters[p], &call->arguments[p], &passed[p]);
    for (uint32_t p = 0; course == COURSE_OK && p < function->parameter_count; p++)
        call_set_parameter(follow, function->parameters[p], &passed[p]);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        free(passed[p].values);
    free(passed);
    if (course != COURSE_OK)
        return course;
    follow->function = function;
    course = follow_block(follow, &function->body);
    follow->function = caller;
    if (course == COURSE_OK && function->result)
        return follow_fail(follow, FAULT_NO_RETURN, function->span);
    return course == COURSE_RETURNED ? COURSE_OK : course;
}
