#include "portrait/roster.h"

/* Ranges are compared by their bounds where one of them has no name; named types are families of their own. */
static bool roster_same_type(const struct type *left, const struct type *right)
{
    if (left == right)
        return true;
    return left->kind == TYPE_RANGE && right->kind == TYPE_RANGE && (!left->name || !right->name) &&
           left->blocks[0].lo == right->blocks[0].lo && left->blocks[0].hi == right->blocks[0].hi;
}

uint32_t roster_family(const struct roster *roster, const struct type *type)
{
    for (uint32_t f = 0; f < roster->family_count; f++)
        if (roster_same_type(roster->families[f].type, type))
            return f;
    return NO_FAMILY;
}

uint32_t roster_family_of_parameter(const struct roster *roster, const struct variable *variable,
                                    const struct type *type, const struct rule *rule)
{
    const struct type *used = rule && type->kind == TYPE_RANGE ? use_as_index(rule, variable) : NULL;
    uint32_t family = used ? roster_family(roster, used) : NO_FAMILY;
    if (family == NO_FAMILY)
        return roster_family(roster, type);
    const struct code_block *part = &type->blocks[0], *whole = &roster->families[family].type->blocks[0];
    return part->lo >= whole->lo && part->hi <= whole->hi ? family : NO_FAMILY;
}

uint32_t roster_element_of_parameter(const struct roster *roster, const struct variable *variable,
                                     const struct type *type, const struct rule *rule, int64_t value)
{
    uint32_t family = roster_family_of_parameter(roster, variable, type, rule);
    for (uint32_t b = 0; family == NO_FAMILY && b < type->block_count; b++)
        if (value >= type->blocks[b].lo && value <= type->blocks[b].hi && type->blocks[b].owner->kind == TYPE_INDEX)
            family = roster_family(roster, type->blocks[b].owner);
    return family == NO_FAMILY
               ? NO_ELEMENT
               : roster->families[family].first + (uint32_t)type_ordinal(roster->families[family].type, value);
}

/* Is there an array over the type in a value of `type`, in no multiset? */
static bool roster_has_array(const struct type *type, const struct type *index)
{
    if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++)
            if (roster_has_array(type->fields[f].type, index))
                return true;
        return false;
    }
    if (type->kind != TYPE_ARRAY)
        return false;
    for (uint32_t b = 0; b < type->index->block_count; b++)
        if (roster_same_type(type->index->blocks[b].owner, index))
            return true;
    return roster_same_type(type->index, index) || roster_has_array(type->element, index);
}

static void roster_add_family(struct roster *roster, const struct type *type)
{
    bool is_indexed = false;
    if (type->size < 2 || roster_family(roster, type) != NO_FAMILY)
        return;
    for (size_t g = 0; g < roster->system->globals.count && !is_indexed; g++)
        is_indexed = roster_has_array(roster->system->globals.items[g]->type, type);
    if (!is_indexed)
        return;
    roster->families[roster->family_count++] =
        (struct family){.type = type, .first = roster->element_count, .size = type->size};
    roster->element_count += type->size;
}

static void roster_find_families(struct roster *roster)
{
    const struct system *system = roster->system;
    roster->families = ARENA_ARRAY(roster->arena, struct family, system->types.count + 1);
    for (size_t r = 0; r < system->rules.count; r++) {
        const struct rule *rule = system->rules.items[r];
        for (uint32_t p = 0; p < rule->parameter_count; p++) {
            const struct type *type = rule->parameters[p].type;
            const struct type *used =
                type->kind == TYPE_RANGE ? use_as_index(rule, rule->parameters[p].variable) : NULL;
            if (rule->parameters[p].choose)
                continue;
            if (type->kind == TYPE_RANGE)
                roster_add_family(roster, used ? used : type);
            for (uint32_t b = 0; b < type->block_count; b++)
                if (type->blocks[b].owner->kind == TYPE_INDEX)
                    roster_add_family(roster, type->blocks[b].owner);
        }
    }
}

