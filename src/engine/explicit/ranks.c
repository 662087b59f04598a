#include "engine/explicit/ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"

enum {
    RANKS_MORE = 3,           /* words of a record beside the state: parent, ordinal, classes */
    RANKS_BATCH = 64 << 10,   /* bytes of a batch, */
    RANKS_BUFFERS = 32 << 20, /* of all that a worker fills; so less where there are many ranks */
    RANKS_CREDITS = 4,        /* batches on their way from one rank to another */
    RANKS_BACKLOG = 8,        /* batches without credit, by worker, from which on it waits */
    RANKS_EVERY = 16,         /* states that are expanded between two looks at what has come */
    RANKS_IDLE_NANOSECONDS = 20000
};
static const double RANKS_PROGRESS_SECONDS = 0.3;
/* mpirun kills all ranks a second after it has told them to end. */
static const double RANKS_PATIENCE_SECONDS = 0.6;

void ranks_begin(struct explicit_search *search)
{
    const struct transport *transport = search->options->transport;
    if (!transport)
        return;
    struct ranks *ranks = memory_zeroed(1, sizeof *ranks);
    ranks->transport = transport;
    ranks->rank = transport->rank;
    ranks->count = transport->count;
    ranks->record = search->layout->words + RANKS_MORE;
    uint32_t bytes = RANKS_BUFFERS / ranks->count < RANKS_BATCH ? RANKS_BUFFERS / ranks->count : RANKS_BATCH;
    ranks->batch_records = bytes / (ranks->record * (uint32_t)sizeof(uint64_t)) + 1;
    ranks->credits = memory_alloc(ranks->count * sizeof *ranks->credits);
    for (uint32_t i = 0; i < ranks->count; i++)
        ranks->credits[i] = RANKS_CREDITS;
    ranks->knows_stop = memory_zeroed(ranks->count, sizeof *ranks->knows_stop);
    ranks->others = memory_zeroed(ranks->count, sizeof *ranks->others);
    pthread_mutex_init(&ranks->lock, NULL);
    search->ranks = ranks;
    search->rank_mark = (uint64_t)ranks->rank << RANKS_SHIFT;
}

void ranks_end(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    if (!ranks)
        return;
    for (size_t i = 0; i < ranks->outbox.count; i++)
        free(ranks->outbox.items[i].records);
    for (size_t i = 0; i < ranks->inbox.count; i++)
        free(ranks->inbox.items[i].bytes);
    for (size_t i = 0; i < ranks->rescued.count; i++)
        free(ranks->rescued.items[i].records);
    VEC_FREE(&ranks->rescued);
    VEC_FREE(&ranks->outbox);
    VEC_FREE(&ranks->inbox);
    free(ranks->credits);
    free(ranks->others);
    free(ranks->knows_stop);
    pthread_mutex_destroy(&ranks->lock);
    free(ranks);
    search->ranks = NULL;
}

void ranks_destroy_outgoing(struct worker *worker)
{
    for (uint32_t i = 0; worker->outgoing && i < worker->search->options->transport->count; i++)
        free(worker->outgoing[i].records);
    free(worker->outgoing);
    worker->outgoing = NULL;
}

/* --- who owns a state --- */

static uint32_t ranks_owner(const struct ranks *ranks, const uint64_t *packed, uint32_t words)
{
    uint64_t hash = hash_bytes(packed, words * sizeof *packed);
    return (uint32_t)((hash >> 32) * ranks->count >> 32);
}

bool ranks_owns(const struct explicit_search *search, const uint64_t *packed)
{
    return ranks_owner(search->ranks, packed, search->layout->words) == search->ranks->rank;
}

/* --- messages; the lock is held --- */

static void ranks_tell(struct ranks *ranks, uint32_t to, enum rank_kind kind, const void *bytes, size_t size)
{
    ranks->transport->send(to, (int)kind, bytes, size);
    ranks->unanswered++;
}

/* Batches for which there is a credit go. */
static void ranks_empty_outbox(struct ranks *ranks)
{
    size_t kept = 0;
    for (size_t i = 0; i < ranks->outbox.count; i++) {
        struct rank_batch batch = ranks->outbox.items[i];
        if (!ranks->credits[batch.to]) {
            ranks->outbox.items[kept++] = batch;
            continue;
        }
        ranks->credits[batch.to]--;
        ranks_tell(ranks, batch.to, RANK_STATES, batch.records, batch.size);
        ranks->sent_batches++;
        ranks->sent_bytes += batch.size;
        free(batch.records);
    }
    ranks->outbox.count = kept;
}

