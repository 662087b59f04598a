/* Dead local values: a local variable that is written before it is read again, whatever happens, need not be told
 * apart (as UTOOL does; survey section 6, "local state explosion"). Locations that differ only in dead cells share a
 * counter.
 *
 * live(L) = what is read of an element in L, and what is live where it may go and was kept on the way. Two locations
 * with the same live cells and the same values in them behave alike: nothing that happens reads the rest. A step that
 * changes nothing but dead cells would look like stuttering, though, so the cells it changes count as live: in every
 * location that behaves alike, or the same step would lead from them to locations with different counters. */
#include <stdlib.h>
#include <string.h>

#include "reduce/inner.h"

static bool dead_propagate(struct reduce_family *family)
{
    bool changed = false;
    for (size_t p = 0; p < family->passages.count; p++) {
        const struct passage *passage = &family->passages.items[p];
        struct location *from = &family->locations.items[passage->from];
        const struct location *to = &family->locations.items[passage->to];
        for (uint32_t w = 0; w < family->words; w++) {
            uint64_t live = from->live[w] | (to->live[w] & passage->kept[w]);
            changed |= live != from->live[w];
            from->live[w] = live;
        }
    }
    return changed;
}

static bool dead_alike(const struct reduce_family *family, const struct location *a, const struct location *b)
{
    for (uint32_t w = 0; w < family->words; w++)
        if (a->live[w] != b->live[w])
            return false;
    for (uint32_t c = 0; c < family->cell_count; c++)
        if (a->live[c / 64] >> c % 64 & 1 && a->values[c] != b->values[c])
            return false;
    return true;
}

/* Makes these cells live in all locations that are like this one. */
static void dead_revive(struct reduce_family *family, const struct location *model, const uint64_t *cells)
{
    VEC(struct location *) alike = {0};
    for (size_t l = 0; l < family->locations.count; l++)
        if (dead_alike(family, model, &family->locations.items[l]))
            VEC_PUSH(&alike, &family->locations.items[l]);
    for (size_t l = 0; l < alike.count; l++)
        for (uint32_t w = 0; w < family->words; w++)
            alike.items[l]->live[w] |= cells[w];
    VEC_FREE(&alike);
}

/* A step between two locations that would share a counter must show. */
static bool dead_keep_steps(struct reduce_family *family)
{
    bool changed = false;
    uint64_t *differs = memory_zeroed(family->words + 1, sizeof *differs);
    for (size_t p = 0; p < family->passages.count; p++) {
        const struct location *from = &family->locations.items[family->passages.items[p].from];
        const struct location *to = &family->locations.items[family->passages.items[p].to];
        if (from == to || !dead_alike(family, from, to))
            continue;
        memset(differs, 0, family->words * sizeof *differs);
        for (uint32_t c = 0; c < family->cell_count; c++)
            differs[c / 64] |= (uint64_t)(from->values[c] != to->values[c]) << c % 64;
        dead_revive(family, from, differs);
        changed = true;
    }
    free(differs);
    return changed;
}

static void dead_set_live(struct reduce_family *family, bool keep_all)
{
    for (size_t l = 0; l < family->locations.count; l++)
        for (uint32_t w = 0; w < family->words; w++)
            family->locations.items[l].live[w] = keep_all ? UINT64_MAX : family->locations.items[l].read[w];
    if (keep_all)
        return;
    do {
        while (dead_propagate(family))
            ;
    } while (dead_keep_steps(family) && !watch_is_up()); /* whatever is translated next is refused then */
}

static void dead_number(struct reduce_family *family, bool keep_all)
{
    VEC_CLEAR(&family->classes);
    for (size_t l = 0; l < family->locations.count; l++) {
        struct location *location = &family->locations.items[l];
        location->class = NONE;
        if (!location->is_reached)
            continue;
        for (uint32_t k = 0; !keep_all && k < family->classes.count && location->class == NONE; k++)
            if (dead_alike(family, &family->locations.items[family->classes.items[k]], location))
                location->class = k;
        if (location->class != NONE)
            continue;
        location->class = (uint32_t)family->classes.count;
        VEC_PUSH(&family->classes, (uint32_t)l);
    }
}

void dead_classify(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        dead_set_live(&reduction->families[f], reducer->options->keep_dead);
        dead_number(&reduction->families[f], reducer->options->keep_dead);
    }
}
