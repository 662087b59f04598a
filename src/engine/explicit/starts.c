#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

/* The orbits of the stored states count exactly the reachable ones when the set of start states is symmetric:
 * checked here for the generators of each factor. `known` holds the concrete start states. */
struct symmetry_check {
    struct explicit_search *search;
    struct store *known;
    int32_t *cells, *image;
    uint64_t *packed;
};

static bool starts_has_image(struct symmetry_check *check, const uint32_t *const *images)
{
    const struct layout *layout = check->search->layout;
    uint32_t number;
    symmetry_act(check->search->symmetry, layout, images, check->cells, check->image);
    layout_pack(layout, check->image, check->packed);
    return store_find(check->known, check->packed, store_hash(check->known, check->packed), &number) == STORE_FOUND;
}

static bool starts_are_closed_under(struct symmetry_check *check, uint32_t factor, uint32_t *permutation,
                                    const uint32_t **images)
{
    const struct symmetry_factor *about = &check->search->symmetry->factors[factor];
    bool is_closed = true;
    images[factor] = permutation;
    bool is_full = about->kind == SYMMETRY_FULL && about->degree > 2;
    uint32_t count = is_full ? 2 : symmetry_generator_count(about);
    for (uint32_t g = 0; g < count && is_closed; g++) {
        symmetry_generator(about, is_full ? 0 : g, permutation);
        for (uint32_t i = 0; is_full && g && i < about->degree; i++)
            permutation[i] = (i + 1) % about->degree; /* with an exchange of two neighbours this makes all of them */
        is_closed = starts_has_image(check, images);
    }
    images[factor] = NULL;
    return is_closed;
}

static bool starts_are_symmetric(struct symmetry_check *check)
{
    const struct symmetry *symmetry = check->search->symmetry;
    const uint32_t **images = memory_zeroed(symmetry->factor_count, sizeof *images);
    bool is_closed = true;
    for (uint32_t f = 0; f < symmetry->factor_count && is_closed; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        uint32_t *permutation = memory_zeroed(symmetry->factors[f].degree, sizeof *permutation);
        for (uint32_t i = 0; i < store_count(check->known) && is_closed; i++) {
            layout_unpack(check->search->layout, store_state(check->known, i), check->cells);
            is_closed = starts_are_closed_under(check, f, permutation, images);
        }
        free(permutation);
    }
    free(images);
    return is_closed;
}

/* false: no memory to remember it, so no claim of exactness. */
static bool starts_remember(struct symmetry_check *check, const int32_t *cells)
{
    uint32_t number;
    layout_pack(check->search->layout, cells, check->packed);
    return store_insert(check->known, check->packed, store_hash(check->known, check->packed), STORE_NO_PARENT,
                        &number) != STORE_FULL;
}

static bool starts_enumerate(struct explicit_search *search, struct symmetry_check *check, bool *is_exact)
{
    struct worker *worker = &search->workers[0];
    struct step step = {0};
    enum step_outcome outcome;
    worker->ordinal = 0;
    stepper_begin_starts(worker->stepper);
    bool goes_on = true;
    while (goes_on && (outcome = stepper_next(worker->stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT)
            expand_fault(worker, STATE_NONE, &step.fault);
        if (outcome != STEP_STATE)
            continue;
        if (check && !starts_remember(check, step.cells))
            *is_exact = false;
        goes_on = insert_successor(worker, STATE_NONE, &step);
    }
    goes_on = goes_on && insert_flush(worker) && disk_settle(search);
    return ranks_meet(search) && goes_on && findings_settle(search);
}

bool starts_insert(struct explicit_search *search)
{
    bool *is_exact = &search->result->statistics.represented_is_exact;
    *is_exact = true;
    if (!search->workers[0].canon)
        return starts_enumerate(search, NULL, is_exact);
    size_t size = search->layout->cell_count * sizeof(int32_t);
    struct symmetry_check check = {
        .search = search,
        .known = store_create(search->layout->words, &search->budget, 0),
        .cells = memory_alloc(size),
        .image = memory_alloc(size),
        .packed = memory_alloc(search->layout->words * sizeof(uint64_t)),
    };
    bool goes_on = starts_enumerate(search, &check, is_exact);
    *is_exact = *is_exact && goes_on && !search->symmetry->is_assumed && starts_are_symmetric(&check) &&
                (represent_is_counted(&search->workers[0]) || represent_is_alone(search));
    store_destroy(check.known);
    free(check.cells);
    free(check.image);
    free(check.packed);
    return goes_on;
}
