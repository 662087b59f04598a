/* Statements. */
#include "exec/vm_emit.h"

/* Evaluates; may leave a cell unread only when `place` (may be NULL) is found without emitting anything. */
static struct vm_operand emit_value_before(struct vm_emitter *emitter, const struct expr *value,
                                           const struct place *place)
{
    struct address address;
    struct vm_operand operand = emit_operand(emitter, value);
    if (operand.kind == OPERAND_CELL && place && !place_static(emitter, place, &address)) {
        operand.reg = emit_register(emitter, &operand);
        operand.kind = OPERAND_REGISTER;
    }
    return operand;
}

/* Cells of the state are marked, to be restored; scratch cells at a fixed address need not be. */
static void emit_put(struct vm_emitter *emitter, const struct address *address, int32_t word, bool is_constant)
{
    bool is_scratch = address->mode == MODE_CELL && address->base >= (int32_t)emitter->system->state_cells;
    if (is_scratch)
        EMIT(emitter, is_constant ? VM_SET : VM_LET, address->base, word);
    else
        emit_addressed(emitter, is_constant ? VM_STORE_K_C : VM_STORE_C, NULL, 0, address, &word, 1);
}

bool value_is_inside(struct vm_emitter *emitter, const struct expr *value, const struct type *type)
{
    int64_t low, high, least, greatest;
    if ((value->kind == EXPR_READ || value->kind == EXPR_CALL) && value->type == type)
        return true;
    expr_bounds(emitter, value, &low, &high);
    return type_interval(type, &least, &greatest) && low >= least && high <= greatest;
}

bool operand_is_storable(const struct expr *value, const struct vm_operand *operand, const struct type *type)
{
    return operand->kind == OPERAND_CONST &&
           (type_has(type, operand->value) || (expr_is_raw(value) && operand->value == UNDEFINED));
}

void emit_store(struct vm_emitter *emitter, const struct expr *value, const struct vm_operand *operand,
                const struct address *address, const struct type *type)
{
    if (operand_is_storable(value, operand, type)) {
        emit_put(emitter, address, (int32_t)operand->value, true);
        return;
    }
    int32_t reg = emit_register(emitter, operand);
    if (!value_is_inside(emitter, value, type))
        emit_check(emitter, reg, type, expr_is_raw(value), value->span);
    emit_put(emitter, address, reg, false);
}

static void emit_assign(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct vm_operand operand = emit_value_before(emitter, stmt->value, stmt->place);
    struct address address = emit_place(emitter, stmt->place);
    emit_store(emitter, stmt->value, &operand, &address, stmt->place->type);
}

static void emit_copy(struct vm_emitter *emitter, const struct stmt *stmt)
{
    int32_t source = emit_aggregate(emitter, stmt->source, place_has_call(stmt->place));
    int32_t target = emit_place_address(emitter, stmt->place);
    EMIT(emitter, VM_COPY, target, source, (int32_t)stmt->place->type->cells);
}

static void emit_if(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct vm_label otherwise = label_new(), out = label_new();
    emit_branch(emitter, stmt->value, false, &otherwise);
    emit_block(emitter, &stmt->body);
    if (stmt->otherwise.count)
        emit_jump(emitter, &out);
    label_place(emitter, &otherwise);
    emit_block(emitter, &stmt->otherwise);
    label_place(emitter, &out);
}

static void emit_for(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct loop loop;
    struct unrolled unrolled;
    if (loop_is_unrolled(emitter, stmt->variable, &stmt->domain, block_size(emitter, &stmt->body), &unrolled)) {
        for (uint32_t i = 0; i < unrolled.count; i++) {
            emit_unrolled_value(emitter, stmt->variable, &unrolled, i);
            emit_block(emitter, &stmt->body);
        }
        emit_unrolled_value(emitter, stmt->variable, &unrolled, unrolled.count);
        return;
    }
    emit_loop_begin(emitter, &loop, stmt->variable, &stmt->domain, stmt->span);
    emit_block(emitter, &stmt->body);
    emit_loop_end(emitter, &loop);
}

static void emit_while(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct vm_label top = label_new(), out = label_new();
    int32_t ticks = register_new(emitter);
    EMIT(emitter, VM_CONST, ticks, 0);
    label_place(emitter, &top);
    emit_branch(emitter, stmt->value, false, &out);
    EMIT(emitter, VM_TICK, ticks);
    emit_site(emitter, 0, FAULT_LOOP_LIMIT, stmt->span, NULL, NULL);
    emit_block(emitter, &stmt->body);
    emit_jump(emitter, &top);
    label_place(emitter, &out);
}

