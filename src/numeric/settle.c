#include "numeric/settle.h"

#include <math.h>
#include <string.h>

#include "numeric/absorption.h"
#include "numeric/approach.h"
#include "numeric/drift.h"

enum { MOST_ROUNDS = 1000, MOST_REFINEMENTS = 12, MOST_TERMS = 1 << 21, SWEEPS_BETWEEN_ROUNDS = 32 };

/* A row whose drift is within this share of its variation is as good as the scheduler's. */
static const double TIE = 0x1p-20;
/* Another row is taken when its drift is better by more than this share of its variation, and than the last digits of
 * the value. */
static const double GAIN = 0x1p-50, LAST_DIGITS = 0x1p-98;
/* The same of a sweep, which computes in doubles. */
static const double SWEEP_GAIN = 0x1p-40;
/* What a value counts for the variation when it is left: something, lest states with equal values have none. */
static const double BASE_VARIATION = 0x1p-50;

struct settling {
    const struct fixpoint *problem;
    const uint32_t *states;
    uint32_t count;
    uint32_t *place;          /* by state: its number here, plus 1; 0: none */
    struct drift_field field; /* the values of the scheduler */
    uint32_t *rows;           /* by number: the scheduler */
    struct pair *variation;   /* by number: what they are expected to vary until the component is left, at most */
    double *step;             /* by number: what they vary in a step */
    double *scratch;          /* by number */
    uint32_t *scratch_rows;   /* by number */
    struct absorption *solver;
    uint64_t work, most_work; /* entries and terms that were looked at */
    uint64_t entries;         /* of all rows of the states */
};

static bool is_least(const struct settling *settling)
{
    return settling->problem->extreme == EXTREME_LEAST;
}

/* Is something infinite about it? */
static bool is_endless(const struct settling *settling, uint32_t row)
{
    const struct matrix *matrix = settling->problem->matrix;
    bool is_endless = settling->problem->row_reward && isinf(settling->problem->row_reward[row]);
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1] && !is_endless; i++) {
        uint32_t target = matrix->entries.items[i].target;
        is_endless = !settling->place[target] && isinf(settling->field.outside[target]);
    }
    return is_endless;
}

static double variation_of(const struct settling *settling, uint32_t number, const struct drift *drift)
{
    return drift->up + drift->down + drift->away * BASE_VARIATION * fabs(settling->field.x[number].high);
}

/* --- the values of a scheduler --- */

static void fill_row(void *user, uint32_t number, struct absorption *into)
{
    const struct settling *settling = user;
    const struct matrix *matrix = settling->problem->matrix;
    uint32_t row = settling->rows[number];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        uint32_t place = settling->place[entry->target];
        if (place)
            absorption_add(into, number, place - 1, entry->value);
        else
            absorption_add_exit(into, number, entry->value);
    }
}

static bool may_spend(struct settling *settling, uint64_t work)
{
    const struct fixpoint *problem = settling->problem;
    settling->work += work;
    return settling->work <= settling->most_work && (!problem->go_on || problem->go_on(problem->user));
}

static bool may_eliminate(void *user)
{
    return may_spend(user, ABSORPTION_WORK_BETWEEN_QUESTIONS);
}

static bool factorise(struct settling *settling)
{
    absorption_destroy(settling->solver);
    settling->solver = absorption_create(settling->count, fill_row, settling, MOST_TERMS, may_eliminate, settling);
    return settling->solver != NULL;
}

/* From 0, then by what is still missing, as long as that becomes less. */
static bool evaluate(struct settling *settling)
{
    if (!factorise(settling))
        return false;
    memset(settling->field.x, 0, settling->count * sizeof *settling->field.x);
    double before = INFINITY;
    for (int round = 0; round < MOST_REFINEMENTS; round++) {
        double missing = 0;
        for (uint32_t i = 0; i < settling->count; i++) {
            struct drift drift = drift_of(&settling->field, i, settling->rows[i]);
            settling->scratch[i] = drift_precisely(&settling->field, i, settling->rows[i]);
            double share =
                settling->scratch[i] == 0 ? 0 : fabs(settling->scratch[i]) / variation_of(settling, i, &drift);
            missing = share > missing ? share : missing;
        }
        if (round && (missing < 0x1p-70 || (round > 1 && missing > before / 2)))
            break;
        before = missing;
        absorption_solve(settling->solver, settling->scratch);
        for (uint32_t i = 0; i < settling->count; i++) {
            settling->field.x[i] = pair_add(settling->field.x[i], settling->scratch[i]);
            if (!isfinite(settling->field.x[i].high))
                return false;
        }
    }
    return true;
}

/* --- ways out of the component --- */

