/* Colours, lines, and numbers in readable form. */
#ifndef NOETHER_REPORT_STYLE_H
#define NOETHER_REPORT_STYLE_H

#include "report/report.h"

enum colour { COLOUR_GOOD, COLOUR_BAD, COLOUR_DOUBT, COLOUR_STRONG, COLOUR_FAINT };

/* Appends in a colour, or plainly when the style has none. */
void style_paint(const struct report_style *style, enum colour colour, struct text *out, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
enum { STYLE_WIDTH = 80 }; /* of a terminal */
/* Appends words; a line begins at `indent`, and ends before STYLE_WIDTH where it can. The column where the last ends.
 */
size_t style_wrap(const char *words, size_t indent, struct text *out);
/* "1,234,567" */
void style_group_digits(const char *digits, struct text *out);
void style_count(uint64_t count, struct text *out);
/* The exact number, or (NULL) the one that is known to fit in 64 bits. */
void style_large(const struct bigint *number, uint64_t clipped, struct text *out);
/* "12.3 MiB" */
void style_bytes(uint64_t bytes, struct text *out);
/* "0.031 s", "4 min 12 s" */
void style_seconds(double seconds, struct text *out);
/* "3 steps", "1 step" */
void style_plural(uint64_t count, const char *noun, struct text *out);
/* `file:line:column`, or nothing when there is no position. */
void style_place(struct span span, struct text *out);
/* Does a rule that was not fired never fire? Not when the search was cut, some states were only covered by others or
 * taken for others, or the symmetry exchanges rules. */
bool style_knows_dead_rules(const struct report *report);
/* The search ended, and there was no state. */
bool style_has_no_state(const struct report *report);
/* A number with its interval, if the digits that are certain are few: "= 0.5", "= 0.33333  (between ...)". */
void style_value(const struct property_result *property, struct text *out);
/* The number alone, for a table. */
void style_number(const struct property_result *property, struct text *out);
/* A number between them, with as few digits as it takes. */
void style_bounds(double lower, double upper, struct text *out);
/* The same of a value that is known exactly: as a fraction, unless it is too long for a line. */
void style_exact(const struct property_result *property, struct text *out);
/* What is claimed: `invariant "coherence"`, `no deadlock`. */
void style_property(const struct property *property, struct text *out);

#endif
