/* The kernel's own view of a manager. Private to dd/.
 *
 * Nodes stand in one array that never moves (address space is reserved, memory comes when it is touched), so a node's
 * number is its handle for life. The unique table is an open-addressing array of 32-bit slots: the lower bits are a
 * node's number, the bits above it, which the store's size leaves free, a piece of its hash. A bitmap says which nodes
 * were alive at the last collection; workers take the others from it, region by region.
 *
 * An operation is a recursive step function. It keeps no record of its intermediate results: nothing is collected while
 * it runs. When there is no room it returns DD_NONE all the way up; dd_run then makes room and starts it again, which
 * is cheap, because the operation caches remember what it had done. */
#ifndef NOETHER_DD_INNER_H
#define NOETHER_DD_INNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "base/vec.h"
#include "base/watch.h"
#include "dd/dd.h"

#define DD_BOTTOM UINT32_MAX /* the level of constants and leaves */
#define DD_LIKELY(c) __builtin_expect(!!(c), 1)
#define DD_UNLIKELY(c) __builtin_expect(!!(c), 0)

enum {
    DD_SMALL_REGIONS = 4, /* an operation that needs more of them is worth waking the other workers */
    DD_REGION_WORDS = 8,  /* words of the bitmap whose free nodes a worker takes at a time */
    DD_LEAST_NODES = 1 << 10,
    DD_MAX_NODES_LOG = 31
};

struct dd_node {
    uint32_t index; /* its variable + 1; 0: a constant or a leaf */
    uint32_t refs;  /* references from outside */
    dd low, high;   /* of a leaf: the two halves of its value */
};

/* What the caches know results of. */
enum dd_op {
    DD_OP_NONE,
    DD_OP_AND,
    DD_OP_XOR,
    DD_OP_ITE,
    DD_OP_SUBSET,
    DD_OP_EXISTS,
    DD_OP_AND_EXISTS,
    DD_OP_NEXT,
    DD_OP_PREVIOUS,
    DD_OP_SATURATE, /* states, number of the partition, relation */
    DD_OP_COMPOSE,  /* f, number of the substitution */
    DD_OP_PERMUTE,  /* f, number of the permutation */
    DD_OP_RESTRICT,
    DD_OP_SELECT,
    DD_OP_EQUAL,
    DD_OP_TRUNCATE, /* f, digits */
    DD_OP_MATRIX_VECTOR,
    DD_OP_APPLY,                               /* and one for each dd_operation */
    DD_OP_ABSTRACT = DD_OP_APPLY + DD_MAX + 1, /* likewise */
    DD_OP_COUNT = DD_OP_ABSTRACT + DD_MAX + 1
};

/* `state`: result in the lower half, then the operation (8 bits), a version (23 bits) and a lock bit. */
struct dd_pair_entry {
    _Atomic uint64_t key, state;
};
struct dd_triple_entry {
    _Atomic uint64_t key, key_more, state;
    uint64_t unused;
};

struct dd_task;

struct dd_worker {
    struct dd_manager *m;
    uint64_t free; /* free nodes of the word of the bitmap being used, ... */
    uint32_t base; /* ... which begins at this node */
    uint32_t word, word_end;
    bool alone; /* no other worker runs: no need for acquire and release, and the store may grow at once */
    uint32_t number;
    /* The tasks offered to others, oldest first; the lock covers all of it. */
    pthread_mutex_t lock;
    struct dd_task *tasks[64];
    uint32_t task_first, task_end;
};

struct dd_root {
    const dd *first;
    size_t count;
};

struct dd_permutation {
    uint32_t number, variables;
    uint32_t last;    /* the last variable that it moves */
    uint32_t *images; /* by index */
};

struct dd_pool;
struct dd_deep;

struct dd_manager {
    struct dd_node *nodes;
    _Atomic uint32_t *slots;
    uint32_t slot_bits;  /* the unique table has 2^slot_bits slots */
    uint32_t index_mask; /* the lower bits of a slot that hold a node's number */
    struct dd_pair_entry *pairs;
    struct dd_triple_entry *triples;
    uint32_t pair_bits, triple_bits;
    _Atomic uint32_t hungry; /* workers with nothing to do */

    uint64_t *live; /* the bitmap */
    uint64_t capacity;
    uint64_t reserved;         /* nodes there is address space for */
    _Atomic uint64_t cursor;   /* the next word of the bitmap nobody has taken */
    _Atomic int64_t free_left; /* nodes not yet taken by a worker */
    uint64_t live_count, peak;
    uint64_t marked_end; /* no node was ever taken from here on */

