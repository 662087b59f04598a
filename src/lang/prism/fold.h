/* Operations on constants. */
#ifndef NOETHER_LANG_PRISM_FOLD_H
#define NOETHER_LANG_PRISM_FOLD_H

#include "lang/prism/value.h"

/* NULL, and *reason says why, when there is no such value: a division by zero, an integer beyond 64 bits. The operands
 * have the types the operator wants. */
const struct prism_value *prism_fold_unary(struct prism_values *values, enum prism_operator op,
                                           const struct prism_value *operand, const char **reason);
const struct prism_value *prism_fold_binary(struct prism_values *values, enum prism_operator op,
                                            const struct prism_value *left, const struct prism_value *right,
                                            const char **reason);
const struct prism_value *prism_fold_call(struct prism_values *values, enum prism_function function,
                                          const struct prism_value *const *arguments, uint32_t count,
                                          const char **reason);
/* Why there is no remainder by it; NULL: there is. */
const char *prism_fold_divisor(int64_t divisor);

#endif
