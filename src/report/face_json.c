#include <string.h>

#include "ir/face.h"
#include "report/value_json.h"

static struct json *message_to_json(const struct type *type, const int32_t *cells)
{
    if (type->field_count == 1)
        return value_to_json(type->fields[0].type, cells[0]);
    struct json *message = json_make_array();
    for (uint32_t f = 0; f < type->field_count; f++)
        json_push(message, value_to_json(type->fields[f].type, cells[type->fields[f].offset]));
    return message;
}

static struct json *queue_to_json(const struct face_part *part, const int32_t *cells)
{
    struct json *queue = json_make_array();
    for (uint32_t i = 0; i < face_queue_length(part, cells); i++)
        json_push(queue, message_to_json(face_queue_type(part), cells + face_queue_message(part, i)));
    return queue;
}

static void cells_to_json(const struct layout *layout, const struct face_part *part, const int32_t *cells,
                          struct json *state)
{
    struct text name = {0};
    for (uint32_t i = face_address(part); i < face_address(part) + part->type->cells; i++) {
        text_clear(&name);
        face_cell_name(part, i - face_address(part), &name);
        json_set(state, name.chars, value_to_json(layout->cells[i].type, cells[i]));
    }
    text_free(&name);
}

struct json *face_to_json(const struct layout *layout, const int32_t *cells)
{
    const struct face *face = layout->system->face;
    struct json *state = json_make_object();
    struct text words = {0};
    for (size_t i = 0; i < face->parts.count; i++) {
        const struct face_part *part = &face->parts.items[i];
        if (!face_part_is_there(face, part, cells))
            continue;
        if (part->is_queue) {
            json_set(state, part->name, queue_to_json(part, cells));
        } else if (part->stands) {
            text_clear(&words);
            face_print(face, part, cells, &words);
            json_set(state, part->name, json_make_text(text_chars(&words)));
        } else {
            cells_to_json(layout, part, cells, state);
        }
    }
    text_free(&words);
    return state;
}

struct face_reading {
    const struct layout *layout;
    const struct face *face;
    const struct json *state;
    int32_t *cells;
    size_t found; /* members that were used */
    struct text *message;
};

static bool complain(struct face_reading *reading, const char *name, bool is_there)
{
    text_format(reading->message, is_there ? "\"%s\" has a value that is not of its type" : "the state lacks \"%s\"",
                name);
    return false;
}

/* Where the processes stand: who is not mentioned is not there. */
static bool read_stand(struct face_reading *reading, const struct face_part *part)
{
    const struct face_process *process = &reading->face->processes.items[part->process];
    const struct json *value = json_get(reading->state, part->name);
    const char *words = json_read_text(value);
    if (!value)
        return true;
    reading->found++;
    for (int64_t code = process->first; words && code <= process->last; code++)
        if (!strcmp(part->stands[code - process->first], words)) {
            reading->cells[face_address(part)] = (int32_t)code;
            return true;
        }
    return complain(reading, part->name, true);
}

static bool read_message(const struct type *type, const struct json *value, int32_t *cells)
{
    bool is_list = json_kind(value) == JSON_KIND_ARRAY && json_size(value) == type->field_count;
    bool good = is_list || type->field_count == 1;
    for (uint32_t f = 0; good && f < type->field_count; f++)
        good = value_from_json(type->fields[f].type, is_list ? json_item(value, f) : value,
                               &cells[type->fields[f].offset]);
    return good;
}

static bool read_queue(struct face_reading *reading, const struct face_part *part)
{
    const struct json *value = json_get(reading->state, part->name);
    const struct field *length = &part->type->fields[0];
    bool good = json_kind(value) == JSON_KIND_ARRAY && type_has(length->type, (int64_t)json_size(value));
    reading->found += value != NULL;
    if (good)
        reading->cells[face_address(part) + length->offset] = (int32_t)json_size(value);
    for (size_t i = 0; good && i < json_size(value); i++)
        good = read_message(face_queue_type(part), json_item(value, i),
                            reading->cells + face_queue_message(part, (uint32_t)i));
    return good || complain(reading, part->name, value);
}

static bool read_cells(struct face_reading *reading, const struct face_part *part)
{
    struct text name = {0};
    bool good = true;
    for (uint32_t i = face_address(part); good && i < face_address(part) + part->type->cells; i++) {
        text_clear(&name);
        face_cell_name(part, i - face_address(part), &name);
        const struct json *value = json_get(reading->state, name.chars);
        reading->found += value != NULL;
        good = value && value_from_json(reading->layout->cells[i].type, value, &reading->cells[i]);
        good = good || complain(reading, name.chars, value);
    }
    text_free(&name);
    return good;
}

static bool read_part(struct face_reading *reading, const struct face_part *part)
{
    if (part->stands || !face_part_is_there(reading->face, part, reading->cells))
        return true;
    return part->is_queue ? read_queue(reading, part) : read_cells(reading, part);
}

/* What no part has a name for. */
static void report_stray(void *user, const char *key, const struct json *value)
{
    struct face_reading *reading = user;
    struct text name = {0};
    bool is_known = false;
    (void)value;
    for (size_t i = 0; i < reading->face->parts.count && !is_known; i++) {
        const struct face_part *part = &reading->face->parts.items[i];
        bool is_there = face_part_is_there(reading->face, part, reading->cells);
        is_known = is_there && face_prints(part) && !strcmp(part->name, key);
        for (uint32_t c = 0; is_there && !face_prints(part) && c < part->type->cells && !is_known; c++) {
            text_clear(&name);
            face_cell_name(part, c, &name);
            is_known = !strcmp(name.chars, key);
        }
    }
    if (!is_known && !reading->message->length)
        text_format(reading->message, "there is no variable \"%s\" in this state", key);
    text_free(&name);
}

bool face_from_json(const struct json *state, const struct layout *layout, int32_t *cells, struct text *message)
{
    struct face_reading reading = {layout, layout->system->face, state, cells, 0, message};
    const struct face *face = reading.face;
    bool good = true;
    layout_blank(layout, cells);
    for (size_t i = 0; i < face->processes.count; i++) /* no process is there */
        cells[face->processes.items[i].home->address + face->processes.items[i].offset] =
            type_code(layout->cells[face->processes.items[i].home->address].type, 0);
    for (uint32_t i = 0; i < layout->cell_count; i++)
        if (system_is_internal_cell(layout->system, i))
            cells[i] = type_code(layout->cells[i].type, 0);
    for (size_t i = 0; i < face->parts.count && good; i++)
        good = !face->parts.items[i].stands || read_stand(&reading, &face->parts.items[i]);
    for (size_t i = 0; i < face->parts.count && good; i++)
        good = read_part(&reading, &face->parts.items[i]);
    if (good && reading.found != json_size(state)) {
        json_each(state, report_stray, &reading);
        good = false;
    }
    return good;
}
