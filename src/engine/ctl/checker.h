/* CTL on the stored graph of the (reduced) state space; LTL on the same graphs: linear.h.
 *
 * A temporal formula with free variables i, j, ... is decided on the graph of *pointed* states: a state together with
 * values for its free variables, which no step changes. The group acts on both at once, so what is stored are orbits
 * of pointed states: the quotient under the permutations that fix i, j, ... (survey, section 2.2: factoring
 * out a process), and a closed formula is decided on the quotient under the whole group. By Theorem 5 there each of
 * these graphs is bisimilar to the unreduced one, forwards and (as orbits of reachable states) backwards, with respect
 * to the propositions of the formula.
 *
 *   graph.c      the states, successors and predecessors
 *   fixpoint.c   sets of nodes: EX, EU, EG, EY, EP
 *   truth.c      a formula in a state; the sets of all temporal formulas in it
 *   fairly.c     fairness: the nodes with fair paths (fairly.h)
 *   cycle.c      paths through a graph: to a set, or cycles within one
 *   evidence.c   a run of the model that shows why a formula is true or false
 *   antecedent.c claims about states that there are none of
 *   ctl.c        the properties one by one, limits */
#ifndef NOETHER_ENGINE_CTL_CHECKER_H
#define NOETHER_ENGINE_CTL_CHECKER_H

#include "base/bits.h"
#include "engine/engine.h"
#include "explore/explore.h"
#include "ir/ctl.h"

struct graph {
    const struct type **types; /* of the values beside the state */
    uint32_t arity;
    struct system view;    /* the model's system with a variable more for each value: only for its layout */
    struct layout *layout; /* of pointed states */
    struct explore *explore;
    uint32_t count, starts; /* nodes; the first ones are start states */
    uint64_t *first;        /* successors of n: targets[first[n]] .. targets[first[n + 1] - 1] */
    uint32_t *targets;
    uint64_t first_capacity, target_capacity, target_count;
    uint64_t *back_first; /* predecessors, the same way; made when first wanted */
    uint32_t *back_sources;
    uint64_t *deadlocks; /* a bit for each node */
    uint64_t *open;      /* nodes of a part of a graph (ltl_hunt) whose successors are not known */
    uint64_t *fair;      /* nodes with a fair path; NULL: not known yet, or there is no fairness */
    int32_t *cells;
};

/* A temporal formula and its operands: bits over the nodes of the graph of its free variables. */
struct sets {
    uint64_t *holds, *left, *right;
};

/* Where a proposition cannot be evaluated it is neither true nor false, and so may be formulas around it: there are
 * sets of nodes where they hold for sure, and where they may hold. All temporal operators are monotone. */
struct temporal {
    const struct ctl *ctl;
    struct graph *graph;
    struct sets sure, maybe; /* the same ones when there is no doubt */
};

/* The sets in which a node is inside (outside) when the formula is true (false) there. */
static inline const struct sets *temporal_sets(const struct temporal *t, bool is_true)
{
    return is_true ? &t->sure : &t->maybe;
}

struct checker {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    const struct engine_options *options;
    struct result *result;
    struct budget budget;
    double begin;
    struct steppers *steppers;
    struct stepper *stepper, *judge;
    const struct property **assumptions;
    uint32_t assumption_count;
    VEC(struct graph *) graphs;
    VEC(struct temporal) temporals; /* of the property being decided */
    int32_t *values;                /* of quantified variables, by address from state_cells on */
    uint64_t until_tick;
    struct stop stop;  /* why nothing more can be decided */
    struct stop doubt; /* why nothing is known of the property being decided */
    bool is_fair;      /* only fair paths count (ir/fairness.h) */
    /* Looking for violations in a part of a graph: its nodes from this one on stay open. 0: none does. */
    uint64_t most;
    struct graph *part; /* that graph: others are about its states, with more values; NULL: not made yet */
    bool lacks_memory;  /* for that many */
    /* A proposition could not be evaluated; a start state of which nothing is known for that reason. */
    bool has_fault;
    struct fault fault;
    uint32_t open_start;
};

/* A node as a place to evaluate formulas in. */
struct ctl_spot {
    const int32_t *cells;      /* the state; values of quantified variables are in the checker */
    const struct graph *graph; /* and its node, when it is one of this graph, and about->free its values; else NULL */
    const struct ctl *about;
    uint32_t node;
};

