/* What each cell of the original state is: shared, local to the elements of a family, or a pointer to one. */
#include "reduce/inner.h"
#include "symmetry/symmetry.h"

struct naming {
    struct reducer *reducer;
    struct text name;
    struct span span;
    uint32_t family, stride; /* of the array over a family around here, or NONE */
    bool ok;
    VEC(struct object) objects;
    VEC(struct pointer) pointers;
    VEC(struct local_cell) * cells; /* by family */
};

typedef VEC(struct local_cell) local_cells;

uint32_t families_of_code(const struct reduction *reduction, int64_t code)
{
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        const struct reduce_family *family = &reduction->families[f];
        if (code >= family->code && code - family->code < family->size)
            return f;
    }
    return NONE;
}

bool families_mentions(const struct type *type)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        return families_mentions(type->index) || families_mentions(type->element);
    case TYPE_MULTISET:
        return families_mentions(type->element);
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            if (families_mentions(type->fields[f].type))
                return true;
        return false;
    default:
        return type_has_index(type);
    }
}

const struct object *families_object(const struct reduction *reduction, uint32_t address, const struct type *type)
{
    for (uint32_t o = 0; o < reduction->object_count; o++)
        if (reduction->objects[o].address == address && reduction->objects[o].type == type)
            return &reduction->objects[o];
    return NULL;
}

static void naming_refuse(struct naming *naming, const char *what, const char *hint)
{
    diag_error(naming->reducer->diagnostics, naming->span, "counter abstraction: %s %s", text_chars(&naming->name),
               what);
    diag_hint(naming->reducer->diagnostics, "%s", hint);
    naming->ok = false;
}

static void naming_walk(struct naming *naming, const struct type *type, uint32_t address);

/* The elements of a family that index an array: the first stands for all. */
static void naming_walk_elements(struct naming *naming, const struct type *array, uint32_t family, uint32_t address)
{
    const struct reduction *reduction = naming->reducer->reduction;
    struct naming outer = *naming;
    if (naming->family != NONE) {
        naming_refuse(naming, "is indexed by elements twice",
                      "only arrays over one scalarset can be counted: the local state of a process must not depend on "
                      "other processes");
        return;
    }
    naming->family = family;
    naming->stride = array->element->cells;
    naming_walk(naming, array->element, address);
    naming->family = outer.family;
    naming->stride = outer.stride;
    /* The cells of the others are reached from the first one's. */
    for (uint32_t c = array->element->cells; c < reduction->families[family].size * array->element->cells; c++)
        reduction->roles[address + c] = (struct cell_role){ROLE_OTHER_ELEMENT, family, 0};
}

static void naming_walk_array(struct naming *naming, const struct type *type, uint32_t address)
{
    const struct reduction *reduction = naming->reducer->reduction;
    size_t length = naming->name.length;
    for (uint32_t i = 0; i < type->index->size && naming->ok; i++) {
        int32_t code = type_code(type->index, i);
        uint32_t family = families_of_code(reduction, code);
        if (!type_has_index(type->index))
            family = NONE;
        if (family != NONE) {
            naming_walk_elements(naming, type, family, address + i * type->element->cells);
            i += reduction->families[family].size - 1;
            continue;
        }
        text_char(&naming->name, '[');
        type_print_value(type->index, code, &naming->name);
        text_char(&naming->name, ']');
        naming_walk(naming, type->element, address + i * type->element->cells);
        naming->name.length = length;
        naming->name.chars[length] = 0;
    }
}

static void naming_walk_record(struct naming *naming, const struct type *type, uint32_t address)
{
    size_t length = naming->name.length;
    for (uint32_t f = 0; f < type->field_count && naming->ok; f++) {
        text_format(&naming->name, ".%s", type->fields[f].name);
        naming_walk(naming, type->fields[f].type, address + type->fields[f].offset);
        naming->name.length = length;
        naming->name.chars[length] = 0;
    }
}

static void naming_add_local(struct naming *naming, const struct type *type, uint32_t address)
{
    const struct reduction *reduction = naming->reducer->reduction;
    local_cells *cells = (local_cells *)&naming->cells[naming->family];
    if (type_has_index(type)) {
        naming_refuse(naming, "is a local variable that holds an element of a scalarset",
                      "the local state of a process must not point to processes; only shared variables may");
        return;
    }
    reduction->roles[address] = (struct cell_role){ROLE_LOCAL, naming->family, (uint32_t)cells->count};
    struct local_cell cell = {.address = address, .stride = naming->stride, .type = type};
    VEC_PUSH(cells, cell);
}

