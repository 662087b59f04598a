#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void text_reserve(struct text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    text->chars = memory_resize(text->chars, capacity);
    text->capacity = capacity;
}

void text_append_n(struct text *text, const char *chars, size_t length)
{
    text_reserve(text, length);
    memcpy(text->chars + text->length, chars, length);
    text->length += length;
    text->chars[text->length] = '\0';
}

void text_append(struct text *text, const char *chars)
{
    text_append_n(text, chars, strlen(chars));
}

void text_char(struct text *text, char c)
{
    text_append_n(text, &c, 1);
}

void text_vformat(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    text_reserve(text, (size_t)length);
    vsnprintf(text->chars + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, format, arguments);
    va_end(arguments);
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->chars)
        text->chars[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->chars);
    *text = (struct text){0};
}

const char *text_chars(const struct text *text)
{
    return text->chars ? text->chars : "";
}

void text_bytes(struct text *text, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (unit < 4 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    text_format(text, "%llu %s", (unsigned long long)bytes, units[unit]);
}

void text_set_once(char **slot, const char *format, va_list arguments)
{
    struct text text = {0};
    if (*slot)
        return;
    text_vformat(&text, format, arguments);
    text_char(&text, 0);
    *slot = text.chars;
}
