#include "report/lanes.h"

#include "base/watch.h"
#include "ir/face.h"
#include "ir/instance.h"
#include "report/value.h"

static bool is_same_range(const struct type *one, const struct type *other)
{
    return one == other || (one->kind == TYPE_RANGE && other->kind == TYPE_RANGE &&
                            one->blocks[0].lo == other->blocks[0].lo && one->blocks[0].hi == other->blocks[0].hi);
}

/* A range or enumeration numbers processes when rules come in instances over it; otherwise it numbers slots. */
static bool is_parameter_type(const struct system *system, const struct type *type)
{
    for (size_t r = 0; r < system->rules.count; r++) {
        const struct rule *rule = system->rules.items[r];
        for (uint32_t p = 0; p < rule->parameter_count; p++)
            if (!rule->parameters[p].choose && is_same_range(rule->parameters[p].type, type))
                return true;
    }
    return false;
}

bool lanes_is_process_index(const struct system *system, const struct type *index)
{
    return type_has_index(index) || (index->kind != TYPE_BOOL && is_parameter_type(system, index));
}

static const struct type *owner_of(const struct type *type, int32_t code)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            return type->blocks[b].owner;
    return NULL;
}

void lanes_print_name(const struct lanes *lanes, int32_t lane, struct text *out)
{
    const struct lane *named = lane == LANE_SHARED ? NULL : &lanes->lanes.items[lane];
    if (!named)
        text_append(out, "shared");
    else if (named->process)
        text_append(out, named->process->name);
    else
        type_print_value(named->type, named->code, out);
}

/* The key of an element in lanes->keys: equal for two ranges with the same bounds (is_same_range). */
struct lane_key {
    uint32_t words[4];
};

static struct lane_key key_of(const struct type *owner, int32_t code)
{
    uintptr_t address = (uintptr_t)owner;
    bool is_range = owner->kind == TYPE_RANGE;
    return (struct lane_key){{is_range, is_range ? (uint32_t)owner->blocks[0].lo : (uint32_t)address,
                              is_range ? (uint32_t)owner->blocks[0].hi : (uint32_t)((uint64_t)address >> 32),
                              (uint32_t)code}};
}

int32_t lanes_of_code(const struct lanes *lanes, const struct type *type, int32_t code)
{
    const struct type *owner = type_is_scalar(type) && code != UNDEFINED ? owner_of(type, code) : NULL;
    if (!owner || !words_count(&lanes->keys))
        return LANE_SHARED;
    struct lane_key key = key_of(owner, code);
    uint32_t lane = words_find(&lanes->keys, key.words, sizeof key.words / sizeof *key.words);
    return lane == WORDS_NONE ? LANE_SHARED : (int32_t)lane;
}

int32_t lanes_of_partner(const struct rule *rule, uint64_t instance)
{
    return rule->shown && rule->shown->actor_count > 1 ? (int32_t)face_actor(rule, instance, 1) : LANE_SHARED;
}

int32_t lanes_of_instance(const struct lanes *lanes, const struct rule *rule, uint64_t instance)
{
    if (rule->shown)
        return rule->shown->actor_count ? (int32_t)face_actor(rule, instance, 0) : LANE_SHARED;
    int32_t *values = memory_zeroed(rule->parameter_count + 1, sizeof *values), lane = LANE_SHARED;
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count && lane == LANE_SHARED; p++)
        if (!rule->parameters[p].choose)
            lane = lanes_of_code(lanes, rule->parameters[p].type, values[p]);
    free(values);
    return lane;
}

static int32_t add_lane(struct lanes *lanes, const struct type *index, int32_t code)
{
    const struct type *owner = owner_of(index, code);
    if (!owner)
        return LANE_SHARED;
    struct lane_key key = key_of(owner, code);
    uint32_t lane = words_intern(&lanes->keys, key.words, sizeof key.words / sizeof *key.words);
    if (lane == lanes->lanes.count)
        VEC_PUSH(&lanes->lanes, ((struct lane){.type = owner, .code = code}));
    return (int32_t)lane;
}

/* lanes_is_process_index, which asks all rules: arrays in arrays ask for one type again and again. */
static bool picks_lane(struct lanes *lanes, const struct type *index)
{
    if (lanes->known_index != index)
        lanes->known_index_is_process = lanes_is_process_index(lanes->layout->system, index);
    lanes->known_index = index;
    return lanes->known_index_is_process;
}

