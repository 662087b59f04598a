/* Names of the cells of a state, as the user would write them. */
#include "base/text.h"
#include "ir/face.h"
#include "ir/layout.h"

/* The field a cell of the record lies in. */
static const struct field *name_find_field(const struct type *record, uint32_t offset)
{
    for (uint32_t f = 0; f < record->field_count; f++) {
        const struct field *field = &record->fields[f];
        if (offset >= field->offset && offset - field->offset < field->type->cells)
            return field;
    }
    UNREACHABLE("offset outside the record");
}

/* One step down from a value of `type` towards the cell at *offset: prints it and returns the part's type, or NULL
 * when the cell is a taken-flag. */
static const struct type *name_descend(const struct type *type, uint32_t *offset, struct text *out)
{
    if (type->kind == TYPE_RECORD) {
        const struct field *field = name_find_field(type, *offset);
        text_format(out, ".%s", field->name);
        *offset -= field->offset;
        return field->type;
    }
    if (type->kind == TYPE_ARRAY) {
        text_char(out, '[');
        type_print_value(type->index, type_code(type->index, *offset / type->element->cells), out);
        text_char(out, ']');
        *offset %= type->element->cells;
        return type->element;
    }
    ENSURE(type->kind == TYPE_MULTISET);
    text_format(out, "{%u}", *offset / multiset_stride(type));
    *offset %= multiset_stride(type);
    if (*offset == 0) {
        text_append(out, ".taken");
        return NULL;
    }
    *offset -= 1;
    return type->element;
}

void variable_cell_name(const struct variable *variable, uint32_t offset, struct text *out)
{
    const struct type *type = variable->type;
    if (variable->element_names) {
        type = type->element;
        text_append(out, variable->element_names[offset / type->cells]);
        offset %= type->cells;
    } else {
        text_append(out, variable->name);
    }
    while (type && !type_is_scalar(type))
        type = name_descend(type, &offset, out);
}

/* Of a cell of a queue "len(q)" and "q[0]", of its message with several fields "q[0].2". */
static void name_in_queue(const struct face_part *part, uint32_t offset, struct text *out)
{
    if (!offset) {
        text_format(out, "len(%s)", part->name);
        return;
    }
    const struct type *message = face_queue_type(part);
    uint32_t position = (face_address(part) + offset - face_queue_message(part, 0)) / message->cells;
    text_format(out, "%s[%u]", part->name, position);
    offset -= face_queue_message(part, position) - face_address(part);
    if (message->field_count > 1)
        name_descend(message, &offset, out);
}

void face_cell_name(const struct face_part *part, uint32_t offset, struct text *out)
{
    if (part->is_queue) {
        name_in_queue(part, offset, out);
        return;
    }
    text_append(out, part->name);
    for (const struct type *type = part->type; type && !type_is_scalar(type);)
        type = name_descend(type, &offset, out);
}

void layout_cell_name(const struct layout *layout, uint32_t cell, struct text *out)
{
    const struct system *system = layout->system;
    const struct face_part *part = system->face ? face_find(system->face, NULL, cell) : NULL;
    if (part) {
        face_cell_name(part, cell - face_address(part), out);
        return;
    }
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        if (cell < variable->address || cell - variable->address >= variable->type->cells)
            continue;
        variable_cell_name(variable, cell - variable->address, out);
        return;
    }
    UNREACHABLE("cell outside the state");
}

void layout_print_state(const struct layout *layout, const int32_t *cells, struct text *out)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (!layout->cells[c].type || !type_has_value(layout->cells[c].type, cells[c]) ||
            system_is_internal_cell(layout->system, c))
            continue;
        text_append(out, "\n    ");
        layout_cell_name(layout, c, out);
        text_append(out, " = ");
        type_print_value(layout->cells[c].type, cells[c], out);
    }
}
