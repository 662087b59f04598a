#include "canon/generated_inner.h"

#include <string.h>

#include "base/disjoint.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"

enum { GENERATED_UP = UINT32_MAX };
enum { GENERATED_SMALL = 64, GENERATED_FEW = 4 };

/* --- colours --- */

/* Colours that see how an element stands to others of each colour: what the group keeps of pairs (its orbitals). Sums
 * over all elements, split until nothing changes. */
static uint64_t generated_refine_pairs(struct canon *canon, struct canon_partition *partition)
{
    struct symmetry_generated *g = canon->generated;
    uint64_t trace = 0;
    do {
        if (!g->pairs || partition->classes == g->n)
            break;
        canon->work += WORK_PAIR * g->n * g->n;
        for (uint32_t e = 0; e < g->n; e++)
            g->shades[e] = hash_mix(partition->rank[e]);
        for (uint32_t e = 0; e < g->n; e++) {
            const uint64_t *row = g->pairs + (size_t)e * g->n;
            uint64_t sum = 0;
            for (uint32_t f = 0; f < g->n; f++)
                sum += row[f] * g->shades[f];
            canon->signature[e] = sum;
        }
    } while (partition_split(canon, partition, &trace));
    return trace;
}

static uint64_t generated_refine(struct canon *canon, const int32_t *cells, struct canon_partition *partition)
{
    uint64_t trace = 0;
    uint32_t before;
    do {
        trace = hash_combine(trace, generated_refine_pairs(canon, partition));
        before = partition->classes;
        trace = hash_combine(trace, canon_refine(canon, cells, partition));
    } while (partition->classes > before);
    return trace;
}

/* The colours when `element` has one of its own, in the partition after that of the level. Returns their trace. */
static uint64_t generated_individualise(struct canon *canon, uint32_t partition, uint32_t element, const int32_t *cells)
{
    struct canon_partition *child = &canon_level(canon, partition + 1)->partition;
    partition_single_out(canon, &canon->levels[partition].partition, element, child);
    return generated_refine(canon, cells, child);
}

/* --- automorphisms --- */

static bool generated_fixes_path(uint32_t l, const uint32_t *path, const uint32_t *image)
{
    for (uint32_t i = 0; i < l; i++)
        if (image[path[i]] != path[i])
            return false;
    return true;
}

/* Elements of full factors that are twins, and not chosen yet, are exchanged by an automorphism. */
static void generated_unite_twins(const struct canon *canon, uint32_t *orbit, const uint32_t *path, uint32_t l)
{
    const struct structure *s = canon->structure;
    struct symmetry_generated *g = canon->generated;
    for (uint32_t i = 0; i < l; i++)
        g->is_path[path[i]] = true;
    for (uint32_t e = 0; e < g->n; e++) {
        if (!s->factors[s->factor_of[e]].is_full || g->is_path[e])
            continue;
        for (uint32_t f = 0; f < e; f++)
            if (!g->is_path[f] && s->factor_of[f] == s->factor_of[e] && canon->twin[f] == canon->twin[e]) {
                disjoint_join(orbit, e, f);
                break;
            }
    }
    for (uint32_t i = 0; i < l; i++)
        g->is_path[path[i]] = false;
}

/* Brings the orbits of the automorphisms that fix the first l elements of the path up to date. */
static void generated_update_orbits(const struct canon *canon, uint32_t l, const uint32_t *path)
{
    struct symmetry_generated *g = canon->generated;
    struct generated_level *level = &g->levels[l];
    uint32_t count = (uint32_t)(g->automorphisms.count / g->n);
    for (; level->known < count; level->known++) {
        const uint32_t *image = g->automorphisms.items + (size_t)level->known * g->n;
        if (generated_fixes_path(l, path, image))
            for (uint32_t e = 0; e < g->n; e++)
                disjoint_join(level->orbit, e, image[e]);
    }
}

