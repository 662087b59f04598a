/* The preprocessor of Promela models: C's, on tokens. #include "file" (relative to the file that includes it), macros,
 * conditions. A -D of the command line defines a macro, and overrides a #define of its name; one that the model never
 * asks for is an error.
 *
 * Expansion is bounded: in nesting, in size, and by the watch. */
#ifndef NOETHER_LANG_PROMELA_PREPROCESS_H
#define NOETHER_LANG_PROMELA_PREPROCESS_H

#include "lang/promela/lexer.h"

struct reading;

/* Results of macros and of inlines, together, are at most so many tokens. */
enum { PML_MAX_TOKENS = 2000000 };

/* The tokens of the model, the last one PMT_EOF; errors are reported. Free with VEC_FREE. The same of an expression
 * that is asked for (NULL: none), with the macros of the model. */
void pml_preprocess(const struct source *source, const struct reading *reading, struct arena *arena,
                    struct diagnostics *diagnostics, struct pml_tokens *tokens, struct pml_tokens *asked);

#endif
