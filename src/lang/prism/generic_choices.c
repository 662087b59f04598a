/* What can happen, as terms. */
#include <string.h>

#include "lang/prism/generic.h"
#include "lang/prism/resolve.h"

bool generic_error(struct prism_generic *generic, struct span span, const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    report_error(generic->diagnostics, span, "counter abstraction: %s", text_chars(&message));
    text_free(&message);
    return false;
}

/* One command of each participant, and which update of each. */
struct counted_combination {
    const struct prism_action_command **commands;
    uint32_t *outcomes, *at;
};

static bool is_same_action(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* What the rewards give for the action, structure by structure: all that makes an action differ from another. */
static const struct gterm *rewards_of(struct prism_generic *generic, const char *action)
{
    const struct prism_network *network = generic->network;
    generic_terms items = {0};
    for (uint32_t i = 0; i < network->reward_count; i++)
        for (uint32_t k = 0; k < network->rewards[i].count; k++) {
            const struct prism_reward *item = &network->rewards[i].items[k];
            if (!item->is_transition || !is_same_action(item->action, action))
                continue;
            const struct gterm *parts[3] = {gterm_int(generic->terms, i), gterm_from(generic->terms, item->guard),
                                            gterm_from(generic->terms, item->value)};
            VEC_PUSH(&items, gterm_tuple(generic->terms, parts, 3));
        }
    const struct gterm *bag = gterm_join(generic->terms, TERM_BAG, items.items, (uint32_t)items.count);
    VEC_FREE(&items);
    return bag;
}

static const struct gterm *whole_outcome(struct prism_generic *generic, const struct generic_outcome *outcome)
{
    generic_terms writes = {0};
    for (uint32_t i = 0; i < outcome->count; i++) {
        const struct gterm *parts[2] = {gterm_variable(generic->terms, outcome->variables[i]), outcome->values[i]};
        VEC_PUSH(&writes, gterm_tuple(generic->terms, parts, 2));
    }
    const struct gterm *parts[2] = {outcome->weight,
                                    gterm_join(generic->terms, TERM_BAG, writes.items, (uint32_t)writes.count)};
    VEC_FREE(&writes);
    return gterm_tuple(generic->terms, parts, 2);
}

static const struct gterm *whole_choice(struct prism_generic *generic, const struct generic_choice *choice)
{
    generic_terms outcomes = {0};
    for (uint32_t i = 0; i < choice->outcome_count; i++)
        VEC_PUSH(&outcomes, whole_outcome(generic, &choice->outcomes[i]));
    const struct gterm *parts[3] = {choice->guard, rewards_of(generic, choice->action),
                                    gterm_join(generic->terms, TERM_BAG, outcomes.items, (uint32_t)outcomes.count)};
    VEC_FREE(&outcomes);
    return gterm_tuple(generic->terms, parts, 3);
}

static struct generic_outcome make_outcome(struct prism_generic *generic, const struct prism_joint *joint,
                                           const struct counted_combination *combination)
{
    struct generic_outcome outcome = {.weight = gterm_int(generic->terms, 1)};
    uint32_t writes = 0;
    for (uint32_t i = 0; i < joint->count; i++)
        writes += combination->commands[i]->outcomes[combination->outcomes[i]].write_count;
    outcome.variables = ARENA_ARRAY(generic->arena, const struct prism_variable *, writes);
    outcome.values = ARENA_ARRAY(generic->arena, const struct gterm *, writes);
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct prism_outcome *part = &combination->commands[i]->outcomes[combination->outcomes[i]];
        outcome.span = part->span;
        if (part->weight)
            outcome.weight =
                gterm_pair(generic->terms, TERM_MUL, outcome.weight, gterm_from(generic->terms, part->weight));
        for (uint32_t k = 0; k < part->write_count; k++) {
            outcome.variables[outcome.count] = part->writes[k].variable;
            outcome.values[outcome.count++] = gterm_from(generic->terms, part->writes[k].value);
        }
    }
    return outcome;
}

static bool next_outcomes(const struct prism_joint *joint, struct counted_combination *combination)
{
    for (uint32_t i = joint->count; i-- > 0;) {
        if (++combination->outcomes[i] < combination->commands[i]->outcome_count)
            return true;
        combination->outcomes[i] = 0;
    }
    return false;
}

