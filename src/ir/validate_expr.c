/* What must be true of expressions and places. */
#include "ir/validation.h"

static bool validate_is_symbol(const struct type *type)
{
    return type->kind == TYPE_ENUM || type->kind == TYPE_INDEX || type->kind == TYPE_UNION;
}

static bool validate_is_number(const struct type *type)
{
    return type && type->kind == TYPE_RANGE;
}

/* Values that may be compared and stored in each other's variables (the range is checked at run time). */
static bool validate_same_class(const struct type *a, const struct type *b)
{
    if (!a || !b)
        return false;
    return (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL) || (validate_is_number(a) && validate_is_number(b)) ||
           (validate_is_symbol(a) && validate_is_symbol(b));
}

static bool validate_same_blocks(const struct type *a, const struct type *b)
{
    if (a->block_count != b->block_count)
        return false;
    for (uint32_t i = 0; i < a->block_count; i++)
        if (a->blocks[i].lo != b->blocks[i].lo || a->blocks[i].hi != b->blocks[i].hi)
            return false;
    return validate_same_class(a, b);
}

bool validate_same_shape(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (!a || !b)
        return false;
    if (type_is_scalar(a) && type_is_scalar(b))
        return validate_same_blocks(a, b);
    if (a->kind != b->kind || a->cells != b->cells)
        return false;
    switch (a->kind) {
    case TYPE_ARRAY:
        return validate_same_shape(a->index, b->index) && validate_same_shape(a->element, b->element);
    case TYPE_MULTISET:
        return a->capacity == b->capacity && validate_same_shape(a->element, b->element);
    default:
        if (a->field_count != b->field_count)
            return false;
        for (uint32_t f = 0; f < a->field_count; f++)
            if (!validate_same_shape(a->fields[f].type, b->fields[f].type))
                return false;
        return true;
    }
}

static bool validate_variable(struct validation *v, const struct variable *variable, struct span span)
{
    if (!variable || !variable->type)
        return validation_fail(v, span, "a place without a variable, or a variable without a type");
    uint64_t end = (uint64_t)variable->address + (variable->is_reference ? 1 : variable->type->cells);
    if (variable->is_global ? end > v->system->state_cells
                            : end > v->system->memory_cells || variable->address < v->system->state_cells)
        return validation_fail(v, span, "variable %s has no address of its kind", variable->name);
    return true;
}

bool validate_multiset(struct validation *v, const struct place *place, struct span span)
{
    if (!place || !validate_place(v, place))
        return validation_fail(v, span, "a multiset operation without a place");
    if (place->type->kind != TYPE_MULTISET)
        return validation_fail(v, span, "a multiset operation on something else");
    return true;
}

static bool validate_field(struct validation *v, const struct place *place)
{
    const struct type *record = place->base->type;
    if (record->kind != TYPE_RECORD)
        return validation_fail(v, place->span, "a field of something that is no record");
    for (uint32_t f = 0; f < record->field_count; f++)
        if (place->field == &record->fields[f])
            return place->type == place->field->type || validation_fail(v, place->span, "a field of another type");
    return validation_fail(v, place->span, "a field of another record");
}

static bool validate_part(struct validation *v, const struct place *place)
{
    if (!place->base || !validate_place(v, place->base))
        return validation_fail(v, place->span, "a part of nothing");
    if (place->kind == PLACE_FIELD)
        return validate_field(v, place);
    const struct type *whole = place->base->type;
    if (whole->kind != (place->kind == PLACE_ELEMENT ? TYPE_ARRAY : TYPE_MULTISET))
        return validation_fail(v, place->span, "an index into something that has no elements");
    if (place->type != whole->element)
        return validation_fail(v, place->span, "an element of another type");
    const struct type *index = place->kind == PLACE_ELEMENT ? whole->index : v->system->integer;
    return validate_value(v, place->index, index, false, place->span);
}

bool validate_place(struct validation *v, const struct place *place)
{
    if (!place->type)
        return validation_fail(v, place->span, "a place without a type");
    switch (place->kind) {
    case PLACE_VARIABLE:
    case PLACE_DEREF:
        if (!validate_variable(v, place->variable, place->span))
            return false;
        if (place->variable->is_reference != (place->kind == PLACE_DEREF) || place->type != place->variable->type)
            return validation_fail(v, place->span, "%s is not used as what it is", place->variable->name);
        return true;
    case PLACE_ELEMENT:
    case PLACE_SLOT:
    case PLACE_FIELD:
        return validate_part(v, place);
    case PLACE_CALL:
        if (!place->call || place->call->kind != EXPR_CALL || !place->call->type)
            return validation_fail(v, place->span, "a call without a result as a place");
        return (place->type == place->call->type || validation_fail(v, place->span, "a result of another type")) &&
               validate_call(v, place->call);
    }
    return validation_fail(v, place->span, "an unknown kind of place");
}

