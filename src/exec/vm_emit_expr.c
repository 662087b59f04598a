/* Expressions as values. */
#include "exec/vm_emit.h"
#include "ir/arith.h"

bool expr_static_value(struct vm_emitter *emitter, const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = expr->value;
        return true;
    case EXPR_READ:
        if (expr->place->kind != PLACE_VARIABLE || expr->place->variable->is_global ||
            !emit_known(emitter, expr->place->variable)->is_known)
            return false;
        *value = emit_known(emitter, expr->place->variable)->value;
        return true;
    case EXPR_UNARY:
        return expr_static_value(emitter, expr->left, &left) && arith_unary(expr->op, left, value) == ARITH_OK;
    case EXPR_BINARY:
        if (!expr_static_value(emitter, expr->left, &left))
            return false;
        if ((expr->op == OP_AND || expr->op == OP_IMPLIES) && !left)
            return *value = expr->op == OP_IMPLIES, true;
        if (expr->op == OP_OR && left)
            return *value = 1, true;
        return expr_static_value(emitter, expr->right, &right) &&
               arith_binary(expr->op, left, right, value) == ARITH_OK;
    case EXPR_COND:
        return expr_static_value(emitter, expr->condition, &left) &&
               expr_static_value(emitter, left ? expr->left : expr->right, value);
    case EXPR_IS_MEMBER:
        return expr_static_value(emitter, expr->left, &left) && (*value = type_has(expr->member, left), true);
    default:
        return false;
    }
}

static void bounds_binary(struct vm_emitter *emitter, const struct expr *expr, int64_t *low, int64_t *high)
{
    int64_t a, b, c, d;
    if (expr->op != OP_ADD && expr->op != OP_SUB && expr->op != OP_MOD)
        return;
    expr_bounds(emitter, expr->left, &a, &b);
    expr_bounds(emitter, expr->right, &c, &d);
    if (expr->op == OP_MOD) { /* the sign of the left operand, less than the right one */
        if (c > 0) {
            *low = a >= 0 ? 0 : -(d - 1);
            *high = b <= 0 ? 0 : d - 1;
        }
        return;
    }
    bool is_sum = expr->op == OP_ADD;
    int64_t sums[2];
    if (is_sum ? __builtin_add_overflow(a, c, &sums[0]) || __builtin_add_overflow(b, d, &sums[1])
               : __builtin_sub_overflow(a, d, &sums[0]) || __builtin_sub_overflow(b, c, &sums[1]))
        return;
    *low = sums[0];
    *high = sums[1];
}

void expr_bounds(struct vm_emitter *emitter, const struct expr *expr, int64_t *low, int64_t *high)
{
    int64_t value, a, b, c, d;
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (expr_static_value(emitter, expr, &value)) {
        *low = *high = value;
        return;
    }
    switch (expr->kind) {
    case EXPR_READ:
    case EXPR_CALL:
        type_interval(expr->type, low, high);
        return;
    case EXPR_BINARY:
        if (expr->op >= OP_AND && expr->op <= OP_GE)
            *low = 0, *high = 1;
        else
            bounds_binary(emitter, expr, low, high);
        return;
    case EXPR_UNARY:
        if (expr->op == OP_NOT)
            *low = 0, *high = 1;
        return;
    case EXPR_COND:
        expr_bounds(emitter, expr->left, &a, &b);
        expr_bounds(emitter, expr->right, &c, &d);
        *low = a < c ? a : c;
        *high = b > d ? b : d;
        return;
    case EXPR_COUNT:
        *low = 0;
        *high = expr->place->type->capacity;
        return;
    case EXPR_CONST:
        return;
    default:
        *low = 0;
        *high = 1;
        return;
    }
}

