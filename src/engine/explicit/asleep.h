/* Sleep sets of one step, in a search level by level: successors that another state of the level leads to as well are
 * not made (Godefroid, Using partial orders to improve automatic verification methods, CAV 1990). No state is left out.
 *
 * Two instances are *apart* if neither writes what the other touches (stubborn_is_apart). Instances have an order,
 * which is the same throughout a level. In a state s that was found by a from p, every b before a that is apart from it
 * is asleep: where it is enabled, it is counted and not fired. Why each state t, n + 1 steps from a start state, is
 * found all the same, if all states that are n steps or fewer away were:
 *   - Some instance b leads to t from a state s that is n steps away. If b is asleep in s, then s was found by an a
 *     behind b in the order, from a p that is n - 1 steps away; b is enabled in p, too, since a writes nothing that b
 *     reads, and leads to a state q; and a leads from q to t.
 *   - q is at most n steps away, and t is n + 1: so it is exactly n, and was found. Of the step by a from q into t the
 *     same can be said as of that by b from s, and a is behind b. There are finitely many instances: one of them is not
 *     asleep.
 * It does not matter which of its predecessors a state was found from, nor in which order the states of a level are
 * expanded: so threads do not matter. A state of which it is not known how it was found (mark 0) has none asleep.
 *
 * What an instance touches may depend on the value of a cell (stubborn.h): then "a" and "b" above are variants of
 * instances, which have the places of their instances in the order. a leaves the cell of b as it is, since b reads it,
 * and the other way round: so b is the same variant in p as in s, and a in q as in p.
 *
 * With symmetry the order is one of rules, and among the instances of one rule that of their keys (canon_key) in the
 * state that they lead from. A permutation that is applied to the state and to the instance keeps both, and so the
 * place of the instance in the order. Let the representative s be the image under x of the state that a led to from p.
 * Then s was found by x(a) from x(p), which is as far away as p is; the above holds of s, x(a), x(p) and b, with "a
 * state of its orbit was found" for "it was found", and of a representative z(q) of q's orbit: the step from it is
 * zx(a), which has there the place that x(a) has in q. Where x is not known, nothing is asleep. (An instance that is
 * left out because twins make an earlier one lead to the same orbit, canon_is_repeat, may leave it to one that is
 * asleep: the orbit is found by what that one is asleep for, and both have one place.)
 *   Of instances of one rule b is asleep only if, besides being apart, neither x(a) nor b writes a cell that the key of
 * the other depends on. Then the key of b in s is that in x(p), and the key of x(a) in q is that in x(p), which is the
 * key of a in p: it is kept with s (asleep_mark). So what is compared in s are the places of b in s and of x(a) in q,
 * and from each step to the one that it is left to, keys grow, or rules come later. Keys that are equal make none
 * asleep, and so does a key that was not kept (0).
 *
 * A failure of b in s is a failure of b in p, which was found there, one step earlier. (In the levels behind a failure
 * nothing is asleep: those that fail are not to be counted among those that fire.) A state in which only instances
 * asleep are enabled is no deadlock; where it counts as one if none of them leads anywhere else, one looks
 * (expand.c).
 *
 * The order is chosen by what it saves: in some states nothing is asleep, and it is counted which enabled instances
 * could be. Ranks do not tell each other, and keep the order that they begin with: it must be that of all. */
#ifndef NOETHER_ENGINE_EXPLICIT_ASLEEP_H
#define NOETHER_ENGINE_EXPLICIT_ASLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "stubborn/stubborn.h"

struct canon;
struct rule;
struct explicit_search;
struct asleep;

enum {
    ASLEEP_MOST = 2048, /* instances; for more it takes too much memory */
    ASLEEP_WORDS = ASLEEP_MOST / 64 + 1
};

/* While one thread is at work: before a level is expanded. Does nothing where it is not worth it, or not possible. */
void asleep_begin_level(struct explicit_search *search);
void asleep_destroy(struct asleep *asleep); /* NULL: nothing */
/* How a state was found that the instance of this number led to (0: not known, and so is this), with symmetry after
 * canon_successor: the instance of the rule led to it, which the permutation to the representative takes to the number.
 */
uint16_t asleep_mark(const struct asleep *asleep, struct canon *canon, const struct rule *rule, uint64_t instance,
                     uint16_t number);
/* By number of an instance, a bit: those that are asleep in a state with this mark. */
const uint64_t *asleep_after(const struct asleep *asleep, uint16_t mark);
/* The same with those of the rule of the mark, where there are any, in the state that canon has begun with: in `room`
 * for ASLEEP_WORDS. */
const uint64_t *asleep_by_key(const struct asleep *asleep, struct canon *canon, uint16_t mark, uint64_t *room);
/* Does it depend on the cells of the state which others are asleep? Then these are all, in such room, too. */
bool asleep_depends(const struct asleep *asleep, uint16_t mark);
const uint64_t *asleep_by_cells(const struct asleep *asleep, uint16_t mark, const int32_t *cells, uint64_t *room);
/* NULL: there are none. */
const struct stubborn_variants *asleep_variants(const struct asleep *asleep);
/* Is it known of all these instances that they lead to another state where they are enabled? */
bool asleep_all_move(const struct asleep *asleep, const uint64_t *instances);
/* Is a state with this mark to be looked at by asleep_count, with nothing asleep? By the first worker. */
bool asleep_samples(struct asleep *asleep, uint16_t mark);
void asleep_count(struct asleep *asleep, uint16_t mark, uint32_t number); /* which may be of a variant */

#endif
