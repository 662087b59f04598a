#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static char *vformat(const char *format, va_list arguments)
{
    struct text text = {0};
    text_vformat(&text, format, arguments);
    return text.chars ? text.chars : memory_string("");
}

static void diag_add(struct diagnostics *list, enum severity severity, struct span span, char *message)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = memory_resize(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = (struct diagnostic){severity, span, message, NULL};
    list->errors += severity == SEVERITY_ERROR;
}

void diag_error(struct diagnostics *list, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_add(list, SEVERITY_ERROR, span, vformat(format, arguments));
    va_end(arguments);
}

void diag_warning(struct diagnostics *list, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_add(list, SEVERITY_WARNING, span, vformat(format, arguments));
    va_end(arguments);
}

void diag_note(struct diagnostics *list, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_add(list, SEVERITY_NOTE, span, vformat(format, arguments));
    va_end(arguments);
}

void diag_hint(struct diagnostics *list, const char *format, ...)
{
    if (!list->count)
        return;
    va_list arguments;
    va_start(arguments, format);
    free(list->items[list->count - 1].hint);
    list->items[list->count - 1].hint = vformat(format, arguments);
    va_end(arguments);
}

void diag_append(struct diagnostics *list, const struct diagnostics *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct diagnostic *item = &more->items[i];
        diag_add(list, item->severity, item->span, memory_string(item->message));
        if (item->hint)
            diag_hint(list, "%s", item->hint);
    }
}

/* Of a long line, as in generated models, only the part around the caret is shown. */
enum { EXCERPT_MAX = 160, EXCERPT_BEFORE = 60 };

struct excerpt {
    const char *line;
    size_t from, to, length;
};

/* Does a character start here (and not go on, in UTF-8)? */
static bool starts_character(const struct excerpt *excerpt, size_t at)
{
    return ((unsigned char)excerpt->line[at] & 0xc0) != 0x80;
}

static struct excerpt excerpt_around(struct span span, size_t caret)
{
    struct excerpt excerpt = {0};
    excerpt.line = source_line(span, &excerpt.length);
    excerpt.to = excerpt.length;
    if (excerpt.length <= EXCERPT_MAX)
        return excerpt;
    if (caret > EXCERPT_BEFORE)
        excerpt.from = (caret < excerpt.length ? caret : excerpt.length) - EXCERPT_BEFORE;
    if (excerpt.to - excerpt.from > EXCERPT_MAX)
        excerpt.to = excerpt.from + EXCERPT_MAX;
    while (excerpt.from && !starts_character(&excerpt, excerpt.from))
        excerpt.from--;
    while (excerpt.to < excerpt.length && !starts_character(&excerpt, excerpt.to))
        excerpt.to++;
    return excerpt;
}

/* One mark for each character in the range. */
static void print_marks(const struct excerpt *excerpt, size_t from, size_t to, char mark, struct text *out)
{
    for (size_t i = from; i < to; i++)
        if (i >= excerpt->length || starts_character(excerpt, i))
            text_char(out, mark);
}

static void print_excerpt(struct span span, struct text *out)
{
    size_t caret = span.column ? span.column - 1 : 0, end = caret + span.length;
    struct excerpt excerpt = excerpt_around(span, caret);
    text_format(out, "%5u | %s", span.line, excerpt.from ? "..." : "");
    for (size_t i = excerpt.from; i < excerpt.to; i++)
        text_char(out, (unsigned char)excerpt.line[i] < ' ' ? ' ' : excerpt.line[i]);
    text_format(out, "%s\n      | %s", excerpt.to < excerpt.length ? "..." : "", excerpt.from ? "   " : "");
    print_marks(&excerpt, excerpt.from, caret, ' ', out);
    text_char(out, '^');
    print_marks(&excerpt, caret + 1, end < excerpt.to ? end : excerpt.to, '~', out);
    text_char(out, '\n');
}

void diag_print_one(const struct diagnostic *item, struct text *out)
{
    static const char *const names[] = {"error", "warning", "note"};
    if (item->span.source && item->span.line)
        text_format(out, "%s:%u:%u: ", item->span.source->path, item->span.line, item->span.column);
    else if (item->span.source)
        text_format(out, "%s: ", item->span.source->path);
    text_format(out, "%s: %s\n", names[item->severity], item->message);
    if (item->span.source && item->span.line)
        print_excerpt(item->span, out);
    if (item->hint)
        text_format(out, "      hint: %s\n", item->hint);
}

void diag_print(const struct diagnostics *list, struct text *out)
{
    for (size_t i = 0; i < list->count; i++)
        diag_print_one(&list->items[i], out);
}

void diag_free(struct diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].message);
        free(list->items[i].hint);
    }
    free(list->items);
    *list = (struct diagnostics){0};
}

static size_t edit_distance(const char *a, const char *b, size_t limit)
{
    size_t n = strlen(b);
    if (n > 63 || strlen(a) > 63)
        return limit + 1;
    size_t row[64];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            row[j] = substitute < best ? substitute : best;
        }
    }
    return row[n];
}

const char *diag_closest(const char *name, const char *const *candidates, size_t count)
{
    size_t best = strlen(name) <= 3 ? 2 : 3; /* exclusive */
    const char *closest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(name, candidates[i], best);
        if (distance < best) {
            best = distance;
            closest = candidates[i];
        }
    }
    return closest;
}
