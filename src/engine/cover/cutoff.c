/* Dynamic cutoff detection (Kaiser, Kroening, Wahl, "Dynamic cutoff detection in parameterized concurrent programs",
 * CAV 2010).
 *
 * A thread more often adds no pair of a shared and a local state. Then the pairs one step away are asked for, each by a
 * backward search: if none of them can be covered, the pairs are complete, with any number of threads. What a violation
 * needs is then known exactly, where each thread by itself decides it; and the backward search of the violations passes
 * over all configurations with other pairs. */
#include "engine/cover/cover.h"

struct cutoff_search {
    const struct thread_system *threads;
    const struct pairs *reached;
    struct pairs seen;
    struct cover_targets *targets;
};

static bool is_reached(const struct cutoff_search *candidates, uint32_t shared, uint32_t local)
{
    return pairs_get(candidates->reached, pairs_key(shared, local)) != WORDS_NONE;
}

static void add_candidate(struct cutoff_search *candidates, uint32_t shared, uint32_t local)
{
    uint64_t key = pairs_key(shared, local);
    if (local == WORDS_NONE || is_reached(candidates, shared, local) || pairs_get(&candidates->seen, key) != WORDS_NONE)
        return;
    pairs_set(&candidates->seen, key, 1);
    VEC_PUSH(&candidates->targets->list, key);
}

/* What the step leads to, its participants and spectators being any that were reached. */
static void take_step(struct cutoff_search *candidates, uint32_t number)
{
    const struct thread_system *threads = candidates->threads;
    const struct thread_step *step = &threads->steps.items[number];
    const struct thread_numbers *locals = &threads->reached.items[step->from];
    for (uint32_t p = 0; p < step->width; p++)
        if (!is_reached(candidates, step->from, threads_before(threads, step)[p]))
            return;
    for (uint32_t p = 0; p < step->width; p++)
        add_candidate(candidates, step->to, threads_after(threads, step)[p]);
    for (size_t i = 0; i < locals->list.count; i++)
        if (is_reached(candidates, step->from, locals->list.items[i]))
            add_candidate(candidates, step->to, threads_image(threads, number, locals->list.items[i]));
}

bool cutoff_candidates(const struct cover *cover, const struct pairs *reached, struct cover_targets *targets)
{
    struct cutoff_search candidates = {.threads = cover->threads, .reached = reached, .targets = targets};
    VEC_CLEAR(&targets->list);
    bool is_whole = true;
    for (uint32_t step = 0; step < cover->threads->steps.count && is_whole; step++) {
        take_step(&candidates, step);
        is_whole = !watch_is_up();
    }
    pairs_free(&candidates.seen);
    return is_whole;
}
