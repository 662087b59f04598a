/* The full group on a carrier that the rules distinguish, assumed and not proved. */
#include "detect/detecting.h"

/* The elements of a carrier that index arrays, which must be the same for all arrays: a value beside them (0 for
 * "nobody") is not an element. False: there are none, or arrays differ. */
static bool assumed_elements(const struct detecting *d, uint32_t carrier, int32_t *lo, int32_t *hi)
{
    bool is_found = false;
    for (size_t t = 0; t < d->system->types.count; t++) {
        const struct type *type = d->system->types.items[t], *index = type->index;
        if (type->kind != TYPE_ARRAY || carriers_of_type(d->carriers, index) != carrier)
            continue;
        int32_t first = type_code(index, 0), last = type_code(index, index->size - 1);
        if (is_found && (first != *lo || last != *hi))
            return false;
        is_found = true;
        *lo = first;
        *hi = last;
    }
    return is_found && *hi > *lo;
}

/* The carrier of that number among those that the discipline refused and that index arrays; NO_CARRIER: there are
 * fewer. */
static uint32_t assumed_carrier(const struct detecting *d, uint32_t number)
{
    int32_t lo, hi;
    for (uint32_t c = 0; c < d->carriers->count; c++)
        if (d->refused[c].breach_count && d->carriers->items[c].is_index && assumed_elements(d, c, &lo, &hi) &&
            !number--)
            return c;
    return NO_CARRIER;
}

/* Does the discipline still prove all other types that it proved without this one? */
static bool assumed_keeps_others(const struct detecting *d, uint32_t carrier)
{
    for (uint32_t c = 0; c < d->carriers->count; c++)
        if (c != carrier && d->is_full[c] && !detect_factor(d, c)->is_used)
            return false;
    return true;
}

/* Puts the full group on the elements in the place of the refused factor. */
static void assumed_replace(struct detecting *d, uint32_t carrier)
{
    struct symmetry *symmetry = d->found.symmetry;
    struct symmetry_factor *factor = (struct symmetry_factor *)detect_factor(d, carrier);
    int32_t lo = 0, hi = 0;
    assumed_elements(d, carrier, &lo, &hi);
    uint32_t first = (uint32_t)(lo - d->carriers->items[carrier].lo);
    factor->degree = (uint32_t)(hi - lo) + 1;
    factor->points += first;
    factor->is_used = factor->is_assumed = true;
    symmetry->keeps_rules = false;
    symmetry->is_assumed = true;
}

bool detect_assumed(const struct system *system, uint32_t number, struct detection *found)
{
    struct detecting d = detect_begin(system, NULL);
    bool is_found = false;
    uint32_t carrier = assumed_carrier(&d, number);
    if (carrier != NO_CARRIER) {
        d.carriers->items[carrier].is_wanted = true;
        is_found = detect_ask(&d) && assumed_keeps_others(&d, carrier);
    }
    if (is_found)
        assumed_replace(&d, carrier);
    else
        detection_free(&d.found);
    *found = d.found;
    carriers_destroy(d.carriers);
    return is_found || carrier != NO_CARRIER;
}
