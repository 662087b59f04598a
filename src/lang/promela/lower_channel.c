#include "lang/promela/lower.h"

#include "lang/promela/walk.h"

/* A stored channel is a record: `length`, and `message`, an array of messages, which are records of fields. Cells
 * behind the last message are undefined, so that equal contents are equal states. */
enum { FIELD_LENGTH, FIELD_MESSAGE };

static const struct pml_leaf *leaf_of(struct pml_lower *lower, const struct pml_expr *channel)
{
    return &lower->values.leaves.items[pml_place_end(channel->place)->leaf];
}

static uint32_t count_declarations(const struct pml_lower *lower, const struct pml_leaf *leaf, uint32_t pool,
                                   uint32_t *one)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lower->channels.declarations.count; i++)
        if (leaf->channels[i] && lower->channels.declarations.items[i].pool == pool) {
            *one = i;
            count++;
        }
    return count;
}

static bool is_single(const struct pml_declaration *declaration)
{
    return declaration->processes == 1 && declaration->length == 1;
}

/* The only declaration the channel can be of, if its number then is always the same; else NULL. */
static const struct pml_declaration *only_declaration(const struct pml_lower *lower, const struct pml_leaf *leaf,
                                                      const struct pml_pool *pool)
{
    uint32_t one = 0;
    if (leaf->can_be_none || count_declarations(lower, leaf, (uint32_t)(pool - lower->channels.pools.items), &one) != 1)
        return NULL;
    return is_single(&lower->channels.declarations.items[one]) ? &lower->channels.declarations.items[one] : NULL;
}

struct pml_ports pml_ports(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel)
{
    struct pml_ports ports = {0};
    if (channel->kind != PML_READ || leaf_of(lower, channel)->type.base != PML_CHAN) {
        diag_error(lower->diagnostics, channel->span, "this is no channel");
        return ports;
    }
    const struct pml_variable *end = pml_place_end(channel->place);
    const struct pml_leaf *leaf = leaf_of(lower, channel);
    bool is_named = end->channel && !leaf->is_written;
    ports.items = ARENA_ARRAY(lower->arena, struct pml_port, lower->channels.pools.count);
    for (uint32_t p = 0; p < lower->channels.pools.count; p++) {
        uint32_t one = 0;
        struct pml_port port = {
            .pool = &lower->channels.pools.items[p], .self = self, .channel = channel, .is_named = is_named};
        if (!count_declarations(lower, leaf, p, &one))
            continue;
        if (is_named)
            port.declaration = &lower->channels.declarations.items[one];
        ports.items[ports.count++] = port;
    }
    bool is_checked = !is_named && (ports.count > 1 || lower->values.mixes);
    for (uint32_t i = 0; i < ports.count; i++)
        ports.items[i].is_checked = is_checked;
    if (!is_named && !is_checked && ports.count)
        ports.items[0].declaration = only_declaration(lower, leaf, ports.items[0].pool);
    return ports;
}

/* index + first + (pid - first pid) * length, as far as there is something to add */
static struct expr *named_number(struct pml_lower *lower, const struct pml_port *port)
{
    struct system *system = lower->system;
    const struct pml_declaration *declaration = port->declaration;
    struct span span = port->channel->span;
    const struct pml_place *place = port->channel->place;
    const struct pml_proctype *owner = place->variable->owner;
    int64_t base = declaration->first;
    struct expr *number = NULL;
    if (owner && declaration->processes > 1) {
        number = pml_pid(lower, port->self, span);
        if (declaration->length > 1)
            number = expr_binary(system, OP_MUL, number, pml_constant(lower, declaration->length, span), span);
        base -= (int64_t)lower->cast.roles[owner->id].first * declaration->length;
    }
    if (place->variable->length && place->index) {
        struct expr *index = pml_lower_value(lower, port->self, place->index);
        number = number ? expr_binary(system, OP_ADD, number, index, span) : index;
    }
    if (!number)
        return pml_constant(lower, base, span);
    return base ? expr_binary(system, OP_ADD, number, pml_constant(lower, base, span), span) : number;
}

struct expr *pml_port_number(struct pml_lower *lower, const struct pml_port *port)
{
    if (port->is_named)
        return named_number(lower, port);
    if (port->declaration)
        return pml_constant(lower, port->declaration->first, port->channel->span);
    return expr_read(lower->system, pml_lower_place(lower, port->self, port->channel->place), false,
                     port->channel->span);
}

