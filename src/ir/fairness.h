/* What runs are fair: a requirement on infinite runs, for every choice of values for its variables.
 *
 * All are of one form, with two events: if the first happens infinitely often, so does the second.
 *
 *   WEAK       always: some step is its own, or it is not enabled    (what is enabled for ever moves again and again)
 *   STRONG     it is enabled: some step is its own                   (what is enabled again and again does)
 *   CONDITION  `when` is true (NULL: always): `then` is true
 *
 * WEAK and STRONG are about a rule, per instance (`rule`: the variables are its parameters), or about a process
 * (`rule` is NULL): an element of the type of the one variable. A step is a process's own when a parameter of the rule
 * has that type and the process as its value; it is enabled when it can take a step of its own. Where `first_acts`,
 * only the first parameter says who is enabled: the process that another one meets (the receiver of a Promela
 * rendezvous) cannot begin the step. */
#ifndef NOETHER_IR_FAIRNESS_H
#define NOETHER_IR_FAIRNESS_H

#include "ir/ctl.h"

enum fairness_kind { FAIRNESS_WEAK, FAIRNESS_STRONG, FAIRNESS_CONDITION };

struct fairness {
    enum fairness_kind kind;
    const struct rule *rule;
    const struct proposition *when, *then;
    const struct variable *const *variables;
    uint32_t variable_count;
    bool first_acts;
    const struct fairness *shown; /* of a translation (reduce/): what people have written; else NULL */
};

/* Is a step of this instance one of what the requirement is about, with these values of its variables? Not of a
 * CONDITION. */
bool fairness_is_own(const struct fairness *fairness, const struct rule *rule, uint64_t instance,
                     const int32_t *values);
/* Is what the requirement is about enabled where this instance is? */
bool fairness_is_enabled(const struct fairness *fairness, const struct rule *rule, uint64_t instance,
                         const int32_t *values);
/* Are some runs not fair, perhaps? */
bool fairness_is_required(const struct system *system);
/* Can every finite run go on fairly? Processes and rules can be given their turns; a condition may never come true. */
bool fairness_is_closed(const struct system *system);
/* "weak fairness of Process", "strong fairness of rule "enter"", "infinitely often x = 1" */
void fairness_print(const struct fairness *fairness, struct text *out);

#endif
