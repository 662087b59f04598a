/* The disk from inside: disk.c is what workers and checkpoints do, disk_round.c looks up what was held back. */
#ifndef NOETHER_ENGINE_EXPLICIT_DISK_INNER_H
#define NOETHER_ENGINE_EXPLICIT_DISK_INNER_H

#include "engine/explicit/search.h"
#include "store/sorted_run.h"
#include "store/sorter.h"

enum { DISK_MORE = 3 /* words of a record beside the state: parent, ordinal, classes */ };

struct disk_buffer {
    uint64_t *records;
    uint32_t count, capacity;
};

struct disk {
    struct spill_place place;
    struct spill *known;       /* the states in the order in which they were found, until they are in a run */
    _Atomic bool is_of_no_use; /* not all of them could be written: the search goes on while memory suffices */
    struct record_sorter *sorter;
    uint64_t sorter_bytes;
    VEC(struct state_run *) runs; /* the largest first */
    _Atomic uint64_t states;      /* in the blocks */
    bool is_used;
    bool holds;           /* workers hold back what may be new: what is in their buffers is that */
    bool is_reading;      /* the sorter is handing out what was held back */
    uint64_t *refused;    /* what was handed out last, and could not be dealt with; or NULL */
    _Atomic bool is_lost; /* something that was held back could not be written */
    _Atomic bool wants_room;
    uint64_t most;         /* NOETHER_DISK_STATES: the visited set has no room for more; 0: as many as it takes */
    _Atomic uint64_t held; /* that it has, where that matters */
    pthread_mutex_t lock;  /* of the sorter, while several threads are at work */
};

/* disk.c. Why it ends: there is neither memory nor room on the disk. False, always. */
bool disk_stop(struct explicit_search *search);
/* All that workers have held back goes to the sorter. False: it could not, and the search is over. */
bool disk_write_all_held(struct explicit_search *search);

/* Memory for so many bytes, as far as what can go makes it: blocks that are complete, then a half of the visited set,
 * and so on. All that this set has is held back or in a run, so it may forget. */
void disk_spare(struct explicit_search *search, uint64_t bytes);
/* Some of that. False: there is nothing that can go. */
bool disk_free_some(struct explicit_search *search);

/* disk_round.c. The new run takes its place. False: the search is over, and the run is gone. */
bool disk_add_run(struct explicit_search *search, struct state_run *run);

#endif
