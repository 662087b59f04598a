#include "lang/promela/lower.h"
#include "lang/promela/set_loop.h"
#include "lang/promela/walk.h"

static struct pml_node *node_at(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node)
{
    return &lower->flows[proctype->id].nodes.items[node];
}

bool pml_is_meeting(struct pml_lower *lower, const struct pml_stmt *stmt, enum pml_stmt_kind kind)
{
    if (!stmt || stmt->kind != kind)
        return false;
    struct pml_ports ports = pml_ports(lower, (struct pml_self){.proctype = NULL}, stmt->channel);
    for (uint32_t i = 0; i < ports.count; i++)
        if (!ports.items[i].pool->capacity)
            return true;
    return false;
}

/* Can the buffered operation be executed through this port? */
static struct expr *can_operate(struct pml_lower *lower, const struct pml_stmt *stmt, const struct pml_port *port)
{
    struct expr *can = stmt->kind == PML_SEND ? pml_can_send(lower, port, stmt->span)
                                              : pml_can_receive(lower, port, stmt->arguments, stmt->argument_count,
                                                                stmt->is_random, stmt->span);
    return pml_both(lower, pml_port_is_right(lower, port), can);
}

static struct expr *can_communicate(struct pml_lower *lower, struct pml_self self, const struct pml_stmt *stmt)
{
    struct expr *can = NULL;
    struct pml_ports ports = pml_ports(lower, self, stmt->channel);
    for (uint32_t i = 0; i < ports.count; i++)
        if (ports.items[i].pool->capacity)
            can = pml_either(lower, can, can_operate(lower, stmt, &ports.items[i]));
    if (pml_is_meeting(lower, stmt, PML_SEND))
        can = pml_either(lower, can, pml_has_partner(lower, self, stmt));
    return can ? can : pml_truth(lower, false, stmt->span);
}

struct expr *pml_can_do(struct pml_lower *lower, struct pml_self self, const struct pml_move *move)
{
    if (!move->stmt)
        return NULL;
    switch (move->stmt->kind) {
    case PML_CONDITION:
        return pml_started(move->stmt) ? NULL : pml_lower_condition(lower, self, move->stmt->value);
    case PML_SEND:
    case PML_RECEIVE:
        return can_communicate(lower, self, move->stmt);
    default:
        return NULL;
    }
}

static bool is_higher(const struct pml_node *node, size_t other, size_t move)
{
    return node->moves.items[other].rank > node->moves.items[move].rank;
}

/* Guard, and none of the moves is possible that go before this one. With an `else` one always is. */
static struct expr *unless_any(struct pml_lower *lower, struct expr *guard, struct pml_self self, uint32_t number,
                               uint32_t move, bool (*goes_first)(const struct pml_node *, size_t, size_t))
{
    const struct pml_node *node = node_at(lower, self.proctype, number);
    struct expr *any = NULL;
    for (uint32_t m = 0; m < node->moves.count; m++) {
        if (!goes_first(node, m, move))
            continue;
        struct expr *can = pml_can_do(lower, self, &node->moves.items[m]);
        if (!can)
            return pml_truth(lower, false, node->span);
        any = pml_either(lower, any, can);
    }
    return any ? pml_both(lower, guard, pml_not(lower, any)) : guard;
}

/* Nobody goes on alone, or this process does. */
static struct expr *may_hold(struct pml_lower *lower, struct pml_self self, bool can_be_holder, struct span span)
{
    if (!lower->holder)
        return NULL;
    struct expr *nobody =
        pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->holder, span), pml_constant(lower, -1, span));
    if (!can_be_holder)
        return nobody;
    return pml_either(
        lower, nobody,
        pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->holder, span), pml_pid(lower, self, span)));
}

bool pml_can_hold_at(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number)
{
    const struct pml_flow *flow = &lower->flows[proctype->id];
    for (size_t n = 0; n < flow->nodes.count; n++)
        for (size_t m = 0; m < flow->nodes.items[n].moves.count; m++) {
            const struct pml_move *move = &flow->nodes.items[n].moves.items[m];
            if (move->target == number && move->keeps)
                return true;
        }
    return false;
}