static struct expr *is_between(struct pml_lower *lower, const struct pml_port *port, int64_t first, int64_t last)
{
    struct span span = port->channel->span;
    const struct type *type = type_range(lower->system, NULL, (int32_t)first, (int32_t)last, span);
    return expr_is_member(lower->system, pml_port_number(lower, port), type, span);
}

/* Its channels need not have consecutive numbers. */
static struct expr *is_of_pool(struct pml_lower *lower, const struct pml_port *port)
{
    struct expr *any = NULL;
    for (size_t i = 0; i < lower->channels.declarations.count; i++) {
        const struct pml_declaration *declaration = &lower->channels.declarations.items[i];
        int64_t first = declaration->first, last = first + (int64_t)declaration->processes * declaration->length - 1;
        if (&lower->channels.pools.items[declaration->pool] != port->pool)
            continue;
        any = pml_either(lower, any, is_between(lower, port, first, last));
    }
    return any;
}

struct expr *pml_port_is_right(struct pml_lower *lower, const struct pml_port *port)
{
    if (!port->is_checked)
        return NULL;
    if (lower->channels.is_in_order)
        return is_of_pool(lower, port);
    int64_t first = port->pool->first, last = first + port->pool->count - 1;
    return is_between(lower, port, first, last);
}

static struct place *port_place(struct pml_lower *lower, const struct pml_port *port, struct span span)
{
    struct system *system = lower->system;
    struct place *place = place_variable(system, port->pool->home, span);
    if (port->pool->count)
        return place_element(system, place, pml_port_number(lower, port), span);
    const struct pml_place *name = port->channel->place;
    if (name->variable->owner)
        place = pml_own(lower, place, name->variable->owner, port->self, span);
    if (name->variable->length) {
        struct expr *index =
            name->index ? pml_lower_value(lower, port->self, name->index) : pml_constant(lower, 0, span);
        place = place_element(system, place, index, span);
    }
    return place;
}

static struct place *part_of(struct pml_lower *lower, struct place *channel, int field, struct span span)
{
    return place_field(lower->system, channel, &channel->type->fields[field], span);
}

static struct place *message_at(struct pml_lower *lower, struct place *channel, struct expr *position, struct span span)
{
    return place_element(lower->system, part_of(lower, channel, FIELD_MESSAGE, span), position, span);
}

struct expr *pml_port_length(struct pml_lower *lower, const struct pml_port *port, struct span span)
{
    if (!port->pool->capacity)
        return pml_constant(lower, 0, span);
    struct place *length = part_of(lower, port_place(lower, port, span), FIELD_LENGTH, span);
    return expr_read(lower->system, length, false, span);
}

/* Where the message at that position is stored. */
static struct place *pml_message_field(struct pml_lower *lower, const struct pml_port *port, struct expr *position,
                                       uint32_t field, struct span span)
{
    struct place *message = message_at(lower, port_place(lower, port, span), position, span);
    return place_field(lower->system, message, &message->type->fields[field], span);
}

static struct expr *field_value(struct pml_lower *lower, const struct pml_port *port, struct expr *position,
                                uint32_t field, struct span span)
{
    return pml_get(lower, pml_message_field(lower, port, position, field, span), port->pool->first_leaf + field);
}

struct expr *pml_can_send(struct pml_lower *lower, const struct pml_port *port, struct span span)
{
    return pml_compare(lower, OP_LT, pml_port_length(lower, port, span),
                       pml_constant(lower, port->pool->capacity, span));
}

static struct expr *sent_value(struct pml_lower *lower, const struct pml_port *port,
                               const struct pml_argument *arguments, uint32_t count, uint32_t field, struct span span)
{
    if (field >= count || !arguments[field].value)
        return pml_constant(lower, 0, span);
    struct expr *value = pml_lower_value(lower, port->self, arguments[field].value);
    return pml_fit(lower, value, pml_values_of(&lower->values, arguments[field].value), port->pool->fields[field]);
}

static struct stmt *add_stmt(struct pml_lower *lower, struct pml_steps *steps, enum stmt_kind kind, struct span span)
{
    struct stmt *stmt = stmt_new(lower->system, kind, span);
    VEC_PUSH(steps, stmt);
    return stmt;
}

