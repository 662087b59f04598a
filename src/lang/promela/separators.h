/* Where a model may leave out a semicolon, SPIN inserts one: at the end of a line, behind "else" and "}". Of two
 * separators in a row the second counts, and one in front of "}" is dropped. */
#ifndef NOETHER_LANG_PROMELA_SEPARATORS_H
#define NOETHER_LANG_PROMELA_SEPARATORS_H

#include "lang/promela/lexer.h"

/* Of a whole model; the bodies of inlines and the ltl formulas stay as they are. */
void pml_separate_model(const struct pml_tokens *tokens, struct pml_tokens *out);
/* Of the body of an inline, where it is used. */
void pml_separate_body(const struct pml_tokens *tokens, struct pml_tokens *out);

#endif