    uint32_t variables;

    uint64_t memory_limit, bytes;
    uint64_t tolerance;                       /* in units of the last place of a double */
    bool rounds_down;                         /* sums, products and quotients of leaves */
    dd zero, one;                             /* leaves */
    const dd *images;                         /* of the substitution that runs, by index */
    const struct dd_permutation *permutation; /* that runs */
    uint32_t last_level;                      /* of the variables it moves */
    const struct watch *watch;                /* of whoever asked for the running operation */
    bool (*stop)(void *);
    void *stop_data;
    _Atomic uint32_t failure;  /* enum dd_failure of the running operation */
    _Atomic bool wants_growth; /* a worker that was not alone found the store full */
    uint32_t paused;
    uint32_t next_number; /* for substitutions, bounds, partitions */
    VEC(struct dd_root) roots;
    VEC(struct dd_permutation *) permutations;
    struct dd_statistics statistics;
    pthread_mutex_t leaf_lock;

    struct dd_worker *workers;
    uint32_t worker_count;
    struct dd_pool *pool;  /* NULL with one thread */
    struct dd_deep *deep;  /* NULL until it is needed */
    bool is_deep;          /* its thread runs now */
    uint32_t pool_regions; /* that the running operation took alone */
};

typedef dd dd_step(struct dd_worker *w, dd a, dd b, dd c);

/* -- manager.c -- */
/* Runs a step with up to three operands, of which the first `handles` are diagrams. */
dd dd_run(struct dd_manager *m, dd_step *step, uint32_t handles, dd a, dd b, dd c);
uint32_t dd_new_number(struct dd_manager *m);

/* -- memory.c: blocks on huge pages, zeroed, NULL when refused -- */
void *dd_block_reserve(size_t size);
void dd_block_release(void *block, size_t size);

/* -- store.c -- */
bool dd_store_create(struct dd_manager *m, uint64_t nodes);
void dd_store_destroy(struct dd_manager *m);
/* Twice the room; false when the memory limit does not allow it. Nothing moves. */
bool dd_store_grow(struct dd_manager *m);
/* After a store is full: true when the caller may try again at once. */
bool dd_store_make_room(struct dd_worker *w);
bool dd_worker_refill(struct dd_worker *w);
void dd_store_rewind(struct dd_manager *m); /* workers start again at the first free node */
uint64_t dd_store_used(const struct dd_manager *m);

/* -- table.c -- */
dd dd_make(struct dd_worker *w, uint32_t index, dd low, dd high);
dd dd_make_leaf(struct dd_worker *w, double value);
void dd_table_rebuild(struct dd_manager *m); /* from the bitmap */
void dd_table_move(struct dd_manager *m, const _Atomic uint32_t *old, uint64_t old_slots, uint32_t old_mask);

/* -- cache.c -- */
bool dd_cache_resize(struct dd_manager *m, uint32_t pair_bits, uint32_t triple_bits);
void dd_cache_sweep(struct dd_manager *m); /* drops what mentions a node the bitmap does not have */
void dd_cache_clear(struct dd_manager *m);
void dd_cache_bits(uint64_t capacity, uint32_t *pair_bits, uint32_t *triple_bits);
void dd_cache_release(struct dd_manager *m);

/* -- collect.c -- */
void dd_collect_with(struct dd_manager *m, const dd *operands, size_t count);

/* -- parallel.c -- */
struct dd_pool *dd_pool_create(struct dd_manager *m);
void dd_pool_destroy(struct dd_pool *pool);
void dd_pool_open(struct dd_manager *m); /* the running operation is large: wake the others */
dd dd_pool_run(struct dd_manager *m, dd_step *step, dd a, dd b, dd c);
bool dd_fork(struct dd_worker *w, dd_step *step, const dd first[3], const dd second[3], dd results[2]);

/* -- deep.c: calls on a stack deep enough for all levels -- */
void dd_deep_call(struct dd_manager *m, void (*work)(void *), void *data);
void dd_deep_destroy(struct dd_deep *deep);

