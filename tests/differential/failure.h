/* What differed, in words; the first difference found in a model is kept. */
#ifndef NOETHER_TESTS_FAILURE_H
#define NOETHER_TESTS_FAILURE_H

#include <stdbool.h>

#include "base/text.h"

struct failure {
    struct text where; /* the configuration being compared */
    struct text what;
    bool is_set;
};

/* Records the difference unless one is recorded already. Returns false, for `return failure_set(...)`. */
bool failure_set(struct failure *failure, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
