#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/watch.h"

enum { MANTISSA_BITS = 53 };

void json_count_memory(void)
{
    json_malloc_t alloc;
    json_free_t release;
    json_get_alloc_funcs(&alloc, &release);
    if (alloc == malloc) /* memory_try will not do: the scanner of jansson goes on without memory (2.14) */
        json_set_alloc_funcs(memory_alloc, memory_free);
}

static json_t *inside(const struct json *value)
{
    return (json_t *)value;
}

static struct json *outside(json_t *value)
{
    if (!value)
        memory_fail(0);
    return (struct json *)value;
}

struct json *json_make_object(void)
{
    return outside(json_object());
}

struct json *json_make_array(void)
{
    return outside(json_array());
}

static void text_from_latin1(const char *chars, struct text *out)
{
    for (; *chars; chars++) {
        unsigned char c = (unsigned char)*chars;
        if (c < 0x80) {
            text_char(out, *chars);
        } else {
            text_char(out, (char)(0xc0 | c >> 6));
            text_char(out, (char)(0x80 | (c & 0x3f)));
        }
    }
}

struct json *json_make_text(const char *chars)
{
    if (!chars)
        return json_make_null();
    json_t *value = json_string(chars);
    if (value)
        return outside(value);
    struct text converted = {0};
    text_from_latin1(chars, &converted);
    value = json_string(text_chars(&converted));
    text_free(&converted);
    return outside(value);
}

struct json *json_make_integer(int64_t value)
{
    return outside(json_integer((json_int_t)value));
}

struct json *json_make_count(uint64_t value)
{
    if (value <= (uint64_t)1 << MANTISSA_BITS)
        return json_make_integer((int64_t)value);
    struct text digits = {0};
    text_format(&digits, "%llu", (unsigned long long)value);
    struct json *text = json_make_text(digits.chars);
    text_free(&digits);
    return text;
}

struct json *json_make_hash(uint64_t value)
{
    struct text digits = {0};
    text_format(&digits, "%016llx", (unsigned long long)value);
    struct json *text = json_make_text(digits.chars);
    text_free(&digits);
    return text;
}

struct json *json_make_real(double value)
{
    return isfinite(value) ? outside(json_real(value)) : json_make_null();
}

struct json *json_make_bool(bool value)
{
    return outside(json_boolean(value));
}

struct json *json_make_null(void)
{
    return outside(json_null());
}

void json_set(struct json *object, const char *key, struct json *value)
{
    if (json_object_set(inside(object), key, inside(value))) {
        struct text converted = {0};
        text_from_latin1(key, &converted);
        if (json_object_set(inside(object), text_chars(&converted), inside(value)))
            memory_fail(0);
        text_free(&converted);
    }
    json_decref(inside(value));
}

void json_push(struct json *array, struct json *value)
{
    if (json_array_append_new(inside(array), inside(value)))
        memory_fail(0);
}

struct json *json_keep(const struct json *value)
{
    return outside(json_incref(inside(value)));
}

void json_free(struct json *value)
{
    json_decref(inside(value));
}

/* What a terminal might obey stands in strings only, and can be written otherwise there. */
static void append_plain(const char *chars, struct text *out)
{
    for (size_t length = strlen(chars), at = 0; at < length;) {
        bool is_plain;
        size_t count = printable_step(chars + at, length - at, &is_plain);
        if (is_plain || chars[at] == '\n' || count > 3)
            text_append_n(out, chars + at, count);
        else if (count == 1)
            text_format(out, "\\u%04x", (unsigned)(unsigned char)chars[at]);
        else
            text_printable(out, chars + at, count);
        at += count;
    }
}

/* The text that jansson's callback fills. */
struct json_printing {
    struct text chars;
    bool is_within; /* the watch of the thread may end it */
};

static int take_chars(const char *chars, size_t size, void *user)
{
    struct json_printing *printing = user;
    if (printing->is_within && watch_cuts())
        return -1;
    text_append_n(&printing->chars, chars, size);
    return 0;
}

