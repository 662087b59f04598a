/* Flow of a Boolean program -> system: shared by lower_*.c.
 *
 * `pc` has the node of each thread, or `unborn`. A local variable is an array over the threads, one for each level of
 * recursion; it is false while no frame of the thread has it. Variables that nothing reads are left out. While a thread
 * is within an atomic section, `atomic` is true and the rules of all others are disabled. */
#ifndef NOETHER_LANG_BOOLEAN_LOWER_H
#define NOETHER_LANG_BOOLEAN_LOWER_H

#include "lang/boolean/flow.h"
#include "lang/boolean/threads.h"

/* How many values a step, or the start, may choose. */
enum { LOWER_MAX_CHOICES = 20 };

struct bp_lowering {
    struct threads threads;
    struct bp_program *program;
    struct bp_flow *flow;
    struct arena *arena; /* of the reader */
    struct diagnostics *diagnostics;
    const struct variable *pc, *atomic; /* atomic: NULL where there are no such sections */
    const struct variable **globals;    /* by number; NULL: left out */
    const struct variable ***homes;     /* by procedure and level: by number; NULL: left out, or no such level */
    const struct variable *thread, *other, *each;
    VEC(const struct variable *) choices; /* parameters of rules, used by all of them */
    const struct property *too_deep;
};

/* One value of a parallel assignment. */
struct bp_put {
    const struct variable *home, *thread; /* thread NULL: a global */
    struct expr *value;
    const struct bp_expr *source; /* that the value comes from, or NULL: it reads nothing that is assigned */
};
struct bp_puts {
    struct bp_put *items;
    size_t count, capacity;
};

/* lower_name.c */
uint32_t bp_unborn(const struct bp_lowering *lower);
const struct type *bp_places(struct bp_lowering *lower);
const char *bp_rule_name(struct bp_lowering *lower, const struct flow_move *move);

/* lower_expr.c */
/* NULL: it is left out. */
const struct variable *bp_home(const struct bp_lowering *lower, const struct flow_frame *frame,
                               const struct bp_variable *variable);
const struct variable *bp_choice(struct bp_lowering *lower, size_t number);
/* `step` says what 'x is. */
struct expr *bp_lower_expr(struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_step *step,
                           const struct bp_expr *expr);
/* Is it * or !*, which can be either? */
bool bp_is_free(const struct bp_expr *expr);
void bp_put_all(struct bp_lowering *lower, const struct flow_frame *frame, struct bp_puts *puts,
                struct thread_steps *body, struct span span);

/* lower_move.c */
void bp_lower_move(struct bp_lowering *lower, const struct flow_move *move);

/* lower.c */
struct system *bp_lower(struct bp_program *program, struct bp_flow *flow, const char *name, uint32_t thread_count,
                        const struct source *const *asked, struct arena *arena, struct diagnostics *diagnostics);

/* lower_property.c: "unreachable LABEL", and SLIC_ERROR, the label of SLAM. */
void bp_lower_properties(struct bp_lowering *lower, const struct source *const *asked);

#endif