static void ranks_answer(struct ranks *ranks, uint32_t to, enum rank_kind kind)
{
    uint8_t what = (uint8_t)kind;
    ranks->transport->send(to, RANK_CREDIT, &what, sizeof what);
}

struct rank_stop {
    int64_t kind;
    uint64_t limit;
    double seconds;
};

/* A search that has stopped here stops everywhere. */
static void ranks_tell_stop(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    if (ranks->has_told_stop || !search_is_stopped(search))
        return;
    const struct stop *stop = &search->result->stop;
    pthread_mutex_lock(&search->lock);
    struct rank_stop told = {(int64_t)stop->kind, stop->limit, stop->seconds};
    pthread_mutex_unlock(&search->lock);
    ranks->has_told_stop = true;
    ranks->told_stop = clock_wall();
    for (uint32_t i = 0; i < ranks->count; i++)
        if (i != ranks->rank)
            ranks_tell(ranks, i, RANK_STOP, &told, sizeof told);
}

static void ranks_hear_stop(struct explicit_search *search, const struct rank_message *message)
{
    struct rank_stop told;
    if (message->size != sizeof told)
        return;
    memcpy(&told, message->bytes, sizeof told);
    /* The others know it; the first two ask who answers. */
    search->ranks->has_told_stop |= search->ranks->rank > 1;
    search_stop(search, (struct stop){.kind = (enum stop_kind)told.kind, .limit = told.limit, .seconds = told.seconds});
}

static void ranks_take(struct explicit_search *search, struct rank_message *message)
{
    struct ranks *ranks = search->ranks;
    switch ((enum rank_kind)message->kind) {
    case RANK_STATES:
        VEC_PUSH(&ranks->inbox, *message);
        return;
    case RANK_CREDIT:
        ranks->unanswered -= ranks->unanswered > 0; /* an earlier search of this run may have asked */
        ranks->credits[message->from] += *(const uint8_t *)message->bytes == RANK_STATES;
        ranks->knows_stop[message->from] |= *(const uint8_t *)message->bytes == RANK_STOP;
        break;
    case RANK_STOP:
        ranks_hear_stop(search, message);
        ranks_answer(ranks, message->from, RANK_STOP);
        break;
    case RANK_PROGRESS:
        if (message->size == sizeof *ranks->others)
            memcpy(&ranks->others[message->from], message->bytes, message->size);
        ranks_answer(ranks, message->from, RANK_PROGRESS);
        break;
    }
    free(message->bytes);
}

static void ranks_tell_progress(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    double now = clock_wall();
    if (!ranks->rank || now - ranks->last_progress < RANKS_PROGRESS_SECONDS)
        return;
    struct rank_progress told = {.bytes = budget_used(&search->budget) - search->begin_bytes};
    ranks->last_progress = now;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        const struct worker *worker = &search->workers[i];
        told.states += atomic_load_explicit(&worker->shown_states, memory_order_relaxed);
        told.rules_fired += atomic_load_explicit(&worker->shown_rules, memory_order_relaxed);
        told.expanded += atomic_load_explicit(&worker->shown_expanded, memory_order_relaxed);
    }
    ranks_tell(ranks, 0, RANK_PROGRESS, &told, sizeof told);
}

void ranks_add_progress(struct explicit_search *search, struct progress_sample *sample, uint64_t *expanded)
{
    const struct ranks *ranks = search->ranks;
    for (uint32_t i = 1; ranks && i < ranks->count; i++) {
        sample->states += ranks->others[i].states;
        sample->rules_fired += ranks->others[i].rules_fired;
        sample->bytes += ranks->others[i].bytes;
        *expanded += ranks->others[i].expanded;
    }
}

/* What has come is taken in, what may go goes. */
static void ranks_progress(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    struct rank_message message;
    while (ranks->transport->receive(&message))
        ranks_take(search, &message);
    ranks_tell_stop(search);
    ranks_tell_progress(search);
    ranks_empty_outbox(ranks);
}

/* --- what workers do --- */

/* The lock is not held. */
static void ranks_post(struct worker *worker, uint32_t to)
{
    struct ranks *ranks = worker->search->ranks;
    struct rank_outgoing *outgoing = &worker->outgoing[to];
    if (!outgoing->count)
        return;
    struct rank_batch batch = {to, (size_t)outgoing->count * ranks->record * sizeof(uint64_t), outgoing->records};
    pthread_mutex_lock(&ranks->lock);
    ranks->sent_states += outgoing->count;
    VEC_PUSH(&ranks->outbox, batch);
    ranks_empty_outbox(ranks);
    pthread_mutex_unlock(&ranks->lock);
    *outgoing = (struct rank_outgoing){0};
}

