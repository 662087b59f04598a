/* Declarations that may be mistakes: what is declared and not used, and names that hide others. (Global variables are
 * looked at in the finished system, see observe/lint.h.) */
#ifndef NOETHER_LANG_MURPHI_LINT_H
#define NOETHER_LANG_MURPHI_LINT_H

#include "lang/murphi/lower.h"

/* Warns, after the model was lowered without an error. lower->used: where what was used is declared. */
void lint_declarations(struct lower *lower);

#endif
