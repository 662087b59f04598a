#include <string.h>

#include "base/watch.h"
#include "symmetry/effects.h"

/* A loop, quantified or rule variable: named by itself as long as nothing assigns to it. Each iteration writes it first
 * of all. */
void effects_bind(struct effects *e, const struct variable *variable)
{
    uint32_t number = effects_number(e, variable);
    e->bound_depth[number] = e->loop ? e->loop->depth : 0;
    e->values[number] =
        (struct meaning){.kind = e->is_assigned[number] ? MEANS_UNKNOWN : MEANS_VARIABLE, .variable = variable};
    struct units units = effects_units(e, effects_root(e, variable));
    effects_renew(e, units);
    effects_hold(e, units, (struct meaning){0});
}

void effects_enter_loop(struct effects *e, struct effects_loop *loop)
{
    loop->outer = e->loop;
    loop->depth = e->loop ? e->loop->depth + 1 : 1;
    loop->frame = e->frame;
    loop->fresh = memory_zeroed(e->unit_count + 1, 1);
    loop->repetition = effects_begin_repetition(e);
    e->loop = loop;
    effects_bind(e, loop->variable);
}

void effects_leave_loop(struct effects *e, struct effects_loop *loop)
{
    e->loop = loop->outer;
    effects_end_repetition(e, &loop->repetition);
    e->on_loop(e, loop);
    free(loop->fresh);
    VEC_FREE(&loop->accesses);
}

/* What may not happen leaves nothing surely written. */
uint8_t *effects_save_fresh(struct effects *e)
{
    uint32_t depth = e->loop ? e->loop->depth : 0;
    uint8_t *saved = memory_alloc((size_t)depth * e->unit_count + 1);
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        memcpy(saved + (size_t)(loop->depth - 1) * e->unit_count, loop->fresh, e->unit_count);
    return saved;
}

void effects_restore_fresh(struct effects *e, uint8_t *saved)
{
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        memcpy(loop->fresh, saved + (size_t)(loop->depth - 1) * e->unit_count, e->unit_count);
    free(saved);
}

static void effects_maybe(struct effects *e, const struct expr *expr)
{
    if (!e->loop) {
        effects_expr(e, expr);
        return;
    }
    uint8_t *saved = effects_save_fresh(e);
    uint64_t clock = e->clock;
    effects_expr(e, expr);
    effects_restore_fresh(e, saved);
    effects_forget_since(e, clock);
}

void effects_domain(struct effects *e, const struct domain *domain)
{
    if (domain->from) {
        effects_expr(e, domain->from);
        effects_expr(e, domain->to);
        if (domain->by)
            effects_expr(e, domain->by);
        effects_may_fault(e);
    }
}

static void effects_quantifier(struct effects *e, const struct expr *expr)
{
    effects_domain(e, &expr->domain);
    if (!effects_is_unordered(&expr->domain)) {
        struct repetition repetition = effects_begin_repetition(e);
        effects_bind(e, expr->variable);
        effects_maybe(e, expr->left);
        effects_end_repetition(e, &repetition);
        return;
    }
    struct effects_loop loop = {
        .domain = expr->domain.type, .variable = expr->variable, .span = expr->span, .is_quantifier = true};
    effects_enter_loop(e, &loop);
    effects_expr(e, expr->left);
    effects_leave_loop(e, &loop);
}

/* Slots are in the order of their codes, which changes with the numbering: predicates over them must write
 * nothing that matters. That is the loops' own question, asked of the slot variable. */
static void effects_count(struct effects *e, const struct expr *expr)
{
    const struct effects_path *path = effects_path(e, expr->place);
    const struct effects_path *own = effects_key(e, expr->place, path, expr->variable, expr->left);
    effects_access(e, ACCESS_READ, own, (struct meaning){0}, expr->span);
    effects_give_home(e, expr->variable, (struct effect_home){expr->place, path, own == path ? NULL : own});
    struct effects_loop loop = {
        .domain = expr->place->type, .variable = expr->variable, .span = expr->span, .is_quantifier = true};
    effects_enter_loop(e, &loop);
    effects_expr(e, expr->left);
    effects_leave_loop(e, &loop);
}

/* In a rule's prelude this is what says that a parameter is a slot, and of which multiset. */
static void effects_slot_taken(struct effects *e, const struct expr *expr)
{
    const struct effects_path *path = effects_path(e, expr->place);
    effects_access(e, ACCESS_READ, path, (struct meaning){0}, expr->span);
    effects_expr(e, expr->left);
    const struct expr *slot = expr->left;
    bool is_variable = slot->kind == EXPR_READ && slot->place->kind == PLACE_VARIABLE;
    if (is_variable && !e->homes[effects_number(e, slot->place->variable)].place)
        effects_give_home(e, slot->place->variable, (struct effect_home){.place = expr->place, .path = path});
    else
        effects_use_slot(e, slot, expr->place, path);
}

