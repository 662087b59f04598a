#include "symmetry/facts.h"

#include <string.h>

enum { FACTS_MOST_ROUNDS = 64, FACTS_LONGEST_CYCLE = 5, FACTS_MOST_CYCLES = 4000, FACTS_DEEPEST = 4096 };

struct linear_sum linear_unknown(uint32_t unknown)
{
    return (struct linear_sum){.count = 1, .terms = {{unknown, 1}}};
}

struct linear_sum linear_negate(struct linear_sum sum)
{
    sum.constant = -sum.constant;
    for (uint32_t t = 0; t < sum.count; t++)
        sum.terms[t].factor = -sum.terms[t].factor;
    return sum;
}

/* The next term of the merged sum: from one side, or from both. */
static struct linear_term linear_merge(const struct linear_sum *sum, uint32_t *at, const struct linear_sum *other,
                                       uint32_t *to, int64_t times, int64_t *factor)
{
    bool has_sum = *at < sum->count, has_other = *to < other->count;
    uint32_t unknown = has_sum ? sum->terms[*at].unknown : UINT32_MAX;
    if (has_other && other->terms[*to].unknown < unknown)
        unknown = other->terms[*to].unknown;
    *factor = 0;
    if (has_sum && sum->terms[*at].unknown == unknown)
        *factor += sum->terms[(*at)++].factor;
    if (has_other && other->terms[*to].unknown == unknown)
        *factor += times * other->terms[(*to)++].factor;
    return (struct linear_term){unknown, (int32_t)*factor};
}

bool linear_add(struct linear_sum *sum, const struct linear_sum *other, int64_t times)
{
    struct linear_sum result = {0};
    uint32_t at = 0, to = 0;
    int64_t factor;
    if (times > LINEAR_MOST_FACTOR || times < -LINEAR_MOST_FACTOR || other->constant > INT32_MAX ||
        other->constant < INT32_MIN)
        return false;
    result.constant = sum->constant + times * other->constant;
    if (result.constant > INT64_MAX / 4 || result.constant < INT64_MIN / 4)
        return false;
    while (at < sum->count || to < other->count) {
        struct linear_term term = linear_merge(sum, &at, other, &to, times, &factor);
        if (factor > LINEAR_MOST_FACTOR || factor < -LINEAR_MOST_FACTOR || (factor && result.count == LINEAR_MOST))
            return false;
        if (factor)
            result.terms[result.count++] = term;
    }
    *sum = result;
    return true;
}

uint32_t facts_add_unknown(struct facts *facts, int64_t lo, int64_t hi)
{
    struct unknown_bounds bounds = {lo, hi};
    VEC_PUSH(&facts->unknowns, bounds);
    return (uint32_t)facts->unknowns.count - 1;
}

void facts_clear(struct facts *facts)
{
    VEC_CLEAR(&facts->unknowns);
    VEC_CLEAR(&facts->list);
}

void facts_free(struct facts *facts)
{
    VEC_FREE(&facts->unknowns);
    VEC_FREE(&facts->list);
}

static void sum_range(const struct linear_sum *sum, const struct unknown_bounds *bounds, int64_t *lo, int64_t *hi)
{
    *lo = *hi = sum->constant;
    for (uint32_t t = 0; t < sum->count; t++) {
        const struct unknown_bounds *of = &bounds[sum->terms[t].unknown];
        int64_t factor = sum->terms[t].factor;
        *lo += factor * (factor > 0 ? of->lo : of->hi);
        *hi += factor * (factor > 0 ? of->hi : of->lo);
    }
}

void facts_range(const struct facts *facts, const struct linear_sum *sum, int64_t *lo, int64_t *hi)
{
    sum_range(sum, facts->unknowns.items, lo, hi);
}

/* --- bounds --- */

static int64_t divide_down(int64_t value, int64_t by) /* by > 0 */
{
    return value >= 0 ? value / by : -((-value + by - 1) / by);
}

/* What sum <= 0 says of one unknown, the others being as low as they can. */
static bool narrow_term(struct linear_term term, int64_t least, struct unknown_bounds *of, bool *has_changed)
{
    int64_t factor = term.factor;
    int64_t room = -(least - factor * (factor > 0 ? of->lo : of->hi)); /* factor * unknown <= room */
    if (factor > 0 && divide_down(room, factor) < of->hi) {
        of->hi = divide_down(room, factor);
        *has_changed = true;
    }
    if (factor < 0 && -divide_down(room, -factor) > of->lo) {
        of->lo = -divide_down(room, -factor);
        *has_changed = true;
    }
    return of->lo <= of->hi;
}

