/* The control flow of all threads: nodes and the moves between them.
 *
 * Procedures are inlined: a frame is a procedure with where it was called from, and a node is a place in a frame,
 * inside or outside an atomic section. A thread is at one node at a time. A thread that runs a procedure begins at the
 * entry of a frame without caller; its first move is into the first step. Recursion ends at a depth, behind which there
 * is a move that fails. */
#ifndef NOETHER_LANG_BOOLEAN_FLOW_H
#define NOETHER_LANG_BOOLEAN_FLOW_H

#include "lang/boolean/program.h"

enum { FLOW_MAX_NODES = 200000 };

struct flow_frame {
    const struct bp_procedure *procedure;
    struct flow_frame *caller; /* NULL: the thread begins here */
    uint32_t called_at;        /* the step of the caller */
    uint32_t level;            /* how many frames of its procedure there are below, it included: 1, 2, ... */
    uint32_t id;
    uint32_t *nodes;             /* by step, in atomic section or not, waiting or not; BP_NOWHERE: none yet */
    uint32_t entry;              /* a node; BP_NOWHERE: none */
    struct flow_frame **callees; /* by step, once called */
};

struct flow_node {
    struct flow_frame *frame;
    uint32_t step;   /* BP_NOWHERE: the entry */
    bool is_atomic;  /* within an atomic section */
    bool is_waiting; /* for a broadcast */
};

enum flow_truth { FLOW_ALWAYS, FLOW_IF_TRUE, FLOW_IF_FALSE };

struct flow_move {
    uint32_t from;
    uint32_t to;                /* BP_NOWHERE: the thread ends */
    uint32_t started;           /* a node at which a thread is started; BP_NOWHERE: none */
    const struct bp_step *step; /* NULL: into the first step */
    struct flow_frame *entered; /* its parameters and local variables begin; NULL: none */
    struct flow_frame *left;    /* those of it and its callers up to `to` end; NULL: none */
    enum flow_truth truth;
    uint32_t target; /* GOTO: which label */
    bool is_too_deep;
};

struct bp_flow {
    const struct bp_program *program;
    struct arena *arena;
    struct diagnostics *diagnostics;
    uint32_t recursion; /* the greatest level */
    VEC(struct flow_frame *) frames;
    VEC(struct flow_node) nodes;
    VEC(struct flow_move) moves;
    VEC(struct flow_frame *) roots; /* by procedure; NULL: no thread runs it */
    uint32_t start;
    bool has_atomic, has_starts;
};

/* False after an error. Free it in any case. */
bool flow_build(struct bp_flow *flow, const struct bp_program *program, uint32_t recursion, struct arena *arena,
                struct diagnostics *diagnostics);
void flow_free(struct bp_flow *flow);

/* Where a waiting thread goes on. */
uint32_t flow_woken(const struct flow_node *node);
/* How many threads there can be at once at most; 0: no bound was found. */
uint32_t flow_count_threads(const struct bp_flow *flow);

#endif
