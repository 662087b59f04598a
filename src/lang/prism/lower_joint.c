/* Commands that act together in too many ways to write each of them down: one rule, whose parameters say which command
 * each module takes, and which update of it (struct joint of ir/chain.h).
 *
 * A guard is looked at as soon as the parameters before it are chosen, so in a state only the combinations of commands
 * that are enabled there are gone through. */
#include "lang/prism/lower.h"

/* Numbers of instances are counted in 64 bits, and added up. */
static const double MOST_WAYS = 0x1p62;

struct joining {
    struct prism_lowering *lower;
    const struct prism_joint *source;
    const struct prism_action_command ***commands; /* by part: what was written */
    struct joint *joint;
    struct rule *rule;
    bool is_felt; /* something is read that an earlier part writes */
};

static const struct weight *lower_weight(struct prism_lowering *lower, const struct prism_outcome *outcome)
{
    struct prism_ratio ratio = prism_ratio_one(lower);
    if (outcome->weight && !prism_lower_ratio(lower, outcome->weight, &ratio))
        return NULL;
    return prism_ratio_weight(lower, &ratio);
}

static bool lower_part_command(struct prism_lowering *lower, const struct prism_action_command *written,
                               struct joint_command *command)
{
    *command = (struct joint_command){.span = written->span,
                                      .guard = prism_lower_expr(lower, written->guard),
                                      .outcome_count = written->outcome_count};
    command->outcomes = ARENA_ARRAY(lower->system->arena, struct joint_outcome, written->outcome_count);
    for (uint32_t i = 0; i < written->outcome_count; i++) {
        const struct prism_outcome *outcome = &written->outcomes[i];
        struct prism_writes writes = {outcome->writes, outcome->write_count, outcome->write_count};
        command->outcomes[i].weight = lower_weight(lower, outcome);
        command->outcomes[i].body = prism_lower_writes(lower, &writes);
        if (!command->outcomes[i].weight)
            return false;
    }
    return command->guard;
}

static bool is_never(const struct joint_command *command)
{
    return command->guard->kind == EXPR_CONST && !command->guard->value;
}

/* False: it has none, or an error. */
static bool lower_part(struct joining *joining, uint32_t number)
{
    struct prism_lowering *lower = joining->lower;
    const struct prism_participant *participant = &joining->source->participants[number];
    const struct prism_component *component = &lower->network->components[participant->component];
    struct joint_part *part = &joining->joint->parts[number];
    part->name = arena_string(lower->system->arena, component->name.text);
    part->commands = ARENA_ARRAY(lower->system->arena, struct joint_command, component->command_count);
    joining->commands[number] =
        ARENA_ARRAY(lower->reader->arena, const struct prism_action_command *, component->command_count);
    for (uint32_t at = 0; (at = prism_find_command(component, participant->action, at)) < component->command_count;
         at++) {
        struct joint_command *command = &part->commands[part->command_count];
        if (!lower_part_command(lower, &component->commands[at], command))
            return false;
        joining->commands[number][part->command_count] = &component->commands[at];
        part->command_count += !is_never(command);
    }
    return part->command_count;
}

static uint32_t most_outcomes(const struct joint_part *part)
{
    uint32_t most = 0;
    for (uint32_t c = 0; c < part->command_count; c++)
        most = part->commands[c].outcome_count > most ? part->commands[c].outcome_count : most;
    return most;
}

/* --- parameters --- */

/* JOINT_ALONE: there is nothing to choose. */
static uint32_t add_parameter(struct joining *joining, const char *name, uint32_t count)
{
    struct system *system = joining->lower->system;
    struct span span = joining->rule->span;
    if (count == 1)
        return JOINT_ALONE;
    const struct type *type = type_range(system, NULL, 0, (int32_t)count - 1, span);
    const struct variable *variable = system_add_scratch(system, name, type, span);
    joining->rule->parameters[joining->rule->parameter_count] = (struct parameter){variable, type, NULL};
    return joining->rule->parameter_count++;
}

