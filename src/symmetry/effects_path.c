#include "symmetry/effects.h"

#include <string.h>

uint32_t effects_number(const struct effects *e, const struct variable *variable)
{
    return e->numbers[variable->address];
}

void effects_may_fault(struct effects *e)
{
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        loop->may_fault = true;
}

bool effects_is_unordered(const struct domain *domain)
{
    if (domain->from)
        return false;
    for (uint32_t b = 0; b < domain->type->block_count; b++)
        if (domain->type->blocks[b].owner->kind == TYPE_INDEX && domain->type->blocks[b].owner->size > 1)
            return true;
    return false;
}

/* Records of the same structure may be of different types. */
bool path_same_field(const struct field *a, const struct field *b)
{
    return a == b || (a && b && a->offset == b->offset && a->type->cells == b->type->cells);
}

bool path_equal(const struct effects_path *a, const struct effects_path *b)
{
    if (a->root != b->root || !a->root || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!path_same_field(a->steps[i].field, b->steps[i].field) ||
            (!a->steps[i].field &&
             (a->steps[i].key != b->steps[i].key || !meaning_equal(&a->steps[i].index, &b->steps[i].index))))
            return false;
    return true;
}

bool meaning_equal(const struct meaning *a, const struct meaning *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case MEANS_UNKNOWN:
        return false;
    case MEANS_CONST:
        return a->code == b->code;
    case MEANS_CLEARED:
        return true;
    case MEANS_VARIABLE:
        return a->variable == b->variable;
    case MEANS_PLACE:
        return path_equal(a->path, b->path);
    }
    return false;
}

bool effects_is_invariant(const struct effects *e, const struct meaning *meaning, const struct effects_loop *loop)
{
    switch (meaning->kind) {
    case MEANS_UNKNOWN:
        return false;
    case MEANS_CONST:
    case MEANS_CLEARED:
        return true;
    case MEANS_VARIABLE:
        return e->bound_depth[effects_number(e, meaning->variable)] < loop->depth;
    case MEANS_PLACE:
        for (uint32_t i = 0; i < meaning->path->count; i++)
            if (!meaning->path->steps[i].field && !effects_is_invariant(e, &meaning->path->steps[i].index, loop))
                return false;
        return meaning->path->root != NULL;
    }
    return false;
}

/* all of them */
static bool effects_is_fresh(const struct effects_loop *loop, struct units units)
{
    for (uint32_t u = units.first; u < units.first + units.count; u++)
        if (!loop->fresh[u])
            return false;
    return true;
}

/* What a local variable holds. By its place only when no loop around here wrote it first in this iteration: then the
 * read was noted, and writes to it in the loop are found as conflicts. */
static struct meaning meaning_of_local(struct effects *e, const struct effects_path *path)
{
    struct meaning held = effects_held(e, path);
    struct units units = effects_units(e, path);
    for (const struct effects_loop *loop = e->loop; loop && held.kind == MEANS_UNKNOWN; loop = loop->outer)
        if (effects_is_fresh(loop, units))
            return held;
    return held.kind == MEANS_UNKNOWN ? (struct meaning){.kind = MEANS_PLACE, .path = path} : held;
}

/* The meaning of a value that was just walked. */
struct meaning effects_meaning(struct effects *e, const struct expr *expr)
{
    struct meaning unknown = {0};
    if (expr->kind == EXPR_CONST)
        return (struct meaning){.kind = MEANS_CONST, .code = expr->value};
    if (expr->kind != EXPR_READ)
        return unknown;
    const struct place *place = expr->place;
    if (place->kind == PLACE_VARIABLE && e->values[effects_number(e, place->variable)].kind != MEANS_UNKNOWN)
        return e->values[effects_number(e, place->variable)];
    for (const struct place *p = place; p; p = p->base)
        if (p->kind == PLACE_CALL || p->kind == PLACE_SLOT)
            return unknown; /* not the same place when looked at again */
    /* To walk the place again would take twice as long for each index inside of an index. */
    const struct effects_path *path = e->last_read == place ? e->last_path : effects_path(e, place);
    if (!path->root)
        return unknown;
    if (!path->root->is_global)
        return meaning_of_local(e, path);
    return (struct meaning){.kind = MEANS_PLACE, .path = path};
}

const struct effects_path *effects_extend(struct effects *e, const struct effects_path *base, struct path_step step)
{
    struct path_step *steps = ARENA_ARRAY(e->arena, struct path_step, base->count + 1);
    if (base->count)
        memcpy(steps, base->steps, base->count * sizeof *steps);
    steps[base->count] = step;
    struct effects_path *path = ARENA_NEW(e->arena, struct effects_path);
    *path = (struct effects_path){.root = base->root,
                                  .steps = steps,
                                  .count = base->count + 1,
                                  .is_direct = base->is_direct && step.field,
                                  .is_slot = base->is_slot};
    return path;
}

const struct effects_path *effects_root(struct effects *e, const struct variable *root)
{
    struct effects_path *path = ARENA_NEW(e->arena, struct effects_path);
    path->root = root;
    path->is_direct = true;
    return path;
}

const struct effects_path *effects_refer(struct effects *e, const struct effects_path *path)
{
    struct effects_path *copy = arena_copy(e->arena, path, sizeof *path);
    copy->is_direct = false;
    return copy;
}

