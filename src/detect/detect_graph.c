/* Carriers whose elements are named or computed with: what symmetry is left, by the model graph. */
#include <math.h>
#include <stdlib.h>

#include "base/disjoint.h"
#include "detect/detecting.h"

enum { MOST_CARRIERS = 64, MOST_VERTICES = 4 * 1000 * 1000, MOST_TWINS = 24 };
/* Points that the proof of a group's order multiplies: about a second. */
#define MOST_GROUP_WORK ((uint64_t)1 << 28)
static const double ground_work = 4e8;

static bool graph_is_candidate(const struct detecting *d, uint32_t c)
{
    const struct symmetry_factor *refused = &d->refused[c];
    return !d->is_full[c] && refused->breach_kinds && !(refused->breach_kinds & BREACH_ORDERS);
}

bool detect_is_sound(struct detecting *d)
{
    for (uint32_t c = 0; c < d->carriers->count; c++)
        d->carriers->items[c].is_wanted = d->is_full[c] || d->is_graphed[c];
    if (!detect_ask(d))
        return false;
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        if (d->is_full[c] && !detect_factor(d, c)->is_used)
            return false;
        if (d->is_graphed[c] && (detect_factor(d, c)->breach_kinds & BREACH_ORDERS))
            return false;
    }
    return true;
}

/* All candidates at once, or if they spoil each other's loops one by one. */
bool detect_choose(struct detecting *d)
{
    uint32_t count = 0, points = 0;
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        points += graph_is_candidate(d, c) ? (uint32_t)(d->carriers->items[c].hi - d->carriers->items[c].lo + 1) : 0;
        d->is_graphed[c] = graph_is_candidate(d, c) && count < MOST_CARRIERS && points < DETECT_MOST_POINTS;
        count += d->is_graphed[c];
    }
    if (!count || detect_is_sound(d))
        return count > 0;
    for (uint32_t c = 0; c < d->carriers->count; c++)
        d->is_graphed[c] = false;
    count = 0;
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        d->is_graphed[c] = graph_is_candidate(d, c);
        if (d->is_graphed[c] && !detect_is_sound(d))
            d->is_graphed[c] = false;
        count += d->is_graphed[c];
    }
    return count > 0;
}

static void twins_join(uint32_t *twins, const uint32_t *image, uint32_t n)
{
    uint32_t moved[2] = {0}, count = 0;
    for (uint32_t p = 0; p < n && count < 3; p++)
        if (image[p] != p && count++ < 2)
            moved[count - 1] = p;
    if (count == 2)
        disjoint_join(twins, moved[0], moved[1]);
}

uint32_t detect_twins(const struct model_graph *graph, uint32_t *twins)
{
    uint32_t n = graph->point_count, largest = 0, *size = memory_zeroed((size_t)n + 1, sizeof *size);
    for (uint32_t p = 0; p < n; p++)
        twins[p] = p;
    for (uint32_t g = 0; g < graph->generator_count; g++)
        twins_join(twins, graph->generators + (size_t)g * n, n);
    for (uint32_t p = 0; p < n; p++) {
        twins[p] = disjoint_find(twins, p);
        largest = ++size[twins[p]] > largest ? size[twins[p]] : largest;
    }
    free(size);
    return largest;
}

bool detect_is_idle(const struct detecting *d, uint32_t carrier, uint32_t ordinal)
{
    const struct carrier *of = &d->carriers->items[carrier];
    return !of->is_state || !carriers_has(d->carriers, carrier, (int64_t)of->lo + ordinal);
}

/* The group of one graph, or of two; NULL: it takes too long to compute. Idle points are left out: their
 * images were needed only to see that rules are taken to rules. */
static struct group *graph_group(const struct detecting *d, const struct model_graph *a, const struct model_graph *b)
{
    uint32_t n = a->point_count, count = 0, total = a->generator_count + (b ? b->generator_count : 0);
    bool *is_idle = memory_zeroed((size_t)n + 1, sizeof *is_idle);
    for (uint32_t c = 0; c < d->carriers->count; c++)
        for (uint32_t i = 0;
             a->first[c] != NO_CARRIER && (int64_t)i <= (int64_t)d->carriers->items[c].hi - d->carriers->items[c].lo;
             i++)
            is_idle[a->first[c] + i] = detect_is_idle(d, c, i);
    uint32_t *images = memory_alloc(((size_t)total * n + 1) * sizeof *images);
    const uint32_t **list = memory_alloc(((size_t)total + 1) * sizeof *list);
    for (const struct model_graph *graph = a; graph; graph = graph == a ? b : NULL)
        for (uint32_t g = 0; g < graph->generator_count; g++, count++) {
            list[count] = images + (size_t)count * n;
            for (uint32_t p = 0; p < n; p++)
                images[(size_t)count * n + p] = is_idle[p] ? p : graph->generators[(size_t)g * n + p];
        }
    struct group *group = group_create_within(n, list, count, MOST_GROUP_WORK, d->watch);
    free(list);
    free(images);
    free(is_idle);
    return group;
}

bool detect_is_larger(const struct group *group, const struct group *than)
{
    struct bigint *order = bigint_create(1), *other = bigint_create(1);
    group_order(group, order);
    group_order(than, other);
    bool is_larger = bigint_compare(order, other) > 0;
    bigint_destroy(order);
    bigint_destroy(other);
    return is_larger;
}

/* Each generator costs a path down the search tree, and each node on it a refinement: where the group known already is
 * large, the graph must be small. */
