/* A certificate: the evidence that every reachable state of a model satisfies its safety properties
 * (docs/certificates.md has the format). It names the model and the options that give it its meaning, a group that acts
 * on its states, and a set R of states: every reachable state is the image of one in R. Nothing of it is trusted:
 * verify/check.h. */
#ifndef NOETHER_VERIFY_CERTIFICATE_H
#define NOETHER_VERIFY_CERTIFICATE_H

#include "base/sealed.h"
#include "ir/language.h"
#include "verify/action.h"

#define CERTIFICATE_FORMAT "noether-certificate"
/* Version 1 is about states and steps; 2 about probabilities: with vectors, and without a group. */
enum { CERTIFICATE_MEASURE_WORDS = 3 }; /* behind a state, for each measure: lower, upper (doubles), rank */

/* What a state without exits is: as --deadlock says, for the language of the model. */
enum certified_deadlock { CERTIFIED_STUTTERING, CERTIFIED_STUCK, CERTIFIED_OFF };
extern const char *const certified_deadlock_names[3];

struct certificate {
    struct sealed file; /* the records */
    const char *language;
    uint64_t model, properties; /* hashes of the texts; properties 0: there are none */
    const char *asked;          /* the text of further properties; NULL: none */
    VEC(struct define) defines;
    struct manner manner;
    enum certified_deadlock deadlock;
    uint32_t cells, words;  /* of a state */
    VEC(uint32_t) measures; /* the numbers of the properties with vectors; none: it is about states and steps */
    struct group_action action;
};

/* NULL after a failure, which is appended. */
struct certificate *certificate_open(const char *path, struct text *failure);
void certificate_close(struct certificate *certificate);

#endif
