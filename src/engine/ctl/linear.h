/* Formulas of linear time (LTL) on the graphs of pointed states (checker.h), with fairness.
 *
 * The product of the automaton of the negation with the graph of states pointed at by the tracked variables
 * (linear/claim.h) has an accepting cycle if and only if the formula is violated: the propositions are the same for all
 * of an orbit, and a cycle of orbits is one of states after some turns.
 *
 * A requirement of fairness (ir/fairness.h) has variables of its own. Its *threads* are the states of the product
 * together with values for these, orbits again: the annotated quotient of Emerson and Sistla (TOPLAS 1997), the
 * annotations being cells. A component C of the product has a fair run through all of it if and only if each strongly
 * connected component of the threads over C meets the requirement (the strongly connected parts of the model over C are
 * images of one another, and a thread is one of these with a process). If one does not, the states where the event that
 * obliges it happens are removed, and what is left is looked at again, as for Streett automata.
 *
 *   describe.c     the automaton in words
 *   letters.c      which propositions hold in which node
 *   product.c      product of a graph with the automaton: edges, components, shortest ways
 *   requirement.c  fairness: events and threads
 *   emptiness.c    a component with a fair accepting run
 *   shorten.c      where its cycle best begins
 *   lasso.c        that run, as one of the model
 *   ltl.c          the properties one by one
 *
 * In a part of a graph (checker->most) some nodes are open: their successors are not known. They are on no cycle and
 * end no run, so what is found is a run of the model; and the nodes that are not open have all their edges and threads,
 * so it is fair. */
#ifndef NOETHER_ENGINE_CTL_LINEAR_H
#define NOETHER_ENGINE_CTL_LINEAR_H

#include "engine/ctl/checker.h"
#include "ir/fairness.h"
#include "linear/claim.h"

struct linear_case;

/* The states of a graph with those of the automaton: node n with automaton state a has the number
 * n * automaton->state_count + a. */
struct linear_product {
    const struct linear_case *linear;
    struct graph *graph;
    const struct variable *const *variables; /* of the graph: the tracked ones first */
    uint32_t *below;                         /* the node of the linear's own graph; NULL: this is that graph */
};

struct product_edge {
    uint32_t target;
    uint64_t graph_edge; /* position in graph->targets; PRODUCT_STAYS: nothing moves */
    uint64_t marks;
};
#define PRODUCT_STAYS UINT64_MAX

struct requirement {
    const struct property *property;
    const struct fairness *fairness;
    struct linear_product threads;
    const struct variable **variables; /* tracked, then own */
    uint32_t *fibre_first, *fibres;    /* nodes of threads above a node; NULL where threads are that graph itself */
    /* If `often` is met with infinitely often, so must be `met` or `own`: bits of nodes; of edges. */
    uint64_t *often, *met, *own;
};

struct linear_case {
    struct checker *checker;
    struct linear_claim claim;   /* its stop: why nothing is known of this property */
    struct automaton *automaton; /* of the negation */
    struct linear_product product;
    uint64_t *is_true, *is_false; /* atoms, by node: neither where one cannot be evaluated */
    bool has_doubt;               /* there is such a node */
    bool drops_finite;            /* runs that end do not count */
    bool is_sure;                 /* only edges that can be taken whatever such atoms are; else all that may be */
    struct stop fair_doubt; /* a fairness condition cannot be evaluated: if is_sure, runs are fair whatever it is; else
                             * all that may be fair are */
    bool is_finite;         /* a finite run shows a violation, and any can go on fairly: fairness does not matter */
    VEC(struct requirement) requirements;
    uint32_t *region; /* by node of the product: 0 none; see emptiness.c */
    uint64_t reached; /* states of the product, in the last search of it */
    uint32_t good;    /* the region that has a fair accepting run; 0: there is none */
};

/* describe.c: the automaton in words, a line for each state; in heap memory. */
char *linear_describe(const struct linear_case *linear);

/* letters.c: false: stopped. */
/* Nothing is true or false yet. */
bool letters_open(struct linear_case *linear);
bool letters_find(struct linear_case *linear);

