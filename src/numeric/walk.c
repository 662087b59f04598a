#include "numeric/walk.h"

#include "base/hash.h"

enum { STEPS_FOR_A_STATE = 256, MOST_STEPS = 1 << 21, STEPS_BETWEEN_LOOKS = 1 << 16 };

/* The probability to get to another state, and how many entries that took to look at. */
static double away_of(const struct walk *walk, uint32_t state, uint64_t *passed)
{
    const struct matrix *matrix = walk->matrix;
    uint32_t row = matrix->state_row.items[state];
    double away = 0;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        away += matrix->entries.items[e].target == state ? 0 : matrix->entries.items[e].value;
    *passed += matrix->row_entry.items[row + 1] - matrix->row_entry.items[row] + 1;
    return away;
}

/* Which other state a number between 0 and `away` leads to; the last one, if roundings leave something over. */
static uint32_t next_of(const struct walk *walk, uint32_t state, double number)
{
    const struct matrix *matrix = walk->matrix;
    uint32_t row = matrix->state_row.items[state], next = state;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1] && number >= 0; e++) {
        const struct entry *entry = &matrix->entries.items[e];
        if (entry->target == state)
            continue;
        next = entry->target;
        number -= entry->value;
    }
    return next;
}

bool walk_shares(const struct walk *walk, uint32_t from, uint32_t count, double *share)
{
    const struct matrix *matrix = walk->matrix;
    uint64_t seed = 1, length = (uint64_t)count * STEPS_FOR_A_STATE, passed = 0, next_look = 0;
    double time = 0;
    length = length < MOST_STEPS ? length : MOST_STEPS; /* in entries that were looked at: rows may be long */
    for (uint32_t at = from; passed < length || !(time > 0);) {
        if (passed >= next_look) {
            if (walk->go_on && !walk->go_on(walk->user))
                return false;
            next_look = passed + STEPS_BETWEEN_LOOKS;
        }
        bool counts = passed >= length / 2;
        double away = away_of(walk, at, &passed);
        if (counts) {
            double rate = walk->row_rate ? walk->row_rate[matrix->state_row.items[at]] : 1;
            double stay = away > 0 ? 1 / (rate * away) : 1;
            share[at] += stay;
            time += stay;
        }
        seed = hash_mix(seed + 1);
        at = next_of(walk, at, away * (double)(seed >> 11) * 0x1p-53);
    }
    for (uint32_t s = 0; s < matrix_states(matrix); s++)
        share[s] /= time;
    return true;
}
