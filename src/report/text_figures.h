/* Inside report/: the figures of a search under its verdicts: states, rules fired, depth, time, memory. */
#ifndef NOETHER_REPORT_TEXT_FIGURES_H
#define NOETHER_REPORT_TEXT_FIGURES_H

#include "report/report.h"

void text_print_figures(const struct report *report, const struct report_style *style, struct text *out);

#endif
