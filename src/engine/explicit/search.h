/* The state of one explicit search, and its files.
 *
 *   explicit.c     run: sets up, chooses the order, tears down
 *   worker.c       the data of one thread
 *   starts.c       the start states
 *   search_bfs.c, search_dfs.c, search_layers.c   which state is expanded next
 *   crew.c         the thread pool of search_layers.c
 *   shares.c       who expands which states of a level
 *   expand.c       one state: its successors, canonical, packed
 *   asleep.h       successors that need not be made
 *   thin.c, lineage.c    partial-order reduction (--reduction por)
 *   insert.c       into the store
 *   wave.c         the same of many at once, while memory is plentiful
 *   represent.c    the representative of a successor, and its key
 *   trial.c        whether the symmetry pays (--representative auto)
 *   rival.c        whether another engine is faster
 *   judge.c        the checks of every new state
 *   vacuity.c      vacuous invariants
 *   findings.c     violations, until they are reported
 *   path.c         how a state was reached
 *   violation.c    the run of a violation, lifted and replayed
 *   edges.c, liveness.c   the graph, when there are liveness properties
 *   dispute.c      masked failures
 *   keep.h         checkpoints, and how a search goes on from one
 *   disk.c         visited states on the disk, when memory is short (--disk); disk_round.c: they are looked up there
 *   ranks.h        searches distributed over several processes (--distributed)
 *   limits.c       time, memory, interruption, progress
 *   outcome.c      the verdicts at the end
 *
 * There are two kinds of search. A layered one (breadth first, level by level, any number of threads) keeps a compact
 * visited set, a frontier of whole states and a log; a numbered one (depth first, or with liveness properties, or with
 * --store plain; one thread) keeps all states whole, by number.
 *
 * Functions that return bool say whether the search continues. */
#ifndef NOETHER_ENGINE_EXPLICIT_SEARCH_H
#define NOETHER_ENGINE_EXPLICIT_SEARCH_H

#include <pthread.h>

#include "base/line.h"
#include "base/lock.h"
#include "engine/engine.h"
#include "engine/explicit/asleep.h"
#include "engine/explicit/edges.h"
#include "engine/explicit/held.h"
#include "engine/explicit/lineage.h"
#include "engine/explicit/recent.h"
#include "engine/explicit/sieve.h"
#include "store/blocks.h"
#include "store/store.h"
#include "store/visited.h"
#include "stubborn/stubborn.h"

/* Successors that wait for the store's memory at the same time. */
enum { SEARCH_BATCH = VISITED_BATCH };

struct property_list {
    const struct property **items;
    uint32_t count;
};

/* A successor on its way into the store. */
struct waiting {
    state_id parent;
    uint64_t ordinal;
    uint64_t hash;          /* numbered */
    struct visited_key key; /* layered */
    uint64_t classes;       /* of twins, 0: not known; for the sizes of orbits */
    uint64_t parent_key;    /* layered, with partial-order reduction: in the visited set */
    bool has_parent_key;
    uint16_t mark;  /* layered: the instance that led to it (asleep.h); 0: not known */
    bool is_judged; /* its parent was, and it, as the rule left it, differs from that in nothing that is judged
                       (judge_is_same; formulas have one value in an orbit) */
};

/* States of the level that a worker is to expand (shares.c). */
struct share {
    struct block_ranges ranges;
    size_t next;     /* the first range that still has states to take */
    uint64_t states; /* not taken yet */
};