bool validate_value(struct validation *v, const struct expr *expr, const struct type *type, bool may_be_undefined,
                    struct span span)
{
    if (!expr)
        return validation_fail(v, span, "an expression is missing");
    if (!validate_expr(v, expr, may_be_undefined))
        return false;
    if (!validate_same_class(expr->type, type))
        return validation_fail(v, expr->span, "a value of the wrong type");
    return true;
}

bool validate_condition(struct validation *v, const struct expr *expr, struct span span)
{
    return validate_value(v, expr, v->system->boolean, false, span);
}

/* A variable of the evaluator's own: in scratch, not a reference, of a scalar type. */
static bool validate_loop_variable(struct validation *v, const struct variable *variable, struct span span)
{
    if (!validate_variable(v, variable, span))
        return false;
    if (variable->is_global || variable->is_reference || !type_is_scalar(variable->type))
        return validation_fail(v, span, "%s cannot be a loop variable or parameter", variable->name);
    for (size_t b = 0; b < v->bound.count; b++)
        if (v->bound.items[b] == variable)
            return validation_fail(v, span, "%s is bound twice", variable->name);
    return true;
}

bool validate_slot_variable(struct validation *v, const struct variable *variable, const struct type *multiset,
                            struct span span)
{
    if (!validate_loop_variable(v, variable, span))
        return false;
    if (!validate_is_number(variable->type) || !type_has(variable->type, 0) ||
        !type_has(variable->type, (int64_t)multiset->capacity - 1))
        return validation_fail(v, span, "%s cannot hold a slot number", variable->name);
    return true;
}

bool validate_domain(struct validation *v, const struct domain *domain, const struct variable *variable,
                     struct span span)
{
    if (!validate_loop_variable(v, variable, span))
        return false;
    if (domain->from)
        return validate_value(v, domain->from, variable->type, false, span) &&
               validate_value(v, domain->to, variable->type, false, span) &&
               (!domain->by || validate_value(v, domain->by, v->system->integer, false, span));
    if (!domain->type || !type_is_scalar(domain->type))
        return validation_fail(v, span, "a domain that is no scalar type");
    for (uint32_t b = 0; b < domain->type->block_count; b++)
        if (!type_has(variable->type, domain->type->blocks[b].lo) ||
            !type_has(variable->type, domain->type->blocks[b].hi))
            return validation_fail(v, span, "%s cannot hold its domain", variable->name);
    return validate_same_class(domain->type, variable->type) ||
           validation_fail(v, span, "%s is not of its domain's kind", variable->name);
}

static bool validate_argument(struct validation *v, const struct variable *parameter, const struct argument *argument,
                              struct span span)
{
    if (!parameter->is_reference && type_is_scalar(parameter->type))
        return (!argument->place || validation_fail(v, span, "a place for a scalar by value")) &&
               validate_value(v, argument->value, parameter->type, true, span);
    if (!argument->place || argument->value)
        return validation_fail(v, span, "parameter %s needs a place", parameter->name);
    return validate_place(v, argument->place) &&
           (validate_same_shape(argument->place->type, parameter->type) ||
            validation_fail(v, argument->place->span, "an argument of another type than %s", parameter->name));
}

bool validate_call(struct validation *v, const struct expr *call)
{
    const struct function *function = call->function;
    if (!function || function->id >= v->system->functions.count || v->system->functions.items[function->id] != function)
        return validation_fail(v, call->span, "a call of no function of the system");
    if (function->parameter_count && !call->arguments)
        return validation_fail(v, call->span, "a call of %s without arguments", function->name);
    if (call->type != (function->result ? function->result->type : NULL))
        return validation_fail(v, call->span, "a call of another type than %s", function->name);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!validate_argument(v, function->parameters[p], &call->arguments[p], call->span))
            return false;
    return true;
}

static bool validate_constant(struct validation *v, const struct expr *expr, bool may_be_undefined)
{
    if (expr->value == UNDEFINED)
        return may_be_undefined || validation_fail(v, expr->span, "undefined is used as a value");
    return expr->type == v->system->integer || type_has(expr->type, expr->value) ||
           validation_fail(v, expr->span, "a constant outside its type");
}

static bool validate_read(struct validation *v, const struct expr *expr, bool may_be_undefined)
{
    if (!expr->place)
        return validation_fail(v, expr->span, "a read of nothing");
    if (expr->raw && !may_be_undefined)
        return validation_fail(v, expr->span, "a raw read where the value is used");
    return validate_place(v, expr->place) &&
           (expr->type == expr->place->type || validation_fail(v, expr->span, "a read of another type"));
}

static bool validate_result(struct validation *v, const struct expr *expr, const struct type *type)
{
    return expr->type == type || validation_fail(v, expr->span, "the result of an operator has the wrong type");
}

