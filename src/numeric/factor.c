#include "numeric/factor.h"

#include "base/memory.h"
#include "base/vec.h"

enum { ROWS_BETWEEN_QUESTIONS = 1 << 12, WORK_BETWEEN_QUESTIONS = 1 << 22 };
/* A way through an eliminated state may lead back but for a little, so that what it leads to otherwise is the greater
 * part of what remains: less of these is left out. */
static const double PART_OF_TOLERANCE = 0.125;

struct chain_factor {
    uint32_t count;
    /* By number: from first[i] on, the eliminated states that it led to, and how often it passes each; from middle[i]
     * on, those it leads to then. */
    uint64_t *first, *middle;
    uint32_t *target;
    double *value;
    double *pivot; /* by number: all that it leads to then, and out */
};

struct factor_way {
    uint32_t target;
    double value;
};

struct factoring {
    const struct krylov_chain *chain;
    const struct factor_limits *limits;
    struct chain_factor *factor;
    uint64_t entries, capacity;
    double *leave;              /* by number, of those before: out of the component */
    VEC(struct factor_way) row; /* of the state at hand */
    VEC(uint32_t) earlier;      /* a heap of the targets before it that are still to be passed, the least on top */
    uint32_t *place;            /* by number: where it stands in the row, plus 1 */
    uint64_t work, last_work;
};

/* --- the targets in their order --- */

static void push_earlier(struct factoring *at, uint32_t target)
{
    VEC_PUSH(&at->earlier, target);
    uint32_t *items = at->earlier.items;
    size_t i = at->earlier.count - 1;
    for (; i > 0 && items[(i - 1) / 2] > target; i = (i - 1) / 2)
        items[i] = items[(i - 1) / 2];
    items[i] = target;
}

static uint32_t pop_earlier(struct factoring *at)
{
    uint32_t *items = at->earlier.items, top = items[0], last = VEC_POP(&at->earlier);
    size_t count = at->earlier.count, i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && items[child + 1] < items[child])
            child++;
        if (items[child] >= last)
            break;
        items[i] = items[child];
        i = child;
    }
    if (count)
        items[i] = last;
    return top;
}

/* --- a row --- */

/* What comes back to the state itself does not count. */
static void add_way(struct factoring *at, uint32_t own, uint32_t target, double value)
{
    if (target == own)
        return;
    uint32_t place = at->place[target];
    if (place) {
        at->row.items[place - 1].value += value;
        return;
    }
    VEC_PUSH(&at->row, ((struct factor_way){target, value}));
    at->place[target] = (uint32_t)at->row.count;
    if (target < own)
        push_earlier(at, target);
}

static bool put_entry(struct factoring *at, uint32_t target, double value)
{
    struct chain_factor *factor = at->factor;
    if (at->entries == at->capacity) {
        if (at->capacity >= at->limits->most_entries)
            return false;
        uint64_t wider = 2 * at->capacity + 64;
        at->capacity = wider < at->limits->most_entries ? wider : at->limits->most_entries;
        factor->target = memory_resize(factor->target, at->capacity * sizeof *factor->target);
        factor->value = memory_resize(factor->value, at->capacity * sizeof *factor->value);
    }
    factor->target[at->entries] = target;
    factor->value[at->entries++] = value;
    return true;
}

static double take_row(struct factoring *at, uint32_t own)
{
    const struct krylov_chain *chain = at->chain;
    double sum = chain->leave[own];
    VEC_CLEAR(&at->row);
    for (uint64_t e = chain->first[own]; e < chain->first[own + 1]; e++) {
        add_way(at, own, chain->target[e], chain->value[e]);
        sum += chain->value[e];
    }
    return sum;
}

/* Instead of to states before it, to where those lead. `least`: less is left out. */
static bool pass_earlier(struct factoring *at, uint32_t own, double least)
{
    struct chain_factor *factor = at->factor;
    while (at->earlier.count) {
        uint32_t by = pop_earlier(at);
        double value = at->row.items[at->place[by] - 1].value, passes = value / factor->pivot[by];
        if (!(value >= least))
            continue;
        if (!put_entry(at, by, passes))
            return false;
        at->leave[own] += passes * at->leave[by];
        at->work += factor->first[by + 1] - factor->middle[by];
        for (uint64_t e = factor->middle[by]; e < factor->first[by + 1]; e++)
            add_way(at, own, factor->target[e], passes * factor->value[e]);
    }
    return true;
}

