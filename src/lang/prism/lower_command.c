/* Commands. Each way in which the commands of a joint can combine is a choice; each combination of their updates a
 * rule. */
#include <string.h>

#include "lang/prism/lower.h"

enum { MAX_RULES = 1 << 20, MAX_STARTS = 10 * 1000 * 1000 };

/* The commands that act together, one of each participant, and which update of each. */
struct combination {
    const struct prism_action_command **commands;
    uint32_t *outcomes;
    uint32_t count;
};

struct choices {
    struct choice *items;
    size_t count, capacity;
};

static bool reads(const struct prism_expr *expr, const struct prism_variable *variable)
{
    if (!expr)
        return false;
    if (expr->kind == PRISM_EXPR_VARIABLE)
        return expr->variable == variable;
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        if (reads(expr->arguments.items[i], variable))
            return true;
    return reads(expr->condition, variable) || reads(expr->left, variable) || reads(expr->right, variable);
}

typedef VEC(struct prism_write) writes_t;

/* PRISM's updates happen at once: does a later write read what an earlier one has changed? */
static bool is_order_felt(const writes_t *writes)
{
    for (size_t i = 0; i < writes->count; i++)
        for (size_t k = i + 1; k < writes->count; k++)
            if (reads(writes->items[k].value, writes->items[i].variable))
                return true;
    return false;
}

static struct stmt *assign(struct prism_lowering *lower, struct place *place, struct expr *value, struct span span)
{
    struct stmt *stmt = stmt_new(lower->system, STMT_ASSIGN, span);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}

static struct place *place_between(struct prism_lowering *lower, const struct prism_variable *variable,
                                   const struct type *type, struct span span)
{
    const struct variable **between = &lower->between[variable->number];
    if (!*between)
        *between = system_add_scratch(lower->system, variable->name.text, type, span);
    return place_variable(lower->system, *between, span);
}

/* Through scratch variables where the order would be felt: first all values, then all writes. */
static struct block lower_writes(struct prism_lowering *lower, const writes_t *writes)
{
    VEC(struct stmt *) first = {0};
    VEC(struct stmt *) last = {0};
    bool is_felt = is_order_felt(writes);
    for (size_t i = 0; i < writes->count; i++) {
        const struct prism_write *write = &writes->items[i];
        struct span span = write->value->span;
        struct place *place = prism_lower_variable(lower, write->variable, span);
        struct expr *value = prism_lower_expr(lower, write->value);
        if (value && is_felt) {
            VEC_PUSH(&first, assign(lower, place_between(lower, write->variable, place->type, span), value, span));
            value = expr_read(lower->system, place_between(lower, write->variable, place->type, span), false, span);
        }
        if (value)
            VEC_PUSH(&last, assign(lower, place, value, span));
    }
    for (size_t i = 0; i < last.count; i++)
        VEC_PUSH(&first, last.items[i]);
    VEC_FREE(&last);
    uint32_t count = (uint32_t)first.count;
    return (struct block){VEC_SEAL(&first, lower->system->arena), count};
}

static const struct weight *lower_weight(struct prism_lowering *lower, const struct combination *combination)
{
    struct prism_ratio product = prism_ratio_one(lower);
    for (uint32_t i = 0; i < combination->count; i++) {
        const struct prism_outcome *outcome = &combination->commands[i]->outcomes[combination->outcomes[i]];
        struct prism_ratio factor, so_far = product;
        if (!outcome->weight)
            continue;
        if (!prism_lower_ratio(lower, outcome->weight, &factor))
            return NULL;
        prism_ratio_multiply(lower, outcome->span, &so_far, &factor, &product);
    }
    return prism_ratio_weight(lower, &product);
}

