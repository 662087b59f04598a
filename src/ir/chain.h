/* The probabilistic part of a system: a Markov chain or a decision process.
 *
 * Each probabilistic command of the model, and each combination of synchronised commands, is a *choice*; each of its
 * outcomes is a rule of the system, with the choice's guard and a weight. So everything that fires rules works on such
 * a system as on any other; probabilistic engines group the rules by choice.
 *
 *   DTMC  the weights of a choice are probabilities; all enabled choices have the same probability
 *   MDP   the weights of a choice are probabilities; a scheduler picks one of the enabled choices
 *   CTMC  weights are rates; all enabled rules race
 *
 * If synchronised commands have too many combinations to write each of them down, all of them are one rule with a
 * *joint*: its parameters say which command each module takes, and which outcome of it. Guard and body depend on these
 * parameters, so it fires as any other rule; the choices and the weights are in the joint.
 *
 * A state without an enabled choice has a self-loop (PRISM's fix of deadlocks). */
#ifndef NOETHER_IR_CHAIN_H
#define NOETHER_IR_CHAIN_H

#include "base/rational.h"
#include "ir/ctl.h"

struct pctl;

enum chain_kind { CHAIN_DTMC, CHAIN_MDP, CHAIN_CTMC };

/* A number that may depend on the state: factor * top / bottom. top and bottom are integer expressions; NULL: 1. */
struct weight {
    const struct rational *factor; /* owned by the system */
    double value;                  /* the double nearest to it */
    bool is_rounded;               /* the factor is only near to what was written (a logarithm, a root) */
    struct expr *top, *bottom;
};

/* What the modeller wrote once and copied. */
struct chain_module {
    const char *name;
    struct span span;
    uint32_t original;     /* the module it is a copy of (itself: none) */
    const uint32_t *cells; /* its variables: those of a copy correspond to those of the original */
    uint32_t cell_count;
};

struct label {
    const char *name;
    struct span span;
    struct expr *formula;
};

/* A command that takes part in a synchronised choice and whose own probabilities, all of them constants, do not add up
 * to 1. `module` NULL: there is none. */
struct uneven {
    const char *module;
    struct span span;
    double sum;
};

struct choice {
    const char *action; /* NULL: none */
    struct span span;
    const uint32_t *modules; /* that take part */
    uint32_t module_count;
    uint32_t first_rule, rule_count; /* its outcomes: consecutive rules; one rule with a joint: many choices */
    struct uneven uneven;            /* not of a joint: see chain_uneven */
};

/* The parts read the state before, and write cells that no other part writes. */
struct joint_outcome {
    const struct weight *weight;
    struct block body;
};

struct joint_command {
    struct span span;
    struct expr *guard;
    struct joint_outcome *outcomes;
    uint32_t outcome_count;
};

/* JOINT_ALONE: there is just one, and no parameter. */
enum { JOINT_ALONE = UINT32_MAX };
struct joint_part {
    const char *name;
    struct joint_command *commands;
    uint32_t command_count;
    uint32_t command_parameter, outcome_parameter; /* of the rule: 0 .. count - 1 */
};

/* One command of each part, together. The parameters for commands come first: instances with the same commands are the
 * outcomes of one choice, and follow each other. */
struct joint {
    struct joint_part *parts;
    uint32_t part_count;
    uint64_t outcome_ways; /* instance / outcome_ways: the number of its choice (chain_way) */
};

/* Of states in which the guard holds; or of the choices with that action (NULL: without one) taken there. */
struct reward {
    bool is_transition;
    const char *action;
    const struct proposition *guard;
    const struct weight *value;
};

struct reward_structure {
    const char *name; /* NULL: none */
    struct span span;
    struct reward *items;
    uint32_t count;
};

struct chain {
    enum chain_kind kind;
    struct choice *choices;
    uint32_t choice_count;
    struct reward_structure *rewards;
    uint32_t reward_count;
    struct chain_module *modules;
    uint32_t module_count;
    struct label *labels; /* those that properties use are in the properties, too; a retyped copy has none */
    uint32_t label_count;
    const uint32_t *order; /* the cells as the variables were declared: this is the order of states */
    uint32_t order_count;
    VEC(struct rational *) rationals; /* the factors */
};

/* Makes it the system's; system_destroy frees it. */
struct chain *chain_create(struct system *system, enum chain_kind kind);
void chain_destroy(struct chain *chain);
/* A copy of `factor` that the chain owns. */
const struct rational *chain_keep(struct chain *chain, const struct rational *factor);
/* NULL: no action. */
bool chain_is_same_action(const char *a, const char *b);

/* Does it have rewards of transitions, or of states? */
bool chain_has_rewards(const struct reward_structure *structure, bool of_transitions);

/* The number of the choice that the rule is an outcome of. */
uint32_t chain_choice(const struct chain *chain, const struct rule *rule);
/* Of an instance of a rule: which of the choices that the rule stands for it is an outcome of. */
uint64_t chain_way(const struct rule *rule, uint64_t instance);
/* Which command makes the sum of the choice wrong, where that is known. `way`: as chain_way has it. */
struct uneven chain_uneven(const struct choice *choice, const struct rule *rule, uint64_t way);
/* Is that so far from 1 that it is no matter of rounding? */
bool chain_is_uneven(double sum);
/* The weights whose product is that of the instance, and how many; room for chain_most_weights. */
uint32_t chain_weights(const struct rule *rule, uint64_t instance, const struct weight **weights);
uint32_t chain_most_weights(const struct system *system);
/* Is a weight of the rule only near to what was written? */
bool chain_is_rounded(const struct rule *rule);

#endif