static void generated_begin_orbits(const struct canon *canon, uint32_t l, const uint32_t *path)
{
    struct symmetry_generated *g = canon->generated;
    perm_set_identity(g->n, g->levels[l].orbit);
    g->levels[l].known = 0;
    if (g->has_twins)
        generated_unite_twins(canon, g->levels[l].orbit, path, l);
    generated_update_orbits(canon, l, path);
}

/* --- the search --- */

/* `right` of the level below: where the chain's points are when the base point of level l is at `point` of its orbit.
 */
static void generated_settle(struct symmetry_generated *g, uint32_t l, uint32_t point)
{
    struct generated_level *level = &g->levels[l];
    if (!level->elements[point]) {
        level->elements[point] = memory_alloc(((size_t)g->n + 1) * sizeof(uint32_t));
        group_level_element(g->group, l, point, level->elements[point]);
    }
    perm_multiply(g->n, level->elements[point], level->right, g->levels[l + 1].right);
}

/* The points of the orbit whose elements have the rarest colour there, the least of those. */
static void generated_list_candidates(const struct canon *canon, uint32_t l)
{
    struct symmetry_generated *g = canon->generated;
    struct generated_level *level = &g->levels[l];
    const uint32_t *rank = canon->levels[level->partition].partition.rank;
    uint32_t length, chosen = UINT32_MAX;
    const uint32_t *orbit = group_level_orbit(g->group, l, &length);
    for (uint32_t i = 0; i < length; i++)
        g->seen[rank[level->right[orbit[i]]]]++;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t colour = rank[level->right[orbit[i]]];
        if (chosen == UINT32_MAX || g->seen[colour] < g->seen[chosen] ||
            (g->seen[colour] == g->seen[chosen] && colour < chosen))
            chosen = colour;
    }
    level->candidate_count = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t colour = rank[level->right[orbit[i]]];
        g->seen[colour] = 0;
        if (colour == chosen)
            level->candidates[level->candidate_count++] = orbit[i];
    }
}

/* Is the group so small that it costs less to try what the first colours leave than to refine them? */
static bool generated_is_settled(const struct canon *canon)
{
    struct symmetry_generated *g = canon->generated;
    if (canon->levels[0].partition.classes == g->n)
        return true;
    if (!canon->group_order || canon->group_order > GENERATED_SMALL)
        return false;
    generated_list_candidates(canon, 0);
    return g->levels[0].candidate_count <= GENERATED_FEW;
}

/* Is there anything left to choose below, that finer colours could settle? */
static bool generated_wants_colours(const struct canon *canon, uint32_t l)
{
    const struct symmetry_generated *g = canon->generated;
    uint32_t length = 1;
    for (uint32_t below = l + 1; below < g->level_count && length == 1; below++)
        group_level_orbit(g->group, below, &length);
    return length > 1 && g->is_refined && canon->levels[g->levels[l].partition].partition.classes < g->n;
}

/* Keeps the candidates whose refinement has the least trace. */
static void generated_filter(struct canon *canon, uint32_t l, const int32_t *cells)
{
    struct generated_level *level = &canon->generated->levels[l];
    uint64_t least = UINT64_MAX;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < level->candidate_count; c++) {
        level->trace[c] = generated_individualise(canon, level->partition, level->right[level->candidates[c]], cells);
        least = level->trace[c] < least ? level->trace[c] : least;
    }
    for (uint32_t c = 0; c < level->candidate_count; c++)
        if (level->trace[c] == least)
            level->candidates[kept++] = level->candidates[c];
    level->candidate_count = kept;
}

