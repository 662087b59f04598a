#include "numeric/jumps.h"

#include <stdatomic.h>
#include <string.h>

#include "base/watch.h"
#include "base/words.h"
#include "numeric/share.h"
#include "numeric/sources.h"

/* Neighbours with the same list. */
struct jump_group {
    uint32_t first; /* place */
    uint32_t length;
    uint64_t first_target;
    const double *shares; /* of staying, then of each target */
};

struct jumps {
    uint32_t count;
    uint32_t *places; /* by state */
    uint32_t *targets;
    double *shares;
    VEC(struct jump_group) groups; /* the last one is the end: it has no places */
};

/* --- lists --- */

struct jump_list {
    double share;
    uint32_t target;
};

struct listing {
    const struct matrix *matrix;
    const double *exit_rate;
    const uint8_t *active;
    double rate;
    struct sources *sources; /* NULL: rows are listed as they are */
    VEC(struct jump_list) row;
    VEC(double) shares;
    struct words kinds;
    uint32_t *kind; /* by state */
};

/* By their shares, so that the same numbers in another order are the same list. */
static void sort_row(struct listing *listing)
{
    struct jump_list *row = listing->row.items;
    for (size_t i = 1; i < listing->row.count; i++) {
        struct jump_list item = row[i];
        size_t j = i;
        for (; j > 0 && row[j - 1].share > item.share; j--)
            row[j] = row[j - 1];
        row[j] = item;
    }
}

/* How often a state jumps by its row. */
static double own_share(const struct listing *listing, uint32_t state)
{
    return listing->active[state] ? listing->exit_rate[state] / listing->rate : 0;
}

static void list_targets(struct listing *listing, uint32_t state)
{
    const struct matrix *matrix = listing->matrix;
    double own = own_share(listing, state);
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1] && own > 0; i++) {
        struct jump_list item = {own * matrix->entries.items[i].value, matrix->entries.items[i].target};
        VEC_PUSH(&listing->row, item);
    }
}

static void list_sources(struct listing *listing, uint32_t state)
{
    const struct sources *sources = listing->sources;
    for (uint64_t i = sources->first[state]; i < sources->first[state + 1]; i++) {
        struct jump_list item = {sources->share[i], sources->source[i]};
        VEC_PUSH(&listing->row, item);
    }
}

static void list_row(struct listing *listing, uint32_t state)
{
    bool is_left_out = listing->sources && !listing->active[state];
    VEC_CLEAR(&listing->row);
    (listing->sources ? list_sources : list_targets)(listing, state);
    sort_row(listing);
    VEC_CLEAR(&listing->shares);
    VEC_PUSH(&listing->shares, is_left_out ? 0 : 1 - own_share(listing, state));
    for (size_t i = 0; i < listing->row.count; i++)
        VEC_PUSH(&listing->shares, listing->row.items[i].share);
}

/* --- kinds --- */

static uint32_t words_of_shares(size_t shares)
{
    return (uint32_t)(shares * sizeof(double) / sizeof(uint32_t));
}

/* Millions of states take seconds. */
static bool is_cut_at(uint32_t state)
{
    enum { STATES_BETWEEN_LOOKS = 1 << 14 };
    return state % STATES_BETWEEN_LOOKS == 0 && watch_is_up();
}

static bool find_kinds(struct listing *listing, uint32_t count)
{
    VEC(uint32_t) bits = {0};
    bool is_cut = false;
    for (uint32_t s = 0; s < count && !(is_cut = is_cut_at(s)); s++) {
        list_row(listing, s);
        while (bits.count < words_of_shares(listing->shares.count))
            VEC_PUSH(&bits, 0);
        memcpy(bits.items, listing->shares.items, listing->shares.count * sizeof(double));
        listing->kind[s] = words_intern(&listing->kinds, bits.items, words_of_shares(listing->shares.count));
    }
    VEC_FREE(&bits);
    return !is_cut;
}

/* --- places --- */

