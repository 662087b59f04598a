#include "driver/certify_group.h"

#include <stdlib.h>

#include "base/memory.h"
#include "canon/families.h"
#include "verify/canonical.h"

#define NO_POINT UINT32_MAX

/* What a code of an index type stands for: an element of the certificate. */
struct named_point {
    uint32_t element, sort; /* NO_POINT: none */
};

struct class_key {
    const struct type *type, *model;
};

struct group_printer {
    const struct symmetry *symmetry;
    const struct layout *layout, *model;
    struct json *factors, *value_classes;
    struct json **label_of;     /* by cell of the model; NULL: it has no label */
    struct named_point *points; /* by code - low */
    int32_t low, high;
    uint32_t element_count;
    VEC(struct class_key) classes;
    uint32_t tuple[ACTION_WIDEST], arity;
    uint32_t *factor_of;  /* by element */
    struct bigint *order; /* of the factors that are not full */
    const char *refusal;
};

static uint32_t original_cell(const struct group_printer *printer, uint32_t cell)
{
    return system_original_cell(printer->layout->system, cell);
}

/* The codes of index types are those of no other type but ranges. */
static struct named_point point_of(const struct group_printer *printer, const struct type *type, int32_t code)
{
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        if (block->owner->kind == TYPE_INDEX && code >= block->lo && code <= block->hi && code >= printer->low &&
            code <= printer->high)
            return printer->points[code - printer->low];
    }
    return (struct named_point){NO_POINT, NO_POINT};
}

/* The elements of one factor: of families that go together one element for a point of each. */
static void number_points(struct group_printer *printer, const struct symmetry_factor *factor)
{
    uint32_t *orbits = memory_zeroed((size_t)factor->degree + 1, sizeof *orbits);
    symmetry_orbits(factor, orbits);
    uint32_t *lead = families_of(factor, printer->layout, orbits), first = printer->element_count, sorts = 0;
    uint32_t number = (uint32_t)(factor - printer->symmetry->factors);
    bool is_full = factor->kind == SYMMETRY_FULL || lead;
    uint32_t *element = memory_zeroed((size_t)factor->degree + 1, sizeof *element);
    uint32_t *sort = memory_zeroed((size_t)factor->degree + 1, sizeof *sort);
    for (uint32_t p = 0; p < factor->degree; p++)
        if (!lead || lead[p] == p)
            printer->factor_of[element[p] = printer->element_count++] = number;
    for (uint32_t p = 0; p < factor->degree; p++) {
        sort[p] = lead && orbits[p] == p ? sorts++ : sort[orbits[p]];
        struct named_point point = {element[lead ? lead[p] : p], lead ? sort[p] : 0};
        printer->points[symmetry_code(factor->points[p]) - printer->low] = point;
    }
    struct json *object = json_make_object(), *generators = is_full ? NULL : json_make_array();
    json_set(object, "first", json_make_integer(first));
    json_set(object, "degree", json_make_integer(printer->element_count - first));
    if (!is_full)
        symmetry_multiply_order(factor, printer->order);
    for (uint32_t g = 0; g < factor->generator_count && !is_full; g++) {
        struct json *images = json_make_array();
        for (uint32_t p = 0; p < factor->degree; p++)
            json_push(images, json_make_integer(factor->generators[(size_t)g * factor->degree + p]));
        json_push(generators, images);
    }
    if (!is_full)
        json_set(object, "generators", generators);
    json_push(printer->factors, object);
    free(orbits);
    free(lead);
    free(element);
    free(sort);
}

/* The number of the class of a cell's values; ACTION_NONE: none stands for an element. */
static int32_t class_of(struct group_printer *printer, uint32_t cell)
{
    const struct type *type = printer->layout->cells[cell].type,
                      *model = printer->model->cells[original_cell(printer, cell)].type;
    if (!type)
        return ACTION_NONE;
    for (size_t c = 0; c < printer->classes.count; c++)
        if (printer->classes.items[c].type == type && printer->classes.items[c].model == model)
            return (int32_t)c;
    struct json *class = json_make_array();
    for (uint32_t v = 0; v < type->size && type_has_index(type); v++) {
        struct named_point point = point_of(printer, type, type_code(type, v));
        if (point.element == NO_POINT)
            continue;
        json_push(class, json_make_integer(type_code(model, v)));
        json_push(class, json_make_integer(point.sort));
        json_push(class, json_make_integer(point.element));
    }
    if (!json_size(class)) {
        json_free(class);
        return ACTION_NONE;
    }
    json_push(printer->value_classes, class);
    VEC_PUSH(&printer->classes, ((struct class_key){type, model}));
    return (int32_t)printer->classes.count - 1;
}

static void print_cell(struct group_printer *printer, uint32_t cell, uint32_t kind)
{
    int32_t class = class_of(printer, cell);
    if (class == ACTION_NONE && !printer->arity)
        return;
    struct json *label = json_make_array();
    json_push(label, json_make_integer(original_cell(printer, cell)));
    json_push(label, json_make_integer(class));
    json_push(label, json_make_integer(printer->arity ? (int32_t)original_cell(printer, kind) : ACTION_NONE));
    for (uint32_t t = 0; t < printer->arity; t++)
        json_push(label, json_make_integer(printer->tuple[t]));
    printer->label_of[original_cell(printer, cell)] = label;
}

