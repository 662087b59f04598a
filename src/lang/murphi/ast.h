/* The syntax tree of a Murphi model: as written, nothing resolved. Lives in the parser's arena. */
#ifndef NOETHER_LANG_MURPHI_AST_H
#define NOETHER_LANG_MURPHI_AST_H

#include "ir/fairness.h"

struct ast_type;
struct ast_expr;
struct ast_stmt;
struct ast_rule;

struct ast_name {
    const char *text;
    struct span span;
};

struct ast_names {
    struct ast_name *items;
    size_t count;
};

struct ast_exprs {
    struct ast_expr **items;
    size_t count;
};

struct ast_stmts {
    struct ast_stmt **items;
    size_t count;
};

/* "i: T" (from is NULL) or "i := from to to by by". */
struct ast_quantifier {
    struct ast_name name;
    struct ast_type *type;
    struct ast_expr *from, *to, *by;
};

struct ast_quantifiers {
    struct ast_quantifier *items;
    size_t count;
};

enum ast_expr_kind {
    AST_NAME,       /* name */
    AST_NUMBER,     /* value */
    AST_TRUTH,      /* value: true or false */
    AST_UNDEFINED,  /* the word UNDEFINED */
    AST_UNARY,      /* op, left */
    AST_BINARY,     /* op, left, right; OP_BIT_AND and OP_BIT_OR from & and | are logical on booleans (is_ambiguous) */
    AST_COND,       /* left ? right : third */
    AST_INDEX,      /* left[right] */
    AST_FIELD,      /* left.name */
    AST_CALL,       /* name(arguments) */
    AST_QUANTIFIED, /* op, quantifiers, left */
    AST_IS_MEMBER,  /* left, type */
    AST_IS_UNDEFINED, /* left */
    AST_COUNT,        /* multisetcount(name: left, right) */
    AST_PLUS,         /* +left */
    AST_TEMPORAL      /* value: an enum ctl_kind; left, and right of an until. Only inside a ctl or ltl property */
};

struct ast_expr {
    enum ast_expr_kind kind;
    enum operator op;
    bool is_ambiguous;
    uint32_t height; /* of the tree below; bounded, so that later passes may recurse */
    struct span span;
    struct ast_name name;
    int64_t value;
    struct ast_expr *left, *right, *third;
    struct ast_exprs arguments;
    struct ast_quantifiers quantifiers;
    struct ast_type *type;
};

struct ast_field {
    struct ast_names names;
    struct ast_type *type;
};

struct ast_types {
    struct ast_type **items;
    size_t count;
};

enum ast_type_kind {
    AST_TYPE_NAME,
    AST_TYPE_BOOLEAN,
    AST_TYPE_RANGE,
    AST_TYPE_ENUM,
    AST_TYPE_RECORD,
    AST_TYPE_ARRAY,
    AST_TYPE_SCALARSET,
    AST_TYPE_UNION,
    AST_TYPE_MULTISET
};

struct ast_type {
    enum ast_type_kind kind;
    struct span span;
    struct ast_name name;
    struct ast_expr *from, *to; /* RANGE; SCALARSET and MULTISET: the size in from */
    struct ast_names labels;
    struct ast_field *fields;
    size_t field_count;
    struct ast_type *index, *element;
    struct ast_types members;
};

enum ast_decl_kind { AST_CONST, AST_TYPE, AST_VAR };

struct ast_decl {
    enum ast_decl_kind kind;
    struct ast_names names;
    struct ast_expr *value; /* CONST */
    struct ast_type *type;  /* TYPE, VAR */
};

struct ast_decls {
    struct ast_decl *items;
    size_t count;
};

struct ast_alias {
    struct ast_names names;
    struct ast_expr *value;
};

struct ast_aliases {
    struct ast_alias *items;
    size_t count;
};

enum ast_stmt_kind {
    AST_ASSIGN,    /* target := value */
    AST_IF,        /* arms (the last may have no condition) */
    AST_SWITCH,    /* value, arms: several values each (the last may have none) */
    AST_FOR,       /* quantifiers, body */
    AST_WHILE,     /* value, body */
    AST_ALIAS,     /* aliases, body */
    AST_CALL_STMT, /* value: an AST_CALL */
    AST_CLEAR,     /* target */
    AST_UNDEFINE,  /* target */
    AST_RETURN,    /* value or NULL */
    AST_ERROR,     /* message */
    AST_ASSERT,
    AST_ASSUME,
    AST_COVER,    /* value, message or NULL */
    AST_PUT,      /* value or message */
    AST_ADD,      /* value, target: the multiset */
    AST_REMOVE,   /* value: the slot, target */
    AST_REMOVE_IF /* name: the slot, target, value: the predicate */
};

struct ast_arm {
    struct span span;
    struct ast_exprs values; /* IF: one or none; SWITCH: any number */
    bool is_else;
    struct ast_stmts body;
};

struct ast_stmt {
    enum ast_stmt_kind kind;
    struct span span;
    struct ast_expr *target, *value;
    const char *message;
    struct ast_arm *arms;
    size_t arm_count;
    struct ast_quantifiers quantifiers;
    struct ast_aliases aliases;
    struct ast_stmts body;
    struct ast_name name;
};

struct ast_parameter {
    struct ast_names names;
    bool by_reference;
    struct ast_type *type;
};

struct ast_function {
    struct ast_name name;
    struct ast_parameter *parameters;
    size_t parameter_count;
    struct ast_type *result; /* NULL: a procedure */
    struct ast_decls decls;
    struct ast_stmts body;
    struct ast_name *calls; /* whom it calls by name, for the search for recursion */
    size_t call_count;
    struct span end;
};

struct ast_rules {
    struct ast_rule **items;
    size_t count;
};

enum ast_rule_kind {
    AST_RULE,       /* priority, title, guard or NULL, decls, body */
    AST_STARTSTATE, /* title, decls, body */
    AST_PROPERTY,   /* property, title, guard: the formula. Of fairness: the condition, and perhaps `set`: when; or,
                     * for weak and strong fairness, title: a rule, or name: a type, or neither */
    AST_RULESET,    /* quantifiers, rules */
    AST_ALIAS_RULE, /* aliases, rules */
    AST_CHOOSE      /* name, set, rules */
};

struct ast_rule {
    enum ast_rule_kind kind;
    struct span span;
    struct span end; /* the last token */
    int64_t priority;
    const char *title; /* NULL: none */
    int property;      /* an enum property_kind */
    enum fairness_kind fairness;
    struct ast_expr *guard, *set;
    struct ast_decls decls;
    struct ast_stmts body;
    struct ast_quantifiers quantifiers;
    struct ast_aliases aliases;
    struct ast_name name;
    struct ast_rules rules;
};

/* The model: declarations, functions and rules in the order they were written. */
struct ast_item {
    struct span span;              /* where it begins */
    struct span end;               /* its last token */
    bool is_broken;                /* an error of syntax is in it: parts may be missing */
    struct ast_decls decls;        /* one section */
    struct ast_function *function; /* or a function */
    struct ast_rule *rule;         /* or a rule */
};

struct ast_model {
    struct ast_item *items;
    size_t count;
};

#endif
