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

/* The greatest set in which each state has a row that stays inside and, by such rows, a way to the goal. */
struct shrinking {
    const struct reverse *reverse;
    const uint8_t *left, *right;
    uint8_t *set;      /* by state: what is left of the set */
    uint8_t *near;     /* by state: it has a way to the goal */
    uint8_t *has_left; /* by row: it may leave the set */
    uint32_t *staying; /* by state: how many of its rows stay inside */
    struct worklist work;
    uint64_t looked;
};

static bool find_near(struct shrinking *shrinking)
{
    const struct reverse *reverse = shrinking->reverse;
    uint32_t states = matrix_states(reverse->matrix);
    memcpy(shrinking->near, shrinking->right, states);
    VEC_CLEAR(&shrinking->work);
    for (uint32_t s = 0; s < states; s++)
        if (shrinking->near[s])
            VEC_PUSH(&shrinking->work, s);
    while (shrinking->work.count) {
        uint32_t target = VEC_POP(&shrinking->work);
        if (!goes_on(reverse, entries_into(reverse, target) + 1, &shrinking->looked))
            return false;
        for (uint64_t i = reverse->first[target]; i < reverse->first[target + 1]; i++) {
            uint32_t row = reverse->rows[i], state = reverse->row_state[row];
            if (shrinking->near[state] || !shrinking->left[state] || shrinking->has_left[row])
                continue;
            shrinking->near[state] = 1;
            VEC_PUSH(&shrinking->work, state);
        }
    }
    return true;
}

static void leave_out(struct shrinking *shrinking, uint32_t state)
{
    shrinking->set[state] = 0;
    VEC_PUSH(&shrinking->work, state);
}

/* Leaves out the states without a way to the goal, and then those without a row that stays inside: a long chain of
 * these goes in one round. Returns false when nothing changes any more, or go_on said no. */
static bool shrink(struct shrinking *shrinking)
{
    const struct reverse *reverse = shrinking->reverse;
    uint32_t states = matrix_states(reverse->matrix);
    VEC_CLEAR(&shrinking->work);
    for (uint32_t s = 0; s < states; s++)
        if (shrinking->set[s] && !shrinking->near[s])
            leave_out(shrinking, s);
    bool is_changed = shrinking->work.count > 0;
    while (shrinking->work.count) {
        uint32_t gone = VEC_POP(&shrinking->work);
        if (!goes_on(reverse, entries_into(reverse, gone) + 1, &shrinking->looked))
            return false;
        for (uint64_t i = reverse->first[gone]; i < reverse->first[gone + 1]; i++) {
            uint32_t row = reverse->rows[i], state = reverse->row_state[row];
            if (shrinking->has_left[row])
                continue;
            shrinking->has_left[row] = 1;
            if (!--shrinking->staying[state] && shrinking->set[state] && !shrinking->right[state])
                leave_out(shrinking, state);
        }
    }
    return is_changed;
}

static void greatest_one(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, uint8_t *one)
{
    uint32_t states = matrix_states(reverse->matrix);
    struct shrinking shrinking = {.reverse = reverse,
                                  .left = left,
                                  .right = right,
                                  .set = one,
                                  .near = memory_zeroed((size_t)states + 1, 1),
                                  .has_left = memory_zeroed((size_t)matrix_rows(reverse->matrix) + 1, 1),
                                  .staying = memory_zeroed((size_t)states + 1, sizeof(uint32_t))};
    memset(one, 1, states);
    for (uint32_t s = 0; s < states; s++)
        shrinking.staying[s] = row_count(reverse->matrix, s);
    while (find_near(&shrinking) && shrink(&shrinking))
        ;
    VEC_FREE(&shrinking.work);
    free(shrinking.near);
    free(shrinking.has_left);
    free(shrinking.staying);
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
