/* A sorted run: different states in ascending order, in a file (spill.h). A search whose visited states do not fit in
 * memory keeps them in runs, and looks up many at a time, in order (delayed duplicate detection: Stern, Dill, Using
 * magnetic disk instead of main memory in the Murphi verifier, CAV 1998; Korf, Linear-time disk-based implicit graph
 * search, JACM 2008).
 *
 * The file is a sequence of pieces, as in a checkpoint (piece.h), without logs. In memory there is for each piece its
 * first state and where it begins: about 0.1 bytes a state. So a few states are looked up without reading all of the
 * file, and many by reading it once from its beginning to its end. */
#ifndef NOETHER_STORE_SORTED_RUN_H
#define NOETHER_STORE_SORTED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "store/budget.h"
#include "store/spill.h"

struct state_run;
struct run_cursor;

/* Negative: a is less. */
static inline int state_compare(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

struct state_run *sorted_run_create(uint32_t words, struct budget *budget, struct spill_place *place);
void sorted_run_destroy(struct state_run *run); /* NULL: nothing */
/* States in ascending order; then the end. False: it cannot be written. */
bool sorted_run_add(struct state_run *run, const uint64_t *state);
bool sorted_run_finish(struct state_run *run);
uint64_t sorted_run_states(const struct state_run *run);

/* Memory that a run takes beside its index while it is written, or a cursor; and all that merging two takes. */
uint64_t sorted_run_buffer_bytes(uint32_t words, const struct budget *budget);
uint64_t sorted_run_merge_bytes(const struct state_run *a, const struct state_run *b);

/* Of a run that is finished. */
struct run_cursor *run_cursor_create(struct state_run *run);
void run_cursor_destroy(struct run_cursor *cursor);
/* Is the state in the run? Each state that is asked for is greater than the one before. */
bool run_cursor_has(struct run_cursor *cursor, const uint64_t *state);
/* The next state; NULL: there are no more, or the file cannot be read. */
const uint64_t *run_cursor_next(struct run_cursor *cursor);
/* Was there something that could not be read? Then no answer counts. */
bool run_cursor_has_failed(const struct run_cursor *cursor);

/* A run with the states of both, which have none in common. NULL: it cannot be written or read, or `is_over` says so.
 */
struct state_run *sorted_run_merge(struct state_run *a, struct state_run *b, bool (*is_over)(void));

#endif
