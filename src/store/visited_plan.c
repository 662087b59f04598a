/* How a state is cut into parts: first by the number of bits in use; and once some states are known, so that few parts are
 * different.
 *
 * Then it begins with the state's fields (neighbours together), each a part, and joins two parts again and again until few are
 * left: always those that make the fewest different parts in the states known. The last few are joined in the best way there is.
 * So what depends on what stands together, wherever it stands in the state. Parts with few values become one leaf, others a pair
 * of numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/pages.h"
#include "store/visited_inner.h"

enum {
    PLAN_STATES = 1 << 11, /* so many states say enough at first; of very wide ones fewer: this should take milliseconds */
    PLAN_VALUES = 1 << 18,
    PLAN_LAST_STATES = 1 << 13, /* at last */
    PLAN_BITMAP = 17,           /* bits of the number of bits in a bitmap */
    PLAN_RARE = 4,         /* a leaf has at most so many values for eight states; */
    PLAN_RARE_OF_TWO = 6,  /* so many, where two leaves are enough: that is fastest */
    PLAN_LEAF_BITS = 64,
    PLAN_FIELD_BITS = 16,  /* neighbours are taken together up to so many: fewer pieces are gathered faster */
    PLAN_FIELDS = 128,     /* of more parts than that only neighbours are joined */
    PLAN_LAST = 9,         /* clusters for which the best tree is found */
    PLAN_DIRECT = 1 << 16  /* pairs that are counted without hashing */
};

/* --- without states --- */

void visited_list_halves(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    visited->halves = memory_zeroed(2 * (size_t)options->words, sizeof *visited->halves);
    for (uint32_t i = 0; i < 2 * options->words; i++) {
        uint32_t in_word = options->word_bits ? options->word_bits[i / 2] : 64;
        uint32_t bits = i % 2 ? (in_word > 32 ? in_word - 32 : 0) : in_word < 32 ? in_word : 32;
        if (bits)
            visited->halves[visited->half_count++] = (struct visited_field){i / 2, i % 2 * 32, bits};
        visited->bits += bits;
    }
}

/* Neighbours are taken together as long as they have no more than `most` bits. Returns how many fields there are then. */
static uint32_t fields_join(const struct visited_field *from, uint32_t count, uint32_t most, struct visited_field *to)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct visited_field *last = made ? &to[made - 1] : NULL;
        if (last && last->word == from[i].word && last->shift + last->bits == from[i].shift &&
            last->bits + from[i].bits <= most)
            last->bits += from[i].bits;
        else
            to[made++] = from[i];
    }
    return made;
}

void visited_list_fields(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    uint32_t bits = 0;
    if (!options->fields)
        return;
    for (uint32_t i = 0; i < options->field_count; i++)
        bits += options->fields[i].bits;
    ENSURE(bits == visited->bits); /* a bit in no field would be lost */
    visited->fields = memory_zeroed((size_t)options->field_count + 1, sizeof *visited->fields);
    for (uint32_t most = PLAN_FIELD_BITS; most <= 32; most *= 2) {
        visited->field_count = fields_join(options->fields, options->field_count, most, visited->fields);
        if (visited->field_count <= PLAN_FIELDS)
            return;
    }
}

static void plan_add_piece(struct plan *plan, struct fold *leaf, const struct visited_field *field, uint32_t offset)
{
    ENSURE(leaf->piece + leaf->piece_count == plan->piece_count);
    leaf->piece_count++;
    plan->pieces[plan->piece_count++] = (struct piece){
        .mask = UINT64_MAX >> (64 - field->bits),
        .word = field->word,
        .shift = (uint8_t)field->shift,
        .offset = (uint8_t)offset,
    };
}

static uint32_t plan_add_pair(struct plan *plan, uint32_t left, uint32_t right)
{
    uint32_t low = plan->folds[left].level, high = plan->folds[right].level;
    plan->folds[plan->fold_count] =
        (struct fold){.left = left, .right = right, .level = 1 + (low > high ? low : high), .above = VISITED_TOP};
    return plan->fold_count++;
}

