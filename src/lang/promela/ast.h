/* A Promela model as it was read: preprocessed, inlines expanded, names resolved, expressions typed loosely (all values
 * are integers). What the parser desugars is said below; everything else stands as it is written.
 *
 * Everything is owned by the arena of the model. */
#ifndef NOETHER_LANG_PROMELA_AST_H
#define NOETHER_LANG_PROMELA_AST_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

struct reading;
struct pml_expr;
struct pml_stmt;
struct pml_set_loop;
struct pml_proctype;

enum pml_base {
    PML_BIT, /* bool too: they differ in how values are printed */
    PML_BOOL,
    PML_BYTE,
    PML_PID, /* a byte */
    PML_SHORT,
    PML_INT,
    PML_UNSIGNED, /* `width` bits */
    PML_MTYPE,    /* a byte; `set` says which */
    PML_CHAN,
    PML_RECORD /* `record` */
};

enum { PML_MOST_PRIORITY = 255 };

/* The names of one kind of mtype, in the order in which they are declared; numbers as SPIN gives them: within one
 * declaration from the last name to the first, the next declaration goes on above. */
struct pml_names {
    const char *name; /* of the subtype; NULL: plain mtype */
    VEC(const char *) names;
    VEC(uint32_t) numbers;
};

struct pml_type {
    enum pml_base base;
    uint32_t width;
    const struct pml_names *set;
    const struct pml_record *record;
    bool is_truth; /* a byte that is declared as a bool: its values have these names */
};

/* `[capacity] of { fields }` */
struct pml_channel {
    struct span span;
    uint32_t capacity;
    struct pml_type *fields; /* a field of a record type counts once here; the lowering flattens it */
    uint32_t field_count;
};

struct pml_variable {
    const char *name;
    struct span span;
    struct pml_type type;
    uint32_t length; /* elements of an array; 0: no array */
    bool is_hidden, is_parameter;
    bool is_folded;                    /* what reads it may be a number by now (unroll.h) */
    bool is_inner;                     /* declared in an inner block: PML_DECLARE stands where it is set anew */
    struct pml_expr *initial;          /* NULL: 0; of an array: every element */
    struct pml_expr **initials;        /* of an array `= {1, 2, 3}`: the first elements; those behind the last
                                          have its value */
    uint32_t initial_count;            /* 0: not declared so */
    const struct pml_channel *channel; /* of a chan that is declared with `= [n] of {...}`; of an array: one each */
    struct pml_proctype *owner;        /* NULL: global */
    uint32_t id;                       /* position in the model's globals, or the owner's locals */
    uint32_t leaf;                     /* set by the lowering: which values it can have (values.h) */
};

struct pml_record {
    const char *name;
    struct span span;
    VEC(struct pml_variable *) fields; /* initial values and channels in them count for every variable of the type */
};

/* variable[index].field[index]... */
struct pml_place {
    struct span span;
    const struct pml_variable *variable; /* of the part `below`: a field of its record */
    struct pml_expr *index;              /* NULL: none */
    struct pml_place *below;             /* the field; NULL: here it ends */
};

enum pml_expr_kind {
    PML_NUMBER, /* value; also true, false, names of mtypes (set says which), macros' results */
    PML_READ,   /* place */
    PML_UNARY,  /* op, left */
    PML_BINARY, /* op, left, right */
    PML_COND,   /* (condition -> left : right): condition, left, right */
    PML_RUN,    /* proctype, arguments: the new pid */
    PML_LENGTH, /* len(left): left is a channel */
    PML_FULL,   /* full, nfull = !full in SPIN's sense, empty, nempty: of left */
    PML_NFULL,
    PML_EMPTY,
    PML_NEMPTY,
    PML_POLL,    /* left?[arguments], left??[arguments]: is_random; arguments as of a receive (struct pml_argument) */
    PML_AT,      /* proctype[left]@label; left NULL: the only one */
    PML_REMOTE,  /* proctype[left]:place */
    PML_TIMEOUT, /* timeout */
    PML_SELF,    /* _pid */
    PML_COUNT,   /* _nr_pr */
    PML_LAST,    /* _last */
    PML_NONPROGRESS, /* np_ */
    PML_PRIORITY,    /* get_priority(left); left NULL: _priority */
    PML_ENABLED      /* enabled(left) */
};

enum pml_op {
    PML_NOT,
    PML_COMPLEMENT,
    PML_NEGATE,
    PML_MUL,
    PML_DIV,
    PML_MOD,
    PML_ADD,
    PML_SUB,
    PML_SHL,
    PML_SHR,
    PML_LT,
    PML_LE,
    PML_GT,
    PML_GE,
    PML_EQ,
    PML_NE,
    PML_BIT_AND,
    PML_BIT_XOR,
    PML_BIT_OR,
    PML_AND,
    PML_OR
};

/* What is received into, or matched. Of a send `value` only. */
struct pml_argument {
    struct pml_place *place; /* received into; NULL: */
    struct pml_expr *value;  /* must be equal (a constant, eval(...)); both NULL: `_`, anything */
};

