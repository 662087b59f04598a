#include "numeric/onward.h"

#include <math.h>
#include <stdlib.h>

#include "numeric/vector.h"

/* Between two looks at the list; and at whether it can end, after so many more of those before, since the weights that
 * are left are added up for that. */
enum { STEPS_BETWEEN_LOOKS = 64, PART_BETWEEN_ENDS = 16 };
/* A jump from a place takes up to 100 ns: so many of them between two looks at the limits. */
enum { PLACES_BETWEEN_LOOKS = 1 << 20 };
/* Which of the jumps are the first: such a part of all. */
enum { PART_EARLY = 64 };
/* So much of itself may a place differ from r times itself: that is a rounding error for each jump, as others are. */
#define LIKE_ROUNDING 0x1p-50

enum place_mark { MARK_OUT, MARK_IN, MARK_END };

struct moving {
    struct onward *onward;
    struct jump_row *rows;
    double *now, *next; /* by place; 0 where it is not in the list */
    uint8_t *marks;     /* by place */
    uint32_t *list;     /* the places with marks; those before `sorted` in ascending order. NULL: all places */
    uint32_t *merged;   /* room for another list */
    uint32_t count, sorted;
    double ratio, distance; /* r and |e| of the last look */
    uint64_t next_end;      /* when it is asked again whether it can end */
    uint64_t since_look;    /* how many places jumped */
    double work;            /* all in all, up to the last look */
    double most_value, most_flow;
    double behind; /* about what was gained in places that have left the list */
};

static uint32_t place_at(const struct moving *moving, uint32_t i)
{
    return moving->list ? moving->list[i] : i;
}

double onward_error_of_jump(uint32_t most_sources)
{
    return ((double)most_sources + 4) * 0x1p-53 + 2 * LIKE_ROUNDING;
}