/* Of an element of an array that is in this lane itself. */
static int32_t lane_of_element(struct lanes *lanes, const struct type *index, uint32_t i, int32_t lane)
{
    bool picks = lane == LANE_SHARED && !lanes->layout->system->face && picks_lane(lanes, index);
    return picks ? add_lane(lanes, index, type_code(index, i)) : lane;
}

/* Walks a value, extending the name on the way down and cutting it on the way up. */
static void add_entries(struct lanes *lanes, const struct type *type, uint32_t address, int32_t lane, struct text *name)
{
    size_t length = name->length;
    if (type->kind == TYPE_ARRAY) {
        for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
            text_char(name, '[');
            type_print_value(type->index, type_code(type->index, i), name);
            text_char(name, ']');
            add_entries(lanes, type->element, address + i * type->element->cells,
                        lane_of_element(lanes, type->index, i, lane), name);
            name->chars[name->length = length] = '\0';
        }
    } else if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++) {
            text_format(name, ".%s", type->fields[f].name);
            add_entries(lanes, type->fields[f].type, address + type->fields[f].offset, lane, name);
            name->chars[name->length = length] = '\0';
        }
    } else {
        VEC_PUSH(&lanes->entries,
                 ((struct lane_entry){
                     .type = type, .address = address, .lane = lane, .name = memory_string(text_chars(name))}));
    }
}

/* As the front end says: the number of a process is that of its lane. */
static void find_by_face(struct lanes *lanes, const struct face *face)
{
    struct text name = {0};
    for (size_t i = 0; i < face->processes.count; i++)
        VEC_PUSH(&lanes->lanes, ((struct lane){.process = &face->processes.items[i]}));
    for (size_t i = 0; i < face->parts.count; i++) {
        const struct face_part *part = &face->parts.items[i];
        int32_t lane = part->process == FACE_SHARED ? LANE_SHARED : (int32_t)part->process;
        size_t first = lanes->entries.count;
        text_clear(&name);
        text_append(&name, part->name);
        if (face_prints(part))
            VEC_PUSH(&lanes->entries, ((struct lane_entry){.type = part->type,
                                                           .address = face_address(part),
                                                           .lane = lane,
                                                           .name = memory_string(part->name)}));
        else
            add_entries(lanes, part->type, face_address(part), lane, &name);
        for (size_t e = first; e < lanes->entries.count; e++) {
            lanes->entries.items[e].part = part;
            lanes->entries.items[e].lane = lane;
        }
    }
    text_free(&name);
}

bool lanes_entry_is_there(const struct lanes *lanes, const struct lane_entry *entry, const int32_t *cells)
{
    if (entry->part && !face_part_is_there(lanes->layout->system->face, entry->part, cells))
        return false;
    return !type_is_scalar(entry->type) || type_has_value(entry->type, cells[entry->address]);
}

void lanes_print_entry(const struct lanes *lanes, const struct lane_entry *entry, const int32_t *cells,
                       struct text *out)
{
    if (entry->part && face_prints(entry->part))
        face_print(lanes->layout->system->face, entry->part, cells, out);
    else
        value_print(entry->type, cells + entry->address, out);
}

/* Of an array whose elements have names of their own. */
static void add_named_elements(struct lanes *lanes, const struct variable *variable, struct text *name)
{
    const struct type *type = variable->type;
    for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
        text_clear(name);
        text_append(name, variable->element_names[i]);
        add_entries(lanes, type->element, variable->address + i * type->element->cells,
                    lane_of_element(lanes, type->index, i, LANE_SHARED), name);
    }
}

void lanes_find(const struct layout *layout, struct lanes *lanes)
{
    *lanes = (struct lanes){.layout = layout};
    struct text name = {0};
    if (layout->system->face) {
        find_by_face(lanes, layout->system->face);
        return;
    }
    for (size_t g = 0; g < layout->system->globals.count; g++) {
        const struct variable *variable = layout->system->globals.items[g];
        if (system_is_internal(layout->system, variable))
            continue;
        text_clear(&name);
        text_append(&name, variable->name);
        if (variable->element_names)
            add_named_elements(lanes, variable, &name);
        else
            add_entries(lanes, variable->type, variable->address, LANE_SHARED, &name);
    }
    text_free(&name);
}

void lanes_free(struct lanes *lanes)
{
    for (size_t i = 0; i < lanes->entries.count; i++)
        free(lanes->entries.items[i].name);
    VEC_FREE(&lanes->entries);
    VEC_FREE(&lanes->lanes);
    words_free(&lanes->keys);
}
