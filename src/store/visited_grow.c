/* Making room in the visited set: more buckets, larger tables of parts, wider pairs. One thread, and no other is about.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/visited_inner.h"

enum {
    VISITED_PAGE = 1 << 13, /* numbers written to the file at a time */
    VISITED_MANY = 1 << 12, /* a table of more parts grows in small steps */
    VISITED_SMALL_OF = 16
};

/* --- a table with wider numbers in its pairs, or of states that are squeezed less --- */

struct remaking {
    const struct table *old;
    struct table *new;
    const struct narrow *narrow, *wider; /* NULL: pairs */
};

/* The same pair, or state, in the new table. */
static uint64_t remaking_rename(const void *user, uint64_t number)
{
    const struct remaking *remaking = user;
    const struct table *old = remaking->old;
    uint64_t pair = mixer_undo(&old->mixer, number);
    if (remaking->wider)
        return mixer_apply(&remaking->new->mixer, narrow_rename(remaking->narrow, remaking->wider, pair));
    uint32_t left = (uint32_t)(pair >> old->right_bits);
    uint32_t right = (uint32_t)(pair & (((uint64_t)1 << old->right_bits) - 1));
    return mixer_apply(&remaking->new->mixer, table_join(remaking->new, left, right));
}

struct paging {
    struct spill *spill;
    uint64_t page[VISITED_PAGE];
    uint32_t count;
    uint64_t written, begin;
    bool has_failed;
};

static void paging_flush(struct paging *paging)
{
    uint64_t at;
    if (!paging->has_failed && !spill_append(paging->spill, paging->page, paging->count * sizeof *paging->page, &at))
        paging->has_failed = true;
    paging->written += paging->count;
    paging->count = 0;
}

static void paging_write(void *user, uint64_t number, uint32_t value)
{
    struct paging *paging = user;
    (void)value;
    paging->page[paging->count++] = number;
    if (paging->count == VISITED_PAGE)
        paging_flush(paging);
}

static bool paging_read_back(struct paging *paging, const struct remaking *remaking)
{
    for (uint64_t done = 0; done < paging->written;) {
        uint64_t left = paging->written - done, now = left < VISITED_PAGE ? left : VISITED_PAGE;
        if (!spill_read(paging->spill, paging->page, now * sizeof *paging->page,
                        paging->begin + done * sizeof *paging->page))
            return false;
        for (uint64_t i = 0; i < now; i++)
            quotient_add(&remaking->new->set, remaking_rename(remaking, paging->page[i]), 0);
        done += now;
    }
    return true;
}

/* There is no room for both sets: the old one waits in a file. false: it could not be written, and nothing has changed;
 * or (is_lost) it could not be read again. */
static bool visited_remake_by_file(struct visited *visited, struct remaking *remaking, uint64_t capacity,
                                   struct spill *spill)
{
    struct paging *paging = memory_zeroed(1, sizeof *paging);
    paging->spill = spill;
    paging->begin = spill_bytes(spill);
    quotient_each(&visited->top.set, false, paging_write, paging);
    paging_flush(paging);
    bool is_good = !paging->has_failed;
    if (is_good) {
        quotient_destroy(&visited->top.set);
        is_good = quotient_create(&remaking->new->set, visited->budget, remaking->new->mixer.bits, false, capacity) &&
                  paging_read_back(paging, remaking);
        visited->is_lost = !is_good;
    }
    spill_cut(spill, paging->begin);
    free(paging);
    return is_good;
}

/* What a table is to become. */
struct growth {
    uint64_t capacity;
    uint32_t left_bits, right_bits; /* of the numbers in its pairs */
    uint32_t number_bits;           /* of the numbers it gives out itself */
};

static uint32_t growth_key_bits(const struct table *table, const struct growth *growth)
{
    uint32_t bits = growth->left_bits + growth->right_bits;
    return !table->has_pairs ? table->mixer.bits : bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : bits;
}

/* Moves a table to the new one. `spill`: of the states only, where they may wait. */
static bool visited_remake(struct visited *visited, struct table *table, struct remaking *remaking, uint64_t capacity,
                           struct spill *spill)
{
    struct table *new = remaking->new;
    bool is_map = table->set.is_map;
    uint64_t bytes = quotient_bytes_for(new->mixer.bits, is_map, capacity), count = quotient_count(&table->set);
    if (quotient_create(&new->set, visited->budget, new->mixer.bits, is_map, capacity))
        quotient_transfer(&table->set, &new->set, remaking_rename, remaking, visited->options.team);
    else if (!spill || !budget_fits_after(visited->budget, quotient_bytes(&table->set), bytes) ||
             !visited_remake_by_file(visited, remaking, capacity, spill)) {
        if (visited->is_lost)
            quotient_destroy(&new->set);
        return false;
    }
    quotient_destroy(&table->set);
    new->set.count = count;
    *table = *new;
    return true;
}

/* Moves a table to one of wider pairs. */
static bool visited_remake_pairs(struct visited *visited, struct table *table, const struct growth *growth,
                                 struct spill *spill)
{
    struct table new = *table;
    struct remaking remaking = {.old = table, .new = &new};
    new.left_bits = growth->left_bits;
    new.right_bits = growth->right_bits;
    new.mixer = mixer_make(growth_key_bits(table, growth));
    return visited_remake(visited, table, &remaking, growth->capacity, spill);
}

bool visited_remake_narrow(struct visited *visited, const struct narrow *wider, uint64_t capacity, struct spill *spill)
{
    struct table new = visited->top;
    struct remaking remaking = {&visited->top, &new, visited->narrow, wider};
    new.mixer = mixer_make(wider->bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : wider->bits);
    return visited_remake(visited, &visited->top, &remaking, capacity, spill);
}

