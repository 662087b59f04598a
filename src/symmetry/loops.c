/* Iterations commute when what one reads no other writes, and what two write is written the same way or can be in any
 * order (survey section 7.2 asks for this; the argument is Bernstein's). Each iteration then does the same whatever
 * came before it, so faults do not depend on the order either. */
#include "symmetry/loops.h"

#include <stdlib.h>

#include "symmetry/distinct.h"

/* Can the two paths, taken in two different iterations, denote a common cell? */
static bool loops_overlap(const struct effects_loop *loop, const struct effects_path *a, const struct effects_path *b)
{
    if (!a->root || !b->root)
        return true;
    if (a->root != b->root)
        return false;
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        const struct path_step *s = &a->steps[i], *t = &b->steps[i];
        if (!path_same_field(s->field, t->field))
            return false;
        if (s->field || s->key != t->key)
            continue; /* by different keys: they may be the same elements */
        if (s->index.kind == MEANS_CONST && t->index.kind == MEANS_CONST && s->index.code != t->index.code)
            return false;
        if (s->index.kind == MEANS_VARIABLE && t->index.kind == MEANS_VARIABLE && s->index.variable == loop->variable &&
            t->index.variable == loop->variable)
            return false; /* different iterations, different elements */
    }
    return true;
}

/* Local variables are followed by their parts: those that both accesses are to. */
static struct units loops_common_units(const struct access *a, const struct access *b)
{
    uint32_t first = a->units.first > b->units.first ? a->units.first : b->units.first;
    uint32_t end_a = a->units.first + a->units.count, end_b = b->units.first + b->units.count;
    uint32_t end = end_a < end_b ? end_a : end_b;
    return (struct units){.first = first, .count = end > first ? end - first : 0};
}

/* Are both accesses made only in the one iteration whose variable has a certain value? */
static bool loops_exclude(const struct effects *e, const struct effects_loop *loop, const struct access *a,
                          const struct access *b)
{
    for (const struct guard *g = a->guards; g; g = g->next) {
        if (g->variable != loop->variable || !effects_is_invariant(e, &g->value, loop))
            continue;
        for (const struct guard *h = b->guards; h; h = h->next)
            if (h->variable == loop->variable && meaning_equal(&g->value, &h->value))
                return true;
    }
    return false;
}

static bool loops_write_same(const struct effects *e, const struct effects_loop *loop, const struct access *a,
                             const struct access *b)
{
    return a->mode == ACCESS_WRITE && b->mode == ACCESS_WRITE && meaning_equal(&a->value, &b->value) &&
           effects_is_invariant(e, &a->value, loop);
}

static bool loops_accumulate(const struct access *a, const struct access *b)
{
    if (a->mode != b->mode || (a->mode == ACCESS_WRAP && !meaning_equal(&a->value, &b->value)))
        return false;
    return a->mode != ACCESS_READ && a->mode != ACCESS_WRITE && a->mode != ACCESS_CHANGE;
}

enum loop_verdict { COMMUTE, LEAVE_STALE, CONFLICT };

static enum loop_verdict loops_compare(const struct effects *e, const struct effects_loop *loop, const struct access *a,
                                       const struct access *b)
{
    if (a->mode == ACCESS_READ && b->mode == ACCESS_READ)
        return COMMUTE;
    if (!loops_overlap(loop, a->path, b->path) || loops_write_same(e, loop, a, b) || loops_exclude(e, loop, a, b))
        return COMMUTE;
    bool is_local = a->path->root && b->path->root && !a->path->root->is_global;
    if (is_local && !loops_common_units(a, b).count)
        return COMMUTE;
    bool only_writes = (a->is_private || a->mode == ACCESS_WRITE) && (b->is_private || b->mode == ACCESS_WRITE);
    if (is_local && only_writes)
        return LEAVE_STALE;
    return loops_accumulate(a, b) ? COMMUTE : CONFLICT;
}

/* Does it write what outlives a return? A private variable may be the caller's, when it is reached by reference. */
static bool loops_writes(const struct effects_loop *loop)
{
    for (size_t i = 0; i < loop->accesses.count; i++) {
        const struct access *access = &loop->accesses.items[i];
        if (access->mode != ACCESS_READ && !(access->is_private && access->path->is_direct))
            return true;
    }
    return false;
}

/* A return ends the loop early: the iterations left out must have had nothing to say. */
static bool loops_returns_matter(const struct effects_loop *loop)
{
    return loop->has_return && (loop->has_mixed_returns || loop->may_fault || loops_writes(loop));
}

/* One write against everything else in the loop. */
static bool loops_check_write(struct effects *e, const struct effects_loop *loop, const struct distinct *distinct,
                              const struct access *a)
{
    for (size_t i = 0; i < distinct->count; i++) {
        const struct access *b = distinct->items[i].access;
        enum loop_verdict verdict = loops_compare(e, loop, a, b);
        if (verdict == CONFLICT)
            return false;
        struct units common = loops_common_units(a, b);
        for (uint32_t u = common.first; verdict == LEAVE_STALE && u < common.first + common.count; u++)
            effects_make_stale(e, u, loop);
    }
    return true;
}

bool loops_depend_on_order(struct effects *e, const struct effects_loop *loop)
{
    if (loop->has_discard || loops_returns_matter(loop))
        return true;
    struct distinct distinct = distinct_find(loop);
    bool is_free = true;
    for (size_t i = 0; i < distinct.count && is_free; i++)
        is_free = distinct.items[i].access->mode == ACCESS_READ ||
                  loops_check_write(e, loop, &distinct, distinct.items[i].access);
    free(distinct.items);
    return !is_free;
}
