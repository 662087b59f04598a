/* From what was written to the network: constants, variables, components with their commands, rewards and labels. */
#include <string.h>

#include "lang/prism/resolve.h"
#include "lang/prism/symbols.h"

enum { MAX_COPY_DEPTH = 100 };

/* A component under way: the module its text comes from, and the renamings that lead to it. */
struct prism_origin {
    const struct prism_module *text;
    const struct prism_scope *scope; /* NULL: no copy */
    uint32_t original;
};

static uint32_t find_module(const struct prism_reader *reader, const char *name)
{
    for (uint32_t i = 0; i < reader->model->module_count; i++)
        if (reader->model->modules[i].name.text && !strcmp(reader->model->modules[i].name.text, name))
            return i;
    return UINT32_MAX;
}

/* Follows "module b = a [...]" back to the module that has a text. */
static bool find_origin(struct prism_reader *reader, uint32_t number, struct prism_origin *origin)
{
    const struct prism_module *module = &reader->model->modules[number];
    *origin = (struct prism_origin){module, NULL, number};
    for (uint32_t depth = 0; module->base.text; depth++) {
        struct prism_scope *scope = ARENA_NEW(reader->arena, struct prism_scope);
        *scope = (struct prism_scope){module, origin->scope}; /* the renaming nearest to the text comes first */
        origin->scope = scope;
        uint32_t base = find_module(reader, module->base.text);
        if (base == UINT32_MAX || depth == MAX_COPY_DEPTH) {
            prism_error(reader, module->base.span,
                        base == UINT32_MAX ? "there is no module \"%s\"" : "the module \"%s\" is a copy of itself",
                        module->base.text);
            return false;
        }
        module = &reader->model->modules[base];
        origin->original = base;
    }
    origin->text = module;
    return true;
}

static void add_constants(struct prism_reader *reader, const struct prism_constant *constants, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        prism_symbols_add(
            reader,
            (struct prism_symbol){.kind = PRISM_SYMBOL_CONSTANT, .name = constants[i].name, .constant = &constants[i]});
}

static void add_symbols(struct prism_reader *reader)
{
    add_constants(reader, reader->model->constants, reader->model->constant_count);
    if (reader->properties)
        add_constants(reader, reader->properties->constants, reader->properties->constant_count);
    for (uint32_t i = 0; i < reader->model->formula_count; i++)
        prism_symbols_add(reader, (struct prism_symbol){.kind = PRISM_SYMBOL_FORMULA,
                                                        .name = reader->model->formulas[i].name,
                                                        .formula = &reader->model->formulas[i]});
}

/* All that have a value, so that mistakes in them are found though nothing uses them. */
static void evaluate_constants(struct prism_reader *reader)
{
    for (size_t i = 0; i < reader->symbols.count; i++) {
        struct prism_symbol *symbol = reader->symbols.items[i];
        if (symbol->kind == PRISM_SYMBOL_CONSTANT &&
            (symbol->constant->definition || reading_define(&reader->reading, symbol->name.text)))
            prism_symbols_value(reader, symbol, symbol->name.span);
    }
}

static int64_t bound(struct prism_reader *reader, const struct prism_expr *expr, const struct prism_scope *scope,
                     enum prism_type type, const char *what)
{
    const struct prism_value *value = prism_resolve_constant(reader, expr, scope, type, what);
    return value ? value->integer : 0;
}

static void set_range(struct prism_reader *reader, struct prism_variable *variable,
                      const struct prism_declaration *written, const struct prism_scope *scope)
{
    variable->high = 1;
    if (written->type == PRISM_TYPE_INT && written->low && written->high) {
        variable->low = bound(reader, written->low, scope, PRISM_TYPE_INT, "the least value");
        variable->high = bound(reader, written->high, scope, PRISM_TYPE_INT, "the greatest value");
        if (variable->low > variable->high) {
            prism_error(reader, written->low->span, "the range of \"%s\" is empty: [%lld..%lld]", variable->name.text,
                        (long long)variable->low, (long long)variable->high);
            variable->high = variable->initial = variable->low;
            return;
        } else if (variable->low <= INT32_MIN || variable->high > INT32_MAX)
            prism_error(reader, written->low->span, "the range of \"%s\" does not fit 32 bits", variable->name.text);
    }
    variable->initial = variable->low;
    if (!written->initial)
        return;
    size_t before = reader->diagnostics->errors;
    variable->initial = bound(reader, written->initial, scope, written->type, "the initial value");
    bool is_inside = variable->initial >= variable->low && variable->initial <= variable->high;
    if (!is_inside && reader->diagnostics->errors == before)
        prism_error(reader, written->initial->span, "the initial value %lld is not in the range [%lld..%lld]",
                    (long long)variable->initial, (long long)variable->low, (long long)variable->high);
    if (reader->model->initial && reader->diagnostics->errors == before &&
        prism_error(reader, written->initial->span, "initial states are given with init...endinit as well"))
        diag_hint(reader->diagnostics, "remove one of the two");
}

