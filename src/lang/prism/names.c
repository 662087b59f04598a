/* What editors are told of the names of a PRISM model and its properties. Constants, formulas and variables share one
 * space of names; actions, modules, and what stands in quotes (labels, rewards, properties) have their own. */
#include <stdlib.h>
#include <string.h>

#include "lang/prism/reader.h"

enum prism_space { SPACE_VALUE, SPACE_ACTION, SPACE_MODULE, SPACE_QUOTED, SPACE_COUNT };

struct prism_named {
    const char *name;
    struct span span;
    enum name_kind kind;
};

struct prism_table {
    struct names *names;
    VEC(struct prism_named) items[SPACE_COUNT]; /* by name, once sorted */
};

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const struct prism_named *)a)->name, ((const struct prism_named *)b)->name);
}

static const struct prism_named *find(const struct prism_table *table, enum prism_space space, const char *name)
{
    struct prism_named key = {.name = name};
    return name && table->items[space].count
               ? bsearch(&key, table->items[space].items, table->items[space].count, sizeof key, compare_named)
               : NULL;
}

static void define(struct prism_table *table, enum prism_space space, enum name_kind kind, struct prism_name name)
{
    if (!name.text)
        return;
    struct prism_named named = {name.text, name.span, kind};
    VEC_PUSH(&table->items[space], named);
    if (space == SPACE_ACTION)
        return; /* the first one defines it, see below */
    names_define(table->names, kind, name.text, name.span, names_line(table->names, name.span), NULL);
    if (space == SPACE_QUOTED)
        names_fix(table->names, name.span); /* the quotes are a part of its place */
}

static void use(struct prism_table *table, enum prism_space space, struct prism_name name)
{
    const struct prism_named *named = find(table, space, name.text);
    if (named)
        names_use(table->names, name.span, named->span);
}

/* The first of its name in the text stands for all. */
static void keep_first(struct prism_table *table, enum prism_space space)
{
    if (!table->items[space].count)
        return;
    qsort(table->items[space].items, table->items[space].count, sizeof *table->items[space].items, compare_named);
    size_t kept = 0;
    for (size_t i = 0; i < table->items[space].count; i++) {
        struct prism_named *item = &table->items[space].items[i],
                           *last = kept ? &table->items[space].items[kept - 1] : NULL;
        if (last && !strcmp(last->name, item->name)) {
            bool is_earlier = item->span.source == last->span.source && span_is_before(item->span, last->span);
            *last = is_earlier ? *item : *last;
        } else
            table->items[space].items[kept++] = *item;
    }
    table->items[space].count = kept;
}

/* --- expressions --- */

static void use_expr(struct prism_table *table, const struct prism_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == PRISM_EXPR_NAME)
        use(table, SPACE_VALUE, expr->name);
    else if (expr->kind == PRISM_EXPR_LABEL)
        use(table, SPACE_QUOTED, expr->name);
    use(table, SPACE_QUOTED, expr->reward_name);
    use_expr(table, expr->condition);
    use_expr(table, expr->left);
    use_expr(table, expr->right);
    use_expr(table, expr->bound.threshold);
    use_expr(table, expr->window.lower);
    if (expr->window.upper != expr->window.lower)
        use_expr(table, expr->window.upper);
    use_expr(table, expr->reward_number);
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        use_expr(table, expr->arguments.items[i]);
}

static void use_declarations(struct prism_table *table, const struct prism_declarations *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        use_expr(table, list->items[i].low);
        use_expr(table, list->items[i].high);
        use_expr(table, list->items[i].initial);
    }
}

static void use_commands(struct prism_table *table, const struct prism_module *module)
{
    for (uint32_t c = 0; c < module->command_count; c++) {
        const struct prism_command *command = &module->commands[c];
        use(table, SPACE_ACTION, command->action);
        use_expr(table, command->guard);
        for (uint32_t u = 0; u < command->update_count; u++) {
            use_expr(table, command->updates[u].weight);
            for (uint32_t a = 0; a < command->updates[u].count; a++) {
                use(table, SPACE_VALUE, command->updates[u].assignments[a].target);
                use_expr(table, command->updates[u].assignments[a].value);
            }
        }
    }
}

/* A name may be one of a value and of an action: then both are meant, and neither can be renamed. */
static void use_renamed(struct prism_table *table, struct prism_name name)
{
    use(table, SPACE_VALUE, name);
    use(table, SPACE_ACTION, name);
}

