/* The reduced system: its types and variables, and small pieces of it. */
#include "reduce/inner.h"

#include <string.h>

#include "base/text.h"

static const struct span nowhere;

/* As many numbers as an array may have elements. */
enum { MAKE_COUNTERS = TYPE_MAX_CELLS };

/* The name, or a longer one that nothing else has. Written as Murphi, all names of the reduced system must differ. */
static const char *make_unique(struct reducer *reducer, const char *name)
{
    struct arena *arena = reducer->reduction->arena;
    const char *made = name;
    for (uint32_t i = 2;; i++) {
        bool is_taken = false;
        for (size_t n = 0; n < reducer->names.count && !is_taken; n++)
            is_taken = !strcmp(reducer->names.items[n], made);
        if (!is_taken)
            break;
        made = arena_format(arena, "%s_%u", name, i);
    }
    VEC_PUSH(&reducer->names, made);
    return made;
}

/* The labels of enums that shared or local variables hold stay what they are. */
static void make_reserve(struct reducer *reducer, const struct type *type)
{
    if (reducer->is_reserved[type->id])
        return;
    reducer->is_reserved[type->id] = true;
    if (type->name)
        VEC_PUSH(&reducer->names, type->name);
    for (uint32_t i = 0; type->kind == TYPE_ENUM && i < type->size; i++)
        VEC_PUSH(&reducer->names, type->labels[i]);
    for (uint32_t b = 0; type->kind == TYPE_UNION && b < type->block_count; b++)
        make_reserve(reducer, type->blocks[b].owner);
    for (uint32_t f = 0; f < type->field_count; f++)
        make_reserve(reducer, type->fields[f].type);
    if (type->index)
        make_reserve(reducer, type->index);
    if (type->element)
        make_reserve(reducer, type->element);
}

static void make_reserve_all(struct reducer *reducer)
{
    const struct reduction *reduction = reducer->reduction;
    const struct system *system = reducer->system;
    VEC_CLEAR(&reducer->names);
    memset(reducer->is_reserved, 0, system->types.count);
    for (uint32_t o = 0; o < reduction->object_count; o++)
        make_reserve(reducer, reduction->objects[o].type);
    for (uint32_t p = 0; p < reduction->pointer_count; p++)
        make_reserve(reducer, reduction->pointers[p].type);
    for (size_t s = 0; s < system->scratch.count; s++)
        if (!system->scratch.items[s]->is_reference)
            make_reserve(reducer, system->scratch.items[s]->type);
}

/* Types that hold no elements are the same; every code keeps its value. */
const struct type *make_type(struct reducer *reducer, const struct type *type)
{
    struct system *out = reducer->out;
    const struct type **made = &reducer->types[type->id];
    if (*made)
        return *made;
    struct field *fields = ARENA_ARRAY(reducer->reduction->arena, struct field, type->field_count + 1);
    switch (type->kind) {
    case TYPE_BOOL:
        *made = out->boolean;
        break;
    case TYPE_RANGE:
        *made = type == reducer->system->integer ? out->integer
                : type->is_least_undefined       ? type_least_range(out, type->name, type->blocks->hi, type->span)
                : type->is_cut                   ? type_cut_range(out, type->name, type->blocks->hi, type->span)
                               : type_range(out, type->name, type->blocks->lo, type->blocks->hi, type->span);
        break;
    case TYPE_ARRAY:
        *made =
            type_array(out, type->name, make_type(reducer, type->index), make_type(reducer, type->element), type->span);
        break;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            fields[f] = (struct field){.name = type->fields[f].name, .type = make_type(reducer, type->fields[f].type)};
        *made = type_record(out, type->name, fields, type->field_count, type->span);
        break;
    default:
        UNREACHABLE("a type of the reduced system that holds elements");
    }
    return *made;
}

/* Enums are made first, with the codes they have: those of elements, wherever they are, are left out. */
static void make_enums(struct reducer *reducer)
{
    const struct system *system = reducer->system;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (type->kind != TYPE_ENUM)
            continue;
        reducer->out->next_code = type->blocks->lo;
        reducer->types[t] = type_enum(reducer->out, type->name ? type->name : make_unique(reducer, "values"),
                                      type->labels, type->size, type->span);
        ENSURE(reducer->types[t]->blocks->lo == type->blocks->lo);
    }
    reducer->out->next_code = system->next_code;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (type->kind != TYPE_UNION || type_has_index(type))
            continue;
        const struct type **members = memory_alloc(type->block_count * sizeof *members);
        for (uint32_t b = 0; b < type->block_count; b++)
            members[b] = reducer->types[type->blocks[b].owner->id];
        reducer->types[t] = type_union(reducer->out, type->name, members, type->block_count, type->span);
        free(members);
    }
}