int32_t emit_register(struct vm_emitter *emitter, const struct vm_operand *operand)
{
    if (operand->kind == OPERAND_REGISTER)
        return operand->reg;
    int32_t reg = register_new(emitter);
    switch (operand->kind) {
    case OPERAND_CONST:
        if (fits(operand->value))
            EMIT(emitter, VM_CONST, reg, (int32_t)operand->value);
        else
            EMIT(emitter, VM_CONST64, reg, (int32_t)(uint32_t)(uint64_t)operand->value,
                 (int32_t)(uint32_t)((uint64_t)operand->value >> 32));
        break;
    case OPERAND_SURE:
        EMIT(emitter, VM_RAW_C, reg, operand->address.base);
        break;
    case OPERAND_CELL:
        emit_addressed(emitter, operand->is_raw ? VM_RAW_C : VM_LOAD_C, &reg, 1, &operand->address, NULL, 0);
        if (!operand->is_raw)
            emit_site(emitter, 0, FAULT_UNDEFINED, operand->span, NULL, NULL);
        break;
    case OPERAND_REGISTER:
        break;
    }
    return reg;
}

int32_t emit_value(struct vm_emitter *emitter, const struct expr *expr)
{
    struct vm_operand operand = emit_operand(emitter, expr);
    return emit_register(emitter, &operand);
}

static struct vm_operand in_register(int32_t reg)
{
    return (struct vm_operand){.kind = OPERAND_REGISTER, .reg = reg};
}

static struct vm_operand emit_read(struct vm_emitter *emitter, const struct expr *expr)
{
    const struct place *place = expr->place;
    struct vm_operand operand = {.kind = OPERAND_CELL, .is_raw = expr->raw, .span = place->span};
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global && emit_facts(emitter, place->variable)->is_sure) {
        operand.kind = OPERAND_SURE;
        operand.address.base = (int32_t)place->variable->address;
        return operand;
    }
    operand.address = emit_place(emitter, place);
    return operand;
}

/* 0 or 1 through a branch: truth is nearly always wanted as a branch, so values take the detour. */
static struct vm_operand emit_truth(struct vm_emitter *emitter, const struct expr *expr)
{
    int32_t reg = register_new(emitter);
    struct vm_label yes = label_new(), out = label_new();
    emit_branch(emitter, expr, true, &yes);
    EMIT(emitter, VM_CONST, reg, 0);
    emit_jump(emitter, &out);
    label_place(emitter, &yes);
    EMIT(emitter, VM_CONST, reg, 1);
    label_place(emitter, &out);
    return in_register(reg);
}

static struct vm_operand emit_cond(struct vm_emitter *emitter, const struct expr *expr)
{
    int32_t reg = register_new(emitter);
    struct vm_label otherwise = label_new(), out = label_new();
    emit_branch(emitter, expr->condition, false, &otherwise);
    int32_t left = emit_value(emitter, expr->left);
    EMIT(emitter, VM_MOVE, reg, left);
    emit_jump(emitter, &out);
    label_place(emitter, &otherwise);
    int32_t right = emit_value(emitter, expr->right);
    EMIT(emitter, VM_MOVE, reg, right);
    label_place(emitter, &out);
    return in_register(reg);
}

static enum vm_op arithmetic_op(enum operator op)
{
    switch (op) {
    case OP_ADD:
        return VM_ADD;
    case OP_SUB:
        return VM_SUB;
    case OP_MUL:
        return VM_MUL;
    case OP_DIV:
        return VM_DIV;
    case OP_MOD:
        return VM_MOD;
    case OP_BIT_AND:
        return VM_AND;
    case OP_BIT_OR:
        return VM_OR;
    case OP_BIT_XOR:
        return VM_XOR;
    case OP_SHL:
        return VM_SHL;
    case OP_SHR:
        return VM_SHR;
    default:
        UNREACHABLE("arithmetic operator");
    }
}

bool expr_is_leaf(struct vm_emitter *emitter, const struct expr *expr)
{
    int64_t value;
    struct address address;
    return expr_static_value(emitter, expr, &value) ||
           (expr->kind == EXPR_READ && place_static(emitter, expr->place, &address));
}