static void roster_number_elements(struct roster *roster)
{
    roster->family_of = ARENA_ARRAY(roster->arena, uint32_t, roster->element_count);
    roster->code_of = ARENA_ARRAY(roster->arena, int32_t, roster->element_count);
    roster->addresses = ARENA_ARRAY(roster->arena, uint32_t *, roster->element_count);
    for (uint32_t f = 0; f < roster->family_count; f++)
        for (uint32_t i = 0; i < roster->families[f].size; i++) {
            roster->family_of[roster->families[f].first + i] = f;
            roster->code_of[roster->families[f].first + i] = type_code(roster->families[f].type, i);
        }
}

/* A part of a family, as a copy of the system has it (rewrite/retype.h), is none: not every element has a place there.
 */
static bool roster_is_family(const struct roster *roster, const struct code_block *block)
{
    const struct type *owner = block->owner;
    return owner->kind == TYPE_INDEX && owner->blocks->lo == block->lo && owner->blocks->hi == block->hi &&
           roster_family(roster, owner) != NO_FAMILY;
}

bool roster_is_elements(const struct roster *roster, const struct type *type)
{
    if (roster_family(roster, type) != NO_FAMILY)
        return true;
    for (uint32_t b = 0; b < type->block_count; b++)
        if (!roster_is_family(roster, &type->blocks[b]))
            return false;
    return type->kind == TYPE_UNION;
}

