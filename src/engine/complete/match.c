/* The search for a permutation that makes an interpolant true of a state.
 *
 * Only the objects that the interpolant names are placed, one after the other, each at a place of its own location;
 * an atom is decided as soon as all objects in it have their places. The others take what places are left. The search
 * gives up after a fixed number of placements: a state that is not found to be covered is explored, which is always
 * right. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/complete/memo.h"

enum { MATCH_MAX_OBJECTS = 64, MATCH_BUDGET = 4000 };

struct complete_plan {
    uint32_t count; /* objects to place */
    uint32_t objects[MATCH_MAX_OBJECTS];
    int32_t locations[MATCH_MAX_OBJECTS];
    /* Atoms in the order in which they can be decided: those from start[k] on once k objects are placed. */
    uint32_t start[MATCH_MAX_OBJECTS + 2];
    VEC(uint32_t) atoms; /* masks first, then bounds, then facts, numbered through */
};

static uint32_t match_atom_count(const struct interpolant *interpolant)
{
    return (uint32_t)(interpolant->masks.count + interpolant->bounds.count + interpolant->facts.count);
}

static uint64_t match_atom_objects(const struct interpolant *interpolant, uint32_t atom)
{
    uint64_t objects = 0;
    if (atom < interpolant->masks.count)
        return interpolant->masks.items[atom].leaf->objects;
    atom -= (uint32_t)interpolant->masks.count;
    if (atom >= interpolant->bounds.count)
        return interpolant->facts.items[atom - interpolant->bounds.count]->objects;
    const struct bound *bound = interpolant->bounds.items[atom];
    for (uint32_t i = 0; i < bound->count; i++)
        objects |= bound->items[i].term->objects;
    return objects;
}

static bool match_atom_holds(const struct interpolant *interpolant, uint32_t atom, const struct complete_scene *scene)
{
    if (atom < interpolant->masks.count)
        return mask_atom_holds(&interpolant->masks.items[atom], scene);
    atom -= (uint32_t)interpolant->masks.count;
    if (atom < interpolant->bounds.count)
        return bound_holds(interpolant->bounds.items[atom], scene);
    return term_holds(interpolant->facts.items[atom - interpolant->bounds.count], scene);
}

/* The object whose placing lets most atoms be decided next to those placed before it, then the one in most atoms. */
static uint32_t match_next_object(const uint64_t *atoms, uint32_t atom_count, uint64_t placed, uint64_t named)
{
    uint32_t best = 0, best_score = 0;
    for (uint32_t o = 0; o < MATCH_MAX_OBJECTS; o++) {
        uint64_t bit = UINT64_C(1) << o;
        uint32_t score = 1;
        if (!(named & bit) || (placed & bit))
            continue;
        for (uint32_t a = 0; a < atom_count; a++)
            if (atoms[a] & bit)
                score += (atoms[a] & ~placed & ~bit) ? 1 : 64;
        if (score > best_score) {
            best = o;
            best_score = score;
        }
    }
    return best;
}

static void match_take_decided(struct complete_plan *plan, const uint64_t *atoms, uint32_t atom_count, uint64_t before,
                               uint64_t placed)
{
    for (uint32_t a = 0; a < atom_count; a++)
        if (!(atoms[a] & ~placed) && (atoms[a] & ~before))
            VEC_PUSH(&plan->atoms, a);
}

