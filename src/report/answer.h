/* Inside report/: the answer as JSON, with or without its traces. */
#ifndef NOETHER_REPORT_ANSWER_H
#define NOETHER_REPORT_ANSWER_H

#include "report/report.h"

struct json *answer_to_json(const struct report *report, bool with_traces);

#endif
