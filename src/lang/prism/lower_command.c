/* Commands. Each way in which the commands of a joint can combine is a choice; each combination of their updates a
 * rule. */
#include <string.h>

#include "base/watch.h"
#include "lang/prism/lower.h"

/* Up to so many rules, those of a joint are written down one by one, unless the reader is told otherwise. */
enum { MAX_RULES = 1 << 20, MOST_COMBINED = 128 };

/* The commands that act together, one of each participant, and which update of each. */
struct command_combination {
    const struct prism_action_command **commands;
    uint32_t *outcomes;
    uint32_t count;
};

struct choices {
    struct choice *items;
    size_t count, capacity;
};

static const struct weight *lower_weight(struct prism_lowering *lower, const struct command_combination *combination)
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
                     const struct command_combination *combination)
{
    struct prism_writes writes = {0};
    for (uint32_t i = 0; i < combination->count; i++) {
        const struct prism_outcome *outcome = &combination->commands[i]->outcomes[combination->outcomes[i]];
        for (uint32_t k = 0; k < outcome->write_count; k++)
            VEC_PUSH(&writes, outcome->writes[k]);
    }
    struct rule *rule = system_add_rule(lower->system, name, combination->commands[0]->span);
    rule->guard = guard;
    rule->weight = lower_weight(lower, combination);
    rule->body = prism_lower_writes(lower, &writes);
    VEC_FREE(&writes);
}

static struct expr *lower_guard(struct prism_lowering *lower, const struct command_combination *combination)
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

/* How many rules they would be. */
static double count_rules(const struct prism_lowering *lower, const struct prism_joint *joint)
{
    double rules = 1;
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct prism_component *component = &lower->network->components[joint->participants[i].component];
        double outcomes = 0;
        for (uint32_t at = 0;
             (at = prism_find_command(component, joint->participants[i].action, at)) < component->command_count; at++)
            outcomes += component->commands[at].outcome_count;
        rules *= outcomes;
    }
    return rules;
}

void prism_lower_participants(struct prism_lowering *lower, const struct prism_joint *joint, struct choice *choice)
{
    uint32_t *modules = ARENA_ARRAY(lower->system->arena, uint32_t, joint->count);
    for (uint32_t i = 0; i < joint->count; i++)
        modules[i] = joint->participants[i].component;
    choice->action = joint->action ? arena_string(lower->system->arena, joint->action) : NULL;
    choice->modules = modules;
    choice->module_count = joint->count;
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
static bool next_outcomes(struct command_combination *combination)
{
    for (uint32_t i = combination->count; i-- > 0;) {
        if (++combination->outcomes[i] < combination->commands[i]->outcome_count)
            return true;
        combination->outcomes[i] = 0;
    }
    return false;
}

/* Written out for an engine, they may be very many; and then it is not the model that is wrong. */
static bool is_late(const struct prism_lowering *lower)
{
    return lower->reader->reading.most_combined && watch_is_up();
}

/* Are all probabilities of the command constants, and not 1 together? */
static bool is_uneven(struct prism_lowering *lower, const struct prism_action_command *command, double *sum)
{
    *sum = 0;
    for (uint32_t i = 0; i < command->outcome_count; i++) {
        struct prism_ratio ratio = prism_ratio_one(lower);
        if (command->outcomes[i].weight && !prism_lower_ratio(lower, command->outcomes[i].weight, &ratio))
            return false;
        if (ratio.top || ratio.bottom)
            return false;
        *sum += rational_to_double(ratio.factor);
    }
    return chain_is_uneven(*sum);
}

/* Which of several commands it is: the product of all sums says nothing about it. */
static void find_uneven(struct prism_lowering *lower, const struct prism_joint *joint,
                        const struct command_combination *combination, struct choice *choice)
{
    if (lower->network->type == PRISM_CTMC || combination->count < 2)
        return;
    for (uint32_t i = 0; i < combination->count && !choice->uneven.module; i++) {
        const struct prism_component *component = &lower->network->components[joint->participants[i].component];
        double sum;
        if (is_uneven(lower, combination->commands[i], &sum))
            choice->uneven = (struct uneven){arena_string(lower->system->arena, component->name.text),
                                             combination->commands[i]->span, sum};
    }
}

static void add_choice(struct prism_lowering *lower, const struct prism_joint *joint,
                       struct command_combination *combination, struct choices *choices)
{
    struct expr *guard = lower_guard(lower, combination);
    if (!guard || (guard->kind == EXPR_CONST && !guard->value))
        return;
    const char *name = name_choice(lower, joint);
    struct choice choice = {.span = combination->commands[0]->span, .first_rule = (uint32_t)lower->system->rules.count};
    prism_lower_participants(lower, joint, &choice);
    find_uneven(lower, joint, combination, &choice);
    for (uint32_t i = 0; i < combination->count; i++)
        combination->outcomes[i] = 0;
    do
        add_rule(lower, name, guard, combination);
    while (next_outcomes(combination) && lower->system->rules.count <= MAX_RULES && !is_late(lower));
    choice.rule_count = (uint32_t)lower->system->rules.count - choice.first_rule;
    VEC_PUSH(choices, choice);
}

uint32_t prism_find_command(const struct prism_component *component, const char *action, uint32_t from)
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
    struct command_combination combination = {
        ARENA_ARRAY(lower->system->arena, const struct prism_action_command *, joint->count),
        ARENA_ARRAY(lower->system->arena, uint32_t, joint->count), joint->count};
    uint32_t level = 0;
    at[0] = UINT32_MAX;
    while (lower->system->rules.count <= MAX_RULES && !is_late(lower)) {
        const struct prism_participant *participant = &joint->participants[level];
        const struct prism_component *component = &lower->network->components[participant->component];
        at[level] = prism_find_command(component, participant->action, at[level] + 1);
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
    if (is_late(lower))
        prism_error(lower->reader, combination.commands[0] ? combination.commands[0]->span : (struct span){0},
                    "the time is over before all combinations of synchronised commands are found");
    else if (prism_error(lower->reader, combination.commands[0]->span,
                         "the synchronised commands have more than %d combinations", MAX_RULES))
        diag_hint(lower->reader->diagnostics, "fewer modules, or fewer updates in commands with the same action");
}

void prism_lower_commands(struct prism_lowering *lower)
{
    struct choices choices = {0};
    uint64_t asked = lower->reader->reading.most_combined;
    double most = asked ? (double)asked : MOST_COMBINED;
    prism_lower_start(lower);
    for (uint32_t i = 0; i < lower->network->joint_count && !diag_is_late(lower->reader->diagnostics); i++) {
        const struct prism_joint *joint = &lower->network->joints[i];
        struct choice choice;
        if (joint->count < 2 || count_rules(lower, joint) <= most)
            lower_joint(lower, joint, &choices);
        else if (prism_lower_lazily(lower, joint, name_choice(lower, joint), &choice))
            VEC_PUSH(&choices, choice);
    }
    lower->system->chain->choice_count = (uint32_t)choices.count;
    lower->system->chain->choices = VEC_SEAL(&choices, lower->system->arena);
}
