#include "pass/virtual.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bits/solver.h"
#include "ir/fairness.h"

void virtual_generator(const struct symmetry *symmetry, uint32_t factor, uint32_t number, const uint32_t **images,
                       uint32_t *image)
{
    uint32_t degree = symmetry->factors[factor].degree;
    for (uint32_t i = 0; i < degree; i++)
        image[i] = number ? (i + 1) % degree : i < 2 ? 1 - i : i;
    images[factor] = image;
}

/* A property that a bisimulation between orbits does not preserve; NULL: there is none. */
static const char *virtual_refusal(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
        if (property->fairness && property->fairness->kind != FAIRNESS_CONDITION)
            return "fairness is about single processes";
        if (formula && (ctl_has(formula, CTL_FORALL) || ctl_has(formula, CTL_EXISTS)))
            return "a temporal property follows one process from state to state";
        if (formula && formula->is_past)
            return "a property looks into the past";
    }
    return NULL;
}

/* Are all properties invariant under the assumed group? Asks the discipline about a system that has no rules. */
static bool virtual_keeps_properties(const struct detection *found)
{
    struct system claims = *found->system;
    claims.rules.count = claims.starts.count = 0;
    struct symmetry *symmetry = symmetry_find(&claims);
    bool keeps = true;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        for (uint32_t g = 0; g < found->symmetry->factor_count; g++)
            if (found->symmetry->factors[g].is_assumed && symmetry->factors[f].type == found->symmetry->factors[g].type)
                keeps &= symmetry->factors[f].is_used;
    symmetry_destroy(symmetry);
    return keeps;
}

static void virtual_say(struct text *why, const struct detection *found, const char *words)
{
    for (uint32_t f = 0; f < found->symmetry->factor_count; f++)
        if (found->symmetry->factors[f].is_assumed) {
            text_append(why, why->length ? "; " : "");
            type_print(found->symmetry->factors[f].type, why);
            text_format(why, ": %s", words);
        }
}

static bool virtual_holds(const struct layout *layout, const struct detection *found, const struct view *detected,
                          enum deadlock_mode deadlock, struct text *why)
{
    if (!virtual_keeps_properties(found) || !virtual_trial(layout, found->symmetry) ||
        !virtual_is_smaller(layout, found->symmetry, detected->layout, detected->symmetry))
        return false;
    const char *refusal = virtual_refusal(found->system);
    enum virtual_answer answer = refusal ? VIRTUAL_UNKNOWN : virtual_prove(layout, found->symmetry, deadlock);
    if (answer != VIRTUAL_PROVED)
        virtual_say(why, found,
                    refusal                     ? refusal
                    : answer == VIRTUAL_REFUTED ? "its elements differ in states that may be unreachable"
                                                : "whether its orbits are a bisimulation is not known");
    return answer == VIRTUAL_PROVED;
}

struct view *view_virtual(const struct view *detected, const struct layout *layout, enum deadlock_mode deadlock,
                          struct text *why)
{
    struct detection found;
    if (!solver_is_available() || system_has_macro_steps(layout->system) || layout->multiset_count)
        return NULL;
    for (uint32_t number = 0; !watch_is_up() && detect_assumed(layout->system, number, &found); number++) {
        if (!found.symmetry)
            continue;
        struct layout *own = layout_create(found.system);
        if (virtual_holds(own, &found, detected, deadlock, why))
            return view_of_detection(found, own);
        layout_destroy(own);
        detection_free(&found);
    }
    return NULL;
}
