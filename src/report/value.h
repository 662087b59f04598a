/* Parts of a state as text. */
#ifndef NOETHER_REPORT_VALUE_H
#define NOETHER_REPORT_VALUE_H

#include "ir/layout.h"

/* A value of any type on one line: "Idle", "{kind: Req, from: Node_1}", "[Node_1: true, Node_2: false]". */
void value_print(const struct type *type, const int32_t *cells, struct text *out);

/* One line of a listing: "name = value" pairs, aligned by the printer. */
struct value_line {
    char *name, *value;
};
struct value_lines {
    VEC(struct value_line) items;
};

/* A whole state. When `fold`, elements of an array that are all equal make one line "A[*].x", and what is
 * undefined is left out. */
void value_list_state(const struct layout *layout, const int32_t *cells, bool fold, struct value_lines *lines);
/* What a step changed: "old -> new"; of multisets, the elements that came ("+") and went ("-"). */
void value_list_changes(const struct layout *layout, const int32_t *before, const int32_t *after,
                        struct value_lines *lines);
void value_print_lines(const struct value_lines *lines, const char *indent, struct text *out);
void value_free_lines(struct value_lines *lines);

#endif