static void add_to_length(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, int64_t more,
                          struct span span)
{
    struct place *length = part_of(lower, port_place(lower, port, span), FIELD_LENGTH, span);
    struct expr *value =
        expr_binary(lower->system, OP_ADD, pml_port_length(lower, port, span), pml_constant(lower, more, span), span);
    pml_assign(lower, steps, length, value);
}

/* for each := from to `to`, up or down: body */
static void add_loop(struct pml_lower *lower, struct pml_steps *steps, struct expr *from, struct expr *to, int by,
                     struct pml_steps *body, struct span span)
{
    struct stmt *loop = add_stmt(lower, steps, STMT_FOR, span);
    loop->variable = lower->each;
    loop->domain = (struct domain){.from = from, .to = to, .by = by == 1 ? NULL : pml_constant(lower, by, span)};
    loop->body = pml_close(lower, body);
}

static struct expr *each(struct pml_lower *lower, int64_t more, struct span span)
{
    struct expr *value = pml_variable_value(lower, lower->each, span);
    return more ? expr_binary(lower->system, OP_ADD, value, pml_constant(lower, more, span), span) : value;
}

static struct expr *position(struct pml_lower *lower, struct span span)
{
    return pml_variable_value(lower, lower->position, span);
}

static void copy_message(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, struct expr *to,
                         struct expr *from, struct span span)
{
    struct stmt *copy = add_stmt(lower, steps, STMT_COPY, span);
    copy->place = message_at(lower, port_place(lower, port, span), to, span);
    copy->source = message_at(lower, port_place(lower, port, span), from, span);
}

struct expr *pml_value_on_way(struct pml_lower *lower, const struct pml_pool *pool, uint32_t field, struct span span)
{
    return pml_get(lower, place_variable(lower->system, lower->sent[field], span), pool->first_leaf + field);
}

/* Is what is sent smaller than the message at `each`, field by field? */
static struct expr *is_smaller(struct pml_lower *lower, const struct pml_port *port, struct span span)
{
    struct expr *smaller = pml_truth(lower, false, span);
    for (uint32_t f = port->pool->field_count; f-- > 0;) {
        struct expr *less = pml_compare(lower, OP_LT, pml_value_on_way(lower, port->pool, f, span),
                                        field_value(lower, port, each(lower, 0, span), f, span));
        struct expr *same = pml_compare(lower, OP_EQ, pml_value_on_way(lower, port->pool, f, span),
                                        field_value(lower, port, each(lower, 0, span), f, span));
        smaller = pml_either(lower, less, pml_both(lower, same, smaller));
    }
    return smaller;
}

/* !!: before the first message that is larger. */
static void find_sorted(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, struct span span)
{
    struct pml_steps inner = {0}, found = {0}, shift = {0};
    struct expr *last =
        expr_binary(lower->system, OP_SUB, pml_port_length(lower, port, span), pml_constant(lower, 1, span), span);
    struct expr *last_again =
        expr_binary(lower->system, OP_SUB, pml_port_length(lower, port, span), pml_constant(lower, 1, span), span);
    pml_assign(lower, steps, place_variable(lower->system, lower->position, span), pml_port_length(lower, port, span));
    pml_assign(lower, &found, place_variable(lower->system, lower->position, span), each(lower, 0, span));
    struct stmt *test = add_stmt(lower, &inner, STMT_IF, span);
    test->value = is_smaller(lower, port, span);
    test->body = pml_close(lower, &found);
    add_loop(lower, steps, last, pml_constant(lower, 0, span), -1, &inner, span);
    copy_message(lower, &shift, port, each(lower, 1, span), each(lower, 0, span), span);
    add_loop(lower, steps, last_again, position(lower, span), -1, &shift, span);
}

/* A message was sent: it is the last one; or the first one is received. */
static void observe(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
                    enum pml_stmt_kind kind, struct span span)
{
    if (!pml_is_observed(lower, port, kind))
        return;
    struct expr **values = ARENA_ARRAY(lower->arena, struct expr *, port->pool->field_count + 1);
    for (uint32_t f = 0; f < port->pool->field_count; f++) {
        struct expr *where = pml_constant(lower, 0, span);
        if (kind == PML_SEND)
            where = expr_binary(lower->system, OP_SUB, pml_port_length(lower, port, span), pml_constant(lower, 1, span),
                                span);
        values[f] = field_value(lower, port, where, f, span);
    }
    pml_observe(lower, steps, port, kind, values, span);
}