/* product.c */
static inline uint32_t product_count(const struct linear_product *product)
{
    return product->graph->count * product->linear->automaton->state_count;
}
static inline uint32_t product_node(const struct linear_product *product, uint32_t state)
{
    return state / product->linear->automaton->state_count;
}
static inline uint32_t product_place(const struct linear_product *product, uint32_t state)
{
    return state % product->linear->automaton->state_count;
}
/* The same state without values for the variables of a requirement. */
static inline uint32_t product_below(const struct linear_product *product, uint32_t state)
{
    uint32_t node = product_node(product, state);
    return product->below
               ? product->below[node] * product->linear->automaton->state_count + product_place(product, state)
               : state;
}
/* Edge number *cursor of the state, or a later one; *cursor is one past it. False: no more. */
bool product_next(const struct linear_product *product, uint32_t state, uint64_t *cursor, struct product_edge *edge);

/* Strongly connected components of what of a region is reachable from `roots`. */
struct linear_components {
    const struct linear_product *product;
    uint32_t region;
    void *user;
    /* `is_cyclic`: some edge stays inside. Not to change regions of states that are not in it. */
    void (*found)(void *user, const uint32_t *members, size_t count, bool is_cyclic);
    uint32_t *index, *low; /* by state; index 0: not met in this search */
    uint32_t *number;      /* of the component it is in; 0: of none that was found yet */
    uint64_t *cursor;
    VEC(uint32_t) path, open, seen;
    uint32_t clock;
};
bool linear_components_create(struct linear_components *components, const struct linear_product *product);
void linear_components_destroy(struct linear_components *components);
/* False: stopped. */
bool linear_components_find(struct linear_components *components, uint32_t region, const uint32_t *roots, size_t count);

/* A shortest way. */
struct hunt {
    const struct linear_product *product;
    uint32_t region; /* it stays in there; 0: anywhere */
    /* It ends in a state, or with an edge (may be NULL), for which this is true. */
    bool (*ends_in)(const struct hunt *hunt, uint32_t state);
    bool (*ends_with)(const struct hunt *hunt, const struct product_edge *edge);
    const void *user;
    VEC(struct product_edge) way; /* the edges */
    uint32_t from;                /* where it begins */
};
/* From the nearest of the states. False: there is none, or stopped. */
bool hunt_run(struct hunt *hunt, const uint32_t *from, size_t count);
/* The same from the start states. */
bool hunt_from_starts(struct hunt *hunt);
/* For hunt->ends_in: from the state on the automaton accepts whatever follows. */
bool hunt_ends_in_violation(const struct hunt *hunt, uint32_t state);

/* shorten.c: a cycle past all marks, as the way of a hunt from around->from, with which the run is short. False:
 * none was found in time, or there are requirements of fairness. Free around->way. */
bool shorten_find(struct linear_case *linear, struct hunt *around);

/* requirement.c: all requirements of the system. False: stopped. */
bool requirements_find(struct linear_case *linear);
void requirements_forget(struct linear_case *linear);
static inline bool requirement_happens(const uint64_t *bits, uint64_t number)
{
    return bits && bits[number / 64] >> number % 64 & 1;
}

/* emptiness.c: false: stopped. */
/* Sets linear->good: a region that the start states lead to. */
bool emptiness_decide(struct linear_case *linear);
/* The same for one state of the product in place of the start states. */
bool emptiness_decide_from(struct linear_case *linear, uint32_t state);
/* Adds to `nodes` those of all regions that have a fair accepting run, wherever it begins. */
bool emptiness_collect(struct linear_case *linear, uint64_t *nodes);

/* lasso.c */
/* Is there a finite run that the automaton accepts whatever follows? */
bool lasso_is_finite(struct linear_case *linear);
/* The run of the good region; `words` what it shows. NULL: stopped. */
struct trace *lasso_show(struct linear_case *linear, struct text *words);
/* Appends to a run, whose last state is a node with the values of the tracked variables, a fair accepting run from
 * there. False: there is none, or stopped. */
bool lasso_go_on(struct linear_case *linear, struct trace *trace);

/* ltl.c */
void linear_free(struct linear_case *linear);
/* Decides the property on the graphs of the checker, with the fairness of the system. */
void ltl_decide(struct checker *checker, const struct property *property);
/* Is the property violated in the part of the graph that checker->most allows? Then that is the verdict; else nothing
 * is said. Where there is no memory for that part (checker->lacks_memory), a smaller one is looked at. */
void ltl_hunt(struct checker *checker, const struct property *property);
/* Why orbits cannot decide the formula, whatever the fairness; NULL: they can. */
const char *ltl_needs_states(const struct ctl *ltl);

#endif
