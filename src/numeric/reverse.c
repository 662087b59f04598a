/* Qualitative answers, after the graph algorithms of Bianco and de Alfaro that every probabilistic checker uses. */
#include "numeric/reverse.h"

#include <string.h>

struct reverse *reverse_create(const struct matrix *matrix)
{
    struct reverse *reverse = memory_zeroed(1, sizeof *reverse);
    uint32_t states = matrix_states(matrix), rows = matrix_rows(matrix);
    reverse->matrix = matrix;
    reverse->first = memory_zeroed((size_t)states + 2, sizeof *reverse->first);
    reverse->rows = memory_zeroed(matrix->entries.count + 1, sizeof *reverse->rows);
    reverse->row_state = memory_zeroed((size_t)rows + 1, sizeof *reverse->row_state);
    for (uint32_t s = 0; s < states; s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            reverse->row_state[r] = s;
    for (size_t i = 0; i < matrix->entries.count; i++)
        reverse->first[matrix->entries.items[i].target + 2]++;
    for (uint32_t s = 0; s < states; s++)
        reverse->first[s + 1] += reverse->first[s];
    for (uint32_t r = 0; r < rows; r++)
        for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1]; i++)
            reverse->rows[reverse->first[matrix->entries.items[i].target + 1]++] = r;
    return reverse;
}

void reverse_destroy(struct reverse *reverse)
{
    if (!reverse)
        return;
    free(reverse->first);
    free(reverse->rows);
    free(reverse->row_state);
    free(reverse);
}

struct worklist {
    uint32_t *items;
    size_t count, capacity;
};

/* Asked after so many entries: a large graph takes seconds. */
enum { ENTRIES_A_LOOK = 1 << 18 };

static bool goes_on(const struct reverse *reverse, uint64_t entries, uint64_t *looked)
{
    *looked += entries;
    if (*looked < ENTRIES_A_LOOK)
        return true;
    *looked = 0;
    return !reverse->go_on || reverse->go_on(reverse->user);
}

/* Of a state, backwards. */
static uint64_t entries_into(const struct reverse *reverse, uint32_t state)
{
    return reverse->first[state + 1] - reverse->first[state];
}

static uint32_t row_count(const struct matrix *matrix, uint32_t state)
{
    return matrix->state_row.items[state + 1] - matrix->state_row.items[state];
}

/* Grows `set` backwards from `set` itself through states of `through`: a state joins when one of its rows (is_all: all
 * of its rows) may lead into the set. */
static void grow(const struct reverse *reverse, const uint8_t *through, bool is_all, uint8_t *set)
{
    const struct matrix *matrix = reverse->matrix;
    uint32_t states = matrix_states(matrix);
    struct worklist work = {0};
    uint64_t looked = 0;
    uint32_t *left = is_all ? memory_zeroed((size_t)states + 1, sizeof *left) : NULL;
    uint8_t *is_seen = is_all ? memory_zeroed((size_t)matrix_rows(matrix) + 1, 1) : NULL;
    for (uint32_t s = 0; s < states; s++) {
        if (set[s])
            VEC_PUSH(&work, s);
        if (is_all)
            left[s] = row_count(matrix, s);
    }
    while (work.count && goes_on(reverse, entries_into(reverse, VEC_LAST(&work)), &looked)) {
        uint32_t target = VEC_POP(&work);
        for (uint64_t i = reverse->first[target]; i < reverse->first[target + 1]; i++) {
            uint32_t row = reverse->rows[i], state = reverse->row_state[row];
            if (set[state] || !through[state])
                continue;
            if (is_all) {
                if (is_seen[row])
                    continue;
                is_seen[row] = 1;
                if (--left[state])
                    continue;
            }
            set[state] = 1;
            VEC_PUSH(&work, state);
        }
    }
    VEC_FREE(&work);
    free(left);
    free(is_seen);
}

/* Greatest 0: the goal cannot be reached. Least 0: some scheduler avoids it: not all rows lead towards it. */
void reverse_chance_zero(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, enum extreme extreme,
                         uint8_t *zero)
{
    uint32_t states = matrix_states(reverse->matrix);
    memcpy(zero, right, states);
    grow(reverse, left, extreme == EXTREME_LEAST, zero);
    for (uint32_t s = 0; s < states; s++)
        zero[s] = !zero[s];
}

static bool stays_inside(const struct matrix *matrix, uint32_t row, const uint8_t *set)
{
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (!set[matrix->entries.items[i].target])
            return false;
    return true;
}

/* Least 1: no scheduler has a chance to reach a state from which the goal can be avoided for certain. */
static void least_one(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, uint8_t *one)
{
    uint32_t states = matrix_states(reverse->matrix);
    uint8_t *through = memory_zeroed((size_t)states + 1, 1);
    reverse_chance_zero(reverse, left, right, EXTREME_LEAST, one);
    for (uint32_t s = 0; s < states; s++)
        through[s] = left[s] && !right[s];
    grow(reverse, through, false, one);
    for (uint32_t s = 0; s < states; s++)
        one[s] = !one[s];
    free(through);
}

/* Greatest 1: a set in which some row stays inside and has a way to the goal; shrunk until it is stable. */
static void greatest_one(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, uint8_t *one)
{
    const struct matrix *matrix = reverse->matrix;
    uint32_t states = matrix_states(matrix);
    uint8_t *inner = memory_zeroed((size_t)states + 1, 1);
    struct worklist work = {0};
    uint64_t looked = 0;
    memset(one, 1, states);
    for (bool is_changed = true; is_changed && (!reverse->go_on || reverse->go_on(reverse->user));) {
        memcpy(inner, right, states);
        VEC_CLEAR(&work);
        for (uint32_t s = 0; s < states; s++)
            if (inner[s])
                VEC_PUSH(&work, s);
        while (work.count && goes_on(reverse, entries_into(reverse, VEC_LAST(&work)), &looked)) {
            uint32_t target = VEC_POP(&work);
            for (uint64_t i = reverse->first[target]; i < reverse->first[target + 1]; i++) {
                uint32_t row = reverse->rows[i], state = reverse->row_state[row];
                if (inner[state] || !left[state] || !stays_inside(matrix, row, one))
                    continue;
                inner[state] = 1;
                VEC_PUSH(&work, state);
            }
        }
        is_changed = memcmp(one, inner, states) != 0;
        memcpy(one, inner, states);
    }
    VEC_FREE(&work);
    free(inner);
}

void reverse_chance_one(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, enum extreme extreme,
                        uint8_t *one)
{
    bool is_chain = matrix_rows(reverse->matrix) == matrix_states(reverse->matrix); /* then it takes linear time */
    if (extreme == EXTREME_LEAST || is_chain)
        least_one(reverse, left, right, one);
    else
        greatest_one(reverse, left, right, one);
}
