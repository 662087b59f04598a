#include "lang/promela/lower.h"

/* A send and a receive of a channel without capacity that may be done together. */
struct pml_meeting {
    struct pml_self sender, receiver;
    const struct pml_stmt *send, *receive;
    const struct pml_pool *pool;
    struct pml_port from, to;
    const struct pml_argument *sent, *received; /* records written out */
    uint32_t sent_count, received_count;
};

static bool is_one_process(const struct pml_lower *lower, const struct pml_proctype *a, const struct pml_proctype *b)
{
    return a == b && lower->cast.roles[a->id].first == lower->cast.roles[a->id].last;
}

static bool overlap(const struct pml_lower *lower, const struct pml_proctype *a, const struct pml_proctype *b)
{
    const struct pml_role *left = &lower->cast.roles[a->id], *right = &lower->cast.roles[b->id];
    return left->first <= right->last && right->first <= left->last;
}

static bool find_port(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel,
                      const struct pml_pool *pool, struct pml_port *port)
{
    struct pml_ports ports = pml_ports(lower, self, channel);
    for (uint32_t i = 0; i < ports.count; i++)
        if (ports.items[i].pool == pool) {
            *port = ports.items[i];
            return true;
        }
    return false;
}

/* Finds the ports of both sides that are of one pool. */
static bool pair_ports(struct pml_lower *lower, struct pml_meeting *meeting, uint32_t pool)
{
    meeting->pool = &lower->channels.pools.items[pool];
    bool is_own = !meeting->pool->count && meeting->send->channel->place->variable->owner;
    return !is_own && /* nobody meets himself on a channel that only he knows */
           find_port(lower, meeting->sender, meeting->send->channel, meeting->pool, &meeting->from) &&
           find_port(lower, meeting->receiver, meeting->receive->channel, meeting->pool, &meeting->to);
}

static struct expr *index_of(struct pml_lower *lower, const struct pml_port *port)
{
    const struct pml_place *place = port->channel->place;
    return place->index ? pml_lower_value(lower, port->self, place->index) : pml_constant(lower, 0, place->span);
}

struct expr *pml_same_channel(struct pml_lower *lower, const struct pml_port *from, const struct pml_port *to)
{
    if (!from->pool->count)
        return from->channel->place->variable->length
                   ? pml_compare(lower, OP_EQ, index_of(lower, from), index_of(lower, to))
                   : NULL;
    if (from->declaration && from->declaration == to->declaration && from->declaration->processes == 1 &&
        from->declaration->length == 1)
        return NULL;
    return pml_both(lower, pml_port_is_right(lower, from),
                    pml_compare(lower, OP_EQ, pml_port_number(lower, from), pml_port_number(lower, to)));
}

static struct expr *sent_value(struct pml_lower *lower, const struct pml_meeting *meeting, uint32_t field)
{
    struct span span = meeting->send->span;
    if (field >= meeting->sent_count || !meeting->sent[field].value)
        return pml_constant(lower, 0, span);
    const struct pml_expr *value = meeting->sent[field].value;
    return pml_fit(lower, pml_lower_value(lower, meeting->sender, value), pml_values_of(&lower->values, value),
                   meeting->pool->fields[field]);
}

/* Control stands there, the receiver may move, it is another process, the same channel, and the message matches. */
static struct expr *can_meet(struct pml_lower *lower, const struct pml_meeting *meeting, uint32_t node)
{
    struct span span = meeting->receive->span;
    const struct pml_proctype *receiver = meeting->receiver.proctype;
    struct expr *can = pml_is_at(lower, meeting->receiver, node, span);
    if (overlap(lower, meeting->sender.proctype, receiver))
        can = pml_both(
            lower, can,
            pml_compare(lower, OP_NE, pml_pid(lower, meeting->sender, span), pml_pid(lower, meeting->receiver, span)));
    if (receiver->provided)
        can = pml_both(lower, can, pml_lower_condition(lower, meeting->receiver, receiver->provided));
    can = pml_both(lower, can, pml_same_channel(lower, &meeting->from, &meeting->to));
    for (uint32_t f = 0; f < meeting->received_count && f < meeting->pool->field_count; f++)
        if (meeting->received[f].value)
            can = pml_both(lower, can,
                           pml_compare(lower, OP_EQ, sent_value(lower, meeting, f),
                                       pml_lower_value(lower, meeting->receiver, meeting->received[f].value)));
    return can;
}

