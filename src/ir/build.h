/* Making nodes of the IR, with constant folding where the result is certain (no fault is lost or invented). */
#ifndef NOETHER_IR_BUILD_H
#define NOETHER_IR_BUILD_H

#include "ir/system.h"

/* VARIABLE or DEREF */
struct place *place_variable(struct system *system, const struct variable *variable, struct span span);
struct place *place_element(struct system *system, struct place *base, struct expr *index, struct span span);
struct place *place_slot(struct system *system, struct place *base, struct expr *index, struct span span);
struct place *place_field(struct system *system, struct place *base, const struct field *field, struct span span);
struct place *place_call(struct system *system, struct expr *call, struct span span);

/* A number, truth value or code. An EXPR_CONST cannot hold INT32_MIN, which stands for the undefined value there: that
 * number is the complement of INT32_MAX, an EXPR_UNARY. */
struct expr *expr_const(struct system *system, const struct type *type, int64_t value, struct span span);
/* The undefined value, for an assignment or an argument of the type. */
struct expr *expr_undefined(struct system *system, const struct type *type, struct span span);
/* True if the expression is a number that is known, INT32_MIN included: what expr_const makes. */
bool expr_is_number(const struct expr *expr, int64_t *number);
struct expr *expr_read(struct system *system, struct place *place, bool raw, struct span span);
struct expr *expr_unary(struct system *system, enum operator op, struct expr *operand, struct span span);
struct expr *expr_binary(struct system *system, enum operator op, struct expr *left, struct expr *right,
                         struct span span);
struct expr *expr_cond(struct system *system, struct expr *condition, struct expr *left, struct expr *right,
                       struct span span);
struct expr *expr_quantifier(struct system *system, enum operator op, const struct variable *variable,
                             struct domain domain, struct expr *body, struct span span);
struct expr *expr_is_undefined(struct system *system, struct place *place, struct span span);
struct expr *expr_is_member(struct system *system, struct expr *value, const struct type *member, struct span span);
struct expr *expr_call(struct system *system, const struct function *function, struct argument *arguments,
                       struct span span);
struct expr *expr_equal(struct system *system, struct place *left, struct place *right, struct span span);
struct expr *expr_slot_taken(struct system *system, struct place *multiset, struct expr *slot, struct span span);
struct expr *expr_count(struct system *system, struct place *multiset, const struct variable *slot,
                        struct expr *predicate, struct span span);

/* It is about to stand in several places; it calls no function, and binds no variable. */
void expr_share(struct system *system, struct expr *expr);

/* Fields are filled in by the caller. */
struct stmt *stmt_new(struct system *system, enum stmt_kind kind, struct span span);

#endif
