#include "cli/ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rational.h"

enum { MOST_ROWS = 100000 };

bool ranges_are_asked(const struct options *options)
{
    for (size_t i = 0; i < options->defines.count; i++)
        if (strchr(options->defines.items[i].value, ':'))
            return true;
    return false;
}

/* "0.3" if that is the number, else "1/3". */
static char *digits_of(const struct rational *number)
{
    char decimal[40];
    struct rational *read = rational_create(0, 1);
    snprintf(decimal, sizeof decimal, "%.15g", rational_to_double(number));
    bool is_it = rational_parse(read, decimal) && !rational_compare(read, number);
    rational_destroy(read);
    return is_it ? memory_string(decimal) : rational_digits(number);
}

/* "low:high" and "low:step:high". */
struct range {
    struct rational *low, *step, *high;
};

static bool parse_range(const char *text, struct range *range)
{
    const char *first = strchr(text, ':'), *second = strchr(first + 1, ':');
    struct text low = {0}, step = {0};
    text_append_n(&low, text, (size_t)(first - text));
    if (second)
        text_append_n(&step, first + 1, (size_t)(second - first - 1));
    bool is_right = rational_parse(range->low, text_chars(&low)) &&
                    (!second || rational_parse(range->step, text_chars(&step))) &&
                    rational_parse(range->high, second ? second + 1 : first + 1) && rational_sign(range->step) > 0;
    text_free(&low);
    text_free(&step);
    return is_right;
}

static bool list_range(const struct range *range, struct range_values *values)
{
    struct rational *at = rational_create(0, 1);
    rational_copy(at, range->low);
    for (; rational_compare(at, range->high) <= 0 && values->items.count <= MOST_ROWS; rational_add(at, range->step))
        VEC_PUSH(&values->items, digits_of(at));
    rational_destroy(at);
    return values->items.count > 0 && values->items.count <= MOST_ROWS;
}

static bool read_values(const struct define *define, struct range_values *values, struct text *message)
{
    if (!strchr(define->value, ':')) {
        VEC_PUSH(&values->items, memory_string(define->value));
        return true;
    }
    struct range range = {rational_create(0, 1), rational_create(1, 1), rational_create(0, 1)};
    bool is_parsed = parse_range(define->value, &range), is_right = is_parsed && list_range(&range, values);
    if (!is_right)
        text_format(message,
                    !is_parsed            ? "%s=%s is no range: that is LOW:HIGH or LOW:STEP:HIGH, with a step above 0"
                    : values->items.count ? "%s=%s has more than 100000 values"
                                          : "%s=%s is empty",
                    define->name, define->value);
    rational_destroy(range.low);
    rational_destroy(range.step);
    rational_destroy(range.high);
    return is_right;
}

bool ranges_read(const struct options *options, struct ranges *ranges, struct text *message)
{
    *ranges = (struct ranges){.count = options->defines.count, .combinations = 1};
    ranges->lists = memory_zeroed(ranges->count + 1, sizeof *ranges->lists);
    for (size_t i = 0; i < ranges->count; i++) {
        if (!read_values(&options->defines.items[i], &ranges->lists[i], message))
            return false;
        ranges->combinations *= ranges->lists[i].items.count;
        if (ranges->combinations > MOST_ROWS) {
            text_append(message, "these ranges have more than 100000 combinations");
            return false;
        }
    }
    return true;
}

void ranges_free(struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++) {
        for (size_t k = 0; k < ranges->lists[i].items.count; k++)
            free(ranges->lists[i].items.items[k]);
        VEC_FREE(&ranges->lists[i].items);
    }
    free(ranges->lists);
}

const char *ranges_value(const struct ranges *ranges, uint64_t combination, size_t definition)
{
    for (size_t i = ranges->count; i-- > definition + 1;)
        combination /= ranges->lists[i].items.count;
    return ranges->lists[definition].items.items[combination % ranges->lists[definition].items.count];
}
