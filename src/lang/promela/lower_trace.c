/* The trace or notrace assertion: an automaton that reads messages, as one more variable.
 *
 * A send on a channel that the assertion names in some send is an event, and a receive likewise. At an event the
 * automaton moves, in the same step; where it cannot, a trace is violated, and a notrace can be met no more. As in pan
 * (require() of pan.c) a field of a send is compared with the last message in the channel, one of a receive with the
 * first: with !! and ?? that may be another message. */
#include "base/report.h"
#include "lang/promela/lower.h"

static const struct pml_self nobody = {.proctype = NULL};

static struct expr *place_of(struct pml_lower *lower, uint32_t node, struct span span)
{
    return expr_const(lower->system, lower->event->type, type_code(lower->event->type, lower->event_ordinals[node]),
                      span);
}

static bool is_declared_name(struct pml_ports ports)
{
    return ports.count == 1 && ports.items[0].is_named;
}

static void check_moves(struct pml_lower *lower, const struct pml_node *node)
{
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_stmt *stmt = node->moves.items[m].stmt;
        if (!stmt || (stmt->kind != PML_SEND && stmt->kind != PML_RECEIVE))
            report_error(lower->diagnostics, stmt ? stmt->span : node->span,
                         "an option of a trace assertion begins with an event: a send or a receive");
        else if (!is_declared_name(pml_ports(lower, nobody, stmt->channel)))
            report_error(lower->diagnostics, stmt->channel->span,
                         "a trace assertion names channels by the names they are declared with");
    }
}

bool pml_declare_trace(struct pml_lower *lower)
{
    struct pml_proctype *trace = lower->model->trace;
    VEC(const char *) labels = {0};
    if (!trace)
        return true;
    if (!pml_flow_build(&lower->trace, trace, lower->arena, lower->diagnostics))
        return false;
    lower->event_ordinals = ARENA_ARRAY(lower->arena, uint32_t, lower->trace.nodes.count);
    for (uint32_t n = 0; n < lower->trace.nodes.count; n++) {
        const struct pml_node *node = &lower->trace.nodes.items[n];
        lower->event_ordinals[n] = (uint32_t)labels.count;
        if (!node->is_reached && n != lower->trace.end)
            continue;
        check_moves(lower, node);
        VEC_PUSH(&labels, pml_place_label(lower, &lower->trace, n));
    }
    const struct type *type = type_enum(lower->system, "event", labels.items, (uint32_t)labels.count, trace->span);
    lower->event = system_add_global(lower->system, trace->name, type, trace->span);
    const char *name = lower->model->is_notrace ? "the notrace assertion is not met" : "the trace assertion is met";
    lower->untraced = system_add_property(lower->system, PROPERTY_ERROR, name, NULL, trace->span);
    VEC_FREE(&labels);
    return !lower->diagnostics->errors;
}

void pml_begin_trace(struct pml_lower *lower, struct pml_steps *steps)
{
    struct span span = lower->model->trace->span;
    pml_assign(lower, steps, place_variable(lower->system, lower->event, span),
               place_of(lower, lower->trace.entry, span));
}

struct expr *pml_trace_may_end(struct pml_lower *lower, struct span span)
{
    struct expr *some = NULL;
    for (uint32_t n = 0; lower->event && n < lower->trace.nodes.count; n++) {
        const struct pml_node *node = &lower->trace.nodes.items[n];
        if (node->is_end && (node->is_reached || n == lower->trace.end))
            some = pml_either(
                lower, some,
                pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->event, span), place_of(lower, n, span)));
    }
    return some;
}

/* What happens: a message of these values goes through the port. */
struct pml_event {
    enum pml_stmt_kind kind;
    const struct pml_port *port;
    struct expr **values;
    struct span span;
};

/* Is this the channel of the event? NULL: always. *never: it cannot be. */
static struct expr *is_channel(struct pml_lower *lower, const struct pml_event *event, const struct pml_stmt *stmt,
                               bool *never)
{
    *never = !stmt || stmt->kind != event->kind;
    if (*never)
        return NULL;
    struct pml_ports ports = pml_ports(lower, nobody, stmt->channel);
    *never = !ports.count || ports.items[0].pool != event->port->pool;
    return *never ? NULL : pml_same_channel(lower, event->port, &ports.items[0]);
}

/* Does the move read the event? NULL: always. */
static struct expr *reads(struct pml_lower *lower, const struct pml_event *event, const struct pml_stmt *stmt,
                          bool *never)
{
    uint32_t count = stmt ? stmt->argument_count : 0;
    struct expr *result = is_channel(lower, event, stmt, never);
    if (*never)
        return NULL;
    const struct pml_argument *arguments = pml_flatten(lower->arena, stmt->arguments, &count);
    for (uint32_t f = 0; f < count && f < event->port->pool->field_count; f++)
        if (arguments[f].value)
            result = pml_both(
                lower, result,
                pml_compare(lower, OP_EQ, event->values[f], pml_lower_value(lower, nobody, arguments[f].value)));
    return result;
}

static bool are_different(const struct pml_expr *left, const struct pml_expr *right)
{
    return left && right && left->kind == PML_NUMBER && right->kind == PML_NUMBER && left->value != right->value;
}

/* Are the channels different ones, or is some field of both a constant, and not the same? */
static bool are_exclusive(struct pml_lower *lower, const struct pml_stmt *one, const struct pml_stmt *other)
{
    const struct pml_place *from = one->channel->place, *to = other->channel->place;
    if (from->variable != to->variable || are_different(from->index, to->index))
        return true;
    uint32_t first = one->argument_count, second = other->argument_count;
    const struct pml_argument *left = pml_flatten(lower->arena, one->arguments, &first);
    const struct pml_argument *right = pml_flatten(lower->arena, other->arguments, &second);
    for (uint32_t f = 0; f < first && f < second; f++)
        if (are_different(left[f].value, right[f].value))
            return true;
    return false;
}

