/* The Murphi front end: both dialects (CMurphi 5 and rumur), text -> IR. */
#ifndef NOETHER_LANG_MURPHI_H
#define NOETHER_LANG_MURPHI_H

#include "ir/language.h"

/* NULL when diagnostics->errors > 0. The sources must outlive the system (spans point into them). */
struct system *murphi_read(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics);
extern const struct language language_murphi;

/* The system as text that murphi_read (and rumur) takes: for systems without functions, multisets, references, loops
 * and quantifiers, as reduce/ makes them, to be read in that dialect. False when it has an operator that has no
 * spelling (of bits). */
bool murphi_write(const struct system *system, enum dialect dialect, struct text *out);

#endif
