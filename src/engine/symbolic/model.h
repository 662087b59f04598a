/* A system in decision diagrams: its states, its transitions, the sets its formulas describe.
 *
 * What an engine or a logic needs to compute with sets of states. Open it, let it find the reachable states, then ask
 * for images, preimages and the sets of formulas. A set of states is a BDD over the current variables (encoding.h).
 * Under a method that reduces by symmetry (method.h) sets hold representatives: symbolic_next and symbolic_previous
 * lead from representatives to representatives, and symbolic_represent takes any set of states there; formulas must be
 * symmetric.
 *
 * Results carry no reference, as in dd/dd.h: keep what is needed (dd_ref, dd_register) before the next operation. Any
 * of them may be DD_NONE, when memory or time is over; symbolic_failed then says so in the result. */
#ifndef NOETHER_ENGINE_SYMBOLIC_MODEL_H
#define NOETHER_ENGINE_SYMBOLIC_MODEL_H

#include "engine/engine.h"
#include "engine/symbolic/method.h"

struct symbolic_model {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    const struct engine_options *options;
    struct dd_manager *m; /* NULL: no memory for the smallest store */
    struct encoding *encoding;
    struct ground_system ground;
    struct symbolic_reducer *reducer; /* NULL: every state represents itself */
    struct refusal refusal;
    /* Registered with the manager, these six. */
    dd all_starts; /* start states, whatever the assumptions say */
    dd assumed;    /* the states in which every assumption holds */
    dd starts;     /* representatives of the start states that are considered */
    dd reached;    /* what can be reached from them, as far as it was explored; representatives */
    dd explored;   /* the union of the layers; method onthefly: and all that is symmetric to them */
    dd waiting;    /* with options->frontier: met, and not yet in a layer */
    VEC(dd)
    layers; /* by distance from the start states, each state once; referenced. Empty: not known. With options->frontier:
             * each a part of what the ones before lead to */
    bool has_assumptions;
    bool is_translated;
    bool is_reached; /* `reached` is complete */
    double begin;
    struct stop stop; /* why the model could not be finished */
};

/* Translates rules and assumptions, collects the start states. False: see stop. Close it in any case. */
bool symbolic_open(struct symbolic_model *model, const struct layout *layout, const struct symmetry *symmetry,
                   const struct engine_options *options);
void symbolic_close(struct symbolic_model *model);

/* Fills `reached`, in the quickest way that is right (saturation where nothing forbids it). False: see stop. */
bool symbolic_reach(struct symbolic_model *model);
/* All that can be reached from a set, where nothing forbids saturation: symmetry or assumptions. */
bool symbolic_can_saturate(const struct symbolic_model *model);
dd symbolic_saturate(struct symbolic_model *model, dd set);
/* One step breadth first: adds a layer. False when there was nothing new, or for want of memory or time. */
bool symbolic_deepen(struct symbolic_model *model);

/* Representatives of the successors (that the assumptions allow) and of the predecessors of a set of representatives.
 */
dd symbolic_next(struct symbolic_model *model, dd set);
dd symbolic_previous(struct symbolic_model *model, dd set);
/* The same by some of the ground rules: by number, those that are chosen; NULL: all. */
dd symbolic_next_by(struct symbolic_model *model, dd set, const bool *chosen);
dd symbolic_previous_by(struct symbolic_model *model, dd set, const bool *chosen);
/* The same without assumptions and symmetry. */
dd symbolic_next_plain(struct symbolic_model *model, dd set);
dd symbolic_previous_plain(struct symbolic_model *model, dd set);
dd symbolic_represent(struct symbolic_model *model, dd set);
/* All states symmetric to one of the set. */
dd symbolic_close_orbits(struct symbolic_model *model, dd set);
/* Those of the representatives `set` whose orbits have a state in `states`. */
dd symbolic_meet(struct symbolic_model *model, dd states, dd set);
/* All states from which some instance fires (STUCK), or fires and leads to another state (STUTTERING), or fails. */
dd symbolic_alive(struct symbolic_model *model, enum deadlock_mode mode);
/* The sets of a formula, referenced. when_discarded: what the formula is where an assume statement in a function it
 * calls is false. False: see stop. */
bool symbolic_formula(struct symbolic_model *model, const struct expr *formula, bool when_discarded,
                      struct formula_sets *sets);
/* The same of a proposition, with these values for its variables; those that belong to the state have their own. */
bool symbolic_proposition(struct symbolic_model *model, const struct proposition *proposition, const int32_t *values,
                          struct formula_sets *sets);

/* All values of a number in the states `under`, as in relation.h; referenced. False: see stop. */
bool symbolic_values(struct symbolic_model *model, const struct expr *number, dd under, number_cases *cases, dd *wrong);

/* Is the time over, or was it interrupted? */
bool symbolic_is_over(const struct symbolic_model *model);
/* Notes why an operation gave DD_NONE. Always false. */
bool symbolic_failed(struct symbolic_model *model);

#endif
