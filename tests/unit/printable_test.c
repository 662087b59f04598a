/* What may be shown, and how the rest is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/printable.h"

static void becomes(const char *from, size_t length, const char *line, const char *lines)
{
    struct text text = {0};
    text_printable(&text, from, length);
    assert_string_equal(text_chars(&text), line);
    text_clear(&text);
    text_printable_lines(&text, from, length, false);
    assert_string_equal(text_chars(&text), lines);
    text_free(&text);
}

#define BECOMES(from, line, lines) becomes(from, sizeof from - 1, line, lines)

static void test_characters(void **unused)
{
    (void)unused;
    BECOMES("plain \"text\" \\x1b ~", "plain \"text\" \\x1b ~", "plain \"text\" \\x1b ~");
    BECOMES("a\nb\tc", "a\\nb\\tc", "a\nb\tc");
    BECOMES("\x1b[31m\x7f\r\b\0z", "\\x1b[31m\\x7f\\x0d\\x08\\x00z", "\\x1b[31m\\x7f\\x0d\\x08\\x00z");
    BECOMES("Gr\xc3\xb6\xc3\x9f"
            "e \xe5\xa4\xa7 \xf0\x9f\x98\x80",
            "Gr\xc3\xb6\xc3\x9f"
            "e \xe5\xa4\xa7 \xf0\x9f\x98\x80",
            "Gr\xc3\xb6\xc3\x9f"
            "e \xe5\xa4\xa7 \xf0\x9f\x98\x80");
    BECOMES("\xc2\x9b"
            "5m",
            "\\u009b5m", "\\u009b5m");                                       /* CSI */
    BECOMES("\xe2\x80\xae\xe2\x81\xa6", "\\u202e\\u2066", "\\u202e\\u2066"); /* right to left */
    BECOMES("\xff\xc3(\xe2\x80", "\\xff\\xc3(\\xe2\\x80", "\\xff\\xc3(\\xe2\\x80");
    BECOMES("\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b",
            "\\xc0\\x9b\\xe0\\x80\\x9b"); /* longer than they need be */
    BECOMES("\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80",
            "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
}

static void test_colours(void **unused)
{
    (void)unused;
    struct text text = {0};
    const char *chars = "\033[1;31mbad\033[0m \033[2J\033[?25l\033]0;title\a\033[";
    text_printable_lines(&text, chars, strlen(chars), true);
    assert_string_equal(text_chars(&text), "\033[1;31mbad\033[0m \\x1b[2J\\x1b[?25l\\x1b]0;title\\x07\\x1b[");
    text_free(&text);
}

/* Every sequence of up to three bytes: what comes out is plain, and plain text stays. */
static void test_all_short_texts(void **unused)
{
    (void)unused;
    struct text once = {0}, twice = {0};
    for (uint32_t word = 1; word < 1u << 24; word += word < 1u << 16 ? 1 : 37) {
        const char chars[3] = {(char)word, (char)(word >> 8), (char)(word >> 16)};
        text_clear(&once);
        text_clear(&twice);
        text_printable(&once, chars, sizeof chars);
        assert_true(printable_is_plain(once.chars));
        text_printable(&twice, once.chars, once.length);
        assert_string_equal(once.chars, twice.chars);
    }
    text_free(&once);
    text_free(&twice);
}

/* JSON says the same with other letters. */
static void test_json(void **unused)
{
    (void)unused;
    const char *evil = "\x1b\x7f\xc2\x9b\xe2\x80\xae \xc3\xb6";
    struct json *value = json_make_text(evil);
    struct text text = {0}, message = {0};
    json_print_compact(value, &text);
    json_free(value);
    assert_string_equal(text.chars, "\"\\u001B\\u007f\\u009b\\u202e \xc3\xb6\"");
    text_append(&text, "]");
    struct text list = {0};
    text_format(&list, "[%s", text.chars);
    value = json_parse(list.chars, list.length, &message);
    assert_non_null(value);
    assert_string_equal(json_read_text(json_item(value, 0)), evil);
    json_free(value);
    text_free(&list);
    text_free(&text);
    text_free(&message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_all_short_texts),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
