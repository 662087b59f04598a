#include <string.h>

#include "ir/same.h"
#include "ir/walk.h"
#include "symmetry/effects.h"

static const struct meaning unknown;

static bool find_slot(void *user, const struct place *place, bool is_written)
{
    (void)is_written;
    *(bool *)user |= place->kind == PLACE_SLOT;
    return true;
}

bool effects_same_place(const struct place *a, const struct place *b)
{
    bool has_slot = false; /* which slot is not a lasting fact */
    if (!same_place(a, b))
        return false;
    walk_place(&(struct walker){.on_place = find_slot, .user = &has_slot}, a, false);
    return !has_slot;
}

static bool reads_place(const struct expr *expr, const struct place *place)
{
    return expr->kind == EXPR_READ && effects_same_place(expr->place, place);
}

static bool is_natural(const struct expr *expr)
{
    if (expr->kind == EXPR_CONST)
        return expr->value >= 0;
    return expr->type->kind <= TYPE_RANGE && expr->kind == EXPR_READ && expr->type->blocks->lo >= 0;
}

/* Is evaluating it certain to succeed? The second operand of & and | is skipped depending on the first, so a fault
 * in it would depend on the order of iterations. */
static bool is_total(const struct effects *e, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return true;
    case EXPR_READ:
        return expr->place->kind == PLACE_VARIABLE &&
               e->values[effects_number(e, expr->place->variable)].kind == MEANS_VARIABLE;
    case EXPR_UNARY:
        return expr->op == OP_NOT && is_total(e, expr->left);
    case EXPR_BINARY:
        return expr->op < OP_ADD && is_total(e, expr->left) && is_total(e, expr->right);
    default:
        return false;
    }
}

/* x := x op e: accumulation. Range faults do not depend on the order as long as all steps go the same way. Sets
 * `rest` to e. */
static bool is_accumulation(const struct effects *e, const struct stmt *stmt, enum access_mode *mode,
                            const struct expr **rest)
{
    const struct expr *value = stmt->value;
    if (value->kind != EXPR_BINARY)
        return false;
    bool is_left = reads_place(value->left, stmt->place), is_right = reads_place(value->right, stmt->place);
    if (is_left == is_right)
        return false;
    *rest = is_left ? value->right : value->left;
    switch (value->op) {
    case OP_ADD:
        *mode = ACCESS_RAISE;
        return is_natural(*rest);
    case OP_SUB:
        *mode = ACCESS_LOWER;
        return is_left && is_natural(*rest);
    case OP_AND:
    case OP_OR:
        *mode = value->op == OP_AND ? ACCESS_AND : ACCESS_OR;
        return is_left && is_total(e, *rest);
    default: /* bitwise: the result may leave the type on the way there and come back */
        return false;
    }
}

static bool is_const(const struct expr *expr, int64_t *value)
{
    *value = expr->value;
    return expr->kind == EXPR_CONST && expr->value != UNDEFINED;
}

/* The sum in `sum & (2^k - 1)`, and in `((sum & (2^k - 1)) ^ 2^(k-1)) - 2^(k-1)`, which has a sign; NULL: it is
 * neither. Both are the sum modulo 2^k. */
static const struct expr *wrapped_sum(const struct expr *value, int64_t *lo, int64_t *hi)
{
    int64_t sign = 0, other = 0, mask;
    if (value->kind == EXPR_BINARY && value->op == OP_SUB) {
        const struct expr *flipped = value->left;
        if (!is_const(value->right, &sign) || flipped->kind != EXPR_BINARY || flipped->op != OP_BIT_XOR ||
            !is_const(flipped->right, &other) || other != sign)
            return NULL;
        value = flipped->left;
    }
    if (value->kind != EXPR_BINARY || value->op != OP_BIT_AND || !is_const(value->right, &mask) || mask < 1 ||
        mask > UINT32_MAX || (mask & (mask + 1)) || (sign && sign != mask / 2 + 1))
        return NULL;
    *lo = -sign;
    *hi = mask - sign;
    return value->left;
}

