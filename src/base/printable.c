#include "base/printable.h"

#include <string.h>

/* The code point of a character of `count` bytes in UTF-8; false: it is none (or one written with more bytes than it
 * needs). */
static bool decode(const unsigned char *bytes, size_t count, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = count == 1 ? bytes[0] : bytes[0] & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return false;
        *code = *code << 6 | (bytes[i] & 0x3fu);
    }
    return *code >= least[count] && *code <= 0x10ffff && !(*code >= 0xd800 && *code <= 0xdfff);
}

/* The bytes of the character that begins here; 0: none does. */
static size_t next_code(const char *chars, size_t length, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)chars;
    size_t count = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc0 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    return count && count <= length && bytes[0] < 0xf8 && decode(bytes, count, code) ? count : 0;
}

static bool is_plain_code(uint32_t code)
{
    bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool is_direction = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                        (code >= 0x2066 && code <= 0x2069);
    bool is_unseen = code == 0x2028 || code == 0x2029 || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
                     (code >= 0xe0000 && code <= 0xe007f) || (code & 0xfffe) == 0xfffe;
    return !is_control && !is_direction && !is_unseen;
}

size_t printable_step(const char *chars, size_t length, bool *is_plain)
{
    uint32_t code = 0;
    size_t count = next_code(chars, length, &code);
    *is_plain = count && is_plain_code(code);
    return count ? count : 1;
}

bool printable_is_plain(const char *chars)
{
    bool is_plain = true;
    for (size_t length = strlen(chars), at = 0; at < length && is_plain;)
        at += printable_step(chars + at, length - at, &is_plain);
    return is_plain;
}

/* One character, or one byte of what is none. */
static size_t append_escaped(struct text *out, const char *chars, size_t length)
{
    uint32_t code = 0;
    size_t count = next_code(chars, length, &code);
    if (count <= 1)
        code = (unsigned char)*chars;
    if (code == '\n' || code == '\t')
        text_append(out, code == '\n' ? "\\n" : "\\t");
    else
        text_format(out, count > 1 ? "\\u%04x" : "\\x%02x", (unsigned)code);
    return count ? count : 1;
}

void text_printable(struct text *out, const char *chars, size_t length)
{
    for (size_t at = 0; at < length;) {
        bool is_plain;
        size_t count = printable_step(chars + at, length - at, &is_plain);
        if (is_plain)
            text_append_n(out, chars + at, count);
        else
            append_escaped(out, chars + at, length - at);
        at += count;
    }
}

/* ESC [ digits and semicolons m. */
static size_t colour_length(const char *chars, size_t length)
{
    size_t at = 2;
    if (length < 3 || chars[0] != '\033' || chars[1] != '[')
        return 0;
    while (at < length && ((chars[at] >= '0' && chars[at] <= '9') || chars[at] == ';'))
        at++;
    return at < length && chars[at] == 'm' ? at + 1 : 0;
}

void text_printable_lines(struct text *out, const char *chars, size_t length, bool has_colours)
{
    for (size_t at = 0; at < length;) {
        bool is_plain;
        size_t count = printable_step(chars + at, length - at, &is_plain);
        size_t colour = has_colours ? colour_length(chars + at, length - at) : 0;
        if (colour)
            count = colour;
        if (is_plain || colour || chars[at] == '\n' || chars[at] == '\t')
            text_append_n(out, chars + at, count);
        else
            append_escaped(out, chars + at, length - at);
        at += count;
    }
}

void text_printable_behind(struct text *out, const char *margin, const char *chars)
{
    while (*chars) {
        size_t length = strcspn(chars, "\n");
        text_append(out, margin);
        text_printable(out, chars, length);
        chars += length + (chars[length] != '\0');
    }
}

const char *arena_printable(struct arena *arena, const char *chars)
{
    if (printable_is_plain(chars))
        return chars;
    struct text text = {0};
    text_printable(&text, chars, strlen(chars));
    const char *kept = arena_string(arena, text_chars(&text));
    text_free(&text);
    return kept;
}
