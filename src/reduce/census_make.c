/* The system over counters: its variables are the counters and whatever is not counted (the listing in section 5.1 of
 * the paper). */
#include "ir/starts.h"
#include "reduce/census_inner.h"

/* More than anybody would read, or check in reasonable time. */
enum { MOST_COMMANDS = 50000 };

struct expr *census_make_expr(struct census *census, const struct gterm *term, struct span span)
{
    return gterm_expr(census->terms, term, census->out, census->reads, span);
}

static uint32_t read_of(const struct census *census, uint32_t counter)
{
    return census->system->state_cells + counter;
}

/* --- variables --- */

static uint32_t count_initial(const struct census *census, uint32_t family, uint32_t location)
{
    const struct census_family *counted = &census->families.items[family];
    uint32_t count = 0;
    for (uint32_t m = 0; m < counted->count; m++) {
        const struct census_module *module = &census->modules[counted->members[m]];
        bool is_here = true;
        for (uint32_t i = 0; i < counted->variable_count; i++)
            is_here &= module->variables[i]->initial == counted->locations.items[location][i];
        count += is_here;
    }
    return count;
}

/* "s1=2" */
static const char *describe_location(const struct census *census, const struct census_family *family, uint32_t location)
{
    const struct census_module *module = &census->modules[family->members[0]];
    struct text text = {0};
    for (uint32_t i = 0; i < family->variable_count; i++) {
        text_format(&text, "%s%s=", i ? ", " : "", module->variables[i]->name);
        if (module->variables[i]->is_bool)
            text_append(&text, family->locations.items[location][i] ? "true" : "false");
        else
            text_format(&text, "%lld", (long long)family->locations.items[location][i]);
    }
    const char *kept = arena_string(census->arena, text_chars(&text));
    text_free(&text);
    return kept;
}

static bool is_kept(const struct census *census, const struct census_variable *variable)
{
    return variable->module == CENSUS_GLOBAL || census->family_of[variable->module] == NOT_COUNTED;
}

static void add_kept(struct census *census)
{
    struct system *out = census->out;
    census->kept = ARENA_ARRAY(census->arena, uint32_t, census->system->state_cells + 1);
    for (uint32_t i = 0; i < census->chain->order_count; i++) {
        const struct census_variable *variable = &census->variables[census->chain->order[i]];
        if (!is_kept(census, variable))
            continue;
        const struct type *type =
            variable->is_bool ? out->boolean
                              : type_range(out, NULL, (int32_t)variable->low, (int32_t)variable->high, variable->span);
        census->globals[variable->cell] =
            system_add_global(out, arena_string(out->arena, variable->name), type, variable->span);
        census->kept[census->kept_count++] = variable->cell;
    }
}

static void add_counters(struct census *census, uint32_t number, const char **titles, const char **notes)
{
    const struct census_family *family = &census->families.items[number];
    const struct census_module *first = &census->modules[family->members[0]];
    const struct type *type = type_range(census->out, NULL, 0, (int32_t)family->count, first->span);
    titles[census->kept_count + family->first_counter] =
        arena_format(census->arena, "how many of %s .. %s are in each local state, here that of %s", first->name,
                     census->modules[family->members[family->count - 1]].name, first->name);
    for (uint32_t i = 0; i < family->locations.count; i++) {
        uint32_t counter = family->first_counter + i;
        census->globals[read_of(census, counter)] = system_add_global(
            census->out, arena_string(census->out->arena, census->counter_names[counter]), type, first->span);
        notes[census->kept_count + counter] = describe_location(census, family, i);
    }
}

static void add_variables(struct census *census)
{
    uint32_t count = census->system->state_cells + census->counter_count + 1;
    const char **titles = ARENA_ARRAY(census->arena, const char *, count);
    const char **notes = ARENA_ARRAY(census->arena, const char *, count);
    census->globals = ARENA_ARRAY(census->arena, struct variable *, count);
    census->between = ARENA_ARRAY(census->arena, const struct variable *, count);
    census->reads = (const struct variable **)census->globals;
    add_kept(census);
    for (uint32_t f = 0; f < census->families.count; f++)
        add_counters(census, f, titles, notes);
    census->facts.titles = titles;
    census->facts.notes = notes;
}