/* --- growing --- */

static bool growth_is_wider(const struct growth *growth, const struct table *table)
{
    return table->has_pairs && (growth->left_bits != table->left_bits || growth->right_bits != table->right_bits);
}

static uint32_t growth_widen(uint32_t now, uint32_t needed)
{
    return needed <= now ? now : needed + VISITED_SPARE_BITS;
}

/* Wide enough for the numbers that the two folds will give out; NULL: there are none. */
static struct growth growth_begin(const struct table *table, const struct growth *left, const struct growth *right)
{
    struct growth growth = {.capacity = quotient_capacity(&table->set)};
    if (table->has_pairs) {
        growth.left_bits = growth_widen(table->left_bits, left->number_bits);
        growth.right_bits = growth_widen(table->right_bits, right->number_bits);
    }
    return growth;
}

static struct growth growth_of_fold(const struct fold *fold, const struct growth *growths, bool only_what_must)
{
    const struct quotient *map = &fold->table.set;
    struct growth growth = growth_begin(&fold->table, &growths[fold->left], &growths[fold->right]);
    uint64_t count = quotient_count(map), capacity = quotient_capacity(map);
    /* Those that are nearly full go along: each pause costs. */
    if (count >= (only_what_must ? capacity : capacity / 16 * 15) || quotient_overflows(map))
        growth.capacity = quotient_next_capacity(map, count > VISITED_MANY);
    growth.number_bits = quotient_value_bits_for(growth_key_bits(&fold->table, &growth), growth.capacity);
    return growth;
}

/* A set that is small beside the memory that is left grows in large steps: each moves all states. */
static bool visited_is_dear(const struct visited *visited)
{
    uint64_t left = budget_left(visited->budget);
    return quotient_bytes(&visited->top.set) > left / VISITED_SMALL_OF;
}

static bool visited_grow_top(struct visited *visited, struct growth *growth, struct spill *spill)
{
    struct quotient *set = &visited->top.set;
    uint64_t granted = atomic_load(&visited->granted), capacity = quotient_capacity(set);
    bool is_full = visited_is_full(visited);
    struct team *team = visited->options.team;
    if (!growth_is_wider(growth, &visited->top))
        return !is_full || quotient_grow(set, quotient_next_capacity(set, visited_is_dear(visited)), team) ||
               quotient_grow(set, quotient_next_capacity(set, true), team);
    visited->epoch++;
    if (granted > capacity / 4 * 3 || is_full) {
        growth->capacity = quotient_next_capacity(set, visited_is_dear(visited));
        if (visited_remake_pairs(visited, &visited->top, growth, spill))
            return true;
        growth->capacity = capacity;
        if (is_full || visited->is_lost)
            return false;
    }
    return visited_remake_pairs(visited, &visited->top, growth, spill);
}

/* A full map that is as large as maps become cannot grow: parts that are new have no number. */
static bool fold_is_at_end(const struct fold *fold, const struct growth *growth)
{
    const struct quotient *map = &fold->table.set;
    uint64_t capacity = quotient_capacity(map);
    return growth->capacity <= capacity && (quotient_count(map) >= capacity || quotient_overflows(map));
}

static bool visited_grow_fold(struct visited *visited, struct fold *fold, const struct growth *growth)
{
    if (fold_is_at_end(fold, growth)) {
        visited->is_at_end = true;
        return false;
    }
    if (growth_is_wider(growth, &fold->table))
        return visited_remake_pairs(visited, &fold->table, growth, NULL);
    return growth->capacity == quotient_capacity(&fold->table.set) ||
           quotient_grow(&fold->table.set, growth->capacity, visited->options.team);
}

/* No number may be wider than the pairs it goes into. */
static bool visited_is_wide_enough(const struct visited *visited)
{
    for (uint32_t i = 0; i < visited->plan.fold_count; i++) {
        const struct fold *fold = &visited->plan.folds[i];
        const struct fold *above = fold->above == VISITED_TOP ? NULL : &visited->plan.folds[fold->above];
        const struct table *table = above ? &above->table : &visited->top;
        bool is_left = i == (above ? above->left : visited->plan.left);
        if (fold_number_bits(fold) > (is_left ? table->left_bits : table->right_bits))
            return false;
    }
    return true;
}

/* What is needed is computed from the leaves up, and done from the top down: pairs are widened before wider numbers are
 * given out, so that it can stop half way. */
static bool visited_grow_tables(struct visited *visited, struct growth *growths, bool only_what_must,
                                struct spill *spill)
{
    for (uint32_t i = 0; i < visited->plan.fold_count; i++)
        growths[i] = growth_of_fold(&visited->plan.folds[i], growths, only_what_must);
    struct growth top = growth_begin(&visited->top, &growths[visited->plan.left], &growths[visited->plan.right]);
    bool is_good = visited_grow_top(visited, &top, spill);
    for (uint32_t i = visited->plan.fold_count; i-- > 0 && is_good;)
        is_good = visited_grow_fold(visited, &visited->plan.folds[i], &growths[i]);
    ENSURE(visited->is_lost || visited_is_wide_enough(visited));
    return is_good;
}

bool visited_grow(struct visited *visited, struct spill *spill)
{
    if (visited->whole.places)
        return visited_grow_whole(visited);
    if (visited->strays && visited->strays->count && !visited_settle_strays(visited, spill))
        return false;
    struct growth *growths = memory_zeroed((size_t)visited->plan.fold_count + 1, sizeof *growths);
    bool is_good = false;
    for (int i = 0; i < 2 && !is_good && !visited->is_lost; i++)
        is_good = visited_grow_tables(visited, growths, i == 1, spill);
    free(growths);
    return is_good;
}