/* What one thread needs to expand states, and what it counts. */
struct worker {
    unsigned char apart[LINE_APART]; /* from the one before it */
    struct explicit_search *search;
    struct stepper *stepper; /* enumerates successors */
    struct stepper *judge;   /* evaluates formulas, while the other is in the middle of an enumeration */
    struct stepper *lens;    /* evaluates antecedents; NULL: there are none */
    struct canon *canon;     /* NULL: the symmetry is trivial */
    int32_t *parent, *image, *fresh;
    struct judged_state {
        int32_t *cells;      /* of the state that was judged last; where they are not read: undefined */
        uint64_t *packed;    /* its bits that are read */
        uint64_t *next;      /* room for those of the next */
        uint32_t *changed;   /* room for a list of cells */
        struct recent clean; /* such bits of states of which there was nothing to note; of short states only */
    } judged;
    uint64_t *parent_packed, *flooded;
    uint64_t *batch;               /* SEARCH_BATCH packed states */
    uint64_t hashes[SEARCH_BATCH]; /* of these, */
    bool is_wave;                  /* which were not announced: they go into the visited set in a wave, if they can */
    struct waiting waiting[SEARCH_BATCH];
    uint64_t markers[SEARCH_BATCH]; /* what is looked up in place of the states (--representative markers) */
    uint32_t batch_count;
    uint32_t prepared;                        /* of the batch */
    uint32_t plan;                            /* of the visited set, when they were announced */
    uint64_t ordinal;                         /* of the next successor, among those that are states */
    bool is_bulk;                             /* successors of the state come in bulk; then `parent` is not unpacked, */
    bool is_unpacked;                         /* unless that was needed */
    state_id visited;                         /* the state whose successors are visited (burst.visit), */
    bool is_alive;                            /* whether one of them shows that it is no deadlock, */
    bool has_repeats;                         /* and whether canon_is_repeat is to be asked */
    uint16_t mark_of_parent;                  /* as in struct waiting, */
    const uint64_t *asleep;                   /* what is asleep in it, or NULL, */
    const struct stubborn_variants *variants; /* of instances, or NULL, */
    bool is_sample;                           /* whether it is looked at for what could be, */
    const uint64_t *passed;                   /* what is passed over in it: those asleep, and repeats, */
    uint64_t slept;                           /* and how many were met so far, */
    uint32_t noted;                           /* of them in this call of the stepper, where they are visited */
    struct burst burst;
    struct held_burst held[2]; /* the latest, and room for the next */
    bool held_latest;
    struct held_visits visits;
    /* A layered search. */
    struct visited_hand *hand;
    struct blocks_writer *writer;
    struct share share; /* the search's lock is of it, too */
    struct recent recent;
    struct sieve sieve;   /* with symmetry, */
    bool is_sieved;       /* if it is asked about the successors of this state */
    bool has_latest;      /* there is a latest successor, behind the batch, */
    uint64_t latest_hash; /* with this hash */
    /* Partial-order reduction; NULL: none. */
    struct thinner *thinner;
    uint64_t parent_key; /* of the state that is being expanded, in the visited set */
    bool has_parent_key;
    bool is_asking; /* is a successor that is not new one of those that are expanded later, or settled? */
    uint64_t later; /* successors so far that are */

    uint64_t transitions, rules_fired, expanded;
    uint64_t unmade;         /* of the transitions: asleep, or repeats */
    uint64_t unkept;         /* states put into the visited set when memory for anything more had ended: not counted */
    uint64_t *fired_by_rule; /* by rule id */
    struct bigint *represented, *orbit;
    uint64_t represented_small;         /* not yet added to `represented` */
    VEC(const struct property *) unmet; /* invariants whose antecedent it has not seen true */
    uint64_t looks;                     /* for them, in so many states, */
    double looked;                      /* which took about so many seconds */
    struct disk_buffer *disk_buffer;    /* states on their way to the disk, or NULL */
    struct rank_outgoing *outgoing;     /* by rank: states that belong to others; NULL: there are none */
    uint64_t sleeping[ASLEEP_WORDS];    /* room for `asleep` */
    struct keep_mark *mark;             /* what it expands, where checkpoints are kept; or NULL */
    int64_t until_tick, tick_interval;
    double last_tick;
    /* What the others may see of it now and then. */
    _Atomic uint64_t shown_states, shown_rules, shown_expanded;
    _Atomic double shown_represented;
};

struct explicit_finding;
struct thinner;
struct keeper;
struct keep_mark;
struct disk;
struct ranks;
struct rank_outgoing;
struct disk_buffer;
struct crew;
struct firsts;

/* What --representative auto goes by. See trial.c. */
struct trial {
    bool is_over, is_lost; /* lost: to be started again with the next rung */
    uint64_t states;       /* at the end of the level before */
    uint32_t levels;       /* that were finished */
    double represented, gain, cost;
    const struct trial *before; /* of the rung before this one, which was lost; or NULL */
};

/* See rival.c. */
struct rivalry {
    double next, given; /* processor seconds: when it is asked again; spent by it so far */
    uint64_t level;     /* states of the last level */
    bool grows;         /* it has as many as the one before it, or more */
};

