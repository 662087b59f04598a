/* Helpers written once for each type that needs them. */
#include <inttypes.h>

#include "exec/native_emit.h"

static const char *helper_name(struct native_emitter *emitter, const char *what, const struct type *type)
{
    emitter->has_call = true; /* it will be */
    return arena_format(emitter->arena, "%s_%u", what, type->id);
}

/* Position of a code in a type whose codes are several blocks, and back. */
const char *type_ordinal_helper(struct native_emitter *emitter, const struct type *type)
{
    const char *name = helper_name(emitter, "ordinal", type);
    if (emitter->has_ordinal[type->id])
        return name;
    emitter->has_ordinal[type->id] = true;
    struct text *out = &emitter->helpers, back = {0};
    uint32_t before = 0;
    text_format(out, "INLINE int %s(int64_t code)\n{\n", name);
    text_format(&back, "INLINE int32_t code_%s(int ordinal)\n{\n", name);
    for (uint32_t b = 0; b < type->block_count; b++) {
        int64_t low = type->blocks[b].lo, high = type->blocks[b].hi;
        text_format(out,
                    "    if (code >= %" PRId64 " && code <= %" PRId64 ") return (int)(code - (%" PRId64 ")) + %u;\n",
                    low, high, low, before);
        text_format(&back, "    if (ordinal < %" PRId64 ") return (int32_t)(ordinal - %u + INT64_C(%" PRId64 "));\n",
                    before + high - low + 1, before, low);
        before += (uint32_t)(high - low + 1);
    }
    text_append(out, "    return -1;\n}\n");
    text_append(&back, "    return UNDEFINED;\n}\n\n");
    text_append(out, text_chars(&back));
    text_free(&back);
    return name;
}

static const char *fill_helper(struct native_emitter *emitter, const struct type *type, bool is_clear);

/* Statements that fill `cells + offset`. */
static void write_part(struct native_emitter *emitter, struct text *out, const struct type *type, uint32_t offset,
                       bool is_clear)
{
    if (type_is_scalar(type) && is_clear)
        text_format(out, "    cells[%u] = %d;\n", offset, type_code(type, 0));
    else if (type_is_scalar(type))
        text_format(out, "    cells[%u] = UNDEFINED;\n", offset);
    else
        text_format(out, "    %s(cells + %u);\n", fill_helper(emitter, type, is_clear), offset);
}

static void write_repeated(struct native_emitter *emitter, struct text *out, const struct type *element, uint32_t count,
                           uint32_t stride, bool is_clear)
{
    text_format(out, "    for (int part = 0; part < %u; part++, cells += %u) {\n", count, stride);
    if (stride != element->cells) /* a slot of a multiset, that becomes free */
        text_append(out, "    cells[0] = 0;\n");
    write_part(emitter, out, element, stride - element->cells, is_clear);
    text_append(out, "    }\n");
}

static const char *fill_helper(struct native_emitter *emitter, const struct type *type, bool is_clear)
{
    const char *name = helper_name(emitter, is_clear ? "clear" : "blank", type);
    bool *is_written = (is_clear ? emitter->has_clear : emitter->has_blank) + type->id;
    if (*is_written)
        return name;
    *is_written = true;
    struct text body = {0}; /* the helpers of its parts are written first */
    if (type->kind == TYPE_ARRAY)
        write_repeated(emitter, &body, type->element, type->index->size, type->element->cells, is_clear);
    else if (type->kind == TYPE_MULTISET)
        write_repeated(emitter, &body, type->element, type->capacity, multiset_stride(type), false);
    for (uint32_t f = 0; type->kind == TYPE_RECORD && f < type->field_count; f++)
        write_part(emitter, &body, type->fields[f].type, type->fields[f].offset, is_clear);
    text_format(&emitter->helpers, "static void %s(int32_t *cells)\n{\n%s}\n\n", name, text_chars(&body));
    text_free(&body);
    return name;
}

void write_fill(struct native_emitter *emitter, const char *at, const struct type *type, bool is_clear)
{
    if (type_is_scalar(type))
        write_line(emitter, "m[%s] = %d;", at, is_clear ? type_code(type, 0) : UNDEFINED);
    else if (!is_clear && !type_has_multiset(type))
        write_line(emitter, "fill(m + %s, UNDEFINED, %u);", at, type->cells);
    else
        write_line(emitter, "%s(m + %s);", fill_helper(emitter, type, is_clear), at);
}
