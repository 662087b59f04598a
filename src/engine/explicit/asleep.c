#include "engine/explicit/asleep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "engine/explicit/search.h"

enum {
    ASLEEP_STATES = 1 << 14, /* of a search: then it is worth it, */
    ASLEEP_FEW = 1 << 11,    /* and with so many if it is done quickly: */
    ASLEEP_SHARE = 32,       /* so much of the work below for each state */
    ASLEEP_WORK = 1 << 26,   /* not more: pairs of instances, and words of sets of cells */
    ASLEEP_ORDERED = 512,    /* kinds; for more of them their order is as they come */
    ASLEEP_SAMPLE = 1024,    /* states that are looked at before an order is chosen, */
    ASLEEP_MARK_BITS = 16,
    ASLEEP_VARIED = 16, /* of the instances in these, one of so many is asleep as a variant only, or they are not worth
                           it; */
    ASLEEP_MET = 3,     /* siblings that are met in one of so many states pay for their keys */
    ASLEEP_GROWTH = 2,  /* again when there are so many times the states, */
    ASLEEP_ROUNDS = 16  /* and no more often than that instances are moved to better places */
};

/* An instance that is asleep where its cell has one of these values, as bits from the least one on. */
struct doubt {
    uint64_t values;
    uint32_t cell;
    int32_t low;
    uint32_t number;
};

struct asleep {
    struct budget *budget;
    uint64_t bytes;                  /* of it */
    uint32_t count, words;           /* of numbers: instances, and behind them their variants */
    uint32_t instances, short_words; /* the former alone */
    uint64_t *apart, *rows; /* by number: a bit for each number; rows: those of `apart` whose kind is before its own */
    struct stubborn_variants *variants; /* by number of an instance; NULL: there are none */
    bool is_varied, has_variants;       /* they are worth it; and they are among the states that are counted */
    uint64_t enabled, varied;           /* of those that are counted: all, and those that are apart as variants only */
    /* By number, from doubt_begins[number] on: the instances some of whose variants are in the row. */
    VEC(struct doubt) doubts;
    uint32_t *doubt_begins;
    uint64_t *moving; /* a bit for each instance that leads to another state, surely */
    /* With symmetry: by number those of its rule that are apart from it, and neither writes what the key of the other
     * depends on; NULL: there are none. */
    uint64_t *siblings;
    bool *has_siblings;     /* by number: any, and they are asked for their keys */
    uint32_t *looked, *met; /* by kind: states that were looked at and found by one, and siblings enabled there */
    uint32_t number_bits;   /* of a mark; above them is the key of the instance where it led from */
    const struct system *system;
    const uint32_t *first_numbers;
    uint32_t *kinds; /* by number: instances of one kind have one place in the order */
    uint32_t *order; /* kinds, from the first */
    uint32_t kind_count;
    uint32_t *counts;      /* how often one of the second kind was enabled where one of the first had led, and they are
                              apart; NULL: they are not counted */
    uint64_t stride, left; /* every so many states one is looked at, 0: none is; and states until the next */
    bool is_sampled;       /* the level before was */
    uint64_t next;         /* states at which it is done again */
};

static uint64_t *asleep_row(const struct asleep *asleep, uint64_t *rows, uint32_t number)
{
    return rows + (size_t)number * asleep->words;
}

static uint32_t *asleep_cell(const struct asleep *asleep, uint32_t found_by, uint32_t kind)
{
    return asleep->counts + (size_t)found_by * asleep->kind_count + kind;
}

/* --- the order --- */

/* What it saves that `later` comes behind `earlier`, against the other way round. */
static int64_t asleep_gain(const struct asleep *asleep, uint32_t earlier, uint32_t later)
{
    return (int64_t)*asleep_cell(asleep, later, earlier) - *asleep_cell(asleep, earlier, later);
}

/* Moves a kind to where it saves most. */
static bool asleep_move(struct asleep *asleep, uint32_t at)
{
    uint32_t *order = asleep->order, kind = order[at], to = at;
    int64_t best = 0, gain = 0;
    for (uint32_t i = at; i-- > 0;)
        if ((gain += asleep_gain(asleep, kind, order[i])) > best) {
            best = gain;
            to = i;
        }
    gain = 0;
    for (uint32_t i = at + 1; i < asleep->kind_count; i++)
        if ((gain += asleep_gain(asleep, order[i], kind)) > best) {
            best = gain;
            to = i;
        }
    if (to < at)
        memmove(order + to + 1, order + to, (at - to) * sizeof *order);
    else
        memmove(order + at, order + at + 1, (to - at) * sizeof *order);
    order[to] = kind;
    return to != at;
}

