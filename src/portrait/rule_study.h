/* Within the inference of partitions: the instances of one rule and their portraits. */
#ifndef NOETHER_PORTRAIT_RULE_STUDY_H
#define NOETHER_PORTRAIT_RULE_STUDY_H

#include "portrait/portrait.h"
#include "portrait/rule_partition.h"

enum { STUDY_MOST_ACTORS = 6 };

/* An instance that may be enabled. */
struct study_item {
    uint64_t label; /* for sorting */
    uint64_t instance;
    uint32_t actors[STUDY_MOST_ACTORS]; /* by parameter: the process it stands for, or NO_ELEMENT */
    uint32_t values;                    /* of its other parameters, interned */
    uint32_t outcome;                   /* its portrait, interned */
};

struct study {
    struct arena *arena;
    const struct roster *roster;
    struct pterms terms;
    struct portrait portrait;
    struct words outcomes, values;
    bool blames;             /* boundaries are wanted */
    const struct rule *rule; /* or: */
    const struct property *property;
    uint32_t actor_count;   /* parameters */
    const bool *is_settled; /* by family: known to be interchangeable */
    struct events events;
    bool has_events;
};

/* rule_blame.c: what distinguishes p and q in the instances of the rule; blame_end after the last question about it */
struct span blame_find(struct study *study, uint32_t p, uint32_t q);
void blame_end(struct study *study);

#endif