struct expr *pml_may_move(struct pml_lower *lower, struct pml_self self, uint32_t number, uint32_t move)
{
    const struct pml_node *node = node_at(lower, self.proctype, number);
    const struct pml_move *own = &node->moves.items[move];
    struct span span = own->stmt ? own->stmt->span : node->span;
    struct expr *guard = pml_is_at(lower, self, number, span);
    guard = pml_both(lower, guard, may_hold(lower, self, pml_can_hold_at(lower, self.proctype, number), span));
    if (self.proctype->provided && !node->is_inside) /* pan asks before a d_step, not in it */
        guard = pml_both(lower, guard, pml_lower_condition(lower, self, self.proctype->provided));
    if (!node->is_inside)
        guard = pml_both(lower, guard, pml_is_urgent(lower, self, span));
    guard = unless_any(lower, guard, self, number, move, is_higher);
    return unless_any(lower, guard, self, number, move, pml_goes_first);
}

void pml_hold(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, bool was_atomic, bool keeps,
              struct span span)
{
    if (!lower->holder || (!was_atomic && !keeps))
        return;
    pml_assign(lower, steps, place_variable(lower->system, lower->holder, span),
               keeps ? pml_pid(lower, self, span) : pml_constant(lower, -1, span));
}

static const char *move_text(struct pml_lower *lower, const struct pml_proctype *proctype, const struct pml_move *move)
{
    const char *text = !move->stmt ? "goes on" : move->stmt->text ? move->stmt->text : "";
    bool is_more = node_at(lower, proctype, move->target)->is_fused;
    return arena_format(lower->system->arena, is_more ? "%s: %s; ..." : "%s: %s", proctype->name, text);
}

/* A buffered operation goes through this port of its channel. */
static void lower_move(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number, uint32_t m,
                       uint32_t alternative)
{
    const struct pml_node *node = node_at(lower, proctype, number);
    const struct pml_move *move = &node->moves.items[m], *next = NULL;
    struct span span = move->stmt ? move->stmt->span : node->span;
    struct rule *rule = system_add_rule(lower->system, move_text(lower, proctype, move), span);
    struct pml_self self = pml_self_of(lower, rule, proctype, "pid");
    pml_show_move(lower, rule, self, number, m, span);
    rule->is_made = !move->stmt;
    struct pml_steps steps = {0};
    struct pml_port port = {0};
    bool is_message = move->stmt && (move->stmt->kind == PML_SEND || move->stmt->kind == PML_RECEIVE);
    if (is_message)
        port = pml_ports(lower, self, move->stmt->channel).items[alternative];
    rule->guard = pml_may_move(lower, self, number, m);
    rule->guard = pml_both(lower, rule->guard,
                           is_message ? can_operate(lower, move->stmt, &port) : pml_can_do(lower, self, move));
    if (move->stmt)
        pml_lower_effect(lower, &steps, self, move->stmt, &port);
    for (; node_at(lower, proctype, move->target)->is_fused; move = next) {
        const struct pml_node *fused = node_at(lower, proctype, move->target);
        next = pml_fused_move(fused);
        if (fused->loop)
            pml_lower_set_loop(lower, &steps, self, fused->loop, fused->span);
        else if (fused->choice)
            pml_lower_set_choice(lower, rule, &steps, self, fused->choice, fused->span);
        else if (next->stmt)
            pml_lower_effect(lower, &steps, self, next->stmt, &port);
    }
    pml_go(lower, &steps, self, move->target, span);
    if (!move->dstep || node_at(lower, proctype, move->target)->dstep != move->dstep) /* a d_step is one move */
        pml_note_move(lower, &steps, self, span);
    pml_hold(lower, &steps, self, pml_can_hold_at(lower, proctype, number), move->keeps, span);
    pml_drop_overwritten(&steps);
    rule->body = pml_close(lower, &steps);
}

/* A rendezvous inside a d_step is an error. */
static void lower_refusal(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number, uint32_t m)
{
    const struct pml_move *move = &node_at(lower, proctype, number)->moves.items[m];
    struct rule *rule = system_add_rule(lower->system, move_text(lower, proctype, move), move->stmt->span);
    struct pml_self self = pml_self_of(lower, rule, proctype, "pid");
    struct pml_steps steps = {0};
    pml_show_move(lower, rule, self, number, m, move->stmt->span);
    rule->is_made = true;
    struct stmt *fail = stmt_new(lower->system, STMT_ERROR, move->stmt->span);
    rule->guard = pml_may_move(lower, self, number, m);
    fail->property =
        system_add_property(lower->system, PROPERTY_ERROR, "no rendezvous inside a d_step", NULL, move->stmt->span);
    VEC_PUSH(&steps, fail);
    rule->body = pml_close(lower, &steps);
}