static void add_choice(struct prism_generic *generic, const struct prism_joint *joint,
                       struct counted_combination *combination)
{
    struct generic_choice choice = {.action = joint->action,
                                    .span = combination->commands[0]->span,
                                    .guard_span = combination->commands[0]->guard->span,
                                    .participant_count = joint->count};
    VEC(struct generic_outcome) outcomes = {0};
    generic_terms guards = {0};
    choice.participants = ARENA_ARRAY(generic->arena, uint32_t, joint->count);
    for (uint32_t i = 0; i < joint->count; i++) {
        choice.participants[i] = joint->participants[i].component;
        combination->outcomes[i] = 0;
        VEC_PUSH(&guards, gterm_from(generic->terms, combination->commands[i]->guard));
    }
    choice.guard = gterm_join(generic->terms, TERM_AND, guards.items, (uint32_t)guards.count);
    VEC_FREE(&guards);
    if (gterm_is(choice.guard, false))
        return;
    do
        VEC_PUSH(&outcomes, make_outcome(generic, joint, combination));
    while (next_outcomes(joint, combination) && !watch_is_up());
    choice.outcome_count = (uint32_t)outcomes.count;
    choice.outcomes = VEC_SEAL(&outcomes, generic->arena);
    choice.whole = whole_choice(generic, &choice);
    VEC_PUSH(&generic->choices, choice);
}

static uint32_t find_command(const struct prism_component *component, const char *action, uint32_t from)
{
    while (from < component->command_count && !is_same_action(component->commands[from].action, action))
        from++;
    return from;
}

static void collect_joint(struct prism_generic *generic, const struct prism_joint *joint)
{
    struct counted_combination combination = {
        ARENA_ARRAY(generic->arena, const struct prism_action_command *, joint->count),
        ARENA_ARRAY(generic->arena, uint32_t, joint->count), ARENA_ARRAY(generic->arena, uint32_t, joint->count)};
    uint32_t level = 0;
    combination.at[0] = UINT32_MAX;
    while (!watch_is_up()) {
        const struct prism_participant *participant = &joint->participants[level];
        const struct prism_component *component = &generic->network->components[participant->component];
        combination.at[level] = find_command(component, participant->action, combination.at[level] + 1);
        if (combination.at[level] == component->command_count) {
            if (!level--)
                return;
            continue;
        }
        combination.commands[level] = &component->commands[combination.at[level]];
        if (level + 1 == joint->count)
            add_choice(generic, joint, &combination);
        else
            combination.at[++level] = UINT32_MAX;
    }
}

/* So many ways to act together take longer to compare than it is worth. */
enum { MOST_OUTCOMES = 100000 };

/* The outcomes of all commands that act together: the product over the participants. */
static double count_outcomes(const struct prism_generic *generic, const struct prism_joint *joint)
{
    double product = 1;
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct prism_component *component = &generic->network->components[joint->participants[i].component];
        double sum = 0;
        for (uint32_t k = 0; k < component->command_count; k++)
            if (is_same_action(component->commands[k].action, joint->participants[i].action))
                sum += component->commands[k].outcome_count;
        product *= sum;
    }
    return product;
}

bool generic_collect_choices(struct prism_generic *generic)
{
    const struct prism_network *network = generic->network;
    for (uint32_t i = 0; i < network->joint_count; i++) {
        const struct prism_joint *joint = &network->joints[i];
        if (count_outcomes(generic, joint) > MOST_OUTCOMES)
            return generic_error(generic, network->components[joint->participants[0].component].name.span,
                                 "synchronised commands (%s) have more than %d combinations",
                                 joint->action ? joint->action : "", MOST_OUTCOMES);
        collect_joint(generic, joint);
    }
    return true;
}

/* --- everything else --- */

/* The largest parts without operators of the property language. */
static void add_atoms(struct prism_generic *generic, const struct prism_expr *expr, generic_terms *out)
{
    if (!expr)
        return;
    if (prism_is_plain(expr)) {
        VEC_PUSH(out, gterm_from(generic->terms, expr));
        return;
    }
    add_atoms(generic, expr->condition, out);
    add_atoms(generic, expr->left, out);
    add_atoms(generic, expr->right, out);
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        add_atoms(generic, expr->arguments.items[i], out);
}

static const struct gterm *state_rewards(struct prism_generic *generic, const struct prism_reward_structure *structure)
{
    generic_terms items = {0};
    for (uint32_t k = 0; k < structure->count; k++) {
        const struct prism_reward *item = &structure->items[k];
        const struct gterm *parts[2] = {gterm_from(generic->terms, item->guard),
                                        gterm_from(generic->terms, item->value)};
        if (!item->is_transition)
            VEC_PUSH(&items, gterm_tuple(generic->terms, parts, 2));
    }
    const struct gterm *bag = gterm_join(generic->terms, TERM_BAG, items.items, (uint32_t)items.count);
    VEC_FREE(&items);
    return bag;
}

const struct gterm *generic_surroundings(struct prism_generic *generic)
{
    const struct prism_network *network = generic->network;
    generic_terms parts = {0};
    for (uint32_t i = 0; i < network->property_count; i++)
        add_atoms(generic, network->properties[i].formula, &parts);
    for (uint32_t i = 0; i < network->reward_count; i++)
        VEC_PUSH(&parts, state_rewards(generic, &network->rewards[i]));
    if (network->initial)
        VEC_PUSH(&parts, gterm_from(generic->terms, network->initial));
    const struct gterm *all = gterm_tuple(generic->terms, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return all;
}
