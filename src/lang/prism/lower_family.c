/* Variables. Copies of a module whose variables have the same ranges are a family: an enumeration of the modules'
 * names, and for each variable of the module an array over it. Variables of others that the copies use each in their
 * own way, or that others use in what they do together with one copy, go into arrays over the same enumeration.
 * Variables that are just numbered (x1, x2, ...) get an enumeration of their own.
 *
 * Symmetry is looked for among the elements of these enumerations; whether there is any is for the analysis to prove.
 */
#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "lang/prism/lower.h"

struct prism_family {
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
    lower->homes[variable->number].variable =
        system_add_global(lower->system, variable->name.text, type_of(lower, variable), variable->name.span);
}

static bool is_homeless(const struct prism_lowering *lower, const struct prism_variable *variable)
{
    return !lower->homes[variable->number].variable;
}

static const struct type *index_of(struct prism_lowering *lower, struct prism_family *family)
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

struct prism_use {
    const struct prism_variable **items; /* in the order in which they are met */
    size_t count, capacity;
    struct pairs seen; /* expressions that stand in several places */
};

enum { MOST_USES = 1 << 20 }; /* from then on, what was seen before is not entered again */

static void use_expr(struct prism_use *use, const struct prism_expr *expr)
{
    if (!expr)
        return;
    if (expr->shared && use->count > MOST_USES && pairs_get(&use->seen, expr->shared) != WORDS_NONE)
        return;
    if (expr->shared)
        pairs_set(&use->seen, expr->shared, 1);
    if (expr->kind == PRISM_EXPR_VARIABLE)
        VEC_PUSH(use, expr->variable);
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        use_expr(use, expr->arguments.items[i]);
    use_expr(use, expr->condition);
    use_expr(use, expr->left);
    use_expr(use, expr->right);
}

static void use_command(struct prism_use *use, const struct prism_action_command *command)
{
    use_expr(use, command->guard);
    for (uint32_t o = 0; o < command->outcome_count; o++) {
        use_expr(use, command->outcomes[o].weight);
        for (uint32_t w = 0; w < command->outcomes[o].write_count; w++) {
            VEC_PUSH(use, command->outcomes[o].writes[w].variable);
            use_expr(use, command->outcomes[o].writes[w].value);
        }
    }
}

/* What stands in the same place of texts that correspond to each other, corresponds. */
static void add_rows(struct prism_lowering *lower, struct prism_family *family, const struct prism_use *uses)
{
    const struct prism_variable **row = ARENA_ARRAY(lower->system->arena, const struct prism_variable *, family->count);
    for (uint32_t i = 1; i < family->count; i++)
        if (uses[i].count != uses[0].count)
            return;
    for (size_t u = 0; u < uses[0].count; u++) {
        for (uint32_t i = 0; i < family->count; i++)
            row[i] = uses[i].items[u];
        if (is_row(lower, row, family->count))
            add_array(lower, index_of(lower, family), row);
    }
}

static void free_uses(struct prism_use *uses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        VEC_FREE(&uses[i]);
        pairs_free(&uses[i].seen);
    }
    free(uses);
}

/* Variables of others in the text of the copies. */
static void add_used(struct prism_lowering *lower, struct prism_family *family)
{
    struct prism_use *uses = memory_zeroed(family->count, sizeof *uses);
    for (uint32_t i = 0; i < family->count; i++) {
        const struct prism_component *component = &lower->network->components[family->members[i]];
        for (uint32_t c = 0; c < component->command_count; c++)
            use_command(&uses[i], &component->commands[c]);
    }
    add_rows(lower, family, uses);
    free_uses(uses, family->count);
}

/* Variables in what another module does together with the copies, each by an action of its own: the commands with these
 * actions, in the order in which they are written. */
static void add_partners(struct prism_lowering *lower, struct prism_family *family, uint32_t position,
                         const struct prism_component *partner)
{
    struct prism_use *uses = memory_zeroed(family->count, sizeof *uses);
    for (uint32_t i = 0; i < family->count; i++) {
        const char *action = lower->network->components[family->members[i]].commands[position].action;
        for (uint32_t c = 0; action && c < partner->command_count; c++)
            if (partner->commands[c].action && !strcmp(partner->commands[c].action, action))
                use_command(&uses[i], &partner->commands[c]);
    }
    add_rows(lower, family, uses);
    free_uses(uses, family->count);
}

static void add_acting(struct prism_lowering *lower, struct prism_family *family)
{
    const struct prism_network *network = lower->network;
    uint32_t commands = network->components[family->members[0]].command_count;
    for (uint32_t position = 0; position < commands; position++)
        for (uint32_t k = 0; k < network->component_count; k++)
            if (network->components[k].original != network->components[family->members[0]].original)
                add_partners(lower, family, position, &network->components[k]);
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

static void lower_family(struct prism_lowering *lower, struct prism_family *family)
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
    struct prism_family *families = ARENA_ARRAY(lower->system->arena, struct prism_family, network->component_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < network->component_count; i++) {
        if (is_done[i])
            continue;
        struct prism_family *family = &families[count];
        *family = (struct prism_family){ARENA_ARRAY(lower->system->arena, uint32_t, network->component_count), 0, NULL};
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
        add_acting(lower, &families[f]);
    for (uint32_t v = 0; v < network->variable_count; v++)
        if (is_homeless(lower, network->variables[v]))
            add_by_stem(lower, network->variables[v]);
    for (uint32_t v = 0; v < network->variable_count; v++)
        if (is_homeless(lower, network->variables[v]))
            add_single(lower, network->variables[v]);
}
