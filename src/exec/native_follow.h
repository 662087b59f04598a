/* A step of several rules (exec/macro.h), followed within native code as long as there is one way to go.
 *
 * Most steps of several rules are chains: where the holder is, one rule is enabled, with one instance, or none. Such a
 * chain is fired in place, in the memory of the first rule, and yields one state. Whatever else happens (a choice, a
 * fault, an assumption that fails, a chain without end) is left to exec/macro.c, from the state that the first rule led
 * to. */
#ifndef NOETHER_EXEC_NATIVE_FOLLOW_H
#define NOETHER_EXEC_NATIVE_FOLLOW_H

#include "exec/native_dispatch.h"
#include "exec/stepper.h"

enum { FOLLOW_MOST = 256 }; /* rules of a chain behind the first */

/* Where the only selector that looks at a holder does so. */
struct follow_seat {
    const struct native_selector *selector; /* NULL: there are several, or none */
    uint32_t position;
};

struct native_follow {
    const struct native_program *program;
    const struct layout *layout;
    bool is_possible; /* while something is held, the rules of the holder alone can fire, as far as is known */
    struct native_dispatch dispatch;
    struct follow_seat *seats; /* by holder, from first_seat on */
    int64_t first_seat, seat_count;
    struct passed first;            /* the rule that the chain began with */
    int32_t *held;                  /* the state it led to */
    uint32_t at[NATIVE_PARAMETERS]; /* its parameters */
    uint32_t chain[FOLLOW_MOST];    /* the rules before the last */
};

void follow_open(struct native_follow *follow, const struct native_program *program, const struct layout *layout);
void follow_close(struct native_follow *follow);

/* Does the state in memory, to which a rule has led, belong to a step that is to be followed? */
static inline bool follow_is_due(const struct native_follow *follow, const int32_t *memory)
{
    return follow->is_possible && memory[follow->program->holder] != follow->program->nobody;
}

/* Goes on from there, which `step` tells of: then it tells of the state at the end of the chain, and `passed_by_rule`
 * counts the rules before the last. Otherwise nothing has changed. The run is to have no rule under way: its parameters
 * are kept. */
void follow_chain(struct native_follow *follow, struct native_run *run, int32_t *memory, struct step *step,
                  uint64_t *passed_by_rule);

#endif