static void use_process(struct prism_table *table, const struct prism_process *process)
{
    if (!process)
        return;
    use(table, SPACE_MODULE, process->name);
    for (uint32_t i = 0; i < process->action_count; i++)
        use(table, SPACE_ACTION, process->actions[i]);
    for (uint32_t i = 0; i < process->renaming_count; i++) {
        use(table, SPACE_ACTION, process->renamings[i].from);
        use(table, SPACE_ACTION, process->renamings[i].to);
    }
    use_process(table, process->left);
    use_process(table, process->right);
}

/* --- definitions --- */

static bool is_variable_of(const struct prism_model *model, struct prism_name module, const char *name, uint32_t depth)
{
    for (uint32_t m = 0; module.text && m < model->module_count && depth < model->module_count; m++) {
        const struct prism_module *base = &model->modules[m];
        if (!base->name.text || strcmp(base->name.text, module.text) != 0)
            continue;
        for (uint32_t i = 0; i < base->declarations.count; i++)
            if (base->declarations.items[i].name.text && !strcmp(base->declarations.items[i].name.text, name))
                return true;
        for (uint32_t r = 0; r < base->renaming_count; r++)
            if (base->renamings[r].to.text && !strcmp(base->renamings[r].to.text, name))
                return base->renamings[r].from.text &&
                       is_variable_of(model, base->base, base->renamings[r].from.text, depth + 1);
        return false;
    }
    return false;
}

static void define_module(struct prism_table *table, const struct prism_model *model, const struct prism_module *module)
{
    define(table, SPACE_MODULE, NAME_MODULE, module->name);
    for (uint32_t i = 0; i < module->declarations.count; i++)
        define(table, SPACE_VALUE, NAME_VARIABLE, module->declarations.items[i].name);
    for (uint32_t i = 0; i < module->command_count; i++)
        define(table, SPACE_ACTION, NAME_ACTION, module->commands[i].action);
    for (uint32_t i = 0; i < module->renaming_count; i++) {
        const struct prism_renaming *renaming = &module->renamings[i];
        if (renaming->from.text && is_variable_of(model, module->base, renaming->from.text, 0))
            define(table, SPACE_VALUE, NAME_VARIABLE, renaming->to);
    }
}

static void define_model(struct prism_table *table, const struct prism_model *model)
{
    for (uint32_t i = 0; i < model->constant_count; i++)
        define(table, SPACE_VALUE, NAME_CONSTANT, model->constants[i].name);
    for (uint32_t i = 0; i < model->formula_count; i++)
        define(table, SPACE_VALUE, NAME_FORMULA, model->formulas[i].name);
    for (uint32_t i = 0; i < model->label_count; i++)
        define(table, SPACE_QUOTED, NAME_FORMULA, model->labels[i].name);
    for (uint32_t i = 0; i < model->globals.count; i++)
        define(table, SPACE_VALUE, NAME_VARIABLE, model->globals.items[i].name);
    for (uint32_t i = 0; i < model->module_count; i++)
        define_module(table, model, &model->modules[i]);
    for (uint32_t i = 0; i < model->reward_count; i++)
        define(table, SPACE_QUOTED, NAME_FORMULA, model->rewards[i].name);
}

static void define_properties(struct prism_table *table, const struct prism_properties *properties)
{
    for (uint32_t i = 0; i < properties->constant_count; i++)
        define(table, SPACE_VALUE, NAME_CONSTANT, properties->constants[i].name);
    for (uint32_t i = 0; i < properties->label_count; i++)
        define(table, SPACE_QUOTED, NAME_FORMULA, properties->labels[i].name);
    for (uint32_t i = 0; i < properties->count; i++)
        define(table, SPACE_QUOTED, NAME_PROPERTY, properties->items[i].name);
}

/* --- uses --- */

static void use_model(struct prism_table *table, const struct prism_model *model)
{
    for (uint32_t i = 0; i < model->constant_count; i++)
        use_expr(table, model->constants[i].definition);
    for (uint32_t i = 0; i < model->formula_count; i++)
        use_expr(table, model->formulas[i].definition);
    for (uint32_t i = 0; i < model->label_count; i++)
        use_expr(table, model->labels[i].definition);
    use_declarations(table, &model->globals);
    for (uint32_t i = 0; i < model->module_count; i++) {
        const struct prism_module *module = &model->modules[i];
        use(table, SPACE_MODULE, module->base);
        use_declarations(table, &module->declarations);
        use_commands(table, module);
        for (uint32_t r = 0; r < module->renaming_count; r++) {
            use_renamed(table, module->renamings[r].from);
            use_renamed(table, module->renamings[r].to);
        }
    }
    for (uint32_t i = 0; i < model->reward_count; i++)
        for (uint32_t r = 0; r < model->rewards[i].item_count; r++) {
            use(table, SPACE_ACTION, model->rewards[i].items[r].action);
            use_expr(table, model->rewards[i].items[r].guard);
            use_expr(table, model->rewards[i].items[r].value);
        }
    use_expr(table, model->initial);
    use_process(table, model->process);
}

