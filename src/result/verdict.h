/* The result of a check: one verdict for each property, with the evidence and the figures. */
#ifndef NOETHER_RESULT_VERDICT_H
#define NOETHER_RESULT_VERDICT_H

#include "base/bigint.h"
#include "base/stop.h"
#include "base/vec.h"
#include "exec/profile.h"
#include "result/fallback.h"
#include "result/large.h"
#include "result/quantity.h"
#include "result/trace.h"
#include "symmetry/symmetry.h"

enum verdict { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_UNKNOWN };

struct property_result {
    const struct property *property;
    enum verdict verdict;
    char *reason;         /* violated: what happened; unknown: why; holds: NULL, or a remark */
    struct trace *trace;  /* the run that shows it (also the witness of a cover that is met), or NULL */
    struct fault fault;   /* kind FAULT_NONE when not a fault */
    enum stop_kind stop;  /* unknown: what kind of reason that is, where it is known */
    bool is_left_out;     /* unknown, since the engine cannot say anything about it: looking further would not help */
    bool is_masked;       /* unknown, since a failure that was found may hide this one (result/masked.h) */
    bool is_found;        /* unknown, though a violation was found, or a goal met: its run was not followed */
    uint32_t found_steps; /* of that run */
    bool is_final;        /* it was decided before the watch was up: whatever was cut later, that stays */
    bool has_value;       /* a quantity was asked for (or a bound on it is violated): it lies between these */
    double lower, upper;
    bool is_vacuous;         /* it holds since its antecedent is true in no state that it is about; or is_runless */
    bool is_runless;         /* a CTL or LTL formula that holds since no run is fair, or none goes on for ever */
    uint64_t product_states; /* an LTL formula: reached in the product with its automaton; 0: not counted */
    bool is_range;           /* several states were asked, and differ: from the least to the greatest of their values */
    struct quantity quantity; /* its evidence; empty if not requested */
};

/* One level of a breadth-first search: the frontier when it was begun. */
struct level {
    uint64_t states; /* first reached at this depth */
    double seconds;  /* since the search began */
};

struct statistics {
    uint64_t states;            /* what the engine stores */
    bool is_restore_cut;        /* the checkpoint that it goes on from was not read to its end */
    bool is_stateless;          /* it stores none: neither states nor rules are counted */
    struct bigint *represented; /* concrete states */
    bool represented_is_exact;
    uint64_t transitions; /* successors: rules fired that led to a state */
    uint64_t unmade;      /* of them those that were not made, as others lead there as well */
    uint64_t rules_fired; /* enabled instances fired */
    uint32_t depth;
    double seconds, cpu_seconds;
    double earlier_seconds, earlier_cpu_seconds; /* of these: of the processes that wrote the checkpoint */
    uint64_t peak_bytes, store_bytes;
    uint64_t *fired_by_rule;    /* by rule id; NULL: not known */
    struct large_counts *large; /* the counts above that 64 bits may not hold, exact; NULL: they do */
    bool is_least;              /* not all rules could be counted: the count is a lower bound */
    VEC(struct level) levels;   /* by depth; empty when the search does not go level by level */
    /* Only fingerprints of states were kept: the expected number of missed states. */
    bool is_hash_compact;
    const char *doubt; /* what "holds" is worth: "up to hash collisions", "up to marker collisions"; NULL: no doubt */
    double expected_omissions;
    bool is_thinned;              /* partial-order reduction: some states were left out */
    const char *thinning_refusal; /* it was asked for, and leaves nothing out: why; else NULL */
    uint64_t visited, subsumed;   /* engine `complete`: states looked at, and those found to be covered; else 0 */
};

/* The question was about every size of an index type: what is known. */
struct every_size {
    bool is_asked;
    bool is_fixed;       /* the question was about the size of the model; what is known of every size answers it */
    const char *type;    /* its name, or NULL */
    uint32_t size;       /* the least with which there is a violation; 0: none was found */
    struct text sizes;   /* the same with the constants of several types: "1 of N and 2 of M"; may be empty */
    struct text covered; /* of which sizes all states were explored; may be empty */
    uint32_t cutoff;     /* with more no further pair of a shared and a local state appears; 0: not known */
    uint32_t views;      /* shown by all views of so many elements; 0: by something else, or not */
    uint32_t explored;   /* all states with this size and each smaller one were explored */
    uint32_t shared, locals, steps; /* states and steps of the thread transition system */
    bool is_by_invariant;           /* engine `every`: the figures below are these, the others are not */
    uint32_t clauses, queries;      /* of the invariant that proves it, and answers of a solver it took */
    struct text invariant;          /* in Murphi, a line each */
    const char *solver;             /* whose */
    struct text second;             /* what another solver says */
    struct text cutoffs;            /* what small sizes say of the proof for all of them */
    struct span obstacle_at;        /* the place of the model that a proof does not understand; line 0: none */
    struct text obstacle;           /* why it is not proved; empty where it is */
    const char *obstacle_hint;      /* what to write there instead; or NULL */
    uint32_t basis;                 /* least configurations that lead to a violation, as far as they were computed */
};

