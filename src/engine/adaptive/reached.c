#include "engine/adaptive/reached.h"

#include <string.h>

enum { REACHED_MANY_SHELVES = 8 };

void reached_create(struct reached *reached, struct partitions *partitions, uint32_t coarsest)
{
    *reached = (struct reached){.partitions = partitions, .coarsest = coarsest, .radix = partitions->element_count + 1};
}

void reached_destroy(struct reached *reached)
{
    for (size_t b = 0; b < reached->buckets.count; b++) {
        struct bucket *bucket = &reached->buckets.items[b];
        for (size_t s = 0; s < bucket->count; s++) {
            VEC_FREE(&bucket->items[s].states);
            free(bucket->items[s].is_posted);
        }
        free(bucket->items);
    }
    for (size_t p = 0; p < reached->postings.count; p++)
        VEC_FREE(&reached->postings.items[p]);
    VEC_FREE(&reached->postings);
    VEC_FREE(&reached->buckets);
    VEC_FREE(&reached->parents);
    VEC_FREE(&reached->is_dropped);
    words_free(&reached->states);
    words_free(&reached->bucket_words);
    pairs_free(&reached->shelf_of);
    pairs_free(&reached->posting_of);
    free(reached->lists);
    free(reached->projected);
}

uint64_t reached_bytes(const struct reached *reached)
{
    return reached->states.bytes + reached->bucket_words.bytes + reached->shelf_bytes +
           (reached->parents.capacity + reached->shelf_of.size * 3 + reached->posting_of.size * 3) * sizeof(uint32_t);
}

static uint32_t *reached_scratch(uint32_t **scratch, size_t *size, size_t wanted)
{
    if (*size < wanted) {
        *scratch = memory_resize(*scratch, wanted * sizeof **scratch);
        *size = wanted;
    }
    return *scratch;
}

/* Adds `count` of a local state to a sorted list of pairs; returns the new length. */
static uint32_t list_add(uint32_t *list, uint32_t length, uint32_t radix, uint32_t local, uint32_t count)
{
    uint32_t at = length;
    while (at > 0 && list[at - 1] / radix > local)
        at--;
    if (at > 0 && list[at - 1] / radix == local) {
        list[at - 1] += count;
        return length;
    }
    memmove(list + at + 1, list + at, (length - at) * sizeof *list);
    list[at] = local * radix + count;
    return length + 1;
}

/* The bucket of a state: shared values, then the pairs of all cells together. */
static uint32_t reached_total(struct reached *reached, const uint32_t *words, uint32_t length, uint32_t *total)
{
    uint32_t count = 0, at = 2;
    total[0] = words[0];
    while (at < length)
        for (uint32_t left = words[at++]; left > 0; left--, at++)
            count = list_add(total + 1, count, reached->radix, words[at] / reached->radix, words[at] % reached->radix);
    return count + 1;
}

static uint32_t reached_rarest(const struct reached *reached, const uint32_t *total, uint32_t length)
{
    uint32_t best = total[1];
    for (uint32_t i = 2; i < length; i++)
        if (total[i] % reached->radix < best % reached->radix)
            best = total[i];
    return best / reached->radix;
}

/* A state counted in the cells of another partition: its only possible subsumer. False: there is none, a mixed cell
 * of it is split. Written to reached->projected. */
static bool reached_project(struct reached *reached, const uint32_t *words, uint32_t length, uint32_t target,
                            uint32_t *projected_length)
{
    uint32_t meet_number = partitions_meet(reached->partitions, words[1], target);
    const struct partition own = *partitions_at(reached->partitions, words[1]);
    const struct partition to = *partitions_at(reached->partitions, target);
    const struct partition meet = *partitions_at(reached->partitions, meet_number);
    /* One list for each cell, each long enough for all pairs; before them their lengths and where the own cells
     * begin. */
    uint32_t width = length;
    size_t size = own.cell_count + to.cell_count + (size_t)to.cell_count * width;
    uint32_t *begin = reached_scratch(&reached->lists, &reached->lists_size, size);
    uint32_t *lengths = begin + own.cell_count, *lists = lengths + to.cell_count, at = 2;
    memset(lengths, 0, to.cell_count * sizeof *lengths);
    for (uint32_t c = 0; c < own.cell_count; c++) {
        begin[c] = at;
        at += 1 + words[at];
    }
    for (uint32_t m = 0; m < meet.cell_count; m++) {
        uint32_t from = own.cell_of[meet.first[m]], cell = to.cell_of[meet.first[m]];
        const uint32_t *pairs = words + begin[from];
        bool is_whole = meet.size[m] == own.size[from];
        if (!is_whole && pairs[0] > 1) /* the counts would come to more than the cell holds, and match nothing */
            return false;
        for (uint32_t i = 1; i <= pairs[0]; i++)
            lengths[cell] = list_add(lists + (size_t)cell * width, lengths[cell], reached->radix,
                                     pairs[i] / reached->radix, is_whole ? pairs[i] % reached->radix : meet.size[m]);
    }
    uint32_t total = 2;
    for (uint32_t c = 0; c < to.cell_count; c++)
        total += 1 + lengths[c];
    uint32_t *made = reached_scratch(&reached->projected, &reached->projected_size, total);
    made[0] = words[0];
    made[1] = target;
    at = 2;
    for (uint32_t c = 0; c < to.cell_count; c++) {
        made[at++] = lengths[c];
        memcpy(made + at, lists + (size_t)c * width, lengths[c] * sizeof *made);
        at += lengths[c];
    }
    *projected_length = total;
    return true;
}