/* The position in an array over `index` of the first element of the same factor and sort: that of the kind. */
static uint32_t first_position(const struct group_printer *printer, const struct type *index, struct named_point point)
{
    const uint32_t *factor_of = printer->factor_of;
    for (uint32_t i = 0; i < index->size; i++) {
        struct named_point other = point_of(printer, index, type_code(index, i));
        if (other.element != NO_POINT && other.sort == point.sort &&
            factor_of[other.element] == factor_of[point.element])
            return i;
    }
    UNREACHABLE("the point is one of them");
}

/* The kind of a cell is the address of the one whose elements are the first. */
static void print_cells(struct group_printer *printer, const struct type *type, uint32_t address, uint32_t kind)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            struct named_point point = point_of(printer, type->index, type_code(type->index, i));
            bool is_element = point.element != NO_POINT;
            if (is_element && printer->arity == ACTION_WIDEST)
                printer->refusal = "arrays are nested too deeply for a certificate";
            if (printer->refusal)
                return;
            uint32_t at = is_element ? first_position(printer, type->index, point) : i;
            if (is_element)
                printer->tuple[printer->arity++] = point.element;
            print_cells(printer, type->element, address + i * type->element->cells, kind + at * type->element->cells);
            printer->arity -= is_element;
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            print_cells(printer, type->fields[f].type, address + type->fields[f].offset, kind + type->fields[f].offset);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = s * multiset_stride(type);
            print_cell(printer, address + slot, kind + slot);
            print_cells(printer, type->element, address + slot + 1, kind + slot + 1);
        }
        return;
    default:
        print_cell(printer, address, kind);
        return;
    }
}

static void find_codes(struct group_printer *printer, uint32_t *point_count)
{
    printer->low = INT32_MAX;
    printer->high = INT32_MIN;
    for (uint32_t f = 0; f < printer->symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &printer->symmetry->factors[f];
        for (uint32_t p = 0; p < factor->degree && factor->is_used; p++) {
            int32_t code = symmetry_code(factor->points[p]);
            printer->low = code < printer->low ? code : printer->low;
            printer->high = code > printer->high ? code : printer->high;
            ++*point_count;
        }
    }
}

/* The verifier goes through all permutations of factors that are not full. */
static const char *refuse_order(const struct bigint *order)
{
    uint64_t size;
    return bigint_fits_u64(order, &size) && size <= CANONICAL_LARGEST
               ? NULL
               : "the group is large and no product of full symmetric groups: a certificate can have no such group; "
                 "--symmetry declared or off may have one";
}

/* In the order of the model's cells. */
static struct json *list_labels(const struct group_printer *printer)
{
    struct json *labels = json_make_array();
    for (uint32_t c = 0; c < printer->model->cell_count; c++)
        if (printer->label_of[c])
            json_push(labels, printer->label_of[c]);
    return labels;
}

static void print_all(struct group_printer *printer, struct json *head)
{
    const struct system *system = printer->layout->system;
    for (uint32_t f = 0; f < printer->symmetry->factor_count; f++)
        if (printer->symmetry->factors[f].is_used && printer->symmetry->factors[f].degree > 1)
            number_points(printer, &printer->symmetry->factors[f]);
    for (size_t g = 0; g < system->globals.count; g++)
        print_cells(printer, system->globals.items[g]->type, system->globals.items[g]->address,
                    system->globals.items[g]->address);
    if (!printer->refusal)
        printer->refusal = refuse_order(printer->order);
    json_set(head, "elements", json_make_integer(printer->element_count));
    json_set(head, "factors", printer->factors);
    json_set(head, "classes", printer->value_classes);
    json_set(head, "labels", list_labels(printer));
}

const char *certify_group(const struct symmetry *symmetry, const struct layout *layout, const struct layout *model,
                          struct json *head)
{
    struct group_printer printer = {.symmetry = symmetry, .layout = layout, .model = model};
    uint32_t point_count = 0;
    if (symmetry_is_trivial(symmetry))
        return NULL;
    find_codes(&printer, &point_count);
    printer.order = bigint_create(1);
    printer.factors = json_make_array();
    printer.value_classes = json_make_array();
    printer.label_of = memory_zeroed((size_t)model->cell_count + 1, sizeof *printer.label_of);
    printer.points = memory_alloc((size_t)((int64_t)printer.high - printer.low + 1) * sizeof *printer.points);
    printer.factor_of = memory_zeroed((size_t)point_count + 1, sizeof *printer.factor_of);
    for (int64_t code = printer.low; code <= printer.high; code++)
        printer.points[code - printer.low] = (struct named_point){NO_POINT, NO_POINT};
    print_all(&printer, head);
    bigint_destroy(printer.order);
    VEC_FREE(&printer.classes);
    free(printer.points);
    free(printer.factor_of);
    free(printer.label_of);
    return printer.refusal;
}
