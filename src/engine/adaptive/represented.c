/* How many states, and which, the abstract states stand for together.
 *
 * Orbits of different buckets are disjoint, those of one bucket may overlap. They are cut into orbits of the meet
 * of all partitions in the bucket, which are equal or disjoint; where that would be too many, only a bound is
 * given. */
#include <string.h>

#include "engine/adaptive/search.h"

enum { REPRESENTED_MOST_PIECES = 1 << 18, REPRESENTED_MOST_EXPECTED = 1 << 22 };

struct represented {
    struct adaptive_search *search;
    struct bigint *sum, *orbit, **factorials; /* up to the number of elements */
    struct words pieces;                      /* of one bucket */
    struct adaptive_view view;
    uint64_t work;
    bool is_feasible;
};

/* The size of an orbit: for each cell a multinomial coefficient. */
static void represented_add_orbit(struct represented *represented, const uint32_t *words, uint32_t length)
{
    const struct reached *reached = &represented->search->reached;
    const struct partition *partition = partitions_at(reached->partitions, words[1]);
    uint32_t at = 2;
    bigint_set(represented->orbit, 1);
    for (uint32_t c = 0; at < length; c++) {
        uint32_t pairs = words[at++];
        if (pairs > 1) {
            bigint_multiply(represented->orbit, represented->factorials[partition->size[c]]);
            for (uint32_t i = 0; i < pairs; i++) {
                uint32_t count = pair_count(reached, words[at + i]);
                if (count > 1)
                    bigint_divide_exact(represented->orbit, represented->factorials[count]);
            }
        }
        at += pairs;
    }
    bigint_add(represented->sum, represented->orbit);
}

static bool represented_use(struct unwinding *unwinding)
{
    struct represented *represented = unwinding->user;
    const struct adaptive_view *view = unwinding->view;
    uint32_t radix = represented->search->reached.radix;
    struct numbers *words = &represented->search->words;
    VEC_CLEAR(words);
    VEC_PUSH(words, view->shared);
    VEC_PUSH(words, unwinding->fine_number);
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        size_t first = words->count;
        VEC_PUSH(words, 0);
        for (uint32_t l = 0; l < view->local_count; l++)
            if (unwinding->counts[r * view->local_count + l])
                VEC_PUSH(words, view->locals[l] * radix + unwinding->counts[r * view->local_count + l]);
        words->items[first] = (uint32_t)(words->count - first - 1);
    }
    words_intern(&represented->pieces, words->items, (uint32_t)words->count);
    return ++represented->work < REPRESENTED_MOST_PIECES;
}

/* At most so many pieces does a state have: each local state of a cell but the most frequent one is distributed
 * over the parts of the cell. */
static double represented_bound(struct represented *represented, uint32_t state, uint32_t meet_number)
{
    struct adaptive_search *search = represented->search;
    struct adaptive_view *view = &represented->view;
    const struct partition meet = *partitions_at(&search->partitions, meet_number);
    double bound = 1;
    view_load(view, &search->reached, state);
    for (uint32_t c = 0; c < view->partition.cell_count; c++) {
        const uint32_t *counts = view->counts + (size_t)c * view->local_count;
        uint32_t parts = 0, frequent = 0;
        for (uint32_t m = 0; m < meet.cell_count; m++)
            parts += view->partition.cell_of[meet.first[m]] == c;
        for (uint32_t l = 1; l < view->local_count; l++)
            frequent = counts[l] > counts[frequent] ? l : frequent;
        for (uint32_t l = 0; l < view->local_count; l++)
            for (uint32_t i = 1; l != frequent && i < parts; i++)
                bound *= (double)(counts[l] + i) / i;
    }
    return bound;
}

static uint32_t represented_meet(struct adaptive_search *search, const struct bucket *bucket)
{
    uint32_t meet = bucket->items[0].partition;
    for (size_t s = 1; s < bucket->count; s++)
        meet = partitions_meet(&search->partitions, meet, bucket->items[s].partition);
    return meet;
}

/* Would cutting all buckets that need it be too much work? Asked before any is cut. */
static bool represented_is_feasible(struct represented *represented)
{
    struct adaptive_search *search = represented->search;
    double bound = 0;
    for (size_t b = 0; b < search->reached.buckets.count; b++) {
        const struct bucket *bucket = &search->reached.buckets.items[b];
        if (bucket->count == 1 || bucket->has_coarsest)
            continue;
        uint32_t meet = represented_meet(search, bucket);
        for (size_t s = 0; s < bucket->count; s++)
            for (size_t i = 0; i < bucket->items[s].states.count; i++) {
                bound += represented_bound(represented, bucket->items[s].states.items[i], meet);
                if (bound > REPRESENTED_MOST_EXPECTED)
                    return false;
            }
    }
    return true;
}

static void represented_add_state(struct represented *represented, uint32_t state)
{
    const struct words *states = &represented->search->reached.states;
    represented_add_orbit(represented, words_at(states, state), words_length(states, state));
}

