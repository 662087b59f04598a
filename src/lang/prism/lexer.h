/* PRISM text -> tokens, for models and properties.
 *
 * PRISM reserves single letters (P, R, S, U, X, F, G, ...) everywhere; so does the lexer. Pmin, Pmax, Rmin and Rmax are
 * words of their own. A comment runs from // to the end of its line; "//RESULT:" comments are kept aside, because
 * PRISM's regression suite states the expected value of the next property there. */
#ifndef NOETHER_LANG_PRISM_LEXER_H
#define NOETHER_LANG_PRISM_LEXER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

enum prism_token_kind {
    PRISM_EOF,
    PRISM_NAME,
    PRISM_INTEGER,
    PRISM_DECIMAL,
    PRISM_QUOTED,

    PRISM_NOT,
    PRISM_AND,
    PRISM_OR,
    PRISM_IMPLIES,
    PRISM_IFF,
    PRISM_ARROW,
    PRISM_COLON,
    PRISM_SEMICOLON,
    PRISM_COMMA,
    PRISM_DOTS,
    PRISM_OPEN_PAREN,
    PRISM_CLOSE_PAREN,
    PRISM_OPEN_BRACKET,
    PRISM_CLOSE_BRACKET,
    PRISM_OPEN_BRACE,
    PRISM_CLOSE_BRACE,
    PRISM_EQ,
    PRISM_NE,
    PRISM_LT,
    PRISM_GT,
    PRISM_LE,
    PRISM_GE,
    PRISM_PLUS,
    PRISM_MINUS,
    PRISM_TIMES,
    PRISM_DIVIDE,
    PRISM_POWER,
    PRISM_PRIME,
    PRISM_RENAME,
    PRISM_QUESTION,

    /* words: the order of the table in lexer.c */
    PRISM_FIRST_WORD,
    WORD_A = PRISM_FIRST_WORD,
    WORD_C,
    WORD_E,
    WORD_F,
    WORD_G,
    WORD_I,
    WORD_P,
    WORD_PMAX,
    WORD_PMIN,
    WORD_R,
    WORD_RMAX,
    WORD_RMIN,
    WORD_S,
    WORD_U,
    WORD_W,
    WORD_X,
    WORD_BOOL,
    WORD_CLOCK,
    WORD_CONST,
    WORD_CTMC,
    WORD_DOUBLE,
    WORD_DTMC,
    WORD_ENDINIT,
    WORD_ENDINVARIANT,
    WORD_ENDMODULE,
    WORD_ENDOBSERVABLES,
    WORD_ENDREWARDS,
    WORD_ENDSYSTEM,
    WORD_FALSE,
    WORD_FILTER,
    WORD_FORMULA,
    WORD_FUNC,
    WORD_GLOBAL,
    WORD_INIT,
    WORD_INT,
    WORD_INVARIANT,
    WORD_LABEL,
    WORD_MAX,
    WORD_MDP,
    WORD_MIN,
    WORD_MODULE,
    WORD_NONDETERMINISTIC,
    WORD_OBSERVABLE,
    WORD_OBSERVABLES,
    WORD_POMDP,
    WORD_POPTA,
    WORD_PROB,
    WORD_PROBABILISTIC,
    WORD_PTA,
    WORD_RATE,
    WORD_REWARDS,
    WORD_STOCHASTIC,
    WORD_SYSTEM,
    WORD_TRUE
};

struct prism_token {
    enum prism_token_kind kind;
    struct span span;
    const char *text;   /* as written; QUOTED: without the quotes */
    int64_t value;      /* INTEGER */
    const char *result; /* what the "//RESULT:" comments before this token say, one a line, or NULL */
};

struct prism_tokens {
    struct prism_token *items; /* the last one is PRISM_EOF */
    size_t count, capacity;
};

/* Reads the whole source; errors are reported and skipped. Strings live in `names`; free with prism_tokens_free. */
void prism_lexer_read(const struct source *source, struct arena *names, struct diagnostics *diagnostics,
                      struct prism_tokens *tokens);
void prism_tokens_free(struct prism_tokens *tokens);
/* "\"->\"", "the end of the file": for messages. */
const char *prism_token_describe(const struct prism_token *token, struct arena *arena);
const char *prism_token_spelling(enum prism_token_kind kind);

/* What a token may be meant to be (base/mend.h): a name is nearly a word of the language, or an arrow is the other one.
 */
const char *prism_token_guess(const struct prism_token *token, size_t choice);
/* Makes it the token of this spelling. */
void prism_token_become(struct prism_token *token, const char *text);

#endif