struct explicit_search {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    const struct engine_options *options;
    struct result *result;
    struct budget budget;
    struct steppers *steppers;
    uint32_t *first_numbers; /* by rule id: of its first instance (system_first_number) */
    struct firsts *firsts;   /* --representative first; else NULL */
    struct trial trial;
    struct rivalry rivalry;
    struct worker *workers;
    uint32_t worker_count, thread_count; /* the workers made so far, and how many there may be */
    pthread_mutex_t lock;                /* of the result, the findings and the level */

    /* A numbered search. */
    struct store *store;
    struct edges *edges; /* NULL: there are no liveness properties */
    uint64_t **goals;    /* for each liveness property a bit for each state: does the formula hold there? */
    uint64_t goal_words; /* of each */

    /* A layered search. */
    struct visited *visited;
    struct blocks *blocks;
    struct spill *spill; /* the visited set's own */
    struct crew *crew;
    bool is_planned;           /* the visited set, after the states that were found first */
    struct block_ranges level; /* to be expanded; while the workers are at it, in their shares */
    uint64_t level_states;     /* in it */
    uint64_t expanded_before;  /* by the searches that this one continues */

    struct asleep *asleep;   /* NULL: nothing is asleep, */
    bool is_sleep_tried;     /* yet, */
    _Atomic bool has_failed; /* and never again: an instance has failed */

    struct disk *disk;     /* NULL: all visited states are in memory */
    struct ranks *ranks;   /* NULL: the search is not distributed */
    uint64_t rank_mark;    /* in the place of each state that is this rank's: 0 where there are none */
    struct keeper *keeper; /* NULL: no checkpoints are kept */
    bool is_restored;      /* it goes on from a checkpoint */

    struct stubborn *stubborn; /* NULL: no partial-order reduction */
    struct lineage *lineage;   /* NULL: that, or a numbered search, or states have no key of their own */
    struct thin_marks {
        uint64_t *items;
        size_t count, capacity;
    } expanded, settled; /* numbered: a bit for each state */

    struct property_list invariants, assumptions, covers, cover_statements, livenesses;
    uint64_t *judged_bits; /* of a packed state: those that formulas of invariants and covers may read */
    bool *decided; /* by property id: nothing more is to be found out about it. Changes only while one thread is at work
                    */
    uint32_t undecided;
    struct explicit_finding **found; /* by property id: the best so far, not yet reported, or NULL */
    struct explicit_finding *
        *unevaluated; /* by property id: a state in which a cover could not be evaluated, or NULL */
    bool has_found;
    bool wants_memory; /* a worker paused because a block could not be had */
    struct {
        uint32_t count;
        double seconds, longest;
    } pauses; /* in which room was made */

    uint32_t depth; /* of the states that are being expanded */
    uint32_t deepest;
    uint32_t frontier; /* numbered: states found and not yet expanded */
    _Atomic bool stopped;
    bool is_depth_cut;
    double begin, begin_cpu, last_progress;
    uint64_t begin_bytes; /* of the budget, for what was there before */
    int64_t unseen_bytes; /* of the budget: limits_reckon */
};

static inline bool search_is_stopped(const struct explicit_search *search)
{
    return atomic_load_explicit(&search->stopped, memory_order_relaxed);
}

/* worker.c */
void worker_create(struct worker *worker, struct explicit_search *search);
void worker_destroy(struct worker *worker);
/* The states of the model that its finds stand for. */
double worker_represented(const struct worker *worker);

/* starts.c */
bool starts_insert(struct explicit_search *search);

/* search_bfs.c, search_dfs.c, search_layers.c */
void search_run_bfs(struct explicit_search *search);
void search_run_dfs(struct explicit_search *search);
void search_run_layers(struct explicit_search *search);
void search_work_layer(struct worker *worker);

/* foresee.c: before a level is expanded, the steppers are told what is left to do. */
void foresee_level(const struct explicit_search *search);

