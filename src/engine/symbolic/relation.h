/* The transition relations of a system: one for each instance of a rule that can be enabled.
 *
 * An instance is a partial function of the state. Its relation mentions the next variables of those bits only that it
 * may change (`changed` is the cube of their current variables), so it says nothing about processes it does not touch.
 */
#ifndef NOETHER_ENGINE_SYMBOLIC_RELATION_H
#define NOETHER_ENGINE_SYMBOLIC_RELATION_H

#include "engine/symbolic/encoding.h"
#include "ir/ctl.h"

struct ground_rule {
    const struct rule *rule;
    uint64_t instance;
    struct dd_relation step;
    dd fires;  /* it is enabled here, ends, and nothing goes wrong */
    dd alters; /* ... and leads to another state */
    dd faults; /* something goes wrong here */
};

/* All diagrams in it are referenced. */
struct ground_system {
    struct encoding *encoding;
    VEC(struct ground_rule) rules;
    event_list faults;  /* by property: the states from which some instance violates it */
    event_list covered; /* by property of a cover statement: where some instance meets it */
};

/* The sets in which a formula has a value. */
struct formula_sets {
    dd holds; /* true */
    dd wrong; /* cannot be evaluated */
};

/* From the live states to what is in the machine's memory. Returns those that lead to another state. */
dd relation_make(struct machine *machine, struct dd_relation *relation);
/* The same, but all bits of the cells in memory are in `changed`, also those that keep their values. */
void relation_make_whole(struct machine *machine, struct dd_relation *relation);

/* False: see the refusal. */
bool ground_create(struct ground_system *ground, struct encoding *encoding, struct refusal *refusal);
void ground_destroy(struct ground_system *ground);
/* The sets are referenced. Cover statements in functions that a formula calls do not count. */
bool ground_formula(struct ground_system *ground, const struct expr *formula, bool when_discarded,
                    struct formula_sets *sets, struct refusal *refusal);
/* The same of a proposition, with these values for its variables that do not belong to the state. */
bool ground_proposition(struct ground_system *ground, const struct proposition *proposition, const int32_t *values,
                        struct formula_sets *sets, struct refusal *refusal);
/* All values of a number in the states `under`, each with those that have it (part of `under`, referenced), and where
 * it has none. False: see the refusal; nothing is referenced then. */
bool ground_values(struct ground_system *ground, const struct expr *number, dd under, number_cases *cases, dd *wrong,
                   struct refusal *refusal);

#endif