static struct complete_plan *plan_create(const struct memos *memos, const struct memo *memo)
{
    struct complete_plan *plan = memory_zeroed(1, sizeof *plan);
    uint32_t atom_count = match_atom_count(&memo->interpolant);
    uint64_t *atoms = memory_zeroed(atom_count + 1, sizeof *atoms), named = 0, placed = 0;
    int32_t locations[MATCH_MAX_OBJECTS];
    for (uint32_t k = 0; k < memos->shape->object_count; k++)
        locations[memo->order[k]] = memo->locations[k];
    for (uint32_t a = 0; a < atom_count; a++) {
        atoms[a] = match_atom_objects(&memo->interpolant, a);
        named |= atoms[a];
        if (!atoms[a])
            VEC_PUSH(&plan->atoms, a);
    }
    while (named & ~placed) {
        uint32_t object = match_next_object(atoms, atom_count, placed, named);
        uint64_t before = placed;
        plan->start[plan->count + 1] = (uint32_t)plan->atoms.count;
        plan->objects[plan->count] = object;
        plan->locations[plan->count++] = locations[object];
        placed |= UINT64_C(1) << object;
        match_take_decided(plan, atoms, atom_count, before, placed);
    }
    plan->start[plan->count + 1] = (uint32_t)plan->atoms.count;
    free(atoms);
    return plan;
}

void plan_destroy(struct complete_plan *plan)
{
    if (!plan)
        return;
    VEC_FREE(&plan->atoms);
    free(plan);
}

/* The atoms that can be decided when k objects are placed. */
static bool match_decide(const struct complete_plan *plan, const struct interpolant *interpolant, uint32_t k,
                         const struct complete_scene *scene)
{
    for (uint32_t i = plan->start[k]; i < plan->start[k + 1]; i++)
        if (!match_atom_holds(interpolant, plan->atoms.items[i], scene))
            return false;
    return true;
}

static bool match_place(struct memos *memos, const struct memo *memo, uint32_t k, uint64_t used,
                        const struct complete_scene *scene)
{
    const struct complete_plan *plan = memo->plan;
    const struct shape *shape = memos->shape;
    if (k == plan->count)
        return true;
    uint32_t object = plan->objects[k];
    const struct complete_family *family = &shape->families[shape->family_of[object]];
    for (uint32_t other = family->first; other < family->first + family->count; other++) {
        uint64_t bit = UINT64_C(1) << other;
        if ((used & bit) || scene->cells[shape->location_of[other]] != plan->locations[k])
            continue;
        if (!memos->budget) {
            memos->is_cut = true;
            return false;
        }
        memos->budget--;
        memos->map[object] = other;
        if (match_decide(plan, &memo->interpolant, k + 1, scene) && match_place(memos, memo, k + 1, used | bit, scene))
            return true;
    }
    return false;
}

/* Places for the objects that are not named. */
static void match_fill(struct memos *memos, const struct memo *memo)
{
    uint64_t used = 0, placed = 0;
    uint32_t count = memos->shape->object_count;
    for (uint32_t k = 0; k < memo->plan->count; k++) {
        placed |= UINT64_C(1) << memo->plan->objects[k];
        used |= UINT64_C(1) << memos->map[memo->plan->objects[k]];
    }
    for (uint32_t k = 0; k < count; k++) {
        if (placed >> memo->order[k] & 1)
            continue;
        for (uint32_t p = 0; p < count; p++) {
            uint32_t other = memos->point.order[p];
            if ((used >> other & 1) || memos->point.locations[p] != memo->locations[k] ||
                memos->shape->family_of[other] != memos->shape->family_of[memo->order[k]])
                continue;
            memos->map[memo->order[k]] = other;
            used |= UINT64_C(1) << other;
            break;
        }
    }
}

bool plan_search(struct memos *memos, struct memo *memo, const int32_t *cells)
{
    struct complete_scene scene = {.shape = memos->shape, .cells = cells, .map = memos->map};
    if (memos->shape->object_count > MATCH_MAX_OBJECTS) {
        memos->is_cut = true;
        return false;
    }
    if (!memo->plan)
        memo->plan = plan_create(memos, memo);
    memos->budget = MATCH_BUDGET;
    if (!match_decide(memo->plan, &memo->interpolant, 0, &scene) || !match_place(memos, memo, 0, 0, &scene))
        return false;
    match_fill(memos, memo);
    return true;
}
