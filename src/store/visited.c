#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "store/visited_hand.h"

enum {
    VISITED_FIRST = 1 << 10, /* states there is room for at first */
    VISITED_FIRST_PARTS = 1 << 6,
    VISITED_DIRECT_BITS = 38, /* states of at most this many bits are not folded */
    VISITED_CELLS = 1 << 10,  /* fields of a state that may be squeezed */
    VISITED_FEW = 7,
    VISITED_FEW_OF = 16 /* a cut into so few parts for each state is good enough */
};

/* --- making and unmaking --- */

/* Entries of `bits` bits, or (0) pairs of numbers as wide as those of the folds. */
static bool table_create(struct table *table, const struct visited *visited, const struct fold *left,
                         const struct fold *right, uint32_t bits, bool is_map, uint64_t capacity)
{
    table->has_pairs = !bits;
    if (table->has_pairs) {
        table->left_bits = fold_number_bits(left) + VISITED_SPARE_BITS;
        table->right_bits = fold_number_bits(right) + VISITED_SPARE_BITS;
        bits = table->left_bits + table->right_bits;
    }
    table->mixer = mixer_make(bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : bits);
    return quotient_create(&table->set, visited->budget, table->mixer.bits, is_map, capacity);
}

static uint32_t visited_leaf_bits(const struct visited *visited, const struct fold *fold)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < fold->piece_count; i++)
        bits += (uint32_t)__builtin_popcountll(visited->plan.pieces[fold->piece + i].mask);
    return bits;
}

/* Empty tables for the plan: of wide states there are a million. false: no memory, or no time (watch_is_up); what there
 * is is to be destroyed. */
static bool visited_create_sets(struct visited *visited, bool is_folded, uint64_t capacity)
{
    uint32_t bits = visited->options.is_fingerprint ? 64 : visited->narrow ? visited->narrow->bits : visited->bits;
    for (uint32_t i = 0; i < visited->plan.fold_count; i++) {
        struct fold *fold = &visited->plan.folds[i];
        if (watch_is_up() ||
            !table_create(&fold->table, visited, &visited->plan.folds[fold->left], &visited->plan.folds[fold->right],
                          visited_leaf_bits(visited, fold), true, VISITED_FIRST_PARTS))
            return false;
    }
    return is_folded ? table_create(&visited->top, visited, &visited->plan.folds[visited->plan.left],
                                    &visited->plan.folds[visited->plan.right], 0, false, capacity)
                     : table_create(&visited->top, visited, NULL, NULL, bits ? bits : 1, false, capacity);
}

bool visited_create_tables(struct visited *visited, const struct visited_sample *sample, uint64_t capacity)
{
    bool is_folded = visited->half_count > 1 && !visited->options.is_fingerprint &&
                     (visited->options.words > 1 || visited->bits > VISITED_DIRECT_BITS);
    return (!is_folded || visited_make_plan(visited, sample)) && visited_create_sets(visited, is_folded, capacity);
}

static void visited_destroy_sets(struct visited *visited)
{
    for (uint32_t i = 0; i < visited->plan.fold_count; i++)
        quotient_destroy(&visited->plan.folds[i].table.set);
    quotient_destroy(&visited->top.set);
}

void visited_destroy_tables(struct visited *visited)
{
    visited_destroy_sets(visited);
    fold_plan_destroy(&visited->plan);
    visited_destroy_narrow(visited);
}

/* The fields of the state one by one. */
static void visited_list_cells(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    if (!options->fields || options->is_fingerprint || options->field_count > VISITED_CELLS)
        return;
    visited->cell_count = options->field_count;
    visited->cells = memory_alloc(((size_t)visited->cell_count + 1) * sizeof *visited->cells);
    memcpy(visited->cells, options->fields, visited->cell_count * sizeof *visited->cells);
}

struct visited *visited_create(const struct visited_options *options, struct budget *budget)
{
    struct visited *visited = memory_zeroed(1, sizeof *visited);
    ENSURE(options->words > 0);
    visited->budget = budget;
    visited->options = *options;
    visited_list_halves(visited);
    visited_list_fields(visited);
    visited_list_cells(visited);
    visited->options.word_bits = NULL; /* the caller's */
    visited->options.fields = NULL;
    uint32_t head;
    bool is_whole = visited_suits_whole(options, &head) &&
                    whole_create(&visited->whole, budget, options->words, head, options->whole_bytes);
    visited->whole.is_alone = options->is_alone;
    if (!is_whole && !visited_create_tables(visited, NULL, VISITED_FIRST)) {
        visited_destroy(visited);
        return NULL;
    }
    return visited;
}

void visited_destroy(struct visited *visited)
{
    if (!visited)
        return;
    visited_destroy_tables(visited);
    whole_destroy(&visited->whole);
    free(visited->halves);
    free(visited->fields);
    free(visited->cells);
    free(visited);
}

