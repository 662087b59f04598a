/* Variables. Copies of a module whose variables have the same ranges are a family: an enumeration of the modules'
 * names, and for each variable of the module an array over it. So are variables of others that the copies use each in
 * their own way, or that are numbered like them (x1, x2, ...): they go into arrays over the same enumeration. Numbered
 * variables that belong to no family get an enumeration of their own.
 *
 * Symmetry is looked for among the elements of these enumerations; whether there is any is for the analysis to prove. */
#include <ctype.h>
#include <string.h>

#include "lang/prism/lower.h"

struct family {
    uint32_t *members; /* components */
    uint32_t count;
    const struct type *index; /* made when the first array needs it */
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

static bool is_homeless(const struct prism_lowering *lower, const struct prism_variable *variable)
{
    return !lower->homes[variable->number].variable;
}

static const struct type *index_of(struct prism_lowering *lower, struct family *family)
{
    const struct prism_component *components = lower->network->components;
    if (family->index)
        return family->index;
    const char **labels = ARENA_ARRAY(lower->system->arena, const char *, family->count);
    for (uint32_t i = 0; i < family->count; i++)
        labels[i] = components[family->members[i]].name.text;
    const struct prism_name *first = &components[family->members[0]].name;
    family->index = type_enum(lower->system, arena_format(lower->system->arena, "%s and its copies", first->text),
                              labels, family->count, first->span);
    return family->index;
}

/* One array for variables that correspond to each other, in the order of the index. */
static void add_array(struct prism_lowering *lower, const struct type *index,
                      const struct prism_variable *const *variables)
{
    const struct prism_variable *first = variables[0];
    const struct type *array = type_array(lower->system, NULL, index, type_of(lower, first), first->name.span);
    if (!array) {
        prism_error(lower->reader, first->name.span, "there are too many copies of \"%s\"", first->name.text);
        return;
    }
    struct variable *variable = system_add_global(lower->system, first->name.text, array, first->name.span);
    const char **names = ARENA_ARRAY(lower->system->arena, const char *, index->size);
    for (uint32_t i = 0; i < index->size; i++) {
        names[i] = arena_string(lower->system->arena, variables[i]->name.text);
        lower->homes[variables[i]->number] = (struct prism_home){variable, index, type_code(index, i)};
    }
    variable->element_names = names;
}

/* Are these as many different variables, alike, and in no array yet? */
static bool is_row(const struct prism_lowering *lower, const struct prism_variable *const *row, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!row[i] || !is_homeless(lower, row[i]) || row[i]->type != row[0]->type || row[i]->low != row[0]->low ||
            row[i]->high != row[0]->high)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (row[k] == row[i])
                return false;
    }
    return true;
}

/* --- what the copies use --- */

struct use {
    const struct prism_variable **items; /* in the order in which they are met */
    size_t count, capacity;
};

static void use_expr(struct use *use, const struct prism_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == PRISM_EXPR_VARIABLE)
        VEC_PUSH(use, expr->variable);
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        use_expr(use, expr->arguments.items[i]);
    use_expr(use, expr->condition);
    use_expr(use, expr->left);
    use_expr(use, expr->right);
}

static void use_component(struct use *use, const struct prism_component *component)
{
    for (uint32_t c = 0; c < component->command_count; c++) {
        const struct prism_action_command *command = &component->commands[c];
        use_expr(use, command->guard);
        for (uint32_t o = 0; o < command->outcome_count; o++) {
            use_expr(use, command->outcomes[o].weight);
            for (uint32_t w = 0; w < command->outcomes[o].write_count; w++) {
                VEC_PUSH(use, command->outcomes[o].writes[w].variable);
                use_expr(use, command->outcomes[o].writes[w].value);
            }
        }
    }
}

/* Copies have the same text: what stands in the same place corresponds. */
static void add_used(struct prism_lowering *lower, struct family *family)
{
    struct use *uses = memory_zeroed(family->count, sizeof *uses);
    const struct prism_variable **row = ARENA_ARRAY(lower->system->arena, const struct prism_variable *, family->count);
    bool is_alike = true;
    for (uint32_t i = 0; i < family->count; i++) {
        use_component(&uses[i], &lower->network->components[family->members[i]]);
        is_alike &= uses[i].count == uses[0].count;
    }
    for (size_t u = 0; is_alike && u < uses[0].count; u++) {
        for (uint32_t i = 0; i < family->count; i++)
            row[i] = uses[i].items[u];
        if (is_row(lower, row, family->count))
            add_array(lower, index_of(lower, family), row);
    }
    for (uint32_t i = 0; i < family->count; i++)
        VEC_FREE(&uses[i]);
    free(uses);
}

