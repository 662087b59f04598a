/* Syntax tree -> IR: names are resolved, types checked and nodes of the IR made in one pass (lower_*.c).
 *
 * A function that finds an error reports it and returns NULL, false or a value that is not `ok`; its caller says
 * nothing more. */
#ifndef NOETHER_LANG_MURPHI_LOWER_H
#define NOETHER_LANG_MURPHI_LOWER_H

#include "ir/build.h"
#include "lang/murphi/ast.h"
#include "lang/murphi/murphi.h"
#include "base/report.h"
#include "lang/murphi/scope.h"

struct stmts {
    struct stmt **items;
    size_t count, capacity;
};

/* A rule and the formula that says whether some instance of it is enabled. */
struct prioritised {
    struct rule *rule;
    struct expr *enabled;
    int64_t priority;
};

struct progress_mark {
    uint64_t effects; /* calls that change something */
    uint64_t tests;   /* implied ones, as often as a walk meets them: an operand with one in it stands in two places */
};

/* A scalarset, and the constant that is its size. */
struct sized_type {
    const struct type *type;
    const struct symbol *size;
};

struct lower {
    struct system *system;
    struct arena *arena; /* of the syntax tree */
    struct diagnostics *diagnostics;
    const struct reading *reading;
    const struct ast_model *model;
    struct scope scope;
    VEC(struct span) used;                  /* where what is used is declared */
    struct routine *routine;                /* the function being lowered, or NULL */
    const char *pure;                       /* not NULL: in "the guard of a rule", ..., where nothing may be changed */
    struct stmts *entry;                    /* runs before what is being lowered; NULL when there is no such place */
    uint32_t depth;                         /* of nested statements */
    VEC(struct property *) repeated;        /* made by a function that is lowered level by level: once for all levels */
    bool is_repeated;                       /* such a function is being lowered */
    uint64_t cost;                          /* statements and calls so far, what is called counted with each call */
    struct progress_mark done;              /* what has been lowered so far */
    VEC(uint32_t) type_depths;              /* of types by id: how deep they are nested */
    VEC(const struct ast_rule *) enclosing; /* rulesets, aliases and chooses around a rule, outermost first */
    bool has_priorities;                    /* rules differ in priority */
    VEC(struct prioritised) prioritised;
    VEC(const struct variable *) quantified; /* by the quantifiers of a temporal formula around what is being lowered */
    bool is_linear;                          /* an ltl property is being lowered */
    VEC(const struct ast_rule *) fairness;   /* of rules and processes: lowered when all rules are known */
    uint32_t counts[PROPERTY_RUNTIME + 1];   /* of properties by kind, for their names */
    VEC(struct sized_type) sized;            /* the scalarsets whose size is a constant that can be set */
};

/* What an expression denotes: a scalar value (expr), or a place, or the word UNDEFINED. */
struct murphi_value {
    bool ok;
    bool is_undefined;
    struct expr *expr;
    struct place *place;
    const struct type *type;
    struct symbol *root; /* of the place; NULL: the result of a call */
    const struct type *slot_of;
};

/* Notes that the symbol is used there (see lint.h, base/names.h). */
void note_use(struct lower *lower, struct symbol *symbol, struct span use);

/* lower_names.c: for the table of names, where one is asked for. */
void note_symbols(struct lower *lower);
void note_fields(struct lower *lower, const struct ast_type *ast, const struct type *record);
void note_outline(struct names *names, const struct ast_model *model);

/* lower_type.c */
const struct type *lower_type(struct lower *lower, const struct ast_type *ast, const char *name);
/* False, and an error, where the first value of a part is one that no variable can hold: a range from INT32_MIN. */
bool check_first_value(struct lower *lower, const struct type *type, const char *what, struct span span);
/* The one scalarset whose size is a constant that is used nowhere else becomes the population (ir/system.h). */
void lower_population(struct lower *lower);
/* May a value of one type be compared with, or assigned to, the other? Ranges are all compatible (and checked when
 * the model runs), enums and scalarsets with themselves and with unions they are in. */
bool types_compatible(const struct type *a, const struct type *b);
bool type_is_integer(const struct type *type);
const char *type_text(struct lower *lower, const struct type *type);
/* A scalarset, or a union with one in it: its name for messages; else NULL. */
const struct type *type_scalarset_in(const struct type *type);

/* lower_expr.c */
struct murphi_value lower_value(struct lower *lower, const struct ast_expr *ast);
/* A scalar that is read; NULL on error. `what` names it in messages. */
struct expr *lower_scalar(struct lower *lower, const struct ast_expr *ast, const char *what);
struct expr *lower_condition(struct lower *lower, const struct ast_expr *ast, const char *what);
struct expr *lower_integer(struct lower *lower, const struct ast_expr *ast, const char *what);
bool lower_constant(struct lower *lower, const struct ast_expr *ast, const char *what, int64_t *value);
/* Also of operations on constants: -2^31 is one (expr_const). */
bool constant_value(const struct expr *expr, int64_t *value);
/* Why a constant expression has no value, reported. */
void report_not_constant(struct lower *lower, const struct ast_expr *ast, const struct expr *expr, const char *what);
struct murphi_value value_from(struct expr *expr);
/* Is it always defined, and free of errors: a constant, a parameter or a loop variable? */
bool value_is_sure(const struct murphi_value *value);
/* A value that is no aggregate, no slot and not UNDEFINED; else it is reported. */
bool check_scalar(struct lower *lower, const struct murphi_value *value, struct span span, const char *what);
/* "an operand of ..." */
const char *operand_of(struct lower *lower, enum operator op);
struct expr *value_read(struct lower *lower, const struct murphi_value *value, struct span span);
/* As the source of a copy: an undefined value is copied, not an error. */
struct expr *value_copy(struct lower *lower, const struct murphi_value *value, struct span span);

