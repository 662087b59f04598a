#include "result/close.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"

static const int32_t *last_state(const struct trace *trace)
{
    return trace->steps[trace->count - 1].cells;
}

/* False: no step is the one. */
static bool close_try(const struct closer *closer, struct trace *trace,
                      bool (*is_it)(void *user, const struct step *step), void *user)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(closer->stepper, last_state(trace));
    while ((outcome = stepper_next(closer->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !conditions_admit(closer->judge, step.cells) || !is_it(user, &step))
            continue;
        trace_push_step(trace, &step, STEP_STATE);
        return true;
    }
    return false;
}

void close_step(const struct closer *closer, struct trace *trace, bool (*is_it)(void *user, const struct step *step),
                void *user)
{
    if (!close_try(closer, trace, is_it, user))
        UNREACHABLE("the way that was found cannot be lifted to a run of the model");
}

/* images[f] of the permutation that took the real state and the values to their representative, copied. */
static uint32_t **images_of(const struct closer *closer, const int32_t *cells)
{
    const struct symmetry *symmetry = closer->symmetry;
    const struct canon *canon = closer->canonise(closer->user, cells);
    uint32_t **images = memory_zeroed(symmetry->factor_count + 1, sizeof *images);
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const uint32_t *image = canon_image(canon, f);
        size_t size = symmetry->factors[f].degree * sizeof *image;
        if (image)
            images[f] = memcpy(memory_alloc(size), image, size);
    }
    return images;
}

static void images_free(const struct symmetry *symmetry, uint32_t **images)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        free(images[f]);
    free(images);
}

/* Both are taken to the same representative: `from` becomes the permutation that takes one state to the other. */
static void images_connect(const struct symmetry *symmetry, uint32_t **from, uint32_t *const *to)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        uint32_t degree = symmetry->factors[f].degree;
        if (!from[f])
            continue;
        uint32_t *inverse = memory_alloc(degree * sizeof *inverse);
        for (uint32_t e = 0; e < degree; e++)
            inverse[to[f] ? to[f][e] : e] = e;
        for (uint32_t e = 0; e < degree; e++)
            from[f][e] = inverse[from[f][e]];
        free(inverse);
    }
}

struct close_target {
    const int32_t *state;
    size_t size;
};

static bool is_target(void *user, const struct step *step)
{
    const struct close_target *target = user;
    return memcmp(step->cells, target->state, target->size) == 0;
}

/* --- orbits that are a bisimulation, whose permutations are no symmetries of steps --- */

enum { CLOSE_MOST_STEPS = 20000 };

struct close_orbit {
    struct canon *canon;
    const struct trace *trace;
    uint32_t begin, length; /* the cycle of orbits: after step `begin`, so many steps */
    size_t size;
    int32_t *form;    /* canonical form of the state that the next step is to have */
    int32_t *other;   /* scratch */
    bool wants_known; /* the state must be one that the run has had at the same place of the cycle */
    uint32_t known;   /* the step with that state */
};

/* Has the run had this state at the same place of the cycle? Sets `known`. */
static bool orbit_is_known(struct close_orbit *orbit, const int32_t *cells)
{
    const struct trace *trace = orbit->trace;
    uint32_t place = (trace->count - orbit->begin) % orbit->length;
    for (uint32_t i = orbit->begin + place; i < trace->count; i += orbit->length)
        if (!memcmp(trace->steps[i].cells, cells, orbit->size)) {
            orbit->known = i;
            return true;
        }
    return false;
}

static bool is_in_orbit(void *user, const struct step *step)
{
    struct close_orbit *orbit = user;
    canon_apply(orbit->canon, step->cells, orbit->other);
    return !memcmp(orbit->other, orbit->form, orbit->size) &&
           (!orbit->wants_known || orbit_is_known(orbit, step->cells));
}

/* Turns are appended until a state comes back at the same place of the cycle: there are finitely many. */
static bool close_orbits(const struct closer *closer, struct trace *trace, uint32_t begin)
{
    struct close_orbit orbit = {.trace = trace,
                                .begin = begin,
                                .length = trace->count - 1 - begin,
                                .size = closer->layout->cell_count * sizeof(int32_t)};
    orbit.canon = canon_create(closer->symmetry, closer->layout);
    canon_set_exact(orbit.canon, true);
    orbit.form = memory_alloc(2 * orbit.size + 1);
    orbit.other = orbit.form + closer->layout->cell_count;
    bool is_closed = !memcmp(trace->steps[begin].cells, last_state(trace), orbit.size);
    trace->loop = begin;
    while (!is_closed && trace->count < CLOSE_MOST_STEPS && !watch_is_up()) {
        canon_apply(orbit.canon, trace->steps[trace->count - orbit.length].cells, orbit.form);
        orbit.wants_known = true;
        is_closed = close_try(closer, trace, is_in_orbit, &orbit);
        orbit.wants_known = false;
        trace->loop = orbit.known;
        if (!is_closed)
            close_step(closer, trace, is_in_orbit, &orbit);
    }
    free(orbit.form);
    canon_destroy(orbit.canon);
    trace->has_loop = is_closed;
    return is_closed;
}

bool close_loop(const struct closer *closer, struct trace *trace, uint32_t begin)
{
    if (closer->symmetry->is_assumed)
        return close_orbits(closer, trace, begin);
    size_t size = closer->layout->cell_count * sizeof(int32_t);
    uint32_t length = trace->count - 1 - begin;
    if (memcmp(trace->steps[begin].cells, last_state(trace), size) != 0) {
        uint32_t **move = images_of(closer, trace->steps[begin].cells);
        uint32_t **other = images_of(closer, last_state(trace));
        int32_t *state = memory_alloc(size);
        struct close_target target = {state, size};
        images_connect(closer->symmetry, move, other);
        while (memcmp(trace->steps[begin].cells, last_state(trace), size) != 0) {
            symmetry_act(closer->symmetry, closer->layout, (const uint32_t *const *)move,
                         trace->steps[trace->count - length].cells, state);
            close_step(closer, trace, is_target, &target);
        }
        free(state);
        images_free(closer->symmetry, move);
        images_free(closer->symmetry, other);
    }
    trace->loop = begin;
    trace->has_loop = true;
    return true;
}
