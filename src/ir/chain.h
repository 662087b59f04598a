/* What a system has when it is a Markov chain or a decision process.
 *
 * Each probabilistic command of the model, and each set of commands that act together, is a *choice*; each of its
 * outcomes is a rule of the system, with the choice's guard and a weight. So everything that fires rules works on such
 * a system as on any other; who knows of chances groups the rules by choice.
 *
 *   DTMC  the weights of a choice are probabilities; of several enabled choices each is as likely as the others
 *   MDP   the weights of a choice are probabilities; a scheduler picks one of the enabled choices
 *   CTMC  weights are rates; all enabled rules race
 *
 * A state without an enabled choice stays as it is forever (PRISM's fix of deadlocks). */
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

struct choice {
    const char *action; /* NULL: none */
    struct span span;
    uint32_t first_rule, rule_count; /* its outcomes: consecutive rules */
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
    VEC(struct rational *) rationals; /* the factors */
};

/* Makes it the system's; system_destroy frees it. */
struct chain *chain_create(struct system *system, enum chain_kind kind);
void chain_destroy(struct chain *chain);
/* A copy of `factor` that the chain owns. */
const struct rational *chain_keep(struct chain *chain, const struct rational *factor);
const char *chain_kind_name(enum chain_kind kind);

#endif
