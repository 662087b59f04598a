/* Interpolants: conjunctions of conditions on a state under which the subtree below it is safe.
 *
 *   masks   a leaf has one of these values (at most one for each leaf)
 *   bounds  a sum is at most 0 (none implied by another)
 *   facts   any other term is true
 *
 * All of it is over the names of the objects, so an interpolant may be renamed (term.h). The locations of the objects
 * are not part of it: they are fixed by the program point it is kept for. */
#ifndef NOETHER_ENGINE_COMPLETE_INTERPOLANT_H
#define NOETHER_ENGINE_COMPLETE_INTERPOLANT_H

#include "engine/complete/term.h"

struct mask_atom {
    const struct complete_term *leaf;
    uint64_t mask;
};

/* constant + sum of the items <= 0; sorted by the terms' ids (so the IDs come first, in order of object), each once. */
struct bound {
    int64_t constant;
    uint32_t count;
    struct sum_item items[];
};

struct interpolant {
    VEC(struct mask_atom) masks; /* sorted by the leaves' ids */
    VEC(struct bound *) bounds;
    VEC(const struct complete_term *) facts;
    bool is_pinned; /* only the state it was made for satisfies it */
};

enum addition {
    ADDITION_FALSE,   /* not true in the state it was made for: nothing added */
    ADDITION_NOTHING, /* was there, or is always true */
    ADDITION_NEW
};

void interpolant_free(struct interpolant *interpolant);
void interpolant_copy(struct interpolant *to, const struct interpolant *from);
uint64_t interpolant_bytes(const struct interpolant *interpolant);
/* `at`: the state it is made for. Of a disjunction one part that is true there is kept. */
enum addition interpolant_add(struct interpolant *interpolant, struct terms *terms, const struct complete_term *truth,
                              const struct complete_scene *at);
enum addition interpolant_add_mask(struct interpolant *interpolant, struct terms *terms,
                                   const struct complete_term *leaf, uint64_t mask, const struct complete_scene *at);
enum addition interpolant_add_bound(struct interpolant *interpolant, struct terms *terms, const struct sum_item *items,
                                    size_t count, int64_t constant, const struct complete_scene *at);
/* Every leaf of the term as it is. */
enum addition interpolant_add_leaves(struct interpolant *interpolant, struct terms *terms,
                                     const struct complete_term *term, const struct complete_scene *at);
/* Every cell and every index as they are. */
void interpolant_pin(struct interpolant *interpolant, struct terms *terms, const struct complete_scene *at);

bool mask_atom_holds(const struct mask_atom *atom, const struct complete_scene *scene);
bool bound_holds(const struct bound *bound, const struct complete_scene *scene);

#endif