/* x := (x + e) & (2^k - 1): an accumulation that never leaves the type, whatever e is. */
static bool is_wrapped(const struct stmt *stmt, int64_t *range, const struct expr **rest)
{
    int64_t lo, hi;
    const struct type *type = stmt->place->type;
    const struct expr *sum = wrapped_sum(stmt->value, &lo, &hi);
    if (!sum || sum->kind != EXPR_BINARY || (sum->op != OP_ADD && sum->op != OP_SUB) || type->kind != TYPE_RANGE ||
        type->blocks->lo > lo || type->blocks->hi < hi)
        return false;
    bool is_left = reads_place(sum->left, stmt->place), is_right = reads_place(sum->right, stmt->place);
    *rest = is_left ? sum->right : sum->left;
    *range = hi - lo;
    return is_left != is_right && (is_left || sum->op == OP_ADD);
}

static void effects_assign(struct effects *e, const struct stmt *stmt)
{
    enum access_mode mode = ACCESS_WRITE;
    const struct expr *rest;
    int64_t range;
    effects_may_fault(e); /* the value may be outside the type */
    if (e->loop && is_accumulation(e, stmt, &mode, &rest)) {
        effects_expr(e, rest);
        effects_access(e, mode, effects_path(e, stmt->place), unknown, stmt->span);
        return;
    }
    if (e->loop && is_wrapped(stmt, &range, &rest)) {
        effects_expr(e, rest);
        effects_access(e, ACCESS_WRAP, effects_path(e, stmt->place),
                       (struct meaning){.kind = MEANS_CONST, .code = range}, stmt->span);
        return;
    }
    effects_expr(e, stmt->value);
    struct meaning value = effects_meaning(e, stmt->value);
    effects_access(e, ACCESS_WRITE, effects_path(e, stmt->place), value, stmt->span);
}

/* Conjuncts "v = value" with v the variable of a loop around here. */
static void effects_assume(struct effects *e, const struct expr *condition)
{
    if (condition->kind != EXPR_BINARY)
        return;
    if (condition->op == OP_AND) {
        effects_assume(e, condition->left);
        effects_assume(e, condition->right);
    }
    if (condition->op != OP_EQ)
        return;
    struct meaning sides[2] = {effects_meaning(e, condition->left), effects_meaning(e, condition->right)};
    for (int i = 0; i < 2; i++)
        if (sides[i].kind == MEANS_VARIABLE && sides[1 - i].kind != MEANS_UNKNOWN) {
            struct guard *guard = ARENA_NEW(e->arena, struct guard);
            *guard = (struct guard){.next = e->guards, .variable = sides[i].variable, .value = sides[1 - i]};
            e->guards = guard;
        }
}

static void effects_join(struct effects *e, const uint8_t *other)
{
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        for (uint32_t u = 0; u < e->unit_count; u++)
            loop->fresh[u] &= other[(size_t)(loop->depth - 1) * e->unit_count + u];
}

/* What happened to slots so far: has_removed, then is_unordered. */
static bool *effects_save_slots(const struct effects *e)
{
    bool *saved = memory_alloc(2 * (size_t)e->variable_count);
    memcpy(saved, e->has_removed, e->variable_count);
    memcpy(saved + e->variable_count, e->is_unordered, e->variable_count);
    return saved;
}

static void effects_restore_slots(struct effects *e, bool *saved)
{
    memcpy(e->has_removed, saved, e->variable_count);
    memcpy(e->is_unordered, saved + e->variable_count, e->variable_count);
    free(saved);
}

static void effects_join_slots(struct effects *e, bool *saved)
{
    for (uint32_t v = 0; v < e->variable_count; v++) {
        e->has_removed[v] |= saved[v];
        e->is_unordered[v] |= saved[e->variable_count + v];
    }
    free(saved);
}

