/* The engine `cover`: is a violation reachable with any number of threads?
 *
 * Four searches take turns, three of them of the thread transition system (population/threads.h). The forward one
 * explores the configurations of 1, 2, 3, ... threads, and finds violations with few of them. The backward one
 * (Abdulla, Cerans, Jonsson, Tsay, "General decidability theorems for infinite-state systems", LICS 1996) computes the
 * minimal configurations from which a violation can be reached, with any number of threads; when there are no more, and
 * none of them is below a start state, there is no violation. Both find the least number of threads. The third is the
 * tree of Karp and Miller, which shows that there is none. They list local states; the fourth has diagrams instead. */
#ifndef NOETHER_ENGINE_COVER_COVER_H
#define NOETHER_ENGINE_COVER_COVER_H

#include "engine/engine.h"
#include "population/threads.h"

struct cover {
    struct thread_system *threads; /* NULL: not derived */
    bool *is_open;                 /* by property */
    const struct pairs *known; /* no configuration that can be reached has another pair of a shared and a local state */
    struct pace pace;
    struct stop stop;
    uint64_t work; /* units spent, for taking turns */
    uint64_t stored, bytes;
};

/* Counts work; false: a limit was reached, cover->stop says which. */
bool cover_spend(struct cover *cover, uint32_t work);

/* A run of configurations with `size` threads: each is the shared state, then the local states, sorted. */
struct cover_run {
    uint32_t size;
    VEC(uint32_t) words;
    uint32_t generator;  /* what is wrong at the end; WORDS_NONE: a run-time error is in the way */
    struct trace *trace; /* in place of words and generator: the run itself; owned */
    uint32_t property;   /* that it violates */
};
void cover_run_free(struct cover_run *run);

enum cover_outcome {
    COVER_GOES_ON, /* the turn is over */
    COVER_FOUND,   /* a violation of an open property */
    COVER_DONE,    /* there is none: with this number of threads (forward), or with any (backward) */
    COVER_STOPPED  /* a limit was reached */
};

/* --- forward.c --- */

struct cover_forward {
    struct cover *cover;
    uint32_t size;
    struct words states; /* the shared state, then the local states, sorted */
    VEC(uint32_t) parents;
    uint32_t next; /* the state to be expanded */
    uint32_t found, generator;
};
/* All configurations of so many threads, in turns of `most` units of work. */
void forward_begin(struct cover_forward *forward, struct cover *cover, uint32_t size);
enum cover_outcome forward_go(struct cover_forward *forward, uint64_t most);
/* After COVER_FOUND: a shortest run. */
void forward_run(const struct cover_forward *forward, struct cover_run *run);
void forward_end(struct cover_forward *forward);

/* --- backward.c --- */

struct cover_element {
    uint32_t shared, count, first; /* `count` local states, sorted, in `locals` */
    uint64_t mask;                 /* of its local states: one that is below another has no bit that it has not */
    uint32_t step, target; /* the step leads to the target, or above; target WORDS_NONE: `step` is a generator */
    bool is_dead;          /* another one is below it */
};

/* Pairs of a shared and a local state (pairs_key). */
struct cover_targets {
    VEC(uint64_t) list;
};

struct cover_backward {
    struct cover *cover;
    VEC(struct cover_element) elements;
    VEC(uint32_t) locals;
    VEC(struct thread_numbers) basis;  /* by shared state: elements, none below another */
    VEC(struct thread_numbers) queues; /* by number of threads */
    VEC(struct thread_numbers) starts; /* by shared state */
    uint32_t size;                     /* the queue in turn */
    size_t next;                       /* in it */
    uint32_t least, found;             /* threads of the best run so far, and its first element; WORDS_NONE: none */
    uint32_t alive;                    /* elements of the basis */
    VEC(uint32_t) scratch, chosen, sorted;
};
/* From the generators of the open properties. */
void backward_begin(struct cover_backward *backward, struct cover *cover);
/* From pairs of a shared and a local state: can one be covered? */
void backward_begin_at(struct cover_backward *backward, struct cover *cover, const struct cover_targets *targets);
enum cover_outcome backward_go(struct cover_backward *backward, uint64_t most);
void backward_run(const struct cover_backward *backward, struct cover_run *run);
void backward_end(struct cover_backward *backward);

/* --- tree.c --- */

struct cover_tree {
    struct cover *cover;
    struct words nodes;
    VEC(uint32_t) parents;
    VEC(struct thread_numbers) by_shared; /* nodes */
    uint32_t next;                        /* the node to be expanded */
    bool is_open; /* it may have an answer: there are no broadcasts, and no violation was found */
};
void tree_begin(struct cover_tree *tree, struct cover *cover);
/* COVER_DONE: no violation can be reached. */
enum cover_outcome tree_go(struct cover_tree *tree, uint64_t most);
void tree_end(struct cover_tree *tree);

/* --- helper.c --- */

struct cover_helper {
    struct cover *cover;
    const struct thread_shape *shape;
    const struct engine_options *options;
    uint32_t views;    /* threads of a view, in the question about any number of threads */
    bool asks_views;   /* that one is the next; else: about all states with one thread more than `explored` */
    uint32_t explored; /* there is no violation with so many threads */
    uint32_t proved;   /* views of so many threads show that there is none with any number; 0: that is not known */
    uint32_t most;     /* threads; UINT32_MAX: any number */
    bool is_open;      /* it may have an answer */
};
void helper_begin(struct cover_helper *helper, struct cover *cover, const struct thread_shape *shape,
                  const struct engine_options *options);
/* Within so much processor time, or a little more. COVER_FOUND: `run`. COVER_DONE: no violation can be reached. */
enum cover_outcome helper_go(struct cover_helper *helper, double cpu_seconds, struct cover_run *run);

/* --- widen.c --- */

/* The run in the layout of a system with more threads. NULL: a step fails there. */
struct trace *widen_trace(const struct trace *run, const struct layout *layout);

/* --- cutoff.c --- */

/* The pairs that are not among the reached ones, and one step away from them. False: the time was over. */
bool cutoff_candidates(const struct cover *cover, const struct pairs *reached, struct cover_targets *targets);

/* --- configuration.c: vectors of a shared state and sorted local states --- */

/* `part` and `whole` are sorted. */
bool multiset_is_below(const uint32_t *part, uint32_t count, const uint32_t *whole, uint32_t whole_count);
/* Takes the step in a configuration of `size` threads, in place. False: the participants are not there. */
bool configuration_step(const struct thread_system *threads, uint32_t step, uint32_t *configuration, uint32_t size);
/* The start state with `size` threads. */
void configuration_start(const struct thread_start *start, uint32_t *configuration, uint32_t size);
/* The generator of an open property that it is above; WORDS_NONE: none. */
uint32_t configuration_violates(const struct cover *cover, const uint32_t *configuration, uint32_t size);

#endif
