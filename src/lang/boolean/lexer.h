/* Text of a Boolean program -> tokens. The words of both dialects are reserved in both. Comments run from // to the end
 * of the line, or from slash-star to star-slash. */
#ifndef NOETHER_LANG_BOOLEAN_LEXER_H
#define NOETHER_LANG_BOOLEAN_LEXER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

enum bp_token_kind {
    BP_EOF,
    BP_IDENTIFIER,
    BP_NUMBER,

    BP_BECOMES,
    BP_IMPLIES,
    BP_DIFFERS,
    BP_EQUALS,
    BP_NOT,
    BP_AND,
    BP_OR,
    BP_XOR,
    BP_STAR,
    BP_TICK,
    BP_QUESTION,
    BP_COLON,
    BP_SEMICOLON,
    BP_COMMA,
    BP_OPEN,
    BP_CLOSE,
    BP_OPEN_BRACKET,
    BP_CLOSE_BRACKET,
    BP_LESS,
    BP_GREATER,

    /* words: the order of the table in lexer.c */
    BP_FIRST_WORD,
    BP_ABORTIF = BP_FIRST_WORD,
    BP_ASSERT,
    BP_ASSUME,
    BP_ATOMIC_BEGIN,
    BP_ATOMIC_END,
    BP_BEGIN,
    BP_BOOL,
    BP_BROADCAST,
    BP_CONSTRAIN,
    BP_DEAD,
    BP_DECL,
    BP_DFS,
    BP_DO,
    BP_ELSE,
    BP_ELSIF,
    BP_END,
    BP_END_THREAD,
    BP_ENFORCE,
    BP_FI,
    BP_GOTO,
    BP_IF,
    BP_OD,
    BP_RETURN,
    BP_SCHOOSE,
    BP_SKIP,
    BP_START_THREAD,
    BP_SYNC,
    BP_THEN,
    BP_THREAD_LOCAL,
    BP_VOID,
    BP_WAIT,
    BP_WHILE
};

struct bp_token {
    enum bp_token_kind kind;
    struct span span;
    const char *text;
    size_t from, to; /* of the text of the file */
};

struct bp_tokens {
    struct bp_token *items; /* the last one is BP_EOF */
    size_t count, capacity;
};

/* Reads the whole source; errors are reported and skipped. Strings live in `names`; free with VEC_FREE. */
void bp_lexer_read(const struct source *source, struct arena *names, struct diagnostics *diagnostics,
                   struct bp_tokens *tokens);
/* "\":=\"", "the end of the file": for messages. */
const char *bp_token_describe(const struct bp_token *token, struct arena *arena);
const char *bp_token_spelling(enum bp_token_kind kind);

#endif
