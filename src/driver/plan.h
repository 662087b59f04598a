/* The plan for checking a model: a list of attempts, each an engine on a view (pass/view.h).
 *
 * The first attempt is always made. Each later attempt is for a certain outcome of the one before it, and is skipped
 * otherwise. Passes that the choice of an engine depends on run while the plan is made, and their views are
 * kept for the attempt: no view is made twice. Views of later attempts are opened when they are needed. */
#ifndef NOETHER_DRIVER_PLAN_H
#define NOETHER_DRIVER_PLAN_H

#include "driver/check.h"
#include "driver/model_sizes.h"
#include "pass/counted.h"

/* When an attempt is made. */
enum cause {
    CAUSE_NONE,     /* it is the first */
    CAUSE_CUT,      /* the attempt before was a trial or the start of a search, and took too long */
    CAUSE_EXCHANGE, /* it found a deadlock that may be none: processes were exchanged */
    CAUSE_DOUBT,  /* it ran on a copy of the model, where evaluation failed: in the model it may not (rewrite/retype.h)
                   */
    CAUSE_FAULT,  /* it found a run-time error on counters, which is to be shown in the model */
    CAUSE_RIVAL,  /* it is a search that grows: this one runs for a part of its time, and may be faster */
    CAUSE_MOMENT, /* the explicit engine is to go on after a trial: this one runs for a moment before that */
    CAUSE_OPEN    /* it ran on a super-structure, which does not decide everything (pass/guarded.h) */
};

/* The views that the passes begin with. */
enum base { BASE_PLAIN, BASE_DECLARED, BASE_DETECTED, BASE_COMBINED, BASE_GUARDED, BASE_VIRTUAL, BASE_COUNT };

struct attempt {
    enum cause cause;
    enum base base;
    bool counts;     /* the counter abstraction of the base */
    bool is_dropped; /* a rival that has no answer, however long it takes */
    bool is_tried;   /* a rival that had its time */
    bool is_start;   /* the limit of states is not the user's: the next attempt races for the same depth */
    const struct engine *engine;
    struct engine_options options;
    struct view *view; /* NULL: not opened yet */
};

struct plan {
    const struct model *model;
    enum engine_choice choice;
    enum symmetry_choice symmetry;
    struct engine_options options; /* as given */
    double begin;                  /* when it was made */
    struct view *bases[BASE_COUNT];
    struct model_sizes *sizes; /* engine cover: the model at other sizes; else NULL */
    bool is_copy;              /* the detected symmetry is one of a copy */
    VEC(struct view *) views;  /* above the bases */
    VEC(struct attempt) attempts;
    const char *refusal;        /* nothing can be done; it may be the time: see watch_is_up */
    struct diagnostics refused; /* the same with its places, where there are some */
    struct arena *words;        /* of the refusal */
    struct text why, set_aside; /* as in struct check */
};

void plan_make(struct plan *plan, const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
               const struct engine_options *options);
void plan_free(struct plan *plan);
/* The views above the bases: what they made may be large, and a result that was lifted does not need them. */
void plan_close_views(struct plan *plan);
/* The refusal of a plan that was not made in time: no engine has begun, and the answer is unknown. */
extern const char *const plan_time_is_over;
/* One line for each attempt. */
void plan_print(const struct plan *plan, struct text *out);

/* As the user asked for. */
enum base plan_symmetry_base(const struct plan *plan);
struct view *plan_base(struct plan *plan, enum base base);
/* As if the engine had been asked for by name: does it count, and on which view? False: it does not support the model,
 * or the time is over. */
bool plan_rival(struct plan *plan, struct attempt *rival);
/* The processor time of a rival that would be given so many seconds whatever it is: more, the first time, if it counts
 * many processes. */
double plan_rival_seconds(const struct attempt *rival, double cpu_seconds);
/* The attempt for CAUSE_MOMENT, or NULL. */
struct attempt *plan_moment(struct plan *plan);
/* Its view, opened if it is not. NULL: plan->refusal says why. */
struct view *plan_view(struct plan *plan, struct attempt *attempt);

/* plan_counters.c: counter abstraction of a model with rules */
/* What was found to be interchangeable, else what is declared; with all properties, else with those that can be
 * counted: fills in the attempt. False: it is refused. */
bool plan_counters(struct plan *plan, struct attempt *attempt);
/* Only where that is likely to pay, for the counter engine and the symbolic one: few counters, all properties. NULL: it
 * is not. `crowd`: what plan_crowd has made of the same base; NULL: nothing. */
struct view *plan_crowd(struct plan *plan, enum base base);
struct view *plan_few_counters(struct plan *plan, enum base base, const struct view *crowd);
/* The counter abstraction of one base, with the options of an attempt. NULL: plan->refusal says why. */
struct view *plan_count(struct plan *plan, enum base base, const struct engine *engine,
                        const struct engine_options *options);

/* Where the detected symmetry proves unusable: the attempt again with the declared symmetry, with counters if they were
 * asked for. */
void plan_add_declared(struct plan *plan, const struct attempt *doubted);

/* plan_guarded.c: --symmetry guarded. */
void plan_by_guards(struct plan *plan);
/* The reason for the engine and the note about symmetry, when the attempt at the super-structure or the model was cut
 * after `states` states and the attempt `next` follows it. */
void plan_note_growth(struct plan *plan, const struct attempt *next, uint64_t states);

/* plan_cover.c: threads. */
/* Any number of them: the engine reads the model at the sizes that it needs. False: plan->refusal says why not. */
bool plan_cover(struct plan *plan, struct attempt *attempt);
/* Their number is fixed: an attempt to answer for any number, which is given up soon. It is for threads with many local
 * states, where the start of a search was too short. False: the answer would say less than that of a search. */
bool plan_threads(struct plan *plan, struct attempt *attempt);

/* plan_virtual.c: puts the attempt of the explicit engine on a virtual symmetry (pass/virtual.h) if the model has one
 * that the detected symmetry lacks. */
bool plan_virtual(struct plan *plan, struct attempt *attempt);

/* plan_chain.c: a model with probabilities. */
void plan_chain(struct plan *plan);

#endif
