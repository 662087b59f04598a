/* Does a given permutation of the elements take the model to itself?
 *
 * The vertices of the model graph are terms over elements, shared where they are equal. A term is determined by its
 * colour and what it consists of, so the image of the model is computed in one pass from the elements up: terms get
 * numbers, equal ones the same, once as they are and once with the elements renamed. The model is mapped to itself if
 * the image of each of its parts (rules, start states, properties) is a part, as often as it is there. This is exact:
 * terms are compared, not their hashes. Cost: the size of the graph, for each permutation. */
#include <stdlib.h>
#include <string.h>

#include "detect/model_term.h"

struct examination {
    struct sketch *sketch;
    uint32_t vertex_count;
    uint32_t *begin, *children; /* by vertex: what it consists of is children[begin[v]] .. children[begin[v + 1] - 1] */
    uint32_t *order;            /* vertices, each behind what it consists of */
    struct words terms;         /* colour, numbers of the children, sorted */
    uint32_t *number, *renamed; /* by vertex: the term, and its image; WORDS_NONE: that is no term of the model */
    uint32_t *key;
    uint32_t action;      /* the colour of what an action is called */
    struct pairs part_of; /* by term */
};

static void examine_children(struct examination *e)
{
    const struct sketch *s = e->sketch;
    uint32_t n = e->vertex_count;
    e->begin = memory_zeroed((size_t)n + 2, sizeof *e->begin);
    e->children = memory_alloc((s->edges.count + 1) * sizeof *e->children);
    for (size_t i = 0; i < s->edges.count; i++)
        e->begin[s->edges.items[i].from + 2]++;
    for (uint32_t v = 0; v < n; v++)
        e->begin[v + 1] += e->begin[v];
    for (size_t i = 0; i < s->edges.count; i++)
        e->children[e->begin[s->edges.items[i].from + 1]++] = s->edges.items[i].to;
}

/* Kahn's algorithm, from the elements up. */
static void examine_order(struct examination *e)
{
    const struct sketch *s = e->sketch;
    uint32_t n = e->vertex_count, count = 0;
    uint32_t *left = memory_alloc(((size_t)n + 1) * sizeof *left);
    uint32_t *begin = memory_zeroed((size_t)n + 2, sizeof *begin);
    uint32_t *parents = memory_alloc((s->edges.count + 1) * sizeof *parents);
    for (size_t i = 0; i < s->edges.count; i++)
        begin[s->edges.items[i].to + 2]++;
    for (uint32_t v = 0; v < n; v++)
        begin[v + 1] += begin[v];
    for (size_t i = 0; i < s->edges.count; i++)
        parents[begin[s->edges.items[i].to + 1]++] = s->edges.items[i].from;
    e->order = memory_alloc(((size_t)n + 1) * sizeof *e->order);
    for (uint32_t v = 0; v < n; v++)
        if (!(left[v] = e->begin[v + 1] - e->begin[v]))
            e->order[count++] = v;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = begin[e->order[at]]; i < begin[e->order[at] + 1]; i++)
            if (!--left[parents[i]])
                e->order[count++] = parents[i];
    ENSURE(count == n); /* no term is a part of itself */
    free(parents);
    free(begin);
    free(left);
}

/* The key of the vertex's term, where its children have these numbers. 0: one of them has none. */
static uint32_t examine_key(struct examination *e, uint32_t vertex, const uint32_t *numbers)
{
    uint32_t length = 1;
    e->key[0] = e->sketch->colours.items[vertex];
    for (uint32_t i = e->begin[vertex]; i < e->begin[vertex + 1]; i++) {
        e->key[length] = numbers[e->children[i]];
        if (e->key[length++] == WORDS_NONE)
            return 0;
    }
    words_sort(e->key + 1, length - 1, 1);
    return length;
}

/* Elements, and what actions are called: these stay as they are. */
static bool is_atom(const struct examination *e, uint32_t vertex)
{
    return vertex < e->sketch->graph->point_count || e->sketch->colours.items[vertex] == e->action;
}

static void examine_terms(struct examination *e)
{
    const struct sketch *s = e->sketch;
    for (uint32_t i = 0; i < e->vertex_count; i++) {
        uint32_t v = e->order[i], length = examine_key(e, v, e->number);
        if (is_atom(e, v))
            e->key[length++] = v;
        e->number[v] = words_intern(&e->terms, e->key, length);
    }
    for (uint32_t p = 0; p < s->parts.count; p++)
        pairs_set(&e->part_of, pairs_key(0, e->number[s->parts.items[p].vertex]), p);
}

static void examine_claim(struct examination *e, const uint32_t *claim, struct model_image *image)
{
    const struct sketch *s = e->sketch;
    uint32_t points = s->graph->point_count;
    *image = (struct model_image){0};
    for (uint32_t p = 0; p < points; p++)
        if (s->colours.items[p] != s->colours.items[claim[p]])
            return;
    for (uint32_t i = 0; i < e->vertex_count; i++) {
        uint32_t v = e->order[i], length;
        if (is_atom(e, v))
            e->renamed[v] = e->number[v < points ? claim[v] : v];
        else if ((length = examine_key(e, v, e->renamed)) > 0)
            e->renamed[v] = words_find(&e->terms, e->key, length);
        else
            e->renamed[v] = WORDS_NONE;
    }
    for (uint32_t p = 0; p < s->parts.count; p++) {
        uint32_t term = e->renamed[s->parts.items[p].vertex];
        uint32_t other = term == WORDS_NONE ? WORDS_NONE : pairs_get(&e->part_of, pairs_key(0, term));
        bool is_kept = other != WORDS_NONE && s->parts.items[other].count == s->parts.items[p].count;
        if (is_kept)
            continue;
        image->lost = arena_copy(s->graph->arena, &s->parts.items[p], sizeof *image->lost);
        return;
    }
    image->is_model = true;
}

void sketch_examine(struct sketch *s)
{
    struct examination e = {.sketch = s, .vertex_count = (uint32_t)s->colours.count};
    struct model_graph *graph = s->graph;
    if (sketch_is_spent(s))
        graph->gave_up = true;
    if (graph->gave_up)
        return;
    graph->images = ARENA_ARRAY(graph->arena, struct model_image, s->options->claim_count + 1);
    e.action = sketch_colour(s, COLOUR_ACTION, NULL, 0);
    examine_children(&e);
    examine_order(&e);
    e.number = memory_alloc(((size_t)e.vertex_count + 1) * sizeof *e.number);
    e.renamed = memory_alloc(((size_t)e.vertex_count + 1) * sizeof *e.renamed);
    e.key = memory_alloc((s->edges.count + 3) * sizeof *e.key);
    examine_terms(&e);
    for (uint32_t c = 0; c < s->options->claim_count && !graph->gave_up; c++) {
        examine_claim(&e, s->options->claims[c], &graph->images[c]);
        graph->gave_up |= watch_is_over(s->options->watch);
    }
    words_free(&e.terms);
    pairs_free(&e.part_of);
    free(e.begin);
    free(e.children);
    free(e.order);
    free(e.number);
    free(e.renamed);
    free(e.key);
}
