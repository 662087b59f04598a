/* Words and signs of other languages that people write in Murphi models, and what Murphi has instead: for hints. */
#ifndef NOETHER_LANG_MURPHI_FOREIGN_H
#define NOETHER_LANG_MURPHI_FOREIGN_H

#include "lang/murphi/parse.h"

/* What is written for the word ("!" for "not", "boolean" for "bool"), or NULL; case does not matter. */
const char *foreign_word(const char *text);
/* Adds a hint to the error reported last if the current token is such a word. */
void hint_foreign_word(struct parser *parser);
/* In an ltl property: the same for operators as other tools write them ("[]", "~>", "GF"). */
void hint_foreign_formula(struct parser *parser);
/* Does a formula of linear time that was read go on so, in the language of another tool? */
bool at_foreign_formula(const struct parser *parser);
/* What is written for a word before an operand ("G" for "always"), or NULL. */
const char *foreign_prefix(const char *text);
/* Is the current token a "not" that stands before an operand? */
bool at_foreign_not(const struct parser *parser);
/* x++, x += 1 and x--, where ":=" was expected: adds a hint to the error reported last. */
void hint_foreign_assignment(struct parser *parser);

#endif
