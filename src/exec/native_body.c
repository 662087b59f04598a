/* One function of C. */
#include <string.h>

#include "exec/native_emit.h"

void body_begin(struct native_emitter *emitter, struct body *body)
{
    *body = (struct body){.outer = emitter->out, .names = emitter->names.names.count};
    emitter->out = &body->text;
    emitter->indent = 1;
    VEC_CLEAR(&emitter->locals);
}

static const char *file_name(struct span span)
{
    const char *path = span.source && span.source->shown ? span.source->shown : "", *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Names of the file that were claimed meanwhile stay claimed; those of the function's variables are free again. */
static void release_locals(struct native_emitter *emitter, const struct body *body)
{
    struct name_set *set = &emitter->names;
    size_t kept = body->names;
    for (size_t i = body->names; i < set->names.count; i++) {
        bool is_local = false;
        for (size_t v = 0; v < emitter->locals.count && !is_local; v++)
            is_local = home_of(emitter, emitter->locals.items[v])->name == set->names.items[i];
        if (!is_local)
            set->names.items[kept++] = set->names.items[i];
    }
    set->names.count = kept;
}

void body_end(struct native_emitter *emitter, struct body *body, const char *kind, const char *name, struct span span,
              const char *head)
{
    struct text *out = emitter->out = body->outer;
    text_format(out, "/* %s \"", kind);
    write_comment(out, name);
    text_append(out, "\"");
    if (span.line) {
        text_append(out, ", ");
        write_comment(out, file_name(span));
        text_format(out, ":%u", span.line);
    }
    text_format(out, " */\n%s\n{\n", head);
    for (size_t v = 0; v < emitter->locals.count; v++)
        text_format(out, "    int32_t %s = %s;\n", home_of(emitter, emitter->locals.items[v])->name,
                    emitter->locals.items[v]->is_reference ? "0" : "UNDEFINED");
    text_append(out, text_chars(&body->text));
    text_append(out, "}\n\n");
    release_locals(emitter, body);
    text_free(&body->text);
}
