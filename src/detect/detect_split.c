/* Properties of a chain that speak of single modules make the group smaller, for themselves only.
 *
 * Properties are put together as long as that does not make the group smaller than any of them does alone. */
#include <stdlib.h>

#include "ir/pctl.h"
#include "detect/detecting.h"

enum { MOST_CHOICES = 2000, MOST_PROPERTIES = 32 };

struct split {
    const struct system *system;
    struct detect_options options;
    bool explains; /* of the main group */
    struct detection_part *parts;
    struct bigint **orders; /* of the parts */
    uint32_t count;
};

static bool *mask(const struct split *split, bool value)
{
    bool *all = memory_alloc((split->system->properties.count + 1) * sizeof *all);
    for (size_t p = 0; p < split->system->properties.count; p++)
        all[p] = value;
    return all;
}

/* With these properties alone. */
static struct detection split_find(const struct split *split, const bool *is_for)
{
    struct detect_options options = split->options;
    bool *left_out = mask(split, false);
    for (size_t p = 0; p < split->system->properties.count; p++)
        left_out[p] = !is_for[p];
    options.left_out = left_out;
    struct detection found = detect_symmetry(split->system, &options);
    free(left_out);
    return found;
}

/* Takes the property into the part, if the group is the same with it. */
static bool split_join(struct split *split, uint32_t part, uint32_t property)
{
    bool *is_for = split->parts[part].is_for;
    is_for[property] = true;
    struct detection found = split_find(split, is_for);
    struct bigint *order = symmetry_order(found.symmetry);
    bool fits = bigint_compare(order, split->orders[part]) == 0;
    is_for[property] = fits;
    bigint_destroy(order);
    detection_free(fits ? &split->parts[part].found : &found);
    if (fits)
        split->parts[part].found = found;
    return fits;
}

static void split_add(struct split *split, uint32_t property)
{
    bool *is_for = mask(split, false);
    is_for[property] = true;
    struct detection found = split_find(split, is_for);
    struct bigint *order = symmetry_order(found.symmetry);
    for (uint32_t p = 0; p < split->count; p++)
        if (bigint_compare(order, split->orders[p]) == 0 && split_join(split, p, property)) {
            detection_free(&found);
            bigint_destroy(order);
            free(is_for);
            return;
        }
    split->parts[split->count] = (struct detection_part){.found = found, .is_for = is_for};
    split->orders[split->count++] = order;
}

/* Is the group of the rules alone larger? */
static bool split_is_promising(const struct split *split, const struct detection *whole)
{
    bool *none = mask(split, false);
    struct detection found = split_find(split, none);
    struct bigint *order = symmetry_order(found.symmetry), *now = symmetry_order(whole->symmetry);
    bool is_larger = bigint_compare(order, now) > 0;
    bigint_destroy(order);
    bigint_destroy(now);
    detection_free(&found);
    free(none);
    return is_larger;
}

/* The largest group comes first and is the main one; the others become its parts. */
static void split_finish(struct split *split, struct detection *whole)
{
    uint32_t best = 0;
    for (uint32_t p = 1; p < split->count; p++)
        if (bigint_compare(split->orders[p], split->orders[best]) > 0)
            best = p;
    struct detection_part main = split->parts[best];
    split->parts[best] = split->parts[--split->count];
    if (split->explains) {
        detection_free(&main.found);
        split->options.explains = true;
        main.found = split_find(split, main.is_for);
    }
    detection_free(whole);
    *whole = main.found;
    free(main.is_for);
    struct symmetry *symmetry = whole->symmetry;
    struct symmetry_part *parts = ARENA_ARRAY(symmetry->arena, struct symmetry_part, split->count + 1);
    for (uint32_t p = 0; p < split->count; p++) {
        if (split->explains) {
            detection_free(&split->parts[p].found);
            split->parts[p].found = split_find(split, split->parts[p].is_for);
        }
        split->parts[p].layout = layout_create(split->parts[p].found.system);
        parts[p] = (struct symmetry_part){split->parts[p].found.symmetry, split->parts[p].layout};
    }
    symmetry->parts = parts;
    symmetry->part_count = whole->part_count = split->count;
    whole->parts = split->parts;
}

void detect_split(const struct system *system, const struct detect_options *options, struct detection *whole)
{
    struct split split = {.system = system, .options = *options, .explains = options->explains};
    uint32_t asked = 0;
    split.options.splits = split.options.explains = false;
    for (size_t p = 0; p < system->properties.count; p++)
        asked += system->properties.items[p]->pctl && !pctl_shows_states(system->properties.items[p]->pctl);
    if (asked < 2 || asked > MOST_PROPERTIES || system->chain->choice_count > MOST_CHOICES ||
        !split_is_promising(&split, whole))
        return;
    split.parts = memory_zeroed((size_t)asked + 1, sizeof *split.parts);
    split.orders = memory_zeroed((size_t)asked + 1, sizeof *split.orders);
    for (uint32_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->pctl && !pctl_shows_states(system->properties.items[p]->pctl))
            split_add(&split, p);
    uint32_t count = split.count;
    if (count > 1)
        split_finish(&split, whole);
    for (uint32_t p = 0; p < count; p++)
        bigint_destroy(split.orders[p]);
    free(split.orders);
    if (count > 1)
        return;
    detection_free(&split.parts[0].found);
    free(split.parts[0].is_for);
    free(split.parts);
}
