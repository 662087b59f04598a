#include "base/names.h"

#include <string.h>

#include "base/hash.h"

struct name_member {
    const void *whole;
    const char *name;
    struct span span;
};

/* A place that is taken, by a definition or a use: its number + 1; 0: free. */
struct name_slot {
    uint32_t definition, use;
    struct span span;
};

struct names *names_create(void)
{
    struct names *names = memory_zeroed(1, sizeof *names);
    names->arena = arena_create();
    return names;
}

void names_destroy(struct names *names)
{
    if (!names)
        return;
    arena_destroy(names->arena);
    VEC_FREE(&names->definitions);
    VEC_FREE(&names->uses);
    VEC_FREE(&names->outline);
    VEC_FREE(&names->targets);
    VEC_FREE(&names->members);
    VEC_FREE(&names->fixed);
    free(names->slots);
    free(names);
}

static bool same_place(struct span a, struct span b)
{
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

/* The slot of the place, or a free one. */
static struct name_slot *slot_of(const struct names *names, struct span span)
{
    uint64_t hash = hash_combine((uintptr_t)span.source, (uint64_t)span.line << 32 | span.column);
    size_t at = (size_t)hash & (names->slot_count - 1);
    while (names->slots[at].span.line && !same_place(names->slots[at].span, span))
        at = (at + 1) & (names->slot_count - 1);
    return &names->slots[at];
}

static void grow(struct names *names)
{
    enum { LEAST = 256 };
    if (2 * names->taken < names->slot_count)
        return;
    struct name_slot *old = names->slots;
    size_t old_count = names->slot_count;
    names->slot_count = old_count ? 2 * old_count : LEAST;
    names->slots = memory_zeroed(names->slot_count, sizeof *names->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].span.line)
            *slot_of(names, old[i].span) = old[i];
    free(old);
}

static struct name_slot *take_slot(struct names *names, struct span span)
{
    grow(names);
    struct name_slot *slot = slot_of(names, span);
    names->taken += !slot->span.line;
    slot->span = span;
    return slot;
}

static const char *copy(struct names *names, const char *text)
{
    return text ? arena_string(names->arena, text) : NULL;
}

void names_define(struct names *names, enum name_kind kind, const char *name, struct span span, const char *detail,
                  const char *type)
{
    if (!names || !span.line || !name)
        return;
    struct name_slot *slot = take_slot(names, span);
    if (!slot->definition) {
        struct name_definition made = {.kind = kind, .name = copy(names, name), .span = span};
        VEC_PUSH(&names->definitions, made);
        slot->definition = (uint32_t)names->definitions.count;
    }
    struct name_definition *definition = &names->definitions.items[slot->definition - 1];
    if (detail && !definition->detail) {
        definition->kind = kind;
        definition->detail = copy(names, detail);
        definition->type = copy(names, type);
    }
}

/* Once is enough, and often it is the last one again. */
void names_fix(struct names *names, struct span definition)
{
    if (names && !(names->fixed.count && same_place(VEC_LAST(&names->fixed), definition)))
        VEC_PUSH(&names->fixed, definition);
}

void names_use(struct names *names, struct span use, struct span definition)
{
    if (!names || !use.line || !definition.line || same_place(use, definition))
        return;
    struct name_slot *slot = take_slot(names, use);
    if (slot->use) {
        struct span other = names->targets.items[slot->use - 1];
        if (!same_place(other, definition)) {
            names_fix(names, other);
            names_fix(names, definition);
        }
        return;
    }
    VEC_PUSH(&names->uses, ((struct name_use){.span = use}));
    VEC_PUSH(&names->targets, definition);
    slot->use = (uint32_t)names->uses.count;
}

static const struct name_member *find_member(const struct names *names, const void *whole, const char *name)
{
    for (size_t i = 0; i < names->members.count; i++)
        if (names->members.items[i].whole == whole && !strcmp(names->members.items[i].name, name))
            return &names->members.items[i];
    return NULL;
}

void names_define_member(struct names *names, enum name_kind kind, const void *whole, const char *name,
                         struct span span, const char *detail)
{
    if (!names || !name)
        return;
    const struct name_member *known = find_member(names, whole, name);
    if (known) {
        names_use(names, span, known->span);
        return;
    }
    struct name_member member = {whole, copy(names, name), span};
    VEC_PUSH(&names->members, member);
    names_define(names, kind, name, span, detail, NULL);
}

void names_use_member(struct names *names, const void *whole, const char *name, struct span use)
{
    const struct name_member *member = names && name ? find_member(names, whole, name) : NULL;
    if (member)
        names_use(names, use, member->span);
}

void names_fix_member(struct names *names, const void *whole, const char *name)
{
    const struct name_member *member = names && name ? find_member(names, whole, name) : NULL;
    if (member)
        names_fix(names, member->span);
}

void names_outline(struct names *names, enum name_kind kind, const char *title, struct span span, struct span from,
                   struct span to, uint32_t depth)
{
    if (!names || !span.line)
        return;
    struct outline_entry entry = {kind, copy(names, title), span, from, to, depth};
    VEC_PUSH(&names->outline, entry);
}

static int compare_places(struct span a, struct span b)
{
    if (a.source != b.source)
        return (uintptr_t)a.source < (uintptr_t)b.source ? -1 : 1;
    if (a.line != b.line)
        return a.line < b.line ? -1 : 1;
    return a.column == b.column ? 0 : a.column < b.column ? -1 : 1;
}

static int compare_uses(const void *a, const void *b)
{
    return compare_places(((const struct name_use *)a)->span, ((const struct name_use *)b)->span);
}

static int compare_definitions(const void *a, const void *b)
{
    return compare_places(((const struct name_definition *)a)->span, ((const struct name_definition *)b)->span);
}

/* Sorts what is there and numbers the definitions anew. */
static void sort_definitions(struct names *names)
{
    if (names->definitions.count)
        qsort(names->definitions.items, names->definitions.count, sizeof *names->definitions.items,
              compare_definitions);
    for (size_t i = 0; i < names->definitions.count; i++)
        slot_of(names, names->definitions.items[i].span)->definition = (uint32_t)i + 1;
}

const char *names_line(struct names *names, struct span span)
{
    size_t length;
    const char *line = names ? source_line(span, &length) : NULL;
    if (!line)
        return NULL;
    const char *comment = memmem(line, length, "//", 2);
    length = comment ? (size_t)(comment - line) : length;
    while (length && (*line == ' ' || *line == '\t'))
        line++, length--;
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return arena_string_n(names->arena, line, length);
}

void names_finish(struct names *names)
{
    if (!names->slot_count)
        return;
    sort_definitions(names);
    for (size_t i = 0; i < names->fixed.count; i++) {
        uint32_t definition = slot_of(names, names->fixed.items[i])->definition;
        if (definition)
            names->definitions.items[definition - 1].is_fixed = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < names->uses.count; i++) {
        const struct name_slot *target = slot_of(names, names->targets.items[i]);
        if (!target->definition || slot_of(names, names->uses.items[i].span)->definition)
            continue; /* of what was never declared; or a definition itself */
        struct name_use use = {names->uses.items[i].span, target->definition - 1};
        names->uses.items[kept++] = use;
    }
    names->uses.count = kept;
    if (kept)
        qsort(names->uses.items, kept, sizeof *names->uses.items, compare_uses);
    VEC_FREE(&names->targets);
}
