/* Inside report/: values as JSON, and back. */
#ifndef NOETHER_REPORT_VALUE_JSON_H
#define NOETHER_REPORT_VALUE_JSON_H

#include "base/json.h"
#include "ir/layout.h"

/* Numbers and truth values as JSON has them, names as text, undefined as null. `type` NULL: the taken-flag of a slot.
 */
struct json *value_to_json(const struct type *type, int32_t code);
/* False: it is no value of the type. */
bool value_from_json(const struct type *type, const struct json *value, int32_t *code);

/* States of a system with a face (ir/face.h): the parts that are there. The names of their cells, but one list for a
 * queue, and words for where a process stands. */
struct json *face_to_json(const struct layout *layout, const int32_t *cells);
/* Cells that are not shown get any value: trace_fold finds them. False, and what is wrong: it is no state. */
bool face_from_json(const struct json *state, const struct layout *layout, int32_t *cells, struct text *message);

#endif