/* How many of the `size` half words from `from` go to the left: about as many bits as to the right. */
static uint32_t plan_halve(const struct visited *visited, uint32_t from, uint32_t size)
{
    uint32_t all = 0, sum = 0, left = 0;
    for (uint32_t i = 0; i < size; i++)
        all += visited->halves[from + i].bits;
    do
        sum += visited->halves[from + left++].bits;
    while (left + 1 < size && 2 * sum + visited->halves[from + left].bits <= all);
    return left;
}

/* Returns the fold that stands for `size` half words from `from`. */
static uint32_t plan_by_bits(struct visited *visited, uint32_t from, uint32_t size)
{
    struct plan *plan = &visited->plan;
    if (size > 2) {
        uint32_t cut = plan_halve(visited, from, size), left = plan_by_bits(visited, from, cut);
        return plan_add_pair(plan, left, plan_by_bits(visited, from + cut, size - cut));
    }
    struct fold leaf = {.is_leaf = true, .piece = plan->piece_count, .above = VISITED_TOP};
    for (uint32_t i = 0; i < size; i++)
        plan_add_piece(plan, &leaf, &visited->halves[from + i], i ? visited->halves[from].bits : 0);
    plan->folds[plan->fold_count] = leaf;
    return plan->fold_count++;
}

/* --- after states --- */

/* Fields that make a part of the states. */
struct cluster {
    bool is_leaf;
    uint32_t next;        /* the one after it, in the order of the first field; NO_CLUSTER: it is the last */
    uint32_t joint_next;  /* how many different parts it would make with that one; 0: not counted yet */
    uint32_t *values;     /* of each state: equal ones have equal numbers */
    uint32_t count;       /* how many there are */
    uint32_t bits;
    uint32_t left, right; /* the clusters joined; NO_CLUSTER: a field */
    uint32_t field;
};

#define NO_CLUSTER UINT32_MAX

struct entry {
    uint64_t key;
    uint32_t stamp, value;
};

/* All its memory is one block, which goes back to the system as a whole. */
struct planning {
    struct visited *visited;
    uint8_t *block;
    size_t size, used;
    const struct visited_sample *sample;
    const struct visited_field *fields;
    uint32_t field_count;
    uint32_t states;        /* of the sample, those looked at */
    struct cluster *clusters;
    uint32_t cluster_count, first; /* and the first in the order */
    bool makes_leaves;      /* for now, only what becomes a leaf is joined: few leaves are looked at faster than many */
    bool is_wide;           /* there are so many fields that only neighbours are joined */
    uint32_t *joint;        /* else, by two clusters: how many different parts they would make; 0: not counted yet */
    struct entry *table;    /* numbers for keys, of the current stamp */
    uint64_t mask;
    uint32_t *seen;         /* by pair of small numbers: the stamp */
    uint32_t stamp;
};

static void *planning_take(struct planning *planning, size_t count, size_t size)
{
    void *taken = planning->block + planning->used;
    planning->used += (count * size + 15) / 16 * 16;
    ENSURE(planning->used <= planning->size);
    return taken;
}

static uint32_t planning_number(struct planning *planning, uint64_t key, uint32_t *count)
{
    uint64_t at = hash_mix(key) & planning->mask;
    while (planning->table[at].stamp == planning->stamp && planning->table[at].key != key)
        at = (at + 1) & planning->mask;
    struct entry *entry = &planning->table[at];
    if (entry->stamp != planning->stamp)
        *entry = (struct entry){key, planning->stamp, (*count)++};
    return entry->value;
}

static struct cluster *planning_add(struct planning *planning)
{
    struct cluster *cluster = &planning->clusters[planning->cluster_count++];
    *cluster = (struct cluster){.next = NO_CLUSTER, .left = NO_CLUSTER, .right = NO_CLUSTER};
    cluster->values = planning_take(planning, planning->states, sizeof *cluster->values);
    planning->stamp++;
    return cluster;
}