static void use_properties(struct prism_table *table, const struct prism_properties *properties)
{
    for (uint32_t i = 0; i < properties->constant_count; i++)
        use_expr(table, properties->constants[i].definition);
    for (uint32_t i = 0; i < properties->label_count; i++)
        use_expr(table, properties->labels[i].definition);
    for (uint32_t i = 0; i < properties->count; i++)
        use_expr(table, properties->items[i].formula);
}

/* --- the outline --- */

static void outline(struct prism_table *table, enum name_kind kind, struct prism_name name, uint32_t depth)
{
    if (name.text)
        names_outline(table->names, kind, name.text, name.span, name.span, name.span, depth);
}

static void outline_module(struct prism_table *table, const struct prism_module *module)
{
    if (!module->name.text)
        return;
    names_outline(table->names, NAME_MODULE, module->name.text, module->name.span, module->from, module->to, 0);
    for (uint32_t i = 0; i < module->declarations.count; i++)
        outline(table, NAME_VARIABLE, module->declarations.items[i].name, 1);
}

static void outline_model(struct prism_table *table, const struct prism_model *model)
{
    for (uint32_t i = 0; i < model->constant_count; i++)
        outline(table, NAME_CONSTANT, model->constants[i].name, 0);
    for (uint32_t i = 0; i < model->formula_count; i++)
        outline(table, NAME_FORMULA, model->formulas[i].name, 0);
    for (uint32_t i = 0; i < model->globals.count; i++)
        outline(table, NAME_VARIABLE, model->globals.items[i].name, 0);
    for (uint32_t i = 0; i < model->module_count; i++)
        outline_module(table, &model->modules[i]);
    for (uint32_t i = 0; i < model->reward_count; i++) {
        const struct prism_rewards *rewards = &model->rewards[i];
        names_outline(table->names, NAME_FORMULA, rewards->name.text ? rewards->name.text : "rewards", rewards->span,
                      rewards->span, rewards->end, 0);
    }
    for (uint32_t i = 0; i < model->label_count; i++)
        outline(table, NAME_FORMULA, model->labels[i].name, 0);
}

static void outline_properties(struct prism_table *table, const struct prism_properties *properties)
{
    for (uint32_t i = 0; i < properties->constant_count; i++)
        outline(table, NAME_CONSTANT, properties->constants[i].name, 0);
    for (uint32_t i = 0; i < properties->label_count; i++)
        outline(table, NAME_FORMULA, properties->labels[i].name, 0);
    for (uint32_t i = 0; i < properties->count; i++) {
        const struct prism_property *property = &properties->items[i];
        struct span span = property->name.text ? property->name.span : property->span;
        const char *title = property->name.text ? property->name.text : names_line(table->names, span);
        names_outline(table->names, NAME_PROPERTY, title, span, span, property->span, 0);
    }
}

void prism_note_names(struct prism_reader *reader)
{
    struct prism_table table = {.names = reader->reading.names};
    if (reader->diagnostics->errors)
        table.names->is_partial = true;
    define_model(&table, reader->model);
    if (reader->properties)
        define_properties(&table, reader->properties);
    for (int space = 0; space < SPACE_COUNT; space++)
        keep_first(&table, (enum prism_space)space);
    for (size_t i = 0; i < table.items[SPACE_ACTION].count; i++) {
        const struct prism_named *action = &table.items[SPACE_ACTION].items[i];
        names_define(table.names, NAME_ACTION, action->name, action->span, names_line(table.names, action->span), NULL);
    }
    use_model(&table, reader->model);
    outline_model(&table, reader->model);
    if (reader->properties) {
        use_properties(&table, reader->properties);
        outline_properties(&table, reader->properties);
    }
    for (int space = 0; space < SPACE_COUNT; space++)
        VEC_FREE(&table.items[space]);
}