/* One rule for each pool that the channel can be in. */
static void lower_message(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number, uint32_t m)
{
    const struct pml_stmt *stmt = node_at(lower, proctype, number)->moves.items[m].stmt;
    struct pml_ports ports = pml_ports(lower, (struct pml_self){.proctype = proctype}, stmt->channel);
    for (uint32_t i = 0; i < ports.count; i++)
        if (ports.items[i].pool->capacity)
            lower_move(lower, proctype, number, m, i);
    if (!pml_is_meeting(lower, stmt, PML_SEND))
        return;
    if (node_at(lower, proctype, number)->moves.items[m].dstep)
        lower_refusal(lower, proctype, number, m);
    else
        pml_lower_meetings(lower, proctype, number, m);
}

struct expr *pml_can_go(struct pml_lower *lower, struct pml_self self, struct span span)
{
    if (lower->cast.dies_anyhow)
        return NULL;
    struct expr *above =
        expr_binary(lower->system, OP_ADD, pml_pid(lower, self, span), pml_constant(lower, 1, span), span);
    return pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->count, span), above);
}

void pml_note_move(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, struct span span)
{
    if (lower->last)
        pml_assign(lower, steps, place_variable(lower->system, lower->last, span), pml_pid(lower, self, span));
}

/* How many processes there are when this one has gone. */
static struct expr *left_behind(struct pml_lower *lower, struct pml_self self, struct span span)
{
    return lower->cast.dies_anyhow ? expr_binary(lower->system, OP_SUB, pml_variable_value(lower, lower->count, span),
                                                 pml_constant(lower, 1, span), span)
                                   : pml_pid(lower, self, span);
}

static void lower_death(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    const struct pml_flow *flow = &lower->flows[proctype->id];
    struct span span = proctype->span;
    if (!lower->cast.roles[proctype->id].can_die)
        return;
    struct rule *rule =
        system_add_rule(lower->system, arena_format(lower->system->arena, "%s: ends", proctype->name), span);
    rule->is_made = true;
    struct pml_self self = pml_self_of(lower, rule, proctype, "pid");
    struct pml_steps steps = {0};
    pml_show_event(lower, rule, self, pml_terminates);
    rule->guard = pml_both(lower, pml_is_at(lower, self, flow->end, span),
                           pml_both(lower, may_hold(lower, self, pml_can_hold_at(lower, proctype, flow->end), span),
                                    pml_both(lower, pml_can_go(lower, self, span), pml_is_urgent(lower, self, span))));
    if (proctype->provided)
        rule->guard = pml_both(lower, rule->guard, pml_lower_condition(lower, self, proctype->provided));
    pml_end_locals(lower, &steps, self, span);
    pml_go(lower, &steps, self, PML_NOWHERE, span);
    pml_set_priority(lower, &steps, self, 0, span);
    pml_note_move(lower, &steps, self, span);
    if (lower->count)
        pml_assign(lower, &steps, place_variable(lower->system, lower->count, span), left_behind(lower, self, span));
    pml_hold(lower, &steps, self, pml_can_hold_at(lower, proctype, flow->end), false, span);
    rule->body = pml_close(lower, &steps);
}

/* Can this move be done now? */
static struct expr *is_enabled(struct pml_lower *lower, struct pml_self self, uint32_t number, uint32_t m)
{
    return pml_both(lower, pml_may_move(lower, self, number, m),
                    pml_can_do(lower, self, &node_at(lower, self.proctype, number)->moves.items[m]));
}

/* The rule that fails: no option of a d_step that has begun is possible. */
static struct rule *add_blocking(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number,
                                 struct pml_self *self)
{
    const struct pml_node *node = node_at(lower, proctype, number);
    struct pml_steps steps = {0};
    struct rule *rule = system_add_rule(
        lower->system, arena_format(lower->system->arena, "%s: d_step blocks", proctype->name), node->span);
    rule->is_made = true;
    *self = pml_self_of(lower, rule, proctype, "pid");
    pml_show_event(lower, rule, *self, arena_format(lower->system->arena, ":%u d_step blocks", node->span.line));
    struct stmt *fail = stmt_new(lower->system, STMT_ERROR, node->span);
    fail->property = pml_blocked(lower, node->span);
    VEC_PUSH(&steps, fail);
    rule->body = pml_close(lower, &steps);
    return rule;
}