uint32_t roster_element(const struct roster *roster, const struct type *type, int32_t code)
{
    uint32_t family = roster_family(roster, type);
    for (uint32_t b = 0; family == NO_FAMILY && b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            family = roster_family(roster, type->blocks[b].owner);
    return roster->families[family].first + (uint32_t)type_ordinal(roster->families[family].type, code);
}

struct cell_list {
    uint32_t *items;
    size_t count, capacity;
};

struct roster_visit {
    struct roster *roster;
    struct cell_list *cells; /* by element: its local cells, in order */
    uint32_t candidates;     /* shared variables met that hold elements, frozen or not */
};

static void roster_place_scalar(struct roster_visit *visit, const struct type *type, uint32_t cell, uint32_t element)
{
    struct roster *roster = visit->roster;
    /* Frozen ones count, too: what is frozen must not make another one a reference, or else an engine that accepted
     * the model before the start states were known may meet more of them than it can take. */
    bool is_candidate =
        element == NO_ELEMENT && roster_is_elements(roster, type) && visit->candidates++ < ROSTER_MAX_REFERENCES;
    if (roster->role[cell] == ROLE_FROZEN)
        return;
    if (element != NO_ELEMENT) {
        roster->role[cell] = ROLE_LOCAL;
        roster->element_of[cell] = element;
        roster->slot_of[cell] = (uint32_t)visit->cells[element].count;
        VEC_PUSH(&visit->cells[element], cell);
    } else if (is_candidate) {
        roster->role[cell] = ROLE_REFERENCE;
        roster->references[roster->reference_count++] = cell;
    } else {
        roster->shared[roster->shared_count++] = cell;
    }
}

static void roster_place_cells(struct roster_visit *visit, const struct type *type, uint32_t cell, uint32_t element)
{
    switch (type->kind) {
    case TYPE_ARRAY: {
        bool is_local = element == NO_ELEMENT && roster_is_elements(visit->roster, type->index);
        for (uint32_t i = 0; i < type->index->size; i++) {
            uint32_t here = is_local ? roster_element(visit->roster, type->index, type_code(type->index, i)) : element;
            roster_place_cells(visit, type->element, cell + i * type->element->cells, here);
        }
        return;
    }
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            roster_place_cells(visit, type->fields[f].type, cell + type->fields[f].offset, element);
        return;
    case TYPE_MULTISET:
        UNREACHABLE("a multiset in the adaptive engine");
    default:
        roster_place_scalar(visit, type, cell, element);
    }
}

/* Frozen cells of an array over a family are frozen together: all local states of a family have the same slots. */
static void roster_freeze(struct roster *roster, const int32_t *starts, size_t start_count)
{
    const struct system *system = roster->system;
    bool *written = memory_zeroed(system->state_cells + 1, sizeof *written);
    use_mark_written(system, written);
    for (size_t g = 0; start_count && g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        bool is_constant = !written[variable->address];
        for (uint32_t c = variable->address; c < variable->address + variable->type->cells; c++)
            for (size_t s = 1; s < start_count && is_constant; s++)
                is_constant = starts[s * system->state_cells + c] == starts[c];
        for (uint32_t c = variable->address; is_constant && c < variable->address + variable->type->cells; c++) {
            roster->role[c] = ROLE_FROZEN;
            roster->frozen[c] = starts[c];
        }
    }
    free(written);
}

static void roster_place_all(struct roster *roster)
{
    const struct system *system = roster->system;
    struct roster_visit visit = {.roster = roster};
    visit.cells = memory_zeroed(roster->element_count, sizeof *visit.cells);
    for (size_t g = 0; g < system->globals.count; g++)
        roster_place_cells(&visit, system->globals.items[g]->type, system->globals.items[g]->address, NO_ELEMENT);
    for (uint32_t e = 0; e < roster->element_count; e++) {
        struct family *family = &roster->families[roster->family_of[e]];
        family->slot_count = (uint32_t)visit.cells[e].count;
        roster->addresses[e] = VEC_SEAL(&visit.cells[e], roster->arena);
    }
    free(visit.cells);
    for (uint32_t f = 0; f < roster->family_count; f++) {
        struct family *family = &roster->families[f];
        family->slot_types = ARENA_ARRAY(roster->arena, const struct type *, family->slot_count + 1);
        family->may_be_undefined = ARENA_ARRAY(roster->arena, bool, family->slot_count + 1);
        for (uint32_t s = 0; s < family->slot_count; s++)
            family->slot_types[s] = roster->layout->cells[roster->addresses[family->first][s]].type;
    }
}

struct roster *roster_create(const struct layout *layout, const int32_t *starts, size_t start_count)
{
    struct arena *arena = arena_create();
    struct roster *roster = ARENA_NEW(arena, struct roster);
    uint32_t cells = layout->cell_count;
    *roster = (struct roster){.arena = arena, .layout = layout, .system = layout->system};
    roster_find_families(roster);
    if (!roster->family_count) {
        arena_destroy(arena);
        return NULL;
    }
    roster_number_elements(roster);
    roster->role = ARENA_ARRAY(arena, uint8_t, cells + 1);
    roster->element_of = ARENA_ARRAY(arena, uint32_t, cells + 1);
    roster->slot_of = ARENA_ARRAY(arena, uint32_t, cells + 1);
    roster->shared = ARENA_ARRAY(arena, uint32_t, cells + 1);
    roster->frozen = ARENA_ARRAY(arena, int32_t, cells + 1);
    roster_freeze(roster, starts, start_count);
    roster_place_all(roster);
    return roster;
}

void roster_destroy(struct roster *roster)
{
    if (roster)
        arena_destroy(roster->arena);
}

void roster_label(const struct roster *roster, bool (*alike)(void *user, uint32_t p, uint32_t q), void *user,
                  uint32_t *labels)
{
    VEC(uint32_t) firsts = {0};
    for (uint32_t e = 0; e < roster->element_count; e++) {
        size_t c = firsts.count; /* neighbours are more often alike */
        while (c-- > 0)
            if (roster->family_of[firsts.items[c]] == roster->family_of[e] && alike(user, firsts.items[c], e))
                break;
        labels[e] = c == SIZE_MAX ? e : firsts.items[c];
        if (c == SIZE_MAX)
            VEC_PUSH(&firsts, e);
    }
    VEC_FREE(&firsts);
}
