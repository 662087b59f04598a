/* Private to validate*.c: the state of the check, and the first broken promise. */
#ifndef NOETHER_IR_VALIDATION_H
#define NOETHER_IR_VALIDATION_H

#include "ir/system.h"

struct validation {
    struct system *system;
    const char *problem;             /* the first one; NULL: none yet */
    const struct function *function; /* being checked; NULL: a rule or property */
    bool is_prelude;
    bool *is_valid;                     /* by number of what stands in several places: it was looked at */
    VEC(const struct variable *) bound; /* loop and quantified variables in scope: not to be written */
};

/* Records the first problem; returns false. */
bool validation_fail(struct validation *validation, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same cells with the same codes: values may be copied cell by cell. */
bool validate_same_shape(const struct type *a, const struct type *b);

/* `may_be_undefined`: the consumer copies the value, so a raw read is allowed. */
bool validate_expr(struct validation *validation, const struct expr *expr, bool may_be_undefined);
/* An expression of the boolean type. */
bool validate_condition(struct validation *validation, const struct expr *expr, struct span span);
/* An expression whose value a cell of `type` could hold. */
bool validate_value(struct validation *validation, const struct expr *expr, const struct type *type,
                    bool may_be_undefined, struct span span);
bool validate_call(struct validation *validation, const struct expr *call);
bool validate_place(struct validation *validation, const struct place *place);
bool validate_multiset(struct validation *validation, const struct place *place, struct span span);
bool validate_domain(struct validation *validation, const struct domain *domain, const struct variable *variable,
                     struct span span);
/* ... that can hold a slot number. */
bool validate_slot_variable(struct validation *validation, const struct variable *variable, const struct type *multiset,
                            struct span span);
bool validate_block(struct validation *validation, const struct block *block);

#endif
