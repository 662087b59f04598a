/* Runs of pointed states (rewrite/point.h): states with values behind them, which the start states choose. */
#ifndef NOETHER_RESULT_POINTED_H
#define NOETHER_RESULT_POINTED_H

#include "result/trace.h"

/* The same run of the original system. `original`: its layout. */
struct trace *pointed_trace(const struct trace *pointed, const struct layout *original);
/* " (p: P_1)": the values; nothing where there are none. */
void pointed_say_values(const struct trace *pointed, const struct layout *original, struct text *words);

#endif
