/* Successors into the store, several at a time, so that they wait for its memory together. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/explicit/search.h"

/* States that must be known before the visited set is planned after them. (Tests have small models.) */
enum {
    INSERT_SAMPLE = 4096,
    INSERT_TEST_SAMPLE = 64,
    INSERT_ASIDE = SEARCH_BATCH - 1,
    INSERT_WIDE = 256 /* words of a state */
};

bool insert_settle(struct worker *worker, state_id id, const struct waiting *waiting, const uint64_t *packed)
{
    struct explicit_search *search = worker->search;
    if (search->options->on_state) {
        struct lock lock;
        lock_take(&lock, &search->lock);
        search->options->on_state(search->options->on_state_user, packed);
        lock_give(&lock);
    }
    if (represent_is_counted(worker))
        judge_count_orbit(worker, packed, waiting->classes);
    if (!search->invariants.count && !search->covers.count && !search->livenesses.count)
        return true;
    if (waiting->is_judged && !worker->unmet.count && !search->livenesses.count)
        return true;
    if (!search->livenesses.count) {
        judge_reads(worker, id, waiting->parent, packed);
        return true;
    }
    layout_unpack(search->layout, packed, worker->fresh);
    return judge_new_state(worker, id, waiting->parent, packed, worker->fresh);
}

static bool insert_numbered(struct worker *worker, const struct waiting *waiting, const uint64_t *packed)
{
    struct explicit_search *search = worker->search;
    uint32_t number, parent = waiting->parent == STATE_NONE ? STORE_NO_PARENT : (uint32_t)waiting->parent;
    enum store_outcome outcome = store_insert(search->store, packed, waiting->hash, parent, &number);
    if (outcome == STORE_FULL || (search->edges && parent != STORE_NO_PARENT && !edges_add(search->edges, number))) {
        if (outcome == STORE_FULL && store_is_at_state_limit(search->store))
            search_stop_at_state_limit(search);
        search_stop_full(search);
        return false;
    }
    if (worker->thinner)
        thin_note_number(worker, number, parent, outcome == STORE_NEW);
    return outcome == STORE_FOUND || insert_settle(worker, number, waiting, packed);
}

/* Once there are some states, the visited set is planned after them; then the frontier may forget what is expanded. A
 * state that waits for a block is in the set and not in the frontier: not now, then. */
static void insert_replan(struct explicit_search *search)
{
    struct visited_sample sample = {0};
    uint64_t count = search_count_states(search), bytes = count * search->layout->words * sizeof *sample.states;
    bool is_test = search->options->crowd > 0;
    if (search->is_planned || search->wants_memory || disk_is_used(search) ||
        count < (is_test ? INSERT_TEST_SAMPLE : INSERT_SAMPLE))
        return;
    bool is_wanted = is_test ? visited_can_replan(search->visited) : visited_wants_plan(search->visited, count);
    is_wanted = is_wanted && budget_take(&search->budget, bytes);
    uint64_t *states = blocks_gather(search->blocks, is_wanted, &sample.count);
    sample.states = states;
    search->is_planned = true;
    if (states && sample.count == count)
        visited_replan(search->visited, &sample);
    free(states);
    if (is_wanted)
        budget_give(&search->budget, bytes);
}

static void insert_find_room(struct explicit_search *search)
{
    struct spill *spill = search->disk ? NULL : search->spill; /* to grow by way of a file is slow */
    insert_replan(search);
    limits_reckon(search);
    bool is_grown = !watch_is_up() && !disk_wants_room(search) && visited_grow(search->visited, spill);
    bool is_freed = (!is_grown || search->wants_memory) && blocks_shed(search->blocks) > 0;
    if (!is_grown && is_freed && !watch_is_up() && !disk_wants_room(search))
        is_grown = visited_grow(search->visited, spill);
    if ((!is_grown || (search->wants_memory && !is_freed)) && disk_make_room(search))
        is_grown = is_freed = true;
    if (!is_grown || (search->wants_memory && !is_freed))
        search_stop_full(search);
    search->wants_memory = false;
}