void pml_send(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
              const struct pml_stmt *stmt)
{
    struct span span = stmt->span;
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(lower->arena, stmt->arguments, &count);
    if (stmt->is_sorted)
        pml_renew_sent(lower, port->pool, span);
    for (uint32_t f = 0; stmt->is_sorted && f < port->pool->field_count; f++)
        pml_put(lower, steps, place_variable(lower->system, lower->sent[f], span),
                sent_value(lower, port, arguments, count, f, span), port->pool->first_leaf + f);
    if (stmt->is_sorted)
        find_sorted(lower, steps, port, span);
    for (uint32_t f = 0; f < port->pool->field_count; f++) {
        struct expr *where = stmt->is_sorted ? position(lower, span) : pml_port_length(lower, port, span);
        struct expr *value = stmt->is_sorted ? pml_value_on_way(lower, port->pool, f, span)
                                             : sent_value(lower, port, arguments, count, f, span);
        pml_put(lower, steps, pml_message_field(lower, port, where, f, span), value, port->pool->first_leaf + f);
    }
    add_to_length(lower, steps, port, 1, span);
    observe(lower, steps, port, PML_SEND, span);
}

/* What a field is compared with: of ?? as an int, since pan gives it to a function (Q_has). */
static struct expr *match_value(struct pml_lower *lower, const struct pml_port *port, const struct pml_expr *expr,
                                bool is_random)
{
    struct expr *value = pml_lower_value(lower, port->self, expr);
    return is_random ? pml_fit(lower, value, pml_values_of(&lower->values, expr), (struct pml_type){.base = PML_INT})
                     : value;
}

/* Does the message at that position match? NULL: always. */
static struct expr *matches(struct pml_lower *lower, const struct pml_port *port, const struct pml_argument *arguments,
                            uint32_t count, bool is_random,
                            struct expr *(*where)(struct pml_lower *, int64_t, struct span), struct span span)
{
    struct expr *result = NULL;
    for (uint32_t f = 0; f < count && f < port->pool->field_count; f++)
        if (arguments[f].value)
            result = pml_both(lower, result,
                              pml_compare(lower, OP_EQ, field_value(lower, port, where(lower, 0, span), f, span),
                                          match_value(lower, port, arguments[f].value, is_random)));
    return result;
}

static struct expr *first_position(struct pml_lower *lower, int64_t more, struct span span)
{
    return pml_constant(lower, more, span);
}

struct expr *pml_can_receive(struct pml_lower *lower, const struct pml_port *port, const struct pml_argument *arguments,
                             uint32_t count, bool is_random, struct span span)
{
    if (!port->pool->capacity)
        return pml_truth(lower, false, span);
    arguments = pml_flatten(lower->arena, arguments, &count);
    struct expr *some = pml_compare(lower, OP_GT, pml_port_length(lower, port, span), pml_constant(lower, 0, span));
    if (!is_random || port->pool->capacity == 1)
        return pml_both(lower, some, matches(lower, port, arguments, count, is_random, first_position, span));
    struct expr *match = matches(lower, port, arguments, count, true, each, span);
    if (!match)
        return some;
    struct domain domain = {.from = pml_constant(lower, 0, span),
                            .to = expr_binary(lower->system, OP_SUB, pml_port_length(lower, port, span),
                                              pml_constant(lower, 1, span), span)};
    return expr_quantifier(lower->system, OP_EXISTS, lower->each, domain, match, span);
}

/* ??: the first message that matches. */
static void find_random(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
                        const struct pml_argument *arguments, uint32_t count, struct span span)
{
    struct pml_steps inner = {0}, found = {0};
    struct expr *match = matches(lower, port, arguments, count, true, each, span);
    pml_assign(lower, steps, place_variable(lower->system, lower->position, span), pml_constant(lower, 0, span));
    if (!match)
        return;
    pml_assign(lower, &found, place_variable(lower->system, lower->position, span), each(lower, 0, span));
    struct stmt *test = add_stmt(lower, &inner, STMT_IF, span);
    test->value = match;
    test->body = pml_close(lower, &found);
    struct expr *last =
        expr_binary(lower->system, OP_SUB, pml_port_length(lower, port, span), pml_constant(lower, 1, span), span);
    add_loop(lower, steps, last, pml_constant(lower, 0, span), -1, &inner, span);
}

