/* Positions and frames of the language server; names that are defined, used and fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "lsp/position.h"
#include "lsp/transport.h"

static void positions_are_carried_there_and_back(void **state)
{
    static const char text[] = "a\r\n\xc3\xa4\xf0\x9d\x92\xb3x\rb\n\xff\xe2\x9c\x93\n";
    (void)state;
    for (int is_utf8 = 0; is_utf8 < 2; is_utf8++) {
        struct lined lined;
        lined_open(&lined, text, sizeof text - 1, is_utf8);
        assert_int_equal(lined.starts.count, 5);
        for (size_t at = 0; at < sizeof text; at++) {
            bool is_inside = at < sizeof text - 1 && ((unsigned char)text[at] & 0xc0) == 0x80;
            bool is_line_end = at && text[at - 1] == '\r' && text[at] == '\n';
            if (!is_inside && !is_line_end)
                assert_int_equal(lined_offset(&lined, lined_position(&lined, at)), at);
        }
        struct position behind = lined_position(&lined, 9); /* the x, behind a character outside of the first plane */
        assert_int_equal(behind.line, 1);
        assert_int_equal(behind.character, is_utf8 ? 6 : 3);
        assert_int_equal(lined_offset(&lined, (struct position){1, is_utf8 ? 3 : 2}), 5); /* inside it: its beginning */
        assert_int_equal(lined_offset(&lined, (struct position){0, 99}), 1);
        assert_int_equal(lined_offset(&lined, (struct position){99, 0}), sizeof text - 1);
        lined_close(&lined);
    }
}

/* Sends the bytes in pieces of that size; counts the messages and those that are too long. */
static void receive(const char *bytes, size_t length, size_t piece, size_t counts[3], struct text *last)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct lsp_transport transport = {.in = ends[0], .out = -1};
    for (size_t at = 0; at < length; at += piece) {
        size_t size = length - at < piece ? length - at : piece, got;
        const char *chars;
        assert_int_equal(write(ends[1], bytes + at, size), size);
        transport_fill(&transport);
        for (enum lsp_transport_event event; (event = transport_next(&transport, &chars, &got)) != TRANSPORT_WAIT;) {
            counts[event]++;
            text_clear(last);
            if (event == TRANSPORT_MESSAGE)
                text_append_n(last, chars, got);
        }
    }
    close(ends[1]);
    transport_fill(&transport);
    assert_true(transport.is_over);
    transport_free(&transport);
    close(ends[0]);
}

static void frames_are_found_again(void **state)
{
    static const char bytes[] =
        "Content-Length: 2\r\n\r\n{}rubbish\r\n\r\nContent-Length: x\r\n\r\ncontent-length:3\r\nContent-Type: "
        "y\r\n\r\n[1]Content-Length: 1\r\n\r\n[2]Content-Length: 4\r\n\r\nlast";
    (void)state;
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        size_t counts[3] = {0};
        struct text last = {0};
        receive(bytes, sizeof bytes - 1, piece, counts, &last);
        assert_int_equal(counts[TRANSPORT_MESSAGE], 4);
        assert_int_equal(counts[TRANSPORT_TOO_LONG], 0);
        assert_string_equal(text_chars(&last), "last");
        text_free(&last);
    }
}

static void names_are_connected(void **state)
{
    (void)state;
    struct source *source = source_from_text("x", "a b a b\nc\n", 10);
    struct names *names = names_create();
    struct span a = {source, 1, 1, 1}, b = {source, 1, 3, 1}, second = {source, 1, 5, 1}, third = {source, 1, 7, 1};
    struct span unknown = {source, 2, 1, 1};
    names_use(names, second, a); /* before it is defined */
    names_define(names, NAME_VARIABLE, "b", b, NULL, NULL);
    names_define(names, NAME_VARIABLE, "a", a, NULL, NULL);
    names_define(names, NAME_CONSTANT, "a", a, "const a: 1", NULL);
    names_use(names, third, b);
    names_use(names, second, a); /* read twice */
    names_use(names, b, unknown);
    names_use(names, third, a); /* it means another one the second time */
    names_use(NULL, third, a);
    names_finish(names);
    assert_int_equal(names->definitions.count, 2);
    assert_string_equal(names->definitions.items[0].detail, "const a: 1");
    assert_int_equal(names->uses.count, 2);
    assert_int_equal(names->uses.items[0].definition, 0);
    assert_int_equal(names->uses.items[1].definition, 1);
    assert_true(names->definitions.items[0].is_fixed && names->definitions.items[1].is_fixed);
    names_destroy(names);
    source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(positions_are_carried_there_and_back),
                                       cmocka_unit_test(frames_are_found_again), cmocka_unit_test(names_are_connected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