static bool is_finite_row(const void *user, uint32_t number, uint32_t row)
{
    (void)number;
    return !is_endless(user, row);
}

static bool is_own_row(const void *user, uint32_t number, uint32_t row)
{
    const struct settling *settling = user;
    return settling->rows[number] == row;
}

/* True if every state can leave the component by rows that may be taken. rows[i] becomes a row on a shortest way out.
 */
static bool find_way_out(struct settling *settling, bool (*may_take)(const void *user, uint32_t number, uint32_t row),
                         uint32_t *rows)
{
    const struct fixpoint *problem = settling->problem;
    struct approach approach = {problem->matrix, settling->states, settling->count, settling->place,
                                may_take,        settling,         problem->go_on,  problem->user};
    uint8_t *is_out = memory_zeroed((size_t)settling->count + 1, 1);
    bool is_found = approach_extend(&approach, is_out, rows) == settling->count;
    free(is_out);
    return is_found;
}

/* A chain has one scheduler. It must leave the component with probability 1: it does if it can from every state. */
static bool leaves(struct settling *settling)
{
    return find_way_out(settling, is_own_row, settling->scratch_rows);
}

/* --- policy iteration --- */

/* What a state gains by another row; 0: nothing that counts. */
typedef double gain_function(const struct settling *settling, uint32_t number, uint32_t row);

/* Takes the row with the greatest gain in each state. Has a row changed? */
static bool exchange_rows(struct settling *settling, gain_function *gain_of)
{
    const struct matrix *matrix = settling->problem->matrix;
    bool is_changed = false;
    for (uint32_t i = 0; i < settling->count; i++) {
        uint32_t state = settling->states[i], own = settling->rows[i];
        double best = 0;
        for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
            double gain = r == own || is_endless(settling, r) ? 0 : gain_of(settling, i, r);
            if (gain <= best)
                continue;
            best = gain;
            settling->rows[i] = r;
            is_changed = true;
        }
    }
    return is_changed;
}

static double gain_in_value(const struct settling *settling, uint32_t number, uint32_t row)
{
    struct drift drift = drift_of(&settling->field, number, row);
    double change = drift_precisely(&settling->field, number, row), gain = is_least(settling) ? -change : change;
    double noise = drift.away * LAST_DIGITS * fabs(settling->field.x[number].high);
    return gain > GAIN * variation_of(settling, number, &drift) + noise ? gain : 0;
}

/* What the row changes about the values of a sweep. `least`: how much of a gain counts. */
static double sweep_change(const struct settling *settling, uint32_t number, uint32_t row, double *least)
{
    const struct matrix *matrix = settling->problem->matrix;
    const double *x = settling->scratch;
    double sum = settling->problem->row_reward ? settling->problem->row_reward[row] : 0, size = fabs(x[number]) + sum;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t target = matrix->entries.items[i].target, place = settling->place[target];
        double difference = (place ? x[place - 1] : settling->field.outside[target]) - x[number];
        sum += matrix->entries.items[i].value * difference;
        size += matrix->entries.items[i].value * fabs(difference);
    }
    *least = SWEEP_GAIN * size;
    return sum;
}

static bool sweep_state(struct settling *settling, uint32_t number)
{
    const struct matrix *matrix = settling->problem->matrix;
    uint32_t state = settling->states[number], end = matrix->state_row.items[state + 1];
    double best = 0, change_of_best = 0;
    for (uint32_t r = matrix->state_row.items[state]; r < end; r++) {
        double least = 0;
        double change = is_endless(settling, r) ? 0 : sweep_change(settling, number, r, &least);
        double gain = is_least(settling) ? -change : change;
        if (change == 0 || gain <= least || gain <= best)
            continue;
        best = gain;
        change_of_best = change;
        settling->rows[number] = r;
    }
    settling->scratch[number] += change_of_best;
    return best > 0;
}

/* A better row is felt by the neighbours at first, and the equations would have to be solved once for every step of a
 * long way. Sweeps carry it further: where they take a row, it is better than what the state had. */
static bool sweep_rows(struct settling *settling)
{
    bool is_changed = true;
    for (uint32_t i = 0; i < settling->count; i++)
        settling->scratch[i] = settling->field.x[i].high;
    for (int sweep = 0; sweep < SWEEPS_BETWEEN_ROUNDS && is_changed; sweep++) {
        is_changed = false;
        for (uint32_t i = 0; i < settling->count; i++)
            is_changed |= sweep_state(settling, i);
        if (!may_spend(settling, settling->entries))
            return false;
    }
    return true;
}

