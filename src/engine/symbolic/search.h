/* Checking properties on a symbolic model.
 *
 * Every property is a reachability question: a target is the set of states that decide it (violate an invariant,
 * satisfy a cover, begin a step that fails, ...). The reachable states are found first, and the targets they meet;
 * where a run is to be shown, the layers of a breadth-first search lead to a nearest state of the target and back to a
 * start state.
 *
 *   symbolic.c   the engine
 *   targets.c    the targets of a system
 *   hunt.c       breadth-first layers, until targets are met
 *   views.c      instead of all these: the same question for any number of threads
 *   route.c      a run to a state of a layer, lifted to the model and replayed
 *   answer.c     verdicts and figures */
#ifndef NOETHER_ENGINE_SYMBOLIC_SEARCH_H
#define NOETHER_ENGINE_SYMBOLIC_SEARCH_H

#include "engine/symbolic/model.h"

enum { SYMBOLIC_MOST_RULES = 1000000 };

enum target_kind {
    TARGET_BAD,         /* the formula is false, or cannot be evaluated */
    TARGET_GOAL,        /* a cover is met */
    TARGET_UNEVALUATED, /* a cover cannot be evaluated here: to be shown when it is never met */
    TARGET_FAULT,       /* a step from here fails */
    TARGET_DEADLOCK,
    TARGET_UNGRANTED, /* a step from here leads to a state in which an assumption cannot be evaluated */
    TARGET_LOST       /* from here the goal of a liveness property cannot be reached */
};

struct target {
    enum target_kind kind;
    const struct property *property;
    dd set;      /* referenced */
    dd beyond;   /* TARGET_UNGRANTED: those states; referenced */
    bool is_met; /* some reachable state is in it */
};

struct symbolic_search {
    struct symbolic_model model;
    struct result *result;
    const struct engine_options *options;
    VEC(struct target) targets;
    bool *decided; /* by property */
    double begin_cpu;
    bool is_over;      /* a violation was found, and one is enough */
    uint32_t round;    /* of the hunt */
    uint64_t work;     /* it has cost */
    bool is_exhausted; /* the hunt has seen all states */
    bool is_cut;       /* the depth limit kept the search from going on */
    bool is_backward;  /* all violations were excluded from behind: the reachable states are not known */
};

/* targets.c. False: no memory or time, or a formula that cannot be translated. */
bool targets_create(struct symbolic_search *search);
void targets_destroy(struct symbolic_search *search);
/* Marks those that the reachable states meet. */
bool targets_meet(struct symbolic_search *search);
/* When all is reached: the deadlocks, if they were left until then. */
bool targets_add_stuck(struct symbolic_search *search);
/* When all is reached: the states from which liveness goals are out of reach. */
bool targets_add_liveness(struct symbolic_search *search);

/* vacuity.c: after the answer, marks the invariants whose antecedent is true in no reachable state, if these are known.
 */
void vacuity_find(struct symbolic_search *search);

/* Are all states reached before anything is looked for? */
bool symbolic_is_reached_first(const struct symbolic_search *search);

/* backward.c: is it certain that no run leads to any target, seen from the targets? (Only violations can be excluded
 * this way; nothing is known of the reachable states then.) */
bool backward_excludes_all(struct symbolic_search *search);
/* Does a fixpoint that may be too large show that no state of the set is reachable? */
bool backward_excludes_set(struct symbolic_model *model, dd set);

/* views.c: with options->views. The properties that hold for any number of threads; all others stay open. False: no
 * memory or time. */
bool views_search(struct symbolic_search *search);

/* hunt.c */
/* Explores by layers, goes on where it ended the last time, and reports what is met on the way. False: no memory or
 * time. */
enum hunt_end {
    HUNT_SMALL,  /* as long as it is cheap */
    HUNT_MARKED, /* until the property of every target that is marked is decided */
    HUNT_ALL
};
enum { HUNT_SMALL_WORK = 3000000 }; /* nodes of layers, times rules */
bool hunt(struct symbolic_search *search, enum hunt_end end);
/* Reports the states from which the goals of liveness properties are out of reach. */
bool hunt_lost(struct symbolic_search *search);
/* The first layer that meets the target, which some reachable state does. */
bool hunt_nearest(struct symbolic_search *search, const struct target *target, uint32_t *depth);

/* route.c */
/* The trace that shows the target, from its nearest state at this depth. UINT32_MAX: a start state is beyond. */
struct trace *route_trace(struct symbolic_search *search, const struct target *target, uint32_t depth);

/* answer.c  */
void answer_report(struct symbolic_search *search, const struct target *target, struct trace *trace);
void answer_report_start_faults(struct symbolic_search *search);
void answer_conclude(struct symbolic_search *search);
/* The reached states, and how often rules fire in them. */
void answer_count_states(struct symbolic_model *model, struct result *result);

#endif
