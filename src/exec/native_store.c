/* Values on their way into a cell. */
#include "exec/native_emit.h"

static bool value_may_be_raw(const struct expr *value)
{
    return value->kind == EXPR_CONST || (value->kind == EXPR_READ && value->raw);
}

bool value_needs_check(struct native_emitter *emitter, const struct expr *value, const struct type *type)
{
    int64_t constant;
    if (expr_static_value(&emitter->facts, value, &constant))
        return !type_has(type, constant) && !(value_may_be_raw(value) && constant == UNDEFINED);
    return !value_is_inside(&emitter->facts, value, type);
}

void write_checked(struct native_emitter *emitter, const char *name, const struct expr *value, const struct type *type)
{
    const char *raw = value_may_be_raw(value) ? "_RAW" : "";
    int64_t low, high;
    bool is_interval = type_interval(type, &low, &high);
    const char *helper = is_interval ? NULL : type_ordinal_helper(emitter, type);
    text_format(emitter->out, "%s%s(", is_interval ? "IN_RANGE" : "IN_TYPE", raw);
    if (name)
        text_append(emitter->out, name);
    else
        write_expr(emitter, value);
    uint32_t site = write_site(emitter, FAULT_RANGE, value->span, NULL, type);
    if (is_interval)
        text_format(emitter->out, ", %lld, %lld, %u)", (long long)low, (long long)high, site);
    else
        text_format(emitter->out, ", %s, %u)", helper, site);
}

void write_storable(struct native_emitter *emitter, const struct expr *value, const struct type *type)
{
    if (value_needs_check(emitter, value, type))
        write_checked(emitter, NULL, value, type);
    else
        write_expr(emitter, value);
}
