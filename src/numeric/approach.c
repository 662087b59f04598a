#include "numeric/approach.h"

enum { ENTRIES_BETWEEN_QUESTIONS = 1 << 18 };

/* An entry of a row that may be taken, backwards. */
struct approach_step {
    uint32_t source, row;
};

struct approach_search {
    const struct approach *approach;
    uint64_t *first;             /* by number: its steps, one more than there are numbers */
    struct approach_step *steps; /* sorted by the target */
    uint32_t *queue;
    uint32_t found;   /* the length of the queue: states in the set */
    uint64_t entries; /* since go_on was polled */
};

static bool may_go_on(struct approach_search *search, uint64_t entries)
{
    const struct approach *approach = search->approach;
    search->entries += entries;
    if (search->entries < ENTRIES_BETWEEN_QUESTIONS || !approach->go_on)
        return true;
    search->entries = 0;
    return approach->go_on(approach->go_on_user);
}

static void join(struct approach_search *search, uint32_t number, uint8_t *set)
{
    set[number] = 1;
    search->queue[search->found++] = number;
}

/* Counts the steps to each target (steps NULL), or stores them. A state with a row that leaves the component joins. */
static bool take_steps(struct approach_search *search, bool is_count, uint8_t *set, uint32_t *rows)
{
    const struct approach *approach = search->approach;
    const struct matrix *matrix = approach->matrix;
    for (uint32_t i = 0; i < approach->count; i++) {
        uint32_t state = approach->states[i], end = matrix->state_row.items[state + 1];
        for (uint32_t r = matrix->state_row.items[state]; r < end; r++) {
            uint64_t last = matrix->row_entry.items[r + 1];
            if (!approach->may_take(approach->user, i, r))
                continue;
            for (uint64_t e = matrix->row_entry.items[r]; e < last; e++) {
                uint32_t place = approach->place[matrix->entries.items[e].target];
                if (place && is_count) {
                    search->first[place + 1]++;
                } else if (place) {
                    search->steps[search->first[place]++] = (struct approach_step){i, r};
                } else if (!set[i]) {
                    rows[i] = r;
                    join(search, i, set);
                }
            }
            if (!may_go_on(search, last - matrix->row_entry.items[r]))
                return false;
        }
    }
    return true;
}

static bool search_backwards(struct approach_search *search, uint8_t *set, uint32_t *rows)
{
    for (uint32_t begin = 0; begin < search->found; begin++) {
        uint32_t target = search->queue[begin];
        for (uint64_t i = search->first[target]; i < search->first[target + 1]; i++) {
            struct approach_step step = search->steps[i];
            if (set[step.source])
                continue;
            rows[step.source] = step.row;
            join(search, step.source, set);
        }
        if (!may_go_on(search, search->first[target + 1] - search->first[target]))
            return false;
    }
    return true;
}

uint32_t approach_extend(const struct approach *approach, uint8_t *set, uint32_t *rows)
{
    uint32_t count = approach->count;
    struct approach_search search = {.approach = approach,
                                     .first = memory_zeroed((size_t)count + 3, sizeof(uint64_t)),
                                     .queue = memory_zeroed((size_t)count + 1, sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; i++)
        if (set[i])
            search.queue[search.found++] = i;
    bool is_done = take_steps(&search, true, set, rows);
    for (uint32_t i = 0; i <= count; i++)
        search.first[i + 1] += search.first[i];
    search.steps = memory_zeroed(search.first[count + 1] + 1, sizeof *search.steps);
    is_done = is_done && take_steps(&search, false, set, rows) && search_backwards(&search, set, rows);
    free(search.first);
    free(search.steps);
    free(search.queue);
    return is_done ? search.found : APPROACH_STOPPED;
}