static bool add_parameters(struct joining *joining)
{
    struct joint *joint = joining->joint;
    double ways = 1;
    joining->rule->parameters =
        ARENA_ARRAY(joining->lower->system->arena, struct parameter, 2 * (size_t)joint->part_count);
    for (uint32_t p = 0; p < joint->part_count; p++)
        ways *= (double)joint->parts[p].command_count * most_outcomes(&joint->parts[p]);
    if (ways > MOST_WAYS) {
        if (prism_error(joining->lower->reader, joining->rule->span,
                        "the synchronised commands have more than 2^62 combinations"))
            diag_hint(joining->lower->reader->diagnostics,
                      "fewer modules, or fewer updates in commands with the same action");
        return false;
    }
    for (uint32_t p = 0; p < joint->part_count; p++)
        joint->parts[p].command_parameter = add_parameter(joining, joint->parts[p].name, joint->parts[p].command_count);
    joint->outcome_ways = 1;
    for (uint32_t p = 0; p < joint->part_count; p++) {
        uint32_t most = most_outcomes(&joint->parts[p]);
        joint->parts[p].outcome_parameter = add_parameter(joining, joint->parts[p].name, most);
        joint->outcome_ways *= most;
    }
    return true;
}

/* parameter < value */
static struct expr *is_below(struct joining *joining, uint32_t parameter, uint32_t value)
{
    struct system *system = joining->lower->system;
    struct span span = joining->rule->span;
    const struct variable *variable = joining->rule->parameters[parameter].variable;
    struct expr *read = expr_read(system, place_variable(system, variable, span), false, span);
    return expr_binary(system, OP_LT, read, expr_const(system, system->integer, value, span), span);
}

/* --- the guard --- */

/* What holds of the command that is chosen among from .. to - 1: its guard; or that the outcome is one of it. */
static struct expr *chosen_guard(struct joining *joining, const struct joint_part *part, uint32_t from, uint32_t to,
                                 bool of_outcomes)
{
    struct system *system = joining->lower->system;
    if (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        return expr_cond(system, is_below(joining, part->command_parameter, middle),
                         chosen_guard(joining, part, from, middle, of_outcomes),
                         chosen_guard(joining, part, middle, to, of_outcomes), joining->rule->span);
    }
    if (!of_outcomes)
        return part->commands[from].guard;
    if (part->commands[from].outcome_count == most_outcomes(part))
        return expr_const(system, system->boolean, 1, joining->rule->span);
    return is_below(joining, part->outcome_parameter, part->commands[from].outcome_count);
}

static bool has_uneven_outcomes(const struct joint_part *part)
{
    for (uint32_t c = 0; c < part->command_count; c++)
        if (part->commands[c].outcome_count != most_outcomes(part))
            return true;
    return false;
}

static struct expr *make_guard(struct joining *joining)
{
    struct expr *guard = NULL;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t p = 0; p < joining->joint->part_count; p++) {
            const struct joint_part *part = &joining->joint->parts[p];
            if (pass && !has_uneven_outcomes(part))
                continue;
            struct expr *own = chosen_guard(joining, part, 0, part->command_count, pass);
            guard = guard ? expr_binary(joining->lower->system, OP_AND, guard, own, own->span) : own;
        }
    return guard;
}

/* --- the body --- */

static void find_felt(struct joining *joining)
{
    const struct prism_network *network = joining->lower->network;
    bool *is_written = memory_zeroed((size_t)network->variable_count + 1, sizeof *is_written);
    for (uint32_t p = 0; p < joining->joint->part_count; p++) {
        const struct joint_part *part = &joining->joint->parts[p];
        for (uint32_t pass = 0; pass < 2; pass++) /* what one outcome of a part writes, no other of the part reads */
            for (uint32_t c = 0; c < part->command_count; c++)
                for (uint32_t i = 0; i < part->commands[c].outcome_count; i++) {
                    const struct prism_outcome *outcome = &joining->commands[p][c]->outcomes[i];
                    joining->is_felt |= !pass && outcome->write_count != part->commands[c].outcomes[i].body.count;
                    for (uint32_t w = 0; w < outcome->write_count; w++)
                        if (pass)
                            is_written[outcome->writes[w].variable->number] = true;
                        else
                            joining->is_felt |= prism_reads_any(joining->lower, outcome->writes[w].value, is_written);
                }
    }
    free(is_written);
}