/* Cell or register plus a constant. */
static struct vm_operand emit_add_constant(struct vm_emitter *emitter, const struct expr *expr,
                                           const struct vm_operand *left, int64_t addend)
{
    int32_t reg = register_new(emitter);
    if (left->kind == OPERAND_CELL && left->address.mode == MODE_CELL && !left->is_raw) {
        EMIT(emitter, VM_ADD_KC, reg, left->address.base, (int32_t)addend); /* 32 bits plus 32 bits: no overflow */
        emit_site(emitter, 0, FAULT_UNDEFINED, left->span, NULL, NULL);
        return in_register(reg);
    }
    int32_t augend = emit_register(emitter, left);
    EMIT(emitter, VM_ADD_K, reg, augend, (int32_t)addend);
    emit_site(emitter, 0, FAULT_OVERFLOW, expr->span, NULL, NULL);
    return in_register(reg);
}

static struct vm_operand emit_arithmetic(struct vm_emitter *emitter, const struct expr *expr)
{
    struct vm_operand left = emit_operand(emitter, expr->left);
    if (!expr_is_leaf(emitter, expr->right))
        left = in_register(emit_register(emitter, &left));
    struct vm_operand right = emit_operand(emitter, expr->right);
    if ((expr->op == OP_ADD || expr->op == OP_SUB) && right.kind == OPERAND_CONST && fits(right.value) &&
        fits(-right.value))
        return emit_add_constant(emitter, expr, &left, expr->op == OP_ADD ? right.value : -right.value);
    int32_t a = emit_register(emitter, &left), b = emit_register(emitter, &right), reg = register_new(emitter);
    EMIT(emitter, arithmetic_op(expr->op), reg, a, b);
    if (expr->op == OP_DIV || expr->op == OP_MOD)
        emit_site(emitter, 0, FAULT_DIVISION, expr->span, NULL, NULL);
    emit_site(emitter, 1, FAULT_OVERFLOW, expr->span, NULL, NULL);
    return in_register(reg);
}

static struct vm_operand emit_unary(struct vm_emitter *emitter, const struct expr *expr)
{
    int32_t operand = emit_value(emitter, expr->left), reg = register_new(emitter);
    EMIT(emitter, expr->op == OP_NEGATE ? VM_NEGATE : VM_COMPLEMENT, reg, operand);
    emit_site(emitter, 1, FAULT_OVERFLOW, expr->span, NULL, NULL);
    return in_register(reg);
}

static struct vm_operand emit_count(struct vm_emitter *emitter, const struct expr *expr)
{
    struct slot_loop loop;
    int32_t base = emit_place_address(emitter, expr->place), count = register_new(emitter);
    EMIT(emitter, VM_CONST, count, 0);
    emit_slots_begin(emitter, &loop, expr->variable, expr->place->type, base);
    emit_branch(emitter, expr->left, false, &loop.next);
    EMIT(emitter, VM_ADD_K, count, count, 1);
    emit_slots_end(emitter, &loop);
    return in_register(count);
}

struct vm_operand emit_operand(struct vm_emitter *emitter, const struct expr *expr)
{
    int64_t value;
    if (expr_static_value(emitter, expr, &value))
        return (struct vm_operand){.kind = OPERAND_CONST, .value = value};
    switch (expr->kind) {
    case EXPR_READ:
        return emit_read(emitter, expr);
    case EXPR_UNARY:
        return expr->op == OP_NOT ? emit_truth(emitter, expr) : emit_unary(emitter, expr);
    case EXPR_BINARY:
        return expr->op >= OP_AND && expr->op <= OP_GE ? emit_truth(emitter, expr) : emit_arithmetic(emitter, expr);
    case EXPR_COND:
        return emit_cond(emitter, expr);
    case EXPR_COUNT:
        return emit_count(emitter, expr);
    case EXPR_CALL: {
        emit_call(emitter, expr);
        int32_t reg = register_new(emitter);
        if (expr->function->result)
            EMIT(emitter, VM_RAW_C, reg, (int32_t)expr->function->result->address);
        return in_register(reg);
    }
    default:
        return emit_truth(emitter, expr);
    }
}