static void planning_add_field(struct planning *planning, uint32_t number)
{
    struct cluster *cluster = planning_add(planning);
    const struct visited_field *field = &planning->fields[number];
    cluster->field = number;
    cluster->next = number + 1 < planning->field_count ? number + 1 : NO_CLUSTER;
    cluster->bits = field->bits;
    cluster->is_leaf = true;
    for (uint32_t s = 0; s < planning->states; s++) {
        uint64_t at = (uint64_t)s * planning->sample->count / planning->states * planning->visited->options.words;
        uint64_t word = planning->sample->states[at + field->word];
        uint64_t value = word >> field->shift & UINT64_MAX >> (64 - field->bits);
        cluster->values[s] = planning_number(planning, value, &cluster->count);
    }
}

static inline uint64_t cluster_key(const struct cluster *a, const struct cluster *b, uint32_t state)
{
    return (uint64_t)a->values[state] * b->count + b->values[state];
}

static uint32_t planning_count_joint(struct planning *planning, const struct cluster *a, const struct cluster *b)
{
    uint32_t count = 0;
    planning->stamp++;
    if ((uint64_t)a->count * b->count > PLAN_DIRECT) {
        for (uint32_t s = 0; s < planning->states; s++)
            planning_number(planning, cluster_key(a, b, s), &count);
        return count;
    }
    for (uint32_t s = 0; s < planning->states; s++) {
        uint32_t *seen = &planning->seen[cluster_key(a, b, s)];
        count += *seen != planning->stamp;
        *seen = planning->stamp;
    }
    return count;
}

static uint32_t planning_joint(struct planning *planning, uint32_t a, uint32_t b)
{
    uint32_t *joint = planning->is_wide ? &planning->clusters[a].joint_next
                                        : &planning->joint[(size_t)a * 2 * planning->field_count + b];
    if (!*joint)
        *joint = planning_count_joint(planning, &planning->clusters[a], &planning->clusters[b]);
    return *joint;
}

static bool planning_is_rare(const struct planning *planning, uint64_t count)
{
    uint32_t most = planning->visited->bits <= 2 * PLAN_LEAF_BITS ? PLAN_RARE_OF_TWO : PLAN_RARE;
    return count * 8 <= (uint64_t)planning->states * most;
}

/* Would it be better to join a and b than what was best so far? Of few states, nearly all parts are different, and then it is the balance
 * that counts. */
static bool planning_is_better(struct planning *planning, uint32_t a, uint32_t b, uint64_t *count, uint64_t *product)
{
    const struct cluster *x = &planning->clusters[a], *y = &planning->clusters[b];
    uint64_t least = x->count > y->count ? x->count : y->count, size = (uint64_t)x->count * y->count;
    if (least > *count || (least == *count && size >= *product))
        return false;
    if (planning->makes_leaves && (!x->is_leaf || !y->is_leaf || x->bits + y->bits > PLAN_LEAF_BITS))
        return false;
    uint64_t joint = planning_joint(planning, a, b);
    if (joint > *count || (joint == *count && size >= *product))
        return false;
    if (planning->makes_leaves && !planning_is_rare(planning, joint))
        return false;
    *count = joint;
    *product = size;
    return true;
}

/* false: there are no two that can be joined. */
static bool planning_choose(struct planning *planning, uint32_t *a, uint32_t *b)
{
    const struct cluster *clusters = planning->clusters;
    uint64_t count = UINT64_MAX, product = UINT64_MAX;
    for (uint32_t x = planning->first; x != NO_CLUSTER; x = clusters[x].next)
        for (uint32_t y = clusters[x].next; y != NO_CLUSTER; y = planning->is_wide ? NO_CLUSTER : clusters[y].next)
            if (planning_is_better(planning, x, y, &count, &product)) {
                *a = x;
                *b = y;
            }
    return count < UINT64_MAX;
}

/* The cluster before this one in the order. */
static uint32_t *planning_link_to(struct planning *planning, uint32_t number)
{
    uint32_t *link = &planning->first;
    while (*link != number) {
        planning->clusters[*link].joint_next *= planning->clusters[*link].next != number; /* it gets another neighbour */
        link = &planning->clusters[*link].next;
    }
    return link;
}