/* Takes the message at the position out: the others move up. What is behind the last one is undefined, so all may. */
static void remove_message(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
                           bool is_random, struct span span)
{
    uint32_t last = port->pool->capacity - 1;
    if (last) {
        struct pml_steps shift = {0};
        copy_message(lower, &shift, port, each(lower, 0, span), each(lower, 1, span), span);
        add_loop(lower, steps, is_random ? position(lower, span) : pml_constant(lower, 0, span),
                 pml_constant(lower, (int64_t)last - 1, span), 1, &shift, span);
    }
    struct stmt *clear = add_stmt(lower, steps, STMT_UNDEFINE, span);
    clear->place = message_at(lower, port_place(lower, port, span), pml_constant(lower, last, span), span);
    add_to_length(lower, steps, port, -1, span);
}

/* The message, into variables on the way: then it can be removed before something is stored, perhaps into the variable
 * that says which channel it is. */
static void read_message(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port, bool is_random,
                         const struct pml_argument *arguments, uint32_t count, struct span span)
{
    pml_renew_sent(lower, port->pool, span);
    for (uint32_t f = 0; f < count && f < port->pool->field_count; f++) {
        struct expr *where = is_random ? position(lower, span) : pml_constant(lower, 0, span);
        if (arguments[f].place)
            pml_put(lower, steps, place_variable(lower->system, lower->sent[f], span),
                    field_value(lower, port, where, f, span), port->pool->first_leaf + f);
    }
}

struct pml_naming {
    const struct pml_variable *variable;
    bool is_read;
};

static void note_naming(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_naming *naming = user;
    (void)is_operated;
    naming->is_read |= expr->kind == PML_READ &&
                       (expr->place->variable == naming->variable || pml_place_end(expr->place) == naming->variable);
}

/* Is something received into a variable that says which channel this is: the channel itself, or an index? */
static bool receives_name(const struct pml_port *port, const struct pml_argument *arguments, uint32_t count)
{
    bool found = false;
    for (uint32_t f = 0; f < count && !found; f++) {
        if (!arguments[f].place)
            continue;
        struct pml_naming naming = {.variable = pml_place_end(arguments[f].place)};
        const struct pml_walk walk = {.user = &naming, .expr = note_naming};
        pml_walk_expr(&walk, (struct pml_expr *)port->channel, true);
        found = naming.is_read;
    }
    return found;
}

void pml_receive(struct pml_lower *lower, struct pml_steps *steps, const struct pml_port *port,
                 const struct pml_stmt *stmt)
{
    struct span span = stmt->span;
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(lower->arena, stmt->arguments, &count);
    bool is_random = stmt->is_random && port->pool->capacity > 1, is_early = receives_name(port, arguments, count);
    if (is_random)
        find_random(lower, steps, port, arguments, count, span);
    if (is_early)
        read_message(lower, steps, port, is_random, arguments, count, span);
    if (is_early && !stmt->is_peek) {
        observe(lower, steps, port, PML_RECEIVE, span);
        remove_message(lower, steps, port, is_random, span);
    }
    for (uint32_t f = 0; f < count && f < port->pool->field_count; f++) {
        if (f + 1 == count && !is_early && !stmt->is_peek)
            observe(lower, steps, port, PML_RECEIVE, span);
        if (arguments[f].place) {
            struct expr *where = is_random ? position(lower, span) : pml_constant(lower, 0, span);
            struct expr *value =
                is_early ? pml_value_on_way(lower, port->pool, f, span) : field_value(lower, port, where, f, span);
            pml_store(lower, steps, port->self, arguments[f].place, value,
                      lower->values.leaves.items[port->pool->first_leaf + f].range);
        }
    }
    if (!is_early && !stmt->is_peek)
        remove_message(lower, steps, port, is_random, span);
}

void pml_empty_channel(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span)
{
    pml_assign(lower, steps, part_of(lower, place, FIELD_LENGTH, span), pml_constant(lower, 0, span));
}

void pml_clear_channel(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct span span)
{
    struct stmt *clear = add_stmt(lower, steps, STMT_UNDEFINE, span);
    clear->place = part_of(lower, place, FIELD_MESSAGE, span);
    pml_empty_channel(lower, steps, place, span);
}
