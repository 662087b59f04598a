#include "canon/families.h"

#include "base/memory.h"

/* The orbits are of one size; 0: they are not, or there is one only. */
static uint32_t families_size(const struct symmetry_factor *factor, const uint32_t *orbits)
{
    uint32_t *count = memory_zeroed((size_t)factor->degree + 1, sizeof *count), size;
    for (uint32_t p = 0; p < factor->degree; p++)
        count[orbits[p]]++;
    size = count[0] < factor->degree ? count[0] : 0;
    for (uint32_t p = 0; p < factor->degree; p++)
        if (count[p] && count[p] != size)
            size = 0;
    free(count);
    return size > 1 ? size : 0;
}

static int32_t families_low(const struct symmetry_factor *factor, const uint32_t *orbits, uint32_t orbit)
{
    int32_t low = INT32_MAX;
    for (uint32_t p = 0; p < factor->degree; p++)
        if (orbits[p] == orbit && symmetry_code(factor->points[p]) < low)
            low = symmetry_code(factor->points[p]);
    return low;
}

/* The point of the first orbit with this code; degree: there is none. */
static uint32_t families_at(const struct symmetry_factor *factor, const uint32_t *orbits, int64_t code)
{
    uint32_t p = 0;
    while (p < factor->degree && (orbits[p] != orbits[0] || symmetry_code(factor->points[p]) != code))
        p++;
    return p;
}

static bool families_pair(const struct symmetry_factor *factor, const uint32_t *orbits, uint32_t *lead)
{
    int64_t first = families_low(factor, orbits, orbits[0]);
    for (uint32_t p = 0; p < factor->degree; p++) {
        int64_t low = families_low(factor, orbits, orbits[p]);
        lead[p] = families_at(factor, orbits, symmetry_code(factor->points[p]) - low + first);
        if (lead[p] == factor->degree)
            return false;
    }
    return true;
}

/* Do all generators do to each family what they do to the first? */
static bool families_go_together(const struct symmetry_factor *factor, const uint32_t *lead)
{
    for (uint32_t g = 0; g < factor->generator_count; g++) {
        const uint32_t *image = factor->generators + (size_t)g * factor->degree;
        for (uint32_t p = 0; p < factor->degree; p++)
            if (lead[image[p]] != image[lead[p]])
                return false;
    }
    return true;
}

static bool families_are_apart(const struct symmetry_factor *factor, const struct layout *layout,
                               const uint32_t *orbits)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type; /* NULL: says whether a slot is taken */
        uint32_t held = 0;
        for (uint32_t p = 0; p < factor->degree && type; p++)
            held += orbits[p] == p && type_mentions(type, factor->points[p].type);
        if (held > 1)
            return false;
    }
    return true;
}

/* What acts on `size` elements is the full group when there are as many permutations. */
static bool families_is_full(const struct symmetry_factor *factor, uint32_t size)
{
    struct bigint *order = bigint_create(1), *full = bigint_create(1);
    symmetry_multiply_order(factor, order);
    bigint_multiply_factorial(full, size);
    bool is_full = bigint_compare(order, full) == 0;
    bigint_destroy(order);
    bigint_destroy(full);
    return is_full;
}

uint32_t *families_of(const struct symmetry_factor *factor, const struct layout *layout, const uint32_t *orbits)
{
    uint32_t size = factor->kind == SYMMETRY_GENERATED ? families_size(factor, orbits) : 0;
    if (!size || !families_are_apart(factor, layout, orbits))
        return NULL;
    uint32_t *lead = memory_zeroed((size_t)factor->degree + 1, sizeof *lead);
    if (families_pair(factor, orbits, lead) && families_go_together(factor, lead) && families_is_full(factor, size))
        return lead;
    free(lead);
    return NULL;
}