static void add_rule(struct prism_lowering *lower, const char *name, struct expr *guard,
                     const struct combination *combination)
{
    writes_t writes = {0};
    for (uint32_t i = 0; i < combination->count; i++) {
        const struct prism_outcome *outcome = &combination->commands[i]->outcomes[combination->outcomes[i]];
        for (uint32_t k = 0; k < outcome->write_count; k++)
            VEC_PUSH(&writes, outcome->writes[k]);
    }
    struct rule *rule = system_add_rule(lower->system, name, combination->commands[0]->span);
    rule->guard = guard;
    rule->branch_count = 1;
    rule->branches = ARENA_NEW(lower->system->arena, struct branch);
    rule->branches[0].weight = lower_weight(lower, combination);
    rule->branches[0].body = lower_writes(lower, &writes);
    VEC_FREE(&writes);
}

static struct expr *lower_guard(struct prism_lowering *lower, const struct combination *combination)
{
    struct expr *guard = NULL;
    for (uint32_t i = 0; i < combination->count; i++) {
        struct expr *part = prism_lower_expr(lower, combination->commands[i]->guard);
        if (!part)
            return NULL;
        guard = guard ? expr_binary(lower->system, OP_AND, guard, part, part->span) : part;
    }
    return guard;
}

/* "[go] a, b" */
static const char *name_choice(struct prism_lowering *lower, const struct prism_joint *joint)
{
    struct text text = {0};
    text_format(&text, "[%s]", joint->action ? joint->action : "");
    for (uint32_t i = 0; i < joint->count && i < 3; i++)
        text_format(&text, "%s%s", i ? ", " : " ",
                    lower->network->components[joint->participants[i].component].name.text);
    if (joint->count > 3)
        text_append(&text, ", ...");
    const char *name = arena_string(lower->system->arena, text_chars(&text));
    text_free(&text);
    return name;
}

/* Counts up; false after the last one. */
static bool next_outcomes(struct combination *combination)
{
    for (uint32_t i = combination->count; i-- > 0;) {
        if (++combination->outcomes[i] < combination->commands[i]->outcome_count)
            return true;
        combination->outcomes[i] = 0;
    }
    return false;
}

static void add_choice(struct prism_lowering *lower, const struct prism_joint *joint, struct combination *combination,
                       struct choices *choices)
{
    struct expr *guard = lower_guard(lower, combination);
    if (!guard || (guard->kind == EXPR_CONST && !guard->value))
        return;
    const char *name = name_choice(lower, joint);
    struct choice choice = {joint->action ? arena_string(lower->system->arena, joint->action) : NULL,
                            combination->commands[0]->span, (uint32_t)lower->system->rules.count, 0};
    for (uint32_t i = 0; i < combination->count; i++)
        combination->outcomes[i] = 0;
    do
        add_rule(lower, name, guard, combination);
    while (next_outcomes(combination) && lower->system->rules.count <= MAX_RULES);
    choice.rule_count = (uint32_t)lower->system->rules.count - choice.first_rule;
    VEC_PUSH(choices, choice);
}

/* The next command of the component with that action, from `from` on; its command_count when there is none. */
static uint32_t find_command(const struct prism_component *component, const char *action, uint32_t from)
{
    while (from < component->command_count) {
        const char *other = component->commands[from].action;
        if (action && other ? !strcmp(action, other) : action == other)
            break;
        from++;
    }
    return from;
}

static void lower_joint(struct prism_lowering *lower, const struct prism_joint *joint, struct choices *choices)
{
    uint32_t *at = ARENA_ARRAY(lower->system->arena, uint32_t, joint->count);
    struct combination combination = {
        ARENA_ARRAY(lower->system->arena, const struct prism_action_command *, joint->count),
        ARENA_ARRAY(lower->system->arena, uint32_t, joint->count), joint->count};
    uint32_t level = 0;
    at[0] = UINT32_MAX;
    while (lower->system->rules.count <= MAX_RULES) {
        const struct prism_participant *participant = &joint->participants[level];
        const struct prism_component *component = &lower->network->components[participant->component];
        at[level] = find_command(component, participant->action, at[level] + 1);
        if (at[level] == component->command_count) {
            if (!level--)
                return;
            continue;
        }
        combination.commands[level] = &component->commands[at[level]];
        if (level + 1 == joint->count)
            add_choice(lower, joint, &combination, choices);
        else
            at[++level] = UINT32_MAX;
    }
    if (prism_error(lower->reader, combination.commands[0]->span, "the modules act together in more than %d ways",
                    MAX_RULES))
        diag_hint(lower->reader->diagnostics, "fewer modules, or fewer updates in commands with the same action");
}

