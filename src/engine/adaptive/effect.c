/* Effects of paths: what becomes of the shared values, the actors, and all other elements. */
#include <string.h>

#include "base/hash.h"
#include "engine/adaptive/edge.h"

/* A foreign cell that was written. */
struct change {
    uint32_t element, slot;
    struct adaptive_value value;
};
struct adaptive_changes {
    struct change *items;
    size_t count, capacity;
};

uint32_t effect_plain(struct rulebook *book, enum adaptive_outcome outcome)
{
    return words_intern(&book->effects, (uint32_t[]){outcome}, 1);
}

uint32_t effect_of_fault(struct rulebook *book, const struct fault *fault)
{
    uint32_t number = 0;
    for (; number < book->faults.count; number++) {
        const struct fault *known = book->faults.items[number];
        if (known->kind == fault->kind && known->property == fault->property && known->span.line == fault->span.line &&
            known->span.column == fault->span.column)
            break;
    }
    if (number == book->faults.count)
        VEC_PUSH(&book->faults, arena_copy(book->arena, fault, sizeof *fault));
    return words_intern(&book->effects, (uint32_t[]){OUTCOME_FAULT, number}, 2);
}

static bool effect_is_actor(const struct variant *variant, const uint32_t *actors, uint32_t element)
{
    for (uint32_t a = 0; a < variant->actor_count; a++)
        if (actors[a] == element)
            return true;
    return false;
}

/* Does the cell of an unknown element hold what it held before? */
static bool effect_is_idle(struct rulebook *book, const struct change *change)
{
    struct operand before;
    if (!unary_slot(&book->unaries, book->roster->family_of[change->element], change->slot, &before))
        return false;
    const struct adaptive_value *now = &change->value;
    return before.is_number ? now->sort == SORT_KNOWN && now->number == before.number
                            : now->sort == SORT_UNARY && now->element == change->element && now->id == before.function;
}

static int change_compare(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->element != b->element)
        return a->element < b->element ? -1 : 1;
    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static bool changes_has(const struct adaptive_changes *changes, uint32_t element, uint32_t slot)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->items[i].element == element && changes->items[i].slot == slot)
            return true;
    return false;
}

/* Makes known what must be, and collects what happened to elements that are no actors. */
static enum go effect_settle(struct rulebook *book, const struct variant *variant, const uint32_t *actors,
                             struct adaptive_changes *changes)
{
    struct partial *partial = &book->partial;
    const struct roster *roster = book->roster;
    for (size_t i = 0; i < partial->log.count; i++) {
        uint32_t cell = partial->log.items[i].cell;
        struct adaptive_value value;
        if (cell >= partial->system->state_cells)
            continue;
        enum go go = partial_raw(partial, cell, &value);
        if (go != GO_OK)
            return go;
        bool is_foreign =
            roster->role[cell] == ROLE_LOCAL && !effect_is_actor(variant, actors, roster->element_of[cell]);
        bool is_own = value.sort == SORT_KNOWN ||
                      (is_foreign && value.sort == SORT_UNARY && value.element == roster->element_of[cell]);
        if (!is_own) {
            go = partial_resolve(partial, &value);
            if (go != GO_OK)
                return go;
            partial_set(partial, cell, value);
        }
        struct change change = {roster->element_of[cell], roster->slot_of[cell], value};
        if (is_foreign && !effect_is_idle(book, &change) && !changes_has(changes, change.element, change.slot))
            VEC_PUSH(changes, change);
    }
    return GO_OK;
}

/* Where the references are after the path; one that moved to an element that is no actor is a change of that
 * element. */
static void effect_holders(struct rulebook *book, const struct variant *variant, uint32_t shared,
                           const uint32_t *actors, uint32_t *holders, struct adaptive_changes *changes)
{
    const struct roster *roster = book->roster;
    for (uint32_t r = 0; r < roster->reference_count; r++) {
        uint32_t cell = roster->references[r], family = shared_holder(book->scene, shared, r);
        int32_t code = book->partial.memory[cell];
        if (!(variant->mentioned >> r & 1)) { /* of the holder only the family is known, and needed */
            holders[r] = family ? roster->families[family - 1].first : NO_ELEMENT;
            continue;
        }
        holders[r] = code == UNDEFINED ? NO_ELEMENT : roster_element(roster, roster->layout->cells[cell].type, code);
        if (holders[r] == NO_ELEMENT || effect_is_actor(variant, actors, holders[r]))
            continue;
        struct change change = {holders[r], roster->families[roster->family_of[holders[r]]].slot_count + r,
                                value_known(1)};
        VEC_PUSH(changes, change);
    }
}

static uint32_t effect_held(const struct variant *variant, const struct roster *roster, const uint32_t *holders,
                            uint32_t element, uint32_t before)
{
    uint32_t held = before & ~variant->mentioned;
    for (uint32_t r = 0; r < roster->reference_count; r++)
        held |= (uint32_t)(variant->mentioned >> r & 1 && holders[r] == element) << r;
    return held;
}

/* The map of one element: its changes from `first` on. */
static uint32_t effect_make_map(struct rulebook *book, const struct adaptive_changes *changes, size_t first,
                                size_t *end)
{
    uint32_t element = changes->items[first].element, count = 0;
    size_t last = first;
    while (last < changes->count && changes->items[last].element == element)
        last++;
    uint32_t *words = memory_alloc((1 + 4 * (last - first)) * sizeof *words);
    words[count++] = book->roster->family_of[element];
    for (size_t i = first; i < last; i++) {
        const struct adaptive_value *value = &changes->items[i].value;
        uint64_t number = value->sort == SORT_KNOWN ? (uint64_t)value->number : value->id;
        words[count++] = changes->items[i].slot;
        words[count++] = value->sort == SORT_KNOWN;
        words[count++] = (uint32_t)number;
        words[count++] = (uint32_t)(number >> 32);
    }
    uint32_t map = words_intern(&book->maps, words, count);
    free(words);
    *end = last;
    return map;
}

