/* Counter abstraction (generic representatives): a model with interchangeable modules becomes one that counts them by
 * local state (A. F. Donaldson and A. Miller, "Symmetry Reduction for Probabilistic Model Checking Using Generic
 * Representatives", ATVA 2006, section 5), beyond the paper's language: several local variables and module types,
 * global variables, modules of one kind only, synchronisation, rewards.
 *
 *   generic_choices.c    the choices, as terms (gterm.h): commands, and combinations of synchronised commands
 *   generic_families.c   which modules are interchangeable: exchanging any two leaves the model unchanged
 *   generic_orbits.c     choices that differ in the names of such modules only; which modules one of them names
 *   generic_local.c      the local states of a family: the counters
 *   generic_translate.c  expressions over modules -> expressions over counters (Table 1 of the paper)
 *   generic_command.c    choices -> commands over counters
 *   generic_write.c, generic_property.c, gterm_print.c   as PRISM text
 *
 * A module outside every family, for instance because a property names it, stays as it is. */
#ifndef NOETHER_LANG_PRISM_GENERIC_H
#define NOETHER_LANG_PRISM_GENERIC_H

#include "base/vec.h"
#include "base/watch.h"
#include "lang/prism/reader.h"
#include "lang/prism/gterm.h"

#define NOT_COUNTED UINT32_MAX

typedef VEC(const struct gterm *) generic_terms;

struct generic_outcome {
    const struct gterm *weight;
    const struct prism_variable **variables;
    const struct gterm **values;
    uint32_t count;
    struct span span;
};

struct generic_choice {
    const char *action; /* or NULL */
    struct span span, guard_span;
    const struct gterm *guard;
    struct generic_outcome *outcomes;
    uint32_t outcome_count;
    uint32_t *participants; /* the modules that act */
    uint32_t participant_count;
    const struct gterm *whole; /* all of it that matters */
};

struct generic_family {
    uint32_t *members; /* modules, ascending */
    uint32_t count;
    uint32_t variable_count;
    VEC(int64_t *) locations; /* values by field */
    uint32_t first_counter;
};

/* The modules that a choice or a reward names: no others are distinguished by it. */
struct generic_names {
    uint32_t *modules;
    uint32_t count;
    uint32_t *block; /* by position: the first position with which it can be exchanged, and nothing changes */
    uint64_t size;   /* the number of its images when modules are exchanged */
    bool is_blocked; /* only exchanges within blocks lead to the same one */
};

/* A set of choices that exchanging modules takes to one another: one of them. */
struct generic_orbit {
    const struct generic_choice *choice;
    struct generic_names names;
    uint32_t repeated; /* how often the model has the same choice */
    bool is_written;   /* some command of the reduced model is made of it */
};

struct prism_generic {
    struct prism_reader *reader;
    const struct prism_network *network;
    struct arena *arena;
    struct gterms *terms;
    struct diagnostics *diagnostics;
    VEC(struct generic_choice) choices;
    VEC(struct generic_family) families;
    uint32_t *family_of; /* by module; NOT_COUNTED: none */
    bool acts_alone;     /* no two counted modules synchronise */
    VEC(struct generic_orbit) orbits;
    const char **counter_names;
    uint32_t *counter_family;
    uint32_t counter_count;
    /* What an expression is translated for: named modules with their locations. */
    uint32_t *location_of;                /* by module: NOT_COUNTED: not named */
    uint32_t *named_at;                   /* by counter: the number of named modules there */
    uint32_t *named_in;                   /* by family */
    const struct prism_variable *trouble; /* a variable that is distinguished from its copies; NULL: none */
};

bool generic_error(struct prism_generic *generic, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool generic_collect_choices(struct prism_generic *generic);
/* Everything else that must stay as it is: rewards, properties, initial states. */
const struct gterm *generic_surroundings(struct prism_generic *generic);
bool generic_find_families(struct prism_generic *generic);
void generic_find_orbits(struct prism_generic *generic);
bool generic_find_locations(struct prism_generic *generic);

/* generic_translate.c. Naming a module puts it in a location; until it is unnamed. */
void generic_name(struct prism_generic *generic, uint32_t module, uint32_t location);
void generic_unname(struct prism_generic *generic, uint32_t module);
/* Named modules' variables replaced by their values, nothing else. */
const struct gterm *generic_substitute(struct prism_generic *generic, const struct gterm *term);
/* Over counters and what is not counted. NULL: it distinguishes modules that are not named; `trouble` says which. */
const struct gterm *generic_translate(struct prism_generic *generic, const struct gterm *term);
/* The same; reports the trouble at `span`, calling the expression `what`. */
const struct gterm *generic_translate_or_refuse(struct prism_generic *generic, const struct gterm *term,
                                                struct span span, const char *what);
/* The location with these values of the variables; NOT_COUNTED: there is none. */
uint32_t generic_location(const struct prism_generic *generic, uint32_t family, const int64_t *values);
uint32_t generic_counter(const struct prism_generic *generic, uint32_t module, uint32_t location);

/* generic_orbits.c: the modules that the term names; `acting` in any case. `size` is that of its orbit. */
struct generic_names generic_distinguish(struct prism_generic *generic, const struct gterm *term,
                                         const uint32_t *acting, uint32_t acting_count, uint64_t size);
/* Where the module at this position is to be tried first, when those before are named: within a block, not before the
 * one before it. */
uint32_t generic_first_location(const struct prism_generic *generic, const struct generic_names *names,
                                uint32_t position);
/* The number of choices of the named modules in their locations; *same of them are equal (0: too many
 * to count). */
const struct gterm *generic_ways(struct prism_generic *generic, const struct generic_names *names, uint64_t *same);

/* A command over counters. */
struct generic_update {
    const struct gterm *weight;
    int32_t *moves; /* by counter */
    const struct prism_variable **variables;
    const struct gterm **values;
    uint32_t count;
};
struct generic_command {
    const char *action;
    struct span span;
    generic_terms guard; /* conjuncts */
    VEC(struct generic_update) updates;
};
/* generic_command.c: calls `write` with each command of the orbit. */
typedef bool generic_write_command(struct prism_generic *generic, const struct generic_command *command, void *data);
bool generic_make_commands(struct prism_generic *generic, const struct generic_orbit *orbit,
                           generic_write_command *write, void *data);

/* generic_write.c, generic_rewards.c, generic_property.c */
bool generic_write_model(struct prism_generic *generic, const char *title, struct text *out, size_t *commands);
bool generic_write_rewards(struct prism_generic *generic, struct text *out);
/* Those that cannot be translated are left out, and noted. */
void generic_write_properties(struct prism_generic *generic, struct prism_reduced *reduced);
bool generic_print(struct prism_generic *generic, const struct gterm *term, bool is_conjunct, struct span span,
                   struct text *out);
/* gterm_print.c; as a part of a conjunction, in parentheses where that needs them. False (and `why` says so) when PRISM
 * could not read it back: something without a value. */
bool gterm_print(const struct prism_generic *generic, const struct gterm *term, bool is_conjunct, struct text *out,
                 const char **why);

#endif
