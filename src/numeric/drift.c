#include "numeric/drift.h"

static double reward_of(const struct drift_field *field, uint32_t row)
{
    return field->problem->row_reward ? field->problem->row_reward[row] : 0;
}

static struct pair value_of(const struct drift_field *field, uint32_t state)
{
    uint32_t place = field->place[state];
    return place ? field->x[place - 1] : (struct pair){field->outside[state], 0};
}

struct drift drift_of(const struct drift_field *field, uint32_t number, uint32_t row)
{
    const struct matrix *matrix = field->problem->matrix;
    uint64_t first = matrix->row_entry.items[row], end = matrix->row_entry.items[row + 1];
    struct pair own = field->x[number];
    struct drift drift = {.up = reward_of(field, row)};
    for (uint64_t i = first; i < end; i++) {
        uint32_t target = matrix->entries.items[i].target;
        struct pair value = value_of(field, target);
        double probability = matrix->entries.items[i].value, difference = pair_difference(value, own);
        drift.away += field->place[target] == number + 1 ? 0 : probability;
        if (value.high == own.high && value.low == own.low)
            continue;
        *(difference > 0 ? &drift.up : &drift.down) += probability * fabs(difference);
        drift.off += probability * PAIR_ERROR * (fabs(value.high) + fabs(own.high)) + 0x1p-1060;
    }
    drift.share = 1.01 * field->problem->slack + (double)(end - first + 16) * 0x1p-52;
    return drift;
}

struct pair drift_pair(const struct drift_field *field, uint32_t number, uint32_t row)
{
    const struct matrix *matrix = field->problem->matrix;
    struct pair own = field->x[number], sum = {reward_of(field, row), 0};
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        struct pair value = value_of(field, matrix->entries.items[i].target);
        struct pair difference = pair_plus(value, (struct pair){-own.high, -own.low});
        sum = pair_plus(sum, pair_times(difference, matrix->entries.items[i].value));
    }
    return sum;
}

bool drift_is_falling(const struct drift *drift)
{
    return (drift->up == 0 && drift->off == 0) ||
           drift->up * (1 + drift->share) + 1.01 * drift->off <= drift->down * (1 - drift->share);
}

bool drift_is_rising(const struct drift *drift)
{
    return (drift->down == 0 && drift->off == 0) ||
           drift->down * (1 + drift->share) + 1.01 * drift->off <= drift->up * (1 - drift->share);
}