/* False: too much work. */
static bool represented_cut(struct represented *represented, const struct bucket *bucket)
{
    struct adaptive_search *search = represented->search;
    struct unwinding unwinding = {.use = represented_use, .user = represented};
    uint32_t meet = represented_meet(search, bucket);
    bool is_done = true;
    for (size_t s = 0; s < bucket->count && is_done; s++)
        for (size_t i = 0; i < bucket->items[s].states.count && is_done; i++) {
            view_load(&represented->view, &search->reached, bucket->items[s].states.items[i]);
            is_done = unwind_over(&unwinding, &search->book, &represented->view, meet);
        }
    for (uint32_t p = 0; p < words_count(&represented->pieces) && is_done; p++)
        represented_add_orbit(represented, words_at(&represented->pieces, p), words_length(&represented->pieces, p));
    unwind_free(&unwinding);
    words_free(&represented->pieces);
    return is_done;
}

static bool represented_add_bucket(struct represented *represented, const struct bucket *bucket)
{
    if (bucket->count == 1) {
        for (size_t i = 0; i < bucket->items[0].states.count; i++)
            represented_add_state(represented, bucket->items[0].states.items[i]);
        return true;
    }
    for (size_t s = 0; s < bucket->count; s++)
        if (bucket->items[s].partition == represented->search->coarsest) {
            represented_add_state(represented, bucket->items[s].states.items[0]);
            return true;
        }
    if (represented->is_feasible && represented->work < REPRESENTED_MOST_PIECES && represented_cut(represented, bucket))
        return true;
    for (size_t s = 0; s < bucket->count; s++)
        for (size_t i = 0; i < bucket->items[s].states.count; i++)
            represented_add_state(represented, bucket->items[s].states.items[i]);
    return false;
}

void represented_count(struct adaptive_search *search)
{
    struct statistics *statistics = &search->result->statistics;
    struct represented represented = {.search = search, .sum = bigint_create(0), .orbit = bigint_create(0)};
    uint32_t n = search->roster->element_count;
    represented.factorials = memory_zeroed(n + 1, sizeof *represented.factorials);
    for (uint32_t i = 0; i <= n; i++) {
        represented.factorials[i] = bigint_create(1);
        if (i)
            bigint_copy(represented.factorials[i], represented.factorials[i - 1]);
        bigint_multiply_u64(represented.factorials[i], i ? i : 1);
    }
    statistics->represented_is_exact = true;
    represented.is_feasible = represented_is_feasible(&represented);
    for (size_t b = 0; b < search->reached.buckets.count; b++)
        if (!represented_add_bucket(&represented, &search->reached.buckets.items[b]))
            statistics->represented_is_exact = false;
    bigint_copy(statistics->represented, represented.sum);
    bigint_destroy(represented.sum);
    bigint_destroy(represented.orbit);
    for (uint32_t i = 0; i <= n; i++)
        bigint_destroy(represented.factorials[i]);
    free(represented.factorials);
    view_free(&represented.view);
}

static bool represented_tell(struct unwinding *unwinding)
{
    struct adaptive_search *search = unwinding->user;
    uint32_t none[VARIANT_MOST_ACTORS];
    int32_t *cells = memory_alloc((search->layout->cell_count + 1) * sizeof *cells);
    uint64_t *packed = memory_alloc(search->layout->words * sizeof *packed);
    unwind_concretise(unwinding, search->locals, none);
    scene_write(&search->scene, unwinding->view->shared, search->locals, cells);
    layout_pack(search->layout, cells, packed);
    search->options->on_state(search->options->on_state_user, packed);
    free(cells);
    free(packed);
    return true;
}

/* "N*2,T | C": the local states in each cell, slots joined by dots, "^" for each reference held. */
static void represented_print(struct adaptive_search *search, const struct adaptive_view *view, struct text *out)
{
    for (uint32_t c = 0; c < view->partition.cell_count; c++) {
        const char *separator = c ? " | " : "";
        for (uint32_t l = 0; l < view->local_count; l++) {
            uint32_t count = view->counts[c * view->local_count + l], local = view->locals[l];
            const struct family *family = &search->roster->families[local_family(&search->scene, local)];
            if (!count)
                continue;
            text_append(out, separator);
            separator = ",";
            for (uint32_t s = 0; s < family->slot_count; s++) {
                text_append(out, s ? "." : "");
                type_print_value(family->slot_types[s], (int32_t)local_slots(&search->scene, local)[s], out);
            }
            for (uint32_t held = local_held(&search->scene, local); held; held &= held - 1)
                text_append(out, "^");
            if (count > 1)
                text_format(out, "*%u", (unsigned)count);
        }
    }
}

static void represented_describe(struct adaptive_search *search, const struct adaptive_view *view)
{
    struct text text = {0};
    represented_print(search, view, &text);
    search->options->on_abstract(search->options->on_abstract_user, text_chars(&text));
    text_free(&text);
}

void represented_list(struct adaptive_search *search)
{
    struct unwinding unwinding = {.use = represented_tell, .user = search};
    struct adaptive_view view = {0};
    for (uint32_t s = 0; s < reached_count(&search->reached); s++) {
        view_load(&view, &search->reached, s);
        if (search->options->on_abstract)
            represented_describe(search, &view);
        if (search->options->on_state)
            unwind_over(&unwinding, &search->book, &view, search->finest);
    }
    view_free(&view);
    unwind_free(&unwinding);
}