static void planning_join(struct planning *planning, uint32_t a, uint32_t b)
{
    struct cluster *joined = planning_add(planning), *x = &planning->clusters[a], *y = &planning->clusters[b];
    joined->left = a;
    joined->right = b;
    joined->bits = x->bits + y->bits;
    for (uint32_t s = 0; s < planning->states; s++)
        joined->values[s] = planning_number(planning, cluster_key(x, y, s), &joined->count);
    joined->is_leaf = x->is_leaf && y->is_leaf && joined->bits <= PLAN_LEAF_BITS &&
                      planning_is_rare(planning, joined->count);
    *planning_link_to(planning, b) = y->next;
    joined->next = x->next;
    *planning_link_to(planning, a) = (uint32_t)(joined - planning->clusters);
}

/* --- the last few: the best tree on them --- */

static uint64_t planning_last_states(const struct planning *planning)
{
    return planning->sample->count < PLAN_LAST_STATES ? planning->sample->count : PLAN_LAST_STATES;
}

/* By set of the clusters that are left. */
struct choice {
    uint32_t count; /* how many different parts they make */
    uint64_t sum;   /* of the best tree: of that over its inner nodes */
    uint32_t side;  /* one side of its root */
};

/* Here more states are looked at, and counted by their hashes in a bitmap (linear counting: Whang, Vander-Zanden, Taylor 1990): that
 * is enough to tell which of two sets has more parts. */
struct finish {
    struct planning *planning;
    uint32_t clusters[PLAN_LAST], count;
    struct choice choices[1 << PLAN_LAST];
    uint64_t states;
    uint64_t *hashes[PLAN_LAST];   /* of each cluster: by state */
    uint64_t *sums[PLAN_LAST + 1]; /* of the set with so many clusters that is looked at: by state */
    uint64_t *bitmap;
};

static void finish_hash(const struct finish *finish, uint32_t number, uint64_t *hashes)
{
    const struct planning *planning = finish->planning;
    const struct cluster *cluster = &planning->clusters[number];
    if (cluster->left != NO_CLUSTER) {
        finish_hash(finish, cluster->left, hashes);
        finish_hash(finish, cluster->right, hashes);
        return;
    }
    const struct visited_field *field = &planning->fields[cluster->field];
    const uint64_t *states = planning->sample->states + field->word;
    uint64_t weight = hash_mix(cluster->field) | 1, mask = UINT64_MAX >> (64 - field->bits);
    uint64_t words = planning->visited->options.words;
    for (uint64_t s = 0; s < finish->states; s++)
        hashes[s] += weight * (states[s * planning->sample->count / finish->states * words] >> field->shift & mask);
}

static uint32_t finish_count_sums(const struct finish *finish, const uint64_t *sums)
{
    uint32_t count = 0;
    memset(finish->bitmap, 0, (size_t)1 << (PLAN_BITMAP - 3));
    for (uint64_t s = 0; s < finish->states; s++) {
        uint64_t at = (sums[s] ^ sums[s] >> 32) * 0x9e3779b97f4a7c15u >> (64 - PLAN_BITMAP);
        finish->bitmap[at / 64] |= (uint64_t)1 << at % 64;
    }
    for (size_t i = 0; i < (size_t)1 << (PLAN_BITMAP - 6); i++)
        count += (uint32_t)__builtin_popcountll(finish->bitmap[i]);
    return count;
}

/* Counts the parts of all sets with these `size` clusters and some behind `last`, but for the set of all. */
static void finish_count(struct finish *finish, uint32_t set, uint32_t size, uint32_t last)
{
    for (uint32_t i = last + 1; i < finish->count && size + 1 < finish->count; i++) {
        const uint64_t *before = finish->sums[size], *added = finish->hashes[i];
        for (uint64_t s = 0; s < finish->states; s++)
            finish->sums[size + 1][s] = before[s] + added[s];
        if (size)
            finish->choices[set | 1u << i].count = finish_count_sums(finish, finish->sums[size + 1]);
        finish_count(finish, set | 1u << i, size + 1, i);
    }
}

static void finish_choose(struct choice *choices, uint32_t set)
{
    struct choice *choice = &choices[set];
    choice->sum = UINT64_MAX;
    for (uint32_t side = (set - 1) & set; side; side = (side - 1) & set) {
        uint64_t sum = choices[side].sum + choices[set & ~side].sum;
        if (sum < choice->sum) {
            choice->sum = sum;
            choice->side = side;
        }
    }
    choice->sum += choice->count;
}

