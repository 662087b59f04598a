#include "lsp/position.h"

void lined_open(struct lined *lined, const char *chars, size_t length, bool is_utf8)
{
    *lined = (struct lined){.chars = chars, .length = length, .is_utf8 = is_utf8};
    VEC_PUSH(&lined->starts, 0);
    VEC_PUSH(&lined->sources, 0);
    for (size_t i = 0; i < length; i++) {
        if (chars[i] == '\n')
            VEC_PUSH(&lined->sources, i + 1);
        if (chars[i] == '\n' || (chars[i] == '\r' && (i + 1 == length || chars[i + 1] != '\n')))
            VEC_PUSH(&lined->starts, i + 1);
    }
}

void lined_close(struct lined *lined)
{
    VEC_FREE(&lined->starts);
    VEC_FREE(&lined->sources);
}

/* Before its end of line. */
static size_t line_end(const struct lined *lined, size_t line)
{
    if (line + 1 >= lined->starts.count)
        return lined->length;
    size_t end = lined->starts.items[line + 1] - 1;
    bool has_return = end > lined->starts.items[line] && lined->chars[end] == '\n' && lined->chars[end - 1] == '\r';
    return end - has_return;
}

/* The bytes of the character there, and its units of UTF-16. What is no UTF-8 is taken byte by byte. */
static size_t character_size(const char *chars, size_t left, uint32_t *units)
{
    unsigned char first = (unsigned char)chars[0];
    size_t size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    for (size_t i = 1; i < size; i++)
        if (i >= left || ((unsigned char)chars[i] & 0xc0) != 0x80)
            size = 1;
    *units = size == 4 ? 2 : 1;
    return size;
}

size_t lined_offset(const struct lined *lined, struct position position)
{
    if (position.line >= lined->starts.count)
        return lined->length;
    size_t at = lined->starts.items[position.line], end = line_end(lined, position.line);
    for (uint32_t counted = 0; at < end;) {
        uint32_t units;
        size_t size = character_size(lined->chars + at, end - at, &units);
        counted += lined->is_utf8 ? (uint32_t)size : units;
        if (counted > position.character)
            break;
        at += size;
    }
    return at;
}

/* The last line that begins at the offset or before it. */
static size_t line_of(const struct lined *lined, size_t offset)
{
    size_t low = 0, high = lined->starts.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (lined->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct position lined_position(const struct lined *lined, size_t offset)
{
    size_t line = line_of(lined, offset), at = lined->starts.items[line];
    struct position position = {.line = (uint32_t)line};
    while (at < offset) {
        uint32_t units;
        size_t size = character_size(lined->chars + at, lined->length - at, &units);
        position.character += lined->is_utf8 ? (uint32_t)size : units;
        at += size;
    }
    return position;
}

void lined_span(const struct lined *lined, struct span span, size_t *from, size_t *to)
{
    *from = *to = 0;
    if (!span.line)
        return;
    size_t line = span.line - 1 < lined->sources.count ? span.line - 1 : lined->sources.count - 1;
    size_t end = line + 1 < lined->sources.count ? lined->sources.items[line + 1] - 1 : lined->length;
    size_t at = lined->sources.items[line] + (span.column ? span.column - 1 : 0);
    *from = at < end ? at : end;
    *to = span.length < end - *from ? *from + span.length : end;
}
