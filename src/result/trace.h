/* Runs of the model.
 *
 * A trace is a real run: start state, then one rule instance after the other, each with the state it leads
 * to. A step of several rules has those before the last in `passed`, with the states passed through; trace_show makes
 * them steps of their own, for users. The last step may end in a fault instead of a state. A quotient run (a list of
 * packed representatives, from an engine) is lifted to a trace; a trace is replayed by the IR evaluator before it is
 * shown. */
#ifndef NOETHER_RESULT_TRACE_H
#define NOETHER_RESULT_TRACE_H

#include "canon/canon.h"
#include "exec/own.h"

struct trace_step {
    const struct rule *rule; /* step 0: the start state rule */
    uint64_t instance;
    int32_t *cells; /* the state after the step; NULL when the step faulted */
    struct fault fault;
    struct trace_step *passed; /* the rules that fired before, in this step: no faults */
    uint32_t passed_count;
    uint32_t number; /* of the rules that fired before, in the whole run */
};

struct trace {
    const struct system *system;
    const struct layout *layout;
    struct trace_step *steps;
    uint32_t count;
    /* The run goes on for ever: its last state is that after step `loop`. */
    bool has_loop;
    uint32_t loop;
    /* A claim that it shows is about infinite runs only (--finite-runs drop): set before it is confirmed. */
    bool drops_finite;
    /* LTL: the automaton of the negation in words, a line for each state, and its state beside each state of the run;
     * NULL: it is not known. */
    char *automaton;
    uint32_t *places;
};

/* Does something in the step move that the requirement is about, with these values of its variables (exec/own.h)? */
bool trace_step_is_own(const struct trace_step *step, const struct fairness *fairness, const int32_t *values);

struct trace *trace_create(const struct system *system, const struct layout *layout);
void trace_destroy(struct trace *trace);
void trace_push(struct trace *trace, const struct rule *rule, uint64_t instance, const int32_t *cells,
                const struct fault *fault);
/* What a stepper has found: STEP_STATE, or STEP_FAULT. */
void trace_push_step(struct trace *trace, const struct step *step, enum step_outcome outcome);
/* A step of another trace, with what was passed through. */
void trace_push_copy(struct trace *trace, const struct trace_step *step);
void trace_pop(struct trace *trace);
/* What goes wrong when the formula of the property is evaluated in the last state; kind FAULT_NONE: nothing does. */
struct fault trace_last_fault(const struct trace *trace, const struct property *property);

/* Each rule that fires as a step of its own. Only for showing: it has states that are none of the system. The trace
 * itself, where it is so already (*made is NULL), or a copy (*made). */
const struct trace *trace_show(const struct trace *trace, struct trace **made);
/* The number that the step has there: users know it by that. */
static inline uint32_t trace_number(const struct trace *trace, uint32_t step)
{
    return step < trace->count ? trace->steps[step].number : step;
}
/* Of a trace whose steps fire one rule each, and which says nothing about the variables that are internal (struct
 * system) or not shown (ir/face.h): finds them by the evaluator, and gathers the steps of several rules. The result may
 * be no run: trace_replay says so. */
void trace_fold(struct trace *trace);

/* What a lifted run must end in. */
enum trace_goal {
    TRACE_GOAL_STATE, /* the last representative */
    /* An instance enabled in the last representative faults, with the same kind and property as `fault` where there
     * is one. (Where several things go wrong in one loop over an index type, which of them comes first depends on the
     * numbering, and the lifted run may be numbered differently: then any fault.) */
    TRACE_GOAL_FAULT
};

/* The three functions below follow a run that was found. Under a watch that was begun for this (watch_begin_epilogue)
 * they are cut when it is over: then what they say is not to be used. No other watch cuts them. */

/* Lifts a quotient run: `representatives` are `count` vectors of layout->cell_count cells, the first in the orbit
 * of a start state, each in that of a successor of the one before. At each step a concrete successor is searched
 * that is in the orbit of the next one. `count` may be 0 with TRACE_GOAL_FAULT: a start
 * state faults. NULL when there is none: an internal error. */
struct trace *trace_lift(const struct layout *layout, const struct symmetry *symmetry, const int32_t *representatives,
                         uint32_t count, enum trace_goal goal, const struct fault *fault);

/* Replays with the IR evaluator. NULL when every step is what the trace says and no state on the way breaks an
 * assumption, else what is wrong (in heap memory). */
char *trace_replay(const struct trace *trace);

/* What the last step of a trace is said to show. */
enum trace_evidence {
    TRACE_SHOWS_FALSE,      /* the formula of the property is false (or faults) in the last state */
    TRACE_SHOWS_TRUE,       /* the formula is true there: the witness of a cover */
    TRACE_SHOWS_STUCK,      /* no instance is enabled there (one that an assume statement discards does not count) */
    TRACE_SHOWS_STUTTERING, /* no enabled instance leads to a different state */
    TRACE_SHOWS_FAULT,      /* the last step faults */
    TRACE_SHOWS_BROKEN,     /* of a chain: the numbers are wrong in the last state (result/chance.h) */
    TRACE_SHOWS_STATE       /* nothing that one state can show (liveness) */
};

/* The last state by the IR evaluator. NULL when it shows what is claimed, else what is wrong (in heap memory). */
char *trace_confirm(const struct trace *trace, enum trace_evidence evidence, const struct property *property);

/* For an engine: what is wrong with a trace of its own is a bug of ours. NULL: nothing. */
void trace_insist(const char *wrong);

#endif
