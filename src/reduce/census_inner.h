/* Private to census*.c.
 *
 *   census.c            modules and variables, from the system
 *   census_weight.c     weights over terms
 *   census_choices.c    the choices, as terms (gterm.h): commands, and combinations of synchronised commands
 *   census_families.c   which modules are interchangeable: exchanging any two leaves the model unchanged
 *   census_orbits.c     choices that differ in the names of such modules only; which modules one of them names
 *   census_local.c      the local states of a family: the counters
 *   census_translate.c  expressions over modules -> expressions over counters (Table 1 of the paper)
 *   census_command.c    choices -> commands over counters
 *   census_make.c, census_rewards.c, census_property.c   the system over counters */
#ifndef NOETHER_REDUCE_CENSUS_INNER_H
#define NOETHER_REDUCE_CENSUS_INNER_H

#include "base/report.h"
#include "base/vec.h"
#include "base/watch.h"
#include "ir/pctl.h"
#include "reduce/census.h"
#include "reduce/gterm.h"

#define NOT_COUNTED UINT32_MAX

typedef VEC(const struct gterm *) census_terms;

/* A number: factor * top / bottom. */
struct census_weight {
    uint32_t factor; /* its number in census->factors: equal ones have the same */
    bool is_rounded;
    const struct gterm *top, *bottom;
};

struct census_outcome {
    struct census_weight weight;
    const struct census_variable **variables;
    const struct gterm **values;
    uint32_t count;
    struct span span;
};

struct census_choice {
    const char *action; /* or NULL */
    struct span span, guard_span;
    const struct gterm *guard;
    struct census_outcome *outcomes;
    uint32_t outcome_count;
    const uint32_t *participants; /* the modules that act */
    uint32_t participant_count;
    const struct gterm *whole; /* all of it that matters */
};

struct census_family {
    uint32_t *members; /* modules, ascending */
    uint32_t count;
    uint32_t variable_count;
    VEC(int64_t *) locations; /* values by field */
    uint32_t first_counter;
};

/* The modules that a choice or a reward names: no others are distinguished by it. */
struct census_names {
    uint32_t *modules;
    uint32_t count;
    uint32_t *block; /* by position: the first position with which it can be exchanged, and nothing changes */
    uint64_t size;   /* the number of its images when modules are exchanged */
    bool is_blocked; /* only exchanges within blocks lead to the same one */
};

/* A set of choices that exchanging modules takes to one another: one of them. */
struct census_orbit {
    const struct census_choice *choice;
    struct census_names names;
    uint32_t repeated; /* how often the model has the same choice */
    bool is_written;   /* some command of the reduced model is made of it */
};

struct census {
    const struct system *system;
    const struct chain *chain;
    struct system *out;
    struct arena *arena;
    struct gterms *terms;
    struct diagnostics *diagnostics;
    VEC(struct rational *) factors;
    struct census_variable *variables; /* by cell */
    struct census_module *modules;
    uint32_t module_count;
    const struct gterm *initial; /* the condition on start states; NULL: there is one */
    struct span initial_span;
    VEC(struct census_choice) choices;
    VEC(struct census_family) families;
    uint32_t *family_of; /* by module; NOT_COUNTED: none */
    bool acts_alone;     /* no two counted modules synchronise */
    VEC(struct census_orbit) orbits;
    const char **counter_names;
    uint32_t *counter_family;
    uint32_t counter_count;
    /* In `out`, by cell, and behind the cells by counter: the variable (NULL: it is counted), and what is read for it.
     */
    struct variable **globals;
    const struct variable **reads;
    uint32_t *kept; /* by cell of `out`: the cell; the counters come last */
    uint32_t kept_count;
    const struct variable **between; /* by cell: a scratch variable of `out` for its next value; NULL: not needed yet */
    VEC(struct choice) made;         /* choices of `out` */
    VEC(bool) is_made;               /* of a decision process: by id of a command as a term */
    struct census_facts facts;
    /* What an expression is translated for: named modules with their locations. */
    uint32_t *location_of;                 /* by module: NOT_COUNTED: not named */
    uint32_t *named_at;                    /* by counter: the number of named modules there */
    uint32_t *named_in;                    /* by family */
    const struct census_variable *trouble; /* a variable that is distinguished from its copies; NULL: none */
};