static bool validate_unary(struct validation *v, const struct expr *expr)
{
    if (expr->op != OP_NOT && expr->op != OP_NEGATE && expr->op != OP_BIT_NOT)
        return validation_fail(v, expr->span, "not a unary operator");
    const struct type *type = expr->op == OP_NOT ? v->system->boolean : v->system->integer;
    return validate_result(v, expr, type) && validate_value(v, expr->left, type, false, expr->span);
}

static bool validate_binary(struct validation *v, const struct expr *expr)
{
    if (expr->op < OP_AND || expr->op > OP_SHR)
        return validation_fail(v, expr->span, "not a binary operator");
    if (expr->op >= OP_EQ && expr->op <= OP_GE) {
        if (!expr->left || !validate_expr(v, expr->left, false))
            return validation_fail(v, expr->span, "a comparison without a left side");
        return validate_value(v, expr->right, expr->left->type, false, expr->span) &&
               validate_result(v, expr, v->system->boolean);
    }
    const struct type *type = expr->op <= OP_IMPLIES ? v->system->boolean : v->system->integer;
    return validate_result(v, expr, type) && validate_value(v, expr->left, type, false, expr->span) &&
           validate_value(v, expr->right, type, false, expr->span);
}

static bool validate_body(struct validation *v, const struct expr *expr)
{
    VEC_PUSH(&v->bound, expr->variable);
    bool is_valid = validate_condition(v, expr->left, expr->span);
    (void)VEC_POP(&v->bound);
    return is_valid;
}

static bool validate_equal(struct validation *v, const struct expr *expr)
{
    if (!expr->place || !expr->other || !validate_place(v, expr->place) || !validate_place(v, expr->other))
        return validation_fail(v, expr->span, "a comparison with nothing");
    if (!validate_same_shape(expr->place->type, expr->other->type))
        return validation_fail(v, expr->span, "a comparison of different types");
    return !type_has_multiset(expr->place->type) || validation_fail(v, expr->span, "a comparison of multisets");
}

static bool validate_is_undefined(struct validation *v, const struct expr *expr)
{
    if (!expr->place)
        return validation_fail(v, expr->span, "nothing to be undefined");
    return validate_place(v, expr->place) &&
           (!type_has_multiset(expr->place->type) || validation_fail(v, expr->span, "a multiset is never undefined"));
}

static bool validate_is_member(struct validation *v, const struct expr *expr)
{
    if (!expr->left || !expr->member || !type_is_scalar(expr->member))
        return validation_fail(v, expr->span, "a membership test without a value or a scalar type");
    return validate_expr(v, expr->left, false);
}

static bool validate_kind(struct validation *v, const struct expr *expr, bool may_be_undefined)
{
    if (!expr->type || !type_is_scalar(expr->type))
        return validation_fail(v, expr->span, "an expression that is no scalar");
    switch (expr->kind) {
    case EXPR_CONST:
        return validate_constant(v, expr, may_be_undefined);
    case EXPR_READ:
        return validate_read(v, expr, may_be_undefined);
    case EXPR_UNARY:
        return validate_unary(v, expr);
    case EXPR_BINARY:
        return validate_binary(v, expr);
    case EXPR_COND:
        return validate_condition(v, expr->condition, expr->span) &&
               validate_value(v, expr->left, expr->type, false, expr->span) &&
               validate_value(v, expr->right, expr->type, false, expr->span);
    case EXPR_QUANTIFIER:
        if (expr->op != OP_FORALL && expr->op != OP_EXISTS)
            return validation_fail(v, expr->span, "not a quantifier");
        return validate_result(v, expr, v->system->boolean) &&
               validate_domain(v, &expr->domain, expr->variable, expr->span) && validate_body(v, expr);
    case EXPR_IS_UNDEFINED:
        return validate_result(v, expr, v->system->boolean) && validate_is_undefined(v, expr);
    case EXPR_IS_MEMBER:
        return validate_result(v, expr, v->system->boolean) && validate_is_member(v, expr);
    case EXPR_CALL:
        return validate_call(v, expr);
    case EXPR_EQUAL:
        return validate_result(v, expr, v->system->boolean) && validate_equal(v, expr);
    case EXPR_SLOT_TAKEN:
        return validate_result(v, expr, v->system->boolean) && validate_multiset(v, expr->place, expr->span) &&
               validate_value(v, expr->left, v->system->integer, false, expr->span);
    case EXPR_COUNT:
        return validate_result(v, expr, v->system->integer) && validate_multiset(v, expr->place, expr->span) &&
               validate_slot_variable(v, expr->variable, expr->place->type, expr->span) && validate_body(v, expr);
    }
    return validation_fail(v, expr->span, "an unknown kind of expression");
}

bool validate_expr(struct validation *v, const struct expr *expr, bool may_be_undefined)
{
    if (expr->shared > v->system->shared_count)
        return validation_fail(v, expr->span, "an expression has the number of another system");
    if (expr->shared && v->is_valid[expr->shared])
        return true;
    if (!validate_kind(v, expr, may_be_undefined))
        return false;
    v->is_valid[expr->shared] = true;
    return true;
}
