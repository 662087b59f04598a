#include "engine/probabilistic/walk.h"

#include <string.h>

enum { NOT_SEEN = UINT32_MAX, MOST_ROUNDS = 1000, MOST_STEPS = 1 << 20 };

void walk_free(struct markov_walk *walk)
{
    VEC_FREE(&walk->states);
    *walk = (struct markov_walk){0};
}

static void trace_back(const uint32_t *before, uint32_t end, struct markov_walk *walk)
{
    size_t first = walk->states.count;
    for (uint32_t s = end;; s = before[s]) {
        VEC_PUSH(&walk->states, s);
        if (before[s] == s)
            break;
    }
    for (size_t i = first, k = walk->states.count - 1; i < k; i++, k--) {
        uint32_t swap = walk->states.items[i];
        walk->states.items[i] = walk->states.items[k];
        walk->states.items[k] = swap;
    }
}

bool walk_find(struct markov *markov, const uint8_t *from, const uint8_t *through, const uint8_t *goal,
               struct markov_walk *walk)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t count = markov_count(markov), end = 0, found = NOT_SEEN;
    uint32_t *before = memory_zeroed((size_t)count + 1, sizeof *before);
    uint32_t *queue = memory_zeroed((size_t)count + 1, sizeof *queue);
    memset(before, 0xff, count * sizeof *before);
    for (uint32_t s = 0; s < markov->initial_count; s++)
        if (!from || from[s]) {
            before[s] = s;
            queue[end++] = s;
        }
    for (uint32_t begin = 0; begin < end && found == NOT_SEEN; begin++) {
        uint32_t state = queue[begin];
        if (goal[state])
            found = state;
        if (goal[state] || (through && !through[state]))
            continue;
        uint64_t last = matrix->row_entry.items[matrix->state_row.items[state + 1]];
        for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < last; i++) {
            uint32_t target = matrix->entries.items[i].target;
            if (before[target] != NOT_SEEN)
                continue;
            before[target] = state;
            queue[end++] = target;
        }
    }
    if (found != NOT_SEEN)
        trace_back(before, found, walk);
    free(before);
    free(queue);
    return found != NOT_SEEN;
}

bool walk_step(struct markov *markov, const uint8_t *set, struct markov_walk *walk)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t state = VEC_LAST(&walk->states);
    uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
    for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
        if (set[matrix->entries.items[i].target]) {
            VEC_PUSH(&walk->states, matrix->entries.items[i].target);
            return true;
        }
    return false;
}

void walk_go_round(struct markov *markov, const uint8_t *set, struct markov_walk *walk)
{
    uint32_t *place = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *place); /* plus 1 */
    uint32_t state = VEC_LAST(&walk->states);
    while (!markov->is_deadlock.items[state] && !place[state]) {
        place[state] = (uint32_t)walk->states.count;
        if (!walk_step(markov, set, walk))
            break;
        state = VEC_LAST(&walk->states);
    }
    if (place[state]) {
        walk->has_loop = true;
        walk->loop = place[state] - 1;
    }
    free(place);
}

bool walk_start(struct outcomes *outcomes, uint32_t state, struct trace *trace)
{
    struct step step;
    enum step_outcome outcome;
    uint32_t number;
    stepper_begin_starts(outcomes->stepper);
    while ((outcome = stepper_next(outcomes->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && outcomes_number(outcomes, step.cells, &number) && number == state) {
            trace_push(trace, step.rule, step.instance, step.cells, NULL);
            return true;
        }
    return false;
}

/* By the first step that may happen and leads there. */
static bool follow(struct outcomes *outcomes, uint32_t state, struct trace *trace)
{
    struct markov *markov = outcomes->markov;
    struct step step;
    enum step_outcome outcome;
    double weight;
    uint32_t number;
    memcpy(outcomes->source, trace->steps[trace->count - 1].cells, markov->layout->cell_count * sizeof(int32_t));
    weigher_load(outcomes->weigher, outcomes->source);
    stepper_begin_successors(outcomes->stepper, outcomes->source);
    while ((outcome = stepper_next(outcomes->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && outcomes_number(outcomes, step.cells, &number) && number == state &&
            weigher_weigh(outcomes->weigher, step.rule, step.instance, &weight) && weight > 0) {
            trace_push(trace, step.rule, step.instance, step.cells, NULL);
            return true;
        }
    return false;
}

/* Has the last state of the run, which is at the position of the loop, been there before? */
static bool close_loop(const struct markov_walk *walk, struct trace *trace, size_t size)
{
    uint32_t period = (uint32_t)walk->states.count - 1 - walk->loop;
    const int32_t *last = trace->steps[trace->count - 1].cells;
    for (uint32_t i = walk->loop; i + 1 < trace->count; i += period)
        if (!memcmp(trace->steps[i].cells, last, size)) {
            trace->has_loop = true;
            trace->loop = i;
            return true;
        }
    return false;
}

static bool go_round(struct outcomes *outcomes, const struct markov_walk *walk, struct trace *trace)
{
    size_t size = outcomes->markov->layout->cell_count * sizeof(int32_t);
    bool is_right = true;
    for (int round = 0; is_right && !close_loop(walk, trace, size); round++) {
        if (round == MOST_ROUNDS || trace->count > MOST_STEPS)
            return true; /* a long run, with no end in sight */
        for (size_t i = walk->loop + 1; i < walk->states.count && is_right; i++)
            is_right = follow(outcomes, walk->states.items[i], trace);
    }
    return is_right;
}

struct trace *walk_run(struct markov *markov, const struct markov_walk *walk)
{
    struct outcomes *outcomes = outcomes_create(markov);
    struct trace *trace = trace_create(markov->layout->system, markov->layout);
    bool is_right = walk_start(outcomes, walk->states.items[0], trace);
    for (size_t i = 1; i < walk->states.count && is_right; i++)
        is_right = follow(outcomes, walk->states.items[i], trace);
    if (is_right && walk->has_loop)
        is_right = go_round(outcomes, walk, trace);
    outcomes_destroy(outcomes);
    if (is_right)
        return trace;
    trace_destroy(trace);
    return NULL;
}
