#include "report/style.h"

#include <stdlib.h>
#include <string.h>

enum { STYLE_MOST_DIGITS = 60 };

void style_paint(const struct report_style *style, enum colour colour, struct text *out, const char *format, ...)
{
    static const char *const codes[] = {"\033[32m", "\033[1;31m", "\033[33m", "\033[1m", "\033[2m"};
    if (style->colour)
        text_append(out, codes[colour]);
    va_list arguments;
    va_start(arguments, format);
    text_vformat(out, format, arguments);
    va_end(arguments);
    if (style->colour)
        text_append(out, "\033[0m");
}

void style_group_digits(const char *digits, struct text *out)
{
    size_t length = strlen(digits);
    if (length > STYLE_MOST_DIGITS) { /* too many to read; JSON has them all */
        text_format(out, "%c.%.3se%zu", digits[0], digits + 1, length - 1);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text_char(out, ',');
        text_char(out, digits[i]);
    }
}

void style_count(uint64_t count, struct text *out)
{
    struct text digits = {0};
    text_format(&digits, "%llu", (unsigned long long)count);
    style_group_digits(digits.chars, out);
    text_free(&digits);
}

void style_large(const struct bigint *number, uint64_t clipped, struct text *out)
{
    if (!number) {
        style_count(clipped, out);
        return;
    }
    char *digits = bigint_digits(number);
    style_group_digits(digits, out);
    free(digits);
}

void style_bytes(uint64_t bytes, struct text *out)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)bytes;
    size_t unit = 0;
    for (; amount >= 1024 && unit < sizeof units / sizeof *units - 1; unit++)
        amount /= 1024;
    text_format(out, "%.*f %s", unit && amount < 100 ? 1 : 0, amount, units[unit]);
}

void style_seconds(double seconds, struct text *out)
{
    if (seconds < 60)
        text_format(out, "%.*f s", seconds < 10 ? 2 : 1, seconds);
    else if (seconds < 3600)
        text_format(out, "%d min %02d s", (int)(seconds / 60), (int)seconds % 60);
    else
        text_format(out, "%d h %02d min", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

void style_plural(uint64_t count, const char *noun, struct text *out)
{
    style_count(count, out);
    text_format(out, " %s%s", noun, count == 1 ? "" : "s");
}

void style_place(struct span span, struct text *out)
{
    if (span.source && span.line)
        text_format(out, "%s:%u:%u", span.source->shown, span.line, span.column);
}

bool style_knows_dead_rules(const struct report *report)
{
    const struct result *result = report->result;
    bool visits_all = !strcmp(result->engine, "explicit") || !strcmp(result->engine, "symbolic") ||
                      !strcmp(result->engine, "probabilistic");
    return result->is_complete && visits_all && result->statistics.fired_by_rule &&
           !result->statistics.is_hash_compact && !result->statistics.is_thinned &&
           (symmetry_is_trivial(report->symmetry) || report->symmetry->keeps_rules);
}

bool style_has_no_state(const struct report *report)
{
    const struct statistics *statistics = &report->result->statistics;
    return report->result->is_complete && !statistics->states && !statistics->is_stateless;
}

void style_property(const struct property *property, struct text *out)
{
    if (property->kind == PROPERTY_DEADLOCK)
        text_append(out, "no deadlock");
    else if (property->kind == PROPERTY_RUNTIME)
        text_append(out, "no run-time error");
    else if (property->kind == PROPERTY_PCTL)
        text_append(out, property->name);
    else if (property->name && property->name[0])
        text_format(out, "%s \"%s\"", property_kind_name(property->kind), property->name);
    else
        text_append(out, property_kind_name(property->kind));
}

/* Bytes that begin a character: what a terminal shows, but for wide and combining ones. */
static size_t shown_length(const char *chars, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)chars[i] & 0xC0) != 0x80;
    return count;
}

size_t style_wrap(const char *words, size_t indent, struct text *out)
{
    size_t column = indent;
    while (*words) {
        size_t spaces = strspn(words, " "), length = strcspn(words + spaces, " ");
        size_t shown = shown_length(words + spaces, length);
        if (column > indent && length && column + spaces + shown > STYLE_WIDTH) {
            text_format(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (length) {
            text_append_n(out, words, spaces);
            column += spaces;
        }
        text_append_n(out, words + spaces, length);
        column += shown;
        words += spaces + length;
    }
    return column;
}
