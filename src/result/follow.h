/* Following a run that another tool of the language has found: it names processes and statements by numbers
 * (ir/face.h), and leaves the rest to the model. */
#ifndef NOETHER_RESULT_FOLLOW_H
#define NOETHER_RESULT_FOLLOW_H

#include "result/trace.h"

struct follow_event {
    uint32_t process, statement;
};

struct follow_run {
    const struct follow_event *events;
    size_t count;
    /* Statements may be missing that a process does at once and alone when it can do nothing else (statement merging).
     */
    bool is_merged;
    bool comes_to_rest; /* what is left out at the end is done where nothing can move then */
    bool has_loop;      /* the run goes on for ever, as after so many events: */
    size_t loop;
};

/* The run as a trace, as far as the events can be followed; steps of several rules are gathered. So many events are
 * left, of which the first cannot be taken, and `message` says why; where a step fails that is the end. The trace is
 * not confirmed: trace_replay. */
struct trace *trace_follow(const struct layout *layout, const struct follow_run *run, size_t *left,
                           struct text *message);

#endif