/* A scheduler that is best, or nearly so, and its values. */
static bool find_scheduler(struct settling *settling)
{
    bool is_changed = true;
    for (int round = 0; is_changed && round < MOST_ROUNDS; round++) {
        if (!may_spend(settling, settling->entries) || !evaluate(settling))
            return false;
        is_changed = exchange_rows(settling, gain_in_value);
        if (is_changed && !sweep_rows(settling))
            return false;
    }
    return true; /* a scheduler that could still be better fails in the verification, if it matters */
}

/* --- how much the values vary --- */

static bool is_tied(const struct settling *settling, uint32_t number, uint32_t row)
{
    if (row == settling->rows[number])
        return true;
    struct drift drift = drift_of(&settling->field, number, row);
    return fabs(drift.up - drift.down) <= TIE * variation_of(settling, number, &drift);
}

/* variation[target] - variation[state] expected of the row; outside nothing varies any more. */
static double variation_drift(const struct settling *settling, uint32_t number, uint32_t row)
{
    const struct matrix *matrix = settling->problem->matrix;
    struct pair sum = {0}, own = settling->variation[number];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t place = settling->place[matrix->entries.items[i].target];
        struct pair value = place ? settling->variation[place - 1] : (struct pair){0};
        struct pair difference = pair_plus(value, (struct pair){-own.high, -own.low});
        sum = pair_plus(sum, pair_times(difference, matrix->entries.items[i].value));
    }
    return sum.high;
}

/* Among tied rows: how much more the values vary. */
static double gain_in_variation(const struct settling *settling, uint32_t number, uint32_t row)
{
    if (!is_tied(settling, number, row))
        return 0;
    struct drift drift = drift_of(&settling->field, number, row);
    double variation = variation_of(settling, number, &drift);
    double more = variation + variation_drift(settling, number, row);
    return more > 0.5 * variation ? more : 0;
}

/* The scheduler's: until every step counts for about what it varies by. */
static void sum_variation(struct settling *settling)
{
    memset(settling->variation, 0, settling->count * sizeof *settling->variation);
    for (uint32_t i = 0; i < settling->count; i++) {
        struct drift drift = drift_of(&settling->field, i, settling->rows[i]);
        settling->step[i] = variation_of(settling, i, &drift);
    }
    for (int round = 0, is_near = 0; round < MOST_REFINEMENTS && !is_near; round++) {
        is_near = 1;
        for (uint32_t i = 0; i < settling->count; i++) {
            settling->scratch[i] = settling->step[i] + variation_drift(settling, i, settling->rows[i]);
            is_near = is_near && fabs(settling->scratch[i]) <= settling->step[i] / 8;
        }
        absorption_solve(settling->solver, settling->scratch);
        for (uint32_t i = 0; i < settling->count; i++)
            settling->variation[i] = pair_add(settling->variation[i], settling->scratch[i]);
    }
}

/* The most, nearly, over the schedulers that are as good as the one at hand, which `rows` is no longer afterwards. */
static bool find_variation(struct settling *settling)
{
    bool is_changed = true;
    for (int round = 0; is_changed && round < MOST_ROUNDS; round++) {
        if (round && (!may_spend(settling, settling->entries) || !factorise(settling)))
            return false;
        sum_variation(settling);
        is_changed = exchange_rows(settling, gain_in_variation);
    }
    return true;
}

/* --- verification --- */

/* `is_upper`: certainly above the values of every scheduler; else below them. */
static bool verify_state(const struct settling *settling, uint32_t number, bool is_upper)
{
    const struct matrix *matrix = settling->problem->matrix;
    uint32_t state = settling->states[number];
    for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
        if (is_endless(settling, r)) {
            if (is_upper)
                return false;
            continue;
        }
        struct drift drift = drift_of(&settling->field, number, r);
        if (!(is_upper ? drift_is_falling(&drift) : drift_is_rising(&drift)))
            return false;
    }
    return true;
}

/* The same of one scheduler, which leaves the component for certain. */
static bool verify_row(const struct settling *settling, uint32_t number, uint32_t row, bool is_upper)
{
    struct drift drift = drift_of(&settling->field, number, row);
    return is_upper ? drift_is_falling(&drift) : drift_is_rising(&drift);
}

static bool verify(const struct settling *settling, const uint32_t *scheduler, bool is_upper)
{
    for (uint32_t i = 0; i < settling->count; i++)
        if (!(scheduler ? verify_row(settling, i, scheduler[i], is_upper) : verify_state(settling, i, is_upper)))
            return false;
    return true;
}

