/* States that are squeezed into one number (narrow.h), and those that do not fit: they are kept whole until the set
 * grows; then there is room for their values, too, or, when that takes too many bits, all states are folded. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "store/visited_hand.h"

enum {
    VISITED_STRAYS = 1 << 8, /* there is room for so many at first, */
    VISITED_STRAYS_OF = 64   /* and later for this part of the states: to move all states is dear */
};

void visited_destroy_narrow(struct visited *visited)
{
    narrow_destroy(visited->narrow);
    strays_destroy(visited->strays);
    visited->narrow = NULL;
    visited->strays = NULL;
}

static uint64_t visited_number(const struct table *top, const struct narrow *narrow, const uint64_t *state)
{
    uint64_t number;
    ENSURE(narrow_number(narrow, state, &number));
    return mixer_apply(&top->mixer, number);
}

bool visited_make_narrow(struct visited *visited, const struct visited_sample *sample)
{
    struct narrow *narrow =
        narrow_make(visited->options.words, visited->cells, visited->cell_count, NULL, sample->states, sample->count);
    return narrow && visited_squeeze(visited, narrow, sample);
}

bool visited_squeeze(struct visited *visited, struct narrow *narrow, const struct visited_sample *all)
{
    uint32_t words = visited->options.words;
    struct visited anew = *visited;
    bool is_good = true;
    anew.narrow = narrow;
    anew.strays = strays_create(visited->budget, words, VISITED_STRAYS);
    memset(&anew.plan, 0, sizeof anew.plan);
    memset(&anew.top, 0, sizeof anew.top);
    anew.top.mixer = mixer_make(narrow->bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : narrow->bits);
    if (!anew.strays || !quotient_create(&anew.top.set, visited->budget, anew.top.mixer.bits, false,
                                         2 * atomic_load(&visited->granted))) {
        visited_destroy_narrow(&anew);
        return false;
    }
    for (uint64_t i = 0; i < all->count && (is_good = !watch_is_up()); i++)
        quotient_add(&anew.top.set, visited_number(&anew.top, narrow, all->states + i * words), 0);
    if (is_good)
        visited_become(visited, &anew);
    else
        visited_destroy_tables(&anew);
    return is_good;
}

/* --- strays --- */

/* States that are handed out by their numbers. */
struct unsqueezing {
    const struct visited *from;
    struct visited *to; /* NULL: a sample of them is gathered */
    struct visited_hand *hand;
    uint64_t *states; /* one state, or the sample */
    uint64_t count;
    bool is_good;
};

static void unsqueezing_visit(void *user, uint64_t number, uint32_t value)
{
    struct unsqueezing *work = user;
    uint32_t words = work->from->options.words;
    (void)value;
    work->is_good = work->is_good && !watch_is_up();
    if (!work->is_good || (!work->to && work->count == VISITED_SAMPLE))
        return;
    uint64_t *state = work->states + (work->to ? 0 : work->count++ * words);
    narrow_state(work->from->narrow, mixer_undo(&work->from->top.mixer, number), state);
    if (work->to)
        work->is_good = visited_refill(work->to, work->hand, state);
}

/* All states, but for strays. */
static void unsqueezing_run(struct unsqueezing *work)
{
    struct quotient set = work->from->top.set; /* which stays as it is */
    quotient_each(&set, false, unsqueezing_visit, work);
}

/* It takes too many bits: states are folded from now on. */
static bool visited_fold_strays(struct visited *visited)
{
    uint32_t words = visited->options.words;
    struct strays *strays = visited->strays;
    struct visited anew;
    struct unsqueezing work = {.from = visited, .is_good = true};
    work.states = memory_alloc((size_t)VISITED_SAMPLE * words * sizeof *work.states);
    unsqueezing_run(&work);
    struct visited_sample sample = {work.states, work.count};
    uint64_t count = atomic_load(&visited->granted);
    work.is_good = work.is_good && (visited_fold_anew(visited, &sample, 2 * count, &anew) ||
                                    visited_fold_anew(visited, &sample, count + count / 8, &anew));
    if (work.is_good) {
        work.to = &anew;
        work.hand = visited_hand_create(&anew);
        unsqueezing_run(&work);
        for (uint32_t i = 0; i < strays->count && work.is_good; i++)
            work.is_good = visited_refill(&anew, work.hand, strays->states + (size_t)i * words);
        visited_hand_destroy(work.hand);
        if (work.is_good)
            visited_become(visited, &anew);
        else
            visited_destroy_tables(&anew);
    }
    free(work.states);
    return work.is_good;
}

/* There is room for their values from now on. */
static bool visited_widen(struct visited *visited, struct narrow *wider, struct spill *spill)
{
    struct strays *strays = visited->strays;
    uint64_t capacity = quotient_capacity(&visited->top.set);
    if (!visited_remake_narrow(visited, wider, capacity, spill))
        return false;
    for (uint32_t i = 0; i < strays->count; i++)
        quotient_add(&visited->top.set,
                     visited_number(&visited->top, wider, strays->states + (size_t)i * strays->words), 0);
    strays_clear(strays);
    narrow_destroy(visited->narrow);
    visited->narrow = wider;
    visited->epoch++;
    visited->plan_number++;
    return true;
}

bool visited_settle_strays(struct visited *visited, struct spill *spill)
{
    struct strays *strays = visited->strays;
    if (!visited_is_full(visited) && strays->count < strays->most)
        return true; /* it was asked for other memory */
    if (!visited_is_full(visited) && strays->count < atomic_load(&visited->granted) / VISITED_STRAYS_OF &&
        strays_make_room(strays))
        return true;
    struct narrow *wider = narrow_make(visited->options.words, visited->cells, visited->cell_count, visited->narrow,
                                       strays->states, strays->count);
    if (wider ? visited_widen(visited, wider, spill) : visited_fold_strays(visited))
        return true;
    narrow_destroy(wider);
    return !visited->is_lost && (strays->count < strays->most || strays_make_room(strays));
}
