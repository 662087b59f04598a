/* Variables. Copies of a module whose variables have the same ranges are a family: an enumeration of the modules'
 * names, and for each variable of the module an array over it. Symmetry is looked for among the elements of such an
 * enumeration; whether there is any is for the analysis to prove. */
#include "lang/prism/lower.h"

struct family {
    uint32_t *members; /* components */
    uint32_t count;
};

static bool has_same_ranges(const struct prism_component *a, const struct prism_component *b)
{
    if (a->original != b->original || a->variable_count != b->variable_count)
        return false;
    for (uint32_t i = 0; i < a->variable_count; i++)
        if (a->variables[i]->low != b->variables[i]->low || a->variables[i]->high != b->variables[i]->high)
            return false;
    return true;
}

static const struct type *type_of(struct prism_lowering *lower, const struct prism_variable *variable)
{
    if (variable->type == PRISM_TYPE_BOOL)
        return lower->system->boolean;
    return type_range(lower->system, NULL, (int32_t)variable->low, (int32_t)variable->high, variable->name.span);
}

static void add_single(struct prism_lowering *lower, const struct prism_variable *variable)
{
    lower->homes[variable->number].variable = system_add_global(lower->system, variable->name.text,
                                                                type_of(lower, variable), variable->name.span);
}

static const struct type *add_index(struct prism_lowering *lower, const struct family *family)
{
    const struct prism_component *components = lower->network->components;
    const char **labels = ARENA_ARRAY(lower->system->arena, const char *, family->count);
    for (uint32_t i = 0; i < family->count; i++)
        labels[i] = components[family->members[i]].name.text;
    const struct prism_name *first = &components[family->members[0]].name;
    return type_enum(lower->system, arena_format(lower->system->arena, "%s and its copies", first->text), labels,
                     family->count, first->span);
}

/* The array for one variable of the modules of the family. */
static void add_array(struct prism_lowering *lower, const struct family *family, const struct type *index,
                      uint32_t field)
{
    const struct prism_component *components = lower->network->components;
    const struct prism_variable *first = components[family->members[0]].variables[field];
    const struct type *array = type_array(lower->system, NULL, index, type_of(lower, first), first->name.span);
    if (!array) {
        prism_error(lower->reader, first->name.span, "there are too many copies of \"%s\"", first->name.text);
        return;
    }
    struct variable *variable = system_add_global(lower->system, first->name.text, array, first->name.span);
    const char **names = ARENA_ARRAY(lower->system->arena, const char *, family->count);
    for (uint32_t i = 0; i < family->count; i++) {
        const struct prism_variable *copy = components[family->members[i]].variables[field];
        names[i] = arena_string(lower->system->arena, copy->name.text);
        lower->homes[copy->number] = (struct prism_home){variable, index, type_code(index, i)};
    }
    variable->element_names = names;
}

static void lower_family(struct prism_lowering *lower, const struct family *family)
{
    const struct prism_component *first = &lower->network->components[family->members[0]];
    const struct type *index = family->count > 1 ? add_index(lower, family) : NULL;
    for (uint32_t field = 0; field < first->variable_count; field++)
        if (index)
            add_array(lower, family, index, field);
        else
            add_single(lower, first->variables[field]);
}

void prism_lower_variables(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    for (uint32_t i = 0; i < network->variable_count; i++)
        if (network->variables[i]->module == PRISM_GLOBAL)
            add_single(lower, network->variables[i]);
    bool *is_done = ARENA_ARRAY(lower->system->arena, bool, network->component_count);
    for (uint32_t i = 0; i < network->component_count; i++) {
        if (is_done[i])
            continue;
        struct family family = {ARENA_ARRAY(lower->system->arena, uint32_t, network->component_count), 0};
        for (uint32_t k = i; k < network->component_count; k++)
            if (!is_done[k] && has_same_ranges(&network->components[i], &network->components[k])) {
                family.members[family.count++] = k;
                is_done[k] = true;
            }
        lower_family(lower, &family);
    }
}
