#include "group/nauty.h"

#include <nauty/nausparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

struct nauty_graph {
    VEC(struct nauty_edge) edges;
    VEC(size_t) first; /* of a vertex's neighbours */
    VEC(int) degree, neighbours;
    VEC(size_t) canonical_first; /* the graph that nauty writes is in our memory, and large enough: it asks for none */
    VEC(int) canonical_degree, canonical_neighbours;
    VEC(int) wanted, wanted_ends; /* the colours; nauty writes over what it is given */
    VEC(int) lab, ptn, orbits;
    VEC(int) indices; /* of the stabilisers along nauty's base: their product is the order of the group */
};

/* nauty's callbacks carry no context. Set only during a call, one for each thread. */
static _Thread_local struct nauty_graph *nauty_current;

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

struct nauty_graph *nauty_graph_create(void)
{
    nauty_check(WORDSIZE, SETWORDSNEEDED(1), 1, NAUTYVERSIONID);
    return memory_zeroed(1, sizeof(struct nauty_graph));
}

void nauty_graph_destroy(struct nauty_graph *graph)
{
    if (!graph)
        return;
    VEC_FREE(&graph->edges);
    VEC_FREE(&graph->first);
    VEC_FREE(&graph->degree);
    VEC_FREE(&graph->neighbours);
    VEC_FREE(&graph->canonical_first);
    VEC_FREE(&graph->canonical_degree);
    VEC_FREE(&graph->canonical_neighbours);
    VEC_FREE(&graph->wanted);
    VEC_FREE(&graph->wanted_ends);
    VEC_FREE(&graph->lab);
    VEC_FREE(&graph->ptn);
    VEC_FREE(&graph->orbits);
    VEC_FREE(&graph->indices);
    free(graph);
    nauty_free_buffers();
}

void nauty_graph_clear(struct nauty_graph *graph)
{
    VEC_CLEAR(&graph->edges);
}

void nauty_graph_join(struct nauty_graph *graph, uint32_t from, uint32_t to)
{
    struct nauty_edge edge = {from, to};
    VEC_PUSH(&graph->edges, edge);
}

struct nauty_colours nauty_graph_colours(struct nauty_graph *graph, size_t vertices)
{
    while (graph->wanted.count < vertices) {
        VEC_PUSH(&graph->wanted, 0);
        VEC_PUSH(&graph->wanted_ends, 0);
    }
    return (struct nauty_colours){graph->wanted.items, graph->wanted_ends.items};
}

static void nauty_resize(struct nauty_graph *l, size_t vertices)
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
static sparsegraph nauty_connect(struct nauty_graph *l, size_t vertices)
{
    sparsegraph graph;
    SG_INIT(graph);
    nauty_resize(l, vertices);
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

static sparsegraph nauty_canonical(struct nauty_graph *l, const sparsegraph *graph)
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

static void nauty_note_index(int *lab, int *ptn, int level, int *orbits, statsblk *stats, int tv, int index,
                             int tcellsize, int numcells, int childcount, int n)
{
    (void)lab, (void)ptn, (void)level, (void)orbits, (void)stats, (void)tv;
    (void)tcellsize, (void)numcells, (void)childcount, (void)n;
    VEC_PUSH(&nauty_current->indices, index);
}

/* nauty writes over the colours. */
static void nauty_set_colours(struct nauty_graph *l, size_t vertices)
{
    memcpy(l->lab.items, l->wanted.items, vertices * sizeof(int));
    memcpy(l->ptn.items, l->wanted_ends.items, vertices * sizeof(int));
}

const int *nauty_graph_label(struct nauty_graph *l, size_t vertices)
{
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    sparsegraph graph = nauty_connect(l, vertices), canonical = nauty_canonical(l, &graph);
    struct nauty_call call;
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    options.userlevelproc = nauty_note_index;
    nauty_current = l;
    nauty_enter(&call);
    do { /* again, if an analysis in another thread asked nauty to end */
        VEC_CLEAR(&l->indices);
        nauty_set_colours(l, vertices);
        sparsenauty(&graph, l->lab.items, l->ptn.items, l->orbits.items, &options, &stats, &canonical);
    } while (stats.errstatus == NAUKILLED);
    nauty_return(&call);
    nauty_current = NULL;
    ENSURE(canonical.v == l->canonical_first.items && canonical.e == l->canonical_neighbours.items);
    ENSURE(stats.errstatus == 0);
    return l->lab.items;
}

void nauty_group_order(const struct nauty_graph *graph, struct bigint *order)
{
    for (size_t i = 0; i < graph->indices.count; i++)
        bigint_multiply_u64(order, (uint64_t)graph->indices.items[i]);
}

/* --- automorphisms --- */

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
    return x->colour != y->colour ? (x->colour < y->colour ? -1 : 1)
                                  : (x->vertex < y->vertex ? -1 : x->vertex > y->vertex);
}

static void nauty_set_partition(struct nauty_graph *l, const uint32_t *colours, uint32_t vertices)
{
    struct nauty_colours sorted = nauty_graph_colours(l, vertices);
    struct coloured *list = memory_alloc(((size_t)vertices + 1) * sizeof *list);
    for (uint32_t v = 0; v < vertices; v++)
        list[v] = (struct coloured){colours[v], v};
    qsort(list, vertices, sizeof *list, nauty_compare_coloured);
    for (uint32_t v = 0; v < vertices; v++) {
        sorted.vertices[v] = (int)list[v].vertex;
        sorted.goes_on[v] = v + 1 < vertices && list[v].colour == list[v + 1].colour;
    }
    free(list);
}

void nauty_automorphisms(uint32_t vertices, const uint32_t *colours, const struct nauty_edge *edges, size_t edge_count,
                         void (*tell)(void *user, const int *image), void *user, const struct watch *watch)
{
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    struct nauty_teller teller = {.tell = tell, .user = user, .watch = watch};
    struct nauty_graph *l = nauty_graph_create();
    for (size_t e = 0; e < edge_count; e++)
        nauty_graph_join(l, edges[e].from, edges[e].to);
    nauty_set_partition(l, colours, vertices);
    sparsegraph graph = nauty_connect(l, vertices);
    nauty_set_colours(l, vertices);
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
    nauty_graph_destroy(l);
}