/* --- start states --- */

struct census_block {
    VEC(struct stmt *) items;
};

static void push_assignment(struct census *census, struct census_block *block, const struct variable *variable,
                            struct expr *value, struct span span)
{
    struct stmt *stmt = stmt_new(census->out, STMT_ASSIGN, span);
    stmt->place = place_variable(census->out, variable, span);
    stmt->value = value;
    VEC_PUSH(&block->items, stmt);
}

static struct block seal(struct census *census, struct census_block *block)
{
    uint32_t count = (uint32_t)block->items.count;
    return (struct block){VEC_SEAL(&block->items, census->out->arena), count};
}

static struct expr *read_variable(struct census *census, const struct variable *variable)
{
    return expr_read(census->out, place_variable(census->out, variable, variable->span), false, variable->span);
}

static void make_only_start(struct census *census, struct rule *start)
{
    struct census_block body = {0};
    for (uint32_t i = 0; i < census->kept_count; i++) {
        const struct variable *variable = census->globals[census->kept[i]];
        push_assignment(
            census, &body, variable,
            expr_const(census->out, variable->type, census->variables[census->kept[i]].initial, variable->span),
            variable->span);
    }
    for (uint32_t f = 0; f < census->families.count; f++)
        for (uint32_t i = 0; i < census->families.items[f].locations.count; i++) {
            const struct variable *variable =
                census->globals[read_of(census, census->families.items[f].first_counter + i)];
            push_assignment(census, &body, variable,
                            expr_const(census->out, variable->type, count_initial(census, f, i), variable->span),
                            variable->span);
        }
    start->body = seal(census, &body);
}

static const struct gterm *sum_of(struct census *census, const struct census_family *family)
{
    census_terms counters = {0};
    for (uint32_t i = 0; i < family->locations.count; i++)
        VEC_PUSH(&counters, gterm_counter(census->terms, family->first_counter + i));
    const struct gterm *sum = gterm_join(census->terms, TERM_ADD, counters.items, (uint32_t)counters.count);
    VEC_FREE(&counters);
    return gterm_pair(census->terms, TERM_EQ, sum, gterm_int(census->terms, family->count));
}

/* The condition, over the start state's parameters. */
static struct expr *make_condition(struct census *census, const struct gterm *condition)
{
    struct expr *guard = census_make_expr(census, condition, census->initial_span);
    for (size_t f = 0; f < census->families.count; f++) {
        const struct gterm *sum = sum_of(census, &census->families.items[f]);
        guard = expr_binary(census->out, OP_AND, guard, census_make_expr(census, sum, census->initial_span),
                            census->initial_span);
    }
    return guard;
}

static bool list_starts(struct census *census, struct rule *start)
{
    double space;
    if (starts_list(census->out, start, &space) == STARTS_FOUND)
        return true;
    return census_error(census, census->initial_span,
                        "the initial states are looked for among %.3g, which takes too long", space);
}

static bool make_open_start(struct census *census, struct rule *start)
{
    struct census_block body = {0};
    const struct gterm *condition = census_translate_or_refuse(census, census->initial, census->initial_span,
                                                               "the condition on the initial states");
    if (!condition)
        return false;
    struct system *out = census->out;
    uint32_t count = census->system->state_cells + census->counter_count;
    start->parameters = ARENA_ARRAY(out->arena, struct parameter, out->globals.count);
    census->reads = ARENA_ARRAY(census->arena, const struct variable *, count);
    for (uint32_t i = 0; i < census->kept_count + census->counter_count; i++) {
        uint32_t from = i < census->kept_count ? census->kept[i] : read_of(census, i - census->kept_count);
        const struct variable *global = census->globals[from];
        const struct variable *parameter = system_add_scratch(out, global->name, global->type, global->span);
        start->parameters[start->parameter_count++] = (struct parameter){parameter, global->type, NULL};
        census->reads[from] = parameter;
        push_assignment(census, &body, global, read_variable(census, parameter), global->span);
    }
    start->body = seal(census, &body);
    start->guard = make_condition(census, condition);
    census->reads = (const struct variable **)census->globals;
    return list_starts(census, start);
}

