/* Counter abstraction: a fully symmetric system becomes one over counters ("generic representatives": Emerson and Wahl,
 * "On combining symmetry reduction and symbolic representation", CHARME 2003, section 4; survey section 6).
 *
 * A *family* is an index type. The local state (a *location*) of an element is the valuation of the arrays over its
 * family; the reduced system counts, for each location, the elements that are in it. An id-sensitive shared variable (a
 * *pointer*: it holds an element) becomes the location of the element it holds. Two pointers to elements in one
 * location may be equal or not, which the location does not determine: a boolean for each pair does. So the states of
 * the reduced system are exactly the orbits of the full symmetry (with --dead=clear: of the model with dead local
 * values merged).
 *
 * A rule of the reduced system represents the instances of one rule in which the elements named by its parameters are
 * in given locations and certain pointers hold or do not hold them: these are the paper's edges, and what happens to
 * the pointers is its update1 and update2. */
#ifndef NOETHER_REDUCE_REDUCE_H
#define NOETHER_REDUCE_REDUCE_H

#include "ir/layout.h"

struct reduction;

struct reduce_options {
    bool keep_dead;  /* do not merge locations that differ in dead local variables only */
    bool is_bounded; /* add overflow guards (redundant on reachable states) so that backward analysis is well defined
                      * on all states */
    bool leaves_quantified; /* CTL properties with quantifiers around temporal operators are left out where they can be
                             * decided otherwise (pass/counted.h): claims that nothing violates stand for them */
    bool leaves_untranslated; /* properties that cannot be translated are left out (reduction_left_out); the system is
                                 not refused */
    bool liveness_as_ctl;     /* liveness properties are translated to CTL */
    uint32_t most_locations;  /* 0: REDUCE_LOCATIONS */
    uint64_t most_work;       /* expressions and statements followed; 0: REDUCE_WORK */
    /* Of the same system, with the same options but for is_bounded, liveness_as_ctl and most_work: the locations are
     * those that it has found. NULL: they are looked for. */
    const struct reduction *known;
};

enum {
    REDUCE_LOCATIONS = 20000,
    REDUCE_RULES = 400000,
    REDUCE_PATHS = 2000,
    REDUCE_ALL_PATHS = 4000000,
    REDUCE_WORK = 100000000
};

/* NULL when the system is outside the translatable class: why is then in `diagnostics`, with the construct and its
 * place. The system must outlive the reduction. */
struct reduction *reduce_system(const struct system *system, const struct reduce_options *options,
                                struct diagnostics *diagnostics);
void reduction_destroy(struct reduction *reduction);

/* The reduced system: finished, owned by the reduction; symmetry has nothing left to do in it. */
const struct system *reduction_system(const struct reduction *reduction);
/* The property of the original system that a property of the reduced one stands for. */
const struct property *reduction_property(const struct reduction *reduction, const struct property *reduced);
/* A property that stands for one of several ways to violate the runtime property. */
bool reduction_is_extra(const struct reduction *reduction, const struct property *reduced);
/* The rule of the original system. */
const struct rule *reduction_rule(const struct reduction *reduction, const struct rule *reduced);
/* Does a step of this rule of the reduced system that leads back to the same state change the original state (it
 * exchanges elements)? Such a step is no stuttering. */
bool reduction_is_exchange(const struct reduction *reduction, const struct rule *reduced);
/* Why the property was left out (leaves_untranslated), with its line; NULL: it was not. Nothing is known of it. */
const char *reduction_left_out(const struct reduction *reduction, const struct property *original);
/* The same of all such properties, as warnings with their places. */
const struct diagnostics *reduction_warnings(const struct reduction *reduction);
/* Is the property to be decided otherwise (leaves_quantified)? */
bool reduction_leaves(const struct reduction *reduction, const struct property *original);
/* Does a CTL formula ask for deadlocks, where the reduced system takes an exchange for stuttering and cannot tell them?
 * That of this property, or any (NULL). */
bool reduction_mistakes_deadlocks(const struct reduction *reduction, const struct property *original);
/* A remark for the user about such rules, or NULL. */
const char *reduction_remark(const struct reduction *reduction);
/* Locations of all families: the counters. */
uint32_t reduction_locations(const struct reduction *reduction);
/* Where the counters stand in a state of the reduced system: cells first..first + count - 1 are all of them. */
void reduction_counters(const struct reduction *reduction, uint32_t *first, uint32_t *count);

/* The state of the reduced system that a state of the original one belongs to. False: it has a location that static
 * analysis did not find (an internal error). */
bool reduction_abstract(const struct reduction *reduction, const int32_t *original, int32_t *reduced);
/* The instance of an original rule that the instance of a reduced rule (or start state) stands for, in this original
 * state (NULL: a start state). */
void reduction_instance(const struct reduction *reduction, const struct rule *reduced, uint64_t instance,
                        const int32_t *original, const struct rule **rule, uint64_t *number);

#endif
