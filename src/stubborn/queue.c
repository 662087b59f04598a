/* Rules that send to a queue, or receive from one.
 *
 * A send and a receive that are both enabled commute: one appends, where there is room, the other takes the first
 * message, where there is one (Peled, Combining partial order reductions with on-the-fly model-checking, 1996: for that
 * SPIN has xs and xr). Read and write sets do not say that. So the shape of the statements is recognised:
 *
 *   send       q.message[q.length].f := ..., for some fields f; q.length := q.length + 1; the first statements of the
 *              body, behind a guard with the conjunct q.length < capacity
 *   receive    for i: 0 to capacity - 2: q.message[i] := q.message[i + 1]; undefine q.message[capacity - 1];
 *              q.length := q.length - 1; behind a guard with the conjunct q.length > 0
 *
 * Whatever else the rule does to the queue counts as any other read or write (trace.c). */
#include "ir/same.h"
#include "stubborn/inner.h"

/* --- parts of a queue --- */

static const struct place *part_of(const struct place *place, const struct field *field)
{
    return place->kind == PLACE_FIELD && place->field == field ? place->base : NULL;
}

static bool is_length(const struct queue_use *queue, const struct place *place)
{
    const struct place *base = part_of(place, queue->length);
    return base && same_place(base, queue->place);
}

static bool is_read_of_length(const struct queue_use *queue, const struct expr *expr)
{
    return expr->kind == EXPR_READ && is_length(queue, expr->place);
}

/* A message of the queue: its index. */
static const struct expr *message_index(const struct queue_use *queue, const struct place *place)
{
    const struct place *base = place->kind == PLACE_ELEMENT ? part_of(place->base, queue->message) : NULL;
    return base && same_place(base, queue->place) ? place->index : NULL;
}

static bool is_number(const struct expr *expr, int64_t value)
{
    return expr->kind == EXPR_CONST && expr->value == value;
}

static uint32_t capacity_of(const struct queue_use *queue)
{
    return queue->message->type->index->size;
}

/* --- statements --- */

static bool adds_to_length(const struct queue_use *queue, const struct stmt *stmt, int64_t more)
{
    const struct expr *value = stmt->value;
    return stmt->kind == STMT_ASSIGN && is_length(queue, stmt->place) && value->kind == EXPR_BINARY &&
           value->op == OP_ADD && is_read_of_length(queue, value->left) && is_number(value->right, more);
}

static bool stores_last(const struct queue_use *queue, const struct stmt *stmt)
{
    if (stmt->kind != STMT_ASSIGN || stmt->place->kind != PLACE_FIELD)
        return false;
    const struct expr *index = message_index(queue, stmt->place->base);
    return index && is_read_of_length(queue, index);
}

static bool moves_up(const struct queue_use *queue, const struct stmt *stmt)
{
    const struct domain *domain = &stmt->domain;
    if (stmt->kind != STMT_FOR || !domain->from || domain->by || stmt->body.count != 1 || !is_number(domain->from, 0) ||
        !is_number(domain->to, (int64_t)capacity_of(queue) - 2) || stmt->body.items[0]->kind != STMT_COPY)
        return false;
    const struct stmt *copy = stmt->body.items[0];
    const struct expr *to = message_index(queue, copy->place), *from = message_index(queue, copy->source);
    return to && from && to->kind == EXPR_READ && to->place->kind == PLACE_VARIABLE &&
           to->place->variable == stmt->variable && from->kind == EXPR_BINARY && from->op == OP_ADD &&
           same_expr(from->left, to) && is_number(from->right, 1);
}

static bool clears_last(const struct queue_use *queue, const struct stmt *stmt)
{
    const struct expr *index = stmt->kind == STMT_UNDEFINE ? message_index(queue, stmt->place) : NULL;
    return index && is_number(index, (int64_t)capacity_of(queue) - 1);
}

/* --- guards --- */

static bool is_compared(const struct queue_use *queue, const struct expr *expr, enum operator op, int64_t value)
{
    return expr->kind == EXPR_BINARY && expr->op == op && is_read_of_length(queue, expr->left) &&
           is_number(expr->right, value);
}

bool queue_is_condition(const struct queue_use *queue, const struct expr *conjunct)
{
    if (queue->kind == QUEUE_SEND)
        return is_compared(queue, conjunct, OP_LT, capacity_of(queue));
    return queue->kind == QUEUE_RECEIVE && is_compared(queue, conjunct, OP_GT, 0);
}

static bool has_condition(const struct queue_use *queue, const struct expr *guard)
{
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND)
        return has_condition(queue, guard->left) || has_condition(queue, guard->right);
    return queue_is_condition(queue, guard);
}

bool queue_is_head(const struct queue_use *queue, const struct place *place)
{
    if (queue->kind != QUEUE_RECEIVE || place->kind != PLACE_FIELD)
        return false;
    const struct expr *index = message_index(queue, place->base);
    return index && is_number(index, 0);
}

bool queue_is_match(const struct queue_use *queue, const struct expr *conjunct)
{
    return conjunct->kind == EXPR_BINARY && conjunct->op == OP_EQ && conjunct->left->kind == EXPR_READ &&
           !conjunct->left->raw && queue_is_head(queue, conjunct->left->place);
}

/* --- the whole --- */

/* A record of a number and an array of records, with a place for each value of the number but the last. */
static bool set_fields(struct queue_use *queue, const struct place *place)
{
    const struct type *type = place->type;
    if (type->kind != TYPE_RECORD || type->field_count != 2)
        return false;
    queue->place = place;
    queue->length = &type->fields[0];
    queue->message = &type->fields[1];
    const struct type *length = queue->length->type, *message = queue->message->type;
    return length->kind == TYPE_RANGE && message->kind == TYPE_ARRAY && message->element->kind == TYPE_RECORD &&
           message->index->kind == TYPE_RANGE && type_code(message->index, 0) == 0 && length->blocks->lo == 0 &&
           (uint32_t)length->blocks->hi == message->index->size && !type_has_multiset(type);
}

/* The statement changes the length of a queue. */
static bool is_change(const struct stmt *stmt, struct queue_use *queue)
{
    return stmt->kind == STMT_ASSIGN && stmt->place->kind == PLACE_FIELD && set_fields(queue, stmt->place->base) &&
           stmt->place->field == queue->length;
}

static bool find_send(const struct block *body, uint32_t at, struct queue_use *queue)
{
    if (!adds_to_length(queue, body->items[at], 1))
        return false;
    for (uint32_t i = 0; i < at; i++)
        if (!stores_last(queue, body->items[i]))
            return false;
    queue->kind = QUEUE_SEND;
    queue->first = 0;
    return true;
}

static bool find_receive(const struct block *body, uint32_t at, struct queue_use *queue)
{
    if (!adds_to_length(queue, body->items[at], -1) || at < 1 || !clears_last(queue, body->items[at - 1]))
        return false;
    queue->kind = QUEUE_RECEIVE;
    queue->first = at - 1;
    if (capacity_of(queue) == 1)
        return true;
    queue->first = at - 2;
    return at >= 2 && moves_up(queue, body->items[at - 2]);
}

struct queue_use queue_find(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->body.count && rule->guard && !rule->prelude.count; i++) {
        struct queue_use queue = {0};
        if (!is_change(rule->body.items[i], &queue))
            continue;
        queue.end = i + 1;
        bool is_found = find_send(&rule->body, i, &queue) || find_receive(&rule->body, i, &queue);
        return is_found && has_condition(&queue, rule->guard) ? queue : (struct queue_use){0};
    }
    return (struct queue_use){0};
}
