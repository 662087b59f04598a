/* From a result about a reduced system (reduce/) to one about the original. */
#ifndef NOETHER_PASS_UNREDUCE_H
#define NOETHER_PASS_UNREDUCE_H

#include "reduce/reduce.h"
#include "result/verdict.h"

/* Adds what a step of the reduced run stands for to the run of the original. False: there is no such step. */
typedef bool unreduce_follow(void *user, struct trace *trace, const struct trace *reduced, uint32_t number);
/* All steps of the reduced run; a cycle as often as it takes the elements to be back where they were. NULL: as below.
 */
struct trace *unreduce_run(const struct layout *layout, const struct trace *reduced, unreduce_follow *follow,
                           void *user, bool *is_wrong);

/* The same verdicts for the original properties, with runs of the original: of several ways to violate one the
 * shortest. Where a run is none of the original, nothing is believed but the runs that are. `reduced` is freed. */
struct result *unreduce_result(const struct layout *layout, const struct reduction *reduction, struct result *reduced);

/* Withdraws what was said of CTL formulas about deadlocks that the reduced system mistakes. */
void unreduce_deadlocks(struct result *result, const struct reduction *reduction, const char *why);

/* States of a run times cells of a state; times a cycle is traversed until it closes. */
enum { UNREDUCE_MOST_CELLS = 1 << 28, UNREDUCE_MOST_ROUNDS = 1000 };

#endif
