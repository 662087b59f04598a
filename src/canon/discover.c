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
    uint32_t *which; /* by factor of the structure: its number among these */
    uint32_t *found; /* elements, in order */
    uint32_t count;
    uint64_t *met; /* by element: the round in which it was found last */
    uint64_t round;
    /* Of the last state of canon_discover, the lists of a factor from its first element on: */
    uint32_t *known;       /* what was found, */
    uint32_t *after;       /* how much was found when this one had been followed, */
    uint32_t *known_count; /* and, by factor of these, how much in all, */
    uint32_t *named_count; /* and by variables */
    struct namers *namers; /* by factor of these, reference in the row and place of the element that is named */
    uint32_t *namer_start; /* by factor of these */
    uint32_t *link;        /* by use: of a reference in a row to the same factor, its first namers; or NO_LINK */
};

/* Who names an element in references of one kind: how many do, and the sum of their numbers. */
struct namers {
    uint32_t count, sum;
};

enum { NO_LINK = UINT32_MAX };

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

/* References of the rows, one kind after the other. */
static void discovery_list_kinds(struct discovery *discovery, const struct structure *s,
                                 const struct moved_factor *factor, uint32_t start)
{
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
        for (uint32_t r = 0; r < s->rows[e].ref_count; r++)
            discovery->link[s->cell_use[s->row_cells[s->rows[e].refs + r].address]] = start + r * factor->degree;
}

struct discovery *discovery_create(const struct structure *s)
{
    struct discovery *discovery = memory_zeroed(1, sizeof *discovery);
    size_t n = (size_t)s->element_count + 1, namers = 0, anchors = 0;
    discovery->factors = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->factors);
    discovery->which = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->which);
    discovery->anchors = memory_zeroed((size_t)s->cell_count * s->factor_count + 1, sizeof *discovery->anchors);
    discovery->anchor_start = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->anchor_start);
    discovery->namer_start = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->namer_start);
    discovery->link = memory_alloc(((size_t)s->use_count + 1) * sizeof *discovery->link);
    for (uint32_t u = 0; u < s->use_count; u++)
        discovery->link[u] = NO_LINK;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        const struct moved_factor *factor = &s->factors[f];
        uint32_t count = discovery_list_anchors(s, factor, discovery->anchors + anchors);
        if (!factor->is_full || !count || !discovery_is_linked(s, factor))
            continue;
        discovery->which[f] = discovery->factor_count;
        discovery->factors[discovery->factor_count++] = f;
        anchors += count;
        discovery->anchor_start[discovery->factor_count] = (uint32_t)anchors;
        discovery_list_kinds(discovery, s, factor, (uint32_t)namers);
        namers += (size_t)factor->degree * s->rows[factor->first].ref_count;
        discovery->namer_start[discovery->factor_count] = (uint32_t)namers;
    }
    discovery->found = memory_zeroed(n, sizeof *discovery->found);
    discovery->met = memory_zeroed(n, sizeof *discovery->met);
    discovery->known = memory_zeroed(n, sizeof *discovery->known);
    discovery->after = memory_zeroed(n, sizeof *discovery->after);
    discovery->known_count = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->known_count);
    discovery->named_count = memory_zeroed((size_t)s->factor_count + 1, sizeof *discovery->named_count);
    discovery->namers = memory_zeroed(namers + 1, sizeof *discovery->namers);
    return discovery;
}

void discovery_destroy(struct discovery *discovery)
{
    free(discovery->factors);
    free(discovery->anchors);
    free(discovery->anchor_start);
    free(discovery->found);
    free(discovery->which);
    free(discovery->met);
    free(discovery->known);
    free(discovery->after);
    free(discovery->known_count);
    free(discovery->named_count);
    free(discovery->namers);
    free(discovery->namer_start);
    free(discovery->link);
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
    if (element == NO_ELEMENT || discovery->met[element] == discovery->round)
        return;
    discovery->met[element] = discovery->round;
    discovery->found[discovery->count++] = element;
}

