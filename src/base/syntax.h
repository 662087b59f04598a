/* What the parsers of all languages have in common: one error of syntax at a time, and a bound on nesting.
 *
 * After an error a parser is `lost`: nothing more is reported until it has found a place to go on from and sets `lost`
 * back itself. The depth bounds the frames of the parser and of all later passes over the tree. */
#ifndef NOETHER_BASE_SYNTAX_H
#define NOETHER_BASE_SYNTAX_H

#include <stdint.h>

#include "base/report.h"

struct syntax {
    struct diagnostics *diagnostics;
    uint32_t most;  /* how deep anything may be nested */
    uint32_t depth; /* of what is being read */
    bool lost;
};

/* Was it added? A hint (diag_hint) belongs only to an error that was. */
bool syntax_error(struct syntax *syntax, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* One level deeper, at `here`; false: that is too deep, and an error. Only who has entered leaves. */
bool syntax_enter(struct syntax *syntax, struct span here);
void syntax_leave(struct syntax *syntax);
/* Where a separator is missing between `before` and `found`: a missing one is the fault of the place where it is
 * missing, not of the next line. */
struct span syntax_gap(struct span before, struct span found);

#endif
