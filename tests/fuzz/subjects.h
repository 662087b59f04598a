/* The models that traces and properties are about: the first byte of an input, modulo their number, says which. */
#ifndef NOETHER_FUZZ_SUBJECTS_H
#define NOETHER_FUZZ_SUBJECTS_H

#include <stdint.h>

struct subject {
    const char *model, *properties; /* paths; no properties of its own: NULL */
};

static inline const struct subject *subject_of(uint8_t byte)
{
    static const struct subject subjects[] = {
        {FUZZ_SUBJECTS "/desk.m", NULL},
        {FUZZ_SUBJECTS "/choice.prism", FUZZ_SUBJECTS "/choice.props"},
        {FUZZ_SUBJECTS "/queue.prism", FUZZ_SUBJECTS "/queue.props"},
        {FUZZ_SUBJECTS "/coin.prism", FUZZ_SUBJECTS "/coin.props"},
    };
    return &subjects[byte % (sizeof subjects / sizeof *subjects)];
}

#endif
