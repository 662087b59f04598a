/* The parser of Boolean programs: recursive descent, shared by parse_*.c. After an error the parser is `lost`: nothing
 * more is reported until a place to go on from is found. */
#ifndef NOETHER_LANG_BOOLEAN_PARSE_H
#define NOETHER_LANG_BOOLEAN_PARSE_H

#include "base/syntax.h"
#include "lang/boolean/lexer.h"
#include "lang/boolean/program.h"

/* How deep anything may be nested. */
enum { BP_MAX_DEPTH = 1000 };

struct bp_parser {
    struct arena *arena;
    struct syntax syntax;
    const struct source *source;
    const struct bp_token *token, *tokens; /* the current one; all */
    struct bp_program *program;
    struct bp_procedure *procedure; /* that is being read */
    struct bp_step *step;           /* whose expressions are being read: it counts their choices */
    bool may_tick;                  /* 'x may stand here */
    bool is_beginning;              /* numbered lines: before the first of them, assignments are initial values */
};

void bp_parse(struct arena *arena, const struct source *source, const struct bp_tokens *tokens,
              struct diagnostics *diagnostics, struct bp_program *program);

/* parse_base.c */
void bp_advance(struct bp_parser *parser);
bool bp_at(const struct bp_parser *parser, enum bp_token_kind kind);
bool bp_take(struct bp_parser *parser, enum bp_token_kind kind);
/* "expected WHAT, found TOKEN". */
void bp_unexpected(struct bp_parser *parser, const char *what);
bool bp_expect(struct bp_parser *parser, enum bp_token_kind kind, const char *where);
bool bp_expect_name(struct bp_parser *parser, const char *what, struct bp_name *name);

/* parse_expr.c */
struct bp_expr *bp_parse_expr(struct bp_parser *parser);
void bp_parse_exprs(struct bp_parser *parser, struct bp_exprs *list);

/* parse_stmt.c */
void bp_parse_body(struct bp_parser *parser);
void bp_parse_variables(struct bp_parser *parser, bool is_parameter);

#endif
