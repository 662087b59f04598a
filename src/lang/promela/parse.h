/* The parser of Promela: recursive descent, shared by parse_*.c. Names are resolved while reading, since they must be
 * declared before they are used; uses of processes and labels are resolved at the end. After an error of syntax the
 * parser is `lost` and reads nothing more; other errors are reported and reading goes on. */
#ifndef NOETHER_LANG_PROMELA_PARSE_H
#define NOETHER_LANG_PROMELA_PARSE_H

#include "base/syntax.h"
#include "lang/promela/ast.h"
#include "base/names.h"
#include "lang/promela/lexer.h"

/* How deep statements may be nested, and how high an expression may be. */
enum { PML_MAX_DEPTH = 500, PML_MAX_HEIGHT = 2000, PML_MAX_INLINES = 32 };

struct pml_inline {
    const char *name;
    struct span span;
    VEC(const char *) parameters;
    const struct pml_token *body; /* from { to } */
    size_t count;
    bool is_busy;
};

/* A variable that can be seen, and the block that declares it. */
struct pml_visible {
    struct pml_variable *variable;
    uint32_t block;
};

/* A label or goto: SPIN takes the first of a name in a block, or in one around it, for its symbol. */
struct pml_symbol {
    const char *name;
    uint32_t block;
};

struct pml_target {
    uint32_t symbol;
    const char *name, *unique; /* unique in the proctype */
    struct span span;
    const struct pml_inline *from; /* the inline that it stands in */
    uint32_t d_step;               /* the same; 0: none */
};

struct pml_jump {
    uint32_t symbol;
    struct span span; /* of the name of the label */
    struct pml_stmt *stmt;
    uint32_t d_step;
};

/* A use of a proctype: run, P@label, P:x. */
struct pml_pending {
    struct pml_expr *expr;
    const char *proctype, *name;
    struct span span, name_span;
};

/* All labels of a proctype, for P@label. */
struct pml_known_label {
    const struct pml_proctype *proctype;
    const char *name;
    struct span span;
};

struct pml_sequence {
    struct pml_stmt **items;
    size_t count, capacity;
};

struct pml_parser {
    struct arena *arena;
    struct syntax syntax;
    struct pml_model *model;
    struct names *names;           /* a table that is filled, or NULL */
    const struct pml_token *token; /* the current one; the last of the array is PMT_EOF */
    struct pml_proctype *proctype; /* that is being read, or NULL */
    struct pml_record *record;     /* the same */
    struct pml_sequence *sequence; /* where statements go */
    bool is_starting;              /* declarations here are set when the process starts */
    bool is_claim;                 /* in a never claim */
    bool is_trace;                 /* in a trace assertion: messages are compared, as those that are received */
    bool is_parameter;             /* declarations here are parameters */
    bool in_formula;               /* of an ltl block */
    bool is_question;              /* of somebody who looks at the model: S(0).k is a variable of a process */
    uint32_t loops, block, expanded;
    uint32_t inline_depth;
    uint32_t d_step, d_steps;        /* the one that is being read (0: none), and how many there are */
    uint32_t runs;                   /* in the statement */
    uint32_t numbers;                /* given to statements: the last one */
    struct pml_inline *inlined;      /* the inline that is being read */
    struct pml_place *inline_result; /* where its `return` goes */
    VEC(struct pml_inline *) inlines;
    VEC(uint32_t) parents; /* of blocks */
    VEC(struct pml_visible) visible;
    VEC(struct pml_symbol) symbols;
    VEC(struct pml_target) targets;
    VEC(struct pml_jump) jumps;
    VEC(struct pml_pending) pending;
    VEC(struct pml_known_label) labels;
    VEC(uint32_t) priorities;    /* of all processes that are there or started */
    VEC(const char *) proctypes; /* names of all, also of those that follow */
    VEC(const struct pml_token *) formulas;
    VEC(struct pml_tokens) expansions; /* of inlines: their tokens */
};