static uint64_t graph_budget(const struct detecting *d)
{
    struct bigint *order = bigint_create(1);
    group_order(d->group, order);
    double digits = 1 + log2(bigint_to_double(order)), most = ground_work / (digits * digits);
    bigint_destroy(order);
    return most < (double)d->graph_options.most_vertices ? (uint64_t)most : d->graph_options.most_vertices;
}

/* A second look at every instance of the rules; its group is taken when it finds more. */
static void graph_look_closer(struct detecting *d)
{
    struct model_graph_options options = d->graph_options;
    options.is_ground = true;
    options.most_vertices = graph_budget(d);
    struct model_graph *ground = model_graph_create(d->carriers, &options);
    struct group *both = graph_group(d, d->graph, ground);
    if (both && detect_is_larger(both, d->group)) {
        group_destroy(d->group);
        d->group = both;
        d->keeps_rules = false;
    } else if (both) {
        group_destroy(both);
    }
    model_graph_destroy(ground);
}

struct group *detect_group_on(const struct detecting *d, const struct model_graph *sketch,
                              struct model_graph_options options)
{
    struct model_graph *ground = NULL;
    if (!options.is_ground) {
        options.is_ground = true;
        options.most_vertices = graph_budget(d);
        ground = model_graph_create(d->carriers, &options);
    }
    struct group *group = graph_group(d, sketch, ground);
    model_graph_destroy(ground);
    return group ? group : group_create(sketch->point_count, NULL, 0);
}

struct group *detect_group_with(const struct detecting *d, struct model_graph_options options)
{
    struct model_graph *sketch = model_graph_create(d->carriers, &options);
    struct group *group = detect_group_on(d, sketch, options);
    model_graph_destroy(sketch);
    return group;
}

struct group *detect_group_without(const struct detecting *d, uint32_t property)
{
    struct model_graph_options options = d->graph_options;
    options.skipped_property = property;
    options.without_properties = property == UINT32_MAX;
    return detect_group_with(d, options);
}

struct group *detect_restrict(const struct detecting *d, const struct group *group, uint32_t carrier)
{
    uint32_t size = (uint32_t)(d->carriers->items[carrier].hi - d->carriers->items[carrier].lo + 1);
    uint32_t *points = memory_alloc(size * sizeof *points);
    for (uint32_t i = 0; i < size; i++)
        points[i] = d->graph->first[carrier] + i;
    struct group *own = group_restrict(group, points, size);
    free(points);
    return own;
}

bool detect_is_full(const struct detecting *d, const struct group *group, uint32_t carrier)
{
    struct group *own = detect_restrict(d, group, carrier);
    struct bigint *order = bigint_create(1), *all = bigint_create(1);
    group_order(own, order);
    bigint_multiply_factorial(all, group_degree(own));
    bool is_full = bigint_compare(order, all) == 0;
    bigint_destroy(order);
    bigint_destroy(all);
    group_destroy(own);
    return is_full;
}

/* What is moved becomes an index type, and what quantifiers run over that were taken for sets. */
static void graph_want_moved(struct detecting *d)
{
    bool is_trivial = d->group && group_is_trivial(d->group);
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        struct carrier *carrier = &d->carriers->items[c];
        carrier->is_wanted = d->is_full[c];
        if (!d->is_graphed[c] || is_trivial)
            continue;
        carrier->is_wanted = carrier->is_domain && !system_is_ground(d->system);
        for (int64_t i = 0; i <= (int64_t)carrier->hi - carrier->lo; i++) {
            uint32_t point = d->graph->first[c] + (uint32_t)i;
            for (uint32_t g = 0; d->group && g < group_generator_count(d->group); g++)
                carrier->is_wanted |= group_generator(d->group, g)[point] != point;
            carrier->is_wanted |= d->twins && d->twins[point] != point;
        }
    }
}

uint64_t detect_most_vertices(const struct detect_options *options)
{
    return options && options->most_vertices ? options->most_vertices : MOST_VERTICES;
}

void detect_number(struct detecting *d, const bool *is_in)
{
    uint32_t *first = ARENA_ARRAY(d->arena, uint32_t, d->carriers->count + 1);
    d->point_count = 0;
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        first[c] = is_in[c] ? d->point_count : NO_CARRIER;
        d->point_count += is_in[c] ? (uint32_t)(d->carriers->items[c].hi - d->carriers->items[c].lo + 1) : 0;
    }
    d->first = first;
}

void detect_group(struct detecting *d, const struct detect_options *options)
{
    d->graph_options =
        (struct model_graph_options){.skipped_property = UINT32_MAX, .is_in = d->is_graphed, .watch = d->watch};
    d->graph_options.left_out = options ? options->left_out : NULL;
    d->graph_options.most_vertices = detect_most_vertices(options);
    /* The rules of a chain are written out one by one, and taken to each other. */
    d->graph_options.is_ground = system_is_ground(d->system);
    d->keeps_rules = !system_is_ground(d->system);
    if (detect_choose(d)) {
        d->graph = model_graph_create(d->carriers, &d->graph_options);
        detect_number(d, d->is_graphed);
        d->twins = ARENA_ARRAY(d->arena, uint32_t, d->graph->point_count + 1);
        if (detect_twins(d->graph, d->twins) <= MOST_TWINS) {
            d->twins = NULL;
            d->group = graph_group(d, d->graph, NULL);
            d->is_too_large = !d->group;
            if (!d->group)
                d->group = group_create(d->graph->point_count, NULL, 0);
            if (!d->graph_options.is_ground) {
                graph_look_closer(d);
                detect_places(d);
            }
        }
        graph_want_moved(d);
    } else {
        for (uint32_t c = 0; c < d->carriers->count; c++)
            d->carriers->items[c].is_wanted = d->is_full[c];
    }
}