/* Joins the clusters of the set as the best tree has them. */
static uint32_t finish_join(struct finish *finish, uint32_t set)
{
    if (!(set & (set - 1)))
        return finish->clusters[__builtin_ctz(set)];
    uint32_t left = finish_join(finish, finish->choices[set].side);
    uint32_t right = finish_join(finish, set & ~finish->choices[set].side);
    planning_join(finish->planning, left, right);
    return finish->planning->cluster_count - 1;
}

static struct finish *finish_create(struct planning *planning)
{
    struct finish *finish = planning_take(planning, 1, sizeof *finish);
    finish->planning = planning;
    finish->states = planning_last_states(planning);
    finish->bitmap = planning_take(planning, (size_t)1 << (PLAN_BITMAP - 6), sizeof *finish->bitmap);
    for (uint32_t c = planning->first; c != NO_CLUSTER; c = planning->clusters[c].next)
        finish->clusters[finish->count++] = c;
    for (uint32_t i = 0; i < finish->count; i++) {
        finish->hashes[i] = planning_take(planning, finish->states, sizeof **finish->hashes);
        finish_hash(finish, finish->clusters[i], finish->hashes[i]);
    }
    for (uint32_t i = 0; i <= finish->count; i++)
        finish->sums[i] = planning_take(planning, finish->states, sizeof **finish->sums);
    return finish;
}

/* The two clusters at the top. */
static void planning_finish(struct planning *planning, uint32_t *left, uint32_t *right)
{
    struct finish *finish = finish_create(planning);
    uint32_t all = (1u << finish->count) - 1;
    finish_count(finish, 0, 0, UINT32_MAX);
    for (uint32_t set = 1; set <= all; set++)
        if (set & (set - 1))
            finish_choose(finish->choices, set);
    *left = finish_join(finish, finish->choices[all].side);
    *right = finish_join(finish, all & ~finish->choices[all].side);
}

/* --- from clusters to folds --- */

static void planning_gather(struct planning *planning, uint32_t number, struct fold *leaf, uint32_t *offset)
{
    const struct cluster *cluster = &planning->clusters[number];
    if (cluster->left == NO_CLUSTER) {
        const struct visited_field *field = &planning->fields[cluster->field];
        plan_add_piece(&planning->visited->plan, leaf, field, *offset);
        *offset += field->bits;
        return;
    }
    planning_gather(planning, cluster->left, leaf, offset);
    planning_gather(planning, cluster->right, leaf, offset);
}

static int piece_compare(const void *first, const void *second)
{
    const struct piece *x = first, *y = second;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word) : x->shift - y->shift;
}

/* Neighbours in a word become one piece. */
static void plan_merge_pieces(struct plan *plan, struct fold *leaf)
{
    struct piece *pieces = plan->pieces + leaf->piece;
    uint32_t count = 0, offset = 0;
    qsort(pieces, leaf->piece_count, sizeof *pieces, piece_compare);
    for (uint32_t i = 0; i < leaf->piece_count; i++) {
        struct piece *last = count ? &pieces[count - 1] : NULL;
        uint32_t bits = (uint32_t)__builtin_popcountll(pieces[i].mask);
        if (last && last->word == pieces[i].word && last->shift + (offset - last->offset) == pieces[i].shift) {
            last->mask |= pieces[i].mask << (offset - last->offset);
        } else {
            pieces[count] = pieces[i];
            pieces[count++].offset = (uint8_t)offset;
        }
        offset += bits;
    }
    leaf->piece_count = plan->piece_count = count;
    plan->piece_count += leaf->piece;
}

static uint32_t planning_fold(struct planning *planning, uint32_t number)
{
    struct plan *plan = &planning->visited->plan;
    const struct cluster *cluster = &planning->clusters[number];
    if (!cluster->is_leaf) {
        uint32_t left = planning_fold(planning, cluster->left);
        return plan_add_pair(plan, left, planning_fold(planning, cluster->right));
    }
    struct fold leaf = {.is_leaf = true, .piece = plan->piece_count, .above = VISITED_TOP};
    uint32_t offset = 0;
    planning_gather(planning, number, &leaf, &offset);
    plan_merge_pieces(plan, &leaf);
    plan->folds[plan->fold_count] = leaf;
    return plan->fold_count++;
}