/* parse_base.c */
void pml_advance(struct pml_parser *parser);
bool pml_at(const struct pml_parser *parser, enum pml_token_kind kind);
bool pml_at_word(const struct pml_parser *parser, const char *text); /* a word that is reserved only here */
bool pml_take(struct pml_parser *parser, enum pml_token_kind kind);
/* "expected WHAT, found TOKEN". A hint (diag_hint) belongs only to an error that was added: true. */
bool pml_unexpected(struct pml_parser *parser, const char *what);
/* Behind an expression. */
bool pml_close_parenthesis(struct pml_parser *parser);
/* foreign.c: what other languages write there is said how it is written here; NULL: nothing is known. */
void pml_hint_foreign(struct pml_parser *parser);
const char *pml_foreign_word(const char *word);
bool pml_expect(struct pml_parser *parser, enum pml_token_kind kind, const char *where);
/* NULL after an error. */
const char *pml_expect_name(struct pml_parser *parser, const char *what);
/* Gives the statement the number by which SPIN's trails know it, plus 1, unless it has one. SPIN counts when a
 * statement is added to its sequence, so behind those inside it; a choice, a loop and `unless` take more than one
 * number: for their ends, too. */
void pml_number_stmt(struct pml_parser *parser, struct pml_stmt *stmt);
/* Embedded C, whichever word is here. */
void pml_refuse_c(struct pml_parser *parser);
/* An "else" that begins no option, from this statement of the block on. */
void pml_warn_of_else(struct pml_parser *parser, const struct pml_block *block, uint32_t first);
/* The tokens from `first` up to the current one, on one line, as they stand in the text. */
const char *pml_shown(struct pml_parser *parser, const struct pml_token *first);
struct span pml_span_from(const struct pml_parser *parser, const struct pml_token *first);

/* names.c: for the table of names. What is the result of a macro is no use of a name in the text: its definition then
 * cannot be renamed. */
void pml_note_use(struct pml_parser *parser, const char *name, struct span use, struct span definition);
void pml_note_variable(struct pml_parser *parser, const struct pml_variable *variable);
/* Of a space of names: of mtypes, records, inlines, proctypes. */
void pml_note_named(struct pml_parser *parser, enum name_kind kind, const void *space, const char *name,
                    struct span span);
void pml_note_named_use(struct pml_parser *parser, const void *space, const char *name, struct span use);
/* A part that goes from the token up to the current one. */
void pml_note_part(struct pml_parser *parser, enum name_kind kind, const char *title, const struct pml_token *first);

/* scope.c */
void pml_scope_begin(struct pml_parser *parser);
void pml_scope_end(struct pml_parser *parser);
struct pml_variable *pml_find_variable(const struct pml_parser *parser, const char *name);
/* False: the name is taken, which is reported. */
bool pml_declare(struct pml_parser *parser, struct pml_variable *variable);
void pml_unknown_name(struct pml_parser *parser, struct span span, const char *name);
struct pml_record *pml_find_record(const struct pml_parser *parser, const char *name);
struct pml_inline *pml_find_inline(const struct pml_parser *parser, const char *name);
bool pml_is_proctype(const struct pml_parser *parser, const char *name);
struct pml_variable *pml_find_field(const struct pml_record *record, const char *name);
/* The set of mtypes with that name (NULL: the plain one), which is added when there is none. */
struct pml_names *pml_mtype_set(struct pml_parser *parser, const char *name);
/* 0: it names no mtype. */
uint32_t pml_find_mtype(const struct pml_parser *parser, const char *name, const struct pml_names **set);

/* label.c: what is declared and used in the proctype that is being read, and its end. */
const char *pml_label_declare(struct pml_parser *parser, const char *name, struct span span);
void pml_label_use(struct pml_parser *parser, struct pml_stmt *stmt, const char *name);
void pml_labels_resolve(struct pml_parser *parser);