void insert_make_room(struct explicit_search *search)
{
    double begin = clock_wall(), taken;
    if (search_is_stopped(search))
        return;
    insert_find_room(search);
    taken = clock_wall() - begin;
    search->pauses.count++;
    search->pauses.seconds += taken;
    if (taken > search->pauses.longest)
        search->pauses.longest = taken;
}

/* What was announced under an old plan is announced again. */
static void insert_announce_again(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    worker->plan = visited_plan_number(search->visited);
    if (worker->expanded)
        visited_begin(search->visited, worker->hand, worker->parent_packed);
    for (uint32_t i = 0; i < worker->batch_count; i++)
        visited_announce(search->visited, worker->hand, i, represent_key(worker, i));
    worker->prepared = 0;
}

static bool insert_pause(struct worker *worker)
{
    crew_pause(worker->search->crew);
    if (search_is_stopped(worker->search)) /* the visited set may be none any more */
        return false;
    if (worker->plan != visited_plan_number(worker->search->visited))
        insert_announce_again(worker);
    return true;
}

static bool insert_pause_for_memory(struct worker *worker)
{
    pthread_mutex_lock(&worker->search->lock);
    worker->search->wants_memory = true;
    pthread_mutex_unlock(&worker->search->lock);
    return insert_pause(worker);
}

bool insert_append(struct worker *worker, const struct waiting *waiting, const uint64_t *packed)
{
    block_ref id;
    if (!disk_note(worker, packed) || !disk_count(worker->search))
        return false;
    while ((id = blocks_append(worker->writer, packed, waiting->parent, waiting->ordinal, waiting->mark)) ==
           BLOCKS_NOWHERE)
        if (!insert_pause_for_memory(worker)) {
            worker->unkept++;
            disk_uncount(worker->search);
            return false;
        }
    return insert_settle(worker, id | worker->search->rank_mark, waiting, packed) && represent_flood(worker, packed);
}

bool insert_visited(struct worker *worker, const uint64_t *packed)
{
    struct explicit_search *search = worker->search;
    enum visited_outcome outcome = VISITED_GROW;
    do {
        struct visited_key key;
        visited_announce(search->visited, worker->hand, INSERT_ASIDE, packed);
        if (!visited_prepare(search->visited, worker->hand, INSERT_ASIDE, INSERT_ASIDE + 1))
            continue;
        visited_make_key(search->visited, worker->hand, INSERT_ASIDE, &key);
        outcome = visited_insert(search->visited, worker->hand, &key);
    } while (outcome == VISITED_GROW && insert_pause(worker));
    if (outcome == VISITED_LIMIT)
        search_stop_at_state_limit(search);
    return outcome == VISITED_NEW || outcome == VISITED_FOUND;
}

bool insert_find_key(struct worker *worker, const uint64_t *packed, uint64_t *key)
{
    struct explicit_search *search = worker->search;
    struct visited_key found;
    visited_announce(search->visited, worker->hand, INSERT_ASIDE, packed);
    if (!visited_prepare(search->visited, worker->hand, INSERT_ASIDE, INSERT_ASIDE + 1))
        return false;
    visited_make_key(search->visited, worker->hand, INSERT_ASIDE, &found);
    *key = found.key;
    return true;
}

/* What the batch still needs before its states are inserted. A batch of very wide states takes a good part of a second:
 * they are prepared one by one, as long as there is time. */
static bool insert_prepare(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    bool is_wide = search->layout->words > INSERT_WIDE;
    while (worker->prepared < worker->batch_count) {
        uint32_t end = is_wide ? worker->prepared + 1 : worker->batch_count;
        if (is_wide && watch_is_up() && !insert_pause(worker))
            return false;
        while (!visited_prepare(search->visited, worker->hand, worker->prepared, end))
            if (!insert_pause(worker))
                return false;
        for (; worker->prepared < end; worker->prepared++)
            visited_make_key(search->visited, worker->hand, worker->prepared, &worker->waiting[worker->prepared].key);
    }
    return true;
}

