#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { WORDS = 8 };

/* Parses the words (up to NULL) as options of check. */
static bool parse(struct options *options, struct text *message, const char *const words[WORDS])
{
    int count = 0;
    while (words[count])
        count++;
    return options_parse(options, COMMAND_CHECK, count, (char **)words, message);
}

static void accepted_values(void **state)
{
    (void)state;
    struct options options;
    struct text message = {0};
    assert_true(parse(&options, &message,
                      (const char *const[WORDS]){"--search=dfs", "m.m", "-DN=3", "-D", "M=-1", "--time", "10m"}));
    assert_int_equal(options_choice(&options, OPTION_SEARCH), 1);
    assert_int_equal(options_choice(&options, OPTION_SYMMETRY), 0);
    assert_int_equal(options.defines.count, 2);
    assert_string_equal(options.defines.items[0].name, "N");
    assert_string_equal(options.defines.items[1].value, "-1");
    assert_string_equal(options.operands.items[0], "m.m");
    assert_true(options_seconds(&options, OPTION_TIME) == 600);
    assert_int_equal(options_number(&options, OPTION_STATES), 0);
    options_free(&options);
}

static void refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *words[WORDS], *message;
    } cases[] = {
        {{"m.m", "--serch", "bfs"}, "did you mean --search?"},
        {{"m.m", "--search"}, "--search wants bfs|dfs"},
        {{"m.m", "--search", "best"}, "takes bfs|dfs"},
        {{"m.m", "--quiet=yes"}, "takes no value"},
        {{"m.m", "-z"}, "no option -z"},
        {{"m.m", "-D", "N"}, "NAME=VALUE"},
        {{"m.m", "-D", "=3"}, "NAME=VALUE"},
        {{"m.m", "-D", "N="}, "NAME=VALUE"},
        {{"m.m", "--memory", "much"}, "512M"},
        {{"m.m", "--states", "0"}, "positive"},
        {{"m.m", "--states", "-4"}, "positive"},
        {{"m.m", "--time", "1 week"}, "10m"},
        {{"m.m", "--json="}, "wants FILE"},
        {{"--search", "bfs"}, "wants MODEL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct text message = {0};
        assert_false(parse(&options, &message, cases[i].words));
        assert_non_null(strstr(text_chars(&message), cases[i].message));
        text_free(&message);
        options_free(&options);
    }
}

static void a_dash_is_an_operand_and_two_end_the_options(void **state)
{
    (void)state;
    struct options options;
    struct text message = {0};
    assert_true(parse(&options, &message, (const char *const[WORDS]){"-"}));
    assert_string_equal(options.operands.items[0], "-");
    options_free(&options);
    assert_true(parse(&options, &message, (const char *const[WORDS]){"--", "--odd.m"}));
    assert_string_equal(options.operands.items[0], "--odd.m");
    options_free(&options);
}

static void amounts(void **state)
{
    (void)state;
    uint64_t bytes;
    double seconds;
    assert_true(amount_size("4G", &bytes) && bytes == (uint64_t)4 << 30);
    assert_true(amount_size("1.5k", &bytes) && bytes == 1536);
    assert_true(amount_size("100", &bytes) && bytes == 100);
    assert_true(amount_size("2MiB", &bytes) && bytes == 2 << 20);
    assert_false(amount_size("0", &bytes));
    assert_false(amount_size("0x10", &bytes));
    assert_false(amount_size("1e300T", &bytes));
    assert_true(amount_time("1.5h", &seconds) && seconds == 5400);
    assert_true(amount_time("90", &seconds) && seconds == 90);
    assert_false(amount_time("", &seconds));
    assert_false(amount_time("inf", &seconds));
    assert_false(amount_count("99999999999999999999", &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_values),
        cmocka_unit_test(refused_with_a_reason),
        cmocka_unit_test(a_dash_is_an_operand_and_two_end_the_options),
        cmocka_unit_test(amounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