/* The kinds by length: the loop over a row then has the same length for long. */
static uint32_t *order_kinds(const struct words *kinds)
{
    uint32_t count = words_count(kinds), *order = memory_zeroed((size_t)count + 1, 2 * sizeof *order);
    for (uint32_t kind = 0; kind < count; kind++) {
        order[2 * (size_t)kind] = words_length(kinds, kind);
        order[2 * (size_t)kind + 1] = kind;
    }
    words_sort(order, count, 2);
    return order;
}

/* A group for each kind; next[kind] is its first place. */
static void make_groups(struct jumps *jumps, const struct listing *listing, uint32_t *next)
{
    const struct words *kinds = &listing->kinds;
    uint32_t *order = order_kinds(kinds), *sizes = memory_zeroed((size_t)words_count(kinds) + 1, sizeof *sizes);
    size_t words = 0;
    struct jump_group group = {0};
    for (uint32_t s = 0; s < jumps->count; s++)
        sizes[listing->kind[s]]++;
    for (uint32_t kind = 0; kind < words_count(kinds); kind++)
        words += words_length(kinds, kind);
    jumps->shares = memory_alloc(words * sizeof(uint32_t) + sizeof(double));
    double *shares = jumps->shares;
    for (uint32_t i = 0; i < words_count(kinds); i++) {
        uint32_t kind = order[2 * (size_t)i + 1], length = order[2 * (size_t)i];
        memcpy(shares, words_at(kinds, kind), length * sizeof(uint32_t));
        group.length = (uint32_t)(length * sizeof(uint32_t) / sizeof(double)) - 1;
        group.shares = shares;
        next[kind] = group.first;
        VEC_PUSH(&jumps->groups, group);
        group.first += sizes[kind];
        group.first_target += (uint64_t)sizes[kind] * group.length;
        shares += group.length + 1;
    }
    VEC_PUSH(&jumps->groups, group);
    free(order);
    free(sizes);
}

