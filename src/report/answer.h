/* Inside report/: the answer as JSON; not is_whole: without its traces and the levels of the search. */
#ifndef NOETHER_REPORT_ANSWER_H
#define NOETHER_REPORT_ANSWER_H

#include "report/report.h"

struct json *answer_to_json(const struct report *report, bool is_whole);

#endif
