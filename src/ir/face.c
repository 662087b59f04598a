#include "ir/face.h"

#include "base/text.h"
#include "ir/instance.h"

enum { QUEUE_LENGTH, QUEUE_MESSAGES };

struct face *face_create(struct system *system)
{
    ENSURE(!system->face);
    system->face = ARENA_NEW(system->arena, struct face);
    return system->face;
}

void face_free(struct face *face)
{
    if (!face)
        return;
    VEC_FREE(&face->processes);
    VEC_FREE(&face->parts);
}

bool face_process_is_there(const struct face *face, uint32_t process, const int32_t *cells)
{
    const struct face_process *one = &face->processes.items[process];
    int32_t code = cells[one->home->address + one->offset];
    return code >= one->first && code <= one->last;
}

bool face_part_is_there(const struct face *face, const struct face_part *part, const int32_t *cells)
{
    return part->process == FACE_SHARED || face_process_is_there(face, part->process, cells);
}

const struct face_part *face_find(const struct face *face, const int32_t *cells, uint32_t cell)
{
    const struct face_part *found = NULL;
    for (size_t i = 0; i < face->parts.count; i++) {
        const struct face_part *part = &face->parts.items[i];
        uint32_t address = face_address(part);
        if (cell < address || cell - address >= part->type->cells)
            continue;
        if (!found || (cells && face_part_is_there(face, part, cells)))
            found = part;
    }
    return found;
}

uint32_t face_queue_length(const struct face_part *part, const int32_t *cells)
{
    int32_t length = cells[face_address(part) + part->type->fields[QUEUE_LENGTH].offset];
    return length > 0 ? (uint32_t)length : 0;
}

uint32_t face_queue_message(const struct face_part *part, uint32_t position)
{
    const struct field *messages = &part->type->fields[QUEUE_MESSAGES];
    return face_address(part) + messages->offset + position * messages->type->element->cells;
}

const struct type *face_queue_type(const struct face_part *part)
{
    return part->type->fields[QUEUE_MESSAGES].type->element;
}

void face_print_message(const struct type *type, const int32_t *cells, struct text *out)
{
    text_append(out, type->field_count > 1 ? "[" : "");
    for (uint32_t f = 0; f < type->field_count; f++) {
        text_append(out, f ? ", " : "");
        type_print_value(type->fields[f].type, cells[type->fields[f].offset], out);
    }
    text_append(out, type->field_count > 1 ? "]" : "");
}

void face_print(const struct face *face, const struct face_part *part, const int32_t *cells, struct text *out)
{
    if (part->stands) {
        text_append(out, part->stands[cells[face_address(part)] - face->processes.items[part->process].first]);
        return;
    }
    text_char(out, '[');
    for (uint32_t i = 0; i < face_queue_length(part, cells); i++) {
        text_append(out, i ? ", " : "");
        face_print_message(face_queue_type(part), cells + face_queue_message(part, i), out);
    }
    text_char(out, ']');
}

uint32_t face_actor(const struct rule *rule, uint64_t instance, uint32_t actor)
{
    const struct face_actor *one = &rule->shown->actors[actor];
    if (one->parameter < 0)
        return one->process;
    int32_t *values = memory_alloc(rule->parameter_count * sizeof *values);
    instance_values(rule, instance, values);
    int64_t ordinal = type_ordinal(rule->parameters[one->parameter].type, values[one->parameter]);
    free(values);
    return one->process + (uint32_t)ordinal;
}
