/* The syntax tree of a PRISM model and of its properties, as written. Lives in the reader's arena.
 *
 * Later passes make new trees out of these: formulas are expanded and renamed modules copied (expand.h), then names
 * are resolved to constants and variables and every expression gets its type (resolve.h). */
#ifndef NOETHER_LANG_PRISM_AST_H
#define NOETHER_LANG_PRISM_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

struct prism_expr;
struct prism_variable;
struct prism_value;

struct prism_name {
    const char *text;
    struct span span;
};

struct prism_exprs {
    struct prism_expr **items;
    uint32_t count;
};

enum prism_type { PRISM_TYPE_NONE, PRISM_TYPE_BOOL, PRISM_TYPE_INT, PRISM_TYPE_REAL };

enum prism_expr_kind {
    PRISM_EXPR_VALUE,    /* value: a literal, or what a constant stands for */
    PRISM_EXPR_NAME,     /* name, not resolved yet */
    PRISM_EXPR_VARIABLE, /* variable */
    PRISM_EXPR_LABEL,    /* name, in quotes */
    PRISM_EXPR_UNARY,    /* op, left */
    PRISM_EXPR_BINARY,   /* op, left, right */
    PRISM_EXPR_COND,     /* condition ? left : right */
    PRISM_EXPR_CALL,     /* name(arguments); function once it is resolved */

    /* properties only */
    PRISM_EXPR_PROBABILITY, /* P bound [ left ] */
    PRISM_EXPR_STEADY,      /* S bound [ left ] */
    PRISM_EXPR_REWARD,      /* R{reward} bound [ left ] */
    PRISM_EXPR_EXISTS,      /* E [ left ] */
    PRISM_EXPR_FORALL,      /* A [ left ] */
    PRISM_EXPR_PATH,        /* temporal: X F G (right), U W R (left, right), with bounds */
    PRISM_EXPR_CUMULATIVE,  /* C, C<=right, in R[...] */
    PRISM_EXPR_INSTANT,     /* I=right, in R[...] */
    PRISM_EXPR_LONG_RUN,    /* S, in R[...] */
    PRISM_EXPR_FILTER,      /* filter(name, left, right); right NULL: all states */
    PRISM_EXPR_MULTI        /* multi(arguments): P and R, in one and the same run of an mdp */
};

enum prism_operator {
    PRISM_OP_NOT,
    PRISM_OP_MINUS,
    PRISM_OP_AND,
    PRISM_OP_OR,
    PRISM_OP_IMPLIES,
    PRISM_OP_IFF,
    PRISM_OP_EQ,
    PRISM_OP_NE,
    PRISM_OP_LT,
    PRISM_OP_LE,
    PRISM_OP_GT,
    PRISM_OP_GE,
    PRISM_OP_ADD,
    PRISM_OP_SUB,
    PRISM_OP_MUL,
    PRISM_OP_DIV,
    PRISM_OP_POW
};

enum prism_function { PRISM_MIN, PRISM_MAX, PRISM_FLOOR, PRISM_CEIL, PRISM_ROUND, PRISM_POW, PRISM_MOD, PRISM_LOG };

enum prism_temporal { PRISM_NEXT, PRISM_EVENTUALLY, PRISM_ALWAYS, PRISM_UNTIL, PRISM_WEAK_UNTIL, PRISM_RELEASE };

/* Which schedulers of an MDP a quantity is about. */
enum prism_extreme { PRISM_NO_EXTREME, PRISM_LEAST, PRISM_GREATEST };

/* "=?" (is_query) or a comparison with `threshold`. */
struct prism_bound {
    bool is_query;
    enum prism_extreme extreme;
    enum prism_operator relation;
    struct prism_expr *threshold;
};

/* Of a temporal operator: the steps (or the time) lie between them; NULL: no bound. */
struct prism_window {
    struct prism_expr *lower, *upper;
    bool is_lower_strict, is_upper_strict;
};

