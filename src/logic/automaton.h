/* A Büchi automaton with generalised acceptance on transitions, and its construction from a formula.
 *
 * It reads words of letters: a letter is the set of atoms that hold in a state. A run is accepting when each of the
 * `mark_count` marks stands on infinitely many of its transitions. The language is that of the formula.
 *
 * Construction: Couvreur's tableau (FM 1999), a state being a set of formulas that the rest of the word must have; one
 * mark for each UNTIL, on the transitions that do not put it off. Then equal states are merged (simulation by
 * signatures), and states from which nothing is accepted are removed.
 *
 * Cost: exponential in the formula at worst; `most` states are the limit, and the watch is polled. */
#ifndef NOETHER_LOGIC_AUTOMATON_H
#define NOETHER_LOGIC_AUTOMATON_H

#include "logic/formula.h"

/* All of `positive` hold, none of `negative`. */
struct logic_label {
    uint64_t positive, negative;
};

static inline bool logic_label_fits(struct logic_label label, uint64_t letter)
{
    return (letter & label.positive) == label.positive && !(letter & label.negative);
}

/* All of so many marks. */
static inline uint64_t marks_all(uint32_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

struct automaton_edge {
    struct logic_label label;
    uint64_t marks;
    uint32_t target;
};

struct automaton {
    uint32_t mark_count; /* 0: every infinite run is accepting */
    uint32_t state_count, start;
    /* Edges of s: edges[first[s]] .. edges[first[s + 1] - 1]. No state: the language is empty. */
    uint32_t *first;
    struct automaton_edge *edges;
};

/* NULL when it would have more than `most` states or 64 marks, or when time is up. */
struct automaton *automaton_create(struct logic *logic, logic_formula formula, uint32_t most);
void automaton_destroy(struct automaton *automaton);
/* Does it accept whatever follows, from this state on? By a loop that says so; false is no proof. */
bool automaton_accepts_all(const struct automaton *automaton, uint32_t state);
/* Does every accepting run come to a state that accepts all? By a mark that stands only there; false is no proof. */
bool automaton_is_terminal(const struct automaton *automaton);
/* May an accepting run come to this state infinitely often: do all marks stand on edges of its strongly connected
 * component? Takes time proportional to the edges times the longest way in it. */
bool automaton_is_recurrent(const struct automaton *automaton, uint32_t state);

#endif
