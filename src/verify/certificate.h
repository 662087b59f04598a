/* A certificate: the evidence that every reachable state of a model satisfies its safety properties
 * (docs/certificates.md has the format). It names the model and the options that give it its meaning, a group that acts
 * on its states, and a set R of states: every reachable state is the image of one in R. Nothing of it is trusted:
 * verify/check.h. */
#ifndef NOETHER_VERIFY_CERTIFICATE_H
#define NOETHER_VERIFY_CERTIFICATE_H

#include <stdio.h>

#include "base/checksum.h"
#include "base/text.h"
#include "ir/language.h"
#include "verify/action.h"

#define CERTIFICATE_FORMAT "noether-certificate"
enum { CERTIFICATE_TRAILER = 16 };
/* Version 1 is about states and steps; 2 about probabilities: with vectors, and without a group. */
enum { CERTIFICATE_MEASURE_WORDS = 3 }; /* behind a state, for each measure: lower, upper (doubles), rank */

/* What a state without exits is: as --deadlock says, for the language of the model. */
enum certified_deadlock { CERTIFIED_STUTTERING, CERTIFIED_STUCK, CERTIFIED_OFF };
extern const char *const certified_deadlock_names[3];

struct certificate {
    FILE *file;
    char *language;
    uint64_t model, properties; /* hashes of the texts; properties 0: there are none */
    char *asked;                /* the text of further properties; NULL: none */
    VEC(struct define) defines;
    struct manner manner;
    enum certified_deadlock deadlock;
    uint32_t cells, words;  /* of a state */
    uint32_t record;        /* words of a state and of what is said about it (verify/measure.h) */
    VEC(uint32_t) measures; /* the numbers of the properties with vectors; none: it is about states and steps */
    struct group_action action;
    uint64_t states_at, count, next; /* where the states begin, how many there are, and which is read next */
    uint64_t mixed, before;          /* what was read since the last rewind; all of it, the first time (0: not yet) */
    bool is_broken;                  /* not all was read, or not the same as the first time */
};

/* NULL after a failure, which is appended. */
struct certificate *certificate_open(const char *path, struct text *failure);
void certificate_close(struct certificate *certificate);
/* Before the first state again. */
void certificate_rewind(struct certificate *certificate);
/* The next one, packed: a record. False: there are no more, or (is_broken) it cannot be read. */
bool certificate_next(struct certificate *certificate, uint64_t *words);
/* What identifies a text. Never 0. */
uint64_t certificate_hash(const char *text, size_t length);

#endif