/* The element of the group that puts the state's elements as settled gives this image. Returns where to go on. */
static uint32_t generated_leaf(struct canon *canon, const int32_t *cells)
{
    struct symmetry_generated *g = canon->generated;
    const struct structure *s = canon->structure;
    const uint32_t *settled = g->levels[g->level_count].right;
    uint32_t parting = 0, c = 0;
    perm_invert(g->n, settled, g->inverse);
    structure_act(s, g->inverse, cells, g->leaf);
    canon->work += WORK_LEAF + WORK_CELL * s->cell_count;
    while (g->has_best && c < s->cell_count && g->leaf[c] == g->best[c])
        c++;
    if (g->has_best && c == s->cell_count) {
        for (uint32_t e = 0; e < g->n; e++) /* the best leaf's element at a place to this one's */
            VEC_PUSH(&g->automorphisms, settled[canon->image[e]]);
        while (g->best_path[parting] == g->path[parting])
            parting++;
        return parting;
    }
    if (!g->has_best || g->leaf[c] < g->best[c]) {
        g->has_best = true;
        memcpy(g->best, g->leaf, s->cell_count * sizeof *g->best);
        memcpy(g->best_path, g->path, g->level_count * sizeof *g->path);
        memcpy(canon->image, g->inverse, g->n * sizeof *canon->image);
    }
    return GENERATED_UP;
}

/* GENERATED_UP: the node is done; else an earlier level, below which all was seen already in another image. */
static uint32_t generated_node(struct canon *canon, uint32_t l, const int32_t *cells)
{
    struct symmetry_generated *g = canon->generated;
    struct generated_level *level = &g->levels[l];
    if (l == g->level_count)
        return generated_leaf(canon, cells);
    generated_list_candidates(canon, l);
    bool is_refined = generated_wants_colours(canon, l);
    if (is_refined && level->candidate_count > 1)
        generated_filter(canon, l, cells);
    if (canon->is_greedy)
        level->candidate_count = 1;
    if (level->candidate_count > 1)
        generated_begin_orbits(canon, l, g->path);
    for (uint32_t c = 0; c < level->candidate_count; c++) {
        uint32_t element = level->right[level->candidates[c]];
        if (c > 0 && canon_cuts(canon)) /* there is a leaf by now */
            break;
        if (c > 0)
            generated_update_orbits(canon, l, g->path);
        bool is_seen = false;
        for (uint32_t d = 0; d < c && !is_seen; d++)
            is_seen =
                disjoint_find(level->orbit, element) == disjoint_find(level->orbit, level->right[level->candidates[d]]);
        if (is_seen)
            continue;
        g->path[l] = element;
        g->levels[l + 1].partition = level->partition;
        if (is_refined && partition_is_shared(&canon->levels[level->partition].partition, element)) {
            generated_individualise(canon, level->partition, element, cells);
            g->levels[l + 1].partition = level->partition + 1;
        }
        generated_settle(g, l, level->candidates[c]);
        uint32_t went = generated_node(canon, l + 1, cells);
        if (went < l)
            return went;
    }
    return GENERATED_UP;
}

uint64_t generated_refine_root(struct canon *canon, const int32_t *cells)
{
    struct symmetry_generated *g = canon->generated;
    struct canon_partition *root = &canon->levels[0].partition;
    uint64_t trace = generated_refine(canon, cells, root), sum = 0;
    for (uint32_t e = 0; e < g->n && g->pairs; e++) {
        uint64_t row = 0;
        for (uint32_t f = 0; f < g->n; f++)
            row += g->pairs[(size_t)e * g->n + f] * hash_mix(root->rank[f]);
        sum += hash_mix(row + root->rank[e]);
    }
    return hash_combine(trace, sum);
}

