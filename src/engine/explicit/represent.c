/* Which state represents a successor, and by which key it is looked up (survey sections 4.1 to 4.4;
 * canon/strategy.h).
 *
 * Most methods map a state to another one of its orbit, which is stored. The others store states as they are:
 *
 * - first (SMC): the first state found of an orbit. A state is labelled by its colours, at random where these leave a
 *   choice; a state with the same label as a stored one is in its orbit. After a few attempts without a match the state
 *   counts as new: sound, and not always unique.
 * - markers (ProB): a state is looked up by a hash that is the same for its whole orbit. States of different orbits may
 *   have the same hash: some may be missed, and the verdict says so.
 * - flood (ProB): all images of a new state are put into the visited set, and only the state itself is expanded. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "engine/explicit/search.h"

enum { FIRSTS_TRIES = 4 };

static bool represent_is(const struct explicit_search *search, enum representative representative)
{
    return search->options->representative == representative && !symmetry_is_trivial(search->symmetry);
}

static bool represent_is_itself(const struct worker *worker)
{
    return !worker->canon || represent_is(worker->search, REPRESENTATIVE_MARKERS) ||
           represent_is(worker->search, REPRESENTATIVE_FLOOD);
}

bool represent_is_marked(const struct explicit_search *search)
{
    return represent_is(search, REPRESENTATIVE_MARKERS);
}

bool represent_is_counted(const struct worker *worker)
{
    return worker->canon && canon_is_unique(worker->canon) && !represent_is_itself(worker) && !worker->search->firsts;
}

bool represent_is_successive(const struct worker *worker)
{
    return represent_is_counted(worker) || (worker->canon && represent_is(worker->search, REPRESENTATIVE_GREEDY));
}

bool represent_is_alone(const struct explicit_search *search)
{
    return represent_is(search, REPRESENTATIVE_FLOOD);
}

/* --- first --- */

struct firsts {
    struct store *leaves; /* one labelling of each */
    VEC(uint64_t) states; /* as they were met, by the number of the leaf */
    uint64_t *leaf, *least;
    struct explicit_search *search;
};

struct firsts *firsts_create(struct explicit_search *search)
{
    struct firsts *firsts = memory_zeroed(1, sizeof *firsts);
    firsts->search = search;
    firsts->leaves = store_create(search->layout->words, &search->budget, 0);
    firsts->leaf = memory_zeroed(search->layout->words, sizeof *firsts->leaf);
    firsts->least = memory_zeroed(search->layout->words, sizeof *firsts->least);
    return firsts;
}

void firsts_destroy(struct firsts *firsts)
{
    if (!firsts)
        return;
    store_destroy(firsts->leaves);
    VEC_FREE(&firsts->states);
    free(firsts->leaf);
    free(firsts->least);
    free(firsts);
}

/* Remembers the state; without memory for that it is new each time, and the store that is full soon ends the search. */
static void firsts_add(struct firsts *firsts, const uint64_t *leaf, const uint64_t *packed)
{
    uint32_t words = firsts->search->layout->words, number;
    if (!budget_take(&firsts->search->budget, words * sizeof *packed))
        return;
    if (store_insert(firsts->leaves, leaf, store_hash(firsts->leaves, leaf), STORE_NO_PARENT, &number) != STORE_NEW)
        return;
    for (uint32_t w = 0; w < words; w++)
        VEC_PUSH(&firsts->states, packed[w]);
}

static void firsts_represent(struct worker *worker, const int32_t *cells, uint64_t *packed)
{
    struct firsts *firsts = worker->search->firsts;
    uint32_t words = worker->search->layout->words, number;
    layout_pack(worker->search->layout, cells, packed);
    for (uint32_t t = 0; t < FIRSTS_TRIES; t++) {
        canon_random_leaf(worker->canon, cells, t * 1000, firsts->leaf);
        if (store_find(firsts->leaves, firsts->leaf, store_hash(firsts->leaves, firsts->leaf), &number) ==
            STORE_FOUND) {
            memcpy(packed, firsts->states.items + (size_t)number * words, words * sizeof *packed);
            return;
        }
        if (t == 0)
            memcpy(firsts->least, firsts->leaf, words * sizeof *packed);
    }
    firsts_add(firsts, firsts->least, packed);
}

/* --- all --- */

bool represent_is_cut(struct worker *worker)
{
    if (!worker->canon || !canon_was_cut(worker->canon))
        return false;
    limits_tick(worker);
    search_stop(worker->search, stop_of(STOP_INTERRUPTED)); /* the first reason is kept */
    return true;
}

uint64_t represent_pack(struct worker *worker, state_id parent, const struct step *step, uint64_t *packed)
{
    if (worker->search->firsts) {
        firsts_represent(worker, step->cells, packed);
        return 0;
    }
    if (represent_is_itself(worker)) {
        step_pack(step, worker->search->layout, step->cells, worker->parent_packed, packed);
        if (represent_is_marked(worker->search))
            worker->markers[worker->batch_count] = canon_marker(worker->canon, step->cells);
        return 0;
    }
    if (parent != STATE_NONE)
        return canon_successor(worker->canon, step->cells, step->changed, step->changed_count, packed);
    canon_apply(worker->canon, step->cells, worker->image);
    layout_pack(worker->search->layout, worker->image, packed);
    return 0;
}

void represent_cells(struct worker *worker, const int32_t *cells, int32_t *out)
{
    if (represent_is_itself(worker) || worker->search->firsts)
        memcpy(out, cells, worker->search->layout->cell_count * sizeof *out);
    else
        canon_apply(worker->canon, cells, out);
}

const uint64_t *represent_key(const struct worker *worker, uint32_t which)
{
    if (represent_is_marked(worker->search))
        return &worker->markers[which];
    return worker->batch + (size_t)which * worker->search->layout->words;
}

static bool represent_insert_image(void *user, const int32_t *image)
{
    struct worker *worker = user;
    layout_pack(worker->search->layout, image, worker->flooded);
    return insert_visited(worker, worker->flooded);
}

bool represent_flood(struct worker *worker, const uint64_t *packed)
{
    if (!represent_is_alone(worker->search))
        return true;
    layout_unpack(worker->search->layout, packed, worker->fresh);
    canon_each_image(worker->canon, worker->fresh, represent_insert_image, worker);
    return !search_is_stopped(worker->search);
}