static void asleep_choose(struct asleep *asleep)
{
    bool is_better = true;
    for (uint32_t round = 0; is_better && round < ASLEEP_ROUNDS; round++) {
        is_better = false;
        for (uint32_t i = 0; i < asleep->kind_count; i++)
            is_better |= asleep_move(asleep, i);
    }
}

static void asleep_add_doubts(struct asleep *asleep, uint32_t number)
{
    const uint64_t *row = asleep_row(asleep, asleep->rows, number);
    asleep->doubt_begins[number] = (uint32_t)asleep->doubts.count;
    for (uint32_t i = 1; i <= asleep->instances && asleep->variants; i++) {
        const struct stubborn_variants *of = &asleep->variants[i];
        struct doubt doubt = {0, of->cell, of->low, i};
        for (uint32_t v = 0; !bits_has(row, i) && v < of->size; v++)
            doubt.values |= (uint64_t)bits_has(row, of->first + v) << v;
        if (doubt.values)
            VEC_PUSH(&asleep->doubts, doubt);
    }
    asleep->doubt_begins[number + 1] = (uint32_t)asleep->doubts.count;
}

static void asleep_make_rows(struct asleep *asleep)
{
    uint32_t *places = memory_zeroed((size_t)asleep->kind_count + 1, sizeof *places);
    for (uint32_t i = 0; i < asleep->kind_count; i++)
        places[asleep->order[i]] = i;
    VEC_CLEAR(&asleep->doubts);
    for (uint32_t a = 1; a <= asleep->count; a++) {
        const uint64_t *apart = asleep_row(asleep, asleep->apart, a);
        uint64_t *row = asleep_row(asleep, asleep->rows, a);
        memset(row, 0, asleep->words * sizeof *row);
        for (uint32_t b = 1; b <= asleep->count; b++)
            if (bits_has(apart, b) && places[asleep->kinds[b]] < places[asleep->kinds[a]])
                bits_add(row, b);
        asleep_add_doubts(asleep, a);
    }
    free(places);
}

/* Of instances of a rule, too, where there are enough of them. */
static void asleep_choose_siblings(struct asleep *asleep)
{
    for (uint32_t a = 1; a <= asleep->count && asleep->siblings; a++) {
        const uint64_t *siblings = asleep_row(asleep, asleep->siblings, a);
        uint64_t any = 0;
        for (uint32_t w = 0; w < asleep->words; w++)
            any |= siblings[w];
        uint32_t kind = asleep->kinds[a];
        asleep->has_siblings[a] = any && ASLEEP_MET * (uint64_t)asleep->met[kind] >= asleep->looked[kind];
    }
    memset(asleep->looked, 0, asleep->kind_count * sizeof *asleep->looked);
    memset(asleep->met, 0, asleep->kind_count * sizeof *asleep->met);
}

/* --- made and unmade --- */

static void asleep_relate(struct asleep *asleep, const struct stubborn *traces)
{
    for (uint32_t a = 1; a <= asleep->count; a++)
        for (uint32_t b = 1; b < a; b++)
            if (asleep->kinds[a] != asleep->kinds[b] && stubborn_is_apart(traces, a, b)) {
                bits_add(asleep_row(asleep, asleep->apart, a), b);
                bits_add(asleep_row(asleep, asleep->apart, b), a);
            }
}

/* Those that are apart are related by their keys. */
static void asleep_relate_siblings(struct asleep *asleep, const struct explicit_search *search,
                                   const struct stubborn *traces)
{
    const struct canon *canon = search->workers[0].canon;
    uint32_t cell_words = (uint32_t)bits_words(search->layout->cell_count);
    uint64_t *cells = memory_zeroed((size_t)(asleep->count + 1) * cell_words, sizeof *cells);
    bool *is_keyed = memory_zeroed((size_t)asleep->count + 1, sizeof *is_keyed);
    for (uint32_t a = 1; a <= asleep->count; a++) {
        const struct rule *rule = asleep->system->rules.items[asleep->kinds[a]];
        uint32_t first = asleep->first_numbers[rule->id];
        const uint64_t *own = cells + (size_t)a * cell_words;
        is_keyed[a] = canon_list_key_cells(canon, rule, a - first, cells + (size_t)a * cell_words);
        for (uint32_t b = first; is_keyed[a] && b < a; b++)
            if (is_keyed[b] && stubborn_is_apart(traces, a, b) && stubborn_keeps(traces, b, own) &&
                stubborn_keeps(traces, a, cells + (size_t)b * cell_words)) {
                bits_add(asleep_row(asleep, asleep->siblings, a), b);
                bits_add(asleep_row(asleep, asleep->siblings, b), a);
                asleep->has_siblings[a] = asleep->has_siblings[b] = true;
            }
    }
    free(cells);
    free(is_keyed);
}

