/* Reporting for the front ends: at most DIAGNOSTICS_MAX_ERRORS errors, none of them twice. */
#ifndef NOETHER_BASE_REPORT_H
#define NOETHER_BASE_REPORT_H

#include "base/diag.h"

/* Was it added? A hint (diag_hint) belongs only to an error that was. */
bool report_error(struct diagnostics *list, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool report_verror(struct diagnostics *list, struct span span, const char *format, va_list arguments);
/* Does `a` begin before `b`? Both are of one file. */
bool span_is_before(struct span a, struct span b);
/* A character that is none of the language hides what follows it, not what stands before it: of the errors of syntax in
 * that file those before the first lexical one stay, and the lexical ones follow. Frees `lexical`. */
void report_lexical(struct diagnostics *syntax, struct diagnostics *lexical);
/* From the start of one span to the end of another; just the first when they stand on different lines. */
struct span span_join(struct span from, struct span to);

#endif