static struct pml_meeting meeting_of(struct pml_lower *lower, struct pml_self sender, const struct pml_stmt *send,
                                     struct pml_self receiver, const struct pml_stmt *receive)
{
    struct pml_meeting meeting = {.sender = sender, .receiver = receiver, .send = send, .receive = receive};
    meeting.sent_count = send->argument_count;
    meeting.sent = pml_flatten(lower->arena, send->arguments, &meeting.sent_count);
    meeting.received_count = receive->argument_count;
    meeting.received = pml_flatten(lower->arena, receive->arguments, &meeting.received_count);
    return meeting;
}

/* A quantified process of the proctype; NULL: there is but one. */
static const struct variable *bind_process(struct pml_lower *lower, const struct pml_proctype *proctype,
                                           struct pml_self *self)
{
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    *self = (struct pml_self){.proctype = proctype, .number = role->first};
    if (role->first == role->last)
        return NULL;
    const struct type *type =
        type_range(lower->system, NULL, (int32_t)role->first, (int32_t)role->last, proctype->span);
    self->pid = system_add_scratch(lower->system, "partner", type, proctype->span);
    return self->pid;
}

/* Calls `visit` for every move that may receive what is sent. */
static void each_receive(struct pml_lower *lower, struct pml_self sender,
                         void (*visit)(struct pml_lower *, void *, const struct pml_proctype *, uint32_t node,
                                       uint32_t move),
                         void *user)
{
    for (size_t p = 0; p < lower->model->proctypes.count; p++) {
        const struct pml_proctype *proctype = lower->model->proctypes.items[p];
        const struct pml_role *role = &lower->cast.roles[p];
        if (role->last < role->first || is_one_process(lower, sender.proctype, proctype))
            continue;
        for (uint32_t n = 0; n < lower->flows[p].nodes.count; n++) {
            const struct pml_node *node = &lower->flows[p].nodes.items[n];
            for (uint32_t m = 0; node->is_reached && m < node->moves.count; m++)
                if (pml_is_meeting(lower, node->moves.items[m].stmt, PML_RECEIVE))
                    visit(lower, user, proctype, n, m);
        }
    }
}

struct pml_asking {
    struct pml_self sender;
    const struct pml_stmt *send;
    struct expr *can;
};

static void ask_partner(struct pml_lower *lower, void *user, const struct pml_proctype *proctype, uint32_t node,
                        uint32_t move)
{
    struct pml_asking *asking = user;
    const struct pml_stmt *receive = lower->flows[proctype->id].nodes.items[node].moves.items[move].stmt;
    for (uint32_t pool = 0; pool < lower->channels.pools.count; pool++) {
        struct pml_self receiver;
        if (lower->channels.pools.items[pool].capacity)
            continue;
        struct pml_meeting meeting =
            meeting_of(lower, asking->sender, asking->send, (struct pml_self){.proctype = proctype}, receive);
        if (!pair_ports(lower, &meeting, pool))
            continue;
        const struct variable *bound = bind_process(lower, proctype, &receiver);
        meeting.receiver = meeting.to.self = receiver;
        struct expr *can = can_meet(lower, &meeting, node);
        if (bound)
            can = expr_quantifier(lower->system, OP_EXISTS, bound, (struct domain){.type = bound->type}, can,
                                  receive->span);
        asking->can = pml_either(lower, asking->can, can);
    }
}

struct expr *pml_has_partner(struct pml_lower *lower, struct pml_self self, const struct pml_stmt *stmt)
{
    struct pml_asking asking = {.sender = self, .send = stmt};
    each_receive(lower, self, ask_partner, &asking);
    return asking.can;
}

static void observe(struct pml_lower *lower, struct pml_steps *steps, const struct pml_meeting *meeting,
                    enum pml_stmt_kind kind)
{
    const struct pml_port *port = kind == PML_SEND ? &meeting->from : &meeting->to;
    struct expr **values = ARENA_ARRAY(lower->arena, struct expr *, meeting->pool->field_count + 1);
    if (!pml_is_observed(lower, port, kind))
        return;
    for (uint32_t f = 0; f < meeting->pool->field_count; f++)
        values[f] = pml_value_on_way(lower, meeting->pool, f, meeting->send->span);
    pml_observe(lower, steps, port, kind, values, meeting->send->span);
}