struct prism_expr {
    enum prism_expr_kind kind;
    enum prism_type type; /* set by resolve */
    enum prism_operator op;
    enum prism_function function;
    enum prism_temporal temporal;
    uint32_t height; /* of the tree below; bounded, so that later passes may recurse */
    uint32_t shared; /* not 0: the expansion of a formula, of this number, that other expressions contain, too */
    struct span span;
    struct prism_name name;
    const struct prism_value *value;
    const struct prism_variable *variable;
    struct prism_expr *condition, *left, *right;
    struct prism_exprs arguments;
    struct prism_bound bound;
    struct prism_window window;
    /* REWARD: the structure by name (in quotes) or by number; none: the first. */
    struct prism_name reward_name;
    struct prism_expr *reward_number;
};

enum prism_model_type { PRISM_MDP, PRISM_DTMC, PRISM_CTMC };

struct prism_constant {
    struct prism_name name;
    enum prism_type type;
    struct prism_expr *definition; /* NULL: undefined, set with -D */
};

struct prism_formula {
    struct prism_name name;
    struct prism_expr *definition;
};

struct prism_declaration {
    struct prism_name name;
    enum prism_type type;
    struct prism_expr *low, *high, *initial; /* low and high: of an int; initial may be NULL */
};

struct prism_declarations {
    struct prism_declaration *items;
    uint32_t count;
};

struct prism_assignment {
    struct prism_name target;
    struct prism_expr *value;
};

struct prism_update {
    struct prism_expr *weight; /* NULL: 1 */
    struct prism_assignment *assignments;
    uint32_t count;
    struct span span;
};

struct prism_command {
    struct prism_name action; /* text NULL: none */
    struct prism_expr *guard;
    struct prism_update *updates;
    uint32_t update_count;
    struct span span;
};

struct prism_renaming {
    struct prism_name from, to;
};

/* Either declarations and commands, or `base` and what is renamed in it. */
struct prism_module {
    struct prism_name name, base;
    struct span from, to; /* its first and last token */
    struct prism_renaming *renamings;
    uint32_t renaming_count;
    struct prism_declarations declarations;
    struct prism_command *commands;
    uint32_t command_count;
};

struct prism_reward_item {
    bool is_transition;
    struct prism_name action; /* transition: text NULL: of the commands without an action */
    struct prism_expr *guard, *value;
};

struct prism_rewards {
    struct prism_name name; /* text NULL: none */
    struct span span;
    struct span end; /* its last token */
    struct prism_reward_item *items;
    uint32_t item_count;
};

enum prism_process_kind {
    PRISM_PROCESS_MODULE,      /* name */
    PRISM_PROCESS_SYNCHRONOUS, /* left || right: on the common actions */
    PRISM_PROCESS_INTERLEAVED, /* left ||| right */
    PRISM_PROCESS_ON,          /* left |[actions]| right */
    PRISM_PROCESS_HIDE,        /* left / {actions} */
    PRISM_PROCESS_RENAME       /* left {from<-to, ...} */
};

struct prism_process {
    enum prism_process_kind kind;
    struct span span;
    struct prism_name name;
    struct prism_process *left, *right;
    struct prism_name *actions;
    uint32_t action_count;
    struct prism_renaming *renamings;
    uint32_t renaming_count;
};

struct prism_property {
    struct prism_name name; /* text NULL: none */
    struct span span;
    struct prism_expr *formula;
    const char *result;  /* of its //RESULT: comments, one a line; once elaborated: the expected result; or NULL */
    const char *refusal; /* why it cannot be checked, where that is no error; then the formula is "true"; or NULL */
};

struct prism_model {
    enum prism_model_type type;
    struct prism_constant *constants;
    struct prism_formula *formulas, *labels;
    struct prism_declarations globals;
    struct prism_module *modules;
    struct prism_rewards *rewards;
    uint32_t constant_count, formula_count, label_count, module_count, reward_count;
    struct prism_expr *initial;    /* init ... endinit, or NULL */
    struct prism_process *process; /* system ... endsystem, or NULL: all modules in parallel */
};

/* A properties file: it may bring constants and labels of its own. */
struct prism_properties {
    struct prism_constant *constants;
    struct prism_formula *labels;
    struct prism_property *items;
    uint32_t constant_count, label_count, count;
};

#endif
