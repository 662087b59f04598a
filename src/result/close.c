#include "result/close.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"

static const int32_t *last_state(const struct trace *trace)
{
    return trace->steps[trace->count - 1].cells;
}

void close_step(const struct closer *closer, struct trace *trace, bool (*is_it)(void *user, const struct step *step),
                void *user)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(closer->stepper, last_state(trace));
    while ((outcome = stepper_next(closer->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !conditions_admit(closer->judge, step.cells) || !is_it(user, &step))
            continue;
        trace_push_step(trace, &step, STEP_STATE);
        return;
    }
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

void close_loop(const struct closer *closer, struct trace *trace, uint32_t begin)
{
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
}
