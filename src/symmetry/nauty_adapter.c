/* The state as a coloured graph for nauty (McKay and Piperno, "Practical graph isomorphism, II", 2014).
 *
 * Vertices, class by class:
 *   the elements, in the classes of the refined partition;
 *   one for each fact and each taken slot (and part of a slot), coloured by kind and by exactly its values that are
 *     no elements; equal slots of a multiset are one vertex with their number in the colour;
 *   one port for each place of a fact where an element stands (position of the tuple or reference), coloured by
 *     the fact's kind and the place, joined to fact and element.
 * So colour-preserving isomorphisms of two such graphs, restricted to the elements, are exactly the permutations
 * that take one state to the other, and an automorphism that fixes all elements fixes everything. */
#include "symmetry/nauty_adapter.h"

#include <nauty/nausparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "symmetry/model_term.h"

/* A vertex that is no element: its colour is compared field by field, then by the values of the cells. */
struct vertex {
    uint32_t role; /* 0 fact, 1 slot, 2 part of a slot, 3 port */
    uint32_t kind, part, place;
    uint32_t copies;         /* of a slot */
    const struct fact *fact; /* NULL: no values */
    const int32_t *cells;    /* what the fact's addresses count from */
    uint32_t number;
};

struct nauty_edge {
    uint32_t from, to;
};

struct nauty_labeller {
    const struct structure *structure;
    VEC(struct vertex) vertices;
    VEC(struct nauty_edge) edges;
    VEC(size_t) first; /* of a vertex's neighbours */
    VEC(int) degree, neighbours;
    VEC(size_t) canonical_first; /* the graph that nauty writes is in our memory, and large enough: it asks for none */
    VEC(int) canonical_degree, canonical_neighbours;
    VEC(int) lab;
    VEC(int) ptn;
    VEC(int) orbits;
    VEC(int) indices; /* of the stabilisers along nauty's base: their product is the order of the group */
};

/* nauty's callbacks carry no context. Set only during a call, one for each thread. */
static _Thread_local struct nauty_labeller *nauty_current;

/* A call of nauty; it may be left by a failure of memory, its own or a callback's. nauty has buffers for each thread,
 * made again when needed: after a failure they are not as large as nauty believes, and are given back. */
struct nauty_call {
    struct cleanup cleanup;
    bool has_asked; /* nauty to end */
};

static _Thread_local bool nauty_is_called;

static void nauty_free_buffers(void)
{
    nausparse_freedyn();
    nautil_freedyn();
    nauty_freedyn();
}

static void nauty_leave(void *data)
{
    struct nauty_call *call = data;
    nauty_is_called = false;
    nauty_free_buffers();
    if (call->has_asked)
        nauty_kill_request = 0;
}

static void nauty_enter(struct nauty_call *call)
{
    *call = (struct nauty_call){0};
    cleanup_push(&call->cleanup, nauty_leave, call);
    nauty_is_called = true;
}

static void nauty_return(struct nauty_call *call)
{
    nauty_is_called = false;
    cleanup_drop(&call->cleanup);
}

/* nauty calls this where it is refused memory, and its own ends the program: the linker prefers ours. Not for our
 * calls: as nauty's. */
__attribute__((visibility("default"))) void alloc_error(const char *what)
{
    if (nauty_is_called)
        memory_fail(0);
    fprintf(stderr, "Dynamic allocation failed: %s\n", what);
    exit(2);
}

struct nauty_labeller *nauty_labeller_create(const struct structure *structure)
{
    nauty_check(WORDSIZE, SETWORDSNEEDED(1), 1, NAUTYVERSIONID);
    struct nauty_labeller *labeller = memory_zeroed(1, sizeof *labeller);
    labeller->structure = structure;
    return labeller;
}

void nauty_labeller_destroy(struct nauty_labeller *labeller)
{
    if (!labeller)
        return;
    VEC_FREE(&labeller->vertices);
    VEC_FREE(&labeller->edges);
    VEC_FREE(&labeller->first);
    VEC_FREE(&labeller->degree);
    VEC_FREE(&labeller->neighbours);
    VEC_FREE(&labeller->canonical_first);
    VEC_FREE(&labeller->canonical_degree);
    VEC_FREE(&labeller->canonical_neighbours);
    VEC_FREE(&labeller->lab);
    VEC_FREE(&labeller->ptn);
    VEC_FREE(&labeller->orbits);
    VEC_FREE(&labeller->indices);
    free(labeller);
    nauty_free_buffers();
}

