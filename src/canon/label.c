/* The state as a coloured graph.
 *
 * Vertices, class by class:
 *   the elements, in the classes of the refined partition;
 *   one for each fact and each taken slot (and part of a slot), coloured by kind and by exactly its values that are
 *     no elements; equal slots of a multiset are one vertex with their number in the colour;
 *   one port for each place of a fact where an element stands (position of the tuple or reference), coloured by
 *     the fact's kind and the place, joined to fact and element.
 * So colour-preserving isomorphisms of two such graphs, restricted to the elements, are exactly the permutations
 * that take one state to the other, and an automorphism that fixes all elements fixes everything. */
#include "canon/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "group/nauty.h"

/* A vertex that is no element: its colour is compared field by field, then by the values of the cells. */
struct vertex {
    uint32_t role; /* 0 fact, 1 slot, 2 part of a slot, 3 port */
    uint32_t kind, part, place;
    uint32_t copies;         /* of a slot */
    const struct fact *fact; /* NULL: no values */
    const int32_t *cells;    /* what the fact's addresses count from */
    uint32_t number;
};

struct labeller {
    const struct structure *structure;
    struct nauty_graph *graph;
    VEC(struct vertex) vertices;
};

struct labeller *labeller_create(const struct structure *structure)
{
    struct labeller *labeller = memory_zeroed(1, sizeof *labeller);
    labeller->structure = structure;
    labeller->graph = nauty_graph_create();
    return labeller;
}

void labeller_destroy(struct labeller *labeller)
{
    if (!labeller)
        return;
    VEC_FREE(&labeller->vertices);
    nauty_graph_destroy(labeller->graph);
    free(labeller);
}

static uint32_t labeller_add_vertex(struct labeller *l, struct vertex vertex)
{
    vertex.number = l->structure->element_count + (uint32_t)l->vertices.count;
    VEC_PUSH(&l->vertices, vertex);
    return vertex.number;
}

static void labeller_add_port(struct labeller *l, struct vertex owner, uint32_t from, uint32_t place, uint32_t element)
{
    struct vertex port = {.role = 3, .kind = owner.kind, .part = owner.part, .place = place + (owner.role << 28)};
    uint32_t number = labeller_add_vertex(l, port);
    nauty_graph_join(l->graph, from, number);
    nauty_graph_join(l->graph, number, element);
}

static uint32_t labeller_add_fact(struct labeller *l, struct vertex vertex)
{
    const struct structure *s = l->structure;
    const struct fact *fact = vertex.fact;
    uint32_t number = labeller_add_vertex(l, vertex);
    for (uint32_t p = 0; p < fact->arity; p++)
        labeller_add_port(l, vertex, number, p, s->elements[fact->tuple + p]);
    for (uint32_t r = 0; r < fact->ref_count; r++) {
        uint32_t element = structure_element(s, vertex.cells[s->addresses[fact->refs + r]]);
        if (element != NO_ELEMENT)
            labeller_add_port(l, vertex, number, fact->arity + r, element);
    }
    return number;
}

static void labeller_add_slot(struct labeller *l, const struct slots *slots, const int32_t *slot, uint32_t copies)
{
    const struct structure *s = l->structure;
    struct vertex vertex = {.role = 1, .kind = slots->kind, .copies = copies};
    uint32_t number = labeller_add_vertex(l, vertex);
    for (uint32_t p = 0; p < slots->arity; p++)
        labeller_add_port(l, vertex, number, p, s->elements[slots->tuple + p]);
    for (uint32_t q = 0; q < slots->part_count; q++) {
        const struct fact *part = &s->parts[slots->parts + q];
        struct vertex inner = {.role = 2, .kind = slots->kind, .part = part->kind, .fact = part, .cells = slot};
        nauty_graph_join(l->graph, number, labeller_add_fact(l, inner));
    }
}