static bool insert_known_one(struct worker *worker, uint32_t which)
{
    enum visited_outcome outcome = VISITED_GROW;
    do {
        if (!insert_prepare(worker))
            return false;
        outcome = visited_insert(worker->search->visited, worker->hand, &worker->waiting[which].key);
    } while (outcome == VISITED_GROW && insert_pause(worker));
    if (outcome == VISITED_LIMIT) /* of this rank */
        search_stop_at_state_limit(worker->search);
    return outcome == VISITED_NEW || outcome == VISITED_FOUND;
}

bool insert_known(struct worker *worker, const uint64_t *states, uint32_t count)
{
    struct explicit_search *search = worker->search;
    size_t words = search->layout->words;
    for (uint32_t done = 0; done < count; done += worker->batch_count) {
        uint32_t left = count - done;
        worker->batch_count = left < SEARCH_BATCH ? left : SEARCH_BATCH;
        memcpy(worker->batch, states + done * words, worker->batch_count * words * sizeof *states);
        for (uint32_t i = 0; i < worker->batch_count; i++)
            visited_announce(search->visited, worker->hand, i, represent_key(worker, i));
        for (uint32_t i = 0; i < worker->batch_count; i++)
            if (!insert_known_one(worker, i))
                return false;
        worker->prepared = 0;
    }
    worker->batch_count = 0;
    return true;
}

/* New to the visited set. */
static bool insert_new(struct worker *worker, const struct waiting *waiting, const uint64_t *packed)
{
    bool goes_on =
        disk_is_used(worker->search) ? disk_hold(worker, waiting, packed) : insert_append(worker, waiting, packed);
    return goes_on && (!disk_wants_room(worker->search) || insert_pause(worker));
}

static bool insert_layered(struct worker *worker, uint32_t which)
{
    struct explicit_search *search = worker->search;
    struct waiting *waiting = &worker->waiting[which];
    for (;;) {
        if (!insert_prepare(worker))
            return false;
        switch (visited_insert(search->visited, worker->hand, &waiting->key)) {
        case VISITED_FOUND:
            thin_note_key(worker, waiting, false);
            return true;
        case VISITED_NEW:
            thin_note_key(worker, waiting, true);
            return insert_new(worker, waiting, worker->batch + (size_t)which * search->layout->words);
        case VISITED_LIMIT:
            search_stop_at_state_limit(search);
            return false;
        case VISITED_GROW:
            if (!insert_pause(worker))
                return false;
            break;
        }
    }
}

/* As many as can go in a wave; the others are announced after all. */
static bool insert_wave(struct worker *worker, uint32_t *done)
{
    *done = 0;
    if (!worker->is_wave)
        return true;
    if (!wave_insert(worker, done))
        return false;
    if (*done < worker->batch_count)
        insert_announce_again(worker);
    return true;
}

static bool insert_batch(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    uint32_t done;
    if (search->visited && crew_wants_pause(search->crew) && !insert_pause(worker))
        return false;
    if (!insert_wave(worker, &done))
        return false;
    for (uint32_t i = 0; i < worker->batch_count && search->store; i++)
        store_prefetch_state(search->store, worker->waiting[i].hash);
    for (uint32_t i = done; i < worker->batch_count; i++) {
        const uint64_t *packed = worker->batch + (size_t)i * search->layout->words;
        if (!(search->visited ? insert_layered(worker, i) : insert_numbered(worker, &worker->waiting[i], packed)))
            return false;
    }
    return true;
}

static bool insert_all(struct worker *worker)
{
    uint32_t count = worker->batch_count;
    bool goes_on = insert_batch(worker);
    worker->batch_count = worker->prepared = 0;
    worker->is_wave = worker->is_wave && wave_is_on(worker->search);
    return goes_on && limits_spend(worker, count + 1);
}