bool ranks_send(struct worker *worker, const struct waiting *waiting, const uint64_t *packed)
{
    struct explicit_search *search = worker->search;
    struct ranks *ranks = search->ranks;
    uint32_t words = search->layout->words, to = ranks_owner(ranks, packed, words);
    if (waiting->parent == STATE_NONE) /* every rank has the start states */
        return true;
    if (!worker->outgoing)
        worker->outgoing = memory_zeroed(ranks->count, sizeof *worker->outgoing);
    struct rank_outgoing *outgoing = &worker->outgoing[to];
    if (!outgoing->records)
        outgoing->records = memory_alloc((size_t)ranks->batch_records * ranks->record * sizeof *outgoing->records);
    uint64_t *record = outgoing->records + (size_t)outgoing->count++ * ranks->record;
    memcpy(record, packed, words * sizeof *packed);
    record[words] = waiting->parent;
    record[words + 1] = waiting->ordinal;
    record[words + 2] = waiting->classes;
    if (outgoing->count == ranks->batch_records)
        ranks_post(worker, to);
    return limits_spend(worker, 1);
}

static bool ranks_insert_batch(struct worker *worker, const struct rank_message *message)
{
    const struct ranks *ranks = worker->search->ranks;
    uint32_t words = worker->search->layout->words;
    size_t count = message->size / (ranks->record * sizeof(uint64_t));
    const uint64_t *record = message->bytes;
    for (size_t i = 0; i < count; i++, record += ranks->record)
        if (search_is_stopped(worker->search) ||
            !insert_received(worker, record[words], record[words + 1], record[words + 2], record))
            return false;
    return insert_flush(worker);
}

/* The search is over, and these records were not inserted, or not all of them; takes them. The lock is held. */
static void ranks_rescue(struct explicit_search *search, struct rank_batch batch)
{
    if (search->keeper && batch.size)
        VEC_PUSH(&search->ranks->rescued, batch);
    else
        free(batch.records);
}

bool ranks_each_rescued(struct explicit_search *search, bool (*take)(void *user, const uint64_t *record), void *user)
{
    const struct ranks *ranks = search->ranks;
    for (size_t i = 0; ranks && i < ranks->rescued.count; i++) {
        const struct rank_batch *batch = &ranks->rescued.items[i];
        size_t count = batch->size / (ranks->record * sizeof(uint64_t));
        for (size_t r = 0; r < count; r++)
            if (!take(user, batch->records + r * ranks->record))
                return false;
    }
    return true;
}

/* Inserts a batch that has come, if there is one. Its sender gets the credit back when that is done. */
static bool ranks_insert(struct worker *worker)
{
    struct ranks *ranks = worker->search->ranks;
    struct rank_message message = {0};
    pthread_mutex_lock(&ranks->lock);
    ranks_progress(worker->search);
    bool is_any = ranks->inbox.count > 0;
    if (is_any) {
        message = VEC_POP(&ranks->inbox);
        ranks->inserting++;
    }
    pthread_mutex_unlock(&ranks->lock);
    if (!is_any)
        return false;
    bool is_in = !search_is_stopped(worker->search) && ranks_insert_batch(worker, &message);
    pthread_mutex_lock(&ranks->lock);
    if (is_in)
        free(message.bytes);
    else
        ranks_rescue(worker->search, (struct rank_batch){ranks->rank, message.size, message.bytes});
    ranks->inserting--;
    ranks_answer(ranks, message.from, RANK_STATES);
    pthread_mutex_unlock(&ranks->lock);
    return true;
}

static void ranks_doze(void)
{
    struct timespec moment = {0, RANKS_IDLE_NANOSECONDS};
    nanosleep(&moment, NULL);
}

static bool ranks_is_behind(struct worker *worker)
{
    struct ranks *ranks = worker->search->ranks;
    pthread_mutex_lock(&ranks->lock);
    bool is_behind = ranks->outbox.count > (size_t)RANKS_BACKLOG * worker->search->worker_count;
    ranks->waits += is_behind;
    pthread_mutex_unlock(&ranks->lock);
    return is_behind;
}

/* Others may be waiting for this worker, to make room. */
static void ranks_join_pause(struct worker *worker)
{
    if (crew_wants_pause(worker->search->crew))
        crew_pause(worker->search->crew);
}

