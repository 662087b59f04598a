/* Expressions as branches: comparisons are fused with the reading of their operands and with the jump. */
#include "exec/stepper.h"
#include "exec/vm_emit.h"

/* A fused comparison of `left` (a cell or a register) with one more word. The R form of an instruction
 * stands right after its C, E and X forms. */
static void emit_compare(struct vm_emitter *emitter, enum vm_op op_c, const struct vm_operand *left, int32_t right,
                         struct vm_label *label)
{
    struct vm_operand operand = *left;
    if (operand.kind != OPERAND_CELL || operand.is_raw) {
        operand.reg = emit_register(emitter, left);
        EMIT(emitter, (enum vm_op)((int)op_c + 3), operand.reg, right, 0);
    } else {
        const int32_t after[] = {right, 0};
        emit_addressed(emitter, op_c, NULL, 0, &operand.address, after, 2);
        emit_site(emitter, 0, FAULT_UNDEFINED, operand.span, NULL, NULL);
    }
    label_use(emitter, label);
}

static void emit_equality(struct vm_emitter *emitter, const struct vm_operand *left, const struct vm_operand *right,
                          bool is_equal, struct vm_label *label)
{
    if (left->kind == OPERAND_CONST ||
        (left->kind == OPERAND_SURE && right->kind != OPERAND_CONST && right->kind != OPERAND_SURE)) {
        const struct vm_operand *kept = left; /* what cannot fault goes right */
        left = right;
        right = kept;
    }
    if (right->kind == OPERAND_CONST && fits(right->value)) {
        if (left->kind == OPERAND_SURE) {
            EMIT(emitter, is_equal ? VM_JEQ_VK : VM_JNE_VK, left->address.base, (int32_t)right->value, 0);
            label_use(emitter, label);
            return;
        }
        emit_compare(emitter, is_equal ? VM_JEQ_K_C : VM_JNE_K_C, left, (int32_t)right->value, label);
        return;
    }
    if (right->kind == OPERAND_SURE) {
        if (left->kind == OPERAND_SURE) {
            EMIT(emitter, is_equal ? VM_JEQ_VV : VM_JNE_VV, left->address.base, right->address.base, 0);
            label_use(emitter, label);
            return;
        }
        emit_compare(emitter, is_equal ? VM_JEQ_V_C : VM_JNE_V_C, left, right->address.base, label);
        return;
    }
    int32_t value = emit_register(emitter, left);
    emit_compare(emitter, is_equal ? VM_JEQ_R_C : VM_JNE_R_C, right, value, label);
}

static enum operator op_negated(enum operator op)
{
    static const enum operator NEGATED[] = {
        [OP_EQ] = OP_NE, [OP_NE] = OP_EQ, [OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_LE] = OP_GT, [OP_GT] = OP_LE};
    return NEGATED[op];
}

static enum operator op_mirrored(enum operator op)
{
    static const enum operator MIRRORED[] = {
        [OP_EQ] = OP_EQ, [OP_NE] = OP_NE, [OP_LT] = OP_GT, [OP_GE] = OP_LE, [OP_LE] = OP_GE, [OP_GT] = OP_LT};
    return MIRRORED[op];
}

static void emit_order(struct vm_emitter *emitter, enum operator op, const struct vm_operand *left,
                       const struct vm_operand *right, struct vm_label *label)
{
    if (left->kind == OPERAND_CONST) {
        const struct vm_operand *kept = left;
        left = right;
        right = kept;
        op = op_mirrored(op);
    }
    if (right->kind == OPERAND_CONST) {
        int64_t bound = right->value;
        if ((op == OP_LE || op == OP_GT) && fits(bound)) /* x <= k is x < k + 1 */
            bound++;
        if (fits(right->value) && fits(bound)) {
            emit_compare(emitter, op == OP_LT || op == OP_LE ? VM_JLT_K_C : VM_JGE_K_C, left, (int32_t)bound, label);
            return;
        }
    }
    int32_t a = emit_register(emitter, left), b = emit_register(emitter, right);
    if (op == OP_LT || op == OP_LE)
        EMIT(emitter, op == OP_LT ? VM_JLT_RR : VM_JLE_RR, a, b, 0);
    else
        EMIT(emitter, op == OP_GT ? VM_JLT_RR : VM_JLE_RR, b, a, 0);
    label_use(emitter, label);
}

