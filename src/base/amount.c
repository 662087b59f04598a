#include "base/amount.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* A non-negative decimal number, and what follows it. */
static bool read_number(const char *text, double *number, const char **rest)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *number = strtod(text, &end);
    *rest = end;
    /* strtod also reads hexadecimal numbers, which are refused. */
    return isfinite(*number) && text[1] != 'x' && text[1] != 'X';
}

bool amount_size(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *name;
        int power;
    } units[] = {{"", 0},    {"b", 0}, {"k", 1},  {"kb", 1},  {"kib", 1}, {"m", 2},  {"mb", 2},
                 {"mib", 2}, {"g", 3}, {"gb", 3}, {"gib", 3}, {"t", 4},   {"tb", 4}, {"tib", 4}};
    double number;
    const char *rest;
    if (!read_number(text, &number, &rest))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(rest, units[i].name))
            continue;
        number = ldexp(number, 10 * units[i].power);
        bool is_possible = number >= 1 && number < 0x1p62;
        *bytes = is_possible ? (uint64_t)number : 0;
        return is_possible;
    }
    return false;
}

bool amount_time(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    const char *rest;
    if (!read_number(text, seconds, &rest))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(rest, units[i].name))
            continue;
        *seconds *= units[i].factor;
        return *seconds > 0;
    }
    return false;
}

bool amount_share(const char *text, double *share)
{
    const char *rest;
    return read_number(text, share, &rest) && !*rest && *share > 0 && *share < 1;
}

bool amount_count(const char *text, uint64_t *count)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return !errno && !*end && *count > 0 && *count < UINT64_MAX / 2;
}