struct result {
    const struct system *system;
    const char *engine;
    const char *representative; /* which states of orbits were kept, "none": all. NULL: nothing is to be said of it */
    struct property_result *properties; /* by property id; a property the options switch off is skipped by `checked` */
    bool *checked;
    struct statistics statistics;
    bool is_complete;    /* the whole (reduced) state space was explored */
    bool is_abandoned;   /* the search did not wind up in time: this is what it had reported last */
    struct text counted; /* the model was rewritten: what is counted in it; else empty */
    struct every_size every;
    struct text stepper;     /* what is to be said of how the rules were fired; may be empty */
    fallback_list fallbacks; /* reductions that parts of the work were done without */
    /* Steppers went through all that was looked at, and no implied test (struct expr) found an undefined value. */
    bool is_defined;
    struct profile *profile; /* where the time went; NULL: not requested */
    struct stop stop;        /* why the search is not complete */
};

/* Who may have to answer in place of a search that does not end (cli/partial.h), from another thread, knows the result
 * that is being made: results of this thread about the layout's system are told of. Between RESULT_CHANGES and
 * RESULT_CHANGED no other thread may look, and nothing is allocated. */
enum result_event { RESULT_BEGINS, RESULT_CHANGES, RESULT_CHANGED, RESULT_ENDS };
struct result;
struct result_listener {
    const struct layout *layout;
    void (*tell)(enum result_event event, const struct layout *layout, const struct result *result);
};
/* NULL: none. Returns the listener before. */
const struct result_listener *result_listen(const struct result_listener *listener);
/* Its run is being followed: that it was found is said, also if the time ends before it is confirmed. */
void result_set_found(struct result *result, const struct property *property, uint32_t steps);
/* As it is now, unless the watch of the thread is up: then something that it rests on may have been cut. */
void result_set_final(struct result *result, const struct property *property);
/* Is it shown by a run, even if the search is not complete? */
bool result_is_seen(const struct property_result *entry);

/* Every verdict unknown; everything but the assumptions is checked. */
struct result *result_create(const struct system *system, const char *engine);
void result_destroy(struct result *result);
/* `format` is the reason, or NULL. The property counts as checked from then on. */
void result_set_verdict(struct result *result, const struct property *property, enum verdict verdict,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Unknown: this engine says nothing of it, for this reason. What it has said is withdrawn. */
void result_leave_out(struct result *result, const struct property *property, const char *why);
/* The result owns the trace (NULL: none) from then on. */
void result_set_violated(struct result *result, const struct property *property, const struct fault *fault,
                         struct trace *trace, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The reason is the fault in words (for a goal, after "never reached"); `reason` if there is no fault. */
void result_set_failed(struct result *result, const struct property *property, const struct fault *fault,
                       struct trace *trace, const char *reason);
/* Unknown: the search for it ended early. */
void result_set_unknown(struct result *result, const struct property *property, const struct stop *stop);
/* Takes the reason. */
void result_set_stopped(struct result *result, struct stop stop);
/* The verdict on a property that nothing was found about: it holds, a goal was never reached; or, where the search was
 * not complete, unknown. */
void result_settle(struct result *result, const struct property *property);
/* The time was over before all was looked at, and those who looked could not say so: only what a run shows is certain.
 */
void result_cut(struct result *result, struct stop stop);
/* Where a limit of the tool was reached (`bound` of the property), nothing is known of what lies behind it: the
 * property is unknown, and so is whatever no run shows. */
void result_cut_at_bounds(struct result *result);
/* The same for one property. */
void result_withdraw(struct result *result, const struct property *property, const struct stop *stop);
/* Nothing is known, for this reason. */
struct result *result_refuse(const struct system *system, const char *engine, const char *why);
/* The figures of a search of another system, but for those of single rules, and its fallbacks; `from` loses its levels
 * and fallbacks. */
void result_take_statistics(struct result *result, struct result *from);
/* What another result about the same system says of the property, which is moved, and its fallbacks. */
void result_fill(struct result *result, struct result *from, const struct property *property);
/* Is it asked for and undecided, and no engine has said that it leaves it out? */
bool result_is_open(const struct result *result, size_t property);
bool result_has_open(const struct result *result);
/* 0 all hold, 1 some violated, 3 some unknown. */
int result_exit_code(const struct result *result);

#endif