static void emit_comparison(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    enum operator op = sense ? expr->op : op_negated(expr->op);
    struct vm_operand left = emit_operand(emitter, expr->left);
    if (!expr_is_leaf(emitter, expr->right)) {
        left.reg = emit_register(emitter, &left);
        left.kind = OPERAND_REGISTER;
    }
    struct vm_operand right = emit_operand(emitter, expr->right);
    if (op == OP_EQ || op == OP_NE)
        emit_equality(emitter, &left, &right, op == OP_EQ, label);
    else
        emit_order(emitter, op, &left, &right, label);
}

static void emit_logic(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    bool decisive = expr->op == OP_OR; /* the value of the left side that decides the whole */
    bool decided = expr->op != OP_AND; /* what the whole is then */
    if (decided == sense) {
        emit_branch(emitter, expr->left, decisive, label);
        emit_branch(emitter, expr->right, sense, label);
        return;
    }
    struct vm_label out = label_new();
    emit_branch(emitter, expr->left, decisive, &out);
    emit_branch(emitter, expr->right, sense, label);
    label_place(emitter, &out);
}

static void emit_branch_cond(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    struct vm_label otherwise = label_new(), out = label_new();
    emit_branch(emitter, expr->condition, false, &otherwise);
    emit_branch(emitter, expr->left, sense, label);
    emit_jump(emitter, &out);
    label_place(emitter, &otherwise);
    emit_branch(emitter, expr->right, sense, label);
    label_place(emitter, &out);
}

/* One value of a quantified variable: when it decides, notes so, or goes to `first`. */
static void emit_quantified(struct vm_emitter *emitter, const struct expr *body, bool decisive, bool is_noted,
                            int32_t found, struct vm_label *first)
{
    if (!is_noted) {
        emit_branch(emitter, body, decisive, first);
        return;
    }
    struct vm_label next = label_new();
    emit_branch(emitter, body, !decisive, &next);
    EMIT(emitter, VM_CONST, found, decisive);
    label_place(emitter, &next);
}

/* Over an index type every element is looked at (ir/expr.h); else the first that decides ends it. */
static void emit_quantifier(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    bool decisive = expr->op == OP_EXISTS; /* the truth of one instance that decides the whole */
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type);
    struct vm_label decided = label_new(), *first = decisive == sense ? label : &decided;
    struct loop loop;
    struct unrolled unrolled;
    int32_t found = register_new(emitter);
    if (is_exhaustive)
        EMIT(emitter, VM_CONST, found, !decisive);
    if (loop_is_unrolled(emitter, expr->variable, &expr->domain, expr_size(emitter, expr->left), &unrolled)) {
        for (uint32_t i = 0; i < unrolled.count; i++) {
            emit_unrolled_value(emitter, expr->variable, &unrolled, i);
            emit_quantified(emitter, expr->left, decisive, is_exhaustive, found, first);
        }
        emit_unrolled_value(emitter, expr->variable, &unrolled, unrolled.count);
    } else {
        emit_loop_begin(emitter, &loop, expr->variable, &expr->domain, expr->span);
        emit_quantified(emitter, expr->left, decisive, is_exhaustive, found, first);
        emit_loop_end(emitter, &loop);
    }
    if (is_exhaustive) {
        EMIT(emitter, VM_JEQ_K_R, found, sense, 0);
        label_use(emitter, label);
    } else if (decisive != sense) {
        emit_jump(emitter, label);
    }
    label_place(emitter, &decided);
}

static void emit_undefined(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    const int32_t target = 0;
    if (expr->is_implied) { /* a scalar; what is defined takes one jump, as ever */
        struct vm_label out = label_new();
        struct address address = emit_place(emitter, expr->place);
        emit_addressed(emitter, VM_JDEFINED_C, NULL, 0, &address, &target, 1);
        label_use(emitter, sense ? &out : label);
        EMIT(emitter, VM_COVER, (int32_t)stepper_undefined(emitter->system));
        if (sense)
            emit_jump(emitter, label);
        label_place(emitter, &out);
        return;
    }
    if (type_is_scalar(expr->place->type)) {
        struct address address = emit_place(emitter, expr->place);
        emit_addressed(emitter, sense ? VM_JUNDEFINED_C : VM_JDEFINED_C, NULL, 0, &address, &target, 1);
    } else {
        int32_t address = emit_place_address(emitter, expr->place), reg = register_new(emitter);
        EMIT(emitter, VM_ANY_UNDEFINED, reg, address, (int32_t)expr->place->type->cells);
        EMIT(emitter, VM_JEQ_K_R, reg, sense, 0);
    }
    label_use(emitter, label);
}