/* crew.c: threads for the workers, made when the first level is worth it. */
struct crew *crew_create(struct explicit_search *search, void (*work)(struct worker *worker));
void crew_destroy(struct crew *crew);
/* How many workers there are for a level: all, which are made if need be, or the first alone. */
uint32_t crew_gather(struct crew *crew, bool is_alone);
/* So many of them work; returns when all are done. */
void crew_run(struct crew *crew, uint32_t count);
/* Waits until all that are at work wait here; one of them then makes room (insert_make_room). */
void crew_pause(struct crew *crew);
bool crew_wants_pause(const struct crew *crew);
/* Has every worker but the calling one ended its work? */
bool crew_is_last(struct crew *crew);
/* Those that wait in a pause, or for the next level. */
struct team *crew_team(struct crew *crew);

/* shares.c */
/* The level goes to the first `count` workers, equal shares. While one thread is at work. */
void shares_deal(struct explicit_search *search, uint32_t count);
/* The next states that the worker is to expand, and how many more are in its share; false: all are taken. */
bool shares_take(struct worker *worker, struct block_range *range, uint64_t *rest);
/* What was not taken is the level again. While one thread is at work. */
void shares_collect(struct explicit_search *search);

/* expand.c */
/* `mark`: as in struct waiting. */
bool expand_state(struct worker *worker, state_id id, const uint64_t *packed, uint16_t mark);
/* What led to the representative that was made last: the image of the instance under the permutation that led there
 * (asleep.h), as in struct waiting. */
uint16_t expand_mark(struct worker *worker, const struct step *step);
/* A successor of the state. Returns whether it is another state, in *is_other. */
bool expand_step(struct worker *worker, state_id id, const struct step *step, bool *is_other);
void expand_fault(struct worker *worker, state_id parent, const struct fault *fault);

/* thin.c */
void thin_begin(struct explicit_search *search);
/* Is anything left out? */
bool thin_is_on(const struct explicit_search *search);
struct thinner *thin_create(const struct explicit_search *search);
void thin_destroy(struct thinner *thinner);
/* The successors of a state are kept, one after the other (is it another state, or a failure?); then those of a
 * stubborn set are followed. */
void thin_begin_state(struct worker *worker);
bool thin_keep(struct worker *worker, enum step_outcome outcome, const struct step *step);
bool thin_choose(struct worker *worker, state_id id);
/* A successor is in the store. */
void thin_note_key(struct worker *worker, const struct waiting *waiting, bool is_new);
void thin_note_number(struct worker *worker, uint32_t number, uint32_t parent, bool is_new);
/* While one thread is at work. */
void thin_end_level(struct explicit_search *search);

/* insert.c */
/* A state into the visited set and nowhere else; slot 0 of the batch must be free. false: the search is over. */
bool insert_visited(struct worker *worker, const uint64_t *packed);
/* A successor of `parent` (STATE_NONE: a start state). It waits in the batch, even when its parent is done. */
bool insert_successor(struct worker *worker, state_id parent, const struct step *step);
/* The same of a successor with symmetry (represent_is_successive) in a layered search without assumptions. */
bool insert_representative(struct worker *worker, state_id parent, const struct step *step);
/* The same of successors in bulk (a layered search without symmetry or assumptions). They are held (struct held_burst).
 */
bool insert_burst(struct worker *worker, state_id parent);
/* The key of a state that is in the visited set; the last slot of the batch must be free. False: it was not found. */
bool insert_find_key(struct worker *worker, const uint64_t *packed, uint64_t *key);
/* The successors that are held, and the latest one, go into the batch, unless they were met not long ago. */
bool insert_latest(struct worker *worker);
/* A state that another rank has found. The batch must not have a latest one. */
bool insert_received(struct worker *worker, state_id parent, uint64_t ordinal, uint64_t classes,
                     const uint64_t *packed);
/* A state that is in the visited set: it must be expanded one day, and it must be known where it came from. */
bool insert_append(struct worker *worker, const struct waiting *waiting, const uint64_t *packed);
/* A new state is in the blocks: it is judged. */
bool insert_settle(struct worker *worker, state_id id, const struct waiting *waiting, const uint64_t *packed);
/* States that are known whole into the visited set; the batch must be empty. False: the search is over. */
bool insert_known(struct worker *worker, const uint64_t *states, uint32_t count);
/* Puts what waits into the store. */
bool insert_flush(struct worker *worker);
/* More memory for the visited set, by writing to files what can wait there. While one thread is at work. */
void insert_make_room(struct explicit_search *search);

