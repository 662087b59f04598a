/* Short searches before a proof is tried: do successors of symmetric states agree, and are there fewer orbits than with
 * the symmetry that is proved already? */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "canon/canon.h"
#include "exec/steppers.h"
#include "pass/virtual.h"

enum { TRIAL_MOST_STATES = 200, TRIAL_MOST_IMAGES = 12, TRIAL_MOST_STEPS = 20000, TRIAL_MOST_LEVELS = 64 };

struct orbit_search {
    const struct layout *layout;
    const struct symmetry *symmetry;
    struct stepper *stepper;
    struct canon *canon;
    struct words states;         /* representatives, in the order in which they were found */
    const uint32_t **images;     /* by factor: a permutation, as in symmetry_act */
    uint32_t *permutation;       /* the one that is not the identity */
    int32_t *image, *from, *out; /* scratch: a state each */
    uint32_t steps;              /* taken so far */
};

/* The number of the orbit of a state. */
static uint32_t trial_orbit(struct orbit_search *t, const int32_t *cells)
{
    canon_apply(t->canon, cells, t->out);
    return words_intern(&t->states, (const uint32_t *)t->out, t->layout->cell_count);
}

/* Appends the orbits of all successors of the state (NULL: of nothing, the start states). A step that fails counts as
 * one into an orbit of its own. */
static void trial_expand(struct orbit_search *t, const int32_t *cells, uint32_t **items, size_t *count)
{
    struct step step = {0};
    enum step_outcome outcome;
    VEC(uint32_t) orbits = {0};
    if (cells)
        stepper_begin_successors(t->stepper, cells);
    else
        stepper_begin_starts(t->stepper);
    while ((outcome = stepper_next(t->stepper, &step)) != STEP_END && t->steps++ < TRIAL_MOST_STEPS)
        if (outcome != STEP_DISCARDED)
            VEC_PUSH(&orbits, outcome == STEP_STATE ? trial_orbit(t, step.cells) : WORDS_NONE);
    *items = orbits.items;
    *count = words_sort_unique(orbits.items, orbits.count);
}

/* Do images of the state have successors in the same orbits? The images are those under a transposition and a cycle in
 * turn, which lead through the orbit. */
static bool trial_factor(struct orbit_search *t, const int32_t *cells, uint32_t factor)
{
    size_t bytes = t->layout->cell_count * sizeof *cells, left_count, right_count;
    uint32_t *left, *right;
    bool is_same = true;
    trial_expand(t, cells, &left, &left_count);
    memcpy(t->from, cells, bytes);
    for (uint32_t i = 0; is_same && i < TRIAL_MOST_IMAGES && t->steps < TRIAL_MOST_STEPS; i++) {
        virtual_generator(t->symmetry, factor, i % VIRTUAL_GENERATORS, t->images, t->permutation);
        symmetry_act(t->symmetry, t->layout, t->images, t->from, t->image);
        memcpy(t->from, t->image, bytes);
        trial_expand(t, t->from, &right, &right_count);
        is_same = left_count == right_count && (!left_count || !memcmp(left, right, left_count * sizeof *left));
        free(right);
    }
    t->images[factor] = NULL;
    free(left);
    return is_same || t->steps >= TRIAL_MOST_STEPS;
}

static bool trial_state(struct orbit_search *t, uint32_t state)
{
    const int32_t *cells = (const int32_t *)words_at(&t->states, state);
    bool is_same = true;
    for (uint32_t f = 0; is_same && f < t->symmetry->factor_count; f++)
        is_same = !t->symmetry->factors[f].is_assumed || trial_factor(t, cells, f);
    return is_same;
}

static bool trial_search(struct orbit_search *t)
{
    uint32_t *starts;
    size_t count;
    bool is_same = true;
    trial_expand(t, NULL, &starts, &count);
    free(starts);
    for (uint32_t s = 0; is_same && s < words_count(&t->states) && s < TRIAL_MOST_STATES &&
                         t->steps < TRIAL_MOST_STEPS && !watch_is_up();
         s++)
        is_same = trial_state(t, s);
    return is_same && !watch_is_up();
}

static void trial_open(struct orbit_search *t, const struct layout *layout, const struct symmetry *symmetry)
{
    size_t cells = (size_t)layout->cell_count + 1;
    uint32_t most = 0;
    *t = (struct orbit_search){.layout = layout, .symmetry = symmetry};
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        most = symmetry->factors[f].degree > most ? symmetry->factors[f].degree : most;
    t->images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *t->images);
    t->permutation = memory_alloc(((size_t)most + 1) * sizeof *t->permutation);
    t->stepper = stepper_create_evaluator(layout->system, layout);
    t->stepper->is_watched = true;
    t->canon = canon_create(symmetry, layout);
    t->image = memory_alloc(3 * cells * sizeof *t->image);
    t->from = t->image + cells;
    t->out = t->from + cells;
}

static void trial_close(struct orbit_search *t)
{
    words_free(&t->states);
    free(t->image);
    canon_destroy(t->canon);
    stepper_destroy(t->stepper);
    free(t->permutation);
    free(t->images);
}

bool virtual_trial(const struct layout *layout, const struct symmetry *symmetry)
{
    struct orbit_search t;
    trial_open(&t, layout, symmetry);
    bool is_same = trial_search(&t);
    trial_close(&t);
    return is_same;
}

/* The number of orbits that a breadth-first search has found after each of its levels: how many levels it has made. */
static uint32_t trial_levels(const struct layout *layout, const struct symmetry *symmetry, uint32_t *orbits)
{
    struct orbit_search t;
    uint32_t *items, level = 0, state = 0;
    size_t count;
    trial_open(&t, layout, symmetry);
    trial_expand(&t, NULL, &items, &count);
    free(items);
    while (level < TRIAL_MOST_LEVELS && t.steps < TRIAL_MOST_STEPS && !watch_is_up()) {
        uint32_t end = words_count(&t.states);
        orbits[level++] = end;
        for (; state < end && t.steps < TRIAL_MOST_STEPS; state++) {
            trial_expand(&t, (const int32_t *)words_at(&t.states, state), &items, &count);
            free(items);
        }
    }
    trial_close(&t);
    return level;
}

bool virtual_is_smaller(const struct layout *layout, const struct symmetry *symmetry, const struct layout *other_layout,
                        const struct symmetry *other)
{
    uint32_t mine[TRIAL_MOST_LEVELS], others[TRIAL_MOST_LEVELS];
    uint32_t levels = trial_levels(layout, symmetry, mine), most = trial_levels(other_layout, other, others);
    levels = levels < most ? levels : most;
    return levels && mine[levels - 1] < others[levels - 1];
}
