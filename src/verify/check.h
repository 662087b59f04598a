/* The check of a certificate, with the front end and the evaluator only.
 *
 * Let G be the group of the certificate, R its states, and U all images of states in R under G. It is accepted if
 *   1. each generator of G maps rules and properties onto themselves, on states with the values that occur in U or in
 *      states that steps of several rules pass through (verify/automorphism.h);
 *   2. every start state is in U;
 *   3. every successor of a state in R is in U: by 1 so is every successor of a state in U;
 *   4. every state in R satisfies the properties: by 1 so does every state in U.
 * So U has all reachable states, and they satisfy the properties. */
#ifndef NOETHER_VERIFY_CHECK_H
#define NOETHER_VERIFY_CHECK_H

#include "verify/certificate.h"

enum verify_outcome {
    VERIFY_ACCEPTED,
    VERIFY_REJECTED,
    VERIFY_OPEN /* it was not decided: a limit, a signal, a file; or a part of the model is too hard for the check of
                   the group */
};

struct verify_options {
    uint64_t memory_bytes; /* for the sets of states */
    const char *folder;    /* for what does not fit */
    void (*progress)(void *user, const char *what, uint64_t done, uint64_t total);
    void *progress_user;
};

struct verify_answer {
    enum verify_outcome outcome;
    struct text reason; /* not accepted: why, and where */
    uint64_t states, transitions, starts;
    bool has_spilled; /* the states did not fit into memory */
};

/* Under the watch of the thread. The certificate is about a model with this text; that is what the caller has made sure
 * of. */
void verify_certificate(struct certificate *certificate, const struct layout *layout,
                        const struct verify_options *options, struct verify_answer *answer);
/* May the property be part of what a certificate says? All but what is about more than single states and steps. */
bool verify_covers(const struct property *property);

#endif