static void naming_add_pointer(struct naming *naming, const struct type *type, uint32_t address)
{
    const struct reduction *reduction = naming->reducer->reduction;
    reduction->roles[address] = (struct cell_role){ROLE_POINTER, NONE, (uint32_t)naming->pointers.count};
    struct pointer pointer = {.address = address, .type = type, .span = naming->span};
    pointer.name = arena_string(reduction->arena, text_chars(&naming->name));
    VEC_PUSH(&naming->pointers, pointer);
}

static void naming_add_object(struct naming *naming, const struct type *type, uint32_t address)
{
    struct object object = {.address = address, .type = type, .span = naming->span};
    object.name = arena_string(naming->reducer->reduction->arena, text_chars(&naming->name));
    for (uint32_t c = 0; c < type->cells; c++)
        naming->reducer->reduction->roles[address + c] = (struct cell_role){ROLE_SHARED, NONE, 0};
    VEC_PUSH(&naming->objects, object);
}

static void naming_walk(struct naming *naming, const struct type *type, uint32_t address)
{
    if (!naming->ok)
        return;
    if (type_has_multiset(type))
        naming_refuse(naming, "is or has a multiset", "multisets have no counters of their own yet");
    else if (naming->family == NONE && !families_mentions(type))
        naming_add_object(naming, type, address);
    else if (type->kind == TYPE_ARRAY)
        naming_walk_array(naming, type, address);
    else if (type->kind == TYPE_RECORD)
        naming_walk_record(naming, type, address);
    else if (naming->family != NONE)
        naming_add_local(naming, type, address);
    else
        naming_add_pointer(naming, type, address);
}

static bool families_check(struct reducer *reducer, const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        const struct symmetry_breach *why = factor->is_used ? factor->start_choice : factor->breaches;
        if (factor->is_used && factor->loop_by_cases) {
            diag_error(reducer->diagnostics, *factor->loop_by_cases,
                       "counter abstraction: this loop over %s may accumulate values", factor->type->name);
            return false;
        }
        if (factor->is_used && !why)
            continue;
        diag_error(reducer->diagnostics, why ? why->span : factor->type->span,
                   factor->is_used ? "counter abstraction: a start state distinguishes elements of %s: %s"
                                   : "counter abstraction: the elements of %s are not interchangeable: %s",
                   factor->type->name, why ? why->message : "unknown");
        return false;
    }
    return true;
}

static bool families_list(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    struct symmetry *symmetry = symmetry_find(reducer->system);
    bool ok = families_check(reducer, symmetry);
    reduction->families = ARENA_ARRAY(reduction->arena, struct reduce_family, symmetry->factor_count + 1);
    for (uint32_t f = 0; ok && f < symmetry->factor_count; f++) {
        const struct type *type = symmetry->factors[f].type;
        reduction->families[reduction->family_count++] =
            (struct reduce_family){.type = type, .code = type_code(type, 0), .size = type->size};
    }
    if (ok && !reduction->family_count) {
        diag_error(reducer->diagnostics, (struct span){0}, "counter abstraction: the model has no scalarset");
        ok = false;
    }
    symmetry_destroy(symmetry);
    return ok;
}

static void families_seal(struct reduction *reduction, struct naming *naming)
{
    reduction->object_count = (uint32_t)naming->objects.count;
    reduction->objects = VEC_SEAL(&naming->objects, reduction->arena);
    reduction->pointer_count = (uint32_t)naming->pointers.count;
    reduction->pointers = VEC_SEAL(&naming->pointers, reduction->arena);
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        struct reduce_family *family = &reduction->families[f];
        local_cells *cells = (local_cells *)&naming->cells[f];
        family->cell_count = (uint32_t)cells->count;
        family->words = family->cell_count / 64 + 1;
        family->cells = VEC_SEAL(cells, reduction->arena);
    }
}

bool families_find(struct reducer *reducer)
{
    struct reduction *reduction = reducer->reduction;
    const struct system *system = reducer->system;
    if (!families_list(reducer))
        return false;
    reduction->roles = ARENA_ARRAY(reduction->arena, struct cell_role, system->state_cells + 1);
    local_cells *cells = memory_zeroed(reduction->family_count, sizeof *cells);
    struct naming naming = {.reducer = reducer, .family = NONE, .ok = true, .cells = (void *)cells};
    for (size_t g = 0; g < system->globals.count && naming.ok; g++) {
        const struct variable *variable = system->globals.items[g];
        text_clear(&naming.name);
        text_append(&naming.name, variable->name);
        naming.span = variable->span;
        naming_walk(&naming, variable->type, variable->address);
    }
    if (naming.ok && naming.pointers.count > FAMILIES_MOST_POINTERS) {
        naming.span = naming.pointers.items[FAMILIES_MOST_POINTERS].span;
        naming_refuse(&naming, "is one variable too many that holds elements of scalarsets", "24 are possible");
    }
    families_seal(reduction, &naming);
    text_free(&naming.name);
    free(cells);
    return naming.ok;
}
