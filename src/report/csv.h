/* Inside report/: comma-separated values (RFC 4180). */
#ifndef NOETHER_REPORT_CSV_H
#define NOETHER_REPORT_CSV_H

#include "base/text.h"

/* A field, in quotes where it needs them. */
void csv_field(const char *chars, struct text *out);

#endif
