/* The parser: recursive descent, shared by parse_*.c. After an error the parser is `lost`: nothing more is reported
 * until a list of declarations or commands has found a place to go on from. */
#ifndef NOETHER_LANG_PRISM_PARSE_H
#define NOETHER_LANG_PRISM_PARSE_H

#include "base/syntax.h"
#include "lang/prism/ast.h"
#include "lang/prism/lexer.h"

/* How deep anything may be nested: frames here and in all later passes are bounded by it. */
enum { PRISM_MAX_DEPTH = 1000 };

struct prism_parser {
    struct arena *arena; /* the tree */
    struct syntax syntax;
    const struct prism_token *token; /* the current one */
    const struct prism_token *tokens;
    bool is_over;           /* the model is of a kind that is refused: nothing more is wrong with it */
    bool allows_properties; /* P, R, S, labels, ... may stand in an expression */
    uint32_t brackets;      /* of P, R, S, E and A around the current token */
};

struct prism_model *prism_parse_model(struct arena *arena, const struct prism_tokens *tokens,
                                      struct diagnostics *diagnostics);
/* Adds to what there is. */
void prism_parse_properties(struct arena *arena, const struct prism_tokens *tokens, struct diagnostics *diagnostics,
                            struct prism_properties *properties);

/* parse_base.c */
void prism_advance(struct prism_parser *parser);
const struct prism_token *prism_ahead(const struct prism_parser *parser, size_t distance);
bool prism_at(const struct prism_parser *parser, enum prism_token_kind kind);
bool prism_take(struct prism_parser *parser, enum prism_token_kind kind);
/* "expected WHAT, found TOKEN". */
void prism_unexpected(struct prism_parser *parser, const char *what);
bool prism_expect(struct prism_parser *parser, enum prism_token_kind kind, const char *where);
bool prism_expect_name(struct prism_parser *parser, struct prism_name *name, const char *what);
/* A name in quotes. */
bool prism_expect_quoted(struct prism_parser *parser, struct prism_name *name, const char *what);
/* Goes past the next ";" or up to a word that begins or ends a declaration; no longer lost. */
void prism_recover(struct prism_parser *parser);
/* After the error: the rest of a model of this kind would only be refused once more. */
void prism_skip_rest(struct prism_parser *parser);

/* parse_expr.c */
struct prism_expr *prism_new_expr(struct prism_parser *parser, enum prism_expr_kind kind, struct span span);
/* Sets its height from its parts. */
struct prism_expr *prism_close_expr(struct prism_parser *parser, struct prism_expr *expr);
struct prism_expr *prism_parse_expr(struct prism_parser *parser);
/* One that stands beside a temporal operator, and one that may hold temporal operators. */
struct prism_expr *prism_parse_plain(struct prism_parser *parser);

/* parse_property.c */
bool prism_at_property_word(const struct prism_parser *parser);
bool prism_at_long_run(const struct prism_parser *parser);
struct prism_expr *prism_parse_operator(struct prism_parser *parser);
/* Temporal operators above plain expressions. */
struct prism_expr *prism_parse_path(struct prism_parser *parser);

/* parse_declare.c: what models and properties files have in common */
struct prism_constant prism_parse_constant(struct prism_parser *parser);
struct prism_formula prism_parse_formula(struct prism_parser *parser);
struct prism_formula prism_parse_label(struct prism_parser *parser);

/* parse_module.c */
struct prism_declaration prism_parse_declaration(struct prism_parser *parser);
struct prism_module prism_parse_module(struct prism_parser *parser);
struct prism_renaming *prism_parse_renamings(struct prism_parser *parser, enum prism_token_kind between,
                                             enum prism_token_kind closer, uint32_t *count);
/* parse_process.c */
struct prism_process *prism_parse_process(struct prism_parser *parser);

#endif
