#include "base/report.h"

#include <string.h>

#include "base/memory.h"

static bool already_reported(const struct diagnostics *list, struct span span, const char *message)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct diagnostic *other = &list->items[i];
        if (other->span.line == span.line && other->span.column == span.column && !strcmp(other->message, message))
            return true;
    }
    return false;
}

bool report_verror(struct diagnostics *list, struct span span, const char *format, va_list arguments)
{
    if (list->errors >= DIAGNOSTICS_MAX_ERRORS)
        return false;
    struct text message = {0};
    text_vformat(&message, format, arguments);
    bool is_new = !already_reported(list, span, text_chars(&message));
    if (is_new)
        diag_error(list, span, "%s", text_chars(&message));
    text_free(&message);
    return is_new;
}

bool report_error(struct diagnostics *list, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_new = report_verror(list, span, format, arguments);
    va_end(arguments);
    return is_new;
}

bool span_is_before(struct span a, struct span b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static bool is_behind(struct span span, struct span place)
{
    return span.source == place.source && !span_is_before(span, place);
}

static void drop_behind(struct diagnostics *list, struct span place)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct diagnostic item = list->items[i];
        if (!is_behind(item.span, place)) {
            list->items[kept++] = item;
            continue;
        }
        list->errors -= item.severity == SEVERITY_ERROR;
        free(item.message);
        free(item.hint);
    }
    list->count = kept;
}

void report_lexical(struct diagnostics *syntax, struct diagnostics *lexical)
{
    if (lexical->errors) {
        drop_behind(syntax, lexical->items[0].span);
        diag_append(syntax, lexical);
    }
    diag_free(lexical);
}

struct span span_join(struct span from, struct span to)
{
    if (from.line == to.line && to.column + to.length > from.column)
        from.length = to.column + to.length - from.column;
    return from;
}
