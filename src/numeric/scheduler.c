#include "numeric/scheduler.h"

#include <math.h>

/* Rows whose values differ by less are as good as each other: the values are only near the true ones. */
static const double TOLERANCE = 1e-9;

struct choosing {
    const struct reverse *reverse;
    const struct fixpoint *problem;
    const double *values;
    double *best; /* by state */
    uint32_t *rows;
};

static double row_worth(const struct choosing *choosing, uint32_t row)
{
    const struct matrix *matrix = choosing->problem->matrix;
    double sum = choosing->problem->row_reward ? choosing->problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        sum += matrix->entries.items[i].value * choosing->values[matrix->entries.items[i].target];
    return sum;
}

static void choose_best(struct choosing *choosing, uint32_t state)
{
    const struct matrix *matrix = choosing->problem->matrix;
    bool is_least = choosing->problem->extreme == EXTREME_LEAST;
    uint32_t first = matrix->state_row.items[state];
    choosing->rows[state] = first;
    choosing->best[state] = row_worth(choosing, first);
    for (uint32_t row = first + 1; row < matrix->state_row.items[state + 1]; row++) {
        double worth = row_worth(choosing, row);
        if (is_least ? worth < choosing->best[state] : worth > choosing->best[state]) {
            choosing->best[state] = worth;
            choosing->rows[state] = row;
        }
    }
}

static bool is_as_good(const struct choosing *choosing, uint32_t row, uint32_t state)
{
    double worth = row_worth(choosing, row), best = choosing->best[state];
    return worth == best || fabs(worth - best) <= (TOLERANCE + choosing->problem->epsilon) * fabs(best);
}

/* Backwards from the goal, through the rows that are as good as the best. */
static void prefer_progress(struct choosing *choosing, const uint8_t *through, const uint8_t *goal)
{
    const struct reverse *reverse = choosing->reverse;
    uint32_t count = matrix_states(choosing->problem->matrix);
    uint8_t *is_near = memory_zeroed((size_t)count + 1, 1);
    uint32_t *queue = memory_zeroed((size_t)count + 1, sizeof *queue), end = 0;
    for (uint32_t s = 0; s < count; s++)
        if (goal[s]) {
            is_near[s] = 1;
            queue[end++] = s;
        }
    for (uint32_t begin = 0; begin < end; begin++)
        for (uint64_t i = reverse->first[queue[begin]]; i < reverse->first[queue[begin] + 1]; i++) {
            uint32_t row = reverse->rows[i], state = reverse->row_state[row];
            if (is_near[state] || !through[state] || !is_as_good(choosing, row, state))
                continue;
            is_near[state] = 1;
            choosing->rows[state] = row;
            queue[end++] = state;
        }
    free(queue);
    free(is_near);
}

void scheduler_choose(const struct reverse *reverse, const struct fixpoint *problem, const double *values,
                      const uint8_t *through, const uint8_t *goal, uint32_t *rows)
{
    uint32_t count = matrix_states(problem->matrix);
    struct choosing choosing = {reverse, problem, values, memory_zeroed((size_t)count + 1, sizeof(double)), rows};
    for (uint32_t s = 0; s < count; s++)
        choose_best(&choosing, s);
    prefer_progress(&choosing, through, goal);
    free(choosing.best);
}
