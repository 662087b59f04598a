/* Inside report/: comma-separated values (RFC 4180), which may be opened in a spreadsheet. */
#ifndef NOETHER_REPORT_CSV_H
#define NOETHER_REPORT_CSV_H

#include "base/text.h"

/* A field, in quotes where it needs them. Spreadsheets take text that begins with = + - @, a tab or a line end for a
 * formula and evaluate it: such text gets an apostrophe in front, unless it is a number. */
void csv_field(const char *chars, struct text *out);

#endif
