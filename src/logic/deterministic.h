/* A deterministic automaton with the language of a Büchi automaton, made as it is read.
 *
 * Every step has a priority; a word is accepted when the least priority of those that occur again and again is even.
 * (Exchanging even and odd gives the complement.) Only the letters that are asked for are followed, since those of a
 * model are few.
 *
 * Construction: Safra's trees with the naming of Piterman (LICS 2006), for acceptance on transitions; marks are counted
 * off one after the other first. Automata that are deterministic already keep their states, and those of safety
 * formulas become their subsets.
 *
 * Cost: (2n)^n states at worst; `most` is the limit. Ownership: it keeps nothing of the automaton. One thread. */
#ifndef NOETHER_LOGIC_DETERMINISTIC_H
#define NOETHER_LOGIC_DETERMINISTIC_H

#include "logic/automaton.h"

struct deterministic;

struct deterministic_move {
    uint32_t target, priority;
};

/* State 0 is the start. */
struct deterministic *deterministic_create(const struct automaton *automaton, uint32_t most);
void deterministic_destroy(struct deterministic *deterministic);
/* False: there would be more than `most` states. */
bool deterministic_step(struct deterministic *deterministic, uint32_t state, uint64_t letter,
                        struct deterministic_move *move);
uint32_t deterministic_count(const struct deterministic *deterministic);
uint64_t deterministic_bytes(const struct deterministic *deterministic);
/* Is every word accepted from there on? False: not known. For a co-safe formula: is what was read enough? */
bool deterministic_accepts_all(const struct deterministic *deterministic, uint32_t state);
/* Is no word accepted? False: not known. */
bool deterministic_accepts_none(const struct deterministic *deterministic, uint32_t state);

#endif
