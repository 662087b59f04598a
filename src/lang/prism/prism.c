#include "lang/prism/prism.h"

#include "lang/prism/symbols.h"

bool prism_error(struct prism_reader *reader, struct span span, const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    bool is_new = report_error(reader->diagnostics, span, "%s", text_chars(&message));
    text_free(&message);
    return is_new;
}

static void parse(struct prism_reader *reader, const struct source *source)
{
    struct prism_tokens tokens = {0};
    prism_lexer_read(source, reader->arena, reader->diagnostics, &tokens);
    reader->model = prism_parse_model(reader->arena, &tokens, reader->diagnostics);
    prism_tokens_free(&tokens);
    const struct source *sources[] = {reader->options.properties, reader->options.asked};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (!sources[i])
            continue;
        if (!reader->properties)
            reader->properties = ARENA_NEW(reader->arena, struct prism_properties);
        prism_lexer_read(sources[i], reader->arena, reader->diagnostics, &tokens);
        prism_parse_properties(reader->arena, &tokens, reader->diagnostics, reader->properties);
        prism_tokens_free(&tokens);
    }
}

struct prism_reader *prism_reader_create(const struct source *source, const struct prism_options *options,
                                         struct diagnostics *diagnostics)
{
    struct prism_reader *reader = memory_zeroed(1, sizeof *reader);
    reader->arena = reader->values.arena = arena_create();
    reader->diagnostics = diagnostics;
    reader->options = *options;
    parse(reader, source);
    if (!diagnostics->errors)
        prism_elaborate(reader);
    if (!diagnostics->errors)
        prism_compose(reader);
    if (!diagnostics->errors)
        prism_elaborate_properties(reader);
    VEC_FREE(&reader->symbols);
    VEC_FREE(&reader->variables);
    if (!diagnostics->errors)
        return reader;
    prism_reader_destroy(reader);
    return NULL;
}

void prism_reader_destroy(struct prism_reader *reader)
{
    if (!reader)
        return;
    prism_values_free(&reader->values);
    arena_destroy(reader->arena);
    free(reader);
}

struct system *prism_read(const struct source *source, const struct prism_options *options,
                          struct diagnostics *diagnostics)
{
    struct prism_reader *reader = prism_reader_create(source, options, diagnostics);
    struct system *system = reader ? prism_lower(reader, source->path) : NULL;
    prism_reader_destroy(reader);
    return system;
}

const struct prism_network *prism_reader_network(const struct prism_reader *reader)
{
    return &reader->network;
}
