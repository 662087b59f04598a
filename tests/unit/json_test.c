#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/output.h"
#include "base/source.h"

static void prints(struct json *value, const char *expected)
{
    struct text text = {0};
    json_print(value, &text);
    assert_string_equal(text.chars, expected);
    text_free(&text);
    json_free(value);
}

static void counts_above_the_mantissa_are_text(void **state)
{
    (void)state;
    prints(json_make_count(0), "0\n");
    prints(json_make_count((uint64_t)1 << 53), "9007199254740992\n");
    prints(json_make_count(((uint64_t)1 << 53) + 1), "\"9007199254740993\"\n");
    prints(json_make_count(UINT64_MAX), "\"18446744073709551615\"\n");
}

static void text_of_any_encoding_is_valid(void **state)
{
    (void)state;
    prints(json_make_text("caf\xe9"), "\"caf\xc3\xa9\"\n");
    prints(json_make_text("caf\xc3\xa9"), "\"caf\xc3\xa9\"\n");
    prints(json_make_text(NULL), "null\n");
    prints(json_make_text("a\"b\\\n"), "\"a\\\"b\\\\\\n\"\n");
    struct json *object = json_make_object();
    json_set(object, "\xff", json_make_bool(true));
    prints(object, "{\n \"\xc3\xbf\": true\n}\n");
}

static void infinities_are_null(void **state)
{
    (void)state;
    prints(json_make_real(1.0 / 0.0), "null\n");
    prints(json_make_real(0.25), "0.25\n");
}

static void reading(void **state)
{
    (void)state;
    static const char document[] = "{\"a\": [1, \"x\", null, true], \"b\": -3}";
    struct text message = {0};
    struct json *value = json_parse(document, strlen(document), &message);
    assert_non_null(value);
    const struct json *list = json_get(value, "a");
    int64_t number;
    bool truth;
    assert_int_equal(json_kind(value), JSON_KIND_OBJECT);
    assert_int_equal(json_size(value), 2);
    assert_int_equal(json_size(list), 4);
    assert_true(json_read_integer(json_item(list, 0), &number));
    assert_int_equal(number, 1);
    assert_string_equal(json_read_text(json_item(list, 1)), "x");
    assert_int_equal(json_kind(json_item(list, 2)), JSON_KIND_NULL);
    assert_true(json_read_bool(json_item(list, 3), &truth) && truth);
    assert_true(json_read_integer(json_get(value, "b"), &number));
    assert_int_equal(number, -3);
    json_free(value);
}

static void what_is_missing_reads_as_nothing(void **state)
{
    (void)state;
    int64_t number;
    bool truth;
    assert_null(json_get(NULL, "a"));
    assert_null(json_item(NULL, 0));
    assert_null(json_read_text(NULL));
    assert_false(json_read_integer(NULL, &number));
    assert_false(json_read_bool(NULL, &truth));
    assert_int_equal(json_kind(NULL), JSON_KIND_MISSING);
    assert_int_equal(json_size(NULL), 0);
    json_each(NULL, NULL, NULL);
}

static void bad_documents_are_refused(void **state)
{
    (void)state;
    static const char *const documents[] = {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "nonsense", "[1] x"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct text message = {0};
        assert_null(json_parse(documents[i], strlen(documents[i]), &message));
        assert_non_null(strstr(text_chars(&message), "line 1"));
        text_free(&message);
    }
}

static void files_are_written_whole(void **state)
{
    (void)state;
    char folder[] = "noether-output-XXXXXX", path[64];
    const char *reason;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out.json", folder);
    assert_null(output_refusal(path));
    assert_null(output_write(path, "first", 5));
    assert_null(output_write(path, "second", 6));
    struct source *source = source_read(path, &reason);
    assert_string_equal(source->text, "second");
    source_free(source);
    assert_non_null(output_refusal(folder));
    assert_non_null(output_write(folder, "x", 1));
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* no temporary file was left */
    assert_non_null(output_refusal(path));
    assert_non_null(output_write(path, "x", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_above_the_mantissa_are_text),
        cmocka_unit_test(text_of_any_encoding_is_valid),
        cmocka_unit_test(infinities_are_null),
        cmocka_unit_test(reading),
        cmocka_unit_test(what_is_missing_reads_as_nothing),
        cmocka_unit_test(bad_documents_are_refused),
        cmocka_unit_test(files_are_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
