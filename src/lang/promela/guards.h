/* What the form of an expression says: is it a number, a variable as a whole, the opposite of another? */
#ifndef NOETHER_LANG_PROMELA_GUARDS_H
#define NOETHER_LANG_PROMELA_GUARDS_H

#include "lang/promela/ast.h"

/* A number, or a sum or difference of numbers. */
bool pml_is_number(const struct pml_expr *expr, int64_t *value);
/* The variable that the place is, as a whole; NULL: it is an array, or a part. */
const struct pml_variable *pml_scalar_of(const struct pml_place *place);
bool pml_reads(const struct pml_expr *expr, const struct pml_variable *variable);
/* Is one condition true where, and only where, the other is false? */
bool pml_are_opposite(const struct pml_expr *a, const struct pml_expr *b);
/* Can both conditions not hold together? */
bool pml_are_exclusive(const struct pml_expr *a, const struct pml_expr *b);

#endif
