/* A trace in the forms of other tools: docs/exchange.md.
 *
 * ITF (Informal Trace Format) keeps everything and is read back. The others are for looking at a run: sequence diagrams
 * for Mermaid and PlantUML, a log with vector clocks for ShiViz, and a table. Their processes and messages are those of
 * the report page (lanes.h, messages.h). */
#ifndef NOETHER_REPORT_EXCHANGE_H
#define NOETHER_REPORT_EXCHANGE_H

#include "report/report.h"

enum trace_form {
    TRACE_FORM_JSON, /* as in option_table.h */
    TRACE_FORM_ITF,
    TRACE_FORM_MERMAID,
    TRACE_FORM_PLANTUML,
    TRACE_FORM_SHIVIZ,
    TRACE_FORM_CSV
};

/* The trace of `shown`, which has one. */
void exchange_print(const struct report *report, const struct property_result *shown, enum trace_form form,
                    struct text *out);

/* itf.c: the document of a trace file (report_json_trace_file) as ITF, and back. `nests`: names such as a[1].b are
 * parts of the variable a. */
struct json *itf_from_trace_file(const struct json *document, bool nests);
bool itf_is(const struct json *document);
/* NULL and what is wrong where it is not such a document. */
struct json *itf_to_trace_file(const struct json *itf, struct text *message);

/* sequence.c, shiviz.c */
void exchange_print_sequence(const struct property_result *shown, bool is_plantuml, struct text *out);
void exchange_print_shiviz(const struct property_result *shown, struct text *out);

#endif