static void fail(struct pml_lower *lower, struct pml_steps *steps, const struct property *property, struct span span)
{
    struct stmt *error = stmt_new(lower->system, STMT_ERROR, span);
    error->property = property;
    VEC_PUSH(steps, error);
}

static void go(struct pml_lower *lower, struct pml_steps *steps, uint32_t node, struct span span)
{
    pml_assign(lower, steps, place_variable(lower->system, lower->event, span), place_of(lower, node, span));
}

/* No move reads the event. */
static void miss(struct pml_lower *lower, struct pml_steps *steps, struct span span)
{
    if (lower->model->is_notrace)
        go(lower, steps, lower->trace.end, span);
    else
        fail(lower, steps, lower->untraced, span);
}

/* if value then body else otherwise; without a value: body */
static void add_choice(struct pml_lower *lower, struct pml_steps *steps, struct expr *value, struct pml_steps *body,
                       struct pml_steps *otherwise, struct span span)
{
    if (!value) {
        for (size_t i = 0; i < body->count; i++)
            VEC_PUSH(steps, body->items[i]);
        VEC_FREE(body);
        VEC_FREE(otherwise);
        return;
    }
    struct stmt *choice = stmt_new(lower->system, STMT_IF, span);
    choice->value = value;
    choice->body = pml_close(lower, body);
    choice->otherwise = pml_close(lower, otherwise);
    VEC_PUSH(steps, choice);
}

/* Two moves that read the same event are an error, too. */
static void refuse_others(struct pml_lower *lower, struct pml_steps *steps, const struct pml_event *event,
                          const struct pml_node *node, uint32_t move)
{
    for (uint32_t m = move + 1; m < node->moves.count; m++) {
        struct pml_steps error = {0}, nothing = {0};
        bool never;
        struct expr *value = reads(lower, event, node->moves.items[m].stmt, &never);
        if (never || are_exclusive(lower, node->moves.items[move].stmt, node->moves.items[m].stmt))
            continue;
        if (!lower->ambiguous)
            lower->ambiguous = system_add_property(
                lower->system, PROPERTY_ERROR, "the trace assertion is deterministic", NULL, lower->model->trace->span);
        fail(lower, &error, lower->ambiguous, event->span);
        add_choice(lower, steps, value, &error, &nothing, event->span);
    }
}

/* The move, if it reads the event, else one of those behind it. */
static void move_from(struct pml_lower *lower, struct pml_steps *steps, const struct pml_event *event,
                      const struct pml_node *node, uint32_t m)
{
    struct pml_steps body = {0}, otherwise = {0};
    bool never = true;
    struct expr *value = NULL;
    for (; m < node->moves.count; m++) {
        value = reads(lower, event, node->moves.items[m].stmt, &never);
        if (!never)
            break;
    }
    if (m == node->moves.count) {
        miss(lower, steps, event->span);
        return;
    }
    const struct pml_move *move = &node->moves.items[m];
    if (lower->model->is_notrace && move->target == lower->trace.end)
        fail(lower, &body, lower->untraced, event->span);
    else
        refuse_others(lower, &body, event, node, m);
    go(lower, &body, move->target, event->span);
    if (value)
        move_from(lower, &otherwise, event, node, m + 1);
    add_choice(lower, steps, value, &body, &otherwise, event->span);
}

/* From the node `n`, if the automaton is there, or from one behind it. */
static void move_on(struct pml_lower *lower, struct pml_steps *steps, const struct pml_event *event, uint32_t n)
{
    struct pml_steps body = {0}, otherwise = {0};
    while (n < lower->trace.end && !lower->trace.nodes.items[n].is_reached)
        n++;
    if (n >= lower->trace.end) {
        miss(lower, steps, event->span);
        return;
    }
    move_from(lower, &body, event, &lower->trace.nodes.items[n], 0);
    move_on(lower, &otherwise, event, n + 1);
    struct expr *here = pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->event, event->span),
                                    place_of(lower, n, event->span));
    add_choice(lower, steps, here, &body, &otherwise, event->span);
}

/* Is the channel one that the assertion names? *always: whatever happens; NULL and not always: never. */
static struct expr *is_named(struct pml_lower *lower, const struct pml_event *event, bool *always)
{
    struct expr *some = NULL;
    for (uint32_t n = 0; n < lower->trace.nodes.count; n++) {
        bool never;
        struct expr *one = is_channel(lower, event, lower->trace.nodes.items[n].stmt, &never);
        if (never)
            continue;
        *always |= !one;
        some = pml_either(lower, some, one);
    }
    return some;
}

bool pml_is_observed(struct pml_lower *lower, const struct pml_port *port, enum pml_stmt_kind kind)
{
    const struct pml_event event = {.kind = kind, .port = port};
    bool always = false;
    return lower->event && (is_named(lower, &event, &always) || always);
}

void pml_observe(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, enum pml_stmt_kind kind,
                 struct expr **values, struct span span)
{
    const struct pml_event event = {.kind = kind, .port = port, .values = values, .span = span};
    struct pml_steps body = {0}, nothing = {0};
    bool always = false;
    struct expr *named = is_named(lower, &event, &always);
    for (uint32_t f = 0; f < port->pool->field_count; f++)
        expr_share(lower->system, values[f]);
    move_on(lower, &body, &event, 0);
    add_choice(lower, steps, always ? NULL : named, &body, &nothing, span);
}