static void effects_if(struct effects *e, const struct stmt *stmt)
{
    effects_expr(e, stmt->value);
    uint8_t *before = effects_save_fresh(e);
    struct stale *stale_before = effects_copy_stale(e);
    struct meaning *held_before = effects_copy_held(e);
    bool *slots_before = effects_save_slots(e);
    const struct guard *guards = e->guards;
    effects_assume(e, stmt->value);
    effects_block(e, &stmt->body);
    e->guards = guards;
    uint8_t *after = effects_save_fresh(e);
    struct stale *stale_after = effects_copy_stale(e);
    struct meaning *held_after = effects_copy_held(e);
    bool *slots_after = effects_save_slots(e);
    effects_restore_fresh(e, before);
    effects_restore_stale(e, stale_before);
    effects_restore_held(e, held_before);
    effects_restore_slots(e, slots_before);
    effects_block(e, &stmt->otherwise);
    effects_join(e, after);
    effects_join_stale(e, stale_after);
    effects_join_held(e, held_after);
    effects_join_slots(e, slots_after);
    free(after);
}

static bool effects_leaves_traces(const struct effects *e)
{
    for (uint32_t u = 0; e->has_stale && u < e->unit_count; u++)
        if (e->stale[u].domain)
            return true;
    for (uint32_t v = 0; v < e->variable_count; v++)
        if (e->has_removed[v])
            return true;
    return false;
}

/* A body that may run any number of times. What one run leaves behind the next may use, hence the second walk. */
static void effects_repeat(struct effects *e, const struct stmt *stmt)
{
    struct stale *stale_before = effects_copy_stale(e);
    uint8_t *before = effects_save_fresh(e);
    for (int run = 0; run < 2; run++) {
        struct repetition repetition = effects_begin_repetition(e);
        if (stmt->kind == STMT_WHILE)
            effects_expr(e, stmt->value);
        else
            effects_bind(e, stmt->variable);
        effects_block(e, &stmt->body);
        effects_end_repetition(e, &repetition);
        if (!effects_leaves_traces(e))
            break;
    }
    effects_restore_fresh(e, before);
    effects_join_stale(e, stale_before);
}

static void effects_for(struct effects *e, const struct stmt *stmt)
{
    effects_domain(e, &stmt->domain);
    if (!effects_is_unordered(&stmt->domain)) {
        effects_repeat(e, stmt);
        return;
    }
    for (int run = 0; run < 2; run++) {
        struct effects_loop loop = {
            .domain = stmt->domain.type, .variable = stmt->variable, .span = stmt->span, .stmt = stmt};
        effects_enter_loop(e, &loop);
        effects_block(e, &stmt->body);
        effects_leave_loop(e, &loop);
        if (!effects_leaves_traces(e))
            break;
    }
}

static void effects_return(struct effects *e, const struct stmt *stmt)
{
    struct meaning value = {.kind = MEANS_CONST};
    if (stmt->value) {
        effects_expr(e, stmt->value);
        value = effects_meaning(e, stmt->value);
    }
    if (stmt->source) {
        effects_access(e, ACCESS_READ, effects_path(e, stmt->source), unknown, stmt->span);
        value = unknown;
    }
    if (e->function && e->function->result)
        effects_access(e, ACCESS_WRITE, effects_root(e, e->function->result), value, stmt->span);
    if (e->function)
        effects_note_return(e);
    for (struct effects_loop *loop = e->loop; loop && loop->frame == e->frame; loop = loop->outer) {
        loop->has_mixed_returns |=
            !effects_is_invariant(e, &value, loop) || (loop->has_return && !meaning_equal(&loop->returned, &value));
        loop->has_return = true;
        loop->returned = value;
    }
}

/* What lies in the slots of a multiset that is overwritten has nothing to do with what lay there before. */
static void effects_empty(struct effects *e, const struct effects_path *path, const struct type *type, bool is_refilled)
{
    if (!path->root || !type_has_multiset(type))
        return;
    e->has_removed[effects_number(e, path->root)] = true;
    e->is_unordered[effects_number(e, path->root)] |= is_refilled;
}