static inline void discovery_name(struct namers *namers, uint32_t named, uint32_t by, uint32_t sign)
{
    if (named == NO_ELEMENT)
        return;
    namers[named].count += sign;
    namers[named].sum += sign * by;
}

static void discovery_list_namers(struct discovery *discovery, const struct structure *s, uint32_t i,
                                  const int32_t *cells)
{
    const struct moved_factor *factor = &s->factors[discovery->factors[i]];
    for (uint32_t n = discovery->namer_start[i]; n < discovery->namer_start[i + 1]; n++)
        discovery->namers[n] = (struct namers){0};
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++) {
        const struct row_cell *cell = s->row_cells + s->rows[e].refs;
        struct namers *namers = discovery->namers + discovery->namer_start[i];
        for (uint32_t r = 0; r < s->rows[e].ref_count; r++, namers += factor->degree) {
            uint32_t named = discovery_named(s, factor, cells[cell[r].address]);
            discovery_name(namers, named == NO_ELEMENT ? named : named - factor->first, e, 1);
        }
    }
}

uint64_t discovery_change(struct discovery *discovery, const struct structure *s, uint32_t number, int32_t old,
                          int32_t new)
{
    if (discovery->link[number] == NO_LINK)
        return UINT64_MAX; /* a variable: it is read each time */
    uint32_t e = s->elements[s->uses[number].tuple];
    const struct moved_factor *factor = &s->factors[s->factor_of[e]];
    struct namers *namers = discovery->namers + discovery->link[number];
    uint32_t before = discovery_named(s, factor, old), after = discovery_named(s, factor, new);
    discovery_name(namers, before == NO_ELEMENT ? before : before - factor->first, e, UINT32_MAX);
    discovery_name(namers, after == NO_ELEMENT ? after : after - factor->first, e, 1);
    return canon_bit(e) | (before == NO_ELEMENT ? 0 : canon_bit(before)) | (after == NO_ELEMENT ? 0 : canon_bit(after));
}

/* Those that variables name. */
static void discovery_begin(struct discovery *discovery, const struct structure *s, uint32_t which,
                            const int32_t *cells)
{
    const struct moved_factor *factor = &s->factors[discovery->factors[which]];
    discovery->count = 0;
    discovery->round++;
    for (uint32_t a = discovery->anchor_start[which]; a < discovery->anchor_start[which + 1]; a++)
        discovery_find(discovery, discovery_named(s, factor, cells[s->uses[discovery->anchors[a]].address]));
}

/* Those that one of them names, and who alone names it. */
static inline void discovery_spread_one(struct discovery *discovery, const struct structure *s, uint32_t which,
                                        uint32_t element, const int32_t *cells)
{
    const struct moved_factor *factor = &s->factors[discovery->factors[which]];
    const struct row_cell *cell = s->row_cells + s->rows[element].refs;
    const struct namers *namers = discovery->namers + discovery->namer_start[which] + element - factor->first;
    uint32_t refs = s->rows[element].ref_count;
    for (uint32_t r = 0; r < refs; r++)
        discovery_find(discovery, discovery_named(s, factor, cells[cell[r].address]));
    for (uint32_t r = 0; r < refs; r++, namers += factor->degree)
        if (namers->count == 1)
            discovery_find(discovery, namers->sum);
}

/* From this one on, until all are found. */
static void discovery_spread(struct discovery *discovery, const struct structure *s, uint32_t which, uint32_t from,
                             const int32_t *cells)
{
    uint32_t degree = s->factors[discovery->factors[which]].degree;
    for (uint32_t i = from; i < discovery->count && discovery->count < degree; i++)
        discovery_spread_one(discovery, s, which, discovery->found[i], cells);
}

