/* Macros, and their expansion in a list of tokens. For the preprocessor only. */
#ifndef NOETHER_LANG_PROMELA_MACRO_H
#define NOETHER_LANG_PROMELA_MACRO_H

#include "lang/promela/lexer.h"

struct macro {
    const char *name;
    bool is_function, is_given; /* is_given: on the command line */
    bool is_defined;            /* not #undef'd */
    bool is_busy;               /* it is being expanded: its own name is not */
    bool is_used;               /* anything asked for it */
    VEC(const char *) parameters;
    struct pml_tokens body;
};

struct preprocessor {
    struct arena *arena;
    struct diagnostics *diagnostics;
    VEC(struct macro *) macros;
    struct pml_tokens *out;
    uint32_t uses, work, files, depth;
    bool is_over; /* too much; nothing more is expanded */
};

/* NULL: none is defined. */
struct macro *macro_find(const struct preprocessor *pp, const char *name);
/* The macro of that name, empty; it is added when there is none. */
struct macro *macro_define(struct preprocessor *pp, const char *name);
/* Appends the tokens to `out`, expanded. */
void macro_expand(struct preprocessor *pp, const struct pml_token *items, size_t count, struct pml_tokens *out);
void macro_free_all(struct preprocessor *pp);

/* condition.c: the value of an #if; `at`: the directive, for errors. */
bool condition_holds(struct preprocessor *pp, const struct pml_token *at, const struct pml_token *items, size_t count);

#endif
