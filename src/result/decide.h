/* What a search still has to find out: which properties are decided, and how many are not. */
#ifndef NOETHER_RESULT_DECIDE_H
#define NOETHER_RESULT_DECIDE_H

#include "result/verdict.h"

/* How many properties are checked: before a search, none of them is decided. */
uint32_t decide_count(const struct result *result);
/* Nothing more is to be found out about the property. `decided` is by property id. True: that was the last one. */
bool decide_property(const struct property *property, bool *decided, uint32_t *undecided);

#endif
