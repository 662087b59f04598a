/* A set of few states, whole: those that the visited set has not planned for (visited_narrow.c). */
#ifndef NOETHER_STORE_STRAYS_H
#define NOETHER_STORE_STRAYS_H

#include <pthread.h>

#include "store/budget.h"

struct strays {
    pthread_mutex_t lock;
    struct budget *budget;
    uint32_t words;      /* of a state */
    uint64_t *states;    /* one after the other */
    uint32_t *slots;     /* open addressing: number + 1 of a state, 0: none */
    uint32_t slot_count; /* a power of two */
    uint32_t count, most;
};

enum stray_outcome { STRAY_NEW, STRAY_FOUND, STRAY_NO_ROOM };

/* NULL: the budget refuses the memory. `most`, a power of two: how many there is room for at first. */
struct strays *strays_create(struct budget *budget, uint32_t words, uint32_t most);
void strays_destroy(struct strays *strays);
uint64_t strays_bytes(const struct strays *strays);
/* For any number of threads. */
enum stray_outcome strays_insert(struct strays *strays, const uint64_t *state);
bool strays_has(struct strays *strays, const uint64_t *state);
/* For one thread while no other is about. false: no memory. */
bool strays_make_room(struct strays *strays);
void strays_clear(struct strays *strays);

#endif