/* lower_compare.c */
struct murphi_value lower_equality(struct lower *lower, const struct ast_expr *ast);
struct murphi_value lower_is_member(struct lower *lower, const struct ast_expr *ast);
/* May it be undefined, and is that no error in a comparison? */
bool value_is_tolerated(const struct lower *lower, const struct murphi_value *value);
/* EQ or NE. `before`: lower->done before the operands were lowered. NULL after an error. */
struct expr *compare_scalars(struct lower *lower, enum operator op, const struct murphi_value *left,
                             const struct murphi_value *right, const struct progress_mark *before, struct span span);

/* lower_place.c */
struct murphi_value lower_name(struct lower *lower, const struct ast_expr *ast);
struct murphi_value lower_index(struct lower *lower, const struct ast_expr *ast);
struct murphi_value lower_field(struct lower *lower, const struct ast_expr *ast);
/* A place to write to ("assign to", "clear", ...); NULL on error. */
struct place *lower_target(struct lower *lower, const struct ast_expr *ast, const char *verb);
/* A multiset. */
struct murphi_value lower_multiset(struct lower *lower, const struct ast_expr *ast);
void note_write(struct lower *lower, const struct symbol *root);
/* Declares `name` for the number of a slot of the multiset. */
const struct variable *declare_slot(struct lower *lower, struct ast_name name, const struct type *multiset);

/* lower_call.c */
struct murphi_value lower_call(struct lower *lower, const struct ast_expr *ast, bool is_statement);
bool has_call(const struct ast_expr *ast);
/* lower_result.c */
/* An aggregate that a call returns lives only until the next call of that function. If something that is evaluated
 * together with it calls anything, the result is kept in a place of its own. */
void keep_call_result(struct lower *lower, const struct murphi_value *value, const struct ast_expr *beside);

/* lower_quant.c */
struct murphi_bound {
    const struct variable *variable;
    struct domain domain;
};
/* Opens a scope with the variable in it. */
bool lower_quantifier(struct lower *lower, const struct ast_quantifier *ast, const char *role,
                      struct murphi_bound *bound);
struct murphi_value lower_quantified(struct lower *lower, const struct ast_expr *ast);
struct murphi_value lower_count(struct lower *lower, const struct ast_expr *ast);

/* lower_alias.c */
/* Declares the aliases. What must run for them is added to `before`; with NULL they are expanded where they stand. */
bool lower_aliases(struct lower *lower, const struct ast_aliases *aliases, struct stmts *before);

/* lower_stmt.c, lower_flow.c */
void lower_stmts(struct lower *lower, const struct ast_stmts *list, struct stmts *out);
void lower_if(struct lower *lower, const struct ast_stmt *ast, struct stmts *out);
void lower_switch(struct lower *lower, const struct ast_stmt *ast, struct stmts *out);
void lower_for(struct lower *lower, const struct ast_stmt *ast, struct stmts *out);
struct block lower_block(struct lower *lower, const struct ast_stmts *list);
struct block stmts_seal(struct lower *lower, struct stmts *stmts);
struct stmt *stmts_add(struct lower *lower, struct stmts *stmts, enum stmt_kind kind, struct span span);
/* Does control never get past the list? */
bool stmts_always_leave(const struct ast_stmts *list);

/* lower_decl.c */
struct symbol *declare(struct lower *lower, enum symbol_kind kind, struct ast_name name);
/* Global: variables join the state. Local: they are made undefined in `entry`. */
void lower_decls(struct lower *lower, const struct ast_decls *decls, struct stmts *entry);
void lower_function(struct lower *lower, const struct ast_function *ast);
/* A -D that names no constant is a mistake in the command, not something to pass over. Call it while the global scope
 * is open. */
void report_unused_defines(struct lower *lower, const struct source *source);

/* lower_rule.c, lower_property.c */
void lower_rule(struct lower *lower, const struct ast_rule *ast);
void lower_property(struct lower *lower, const struct ast_rule *ast);
struct property *lower_add_property(struct lower *lower, enum property_kind kind, const char *title,
                                    struct expr *formula, struct span span);

/* lower_ctl.c */
void lower_ctl_property(struct lower *lower, const struct ast_rule *ast);
void lower_fair_condition(struct lower *lower, const struct ast_rule *ast);
/* A temporal operator where only values can be. */
void report_temporal(struct lower *lower, struct span span);

/* lower_fairness.c: while the global scope is open. */
void lower_fairness(struct lower *lower);

/* lower_question.c: while the global scope is open. */
void lower_question(struct lower *lower, const struct ast_expr *ast, struct question *question);

/* Some instance of the rule is enabled; NULL on error. */
struct expr *lower_enabled(struct lower *lower, const struct ast_rule *ast);

/* lower_priority.c */
bool model_has_priorities(const struct ast_model *model);
void note_priority(struct lower *lower, const struct ast_rule *ast, struct rule *rule);
/* When all rules are known. */
void apply_priorities(struct lower *lower);

/* recursion.c */
bool calls_itself(const struct ast_function *function);
/* Reports the first cycle of calls through several functions; false when there is one. */
bool recursion_check(const struct ast_model *model, struct arena *arena, struct diagnostics *diagnostics);

#endif
