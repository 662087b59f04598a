#include "report/csv.h"

#include <stdbool.h>
#include <string.h>

static const char *skip_digits(const char *chars)
{
    return chars + strspn(chars, "0123456789");
}

/* -3, +0.5, -1e-9, -2/3, -Infinity: a number, and nothing behind it. */
static bool is_number(const char *chars)
{
    const char *digits = chars + (*chars == '-' || *chars == '+'), *end = skip_digits(digits);
    if (!strcmp(digits, "Infinity") || !strcmp(digits, "infinity"))
        return true;
    if (end == digits)
        return false;
    if (*end == '.')
        end = skip_digits(end + 1);
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '-' || end[1] == '+');
        end = skip_digits(exponent);
        if (end == exponent)
            return false;
    }
    return !*end || (*end == '/' && end[1] && !*skip_digits(end + 1));
}

void csv_field(const char *chars, struct text *out)
{
    bool is_formula = *chars && strchr("=+-@\t\r\n", *chars) && !is_number(chars);
    if (!is_formula && !strpbrk(chars, ",;\t\"\r\n")) {
        text_append(out, chars);
        return;
    }
    text_append(out, is_formula ? "\"'" : "\"");
    for (; *chars; chars++)
        text_format(out, *chars == '"' ? "\"\"" : "%c", *chars);
    text_char(out, '"');
}