/* All values are on their way before one arrives. */
static void hand_over(struct pml_lower *lower, struct pml_steps *steps, const struct pml_meeting *meeting)
{
    struct span span = meeting->send->span;
    bool is_observed =
        pml_is_observed(lower, &meeting->from, PML_SEND) || pml_is_observed(lower, &meeting->to, PML_RECEIVE);
    bool is_direct = meeting->received_count <= 1 && !is_observed;
    if (!is_direct)
        pml_renew_sent(lower, meeting->pool, span);
    for (uint32_t f = 0; !is_direct && f < meeting->pool->field_count; f++)
        if (is_observed || (f < meeting->received_count && meeting->received[f].place))
            pml_put(lower, steps, place_variable(lower->system, lower->sent[f], span), sent_value(lower, meeting, f),
                    meeting->pool->first_leaf + f);
    observe(lower, steps, meeting, PML_SEND);
    for (uint32_t f = 0; f < meeting->received_count && f < meeting->pool->field_count; f++) {
        if (f + 1 == meeting->received_count)
            observe(lower, steps, meeting, PML_RECEIVE);
        if (meeting->received[f].place)
            pml_store(lower, steps, meeting->receiver, meeting->received[f].place,
                      is_direct ? sent_value(lower, meeting, f) : pml_value_on_way(lower, meeting->pool, f, span),
                      lower->values.leaves.items[meeting->pool->first_leaf + f].range);
    }
}

struct pml_sending {
    const struct pml_proctype *proctype;
    uint32_t node, move;
};

/* The guard, unless an escape of the receiver takes the same message: only receives can then, nothing else is tried. */
static struct expr *but_for_escapes(struct pml_lower *lower, struct expr *guard, const struct pml_meeting *meeting,
                                    uint32_t number, uint32_t move)
{
    const struct pml_node *node = &lower->flows[meeting->receiver.proctype->id].nodes.items[number];
    for (uint32_t m = 0; m < node->moves.count; m++) {
        const struct pml_move *escape = &node->moves.items[m];
        if (escape->rank <= node->moves.items[move].rank || !pml_is_meeting(lower, escape->stmt, PML_RECEIVE))
            continue;
        for (uint32_t pool = 0; pool < lower->channels.pools.count; pool++) {
            struct pml_meeting other =
                meeting_of(lower, meeting->sender, meeting->send, meeting->receiver, escape->stmt);
            if (lower->channels.pools.items[pool].capacity || !pair_ports(lower, &other, pool))
                continue;
            other.from.self = meeting->sender;
            other.to.self = meeting->receiver;
            guard = pml_both(lower, guard, pml_not(lower, can_meet(lower, &other, number)));
        }
    }
    return guard;
}

static void lower_meeting(struct pml_lower *lower, const struct pml_sending *sending, uint32_t pool,
                          const struct pml_proctype *receiver, uint32_t node, uint32_t move)
{
    const struct pml_move *send =
        &lower->flows[sending->proctype->id].nodes.items[sending->node].moves.items[sending->move];
    const struct pml_move *receive = &lower->flows[receiver->id].nodes.items[node].moves.items[move];
    struct pml_meeting meeting = meeting_of(lower, (struct pml_self){.proctype = sending->proctype}, send->stmt,
                                            (struct pml_self){.proctype = receiver}, receive->stmt);
    struct pml_steps steps = {0};
    struct span span = send->stmt->span;
    if (!pair_ports(lower, &meeting, pool))
        return;
    const char *name = arena_format(lower->system->arena, "%s: %s, %s: %s", sending->proctype->name, send->stmt->text,
                                    receiver->name, receive->stmt->text);
    struct rule *rule = system_add_rule(lower->system, name, span);
    meeting.sender = meeting.from.self = pml_self_of(lower, rule, sending->proctype, "pid");
    meeting.receiver = meeting.to.self = pml_self_of(lower, rule, receiver, "to");
    rule->guard = pml_both(lower, pml_may_move(lower, meeting.sender, sending->node, sending->move),
                           can_meet(lower, &meeting, node));
    rule->guard = but_for_escapes(lower, rule->guard, &meeting, node, move);
    pml_show_meeting(lower, rule, meeting.sender, send->stmt, meeting.receiver, receive->stmt);
    hand_over(lower, &steps, &meeting);
    pml_go(lower, &steps, meeting.sender, send->target, span);
    pml_go(lower, &steps, meeting.receiver, receive->target, span);
    pml_note_move(lower, &steps, meeting.receiver, span);
    pml_hold(lower, &steps, meeting.receiver, pml_can_hold_at(lower, sending->proctype, sending->node), receive->keeps,
             span);
    rule->body = pml_close(lower, &steps);
}

static void visit_meeting(struct pml_lower *lower, void *user, const struct pml_proctype *proctype, uint32_t node,
                          uint32_t move)
{
    for (uint32_t pool = 0; pool < lower->channels.pools.count; pool++)
        if (!lower->channels.pools.items[pool].capacity)
            lower_meeting(lower, user, pool, proctype, node, move);
}

void pml_lower_meetings(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node, uint32_t move)
{
    struct pml_sending sending = {proctype, node, move};
    each_receive(lower, (struct pml_self){.proctype = proctype}, visit_meeting, &sending);
}