static void open_lists(struct moving *moving)
{
    const struct onward *onward = moving->onward;
    uint32_t count = jumps_count(onward->jumps);
    moving->rows = jumps_rows(onward->jumps);
    moving->marks = memory_zeroed((size_t)count + 1, 1);
    moving->list = memory_zeroed((size_t)count + 1, sizeof(uint32_t));
    moving->merged = memory_zeroed((size_t)count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        moving->marks[i] = onward->ends[i] ? MARK_END : MARK_OUT;
    moving->marks[onward->start] = MARK_IN;
    moving->list[0] = onward->start;
    moving->count = moving->sorted = 1;
}

static void begin(struct moving *moving)
{
    const struct onward *onward = moving->onward;
    uint32_t count = jumps_count(onward->jumps);
    moving->now = memory_zeroed((size_t)count + 1, sizeof(double));
    moving->next = memory_zeroed((size_t)count + 1, sizeof(double));
    moving->now[onward->start] = 1;
    moving->most_value = vector_greatest(onward->values, count);
    moving->most_flow = vector_greatest(onward->flows, count);
    moving->count = count;
    if (!onward->is_reverse)
        open_lists(moving);
}

static void end(struct moving *moving)
{
    free(moving->rows);
    free(moving->now);
    free(moving->next);
    free(moving->marks);
    free(moving->list);
    free(moving->merged);
}

/* --- a jump --- */

static double gained(const struct onward *onward, uint32_t place)
{
    return onward->at_end[place] * onward->values[place] + onward->on_the_way[place] * onward->flows[place];
}

/* To a place outside of the list: either it gets into the list, or that is lost. */
static void enter(struct moving *moving, uint32_t place, double mass)
{
    if (mass < moving->onward->tiny) {
        moving->onward->lost += mass;
        return;
    }
    moving->marks[place] = MARK_IN;
    moving->list[moving->count++] = place;
    moving->next[place] = mass;
    moving->behind -= gained(moving->onward, place);
}

static void push(struct moving *moving, uint32_t place, double mass)
{
    const struct jump_row row = moving->rows[place];
    double *next = moving->next;
    next[place] += row.shares[0] * mass;
    for (uint32_t j = 0; j < row.length; j++) {
        uint32_t target = row.targets[j];
        if (moving->marks[target] == MARK_IN)
            next[target] += row.shares[j + 1] * mass;
        else if (moving->marks[target] == MARK_OUT)
            enter(moving, target, row.shares[j + 1] * mass);
    }
}

/* From `now` to `next`, which was 0. `now` stays, or is 0 again. */
static void jump_from_list(struct moving *moving, double weight, double tail, bool stays)
{
    double *now = moving->now, *at_end = moving->onward->at_end, *on_the_way = moving->onward->on_the_way;
    for (uint32_t i = 0, count = moving->count; i < count; i++) {
        uint32_t place = moving->list[i];
        double mass = now[place];
        on_the_way[place] += tail * mass;
        if (weight > 0)
            at_end[place] += weight * mass;
        if (!stays)
            now[place] = 0;
        push(moving, place, mass);
    }
}

static void add(const struct moving *moving, double weight, double *sums)
{
    for (uint32_t i = 0; i < moving->count; i++)
        sums[place_at(moving, i)] += weight * moving->now[place_at(moving, i)];
}

/* All at once; whatever was in `next`. */
static void jump_from_all(struct moving *moving, double weight, double tail)
{
    const struct onward *onward = moving->onward;
    if (weight > 0)
        add(moving, weight, onward->at_end);
    jumps_step(onward->jumps, onward->threads, moving->now, tail, onward->on_the_way, moving->next);
}

static void jump(struct moving *moving, double weight, double tail, bool stays)
{
    if (moving->list)
        jump_from_list(moving, weight, tail, stays);
    else
        jump_from_all(moving, weight, tail);
    moving->onward->steps++;
}

static void forget_now(struct moving *moving)
{
    for (uint32_t i = 0; i < moving->count; i++)
        moving->now[moving->list[i]] = 0;
}

static void go_to_next(struct moving *moving)
{
    double *swap = moving->now;
    moving->now = moving->next;
    moving->next = swap;
}

/* --- the list --- */

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Is it still worth a place in the list? */
static bool keeps(struct moving *moving, uint32_t place)
{
    if (moving->now[place] >= moving->onward->tiny)
        return true;
    moving->onward->lost += moving->now[place];
    moving->behind += gained(moving->onward, place);
    moving->now[place] = 0;
    moving->marks[place] = MARK_OUT;
    return false;
}

/* Sorted anew, without places that have become tiny. */
static void tidy(struct moving *moving)
{
    uint32_t *tail = moving->list + moving->sorted, i = 0, j = 0, kept = 0, added = moving->count - moving->sorted;
    qsort(tail, added, sizeof *tail, compare_places);
    while (i < moving->sorted || j < added) {
        bool is_old = j == added || (i < moving->sorted && moving->list[i] < tail[j]);
        uint32_t place = is_old ? moving->list[i++] : tail[j++];
        if (keeps(moving, place))
            moving->merged[kept++] = place;
    }
    uint32_t *swap = moving->list;
    moving->list = moving->merged;
    moving->merged = swap;
    moving->count = moving->sorted = kept;
}

/* --- the sums --- */

static double product(const struct moving *moving, const double *vector, const double *numbers)
{
    double sum = 0;
    for (uint32_t i = 0; i < moving->count; i++)
        sum += vector[place_at(moving, i)] * numbers[place_at(moving, i)];
    return sum;
}

/* With what the roundings lose (Kahan): a ratio of totals that is off would look like a change of all places. */
static double total(const struct moving *moving, const double *vector)
{
    double sum = 0, lost = 0;
    for (uint32_t i = 0; i < moving->count; i++) {
        double item = vector[place_at(moving, i)] - lost, next = sum + item;
        lost = (next - sum) - item;
        sum = next;
    }
    return sum;
}

/* What is next, beside what is now: r, and |e| but for what is like a rounding error. */
static void compare(struct moving *moving)
{
    double before = total(moving, moving->now), after = total(moving, moving->next), distance = 0;
    moving->ratio = before > 0 ? fmin(1, after / before) : 1;
    for (uint32_t i = 0; i < moving->count; i++) {
        uint32_t place = place_at(moving, i);
        double same = moving->ratio * moving->now[place];
        distance += fmax(0, fabs(moving->next[place] - same) - LIKE_ROUNDING * same);
    }
    moving->distance = distance * (1 + 0x1p-20);
}

/* After a part of the jumps: is what was left out worth too much, beside what the sum will be about? */
static bool is_hopeless(struct onward *onward, uint64_t k, double sum)
{
    if (onward->is_small_only && sum > 64 * onward->enough)
        return true;
    onward->is_lossy = !onward->is_patient && k > onward->poisson->last / 8 &&
                       onward->lost * onward->most > fmax(onward->epsilon * sum, onward->enough);
    return onward->is_lossy;
}

enum outlook { GOES_ON, IS_OVER, IS_HOPELESS };

/* Adds the rest, from k on, if that is near enough. */
static enum outlook try_end(struct moving *moving, uint64_t k)
{
    struct onward *onward = moving->onward;
    double left = (double)(onward->poisson->last - k) + 1;
    double end_error = moving->distance * left, way_error = moving->distance * left * left;
    double off = end_error * moving->most_value + way_error * moving->most_flow;
    double at_end = poisson_rest(onward->poisson, false, k, moving->ratio);
    double on_the_way = poisson_rest(onward->poisson, true, k, moving->ratio);
    double sum = fmax(0, moving->behind) + product(moving, onward->at_end, onward->values) +
                 product(moving, onward->on_the_way, onward->flows) +
                 at_end * product(moving, moving->now, onward->values) +
                 on_the_way * product(moving, moving->now, onward->flows);
    if (is_hopeless(onward, k, sum))
        return IS_HOPELESS;
    if (!(off <= fmax(onward->epsilon * sum, onward->enough)))
        return GOES_ON;
    add(moving, at_end, onward->at_end);
    add(moving, on_the_way, onward->on_the_way);
    onward->end_error = end_error;
    onward->way_error = way_error;
    return IS_OVER;
}

/* The k-th jump, with a look at where it led, and whether it can end there. */
static enum outlook jump_and_look(struct moving *moving, uint64_t k, double weight, double tail)
{
    double lost = moving->onward->lost;
    jump(moving, weight, tail, true);
    compare(moving);
    if (moving->list)
        forget_now(moving);
    go_to_next(moving);
    if (moving->list)
        tidy(moving);
    moving->distance += 2 * (moving->onward->lost - lost) * (1 + 0x1p-20); /* that, too, is a part of e */
    if (k < moving->next_end || k >= moving->onward->poisson->last)
        return GOES_ON;
    moving->next_end = k + k / PART_BETWEEN_ENDS;
    return try_end(moving, k + 1);
}

/* Whether a list pays is seen early: where a chain spreads at once, it is over nearly all states soon. */
static bool is_crowd(const struct moving *moving, uint64_t k)
{
    const struct onward *onward = moving->onward;
    bool is_early = onward->most_early && k < onward->poisson->last / PART_EARLY;
    double work_in_all = moving->work * (double)onward->poisson->last / (double)(k + 1);
    return moving->count > (is_early ? onward->most_early : onward->most_places) ||
           (onward->most_work > 0 && moving->work > onward->most_work && work_in_all > onward->most_work_in_all);
}

/* The k-th jump. */
static enum outlook take_jump(struct moving *moving, uint64_t k)
{
    struct onward *onward = moving->onward;
    const struct poisson *poisson = onward->poisson;
    enum outlook outlook = GOES_ON;
    double weight = k < poisson->first ? 0 : poisson->weights[k - poisson->first];
    double tail = k < poisson->first ? 1 : poisson->tails[k - poisson->first];
    bool is_look = (k + 1) % STEPS_BETWEEN_LOOKS == 0;
    if (is_look) {
        outlook = jump_and_look(moving, k, weight, tail);
        onward->is_crowded = moving->list && is_crowd(moving, k);
    } else {
        jump(moving, weight, tail, false);
        go_to_next(moving);
    }
    moving->since_look += moving->count;
    moving->work += moving->count;
    if (outlook != GOES_ON || (!is_look && moving->since_look < PLACES_BETWEEN_LOOKS))
        return outlook;
    moving->since_look = 0;
    return onward->is_crowded || !onward->go_on(onward->user) ? IS_HOPELESS : GOES_ON;
}

bool onward_run(struct onward *onward)
{
    struct moving moving = {.onward = onward};
    uint32_t count = jumps_count(onward->jumps);
    enum outlook outlook = GOES_ON;
    onward->at_end = memory_zeroed((size_t)count + 1, sizeof(double));
    onward->on_the_way = memory_zeroed((size_t)count + 1, sizeof(double));
    begin(&moving);
    for (uint64_t k = 0; outlook == GOES_ON && k <= onward->poisson->last; k++)
        outlook = take_jump(&moving, k);
    end(&moving);
    return outlook != IS_HOPELESS;
}

void onward_free(struct onward *onward)
{
    free(onward->at_end);
    free(onward->on_the_way);
}
