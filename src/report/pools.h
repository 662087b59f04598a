/* Inside report/: the places of messages in a state. See messages.h. */
#ifndef NOETHER_REPORT_POOLS_H
#define NOETHER_REPORT_POOLS_H

#include "report/lanes.h"

enum pool_flow {
    POOL_BY_CONTENT, /* fields of the message, or who takes the step, tell sender and receiver */
    POOL_TO_SHARED,  /* a channel from the process to the shared part */
    POOL_FROM_SHARED
};

/* A place that holds messages: a multiset, an array of slots, or one slot. */
struct pool {
    const struct type *type;    /* of the place */
    const struct type *message; /* of a message in it: a record or an enumeration */
    uint32_t address;
    int32_t lane, other; /* whose it is; of an array over two processes, from the first to the other. Or LANE_SHARED */
    enum pool_flow flow;
};

struct pools {
    VEC(struct pool) items;
};

void pools_find(const struct lanes *lanes, struct pools *pools);
void pools_free(struct pools *pools);
/* The messages in a pool in a state, as addresses of their first cells, in the pool's order. */
struct pool_content {
    VEC(uint32_t) addresses;
};
void pool_list(const struct pool *pool, const int32_t *cells, struct pool_content *content);
/* The field that tells what kind of message it is; an enumeration is its own kind: NULL, with *offset 0. */
const struct type *pool_kind_type(const struct type *message, uint32_t *offset);
/* The lane a field names, by the field's name: senders or receivers. LANE_SHARED: none. */
int32_t pool_find_sender(const struct pool *pool, const struct lanes *lanes, const int32_t *message);
int32_t pool_find_receiver(const struct pool *pool, const struct lanes *lanes, const int32_t *message);

#endif
