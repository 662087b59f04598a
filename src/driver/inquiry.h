/* Expressions about states, asked after the model was loaded: `print x`, `until x = 3`, `--around "x = 3"`.
 *
 * A system is immutable once it is finished, and an expression needs scratch memory of its own (what quantifiers bind).
 * So the model is read once more, with the expression in its scope; its states are the same vectors of cells. The
 * evaluator answers. */
#ifndef NOETHER_DRIVER_INQUIRY_H
#define NOETHER_DRIVER_INQUIRY_H

#include "driver/model.h"
#include "exec/stepper.h"

struct inquiry;

/* The model must outlive it. NULL after errors: the text of the diagnostics is added to `message`. When `is_condition`,
 * the expression must be boolean. */
struct inquiry *inquiry_create(const struct model *model, const char *expression, bool is_condition,
                               struct text *message);
void inquiry_destroy(struct inquiry *inquiry);
/* As the user wrote it. */
const char *inquiry_text(const struct inquiry *inquiry);
/* Is the condition true in the state of the model? */
enum truth inquiry_holds(struct inquiry *inquiry, const int32_t *cells, struct fault *fault);
/* Why the condition is true or false there: an indented tree. */
void inquiry_explain(const struct inquiry *inquiry, const int32_t *cells, struct text *out);
/* The value, on one line; where it cannot be evaluated, why ("fails: ..."). */
void inquiry_print(struct inquiry *inquiry, const int32_t *cells, struct text *out);

#endif
