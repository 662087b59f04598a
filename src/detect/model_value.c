#include "detect/model_value.h"

#include "ir/arith.h"
#include "symmetry/effects.h"

enum { MOST_STEPS = 10000 };

static int64_t *find_local(struct evaluation *v, const struct variable *variable)
{
    for (uint32_t i = v->local_count; i-- > 0;)
        if (v->locals[i] == variable)
            return &v->values[i];
    return NULL;
}

static bool evaluate_leaf(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    struct sketch *s = v->sketch;
    uint32_t carrier = sketch_carrier(s, expr->type), i = 0;
    if (carrier == NO_CARRIER || expr->raw)
        return false;
    while (i < v->leaf_count && !effects_same_place(v->leaves[i].read->place, expr->place))
        i++;
    if (i == v->leaf_count) {
        if (v->is_bound || i == MOST_LEAVES)
            return false;
        v->leaves[v->leaf_count++] =
            (struct model_leaf){.read = expr, .carrier = carrier, .value = s->carriers->items[carrier].lo};
    }
    *value = v->leaves[i].value;
    v->faults |= *value == UNDEFINED;
    return true;
}

static bool evaluate_read(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    const struct place *place = expr->place;
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global) {
        const int64_t *local = find_local(v, place->variable);
        if (!local && v->sketch->is_known[place->variable->address])
            local = &v->sketch->values[place->variable->address];
        if (local) {
            *value = *local;
            return true;
        }
    }
    uint32_t cell;
    if (system_is_ground(v->sketch->system) && sketch_cell(v->sketch, place, &cell) && v->sketch->is_known[cell]) {
        *value = v->sketch->values[cell]; /* the guard says so */
        return true;
    }
    return v->local_count == 0 && evaluate_leaf(v, expr, value);
}

/* While leaves are being collected all sides are looked at. */
static bool evaluate_logic(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    if (!sketch_evaluate(v, expr->left, &left))
        return false;
    bool decides = expr->op == OP_OR ? left : !left;
    if (decides && (v->is_bound || !v->leaf_count)) {
        *value = expr->op != OP_AND;
        return true;
    }
    if (!sketch_evaluate(v, expr->right, &right))
        return false;
    *value = decides ? expr->op != OP_AND : right;
    return true;
}

static bool evaluate_binary(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return evaluate_logic(v, expr, value);
    if (!sketch_evaluate(v, expr->left, &left) || !sketch_evaluate(v, expr->right, &right))
        return false;
    v->is_broken |= expr->op != OP_EQ && expr->op != OP_NE;
    if (arith_binary(expr->op, left, right, value) != ARITH_OK) {
        v->faults = true;
        *value = 0;
    }
    return true;
}

static bool evaluate_cond(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t condition, left, right;
    if (!sketch_evaluate(v, expr->condition, &condition))
        return false;
    if (v->is_bound || !v->leaf_count)
        return sketch_evaluate(v, condition ? expr->left : expr->right, value);
    if (!sketch_evaluate(v, expr->left, &left) || !sketch_evaluate(v, expr->right, &right))
        return false;
    *value = condition ? left : right;
    return true;
}

static bool interpret(struct evaluation *v, const struct block *block, bool *returned, int64_t *value)
{
    for (uint32_t i = 0; i < block->count && !*returned; i++) {
        const struct stmt *stmt = block->items[i];
        int64_t given, *local;
        if (++v->steps > MOST_STEPS)
            return false;
        switch (stmt->kind) {
        case STMT_ASSIGN:
            local = stmt->place->kind == PLACE_VARIABLE ? find_local(v, stmt->place->variable) : NULL;
            if (!sketch_evaluate(v, stmt->value, &given) || v->faults)
                return false;
            if (!local && (stmt->place->kind != PLACE_VARIABLE || stmt->place->variable->is_global ||
                           v->local_count == sizeof v->locals / sizeof *v->locals))
                return false;
            if (!type_has(stmt->place->type, given))
                return false;
            if (!local) {
                v->locals[v->local_count++] = stmt->place->variable;
                local = &v->values[v->local_count - 1];
            }
            *local = given;
            break;
        case STMT_UNDEFINE: /* a local that is assigned to before it is read, or else not known */
            if (stmt->place->kind != PLACE_VARIABLE || stmt->place->variable->is_global ||
                find_local(v, stmt->place->variable))
                return false;
            break;
        case STMT_IF:
            if (!sketch_evaluate(v, stmt->value, &given) || v->faults ||
                !interpret(v, given ? &stmt->body : &stmt->otherwise, returned, value))
                return false;
            break;
        case STMT_RETURN:
            if (!stmt->value || !sketch_evaluate(v, stmt->value, value) || v->faults)
                return false;
            *returned = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* A function that looks at nothing but its arguments. Its body is run when they have values. */
static bool evaluate_call(struct evaluation *v, const struct expr *call, int64_t *value)
{
    const struct function *function = call->function;
    int64_t given[8];
    if (function->parameter_count > 8 || !function->result || !type_is_scalar(function->result->type))
        return false;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!call->arguments[p].value || !sketch_evaluate(v, call->arguments[p].value, &given[p]) ||
            (!v->faults && !type_has(function->parameters[p]->type, given[p])))
            return false;
    *value = 0;
    if (v->faults)
        return true; /* it is not called */
    uint32_t locals = v->local_count;
    if (locals + function->parameter_count > sizeof v->locals / sizeof *v->locals)
        return false;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        v->locals[v->local_count] = function->parameters[p];
        v->values[v->local_count++] = given[p];
    }
    if (v->local_count == 0)
        return false;
    bool returned = false, is_fine = interpret(v, &function->body, &returned, value);
    v->local_count = locals;
    v->is_broken = true;
    return is_fine && returned && type_has(function->result->type, *value);
}

bool sketch_evaluate(struct evaluation *v, const struct expr *expr, int64_t *value)
{
    int64_t left;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = expr->value;
        v->is_broken |= expr->type->kind != TYPE_BOOL;
        return expr->value != UNDEFINED;
    case EXPR_READ:
        return evaluate_read(v, expr, value);
    case EXPR_UNARY:
        if (!sketch_evaluate(v, expr->left, &left))
            return false;
        v->is_broken |= expr->op != OP_NOT;
        v->faults |= arith_unary(expr->op, left, value) != ARITH_OK;
        return true;
    case EXPR_BINARY:
        return evaluate_binary(v, expr, value);
    case EXPR_COND:
        return evaluate_cond(v, expr, value);
    case EXPR_IS_MEMBER:
        v->is_broken = true;
        if (!sketch_evaluate(v, expr->left, &left))
            return false;
        *value = type_has(expr->member, left);
        return true;
    case EXPR_CALL:
        return evaluate_call(v, expr, value);
    default:
        return false;
    }
}

bool sketch_fold(struct sketch *s, const struct expr *expr, int64_t *value)
{
    struct evaluation v = {.sketch = s, .is_bound = true};
    return sketch_evaluate(&v, expr, value) && !v.faults && *value != UNDEFINED;
}
