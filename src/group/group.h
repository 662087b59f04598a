/* A permutation group of the points 0..degree-1: generators, and a stabiliser chain (base and strong generators).
 *
 * The chain (Schreier, Sims): base points b1, b2, ... such that only the identity fixes them all. Level i is the group
 * that fixes b1..bi, kept as the orbit of b(i+1) in it, with a tree of strong generators that lead to each point of the
 * orbit. Every element is a product of one representative from each level in exactly one way, so the order is the
 * product of the orbits' lengths, and membership is decided by taking an element apart (sifting).
 *
 * Built with random elements (product replacement; the seed is fixed, so runs are deterministic), then proved: unless
 * the order found reaches a known upper bound, every Schreier generator is sifted. Never wrong, only slow at worst.
 *
 * Space: one word for each point and level, two permutations for each strong generator. */
#ifndef NOETHER_GROUP_GROUP_H
#define NOETHER_GROUP_GROUP_H

#include "base/bigint.h"
#include "base/watch.h"
#include "group/perm.h"

struct group;

#define GROUP_NOWHERE UINT32_MAX

struct group *group_create(uint32_t degree, const uint32_t *const *generators, uint32_t count);
/* The same with a bound on the work and the time of the proof that the chain is complete. NULL: they were exceeded. The
 * watch may be NULL. */
struct group *group_create_within(uint32_t degree, const uint32_t *const *generators, uint32_t count, uint64_t most,
                                  const struct watch *watch);
/* The chain's base begins with these points (all different), in this order, needed or not. */
struct group *group_create_based(uint32_t degree, const uint32_t *const *generators, uint32_t count,
                                 const uint32_t *base, uint32_t base_count);
void group_destroy(struct group *group);

uint32_t group_degree(const struct group *group);
/* The generators given, without repetitions and the identity. */
uint32_t group_generator_count(const struct group *group);
const uint32_t *group_generator(const struct group *group, uint32_t which);
/* The strong generators; those of the whole group and of its chain. */
uint32_t group_strong_count(const struct group *group);
const uint32_t *group_strong(const struct group *group, uint32_t which);
bool group_is_trivial(const struct group *group);

/* `order` = the order of the group. */
void group_order(const struct group *group, struct bigint *order);
/* false: it does not fit. */
bool group_order_small(const struct group *group, uint64_t *order);
bool group_has(const struct group *group, const uint32_t *p);
/* Calls `visit` with every element, each once, the identity first, until it returns false. Returns whether all were
 * visited. */
bool group_each(const struct group *group, bool (*visit)(void *user, const uint32_t *element), void *user);

/* The chain, for those who search in it. */
uint32_t group_level_count(const struct group *group);
/* The orbit of the level's base point under what fixes the base points before it; the base point first. */
const uint32_t *group_level_orbit(const struct group *group, uint32_t level, uint32_t *length);
bool group_level_reaches(const struct group *group, uint32_t level, uint32_t point);
/* out = an element that fixes the base points before, and takes the level's base point to `point`, which it reaches. */
void group_level_element(const struct group *group, uint32_t level, uint32_t point, uint32_t *out);
/* Strong generators that fix the first `level` base points. `out` has room for group_strong_count pointers. */
uint32_t group_level_generators(const struct group *group, uint32_t level, const uint32_t **out);

/* --- orbits and stabilisers (orbits.c, stabiliser.c) --- */

/* orbit[i] = the least point of the orbit of i. Returns how many orbits there are. */
uint32_t group_orbits(const struct group *group, uint32_t *orbit);
uint32_t orbits_of(uint32_t degree, const uint32_t *const *generators, uint32_t count, uint32_t *orbit);
/* What fixes each of the points. */
struct group *group_fix_points(const struct group *group, const uint32_t *points, uint32_t count);
/* The group's action on a set it takes to itself, as a group on 0..count-1: point i is points[i]. */
struct group *group_restrict(const struct group *group, const uint32_t *points, uint32_t count);

/* --- blocks (blocks.c) --- */

/* A system of smallest blocks, more than one of more than one point. 0: the action on the orbit is primitive. */
uint32_t group_least_blocks(const struct group *group, const uint32_t *orbit, uint32_t length, uint32_t *block);

#endif
