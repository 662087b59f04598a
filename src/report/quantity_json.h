/* Inside report/: a number and how it was found, as JSON (docs/json.md). */
#ifndef NOETHER_REPORT_QUANTITY_JSON_H
#define NOETHER_REPORT_QUANTITY_JSON_H

#include "base/json.h"
#include "result/verdict.h"

/* Sets the member "pareto". */
void pareto_to_json(const struct quantity *quantity, struct json *object);
/* Sets its members in the object of the property. */
void quantity_to_json(const struct property_result *result, bool with_run, struct json *object);

/* What filter(print, ...) shows. */
struct json *printed_to_json(const struct quantity *quantity);

#endif