/* wave.c */
bool wave_is_on(const struct explicit_search *search);
/* What waits goes into the store, as far as there is room: so many, in *done. False: the search is over. */
bool wave_insert(struct worker *worker, uint32_t *done);

/* represent.c */
/* Packs the representative of a successor, or start state. Returns what canon_orbit_of reads. */
uint64_t represent_pack(struct worker *worker, state_id parent, const struct step *step, uint64_t *packed);
/* True if a representative of this worker was cut short by the end of the time: it must not get into the visited set,
 * to another rank or into a checkpoint, where it would count as a state of its own. Stops the search. */
bool represent_is_cut(struct worker *worker);
/* The same from the cells alone, for the states of a path. */
void represent_cells(struct worker *worker, const int32_t *cells, int32_t *out);
bool represent_is_marked(const struct explicit_search *search);
/* What the visited set is asked for: the packed state, or the marker in the batch's place. */
const uint64_t *represent_key(const struct worker *worker, uint32_t which);
/* The images of a new state go into the visited set, too (--representative flood). */
bool represent_flood(struct worker *worker, const uint64_t *packed);
/* Does every orbit have one state in the store, whose orbit may be counted? */
bool represent_is_counted(const struct worker *worker);
/* Are representatives found by what the state expanded is known for (canon_begin)? */
bool represent_is_successive(const struct worker *worker);
bool represent_is_alone(const struct explicit_search *search); /* one thread, one state at a time */
struct firsts *firsts_create(struct explicit_search *search);
void firsts_destroy(struct firsts *firsts);

/* trial.c: at the end of a level. Returns false when the search is to be begun again with the next rung. */
bool trial_goes_on(struct explicit_search *search);
/* Is it still to be decided? Until then what workers do must not depend on their number. */
bool trial_is_on(const struct explicit_search *search);
/* rival.c: before a level of so many states is expanded. False: the search is stopped, another engine has the answer.
 */
bool rival_lets_go_on(struct explicit_search *search, uint64_t level);
/* Is a level, of which so many states are left, to be interrupted for it? By any thread. */
bool rival_waits(const struct explicit_search *search, uint64_t left);
/* The same as the first, in the middle of a level. */
bool rival_loses(struct explicit_search *search);

/* judge.c */
/* vacuity.c: what the worker has seen of antecedents; the verdict on them. */
void vacuity_begin(struct worker *worker);
void vacuity_look(struct worker *worker, const int32_t *cells);
void vacuity_end(struct worker *worker);
/* True nowhere: no worker has seen it true, or has given up. */
bool vacuity_is_unmet(const struct explicit_search *search, const struct property *property);
void vacuity_conclude(struct explicit_search *search);
/* While one thread is at work. */
void vacuity_end_level(struct explicit_search *search);

void judge_create(struct explicit_search *search);
void judge_destroy(struct explicit_search *search);
/* Do the assumptions hold of a successor, or start state, that may be stored? */
bool judge_is_granted(struct worker *worker, state_id parent, const int32_t *cells);
/* Adds the size of the new state's orbit to the number of represented states. */
void judge_count_orbit(struct worker *worker, const uint64_t *packed, uint64_t classes);
bool judge_new_state(struct worker *worker, state_id id, state_id parent, const uint64_t *packed, const int32_t *cells);
/* The same where there is no liveness: formulas are evaluated unless they were not long ago of a state that differs in
 * nothing that they read, and there was nothing to note of it. */
void judge_reads(struct worker *worker, state_id id, state_id parent, const uint64_t *packed);
void judge_create_state(struct worker *worker);
void judge_destroy_state(struct worker *worker);
/* Do invariants and covers say the same of both states? (Antecedents and liveness are another matter.) */
static inline bool judge_is_same(const struct explicit_search *search, const uint64_t *state, const uint64_t *other)
{
    uint64_t difference = 0;
    for (uint32_t w = 0; w < search->layout->words; w++)
        difference |= (state[w] ^ other[w]) & search->judged_bits[w];
    return !difference;
}
void search_decide(struct explicit_search *search, const struct property *property);