/* The same from the first on, and keeps the course of it. */
static void discovery_spread_known(struct discovery *discovery, const struct structure *s, uint32_t which,
                                   const int32_t *cells)
{
    const struct moved_factor *factor = &s->factors[discovery->factors[which]];
    uint32_t *known = discovery->known + factor->first, *after = discovery->after + factor->first;
    discovery->named_count[which] = discovery->count;
    for (uint32_t i = 0; i < discovery->count; i++) {
        if (discovery->count < factor->degree)
            discovery_spread_one(discovery, s, which, discovery->found[i], cells);
        known[i] = discovery->found[i];
        after[i] = discovery->count;
    }
    discovery->known_count[which] = discovery->count;
}

/* What was found in the known state before the first one that is affected was followed. Returns that one's number. */
static uint32_t discovery_resume(struct discovery *discovery, uint32_t which, const uint32_t *known,
                                 const uint32_t *after, uint64_t affected)
{
    uint32_t from = 0, count = discovery->known_count[which];
    uint64_t round = ++discovery->round;
    while (from < count && !(affected & canon_bit(known[from])))
        from++;
    count = from ? after[from - 1] : discovery->named_count[which];
    for (uint32_t i = 0; i < count; i++) {
        discovery->found[i] = known[i];
        discovery->met[known[i]] = round;
    }
    discovery->count = count;
    return from;
}

uint32_t discovery_follow(struct canon *canon, uint32_t f, const int32_t *cells, uint64_t affected,
                          const uint32_t **found)
{
    const struct structure *s = canon->structure;
    struct discovery *discovery = canon->discovery;
    uint32_t which = discovery->which[f], first = s->factors[f].first, from = 0;
    canon->work += WORK_CHASE * s->factors[f].degree;
    if (affected == UINT64_MAX)
        discovery_begin(discovery, s, which, cells);
    else
        from = discovery_resume(discovery, which, discovery->known + first, discovery->after + first, affected);
    discovery_spread(discovery, s, which, from, cells);
    *found = discovery->found;
    return discovery->count;
}

void discovery_list_links(const struct discovery *discovery, const struct structure *s, uint64_t *links)
{
    for (uint32_t i = 0; i < discovery->factor_count; i++) {
        const struct moved_factor *factor = &s->factors[discovery->factors[i]];
        for (uint32_t r = 0; r < factor->ref_count; r++) {
            uint32_t number = s->factor_refs[factor->refs + r];
            const struct use *use = &s->uses[number];
            if (!use->arity || (use->arity == 1 && s->elements[use->tuple] - factor->first < factor->degree))
                links[number] |= canon_bit(discovery->factors[i]);
        }
    }
}

static void discovery_rank(struct canon *canon, const struct moved_factor *factor)
{
    const struct discovery *discovery = canon->discovery;
    canon->work += WORK_CHASE * factor->degree;
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
        canon->signature[e] |= (uint64_t)1 << 63; /* behind those that are found */
    for (uint32_t i = 0; i < discovery->count; i++)
        canon->signature[discovery->found[i]] = discovery->count - 1 - i;
}

uint64_t canon_discover_again(struct canon *canon, const int32_t *cells, uint64_t factors)
{
    const struct structure *s = canon->structure;
    struct discovery *discovery = canon->discovery;
    uint64_t found = 0;
    for (uint32_t i = 0; i < discovery->factor_count; i++) {
        if (!(factors & canon_bit(discovery->factors[i])))
            continue;
        discovery_begin(discovery, s, i, cells);
        if (!discovery->count)
            continue;
        found |= canon_bit(discovery->factors[i]);
        discovery_spread(discovery, s, i, 0, cells);
        discovery_rank(canon, &s->factors[discovery->factors[i]]);
    }
    return found;
}

uint64_t canon_discover(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct discovery *discovery = canon->discovery;
    uint64_t found = 0;
    for (uint32_t i = 0; i < discovery->factor_count; i++) {
        discovery_list_namers(discovery, s, i, cells);
        discovery_begin(discovery, s, i, cells);
        discovery_spread_known(discovery, s, i, cells);
        if (!discovery->count)
            continue;
        found |= canon_bit(discovery->factors[i]);
        discovery_rank(canon, &s->factors[discovery->factors[i]]);
    }
    return found;
}
