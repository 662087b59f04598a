#include "numeric/collapse.h"

#include "numeric/ends.h"

struct collapse {
    const struct fixpoint *problem;
    const struct ends *ends;
    uint32_t *number; /* by state: its number in the small matrix */
    uint32_t *first;  /* by small state: a state it stands for; the others follow by `next` */
    uint32_t *next;   /* by state; ENDS_NONE: the last */
    uint32_t count;
    struct matrix matrix;
    VEC(double) rewards;
};

static void number_states(struct collapse *collapse)
{
    uint32_t states = matrix_states(collapse->problem->matrix);
    uint32_t *last = memory_zeroed((size_t)states + 1, sizeof *last);                    /* by small state */
    uint32_t *of_end = memory_zeroed((size_t)collapse->ends->count + 1, sizeof *of_end); /* plus 1 */
    for (uint32_t s = 0; s < states; s++) {
        uint32_t end = collapse->ends->of[s];
        collapse->next[s] = ENDS_NONE;
        if (end != ENDS_NONE && of_end[end]) {
            uint32_t number = of_end[end] - 1;
            collapse->next[last[number]] = s;
            last[number] = s;
            collapse->number[s] = number;
            continue;
        }
        collapse->number[s] = collapse->count;
        collapse->first[collapse->count] = last[collapse->count] = s;
        collapse->count++;
        if (end != ENDS_NONE)
            of_end[end] = collapse->count;
    }
    free(last);
    free(of_end);
}

/* All rows but those that go round for free. */
static void copy_rows(struct collapse *collapse, uint32_t state)
{
    const struct matrix *matrix = collapse->problem->matrix;
    for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
        if (collapse->ends->is_kept[r])
            continue;
        matrix_begin_row(&collapse->matrix);
        VEC_PUSH(&collapse->rewards, collapse->problem->row_reward ? collapse->problem->row_reward[r] : 0);
        for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1]; i++)
            matrix_add(&collapse->matrix, collapse->number[matrix->entries.items[i].target],
                       matrix->entries.items[i].value);
    }
}

static void build(struct collapse *collapse)
{
    for (uint32_t small = 0; small < collapse->count; small++) {
        matrix_begin_state(&collapse->matrix);
        for (uint32_t s = collapse->first[small]; s != ENDS_NONE; s = collapse->next[s])
            copy_rows(collapse, s);
    }
    matrix_close(&collapse->matrix);
}

static uint64_t longest_row(const struct matrix *matrix)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < matrix_rows(matrix); r++) {
        uint64_t length = matrix->row_entry.items[r + 1] - matrix->row_entry.items[r];
        most = length > most ? length : most;
    }
    return most;
}

static bool solve(struct collapse *collapse, struct bounds *bounds)
{
    const struct fixpoint *problem = collapse->problem;
    size_t count = collapse->count;
    struct fixpoint small = *problem;
    struct bounds inner = {memory_zeroed(count + 1, sizeof(double)), memory_zeroed(count + 1, sizeof(double))};
    uint8_t *unknown = memory_zeroed(count + 1, 1);
    for (uint32_t k = 0; k < count; k++) {
        unknown[k] = problem->unknown[collapse->first[k]];
        inner.lower[k] = bounds->lower[collapse->first[k]];
        inner.upper[k] = bounds->upper[collapse->first[k]];
    }
    small.matrix = &collapse->matrix;
    small.unknown = unknown;
    small.row_reward = problem->row_reward ? collapse->rewards.items : NULL;
    small.watched = collapse->number[problem->watched];
    small.slack = problem->slack + (double)longest_row(problem->matrix) * 0x1p-52; /* entries were added up */
    bool is_done = fixpoint_enclose(&small, &inner);
    for (uint32_t s = 0; s < matrix_states(problem->matrix); s++) {
        bounds->lower[s] = inner.lower[collapse->number[s]];
        bounds->upper[s] = inner.upper[collapse->number[s]];
    }
    free(inner.lower);
    free(inner.upper);
    free(unknown);
    return is_done;
}

bool collapse_enclose(const struct fixpoint *problem, struct bounds *bounds)
{
    const struct matrix *matrix = problem->matrix;
    uint8_t *is_free = memory_zeroed((size_t)matrix_rows(matrix) + 1, 1);
    for (uint32_t r = 0; r < matrix_rows(matrix); r++)
        is_free[r] = !problem->row_reward || problem->row_reward[r] == 0;
    struct ends *ends = ends_create(matrix, problem->unknown, is_free, problem->go_on, problem->user);
    bool is_done;
    if (!ends) {
        for (uint32_t s = 0; s < matrix_states(matrix); s++)
            if (problem->unknown[s]) {
                bounds->lower[s] = 0;
                bounds->upper[s] = problem->limit;
            }
        is_done = false;
    } else if (ends->count == 0) {
        is_done = fixpoint_enclose(problem, bounds);
    } else {
        size_t states = matrix_states(matrix);
        struct collapse collapse = {.problem = problem,
                                    .ends = ends,
                                    .number = memory_zeroed(states + 1, sizeof(uint32_t)),
                                    .first = memory_zeroed(states + 1, sizeof(uint32_t)),
                                    .next = memory_zeroed(states + 1, sizeof(uint32_t))};
        number_states(&collapse);
        build(&collapse);
        is_done = solve(&collapse, bounds);
        matrix_free(&collapse.matrix);
        VEC_FREE(&collapse.rewards);
        free(collapse.number);
        free(collapse.first);
        free(collapse.next);
    }
    ends_destroy(ends);
    free(is_free);
    return is_done;
}
