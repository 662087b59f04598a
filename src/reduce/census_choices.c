/* What can happen, as terms. */
#include "reduce/census_inner.h"

/* One command of each part, and which outcome of each. */
struct census_combination {
    const struct joint *joint;
    uint32_t *commands, *outcomes;
};

/* What the rewards give for the action, structure by structure: all that makes an action differ from another. */
static const struct gterm *rewards_of(struct census *census, const char *action)
{
    const struct chain *chain = census->chain;
    census_terms items = {0};
    for (uint32_t i = 0; i < chain->reward_count; i++)
        for (uint32_t k = 0; k < chain->rewards[i].count; k++) {
            const struct reward *item = &chain->rewards[i].items[k];
            if (!item->is_transition || !chain_is_same_action(item->action, action))
                continue;
            struct census_weight value = census_weight_from(census, item->value);
            const struct gterm *parts[3] = {gterm_int(census->terms, i),
                                            gterm_from(census->terms, item->guard->formula),
                                            census_weight_term(census, &value)};
            VEC_PUSH(&items, gterm_tuple(census->terms, parts, 3));
        }
    const struct gterm *bag = gterm_join(census->terms, TERM_BAG, items.items, (uint32_t)items.count);
    VEC_FREE(&items);
    return bag;
}

static const struct gterm *whole_outcome(struct census *census, const struct census_outcome *outcome)
{
    census_terms writes = {0};
    for (uint32_t i = 0; i < outcome->count; i++) {
        const struct gterm *parts[2] = {gterm_variable(census->terms, outcome->variables[i]), outcome->values[i]};
        VEC_PUSH(&writes, gterm_tuple(census->terms, parts, 2));
    }
    const struct gterm *parts[2] = {census_weight_term(census, &outcome->weight),
                                    gterm_join(census->terms, TERM_BAG, writes.items, (uint32_t)writes.count)};
    VEC_FREE(&writes);
    return gterm_tuple(census->terms, parts, 2);
}

static const struct gterm *whole_choice(struct census *census, const struct census_choice *choice)
{
    census_terms outcomes = {0};
    for (uint32_t i = 0; i < choice->outcome_count; i++)
        VEC_PUSH(&outcomes, whole_outcome(census, &choice->outcomes[i]));
    const struct gterm *parts[3] = {choice->guard, rewards_of(census, choice->action),
                                    gterm_join(census->terms, TERM_BAG, outcomes.items, (uint32_t)outcomes.count)};
    VEC_FREE(&outcomes);
    return gterm_tuple(census->terms, parts, 3);
}

/* Values read the state before, also where they are kept in scratch variables first. */
static void add_writes(struct census *census, const struct block *body, struct census_outcome *outcome)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const struct stmt *stmt = body->items[i];
        const struct gterm *value = gterm_from(census->terms, stmt->value);
        if (stmt->place->kind == PLACE_VARIABLE && !stmt->place->variable->is_global) {
            gterms_bind(census->terms, stmt->place->variable, value);
            continue;
        }
        outcome->variables[outcome->count] = gterms_variable(census->terms, stmt->place);
        outcome->values[outcome->count++] = value;
    }
}

static void make_room(struct census *census, uint32_t writes, struct census_outcome *outcome)
{
    outcome->variables = ARENA_ARRAY(census->arena, const struct census_variable *, writes);
    outcome->values = ARENA_ARRAY(census->arena, const struct gterm *, writes);
}

static struct census_outcome outcome_of_rule(struct census *census, const struct rule *rule)
{
    struct census_outcome outcome = {.weight = census_weight_from(census, rule->weight), .span = rule->span};
    make_room(census, rule->body.count, &outcome);
    add_writes(census, &rule->body, &outcome);
    return outcome;
}

static const struct joint_command *command_in(const struct census_combination *combination, uint32_t part)
{
    return &combination->joint->parts[part].commands[combination->commands[part]];
}

static struct census_outcome combined_outcome(struct census *census, const struct census_combination *combination)
{
    const struct joint *joint = combination->joint;
    struct census_outcome outcome = {.weight = census_weight_one(census)};
    uint32_t writes = 0;
    for (uint32_t i = 0; i < joint->part_count; i++)
        writes += command_in(combination, i)->outcomes[combination->outcomes[i]].body.count;
    make_room(census, writes, &outcome);
    for (uint32_t i = 0; i < joint->part_count; i++) {
        const struct joint_command *command = command_in(combination, i);
        const struct joint_outcome *part = &command->outcomes[combination->outcomes[i]];
        struct census_weight weight = census_weight_from(census, part->weight);
        outcome.span = command->span;
        outcome.weight = census_weight_multiply(census, &outcome.weight, &weight);
        add_writes(census, &part->body, &outcome);
    }
    return outcome;
}

typedef VEC(struct census_outcome) census_outcomes;

static void add_choice(struct census *census, const struct choice *from, struct census_choice *choice,
                       census_outcomes *outcomes)
{
    choice->action = from->action;
    choice->participants = from->modules;
    choice->participant_count = from->module_count;
    choice->outcome_count = (uint32_t)outcomes->count;
    choice->outcomes = VEC_SEAL(outcomes, census->arena);
    choice->whole = whole_choice(census, choice);
    VEC_PUSH(&census->choices, *choice);
}

