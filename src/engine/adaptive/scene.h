/* Concrete states, taken apart: the shared values and the local state of each element, all interned.
 *
 *   shared   the values of the SHARED cells; for each reference 0 (undefined) or 1 + the family of its holder
 *   local    the family, the values of its slots, the references it holds (a bit each) */
#ifndef NOETHER_ENGINE_ADAPTIVE_SCENE_H
#define NOETHER_ENGINE_ADAPTIVE_SCENE_H

#include "portrait/roster.h"

struct adaptive_scene {
    struct roster *roster;
    struct words shared, locals;
    bool is_broken; /* a slot that was taken to be defined is not: see roster, may_be_undefined */
    uint32_t *scratch;
};

void scene_create(struct adaptive_scene *scene, struct roster *roster);
void scene_destroy(struct adaptive_scene *scene);

/* `holders`: by reference, the element or NO_ELEMENT. */
uint32_t scene_intern_shared(struct adaptive_scene *scene, const int32_t *cells, const uint32_t *holders);
uint32_t scene_intern_local(struct adaptive_scene *scene, const int32_t *cells, uint32_t element, uint32_t held);
/* From its words, family first. */
uint32_t scene_intern_local_words(struct adaptive_scene *scene, const uint32_t *words);

/* A whole state; `locals` by element. */
void scene_read(struct adaptive_scene *scene, const int32_t *cells, uint32_t *shared, uint32_t *locals);
void scene_write(const struct adaptive_scene *scene, uint32_t shared, const uint32_t *locals, int32_t *cells);

static inline uint32_t local_family(const struct adaptive_scene *scene, uint32_t local)
{
    return words_at(&scene->locals, local)[0];
}
static inline const uint32_t *local_slots(const struct adaptive_scene *scene, uint32_t local)
{
    return words_at(&scene->locals, local) + 1;
}
static inline uint32_t local_held(const struct adaptive_scene *scene, uint32_t local)
{
    return words_at(&scene->locals, local)[words_length(&scene->locals, local) - 1];
}
/* 0, or 1 + the family of its holder. */
static inline uint32_t shared_holder(const struct adaptive_scene *scene, uint32_t shared, uint32_t reference)
{
    return words_at(&scene->shared, shared)[scene->roster->shared_count + reference];
}

#endif