static bool make_start(struct census *census)
{
    const struct rule *original = census->system->starts.items[0];
    struct rule *start = system_add_start(census->out, "the initial state", original->span);
    if (census->initial)
        return make_open_start(census, start);
    make_only_start(census, start);
    return true;
}

/* --- commands --- */

static void push_moves(struct census *census, const struct census_update *update, struct span span,
                       struct census_block *body)
{
    struct system *out = census->out;
    for (int rises = 0; rises < 2; rises++)
        for (uint32_t c = 0; c < census->counter_count; c++) {
            int32_t move = update->moves[c];
            if (!move || (move > 0) != rises)
                continue;
            const struct variable *counter = census->globals[read_of(census, c)];
            struct expr *amount = expr_const(out, out->integer, rises ? move : -move, span);
            push_assignment(census, body, counter,
                            expr_binary(out, rises ? OP_ADD : OP_SUB, read_variable(census, counter), amount, span),
                            span);
        }
}

/* May a value read what was written before it? */
static bool is_order_felt(const struct census_update *update)
{
    for (uint32_t i = 0; i < update->count; i++)
        if (update->values[i]->has_counter || (i && !gterm_is_value(update->values[i])))
            return true;
    return false;
}

static const struct variable *variable_between(struct census *census, const struct census_variable *variable)
{
    const struct variable **between = &census->between[variable->cell], *global = census->globals[variable->cell];
    if (!*between)
        *between = system_add_scratch(census->out, global->name, global->type, global->span);
    return *between;
}

static struct block make_body(struct census *census, const struct census_update *update, struct span span)
{
    struct census_block body = {0};
    bool is_felt = is_order_felt(update);
    for (uint32_t i = 0; i < update->count && is_felt; i++)
        push_assignment(census, &body, variable_between(census, update->variables[i]),
                        census_make_expr(census, update->values[i], span), span);
    push_moves(census, update, span, &body);
    for (uint32_t i = 0; i < update->count; i++) {
        struct expr *value = is_felt ? read_variable(census, variable_between(census, update->variables[i]))
                                     : census_make_expr(census, update->values[i], span);
        push_assignment(census, &body, census->globals[update->variables[i]->cell], value, span);
    }
    return seal(census, &body);
}

