#include "group/perm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void perm_set_identity(uint32_t n, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = i;
}

bool perm_is_identity(uint32_t n, const uint32_t *p)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i] != i)
            return false;
    return true;
}

bool perm_is_equal(uint32_t n, const uint32_t *a, const uint32_t *b)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

void perm_multiply(uint32_t n, const uint32_t *a, const uint32_t *b, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = b[a[i]];
}

void perm_invert(uint32_t n, const uint32_t *p, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[p[i]] = i;
}

uint32_t perm_cycle(const uint32_t *p, uint32_t point, uint32_t *cycle)
{
    uint32_t length = 0, at = point;
    do {
        cycle[length++] = at;
        at = p[at];
    } while (at != point);
    return length;
}

static const char *perm_number(void *user, uint32_t point)
{
    struct text *text = user;
    text_clear(text);
    text_format(text, "%u", point);
    return text_chars(text);
}

/* Names are asked for with the point as it stands; `base` shifts numbers only. */
static void perm_print_cycles(uint32_t n, const uint32_t *p, uint32_t base,
                              const char *(*name)(void *user, uint32_t point), void *user, struct text *out)
{
    bool *is_met = memory_zeroed((size_t)n + 1, sizeof *is_met);
    bool is_identity = true;
    for (uint32_t i = 0; i < n; i++) {
        if (is_met[i] || p[i] == i)
            continue;
        is_identity = false;
        text_char(out, '(');
        for (uint32_t at = i; !is_met[at]; at = p[at]) {
            is_met[at] = true;
            if (at != i)
                text_char(out, ' ');
            text_append(out, name(user, at + base));
        }
        text_char(out, ')');
    }
    if (is_identity)
        text_append(out, "()");
    free(is_met);
}

void perm_print(uint32_t n, const uint32_t *p, uint32_t base, struct text *out)
{
    struct text number = {0};
    perm_print_cycles(n, p, base, perm_number, &number, out);
    text_free(&number);
}

void perm_print_names(uint32_t n, const uint32_t *p, const char *(*name)(void *user, uint32_t point), void *user,
                      struct text *out)
{
    perm_print_cycles(n, p, 0, name, user, out);
}

struct cycle_reader {
    const char *at;
    uint32_t n, base;
    uint32_t *out;
    bool *is_met;
};

static void reader_skip(struct cycle_reader *reader)
{
    while (*reader->at == ' ' || *reader->at == ',' || *reader->at == '\t' || *reader->at == '\n')
        reader->at++;
}

static const char *reader_point(struct cycle_reader *reader, uint32_t *point)
{
    char *end;
    if (*reader->at < '0' || *reader->at > '9')
        return "a point must be a number";
    unsigned long value = strtoul(reader->at, &end, 10);
    reader->at = end;
    if (value < reader->base || value - reader->base >= reader->n)
        return "there is no such point";
    *point = (uint32_t)(value - reader->base);
    if (reader->is_met[*point])
        return "a point stands in two places";
    reader->is_met[*point] = true;
    reader_skip(reader);
    return NULL;
}

static const char *reader_cycle(struct cycle_reader *reader)
{
    uint32_t first = 0, last = 0, point;
    bool is_begun = false;
    if (*reader->at++ != '(')
        return "a cycle begins with (";
    reader_skip(reader);
    while (*reader->at != ')') {
        const char *wrong = reader_point(reader, &point);
        if (wrong)
            return wrong;
        if (is_begun)
            reader->out[last] = point;
        else
            first = point;
        is_begun = true;
        last = point;
    }
    reader->at++;
    if (is_begun)
        reader->out[last] = first;
    reader_skip(reader);
    return NULL;
}

const char *perm_parse(uint32_t n, const char *chars, uint32_t base, uint32_t *out)
{
    struct cycle_reader reader = {.at = chars, .n = n, .base = base, .out = out};
    const char *wrong = NULL;
    reader.is_met = memory_zeroed((size_t)n + 1, sizeof *reader.is_met);
    perm_set_identity(n, out);
    reader_skip(&reader);
    if (!*reader.at)
        wrong = "a permutation is a product of cycles, as in (1 2 3)(4 5)";
    while (*reader.at && !wrong)
        wrong = reader_cycle(&reader);
    free(reader.is_met);
    return wrong;
}
