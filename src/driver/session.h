/* Stepping through a model: `noether simulate`.
 *
 * A session is a run so far and its enabled steps. States are those of the model itself, without symmetry. Steps whose
 * state breaks an assumption of the model cannot be taken. */
#ifndef NOETHER_DRIVER_SESSION_H
#define NOETHER_DRIVER_SESSION_H

#include "driver/inquiry.h"
#include "engine/engine.h"
#include "result/verdict.h"

struct chances;

struct offer {
    const struct rule *rule;
    uint64_t instance;
    bool fails;
    uint64_t ordinal; /* among all steps of the stepper */
    double weight;    /* of a chain: the probability of this outcome of a choice, or its rate; else 1 */
};

struct session {
    const struct model *model;
    struct trace *trace;       /* without a step: a start state is to be chosen */
    VEC(struct offer) choices; /* what can be taken now, in order of rule and instance */
    /* Private. */
    struct stepper *stepper, *judge;
    enum deadlock_mode deadlock;
    bool is_alive; /* by the meaning of --deadlock */
    uint64_t random;
    struct chances *chances; /* of a chain; else NULL */
};

struct session *session_create(const struct model *model, enum deadlock_mode deadlock, uint64_t seed);
void session_destroy(struct session *session);

/* "Send (n: Node_2)"; of a step of several rules all of them; of a chain, where outcomes share a name, also its weight
 * and what it does. */
void session_print_choice(struct session *session, size_t choice, struct text *out);
/* `choice` is a position in the list of choices. When the watch of the thread is over, nothing is taken (false). */
bool session_take(struct session *session, size_t choice);
/* A random step: in a chain by the weights (all choices of an mdp have the same probability), else all with the same
 * probability. False when there is none, or the watch is over. */
bool session_take_any(struct session *session);
void session_undo(struct session *session, uint32_t steps);
void session_seed(struct session *session, uint64_t seed);
/* The session owns the trace from then on, a run of the model that replays. */
void session_adopt(struct session *session, struct trace *trace);

/* The state; NULL before the first step and after one that fails. */
const int32_t *session_cells(const struct session *session);
/* What is wrong with the state, or was with the step to it: the first property that is violated, or NULL. Properties
 * that a state alone does not decide are not looked at. */
const struct property *session_violated(struct session *session, struct fault *fault);

enum search_end { SEARCH_FOUND, SEARCH_NOWHERE, SEARCH_CUT };
/* Goes on along a shortest run to a state where the condition is true, if `most` states are enough to find one. It
 * stays where it is when the condition is true there. */
enum search_end session_find(struct session *session, struct inquiry *condition, uint32_t most);

#endif