/* Index values are walked for what they read; their meaning becomes part of the path. */
static const struct effects_path *path_element(struct effects *e, const struct place *place)
{
    const struct effects_path *base = effects_path(e, place->base);
    effects_expr(e, place->index);
    struct path_step step = {.index = effects_meaning(e, place->index)};
    if (step.index.kind == MEANS_PLACE)
        step.index = (struct meaning){0}; /* compared only while nothing is written */
    if (step.index.kind != MEANS_CONST && step.index.kind != MEANS_VARIABLE)
        effects_may_fault(e);
    return effects_extend(e, base, step);
}

/* A predicate over a multiset looks at every slot; anything else means one by its number. */
static bool path_is_predicate(const struct effects *e, const struct expr *index)
{
    for (const struct effects_loop *loop = e->loop; loop; loop = loop->outer)
        if (loop->domain->kind == TYPE_MULTISET && index->kind == EXPR_READ && index->place->kind == PLACE_VARIABLE &&
            index->place->variable == loop->variable)
            return true;
    return false;
}

void effects_give_home(struct effects *e, const struct variable *slot, struct effect_home home)
{
    e->homes[effects_number(e, slot)] = home;
}

/* In a predicate: the elements that it is about. */
static const struct effects_path *path_own(const struct effects *e, const struct place *place,
                                           const struct effects_path *base)
{
    if (!path_is_predicate(e, place->index))
        return base;
    const struct effect_home *home = &e->homes[effects_number(e, place->index->place->variable)];
    return home->own && effects_same_place(home->place, place->base) ? home->own : base;
}

void effects_use_slot(struct effects *e, const struct expr *slot, const struct place *place,
                      const struct effects_path *path)
{
    const struct effect_home *home = NULL;
    if (slot->kind == EXPR_READ && slot->place->kind == PLACE_VARIABLE)
        home = &e->homes[effects_number(e, slot->place->variable)];
    bool is_home = home && home->place && (home->path == path || path_equal(home->path, path));
    /* Between two evaluations within a predicate nothing is written, or the loops' question finds it. */
    if (home && home->place && path_is_predicate(e, slot))
        is_home |= effects_same_place(home->place, place);
    if (!is_home || (path->root && e->is_unordered[effects_number(e, path->root)] && !path_is_predicate(e, slot)))
        e->on_stale(e, NULL, slot->span, slot->span);
}

static const struct effects_path *path_slot(struct effects *e, const struct place *place)
{
    const struct effects_path *base = effects_path(e, place->base);
    effects_expr(e, place->index);
    effects_may_fault(e);
    effects_use_slot(e, place->index, place->base, base);
    const struct effects_path *own = path_own(e, place, base), *path = own;
    if (own == base)
        path = effects_extend(e, base, (struct path_step){0}); /* which slot is not a lasting fact */
    struct effects_path *slot = arena_copy(e->arena, path, sizeof *path);
    slot->is_slot = !path_is_predicate(e, place->index);
    return slot;
}

const struct effects_path *effects_path(struct effects *e, const struct place *place)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        return effects_root(e, place->variable);
    case PLACE_DEREF: {
        const struct effects_path *bound = e->bound[effects_number(e, place->variable)];
        return bound ? bound : effects_root(e, NULL);
    }
    case PLACE_ELEMENT:
        return path_element(e, place);
    case PLACE_FIELD:
        return effects_extend(e, effects_path(e, place->base), (struct path_step){.field = place->field});
    case PLACE_SLOT:
        return path_slot(e, place);
    case PLACE_CALL: {
        effects_call(e, place->call);
        const struct effects_path *result = effects_root(e, place->call->function->result);
        effects_renew(e, effects_units(e, result));
        return result;
    }
    }
    UNREACHABLE("place kind");
}

static void access_stale(struct effects *e, struct units units, struct span span)
{
    for (uint32_t u = units.first; u < units.first + units.count; u++)
        if (e->stale[u].domain)
            e->on_stale(e, e->stale[u].domain, e->stale[u].span, span);
}

/* One access for each stretch of units that the iteration has not written so far. */
static void access_read(struct effects_loop *loop, struct access access)
{
    struct units units = access.units;
    uint32_t end = units.first + units.count, u = units.first;
    while (u < end) {
        uint32_t from = u;
        while (u < end && !loop->fresh[u])
            u++;
        access.units.first = from;
        access.units.count = u - from;
        if (u > from)
            VEC_PUSH(&loop->accesses, access);
        while (u < end && loop->fresh[u])
            u++;
    }
}

void effects_access(struct effects *e, enum access_mode mode, const struct effects_path *path, struct meaning value,
                    struct span span)
{
    bool is_local = path->root && !path->root->is_global;
    struct units units = effects_units(e, path);
    if (path->is_slot && path->root && e->is_unordered[effects_number(e, path->root)])
        e->on_stale(e, NULL, span, span);
    if (mode != ACCESS_WRITE)
        access_stale(e, units, span);
    else if (units.is_exact)
        effects_renew(e, units);
    for (struct effects_loop *loop = e->loop; loop; loop = loop->outer) {
        struct access access = {.mode = mode, .path = path, .units = units, .value = value, .guards = e->guards};
        access.is_private = is_local && effects_is_fresh(loop, units);
        if (is_local && mode == ACCESS_READ)
            access_read(loop, access);
        else
            VEC_PUSH(&loop->accesses, access);
    }
    if (mode != ACCESS_READ && !path->root)
        effects_hold_any(e);
    else if (mode != ACCESS_READ)
        effects_hold(e, units, mode == ACCESS_WRITE ? value : (struct meaning){0});
}