static void emit_member(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    int64_t low, high;
    int32_t value = emit_value(emitter, expr->left);
    if (type_interval(expr->member, &low, &high))
        EMIT(emitter, sense ? VM_JIN : VM_JOUT, value, (int32_t)low, (int32_t)high, 0);
    else
        EMIT(emitter, sense ? VM_JIN_TYPE : VM_JOUT_TYPE, value, emit_type_number(emitter, expr->member), 0);
    label_use(emitter, label);
}

static int32_t emit_equal(struct vm_emitter *emitter, const struct expr *expr)
{
    int32_t left = emit_aggregate(emitter, expr->place, place_has_call(expr->other));
    int32_t right = emit_place_address(emitter, expr->other), reg = register_new(emitter);
    EMIT(emitter, VM_EQUAL, reg, left, right, (int32_t)expr->place->type->cells);
    return reg;
}

static struct vm_operand emit_slot_taken(struct vm_emitter *emitter, const struct expr *expr)
{
    const struct type *multiset = expr->place->type;
    struct vm_operand operand = {.kind = OPERAND_CELL}; /* a flag is never undefined */
    if (slot_static(emitter, expr->place, expr->left, &operand.address))
        return operand;
    int32_t base = emit_place_address(emitter, expr->place);
    int32_t slot = emit_value(emitter, expr->left), reg = register_new(emitter);
    EMIT(emitter, VM_SLOT_TAKEN, reg, base, slot, (int32_t)multiset->capacity, (int32_t)multiset_stride(multiset));
    emit_site(emitter, 0, FAULT_SLOT_FREE, expr->left->span, NULL, NULL);
    return (struct vm_operand){.kind = OPERAND_REGISTER, .reg = reg};
}

static void emit_branch_on(struct vm_emitter *emitter, const struct vm_operand *operand, bool sense,
                           struct vm_label *label)
{
    const struct vm_operand zero = {.kind = OPERAND_CONST};
    emit_equality(emitter, operand, &zero, !sense, label);
}

static void emit_branch_kind(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    struct vm_operand operand = {.kind = OPERAND_REGISTER};
    switch (expr->kind) {
    case EXPR_UNARY:
        if (expr->op == OP_NOT) {
            emit_branch(emitter, expr->left, !sense, label);
            return;
        }
        break;
    case EXPR_BINARY:
        if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES) {
            emit_logic(emitter, expr, sense, label);
            return;
        }
        if (expr->op >= OP_EQ && expr->op <= OP_GE) {
            emit_comparison(emitter, expr, sense, label);
            return;
        }
        break;
    case EXPR_COND:
        emit_branch_cond(emitter, expr, sense, label);
        return;
    case EXPR_QUANTIFIER:
        emit_quantifier(emitter, expr, sense, label);
        return;
    case EXPR_IS_UNDEFINED:
        emit_undefined(emitter, expr, sense, label);
        return;
    case EXPR_IS_MEMBER:
        emit_member(emitter, expr, sense, label);
        return;
    case EXPR_EQUAL:
        operand.reg = emit_equal(emitter, expr);
        emit_branch_on(emitter, &operand, sense, label);
        return;
    case EXPR_SLOT_TAKEN:
        operand = emit_slot_taken(emitter, expr);
        emit_branch_on(emitter, &operand, sense, label);
        return;
    default:
        break;
    }
    operand = emit_operand(emitter, expr);
    emit_branch_on(emitter, &operand, sense, label);
}

void emit_branch(struct vm_emitter *emitter, const struct expr *expr, bool sense, struct vm_label *label)
{
    int64_t value;
    if (expr_static_value(emitter, expr, &value)) {
        if ((value != 0) == sense)
            emit_jump(emitter, label);
        return;
    }
    uint32_t mark = emitter->next_register;
    emit_branch_kind(emitter, expr, sense, label);
    emitter->next_register = mark;
}