static void labeller_add_slots(struct labeller *l, const struct slots *slots, const int32_t *cells)
{
    const int32_t *slot = cells + slots->address;
    uint32_t stride = slots->stride;
    for (uint32_t next, i = 0; i < slots->capacity && slot[i * stride]; i = next) {
        for (next = i + 1; next < slots->capacity; next++) /* equal slots are neighbours: the multiset is sorted */
            if (memcmp(slot + i * stride, slot + next * stride, stride * sizeof *slot) != 0)
                break;
        labeller_add_slot(l, slots, slot + i * stride, next - i);
    }
}

static int labeller_compare_values(const struct structure *s, const struct vertex *x, const struct vertex *y)
{
    const uint32_t *a = s->addresses + x->fact->plain, *b = s->addresses + y->fact->plain;
    uint32_t plain = x->fact->plain_count, count = plain + x->fact->ref_count; /* references follow the plain cells */
    for (uint32_t i = 0; i < count; i++) {
        int32_t c = x->cells[a[i]], d = y->cells[b[i]];
        if (i >= plain && structure_element(s, c) != NO_ELEMENT)
            c = INT32_MAX; /* no code: an element of any factor; its port says which place */
        if (i >= plain && structure_element(s, d) != NO_ELEMENT)
            d = INT32_MAX;
        if (c != d)
            return c < d ? -1 : 1;
    }
    return 0;
}

static int labeller_compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int labeller_compare_vertices(const void *first, const void *second, void *structure)
{
    const struct vertex *x = first, *y = second;
    int order = labeller_compare_numbers(x->role, y->role);
    order = order ? order : labeller_compare_numbers(x->kind, y->kind);
    order = order ? order : labeller_compare_numbers(x->part, y->part);
    order = order ? order : labeller_compare_numbers(x->place, y->place);
    order = order ? order : labeller_compare_numbers(x->copies, y->copies);
    return order || !x->fact ? order : labeller_compare_values(structure, x, y);
}

static void labeller_set_colours(struct labeller *l, const struct canon_partition *partition)
{
    uint32_t n = l->structure->element_count;
    struct nauty_colours colours = nauty_graph_colours(l->graph, n + l->vertices.count);
    for (uint32_t at = 0; at < n; at += partition->length[at])
        for (uint32_t i = 0; i < partition->length[at]; i++) {
            colours.vertices[at + i] = (int)partition->order[at + i];
            colours.goes_on[at + i] = i + 1 < partition->length[at];
        }
    struct vertex *vertices = l->vertices.items;
    size_t count = l->vertices.count;
    if (count)
        qsort_r(vertices, count, sizeof *vertices, labeller_compare_vertices, (void *)l->structure);
    for (size_t v = 0; v < count; v++) {
        bool is_last =
            v + 1 == count || labeller_compare_vertices(&vertices[v], &vertices[v + 1], (void *)l->structure);
        colours.vertices[n + v] = (int)vertices[v].number;
        colours.goes_on[n + v] = !is_last;
    }
}

static void labeller_build(struct labeller *l, const int32_t *cells)
{
    const struct structure *s = l->structure;
    VEC_CLEAR(&l->vertices);
    nauty_graph_clear(l->graph);
    for (uint32_t f = 0; f < s->fact_count; f++) {
        struct vertex vertex = {.kind = s->facts[f].kind, .fact = &s->facts[f], .cells = cells};
        labeller_add_fact(l, vertex);
    }
    for (uint32_t i = 0; i < s->slots_count; i++)
        labeller_add_slots(l, &s->slots[i], cells);
}

void labeller_label(struct labeller *l, const struct canon_partition *partition, const int32_t *cells, uint32_t *order)
{
    uint32_t n = l->structure->element_count;
    labeller_build(l, cells);
    labeller_set_colours(l, partition);
    const int *labelled = nauty_graph_label(l->graph, n + l->vertices.count);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint32_t)labelled[i];
}

void labeller_group_order(const struct labeller *labeller, struct bigint *order)
{
    nauty_group_order(labeller->graph, order);
}
