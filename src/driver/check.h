/* Checking a loaded model: which symmetry, which engine, within which limits. */
#ifndef NOETHER_DRIVER_CHECK_H
#define NOETHER_DRIVER_CHECK_H

#include "driver/model.h"
#include "engine/engine.h"
#include "detect/detect.h"

/* auto: declared and detected; guarded: that of the model without the guards that break it (pass/guarded.h) */
enum symmetry_choice { SYMMETRY_AUTO, SYMMETRY_DECLARED, SYMMETRY_OFF, SYMMETRY_GUARDED, SYMMETRY_DETECTED };
enum engine_choice {
    ENGINE_AUTO,
    ENGINE_EXPLICIT,
    ENGINE_ADAPTIVE,
    ENGINE_COMPLETE,
    ENGINE_SYMBOLIC,
    ENGINE_COUNTER,
    ENGINE_COVER,
    ENGINE_SAT,
    ENGINE_EVERY,
    ENGINE_PROBABILISTIC
}; /* auto: choose.h */

/* As --engine names it. False: there is none. */
bool engine_choice_of(const char *name, enum engine_choice *choice);

const struct engine *engine_of(enum engine_choice choice); /* not auto */

struct plan; /* driver/plan.h */

struct check {
    const struct symmetry *symmetry;
    const struct layout *layout; /* of the states in the traces: the model's, or that of a copy with other codes */
    struct result *result;       /* NULL: refused, see `refusal` */
    const char *refusal;
    const struct diagnostics *refused; /* the same with its places, where there are some */
    const char *set_aside;             /* why symmetry that the model has is not used; NULL: it is */
    const char *why;                   /* ENGINE_AUTO: the engine and why it was chosen, a sentence; or NULL */
    struct text planned;               /* the plan, a line for each attempt */
    struct plan *plan;                 /* owns all that the others point to */
};

/* The answer's traces point into the model. Every trace in it has been replayed by the IR evaluator once more: one
 * that does not replay turns the verdict into unknown, as an internal error. */
struct check check_model(const struct model *model, enum engine_choice engine, enum symmetry_choice symmetry,
                         const struct engine_options *options);
void check_free(struct check *check);
/* Only the symmetry, with its layout. */
struct check check_symmetry(const struct model *model, enum symmetry_choice symmetry);
/* Can it be asked about any number of threads (engine cover)? Models without a size that is a parameter are refused
 * there, with the reason. */
bool check_is_of_threads(const struct model *model);
/* What would be done. */
void check_print_plan(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                      const struct engine_options *options, struct text *out);

/* confirm.c */
/* The options that say what a run shows. */
struct evidence_mode {
    enum deadlock_mode deadlock;
    bool drops_finite; /* runs that end do not count (--finite-runs drop) */
};
/* Replays every trace, and withdraws what one does not show. */
void check_confirm(struct result *result, const struct evidence_mode *mode);
/* Reads a trace's evidence for what was said of the property: NULL when the evaluator agrees, else what is wrong (on
 * the heap). */
char *check_evidence(struct trace *trace, const struct property *property, enum verdict verdict,
                     const struct evidence_mode *mode);
/* What goes wrong when the property is evaluated in the last state; kind FAULT_NONE when it is just true or false. */
struct fault check_last_fault(const struct trace *trace, const struct property *property);

/* 80% of the memory this process may use, and whose limit that is: "this machine", "the control group", ... */
struct memory_share {
    uint64_t bytes;
    const char *of;
};
struct memory_share check_memory_share(void);
uint64_t check_default_memory(void);
bool check_address_space_is_limited(void);

#endif
