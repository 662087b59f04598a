#include "report/value.h"

#include <string.h>

#include "base/watch.h"
#include "ir/face.h"

static void print_array(const struct type *type, const int32_t *cells, struct text *out)
{
    text_char(out, '[');
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_append(out, i ? ", " : "");
        type_print_value(type->index, type_code(type->index, i), out);
        text_append(out, ": ");
        value_print(type->element, cells + (size_t)i * type->element->cells, out);
    }
    text_char(out, ']');
}

static void print_record(const struct type *type, const int32_t *cells, struct text *out)
{
    text_char(out, '{');
    for (uint32_t i = 0; i < type->field_count; i++) {
        text_format(out, "%s%s: ", i ? ", " : "", type->fields[i].name);
        value_print(type->fields[i].type, cells + type->fields[i].offset, out);
    }
    text_char(out, '}');
}

static void print_multiset(const struct type *type, const int32_t *cells, struct text *out)
{
    const char *separator = "";
    text_char(out, '{');
    for (uint32_t i = 0; i < type->capacity; i++, cells += multiset_stride(type)) {
        if (!cells[0])
            continue;
        text_append(out, separator);
        value_print(type->element, cells + 1, out);
        separator = ", ";
    }
    text_char(out, '}');
}

void value_print(const struct type *type, const int32_t *cells, struct text *out)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        print_array(type, cells, out);
        break;
    case TYPE_RECORD:
        print_record(type, cells, out);
        break;
    case TYPE_MULTISET:
        print_multiset(type, cells, out);
        break;
    default:
        type_print_value(type, cells[0], out);
    }
}

static void add_line(struct value_lines *lines, struct text *name, struct text *value)
{
    VEC_PUSH(&lines->items, ((struct value_line){memory_string(text_chars(name)), memory_string(text_chars(value))}));
}

/* Walks a value, extending the name on the way down and cutting it on the way up. */
struct value_listing {
    struct value_lines *lines;
    struct text name, value;
    bool fold;
};

static void list_value(struct value_listing *listing, const struct type *type, const int32_t *cells);

static void list_scalar(struct value_listing *listing, const struct type *type, const int32_t *cells)
{
    if (listing->fold && !type_has_value(type, cells[0]))
        return;
    text_clear(&listing->value);
    type_print_value(type, cells[0], &listing->value);
    add_line(listing->lines, &listing->name, &listing->value);
}

static bool elements_are_equal(const struct type *type, const int32_t *cells)
{
    size_t stride = type->element->cells;
    for (uint32_t i = 1; i < type->index->size; i++)
        if (memcmp(cells, cells + i * stride, stride * sizeof *cells))
            return false;
    return true;
}

static void list_named(struct value_listing *listing, size_t length, const struct type *type, const int32_t *cells)
{
    list_value(listing, type, cells);
    listing->name.length = length;
    listing->name.chars[length] = '\0';
}

static void list_array(struct value_listing *listing, const struct type *type, const int32_t *cells)
{
    size_t length = listing->name.length;
    if (listing->fold && type->index->size > 1 && elements_are_equal(type, cells)) {
        text_append(&listing->name, "[*]");
        list_named(listing, length, type->element, cells);
        return;
    }
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_char(&listing->name, '[');
        type_print_value(type->index, type_code(type->index, i), &listing->name);
        text_char(&listing->name, ']');
        list_named(listing, length, type->element, cells + (size_t)i * type->element->cells);
    }
}

static void list_multiset(struct value_listing *listing, const struct type *type, const int32_t *cells)
{
    text_clear(&listing->value);
    value_print(type, cells, &listing->value);
    if (!listing->fold || strcmp(listing->value.chars, "{}"))
        add_line(listing->lines, &listing->name, &listing->value);
}

static void list_value(struct value_listing *listing, const struct type *type, const int32_t *cells)
{
    size_t length = listing->name.length;
    switch (type->kind) {
    case TYPE_ARRAY:
        list_array(listing, type, cells);
        break;
    case TYPE_RECORD:
        for (uint32_t i = 0; i < type->field_count; i++) {
            text_format(&listing->name, ".%s", type->fields[i].name);
            list_named(listing, length, type->fields[i].type, cells + type->fields[i].offset);
        }
        break;
    case TYPE_MULTISET:
        list_multiset(listing, type, cells);
        break;
    default:
        list_scalar(listing, type, cells);
    }
}

