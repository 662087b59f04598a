/* Chances in sets of states: what can be said of a Markov chain or decision process without numbers.
 *
 * Whether a chance is 0, or 1, is a matter of the graph: fixed points of sets (the algorithms of numeric/reverse.c, on
 * decision diagrams; C. Baier, J.-P. Katoen, "Principles of Model Checking", section 10.6). That decides every bound of 0
 * and 1, and every question whose answer is one of the two. What asks for a number in between is left open, with the
 * reason.
 *
 *   chance.c          the choices of the model; what a run of the engine does
 *   chance_weights.c  weights: where an outcome has none, and that those of a choice add up to 1
 *   chance_sets.c     states before a set, and where a chance is 0 or 1
 *   chance_formula.c  formulas */
#ifndef NOETHER_ENGINE_SYMBOLIC_CHANCE_H
#define NOETHER_ENGINE_SYMBOLIC_CHANCE_H

#include "engine/symbolic/model.h"
#include "ir/pctl.h"

/* One outcome of a choice: a rule that is enabled somewhere, where its weight is not 0. Referenced. */
struct chance_outcome {
    struct dd_relation step;
    struct dd_relation back; /* from a state to those before it */
    dd happens;
};

struct chance_choice {
    const struct choice *choice;
    uint32_t first, count; /* its outcomes */
    dd enabled;            /* referenced */
};

struct chance_turning {
    dd changed; /* referenced */
    const struct dd_permutation *permutation;
};

struct chance {
    struct symbolic_model model;
    const struct chain *chain;
    struct result *result;
    VEC(struct chance_outcome) outcomes;
    VEC(struct chance_choice) choices;
    VEC(struct chance_turning) turnings;
    dd dead;      /* the reached states in which nothing is enabled; they stay as they are */
    VEC(dd) kept; /* referenced, until the property under way is decided */
    char *failure; /* why there is no answer; NULL: none */
};

struct result *chance_run(const struct layout *layout, const struct symmetry *symmetry,
                          const struct engine_options *options);

/* Sets the failure, if there is none yet; false. */
bool chance_fail(struct chance *chance, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Kept until the property under way is decided. DD_NONE is a failure. */
dd chance_keep(struct chance *chance, dd set);

/* chance_weights.c: `step` and `happens` of a rule's outcome (referenced), where its weight is not 0. False: a failure. */
bool chance_weigh(struct chance *chance, const struct ground_rule *rule, struct chance_outcome *outcome);
/* In every reached state the weights of each enabled choice add up to 1 (or are rates), and no outcome is wrong. */
bool chance_check_weights(struct chance *chance);

/* The relation in the other direction: current and next variables exchanged where it changes something. */
dd chance_turn(struct chance *chance, dd relation, dd changed);

/* chance_sets.c: kept sets. */
dd chance_complement(struct chance *chance, dd set); /* among the reached states */
/* From which states of `through` there is a way into the goal, which is part of the answer. `safe`: by choice, where it
 * may be taken; NULL: wherever it is enabled. */
dd chance_reach(struct chance *chance, dd through, dd goal, const dd *safe);
/* Where the least or greatest chance of "left until goal" is 0, and where it is 1. */
dd chance_zero(struct chance *chance, dd left, dd goal, bool is_least);
dd chance_one(struct chance *chance, dd left, dd goal, bool is_least);
/* Where the set can be stayed in forever: some path does. */
dd chance_forever(struct chance *chance, dd set);
/* The states before: some successor is in the set; a dead state is before itself. */
dd chance_before(struct chance *chance, dd set);

/* chance_count.c: what the reached states stand for, when some of their cells count. */
void chance_count_represented(struct symbolic_model *model, const struct counting *counting,
                              struct statistics *statistics);

/* chance_formula.c */
enum chance_kind { CHANCE_TRUTH, CHANCE_SHARE, CHANCE_NUMBER };
struct chance_value {
    enum chance_kind kind;
    dd truth;               /* TRUTH: where it is true */
    dd zero, one;           /* SHARE: where it is 0, where 1; elsewhere in between */
    double lower, upper;    /* NUMBER: everywhere the same, between these */
};
bool chance_evaluate(struct chance *chance, const struct pctl *formula, struct chance_value *value);
/* Of these states the smallest and the greatest value. False: not known without numbers. */
bool chance_range(struct chance *chance, const struct chance_value *value, dd states, double *lower, double *upper);

#endif