/* --- what is numbered --- */

/* Where the number at the end of a name begins. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    while (length && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

static bool has_stem(const char *name, const char *of)
{
    size_t length = stem_length(of);
    return stem_length(name) == length && !strncmp(name, of, length) && name[length] && of[length];
}

/* The variable with that stem and the number of the module. */
static const struct prism_variable *find_numbered(const struct prism_lowering *lower, const char *stem_of,
                                                  const char *module)
{
    const struct prism_network *network = lower->network;
    for (uint32_t v = 0; v < network->variable_count; v++) {
        const char *name = network->variables[v]->name.text;
        if (has_stem(name, stem_of) && !strcmp(name + stem_length(name), module + stem_length(module)))
            return network->variables[v];
    }
    return NULL;
}

static void add_numbered(struct prism_lowering *lower, struct family *family)
{
    const struct prism_network *network = lower->network;
    const struct prism_variable **row = ARENA_ARRAY(lower->system->arena, const struct prism_variable *, family->count);
    for (uint32_t v = 0; v < network->variable_count; v++) {
        const char *name = network->variables[v]->name.text;
        if (!is_homeless(lower, network->variables[v]))
            continue;
        for (uint32_t i = 0; i < family->count; i++)
            row[i] = find_numbered(lower, name, network->components[family->members[i]].name.text);
        if (is_row(lower, row, family->count))
            add_array(lower, index_of(lower, family), row);
    }
}

/* The variables with the stem of this one, if there are several alike. */
static void add_by_stem(struct prism_lowering *lower, const struct prism_variable *first)
{
    const struct prism_network *network = lower->network;
    const struct prism_variable **row =
        ARENA_ARRAY(lower->system->arena, const struct prism_variable *, network->variable_count);
    const char **labels = ARENA_ARRAY(lower->system->arena, const char *, network->variable_count);
    uint32_t count = 0;
    for (uint32_t v = 0; v < network->variable_count; v++)
        if (is_homeless(lower, network->variables[v]) && has_stem(network->variables[v]->name.text, first->name.text)) {
            row[count] = network->variables[v];
            labels[count++] = arena_string(lower->system->arena, network->variables[v]->name.text);
        }
    if (count < 2 || !is_row(lower, row, count))
        return;
    const char *name = arena_format(lower->system->arena, "%s and the like", labels[0]);
    add_array(lower, type_enum(lower->system, name, labels, count, first->name.span), row);
}

/* --- all of them --- */

static void lower_family(struct prism_lowering *lower, struct family *family)
{
    const struct prism_component *components = lower->network->components;
    const struct prism_variable **row = ARENA_ARRAY(lower->system->arena, const struct prism_variable *, family->count);
    for (uint32_t field = 0; field < components[family->members[0]].variable_count; field++) {
        for (uint32_t i = 0; i < family->count; i++)
            row[i] = components[family->members[i]].variables[field];
        add_array(lower, index_of(lower, family), row);
    }
}

void prism_lower_variables(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    bool *is_done = ARENA_ARRAY(lower->system->arena, bool, network->component_count);
    struct family *families = ARENA_ARRAY(lower->system->arena, struct family, network->component_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < network->component_count; i++) {
        if (is_done[i])
            continue;
        struct family *family = &families[count];
        *family = (struct family){ARENA_ARRAY(lower->system->arena, uint32_t, network->component_count), 0, NULL};
        for (uint32_t k = i; k < network->component_count; k++)
            if (!is_done[k] && has_same_ranges(&network->components[i], &network->components[k])) {
                family->members[family->count++] = k;
                is_done[k] = true;
            }
        count += family->count > 1;
    }
    for (uint32_t f = 0; f < count; f++)
        lower_family(lower, &families[f]);
    for (uint32_t f = 0; f < count; f++)
        add_used(lower, &families[f]);
    for (uint32_t f = 0; f < count; f++)
        add_numbered(lower, &families[f]);
    for (uint32_t v = 0; v < network->variable_count; v++)
        if (is_homeless(lower, network->variables[v]))
            add_by_stem(lower, network->variables[v]);
    for (uint32_t v = 0; v < network->variable_count; v++)
        if (is_homeless(lower, network->variables[v]))
            add_single(lower, network->variables[v]);
}
