/* Murphi text -> tokens, for both dialects at once.
 *
 * Keywords are case-insensitive, identifiers are not (as in both peers). A word that is reserved in only one of the
 * dialects is a *soft* keyword: an identifier that carries its meaning in `soft`; the parser decides by position. */
#ifndef NOETHER_LANG_MURPHI_LEXER_H
#define NOETHER_LANG_MURPHI_LEXER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/language.h"

enum token_kind {
    TOKEN_EOF,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,

    /* punctuation */
    TOKEN_SEMICOLON,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_DOT,
    TOKEN_DOTDOT,
    TOKEN_QUESTION,
    TOKEN_OPEN_PAREN,
    TOKEN_CLOSE_PAREN,
    TOKEN_OPEN_BRACKET,
    TOKEN_CLOSE_BRACKET,
    TOKEN_OPEN_BRACE,
    TOKEN_CLOSE_BRACE,
    TOKEN_ASSIGN,
    TOKEN_LONG_ARROW,
    TOKEN_DOUBLE_ARROW, /* only of a fair condition */
    TOKEN_IMPLIES,
    TOKEN_OR,
    TOKEN_AND,
    TOKEN_PIPE,
    TOKEN_CARET,
    TOKEN_AMP,
    TOKEN_NOT,
    TOKEN_TILDE,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_SHL,
    TOKEN_SHR,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_STAR,
    TOKEN_SLASH,
    TOKEN_PERCENT,

    /* keywords of both dialects */
    KEY_ALIAS,
    KEY_ARRAY,
    KEY_ASSERT,
    KEY_BEGIN,
    KEY_BOOLEAN,
    KEY_BY,
    KEY_CASE,
    KEY_CLEAR,
    KEY_CONST,
    KEY_DO,
    KEY_ELSE,
    KEY_ELSIF,
    KEY_END,
    KEY_ENDALIAS,
    KEY_ENDEXISTS,
    KEY_ENDFOR,
    KEY_ENDFORALL,
    KEY_ENDFUNCTION,
    KEY_ENDIF,
    KEY_ENDPROCEDURE,
    KEY_ENDRECORD,
    KEY_ENDRULE,
    KEY_ENDRULESET,
    KEY_ENDSTARTSTATE,
    KEY_ENDSWITCH,
    KEY_ENDWHILE,
    KEY_ENUM,
    KEY_ERROR,
    KEY_EXISTS,
    KEY_FALSE,
    KEY_FOR,
    KEY_FORALL,
    KEY_FUNCTION,
    KEY_IF,
    KEY_INVARIANT,
    KEY_ISMEMBER,
    KEY_ISUNDEFINED,
    KEY_OF,
    KEY_PROCEDURE,
    KEY_PUT,
    KEY_RECORD,
    KEY_RETURN,
    KEY_RULE,
    KEY_RULESET,
    KEY_SCALARSET,
    KEY_STARTSTATE,
    KEY_SWITCH,
    KEY_THEN,
    KEY_TO,
    KEY_TRUE,
    KEY_TYPE,
    KEY_UNDEFINE,
    KEY_UNION,
    KEY_VAR,
    KEY_WHILE,

    /* soft: rumur only */
    SOFT_ASSUME,
    SOFT_COVER,
    SOFT_LIVENESS,
    /* soft: ours */
    SOFT_CTL,
    SOFT_LTL,
    SOFT_FINAL,
    SOFT_FAIR,
    SOFT_FAIRNESS,
    /* soft: CMurphi only */
    SOFT_CHOOSE,
    SOFT_ENDCHOOSE,
    SOFT_EXTERNFUN,
    SOFT_EXTERNPROC,
    SOFT_MULTISET,
    SOFT_MULTISETADD,
    SOFT_MULTISETCOUNT,
    SOFT_MULTISETREMOVE,
    SOFT_MULTISETREMOVEPRED,
    SOFT_PCTL,
    SOFT_REAL,
    SOFT_UNDEFINED
};

struct token {
    enum token_kind kind;
    enum token_kind soft; /* NAME: a soft keyword, or TOKEN_EOF */
    bool is_real;         /* NUMBER: it had a fraction (refused by the parser) */
    struct span span;
    const char *text; /* NAME, STRING; for the others the spelling */
    int64_t value;    /* NUMBER */
};

struct tokens {
    struct token *items; /* the last one is TOKEN_EOF */
    size_t count, capacity;
};

/* Reads the whole source; errors are reported and skipped. Strings live in `names`; free with tokens_free. */
void lexer_read(const struct source *source, enum dialect dialect, struct arena *names, struct diagnostics *diagnostics,
                struct tokens *tokens);
void tokens_free(struct tokens *tokens);

/* "\":=\"", "end of file", ...: for messages. */
const char *token_describe(const struct token *token, struct arena *arena);
const char *token_kind_spelling(enum token_kind kind);

/* What a token may be meant to be (base/mend.h): a name is nearly a keyword, or an arrow is another arrow. */
const char *token_guess(const struct token *token, size_t choice);
/* Makes it the token of this spelling. */
void token_become(struct token *token, const char *text);

#endif