/* May one line stand for all elements, if they are equal? The names of gathered variables need not be in a row. */
static bool may_fold_elements(const struct variable *variable)
{
    return variable->type->index->size > 1 && !variable->is_gathered;
}

/* "s1, ..., s9": elements that have names of their own, all equal. */
static void name_all(const struct variable *variable, struct text *name)
{
    text_clear(name);
    text_format(name, "%s, %s%s", variable->element_names[0], variable->type->index->size > 2 ? "..., " : "",
                variable->element_names[variable->type->index->size - 1]);
}

static void list_elements(struct value_listing *listing, const struct variable *variable, const int32_t *cells)
{
    const struct type *type = variable->type;
    if (listing->fold && may_fold_elements(variable) && elements_are_equal(type, cells)) {
        name_all(variable, &listing->name);
        list_value(listing, type->element, cells);
        return;
    }
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_clear(&listing->name);
        text_append(&listing->name, variable->element_names[i]);
        list_value(listing, type->element, cells + (size_t)i * type->element->cells);
    }
}

/* How many parts from this one on are there, are of one variable, and have the same value. */
static size_t count_alike(const struct face *face, size_t first, const int32_t *cells)
{
    const struct face_part *part = &face->parts.items[first], *other;
    size_t count = 1;
    for (; first + count < face->parts.count; count++) {
        other = &face->parts.items[first + count];
        if (other->home != part->home || other->stands != part->stands || !face_part_is_there(face, other, cells) ||
            other->type != part->type ||
            memcmp(cells + face_address(part), cells + face_address(other), part->type->cells * sizeof *cells))
            break;
    }
    return count;
}

static void list_part(struct value_listing *listing, const struct face *face, const struct face_part *part,
                      const int32_t *cells)
{
    if (!face_prints(part)) {
        list_value(listing, part->type, cells + face_address(part));
        return;
    }
    text_clear(&listing->value);
    face_print(face, part, cells, &listing->value);
    add_line(listing->lines, &listing->name, &listing->value);
}

/* As the front end says. */
static void list_face(struct value_listing *listing, const struct face *face, const int32_t *cells)
{
    size_t count;
    for (size_t i = 0; i < face->parts.count && !watch_cuts(); i += count) {
        const struct face_part *part = &face->parts.items[i];
        count = 1;
        if (!face_part_is_there(face, part, cells))
            continue;
        count = listing->fold ? count_alike(face, i, cells) : 1;
        text_clear(&listing->name);
        text_append(&listing->name, part->name);
        if (count > 1)
            text_format(&listing->name, ", %s%s", count > 2 ? "..., " : "", part[count - 1].name);
        list_part(listing, face, part, cells);
    }
}

void value_list_state(const struct layout *layout, const int32_t *cells, bool fold, struct value_lines *lines)
{
    struct value_listing listing = {.lines = lines, .fold = fold};
    const struct face *face = layout->system->face;
    if (face)
        list_face(&listing, face, cells);
    for (size_t i = 0; !face && i < layout->system->globals.count && !watch_cuts(); i++) {
        const struct variable *variable = layout->system->globals.items[i];
        if (system_is_internal(layout->system, variable))
            continue;
        if (variable->element_names) {
            list_elements(&listing, variable, cells + variable->address);
            continue;
        }
        text_clear(&listing.name);
        text_append(&listing.name, variable->name);
        list_value(&listing, variable->type, cells + variable->address);
    }
    text_free(&listing.name);
    text_free(&listing.value);
}

/* How many slots hold an element equal to `element`. */
static uint32_t count_element(const struct type *type, const int32_t *cells, const int32_t *element)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->capacity; i++, cells += multiset_stride(type))
        count += cells[0] && !memcmp(cells + 1, element, type->element->cells * sizeof *element);
    return count;
}

/* Elements with more copies in `some` than in `others`. A multiset in normal order has copies side by side, but
 * that is not relied upon: a copy is reported at its k-th occurrence when k exceeds the copies in `others`. */
