#include "orbit.h"

#include <string.h>

/* The elements of one factor, one after the other. */
struct factor_list {
    uint32_t degree;
    VEC(uint32_t) images;
};

static bool factor_push(void *user, const uint32_t *element)
{
    struct factor_list *list = user;
    for (uint32_t i = 0; i < list->degree; i++)
        VEC_PUSH(&list->images, element[i]);
    return true;
}

static uint64_t factor_order(const struct symmetry_factor *factor)
{
    uint64_t order = 1;
    struct group *group = symmetry_factor_group(factor);
    bool is_small = group_order_small(group, &order);
    group_destroy(group);
    return is_small && order <= PERMUTATIONS_LIMIT ? order : PERMUTATIONS_LIMIT + 1;
}

/* Copies of the factor's elements to all elements of the group: those of one factor change after `stride`. */
static void permutations_fill(struct permutations *permutations, uint32_t factor, uint64_t stride)
{
    const struct symmetry_factor *about = &permutations->symmetry->factors[factor];
    struct factor_list list = {.degree = about->degree};
    struct group *group = symmetry_factor_group(about);
    group_each(group, factor_push, &list);
    group_destroy(group);
    uint64_t order = list.images.count / about->degree;
    for (uint64_t element = 0; element < permutations->count; element++) {
        uint32_t *image = memory_alloc(about->degree * sizeof *image);
        memcpy(image, list.images.items + element / stride % order * about->degree, about->degree * sizeof *image);
        permutations->images[element * permutations->symmetry->factor_count + factor] = image;
    }
    VEC_FREE(&list.images);
}

struct permutations *permutations_create(const struct symmetry *symmetry)
{
    uint64_t count = 1, stride = 1;
    for (uint32_t f = 0; f < symmetry->factor_count && count <= PERMUTATIONS_LIMIT; f++)
        if (symmetry->factors[f].is_used)
            count *= factor_order(&symmetry->factors[f]);
    if (count > PERMUTATIONS_LIMIT)
        return NULL;
    struct permutations *permutations = memory_zeroed(1, sizeof *permutations);
    permutations->symmetry = symmetry;
    permutations->count = count;
    permutations->images = memory_zeroed(count * symmetry->factor_count + 1, sizeof *permutations->images);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used) {
            permutations_fill(permutations, f, stride);
            stride *= factor_order(&symmetry->factors[f]);
        }
    return permutations;
}

void permutations_destroy(struct permutations *permutations)
{
    if (!permutations)
        return;
    for (uint64_t i = 0; i < permutations->count * permutations->symmetry->factor_count; i++)
        free(permutations->images[i]);
    free(permutations->images);
    free(permutations);
}

const uint32_t *const *permutations_images(const struct permutations *permutations, uint64_t element)
{
    return (const uint32_t *const *)(permutations->images + element * permutations->symmetry->factor_count);
}

/* Three states' worth of cells. */
struct cells {
    int32_t *state, *image, *other;
};

static struct cells cells_create(const struct layout *layout)
{
    size_t count = (size_t)layout->cell_count + 1;
    int32_t *memory = memory_zeroed(3 * count, sizeof *memory);
    return (struct cells){memory, memory + count, memory + 2 * count};
}

