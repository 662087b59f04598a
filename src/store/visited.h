/* The visited set of a breadth-first search: which states have been visited, exactly, in a few bytes a state. It cannot
 * return states (the frontier holds those that are still needed), and it has no order.
 *
 * A state of few bits goes into a quotient set as it is (quotient.h). A longer one is folded: it is cut into
 * parts; parts are interned (equal parts get equal numbers), then pairs of their numbers, and so on. The pair of
 * numbers at the root, with only as many bits as these numbers need, goes into the quotient set (tree compression:
 * Laarman, van de Pol, Weber, Parallel recursive state compression for free, SPIN 2011). Every step is a bijection: two
 * states are never confused. Parts recur in many states, so nearly all the memory is in the set of pairs.
 *
 * Where the values that the state's fields have had so far take few bits, states are not folded but squeezed into one
 * number (narrow.h); a state that does not fit is kept whole until the set grows, and is then planned for.
 *
 * At first, while memory is plentiful, states are kept whole and nothing of this is done (whole.h).
 *
 * Instead, only a 64-bit fingerprint of each state can be kept (hash compaction: Stern, Dill, Improved probabilistic
 * verification by hash compaction, CHARME 1995): then two states may be confused, and visited_expected_omissions
 * is the expected number of missed states.
 *
 * Threads: functions with a `hand` (a per-thread handle) may be called by several threads at once, each with its own.
 * When a call answers VISITED_GROW, all threads must pause while one calls visited_grow; then the call is repeated. */
#ifndef NOETHER_STORE_VISITED_H
#define NOETHER_STORE_VISITED_H

#include "base/team.h"
#include "store/budget.h"
#include "store/spill.h"

enum visited_outcome { VISITED_NEW, VISITED_FOUND, VISITED_GROW, VISITED_LIMIT /* on the number of states */ };

enum { VISITED_BATCH = 64 };

struct visited;
struct visited_hand;

/* A state on its way into the set. */
struct visited_key {
    uint64_t key;          /* the word, the pair of numbers, or the fingerprint */
    uint64_t number;       /* scattered: where it belongs in the quotient set */
    uint32_t epoch;        /* of the set when that was computed */
    const uint64_t *stray; /* NULL; or the state, which does not fit (and must stay where it is until it is inserted) */
};

/* Some bits of a word of the state. */
struct visited_field {
    uint32_t word, shift, bits;
};

struct visited_options {
    uint32_t words;            /* of a state */
    const uint32_t *word_bits; /* how many bits of each word are in use: none above is ever set. NULL: 64 */
    const struct visited_field
        *fields; /* what these bits mean, in order of their places: each in one field. NULL: not known */
    uint32_t field_count;
    bool is_fingerprint; /* keep fingerprints only */
    uint64_t max_states; /* 0: as many as there are */
    struct team *team;   /* that may help while it grows; NULL: none */
    /* As long as they take no more memory, states are kept whole (whole.h): 0: never. */
    uint64_t whole_bytes;
    bool is_alone; /* there is one hand, ever */
};

/* NULL: not even the smallest set fits in the budget. The budget must outlive it. */
struct visited *visited_create(const struct visited_options *options, struct budget *budget);
void visited_destroy(struct visited *visited);
struct visited_hand *visited_hand_create(const struct visited *visited);
void visited_hand_destroy(struct visited_hand *hand);

/* Are states cut into parts, now? (That may change when the plan does.) Else a parent need not be known. */
bool visited_has_parts(const struct visited *visited);
/* The states that follow are successors of this one (which is in the set, and stays where it is): they are likely to
 * share parts with it. A hint says which one is next. */
void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent);
void visited_hint(const struct visited *visited, struct visited_hand *hand, const uint64_t *parent);

/* Insertion in steps, so that up to VISITED_BATCH states can wait for memory at the same time: all are announced, each
 * under a number of its own; all are prepared (false: VISITED_GROW), from one number to before another; each gets its
 * key; then all are inserted. */
void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state);
bool visited_prepare(struct visited *visited, struct visited_hand *hand, uint32_t from, uint32_t to);
void visited_make_key(const struct visited *visited, const struct visited_hand *hand, uint32_t which,
                      struct visited_key *key);
enum visited_outcome visited_insert(struct visited *visited, struct visited_hand *hand, struct visited_key *key);

/* Are states kept whole, now? Then insertion may be one step, too: the first of at most VISITED_BATCH states go in, as
 * many as there is room for without asking; returns how many, and the bits of those that are new in *fresh. `hashes`:
 * of the states (state_hash). */
bool visited_is_whole(const struct visited *visited);
/* A state with this hash will be inserted soon. */
void visited_expect(const struct visited *visited, uint64_t hash);
uint32_t visited_insert_wave(struct visited *visited, struct visited_hand *hand, const uint64_t *states,
                             const uint64_t *hashes, uint32_t count, uint64_t *fresh);

/* Makes room where it is needed. For one thread while no other is about. false: no memory, and nothing is lost. (Where
 * memory is short, numbers wait in the file meanwhile; NULL: none.) Where visited_plan_number has changed, what was
 * announced must be announced again. */
bool visited_grow(struct visited *visited, struct spill *spill);
/* True after visited_grow: it failed because there are more different parts of states than can have numbers. */
bool visited_is_at_end(const struct visited *visited);
/* So many states are expected in the end: a set that has to be doubled for them more than once may do so at once. */
void visited_foresee(struct visited *visited, uint64_t states);

/* How states are cut into parts is at first a guess. Once all states in the set are known whole (no more, no less), it
 * can be planned again after them, which often saves most of the memory. For one thread while no other is about;
 * afterwards (visited_plan_number has changed) what was announced must be announced again. false: no memory, and
 * nothing has changed. */
struct visited_sample {
    const uint64_t *states; /* one after the other */
    uint64_t count;
};
bool visited_can_replan(const struct visited *visited);
/* Is a plan likely to pay for the `count` states in the set? Where they may be squeezed, or have very different
 * parts. (Where neighbours make few, they change together, too, and that is faster than what a plan would find.) */
bool visited_wants_plan(const struct visited *visited, uint64_t count);
bool visited_replan(struct visited *visited, const struct visited_sample *sample);
uint32_t visited_plan_number(const struct visited *visited);

/* Empty again, planned as before, with room for `capacity` states where there is memory for them. For one thread while
 * no other is about; each hand must be cleared, too, and what was announced must be announced again, as after
 * visited_replan. false: not even the smallest set fits, and it can only be destroyed. */
bool visited_clear(struct visited *visited, uint64_t capacity);
void visited_hand_clear(struct visited_hand *hand);
/* States that it takes before it must grow. */
uint64_t visited_capacity(const struct visited *visited);

/* States inserted through this hand. */
uint64_t visited_hand_count(const struct visited_hand *hand);
uint64_t visited_bytes(const struct visited *visited);
/* How many states of `count` found are to be expected to have been taken for another: 0 but for fingerprints. */
double visited_expected_omissions(const struct visited *visited, uint64_t count);

#endif
