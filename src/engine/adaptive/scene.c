#include "engine/adaptive/scene.h"

void scene_create(struct adaptive_scene *scene, struct roster *roster)
{
    *scene = (struct adaptive_scene){.roster = roster};
    scene->scratch = memory_alloc((roster->layout->cell_count + ROSTER_MAX_REFERENCES + 3) * sizeof(uint32_t));
}

void scene_destroy(struct adaptive_scene *scene)
{
    words_free(&scene->shared);
    words_free(&scene->locals);
    free(scene->scratch);
}

uint32_t scene_intern_shared(struct adaptive_scene *scene, const int32_t *cells, const uint32_t *holders)
{
    const struct roster *roster = scene->roster;
    uint32_t count = 0;
    for (uint32_t i = 0; i < roster->shared_count; i++)
        scene->scratch[count++] = (uint32_t)cells[roster->shared[i]];
    for (uint32_t r = 0; r < roster->reference_count; r++)
        scene->scratch[count++] = holders[r] == NO_ELEMENT ? 0 : 1 + roster->family_of[holders[r]];
    return words_intern(&scene->shared, scene->scratch, count);
}

uint32_t scene_intern_local_words(struct adaptive_scene *scene, const uint32_t *words)
{
    struct family *family = &scene->roster->families[words[0]];
    for (uint32_t s = 0; s < family->slot_count; s++)
        if ((int32_t)words[1 + s] == UNDEFINED && !family->may_be_undefined[s]) {
            family->may_be_undefined[s] = true;
            scene->is_broken = true;
        }
    return words_intern(&scene->locals, words, family->slot_count + 2);
}

uint32_t scene_intern_local(struct adaptive_scene *scene, const int32_t *cells, uint32_t element, uint32_t held)
{
    const struct roster *roster = scene->roster;
    uint32_t count = 0, slots = roster->families[roster->family_of[element]].slot_count;
    scene->scratch[count++] = roster->family_of[element];
    for (uint32_t s = 0; s < slots; s++)
        scene->scratch[count++] = (uint32_t)cells[roster->addresses[element][s]];
    scene->scratch[count++] = held;
    return scene_intern_local_words(scene, scene->scratch);
}

void scene_read(struct adaptive_scene *scene, const int32_t *cells, uint32_t *shared, uint32_t *locals)
{
    const struct roster *roster = scene->roster;
    uint32_t holders[ROSTER_MAX_REFERENCES];
    for (uint32_t r = 0; r < roster->reference_count; r++) {
        uint32_t cell = roster->references[r];
        holders[r] = cells[cell] == UNDEFINED ? NO_ELEMENT
                                              : roster_element(roster, roster->layout->cells[cell].type, cells[cell]);
    }
    *shared = scene_intern_shared(scene, cells, holders);
    for (uint32_t e = 0; e < roster->element_count; e++) {
        uint32_t held = 0;
        for (uint32_t r = 0; r < roster->reference_count; r++)
            held |= (uint32_t)(holders[r] == e) << r;
        locals[e] = scene_intern_local(scene, cells, e, held);
    }
}

void scene_write(const struct adaptive_scene *scene, uint32_t shared, const uint32_t *locals, int32_t *cells)
{
    const struct roster *roster = scene->roster;
    const uint32_t *values = words_at(&scene->shared, shared);
    for (uint32_t c = 0; c < roster->layout->cell_count; c++)
        cells[c] = roster->frozen[c];
    for (uint32_t i = 0; i < roster->shared_count; i++)
        cells[roster->shared[i]] = (int32_t)values[i];
    for (uint32_t r = 0; r < roster->reference_count; r++)
        cells[roster->references[r]] = UNDEFINED;
    for (uint32_t e = 0; e < roster->element_count; e++) {
        const uint32_t *slots = local_slots(scene, locals[e]);
        for (uint32_t s = 0; s < roster->families[roster->family_of[e]].slot_count; s++)
            cells[roster->addresses[e][s]] = (int32_t)slots[s];
        for (uint32_t r = 0; r < roster->reference_count; r++)
            if (local_held(scene, locals[e]) >> r & 1)
                cells[roster->references[r]] = roster->code_of[e];
    }
}