/* Each instance is a kind of its own, whatever its variants; with symmetry all instances of a rule are one. */
static void asleep_sort(struct asleep *asleep, const struct explicit_search *search)
{
    const struct system *system = search->system;
    bool is_by_rule = search->workers[0].canon;
    asleep->kinds = memory_zeroed((size_t)asleep->count + 1, sizeof *asleep->kinds);
    for (size_t r = 0; r < system->rules.count; r++) {
        const struct rule *rule = system->rules.items[r];
        uint32_t first = search->first_numbers[r];
        for (uint32_t i = 0; i < rule->instance_count; i++)
            asleep->kinds[first + i] = is_by_rule ? (uint32_t)r : first + i - 1;
    }
    for (uint32_t i = 1; asleep->variants && i <= asleep->instances; i++)
        for (uint32_t v = 0; v < asleep->variants[i].size; v++)
            asleep->kinds[asleep->variants[i].first + v] = asleep->kinds[i];
    asleep->kind_count = is_by_rule ? (uint32_t)system->rules.count : asleep->instances;
    asleep->order = memory_zeroed((size_t)asleep->kind_count + 1, sizeof *asleep->order);
    for (uint32_t i = 0; i < asleep->kind_count; i++) /* states are found by what fires first */
        asleep->order[i] = asleep->kind_count - 1 - i;
}

static size_t asleep_most_doubts(const struct asleep *asleep)
{
    size_t varied = 0;
    for (uint32_t i = 1; i <= asleep->instances && asleep->variants; i++)
        varied += asleep->variants[i].size > 0;
    return varied * asleep->count;
}

static struct asleep *asleep_create(struct explicit_search *search, const struct stubborn *traces)
{
    uint32_t instances = (uint32_t)system_total_instances(search->system, ASLEEP_MOST + 1), count;
    const struct stubborn_variants *variants = stubborn_variants_of(traces, &count);
    uint32_t words = (uint32_t)bits_words(count + 1), short_words = (uint32_t)bits_words(instances + 1);
    size_t rows = (size_t)(count + 1) * words, pairs = 0;
    bool has_keys = search->workers[0].canon;
    struct asleep *asleep = memory_zeroed(1, sizeof *asleep);
    *asleep = (struct asleep){.budget = &search->budget,
                              .count = count,
                              .words = words,
                              .instances = instances,
                              .short_words = short_words,
                              .number_bits = has_keys ? 32 - (uint32_t)__builtin_clz(count | 1) : ASLEEP_MARK_BITS,
                              .system = search->system,
                              .first_numbers = search->first_numbers};
    if (count > instances) {
        asleep->variants = memory_alloc((size_t)(instances + 1) * sizeof *variants);
        memcpy(asleep->variants, variants, (size_t)(instances + 1) * sizeof *variants);
        asleep->is_varied = true;
    }
    asleep_sort(asleep, search);
    if (asleep->kind_count <= ASLEEP_ORDERED && !search->ranks) /* all ranks have one order */
        pairs = (size_t)asleep->kind_count * asleep->kind_count;
    asleep->bytes = (2 + has_keys) * rows * sizeof *asleep->rows + pairs * sizeof *asleep->counts +
                    asleep_most_doubts(asleep) * sizeof *asleep->doubts.items;
    if (!budget_take(asleep->budget, asleep->bytes)) {
        asleep->bytes = 0;
        asleep_destroy(asleep);
        return NULL;
    }
    asleep->apart = memory_zeroed(rows, sizeof *asleep->apart);
    asleep->rows = memory_zeroed(rows, sizeof *asleep->rows);
    asleep->moving = memory_zeroed(short_words, sizeof *asleep->moving);
    for (uint32_t i = 1; i <= instances; i++)
        if (stubborn_moves(traces, i))
            bits_add(asleep->moving, i);
    for (uint32_t i = instances + 1; i < 64 * short_words; i++) /* these are none: variants may be behind them */
        bits_add(asleep->moving, i);
    asleep->doubt_begins = memory_zeroed((size_t)count + 2, sizeof *asleep->doubt_begins);
    asleep->counts = pairs ? memory_zeroed(pairs, sizeof *asleep->counts) : NULL;
    asleep_relate(asleep, traces);
    asleep->has_siblings = memory_zeroed((size_t)count + 1, sizeof *asleep->has_siblings);
    asleep->looked = memory_zeroed((size_t)asleep->kind_count + 1, sizeof *asleep->looked);
    asleep->met = memory_zeroed((size_t)asleep->kind_count + 1, sizeof *asleep->met);
    asleep->siblings = has_keys ? memory_zeroed(rows, sizeof *asleep->siblings) : NULL;
    if (has_keys)
        asleep_relate_siblings(asleep, search, traces);
    asleep_make_rows(asleep);
    return asleep;
}

