/* Instances of rules: number <-> parameter values, and how they are printed. */
#ifndef NOETHER_IR_INSTANCE_H
#define NOETHER_IR_INSTANCE_H

#include "ir/system.h"

/* Writes one code per parameter. */
void instance_values(const struct rule *rule, uint64_t instance, int32_t *values);
uint64_t instance_number(const struct rule *rule, const int32_t *values);
/* "Send request (i: Node_2, m: 3)", or as the rule says (ir/face.h) */
void instance_print(const struct rule *rule, uint64_t instance, struct text *out);

#endif