static void collect_choice(struct census *census, const struct choice *from)
{
    struct rule *const *rules = census->system->rules.items + from->first_rule;
    const struct expr *guard = rules[0]->guard;
    struct census_choice choice = {.span = from->span, .guard_span = guard ? guard->span : from->span};
    census_outcomes outcomes = {0};
    choice.guard = guard ? gterm_from(census->terms, guard) : gterm_bool(census->terms, true);
    if (gterm_is(choice.guard, false))
        return;
    for (uint32_t i = 0; i < from->rule_count && !watch_is_up(); i++)
        VEC_PUSH(&outcomes, outcome_of_rule(census, rules[i]));
    add_choice(census, from, &choice, &outcomes);
}

/* --- combinations --- */

static bool next_outcomes(const struct census_combination *combination)
{
    for (uint32_t i = combination->joint->part_count; i-- > 0;) {
        if (++combination->outcomes[i] < command_in(combination, i)->outcome_count)
            return true;
        combination->outcomes[i] = 0;
    }
    return false;
}

static bool next_commands(const struct census_combination *combination)
{
    for (uint32_t i = combination->joint->part_count; i-- > 0;) {
        if (++combination->commands[i] < combination->joint->parts[i].command_count)
            return true;
        combination->commands[i] = 0;
    }
    return false;
}

static void collect_combination(struct census *census, const struct choice *from,
                                const struct census_combination *combination)
{
    struct census_choice choice = {.span = command_in(combination, 0)->span,
                                   .guard_span = command_in(combination, 0)->guard->span};
    census_terms guards = {0};
    census_outcomes outcomes = {0};
    for (uint32_t i = 0; i < combination->joint->part_count; i++)
        VEC_PUSH(&guards, gterm_from(census->terms, command_in(combination, i)->guard));
    choice.guard = gterm_join(census->terms, TERM_AND, guards.items, (uint32_t)guards.count);
    VEC_FREE(&guards);
    if (gterm_is(choice.guard, false))
        return;
    do
        VEC_PUSH(&outcomes, combined_outcome(census, combination));
    while (next_outcomes(combination) && !watch_is_up());
    add_choice(census, from, &choice, &outcomes);
}

/* So many ways to synchronise take longer to compare than it is worth. */
enum { MOST_OUTCOMES = 100000 };

/* The outcomes of all combinations: the product over the parts. */
static double count_outcomes(const struct joint *joint)
{
    double product = 1;
    for (uint32_t i = 0; i < joint->part_count; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < joint->parts[i].command_count; k++)
            sum += joint->parts[i].commands[k].outcome_count;
        product *= sum;
    }
    return product;
}

static bool collect_joint(struct census *census, const struct choice *from, const struct joint *joint)
{
    struct census_combination combination = {joint, ARENA_ARRAY(census->arena, uint32_t, joint->part_count),
                                             ARENA_ARRAY(census->arena, uint32_t, joint->part_count)};
    if (count_outcomes(joint) > MOST_OUTCOMES)
        return census_error(census, census->modules[from->modules[0]].span,
                            "synchronised commands (%s) have more than %d combinations",
                            from->action ? from->action : "", MOST_OUTCOMES);
    do
        collect_combination(census, from, &combination);
    while (next_commands(&combination) && !watch_is_up());
    return true;
}

bool census_collect_choices(struct census *census)
{
    const struct chain *chain = census->chain;
    for (uint32_t i = 0; i < chain->choice_count && !watch_is_up(); i++) {
        const struct joint *joint = census->system->rules.items[chain->choices[i].first_rule]->joint;
        if (!joint)
            collect_choice(census, &chain->choices[i]);
        else if (!collect_joint(census, &chain->choices[i], joint))
            return false;
    }
    return true;
}

/* --- everything else --- */

/* The largest parts without operators of the property language. */
static void add_atoms(struct census *census, const struct pctl *formula, census_terms *out)
{
    if (!formula)
        return;
    if (formula->kind == PCTL_TRUTH)
        VEC_PUSH(out, gterm_from(census->terms, formula->proposition->formula));
    if (formula->kind == PCTL_NUMBER) {
        struct census_weight number = census_weight_from(census, formula->number);
        VEC_PUSH(out, census_weight_term(census, &number));
    }
    add_atoms(census, formula->condition_formula, out);
    add_atoms(census, formula->left, out);
    add_atoms(census, formula->right, out);
}

static const struct gterm *state_rewards(struct census *census, const struct reward_structure *structure)
{
    census_terms items = {0};
    for (uint32_t k = 0; k < structure->count; k++) {
        const struct reward *item = &structure->items[k];
        struct census_weight value = census_weight_from(census, item->value);
        const struct gterm *parts[2] = {gterm_from(census->terms, item->guard->formula),
                                        census_weight_term(census, &value)};
        if (!item->is_transition)
            VEC_PUSH(&items, gterm_tuple(census->terms, parts, 2));
    }
    const struct gterm *bag = gterm_join(census->terms, TERM_BAG, items.items, (uint32_t)items.count);
    VEC_FREE(&items);
    return bag;
}

const struct gterm *census_surroundings(struct census *census)
{
    const struct system *system = census->system;
    census_terms parts = {0};
    for (size_t i = 0; i < system->properties.count; i++)
        if (!system->properties.items[i]->refusal)
            add_atoms(census, system->properties.items[i]->pctl, &parts);
    for (uint32_t i = 0; i < census->chain->reward_count; i++)
        VEC_PUSH(&parts, state_rewards(census, &census->chain->rewards[i]));
    if (census->initial)
        VEC_PUSH(&parts, census->initial);
    const struct gterm *all = gterm_tuple(census->terms, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return all;
}