static uint32_t nauty_add_vertex(struct nauty_labeller *l, struct vertex vertex)
{
    vertex.number = l->structure->element_count + (uint32_t)l->vertices.count;
    VEC_PUSH(&l->vertices, vertex);
    return vertex.number;
}

static void nauty_add_edge(struct nauty_labeller *l, uint32_t from, uint32_t to)
{
    struct nauty_edge edge = {from, to};
    VEC_PUSH(&l->edges, edge);
}

static void nauty_add_port(struct nauty_labeller *l, struct vertex owner, uint32_t from, uint32_t place,
                           uint32_t element)
{
    struct vertex port = {.role = 3, .kind = owner.kind, .part = owner.part, .place = place + (owner.role << 28)};
    uint32_t number = nauty_add_vertex(l, port);
    nauty_add_edge(l, from, number);
    nauty_add_edge(l, number, element);
}

static uint32_t nauty_add_fact(struct nauty_labeller *l, struct vertex vertex)
{
    const struct structure *s = l->structure;
    const struct fact *fact = vertex.fact;
    uint32_t number = nauty_add_vertex(l, vertex);
    for (uint32_t p = 0; p < fact->arity; p++)
        nauty_add_port(l, vertex, number, p, s->elements[fact->tuple + p]);
    for (uint32_t r = 0; r < fact->ref_count; r++) {
        uint32_t element = structure_element(s, vertex.cells[s->addresses[fact->refs + r]]);
        if (element != NO_ELEMENT)
            nauty_add_port(l, vertex, number, fact->arity + r, element);
    }
    return number;
}

static void nauty_add_slot(struct nauty_labeller *l, const struct slots *slots, const int32_t *slot, uint32_t copies)
{
    const struct structure *s = l->structure;
    struct vertex vertex = {.role = 1, .kind = slots->kind, .copies = copies};
    uint32_t number = nauty_add_vertex(l, vertex);
    for (uint32_t p = 0; p < slots->arity; p++)
        nauty_add_port(l, vertex, number, p, s->elements[slots->tuple + p]);
    for (uint32_t q = 0; q < slots->part_count; q++) {
        const struct fact *part = &s->parts[slots->parts + q];
        struct vertex inner = {.role = 2, .kind = slots->kind, .part = part->kind, .fact = part, .cells = slot};
        nauty_add_edge(l, number, nauty_add_fact(l, inner));
    }
}

static void nauty_add_slots(struct nauty_labeller *l, const struct slots *slots, const int32_t *cells)
{
    const int32_t *slot = cells + slots->address;
    uint32_t stride = slots->stride;
    for (uint32_t next, i = 0; i < slots->capacity && slot[i * stride]; i = next) {
        for (next = i + 1; next < slots->capacity; next++) /* equal slots are neighbours: the multiset is sorted */
            if (memcmp(slot + i * stride, slot + next * stride, stride * sizeof *slot) != 0)
                break;
        nauty_add_slot(l, slots, slot + i * stride, next - i);
    }
}

static int nauty_compare_values(const struct structure *s, const struct vertex *x, const struct vertex *y)
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

static int nauty_compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int nauty_compare_vertices(const void *first, const void *second, void *structure)
{
    const struct vertex *x = first, *y = second;
    int order = nauty_compare_numbers(x->role, y->role);
    order = order ? order : nauty_compare_numbers(x->kind, y->kind);
    order = order ? order : nauty_compare_numbers(x->part, y->part);
    order = order ? order : nauty_compare_numbers(x->place, y->place);
    order = order ? order : nauty_compare_numbers(x->copies, y->copies);
    return order || !x->fact ? order : nauty_compare_values(structure, x, y);
}

static void nauty_resize(struct nauty_labeller *l, size_t vertices)
{
    while (l->lab.count < vertices) {
        VEC_PUSH(&l->lab, 0);
        VEC_PUSH(&l->ptn, 0);
        VEC_PUSH(&l->orbits, 0);
        VEC_PUSH(&l->first, 0);
        VEC_PUSH(&l->degree, 0);
    }
    while (l->neighbours.count < 2 * l->edges.count)
        VEC_PUSH(&l->neighbours, 0);
}

