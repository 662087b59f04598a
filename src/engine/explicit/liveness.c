/* Liveness as rumur defines it: from every reachable state, a state that satisfies the formula can be reached
 * (AG EF formula). Decided when the whole graph is known, by going backwards from the goals. engine/ctl could decide
 * it, but explores the states a second time: German's protocol with 6 nodes and Peterson's with 6 processes take 1.6
 * to 2.1 times the CPU time that way, with the same memory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

static bool liveness_make_room(struct explicit_search *search, uint32_t number)
{
    uint64_t old = search->goal_words, new = old ? 2 * old : 1024;
    if (number / 64 < old)
        return true;
    if (!budget_take(&search->budget, (new - old) * search->livenesses.count * sizeof(uint64_t)))
        return false;
    for (uint32_t i = 0; i < search->livenesses.count; i++) {
        search->goals[i] = memory_resize(search->goals[i], new * sizeof(uint64_t));
        memset(search->goals[i] + old, 0, (new - old) * sizeof(uint64_t));
    }
    search->goal_words = new;
    return true;
}

bool liveness_note(struct worker *worker, state_id id, const uint64_t *packed, const int32_t *cells, uint32_t length)
{
    struct explicit_search *search = worker->search;
    uint32_t number = (uint32_t)id;
    if (!liveness_make_room(search, number)) {
        search_stop_full(search);
        return false;
    }
    for (uint32_t i = 0; i < search->livenesses.count; i++) {
        const struct property *property = search->livenesses.items[i];
        struct fault fault = {0};
        if (search->decided[property->id])
            continue;
        enum truth truth = stepper_holds(worker->judge, property, cells, &fault);
        if (truth == TRUTH_TRUE)
            search->goals[i][number / 64] |= (uint64_t)1 << number % 64;
        if (truth != TRUTH_FAULT)
            continue;
        struct explicit_finding finding = {property, TRACE_SHOWS_FALSE, fault, id, packed, NULL, 0, length};
        findings_note(search, &finding);
    }
    return true;
}

/* The first state without a mark: breadth first, a nearest one. */
static uint32_t liveness_first_unmarked(const uint64_t *marks, uint32_t states)
{
    for (uint32_t s = 0; s < states; s++)
        if (!(marks[s / 64] >> s % 64 & 1))
            return s;
    return STORE_NO_PARENT;
}

static void liveness_decide_one(struct explicit_search *search, uint32_t which)
{
    const struct property *property = search->livenesses.items[which];
    uint32_t states = store_count(search->store);
    if (states && !edges_close_backwards(search->edges, states, search->goals[which])) {
        struct text limit = {0};
        text_bytes(&limit, search->budget.limit);
        result_set_verdict(search->result, property, VERDICT_UNKNOWN, "memory limit (%s)", text_chars(&limit));
        text_free(&limit);
        search->decided[property->id] = true;
        return;
    }
    uint32_t lost = liveness_first_unmarked(search->goals[which], states);
    if (lost == STORE_NO_PARENT)
        return;
    struct explicit_finding finding = {.property = property, .evidence = TRACE_SHOWS_STATE, .last = lost};
    struct trace *trace = violation_trace(search, &finding);
    if (!trace)
        return;
    result_set_violated(search->result, property, NULL, trace,
                        "from the last state of this run it can never be reached");
    search->decided[property->id] = true;
}

void liveness_decide(struct explicit_search *search)
{
    for (uint32_t i = 0; i < search->livenesses.count; i++)
        if (!search->decided[search->livenesses.items[i]->id])
            liveness_decide_one(search, i);
}