static void make_counters(struct reducer *reducer, struct reduce_family *family)
{
    const struct reduction *reduction = reducer->reduction;
    const char **labels = memory_zeroed(family->classes.count + 1, sizeof *labels);
    struct text name = {0};
    for (uint32_t k = 0; k < family->classes.count; k++) {
        text_clear(&name);
        location_name(reduction, family, family->classes.items[k], &name);
        labels[k] = make_unique(reducer, arena_string(reduction->arena, text_chars(&name)));
    }
    struct arena *arena = reduction->arena;
    family->location_type =
        type_enum(reducer->out, make_unique(reducer, arena_format(arena, "%s_location", family->type->name)), labels,
                  (uint32_t)family->classes.count, family->type->span);
    const struct type *number =
        type_range(reducer->out, make_unique(reducer, arena_format(arena, "%s_number", family->type->name)), 0,
                   (int32_t)family->size, family->type->span);
    const struct type *array = type_array(reducer->out, NULL, family->location_type, number, family->type->span);
    const char *called = reduction->family_count == 1 ? "count" : arena_format(arena, "count_%s", family->type->name);
    family->count = system_add_global(reducer->out, make_unique(reducer, called), array, family->type->span);
    free(labels);
    text_free(&name);
}

/* The values of a pointer that are no elements. */
static const struct type *make_other_type(struct reducer *reducer, const struct pointer *pointer)
{
    const struct type **members = memory_zeroed(pointer->type->block_count + 1, sizeof *members);
    uint32_t count = 0;
    for (uint32_t b = 0; b < pointer->type->block_count; b++)
        if (pointer->type->blocks[b].owner->kind != TYPE_INDEX)
            members[count++] = reducer->types[pointer->type->blocks[b].owner->id];
    const struct type *type = count == 0   ? NULL
                              : count == 1 ? members[0]
                                           : type_union(reducer->out, NULL, members, count, pointer->span);
    free(members);
    return type;
}

/* "a[1].b" as an identifier. */
static const char *make_name(struct reducer *reducer, const char *name, const char *suffix)
{
    char *made = arena_format(reducer->reduction->arena, "%s%s", name, suffix);
    char *to = made;
    for (const char *from = made; *from; from++) {
        bool is_plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || *from == '_' ||
                        (*from >= '0' && *from <= '9');
        if (*from != ']')
            *to++ = is_plain ? *from : '_';
    }
    *to = 0;
    return make_unique(reducer, made);
}

static void make_pointer(struct reducer *reducer, struct pointer *pointer, uint32_t number)
{
    const struct reduction *reduction = reducer->reduction;
    uint32_t families = 0;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        families += type_has(pointer->type, reduction->families[f].code);
    pointer->at = ARENA_ARRAY(reduction->arena, const struct variable *, reduction->family_count);
    pointer->same = ARENA_ARRAY(reduction->arena, const struct variable *, reduction->pointer_count);
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        if (!type_has(pointer->type, reduction->families[f].code))
            continue;
        char *suffix = arena_format(reduction->arena, "_%s", reduction->families[f].type->name);
        pointer->at[f] = system_add_global(reducer->out, make_name(reducer, pointer->name, families > 1 ? suffix : ""),
                                           reduction->families[f].location_type, pointer->span);
    }
    const struct type *other = make_other_type(reducer, pointer);
    if (other)
        pointer->other =
            system_add_global(reducer->out, make_name(reducer, pointer->name, "_other"), other, pointer->span);
    for (uint32_t p = 0; p < number; p++) {
        const struct pointer *lower = &reduction->pointers[p];
        for (uint32_t f = 0; f < reduction->family_count && !pointer->same[p]; f++)
            if (lower->at[f] && pointer->at[f])
                pointer->same[p] = system_add_global(
                    reducer->out,
                    make_name(reducer, arena_format(reduction->arena, "%s_is_%s", pointer->name, lower->name), ""),
                    reducer->out->boolean, pointer->span);
    }
}

bool make_system(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    const struct system *system = reducer->system;
    reducer->out = system_create(system->name);
    reducer->out->language = system->language;
    reducer->out->loop_limit = system->loop_limit;
    for (size_t t = 0; t < system->types.count; t++)
        reducer->types[t] = NULL;
    for (uint32_t c = 0; c < system->memory_cells; c++)
        reducer->mirrors[c] = NULL;
    VEC_CLEAR(&reducer->temporaries);
    reducer->moved_type = NULL;
    make_reserve_all(reducer);
    make_enums(reducer);
    for (uint32_t o = 0; o < reduction->object_count; o++)
        reduction->objects[o].variable =
            system_add_global(reducer->out, make_name(reducer, reduction->objects[o].name, ""),
                              make_type(reducer, reduction->objects[o].type), reduction->objects[o].span);
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (reduction->families[f].classes.count && !reducer->is_analysis)
            make_counters(reducer, &reduction->families[f]);
    if (reducer->is_analysis) {
        const struct type *numbers = type_range(reducer->out, NULL, 0, MAKE_COUNTERS - 1, nowhere);
        const struct type *array = type_array(reducer->out, NULL, numbers, reducer->out->integer, nowhere);
        reducer->counter = system_add_scratch(reducer->out, "some_counters", array, nowhere);
    }
    for (uint32_t p = 0; p < reduction->pointer_count && !reducer->is_analysis; p++)
        make_pointer(reducer, &reduction->pointers[p], p);
    properties_make(reducer);
    return true;
}

