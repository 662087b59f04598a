/* Elements that are known by name: first those that variables of the model name, then those these name, and those that
 * alone name them, and so on: a queue from its tail to its head, a list. They need no sorting, and no hashing: each
 * gets a signature below all others, the last one found the least. So the rows of a queue stand in its order, the head
 * first, and stay where they are when somebody joins; the visited set meets the same parts of states again.
 *
 * Who is found depends on the state alone and commutes with the group: an automorphism of the state leaves those found
 * where they are. */
#include <stdlib.h>

#include "base/memory.h"
#include "canon/canon_inner.h"

struct discovery {
    uint32_t *factors; /* those whose elements name one another in their rows */
    uint32_t factor_count;
    uint32_t *anchors; /* by factor of these: uses without a tuple that may name an element of it */
    uint32_t *anchor_start;
    uint32_t *found; /* elements, in order */
    uint32_t count;
    bool *is_found;  /* by element */
    uint32_t *namer; /* by reference in the row and place of the element: the element that names it there; NO_ELEMENT:
                        none; MANY */
};

enum { MANY = UINT32_MAX - 1 };

/* Can a cell of the rows hold an element of the same factor? */
static bool discovery_is_linked(const struct structure *s, const struct moved_factor *factor)
{
    for (uint32_t r = 0; r < factor->ref_count; r++) {
        const struct use *use = &s->uses[s->factor_refs[factor->refs + r]];
        if (use->arity == 1 && s->elements[use->tuple] - factor->first < factor->degree)
            return true;
    }
    return false;
}

static uint32_t discovery_list_anchors(const struct structure *s, const struct moved_factor *factor, uint32_t *anchors)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < factor->ref_count; r++) {
        uint32_t use = s->factor_refs[factor->refs + r];
        if (!s->uses[use].arity)
            anchors[count++] = use;
    }
    return count;
}

struct discovery *discovery_create(const struct structure *s)
{
    struct discovery *discovery = memory_zeroed(1, sizeof *discovery);
    size_t n = (size_t)s->element_count + 1, namers = 1, anchors = 0;
    discovery->factors = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->factors);
    discovery->anchors = memory_zeroed((size_t)s->cell_count * s->factor_count + 1, sizeof *discovery->anchors);
    discovery->anchor_start = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->anchor_start);
    for (uint32_t f = 0; f < s->factor_count; f++) {
        const struct moved_factor *factor = &s->factors[f];
        uint32_t count = discovery_list_anchors(s, factor, discovery->anchors + anchors);
        if (!factor->is_full || !count || !discovery_is_linked(s, factor))
            continue;
        discovery->factors[discovery->factor_count++] = f;
        anchors += count;
        discovery->anchor_start[discovery->factor_count] = (uint32_t)anchors;
        size_t size = (size_t)factor->degree * s->rows[factor->first].ref_count;
        namers = size > namers ? size : namers;
    }
    discovery->found = memory_zeroed(n, sizeof *discovery->found);
    discovery->is_found = memory_zeroed(n, sizeof *discovery->is_found);
    discovery->namer = memory_zeroed(namers, sizeof *discovery->namer);
    return discovery;
}

void discovery_destroy(struct discovery *discovery)
{
    free(discovery->factors);
    free(discovery->anchors);
    free(discovery->anchor_start);
    free(discovery->found);
    free(discovery->is_found);
    free(discovery->namer);
    free(discovery);
}

/* The element of the factor that the cell names; NO_ELEMENT: none. */
static inline uint32_t discovery_named(const struct structure *s, const struct moved_factor *factor, int32_t code)
{
    uint32_t element = structure_element(s, code);
    return element - factor->first < factor->degree ? element : NO_ELEMENT; /* NO_ELEMENT is far above */
}

static inline void discovery_find(struct discovery *discovery, uint32_t element)
{
    if (element >= MANY || discovery->is_found[element])
        return;
    discovery->is_found[element] = true;
    discovery->found[discovery->count++] = element;
}

static void discovery_list_namers(struct discovery *discovery, const struct structure *s,
                                  const struct moved_factor *factor, const int32_t *cells)
{
    uint32_t refs = s->rows[factor->first].ref_count;
    for (uint32_t i = 0; i < refs * factor->degree; i++)
        discovery->namer[i] = NO_ELEMENT;
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++) {
        const struct row_cell *cell = s->row_cells + s->rows[e].refs;
        for (uint32_t r = 0; r < refs; r++) {
            uint32_t named = discovery_named(s, factor, cells[cell[r].address]);
            if (named == NO_ELEMENT)
                continue;
            uint32_t *namer = &discovery->namer[r * factor->degree + named - factor->first];
            *namer = *namer == NO_ELEMENT ? e : MANY;
        }
    }
}

static void discovery_spread(struct discovery *discovery, const struct structure *s, const struct moved_factor *factor,
                             const int32_t *cells)
{
    uint32_t refs = s->rows[factor->first].ref_count;
    for (uint32_t i = 0; i < discovery->count; i++) {
        uint32_t element = discovery->found[i];
        const struct row_cell *cell = s->row_cells + s->rows[element].refs;
        for (uint32_t r = 0; r < refs; r++)
            discovery_find(discovery, discovery_named(s, factor, cells[cell[r].address]));
        for (uint32_t r = 0; r < refs; r++)
            discovery_find(discovery, discovery->namer[r * factor->degree + element - factor->first]);
    }
}

uint64_t discovery_links(const struct discovery *discovery, const struct structure *s, uint32_t number)
{
    const struct use *use = &s->uses[number];
    uint64_t links = 0;
    for (uint32_t i = 0; i < discovery->factor_count && use->arity <= 1; i++) {
        const struct moved_factor *factor = &s->factors[discovery->factors[i]];
        bool is_its = !use->arity || s->elements[use->tuple] - factor->first < factor->degree;
        for (uint32_t r = 0; r < factor->ref_count && is_its; r++)
            if (s->factor_refs[factor->refs + r] == number)
                links |= canon_bit(discovery->factors[i]);
    }
    return links;
}

uint64_t canon_discover(struct canon *canon, const int32_t *cells, uint64_t factors)
{
    uint64_t found = 0;
    const struct structure *s = canon->structure;
    struct discovery *discovery = canon->discovery;
    for (uint32_t i = 0; i < discovery->factor_count; i++) {
        const struct moved_factor *factor = &s->factors[discovery->factors[i]];
        if (!(factors & canon_bit(discovery->factors[i])))
            continue;
        for (uint32_t a = discovery->anchor_start[i]; a < discovery->anchor_start[i + 1]; a++)
            discovery_find(discovery, discovery_named(s, factor, cells[s->uses[discovery->anchors[a]].address]));
        if (!discovery->count)
            continue;
        found |= canon_bit(discovery->factors[i]);
        discovery_list_namers(discovery, s, factor, cells);
        discovery_spread(discovery, s, factor, cells);
        canon->work += WORK_CHASE * factor->degree;
        for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
            canon->signature[e] |= (uint64_t)1 << 63; /* behind those that are found */
        for (uint32_t rank = 0; discovery->count; rank++) {
            uint32_t element = discovery->found[--discovery->count];
            canon->signature[element] = rank;
            discovery->is_found[element] = false;
        }
    }
    return found;
}
