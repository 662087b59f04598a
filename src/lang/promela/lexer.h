/* Text of a Promela model -> tokens, before the preprocessor. Nothing is refused here: what is no token is a PMT_BAD,
 * which is reported where it is not skipped by an #if. */
#ifndef NOETHER_LANG_PROMELA_LEXER_H
#define NOETHER_LANG_PROMELA_LEXER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

enum pml_token_kind {
    PMT_EOF,
    PMT_BAD,
    PMT_NAME,
    PMT_NUMBER,
    PMT_CHARACTER,
    PMT_STRING,

    PMT_SEPARATOR, /* :: */
    PMT_COLON,
    PMT_SEMI,
    PMT_ARROW,
    PMT_COMMA,
    PMT_DOT,
    PMT_DOTS,
    PMT_AT,
    PMT_HASH,
    PMT_PASTE, /* ## */
    PMT_BACKSLASH,
    PMT_OPEN,
    PMT_CLOSE,
    PMT_OPEN_BRACKET,
    PMT_CLOSE_BRACKET,
    PMT_OPEN_BRACE,
    PMT_CLOSE_BRACE,
    PMT_BECOMES,
    PMT_INCREMENT,
    PMT_DECREMENT,
    PMT_SEND, /* ! is negation too */
    PMT_SORTED_SEND,
    PMT_RECEIVE,
    PMT_RANDOM_RECEIVE,
    PMT_PLUS,
    PMT_MINUS,
    PMT_STAR,
    PMT_SLASH,
    PMT_PERCENT,
    PMT_SHIFT_LEFT,
    PMT_SHIFT_RIGHT,
    PMT_LT,
    PMT_LE,
    PMT_GT,
    PMT_GE,
    PMT_EQ,
    PMT_NE,
    PMT_BIT_AND,
    PMT_BIT_OR,
    PMT_BIT_XOR,
    PMT_TILDE,
    PMT_AND,
    PMT_OR,

    /* words: the order of the table in lexer.c */
    PMT_FIRST_WORD,
    PMT_D_PROCTYPE = PMT_FIRST_WORD,
    PMT_ACTIVE,
    PMT_ASSERT,
    PMT_ATOMIC,
    PMT_BIT,
    PMT_BOOL,
    PMT_BREAK,
    PMT_BYTE,
    PMT_C_CODE,
    PMT_C_DECL,
    PMT_C_EXPR,
    PMT_C_STATE,
    PMT_C_TRACK,
    PMT_CHAN,
    PMT_D_STEP,
    PMT_DO,
    PMT_ELSE,
    PMT_EMPTY,
    PMT_ENABLED,
    PMT_EVAL,
    PMT_FALSE,
    PMT_FI,
    PMT_FOR,
    PMT_FULL,
    PMT_GET_PRIORITY,
    PMT_GOTO,
    PMT_HIDDEN,
    PMT_IF,
    PMT_INIT,
    PMT_INLINE,
    PMT_INT,
    PMT_LEN,
    PMT_LOCAL,
    PMT_LTL,
    PMT_MTYPE,
    PMT_NEMPTY,
    PMT_NEVER,
    PMT_NFULL,
    PMT_NOTRACE,
    PMT_NP,
    PMT_OD,
    PMT_OF,
    PMT_PC_VALUE,
    PMT_PID,
    PMT_PRINTF,
    PMT_PRINTM,
    PMT_PRIORITY,
    PMT_PROCTYPE,
    PMT_PROVIDED,
    PMT_RETURN,
    PMT_RUN,
    PMT_SELECT,
    PMT_SET_PRIORITY,
    PMT_SHORT,
    PMT_SHOW,
    PMT_SKIP,
    PMT_TIMEOUT,
    PMT_TRACE,
    PMT_TRUE,
    PMT_TYPEDEF,
    PMT_UNLESS,
    PMT_UNSIGNED,
    PMT_XR,
    PMT_XS
};

struct pml_token {
    enum pml_token_kind kind;
    struct span span; /* in the user's text; of a macro's result: the use of the macro */
    const char *text;
    uint32_t from, to; /* bytes of the span's source that show it */
    uint32_t use;      /* results of one use of a macro have the same number; 0: none */
    bool has_blank;    /* in front of it */
    bool has_line;     /* the first of its line; a comment does not end a line */
    bool is_painted;   /* a macro that is not expanded again */
};

struct pml_tokens {
    struct pml_token *items;
    size_t count, capacity;
};

/* The arguments of a use of a macro or an inline. */
struct pml_token_lists {
    struct pml_tokens *items;
    size_t count, capacity;
};

void pml_token_lists_free(struct pml_token_lists *lists);
/* The whole source, without an end mark. Strings live in the arena; free with VEC_FREE. */
void pml_lexer_read(const struct source *source, struct arena *arena, struct diagnostics *diagnostics,
                    struct pml_tokens *tokens);
/* Where the end of the file is reported: behind the last token. */
struct pml_token pml_token_end(const struct source *source, const struct pml_tokens *tokens);
const char *pml_token_describe(const struct pml_token *token, struct arena *arena); /* for messages */
const char *pml_token_spelling(enum pml_token_kind kind);
/* Is it a word of the language, such as "do"? */
bool pml_token_is_word(const struct pml_token *token);
/* Reports a PMT_BAD. */
void pml_token_refuse(const struct pml_token *token, struct diagnostics *diagnostics);
/* As C converts a number to int. */
int64_t pml_wrap(int64_t number);
/* Of a number or a character. Numbers are cut to 32 bits, as in SPIN. */
int64_t pml_token_value(const struct pml_token *token);

#endif
