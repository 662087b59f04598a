/* The insides of a group, shared by the files that build and use the chain. */
#ifndef NOETHER_GROUP_CHAIN_H
#define NOETHER_GROUP_CHAIN_H

#include <stdbool.h>

#include "group/group.h"

enum { LABEL_NONE = -1, LABEL_ROOT = -2 };

struct strong {
    uint32_t *image, *inverse;
    uint32_t fixes; /* it fixes so many of the first base points: a generator of the levels 0..fixes */
};

struct chain_level {
    uint32_t base;
    uint32_t *orbit, length;
    /* By point: LABEL_NONE, LABEL_ROOT, or 2 * strong (+1: its inverse), the last step from the base point to it. */
    int32_t *label;
};

struct group {
    uint32_t degree;
    bool *is_free; /* by point: in a set that the group takes to itself, and all permutations of that set are in it */
    uint32_t **generators;
    uint32_t generator_count;
    struct strong *strong;
    uint32_t strong_count, strong_capacity;
    struct chain_level *levels;
    uint32_t level_count;
    uint64_t work_left; /* points that the proof of the chain may still multiply */
};

/* Takes `p` apart as far as it goes: p = residue times elements of the chain. Returns the level at which it stopped;
 * level_count: the residue fixes the base. In place, from level `from` on. */
uint32_t chain_sift(const struct group *group, uint32_t from, uint32_t *p);
/* A new strong generator that fixes the first `fixes` base points. A level is added when it fixes all of them. */
void chain_add(struct group *group, const uint32_t *p, uint32_t fixes);
void chain_add_level(struct group *group, uint32_t base);

/* free.c: finds the free points and adds their levels and strong generators, which are all there are for them. What is
 * left to do is the group on the other points. */
void chain_add_free(struct group *group);

#endif