bool ranks_poll(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    if (!search->ranks || worker->expanded % RANKS_EVERY)
        return true;
    if (!insert_flush(worker))
        return false;
    while (ranks_insert(worker) || ranks_is_behind(worker)) {
        if (!insert_flush(worker) || !limits_spend(worker, 1))
            return false;
    }
    return !search_is_stopped(search);
}

/* --- the end of a level --- */

static void ranks_post_all(struct worker *worker)
{
    bool is_dropped = search_is_stopped(worker->search) && !worker->search->keeper;
    for (uint32_t i = 0; worker->outgoing && i < worker->search->ranks->count; i++) {
        if (is_dropped)
            worker->outgoing[i].count = 0;
        ranks_post(worker, i);
    }
}

static void ranks_drop_outbox(struct explicit_search *search)
{
    while (search->ranks->outbox.count)
        ranks_rescue(search, VEC_POP(&search->ranks->outbox));
}

/* Has this rank nothing on its way, and nothing to insert? */
static bool ranks_is_quiet(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    pthread_mutex_lock(&ranks->lock);
    if (search_is_stopped(search))
        ranks_drop_outbox(search);
    bool is_quiet = !ranks->outbox.count && !ranks->inbox.count && !ranks->inserting && !ranks->unanswered &&
                    (!search_is_stopped(search) || ranks->has_told_stop);
    pthread_mutex_unlock(&ranks->lock);
    return is_quiet;
}

static bool ranks_is_barrier_over(struct ranks *ranks)
{
    pthread_mutex_lock(&ranks->lock);
    bool is_over = ranks->transport->is_barrier_over();
    pthread_mutex_unlock(&ranks->lock);
    return is_over;
}

/* A signal has ended the search, and a rank does not answer: mpirun has ended it because that rank died. The first rank
 * has a moment to say so; if that is the one, the second has. */
static bool ranks_is_broken(struct explicit_search *search)
{
    struct ranks *ranks = search->ranks;
    struct stop *stop = &search->result->stop;
    if (ranks->rank > 1 || !ranks->has_told_stop || stop->kind != STOP_INTERRUPTED ||
        clock_wall() - ranks->told_stop < RANKS_PATIENCE_SECONDS)
        return false;
    uint32_t lost = 0;
    while (lost < ranks->count && (lost == ranks->rank || ranks->knows_stop[lost]))
        lost++;
    if (lost >= ranks->count || (ranks->rank && lost))
        return false;
    struct text detail = {0};
    text_format(&detail, "rank %u does not answer: it has died, or is too busy; what follows is of rank %u alone", lost,
                ranks->rank);
    stop_free(stop);
    *stop = stop_because(STOP_INTERRUPTED, "%s", detail.chars);
    text_free(&detail);
    ranks->is_broken = true;
    ranks->transport->give_up();
    return true;
}

/* The first worker leaves last. */
static void ranks_wait(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    struct ranks *ranks = search->ranks;
    bool is_waiting = false;
    for (;;) {
        if (!ranks_insert(worker))
            ranks_doze();
        limits_tick(worker);
        ranks_join_pause(worker);
        if (!is_waiting && crew_is_last(search->crew) && ranks_is_quiet(search)) {
            pthread_mutex_lock(&ranks->lock);
            ranks->transport->begin_barrier();
            pthread_mutex_unlock(&ranks->lock);
            is_waiting = true;
        }
        if ((is_waiting && ranks_is_barrier_over(ranks)) || ranks_is_broken(search))
            return;
    }
}

void ranks_end_level(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    if (!search->ranks)
        return;
    ranks_post_all(worker);
    if (worker == search->workers)
        ranks_wait(worker);
}

void ranks_describe(const struct explicit_search *search, struct text *out)
{
    const struct ranks *ranks = search->ranks;
    if (!ranks)
        return;
    text_format(out, "rank %u of %u sent %llu states in %llu batches, %llu bytes, and waited %llu times\n", ranks->rank,
                ranks->count, (unsigned long long)ranks->sent_states, (unsigned long long)ranks->sent_batches,
                (unsigned long long)ranks->sent_bytes, (unsigned long long)ranks->waits);
    if (!ranks->is_broken)
        text_format(out, "all ranks sent %llu states in %llu batches, %llu bytes; each has %llu to %llu states\n",
                    (unsigned long long)ranks->all.sent_states, (unsigned long long)ranks->all.sent_batches,
                    (unsigned long long)ranks->all.sent_bytes, (unsigned long long)ranks->all.least,
                    (unsigned long long)ranks->all.most);
}