/* expr.c */
struct pml_expr *pml_expr_new(struct pml_parser *parser, enum pml_expr_kind kind, struct span span);
struct pml_expr *pml_number(struct pml_parser *parser, struct span span, int64_t value);
struct pml_expr *pml_binary(struct pml_parser *parser, enum pml_op op, struct pml_expr *left, struct pml_expr *right);
struct pml_expr *pml_unary(struct pml_parser *parser, enum pml_op op, struct span span, struct pml_expr *left);
struct pml_expr *pml_read(struct pml_parser *parser, struct pml_place *place);
/* Reports full(q) and the like where they may not stand: operands, indices, arguments. */
void pml_refuse_probe(struct pml_parser *parser, const struct pml_expr *operand);
/* Reports a whole record, which is no value. */
void pml_check_value(struct pml_parser *parser, const struct pml_expr *value);
struct pml_expr *pml_choice(struct pml_parser *parser, struct pml_expr *condition, struct pml_expr *left,
                            struct pml_expr *right);
/* One that has at most `left`. */
struct pml_expr *pml_of(struct pml_parser *parser, enum pml_expr_kind kind, struct span span, struct pml_expr *left);
/* The type of what the place ends in. */
struct pml_type pml_place_type(const struct pml_place *place);

/* parse_expr.c: NULL after an error of syntax. */
struct pml_expr *pml_parse_expr(struct pml_parser *parser);
/* The expression that begins with `left`, which was read. */
struct pml_expr *pml_parse_expr_from(struct pml_parser *parser, struct pml_expr *left);
struct pml_expr *pml_parse_operand(struct pml_parser *parser); /* with its prefixes */
int64_t pml_parse_constant(struct pml_parser *parser);
/* How tight the operator here binds, and which it is; 0: none. */
int pml_operator_here(const struct pml_parser *parser, enum pml_op *op);
/* `priority N`, or nothing: 1. */
uint32_t pml_parse_priority(struct pml_parser *parser, bool counts);
void pml_parse_values(struct pml_parser *parser, struct pml_argument **arguments, uint32_t *count);

/* parse_place.c */
struct pml_place *pml_parse_place(struct pml_parser *parser, bool may_be_whole_array);
/* What stands behind a channel and ? or ??, up to the end of it. */
void pml_parse_received(struct pml_parser *parser, struct pml_argument **arguments, uint32_t *count);
void pml_check_channel(struct pml_parser *parser, const struct pml_place *place);
/* The channel was read and ?[ or ??[ is here. */
struct pml_expr *pml_parse_poll(struct pml_parser *parser, struct pml_expr *channel);

/* parse_decl.c */
bool pml_at_declaration(const struct pml_parser *parser);
void pml_parse_declaration(struct pml_parser *parser);
void pml_parse_typedef(struct pml_parser *parser);

/* parse_stmt.c */
/* Appends the steps that follow; the sequence is the current one. */
void pml_parse_steps(struct pml_parser *parser);
struct pml_block pml_seal(struct pml_parser *parser, struct pml_sequence *sequence);
/* { sequence }, in a scope of its own. */
void pml_parse_block(struct pml_parser *parser, struct pml_block *block);
struct pml_stmt *pml_stmt_new(struct pml_parser *parser, enum pml_stmt_kind kind, struct span span, const char *text);
void pml_add_stmt(struct pml_parser *parser, struct pml_stmt *stmt);
struct pml_stmt *pml_assignment(struct pml_parser *parser, struct pml_place *place, struct pml_expr *value,
                                const char *text);

/* parse_simple.c: statements that are one step; NULL: none begins here. */
struct pml_stmt *pml_parse_simple(struct pml_parser *parser);

/* parse_trace.c: reports what cannot stand in a trace assertion. */
void pml_check_events(struct pml_parser *parser, const struct pml_proctype *trace);

/* parse_loop.c */
struct pml_stmt *pml_parse_for(struct pml_parser *parser);
struct pml_stmt *pml_parse_select(struct pml_parser *parser);
void pml_prune_skips(struct pml_block *block);

/* inline.c */
void pml_parse_inline(struct pml_parser *parser);
/* A use: its name is here. `result`: where its value goes, or NULL. */
struct pml_stmt *pml_parse_inline_use(struct pml_parser *parser, struct pml_place *result);

/* parse_ltl.c */
void pml_parse_formulas(struct pml_parser *parser);

/* resolve.c: uses of proctypes, and priorities. */
void pml_resolve(struct pml_parser *parser);

#endif
