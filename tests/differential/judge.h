/* Judges an engine's result against the plain exploration: verdicts, figures, traces. */
#ifndef NOETHER_TESTS_JUDGE_H
#define NOETHER_TESTS_JUDGE_H

#include "orbit.h"

/* One way of running an engine. */
struct configuration {
    const char *name; /* what it is called in messages; NULL: the engine with its options */
    const struct engine *engine;
    bool has_symmetry;
    bool is_limited;          /* it need not decide everything; what it decides must be right */
    bool tells_all;           /* the states stored are all those represented, with repetitions */
    bool may_leave;           /* properties that it cannot translate are left open */
    bool is_roundabout;       /* its runs need not be shortest */
    const char *loader_cells; /* NOETHER_LOADER_CELLS; NULL: not set */
    struct engine_options options;
};

void configuration_print(const struct configuration *configuration, struct text *out);

/* The states the engine stored, in order. */
struct stored {
    VEC(uint64_t) words;
    uint64_t count;
};

/* Was there no time left for the property? One that has a system of its own comes after the others, which stand. */
bool judge_is_late(const struct property_result *answer);

/* Only the verdicts and the traces. A trace of a copy of the system, with other codes, is not replayed here. */
bool judge_properties(struct plain *plain, const struct configuration *configuration, const struct result *result,
                      struct failure *failure);

bool judge_result(struct plain *plain, const struct permutations *permutations,
                  const struct configuration *configuration, const struct result *result, const struct stored *stored,
                  struct failure *failure);

#endif