bool visited_is_at_end(const struct visited *visited)
{
    return visited->is_at_end;
}

bool visited_has_parts(const struct visited *visited)
{
    return visited_is_folded(visited);
}

uint64_t visited_hand_count(const struct visited_hand *hand)
{
    return hand->count;
}

uint64_t visited_bytes(const struct visited *visited)
{
    uint64_t bytes = quotient_bytes(&visited->top.set) + whole_bytes(&visited->whole) +
                     (visited->strays ? strays_bytes(visited->strays) : 0);
    for (uint32_t i = 0; i < visited->plan.fold_count; i++)
        bytes += quotient_bytes(&visited->plan.folds[i].table.set);
    return bytes;
}

/* Each pair of states has the same fingerprint with probability 2^-64. */
double visited_expected_omissions(const struct visited *visited, uint64_t count)
{
    return visited->options.is_fingerprint ? (double)count * (double)count / 2 / 18446744073709551616.0 : 0;
}

/* --- states go in --- */

/* True if the limit on states is reached by states. It is not while another thread has asked for room and may find that
 * its state was there: such room is given back at once, so the caller asks again. */
static bool visited_is_at_limit(const struct visited *visited)
{
    if (atomic_load(&visited->settled) >= visited->options.max_states)
        return true;
    sched_yield();
    return false;
}

/* Room for one more, or why not. */
static enum visited_outcome visited_ask(struct visited *visited, struct visited_hand *hand)
{
    uint64_t size = visited_grant_size(visited), most = visited->options.max_states;
    uint64_t granted = atomic_load_explicit(&visited->granted, memory_order_relaxed);
    for (;;) {
        if (most && granted >= most) {
            if (visited_is_at_limit(visited))
                return VISITED_LIMIT;
            granted = atomic_load_explicit(&visited->granted, memory_order_relaxed);
            continue;
        }
        if (granted + size > visited_room(visited))
            return VISITED_GROW;
        if (atomic_compare_exchange_weak(&visited->granted, &granted, granted + size))
            break;
    }
    hand->tokens += size;
    return VISITED_NEW;
}

/* Where states are limited, room that was asked for and not used is given back before anything else is done. */
static void visited_settle(struct visited *visited, struct visited_hand *hand, enum visited_outcome outcome)
{
    if (outcome == VISITED_NEW)
        atomic_fetch_add(&visited->settled, 1);
    atomic_fetch_sub(&visited->granted, hand->tokens);
    hand->tokens = 0;
}

static enum visited_outcome visited_insert_stray(struct visited *visited, struct visited_hand *hand,
                                                 const uint64_t *state)
{
    enum visited_outcome answer = VISITED_NEW;
    if (strays_has(visited->strays, state))
        return VISITED_FOUND;
    if (!hand->tokens && (answer = visited_ask(visited, hand)) != VISITED_NEW)
        return answer;
    switch (strays_insert(visited->strays, state)) {
    case STRAY_FOUND:
        return VISITED_FOUND;
    case STRAY_NO_ROOM:
        return VISITED_GROW;
    case STRAY_NEW:
        break;
    }
    hand->tokens--;
    hand->count++;
    return VISITED_NEW;
}

static enum visited_outcome visited_insert_whole(struct visited *visited, struct visited_hand *hand,
                                                 const uint64_t *state, uint64_t hash)
{
    enum whole_outcome outcome = whole_insert(&visited->whole, state, hash, hand->tokens > 0);
    if (outcome == WHOLE_FOUND)
        return VISITED_FOUND;
    if (outcome == WHOLE_ABSENT) {
        enum visited_outcome answer = visited_ask(visited, hand);
        if (answer != VISITED_NEW)
            return answer;
        if (whole_insert(&visited->whole, state, hash, true) == WHOLE_FOUND)
            return VISITED_FOUND;
    }
    hand->tokens--;
    hand->count++;
    return VISITED_NEW;
}

static enum visited_outcome visited_insert_key(struct visited *visited, struct visited_hand *hand,
                                               struct visited_key *key)
{
    if (visited->is_lost)
        return VISITED_GROW;
    if (visited->whole.places)
        return visited_insert_whole(visited, hand, key->stray, key->number);
    if (key->stray)
        return visited_insert_stray(visited, hand, key->stray);
    if (key->epoch != visited->epoch)
        visited_scatter(visited, key);
    if (!hand->tokens) {
        if (quotient_has(&visited->top.set, key->number))
            return VISITED_FOUND;
        enum visited_outcome answer = visited_ask(visited, hand);
        if (answer != VISITED_NEW)
            return answer;
    }
    switch (quotient_insert(&visited->top.set, key->number)) {
    case QUOTIENT_FOUND:
        return VISITED_FOUND;
    case QUOTIENT_NO_ROOM:
        return VISITED_GROW;
    case QUOTIENT_NEW:
        break;
    }
    hand->tokens--;
    hand->count++;
    return VISITED_NEW;
}