bool census_error(struct census *census, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* census_weight.c */
struct census_weight census_weight_from(struct census *census, const struct weight *weight);
struct census_weight census_weight_one(struct census *census);
struct census_weight census_weight_multiply(struct census *census, const struct census_weight *left,
                                            const struct census_weight *right);
/* Times `number`, divided by `divisor`. */
struct census_weight census_weight_scale(struct census *census, const struct census_weight *weight,
                                         const struct gterm *number, uint64_t divisor);
/* All of it that matters, as one term. */
const struct gterm *census_weight_term(struct census *census, const struct census_weight *weight);
bool census_weight_is_zero(const struct census *census, const struct census_weight *weight);
bool census_weight_has_counter(const struct census_weight *weight);
struct census_weight census_weight_substitute(struct census *census, const struct census_weight *weight);
/* False: it cannot be translated, and why is reported at `span`. */
bool census_weight_translate(struct census *census, struct census_weight *weight, struct span span, const char *what);
/* In `out`. */
const struct weight *census_weight_make(struct census *census, const struct census_weight *weight, struct span span);

bool census_collect_choices(struct census *census);
/* Everything else that must stay as it is: rewards, properties, initial states. */
const struct gterm *census_surroundings(struct census *census);
bool census_find_families(struct census *census);
void census_find_orbits(struct census *census);
bool census_find_locations(struct census *census);

/* census_translate.c. Naming a module puts it in a location; until it is unnamed. */
void census_name(struct census *census, uint32_t module, uint32_t location);
void census_unname(struct census *census, uint32_t module);
/* Named modules' variables replaced by their values, nothing else. */
const struct gterm *census_substitute(struct census *census, const struct gterm *term);
/* Over counters and what is not counted. NULL: it distinguishes modules that are not named; `trouble` says which. */
const struct gterm *census_translate(struct census *census, const struct gterm *term);
/* The same; reports the trouble at `span`, calling the expression `what`. */
const struct gterm *census_translate_or_refuse(struct census *census, const struct gterm *term, struct span span,
                                               const char *what);
/* The location with these values of the variables; NOT_COUNTED: there is none. */
uint32_t census_location(const struct census *census, uint32_t family, const int64_t *values);
uint32_t census_counter(const struct census *census, uint32_t module, uint32_t location);

/* census_orbits.c: the modules that the term names; `acting` in any case. `size` is that of its orbit. */
struct census_names census_distinguish(struct census *census, const struct gterm *term, const uint32_t *acting,
                                       uint32_t acting_count, uint64_t size);
/* Where the module at this position is to be tried first, when those before are named: within a block, not before the
 * one before it. */
uint32_t census_first_location(const struct census *census, const struct census_names *names, uint32_t position);
/* The number of choices of the named modules in their locations; *same of them are equal (0: too many
 * to count). */
const struct gterm *census_ways(struct census *census, const struct census_names *names, uint64_t *same);

/* A command over counters. */
struct census_update {
    struct census_weight weight;
    int32_t *moves; /* by counter */
    const struct census_variable **variables;
    const struct gterm **values;
    uint32_t count;
};
struct census_command {
    const char *action;
    struct span span;
    census_terms guard; /* conjuncts */
    VEC(struct census_update) updates;
};
/* census_command.c: calls census_add_command with each command of the orbit. */
bool census_make_commands(struct census *census, const struct census_orbit *orbit);

/* census_make.c */
bool census_add_command(struct census *census, const struct census_command *command);
bool census_make_system(struct census *census);
struct expr *census_make_expr(struct census *census, const struct gterm *term, struct span span);
/* census_rewards.c, census_property.c */
bool census_make_rewards(struct census *census);
/* Those that cannot be translated are left out, and noted. */
void census_make_properties(struct census *census);

#endif
