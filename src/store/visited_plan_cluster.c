/* Clusters of fields: those that make the fewest different parts in the states known are joined first. */
#include "base/hash.h"
#include "store/visited_planning.h"

enum {
    PLAN_RARE = 4,       /* the most values of a leaf for eight states; */
    PLAN_RARE_OF_TWO = 6 /* the same if two leaves are enough, which is fastest */
};

static uint32_t planning_number(struct planning *planning, uint64_t key, uint32_t *count)
{
    uint64_t at = hash_mix(key) & planning->mask;
    while (planning->table[at].stamp == planning->stamp && planning->table[at].key != key)
        at = (at + 1) & planning->mask;
    struct visited_entry *entry = &planning->table[at];
    if (entry->stamp != planning->stamp)
        *entry = (struct visited_entry){key, planning->stamp, (*count)++};
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

void planning_add_field(struct planning *planning, uint32_t number)
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

/* Would it be better to join a and b than what was best so far? Of few states, nearly all parts are different, and then
 * it is the balance that counts. */
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

bool planning_choose(struct planning *planning, uint32_t *a, uint32_t *b)
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
        planning->clusters[*link].joint_next *=
            planning->clusters[*link].next != number; /* it gets another neighbour */
        link = &planning->clusters[*link].next;
    }
    return link;
}

void planning_join(struct planning *planning, uint32_t a, uint32_t b)
{
    struct cluster *joined = planning_add(planning), *x = &planning->clusters[a], *y = &planning->clusters[b];
    joined->left = a;
    joined->right = b;
    joined->bits = x->bits + y->bits;
    for (uint32_t s = 0; s < planning->states; s++)
        joined->values[s] = planning_number(planning, cluster_key(x, y, s), &joined->count);
    joined->is_leaf =
        x->is_leaf && y->is_leaf && joined->bits <= PLAN_LEAF_BITS && planning_is_rare(planning, joined->count);
    *planning_link_to(planning, b) = y->next;
    joined->next = x->next;
    *planning_link_to(planning, a) = (uint32_t)(joined - planning->clusters);
}