static void effects_read(struct effects *e, const struct expr *expr)
{
    const struct place *place = expr->place;
    if (place->kind == PLACE_VARIABLE) {
        struct meaning *value = &e->values[effects_number(e, place->variable)];
        if (value->kind == MEANS_VARIABLE || value->kind == MEANS_CONST)
            return;
    }
    const struct effects_path *path = effects_path(e, place);
    effects_access(e, ACCESS_READ, path, (struct meaning){0}, expr->span);
    if (!expr->raw)
        effects_may_fault(e);
    e->last_read = place;
    e->last_path = path;
}

void effects_expr(struct effects *e, const struct expr *expr)
{
    if (++e->visited > EFFECTS_LIMIT || watch_is_up()) {
        e->gave_up = true;
        return;
    }
    switch (expr->kind) {
    case EXPR_CONST:
        return;
    case EXPR_READ:
        effects_read(e, expr);
        return;
    case EXPR_UNARY:
    case EXPR_IS_MEMBER:
        effects_expr(e, expr->left);
        if (expr->kind == EXPR_UNARY && expr->op != OP_NOT)
            effects_may_fault(e);
        return;
    case EXPR_BINARY:
        effects_expr(e, expr->left);
        if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
            effects_maybe(e, expr->right);
        else
            effects_expr(e, expr->right);
        if (expr->op >= OP_ADD)
            effects_may_fault(e);
        return;
    case EXPR_COND:
        effects_expr(e, expr->condition);
        effects_maybe(e, expr->left);
        effects_maybe(e, expr->right);
        return;
    case EXPR_QUANTIFIER:
        effects_quantifier(e, expr);
        return;
    case EXPR_IS_UNDEFINED:
        effects_access(e, ACCESS_READ, effects_path(e, expr->place), (struct meaning){0}, expr->span);
        return;
    case EXPR_CALL:
        effects_call(e, expr);
        return;
    case EXPR_EQUAL:
        effects_access(e, ACCESS_READ, effects_path(e, expr->place), (struct meaning){0}, expr->span);
        effects_access(e, ACCESS_READ, effects_path(e, expr->other), (struct meaning){0}, expr->span);
        return;
    case EXPR_SLOT_TAKEN:
        effects_slot_taken(e, expr);
        return;
    case EXPR_COUNT:
        effects_count(e, expr);
        return;
    }
    UNREACHABLE("expression kind");
}

/* What is known of an argument: the path (by reference) or meaning (by value). */
struct effects_passed {
    const struct effects_path *path;
    struct meaning meaning;
    const struct meaning *held; /* an aggregate by value: of its parts */
};

static struct effects_passed effects_argument(struct effects *e, const struct variable *parameter,
                                              const struct argument *argument, struct span span)
{
    struct effects_passed passed = {0};
    if (argument->value) {
        effects_expr(e, argument->value);
        passed.meaning = effects_meaning(e, argument->value);
        effects_may_fault(e); /* the value may be outside the parameter's type */
        return passed;
    }
    passed.path = effects_path(e, argument->place);
    if (!parameter->is_reference) {
        effects_access(e, ACCESS_READ, passed.path, (struct meaning){0}, span);
        passed.held = effects_take_held(e, passed.path);
    }
    return passed;
}

/* Gives the parameters their values, after all arguments were evaluated. The callee's variables hold nothing from
 * an earlier call: parameters are written here, locals are undefined at their declaration. */
static void effects_pass(struct effects *e, const struct expr *call)
{
    const struct function *function = call->function;
    struct effects_passed *passed = ARENA_ARRAY(e->arena, struct effects_passed, function->parameter_count);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        passed[p] = effects_argument(e, function->parameters[p], &call->arguments[p], call->span);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        uint32_t number = effects_number(e, parameter);
        if (parameter->is_reference) {
            e->bound[number] = effects_refer(e, passed[p].path);
            continue;
        }
        struct meaning meaning = passed[p].meaning;
        bool is_named = meaning.kind == MEANS_VARIABLE || meaning.kind == MEANS_CONST;
        e->values[number] = is_named && !e->is_assigned[number] ? meaning : (struct meaning){0};
        const struct effects_path *path = effects_root(e, parameter);
        effects_access(e, ACCESS_WRITE, path, meaning, call->span);
        if (passed[p].held)
            effects_give_held(e, path, passed[p].path, passed[p].held);
    }
}

/* The callee may return anywhere: after it, nothing that it does is certain. */
void effects_call(struct effects *e, const struct expr *call)
{
    if (e->gave_up)
        return;
    effects_pass(e, call);
    if (!e->loop && !e->has_stale && effects_is_plain(e, call->function))
        return;
    uint32_t frame = e->frame;
    const struct function *function = e->function;
    e->frame = ++e->frames;
    e->function = call->function;
    uint8_t *fresh = effects_save_fresh(e);
    struct stale *at_return = e->at_return;
    e->at_return = effects_copy_stale(e);
    uint64_t clock = e->clock;
    effects_block(e, &call->function->body);
    effects_restore_fresh(e, fresh);
    effects_join_stale(e, e->at_return);
    effects_forget_since(e, clock);
    e->at_return = at_return;
    e->frame = frame;
    e->function = function;
}
