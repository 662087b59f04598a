#include "rewrite/gather.h"

#include "base/memory.h"
#include "base/text.h"
#include "rewrite/retyping.h"

enum { MOST_NAMED = 4 }; /* variables that the name of an enumeration lists */

bool gather_takes(const struct system *system, const struct variable *variable)
{
    return !system_is_internal(system, variable) && !variable->element_names;
}

/* The positions of a class in order. Returns how many there are. */
static uint32_t gather_members(const struct system *system, const uint32_t *class_of, uint32_t class, uint32_t *members)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < system->globals.count; g++)
        if (class_of[g] == class)
            members[count++] = g;
    return count;
}

/* "variables a, b, c"; of many, the first and the last. */
static const char *gather_title(struct arena *arena, const char *const *labels, uint32_t count)
{
    struct text text = {0};
    text_append(&text, "variables ");
    for (uint32_t i = 0; i < count; i++) {
        bool is_left_out = count > MOST_NAMED && i > 1 && i + 1 < count;
        if (!is_left_out)
            text_format(&text, "%s%s", i ? ", " : "", labels[i]);
        else if (i == 2)
            text_append(&text, ", ...");
    }
    const char *title = arena_string(arena, text_chars(&text));
    text_free(&text);
    return title;
}

/* False: it would be too large. */
static bool gather_class(struct retyping *r, const uint32_t *members, uint32_t count)
{
    struct system *new = r->new;
    const struct variable *first = r->old->globals.items[members[0]];
    const char **labels = ARENA_ARRAY(new->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = r->old->globals.items[members[i]]->name;
    const char *title = gather_title(new->arena, labels, count);
    const struct type *index = type_enum(new, title, labels, count, first->span);
    const struct type *type = index ? type_array(new, NULL, index, retype_type(r, first->type), first->span) : NULL;
    if (!type)
        return false;
    struct variable *array = ARENA_NEW(new->arena, struct variable);
    *array = (struct variable){.name = title,
                               .type = type,
                               .is_global = true,
                               .is_gathered = true,
                               .element_names = labels,
                               .span = first->span};
    for (uint32_t i = 0; i < count; i++)
        r->gathered[members[i]] = (struct gathered){array, i};
    return true;
}

/* Where the cells of the original are now. */
static void gather_map_cells(struct retyping *r)
{
    uint32_t *cells = ARENA_ARRAY(r->new->arena, uint32_t, r->new->state_cells + 1);
    for (size_t p = 0; p < r->pair_count; p++) {
        const struct variable_pair *pair = &r->pairs[p];
        uint32_t offset = pair->gathered ? pair->gathered->ordinal * pair->old->type->cells : 0;
        for (uint32_t c = 0; pair->old->is_global && c < pair->old->type->cells; c++)
            cells[pair->new->address + offset + c] = pair->old->address + c;
    }
    r->new->original_cells = cells;
}

struct system *gather_system(const struct system *system, const uint32_t *class_of, uint32_t class_count)
{
    ENSURE(!system->face && !system->chain);
    struct carriers none;
    struct retyping r = retype_begin_alike(system, &none);
    struct system *new = r.new;
    r.gathered = ARENA_ARRAY(new->arena, struct gathered, system->globals.count + 1);
    uint32_t *members = memory_alloc((system->globals.count + 1) * sizeof *members);
    bool is_good = retype_types(&r);
    for (uint32_t c = 0; is_good && c < class_count; c++)
        is_good = gather_class(&r, members, gather_members(system, class_of, c, members));
    free(members);
    if (is_good) {
        retype_contents(&r);
        is_good = system_finish(new);
    }
    if (is_good) {
        gather_map_cells(&r);
        return new;
    }
    system_destroy(new);
    return NULL;
}
