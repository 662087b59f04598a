/* The reachable states of a system up to symmetry, and the steps between them, as a chart. */
#ifndef NOETHER_OBSERVE_REACHABLE_H
#define NOETHER_OBSERVE_REACHABLE_H

#include "result/chart.h"
#include "result/verdict.h"
#include "symmetry/symmetry.h"

/* `states` at most are explored; the run of a violated property (`shown`; NULL: none) is a path in the chart, and its
 * states are added to them. */
struct chart *reachable_chart(const struct layout *layout, const struct symmetry *symmetry, uint64_t states,
                              const struct property_result *shown, const volatile int *interrupted);

#endif
