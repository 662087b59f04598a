/* Traces as JSON: written for programs and for `noether replay`, and read back. The form is in docs/json.md. */
#ifndef NOETHER_REPORT_TRACE_FILE_H
#define NOETHER_REPORT_TRACE_FILE_H

#include "report/report.h"

/* The parts of it: a state by the names of its cells, the parameters of an instance, a step. */
struct json *state_to_json(const struct layout *layout, const int32_t *cells);
struct json *parameters_to_json(const struct rule *rule, uint64_t instance);
struct json *trace_step_to_json(const struct trace *trace, uint32_t position);
struct json *trace_to_json(const struct trace *trace);

/* NULL and what is wrong ("step 3: unknown rule ...") when the document is no trace of the system. */
struct trace *trace_from_json(const struct json *steps, const struct layout *layout, struct text *message);

#endif
