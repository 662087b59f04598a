#include "lang/prism/value.h"

void prism_values_free(struct prism_values *values)
{
    for (size_t i = 0; i < values->rationals.count; i++)
        rational_destroy(values->rationals.items[i]);
    VEC_FREE(&values->rationals);
}

static struct prism_value *new_value(struct prism_values *values, enum prism_type type)
{
    struct prism_value *value = ARENA_NEW(values->arena, struct prism_value);
    value->type = type;
    return value;
}

const struct prism_value *prism_value_bool(struct prism_values *values, bool truth)
{
    struct prism_value *value = new_value(values, PRISM_TYPE_BOOL);
    value->integer = truth;
    return value;
}

const struct prism_value *prism_value_int(struct prism_values *values, int64_t integer)
{
    struct prism_value *value = new_value(values, PRISM_TYPE_INT);
    value->integer = integer;
    return value;
}

struct rational *prism_values_new(struct prism_values *values)
{
    VEC_PUSH(&values->rationals, rational_create(0, 1));
    return VEC_LAST(&values->rationals);
}

const struct prism_value *prism_value_real(struct prism_values *values, const struct rational *real, bool is_rounded)
{
    struct prism_value *value = new_value(values, PRISM_TYPE_REAL);
    value->real = real;
    value->is_rounded = is_rounded;
    return value;
}

const struct prism_value *prism_value_widen(struct prism_values *values, const struct prism_value *value)
{
    if (value->type == PRISM_TYPE_REAL)
        return value;
    VEC_PUSH(&values->rationals, rational_create(value->integer, 1));
    return prism_value_real(values, VEC_LAST(&values->rationals), false);
}

void prism_value_print(const struct prism_value *value, struct text *out)
{
    if (value->type == PRISM_TYPE_BOOL)
        text_append(out, value->integer ? "true" : "false");
    else if (value->type == PRISM_TYPE_INT)
        text_format(out, "%lld", (long long)value->integer);
    else {
        char *digits = rational_digits(value->real);
        text_append(out, digits);
        free(digits);
    }
}