/* sum != 0: says something when one unknown is left, at the border of what it may be. */
static bool narrow_not(const struct linear_sum *sum, struct unknown_bounds *bounds, bool *has_changed)
{
    int64_t rest = sum->constant;
    const struct linear_term *open = NULL;
    for (uint32_t t = 0; t < sum->count; t++) {
        const struct unknown_bounds *of = &bounds[sum->terms[t].unknown];
        if (of->lo == of->hi)
            rest += sum->terms[t].factor * of->lo;
        else if (open)
            return true;
        else
            open = &sum->terms[t];
    }
    if (!open)
        return rest != 0;
    struct unknown_bounds *of = &bounds[open->unknown];
    if (rest % open->factor)
        return true;
    int64_t banned = -rest / open->factor;
    *has_changed |= banned == of->lo || banned == of->hi;
    of->lo += banned == of->lo;
    of->hi -= banned == of->hi;
    return of->lo <= of->hi;
}

static bool narrow_fact(const struct linear_fact *fact, struct unknown_bounds *bounds, bool *has_changed)
{
    int64_t lo, hi;
    if (fact->kind == FACT_NOT)
        return narrow_not(&fact->sum, bounds, has_changed);
    sum_range(&fact->sum, bounds, &lo, &hi);
    if (lo > 0)
        return false;
    for (uint32_t t = 0; hi > 0 && t < fact->sum.count; t++) {
        if (!narrow_term(fact->sum.terms[t], lo, &bounds[fact->sum.terms[t].unknown], has_changed))
            return false;
        sum_range(&fact->sum, bounds, &lo, &hi);
    }
    return true;
}

/* False: nothing is left for some unknown. */
static bool facts_narrow(const struct facts *facts, struct unknown_bounds *bounds, uint32_t *tries)
{
    bool has_changed = true;
    for (int round = 0; has_changed && round < FACTS_MOST_ROUNDS; round++) {
        has_changed = false;
        *tries += (uint32_t)facts->list.count;
        for (size_t f = 0; f < facts->list.count; f++)
            if (!narrow_fact(&facts->list.items[f], bounds, &has_changed))
                return false;
    }
    return true;
}

/* --- cycles --- */

/* Do facts add up, with this sum, to a positive constant that is at most zero? Each is chosen to cancel the first
 * unknown left. */
static bool facts_close_cycle(const struct facts *facts, const struct linear_sum *sum, int length, uint32_t *tries)
{
    if (!sum->count)
        return sum->constant > 0;
    if (!length)
        return false;
    for (size_t f = 0; f < facts->list.count && *tries < FACTS_MOST_CYCLES; f++) {
        ++*tries;
        const struct linear_fact *fact = &facts->list.items[f];
        struct linear_sum next = *sum;
        bool cancels = false;
        for (uint32_t t = 0; fact->kind == FACT_AT_MOST && t < fact->sum.count; t++)
            cancels |= fact->sum.terms[t].unknown == sum->terms[0].unknown &&
                       fact->sum.terms[t].factor == -sum->terms[0].factor;
        if (cancels && linear_add(&next, &fact->sum, 1) && next.count <= sum->count &&
            facts_close_cycle(facts, &next, length - 1, tries))
            return true;
    }
    return false;
}

static bool linear_equal(const struct linear_sum *a, const struct linear_sum *b, int sign)
{
    struct linear_sum difference = *a;
    return linear_add(&difference, b, -sign) && !difference.count && !difference.constant;
}

/* Is it known that the sum is zero, or (FACT_NOT) that it is not? */
static bool facts_know(const struct facts *facts, const struct linear_sum *sum, enum fact_kind kind)
{
    bool is_low = false, is_high = false;
    for (size_t f = 0; f < facts->list.count; f++) {
        const struct linear_fact *fact = &facts->list.items[f];
        if (fact->kind != kind)
            continue;
        is_low |= linear_equal(sum, &fact->sum, 1);
        is_high |= linear_equal(sum, &fact->sum, -1);
    }
    return kind == FACT_NOT ? is_low || is_high : is_low && is_high;
}

