#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/stream.h"

struct source *source_from_text(const char *path, const char *text, size_t length)
{
    struct source *source = memory_alloc(sizeof *source);
    char *copy = memory_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct text shown = {0};
    text_printable(&shown, path, strlen(path));
    source->path = memory_string(path);
    source->shown = memory_string(text_chars(&shown));
    text_free(&shown);
    source->text = copy;
    source->length = length;
    return source;
}

static struct source *source_read_stream(FILE *stream, const char *path, const char **reason)
{
    struct text content = {0};
    char buffer[65536];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0)
        text_append_n(&content, buffer, got);
    struct source *source = NULL;
    if (ferror(stream))
        *reason = strerror(errno);
    else
        source = source_from_text(path, text_chars(&content), content.length);
    text_free(&content);
    return source;
}

struct source *source_read(const char *path, const char **reason)
{
    if (!strcmp(path, "-"))
        return source_read_stream(stdin, "<stdin>", reason);
    struct stream stream;
    if (!stream_open(&stream, path)) {
        if (errno == ENOMEM)
            memory_fail(0);
        *reason = strerror(errno);
        return NULL;
    }
    struct source *source = source_read_stream(stream.file, path, reason);
    stream_close(&stream);
    return source;
}

void source_free(struct source *source)
{
    if (!source)
        return;
    free((char *)source->path);
    free((char *)source->shown);
    free((char *)source->text);
    free(source);
}

const char *source_line(struct span span, size_t *length)
{
    *length = 0;
    if (!span.source || !span.line)
        return "";
    const char *at = span.source->text, *end = at + span.source->length;
    for (uint32_t line = 1; line < span.line; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return "";
        at = newline + 1;
    }
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *length = (size_t)((newline ? newline : end) - at);
    if (*length && at[*length - 1] == '\r')
        (*length)--;
    return at;
}

uint64_t source_hash(const struct source *source)
{
    uint64_t hash = source ? hash_bytes(source->text, source->length) : 0;
    return source && !hash ? 1 : hash;
}