/* findings.c */
struct explicit_finding {
    const struct property *property;
    enum trace_evidence evidence;
    struct fault fault;    /* kind FAULT_NONE: none */
    state_id last;         /* the last stored state of the run, or STATE_NONE */
    const uint64_t *state; /* that state, or NULL */
    const int32_t *beyond; /* a representative after it that is not stored, or NULL */
    uint64_t ordinal;      /* of the step that faults, among those of the state */
    uint32_t length;       /* steps of the run */
};
struct explicit_finding *finding_copy(const struct explicit_search *search, const struct explicit_finding *finding);
void finding_destroy(struct explicit_finding *finding); /* NULL: nothing */
/* Remembers a copy. For each property the shortest finding is kept, and among equally short ones the least: the choice
 * does not depend on the order. */
void findings_note(struct explicit_search *search, const struct explicit_finding *finding);
void findings_note_unevaluated(struct explicit_search *search, const struct explicit_finding *finding);
/* Reports what was found. While one thread is at work. */
bool findings_settle(struct explicit_search *search);
/* Has no comparison met an undefined value that it tolerates? */
bool findings_are_defined(const struct explicit_search *search);
void findings_destroy(struct explicit_search *search);

/* path.c */
/* The representatives from a start state to the state, `count` vectors of cells in heap memory. NULL: the log
 * could not be read, or the time is over. */
int32_t *path_to(struct explicit_search *search, state_id last, uint32_t *count);
/* Where steps are taken again, the rules that fire within them are not counted twice: the counts before, on the heap,
 * and back to these. */
uint64_t *path_keep_counts(const struct worker *worker);
void path_restore_counts(struct worker *worker, uint64_t *kept);

/* violation.c */
void violation_report(struct explicit_search *search, const struct explicit_finding *finding);
/* NULL: the time is over, and the run was not followed to its end, or the search goes on from a checkpoint whose log is
 * not of this model, and is stopped; nothing is to be said of the property then. */
struct trace *violation_trace(struct explicit_search *search, const struct explicit_finding *finding);

/* liveness.c */
bool liveness_note(struct worker *worker, state_id id, const uint64_t *packed, const int32_t *cells, uint32_t length);
void liveness_decide(struct explicit_search *search);

/* limits.c */
void limits_begin(struct explicit_search *search);
/* Where memory that is short can be made free (--disk): the budget is told of what it was not asked for (gaps in the
 * heap, lists, code), so that it refuses before the limit ends the search. By the first worker, or while one thread is
 * at work. */
void limits_reckon(struct explicit_search *search);
/* Nothing more can be made free: until that is reckoned again there is as much as the limit leaves in fact. False: that
 * is not more. */
bool limits_forgive(struct explicit_search *search);
void limits_begin_worker(struct worker *worker);
/* The uncounted memory of one more thread: its stack, its heap, its caches. While one thread is at work. */
void limits_hire(struct explicit_search *search);
/* After `work` successors or so. */
bool limits_tick(struct worker *worker);
/* Takes the reason; the first one is kept. */
void search_stop(struct explicit_search *search, struct stop stop);
void search_stop_full(struct explicit_search *search);
void search_stop_at_state_limit(struct explicit_search *search);
uint64_t search_count_states(const struct explicit_search *search);
/* How many states this process may have; 0: there is no limit. */
uint64_t search_most_states(const struct explicit_search *search);

static inline bool limits_spend(struct worker *worker, uint32_t work)
{
    worker->until_tick -= work;
    return (worker->until_tick > 0 && !watch_is_up()) || limits_tick(worker);
}

/* keep.c; all of them do nothing where no checkpoints are kept */
void keep_begin(struct explicit_search *search, uint32_t rung);
void keep_end(struct explicit_search *search);
/* A worker takes a range, and is done with it (false: the search is over). */
void keep_open_range(struct worker *worker, const struct block_range *range);
bool keep_close_range(struct worker *worker);
void keep_destroy_mark(struct keep_mark *mark);
/* Shall the workers come to rest? */
bool keep_is_due(const struct explicit_search *search);
/* While one thread is at work: before the level that was found is expanded; when the workers have come to rest, true
 * where the level has more to expand; at the end of a search that is cut. */
void keep_begin_level(struct explicit_search *search);
bool keep_rest(struct explicit_search *search);
void keep_stop(struct explicit_search *search);
/* It is being reported. */
void keep_note_report(struct explicit_search *search, const struct explicit_finding *finding);
/* Of the searches that this one continues. */
double keep_seconds(const struct explicit_search *search);
double keep_cpu_seconds(const struct explicit_search *search);
uint64_t keep_work(const struct explicit_search *search); /* of canonicalisers */
/* restore.c: which rung of trial.c the checkpoint is of, and the trials before it. False: there is nothing to continue.
 */