void asleep_destroy(struct asleep *asleep)
{
    if (!asleep)
        return;
    budget_give(asleep->budget, asleep->bytes);
    free(asleep->apart);
    free(asleep->rows);
    VEC_FREE(&asleep->doubts);
    free(asleep->doubt_begins);
    free(asleep->moving);
    free(asleep->variants);
    free(asleep->siblings);
    free(asleep->has_siblings);
    free(asleep->looked);
    free(asleep->met);
    free(asleep->kinds);
    free(asleep->order);
    free(asleep->counts);
    free(asleep);
}

/* --- in a search --- */

static uint64_t asleep_work(const struct explicit_search *search)
{
    uint64_t count = system_total_instances(search->system, ASLEEP_MOST + 1);
    return count * count * bits_words(search->layout->cell_count);
}

/* (An assumption may exclude the state that another way to the same one leads through, and a fingerprint may hide it.
 * With symmetry a permutation must leave instances of a rule instances of it.) */
static bool asleep_is_possible(const struct explicit_search *search)
{
    const struct worker *worker = &search->workers[0];
    bool is_kept = !worker->canon || (represent_is_counted(worker) && search->symmetry->keeps_rules);
    return system_total_instances(search->system, ASLEEP_MOST + 1) <= ASLEEP_MOST &&
           asleep_work(search) <= ASLEEP_WORK && is_kept && !worker->thinner && !search->assumptions.count &&
           !search->options->hash_compact;
}

/* (Until it is decided whether symmetry pays, the work must not depend on which worker looks at which states.) */
static bool asleep_is_worth_it(const struct explicit_search *search, uint64_t states)
{
    if (trial_is_on(search))
        return false;
    return search->options->crowd || states >= ASLEEP_STATES ||
           (states >= ASLEEP_FEW && asleep_work(search) <= ASLEEP_SHARE * states);
}

/* How many numbers are worth it: instances, and variants of them. (With symmetry the value of a cell would have to be
 * permuted, too.) */
static uint32_t asleep_numbers(const struct explicit_search *search, uint64_t states)
{
    uint64_t words = bits_words(search->layout->cell_count), numbers = 0;
    if (search->workers[0].canon)
        return 0;
    while (numbers < ASLEEP_MOST && (search->options->crowd || numbers * numbers * words <= ASLEEP_SHARE * states))
        numbers++;
    return (uint32_t)numbers;
}

static void asleep_try(struct explicit_search *search, uint64_t states)
{
    search->is_sleep_tried = true;
    if (!asleep_is_possible(search))
        return;
    struct stubborn *traces = stubborn_create_traces(search->layout, search->symmetry, asleep_numbers(search, states));
    if (!stubborn_refusal(traces))
        search->asleep = asleep_create(search, traces);
    stubborn_destroy(traces);
}

static void asleep_end_sample(struct asleep *asleep)
{
    asleep_choose(asleep);
    asleep_choose_siblings(asleep);
    asleep_make_rows(asleep);
    if (asleep->has_variants) /* the first ones were found before there were any */
        asleep->is_varied = asleep->varied * ASLEEP_VARIED >= asleep->enabled;
    asleep->has_variants = asleep->variants;
    asleep->enabled = asleep->varied = 0;
    memset(asleep->counts, 0, (size_t)asleep->kind_count * asleep->kind_count * sizeof *asleep->counts);
}

void asleep_begin_level(struct explicit_search *search)
{
    uint64_t states = search_count_states(search);
    if (atomic_load_explicit(&search->has_failed, memory_order_relaxed)) {
        asleep_destroy(search->asleep);
        search->asleep = NULL;
        return;
    }
    if (!search->is_sleep_tried && asleep_is_worth_it(search, states))
        asleep_try(search, states);
    struct asleep *asleep = search->asleep;
    if (!asleep || !asleep->counts)
        return;
    if (asleep->is_sampled)
        asleep_end_sample(asleep);
    asleep->is_sampled = states >= asleep->next;
    asleep->stride = asleep->is_sampled ? 1 + search->level_states / ASLEEP_SAMPLE : 0;
    asleep->left = asleep->stride;
    if (asleep->is_sampled)
        asleep->next = ASLEEP_GROWTH * states;
}

