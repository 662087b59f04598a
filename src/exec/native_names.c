/* Names: the model's own as far as C allows, each used for one thing. */
#include <string.h>

#include "exec/native_emit.h"

/* What a name must not be. Names of the runtime end in an underscore or are listed here. */
static const char *const RESERVED[] = {
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "true",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "linux",
    "unix",
    "run",
    "m",
    "fault",
    "mark",
    "mark_cells",
    "pass_over",
    "fill",
    "free_slot",
    "any_undefined",
    "noether_program",
    "noether_source",
    "rules",
    "starts",
    "properties",
    "fired",
    "INLINE",
    "UNLIKELY",
    "UNDEFINED",
    "DEFINED",
    "READ",
    "ORDERED",
    "CHECKED",
    "ARITH",
    "IN_RANGE",
    "IN_RANGE_RAW",
    "IN_TYPE",
    "IN_TYPE_RAW",
    "ORDINAL",
    "LET",
    "STORE",
    "CALL",
    "CALL_AT",
    "COPY",
    "SAME",
    "SLOT",
    "TAKEN",
    "BLOCK_SHIFT",
    "FOUND",
    "rule",
    "finders",
    "effects",
};

/* Not isalnum: what that says of bytes beyond ASCII depends on the locale of the program we are part of. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void write_identifier(struct text *out, const char *chars, size_t most)
{
    for (; *chars && most; chars++, most--)
        text_char(out, is_plain(*chars) ? *chars : '_');
}

void write_comment(struct text *out, const char *chars)
{
    for (; *chars; chars++)
        text_char(out, (unsigned char)*chars < ' ' || *chars == '*' ? ' ' : *chars);
}

static bool name_is_taken(const struct name_set *set, const char *name)
{
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
        if (!strcmp(RESERVED[i], name))
            return true;
    for (size_t i = 0; i < set->names.count; i++)
        if (!strcmp(set->names.items[i], name))
            return true;
    return false;
}

/* Names that begin so are those of generated functions, of the runtime, or (with an underscore) of the compiler. */
static bool name_begins_badly(const char *wish)
{
    static const char *const beginnings[] = {"function_", "rule_",  "start_", "property_", "ordinal_", "code_",
                                             "clear_",    "blank_", "find_",  "NATIVE",    "native_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(wish, beginnings[i], strlen(beginnings[i])))
            return true;
    return !is_plain(*wish) || (*wish >= '0' && *wish <= '9');
}

const char *name_claim(struct name_set *set, const char *wish)
{
    struct text base = {0}, name = {0};
    if (name_begins_badly(wish))
        text_append(&base, "x");
    write_identifier(&base, wish, 60);
    if (base.chars[base.length - 1] == '_' || strstr(base.chars, "INT"))
        text_append(&base, "0"); /* the runtime's own, or a macro of <stdint.h> */
    text_append(&name, base.chars);
    for (unsigned number = 2; name_is_taken(set, name.chars); number++) {
        text_clear(&name);
        text_format(&name, "%s_%u", base.chars, number);
    }
    const char *kept = arena_string(set->arena, name.chars);
    VEC_PUSH(&set->names, kept);
    text_free(&base);
    text_free(&name);
    return kept;
}

const char *name_address(struct native_emitter *emitter, const struct variable *variable)
{
    const char **name = &emitter->address_names[variable->address];
    emitter->needs_scratch |= !variable->is_global;
    if (!*name) {
        *name = name_claim(&emitter->names, variable->name ? variable->name : "unnamed");
        text_format(&emitter->addresses, "    %s = %u,\n", *name, variable->address);
    }
    return *name;
}

const char *name_field(struct native_emitter *emitter, const struct type *record, const struct field *field)
{
    const char ***names = &emitter->field_names[record->id];
    size_t number = (size_t)(field - record->fields);
    if (!*names)
        *names = ARENA_ARRAY(emitter->arena, const char *, record->field_count);
    if (!(*names)[number]) {
        struct text wish = {0};
        text_format(&wish, "%s_%s", record->name ? record->name : "record", field->name);
        (*names)[number] = name_claim(&emitter->names, wish.chars);
        text_format(&emitter->offsets, "    %s = %u,\n", (*names)[number], field->offset);
        text_free(&wish);
    }
    return (*names)[number];
}

static const char *name_label(struct native_emitter *emitter, const struct type *type, uint32_t position)
{
    const char ***names = &emitter->label_names[type->id];
    if (!*names)
        *names = ARENA_ARRAY(emitter->arena, const char *, type->size);
    if (!(*names)[position]) {
        struct text wish = {0};
        text_format(&wish, "%s_%s", type->name ? type->name : "enum", type->labels[position]);
        (*names)[position] = name_claim(&emitter->names, wish.chars);
        text_format(&emitter->codes, "    %s = %d,\n", (*names)[position], type_code(type, position));
        text_free(&wish);
    }
    return (*names)[position];
}

const char *name_local(struct native_emitter *emitter, const struct variable *variable)
{
    struct scratch_home *home = home_of(emitter, variable);
    if (!home->name) {
        home->name = name_claim(&emitter->names, variable->name ? variable->name : "unnamed");
        VEC_PUSH(&emitter->locals, variable);
    }
    return home->name;
}

static const struct type *code_owner(const struct type *type, int64_t code)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            return type->blocks[b].owner;
    return NULL;
}

void write_code(struct native_emitter *emitter, const struct type *type, int64_t code)
{
    const struct type *owner = type && type_is_scalar(type) ? code_owner(type, code) : NULL;
    if (code == UNDEFINED)
        text_append(emitter->out, "UNDEFINED");
    else if (owner && owner->kind == TYPE_ENUM)
        text_append(emitter->out, name_label(emitter, owner, (uint32_t)type_ordinal(owner, code)));
    else if (code == INT64_MIN)
        text_append(emitter->out, "INT64_MIN");
    else if (code > INT32_MAX || code < INT32_MIN)
        text_format(emitter->out, "INT64_C(%lld)", (long long)code);
    else if (code < 0)
        text_format(emitter->out, "(%lld)", (long long)code);
    else
        text_format(emitter->out, "%lld", (long long)code);
}
