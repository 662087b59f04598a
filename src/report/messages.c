#include "report/messages.h"

#include <string.h>

#include "base/watch.h"
#include "report/pools.h"
#include "report/value.h"

/* A message on its way: what it is known by until it disappears. */
struct flight {
    size_t message; /* position in the list */
    const int32_t *cells;
};

struct tracking {
    const struct trace *trace;
    const struct lanes *lanes;
    const struct pool *pool;
    struct messages *messages;
    VEC(struct flight) flights;
};

static uint32_t count_equal(const struct pool *pool, const int32_t *cells, const struct pool_content *content,
                            const int32_t *message, size_t among)
{
    uint32_t count = 0;
    for (size_t i = 0; i < among; i++)
        count += !memcmp(cells + content->addresses.items[i], message, pool->message->cells * sizeof *message);
    return count;
}

/* Whose step it is. */
static int32_t actor(const struct tracking *tracking, uint32_t step)
{
    return lanes_of_instance(tracking->lanes, tracking->trace->steps[step].rule, tracking->trace->steps[step].instance);
}

static void label_message(const struct pool *pool, const int32_t *cells, struct message *message)
{
    struct text label = {0}, text = {0};
    uint32_t offset;
    const struct type *kind = pool_kind_type(pool->message, &offset);
    value_print(pool->message, cells, &text);
    if (kind)
        type_print_value(kind, cells[offset], &label);
    message->label = memory_string(kind ? text_chars(&label) : text_chars(&text));
    message->text = memory_string(text_chars(&text));
    text_free(&label);
    text_free(&text);
}

static void note_sent(struct tracking *tracking, uint32_t step, const int32_t *cells)
{
    const struct pool *pool = tracking->pool;
    int32_t sender = pool_find_sender(pool, tracking->lanes, cells);
    int32_t receiver = pool_find_receiver(pool, tracking->lanes, cells);
    struct message message = {.sent = (int32_t)step, .received = MESSAGE_PENDING, .has_receiver = true};
    if (pool->flow == POOL_TO_SHARED) {
        message.from = pool->lane;
        message.to = LANE_SHARED;
    } else if (pool->flow == POOL_FROM_SHARED) {
        message.from = LANE_SHARED;
        message.to = pool->lane;
    } else if (pool->other != LANE_SHARED) {
        /* Some models index a link by sender and receiver, some the other way round. */
        bool is_turned = actor(tracking, step) == pool->other;
        message.from = is_turned ? pool->other : pool->lane;
        message.to = is_turned ? pool->lane : pool->other;
    } else {
        message.from = sender != LANE_SHARED ? sender : actor(tracking, step);
        message.to = receiver != LANE_SHARED ? receiver : pool->lane;
        message.has_receiver = message.to != LANE_SHARED;
    }
    label_message(pool, cells, &message);
    VEC_PUSH(&tracking->flights, ((struct flight){tracking->messages->items.count, cells}));
    VEC_PUSH(&tracking->messages->items, message);
}

/* The one sent first of those that look the same. */
static void note_received(struct tracking *tracking, uint32_t step, const int32_t *cells)
{
    for (size_t i = 0; i < tracking->flights.count; i++) {
        const struct flight *flight = &tracking->flights.items[i];
        if (memcmp(flight->cells, cells, tracking->pool->message->cells * sizeof *cells))
            continue;
        struct message *message = &tracking->messages->items.items[flight->message];
        message->received = (int32_t)step;
        if (!message->has_receiver)
            message->to = actor(tracking, step);
        message->has_receiver = true;
        memmove(&tracking->flights.items[i], &tracking->flights.items[i + 1],
                (--tracking->flights.count - i) * sizeof *flight);
        return;
    }
}

/* What is in one state and not in the other: the k-th copy of a message when the other has fewer than k. */
static void note_surplus(struct tracking *tracking, uint32_t step, const int32_t *some, const int32_t *others,
                         void (*note)(struct tracking *tracking, uint32_t step, const int32_t *cells))
{
    struct pool_content here = {0}, there = {0};
    pool_list(tracking->pool, some, &here);
    pool_list(tracking->pool, others, &there);
    for (size_t i = 0; i < here.addresses.count && !watch_cuts(); i++) {
        const int32_t *message = some + here.addresses.items[i];
        if (count_equal(tracking->pool, some, &here, message, i + 1) >
            count_equal(tracking->pool, others, &there, message, there.addresses.count))
            note(tracking, step, message);
    }
    VEC_FREE(&here.addresses);
    VEC_FREE(&there.addresses);
}

static void track_pool(struct tracking *tracking)
{
    const struct trace *trace = tracking->trace;
    for (uint32_t s = 1; s < trace->count && trace->steps[s].cells && !watch_cuts(); s++) {
        const int32_t *before = trace->steps[s - 1].cells, *after = trace->steps[s].cells;
        const struct pool *pool = tracking->pool;
        if (!memcmp(before + pool->address, after + pool->address, pool->type->cells * sizeof *before))
            continue;
        note_surplus(tracking, s, before, after, note_received);
        note_surplus(tracking, s, after, before, note_sent);
    }
    VEC_FREE(&tracking->flights);
}

void messages_find(const struct trace *trace, const struct lanes *lanes, struct messages *messages)
{
    struct pools pools = {0};
    if (trace->system->face) {
        messages_find_known(trace, messages);
        return;
    }
    pools_find(lanes, &pools);
    for (size_t i = 0; i < pools.items.count && !watch_cuts(); i++) {
        struct tracking tracking = {
            .trace = trace, .lanes = lanes, .pool = &pools.items.items[i], .messages = messages};
        track_pool(&tracking);
    }
    pools_free(&pools);
}

void messages_free(struct messages *messages)
{
    for (size_t i = 0; i < messages->items.count; i++) {
        free(messages->items.items[i].label);
        free(messages->items.items[i].text);
    }
    VEC_FREE(&messages->items);
}
