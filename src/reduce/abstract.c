/* Between the original system and the reduced one: states and instances. */
#include <string.h>

#include "ir/instance.h"
#include "reduce/inner.h"

/* The class of an element's location, or NONE. */
static uint32_t abstract_class(const struct reduce_family *family, const int32_t *original, uint32_t ordinal,
                               int32_t *values)
{
    for (uint32_t c = 0; c < family->cell_count; c++)
        values[c] = original[family->cells[c].address + ordinal * family->cells[c].stride];
    uint32_t location = location_find(family, values);
    return location == NONE ? NONE : family->locations.items[location].class;
}

static bool abstract_count(const struct reduce_family *family, const int32_t *original, int32_t *values,
                           int32_t *reduced)
{
    int32_t *counts = reduced + family->count->address;
    memset(counts, 0, family->classes.count * sizeof *counts);
    for (uint32_t e = 0; e < family->size; e++) {
        uint32_t class = abstract_class(family, original, e, values);
        if (class == NONE)
            return false;
        counts[class]++;
    }
    return true;
}

static void abstract_pointer(const struct reduction *reduction, uint32_t number, const int32_t *original,
                             int32_t *values, int32_t *reduced)
{
    const struct pointer *pointer = &reduction->pointers[number];
    int32_t code = original[pointer->address];
    uint32_t family = code == UNDEFINED ? NONE : families_of_code(reduction, code);
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        const struct reduce_family *of = &reduction->families[f];
        if (!pointer->at[f])
            continue;
        int32_t *at = &reduced[pointer->at[f]->address];
        *at = f != family
                  ? UNDEFINED
                  : type_code(of->location_type, abstract_class(of, original, (uint32_t)(code - of->code), values));
    }
    if (pointer->other)
        reduced[pointer->other->address] = family == NONE ? code : UNDEFINED;
    for (uint32_t p = 0; p < number; p++)
        if (pointer->same[p])
            reduced[pointer->same[p]->address] = family != NONE && code == original[reduction->pointers[p].address];
}

bool reduction_abstract(const struct reduction *reduction, const int32_t *original, int32_t *reduced)
{
    uint32_t most = 0;
    bool ok = true;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (reduction->families[f].cell_count > most)
            most = reduction->families[f].cell_count;
    int32_t *values = memory_alloc((most + 1) * sizeof *values);
    for (uint32_t o = 0; o < reduction->object_count; o++)
        memcpy(reduced + reduction->objects[o].variable->address, original + reduction->objects[o].address,
               reduction->objects[o].type->cells * sizeof *reduced);
    for (uint32_t f = 0; f < reduction->family_count && ok; f++)
        ok = abstract_count(&reduction->families[f], original, values, reduced);
    for (uint32_t p = 0; p < reduction->pointer_count && ok; p++)
        abstract_pointer(reduction, p, original, values, reduced);
    free(values);
    return ok;
}

static const struct reduced_rule *abstract_rule(const struct reduction *reduction, const struct rule *reduced,
                                                bool is_start)
{
    return is_start ? &reduction->starts.items[reduced->id] : &reduction->rules.items[reduced->id];
}

/* May it be the element with this code: none of those chosen before, and held by no pointer that holds another? */
static bool abstract_is_free(const struct reduction *reduction, const struct reduced_rule *rule, uint32_t element,
                             int32_t code, const int32_t *original, const int32_t *chosen)
{
    for (uint32_t e = 0; e < element; e++)
        if (chosen[e] == code)
            return false;
    for (uint32_t e = element + 1; e < rule->element_count; e++)
        if (rule->elements[e].pointer != NONE &&
            original[reduction->pointers[rule->elements[e].pointer].address] == code)
            return false;
    for (uint32_t p = 0; original && p < reduction->pointer_count; p++)
        if (rule->decided[p] && original[reduction->pointers[p].address] == code)
            return false;
    return true;
}

static int32_t abstract_choose(const struct reduction *reduction, const struct reduced_rule *rule, uint32_t element,
                               const int32_t *original, const int32_t *chosen)
{
    const struct reduce_family *family = &reduction->families[rule->elements[element].family];
    if (original && rule->elements[element].pointer != NONE)
        return original[reduction->pointers[rule->elements[element].pointer].address];
    int32_t *values = memory_alloc((family->cell_count + 1) * sizeof *values), code = family->code;
    for (uint32_t e = 0; e < family->size; e++) {
        code = family->code + (int32_t)e;
        if (original && abstract_class(family, original, e, values) != rule->elements[element].class)
            continue;
        if (abstract_is_free(reduction, rule, element, code, original, chosen))
            break;
    }
    free(values);
    return code;
}

void reduction_instance(const struct reduction *reduction, const struct rule *reduced, uint64_t instance,
                        const int32_t *original, const struct rule **rule, uint64_t *number)
{
    const struct reduced_rule *from = abstract_rule(reduction, reduced, !original);
    int32_t *chosen = memory_zeroed(from->element_count + 1, sizeof *chosen);
    int32_t *kept = memory_zeroed(reduced->parameter_count + 1, sizeof *kept);
    int32_t *values = memory_zeroed(from->rule->parameter_count + 1, sizeof *values);
    for (uint32_t e = 0; e < from->element_count; e++)
        chosen[e] = abstract_choose(reduction, from, e, original, chosen);
    instance_values(reduced, instance, kept);
    for (uint32_t p = 0; p < from->rule->parameter_count; p++) {
        const struct reduce_value *value = &from->parameters[p];
        values[p] = value->kind == VALUE_ELEMENT    ? chosen[value->number]
                    : value->kind == VALUE_RESIDUAL ? kept[value->number]
                                                    : (int32_t)value->code;
    }
    *rule = from->rule;
    *number = instance_number(from->rule, values);
    free(chosen);
    free(kept);
    free(values);
}

const struct rule *reduction_rule(const struct reduction *reduction, const struct rule *reduced)
{
    return reduction->rules.items[reduced->id].rule;
}
