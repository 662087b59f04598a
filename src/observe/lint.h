/* Variables that may be mistakes, in a model of any language. */
#ifndef NOETHER_OBSERVE_LINT_H
#define NOETHER_OBSERVE_LINT_H

#include "base/diag.h"
#include "ir/system.h"

/* Warns of variables that are never used, never read (they only multiply states) or never assigned. */
void lint_variables(const struct system *system, struct diagnostics *diagnostics);

#endif
