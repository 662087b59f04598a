/* JSON values (the one adapter to jansson is json.c).
 *
 * A value put into an object or array belongs to it. Text that is not UTF-8 is read as Latin-1, so that a
 * model in any encoding gives a valid document. */
#ifndef NOETHER_BASE_JSON_H
#define NOETHER_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct json;

/* What jansson allocates is counted (base/account.h), unless the program that we are a part of has memory functions of
 * its own. */
void json_count_memory(void);

struct json *json_make_object(void);
struct json *json_make_array(void);
struct json *json_make_text(const char *chars); /* NULL: null */
struct json *json_make_integer(int64_t value);
struct json *json_make_count(uint64_t value); /* a string above 2^53: readers that use doubles stay exact */
struct json *json_make_hash(uint64_t value);  /* a string of 16 hexadecimal digits */
struct json *json_make_real(double value);
struct json *json_make_bool(bool value);
struct json *json_make_null(void);
void json_set(struct json *object, const char *key, struct json *value);
void json_push(struct json *array, struct json *value);
void json_free(struct json *value);
/* The value once more, to be freed on its own: it is shared, and must not be changed. */
struct json *json_keep(const struct json *value);

void json_print_compact(const struct json *value, struct text *out); /* on one line, as short as it gets */
void json_print(const struct json *value, struct text *out);         /* indented, with a final newline */
/* The same, for an answer: the text breaks off when the watch of the thread is over (watch_cuts notes that). */
void json_print_within(const struct json *value, bool is_compact, struct text *out);

/* NULL and a message ("line 3: ...") on failure. Duplicate keys are refused. */
struct json *json_parse(const char *chars, size_t length, struct text *message);

/* Readers: a missing value (NULL) or one of another kind gives NULL, 0 or false. Borrowed. */
const struct json *json_get(const struct json *object, const char *key);
const struct json *json_item(const struct json *array, size_t position);
const char *json_read_text(const struct json *value);
bool json_read_integer(const struct json *value, int64_t *out);
/* What json_make_count and json_make_hash have made. */
bool json_read_count(const struct json *value, uint64_t *out);
bool json_read_hash(const struct json *value, uint64_t *out);
bool json_read_real(const struct json *value, double *out); /* an integer, too */
bool json_read_bool(const struct json *value, bool *out);
enum json_kind {
    JSON_KIND_MISSING,
    JSON_KIND_NULL,
    JSON_KIND_BOOL,
    JSON_KIND_NUMBER,
    JSON_KIND_TEXT,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT
};
enum json_kind json_kind(const struct json *value);
size_t json_size(const struct json *value); /* members or items */
/* Calls `visit` for every member, in order. */
void json_each(const struct json *object, void (*visit)(void *user, const char *key, const struct json *value),
               void *user);

#endif
