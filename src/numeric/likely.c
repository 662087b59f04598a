/* Dijkstra's algorithm with products of chances for sums of lengths. */
#include "numeric/likely.h"

#include "numeric/heap.h"

struct likely {
    const struct matrix *matrix;
    const uint32_t *rows;
    double *chance;   /* by state: of the best way found so far */
    uint32_t *before; /* by state: on that way */
    uint8_t *is_done;
    struct heap heap; /* by the negated probability: the likeliest on top */
};

static void relax(struct likely *likely, uint32_t state)
{
    const struct matrix *matrix = likely->matrix;
    uint32_t row = likely->rows[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        double chance = likely->chance[state] * entry->value;
        if (likely->is_done[entry->target] || chance <= likely->chance[entry->target])
            continue;
        likely->chance[entry->target] = chance;
        likely->before[entry->target] = state;
        heap_push(&likely->heap, -chance, entry->target);
    }
}

static double chance_of_step(const struct likely *likely, uint32_t from, uint32_t to)
{
    const struct matrix *matrix = likely->matrix;
    uint64_t i = matrix->row_entry.items[likely->rows[from]];
    while (matrix->entries.items[i].target != to)
        i++;
    return matrix->entries.items[i].value;
}

static void trace_back(const struct likely *likely, uint32_t start, uint32_t end, struct likely_path *path)
{
    uint32_t count = 1;
    for (uint32_t s = end; s != start; s = likely->before[s])
        count++;
    *path = (struct likely_path){memory_zeroed(count, sizeof *path->states),
                                 memory_zeroed(count, sizeof *path->chances), count, likely->chance[end]};
    for (uint32_t s = end, i = count; i-- > 0; s = likely->before[s]) {
        path->states[i] = s;
        path->chances[i] = i ? chance_of_step(likely, likely->before[s], s) : 1;
    }
}

bool likely_path_find(const struct matrix *matrix, const uint32_t *rows, const uint8_t *through, const uint8_t *goal,
                      uint32_t start, struct likely_path *path)
{
    size_t count = matrix_states(matrix);
    struct likely likely = {.matrix = matrix,
                            .rows = rows,
                            .chance = memory_zeroed(count + 1, sizeof(double)),
                            .before = memory_zeroed(count + 1, sizeof(uint32_t)),
                            .is_done = memory_zeroed(count + 1, 1)};
    bool is_found = false;
    likely.chance[start] = 1;
    heap_push(&likely.heap, -1, start);
    while (likely.heap.items.count && !is_found) {
        struct ranked next = heap_pop(&likely.heap);
        if (likely.is_done[next.state])
            continue;
        likely.is_done[next.state] = 1;
        is_found = goal[next.state];
        if (is_found)
            trace_back(&likely, start, next.state, path);
        else if (through[next.state])
            relax(&likely, next.state);
    }
    heap_free(&likely.heap);
    free(likely.chance);
    free(likely.before);
    free(likely.is_done);
    return is_found;
}
