/* Most unit tests in one program, for the build with the address sanitizer (NOETHER_TOGETHER): a sanitized program is
 * large to link, and its search for leaks goes through the whole address space on aarch64, which takes seconds
 * however small the test is. What changes the process for good (its locale, its environment, wrapped functions, an
 * engine of its own in place of ours) stays a program of its own.
 *
 *     unit_tests PART PARTS    every PARTS-th test, from PART on
 *     unit_tests NAME...       these
 *
 * The exit status is 1 if one failed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name) int name(void);
#include "together_rows.h"
#undef ROW

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define ROW(name) {#name, name},
#include "together_rows.h"
#undef ROW
};

static bool run(size_t test)
{
    fprintf(stderr, "==== %s\n", tests[test].name);
    bool has_failed = tests[test].run() != 0;
    if (has_failed)
        fprintf(stderr, "==== %s FAILED\n", tests[test].name);
    return has_failed;
}

static bool is_named(const char *name, int count, char **words)
{
    for (int i = 1; i < count; i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
}

int main(int count, char **words)
{
    size_t all = sizeof tests / sizeof *tests, failed = 0, done = 0;
    char *end = "";
    size_t part = count == 3 ? strtoul(words[1], &end, 10) : 0;
    bool is_part = count == 3 && !*end;
    size_t parts = is_part ? strtoul(words[2], NULL, 10) : 1;
    for (size_t i = 0; i < all; i++) {
        if (is_part ? i % parts != part : !is_named(tests[i].name, count, words))
            continue;
        failed += run(i);
        done++;
    }
    fprintf(stderr, "==== %zu of %zu programs, %zu failed\n", done, all, failed);
    return failed || !done;
}
