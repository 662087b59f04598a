/* A PRISM model with resolved names: constants have values, formulas are expanded, renamed modules are
 * modules like the others, every expression is resolved and has a type, and the modules are composed.
 *
 * Owned by the arena and the values of the reader that made it (prism.h). */
#ifndef NOETHER_LANG_PRISM_MODEL_H
#define NOETHER_LANG_PRISM_MODEL_H

#include "lang/prism/value.h"

enum { PRISM_GLOBAL = UINT32_MAX };

struct prism_variable {
    struct prism_name name; /* the span is of the declaration (in the module copied, for a copy) */
    enum prism_type type;   /* BOOL (0..1) or INT */
    int64_t low, high, initial;
    uint32_t number; /* its position in the model */
    uint32_t module; /* or PRISM_GLOBAL */
    uint32_t field;  /* its position in its module: copies of a module have the same fields */
};

struct prism_write {
    const struct prism_variable *variable;
    struct prism_expr *value;
};

struct prism_outcome {
    struct prism_expr *weight; /* a probability or a rate; NULL: 1 */
    struct prism_write *writes;
    uint32_t write_count;
    struct span span;
};

struct prism_action_command {
    const char *action; /* NULL: none */
    struct prism_expr *guard;
    struct prism_outcome *outcomes;
    uint32_t outcome_count;
    struct span span;
};

struct prism_component {
    struct prism_name name;
    uint32_t original; /* the module this is a copy of (itself, when it is none) */
    const struct prism_variable *const *variables;
    uint32_t variable_count;
    struct prism_action_command *commands;
    uint32_t command_count;
};

/* One module takes part with its commands for `action` (NULL: those without one). */
struct prism_participant {
    uint32_t component;
    const char *action;
};

/* What happens together: one command of each participant. `action` is what rewards see; NULL: none, or hidden. */
struct prism_joint {
    const char *action;
    struct prism_participant *participants;
    uint32_t count;
};

struct prism_reward {
    bool is_transition;
    const char *action;
    struct prism_expr *guard, *value;
};

struct prism_reward_structure {
    const char *name; /* or NULL */
    struct span span;
    struct prism_reward *items;
    uint32_t count;
};

struct prism_label {
    struct prism_name name;
    struct prism_expr *formula;
};

struct prism_network {
    enum prism_model_type type;
    const struct prism_variable *const *variables;
    struct prism_component *components;
    struct prism_joint *joints;
    struct prism_reward_structure *rewards;
    struct prism_label *labels;
    struct prism_property *properties; /* resolved */
    uint32_t variable_count, component_count, joint_count, reward_count, label_count, property_count;
    struct prism_expr *initial; /* of init ... endinit; NULL: the variables' initial values */
};

#endif