static void effects_remove(struct effects *e, const struct stmt *stmt)
{
    const struct effects_path *path = effects_path(e, stmt->place), *own = path;
    if (stmt->kind == STMT_MULTISET_REMOVE_IF) {
        own = effects_key(e, stmt->place, path, stmt->variable, stmt->value);
        effects_give_home(e, stmt->variable, (struct effect_home){stmt->place, path, own == path ? NULL : own});
        struct effects_loop loop = {
            .domain = stmt->place->type, .variable = stmt->variable, .span = stmt->span, .is_quantifier = true};
        effects_enter_loop(e, &loop);
        effects_expr(e, stmt->value);
        effects_leave_loop(e, &loop);
    } else {
        effects_expr(e, stmt->value);
        effects_use_slot(e, stmt->value, stmt->place, path);
    }
    effects_may_fault(e);
    effects_access(e, ACCESS_CHANGE, own, unknown, stmt->span);
    effects_empty(e, path, stmt->place->type, false);
}

/* Which free slot an element takes depends on the order of the slots and of the insertions. That matters only to who
 * still holds the number of a slot that was freed before. */
static void effects_insert(struct effects *e, const struct stmt *stmt)
{
    if (stmt->value)
        effects_expr(e, stmt->value);
    else
        effects_access(e, ACCESS_READ, effects_path(e, stmt->source), unknown, stmt->span);
    const struct effects_path *path = effects_path(e, stmt->place);
    effects_may_fault(e);
    effects_access(e, ACCESS_INSERT, path, unknown, stmt->span);
    if (path->root && e->has_removed[effects_number(e, path->root)])
        e->is_unordered[effects_number(e, path->root)] = true;
}

static void effects_copy(struct effects *e, const struct stmt *stmt)
{
    const struct effects_path *source = effects_path(e, stmt->source);
    effects_access(e, ACCESS_READ, source, unknown, stmt->span);
    const struct meaning *held = effects_take_held(e, source);
    const struct effects_path *path = effects_path(e, stmt->place);
    effects_access(e, ACCESS_WRITE, path, unknown, stmt->span);
    effects_give_held(e, path, source, held);
    effects_empty(e, path, stmt->place->type, true);
}

/* CLEAR, UNDEFINE */
static void effects_blank(struct effects *e, const struct stmt *stmt)
{
    const struct effects_path *path = effects_path(e, stmt->place);
    struct meaning value = {.kind = stmt->kind == STMT_CLEAR ? MEANS_CLEARED : MEANS_CONST, .code = UNDEFINED};
    effects_access(e, ACCESS_WRITE, path, value, stmt->span);
    effects_empty(e, path, stmt->place->type, false);
}

static void effects_discard(struct effects *e, const struct stmt *stmt)
{
    effects_expr(e, stmt->value);
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        loop->has_discard = true;
}

static void effects_stmt(struct effects *e, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        effects_assign(e, stmt);
        return;
    case STMT_COPY:
        effects_copy(e, stmt);
        return;
    case STMT_IF:
        effects_if(e, stmt);
        return;
    case STMT_FOR:
        effects_for(e, stmt);
        return;
    case STMT_WHILE:
        effects_may_fault(e);
        effects_repeat(e, stmt);
        return;
    case STMT_RETURN:
        effects_return(e, stmt);
        return;
    case STMT_ASSUME:
    case STMT_COVER:
        effects_discard(e, stmt);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        effects_blank(e, stmt);
        return;
    case STMT_BIND:
        e->bound[effects_number(e, stmt->variable)] = effects_refer(e, effects_path(e, stmt->place));
        return;
    case STMT_MULTISET_ADD:
        effects_insert(e, stmt);
        return;
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        effects_remove(e, stmt);
        return;
    case STMT_ERROR:
        effects_may_fault(e);
        return;
    case STMT_CALL:
    case STMT_ASSERT:
    case STMT_PUT:
    case STMT_REQUIRE:
        if (stmt->kind != STMT_CALL)
            effects_may_fault(e);
        if (stmt->value)
            effects_expr(e, stmt->value);
        if (stmt->source)
            effects_access(e, ACCESS_READ, effects_path(e, stmt->source), unknown, stmt->span);
        return;
    }
    UNREACHABLE("statement kind");
}

void effects_block(struct effects *e, const struct block *block)
{
    for (uint32_t s = 0; s < block->count && !e->gave_up; s++) {
        e->visited++;
        effects_stmt(e, block->items[s]);
    }
}
