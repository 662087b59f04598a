/* Coloured graphs: canonical labelling and automorphisms, by nauty (McKay and Piperno, "Practical graph isomorphism,
 * II", 2014). This is the only adapter to it. */
#ifndef NOETHER_GROUP_NAUTY_H
#define NOETHER_GROUP_NAUTY_H

#include <stddef.h>
#include <stdint.h>

#include "base/bigint.h"
#include "base/watch.h"

struct nauty_edge {
    uint32_t from, to;
};

/* A graph to be labelled, whose memory is used again for the next one. Belongs to one thread. */
struct nauty_graph;

struct nauty_graph *nauty_graph_create(void);
void nauty_graph_destroy(struct nauty_graph *graph);
/* Then it has no edges. */
void nauty_graph_clear(struct nauty_graph *graph);
void nauty_graph_join(struct nauty_graph *graph, uint32_t from, uint32_t to);

/* To be filled in before the labelling: the vertices colour by colour; goes_on is 0 at the last of each colour. */
struct nauty_colours {
    int *vertices, *goes_on;
};
struct nauty_colours nauty_graph_colours(struct nauty_graph *graph, size_t vertices);

/* A canonical order of the vertices that respects the colours; valid until the next call. */
const int *nauty_graph_label(struct nauty_graph *graph, size_t vertices);
/* Multiplies `order` by the order of the group of the graph last labelled. */
void nauty_group_order(const struct nauty_graph *graph, struct bigint *order);

/* Tells generators of the automorphisms that keep the colours; fewer than all when the watch is over. */
void nauty_automorphisms(uint32_t vertices, const uint32_t *colours, const struct nauty_edge *edges, size_t edge_count,
                         void (*tell)(void *user, const int *image), void *user, const struct watch *watch);

#endif
