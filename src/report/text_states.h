/* Inside report/: the states that filter(print, ...) shows, a line for each; of very many the first ones. */
#ifndef NOETHER_REPORT_TEXT_STATES_H
#define NOETHER_REPORT_TEXT_STATES_H

#include "base/text.h"
#include "result/quantity.h"

void text_print_states(const struct quantity *quantity, struct text *out);

#endif