static uint64_t longest_row(const struct settling *settling)
{
    const struct matrix *matrix = settling->problem->matrix;
    uint64_t most = 0;
    for (uint32_t i = 0; i < settling->count; i++)
        for (uint32_t r = matrix->state_row.items[settling->states[i]];
             r < matrix->state_row.items[settling->states[i] + 1]; r++) {
            uint64_t length = matrix->row_entry.items[r + 1] - matrix->row_entry.items[r];
            most = length > most ? length : most;
        }
    return most;
}

/* The values moved by some multiple of the variation, the least that can be verified, into `found`. */
static bool move_and_verify(struct settling *settling, const uint32_t *scheduler, bool is_upper, double *found)
{
    struct pair *x = settling->field.x, *moved = memory_zeroed((size_t)settling->count + 1, sizeof *moved);
    double share = 8 * (settling->problem->slack + (double)(longest_row(settling) + 16) * 0x1p-52);
    bool is_verified = false;
    settling->field.x = moved;
    for (; share < 0.01 && !is_verified; share *= 8) {
        for (uint32_t i = 0; i < settling->count; i++)
            moved[i] = pair_plus(x[i], pair_times(settling->variation[i], is_upper ? share : -share));
        is_verified = verify(settling, scheduler, is_upper);
    }
    for (uint32_t i = 0; i < settling->count && is_verified; i++) {
        bool is_zero = moved[i].high == 0 && moved[i].low == 0;
        double value = is_zero ? 0 : nextafter(moved[i].high, is_upper ? INFINITY : -INFINITY);
        found[i] = fmin(fmax(0, value), settling->problem->limit);
    }
    settling->field.x = x;
    free(moved);
    return is_verified;
}

/* One bound. What bounds every scheduler bounds the extreme on one side, what bounds one that leaves for certain on the
 * other. */
static bool enclose_side(struct settling *settling, bool is_upper, double *found)
{
    size_t size = (size_t)settling->count * sizeof *settling->rows;
    uint32_t *scheduler = memory_zeroed((size_t)settling->count + 1, sizeof *scheduler);
    bool is_one = is_least(settling) == is_upper;
    bool is_found = find_scheduler(settling);
    memcpy(scheduler, settling->rows, size);
    is_found = is_found && (!is_one || leaves(settling)) && find_variation(settling);
    memcpy(settling->rows, scheduler, size);
    is_found = is_found && move_and_verify(settling, is_one ? scheduler : NULL, is_upper, found);
    free(scheduler);
    return is_found;
}

static bool enclose(struct settling *settling, struct bounds *bounds, struct bounds *found)
{
    settling->field.outside = bounds->lower;
    if (!find_way_out(settling, is_finite_row, settling->rows) || !enclose_side(settling, false, found->lower))
        return false;
    settling->field.outside = bounds->upper;
    return enclose_side(settling, true, found->upper);
}

static uint64_t entries_of(const struct matrix *matrix, const uint32_t *states, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += matrix->row_entry.items[matrix->state_row.items[states[i] + 1]] -
               matrix->row_entry.items[matrix->state_row.items[states[i]]];
    return sum;
}

bool settle_component(const struct fixpoint *problem, const uint32_t *states, uint32_t count, uint64_t most_work,
                      uint32_t *place, struct bounds *bounds)
{
    size_t size = (size_t)count + 1;
    struct settling settling = {.problem = problem,
                                .states = states,
                                .count = count,
                                .place = place,
                                .field = {problem, place, NULL, memory_zeroed(size, sizeof(struct pair))},
                                .rows = memory_zeroed(size, sizeof *settling.rows),
                                .variation = memory_zeroed(size, sizeof(struct pair)),
                                .step = memory_zeroed(size, sizeof(double)),
                                .scratch = memory_zeroed(size, sizeof(double)),
                                .scratch_rows = memory_zeroed(size, sizeof(uint32_t)),
                                .most_work = most_work,
                                .entries = entries_of(problem->matrix, states, count)};
    struct bounds found = {memory_zeroed(size, sizeof(double)), memory_zeroed(size, sizeof(double))};
    for (uint32_t i = 0; i < count; i++)
        place[states[i]] = i + 1;
    bool is_found = enclose(&settling, bounds, &found);
    for (uint32_t i = 0; i < count; i++) {
        place[states[i]] = 0;
        if (!is_found)
            continue;
        bounds->lower[states[i]] = fmax(bounds->lower[states[i]], found.lower[i]);
        bounds->upper[states[i]] = fmin(bounds->upper[states[i]], found.upper[i]);
    }
    absorption_destroy(settling.solver);
    free(settling.rows);
    free(settling.field.x);
    free(settling.variation);
    free(settling.step);
    free(settling.scratch);
    free(settling.scratch_rows);
    free(found.lower);
    free(found.upper);
    return is_found;
}
