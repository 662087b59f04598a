/* The textual form of the system (--dump=ir). */
#ifndef NOETHER_IR_PRINT_H
#define NOETHER_IR_PRINT_H

#include "base/text.h"
#include "ir/system.h"

void ir_print_system(const struct system *system, struct text *out);
/* Of all that is printed but the model's path: it differs between systems that differ. */
uint64_t ir_hash_system(const struct system *system);
void ir_print_expr(const struct expr *expr, struct text *out);
/* The same as people write it: parentheses only where they are needed. */
void ir_print_formula(const struct expr *expr, struct text *out);
/* And without the tests that comparisons imply: for people only. */
void ir_print_claim(const struct expr *expr, struct text *out);
void ir_print_place(const struct place *place, struct text *out);
void ir_print_domain(const struct domain *domain, struct text *out);
void ir_print_block(const struct block *block, int indent, struct text *out);

#endif
