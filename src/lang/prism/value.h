/* Values of constants and constant expressions: truth values, integers and exact reals. Immutable. */
#ifndef NOETHER_LANG_PRISM_VALUE_H
#define NOETHER_LANG_PRISM_VALUE_H

#include "base/rational.h"
#include "base/text.h"
#include "base/vec.h"
#include "lang/prism/ast.h"

struct prism_value {
    enum prism_type type;
    int64_t integer;             /* BOOL, INT */
    const struct rational *real; /* REAL */
    bool is_rounded;             /* REAL: a logarithm or a root was involved, so it is only near */
};

/* Owns the values made with it, and what they are made of. */
struct prism_values {
    struct arena *arena;
    VEC(struct rational *) rationals;
};

void prism_values_free(struct prism_values *values);
const struct prism_value *prism_value_bool(struct prism_values *values, bool truth);
const struct prism_value *prism_value_int(struct prism_values *values, int64_t integer);
/* A number to write to; it becomes the value's. */
struct rational *prism_values_new(struct prism_values *values);
const struct prism_value *prism_value_real(struct prism_values *values, const struct rational *real, bool is_rounded);
/* An integer as a real; a real as it is. */
const struct prism_value *prism_value_widen(struct prism_values *values, const struct prism_value *value);
void prism_value_print(const struct prism_value *value, struct text *out);

#endif
