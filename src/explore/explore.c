#include "explore/explore.h"

#include <stdlib.h>
#include <string.h>

#include "explore/memo.h"

/* Successors that wait for the store's memory at the same time. */
enum { EXPLORE_BATCH = 64 };

struct explore_waiting {
    uint64_t hash;
    size_t index; /* of its edge */
    size_t place; /* in the memo */
    uint32_t parent;
};

struct sent {
    uint32_t state;
    size_t end; /* of its edges */
};

struct explore {
    const struct layout *layout;
    uint32_t step_cells;
    struct store *store;
    struct canon *canon;       /* NULL: every state stands for itself */
    struct explore_memo *memo; /* NULL: none */
    struct places *places;     /* NULL: nobody has asked, or there are too many */
    uint32_t next;             /* the first state that is not expanded */
    uint32_t state;            /* being expanded */
    uint32_t level_end, depth;
    int32_t *cells; /* of the state that is being expanded */
    uint64_t *packed;
    int32_t *moved; /* a successor with the cells behind those of the system */
    int32_t *image;
    struct explore_waiting waiting[EXPLORE_BATCH];
    uint64_t *batch, *raw; /* packed: what waits; the same before it was represented, for the memo */
    uint32_t waiting_count;
    VEC(struct explore_edge) edges; /* of the states that are expanded and not settled */
    VEC(struct sent) states;        /* these */
    bool is_full, goes_on_when_full;
};

struct explore *explore_create(const struct layout *layout, uint32_t step_cells, const struct symmetry *symmetry,
                               struct budget *budget, uint64_t most)
{
    struct explore *explore = memory_zeroed(1, sizeof *explore);
    size_t cells = (size_t)layout->cell_count + 1;
    explore->layout = layout;
    explore->step_cells = step_cells;
    explore->store = store_create(layout->words, budget, most);
    if (symmetry && !symmetry_is_trivial(symmetry)) {
        explore->canon = canon_create(symmetry, layout);
        explore->memo = canon_is_generated(explore->canon) ? memo_create(layout) : NULL;
    }
    explore->cells = memory_zeroed(cells, sizeof *explore->cells);
    explore->moved = memory_zeroed(cells, sizeof *explore->moved);
    explore->image = memory_zeroed(cells, sizeof *explore->image);
    explore->packed = memory_zeroed(layout->words, sizeof *explore->packed);
    explore->batch = memory_zeroed(EXPLORE_BATCH * (size_t)layout->words, sizeof *explore->batch);
    explore->raw = memory_zeroed(EXPLORE_BATCH * (size_t)layout->words, sizeof *explore->raw);
    return explore;
}

void explore_destroy(struct explore *explore)
{
    if (!explore)
        return;
    store_destroy(explore->store);
    if (explore->canon)
        canon_destroy(explore->canon);
    memo_destroy(explore->memo);
    places_destroy(explore->places);
    free(explore->cells);
    free(explore->moved);
    free(explore->image);
    free(explore->packed);
    free(explore->batch);
    free(explore->raw);
    VEC_FREE(&explore->edges);
    VEC_FREE(&explore->states);
    free(explore);
}

struct store *explore_store(const struct explore *explore)
{
    return explore->store;
}

struct canon *explore_canon(const struct explore *explore)
{
    return explore->canon;
}

void explore_drop_canon(struct explore *explore)
{
    ENSURE(!explore->waiting_count);
    memo_destroy(explore->memo);
    if (explore->canon)
        canon_destroy(explore->canon);
    explore->memo = NULL;
    explore->canon = NULL;
}

void explore_go_on_when_full(struct explore *explore)
{
    explore->goes_on_when_full = true;
}

uint32_t explore_depth(const struct explore *explore)
{
    return explore->depth;
}

/* --- a state by itself --- */

/* Its representative is packed where the first that waits would be: none does. */
static uint64_t pack_alone(struct explore *explore, const int32_t *cells)
{
    ENSURE(!explore->waiting_count);
    if (explore->canon) {
        canon_set_exact(explore->canon, true);
        canon_apply(explore->canon, cells, explore->image);
        canon_set_exact(explore->canon, false);
        cells = explore->image;
    }
    layout_pack(explore->layout, cells, explore->batch);
    return store_hash(explore->store, explore->batch);
}

