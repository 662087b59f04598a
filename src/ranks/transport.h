/* How the ranks of a distributed search talk to one another: the processes that mpirun has started, numbered 0, 1, 2...
 *
 * The program does not depend on MPI: what uses it (mpi.c) is a module, noether-mpi.so, that is loaded when a
 * distributed search is asked for. The functions are called by one thread at a time, any thread. */
#ifndef NOETHER_RANKS_TRANSPORT_H
#define NOETHER_RANKS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* A message that has come. */
struct rank_message {
    uint32_t from;
    int kind;
    void *bytes; /* on the heap */
    size_t size;
};

struct transport {
    uint32_t rank, count;
    uint32_t neighbours; /* ranks on this machine, this one among them */
    /* Takes a copy of the bytes, and returns at once. `kind`: from 0 on. */
    void (*send)(uint32_t to, int kind, const void *bytes, size_t size);
    /* The next message, if one has come; its bytes are the caller's. */
    bool (*receive)(struct rank_message *message);
    /* All ranks begin it; it is over when all have. */
    void (*begin_barrier)(void);
    bool (*is_barrier_over)(void);
    /* What each rank has to say to all, by rank: `count` blocks on the heap, one after the other, and where each of
     * them begins and the last ends (count + 1 places, on the heap). All ranks call it at the same time. */
    void *(*share)(const void *mine, size_t size, size_t **places);
    /* Another rank is lost: nothing is sent or shared from now on. */
    void (*give_up)(void);
    bool (*is_given_up)(void);
    /* The last call. */
    void (*finish)(void);
};

/* The transport between the processes that were started together; NULL, and why not. */
const struct transport *transport_open(struct text *why);

/* What the module has; `version` is the one that the program was built with, so that both are of one build. */
#define TRANSPORT_SYMBOL "noether_transport"
#define TRANSPORT_VERSION 2
typedef const struct transport *transport_function(int version);

#endif