static uint32_t asleep_number(const struct asleep *asleep, uint16_t mark)
{
    return mark & (((uint32_t)1 << asleep->number_bits) - 1);
}

uint16_t asleep_mark(const struct asleep *asleep, struct canon *canon, const struct rule *rule, uint64_t instance,
                     uint16_t number)
{
    if (!asleep || !asleep->has_siblings[number])
        return number;
    uint32_t key = canon_key(canon, rule, instance, ASLEEP_MARK_BITS - asleep->number_bits);
    return (uint16_t)(number | key << asleep->number_bits);
}

const uint64_t *asleep_after(const struct asleep *asleep, uint16_t mark)
{
    return asleep->rows + (size_t)asleep_number(asleep, mark) * asleep->words;
}

const struct stubborn_variants *asleep_variants(const struct asleep *asleep)
{
    return asleep->is_varied ? asleep->variants : NULL;
}

bool asleep_depends(const struct asleep *asleep, uint16_t mark)
{
    return asleep->doubt_begins[mark] < asleep->doubt_begins[mark + 1];
}

const uint64_t *asleep_by_cells(const struct asleep *asleep, uint16_t mark, const int32_t *cells, uint64_t *room)
{
    const uint64_t *row = asleep_after(asleep, mark);
    const struct doubt *doubt = asleep->doubts.items + asleep->doubt_begins[mark],
                       *end = asleep->doubts.items + asleep->doubt_begins[mark + 1];
    for (uint32_t w = 0; w < asleep->short_words; w++) {
        uint64_t word = row[w];
        for (; doubt < end && doubt->number / 64 == w; doubt++) { /* they are in the order of their numbers */
            uint32_t place = (uint32_t)cells[doubt->cell] - (uint32_t)doubt->low;
            uint64_t is_asleep = place < 64 ? doubt->values >> place & 1 : 0;
            word |= is_asleep << doubt->number % 64;
        }
        room[w] = word;
    }
    return room;
}

bool asleep_all_move(const struct asleep *asleep, const uint64_t *instances)
{
    uint64_t others = 0;
    for (uint32_t w = 0; w < asleep->short_words; w++)
        others |= instances[w] & ~asleep->moving[w];
    return !others;
}

const uint64_t *asleep_by_key(const struct asleep *asleep, struct canon *canon, uint16_t mark, uint64_t *room)
{
    uint32_t number = asleep_number(asleep, mark), key = (uint32_t)mark >> asleep->number_bits;
    const uint64_t *row = asleep_after(asleep, mark);
    if (!key || !asleep->has_siblings[number])
        return row;
    const struct rule *rule = asleep->system->rules.items[asleep->kinds[number]];
    const uint64_t *siblings = asleep_row(asleep, asleep->siblings, number);
    uint32_t first = asleep->first_numbers[rule->id], bits = ASLEEP_MARK_BITS - asleep->number_bits;
    for (uint32_t w = 0; w < asleep->words; w++)
        room[w] = row[w];
    for (uint32_t w = first / 64; w < asleep->words && 64 * w < first + rule->instance_count; w++) {
        uint32_t from = 64 * w < first ? first - 64 * w : 0; /* in the word */
        room[w] |= canon_keep_lesser(canon, rule, 64 * w + from - first, siblings[w] >> from, key, bits) << from;
    }
    return room;
}

bool asleep_samples(struct asleep *asleep, uint16_t mark)
{
    uint32_t number = asleep_number(asleep, mark);
    if (!asleep->stride || --asleep->left)
        return false;
    asleep->left = asleep->stride;
    asleep->looked[asleep->kinds[number]] += number != 0;
    return true;
}

/* The number of its instance. (Where there are variants, each instance is a kind of its own.) */
static uint32_t asleep_instance(const struct asleep *asleep, uint32_t number)
{
    return number > asleep->instances ? asleep->kinds[number] + 1 : number;
}

void asleep_count(struct asleep *asleep, uint16_t mark, uint32_t number)
{
    uint32_t found_by = asleep_number(asleep, mark);
    asleep->enabled++;
    if (found_by && asleep->siblings && bits_has(asleep_row(asleep, asleep->siblings, found_by), number))
        asleep->met[asleep->kinds[found_by]]++;
    if (!found_by || !bits_has(asleep_row(asleep, asleep->apart, found_by), number))
        return;
    ++*asleep_cell(asleep, asleep->kinds[found_by], asleep->kinds[number]);
    asleep->varied += !bits_has(asleep_row(asleep, asleep->apart, asleep_instance(asleep, found_by)),
                                asleep_instance(asleep, number));
}