/* The values, or the writes, of one outcome. */
static struct block outcome_half(struct joining *joining, uint32_t p, uint32_t c, uint32_t i, bool is_last)
{
    const struct prism_outcome *outcome = &joining->commands[p][c]->outcomes[i];
    struct prism_statements halves[2] = {0};
    for (uint32_t w = 0; w < outcome->write_count; w++)
        prism_lower_write(joining->lower, &outcome->writes[w], joining->is_felt, &halves[0], &halves[1]);
    VEC_FREE(&halves[!is_last]);
    return prism_seal_statements(joining->lower, &halves[is_last]);
}

static struct block branch_on(struct joining *joining, struct expr *condition, struct block first, struct block second)
{
    if (!first.count && !second.count)
        return first;
    struct prism_statements one = {0};
    struct stmt *stmt = stmt_new(joining->lower->system, STMT_IF, joining->rule->span);
    stmt->value = condition;
    stmt->body = first;
    stmt->otherwise = second;
    VEC_PUSH(&one, stmt);
    return prism_seal_statements(joining->lower, &one);
}

static struct block chosen_outcome(struct joining *joining, uint32_t p, uint32_t c, uint32_t from, uint32_t to,
                                   bool is_last)
{
    if (to - from == 1)
        return outcome_half(joining, p, c, from, is_last);
    uint32_t middle = from + (to - from) / 2;
    return branch_on(joining, is_below(joining, joining->joint->parts[p].outcome_parameter, middle),
                     chosen_outcome(joining, p, c, from, middle, is_last),
                     chosen_outcome(joining, p, c, middle, to, is_last));
}

static struct block chosen_command(struct joining *joining, uint32_t p, uint32_t from, uint32_t to, bool is_last)
{
    const struct joint_part *part = &joining->joint->parts[p];
    if (to - from == 1)
        return chosen_outcome(joining, p, from, 0, part->commands[from].outcome_count, is_last);
    uint32_t middle = from + (to - from) / 2;
    return branch_on(joining, is_below(joining, part->command_parameter, middle),
                     chosen_command(joining, p, from, middle, is_last),
                     chosen_command(joining, p, middle, to, is_last));
}

static struct block make_body(struct joining *joining)
{
    struct prism_statements body = {0};
    find_felt(joining);
    for (uint32_t half = joining->is_felt ? 0 : 1; half < 2; half++)
        for (uint32_t p = 0; p < joining->joint->part_count; p++) {
            struct block block = chosen_command(joining, p, 0, joining->joint->parts[p].command_count, half);
            for (uint32_t i = 0; i < block.count; i++)
                VEC_PUSH(&body, block.items[i]);
        }
    return prism_seal_statements(joining->lower, &body);
}

bool prism_lower_lazily(struct prism_lowering *lower, const struct prism_joint *source, const char *name,
                        struct choice *choice)
{
    struct system *system = lower->system;
    struct joint *joint = ARENA_NEW(system->arena, struct joint);
    struct joining joining = {.lower = lower, .source = source, .joint = joint};
    joint->part_count = source->count;
    joint->parts = ARENA_ARRAY(system->arena, struct joint_part, source->count);
    joining.commands = ARENA_ARRAY(lower->reader->arena, const struct prism_action_command **, source->count);
    for (uint32_t p = 0; p < source->count; p++)
        if (!lower_part(&joining, p))
            return false;
    joining.rule = system_add_rule(system, name, joint->parts[0].commands[0].span);
    if (!add_parameters(&joining))
        return false;
    struct prism_ratio one = prism_ratio_one(lower);
    struct rule *rule = joining.rule;
    rule->joint = joint;
    rule->guard = make_guard(&joining);
    rule->weight = prism_ratio_weight(lower, &one);
    rule->body = make_body(&joining);
    *choice = (struct choice){.span = rule->span, .first_rule = rule->id, .rule_count = 1};
    prism_lower_participants(lower, source, choice);
    return true;
}