bool restore_trials(const struct checkpoint *checkpoint, struct trial *trials, uint32_t count, uint32_t *rung);

/* ranks.c, ranks_merge.c; all of them do nothing, or what is right of one process, where there are no ranks */
void ranks_begin(struct explicit_search *search);
void ranks_end(struct explicit_search *search);
void ranks_destroy_outgoing(struct worker *worker);
/* The successor that was made last belongs to another rank: it is sent there, in its time. */
bool ranks_owns(const struct explicit_search *search, const uint64_t *packed);
bool ranks_send(struct worker *worker, const struct waiting *waiting, const uint64_t *packed);
/* Between two states: what has come is inserted. False: the search is over. */
bool ranks_poll(struct worker *worker);
/* The worker has nothing more to expand in this level: returns when the others have no more for it. */
void ranks_end_level(struct worker *worker);
/* While one thread is at work, by all ranks at the same time: what was found, and whether the search is over, becomes
 * known to all. False: it is. */
bool ranks_meet(struct explicit_search *search);
/* One of them is lost: there is nobody to talk to. */
bool ranks_are_broken(const struct explicit_search *search);
/* Of a search that is over: the states that have not come to their owners, as in disk_each_held. */
bool ranks_each_rescued(struct explicit_search *search, bool (*take)(void *user, const uint64_t *record), void *user);
uint64_t ranks_sum(struct explicit_search *search, uint64_t mine);
double ranks_sum_real(struct explicit_search *search, double mine);
/* Where a state came from: as blocks_parent, asked by all ranks. */
bool ranks_parent(struct explicit_search *search, block_ref state, block_ref *parent, uint64_t *ordinal);
/* The statistics of all ranks, summed up. */
void ranks_total(struct explicit_search *search);
void ranks_describe(const struct explicit_search *search, struct text *out);
void ranks_add_progress(struct explicit_search *search, struct progress_sample *sample, uint64_t *expanded);

/* disk.c, disk_round.c; all of them do nothing where there is none (--disk) */
void disk_begin(struct explicit_search *search);
void disk_end(struct explicit_search *search);
void disk_destroy_buffer(struct disk_buffer *buffer);
/* Are there visited states that are not in the visited set? Then what is new there may not be new. */
bool disk_is_used(const struct explicit_search *search);
/* A new state, before it goes into the blocks; a state that may be new, for later. False: the search is over. */
bool disk_note(struct worker *worker, const uint64_t *packed);
bool disk_hold(struct worker *worker, const struct waiting *waiting, const uint64_t *packed);
/* One more state is in the blocks. False: that is one too many, and the search is over. */
bool disk_count(struct explicit_search *search);
void disk_uncount(struct explicit_search *search); /* it is not */
uint64_t disk_states(const struct explicit_search *search);
struct spill_place *disk_place(const struct explicit_search *search);
/* While one thread is at work: the states that may be new are looked up; at the end of a level; and to make room in the
 * visited set. False: the search is over. */
bool disk_settle(struct explicit_search *search);
bool disk_make_room(struct explicit_search *search);
/* The visited set takes more than there is, and is to begin again with less where that helps. Any thread. */
void disk_ask_for_room(struct explicit_search *search);
/* Is it to be called, although the visited set has room? */
bool disk_wants_room(const struct explicit_search *search);
/* Of a search that is over: all that was held back (the state, its parent, its ordinal, its classes). False: `take`
 * said so, or some of it is lost. */
bool disk_each_held(struct explicit_search *search, bool (*take)(void *user, const uint64_t *record), void *user);
/* States of a checkpoint, which are visited; and when these are all. False: the search is over. */
bool disk_restore(struct worker *worker, const uint64_t *states, uint32_t count);
bool disk_end_restore(struct explicit_search *search);

/* dispute.c: a property that a failure of another may hide; all of them, at the end of a complete search */
void dispute_leave_open(struct explicit_search *search, const struct property *property);
void dispute_settle(struct explicit_search *search);

/* outcome.c */
void outcome_note_level(struct explicit_search *search, uint64_t states);
void outcome_conclude(struct explicit_search *search);

#endif