static void list_surplus(const struct type *type, const int32_t *some, const int32_t *others, const char *name,
                         char sign, struct value_lines *lines)
{
    struct text value = {0}, label = {0};
    const int32_t *slot = some;
    for (uint32_t i = 0; i < type->capacity && !watch_cuts(); i++, slot += multiset_stride(type)) {
        if (!slot[0])
            continue;
        struct type seen_so_far = *type;
        seen_so_far.capacity = i + 1;
        if (count_element(&seen_so_far, some, slot + 1) <= count_element(type, others, slot + 1))
            continue;
        text_clear(&label);
        text_clear(&value);
        text_format(&label, "%s", name);
        text_format(&value, "%c ", sign);
        value_print(type->element, slot + 1, &value);
        add_line(lines, &label, &value);
    }
    text_free(&label);
    text_free(&value);
}

struct value_changes {
    const int32_t *before, *after;
    struct value_lines *lines;
    struct text name, value;
};

static void list_changed(struct value_changes *changes, const struct type *type, uint32_t address);

static void list_changed_part(struct value_changes *changes, size_t length, const struct type *type, uint32_t address)
{
    list_changed(changes, type, address);
    changes->name.length = length;
    changes->name.chars[length] = '\0';
}

static void list_changed_scalar(struct value_changes *changes, const struct type *type, uint32_t address)
{
    text_clear(&changes->value);
    type_print_value(type, changes->before[address], &changes->value);
    text_append(&changes->value, " -> ");
    type_print_value(type, changes->after[address], &changes->value);
    add_line(changes->lines, &changes->name, &changes->value);
}

static void list_changed_array(struct value_changes *changes, const struct type *type, uint32_t address)
{
    size_t length = changes->name.length;
    if (type->index->size > 1 && elements_are_equal(type, changes->before + address) &&
        elements_are_equal(type, changes->after + address)) {
        text_append(&changes->name, "[*]");
        list_changed_part(changes, length, type->element, address);
        return;
    }
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_char(&changes->name, '[');
        type_print_value(type->index, type_code(type->index, i), &changes->name);
        text_char(&changes->name, ']');
        list_changed_part(changes, length, type->element, address + i * type->element->cells);
    }
}

/* An aggregate of which several cells were set and none is any more: one line says it. */
static bool list_undefined(struct value_changes *changes, const struct type *type, uint32_t address)
{
    uint32_t lost = 0;
    if (type_has_least(type))
        return false;
    for (uint32_t i = address; i < address + type->cells; i++) {
        if (changes->after[i] != UNDEFINED)
            return false;
        lost += changes->before[i] != UNDEFINED;
    }
    if (lost < 2)
        return false;
    text_clear(&changes->value);
    text_append(&changes->value, "... -> undefined");
    add_line(changes->lines, &changes->name, &changes->value);
    return true;
}

static void list_changed(struct value_changes *changes, const struct type *type, uint32_t address)
{
    const int32_t *before = changes->before + address, *after = changes->after + address;
    size_t length = changes->name.length;
    if (!memcmp(before, after, type->cells * sizeof *before) || list_undefined(changes, type, address))
        return;
    switch (type->kind) {
    case TYPE_ARRAY:
        list_changed_array(changes, type, address);
        break;
    case TYPE_RECORD:
        for (uint32_t i = 0; i < type->field_count; i++) {
            text_format(&changes->name, ".%s", type->fields[i].name);
            list_changed_part(changes, length, type->fields[i].type, address + type->fields[i].offset);
        }
        break;
    case TYPE_MULTISET:
        list_surplus(type, before, after, changes->name.chars, '-', changes->lines);
        list_surplus(type, after, before, changes->name.chars, '+', changes->lines);
        break;
    default:
        list_changed_scalar(changes, type, address);
    }
}

static void list_changed_elements(struct value_changes *changes, const struct variable *variable)
{
    const struct type *type = variable->type;
    if (may_fold_elements(variable) && elements_are_equal(type, changes->before + variable->address) &&
        elements_are_equal(type, changes->after + variable->address)) {
        name_all(variable, &changes->name);
        list_changed(changes, type->element, variable->address);
        return;
    }
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_clear(&changes->name);
        text_append(&changes->name, variable->element_names[i]);
        list_changed(changes, type->element, variable->address + i * type->element->cells);
    }
}

