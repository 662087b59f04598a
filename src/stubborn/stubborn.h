/* Stubborn sets: which of the enabled instances of rules have to be followed in a state, when the order of the others
 * does not matter (partial-order reduction).
 *
 * The sets are Valmari's strong ones, made of guards (Valmari, Stubborn sets for reduced state space generation, 1991;
 * Laarman, Pater, van de Pol, Hansen, Guard-based partial-order reduction, STTT 2016). A set T of instances is stubborn
 * in a state if
 *   - an enabled one is in it, unless there is none,
 *   - with an enabled one all are in it that do not accord with it: there is a state in which both are enabled, and
 *     they do not commute, or one disables the other,
 *   - with a disabled one all are in it that could make one conjunct of its guard true that is false now.
 * Then, whatever run of others begins in the state, the first of T in it can be taken first, and leads to the same
 * state; and an enabled one of T stays enabled along a run that has none of T.
 *
 * What follows from that, for a search that follows a stubborn set in each state, and no state is ignored for ever (the
 * search sees to that: engine/explicit/thin.c):
 *   - Every deadlock is reached.
 *   - Every instance that fires in some run fires in a run of the search, with the same values of all it reads: so
 *     every failed assertion, error statement and run-time error is found, whichever instances are visible.
 *   - An invariant counts as one more instance, which is enabled where the formula is false and changes nothing: so
 *     every violation of it is found. So does a cover. This is the condition of visibility, conjunct by conjunct.
 * With symmetry the set is that of the representative: the run to a violation from any state of the orbit is the
 * image of one from there, equally long (Emerson, Jha, Peled, Combining partial order and symmetry reductions, TACAS
 * 1997).
 *
 * An instance that leads back to the same state counts as disabled: it may be left out of every run, and a state in
 * which nothing else is enabled is a deadlock to some (--deadlock stuttering).
 *
 * A step of several rules (system->holder) is one instance, of the first rule: it reads and writes what any rule of the
 * chain may. What waits until nothing else can move (system->idle) cannot begin as long as an enabled instance of the
 * set has not been taken: nothing needs to be done for it, and where nothing else is enabled all are followed. */
#ifndef NOETHER_STUBBORN_STUBBORN_H
#define NOETHER_STUBBORN_STUBBORN_H

#include "exec/stepper.h"
#include "symmetry/symmetry.h"

/* Of a system: which instances accord, and which enable which. Shared by threads. */
struct stubborn;
/* Of a thread: the state at hand. */
struct stubborn_hand;

/* `is_observed`: by property id, the invariants and covers whose truth is to be kept. */
struct stubborn *stubborn_create(const struct layout *layout, const struct symmetry *symmetry, const bool *is_observed);
/* What each instance touches, and no more: there are no sets to be had, only stubborn_is_apart. With variants, as many
 * as make `most` numbers together with the instances. */
struct stubborn *stubborn_create_traces(const struct layout *layout, const struct symmetry *symmetry, uint32_t most);
void stubborn_destroy(struct stubborn *stubborn);
/* Why nothing can be left out of this system; NULL: something may. */
const char *stubborn_refusal(const struct stubborn *stubborn);

/* Instances by number (system_first_number): neither writes what the other reads or writes, wherever both are enabled.
 * So none of them makes a difference to whether the other is enabled, and in either order they lead to the same state.
 */
bool stubborn_is_apart(const struct stubborn *stubborn, uint32_t one, uint32_t other);
/* Does it write none of these cells, given by bit, wherever it is enabled? */
bool stubborn_keeps(const struct stubborn *stubborn, uint32_t number, const uint64_t *cells);

/* Does it lead to another state wherever it is enabled, since a cell has not the value then that its guard asks for? */
bool stubborn_moves(const struct stubborn *stubborn, uint32_t number);

/* What an instance touches may depend on a cell: a[x] := 1 on that of x. A *variant* of it is the instance in states in
 * which the cell has a certain value; it has a number, too, and of variants stubborn_is_apart says more than of their
 * instances. (It reads the cell: what is apart from it leaves the variant what it is.) */
struct stubborn_variants {
    uint32_t cell;
    int32_t low;    /* the least value of the cell, */
    uint32_t size;  /* how many it may have, 0: there are no variants, */
    uint32_t first; /* and the number of the one with the least */
};
/* By number of an instance, and how many numbers there are, from 1 on, of both. */
const struct stubborn_variants *stubborn_variants_of(const struct stubborn *stubborn, uint32_t *count);
/* The number of the instance's variant in a state; its own number, if it has none. */
static inline uint32_t variant_number(const struct stubborn_variants *variants, uint32_t number, const int32_t *cells)
{
    const struct stubborn_variants *of = &variants[number];
    uint32_t place = of->size ? (uint32_t)cells[of->cell] - (uint32_t)of->low : 0;
    return place < of->size ? of->first + place : number;
}

struct stubborn_hand *stubborn_hand_create(const struct stubborn *stubborn);
void stubborn_hand_destroy(struct stubborn_hand *hand);

/* A state: then each instance that is enabled in it is noted, once or more often, with whether it leads anywhere else
 * (or fails); then one set after the other can be had, small ones first. False: there is none but that of all. */
void stubborn_begin(struct stubborn_hand *hand, const int32_t *cells);
void stubborn_note(struct stubborn_hand *hand, const struct rule *rule, uint64_t instance, bool is_moving);
bool stubborn_next(struct stubborn_hand *hand);
/* Is it in the set? */
bool stubborn_has(const struct stubborn_hand *hand, const struct rule *rule, uint64_t instance);

#endif