void generated_random_leaf(struct canon *canon, const int32_t *cells, uint64_t seed, uint64_t *packed)
{
    struct symmetry_generated *g = canon->generated;
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon_colour(canon);
    canon_refine_root(canon, cells);
    generated_refine(canon, cells, &canon->levels[0].partition);
    g->levels[0].partition = 0;
    for (uint32_t l = 0; l < g->level_count; l++) {
        struct generated_level *level = &g->levels[l];
        generated_list_candidates(canon, l);
        uint32_t point = level->candidates[hash_mix(seed++) % level->candidate_count];
        const struct canon_partition *partition = &canon->levels[level->partition].partition;
        g->levels[l + 1].partition = level->partition;
        if (partition_is_shared(partition, level->right[point])) {
            generated_individualise(canon, level->partition, level->right[point], cells);
            g->levels[l + 1].partition = level->partition + 1;
        }
        generated_settle(g, l, point);
    }
    perm_invert(g->n, g->levels[g->level_count].right, g->inverse);
    structure_act(canon->structure, g->inverse, cells, g->leaf);
    layout_pack(canon->structure->layout, g->leaf, packed);
}

/* By level: the orbit of what the best path has there, of the automorphisms that fix what was chosen before. Their
 * product is the order of the stabiliser. */
static void generated_measure(const struct canon *canon)
{
    struct symmetry_generated *g = canon->generated;
    bool is_plain = !g->automorphisms.count && !g->has_twins;
    for (uint32_t l = 0; l < g->level_count; l++) {
        uint32_t *orbit = g->levels[l].orbit;
        g->sizes[l] = is_plain;
        if (is_plain)
            continue;
        generated_begin_orbits(canon, l, g->best_path);
        for (uint32_t e = 0; e < g->n; e++)
            g->sizes[l] += disjoint_find(orbit, e) == disjoint_find(orbit, g->best_path[l]);
    }
}

static bool generated_has_full(const struct structure *s)
{
    for (uint32_t f = 0; f < s->factor_count; f++)
        if (s->factors[f].is_full)
            return true;
    return false;
}

void generated_apply(struct canon *canon, const int32_t *cells, int32_t *out)
{
    struct symmetry_generated *g = canon->generated;
    const struct structure *s = canon->structure;
    struct canon_partition *root = &canon->levels[0].partition;
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon->work += WORK_SUCCESSOR + WORK_CELL * s->cell_count;
    canon_colour(canon);
    g->levels[0].partition = 0;
    g->is_refined = !canon->is_greedy && !generated_is_settled(canon);
    if (g->is_refined)
        generated_refine_pairs(canon, root);
    if (g->is_refined && root->classes < g->n) {
        canon_refine_root(canon, cells);
        generated_refine(canon, cells, root);
    }
    g->has_twins = !canon->is_greedy && root->classes < g->n && generated_has_full(s);
    if (g->has_twins)
        canon_find_twins(canon, cells, root);
    VEC_CLEAR(&g->automorphisms);
    g->has_best = false;
    generated_node(canon, 0, cells);
    if (out)
        memcpy(out, g->best, s->cell_count * sizeof *out);
}

/* The order of the state's stabiliser; 0: it does not fit. */
static uint64_t generated_stabiliser(const struct canon *canon)
{
    const struct symmetry_generated *g = canon->generated;
    uint64_t order = 1;
    generated_measure(canon);
    for (uint32_t l = 0; l < g->level_count; l++)
        if (__builtin_mul_overflow(order, (uint64_t)g->sizes[l], &order))
            return 0;
    return order;
}

uint64_t generated_successor(struct canon *canon, const int32_t *cells, uint64_t *packed)
{
    generated_apply(canon, cells, NULL);
    layout_pack(canon->structure->layout, canon->generated->best, packed);
    return canon->is_greedy ? 0 : generated_stabiliser(canon);
}

void generated_orbit_size(const struct canon *canon, struct bigint *size)
{
    const struct symmetry_generated *g = canon->generated;
    struct bigint *stabiliser = bigint_create(1);
    generated_measure(canon);
    for (uint32_t l = 0; l < g->level_count; l++)
        bigint_multiply_u64(stabiliser, g->sizes[l]);
    group_order(g->group, size);
    bigint_divide_exact(size, stabiliser);
    bigint_destroy(stabiliser);
}

uint64_t generated_order(const struct symmetry_generated *g)
{
    uint64_t order;
    return group_order_small(g->group, &order) ? order : 0;
}