static enum store_outcome insert_alone(struct explore *explore, const int32_t *cells, uint32_t parent, uint32_t *number)
{
    uint64_t hash = pack_alone(explore, cells);
    return store_insert(explore->store, explore->batch, hash, parent, number);
}

enum store_outcome explore_insert(struct explore *explore, const int32_t *cells, uint32_t *number)
{
    if (!explore->places)
        return insert_alone(explore, cells, STORE_NO_PARENT, number);
    uint64_t place = places_of(explore->places, cells);
    *number = places_number(explore->places, place);
    if (*number != EXPLORE_NOWHERE)
        return STORE_FOUND;
    enum store_outcome outcome = insert_alone(explore, cells, STORE_NO_PARENT, number);
    if (outcome != STORE_FULL)
        places_keep(explore->places, place, *number);
    return outcome;
}

enum store_outcome explore_find(struct explore *explore, const int32_t *cells, uint32_t *number)
{
    uint64_t hash = pack_alone(explore, cells);
    return store_find(explore->store, explore->batch, hash, number);
}

/* --- successors --- */

static bool is_cut(const struct explore *explore)
{
    return explore->canon && canon_was_cut(explore->canon);
}

/* A representative that was cut short is not stored; the run stops. */
static void insert_waiting(struct explore *explore)
{
    size_t words = explore->layout->words;
    if (is_cut(explore))
        explore->waiting_count = 0;
    for (uint32_t i = 0; i < explore->waiting_count; i++)
        store_prefetch_state(explore->store, explore->waiting[i].hash);
    for (uint32_t i = 0; i < explore->waiting_count; i++) {
        const struct explore_waiting *waiting = &explore->waiting[i];
        uint32_t *target = &explore->edges.items[waiting->index].target;
        if (store_insert(explore->store, explore->batch + i * words, waiting->hash, waiting->parent, target) ==
            STORE_FULL) {
            *target = EXPLORE_NOWHERE;
            explore->is_full = true;
        } else if (explore->memo) {
            memo_keep(explore->memo, waiting->place, explore->raw + i * words, *target);
        }
    }
    explore->waiting_count = 0;
}

/* With the cells that the stepper knows nothing of. */
static const int32_t *complete(struct explore *explore, const int32_t *cells)
{
    if (explore->step_cells == explore->layout->cell_count)
        return cells;
    memcpy(explore->moved, cells, explore->step_cells * sizeof *cells);
    return explore->moved;
}

void explore_send(struct explore *explore, const struct step *step)
{
    size_t words = explore->layout->words;
    struct explore_waiting *waiting = &explore->waiting[explore->waiting_count];
    uint64_t *packed = explore->batch + explore->waiting_count * words;
    bool is_kept = explore->memo && memo_is_worth_it(explore->memo);
    uint64_t *raw = is_kept ? explore->raw + explore->waiting_count * words : packed;
    VEC_PUSH(&explore->edges, ((struct explore_edge){step->rule, step->instance, explore->state}));
    if (step->changed && !step->changed_count) /* where it came from: nothing to look up */
        return;
    const int32_t *cells = complete(explore, step->cells);
    if (!explore->canon || is_kept)
        step_pack(step, explore->layout, cells, explore->packed, raw);
    if (is_kept && memo_find(explore->memo, raw, &waiting->place, &VEC_LAST(&explore->edges).target))
        return;
    if (explore->canon)
        canon_successor(explore->canon, cells, step->changed, step->changed_count, packed);
    waiting->hash = store_hash(explore->store, packed);
    waiting->index = explore->edges.count - 1;
    waiting->parent = explore->state;
    store_prefetch(explore->store, waiting->hash);
    if (++explore->waiting_count == EXPLORE_BATCH)
        insert_waiting(explore);
}

void explore_send_fault(struct explore *explore, const struct step *step)
{
    VEC_PUSH(&explore->edges, ((struct explore_edge){step->rule, step->instance, EXPLORE_FAULT}));
}