static bool facts_is_narrow(const struct facts *facts, uint32_t *tries)
{
    size_t size = facts->unknowns.count * sizeof(struct unknown_bounds);
    struct unknown_bounds *bounds = memory_alloc(size + 1);
    if (size)
        memcpy(bounds, facts->unknowns.items, size);
    bool is_possible = facts_narrow(facts, bounds, tries);
    free(bounds);
    return is_possible;
}

bool facts_add(struct facts *facts, enum fact_kind kind, struct linear_sum sum)
{
    struct linear_fact fact = {kind, sum};
    uint32_t tries = 0;
    bool is_refuted = kind == FACT_NOT ? facts_know(facts, &sum, FACT_AT_MOST)
                                       : facts_close_cycle(facts, &sum, FACTS_LONGEST_CYCLE, &tries);
    VEC_PUSH(&facts->list, fact);
    bool is_possible = !is_refuted && facts_is_narrow(facts, &tries);
    facts->work += tries;
    return is_possible;
}

bool facts_add_equal(struct facts *facts, struct linear_sum sum)
{
    if (facts_know(facts, &sum, FACT_NOT))
        return false;
    return facts_add(facts, FACT_AT_MOST, sum) && facts_add(facts, FACT_AT_MOST, linear_negate(sum));
}

/* --- values --- */

/* The open unknown with the fewest values left; UINT32_MAX: all have one. */
static uint32_t solve_pick(const struct facts *facts, const struct unknown_bounds *bounds)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t u = 0; u < facts->unknowns.count; u++)
        if (bounds[u].lo < bounds[u].hi &&
            (best == UINT32_MAX || bounds[u].hi - bounds[u].lo < bounds[best].hi - bounds[best].lo))
            best = u;
    return best;
}

/* All unknowns have one value: narrowing may have ended before it looked at every fact again. */
static bool solve_confirm(const struct facts *facts, const struct unknown_bounds *bounds)
{
    int64_t lo, hi;
    for (size_t f = 0; f < facts->list.count; f++) {
        sum_range(&facts->list.items[f].sum, bounds, &lo, &hi);
        if (facts->list.items[f].kind == FACT_NOT ? lo == 0 : lo > 0)
            return false;
    }
    return true;
}

/* `bounds` are narrowed on the way. */
static enum facts_answer solve_split(const struct facts *facts, struct unknown_bounds *bounds, int depth,
                                     int64_t *values, uint64_t *work)
{
    size_t count = facts->unknowns.count;
    uint32_t tries = 1;
    if (!*work || depth > FACTS_DEEPEST)
        return FACTS_UNDECIDED;
    bool is_possible = facts_narrow(facts, bounds, &tries);
    *work -= tries < *work ? tries : *work;
    if (!is_possible)
        return FACTS_IMPOSSIBLE;
    uint32_t pick = solve_pick(facts, bounds);
    if (pick == UINT32_MAX) {
        for (size_t u = 0; u < count; u++)
            values[u] = bounds[u].lo;
        return solve_confirm(facts, bounds) ? FACTS_POSSIBLE : FACTS_IMPOSSIBLE;
    }
    enum facts_answer answer = FACTS_IMPOSSIBLE;
    struct unknown_bounds *half = memory_alloc(count * sizeof *half);
    int64_t middle = bounds[pick].hi - bounds[pick].lo < 8 ? bounds[pick].lo
                                                           : bounds[pick].lo + (bounds[pick].hi - bounds[pick].lo) / 2;
    for (int side = 0; side < 2 && answer == FACTS_IMPOSSIBLE; side++) {
        memcpy(half, bounds, count * sizeof *half);
        if (side)
            half[pick].lo = middle + 1;
        else
            half[pick].hi = middle;
        answer = solve_split(facts, half, depth + 1, values, work);
    }
    free(half);
    return answer;
}

enum facts_answer facts_solve(const struct facts *facts, int64_t *values, uint64_t *work)
{
    size_t size = facts->unknowns.count * sizeof(struct unknown_bounds);
    struct unknown_bounds *bounds = memory_alloc(size + 1);
    if (size)
        memcpy(bounds, facts->unknowns.items, size);
    enum facts_answer answer = solve_split(facts, bounds, 0, values, work);
    free(bounds);
    return answer;
}
