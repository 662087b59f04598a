/* Inside report/: the parts of the HTML page.
 *
 * The page is a template (web/) with its data in it, as JSON, in a form that
 * stays small for long traces. The form is private to this code and web/, and may change with every version. */
#ifndef NOETHER_REPORT_PAGE_H
#define NOETHER_REPORT_PAGE_H

#include "report/report.h"

/* Everything of one trace: its steps as differences, messages, the explanation of the formula. */
struct lanes;
/* page_steps.c: the steps of a run, as properties of `object`; is this one of them there? */
void page_steps(const struct trace *trace, const struct lanes *lanes, struct json *object);
bool page_has_step(const struct trace *trace, uint32_t at);
struct json *page_trace(const struct property_result *shown, const struct lanes *lanes);
struct json *page_scheduled_run(const struct property_result *shown,
                                const struct lanes *lanes); /* of a quantity that has one */
struct json *page_scheduler(const struct quantity *quantity, size_t most);
struct json *page_lanes(const struct lanes *lanes);
struct json *page_entries(const struct lanes *lanes);

/* Now, or SOURCE_DATE_EPOCH, as "2026-11-17 15:30 UTC". */
void page_date(struct text *out);

/* Text of the model as HTML. */
void page_escape(const char *chars, struct text *out);

/* The files of web/, made into arrays by the build. */
extern const char page_template_text[], page_style_text[], page_script_text[];

#endif
