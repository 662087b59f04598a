/* Making room in the visited set: more buckets, larger tables of parts, wider pairs. One thread, and no other is about. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/visited_inner.h"

enum {
    VISITED_AHEAD = 16,
    VISITED_PAGE = 1 << 13, /* numbers written to the file at a time */
    VISITED_WIDE = 16       /* fewer entries in a bucket: they are so large that growing in small steps pays */
};

static uint32_t visited_number_bits(const struct nodes *nodes, uint32_t now)
{
    return nodes_bits(nodes) <= now ? now : nodes_bits(nodes) + VISITED_SPARE_BITS;
}

uint32_t visited_widen_pairs(struct visited *visited)
{
    visited->left_bits = visited_number_bits(&visited->folds[visited->left].nodes, visited->left_bits);
    visited->right_bits = visited_number_bits(&visited->folds[visited->right].nodes, visited->right_bits);
    return visited->left_bits + visited->right_bits;
}

/* --- the set of pairs, with wider numbers in them --- */

struct remaking {
    const struct visited *old;
    struct visited *new;
    uint64_t ahead[VISITED_AHEAD];
    uint32_t count;
};

static void remaking_flush(struct remaking *remaking)
{
    for (uint32_t i = 0; i < remaking->count; i++)
        quotient_add(&remaking->new->set, remaking->ahead[i]);
    remaking->count = 0;
}

static void remaking_move(void *user, uint64_t number)
{
    struct remaking *remaking = user;
    const struct visited *old = remaking->old;
    uint64_t pair = mixer_undo(&old->mixer, number);
    uint32_t left = (uint32_t)(pair >> old->right_bits);
    uint32_t right = (uint32_t)(pair & (((uint64_t)1 << old->right_bits) - 1));
    number = mixer_apply(&remaking->new->mixer, visited_join(remaking->new, left, right));
    quotient_prefetch(&remaking->new->set, number);
    remaking->ahead[remaking->count++] = number;
    if (remaking->count == VISITED_AHEAD)
        remaking_flush(remaking);
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

static void paging_write(void *user, uint64_t number)
{
    struct paging *paging = user;
    paging->page[paging->count++] = number;
    if (paging->count == VISITED_PAGE)
        paging_flush(paging);
}

static bool paging_read_back(struct paging *paging, struct remaking *remaking)
{
    for (uint64_t done = 0; done < paging->written;) {
        uint64_t left = paging->written - done, now = left < VISITED_PAGE ? left : VISITED_PAGE;
        if (!spill_read(paging->spill, paging->page, now * sizeof *paging->page,
                        paging->begin + done * sizeof *paging->page))
            return false;
        for (uint64_t i = 0; i < now; i++)
            remaking_move(remaking, paging->page[i]);
        done += now;
    }
    return true;
}

/* There is no room for both sets: the old one waits in a file. false: it could not be written, and nothing has changed; or
 * (is_lost) it could not be read again. */
static bool visited_remake_by_file(struct visited *visited, struct remaking *remaking, uint64_t capacity,
                                   struct spill *spill)
{
    struct paging *paging = memory_zeroed(1, sizeof *paging);
    paging->spill = spill;
    paging->begin = spill_bytes(spill);
    quotient_each(&visited->set, false, paging_write, paging);
    paging_flush(paging);
    bool is_good = !paging->has_failed;
    if (is_good) {
        quotient_destroy(&visited->set);
        is_good = quotient_create(&remaking->new->set, visited->budget, remaking->new->mixer.bits, capacity) &&
                  paging_read_back(paging, remaking);
        visited->is_lost = !is_good;
    }
    spill_cut(spill, paging->begin);
    free(paging);
    return is_good;
}

static bool visited_remake(struct visited *visited, uint64_t capacity, struct spill *spill)
{
    struct visited new = *visited;
    struct remaking remaking = {.old = visited, .new = &new};
    new.mixer = mixer_make(visited_widen_pairs(&new));
    uint64_t bytes = quotient_bytes_for(new.mixer.bits, capacity);
    if (quotient_create(&new.set, visited->budget, new.mixer.bits, capacity))
        quotient_each(&visited->set, true, remaking_move, &remaking);
    else if (!spill || !budget_fits_after(visited->budget, quotient_bytes(&visited->set), bytes) ||
             !visited_remake_by_file(visited, &remaking, capacity, spill)) {
        if (visited->is_lost)
            quotient_destroy(&new.set);
        return false;
    }
    remaking_flush(&remaking);
    quotient_destroy(&visited->set);
    new.epoch++;
    *visited = new;
    return true;
}

/* --- growing --- */

static bool visited_grow_nodes(struct visited *visited)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct nodes *nodes = &visited->folds[i].nodes;
        uint32_t capacity = nodes->capacity, count = nodes_count(nodes);
        /* Those that are nearly full go along, if they can: each pause costs. */
        if (count >= capacity / 8 * 7 && !nodes_grow(nodes) && count == capacity)
            return false;
    }
    return true;
}

static bool visited_needs_wider_pairs(const struct visited *visited)
{
    return visited_is_folded(visited) &&
           (nodes_bits(&visited->folds[visited->left].nodes) > visited->left_bits ||
            nodes_bits(&visited->folds[visited->right].nodes) > visited->right_bits);
}

static bool visited_grow_set(struct visited *visited, struct spill *spill)
{
    struct quotient *set = &visited->set;
    uint64_t granted = atomic_load(&visited->granted), capacity = quotient_capacity(set);
    bool is_full = granted + visited_grant_size(visited) > capacity || quotient_overflows(set);
    if (visited_needs_wider_pairs(visited)) {
        uint64_t larger = granted > capacity / 4 * 3 || is_full ? quotient_next_capacity(set, false) : capacity;
        return visited_remake(visited, larger, spill) || (!is_full && visited_remake(visited, capacity, spill));
    }
    bool is_wide = set->entries < VISITED_WIDE;
    return !is_full || quotient_grow(set, quotient_next_capacity(set, is_wide)) ||
           (!is_wide && quotient_grow(set, quotient_next_capacity(set, true)));
}

bool visited_grow(struct visited *visited, struct spill *spill)
{
    bool is_good = !visited->is_lost && visited_grow_nodes(visited) && visited_grow_set(visited, spill);
    visited->is_stuck = visited->is_lost || visited_needs_wider_pairs(visited);
    return is_good;
}