enum visited_outcome visited_insert(struct visited *visited, struct visited_hand *hand, struct visited_key *key)
{
    enum visited_outcome outcome = visited_insert_key(visited, hand, key);
    /* Since the state was looked for, another thread may have put it in as the last one: now all are in that may be. */
    if (outcome == VISITED_LIMIT)
        outcome = visited_insert_key(visited, hand, key);
    if (visited->options.max_states)
        visited_settle(visited, hand, outcome);
    return outcome;
}

bool visited_is_whole(const struct visited *visited)
{
    return visited->whole.places;
}

/* Where states are counted, room is not asked for before it is known that a state is new. */
uint32_t visited_insert_wave(struct visited *visited, struct visited_hand *hand, const uint64_t *states,
                             const uint64_t *hashes, uint32_t count, uint64_t *fresh)
{
    *fresh = 0;
    if (!visited->whole.places || visited->is_lost || visited->options.max_states)
        return 0;
    while (hand->tokens < count && visited_ask(visited, hand) == VISITED_NEW)
        ;
    if (hand->tokens < count)
        count = (uint32_t)hand->tokens;
    *fresh = whole_insert_wave(&visited->whole, states, hashes, count);
    uint32_t added = (uint32_t)__builtin_popcountll(*fresh);
    hand->tokens -= added;
    hand->count += added;
    return count;
}

/* --- planning again --- */

bool visited_can_replan(const struct visited *visited)
{
    return visited_can_narrow(visited) || (visited_most_folds(visited) > 4 && visited_is_folded(visited));
}

bool visited_wants_plan(const struct visited *visited, uint64_t count)
{
    uint64_t parts = 0;
    for (uint32_t i = 0; i < visited->plan.fold_count; i++)
        parts += quotient_count(&visited->plan.folds[i].table.set);
    return visited_can_narrow(visited) || (visited_can_replan(visited) && parts * VISITED_FEW_OF > count * VISITED_FEW);
}

bool visited_refill(struct visited *visited, struct visited_hand *hand, const uint64_t *state)
{
    struct visited_key key;
    visited_announce(visited, hand, 0, state);
    while (!visited_prepare(visited, hand, 0, 1))
        if (!visited_grow(visited, NULL))
            return false;
    visited_make_key(visited, hand, 0, &key);
    quotient_add(&visited->top.set, key.number, 0);
    return true;
}

bool visited_fold_anew(const struct visited *visited, const struct visited_sample *sample, uint64_t capacity,
                       struct visited *anew)
{
    *anew = *visited;
    memset(&anew->plan, 0, sizeof anew->plan);
    memset(&anew->top, 0, sizeof anew->top);
    anew->narrow = NULL;
    anew->strays = NULL;
    if (visited_create_tables(anew, sample, capacity))
        return true;
    visited_destroy_tables(anew);
    return false;
}

void visited_become(struct visited *visited, struct visited *anew)
{
    visited_destroy_tables(visited);
    anew->epoch = visited->epoch + 1;
    anew->plan_number = visited->plan_number + 1;
    *visited = *anew;
}

/* Folded as the sample suggests. */
static bool visited_refold(struct visited *visited, const struct visited_sample *sample)
{
    struct visited anew;
    if (!visited_fold_anew(visited, sample, 2 * atomic_load(&visited->granted), &anew))
        return false;
    bool is_good = visited_refill_all(&anew, sample);
    if (is_good)
        visited_become(visited, &anew);
    else
        visited_destroy_tables(&anew);
    return is_good;
}

bool visited_replan(struct visited *visited, const struct visited_sample *sample)
{
    if (visited_can_narrow(visited) && visited_make_narrow(visited, sample))
        return true;
    return visited_most_folds(visited) > 4 && visited_refold(visited, sample);
}

bool visited_clear(struct visited *visited, uint64_t capacity)
{
    bool is_folded = visited_is_folded(visited);
    visited_destroy_sets(visited);
    if (visited->strays)
        strays_clear(visited->strays);
    visited->epoch++;
    visited->plan_number++;
    visited->is_lost = false;
    atomic_store(&visited->granted, 0);
    atomic_store(&visited->settled, 0);
    if (visited_create_sets(visited, is_folded, capacity < VISITED_FIRST ? VISITED_FIRST : capacity))
        return true;
    visited_destroy_sets(visited);
    return visited_create_sets(visited, is_folded, VISITED_FIRST);
}

uint64_t visited_capacity(const struct visited *visited)
{
    return visited_room(visited);
}

void visited_hand_clear(struct visited_hand *hand)
{
    hand->tokens = 0;
}

uint32_t visited_plan_number(const struct visited *visited)
{
    return visited->plan_number;
}
