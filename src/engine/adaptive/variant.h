/* Rules and formulas, with the elements they are about.
 *
 * The actors of a variant are the different elements that its parameters and the references it mentions
 * denote: a rule over i and j has a variant in which they are one actor and one in which they are two. All other
 * parameters have fixed values. The leading universal quantifiers of an invariant are parameters too: it is
 * violated where some instance of its body is false. */
#ifndef NOETHER_ENGINE_ADAPTIVE_VARIANT_H
#define NOETHER_ENGINE_ADAPTIVE_VARIANT_H

#include "engine/adaptive/scene.h"

enum { VARIANT_MOST_ACTORS = 4 };
#define NO_ACTOR UINT32_MAX

struct adaptive_binding {
    const struct variable *variable;
    const struct type *type;
    uint32_t actor; /* or NO_ACTOR */
    int32_t code;   /* NO_ACTOR: its value */
};

struct variant {
    const struct rule *rule; /* or: */
    const struct property *property;
    const struct expr *formula; /* of the property, without the quantifiers that became parameters */
    uint32_t actor_count;
    uint32_t family[VARIANT_MOST_ACTORS];
    uint32_t held[VARIANT_MOST_ACTORS]; /* of the references mentioned, those that the actor holds */
    uint32_t mentioned;                 /* references */
    struct adaptive_binding *bindings;
    uint32_t binding_count;
    bool is_unclear; /* partial evaluation has failed once: it is evaluated explicitly */
};

struct variants {
    struct variant *items;
    size_t count, capacity;
};

/* All variants of a rule, or of a property with a formula. False when there would be too many. */
bool variants_add_rule(struct variants *variants, const struct roster *roster, const struct rule *rule);
bool variants_add_property(struct variants *variants, const struct roster *roster, const struct property *property);
void variants_free(struct variants *variants);

/* Are the references in the shared values as the variant wants them? */
bool variant_suits(const struct variant *variant, const struct adaptive_scene *scene, uint32_t shared);
/* May an element in this local state be the actor? */
static inline bool variant_accepts(const struct variant *variant, const struct adaptive_scene *scene, uint32_t actor,
                                   uint32_t local)
{
    return local_family(scene, local) == variant->family[actor] &&
           (local_held(scene, local) & variant->mentioned) == variant->held[actor];
}
/* May these elements, all different, be the actors? */
bool variant_admits(const struct variant *variant, const struct roster *roster, const uint32_t *elements);

#endif