const struct variable *make_mirror(struct reducer *reducer, const struct variable *variable)
{
    struct variable **mirror = &reducer->mirrors[variable->address];
    if (!*mirror)
        *mirror = system_add_scratch(reducer->out, make_unique(reducer, variable->name),
                                     make_type(reducer, variable->type), variable->span);
    return *mirror;
}

const struct variable *make_temporary(struct reduce_run *run, const struct type *type)
{
    struct reducer *reducer = run->reducer;
    for (size_t t = 0; t < reducer->temporaries.count; t++)
        if (!reducer->temporaries.items[t].is_used && reducer->temporaries.items[t].variable->type == type) {
            reducer->temporaries.items[t].is_used = true;
            return reducer->temporaries.items[t].variable;
        }
    const struct variable *made = system_add_scratch(run->out, make_unique(reducer, "kept"), type, nowhere);
    struct temporary temporary = {made, true};
    VEC_PUSH(&reducer->temporaries, temporary);
    return made;
}

struct place *make_place(struct reduce_run *run, const struct variable *variable)
{
    return place_variable(run->out, variable, nowhere);
}

struct expr *make_read(struct reduce_run *run, const struct variable *variable)
{
    return expr_read(run->out, make_place(run, variable), false, nowhere);
}

struct expr *make_const(struct reduce_run *run, const struct type *type, int64_t code, struct span span)
{
    return expr_const(run->out, make_type(run->reducer, type), code, span);
}

struct expr *make_number(struct reduce_run *run, int64_t number)
{
    return expr_const(run->out, run->out->integer, number, nowhere);
}

struct expr *make_binary(struct reduce_run *run, enum operator op, struct expr *left, struct expr *right)
{
    return expr_binary(run->out, op, left, right, nowhere);
}

struct expr *make_and(struct reduce_run *run, struct expr *left, struct expr *right)
{
    if (!left || !right)
        return left ? left : right;
    return make_binary(run, OP_AND, left, right);
}

struct expr *make_location(struct reduce_run *run, uint32_t family, uint32_t location)
{
    const struct reduce_family *of = &run->reducer->reduction->families[family];
    if (run->reducer->is_analysis)
        return make_number(run, location);
    const struct type *type = of->location_type;
    return expr_const(run->out, type, type_code(type, of->locations.items[location].class), nowhere);
}

/* In an analysis: different counters are different expressions. */
static struct place *make_some_counter(struct reduce_run *run, uint32_t number)
{
    struct place *base = make_place(run, run->reducer->counter);
    return place_element(run->out, base, make_number(run, number % MAKE_COUNTERS), nowhere);
}

struct place *make_count_place(struct reduce_run *run, uint32_t family, uint32_t location)
{
    if (run->reducer->is_analysis)
        return make_some_counter(run, FAMILIES_MOST_POINTERS * FAMILIES_MOST_POINTERS +
                                          family * (REDUCE_LOCATIONS + 1) + location);
    struct place *base = make_place(run, run->reducer->reduction->families[family].count);
    return place_element(run->out, base, make_location(run, family, location), nowhere);
}

struct expr *make_count(struct reduce_run *run, uint32_t family, uint32_t location)
{
    return expr_read(run->out, make_count_place(run, family, location), false, nowhere);
}

struct expr *make_same(struct reduce_run *run, uint32_t high, uint32_t low)
{
    if (!run->reducer->is_analysis)
        return make_read(run, run->reducer->reduction->pointers[high].same[low]);
    struct place *place = make_some_counter(run, high * FAMILIES_MOST_POINTERS + low);
    return make_binary(run, OP_GT, expr_read(run->out, place, false, nowhere), make_number(run, 0));
}

struct expr *make_crowd(struct reduce_run *run, uint32_t family, uint32_t location)
{
    int32_t offset = *run_offset(run, family, location);
    ENSURE(run->mode != RUN_START);
    struct expr *count = make_count(run, family, location);
    if (offset == 0)
        return count;
    return make_binary(run, offset < 0 ? OP_SUB : OP_ADD, count, make_number(run, offset < 0 ? -offset : offset));
}

struct expr *make_presence(struct reduce_run *run, uint32_t family, uint32_t location, int32_t offset)
{
    return make_binary(run, OP_GT, make_count(run, family, location), make_number(run, -(int64_t)offset));
}

struct stmt *make_assign(struct reduce_run *run, struct place *place, struct expr *value)
{
    struct stmt *stmt = stmt_new(run->out, STMT_ASSIGN, nowhere);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}