/* The edges as lists of neighbours: degrees first, then where each list starts, then the lists. */
static sparsegraph nauty_connect(struct nauty_labeller *l, size_t vertices)
{
    sparsegraph graph;
    SG_INIT(graph);
    int *degree = l->degree.items;
    memset(degree, 0, vertices * sizeof *degree);
    for (size_t e = 0; e < l->edges.count; e++) {
        degree[l->edges.items[e].from]++;
        degree[l->edges.items[e].to]++;
    }
    size_t next = 0;
    for (size_t v = 0; v < vertices; v++) {
        l->first.items[v] = next;
        next += (size_t)degree[v];
        degree[v] = 0;
    }
    for (size_t e = 0; e < l->edges.count; e++) {
        uint32_t from = l->edges.items[e].from, to = l->edges.items[e].to;
        l->neighbours.items[l->first.items[from] + (size_t)degree[from]++] = (int)to;
        l->neighbours.items[l->first.items[to] + (size_t)degree[to]++] = (int)from;
    }
    graph.nv = (int)vertices;
    graph.nde = next;
    graph.v = l->first.items;
    graph.d = degree;
    graph.e = l->neighbours.items;
    graph.vlen = graph.dlen = vertices;
    graph.elen = next;
    return graph;
}

static sparsegraph nauty_canonical(struct nauty_labeller *l, const sparsegraph *graph)
{
    sparsegraph canonical;
    SG_INIT(canonical);
    while (l->canonical_first.count < (size_t)graph->nv) {
        VEC_PUSH(&l->canonical_first, 0);
        VEC_PUSH(&l->canonical_degree, 0);
    }
    while (l->canonical_neighbours.count < graph->nde)
        VEC_PUSH(&l->canonical_neighbours, 0);
    canonical.v = l->canonical_first.items;
    canonical.d = l->canonical_degree.items;
    canonical.e = l->canonical_neighbours.items;
    canonical.vlen = canonical.dlen = l->canonical_first.count;
    canonical.elen = l->canonical_neighbours.count;
    return canonical;
}

/* lab lists the vertices colour by colour; ptn is 0 at the last of each. */
static void nauty_set_colours(struct nauty_labeller *l, const struct canon_partition *partition)
{
    uint32_t n = l->structure->element_count;
    for (uint32_t at = 0; at < n; at += partition->length[at])
        for (uint32_t i = 0; i < partition->length[at]; i++) {
            l->lab.items[at + i] = (int)partition->order[at + i];
            l->ptn.items[at + i] = i + 1 < partition->length[at];
        }
    struct vertex *vertices = l->vertices.items;
    size_t count = l->vertices.count;
    if (count)
        qsort_r(vertices, count, sizeof *vertices, nauty_compare_vertices, (void *)l->structure);
    for (size_t v = 0; v < count; v++) {
        bool is_last = v + 1 == count || nauty_compare_vertices(&vertices[v], &vertices[v + 1], (void *)l->structure);
        l->lab.items[n + v] = (int)vertices[v].number;
        l->ptn.items[n + v] = !is_last;
    }
}

static void nauty_build(struct nauty_labeller *l, const int32_t *cells)
{
    const struct structure *s = l->structure;
    VEC_CLEAR(&l->vertices);
    VEC_CLEAR(&l->edges);
    for (uint32_t f = 0; f < s->fact_count; f++) {
        struct vertex vertex = {.kind = s->facts[f].kind, .fact = &s->facts[f], .cells = cells};
        nauty_add_fact(l, vertex);
    }
    for (uint32_t i = 0; i < s->slots_count; i++)
        nauty_add_slots(l, &s->slots[i], cells);
}

static void nauty_note_index(int *lab, int *ptn, int level, int *orbits, statsblk *stats, int tv, int index,
                             int tcellsize, int numcells, int childcount, int n)
{
    (void)lab, (void)ptn, (void)level, (void)orbits, (void)stats, (void)tv;
    (void)tcellsize, (void)numcells, (void)childcount, (void)n;
    VEC_PUSH(&nauty_current->indices, index);
}