/* Into a text of ours: jansson's own forgets a key where its text cannot grow, and says nothing (2.14). */
static void print_with(const struct json *value, size_t style, bool is_within, struct text *out)
{
    struct json_printing printing = {.is_within = is_within};
    if (json_dump_callback(inside(value), take_chars, &printing, style | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) &&
        !(is_within && watch_cuts()))
        memory_fail(0);
    append_plain(text_chars(&printing.chars), out);
    text_free(&printing.chars);
}

void json_print(const struct json *value, struct text *out)
{
    print_with(value, JSON_INDENT(1), false, out);
    text_char(out, '\n');
}

void json_print_within(const struct json *value, bool is_compact, struct text *out)
{
    print_with(value, is_compact ? JSON_COMPACT : JSON_INDENT(1), true, out);
    if (!is_compact)
        text_char(out, '\n');
}

void json_print_compact(const struct json *value, struct text *out)
{
    print_with(value, JSON_COMPACT, false, out);
}

struct json *json_parse(const char *chars, size_t length, struct text *message)
{
    json_error_t error;
    json_t *value = json_loadb(chars, length, JSON_REJECT_DUPLICATES, &error);
    if (!value && json_error_code(&error) == json_error_out_of_memory)
        memory_fail(0);
    if (!value)
        text_format(message, "line %d: %s", error.line, error.text);
    return (struct json *)value;
}

const struct json *json_get(const struct json *object, const char *key)
{
    return (const struct json *)json_object_get(inside(object), key);
}

const struct json *json_item(const struct json *array, size_t position)
{
    return (const struct json *)json_array_get(inside(array), position);
}

const char *json_read_text(const struct json *value)
{
    return json_string_value(inside(value));
}

bool json_read_integer(const struct json *value, int64_t *out)
{
    if (!value || !json_is_integer(inside(value)))
        return false;
    *out = (int64_t)json_integer_value(inside(value));
    return true;
}

/* All digits, and no more than fit. */
static bool read_digits(const char *digits, uint32_t base, uint64_t *out)
{
    static const char known[] = "0123456789abcdef";
    *out = 0;
    for (const char *c = digits; *c; c++) {
        const char *digit = memchr(known, *c, base);
        if (!digit || __builtin_mul_overflow(*out, (uint64_t)base, out) ||
            __builtin_add_overflow(*out, (uint64_t)(digit - known), out))
            return false;
    }
    return *digits;
}

bool json_read_count(const struct json *value, uint64_t *out)
{
    const char *digits = json_read_text(value);
    int64_t integer;
    if (digits)
        return read_digits(digits, 10, out);
    if (!json_read_integer(value, &integer) || integer < 0)
        return false;
    *out = (uint64_t)integer;
    return true;
}

bool json_read_hash(const struct json *value, uint64_t *out)
{
    const char *digits = json_read_text(value);
    return digits && read_digits(digits, 16, out);
}

bool json_read_real(const struct json *value, double *out)
{
    if (json_kind(value) != JSON_KIND_NUMBER)
        return false;
    *out = json_number_value(inside(value));
    return true;
}

bool json_read_bool(const struct json *value, bool *out)
{
    if (json_kind(value) != JSON_KIND_BOOL)
        return false;
    *out = json_is_true(inside(value));
    return true;
}

enum json_kind json_kind(const struct json *value)
{
    if (!value)
        return JSON_KIND_MISSING;
    switch (json_typeof(inside(value))) {
    case JSON_OBJECT:
        return JSON_KIND_OBJECT;
    case JSON_ARRAY:
        return JSON_KIND_ARRAY;
    case JSON_STRING:
        return JSON_KIND_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return JSON_KIND_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return JSON_KIND_BOOL;
    case JSON_NULL:
        break;
    }
    return JSON_KIND_NULL;
}

size_t json_size(const struct json *value)
{
    return json_kind(value) == JSON_KIND_ARRAY ? json_array_size(inside(value)) : json_object_size(inside(value));
}

void json_each(const struct json *object, void (*visit)(void *user, const char *key, const struct json *value),
               void *user)
{
    const char *key;
    json_t *value;
    json_object_foreach (inside(object), key, value)
        visit(user, key, (const struct json *)value);
}