/* The state in the next place of the batch, with this hash (of a layered search), is one more of it. */
static inline bool insert_add(struct worker *worker, uint64_t hash)
{
    struct explicit_search *search = worker->search;
    if (worker->is_wave) {
        worker->hashes[worker->batch_count++] = hash;
        visited_expect(search->visited, hash);
        return worker->batch_count < SEARCH_BATCH || insert_all(worker);
    }
    if (search->visited)
        visited_announce(search->visited, worker->hand, worker->batch_count,
                         represent_key(worker, worker->batch_count));
    worker->batch_count++;
    return (worker->batch_count < SEARCH_BATCH && !represent_is_alone(search)) || insert_all(worker);
}

static bool insert_is_same(const uint64_t *one, const uint64_t *other, uint32_t words)
{
    uint64_t difference = 0;
    for (uint32_t w = 0; w < words; w++)
        difference |= one[w] ^ other[w];
    return !difference;
}

static bool insert_bulk_one(struct worker *worker, state_id parent, uint64_t ordinal, uint64_t classes, uint16_t mark,
                            bool is_judged, const uint64_t *packed, uint64_t hash)
{
    uint64_t *slot = worker->batch + (size_t)worker->batch_count * worker->burst.words;
    for (uint32_t w = 0; w < worker->burst.words; w++)
        slot[w] = packed[w];
    struct waiting *waiting = &worker->waiting[worker->batch_count];
    waiting->parent = parent;
    waiting->ordinal = ordinal;
    waiting->classes = classes;
    waiting->mark = mark;
    waiting->is_judged = is_judged;
    if (worker->search->ranks && !ranks_owns(worker->search, slot))
        return ranks_send(worker, waiting, slot);
    return insert_add(worker, hash);
}

static bool insert_held(struct worker *worker)
{
    struct held_burst *held = &worker->held[worker->held_latest];
    uint32_t count = held->count, words = worker->burst.words;
    held->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *packed = held->states + (size_t)i * words;
        bool was_met = recent_meet(&worker->recent, held->hashes[i], packed);
        if (!was_met && !insert_is_same(packed, held->parent_packed, words) &&
            !insert_bulk_one(worker, held->parent, held->ordinal + held->ordinals[i], 0, held->marks[i],
                             judge_is_same(worker->search, packed, held->parent_packed), packed, held->hashes[i]))
            return false;
    }
    return limits_spend(worker, count);
}

/* Representatives that were cut short never get here: represent_is_cut stops the search before they are held. */
static void insert_ensure_whole(const struct worker *worker)
{
    ENSURE(!worker->canon || !canon_was_cut(worker->canon));
}

static bool insert_visits(struct worker *worker)
{
    insert_ensure_whole(worker);
    struct held_visits *held = &worker->visits;
    uint32_t count = held->count;
    held->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *packed = held->states + (size_t)i * worker->burst.words;
        if (!recent_meet(&worker->recent, held->hashes[i], packed) &&
            !insert_bulk_one(worker, held->of[i].parent, held->of[i].ordinal, held->of[i].classes, held->of[i].mark,
                             held->of[i].is_judged, packed, held->hashes[i]))
            return false;
    }
    return limits_spend(worker, count);
}

bool insert_latest(struct worker *worker)
{
    if (worker->held[worker->held_latest].count && !insert_held(worker))
        return false;
    if (worker->visits.count && !insert_visits(worker))
        return false;
    if (!worker->has_latest)
        return true;
    worker->has_latest = false;
    insert_ensure_whole(worker);
    const uint64_t *packed = worker->batch + (size_t)worker->batch_count * worker->recent.words;
    if (recent_meet(&worker->recent, worker->latest_hash, packed))
        return limits_spend(worker, 1);
    if (worker->search->ranks && !ranks_owns(worker->search, packed))
        return ranks_send(worker, &worker->waiting[worker->batch_count], packed);
    return insert_add(worker, worker->latest_hash);
}

bool insert_received(struct worker *worker, state_id parent, uint64_t ordinal, uint64_t classes, const uint64_t *packed)
{
    size_t words = worker->search->layout->words;
    worker->waiting[worker->batch_count] = (struct waiting){.parent = parent, .ordinal = ordinal, .classes = classes};
    memcpy(worker->batch + worker->batch_count * words, packed, words * sizeof *packed);
    return insert_add(worker, state_hash(packed, worker->search->layout->words));
}

