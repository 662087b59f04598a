/* Draws a configuration of `noether check`: an engine, a symmetry and options that fit together.
 *
 * The draw depends on the salt and the number alone, not on the model, so that a model that is made smaller is checked
 * in the same way. What an engine refuses all the same is counted by the caller. */
#ifndef NOETHER_TESTS_DRAW_H
#define NOETHER_TESTS_DRAW_H

#include "driver/check.h"

/* What a verdict means: the same for all runs of one model. */
struct meaning {
    enum deadlock_mode deadlock;
    bool drops_finite; /* LTL: runs that end do not count */
    bool is_fair;      /* probabilities: fair schedulers only */
};

struct drawn {
    enum engine_choice engine;
    enum symmetry_choice symmetry;
    struct engine_options options;
    bool is_roundabout; /* its runs need not be shortest */
    bool is_partial;    /* it may miss states: what it does not find says nothing */
    bool is_limited;    /* it is cut on purpose */
};

struct draw_settings {
    const char *disk; /* a folder for --disk; NULL: never drawn */
    uint32_t native;  /* percent of the explicit searches whose rules are compiled */
    uint32_t states;  /* of the model: cuts are at a part of them */
};

struct meaning draw_meaning(uint64_t salt, const struct system *system);
struct drawn draw_configuration(uint64_t salt, uint32_t number, const struct meaning *meaning, bool is_chain,
                                const struct draw_settings *settings);
/* As on the command line: "--engine explicit --symmetry off --threads 2". */
void draw_print(const struct drawn *drawn, struct text *out);

#endif
