/* Reductions that were given up, and why: fallbacks.c. */
#ifndef NOETHER_REPORT_FALLBACKS_H
#define NOETHER_REPORT_FALLBACKS_H

#include "report/style.h"

/* True if the trial of the explicit engine gave up the whole group on the way. */
bool report_gave_up_symmetry(const struct report *report);
/* A line for each fallback of the result. */
void report_text_fallbacks(const struct report *report, const struct report_style *style, struct text *out);
/* Objects with "what", "properties" (names; empty: the search) and "why". */
struct json *report_json_fallbacks(const struct report *report);

#endif
