/* A Boolean program as parsed: procedures whose bodies are lists of steps.
 *
 * Control flow is flat already: `if` and `while` are branches, and the step after a step is `next`. A step of kind
 * BP_STEP_PASS takes no time: it only says where to go on. All of it lives in the reader's arena. */
#ifndef NOETHER_LANG_BOOLEAN_PROGRAM_H
#define NOETHER_LANG_BOOLEAN_PROGRAM_H

#include "base/diag.h"
#include "base/vec.h"

#define BP_NOWHERE UINT32_MAX

struct bp_name {
    const char *text;
    struct span span;
};

/* A variable: a global one, or a parameter or local variable of a procedure. */
struct bp_variable {
    struct bp_name name;
    uint32_t id; /* among the globals, or among those of the procedure, its parameters first */
    bool is_global;
    bool is_parameter;
    bool is_read;        /* by some expression, condition or argument */
    signed char initial; /* 0, 1, or -1: any value */
};

enum bp_expr_kind {
    BP_EXPR_CONSTANT,
    BP_EXPR_READ,
    BP_EXPR_NEXT,    /* 'x: the value after the assignment; in constrain only */
    BP_EXPR_ANY,     /* *: each occurrence has a value of its own, `choice` */
    BP_EXPR_SCHOOSE, /* schoose[l, r]: true if l, else false if r, else any value, `choice` */
    BP_EXPR_NOT,
    BP_EXPR_AND,
    BP_EXPR_OR,
    BP_EXPR_XOR,
    BP_EXPR_EQUAL,
    BP_EXPR_DIFFER,
    BP_EXPR_IMPLIES,
    BP_EXPR_COND
};

struct bp_expr {
    enum bp_expr_kind kind;
    struct span span;
    bool value;
    bool is_enclosed; /* in parentheses */
    uint32_t choice;  /* ANY, SCHOOSE: its number within the step */
    uint32_t height;
    struct bp_name name;
    struct bp_variable *variable; /* READ, NEXT: set when names are resolved */
    struct bp_expr *left, *right, *condition;
};

enum bp_step_kind {
    BP_STEP_PASS,
    BP_STEP_SKIP, /* also the end of a loop's body, and dead variables that are not read */
    BP_STEP_ASSIGN,
    BP_STEP_DEAD, /* the variables have any value from here */
    BP_STEP_CALL,
    BP_STEP_ASSUME,
    BP_STEP_ASSERT,
    BP_STEP_GOTO,
    BP_STEP_BRANCH, /* next where the condition holds, else other */
    BP_STEP_RETURN, /* also the end of the procedure */
    BP_STEP_START_CALL,
    BP_STEP_START_GOTO,
    BP_STEP_END_THREAD,
    BP_STEP_ATOMIC_BEGIN,
    BP_STEP_ATOMIC_END,
    BP_STEP_WAIT,
    BP_STEP_BROADCAST
};

struct bp_names {
    struct bp_name *items;
    size_t count, capacity;
};
struct bp_exprs {
    struct bp_expr **items;
    size_t count, capacity;
};

struct bp_procedure;
struct property;

struct bp_step {
    enum bp_step_kind kind;
    struct span span;
    const char *text; /* as it is shown in runs: on one line */
    uint32_t next, other;
    struct bp_names names;          /* ASSIGN, CALL: what is assigned; DEAD; GOTO, START_GOTO: labels */
    struct bp_variable **variables; /* what the names are; NULL for "_" */
    uint32_t *targets;              /* GOTO, START_GOTO: the steps of the labels */
    struct bp_exprs values;         /* ASSIGN, RETURN: values; CALL, START_CALL: arguments */
    struct bp_expr *condition;      /* BRANCH, ASSUME, ASSERT; ASSIGN: constrain; NULL: none */
    uint32_t choice_count;          /* of * and schoose in it */
    struct bp_name callee;
    struct bp_procedure *called;
    const struct property *property; /* ASSERT: of the system, once it is lowered */
};

struct bp_label {
    struct bp_name name;
    uint32_t step;
};

struct bp_procedure {
    struct bp_name name;
    uint32_t id;
    uint32_t result_count;
    VEC(struct bp_variable *) variables; /* parameters, then local variables */
    uint32_t parameter_count;
    VEC(struct bp_step *) steps; /* the first one is the entry; the last one the end */
    VEC(struct bp_label) labels;
    struct bp_exprs enforced; /* what holds in every state in which one of its steps is taken */
};

struct bp_program {
    VEC(struct bp_variable *) globals;
    VEC(struct bp_procedure *) procedures;
    bool is_numbered; /* the dialect with numbered lines */
    struct bp_procedure *main;
};

/* Names to variables, procedures and steps; what is wrong with them is reported. */
void bp_resolve(struct bp_program *program, struct arena *arena, struct diagnostics *diagnostics);
void bp_program_free(struct bp_program *program);

#endif
