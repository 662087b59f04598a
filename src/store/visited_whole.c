/* States that are kept whole as long as memory is plentiful (whole.h), and how they are folded or squeezed when it is
 * not. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "store/visited_hand.h"

/* Bytes of a set that is asked for a place long before it is needed. (In a larger one that takes a tenth more time than
 * to ask for many places at once, right before.) */
enum { VISITED_NEAR = 64 << 20 };

bool visited_suits_whole(const struct visited_options *options, uint32_t *head)
{
    if (!options->whole_bytes || options->is_fingerprint || options->words > WHOLE_WORDS || !options->word_bits)
        return false;
    *head = 0;
    while (*head < options->words && options->word_bits[*head] == 64)
        ++*head;
    return *head < options->words;
}

/* Some of the states, from all over the set. */
static uint64_t *whole_sample(const uint64_t *states, uint64_t count, uint32_t words, struct visited_sample *sample)
{
    uint64_t step = count / VISITED_SAMPLE + 1;
    uint64_t *chosen = memory_alloc((count / step + 1) * words * sizeof *chosen);
    *sample = (struct visited_sample){chosen, 0};
    for (uint64_t i = 0; i < count; i += step)
        memcpy(chosen + sample->count++ * words, states + i * words, words * sizeof *states);
    return chosen;
}

/* So many at a time that they wait for memory together. */
static bool visited_refill_batch(struct visited *visited, struct visited_hand *hand, const uint64_t *states,
                                 uint32_t count)
{
    struct visited_key keys[VISITED_BATCH];
    for (uint32_t i = 0; i < count; i++)
        visited_announce(visited, hand, i, states + (size_t)i * visited->options.words);
    while (!visited_prepare(visited, hand, 0, count))
        if (!visited_grow(visited, NULL))
            return false;
    for (uint32_t i = 0; i < count; i++)
        visited_make_key(visited, hand, i, &keys[i]);
    for (uint32_t i = 0; i < count; i++)
        quotient_add(&visited->top.set, keys[i].number, 0);
    return true;
}

bool visited_refill_all(struct visited *visited, const struct visited_sample *all)
{
    struct visited_hand *hand = visited_hand_create(visited);
    bool is_good = true;
    for (uint64_t done = 0; done < all->count && is_good; done += VISITED_BATCH) {
        uint64_t left = all->count - done;
        is_good = !watch_is_up() && visited_refill_batch(visited, hand, all->states + done * visited->options.words,
                                                         left < VISITED_BATCH ? (uint32_t)left : VISITED_BATCH);
    }
    visited_hand_destroy(hand);
    return is_good;
}

/* Ranges after the sample, made wide enough for all. NULL: they take too many bits, or many states are beyond those of
 * the sample, or the time is over. */
static struct narrow *narrow_for_all(const struct visited *visited, const struct visited_sample *sample,
                                     const struct visited_sample *all)
{
    uint32_t words = visited->options.words, beyond = 0;
    uint64_t *states = memory_alloc((size_t)VISITED_SAMPLE * words * sizeof *states), number;
    struct narrow *narrow =
        narrow_make(words, visited->cells, visited->cell_count, NULL, sample->states, sample->count);
    for (uint64_t i = 0; narrow && i < all->count && beyond < VISITED_SAMPLE && !watch_is_up(); i++)
        if (!narrow_number(narrow, all->states + i * words, &number))
            memcpy(states + (size_t)beyond++ * words, all->states + i * words, words * sizeof *states);
    if (narrow && (beyond > 0 || watch_is_up())) {
        bool is_good = beyond < VISITED_SAMPLE && !watch_is_up();
        struct narrow *wider =
            is_good ? narrow_make(words, visited->cells, visited->cell_count, narrow, states, beyond) : NULL;
        narrow_destroy(narrow);
        narrow = wider;
    }
    free(states);
    return narrow;
}

/* Can they be squeezed? Then they are. */
static bool visited_try_squeezing(struct visited *visited, const struct visited_sample *sample,
                                  const struct visited_sample *all)
{
    struct narrow *narrow = visited_can_narrow(visited) ? narrow_for_all(visited, sample, all) : NULL;
    return narrow && visited_squeeze(visited, narrow, all);
}

/* From now on they are folded, or squeezed. */
static bool visited_compact(struct visited *visited, const struct visited_sample *all)
{
    struct visited_sample sample;
    struct visited anew = *visited;
    uint64_t *chosen = whole_sample(all->states, all->count, visited->options.words, &sample);
    anew.whole = (struct whole){0};
    bool is_good = visited_create_tables(&anew, &sample, 2 * all->count);
    if (is_good && !visited_try_squeezing(&anew, &sample, all))
        is_good = visited_refill_all(&anew, all);
    free(chosen);
    if (!is_good) {
        visited_destroy_tables(&anew);
        return false;
    }
    whole_destroy(&visited->whole);
    visited_become(visited, &anew);
    return true;
}

static bool visited_leave_whole(struct visited *visited)
{
    uint32_t words = visited->options.words;
    uint64_t bytes = whole_capacity(&visited->whole) * words * sizeof(uint64_t);
    if (!budget_take(visited->budget, bytes))
        return false;
    uint64_t *states = memory_try(bytes);
    bool is_good = false;
    if (states) {
        struct visited_sample all = {states, whole_list(&visited->whole, states)};
        is_good = visited_compact(visited, &all);
        free(states);
    }
    budget_give(visited->budget, bytes);
    return is_good;
}

bool visited_grow_whole(struct visited *visited)
{
    if (!visited_is_full(visited))
        return true; /* it was asked for other memory */
    uint64_t doubled = 2 * whole_capacity(&visited->whole);
    if (visited->foreseen > doubled && whole_grow(&visited->whole, visited->options.team, 2))
        return true;
    return whole_grow(&visited->whole, visited->options.team, 1) || visited_leave_whole(visited);
}

void visited_expect(const struct visited *visited, uint64_t hash)
{
    if (visited->whole.places && whole_bytes(&visited->whole) <= VISITED_NEAR)
        whole_prefetch(&visited->whole, hash);
}

void visited_foresee(struct visited *visited, uint64_t states)
{
    visited->foreseen = states;
}
