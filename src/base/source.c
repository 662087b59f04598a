#include "base/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/account.h"
#include "base/await.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/printable.h"

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

enum { SOURCE_MOST_BYTES = 1 << 30 }; /* a device such as /dev/zero has no end */

/* Null, or why it cannot be read. */
static const char *source_read_file(int file, struct text *content)
{
    char buffer[65536];
    while (content->length <= SOURCE_MOST_BYTES) {
        if (!await_readable(file))
            return "the time was over before all of it was there";
        ssize_t got = read(file, buffer, sizeof buffer);
        if (got == 0)
            return NULL;
        if (got > 0)
            text_append_n(content, buffer, (size_t)got);
        else if (errno != EINTR && errno != EAGAIN)
            return strerror(errno);
    }
    return "it has more than 1 GiB";
}

static struct source *source_of_file(int file, const char *path, const char **reason)
{
    struct text content = {0};
    struct source *source = NULL;
    *reason = source_read_file(file, &content);
    if (!*reason)
        source = source_from_text(path, text_chars(&content), content.length);
    text_free(&content);
    return source;
}

static void source_close(void *data)
{
    close(*(int *)data);
}

struct source *source_read(const char *path, const char **reason)
{
    if (!strcmp(path, "-"))
        return source_of_file(STDIN_FILENO, "<stdin>", reason);
    int file = await_open_to_read(path);
    if (file < 0) {
        if (errno == ENOMEM)
            memory_fail(0);
        *reason = strerror(errno);
        return NULL;
    }
    struct cleanup cleanup;
    cleanup_push(&cleanup, source_close, &file);
    struct source *source = source_of_file(file, path, reason);
    cleanup_drop(&cleanup);
    close(file);
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
