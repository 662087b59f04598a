/* Judges an engine's result against the plain exploration: verdicts, figures, traces. */
#ifndef NOETHER_TESTS_JUDGE_H
#define NOETHER_TESTS_JUDGE_H

#include "orbit.h"

/* One way of running an engine. */
struct configuration {
    const struct engine *engine;
    bool has_symmetry;
    bool is_limited; /* it need not decide everything; what it decides must be right */
    bool tells_all; /* the states stored are all those represented, with repetitions */
    struct engine_options options;
};

void configuration_print(const struct configuration *configuration, struct text *out);

/* The states the engine stored, in order. */
struct stored {
    VEC(uint64_t) words;
    uint64_t count;
};

bool judge_result(struct plain *plain, const struct permutations *permutations,
                  const struct configuration *configuration, const struct result *result, const struct stored *stored,
                  struct failure *failure);

#endif
