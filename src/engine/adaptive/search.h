/* The state of one adaptive search, and its files.
 *
 *   adaptive.c    run: sets up, searches breadth first, starts again where necessary, tears down
 *   origin.c      the start states and their partition
 *   unfold.c      one abstract state: its edges, unwound, fired (Algorithm 1)
 *   concrete.c    rules that partial evaluation cannot handle: explicitly
 *   judging.c     the checks of every new state; deadlock.c: of every expanded state
 *   lift.c        from an abstract run to a run of the model, replayed
 *   bounds.c, finish.c, represented.c   ends, verdicts, figures
 *
 * Functions that return bool say whether the search continues. */
#ifndef NOETHER_ENGINE_ADAPTIVE_SEARCH_H
#define NOETHER_ENGINE_ADAPTIVE_SEARCH_H

#include "engine/adaptive/unwind.h"
#include "engine/engine.h"

#define NO_STATE UINT32_MAX

struct edge_queue {
    const struct adaptive_edge **items;
    size_t count, capacity;
};

/* A choice of actors for a rule, and the state before it: local states by element. */
struct firing {
    uint32_t variant;
    uint32_t actors[VARIANT_MOST_ACTORS];
    uint32_t shared, *locals;
};

/* The run to a state in which a goal cannot be evaluated, or NULL. */
struct unevaluated {
    struct trace *trace;
    struct fault fault;
};

struct adaptive_search {
    const struct layout *layout;
    const struct system *system;
    const struct engine_options *options;
    struct result *result;

    VEC(int32_t) starts; /* cells of the start states */
    size_t start_count;
    struct roster *roster;
    struct adaptive_scene scene;
    struct partitions partitions;
    uint32_t coarsest, finest;
    uint32_t friends;         /* standard reduction: the meet of the partitions of all edges met */
    struct variants variants; /* of rules, then of properties */
    size_t rule_variants;
    struct rulebook book;
    struct reached reached;

    struct adaptive_view view; /* the state that is being expanded */
    uint32_t current;          /* its number */
    struct edge_queue queue;
    struct unwinding unwinding;
    struct numbers words; /* a state under construction */
    bool is_alive;        /* every state it represents has a successor, as far as the deadlock property goes */

    struct adaptive_view fresh; /* a new state that is being judged */
    struct unwinding probe;
    uint32_t *locals; /* by element */

    bool *decided;                   /* by property id */
    struct unevaluated *unevaluated; /* by property id: where a goal could not be evaluated first */
    uint32_t undecided;
    uint32_t depth, deepest, frontier;
    uint32_t level_end; /* the number of the first state of the next level */
    bool stopped, is_depth_cut, must_begin_again;
    struct pace pace;
    bool is_racing;     /* for the depth of options->race */
    struct watch watch; /* while it is: edges may take long to find */
};

/* origin.c */
bool origin_read(struct adaptive_search *search);
bool origin_insert(struct adaptive_search *search);

/* unfold.c */
bool unfold_state(struct adaptive_search *search, uint32_t number);
/* Collects the edges of some variants for actors that the view has. */
void unfold_collect(struct adaptive_search *search, const struct adaptive_view *view, size_t first, size_t end,
                    struct edge_queue *queue);
/* The successor by the edge of the unwinding, in search->words. */
void unfold_build(struct adaptive_search *search, const struct unwinding *unwinding);
bool unfold_changes(struct adaptive_search *search, const struct unwinding *unwinding);
/* A successor (or start state) made of local states by element. */
void unfold_build_concrete(struct adaptive_search *search, uint32_t shared, const uint32_t *locals, uint32_t partition);
bool unfold_emit(struct adaptive_search *search, uint32_t parent);

/* concrete.c */
bool concrete_expand(struct adaptive_search *search, uint32_t variant);
/* A firing of an unclear rule in the view's states that leads exactly to this state. */
bool concrete_find(struct adaptive_search *search, const struct adaptive_view *view, uint32_t shared,
                   const uint32_t *locals, struct firing *firing);
/* Calls `use` for every choice of actors for the variant in a state. */
bool concrete_each(struct adaptive_search *search, uint32_t variant, uint32_t shared, const uint32_t *locals,
                   bool (*use)(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user),
                   void *user);

/* judging.c */
void judging_create(struct adaptive_search *search);
/* Forgets the goals that could not be evaluated. */
void judging_forget(struct adaptive_search *search);
bool judging_state(struct adaptive_search *search, uint32_t number);
void judging_decide(struct adaptive_search *search, const struct property *property);
/* The state `number`, in the concrete form `locals`, shows it; with `fired` the fault of a step from there. */
bool judging_report(struct adaptive_search *search, const struct property *property, uint32_t number,
                    const uint32_t *locals, const struct firing *fired, const struct fault *fault, const char *reason);
bool deadlock_check(struct adaptive_search *search);

/* lift.c */
struct trace *lift_trace(struct adaptive_search *search, uint32_t number, const uint32_t *locals,
                         const struct firing *fired, const struct fault *fault);

/* bounds.c */
void bounds_begin(struct adaptive_search *search);
void bounds_end(struct adaptive_search *search);
bool bounds_tick(struct adaptive_search *search);
/* Takes the reason. */
void bounds_stop(struct adaptive_search *search, struct stop stop);
static inline bool bounds_spend(struct adaptive_search *search, uint32_t work)
{
    return pace_spend(&search->pace, work) || bounds_tick(search);
}

/* finish.c, represented.c */
void finish_conclude(struct adaptive_search *search);
void represented_count(struct adaptive_search *search);
void represented_list(struct adaptive_search *search);

#endif