/* What it takes, with something for what is rounded up. */
static size_t planning_bytes(const struct planning *planning)
{
    size_t clusters = 2 * (size_t)planning->field_count, last = planning_last_states(planning);
    return clusters * (sizeof *planning->clusters + planning->states * sizeof *planning->clusters->values + 16) +
           (planning->is_wide ? 0 : clusters * clusters * sizeof *planning->joint) +
           (planning->mask + 1) * sizeof *planning->table + PLAN_DIRECT * sizeof *planning->seen +
           sizeof(struct finish) + ((size_t)1 << (PLAN_BITMAP - 3)) + (2 * PLAN_LAST + 1) * (last * sizeof(uint64_t) + 16) +
           1024;
}

static void planning_size(struct planning *planning, struct visited *visited, const struct visited_sample *sample)
{
    bool has_fields = visited->field_count > 1;
    *planning = (struct planning){.visited = visited, .sample = sample};
    planning->fields = has_fields ? visited->fields : visited->halves;
    planning->field_count = has_fields ? visited->field_count : visited->half_count;
    planning->is_wide = planning->field_count > PLAN_FIELDS;
    uint64_t most = PLAN_VALUES / planning->field_count + 256;
    most = most < PLAN_STATES ? most : PLAN_STATES;
    planning->states = (uint32_t)(sample->count < most ? sample->count : most);
    for (planning->mask = 1; planning->mask < 2 * (uint64_t)planning->states;)
        planning->mask = 2 * planning->mask + 1;
    planning->size = planning_bytes(planning);
}

static bool planning_begin(struct planning *planning)
{
    size_t clusters = 2 * (size_t)planning->field_count;
    planning->block = pages_alloc(planning->size);
    if (!planning->block)
        return false;
    planning->clusters = planning_take(planning, clusters, sizeof *planning->clusters);
    if (!planning->is_wide)
        planning->joint = planning_take(planning, clusters * clusters, sizeof *planning->joint);
    planning->table = planning_take(planning, planning->mask + 1, sizeof *planning->table);
    planning->seen = planning_take(planning, PLAN_DIRECT, sizeof *planning->seen);
    return true;
}

static bool plan_by_states(struct visited *visited, const struct visited_sample *sample)
{
    struct planning planning;
    uint32_t a = 0, b = 0;
    planning_size(&planning, visited, sample);
    if (!budget_take(visited->budget, planning.size))
        return false;
    bool is_good = planning_begin(&planning);
    for (uint32_t i = 0; is_good && i < planning.field_count; i++)
        planning_add_field(&planning, i);
    uint32_t left = planning.field_count;
    for (planning.makes_leaves = true; is_good && left > 2 && planning_choose(&planning, &a, &b); left--)
        planning_join(&planning, a, b);
    for (planning.makes_leaves = false; is_good && left > PLAN_LAST && planning_choose(&planning, &a, &b); left--)
        planning_join(&planning, a, b);
    if (is_good) {
        planning_finish(&planning, &a, &b);
        visited->plan.left = planning_fold(&planning, a);
        visited->plan.right = planning_fold(&planning, b);
    }
    pages_free(planning.block, planning.size);
    budget_give(visited->budget, planning.size);
    return is_good;
}

bool visited_make_plan(struct visited *visited, const struct visited_sample *sample)
{
    struct plan *plan = &visited->plan;
    plan->folds = memory_zeroed(visited_most_folds(visited), sizeof *plan->folds);
    plan->pieces = memory_zeroed(visited_most_folds(visited), sizeof *plan->pieces);
    if (sample && !plan_by_states(visited, sample))
        return false;
    if (!sample) {
        uint32_t cut = plan_halve(visited, 0, visited->half_count);
        plan->left = plan_by_bits(visited, 0, cut);
        plan->right = plan_by_bits(visited, cut, visited->half_count - cut);
    }
    fold_plan_index(plan);
    return true;
}