struct pml_expr {
    enum pml_expr_kind kind;
    struct span span;
    enum pml_op op;
    int64_t value;
    const struct pml_names *set;
    struct pml_expr *condition, *left, *right;
    struct pml_place *place;
    struct pml_proctype *proctype;
    struct pml_argument *arguments;
    uint32_t argument_count;
    bool is_random;
    bool is_long;   /* a 64-bit number in pan: the literal 2147483648, and what is computed with it (expr.c) */
    bool has_probe; /* full, empty, nfull, nempty, also below && and ||: SPIN lets nothing else be made of them */
    const char *label;
    uint32_t priority; /* of RUN: what the process begins with */
    uint32_t height;   /* of the tree: bounded, so that functions on expressions may recurse */
};

enum pml_stmt_kind {
    PML_CONDITION, /* value: executable when not 0 (skip is 1); also a lone `run` */
    PML_ELSE,
    PML_ASSIGN,     /* place = value; x++ and x-- are written out */
    PML_SEND,       /* channel ! arguments; is_sorted: !! */
    PML_RECEIVE,    /* channel ? arguments; is_random: ??; is_peek: ?<...> */
    PML_PRINT,      /* printf, printm: text, arguments are evaluated for their failures */
    PML_ASSERT,     /* value */
    PML_PRIORITIZE, /* set_priority(arguments[0], value); without arguments: _priority = value */
    PML_DECLARE,    /* variable of an inner block: its initial value is set (a step as in SPIN) */
    PML_IF,
    PML_DO, /* options */
    PML_ATOMIC,
    PML_DSTEP,
    PML_BLOCK,  /* body */
    PML_UNLESS, /* body unless escape */
    PML_GOTO,   /* label */
    PML_BREAK
};

struct pml_block {
    struct pml_stmt **items;
    uint32_t count;
};

struct pml_label {
    const char *name;
    struct span span;
};

struct pml_stmt {
    enum pml_stmt_kind kind;
    struct span span;
    const char *text;         /* as it is shown in runs: on one line, macros and inlines as they stand in the source */
    uint32_t number;          /* SPIN's, see parse.h; 0: none yet */
    uint32_t node;            /* set by the lowering: where control stands before it (flow.h) */
    uint32_t end;             /* set by the lowering: the node behind both parts of an UNLESS */
    bool is_in_atomic;        /* set by the lowering: an atomic sequence is around it */
    struct pml_label *labels; /* in front of it */
    uint32_t label_count;
    struct pml_expr *value;
    struct pml_place *place;
    const struct pml_variable *variable;
    struct pml_expr *channel;
    struct pml_argument *arguments;
    uint32_t argument_count;
    bool is_sorted, is_random, is_peek;
    struct pml_block *options; /* IF, DO: at least one, each with at least one statement */
    uint32_t option_count;
    struct pml_block body, escape;
    const char *label;               /* GOTO: one that exists in the proctype */
    bool is_asked_for;               /* a remote reference names one of its labels (jumps.h) */
    bool is_generated;               /* of a declaration, for, select: not written so */
    const struct pml_set_loop *loop; /* set by the lowering: of a DO that is a loop over a set (set_loop.h); or NULL */
};

struct pml_proctype {
    const char *name; /* "init" of the initial process */
    struct span span;
    uint32_t id;     /* in the order of declaration, init included */
    uint32_t active; /* so many run from the start; init: 1 */
    bool is_init;
    bool is_deterministic;             /* D_proctype: it must never have a choice */
    uint32_t priority;                 /* of those that run from the start */
    VEC(struct pml_variable *) locals; /* parameters first, then all others of all blocks, in order */
    uint32_t parameter_count;
    struct pml_expr *provided; /* NULL: true */
    bool keeps_loops;          /* every statement of a loop is a step */
    bool gives_way;            /* in atomic sequences, too: provided, or there are priorities */
    struct pml_block body;
    uint32_t end_number; /* SPIN's number of its end */
};

enum pml_formula_kind {
    PML_ATOM, /* atom */
    PML_F_NOT,
    PML_F_AND,
    PML_F_OR,
    PML_F_IMPLIES,
    PML_F_EQUIVALENT,
    PML_ALWAYS,
    PML_EVENTUALLY,
    PML_NEXT,
    PML_UNTIL,
    PML_WEAK_UNTIL,
    PML_RELEASE
};

struct pml_formula {
    enum pml_formula_kind kind;
    struct span span;
    struct pml_expr *atom; /* without temporal operators: the largest such parts are atoms */
    struct pml_formula *left, *right;
};

struct pml_ltl {
    const char *name; /* "ltl_0" and so on where there is none */
    struct span span;
    struct pml_formula *formula;
};

struct pml_model {
    struct arena *arena;
    VEC(struct pml_names *) mtypes;
    VEC(struct pml_record *) records;
    VEC(struct pml_variable *) globals;
    VEC(struct pml_proctype *) proctypes;
    VEC(struct pml_ltl *) formulas;
    bool has_priorities;        /* not all are the same, or they are asked for */
    struct span priority_span;  /* where one is given, or asked for */
    struct pml_proctype *never; /* the never claim, as a proctype of its own; NULL: none */
    struct pml_proctype *trace; /* the trace assertion, likewise: its sends and receives are events, and their arguments
                                   are compared; places stand for any value */
    bool is_notrace;            /* the trace must not be seen */
    struct pml_expr *asked;     /* an expression that is asked for besides; NULL: none */
};

/* NULL when something is wrong. The sources, also those of included files, live until the process ends or as long as
 * the arena. */
struct pml_model *pml_parse(const struct source *source, const struct reading *reading, struct arena *arena,
                            struct diagnostics *diagnostics);
void pml_model_free(struct pml_model *model); /* its vectors; the rest is the arena's */

#endif
