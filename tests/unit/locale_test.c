/* A program with a decimal comma (setlocale) uses the library: numbers are read and written as ever, and the program
 * keeps its comma. The locale is made here, by the program of the C library that makes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/noether.h"

static const char model_text[] = "dtmc\n"
                                 "const double p = 2.5e-1;\n"
                                 "module m\n"
                                 "  s : [0..2] init 0;\n"
                                 "  [] s=0 -> p:(s'=1) + 0.125:(s'=2) + 0.625:(s'=0);\n"
                                 "  [] s>0 -> true;\n"
                                 "endmodule\n"
                                 "rewards \"half\" s=0 : 0.5; endrewards\n";
static const char asked[] = "P=? [ F s=1 ]; P>=0.75 [ F s=1 ]; R{\"half\"}=? [ C<=3 ]; P<0.1 [ F<=2 s=2 ]";

static char model[] = "locale-test-XXXXXX.prism";
static char locales[] = "locale-test-XXXXXX";

static int write_model(void **state)
{
    (void)state;
    int file = mkstemps(model, 6);
    ssize_t written = write(file, model_text, strlen(model_text));
    return close(file) || written != (ssize_t)strlen(model_text);
}

static int remove_files(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", locales);
    return unlink(model) || system(command);
}

/* All but the figures that differ from run to run. */
static void keep_what_stays(char *json)
{
    char *to = json;
    for (char *line = json, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        bool stays = true;
        for (const char *const *word = (const char *const[]){"seconds", "bytes", NULL}; *word; word++) {
            char *found = strstr(line, *word);
            stays = stays && !(found && found < next);
        }
        if (stays) {
            memmove(to, line, (size_t)(next - line));
            to += next - line;
        }
    }
    *to = '\0';
}

static char *answer(void)
{
    char *error;
    noether_model *loaded = noether_load_with(model, NULL, NULL, asked, &error);
    assert_non_null(loaded);
    noether_result *result = noether_check(loaded, NULL);
    assert_non_null(result);
    double lower, upper;
    assert_int_equal(noether_verdict_of(result), NOETHER_VIOLATED);
    assert_true(noether_property_value(result, noether_property_count(result) - 4, &lower, &upper));
    assert_true(lower <= 2.0 / 3 && upper >= 2.0 / 3 && upper - lower < 1e-5);
    char *json = noether_json(result);
    noether_free_result(result);
    noether_free_model(loaded);
    keep_what_stays(json);
    return json;
}

static bool use_comma(void)
{
    char command[200];
    assert_non_null(mkdtemp(locales));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", locales);
    bool is_made = !system(command);
    setenv("LOCPATH", locales, 1);
    return is_made && setlocale(LC_ALL, "de_DE.UTF-8");
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    char shown[16];
    char *before = answer();
    assert_non_null(strstr(before, "0.75"));
    if (!use_comma()) {
        noether_free_text(before);
        skip(); /* no localedef, or nothing to make a locale from: Debian's package `locales` */
    }
    snprintf(shown, sizeof shown, "%.1f", 0.5);
    assert_string_equal(shown, "0,5");
    char *after = answer();
    assert_string_equal(after, before);
    snprintf(shown, sizeof shown, "%.1f", 0.5);
    assert_string_equal(shown, "0,5"); /* still */
    noether_free_text(before);
    noether_free_text(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_comma_changes_nothing)};
    return cmocka_run_group_tests(tests, write_model, remove_files);
}
