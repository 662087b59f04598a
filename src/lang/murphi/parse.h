/* The parser: recursive descent, shared by parse_*.c.
 *
 * After an error the parser is `lost`: nothing more is reported until a list of statements, declarations or rules has
 * found a place to go on from. */
#ifndef NOETHER_LANG_MURPHI_PARSE_H
#define NOETHER_LANG_MURPHI_PARSE_H

#include "lang/murphi/ast.h"
#include "lang/murphi/lexer.h"
#include "base/syntax.h"

/* How deep anything may be nested: frames here and in all later passes are bounded by it. */
enum { PARSE_MAX_DEPTH = 1000 };

struct parser {
    struct arena *arena; /* the tree */
    struct syntax syntax;
    const struct token *token; /* the current one */
    const struct token *tokens;
    bool saw_else_if;           /* "else if", which opens an if of its own: the usual reason for a missing end */
    bool is_temporal;           /* inside a ctl or ltl property: temporal operators are words of the language */
    bool is_linear;             /* inside an ltl property */
    bool only_properties;       /* a file of properties */
    VEC(struct ast_name) calls; /* made in the function being parsed */
};

struct ast_model *parse_model(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics);
/* A file of properties: invariants, covers, ..., perhaps inside rulesets and aliases, and nothing else. */
struct ast_model *parse_properties(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics);
/* Just an expression. */
struct ast_expr *parse_question(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics);

/* parse_base.c */
void parse_advance(struct parser *parser);
const struct token *parse_ahead(const struct parser *parser, size_t distance);
struct span parse_previous_span(const struct parser *parser);
bool parse_at(const struct parser *parser, enum token_kind kind);
bool parse_at_soft(const struct parser *parser, enum token_kind soft);
bool parse_take(struct parser *parser, enum token_kind kind);
/* "expected WHAT before/instead of TOKEN". */
void parse_unexpected(struct parser *parser, const char *what);
bool parse_expect(struct parser *parser, enum token_kind kind, const char *where);
bool parse_expect_name(struct parser *parser, struct ast_name *name, const char *what);
/* Is the current token one that ends a block (end..., else, elsif, case) or the file? */
bool parse_at_block_end(const struct parser *parser);
/* Does an expression without a sign, or an operand of a temporal operator, begin so? Names are left to the caller. */
bool parse_begins_operand(enum token_kind kind);
/* Does the current token begin a rule, a property, a function, ...? */
bool parse_at_item_start(const struct parser *parser);
/* `end` or one of the two long forms closes the construct that `opener` began. */
void parse_end(struct parser *parser, enum token_kind long_form, enum token_kind other_form, struct span opener,
               const char *construct);
/* "do", for which CMurphi also takes ":". */
void parse_do(struct parser *parser);
void parse_skip_semicolons(struct parser *parser);
/* Goes past the next ";" or up to something that starts or ends a block; no longer lost. */
void parse_recover(struct parser *parser);

/* parse_expr.c */
struct ast_expr *parse_expr(struct parser *parser);
/* What "!" applies to: a comparison, or something that binds tighter. */
struct ast_expr *parse_comparison(struct parser *parser);
struct ast_expr *parse_new_expr(struct parser *parser, enum ast_expr_kind kind, struct span span);
/* Bounds the height of the tree. */
void parse_add_child(struct parser *parser, struct ast_expr *expr, const struct ast_expr *child);
struct ast_expr *parse_designator(struct parser *parser);
struct ast_exprs parse_expr_list(struct parser *parser, enum token_kind closer);
struct ast_quantifiers parse_quantifiers(struct parser *parser);

/* parse_ctl.c */
/* Does a temporal operator begin here? Never outside a ctl or ltl property. */
bool parse_at_temporal(const struct parser *parser);
struct ast_expr *parse_temporal(struct parser *parser);
/* Is it the word of a temporal operator before an operand, of linear or branching time? */
bool parse_is_prefix(const char *word);
/* Inside an ltl property: is the next token a temporal operator between two formulas? */
bool parse_at_linear(const struct parser *parser, enum ctl_kind *kind);
bool parse_at_leads_to(const struct parser *parser);
struct ast_expr *parse_new_temporal(struct parser *parser, enum ctl_kind kind, struct ast_expr *left,
                                    struct ast_expr *right, struct span span);

/* parse_decl.c */
struct ast_type *parse_type(struct parser *parser);
struct ast_names parse_names(struct parser *parser, const char *what);
bool parse_at_decl(const struct parser *parser);
/* Const, type and var sections, as many as there are. */
struct ast_decls parse_decls(struct parser *parser);
struct ast_function *parse_function(struct parser *parser);

/* parse_stmt.c */
struct ast_stmts parse_stmts(struct parser *parser);
/* The rest of a list of statements whose first one began with an expression already read. */
struct ast_stmts parse_stmts_after(struct parser *parser, struct ast_expr *first);
struct ast_aliases parse_aliases(struct parser *parser);
/* The string is before or after the expression, or missing. */
void parse_message_and_expr(struct parser *parser, const char **message, struct ast_expr **expr);

#endif