void nauty_label(struct nauty_labeller *l, const struct canon_partition *partition, const int32_t *cells,
                 uint32_t *order)
{
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    nauty_build(l, cells);
    uint32_t n = l->structure->element_count;
    size_t vertices = n + l->vertices.count;
    nauty_resize(l, vertices);
    sparsegraph graph = nauty_connect(l, vertices), canonical = nauty_canonical(l, &graph);
    struct nauty_call call;
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    options.userlevelproc = nauty_note_index;
    nauty_current = l;
    nauty_enter(&call);
    do { /* again, if an analysis in another thread asked nauty to end */
        VEC_CLEAR(&l->indices);
        nauty_set_colours(l, partition);
        sparsenauty(&graph, l->lab.items, l->ptn.items, l->orbits.items, &options, &stats, &canonical);
    } while (stats.errstatus == NAUKILLED);
    nauty_return(&call);
    nauty_current = NULL;
    ENSURE(canonical.v == l->canonical_first.items && canonical.e == l->canonical_neighbours.items);
    ENSURE(stats.errstatus == 0);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint32_t)l->lab.items[i];
}

void nauty_group_order(const struct nauty_labeller *l, struct bigint *order)
{
    for (size_t i = 0; i < l->indices.count; i++)
        bigint_multiply_u64(order, (uint64_t)l->indices.items[i]);
}

/* --- any graph --- */

struct nauty_teller {
    void (*tell)(void *user, const int *image);
    void *user;
    const struct watch *watch;
    struct nauty_call call;
};

static _Thread_local struct nauty_teller *nauty_teller; /* set during a call */

static void nauty_tell(int count, int *image, int *orbits, int numorbits, int stabvertex, int n)
{
    (void)count, (void)orbits, (void)numorbits, (void)stabvertex, (void)n;
    nauty_teller->tell(nauty_teller->user, image);
}

/* At each node of nauty's search, after a refinement. nauty's only way to be ended is a flag for all threads. */
static void nauty_look(graph *g, int *lab, int *ptn, int level, int numcells, int tc, int code, int m, int n)
{
    (void)g, (void)lab, (void)ptn, (void)level, (void)numcells, (void)tc, (void)code, (void)m, (void)n;
    if (watch_is_over(nauty_teller->watch))
        nauty_kill_request = nauty_teller->call.has_asked = true;
}

struct coloured {
    uint32_t colour, vertex;
};

static int nauty_compare_coloured(const void *a, const void *b)
{
    const struct coloured *x = a, *y = b;
    int order = nauty_compare_numbers(x->colour, y->colour);
    return order ? order : nauty_compare_numbers(x->vertex, y->vertex);
}

static void nauty_set_partition(struct nauty_labeller *l, const uint32_t *colours, uint32_t vertices)
{
    struct coloured *list = memory_alloc(((size_t)vertices + 1) * sizeof *list);
    for (uint32_t v = 0; v < vertices; v++)
        list[v] = (struct coloured){colours[v], v};
    qsort(list, vertices, sizeof *list, nauty_compare_coloured);
    for (uint32_t v = 0; v < vertices; v++) {
        l->lab.items[v] = (int)list[v].vertex;
        l->ptn.items[v] = v + 1 < vertices && list[v].colour == list[v + 1].colour;
    }
    free(list);
}

void nauty_automorphisms(uint32_t vertices, const uint32_t *colours, const struct model_edge *edges, size_t edge_count,
                         void (*tell)(void *user, const int *image), void *user, const struct watch *watch)
{
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    struct nauty_teller teller = {.tell = tell, .user = user, .watch = watch};
    struct nauty_labeller *l = nauty_labeller_create(NULL);
    for (size_t e = 0; e < edge_count; e++)
        nauty_add_edge(l, edges[e].from, edges[e].to);
    nauty_resize(l, vertices);
    nauty_set_partition(l, colours, vertices);
    sparsegraph graph = nauty_connect(l, vertices);
    options.defaultptn = FALSE;
    options.userautomproc = nauty_tell;
    options.usernodeproc = nauty_look;
    nauty_teller = &teller;
    nauty_enter(&teller.call);
    sparsenauty(&graph, l->lab.items, l->ptn.items, l->orbits.items, &options, &stats, NULL);
    nauty_return(&teller.call);
    nauty_teller = NULL;
    ENSURE(stats.errstatus == 0 || stats.errstatus == NAUKILLED);
    if (teller.call.has_asked) /* also when it came to its end before it looked */
        nauty_kill_request = 0;
    nauty_labeller_destroy(l);
}
