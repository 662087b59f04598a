/* The sat engine: questions about runs, as formulas for a SAT solver.
 *
 * The system is a circuit (bits/circuit.h). Each property is a target: the states that decide it. A step is chosen by
 * one of the inputs `chosen`; `next` has the value of each state variable after it. So an unrolled run is a chain of
 * frames (bits/cnf.h), and all that can happen in one step is one frame.
 *
 *   sat.c          the engine: which method, in which order
 *   prepare.c      the circuit, its steps as inputs, the start states
 *   targets.c      what each property is looking for
 *   symmetric.c    permutations of processes as permutations of variables
 *   representative.c  one state of each orbit
 *   unroll.c       frames, one for each step
 *   bmc.c          bounded model checking: the shortest run to a target
 *   induction.c    k-induction with simple paths: no target is ever reached
 *   ic3*.c         IC3: the same, by clauses over single states
 *   run.c          a run that was found, as a trace, replayed
 *   answer.c       verdicts and figures */
#ifndef NOETHER_ENGINE_SAT_SEARCH_H
#define NOETHER_ENGINE_SAT_SEARCH_H

#include "bits/circuit.h"
#include "engine/engine.h"

enum { SAT_MOST_RULES = 1000000, SAT_MOST_STARTS = 1000000 };

enum sat_target_kind {
    SAT_BAD,         /* the formula is false, or cannot be evaluated */
    SAT_GOAL,        /* a cover is met */
    SAT_UNEVALUATED, /* a cover cannot be evaluated here: to be shown if it is never met */
    SAT_COVERED,     /* a step from here meets a cover statement */
    SAT_FAULT,       /* a step from here fails */
    SAT_DEADLOCK
};

struct sat_target {
    enum sat_target_kind kind;
    const struct property *property;
    bit when;
    struct trace *trace; /* UNEVALUATED: a run there, as soon as one is known */
};

enum sat_answer {
    SAT_OPEN,    /* nothing yet */
    SAT_FOUND,   /* a run to a target, which is reported */
    SAT_SETTLED, /* no target that is open is ever reached */
    SAT_CUT      /* time or memory is over, see search->stop; or all is decided */
};

struct sat_bmc;
struct sat_ic3;

struct sat_search {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    const struct engine_options *options;
    VEC(uint32_t *) generators; /* of the symmetry, if any: the image of each state variable, or CIRCUIT_NO_IMAGE */
    struct result *result;
    struct circuit circuit;
    bit *next;         /* by state variable: after the chosen step */
    bit_list chosen;   /* by step of the circuit: the input that chooses it */
    bit_list always;   /* true in every state that is considered: it is one, and the assumptions hold */
    bit_list stepping; /* true where a step is taken: one is chosen, it fires, and leads to such a state */
    bit after;         /* the successor by the chosen step is considered: one of `stepping` */
    bit starts;        /* a start state that is considered */
    bool *rows;        /* these, variable_count values each */
    size_t row_count;
    VEC(struct sat_target) targets;
    bit representative; /* of its orbit (sat_representative) */
    bit wanted;         /* some target whose property is open */
    uint64_t version;   /* how often `wanted` has changed */
    bool *decided;      /* by property */
    bool is_over;       /* no more is to be found */
    bool is_settled;    /* every open target is unreachable */
    struct stop stop;
    struct watch watch;
    double begin, begin_cpu;
    struct sat_bmc *bmc; /* as far as it has come; NULL: not yet */
    struct sat_ic3 *ic3;
    uint32_t depth;           /* so many steps are explored, by any method */
    uint32_t frames, clauses; /* of IC3, for progress */
    struct text proof;        /* how it was settled, for the report */
    /* Bounded model checking in turn with IC3: the time it has taken, its effort, and has it come to an end? */
    double bmc_cpu;
    uint32_t bmc_conflicts;
    bool bmc_has_ended;
};

/* -- prepare.c -- */
bool sat_prepare(struct sat_search *search);
void sat_release(struct sat_search *search);

/* -- targets.c -- */
bool sat_targets_make(struct sat_search *search);
/* After a decision: what is wanted. */
void sat_targets_refresh(struct sat_search *search);
bool sat_target_is_open(const struct sat_search *search, const struct sat_target *target);

/* -- symmetric.c: fills search->generators; what does not keep the start states is left out -- */
void sat_symmetry_find(struct sat_search *search);
void sat_symmetry_free(struct sat_search *search);

/* -- representative.c: the state represents its orbit; true where there is no symmetry. For one state of a run only. --
 */
bit sat_representative(struct sat_search *search);

/* -- unroll.c: a run of states; each frame has the literals of one state and of the step from it -- */
struct sat_unrolling {
    const struct sat_search *search;
    struct solver *solver;
    VEC(struct cnf) frames;
};
void sat_unroll_begin(struct sat_unrolling *unrolling, const struct sat_search *search);
void sat_unroll_end(struct sat_unrolling *unrolling);
/* Adds the state after the last one, or the first one. */
void sat_unroll_extend(struct sat_unrolling *unrolling);
int sat_unroll_literal(struct sat_unrolling *unrolling, uint32_t frame, bit f);
/* After SOLVER_SATISFIABLE: the values of the state variables. */
void sat_unroll_state(struct sat_unrolling *unrolling, uint32_t frame, bool *values);

/* -- bmc.c. `conflicts`: the effort, 0: as much as it takes. SAT_OPEN: one more step is explored, or the effort was not
 * enough (the same question is asked again the next time). -- */
enum sat_answer sat_bmc_advance(struct sat_search *search, uint32_t conflicts);
/* For a part of the time, in turn with another method. True: there is no more to do for the other one. */
bool sat_bmc_take_turn(struct sat_search *search);
/* A run through so many states is known: looks for a shorter one, for a while. True: something was reported. */
bool sat_bmc_find_shorter(struct sat_search *search, uint32_t states);
void sat_bmc_destroy(struct sat_bmc *bmc);

/* -- induction.c -- */
enum sat_answer sat_induction_run(struct sat_search *search);

/* -- ic3.c. Ends when all is settled or found, or `pause` says so. -- */
/* Is the time over, or all decided? */
bool sat_is_over(struct sat_search *search);
enum sat_answer sat_ic3_run(struct sat_search *search, bool (*pause)(struct sat_search *search));
void sat_ic3_destroy(struct sat_ic3 *ic3);
/* -- ic3_tell.c: after SAT_SETTLED, calls options->on_clause -- */
void sat_ic3_tell(const struct sat_search *search);

/* -- run.c -- */
/* A run through these states (values of the state variables, one after the other) to one of the target. */
struct trace *sat_run_trace(struct sat_search *search, const struct sat_target *target, const bool *states,
                            uint32_t count);

/* -- answer.c -- */
void sat_found(struct sat_search *search, struct sat_target *target, const bool *states, uint32_t count);
void sat_start_faults(struct sat_search *search);
void sat_conclude(struct sat_search *search);
/* Time, memory or a signal: notes why. Always SAT_CUT. */
enum sat_answer sat_cut(struct sat_search *search);
void sat_tell(struct sat_search *search);

#endif