static inline size_t bit_words(uint32_t count)
{
    return (size_t)count / 64 + 1;
}

/* ctl.c */
void checker_forget_graphs(struct checker *checker);
void checker_stop(struct checker *checker, struct stop stop);
/* Reports `work` that is done; false: stopped. */
bool checker_spend(struct checker *checker, uint64_t work);
/* Memory within the limit, or NULL after checker_stop; freed with checker_free. */
void *checker_alloc(struct checker *checker, size_t count, size_t size);
void checker_free(struct checker *checker, void *memory, size_t count, size_t size);
static inline int32_t *checker_value(const struct checker *checker, const struct variable *variable)
{
    return &checker->values[variable->address - checker->system->state_cells];
}

/* graph.c */
/* The graph for values of those types, made when there is none yet. NULL: stopped. */
struct graph *graph_get(struct checker *checker, const struct variable *const *variables, uint32_t count);
void graph_destroy(struct checker *checker, struct graph *graph);
/* The node of a state with values for `variables`, which must be reachable. */
uint32_t graph_find(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                    const int32_t *cells);
/* The state of a node; its values go to `variables`. */
const int32_t *graph_load(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                          uint32_t node);
bool graph_reverse(struct checker *checker, struct graph *graph);
static inline uint32_t graph_out(const struct graph *graph, uint32_t node)
{
    return (uint32_t)(graph->first[node + 1] - graph->first[node]);
}
static inline bool graph_is_open(const struct graph *graph, uint32_t node)
{
    return bits_has(graph->open, node);
}
/* Is the state one that the assumptions allow? */
bool checker_grants(struct checker *checker, const int32_t *cells);

/* antecedent.c */
/* A property "if a then b" that holds: is a false in every node that it is about? The graph is one with values for
 * these variables; NULL: that is not known. */
bool antecedent_is_unmet(struct checker *checker, const struct property *property, struct graph *graph,
                         const struct variable *const *variables);

/* fixpoint.c */
/* Adds to `out` every node that leads to one in it through nodes with `through` equal to `is_through` (NULL: any).
 * False: stopped. */
bool fixpoint_lead_to(struct checker *checker, struct graph *graph, const uint64_t *through, bool is_through,
                      uint64_t *out);
/* sets->holds from the others; false: stopped. */
bool fixpoint_decide(struct checker *checker, const struct temporal *temporal, struct sets *sets);

/* truth.c */
/* Finds the sets of all temporal formulas in it. False: stopped. */
bool truth_prepare(struct checker *checker, const struct ctl *ctl);
/* TRUTH_FAULT: neither, for want of a proposition that can be evaluated (checker->fault). */
/* Does some proposition of the formula fail in the state? Then that is the fault of the checker. */
bool truth_has_fault(struct checker *checker, const struct ctl *ctl, const struct ctl_spot *spot);
enum truth truth_at(struct checker *checker, const struct ctl *ctl, const struct ctl_spot *spot);
const struct temporal *truth_of(const struct checker *checker, const struct ctl *ctl);
void truth_forget(struct checker *checker);

/* cycle.c */
/* A list of nodes, in heap memory. */
struct way {
    VEC(uint32_t) nodes; /* from the first one on */
    size_t back;         /* of a way for ever: the last node is the one at this position; SIZE_MAX: the last has no
                          * successors */
};
/* A shortest way from the nearest of `count` nodes, from `from` on, to one with `goal` equal to `is_goal`, through
 * nodes with `inside` equal to `is_inside` (NULL: any). False: there is none. */
bool way_to_from(const struct graph *graph, uint32_t from, uint32_t count, const uint64_t *inside, bool is_inside,
                 const uint64_t *goal, bool is_goal, struct way *way);
/* A maximal way inside. */
bool way_for_ever(const struct graph *graph, uint32_t from, const uint64_t *inside, bool is_inside, struct way *way);

/* evidence.c */
/* The run that shows why the formula is `verdict` in a start state, and in words what it shows; NULL: there is nothing
 * one run could show. */
struct trace *evidence_show(struct checker *checker, const struct ctl *ctl, bool verdict, struct text *words);
/* The run to where a proposition could not be evaluated. */
struct trace *evidence_fault(struct checker *checker, const struct ctl *ctl);

#endif