/* -- Steps that others build on -- */
dd dd_step_and(struct dd_worker *w, dd f, dd g, dd unused);
dd dd_step_ite(struct dd_worker *w, dd f, dd g, dd h);
dd dd_step_exists(struct dd_worker *w, dd f, dd cube, dd unused);
dd dd_step_apply(struct dd_worker *w, dd f, dd g, dd operation);
dd dd_step_select(struct dd_worker *w, dd condition, dd f, dd g);
dd dd_step_make(struct dd_worker *w, dd low, dd high, dd index);
/* The watch is over: the running operation fails. */
dd dd_stop(struct dd_manager *m);
/* Aborts unless the cube holds current variables. */
void dd_ensure_pairs(const struct dd_manager *m, dd cube);

static inline dd dd_step_or(struct dd_worker *w, dd f, dd g)
{
    return dd_not(dd_step_and(w, f ^ 1u, g ^ 1u, 0));
}

static inline struct dd_node *dd_at(const struct dd_manager *m, dd f)
{
    return &m->nodes[f >> 1];
}

static inline uint32_t dd_level_at(const struct dd_manager *m, dd f)
{
    return dd_at(m, f)->index - 1; /* DD_BOTTOM where there is no variable */
}

static inline uint32_t dd_lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The operands of a commutative operation in the order in which the cache knows them. */
static inline void dd_sort(dd *f, dd *g)
{
    dd least = *f < *g ? *f : *g;
    *g ^= *f ^ least;
    *f = least;
}

/* Does the diagram end in leaves? Where it is a constant: is it one? */
static inline bool dd_is_real(const struct dd_manager *m, dd f)
{
    while (dd_at(m, f)->index)
        f = dd_at(m, f)->low;
    return f > DD_TRUE;
}

/* In debug builds: an operand is a BDD, or an MTBDD, as the operation needs it. */
static inline void dd_expect(const struct dd_manager *m, dd f, bool real)
{
#ifdef NDEBUG
    (void)m, (void)f, (void)real;
#else
    ENSURE(f == DD_NONE || dd_is_real(m, f) == real);
#endif
}

/* The part of a cube at or below a level. */
static inline dd dd_cube_from(const struct dd_manager *m, dd cube, uint32_t level)
{
    while (dd_level_at(m, cube) < level)
        cube = dd_at(m, cube)->high;
    return cube;
}

/* The two cofactors by the variable on a level at or above f's. */
static inline void dd_split(const struct dd_manager *m, dd f, uint32_t level, dd *low, dd *high)
{
    const struct dd_node *node = dd_at(m, f);
    if (node->index != level + 1) {
        *low = *high = f;
        return;
    }
    *low = node->low ^ (f & 1u);
    *high = node->high ^ (f & 1u);
}

/* The cofactors of a relation or matrix by a pair of variables: first the current one's value, then the next one's. */
struct dd_quarters {
    dd by[2][2];
};

static inline struct dd_quarters dd_split_pair(const struct dd_manager *m, dd f, uint32_t level)
{
    struct dd_quarters quarters;
    dd low, high;
    dd_split(m, f, level, &low, &high);
    dd_split(m, low, level + 1, &quarters.by[0][0], &quarters.by[0][1]);
    dd_split(m, high, level + 1, &quarters.by[1][0], &quarters.by[1][1]);
    return quarters;
}

/* Two recursive calls of a step, by two workers when one is idle. False: one of them failed. */
static inline bool dd_both(struct dd_worker *w, dd_step *step, dd a0, dd b0, dd c0, dd a1, dd b1, dd c1, dd *r0, dd *r1)
{
    if (DD_UNLIKELY(atomic_load_explicit(&w->m->hungry, memory_order_relaxed))) {
        dd results[2];
        if (!dd_fork(w, step, (const dd[3]){a0, b0, c0}, (const dd[3]){a1, b1, c1}, results))
            return false;
        *r0 = results[0];
        *r1 = results[1];
        return true;
    }
    *r0 = step(w, a0, b0, c0);
    if (DD_UNLIKELY(*r0 == DD_NONE))
        return false;
    *r1 = step(w, a1, b1, c1);
    return *r1 != DD_NONE;
}

/* A step on both cofactors, and the node with this index above the results. DD_NONE: one of them failed. */
static inline dd dd_branch(struct dd_worker *w, dd_step *step, uint32_t index, dd a0, dd b0, dd c0, dd a1, dd b1, dd c1)
{
    dd low, high;
    return dd_both(w, step, a0, b0, c0, a1, b1, c1, &low, &high) ? dd_make(w, index, low, high) : DD_NONE;
}

#endif
