/* All configurations of a given number of threads, breadth first. */
#include <string.h>

#include "engine/cover/cover.h"

void forward_begin(struct cover_forward *forward, struct cover *cover, uint32_t size)
{
    *forward = (struct cover_forward){.cover = cover, .size = size, .found = WORDS_NONE};
}

void forward_end(struct cover_forward *forward)
{
    words_free(&forward->states);
    VEC_FREE(&forward->parents);
}

/* True: it violates an open property. */
static bool forward_meet(struct cover_forward *forward, const uint32_t *configuration, uint32_t parent)
{
    uint32_t before = words_count(&forward->states);
    uint32_t number = words_intern(&forward->states, configuration, forward->size + 1);
    if (words_count(&forward->states) == before)
        return false;
    VEC_PUSH(&forward->parents, parent);
    forward->cover->stored++;
    forward->generator = configuration_violates(forward->cover, configuration, forward->size);
    if (forward->generator != WORDS_NONE)
        forward->found = number;
    return forward->generator != WORDS_NONE;
}

static bool forward_starts(struct cover_forward *forward)
{
    const struct thread_system *threads = forward->cover->threads;
    uint32_t *configuration = memory_zeroed(forward->size + 1, sizeof *configuration);
    bool is_found = false;
    for (size_t i = 0; i < threads->starts.count && !is_found; i++) {
        configuration_start(&threads->starts.items[i], configuration, forward->size);
        is_found = forward_meet(forward, configuration, WORDS_NONE);
    }
    free(configuration);
    return is_found;
}

static bool forward_expand(struct cover_forward *forward, uint32_t *scratch)
{
    const struct thread_system *threads = forward->cover->threads;
    uint32_t state = forward->next++;
    const uint32_t *configuration = words_at(&forward->states, state);
    const struct thread_numbers *leaving = &threads->leaving.items[configuration[0]];
    for (size_t i = 0; i < leaving->list.count; i++) {
        memcpy(scratch, configuration, (forward->size + 1) * sizeof *scratch);
        if (configuration_step(threads, leaving->list.items[i], scratch, forward->size) &&
            forward_meet(forward, scratch, state))
            return true;
    }
    return false;
}

enum cover_outcome forward_go(struct cover_forward *forward, uint64_t most)
{
    struct cover *cover = forward->cover;
    uint64_t begin = cover->work;
    uint32_t *scratch = memory_zeroed(forward->size + 1, sizeof *scratch);
    enum cover_outcome outcome = COVER_GOES_ON;
    if (!words_count(&forward->states) && forward_starts(forward))
        outcome = COVER_FOUND;
    while (outcome == COVER_GOES_ON && cover->work - begin < most) {
        if (forward->next == words_count(&forward->states)) {
            outcome = COVER_DONE;
            break;
        }
        size_t steps = cover->threads->leaving.items[words_at(&forward->states, forward->next)[0]].list.count;
        if (forward_expand(forward, scratch))
            outcome = COVER_FOUND;
        else if (!cover_spend(cover, (uint32_t)steps + 1))
            outcome = COVER_STOPPED;
    }
    free(scratch);
    return outcome;
}

void forward_run(const struct cover_forward *forward, struct cover_run *run)
{
    VEC(uint32_t) states = {0};
    *run = (struct cover_run){.size = forward->size, .generator = forward->generator};
    for (uint32_t s = forward->found; s != WORDS_NONE; s = forward->parents.items[s])
        VEC_PUSH(&states, s);
    for (size_t i = states.count; i-- > 0;)
        for (uint32_t w = 0; w <= forward->size; w++)
            VEC_PUSH(&run->words, words_at(&forward->states, states.items[i])[w]);
    VEC_FREE(&states);
}
