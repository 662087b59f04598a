/* The translation of a model, as text (--dump). */
#ifndef NOETHER_DRIVER_DUMP_H
#define NOETHER_DRIVER_DUMP_H

#include "driver/model.h"

enum dump_form { DUMP_IR, DUMP_BYTECODE, DUMP_C, DUMP_PLAN /* check_print_plan */ };

void dump_model_text(const struct model *model, enum dump_form form, struct text *out);

#endif