static bool reached_shelf_subsumes(struct reached *reached, const struct shelf *shelf, const uint32_t *words,
                                   uint32_t length)
{
    uint32_t projected;
    return shelf->partition != words[1] && reached_project(reached, words, length, shelf->partition, &projected) &&
           words_find(&reached->states, reached->projected, projected) != WORDS_NONE;
}

/* An element that may be in the local state. */
static uint32_t reached_locate(const struct reached *reached, const uint32_t *words, uint32_t length, uint32_t local)
{
    const struct partition *partition = partitions_at(reached->partitions, words[1]);
    uint32_t at = 2;
    for (uint32_t cell = 0; at < length; cell++)
        for (uint32_t left = words[at++]; left > 0; left--, at++)
            if (words[at] / reached->radix == local)
                return partition->first[cell];
    UNREACHABLE("a local state that is nowhere");
}

static bool reached_is_subsumed(struct reached *reached, uint32_t number, const uint32_t *words, uint32_t length)
{
    const struct bucket *bucket = &reached->buckets.items[number];
    if (bucket->has_coarsest)
        return true;
    if (!bucket->has_postings) {
        for (size_t s = 0; s < bucket->count; s++)
            if (reached_shelf_subsumes(reached, &bucket->items[s], words, length))
                return true;
        return false;
    }
    uint32_t element = reached_locate(reached, words, length, bucket->rarest);
    uint32_t posting = pairs_get(&reached->posting_of, pairs_key(number, element));
    if (posting == WORDS_NONE)
        return false;
    const struct numbers *list = &reached->postings.items[posting];
    for (size_t i = 0; i < list->count; i++)
        if (reached_shelf_subsumes(reached, &bucket->items[list->items[i]], words, length))
            return true;
    return false;
}

/* Notes for the elements of a cell that the shelf has a state with the rarest local state there. */
static void reached_post_cell(struct reached *reached, uint32_t number, uint32_t shelf_number, uint32_t cell)
{
    struct shelf *shelf = &reached->buckets.items[number].items[shelf_number];
    const struct partition *partition = partitions_at(reached->partitions, shelf->partition);
    if (shelf->is_posted[cell])
        return;
    shelf->is_posted[cell] = true;
    for (uint32_t i = 0; i < partition->size[cell]; i++) {
        uint64_t key = pairs_key(number, partition->members[partition->start[cell] + i]);
        uint32_t posting = pairs_get(&reached->posting_of, key);
        if (posting == WORDS_NONE) {
            posting = (uint32_t)reached->postings.count;
            VEC_PUSH(&reached->postings, (struct numbers){0});
            pairs_set(&reached->posting_of, key, posting);
        }
        VEC_PUSH(&reached->postings.items[posting], shelf_number);
        reached->shelf_bytes += sizeof(uint32_t);
    }
}

static void reached_post_state(struct reached *reached, uint32_t number, uint32_t shelf_number, uint32_t state)
{
    const struct bucket *bucket = &reached->buckets.items[number];
    const uint32_t *words = words_at(&reached->states, state);
    uint32_t length = words_length(&reached->states, state), at = 2;
    for (uint32_t cell = 0; at < length; cell++)
        for (uint32_t left = words[at++]; left > 0; left--, at++)
            if (words[at] / reached->radix == bucket->rarest)
                reached_post_cell(reached, number, shelf_number, cell);
}