/* --- successors by their places --- */

struct places *explore_places(struct explore *explore)
{
    if (!explore->places && explore->step_cells == explore->layout->cell_count)
        explore->places = places_create(explore->layout);
    return explore->places;
}

uint32_t explore_number_at(struct explore *explore, uint64_t place)
{
    uint32_t number = places_number(explore->places, place);
    if (number != EXPLORE_NOWHERE)
        return number;
    insert_waiting(explore); /* those sent before have the smaller numbers */
    places_cells(explore->places, place, explore->moved);
    if (insert_alone(explore, explore->moved, explore->state, &number) == STORE_FULL) {
        explore->is_full = true;
        return EXPLORE_NOWHERE;
    }
    places_keep(explore->places, place, number);
    return number;
}

void explore_send_number(struct explore *explore, const struct rule *rule, uint64_t instance, uint32_t number)
{
    VEC_PUSH(&explore->edges, ((struct explore_edge){rule, instance, number}));
}

/* --- all states --- */

/* What was expanded but not settled is dropped when there is an end. */
static enum explore_end end_with(struct explore *explore, enum explore_end end)
{
    explore->waiting_count = 0;
    VEC_CLEAR(&explore->states);
    VEC_CLEAR(&explore->edges);
    return end;
}

static enum explore_end settle(struct explore *explore, const struct explore_client *client)
{
    size_t first = 0;
    insert_waiting(explore);
    if (is_cut(explore))
        return end_with(explore, EXPLORE_STOPPED);
    if (explore->is_full && !explore->goes_on_when_full)
        return end_with(explore, EXPLORE_FULL);
    for (size_t i = 0; i < explore->states.count; i++) {
        const struct sent *sent = &explore->states.items[i];
        if (!client->settle(client->user, sent->state, VEC_FROM(&explore->edges, first), sent->end - first))
            return end_with(explore, EXPLORE_STOPPED);
        first = sent->end;
    }
    return end_with(explore, EXPLORE_DONE);
}

static bool expand_next(struct explore *explore, const struct explore_client *client)
{
    explore->state = explore->next++;
    memcpy(explore->packed, store_state(explore->store, explore->state),
           explore->layout->words * sizeof *explore->packed);
    layout_unpack(explore->layout, explore->packed, explore->cells);
    if (explore->step_cells != explore->layout->cell_count)
        memcpy(explore->moved, explore->cells, explore->layout->cell_count * sizeof *explore->moved);
    if (explore->canon)
        canon_begin(explore->canon, explore->cells, explore->packed);
    if (!client->expand(client->user, explore->state, explore->cells))
        return false;
    VEC_PUSH(&explore->states, ((struct sent){explore->state, explore->edges.count}));
    return true;
}

/* A level is settled before the next one begins, so that its end is known. */
static enum explore_end run_levels(struct explore *explore, const struct explore_client *client)
{
    for (;;) {
        bool is_end_of_level = explore->next == explore->level_end;
        if (is_end_of_level || explore->edges.count >= EXPLORE_BATCH || explore->states.count >= EXPLORE_BATCH) {
            enum explore_end end = settle(explore, client);
            if (end != EXPLORE_DONE || explore->next == store_count(explore->store))
                return end;
        }
        if (is_end_of_level) {
            explore->depth += explore->next > 0;
            explore->level_end = store_count(explore->store);
        }
        if (!expand_next(explore, client))
            return end_with(explore, EXPLORE_STOPPED);
    }
}

enum explore_end explore_run(struct explore *explore, const struct explore_client *client)
{
    enum explore_end end = run_levels(explore, client);
    memo_destroy(explore->memo);
    explore->memo = NULL;
    return end;
}

uint32_t *explore_path(const struct store *store, uint32_t state, uint32_t *count)
{
    *count = 0;
    for (uint32_t s = state; s != STORE_NO_PARENT; s = store_parent(store, s))
        ++*count;
    uint32_t *path = memory_alloc(*count * sizeof *path);
    for (uint32_t i = *count; i-- > 0; state = store_parent(store, state))
        path[i] = state;
    return path;
}
