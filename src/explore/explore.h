/* The reachable states, numbered in the order in which they are found: expand, represent, pack, insert.
 *
 * Code that needs all states (a graph, a matrix, a chart) is a client: it enumerates the successors of one state after
 * the other with a stepper of its own and sends those that it needs. Each is mapped to the representative of its orbit,
 * packed, and inserted into the store with a few dozen others, so that they wait for the memory of the store together;
 * then the client gets their numbers. So a client sees a state expanded, and later settled; several states may be
 * expanded in between. Both come in the order of the numbers, and the numbers are those that one successor at a time
 * would have.
 *
 * The layout may be one with cells behind those of the system: no step changes them.
 *
 * Cost: nothing is allocated for a state. One thread. */
#ifndef NOETHER_EXPLORE_EXPLORE_H
#define NOETHER_EXPLORE_EXPLORE_H

#include "exec/stepper.h"
#include "explore/places.h"
#include "store/store.h"
#include "canon/canon.h"

struct explore;

/* In place of a number: the store is full; the step fails. */
#define EXPLORE_NOWHERE UINT32_MAX
#define EXPLORE_FAULT (UINT32_MAX - 1)

struct explore_edge {
    const struct rule *rule;
    uint64_t instance;
    uint32_t target;
};

struct explore_client {
    void *user;
    /* Enumerates what the state leads to and sends it. The cells are valid until this returns. False: no more. */
    bool (*expand)(void *user, uint32_t state, const int32_t *cells);
    /* What was sent for the state, in that order, with the numbers. False: no more. */
    bool (*settle)(void *user, uint32_t state, const struct explore_edge *edges, size_t count);
};

enum explore_end {
    EXPLORE_DONE,    /* every state is expanded and settled */
    EXPLORE_STOPPED, /* by the client, or the thread's time is over */
    EXPLORE_FULL     /* a state did not fit into the store */
};

/* With room for `most` states (store.h); steps change the first `step_cells` cells. The symmetry (NULL: none) says
 * which states are one. */
struct explore *explore_create(const struct layout *layout, uint32_t step_cells, const struct symmetry *symmetry,
                               struct budget *budget, uint64_t most);
void explore_destroy(struct explore *explore);
/* Part of it. */
struct store *explore_store(const struct explore *explore);
struct canon *explore_canon(const struct explore *explore); /* NULL: the symmetry is trivial */
/* While a state is settled. From then on every state represents itself; so must every state that is there: its orbit
 * has no other. */
void explore_drop_canon(struct explore *explore);
/* Successors that do not fit into the store have the number EXPLORE_NOWHERE, and the exploration goes on. */
void explore_go_on_when_full(struct explore *explore);

/* At once: a start state, or its representative. */
enum store_outcome explore_insert(struct explore *explore, const int32_t *cells, uint32_t *number);
/* FOUND, or FULL when it is not there. */
enum store_outcome explore_find(struct explore *explore, const int32_t *cells, uint32_t *number);
/* From the first state that is not expanded yet; a second call goes on with what was inserted since. */
enum explore_end explore_run(struct explore *explore, const struct explore_client *client);
/* While a state is expanded: a successor; a step that fails. */
void explore_send(struct explore *explore, const struct step *step);
void explore_send_fault(struct explore *explore, const struct step *step);

/* The places of the states (places.h), from the first call on; NULL: there are too many. For clients that know that
 * every cell always has a value, and the places of successors without a step to each: */
struct places *explore_places(struct explore *explore);
/* while a state is expanded, the number of what is at that place, inserted if it is new (EXPLORE_NOWHERE: it does not
 * fit); and a successor whose number is known. */
uint32_t explore_number_at(struct explore *explore, uint64_t place);
void explore_send_number(struct explore *explore, const struct rule *rule, uint64_t instance, uint32_t number);

/* Levels that have been expanded, the start states being the first. */
uint32_t explore_depth(const struct explore *explore);
/* The numbers from a state without a parent to this one, on the heap; how many in *count. */
uint32_t *explore_path(const struct store *store, uint32_t state, uint32_t *count);

#endif
