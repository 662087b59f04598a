/* Fallbacks: parts of the work that were done without a reduction which the answer names or the user asked for.
 *
 * An engine that gives up a reduction calls result_fall_back, whatever the reduction is; the writers of the report show
 * all fallbacks at one place. The strings are copied; a call costs time linear in the number of fallbacks. Not
 * thread-safe: the thread that owns the result calls it. */
#ifndef NOETHER_RESULT_FALLBACK_H
#define NOETHER_RESULT_FALLBACK_H

#include <stdint.h>

#include "base/vec.h"

struct result;
struct property;

struct fallback {
    char *what;          /* the reduction: "symmetry" */
    VEC(char *) names;   /* of the properties that were decided without it; none: it concerns the search */
    VEC(uint32_t) lines; /* of these properties */
    char *why;
};

typedef VEC(struct fallback) fallback_list;

/* Records that `property` (NULL: the search itself) was decided without the reduction `what`. Properties with the same
 * reason share one fallback. */
void result_fall_back(struct result *result, const struct property *property, const char *what, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
/* Moves the fallbacks of `from` to the end of the list of `to`. */
void result_take_fallbacks(struct result *to, struct result *from);
void fallbacks_free(fallback_list *list);

#endif
