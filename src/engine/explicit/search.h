/* The state of one explicit search, and the parts of it: who calls whom.
 *
 *   explicit.c     run: sets up, chooses the order, tears down
 *   starts.c       the start states
 *   search_bfs.c, search_dfs.c   which state is expanded next
 *   expand.c       one state: its successors, canonical, packed, into the store
 *   judge.c        what is checked of every new state
 *   violation.c    a run that shows what was found, lifted and replayed
 *   edges.c, liveness.c   the graph, when there are liveness properties
 *   dispute.c      failures that may hide one another
 *   limits.c       time, memory, interruption, progress
 *   outcome.c      the verdicts at the end
 *
 * Functions that return bool say whether the search goes on. */
#ifndef NOETHER_ENGINE_EXPLICIT_SEARCH_H
#define NOETHER_ENGINE_EXPLICIT_SEARCH_H

#include "engine/engine.h"
#include "engine/explicit/edges.h"
#include "store/store.h"

/* Successors that wait for the store's memory at the same time. */
enum { SEARCH_BATCH = 16 };

struct property_list {
    const struct property **items;
    uint32_t count;
};

/* What one thread needs to expand states. */
struct worker {
    struct stepper *stepper; /* enumerates successors */
    struct stepper *judge;   /* evaluates formulas, while the other is in the middle of an enumeration */
    struct canon *canon;     /* NULL: the symmetry is trivial */
    int32_t *parent, *image, *fresh;
    uint64_t *parent_packed;
    uint64_t *batch; /* SEARCH_BATCH packed states */
    uint64_t hashes[SEARCH_BATCH];
    uint32_t parents[SEARCH_BATCH];
    uint64_t classes[SEARCH_BATCH]; /* of twins, 0: not known; for the sizes of orbits */
    uint32_t batch_count;
};

struct search {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    const struct engine_options *options;
    struct result *result;
    struct budget budget;
    struct store *store;
    struct worker worker;

    struct property_list invariants, assumptions, covers, cover_statements, livenesses;
    bool *decided; /* by property id: nothing more is to be found out about it */
    uint32_t undecided;
    uint32_t *faulted; /* by property id: the first state in which a cover could not be evaluated, or STORE_NO_PARENT */

    struct edges *edges;   /* NULL: there are no liveness properties */
    uint64_t **goals;      /* for each liveness property a bit for each state: does the formula hold there? */
    uint64_t goal_words;   /* of each */

    struct bigint *represented, *orbit;
    uint64_t represented_small; /* not yet added to `represented` */

    uint32_t depth;    /* of the state that is being expanded */
    uint32_t deepest;
    uint32_t frontier; /* states found and not yet expanded */
    bool stopped, is_depth_cut;
    int64_t until_tick, tick_interval;
    double begin, begin_cpu, last_tick, last_progress;
};

/* starts.c */
bool starts_insert(struct search *search);

/* search_bfs.c, search_dfs.c */
void search_run_bfs(struct search *search);
void search_run_dfs(struct search *search);

/* expand.c */
bool expand_state(struct search *search, uint32_t number);
/* A successor of `parent` (STORE_NO_PARENT: a start state). It waits in the batch, even when its parent is done. */
bool expand_add(struct search *search, uint32_t parent, const struct step *step);
/* Puts what waits into the store. */
bool expand_flush(struct search *search);
bool expand_fault(struct search *search, uint32_t parent, const struct fault *fault);
bool expand_note_covers(struct search *search);

/* judge.c */
void judge_create(struct search *search);
void judge_destroy(struct search *search);
/* Do the assumptions hold? The search may have to stop when one of them faults (and the state is not granted). */
bool judge_is_granted(struct search *search, uint32_t parent, const int32_t *cells);
/* Adds the size of the new state's orbit to what the states stand for. */
void judge_count_orbit(struct search *search, const int32_t *cells, uint64_t classes);
bool judge_new_state(struct search *search, uint32_t number, const int32_t *cells);

/* violation.c */
struct finding {
    const struct property *property;
    enum trace_evidence evidence;
    const struct fault *fault; /* or NULL */
    uint32_t number;           /* the last stored state of the run, or STORE_NO_PARENT */
    const int32_t *beyond;     /* a representative after it that is not stored, or NULL */
};
bool violation_report(struct search *search, const struct finding *finding, const char *reason);
/* A rule (number: of the state it fires in) or start state faults. */
bool violation_report_fault(struct search *search, uint32_t number, const struct fault *fault);
struct trace *violation_trace(struct search *search, const struct finding *finding);
void search_decide(struct search *search, const struct property *property);

/* liveness.c */
bool liveness_note(struct search *search, uint32_t number, const int32_t *cells);
void liveness_decide(struct search *search);

/* limits.c */
void limits_begin(struct search *search);
/* After `work` successors or so. */
bool limits_tick(struct search *search);
void search_stop(struct search *search, const char *format, ...) __attribute__((format(printf, 2, 3)));
void search_stop_full(struct search *search);
void limits_print_memory(uint64_t bytes, struct text *out);

static inline bool limits_spend(struct search *search, uint32_t work)
{
    search->until_tick -= work;
    return search->until_tick > 0 || limits_tick(search);
}

/* dispute.c: a property that a failure of another may hide; all of them, at the end of a complete search */
void dispute_leave_open(struct search *search, const struct property *property);
void dispute_settle(struct search *search);

/* outcome.c */
void outcome_conclude(struct search *search);

#endif
