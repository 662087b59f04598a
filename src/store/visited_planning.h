/* A plan in the making: fields of the states joined to clusters, two by two (visited_plan_states.c). */
#ifndef NOETHER_STORE_VISITED_PLANNING_H
#define NOETHER_STORE_VISITED_PLANNING_H

#include "store/visited_inner.h"

enum {
    PLAN_FIELDS = 128, /* of more fields than that only neighbours are joined */
    PLAN_LEAF_BITS = 64,
    PLAN_LAST = 9,              /* clusters for which the best tree is found */
    PLAN_LAST_STATES = 1 << 13, /* states that are looked at then */
    PLAN_DIRECT = 1 << 16       /* pairs that are counted without hashing */
};

/* Fields that make a part of the states. */
struct cluster {
    bool is_leaf;
    uint32_t next;       /* the one after it, in the order of the first field; NO_CLUSTER: it is the last */
    uint32_t joint_next; /* how many different parts it would make with that one; 0: not counted yet */
    uint32_t *values;    /* of each state: equal ones have equal numbers */
    uint32_t count;      /* how many there are */
    uint32_t bits;
    uint32_t left, right; /* the clusters joined; NO_CLUSTER: a field */
    uint32_t field;
};

#define NO_CLUSTER UINT32_MAX

struct visited_entry {
    uint64_t key;
    uint32_t stamp, value;
};

/* All its memory is one block, which goes back to the system as a whole. */
struct planning {
    struct visited *visited;
    uint8_t *block;
    size_t size, used;
    const struct visited_sample *sample;
    const struct visited_field *fields;
    uint32_t field_count;
    uint32_t states; /* of the sample, those looked at */
    struct cluster *clusters;
    uint32_t cluster_count, first; /* and the first in the order */
    bool makes_leaves; /* for now, only what becomes a leaf is joined: few leaves are looked at faster than many */
    bool is_wide;      /* there are too many fields: only neighbours are joined */
    uint32_t *joint;   /* else, by two clusters: how many different parts they would make; 0: not counted yet */
    struct visited_entry *table; /* numbers for keys, of the current stamp */
    uint64_t mask;
    uint32_t *seen; /* by pair of small numbers: the stamp */
    uint32_t stamp;
};

/* Zeroed memory of the block. */
void *planning_take(struct planning *planning, size_t count, size_t size);

/* visited_plan_cluster.c */
void planning_add_field(struct planning *planning, uint32_t number);
/* The two that are best joined. false: there are no two that can be. */
bool planning_choose(struct planning *planning, uint32_t *a, uint32_t *b);
void planning_join(struct planning *planning, uint32_t a, uint32_t b);

/* visited_plan_finish.c: joins all clusters but the two at the top. */
void planning_finish(struct planning *planning, uint32_t *left, uint32_t *right);
size_t planning_finish_bytes(const struct planning *planning);

/* visited_plan.c */
void plan_add_piece(struct visited_plan *plan, struct fold *leaf, const struct visited_field *field, uint32_t offset);
/* Returns the number of the new fold. */
uint32_t plan_add_pair(struct visited_plan *plan, uint32_t left, uint32_t right);

/* visited_plan_states.c. false: no memory. */
bool plan_by_states(struct visited *visited, const struct visited_sample *sample);

#endif