static void add_variables(struct prism_reader *reader, const struct prism_declarations *written, uint32_t module,
                          const struct prism_scope *scope)
{
    for (uint32_t i = 0; i < written->count; i++) {
        struct prism_variable *variable = ARENA_NEW(reader->arena, struct prism_variable);
        *variable = (struct prism_variable){
            .name = written->items[i].name, .type = written->items[i].type, .module = module, .field = i};
        if (!variable->name.text)
            continue;
        const char *renamed = prism_scope_rename(scope, variable->name.text);
        if (scope && renamed == variable->name.text) {
            prism_error(reader, scope->module->name.span, "this copy must rename the variable \"%s\"", renamed);
            continue;
        }
        variable->name.text = renamed;
        set_range(reader, variable, &written->items[i], scope);
        if (prism_symbols_add(reader, (struct prism_symbol){
                                          .kind = PRISM_SYMBOL_VARIABLE, .name = variable->name, .variable = variable}))
            VEC_PUSH(&reader->variables, variable);
        variable->number = (uint32_t)reader->variables.count - 1;
    }
}

static bool writes_before(const struct prism_outcome *outcome, uint32_t count, const struct prism_variable *variable)
{
    for (uint32_t i = 0; i < count; i++)
        if (outcome->writes[i].variable == variable)
            return true;
    return false;
}

static bool resolve_write(struct prism_reader *reader, const struct prism_assignment *written,
                          const struct prism_scope *scope, uint32_t component, bool has_action,
                          struct prism_write *write)
{
    struct prism_name target = written->target;
    target.text = prism_scope_rename(scope, target.text);
    const struct prism_symbol *symbol = prism_symbols_find(reader, target.text);
    if (!symbol) {
        prism_symbols_unknown(reader, target);
        return false;
    }
    if (symbol->kind != PRISM_SYMBOL_VARIABLE) {
        prism_error(reader, target.span, "\"%s\" is not a variable", target.text);
        return false;
    }
    write->variable = symbol->variable;
    if (write->variable->module != PRISM_GLOBAL && write->variable->module != component)
        prism_error(reader, target.span, "\"%s\" belongs to another module and cannot be written here", target.text);
    if (write->variable->module == PRISM_GLOBAL && has_action)
        prism_error(reader, target.span, "a command with an action cannot write the global variable \"%s\"",
                    target.text);
    write->value = prism_resolve_as(reader, written->value, scope, write->variable->type, "the new value");
    return write->value;
}

static void resolve_outcome(struct prism_reader *reader, const struct prism_update *written,
                            const struct prism_scope *scope, uint32_t component, bool has_action,
                            struct prism_outcome *outcome)
{
    outcome->span = written->span;
    if (written->weight)
        outcome->weight = prism_resolve_as(reader, written->weight, scope, PRISM_TYPE_REAL, "a probability or rate");
    outcome->writes = ARENA_ARRAY(reader->arena, struct prism_write, written->count);
    for (uint32_t i = 0; i < written->count; i++) {
        struct prism_write *write = &outcome->writes[outcome->write_count];
        if (!resolve_write(reader, &written->assignments[i], scope, component, has_action, write))
            continue;
        if (writes_before(outcome, outcome->write_count, write->variable))
            prism_error(reader, written->assignments[i].target.span, "\"%s\" is written twice in one update",
                        write->variable->name.text);
        outcome->write_count++;
    }
}