static const struct gterm *whole_command(struct census *census, const struct census_command *command)
{
    struct gterms *terms = census->terms;
    census_terms parts = {0};
    VEC_PUSH(&parts, gterm_join(terms, TERM_AND, command->guard.items, (uint32_t)command->guard.count));
    for (size_t i = 0; i < command->updates.count; i++) {
        const struct census_update *update = &command->updates.items[i];
        VEC_PUSH(&parts, census_weight_term(census, &update->weight));
        for (uint32_t c = 0; c < census->counter_count; c++)
            if (update->moves[c]) {
                VEC_PUSH(&parts, gterm_counter(terms, c));
                VEC_PUSH(&parts, gterm_int(terms, update->moves[c]));
            }
        for (uint32_t k = 0; k < update->count; k++) {
            VEC_PUSH(&parts, gterm_variable(terms, update->variables[k]));
            VEC_PUSH(&parts, update->values[k]);
        }
    }
    const struct gterm *whole = gterm_tuple(terms, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return whole;
}

/* In an mdp the same command once more changes nothing. */
static bool is_repeated(struct census *census, const struct census_command *command)
{
    if (census->chain->kind != CHAIN_MDP)
        return false;
    uint32_t id = whole_command(census, command)->id;
    while (census->is_made.count <= id)
        VEC_PUSH(&census->is_made, false);
    bool is_known = census->is_made.items[id] && !command->action;
    census->is_made.items[id] = true;
    return is_known;
}

static struct expr *make_guard(struct census *census, const struct census_command *command)
{
    struct expr *guard = NULL;
    for (size_t i = 0; i < command->guard.count; i++) {
        struct expr *part = census_make_expr(census, command->guard.items[i], command->span);
        guard = guard ? expr_binary(census->out, OP_AND, guard, part, command->span) : part;
    }
    return guard ? guard : expr_const(census->out, census->out->boolean, 1, command->span);
}

bool census_add_command(struct census *census, const struct census_command *command)
{
    struct system *out = census->out;
    struct choice choice = {.action = command->action ? arena_string(out->arena, command->action) : NULL,
                            .span = command->span,
                            .first_rule = (uint32_t)out->rules.count,
                            .rule_count = (uint32_t)command->updates.count};
    if (is_repeated(census, command))
        return true;
    if (census->made.count == MOST_COMMANDS)
        return census_error(census, command->span, "more than %d commands are needed", MOST_COMMANDS);
    const char *name = arena_format(out->arena, "[%s]", choice.action ? choice.action : "");
    struct expr *guard = make_guard(census, command);
    for (size_t i = 0; i < command->updates.count; i++) {
        const struct census_update *update = &command->updates.items[i];
        struct rule *rule = system_add_rule(out, name, command->span);
        rule->guard = guard;
        rule->weight = census_weight_make(census, &update->weight, command->span);
        rule->body = make_body(census, update, command->span);
    }
    VEC_PUSH(&census->made, choice);
    return true;
}

static bool make_commands(struct census *census)
{
    bool is_good = true;
    for (size_t i = 0; i < census->orbits.count && is_good; i++) {
        size_t before = census->made.count;
        is_good = census_make_commands(census, &census->orbits.items[i]);
        census->orbits.items[i].is_written = census->made.count > before;
    }
    census->facts.commands = census->made.count;
    census->out->chain->choice_count = (uint32_t)census->made.count;
    census->out->chain->choices = VEC_SEAL(&census->made, census->out->arena);
    return is_good;
}

/* --- labels --- */

/* One that distinguishes modules has no formula here: no property that is translated uses it. */
static void make_labels(struct census *census)
{
    struct chain *chain = census->out->chain;
    chain->label_count = census->chain->label_count;
    chain->labels = ARENA_ARRAY(census->out->arena, struct label, chain->label_count);
    for (uint32_t i = 0; i < chain->label_count; i++) {
        const struct label *label = &census->chain->labels[i];
        const struct gterm *formula = census_translate(census, gterm_from(census->terms, label->formula));
        chain->labels[i] = (struct label){arena_string(census->out->arena, label->name), label->span,
                                          formula ? census_make_expr(census, formula, label->span) : NULL};
    }
}

static void set_order(struct census *census)
{
    struct chain *chain = census->out->chain;
    uint32_t *order = ARENA_ARRAY(census->out->arena, uint32_t, census->out->state_cells);
    for (uint32_t i = 0; i < census->out->state_cells; i++)
        order[i] = i;
    chain->order = order;
    chain->order_count = census->out->state_cells;
}

bool census_make_system(struct census *census)
{
    census->out = system_create(census->system->name);
    census->out->language = census->system->language;
    chain_create(census->out, census->chain->kind);
    add_variables(census);
    if (!make_start(census) || !make_commands(census) || !census_make_rewards(census))
        return false;
    make_labels(census);
    census_make_properties(census);
    if (!system_finish(census->out))
        return census_error(census, (struct span){0}, "there are too many counters");
    set_order(census);
    return true;
}
