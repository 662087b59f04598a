/* The answer: verdicts, the runs that show violations with the least number of threads, and figures. */
#ifndef NOETHER_ENGINE_COVER_ANSWER_H
#define NOETHER_ENGINE_COVER_ANSWER_H

#include "engine/cover/cover.h"

struct cover_answer {
    struct cover *cover;
    const struct thread_shape *shape;
    const struct engine_options *options;
    const struct layout *layout; /* the model as it was read */
    struct cover_helper helper;
    VEC(struct cover_run) runs; /* each violates another property */
    struct stop stop;           /* of all that is still open */
    uint32_t explored;          /* there is no violation of what is open with so many threads */
    uint32_t cutoff;            /* the pairs are complete with so many threads; 0: not known */
    uint32_t views;             /* threads of the views that show that all holds; 0: something else does */
    uint32_t least;             /* threads with which something is violated; 0: nothing is */
    uint32_t basis;             /* elements, of the last backward search */
};

/* All properties that small numbers of threads decide are open. */
void cover_answer_open(struct cover_answer *answer);
/* False: there is nothing to search. */
bool cover_answer_begin(struct cover_answer *answer);
/* Takes the run; its property is open no longer. */
void cover_answer_violate(struct cover_answer *answer, struct cover_run *run);
/* Is the run one of the model as it was read, with more threads that do nothing? */
bool cover_answer_shows(const struct cover_answer *answer, const struct cover_run *run);
/* About the model with as many threads as the longest of the runs; as it was read if there is none, or their number is
 * fixed. */
struct result *cover_answer_conclude(struct cover_answer *answer);

#endif
