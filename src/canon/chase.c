/* The cheap part of refinement: references from element to element, followed before anything is hashed.
 *
 * What an element alone in its class names is known too: it gets a class of its own, then what that one names, and so
 * on along a queue or a list, one step for each element, where rounds of hashing would take one round for each. Classes
 * that are left are split by the ranks of what their elements name.
 *
 * Both go by positions and the order of cells in a row, so they commute with the group; and by positions as they
 * stand, not by hashes of them, so that a queue keeps its order when somebody else changes: the visited set meets the
 * same parts of states again. */
#include <stdlib.h>

#include "base/memory.h"
#include "canon/canon_inner.h"

struct chase {
    uint32_t *queue; /* elements with a class of their own */
    uint32_t count;
    uint32_t *position; /* by element */
    bool *is_queued;    /* by element */
    bool has_references;
};

struct chase *chase_create(const struct structure *s)
{
    struct chase *chase = memory_zeroed(1, sizeof *chase);
    size_t n = (size_t)s->element_count + 1;
    chase->queue = memory_zeroed(n, sizeof *chase->queue);
    chase->position = memory_zeroed(n, sizeof *chase->position);
    chase->is_queued = memory_zeroed(n, sizeof *chase->is_queued);
    for (uint32_t e = 0; e < s->element_count; e++)
        chase->has_references |= s->rows[e].ref_count > 0;
    return chase;
}

void chase_destroy(struct chase *chase)
{
    free(chase->queue);
    free(chase->position);
    free(chase->is_queued);
    free(chase);
}

static void chase_push(struct chase *chase, uint32_t element)
{
    chase->is_queued[element] = true;
    chase->queue[chase->count++] = element;
}

/* In order of their places. */
static void chase_push_single(struct chase *chase, const struct canon_partition *partition, uint32_t n)
{
    for (uint32_t at = 0; at < n; at += partition->length[at])
        if (partition->length[at] == 1 && !chase->is_queued[partition->order[at]])
            chase_push(chase, partition->order[at]);
}

/* Gives the element the last place of its class, for its own. The others keep their colour. */
static void chase_single_out(struct chase *chase, struct canon_partition *partition, uint32_t element)
{
    uint32_t start = partition->rank[element], last = start + partition->length[start] - 1;
    uint32_t at = chase->position[element], other = partition->order[last];
    partition->order[at] = other;
    chase->position[other] = at;
    partition->order[last] = element;
    chase->position[element] = last;
    partition->rank[element] = last;
    partition->length[last] = 1;
    partition->length[start]--;
    partition->classes++;
    chase_push(chase, element);
    if (partition->length[start] == 1)
        chase_push(chase, partition->order[start]);
}

/* What those in the queue from `from` on name. Returns where the queue ends. */
static uint32_t chase_run(struct chase *chase, const struct structure *s, struct canon_partition *partition,
                          const int32_t *cells, uint32_t from)
{
    for (uint32_t e = 0; e < s->element_count; e++)
        chase->position[partition->order[e]] = e;
    for (; from < chase->count; from++) {
        const struct row *row = &s->rows[chase->queue[from]];
        const struct row_cell *refs = s->row_cells + row->refs;
        for (uint32_t r = 0; r < row->ref_count; r++) {
            uint32_t element = structure_element(s, cells[refs[r].address]);
            if (element != NO_ELEMENT && partition_is_shared(partition, element))
                chase_single_out(chase, partition, element);
        }
    }
    return from;
}

/* By the ranks of what the elements name, cell by cell. */
static bool chase_split(struct canon *canon, struct canon_partition *partition, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    uint64_t trace = 0;
    for (uint32_t end, at = 0; at < s->element_count; at = end) {
        end = at + partition->length[at];
        for (uint32_t i = at; end - at > 1 && i < end; i++) {
            const struct row *row = &s->rows[partition->order[i]];
            const struct row_cell *refs = s->row_cells + row->refs;
            uint64_t key = 0;
            for (uint32_t r = 0; r < row->ref_count; r++) {
                uint32_t element = structure_element(s, cells[refs[r].address]);
                key = key * (s->element_count + 1) + (element == NO_ELEMENT ? 0 : partition->rank[element] + 1);
            }
            canon->signature[partition->order[i]] = key;
        }
    }
    return partition_split(canon, partition, &trace);
}

bool canon_chase(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct chase *chase = canon->chase;
    struct canon_partition *partition = &canon->levels[0].partition;
    uint32_t before = partition->classes, done = 0;
    if (!chase->has_references)
        return false;
    do {
        canon->work += WORK_CHASE * s->element_count;
        chase_push_single(chase, partition, s->element_count);
        done = chase_run(chase, s, partition, cells, done);
    } while (partition->classes < s->element_count && chase_split(canon, partition, cells));
    while (chase->count)
        chase->is_queued[chase->queue[--chase->count]] = false;
    return partition->classes > before;
}
