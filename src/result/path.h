/* Evaluation of a CTL or LTL formula on one run.
 *
 * A run is one of the paths of the model: it can make an E-formula true and an A-formula false; otherwise the value
 * is unknown (Kleene's three values). With fairness (ir/fairness.h) that takes a fair run, or the beginning of one. A
 * formula of linear time is about this run alone, which repeats its last state if nothing can move there; it is unknown
 * where it depends on how a run goes on that has not ended. Evaluated by the IR evaluator, with no graph: an
 * independent check of the counterexamples and witnesses of CTL engines. */
#ifndef NOETHER_RESULT_PATH_H
#define NOETHER_RESULT_PATH_H

#include "result/trace.h"

enum path_truth { PATH_FALSE, PATH_TRUE, PATH_UNKNOWN };

/* A run that is asked about. Positions are its states; the last state of a loop is that of an earlier position. */
struct result_path;
struct result_path *path_create(const struct trace *trace);
void path_destroy(struct result_path *path);
uint32_t path_count(const struct result_path *path);
/* It ends in a cycle, or in a state without successors. */
bool path_is_maximal(const struct result_path *path);
/* Was there a proposition that could not be evaluated, in what was asked so far? */
bool path_has_fault(const struct result_path *path);
/* The position after this one, PATH_END where the run ends. */
enum { PATH_END = UINT32_MAX };
uint32_t path_next(const struct result_path *path, uint32_t at);
/* A value for a quantified variable, for what is asked from then on. */
void path_bind(struct result_path *path, const struct variable *variable, int32_t value);
/* In every position: an array of path_count. */
void path_fill(struct result_path *path, const struct ctl *ctl, enum path_truth *out);

/* In the first state of the run. Its steps must be what they are said to be (trace_replay). */
enum path_truth path_evaluate(const struct trace *trace, const struct ctl *ctl);

#endif