/* What remains, unless it is too little of it. */
static bool keep_later(struct factoring *at, uint32_t own)
{
    double all = at->leave[own], kept = all;
    bool has_room = true;
    for (size_t i = 0; i < at->row.count; i++)
        all += at->row.items[i].target > own ? at->row.items[i].value : 0;
    double least = at->limits->tolerance * all;
    for (size_t i = 0; i < at->row.count && has_room; i++) {
        struct factor_way way = at->row.items[i];
        if (way.target < own || !(way.value >= least))
            continue;
        has_room = put_entry(at, way.target, way.value);
        kept += way.value;
    }
    at->factor->pivot[own] = kept;
    return has_room;
}

static bool eliminate(struct factoring *at, uint32_t own)
{
    struct chain_factor *factor = at->factor;
    double all = take_row(at, own);
    at->leave[own] = at->chain->leave[own];
    bool has_room = pass_earlier(at, own, PART_OF_TOLERANCE * at->limits->tolerance * all);
    factor->middle[own] = at->entries;
    has_room = has_room && keep_later(at, own);
    if (!(factor->pivot[own] > 0))
        factor->pivot[own] = all > 0 ? all : 1;
    factor->first[own + 1] = at->entries;
    for (size_t i = 0; i < at->row.count; i++)
        at->place[at->row.items[i].target] = 0;
    return has_room;
}

/* --- all of them --- */

static bool may_go_on(struct factoring *at, uint32_t own)
{
    const struct factor_limits *limits = at->limits;
    if (!limits->go_on || (own % ROWS_BETWEEN_QUESTIONS && at->work - at->last_work < WORK_BETWEEN_QUESTIONS))
        return true;
    at->last_work = at->work;
    return limits->go_on(limits->user);
}

struct chain_factor *factor_create(const struct krylov_chain *chain, const struct factor_limits *limits)
{
    size_t size = (size_t)chain->count + 1;
    struct chain_factor *factor = memory_zeroed(1, sizeof *factor);
    *factor = (struct chain_factor){.count = chain->count,
                                    .first = memory_zeroed(size, sizeof(uint64_t)),
                                    .middle = memory_zeroed(size, sizeof(uint64_t)),
                                    .pivot = memory_zeroed(size, sizeof(double))};
    struct factoring at = {.chain = chain,
                           .limits = limits,
                           .factor = factor,
                           .leave = memory_zeroed(size, sizeof(double)),
                           .place = memory_zeroed(size, sizeof(uint32_t))};
    bool is_done = true;
    for (uint32_t i = 0; i < chain->count && is_done; i++)
        is_done = may_go_on(&at, i) && eliminate(&at, i);
    free(at.leave);
    free(at.place);
    VEC_FREE(&at.row);
    VEC_FREE(&at.earlier);
    if (is_done)
        return factor;
    factor_destroy(factor);
    return NULL;
}

void factor_destroy(struct chain_factor *factor)
{
    if (!factor)
        return;
    free(factor->first);
    free(factor->middle);
    free(factor->target);
    free(factor->value);
    free(factor->pivot);
    free(factor);
}

uint64_t factor_bytes(uint32_t count, uint64_t entries)
{
    return entries * (sizeof(uint32_t) + sizeof(double)) + (uint64_t)count * 36;
}

/* --- the use of them --- */

void factor_solve(const struct chain_factor *factor, double *x)
{
    for (uint32_t i = 0; i < factor->count; i++) {
        double value = x[i];
        for (uint64_t e = factor->first[i]; e < factor->middle[i]; e++)
            value += factor->value[e] * x[factor->target[e]];
        x[i] = value;
    }
    for (uint32_t i = factor->count; i-- > 0;) {
        double value = x[i];
        for (uint64_t e = factor->middle[i]; e < factor->first[i + 1]; e++)
            value += factor->value[e] * x[factor->target[e]];
        x[i] = value / factor->pivot[i];
    }
}