struct adaptive_group {
    uint32_t map, *set;
};

static int group_compare(const void *left, const void *right)
{
    const struct adaptive_group *a = left, *b = right;
    return a->map < b->map ? -1 : a->map > b->map;
}

/* Appends (map, set) for each map, in order. */
static uint32_t effect_add_groups(struct rulebook *book, struct adaptive_changes *changes, uint32_t *words,
                                  uint32_t count)
{
    uint32_t set_words = book->formulas.set_words;
    VEC(struct adaptive_group) groups = {0};
    if (!changes->count)
        return count;
    qsort(changes->items, changes->count, sizeof *changes->items, change_compare);
    for (size_t i = 0; i < changes->count;) {
        uint32_t element = changes->items[i].element, map = effect_make_map(book, changes, i, &i);
        size_t g = 0;
        while (g < groups.count && groups.items[g].map != map)
            g++;
        if (g == groups.count) {
            struct adaptive_group made = {map, memory_zeroed(set_words, sizeof *made.set)};
            VEC_PUSH(&groups, made);
        }
        set_add(groups.items[g].set, element);
    }
    qsort(groups.items, groups.count, sizeof *groups.items, group_compare);
    for (size_t g = 0; g < groups.count; g++) {
        words[count++] = groups.items[g].map;
        memcpy(words + count, groups.items[g].set, set_words * sizeof *words);
        count += set_words;
        free(groups.items[g].set);
    }
    VEC_FREE(&groups);
    return count;
}

enum go effect_take(struct rulebook *book, const struct variant *variant, uint32_t shared, const uint32_t *actors,
                    const uint32_t *locals, uint32_t *effect)
{
    struct adaptive_changes changes = {0};
    uint32_t holders[ROSTER_MAX_REFERENCES];
    enum go go = effect_settle(book, variant, actors, &changes);
    if (go == GO_OK) {
        effect_holders(book, variant, shared, actors, holders, &changes);
        size_t most = 2 + variant->actor_count + changes.count * (1 + book->formulas.set_words);
        uint32_t *words = memory_alloc(most * sizeof *words), count = 0;
        words[count++] = OUTCOME_STATE;
        words[count++] = scene_intern_shared(book->scene, book->partial.memory, holders);
        for (uint32_t a = 0; a < variant->actor_count; a++) {
            uint32_t before = local_held(book->scene, locals[a]);
            uint32_t held = effect_held(variant, book->roster, holders, actors[a], before);
            words[count++] = scene_intern_local(book->scene, book->partial.memory, actors[a], held);
        }
        count = effect_add_groups(book, &changes, words, count);
        *effect = words_intern(&book->effects, words, count);
        free(words);
    }
    VEC_FREE(&changes);
    return go;
}

uint32_t effect_swap(struct rulebook *book, uint32_t actor_count, uint32_t effect, uint32_t p, uint32_t q)
{
    const uint32_t *words = words_at(&book->effects, effect);
    uint32_t length = words_length(&book->effects, effect), step = 1 + book->formulas.set_words;
    if (words[0] != OUTCOME_STATE || length == 2 + actor_count)
        return effect;
    uint32_t *copy = memory_alloc(length * sizeof *copy);
    memcpy(copy, words, length * sizeof *copy);
    for (uint32_t at = 2 + actor_count; at < length; at += step)
        set_swap(copy + at + 1, p, q);
    uint32_t made = words_intern(&book->effects, copy, length);
    free(copy);
    return made;
}

uint64_t effect_signature(const struct rulebook *book, uint32_t actor_count, uint32_t effect)
{
    const uint32_t *words = words_at(&book->effects, effect);
    uint32_t length = words_length(&book->effects, effect);
    uint32_t fixed = words[0] == OUTCOME_STATE ? 2 + actor_count : length;
    uint64_t hash = hash_bytes(words, fixed * sizeof *words);
    for (uint32_t at = fixed; at < length; at += 1 + book->formulas.set_words) {
        uint64_t members = 0;
        for (uint32_t w = 0; w < book->formulas.set_words; w++)
            members += (uint64_t)__builtin_popcount(words[at + 1 + w]);
        hash = hash_combine(hash_combine(hash, words[at]), members);
    }
    return hash;
}

uint32_t effect_map(struct rulebook *book, uint32_t map, uint32_t local)
{
    uint64_t key = pairs_key(map, local);
    uint32_t known = pairs_get(&book->mapped, key);
    if (known != WORDS_NONE)
        return known;
    const uint32_t *words = words_at(&book->maps, map), *old = words_at(&book->scene->locals, local);
    uint32_t length = words_length(&book->scene->locals, local);
    uint32_t slots = book->roster->families[old[0]].slot_count;
    uint32_t *made = memory_alloc(length * sizeof *made);
    memcpy(made, old, length * sizeof *made);
    for (uint32_t at = 1; at < words_length(&book->maps, map); at += 4) {
        uint64_t number = (uint64_t)words[at + 3] << 32 | words[at + 2];
        if (!words[at + 1])
            number = (uint64_t)unary_at(&book->unaries, (uint32_t)number, old + 1);
        if (words[at] < slots)
            made[1 + words[at]] = (uint32_t)number;
        else
            made[1 + slots] |= 1u << (words[at] - slots);
    }
    uint32_t result = scene_intern_local_words(book->scene, made);
    free(made);
    pairs_set(&book->mapped, key, result);
    return result;
}
