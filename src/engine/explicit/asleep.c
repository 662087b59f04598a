#include "engine/explicit/asleep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "engine/explicit/search.h"

enum {
    ASLEEP_STATES = 1 << 14, /* of a search, before it is worth it */
    ASLEEP_MOST = 2048,      /* instances; for more it takes too much memory, */
    ASLEEP_WORK = 1 << 26,   /* or time: pairs of them, and words of sets of cells */
    ASLEEP_ORDERED = 512,    /* and for more of these their order is as they come */
    ASLEEP_SAMPLE = 1024,    /* states that are looked at before an order is chosen, */
    ASLEEP_GROWTH = 4,       /* again when there are so many times the states, */
    ASLEEP_ROUNDS = 16       /* and no more often than that instances are moved to better places */
};

struct asleep {
    struct budget *budget;
    uint64_t bytes; /* of it */
    uint32_t count, words;
    uint32_t *firsts;       /* by rule id: the number of its first instance */
    uint64_t *apart, *rows; /* by number: a bit for each number; rows: those of `apart` that are before it */
    uint32_t *order;        /* numbers, from the first */
    uint32_t *counts;       /* how often the second was enabled where the first had led; NULL: they are not counted */
    uint64_t stride, left;  /* every so many states one is looked at, 0: none is; and states until the next */
    bool is_sampled;        /* the level before was */
    uint64_t next;          /* states at which it is done again */
};

static uint64_t *asleep_row(const struct asleep *asleep, uint64_t *rows, uint32_t number)
{
    return rows + (size_t)number * asleep->words;
}

static uint32_t *asleep_cell(const struct asleep *asleep, uint32_t found_by, uint32_t number)
{
    return asleep->counts + (size_t)found_by * (asleep->count + 1) + number;
}

/* --- the order --- */

/* What it saves that `later` comes behind `earlier`, against the other way round. */
static int64_t asleep_gain(const struct asleep *asleep, uint32_t earlier, uint32_t later)
{
    return (int64_t)*asleep_cell(asleep, later, earlier) - *asleep_cell(asleep, earlier, later);
}

/* Moves an instance to where it saves most. */
static bool asleep_move(struct asleep *asleep, uint32_t at)
{
    uint32_t *order = asleep->order, number = order[at], to = at;
    int64_t best = 0, gain = 0;
    for (uint32_t i = at; i-- > 0;)
        if ((gain += asleep_gain(asleep, number, order[i])) > best) {
            best = gain;
            to = i;
        }
    gain = 0;
    for (uint32_t i = at + 1; i < asleep->count; i++)
        if ((gain += asleep_gain(asleep, order[i], number)) > best) {
            best = gain;
            to = i;
        }
    if (to < at)
        memmove(order + to + 1, order + to, (at - to) * sizeof *order);
    else
        memmove(order + at, order + at + 1, (to - at) * sizeof *order);
    order[to] = number;
    return to != at;
}

static void asleep_choose(struct asleep *asleep)
{
    bool is_better = true;
    for (uint32_t round = 0; is_better && round < ASLEEP_ROUNDS; round++) {
        is_better = false;
        for (uint32_t i = 0; i < asleep->count; i++)
            is_better |= asleep_move(asleep, i);
    }
}

static void asleep_make_rows(struct asleep *asleep)
{
    uint64_t *before = memory_zeroed(asleep->words, sizeof *before);
    for (uint32_t i = 0; i < asleep->count; i++) {
        uint32_t number = asleep->order[i];
        const uint64_t *apart = asleep_row(asleep, asleep->apart, number);
        uint64_t *row = asleep_row(asleep, asleep->rows, number);
        for (uint32_t w = 0; w < asleep->words; w++)
            row[w] = apart[w] & before[w];
        bits_add(before, number);
    }
    free(before);
}

/* --- made and unmade --- */

static void asleep_relate(struct asleep *asleep, const struct stubborn *traces)
{
    for (uint32_t a = 1; a <= asleep->count; a++)
        for (uint32_t b = 1; b < a; b++)
            if (stubborn_is_apart(traces, a, b)) {
                bits_add(asleep_row(asleep, asleep->apart, a), b);
                bits_add(asleep_row(asleep, asleep->apart, b), a);
            }
}