static struct block lower_initial_values(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    VEC(struct stmt *) body = {0};
    const struct variable **substitutes = lower->substitutes;
    lower->substitutes = NULL;
    for (uint32_t i = 0; i < network->variable_count; i++) {
        const struct prism_variable *variable = network->variables[i];
        struct place *place = prism_lower_variable(lower, variable, variable->name.span);
        struct expr *value =
            substitutes ? expr_read(lower->system, place_variable(lower->system, substitutes[i], place->span), false,
                                    place->span)
                        : expr_const(lower->system, place->type, variable->initial, place->span);
        VEC_PUSH(&body, assign(lower, place, value, place->span));
    }
    uint32_t count = (uint32_t)body.count;
    return (struct block){VEC_SEAL(&body, lower->system->arena), count};
}

/* init ... endinit: a start for every choice of values for which it holds. */
static void add_parameters(struct prism_lowering *lower, struct rule *start)
{
    const struct prism_network *network = lower->network;
    struct prism_span_of_values *ranges = memory_zeroed((size_t)network->variable_count + 1, sizeof *ranges);
    double starts = prism_initial_ranges(network, MAX_STARTS, ranges);
    if (starts < 1)
        prism_error(lower->reader, network->initial->span, "no state satisfies this");
    else if (starts > MAX_STARTS &&
             prism_error(lower->reader, network->initial->span,
                         "the initial states are looked for among %.3g, more than %d", starts, MAX_STARTS))
        diag_hint(lower->reader->diagnostics, "conditions such as \"x=0 & y<=3\" on single variables make them fewer");
    if (starts < 1 || starts > MAX_STARTS) {
        free(ranges);
        return;
    }
    lower->substitutes = ARENA_ARRAY(lower->system->arena, const struct variable *, network->variable_count);
    start->parameter_count = network->variable_count;
    start->parameters = ARENA_ARRAY(lower->system->arena, struct parameter, network->variable_count);
    for (uint32_t i = 0; i < network->variable_count; i++) {
        const struct prism_variable *variable = network->variables[i];
        const struct prism_home *home = &lower->homes[i];
        const struct type *type = home->index ? home->variable->type->element : home->variable->type;
        if (ranges[i].is_narrowed)
            type = type_range(lower->system, NULL, (int32_t)ranges[i].low, (int32_t)ranges[i].high, variable->name.span);
        lower->substitutes[i] =
            system_add_scratch(lower->system, variable->name.text, type, variable->name.span);
        start->parameters[i] = (struct parameter){lower->substitutes[i], type, NULL};
    }
    start->guard = prism_lower_expr(lower, network->initial);
    free(ranges);
}

static void lower_start(struct prism_lowering *lower)
{
    struct rule *start = system_add_start(lower->system, "the initial state", (struct span){0});
    if (lower->network->initial) {
        start->span = lower->network->initial->span;
        add_parameters(lower, start);
    }
    start->branch_count = 1;
    start->branches = ARENA_NEW(lower->system->arena, struct branch);
    start->branches[0].body = lower_initial_values(lower);
}

void prism_lower_commands(struct prism_lowering *lower)
{
    struct choices choices = {0};
    lower_start(lower);
    for (uint32_t i = 0; i < lower->network->joint_count; i++)
        lower_joint(lower, &lower->network->joints[i], &choices);
    lower->system->chain->choice_count = (uint32_t)choices.count;
    lower->system->chain->choices = VEC_SEAL(&choices, lower->system->arena);
}