/* An empty queue, or numbers that are all 0: what everything is in the beginning. */
static bool is_blank(const struct layout *layout, const struct face_part *part, const int32_t *cells)
{
    int64_t number;
    if (part->is_queue)
        return !face_queue_length(part, cells);
    for (uint32_t i = face_address(part); i < face_address(part) + part->type->cells; i++)
        if (!type_number(layout->cells[i].type, cells[i], &number) || number)
            return false;
    return true;
}

/* Of a process that was not there before. */
static void list_appeared(struct value_changes *changes, const struct layout *layout, const struct face_part *part)
{
    struct value_listing listing = {.lines = changes->lines, .name = changes->name};
    if (part->stands)
        text_append(&listing.value, "starts: ");
    if (!part->stands && is_blank(layout, part, changes->after)) {
        /* not worth a line */
    } else if (face_prints(part)) {
        face_print(layout->system->face, part, changes->after, &listing.value);
        add_line(changes->lines, &listing.name, &listing.value);
    } else {
        list_value(&listing, part->type, changes->after + face_address(part));
    }
    changes->name = listing.name;
    text_free(&listing.value);
}

static void list_changed_part_of_face(struct value_changes *changes, const struct layout *layout,
                                      const struct face_part *part)
{
    const struct face *face = layout->system->face;
    bool was_there = face_part_is_there(face, part, changes->before);
    bool is_there = face_part_is_there(face, part, changes->after);
    uint32_t address = face_address(part);
    if (!was_there && is_there) {
        list_appeared(changes, layout, part);
    } else if (is_there && !face_prints(part)) {
        list_changed(changes, part->type, address);
    } else if (is_there ? memcmp(changes->before + address, changes->after + address,
                                 part->type->cells * sizeof *changes->after)
                        : was_there && part->stands) {
        text_clear(&changes->value);
        face_print(face, part, changes->before, &changes->value);
        text_append(&changes->value, is_there ? " -> " : " -> gone");
        if (is_there)
            face_print(face, part, changes->after, &changes->value);
        add_line(changes->lines, &changes->name, &changes->value);
    }
}

void value_list_changes(const struct layout *layout, const int32_t *before, const int32_t *after,
                        struct value_lines *lines)
{
    struct value_changes changes = {.before = before, .after = after, .lines = lines};
    const struct face *face = layout->system->face;
    for (size_t i = 0; face && i < face->parts.count && !watch_cuts(); i++) {
        text_clear(&changes.name);
        text_append(&changes.name, face->parts.items[i].name);
        list_changed_part_of_face(&changes, layout, &face->parts.items[i]);
    }
    for (size_t i = 0; !face && i < layout->system->globals.count && !watch_cuts(); i++) {
        const struct variable *variable = layout->system->globals.items[i];
        if (system_is_internal(layout->system, variable))
            continue;
        if (variable->element_names) {
            list_changed_elements(&changes, variable);
            continue;
        }
        text_clear(&changes.name);
        text_append(&changes.name, variable->name);
        list_changed(&changes, variable->type, variable->address);
    }
    text_free(&changes.name);
    text_free(&changes.value);
}

void value_print_lines(const struct value_lines *lines, const char *indent, struct text *out)
{
    size_t width = 0;
    for (size_t i = 0; i < lines->items.count; i++)
        if (strlen(lines->items.items[i].name) > width)
            width = strlen(lines->items.items[i].name);
    if (width > 56)
        width = 56; /* one long name must not push all values off the screen */
    for (size_t i = 0; i < lines->items.count; i++)
        text_format(out, "%s%-*s  %s\n", indent, (int)width, lines->items.items[i].name, lines->items.items[i].value);
}

void value_free_lines(struct value_lines *lines)
{
    for (size_t i = 0; i < lines->items.count; i++) {
        free(lines->items.items[i].name);
        free(lines->items.items[i].value);
    }
    VEC_FREE(&lines->items);
}
