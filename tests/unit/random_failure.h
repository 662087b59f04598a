/* A test has failed on a random system: which one it was. */
#ifndef NOETHER_TESTS_RANDOM_FAILURE_H
#define NOETHER_TESTS_RANDOM_FAILURE_H

#include <stdio.h>

#include "exec/stepper.h"
#include "ir/print.h"

/* `step`: at which it has; NULL: at none. */
static inline void fail_at_seed(const struct system *system, uint64_t seed, const char *what, const struct step *step)
{
    struct text text = {0};
    ir_print_system(system, &text);
    print_error("seed %llu: %s (rule %u, instance %llu)\n", (unsigned long long)seed, what,
                step ? step->rule->id : UINT32_MAX, step ? (unsigned long long)step->instance : 0);
    fputs(text_chars(&text), stderr); /* too long for cmocka */
    text_free(&text);
    fail();
}

#endif
