/* Cells that no rule writes keep the value that a start state gives them: where all start states give the same, an
 * index that is read from such a cell is known. With symmetry a state stands for its images, too. If the images of
 * start states are start states, the images of reachable states are reachable, and nothing changes; else what is known
 * must be true of the images. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "canon/canon.h"
#include "stubborn/inner.h"

enum { CONSTANT_STARTS = 64 };

static void constant_exclude_written(struct stubborn *stubborn)
{
    for (uint32_t c = 0; c < stubborn->layout->cell_count; c++)
        stubborn->is_constant[c] = !bits_has(stubborn->unseen, c);
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        for (uint32_t c = 0; c < stubborn->layout->cell_count; c++)
            stubborn->is_constant[c] &= !unit_writes(&stubborn->units[u], c);
    for (uint32_t m = 0; m < stubborn->layout->multiset_count; m++)
        for (uint32_t c = 0; c < stubborn->layout->multisets[m].type->cells; c++)
            stubborn->is_constant[stubborn->layout->multisets[m].address + c] = false;
}

/* False: the start states are too many. */
static bool constant_compare_starts(struct stubborn *stubborn)
{
    struct stepper *stepper = stepper_create_evaluator(stubborn->system, stubborn->layout);
    struct step step = {0};
    enum step_outcome outcome = STEP_END;
    uint32_t cells = stubborn->layout->cell_count, count = 0;
    VEC(int32_t) starts = {0};
    stepper_begin_starts(stepper);
    while (count <= CONSTANT_STARTS && (outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE)
            continue;
        if (!count++)
            memcpy(stubborn->constants, step.cells, cells * sizeof *step.cells);
        for (uint32_t c = 0; c < cells; c++)
            stubborn->is_constant[c] &= stubborn->constants[c] == step.cells[c];
        for (uint32_t c = 0; c < cells; c++)
            VEC_PUSH(&starts, step.cells[c]);
    }
    stepper_destroy(stepper);
    stubborn->starts = starts.items;
    stubborn->start_count = outcome == STEP_END ? count : 0;
    return stubborn->start_count > 0;
}

static bool constant_is_start(const struct stubborn *stubborn, const int32_t *state)
{
    uint32_t cells = stubborn->layout->cell_count;
    for (uint32_t s = 0; s < stubborn->start_count; s++)
        if (!memcmp(stubborn->starts + (size_t)s * cells, state, cells * sizeof *state))
            return true;
    return false;
}

/* Are the images of start states under the generators of the factor start states? */
static bool constant_keeps_starts(const struct stubborn *stubborn, uint32_t factor, int32_t *image,
                                  const uint32_t **images)
{
    const struct symmetry_factor *about = &stubborn->symmetry->factors[factor];
    uint32_t *permutation = memory_zeroed((size_t)about->degree + 1, sizeof *permutation);
    bool is_kept = true;
    images[factor] = permutation;
    for (uint32_t g = 0; g < symmetry_generator_count(about) && is_kept; g++) {
        symmetry_generator(about, g, permutation);
        for (uint32_t s = 0; s < stubborn->start_count && is_kept; s++) {
            symmetry_act(stubborn->symmetry, stubborn->layout, images,
                         stubborn->starts + (size_t)s * stubborn->layout->cell_count, image);
            is_kept = constant_is_start(stubborn, image) && !watch_is_up();
        }
    }
    images[factor] = NULL;
    free(permutation);
    return is_kept;
}

static bool constant_starts_are_closed(const struct stubborn *stubborn)
{
    const struct symmetry *symmetry = stubborn->symmetry;
    int32_t *image = memory_alloc(((size_t)stubborn->layout->cell_count + 1) * sizeof *image);
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    bool is_closed = true;
    for (uint32_t f = 0; f < symmetry->factor_count && is_closed; f++)
        is_closed = !symmetry->factors[f].is_used || constant_keeps_starts(stubborn, f, image, images);
    free(image);
    free(images);
    return is_closed;
}

/* Of a state of which only the constants are known, does the image have them? What it has not is none. */
static bool constant_drop(struct stubborn *stubborn, const int32_t *image)
{
    bool has_dropped = false;
    for (uint32_t c = 0; c < stubborn->layout->cell_count; c++)
        if (stubborn->is_constant[c] && image[c] != stubborn->constants[c]) {
            stubborn->is_constant[c] = false;
            has_dropped = true;
        }
    return has_dropped;
}

static bool constant_try_factor(struct stubborn *stubborn, uint32_t factor, int32_t *cells, int32_t *image,
                                const uint32_t **images)
{
    const struct symmetry_factor *about = &stubborn->symmetry->factors[factor];
    bool has_dropped = false;
    uint32_t *permutation = memory_zeroed((size_t)about->degree + 1, sizeof *permutation);
    images[factor] = permutation;
    for (uint32_t g = 0; g < symmetry_generator_count(about) && !watch_is_up(); g++) {
        symmetry_generator(about, g, permutation);
        layout_blank(stubborn->layout, cells);
        for (uint32_t c = 0; c < stubborn->layout->cell_count; c++)
            if (stubborn->is_constant[c])
                cells[c] = stubborn->constants[c];
        symmetry_act(stubborn->symmetry, stubborn->layout, images, cells, image);
        has_dropped |= constant_drop(stubborn, image);
    }
    images[factor] = NULL;
    free(permutation);
    return has_dropped;
}

static void constant_close(struct stubborn *stubborn)
{
    const struct symmetry *symmetry = stubborn->symmetry;
    size_t size = ((size_t)stubborn->layout->cell_count + 1) * sizeof(int32_t);
    int32_t *cells = memory_alloc(size), *image = memory_alloc(size);
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    bool has_dropped = true;
    while (has_dropped && !watch_is_up()) {
        has_dropped = false;
        for (uint32_t f = 0; f < symmetry->factor_count; f++)
            if (symmetry->factors[f].is_used)
                has_dropped |= constant_try_factor(stubborn, f, cells, image, images);
    }
    free(cells);
    free(image);
    free(images);
}

/* Cells that have a value in all start states, and that no rule takes it from. */
static void constant_find_definite(struct stubborn *stubborn)
{
    uint32_t cells = stubborn->layout->cell_count;
    for (uint32_t c = 0; c < cells && stubborn->starts_are_closed; c++) {
        bool is_definite = !bits_has(stubborn->undefined, c);
        for (uint32_t s = 0; s < stubborn->start_count; s++)
            is_definite &= stubborn->starts[(size_t)s * cells + c] != UNDEFINED;
        stubborn->is_definite[c] |= is_definite;
    }
}

bool constant_find(struct stubborn *stubborn)
{
    bool is_any = false;
    constant_exclude_written(stubborn);
    if (!constant_compare_starts(stubborn))
        memset(stubborn->is_constant, 0, stubborn->layout->cell_count * sizeof *stubborn->is_constant);
    else if (!(stubborn->starts_are_closed =
                   symmetry_is_trivial(stubborn->symmetry) || constant_starts_are_closed(stubborn)))
        constant_close(stubborn);
    constant_find_definite(stubborn);
    for (uint32_t c = 0; c < stubborn->layout->cell_count; c++) {
        stubborn->is_constant[c] &= stubborn->constants[c] != UNDEFINED;
        is_any |= stubborn->is_constant[c];
    }
    return is_any;
}
