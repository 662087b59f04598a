#include "base/diag.h"

#include "base/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"

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
    list->items[list->count++] = (struct diagnostic){severity, span, message, NULL, false};
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

bool diag_is_late(struct diagnostics *list)
{
    if (list->is_late || !watch_is_up())
        return list->is_late;
    list->is_late = true;
    diag_error(list, (struct span){0}, "a limit was reached while the model was read");
    return true;
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

void diag_kind(struct diagnostics *list, enum warning_kind kind)
{
    if (list->count)
        list->items[list->count - 1].kind = kind;
}

void diag_append(struct diagnostics *list, const struct diagnostics *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct diagnostic *item = &more->items[i];
        diag_add(list, item->severity, item->span, memory_string(item->message));
        if (item->hint)
            diag_hint(list, "%s", item->hint);
        list->items[list->count - 1].kind = item->kind;
    }
    list->is_late |= more->is_late;
}

/* Only the part of a long line (as in generated models) around the caret is shown. */
enum { EXCERPT_MAX = 160, EXCERPT_BEFORE = 60 };

struct excerpt {
    const char *line;
    size_t from, to, length;
};

/* Where the character begins that has this byte. */
static size_t character_at(const struct excerpt *excerpt, size_t byte)
{
    size_t at = 0;
    bool is_plain;
    while (at < excerpt->length) {
        size_t count = printable_step(excerpt->line + at, excerpt->length - at, &is_plain);
        if (at + count > byte)
            break;
        at += count;
    }
    return at;
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
    excerpt.from = character_at(&excerpt, excerpt.from);
    excerpt.to = character_at(&excerpt, excerpt.to);
    return excerpt;
}

/* One mark for each character that begins in the range; past the end of the line, for each byte. */
static void print_marks(const struct excerpt *excerpt, size_t from, size_t to, char mark, struct text *out)
{
    bool is_plain;
    for (size_t at = excerpt->from; at < to;
         at += at < excerpt->length ? printable_step(excerpt->line + at, excerpt->length - at, &is_plain) : 1)
        if (at >= from)
            text_char(out, mark);
}

/* One column for each character: what may not be shown is a blank, or a question mark. */
static void print_line(const struct excerpt *excerpt, struct text *out)
{
    for (size_t at = excerpt->from; at < excerpt->to;) {
        bool is_plain;
        const char *chars = excerpt->line + at;
        size_t count = printable_step(chars, excerpt->length - at, &is_plain);
        if (is_plain)
            text_append_n(out, chars, count);
        else
            text_char(out, *chars == '\t' ? ' ' : '?');
        at += count;
    }
}

static void print_excerpt(struct span span, struct text *out)
{
    size_t caret = span.column ? span.column - 1 : 0, end = caret + span.length;
    struct excerpt excerpt = excerpt_around(span, caret);
    text_format(out, "%5u | %s", span.line, excerpt.from ? "..." : "");
    print_line(&excerpt, out);
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
        text_format(out, "%s:%u:%u: ", item->span.source->shown, item->span.line, item->span.column);
    else if (item->span.source)
        text_format(out, "%s: ", item->span.source->shown);
    text_format(out, "%s: ", names[item->severity]);
    text_printable_lines(out, item->message, strlen(item->message), false);
    text_char(out, '\n');
    if (item->span.source && item->span.line)
        print_excerpt(item->span, out);
    if (item->hint)
        text_format(out, "      hint: %s\n", item->hint);
}

const char *diag_first(const struct diagnostics *list, struct arena *arena)
{
    const struct diagnostic *first = &list->items[0];
    return first->span.line ? arena_format(arena, "line %u: %s", first->span.line, first->message)
                            : arena_string(arena, first->message);
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

/* Letters that are exchanged with their neighbour are one mistake. */
static size_t edit_distance(const char *a, const char *b, size_t limit)
{
    enum { LONGEST = 63 };
    size_t n = strlen(b), rows[3][LONGEST + 1], length = strlen(a);
    if (n > LONGEST || length > LONGEST)
        return limit + 1;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3]; /* the latter: i - 2 */
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[length % 3][n];
}

const char *diag_close(const char *name, const char *const *candidates, size_t count, size_t rank)
{
    size_t limit = strlen(name) <= 3 ? 2 : 3; /* exclusive */
    for (size_t distance = 0; distance < limit; distance++)
        for (size_t i = 0; i < count; i++)
            if (edit_distance(name, candidates[i], distance) == distance && rank-- == 0)
                return candidates[i];
    return NULL;
}

const char *diag_closest(const char *name, const char *const *candidates, size_t count)
{
    return diag_close(name, candidates, count, 0);
}