/* Inside a d_step nothing may block. */
static void lower_block(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number)
{
    const struct pml_node *node = node_at(lower, proctype, number);
    struct pml_self self;
    struct rule *rule = add_blocking(lower, proctype, number, &self);
    struct expr *can = NULL;
    for (uint32_t m = 0; m < node->moves.count; m++) {
        if (node->moves.items[m].is_shadowed)
            continue;
        struct expr *one = pml_can_do(lower, self, &node->moves.items[m]);
        if (!one) /* it cannot block */
            one = pml_truth(lower, true, node->span);
        can = pml_either(lower, can, one);
    }
    struct expr *holds = pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->holder, node->span),
                                     pml_pid(lower, self, node->span));
    rule->guard =
        pml_both(lower, pml_is_at(lower, self, number, node->span), pml_both(lower, holds, pml_not(lower, can)));
}

/* The d_step begins because this move is possible, and blocks in the choice before it. */
static void lower_shadowed(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number, uint32_t m)
{
    struct pml_self self;
    struct rule *rule = add_blocking(lower, proctype, number, &self);
    rule->guard = is_enabled(lower, self, number, m);
}

/* Two moves of a D_proctype must not be enabled together. */
static void lower_choice(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number, uint32_t first,
                         uint32_t second)
{
    const struct pml_node *node = node_at(lower, proctype, number);
    const struct pml_stmt *one = node->moves.items[first].stmt, *other = node->moves.items[second].stmt;
    struct pml_steps steps = {0};
    if (one && other && pml_is_meeting(lower, one, PML_RECEIVE) && pml_is_meeting(lower, other, PML_RECEIVE)) {
        diag_error(lower->diagnostics, other->span, "two rendezvous are received here in a D_proctype");
        diag_hint(lower->diagnostics, "whether a sender could meet both is not found out; write proctype");
        return;
    }
    struct rule *rule = system_add_rule(
        lower->system, arena_format(lower->system->arena, "%s: has a choice", proctype->name), node->span);
    rule->is_made = true;
    struct pml_self self = pml_self_of(lower, rule, proctype, "pid");
    pml_show_event(lower, rule, self, arena_format(lower->system->arena, ":%u has a choice", node->span.line));
    rule->guard = pml_both(lower, is_enabled(lower, self, number, first), is_enabled(lower, self, number, second));
    struct stmt *fail = stmt_new(lower->system, STMT_ERROR, node->span);
    if (!lower->chooses)
        lower->chooses =
            system_add_property(lower->system, PROPERTY_ERROR, "no D_proctype has a choice", NULL, node->span);
    fail->property = lower->chooses;
    VEC_PUSH(&steps, fail);
    rule->body = pml_close(lower, &steps);
}

/* SPIN asks before each statement whether an earlier one was enabled, but not before jumps and skips. */
static bool is_asked(const struct pml_move *move)
{
    const struct pml_stmt *stmt = move->stmt;
    return stmt && stmt->kind != PML_GOTO && stmt->kind != PML_BREAK && !pml_is_one(stmt);
}

static void lower_choices(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t number)
{
    const struct pml_node *node = node_at(lower, proctype, number);
    if (!proctype->is_deterministic || node->is_inside)
        return;
    for (uint32_t second = 1; second < node->moves.count; second++)
        for (uint32_t first = 0; first < second && is_asked(&node->moves.items[second]); first++)
            lower_choice(lower, proctype, number, first, second);
}

void pml_lower_moves(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    const struct pml_flow *flow = &lower->flows[proctype->id];
    pml_check_provided(lower, proctype);
    for (uint32_t n = 0; n < flow->nodes.count && !diag_is_late(lower->diagnostics); n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        if (!node->is_reached)
            continue;
        for (uint32_t m = 0; m < node->moves.count; m++) {
            const struct pml_stmt *stmt = node->moves.items[m].stmt;
            bool is_shadowed = node->moves.items[m].is_shadowed;
            if (is_shadowed && node->is_inside)
                continue;
            if (is_shadowed)
                lower_shadowed(lower, proctype, n, m);
            else if (stmt && (stmt->kind == PML_SEND || stmt->kind == PML_RECEIVE))
                lower_message(lower, proctype, n, m);
            else
                lower_move(lower, proctype, n, m, 0);
            if (stmt)
                pml_lower_fault(lower, proctype, n, m, stmt);
        }
        if (node->is_inside)
            lower_block(lower, proctype, n);
        lower_choices(lower, proctype, n);
    }
    lower_death(lower, proctype);
}