static void reached_begin_postings(struct reached *reached, uint32_t number)
{
    struct bucket *bucket = &reached->buckets.items[number];
    bucket->has_postings = true;
    for (uint32_t s = 0; s < bucket->count; s++) {
        struct shelf *shelf = &bucket->items[s];
        shelf->is_posted = memory_zeroed(shelf->cell_count, sizeof *shelf->is_posted);
        for (size_t i = 0; i < shelf->states.count; i++)
            reached_post_state(reached, number, s, shelf->states.items[i]);
    }
}

/* Algorithm 2, line 3. Only states with a finer partition are looked at: that loses only states that are expanded
 * though they need not be. */
static void reached_drop_subsumed(struct reached *reached, struct bucket *bucket, uint32_t state, uint32_t level)
{
    const uint32_t *words = words_at(&reached->states, state);
    uint32_t length = words_length(&reached->states, state), projected;
    uint32_t cells = partitions_at(reached->partitions, words[1])->cell_count;
    if (cells >= bucket->most_cells)
        return;
    for (size_t s = 0; s < bucket->count; s++) {
        const struct shelf *shelf = &bucket->items[s];
        if (shelf->cell_count <= cells ||
            partitions_meet(reached->partitions, words[1], shelf->partition) != shelf->partition)
            continue;
        for (size_t i = shelf->states.count; i-- > 0 && shelf->states.items[i] >= level;) {
            uint32_t other = shelf->states.items[i];
            if (reached->is_dropped.items[other])
                continue;
            if (!reached_project(reached, words_at(&reached->states, other), words_length(&reached->states, other),
                                 words[1], &projected))
                continue;
            reached->is_dropped.items[other] =
                projected == length && !memcmp(reached->projected, words, length * sizeof *words);
        }
    }
}

static uint32_t reached_shelf(struct reached *reached, uint32_t number, uint32_t partition)
{
    uint64_t key = pairs_key(number, partition);
    uint32_t known = pairs_get(&reached->shelf_of, key);
    if (known != WORDS_NONE)
        return known;
    struct bucket *bucket = &reached->buckets.items[number];
    struct shelf shelf = {.partition = partition,
                          .cell_count = partitions_at(reached->partitions, partition)->cell_count};
    if (bucket->has_postings)
        shelf.is_posted = memory_zeroed(shelf.cell_count, sizeof *shelf.is_posted);
    VEC_PUSH(bucket, shelf);
    reached->shelf_bytes += sizeof shelf;
    bucket->has_coarsest |= partition == reached->coarsest;
    bucket->most_cells = bucket->most_cells > shelf.cell_count ? bucket->most_cells : shelf.cell_count;
    pairs_set(&reached->shelf_of, key, (uint32_t)bucket->count - 1);
    return (uint32_t)bucket->count - 1;
}

static void reached_insert(struct reached *reached, uint32_t number, uint32_t state, uint32_t level)
{
    uint32_t shelf = reached_shelf(reached, number, words_at(&reached->states, state)[1]);
    struct bucket *bucket = &reached->buckets.items[number];
    VEC_PUSH(&bucket->items[shelf].states, state);
    reached->shelf_bytes += sizeof(uint32_t);
    if (bucket->has_postings)
        reached_post_state(reached, number, shelf, state);
    else if (bucket->count > REACHED_MANY_SHELVES)
        reached_begin_postings(reached, number);
    reached_drop_subsumed(reached, bucket, state, level);
}

bool reached_add(struct reached *reached, const uint32_t *words, uint32_t length, uint32_t parent, uint32_t level)
{
    if (words_find(&reached->states, words, length) != WORDS_NONE)
        return false;
    uint32_t *total = reached_scratch(&reached->lists, &reached->lists_size, length);
    uint32_t total_length = reached_total(reached, words, length, total);
    uint32_t rarest = reached_rarest(reached, total, total_length);
    uint32_t bucket = words_intern(&reached->bucket_words, total, total_length);
    if (bucket == reached->buckets.count) {
        struct bucket made = {.rarest = rarest};
        VEC_PUSH(&reached->buckets, made);
        reached->shelf_bytes += sizeof made;
    } else if (reached_is_subsumed(reached, bucket, words, length)) {
        return false;
    }
    uint32_t state = words_intern(&reached->states, words, length);
    VEC_PUSH(&reached->parents, parent);
    VEC_PUSH(&reached->is_dropped, false);
    reached_insert(reached, bucket, state, level);
    return true;
}