static void emit_return(struct vm_emitter *emitter, const struct stmt *stmt)
{
    const struct variable *result = emitter->function ? emitter->function->result : NULL;
    if (stmt->source) {
        int32_t source = emit_place_address(emitter, stmt->source), target = register_new(emitter);
        EMIT(emitter, VM_CONST, target, (int32_t)result->address);
        EMIT(emitter, VM_COPY, target, source, (int32_t)result->type->cells);
    } else if (stmt->value) {
        const struct address address = {.mode = MODE_CELL, .base = (int32_t)result->address};
        struct vm_operand operand = emit_operand(emitter, stmt->value);
        emit_store(emitter, stmt->value, &operand, &address, result->type);
    }
    if (emitter->exit)
        emit_jump(emitter, emitter->exit);
    else
        emit_op(emitter, VM_RETURN, NULL, 0);
}

static void emit_failure(struct vm_emitter *emitter, enum fault_kind kind, const struct stmt *stmt)
{
    emit_op(emitter, VM_FAULT, NULL, 0);
    emit_site(emitter, 0, kind, stmt->span, stmt->property, NULL);
}

/* ASSERT, ASSUME, COVER */
static void emit_condition(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct vm_label out = label_new();
    emit_branch(emitter, stmt->value, stmt->kind != STMT_COVER, &out);
    if (stmt->kind == STMT_ASSERT)
        emit_failure(emitter, FAULT_ASSERTION, stmt);
    else if (stmt->kind == STMT_ASSUME)
        emit_op(emitter, VM_DISCARD, NULL, 0);
    else
        EMIT(emitter, VM_COVER, (int32_t)stmt->property->id);
    label_place(emitter, &out);
}

static void emit_reset(struct vm_emitter *emitter, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    bool is_clear = stmt->kind == STMT_CLEAR;
    struct address address = emit_place(emitter, stmt->place);
    if (type_is_scalar(type))
        emit_put(emitter, &address, is_clear ? type_code(type, 0) : UNDEFINED, true);
    else
        emit_fill(emitter, emit_address(emitter, &address), type, is_clear);
}

static void emit_bind(struct vm_emitter *emitter, const struct stmt *stmt)
{
    struct known *known = emit_known(emitter, stmt->variable);
    struct address address = emit_place(emitter, stmt->place);
    known->is_known = address.mode == MODE_CELL && emit_facts(emitter, stmt->variable)->bindings == 1;
    known->value = address.base;
    if (!known->is_known)
        EMIT(emitter, VM_LET, (int32_t)stmt->variable->address, emit_address(emitter, &address));
}

static void emit_stmt_kind(struct vm_emitter *emitter, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        emit_assign(emitter, stmt);
        return;
    case STMT_COPY:
        emit_copy(emitter, stmt);
        return;
    case STMT_IF:
        emit_if(emitter, stmt);
        return;
    case STMT_FOR:
        emit_for(emitter, stmt);
        return;
    case STMT_WHILE:
        emit_while(emitter, stmt);
        return;
    case STMT_CALL:
        emit_call(emitter, stmt->value);
        return;
    case STMT_RETURN:
        emit_return(emitter, stmt);
        return;
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
        emit_condition(emitter, stmt);
        return;
    case STMT_ERROR:
        emit_failure(emitter, FAULT_ERROR, stmt);
        return;
    case STMT_PUT: /* nothing is printed, but it may fault */
        if (stmt->value)
            emit_value(emitter, stmt->value);
        else if (stmt->source)
            emit_place(emitter, stmt->source);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        emit_reset(emitter, stmt);
        return;
    case STMT_BIND:
        emit_bind(emitter, stmt);
        return;
    case STMT_REQUIRE:
        ENSURE(emitter->disabled);
        emit_branch(emitter, stmt->value, false, emitter->disabled);
        return;
    case STMT_MULTISET_ADD:
        emit_multiset_add(emitter, stmt);
        return;
    case STMT_MULTISET_REMOVE:
        emit_multiset_remove(emitter, stmt);
        return;
    case STMT_MULTISET_REMOVE_IF:
        emit_multiset_remove_if(emitter, stmt);
        return;
    }
    UNREACHABLE("kind of statement");
}

void emit_stmt(struct vm_emitter *emitter, const struct stmt *stmt)
{
    uint32_t mark = emitter->next_register;
    emit_stmt_kind(emitter, stmt);
    emitter->next_register = mark;
}

void emit_block(struct vm_emitter *emitter, const struct block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        emit_stmt(emitter, block->items[i]);
}
