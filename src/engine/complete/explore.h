/* One run of the engine, and its files.
 *
 *   complete.c    supports, run: sets up, tears down
 *   explore.c      depth first: a state, its transitions one after the other
 *   open.c        the states whose subtrees are not finished
 *   component.c   a strongly connected component is finished: its interpolants
 *   assess.c       the checks of a state
 *   violation.c   the run of a violation
 *   outcome.c     limits, verdicts, figures
 *
 *   follow*.c     a rule or formula in one state
 *   backward.c    an interpolant over a step
 *   memo.c, match.c   the finished interpolants, and which of them covers a state
 *
 * Functions that return bool say whether the search continues. */
#ifndef NOETHER_ENGINE_COMPLETE_EXPLORE_H
#define NOETHER_ENGINE_COMPLETE_EXPLORE_H

#include "engine/complete/follow.h"
#include "engine/complete/memo.h"
#include "engine/engine.h"

/* A transition taken. */
struct complete_edge {
    struct node *from, *to;
    const struct rule *rule;
    uint64_t instance;
    struct write *writes;
    uint32_t write_count;
    uint32_t *map;   /* NULL: it leads to `to`; else to a state that `to` is hoped to cover when renamed so */
    int32_t *target; /* the state it leads to */
    bool is_refuted; /* it does not */
};

/* A state whose subtree is being explored, or waits for its component to be finished. */
struct node {
    uint32_t number, low; /* as in Tarjan's algorithm */
    uint32_t depth;
    int32_t *cells;
    struct point point;
    struct node *parent; /* NULL: a start state */
    const struct rule *rule;
    uint64_t instance;
    struct interpolant interpolant, fixed; /* fixed: while the component is being finished */
    VEC(struct complete_edge *) incoming;  /* from nodes that are not finished either */
    const struct memo *memo;               /* finished */
    bool has_witness;                      /* a transition that keeps it from being a deadlock is part of it */
    bool is_alive, is_queued;
    uint32_t additions;
    uint64_t orbit; /* hash, see open.c */
    struct node *next_in_orbit;
};

struct frame {
    struct node *node;
    size_t cursor;                 /* next transition */
    struct complete_edge *pending; /* to the node above on the stack */
    VEC(struct complete_edge *) retries;
};

struct transition {
    const struct rule *rule;
    uint64_t instance;
    uint32_t object;
};

/* Sets of indices that have been distinguished, see open.c. */
struct distinction {
    uint32_t family;
    uint64_t mask;
};

struct complete_search {
    const struct layout *layout;
    const struct system *system;
    const struct engine_options *options;
    struct result *result;
    struct shape *shape;
    struct terms *terms;
    struct follow *follow;
    struct backward backward;
    struct memos *memos;
    struct transition *transitions;
    size_t transition_count;

    VEC(struct frame) frames;
    VEC(struct node *) open;     /* Tarjan's stack */
    VEC(struct node *) released; /* finished nodes whose memory waits for their edges to be dealt with */
    struct node **orbits;        /* hash table of the open nodes; capacity a power of two */
    size_t orbit_capacity;
    uint64_t *classes; /* by object: which distinctions it falls under */
    VEC(struct distinction) distinctions;
    uint64_t *signatures; /* by object, scratch */
    uint32_t *left_order, *right_order, *map;
    uint32_t hopes_met, hopes_refuted;

    bool *decided; /* by property id */
    uint32_t undecided;
    bool *is_faulted; /* by property id: a cover could not be evaluated somewhere, and this is how */
    struct trace **fault_traces;
    struct interpolant granted; /* of the assumptions, scratch */

    uint64_t visited, subsumed, node_bytes;
    uint32_t next_number, deepest;
    uint32_t looks_at; /* the number of the node that `follow` has begun in; 0: none */
    bool stopped, is_depth_cut;
    struct pace pace;
};

/* explore.c */
bool explore_start(struct complete_search *search, const struct rule *rule, uint64_t instance, const int32_t *cells);
void edge_destroy(struct complete_edge *edge);
void explore_look_at(struct complete_search *search, const struct node *node);
/* Adds what the edge's target needs to the interpolant of where it comes from. */
enum addition edge_add(struct complete_search *search, const struct complete_edge *edge,
                       const struct interpolant *after, const uint32_t *map, struct interpolant *before);

/* open.c */
void open_insert(struct complete_search *search, struct node *node);
void open_remove(struct complete_search *search, struct node *node);
struct node *open_find(struct complete_search *search, const int32_t *cells);
/* A node whose state becomes this one by a permutation that respects all distinctions made so far; search->map. */
struct node *open_find_similar(struct complete_search *search, const int32_t *cells);
void open_note_distinctions(struct complete_search *search, const struct node *node);
void open_destroy(struct complete_search *search);

/* component.c: false when some hope was refuted: the transitions to retry are in the frame. */
bool component_finish(struct complete_search *search, struct frame *frame);

/* assess.c */
void assess_create(struct complete_search *search);
void assess_destroy(struct complete_search *search);
/* May the model end here? Then that is kept in the interpolant. */
bool assess_allows_end(struct complete_search *search, struct node *node);
bool assess_node(struct complete_search *search, struct node *node);
bool assess_covers(struct complete_search *search, struct node *node, const struct rule *rule, uint64_t instance,
                   const int32_t *cells, const struct fault *fault);
/* Do the assumptions hold in a state? What that depends on is in search->granted. */
bool assess_is_granted(struct complete_search *search, struct node *parent, const struct rule *rule, uint64_t instance,
                       const int32_t *cells, bool *goes_on);
void explore_decide(struct complete_search *search, const struct property *property);

/* evidence.c: the last step is `rule`, `instance` after the node, or nothing when rule is NULL. */
struct finding {
    const struct property *property;
    enum trace_evidence evidence;
    const struct fault *fault;
    struct node *node; /* NULL: the last step is a start state */
    const struct rule *rule;
    uint64_t instance;
    const int32_t *cells; /* after it; NULL: it faults */
};
struct trace *evidence_trace(struct complete_search *search, const struct finding *finding);
bool evidence_report(struct complete_search *search, const struct finding *finding, const char *reason);

/* outcome.c */
void explore_begin(struct complete_search *search);
bool explore_tick(struct complete_search *search);
/* Takes the reason. */
void explore_stop(struct complete_search *search, struct stop stop);
void settle_conclude(struct complete_search *search);

static inline bool explore_spend(struct complete_search *search)
{
    return pace_spend(&search->pace, 1) || explore_tick(search);
}

#endif