static void resolve_command(struct prism_reader *reader, const struct prism_command *written,
                            const struct prism_scope *scope, uint32_t component, struct prism_action_command *command)
{
    command->span = written->span;
    command->action = written->action.text ? prism_scope_rename(scope, written->action.text) : NULL;
    command->guard = prism_resolve_as(reader, written->guard, scope, PRISM_TYPE_BOOL, "a guard");
    command->outcomes = ARENA_ARRAY(reader->arena, struct prism_outcome, written->update_count);
    command->outcome_count = written->update_count;
    for (uint32_t i = 0; i < written->update_count; i++)
        resolve_outcome(reader, &written->updates[i], scope, component, command->action, &command->outcomes[i]);
}

static void resolve_commands(struct prism_reader *reader, uint32_t number, const struct prism_origin *origin)
{
    struct prism_component *component = &reader->network.components[number];
    component->command_count = origin->text->command_count;
    component->commands = ARENA_ARRAY(reader->arena, struct prism_action_command, component->command_count);
    for (uint32_t i = 0; i < component->command_count; i++)
        resolve_command(reader, &origin->text->commands[i], origin->scope, number, &component->commands[i]);
}

static void check_renamings(struct prism_reader *reader, const struct prism_module *module)
{
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        const struct prism_name *from = &module->renamings[i].from;
        const struct prism_symbol *symbol = from->text ? prism_symbols_find(reader, from->text) : NULL;
        if (symbol && symbol->kind == PRISM_SYMBOL_FORMULA)
            prism_error(reader, from->span, "formulas are expanded before a module is renamed: \"%s\" cannot be",
                        from->text);
        for (uint32_t k = 0; k < i; k++)
            if (module->renamings[i].from.text && module->renamings[k].from.text &&
                !strcmp(module->renamings[i].from.text, module->renamings[k].from.text))
                prism_error(reader, module->renamings[i].from.span, "\"%s\" is renamed twice",
                            module->renamings[i].from.text);
    }
}

static void elaborate_modules(struct prism_reader *reader)
{
    uint32_t count = reader->model->module_count;
    struct prism_network *network = &reader->network;
    struct prism_origin *origins = ARENA_ARRAY(reader->arena, struct prism_origin, count);
    network->component_count = count;
    network->components = ARENA_ARRAY(reader->arena, struct prism_component, count);
    for (uint32_t i = 0; i < count; i++) {
        struct prism_component *component = &network->components[i];
        component->name = reader->model->modules[i].name;
        if (component->name.text && find_module(reader, component->name.text) != i)
            prism_error(reader, component->name.span, "there are two modules \"%s\"", component->name.text);
        check_renamings(reader, &reader->model->modules[i]);
        if (!component->name.text || !find_origin(reader, i, &origins[i]))
            return;
        component->original = origins[i].original;
        uint32_t first = (uint32_t)reader->variables.count;
        add_variables(reader, &origins[i].text->declarations, i, origins[i].scope);
        component->variable_count = (uint32_t)reader->variables.count - first;
        component->variables = arena_copy(reader->arena, VEC_FROM(&reader->variables, first),
                                          component->variable_count * sizeof *component->variables);
    }
    for (uint32_t i = 0; i < count; i++)
        resolve_commands(reader, i, &origins[i]);
}

static bool renames_to(const struct prism_process *process, const char *action)
{
    for (uint32_t i = 0; process && i < process->renaming_count; i++)
        if (!strcmp(process->renamings[i].to.text, action))
            return true;
    return process && (renames_to(process->left, action) || renames_to(process->right, action));
}

/* A reward for what nothing does is a slip of the pen. */
static void check_action(struct prism_reader *reader, struct prism_name action)
{
    VEC(const char *) known = {0};
    bool is_known = renames_to(reader->model->process, action.text);
    for (uint32_t i = 0; i < reader->network.component_count; i++)
        for (uint32_t k = 0; k < reader->network.components[i].command_count; k++) {
            const char *name = reader->network.components[i].commands[k].action;
            is_known |= name && !strcmp(name, action.text);
            if (name)
                VEC_PUSH(&known, name);
        }
    const char *closest = is_known ? NULL : diag_closest(action.text, known.items, known.count);
    if (!is_known && prism_error(reader, action.span, "no command has the action \"%s\"", action.text) && closest)
        diag_hint(reader->diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&known);
}

