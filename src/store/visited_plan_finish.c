/* The last few clusters: the best tree on them. */
#include <string.h>

#include "base/hash.h"
#include "base/watch.h"
#include "store/visited_planning.h"

enum { PLAN_BITMAP = 17 /* bits of the number of bits in a bitmap */ };

static uint64_t planning_last_states(const struct planning *planning)
{
    return planning->sample->count < PLAN_LAST_STATES ? planning->sample->count : PLAN_LAST_STATES;
}

/* By set of the clusters that are left. */
struct visited_choice {
    uint32_t count; /* how many different parts they make */
    uint64_t sum;   /* of the best tree: of that over its inner nodes */
    uint32_t side;  /* one side of its root */
};

/* Here more states are looked at, and counted by their hashes in a bitmap (linear counting: Whang, Vander-Zanden,
 * Taylor 1990): that is enough to tell which of two sets has more parts. */
struct finish {
    struct planning *planning;
    uint32_t clusters[PLAN_LAST], count;
    struct visited_choice choices[1 << PLAN_LAST];
    uint64_t states;
    uint64_t *hashes[PLAN_LAST];   /* of each cluster: by state */
    uint64_t *sums[PLAN_LAST + 1]; /* by number of clusters in the set that is looked at, by state */
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
    bool is_late = watch_is_up();
    for (uint64_t s = 0; s < finish->states && !is_late; s++)
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
    for (uint32_t i = last + 1; i < finish->count && size + 1 < finish->count && !watch_is_up(); i++) {
        const uint64_t *before = finish->sums[size], *added = finish->hashes[i];
        for (uint64_t s = 0; s < finish->states; s++)
            finish->sums[size + 1][s] = before[s] + added[s];
        if (size)
            finish->choices[set | 1u << i].count = finish_count_sums(finish, finish->sums[size + 1]);
        finish_count(finish, set | 1u << i, size + 1, i);
    }
}

static void finish_choose(struct visited_choice *choices, uint32_t set)
{
    struct visited_choice *choice = &choices[set];
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

size_t planning_finish_bytes(const struct planning *planning)
{
    return sizeof(struct finish) + ((size_t)1 << (PLAN_BITMAP - 3)) +
           (2 * PLAN_LAST + 1) * (planning_last_states(planning) * sizeof(uint64_t) + 16);
}

void planning_finish(struct planning *planning, uint32_t *left, uint32_t *right)
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