bool insert_flush(struct worker *worker)
{
    return insert_latest(worker) && insert_all(worker);
}

bool insert_burst(struct worker *worker, state_id parent)
{
    struct burst *burst = &worker->burst;
    struct held_burst *next = &worker->held[!worker->held_latest];
    uint64_t *states = burst->states;
    for (uint32_t i = 0; i < burst->count; i++) {
        next->hashes[i] = recent_find(&worker->recent, burst_state(burst, i));
        next->ordinals[i] = burst->ordinals[i];
        next->marks[i] = burst->numbers[i];
        if (worker->variants)
            next->marks[i] = (uint16_t)variant_number(worker->variants, burst->numbers[i], worker->stepper->origin);
    }
    if (!insert_latest(worker))
        return false;
    burst->states = next->states;
    next->states = states;
    next->count = burst->count;
    next->parent = parent;
    next->ordinal = worker->ordinal;
    for (uint32_t w = 0; w < burst->words; w++) /* few: memcpy would be called */
        next->parent_packed[w] = worker->parent_packed[w];
    worker->held_latest = !worker->held_latest;
    worker->ordinal += burst->count + burst->slept;
    worker->transitions += burst->count + burst->slept;
    return !burst->slept || limits_spend(worker, burst->slept);
}

bool insert_representative(struct worker *worker, state_id parent, const struct step *step)
{
    struct held_visits *held = &worker->visits;
    if (worker->is_sieved && sieve_meet(&worker->sieve, worker->search->layout, worker->parent_packed, step)) {
        worker->ordinal++;
        worker->transitions++;
        return limits_spend(worker, 1);
    }
    if (held->count == worker->burst.most && !insert_visits(worker))
        return false;
    uint32_t which = held->count;
    uint64_t *packed = held->states + (size_t)which * worker->burst.words;
    held->of[which].classes = canon_successor(worker->canon, step->cells, step->changed, step->changed_count, packed);
    if (represent_is_cut(worker))
        return false;
    held->count++;
    held->of[which].mark = expand_mark(worker, step);
    held->of[which].parent = parent;
    held->of[which].ordinal = worker->ordinal++;
    const uint64_t *plain = canon_plain(worker->canon);
    held->of[which].is_judged = plain && judge_is_same(worker->search, plain, worker->parent_packed);
    held->hashes[which] = recent_find(&worker->recent, packed);
    worker->transitions++;
    return true;
}

bool insert_successor(struct worker *worker, state_id parent, const struct step *step)
{
    struct explicit_search *search = worker->search;
    uint64_t ordinal = worker->ordinal++;
    if (!insert_latest(worker))
        return false;
    if (search->assumptions.count && !judge_is_granted(worker, parent, step->cells))
        return true;
    worker->transitions += parent != STATE_NONE;
    struct waiting *waiting = &worker->waiting[worker->batch_count];
    uint64_t *packed = worker->batch + (size_t)worker->batch_count * search->layout->words;
    waiting->classes = represent_pack(worker, parent, step, packed);
    if (represent_is_cut(worker))
        return false;
    waiting->parent = parent;
    waiting->ordinal = ordinal;
    waiting->mark = parent == STATE_NONE ? 0 : expand_mark(worker, step);
    waiting->is_judged = !worker->canon && parent != STATE_NONE && judge_is_same(search, packed, worker->parent_packed);
    waiting->parent_key = worker->parent_key;
    waiting->has_parent_key = parent != STATE_NONE && worker->has_parent_key;
    if (search->store) {
        waiting->hash = store_hash(search->store, packed);
        store_prefetch(search->store, waiting->hash);
    } else if (!worker->thinner) {
        worker->latest_hash = recent_find(&worker->recent, packed);
        worker->has_latest = true;
        return true;
    }
    ENSURE(!worker->is_wave); /* a wave needs the hash: such searches keep no states whole */
    return insert_add(worker, 0);
}