static void elaborate_rewards(struct prism_reader *reader)
{
    struct prism_network *network = &reader->network;
    network->reward_count = reader->model->reward_count;
    network->rewards = ARENA_ARRAY(reader->arena, struct prism_reward_structure, network->reward_count);
    for (uint32_t i = 0; i < network->reward_count; i++) {
        const struct prism_rewards *written = &reader->model->rewards[i];
        struct prism_reward *items = ARENA_ARRAY(reader->arena, struct prism_reward, written->item_count);
        for (uint32_t k = 0; k < written->item_count; k++) {
            const struct prism_reward_item *item = &written->items[k];
            if (item->is_transition && item->action.text)
                check_action(reader, item->action);
            items[k] = (struct prism_reward){item->is_transition, item->action.text,
                                             prism_resolve_as(reader, item->guard, NULL, PRISM_TYPE_BOOL, "a guard"),
                                             prism_resolve_as(reader, item->value, NULL, PRISM_TYPE_REAL, "a reward")};
        }
        for (uint32_t k = 0; k < i && written->name.text; k++)
            if (network->rewards[k].name && !strcmp(network->rewards[k].name, written->name.text))
                prism_error(reader, written->name.span, "there are two reward structures \"%s\"", written->name.text);
        network->rewards[i] =
            (struct prism_reward_structure){written->name.text, written->span, items, written->item_count};
    }
}

/* Also those that nothing uses, though what they come to does not matter then. */
static void check_formulas(struct prism_reader *reader)
{
    reader->untaken++;
    for (uint32_t i = 0; i < reader->model->formula_count; i++)
        prism_resolve(reader, reader->model->formulas[i].definition, NULL);
    reader->untaken--;
}

static void list_open(const struct prism_constant *constants, uint32_t count, struct text *list)
{
    for (uint32_t i = 0; i < count; i++)
        if (!constants[i].definition)
            text_format(list, "%s%s", list->length ? ", " : "", constants[i].name.text);
}

/* Its name may mean a variable: that was said (symbols.c). */
static bool is_constant_of_properties(const struct prism_reader *reader, const char *name)
{
    for (uint32_t i = 0; reader->properties && i < reader->properties->constant_count; i++) {
        const char *text = reader->properties->constants[i].name.text;
        if (text && !strcmp(text, name))
            return true;
    }
    return false;
}

static void report_unused_defines(struct prism_reader *reader)
{
    struct text open = {0};
    list_open(reader->model->constants, reader->model->constant_count, &open);
    if (reader->properties)
        list_open(reader->properties->constants, reader->properties->constant_count, &open);
    for (size_t i = 0; i < reader->reading.define_count; i++) {
        const struct define *define = &reader->reading.defines[i];
        const struct prism_symbol *symbol = prism_symbols_find(reader, define->name);
        if ((!symbol || symbol->kind != PRISM_SYMBOL_CONSTANT) && !is_constant_of_properties(reader, define->name) &&
            prism_error(reader, (struct span){.source = reader->source},
                        "-D %s=%s: the model declares no constant \"%s\"", define->name, define->value, define->name))
            diag_hint(reader->diagnostics, "constants without a value: %s", open.length ? open.chars : "none");
    }
    text_free(&open);
}

void prism_elaborate(struct prism_reader *reader)
{
    struct prism_network *network = &reader->network;
    network->type = reader->model->type;
    if (!reader->model->module_count)
        prism_error(reader, (struct span){.source = reader->source}, "the model has no module");
    add_symbols(reader);
    evaluate_constants(reader);
    add_variables(reader, &reader->model->globals, PRISM_GLOBAL, NULL);
    elaborate_modules(reader);
    network->variable_count = (uint32_t)reader->variables.count;
    network->variables = VEC_SEAL(&reader->variables, reader->arena);
    elaborate_rewards(reader);
    if (reader->model->initial)
        network->initial =
            prism_resolve_as(reader, reader->model->initial, NULL, PRISM_TYPE_BOOL, "the initial states");
    if (!reader->diagnostics->errors)
        check_formulas(reader);
    report_unused_defines(reader);
}