bool orbit_check_stored(const struct plain *plain, const struct permutations *permutations, const uint64_t *stored,
                        uint64_t count, struct orbit_claim *claim, struct failure *failure)
{
    const struct layout *layout = plain->layout;
    struct cells cells = cells_create(layout);
    uint32_t *owner = memory_zeroed(plain_count(plain) + 1, sizeof *owner); /* stored state + 1 */
    uint32_t represented = 0;
    bool is_free = symmetry_picks_starts(permutations->symmetry); /* images of reachable states need not be */
    for (uint64_t i = 0; i < count && !failure->is_set; i++) {
        bool is_reachable = false;
        layout_unpack(layout, stored + i * layout->words, cells.state);
        for (uint64_t p = 0; p < permutations->count && !failure->is_set; p++) {
            symmetry_act(permutations->symmetry, layout, permutations_images(permutations, p), cells.state,
                         cells.image);
            uint32_t state = plain_find(plain, cells.image);
            is_reachable |= state != PLAIN_NONE;
            if (state == PLAIN_NONE && is_free)
                continue;
            if (state == PLAIN_NONE)
                failure_set(failure, "stored state %llu represents a state that is not reachable",
                            (unsigned long long)i);
            else if (claim->is_unique && owner[state] && owner[state] != i + 1)
                failure_set(failure, "stored states %u and %llu are in the same orbit", owner[state] - 1,
                            (unsigned long long)i);
            else if (!owner[state]) {
                owner[state] = (uint32_t)i + 1;
                represented++;
            }
        }
        if (!is_reachable && !failure->is_set)
            failure_set(failure, "stored state %llu represents no reachable state", (unsigned long long)i);
    }
    claim->represented = represented;
    if (claim->is_complete && !failure->is_set && represented != plain_count(plain))
        failure_set(failure, "the stored states represent %u states, but %u are reachable", represented,
                    plain_count(plain));
    free(owner);
    free(cells.state);
    return !failure->is_set;
}

static bool check_image(const struct plain *plain, const struct permutations *permutations, struct canon *canon,
                        const struct cells *cells, struct failure *failure)
{
    const struct symmetry *symmetry = permutations->symmetry;
    const uint32_t **images = memory_zeroed(symmetry->factor_count + 1, sizeof *images);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        images[f] = symmetry->factors[f].is_used ? canon_image(canon, f) : NULL;
    symmetry_act(symmetry, plain->layout, images, cells->state, cells->other);
    free(images);
    if (memcmp(cells->other, cells->image, plain->layout->cell_count * sizeof(int32_t)))
        return failure_set(failure, "canon_image does not take the state to its representative");
    return true;
}

static bool check_orbit(const struct plain *plain, const struct permutations *permutations, struct canon *canon,
                        uint32_t state, struct cells *cells, struct failure *failure)
{
    const struct layout *layout = plain->layout;
    size_t size = layout->cell_count * sizeof(int32_t);
    plain_cells(plain, state, cells->state);
    canon_apply(canon, cells->state, cells->image);
    if (!check_image(plain, permutations, canon, cells, failure))
        return false;
    uint64_t fixed = 0;
    int32_t *moved = memory_zeroed(layout->cell_count + 1, sizeof *moved);
    for (uint64_t p = 0; p < permutations->count && !failure->is_set; p++) {
        symmetry_act(permutations->symmetry, layout, permutations_images(permutations, p), cells->state, moved);
        fixed += !memcmp(moved, cells->state, size);
        canon_apply(canon, moved, cells->other);
        if (memcmp(cells->other, cells->image, size))
            failure_set(failure, "state %u and a permutation of it have different representatives", state);
    }
    free(moved);
    struct bigint *orbit = bigint_create(0);
    uint64_t claimed = 0;
    canon_orbit_size(canon, cells->state, orbit);
    if (!bigint_fits_u64(orbit, &claimed) || claimed * fixed != permutations->count)
        failure_set(failure, "canon_orbit_size of state %u is %llu, should be %llu", state, (unsigned long long)claimed,
                    (unsigned long long)(permutations->count / fixed));
    bigint_destroy(orbit);
    return !failure->is_set;
}

bool orbit_check_canon(const struct plain *plain, const struct permutations *permutations, struct failure *failure)
{
    struct cells cells = cells_create(plain->layout);
    struct canon *canon = canon_create(permutations->symmetry, plain->layout);
    /* A sample where the work would be large. */
    uint64_t stride = 1 + plain_count(plain) * permutations->count / 20000;
    for (uint64_t state = 0; state < plain_count(plain) && !failure->is_set; state += stride)
        check_orbit(plain, permutations, canon, (uint32_t)state, &cells, failure);
    canon_destroy(canon);
    free(cells.state);
    return !failure->is_set;
}