static size_t group_of(const struct jumps *jumps, uint32_t place)
{
    size_t low = 0, high = jumps->groups.count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (jumps->groups.items[middle].first <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool fill_targets(struct jumps *jumps, struct listing *listing)
{
    const struct jump_group *groups = jumps->groups.items;
    jumps->targets = memory_zeroed(VEC_LAST(&jumps->groups).first_target + 1, sizeof *jumps->targets);
    for (uint32_t s = 0; s < jumps->count; s++) {
        if (is_cut_at(s))
            return false;
        const struct jump_group *group = groups + group_of(jumps, jumps->places[s]);
        uint32_t *targets =
            jumps->targets + group->first_target + (uint64_t)(jumps->places[s] - group->first) * group->length;
        list_row(listing, s);
        for (uint32_t i = 0; i < group->length; i++)
            targets[i] = jumps->places[listing->row.items[i].target];
    }
    return true;
}

static bool make_places(struct jumps *jumps, struct listing *listing)
{
    if (!find_kinds(listing, jumps->count))
        return false;
    uint32_t *next = memory_zeroed((size_t)words_count(&listing->kinds) + 1, sizeof *next);
    make_groups(jumps, listing, next);
    for (uint32_t s = 0; s < jumps->count; s++)
        jumps->places[s] = next[listing->kind[s]]++;
    free(next);
    return fill_targets(jumps, listing);
}

static struct jumps *create(struct listing *listing)
{
    struct jumps *jumps = memory_zeroed(1, sizeof *jumps);
    jumps->count = matrix_states(listing->matrix);
    jumps->places = memory_zeroed((size_t)jumps->count + 1, sizeof *jumps->places);
    listing->kind = memory_zeroed((size_t)jumps->count + 1, sizeof *listing->kind);
    bool is_done = make_places(jumps, listing);
    words_free(&listing->kinds);
    VEC_FREE(&listing->row);
    VEC_FREE(&listing->shares);
    free(listing->kind);
    if (is_done)
        return jumps;
    jumps_destroy(jumps);
    return NULL;
}

struct jumps *jumps_create(const struct matrix *matrix, const double *exit_rate, const uint8_t *active, double rate)
{
    struct listing listing = {.matrix = matrix, .exit_rate = exit_rate, .active = active, .rate = rate};
    return create(&listing);
}

struct jumps *jumps_create_reverse(const struct matrix *matrix, const double *exit_rate, const uint8_t *active,
                                   double rate)
{
    struct listing listing = {.matrix = matrix, .exit_rate = exit_rate, .active = active, .rate = rate};
    uint32_t count = matrix_states(matrix);
    double *own = memory_zeroed((size_t)count + 1, sizeof *own);
    for (uint32_t s = 0; s < count; s++)
        own[s] = own_share(&listing, s);
    struct sources sources = sources_find(matrix, own, active);
    free(own);
    listing.sources = &sources;
    struct jumps *jumps = create(&listing);
    sources_free(&sources);
    return jumps;
}

/* Each entry has its target, and its share in two copies while lists are found, and backwards its source and its share;
 * each state four words and its list. */
uint64_t jumps_bytes(const struct matrix *matrix)
{
    return matrix->entries.count * 32 + (uint64_t)matrix_states(matrix) * 104;
}

void jumps_destroy(struct jumps *jumps)
{
    if (!jumps)
        return;
    free(jumps->places);
    free(jumps->targets);
    free(jumps->shares);
    VEC_FREE(&jumps->groups);
    free(jumps);
}

uint32_t jumps_count(const struct jumps *jumps)
{
    return jumps->count;
}

uint32_t jumps_place(const struct jumps *jumps, uint32_t state)
{
    return jumps->places[state];
}

struct jump_row *jumps_rows(const struct jumps *jumps)
{
    struct jump_row *rows = memory_zeroed((size_t)jumps->count + 1, sizeof *rows);
    for (const struct jump_group *group = jumps->groups.items; group->first < jumps->count; group++)
        for (uint32_t place = group->first; place < group[1].first; place++)
            rows[place] = (struct jump_row){
                group->shares, jumps->targets + group->first_target + (uint64_t)(place - group->first) * group->length,
                group->length};
    return rows;
}

/* --- a step --- */

struct jumping {
    const struct jumps *jumps;
    const double *now;
    double *next, *sums, weight;
    atomic_bool is_changed;
};

/* Of places of one group. */
static bool step_group(const struct jumping *jumping, const struct jump_group *group, uint32_t from, uint32_t to)
{
    const double *now = jumping->now, *shares = group->shares;
    const uint32_t *targets =
        jumping->jumps->targets + group->first_target + (uint64_t)(from - group->first) * group->length;
    uint32_t length = group->length;
    bool is_changed = false;
    for (uint32_t place = from; place < to; place++, targets += length) {
        double sum = shares[0] * now[place];
        for (uint32_t i = 0; i < length; i++)
            sum += shares[i + 1] * now[targets[i]];
        is_changed |= sum != now[place];
        jumping->next[place] = sum;
    }
    return is_changed;
}

static void add_range(const struct jumping *jumping, uint32_t from, uint32_t to)
{
    for (uint32_t place = from; place < to; place++)
        jumping->sums[place] += jumping->weight * jumping->now[place];
}

static void step_range(void *user, uint32_t from, uint32_t to)
{
    struct jumping *jumping = user;
    const struct jump_group *group = jumping->jumps->groups.items + group_of(jumping->jumps, from);
    bool is_changed = false;
    for (uint32_t place = from; place < to; group++) {
        uint32_t end = group[1].first < to ? group[1].first : to;
        is_changed |= step_group(jumping, group, place, end);
        place = end;
    }
    if (jumping->weight > 0)
        add_range(jumping, from, to);
    if (is_changed)
        atomic_store(&jumping->is_changed, true);
}

bool jumps_step(const struct jumps *jumps, uint32_t threads, const double *now, double weight, double *sums,
                double *next)
{
    struct jumping jumping = {.jumps = jumps, .now = now, .next = next, .sums = sums, .weight = weight};
    share_run(threads, jumps->count, step_range, &jumping);
    return atomic_load(&jumping.is_changed);
}
