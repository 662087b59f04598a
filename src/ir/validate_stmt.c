/* What must be true of statements. */
#include "ir/validation.h"

/* A place that is stored into. */
static bool validate_target(struct validation *v, const struct place *place, struct span span)
{
    if (!place)
        return validation_fail(v, span, "a store to nothing");
    if (!validate_place(v, place))
        return false;
    const struct variable *root = place_root(place)->variable;
    if (!root)
        return validation_fail(v, span, "a store to the result of a call");
    for (size_t b = 0; b < v->bound.count; b++)
        if (v->bound.items[b] == root)
            return validation_fail(v, span, "a store to the loop variable or parameter %s", root->name);
    return !(v->is_prelude && root->is_global) || validation_fail(v, span, "a prelude changes the state");
}

static bool validate_source(struct validation *v, const struct place *source, const struct type *type, struct span span)
{
    if (!source)
        return validation_fail(v, span, "a copy of nothing");
    return validate_place(v, source) &&
           (validate_same_shape(source->type, type) || validation_fail(v, span, "a copy between different types"));
}

static bool validate_for(struct validation *v, const struct stmt *stmt)
{
    if (!validate_domain(v, &stmt->domain, stmt->variable, stmt->span))
        return false;
    VEC_PUSH(&v->bound, stmt->variable);
    bool is_valid = validate_block(v, &stmt->body);
    (void)VEC_POP(&v->bound);
    return is_valid;
}

static bool validate_return(struct validation *v, const struct stmt *stmt)
{
    if (v->is_prelude)
        return validation_fail(v, stmt->span, "a return in a prelude");
    const struct variable *result = v->function ? v->function->result : NULL;
    if (!result)
        return (!stmt->value && !stmt->source) || validation_fail(v, stmt->span, "a value is returned to no one");
    if (type_is_scalar(result->type))
        return !stmt->source ? validate_value(v, stmt->value, result->type, false, stmt->span)
                             : validation_fail(v, stmt->span, "an aggregate is returned as a scalar");
    return !stmt->value ? validate_source(v, stmt->source, result->type, stmt->span)
                        : validation_fail(v, stmt->span, "a scalar is returned as an aggregate");
}

static bool validate_property(struct validation *v, const struct stmt *stmt, enum property_kind kind)
{
    const struct property *property = stmt->property;
    if (!property || property->id >= v->system->properties.count ||
        v->system->properties.items[property->id] != property)
        return validation_fail(v, stmt->span, "a statement without a property of the system");
    if (property->kind != kind || property->formula)
        return validation_fail(v, stmt->span, "a statement with the property of something else");
    return kind == PROPERTY_ERROR || validate_condition(v, stmt->value, stmt->span);
}

static bool validate_bind(struct validation *v, const struct stmt *stmt)
{
    if (!stmt->variable || !stmt->variable->is_reference || !stmt->place)
        return validation_fail(v, stmt->span, "a binding without a reference or a place");
    return validate_place(v, stmt->place) &&
           (validate_same_shape(stmt->place->type, stmt->variable->type) ||
            validation_fail(v, stmt->span, "%s is bound to another type", stmt->variable->name));
}

static bool validate_put(struct validation *v, const struct stmt *stmt)
{
    if (stmt->value)
        return validate_expr(v, stmt->value, true);
    return !stmt->source || validate_place(v, stmt->source);
}

static bool validate_add(struct validation *v, const struct stmt *stmt)
{
    const struct type *element = stmt->place->type->element;
    if (type_is_scalar(element))
        return !stmt->source ? validate_value(v, stmt->value, element, true, stmt->span)
                             : validation_fail(v, stmt->span, "an aggregate is added to a multiset of scalars");
    return !stmt->value ? validate_source(v, stmt->source, element, stmt->span)
                        : validation_fail(v, stmt->span, "a scalar is added to a multiset of aggregates");
}

static bool validate_multiset_stmt(struct validation *v, const struct stmt *stmt)
{
    if (!validate_multiset(v, stmt->place, stmt->span) || !validate_target(v, stmt->place, stmt->span))
        return false;
    if (stmt->kind == STMT_MULTISET_ADD)
        return validate_add(v, stmt);
    if (stmt->kind == STMT_MULTISET_REMOVE)
        return validate_value(v, stmt->value, v->system->integer, false, stmt->span);
    if (!validate_slot_variable(v, stmt->variable, stmt->place->type, stmt->span))
        return false;
    VEC_PUSH(&v->bound, stmt->variable);
    bool is_valid = validate_condition(v, stmt->value, stmt->span);
    (void)VEC_POP(&v->bound);
    return is_valid;
}

static bool validate_assign(struct validation *v, const struct stmt *stmt)
{
    if (!validate_target(v, stmt->place, stmt->span))
        return false;
    if (!type_is_scalar(stmt->place->type))
        return validation_fail(v, stmt->span, "a scalar is assigned to an aggregate");
    return validate_value(v, stmt->value, stmt->place->type, true, stmt->span);
}

static bool validate_stmt(struct validation *v, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return validate_assign(v, stmt);
    case STMT_COPY:
        return validate_target(v, stmt->place, stmt->span) &&
               validate_source(v, stmt->source, stmt->place->type, stmt->span);
    case STMT_IF:
        return validate_condition(v, stmt->value, stmt->span) && validate_block(v, &stmt->body) &&
               validate_block(v, &stmt->otherwise);
    case STMT_FOR:
        return validate_for(v, stmt);
    case STMT_WHILE:
        return validate_condition(v, stmt->value, stmt->span) && validate_block(v, &stmt->body);
    case STMT_CALL:
        return stmt->value && stmt->value->kind == EXPR_CALL
                   ? validate_call(v, stmt->value)
                   : validation_fail(v, stmt->span, "a call statement without a call");
    case STMT_RETURN:
        return validate_return(v, stmt);
    case STMT_ASSERT:
        return validate_property(v, stmt, PROPERTY_ASSERTION);
    case STMT_ASSUME:
        return validate_property(v, stmt, PROPERTY_ASSUMPTION);
    case STMT_COVER:
        return validate_property(v, stmt, PROPERTY_COVER);
    case STMT_ERROR:
        return validate_property(v, stmt, PROPERTY_ERROR);
    case STMT_PUT:
        return validate_put(v, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return validate_target(v, stmt->place, stmt->span);
    case STMT_BIND:
        return validate_bind(v, stmt);
    case STMT_REQUIRE:
        return v->is_prelude ? validate_condition(v, stmt->value, stmt->span)
                             : validation_fail(v, stmt->span, "a requirement outside a prelude");
    case STMT_MULTISET_ADD:
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        return validate_multiset_stmt(v, stmt);
    }
    return validation_fail(v, stmt->span, "an unknown kind of statement");
}

bool validate_block(struct validation *v, const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++) {
        if (!block->items[s])
            return validation_fail(v, (struct span){0}, "a statement is missing");
        if (!validate_stmt(v, block->items[s]))
            return false;
    }
    return true;
}