static struct asleep *asleep_create(struct explicit_search *search, const struct stubborn *traces)
{
    uint32_t count = (uint32_t)system_total_instances(search->system, ASLEEP_MOST + 1);
    uint64_t work = (uint64_t)count * count * bits_words(search->layout->cell_count);
    bool is_counted = count <= ASLEEP_ORDERED && !search->ranks; /* all ranks have one order */
    size_t rows = (size_t)(count + 1) * bits_words(count + 1);
    uint64_t bytes = 2 * rows * sizeof(uint64_t) + (is_counted ? (uint64_t)(count + 1) * (count + 1) : 0) * 4;
    if (count > ASLEEP_MOST || work > ASLEEP_WORK || !budget_take(&search->budget, bytes))
        return NULL;
    struct asleep *asleep = memory_zeroed(1, sizeof *asleep);
    *asleep = (struct asleep){
        .budget = &search->budget, .bytes = bytes, .count = count, .words = (uint32_t)bits_words(count + 1)};
    asleep->apart = memory_zeroed(rows, sizeof *asleep->apart);
    asleep->rows = memory_zeroed(rows, sizeof *asleep->rows);
    asleep->order = memory_zeroed(count, sizeof *asleep->order);
    if (is_counted)
        asleep->counts = memory_zeroed((size_t)(count + 1) * (count + 1), sizeof *asleep->counts);
    for (uint32_t i = 0; i < count; i++)
        asleep->order[i] = count - i; /* what fires last has most before it: states are found by what fires first */
    asleep->firsts = memory_zeroed(search->system->rules.count + 1, sizeof *asleep->firsts);
    for (size_t r = 0; r < search->system->rules.count; r++)
        asleep->firsts[r] = system_first_number(search->system, search->system->rules.items[r]);
    asleep_relate(asleep, traces);
    asleep_make_rows(asleep);
    return asleep;
}

void asleep_destroy(struct asleep *asleep)
{
    if (!asleep)
        return;
    budget_give(asleep->budget, asleep->bytes);
    free(asleep->firsts);
    free(asleep->apart);
    free(asleep->rows);
    free(asleep->order);
    free(asleep->counts);
    free(asleep);
}

/* --- in a search --- */

/* (An assumption may exclude the state that another way to the same one leads through, and a fingerprint may hide it.)
 */
static bool asleep_is_possible(const struct explicit_search *search)
{
    return !search->workers[0].canon && !search->workers[0].thinner && !search->assumptions.count &&
           !search->options->hash_compact;
}

static void asleep_try(struct explicit_search *search)
{
    search->is_sleep_tried = true;
    if (!asleep_is_possible(search))
        return;
    struct stubborn *traces = stubborn_create_traces(search->layout, search->symmetry);
    if (!stubborn_refusal(traces))
        search->asleep = asleep_create(search, traces);
    stubborn_destroy(traces);
}

void asleep_begin_level(struct explicit_search *search)
{
    uint64_t states = search_count_states(search);
    if (atomic_load_explicit(&search->has_failed, memory_order_relaxed)) {
        asleep_destroy(search->asleep);
        search->asleep = NULL;
        return;
    }
    if (!search->is_sleep_tried && (search->options->crowd || states >= ASLEEP_STATES))
        asleep_try(search);
    struct asleep *asleep = search->asleep;
    if (!asleep || !asleep->counts)
        return;
    if (asleep->is_sampled) {
        asleep_choose(asleep);
        asleep_make_rows(asleep);
        memset(asleep->counts, 0, (size_t)(asleep->count + 1) * (asleep->count + 1) * sizeof *asleep->counts);
    }
    asleep->is_sampled = states >= asleep->next;
    asleep->stride = asleep->is_sampled ? 1 + search->level_states / ASLEEP_SAMPLE : 0;
    asleep->left = asleep->stride;
    if (asleep->is_sampled)
        asleep->next = ASLEEP_GROWTH * states;
}

uint32_t asleep_first(const struct asleep *asleep, const struct rule *rule)
{
    return asleep->firsts[rule->id];
}

const uint64_t *asleep_after(const struct asleep *asleep, uint16_t mark)
{
    return asleep->rows + (size_t)mark * asleep->words;
}

bool asleep_samples(struct asleep *asleep)
{
    if (!asleep->stride || --asleep->left)
        return false;
    asleep->left = asleep->stride;
    return true;
}

void asleep_count(struct asleep *asleep, uint16_t mark, uint32_t number)
{
    if (bits_has(asleep_row(asleep, asleep->apart, mark), number))
        ++*asleep_cell(asleep, mark, number);
}
