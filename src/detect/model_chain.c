/* Chains in the model graph: choices with the weights of their outcomes, start states, rewards and quantitative
 * properties. An automorphism takes every choice to a choice with the same guard, chances and updates up to renaming,
 * as often as it is there (in a DTMC a command written twice is twice as likely), so it is one of the chain (Donaldson
 * and Miller, "Symmetry reduction for probabilistic model checking using generic representatives", section 3).
 *
 * What an action is called matters only to rewards: actions that some reward speaks of are vertices. Which states are
 * initial matters only to properties that say so: a state and its image satisfy the same formulas anyway. */
#include <stdlib.h>
#include <string.h>

#include "ir/chain.h"
#include "ir/pctl.h"
#include "detect/model_term.h"

struct chain_sketch {
    struct sketch *sketch;
    const struct chain *chain;
    bool *is_reward_used; /* by structure: a property asks for it */
    bool needs_starts;    /* a property does */
    const char **actions; /* that rewards of transitions speak of */
    uint32_t *vertices;   /* of these actions */
    uint32_t action_count;
    VEC(uint32_t) known; /* cells whose value the guard gives */
};

/* --- weights --- */

static struct model_term term_factor(struct sketch *s, const struct rational *factor, bool is_rounded,
                                     const struct model_term parts[2])
{
    char *digits = rational_digits(factor);
    size_t length = strlen(digits);
    uint32_t *words = memory_alloc((length + 1) * sizeof *words);
    words[0] = is_rounded;
    for (size_t i = 0; i < length; i++)
        words[i + 1] = (uint8_t)digits[i];
    struct model_term term = term_make(s, TERM_WEIGHT, words, (uint32_t)length + 1, parts, 2);
    free(words);
    free(digits);
    return term;
}

/* factor * top / bottom; parts that are constants go into the factor. */
static struct model_term term_weight(struct sketch *s, const struct weight *weight)
{
    struct model_term parts[2] = {term_empty(s), term_empty(s)};
    int64_t top = 1, bottom = 1;
    if (!weight)
        return parts[0];
    if (weight->top && !sketch_fold(s, weight->top, &top)) {
        top = 1;
        parts[0] = term_expr(s, weight->top, NO_CARRIER);
    }
    if (weight->bottom && (!sketch_fold(s, weight->bottom, &bottom) || !bottom)) {
        bottom = 1;
        parts[1] = term_expr(s, weight->bottom, NO_CARRIER);
    }
    struct rational *factor = rational_create(top, 1), *divisor = rational_create(bottom, 1);
    rational_multiply(factor, weight->factor);
    rational_divide(factor, divisor);
    struct model_term term = term_factor(s, factor, weight->is_rounded, parts);
    rational_destroy(divisor);
    rational_destroy(factor);
    return term;
}

/* --- choices --- */

static void know(struct chain_sketch *c, const struct expr *read, int64_t value)
{
    struct sketch *s = c->sketch;
    uint32_t cell;
    if (read->kind != EXPR_READ || !sketch_cell(s, read->place, &cell) || cell >= s->system->state_cells)
        return;
    s->is_known[cell] = true;
    s->values[cell] = value;
    VEC_PUSH(&c->known, cell);
}

/* A guard s=2 & ... says what s is in what follows. */
static void know_guard(struct chain_sketch *c, const struct expr *guard)
{
    int64_t value;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        know_guard(c, guard->left);
        know_guard(c, guard->right);
    } else if (guard->kind == EXPR_BINARY && guard->op == OP_EQ) {
        if (sketch_fold(c->sketch, guard->right, &value))
            know(c, guard->left, value);
        else if (sketch_fold(c->sketch, guard->left, &value))
            know(c, guard->right, value);
    } else if (guard->kind == EXPR_UNARY && guard->op == OP_NOT) {
        know(c, guard->left, 0);
    } else {
        know(c, guard, 1);
    }
}

static void forget_known(struct chain_sketch *c)
{
    for (size_t i = 0; i < c->known.count; i++)
        c->sketch->is_known[c->known.items[i]] = false;
    VEC_CLEAR(&c->known);
}

/* `guard`: what is known to hold when it happens; NULL: nothing. */
static struct model_term term_outcome(struct chain_sketch *c, const struct expr *guard, const struct weight *weight,
                                      const struct block *body)
{
    struct sketch *s = c->sketch;
    if (guard)
        know_guard(c, guard);
    struct model_term parts[2] = {term_weight(s, weight)};
    if (!term_updates(s, body, &parts[1])) {
        forget_known(c);
        parts[1] = term_block(s, body);
    }
    forget_known(c);
    return term_make(s, TERM_SEQUENCE, NULL, 0, parts, 2);
}

static uint32_t find_action(const struct chain_sketch *c, const char *action)
{
    uint32_t i = 0;
    while (i < c->action_count && (!action || strcmp(c->actions[i], action)))
        i++;
    return i;
}

static struct model_term term_action(struct chain_sketch *c, const char *action)
{
    uint32_t number = find_action(c, action), is_none = !action;
    if (number < c->action_count)
        return term_vertex(c->sketch, c->vertices[number]);
    return term_make(c->sketch, TERM_VALUE, &is_none, 1, NULL, 0);
}

/* --- joints --- */

static struct model_term term_command(struct chain_sketch *c, const struct joint_command *command)
{
    struct sketch *s = c->sketch;
    struct model_term *outcomes = memory_alloc(((size_t)command->outcome_count + 1) * sizeof *outcomes);
    struct model_term parts[2] = {term_expr(s, command->guard, NO_CARRIER)};
    for (uint32_t i = 0; i < command->outcome_count; i++)
        outcomes[i] = term_outcome(c, command->guard, command->outcomes[i].weight, &command->outcomes[i].body);
    parts[1] = term_bag(s, TERM_CHOICE, outcomes, command->outcome_count);
    free(outcomes);
    return term_make(s, TERM_CHOICE, NULL, 0, parts, 2);
}

/* A bag of commands. *is_sure: their guards can be evaluated. */
static struct model_term term_part(struct chain_sketch *c, const struct joint_part *part, bool *is_sure)
{
    struct sketch *s = c->sketch;
    struct model_term *commands = memory_alloc(((size_t)part->command_count + 1) * sizeof *commands);
    uint32_t count = 0;
    int64_t known;
    for (uint32_t i = 0; i < part->command_count; i++) {
        const struct joint_command *command = &part->commands[i];
        if ((sketch_fold(s, command->guard, &known) && !known) ||
            !sketch_blame(s, command->span, "this command is not symmetric in %s"))
            continue;
        *is_sure &= sketch_is_sure(s, command->guard);
        commands[count++] = term_command(c, command);
    }
    struct model_term term = term_bag(s, TERM_CHOICE, commands, count);
    free(commands);
    return term;
}

/* All choices of a joint at once: a bag of parts, each a bag of commands. What takes it to itself takes the commands of
 * each part to those of another, with the same guards, chances and updates up to renaming, so combinations of commands
 * to combinations of commands, and their products to products. The parts write different cells, so that their order is
 * not felt, unless a guard can fault where one before it is false. */
static void sketch_joint(struct chain_sketch *c, const struct choice *choice, const struct joint *joint)
{
    struct sketch *s = c->sketch;
    uint32_t is_ordered;
    bool is_sure = true;
    struct model_term *parts = memory_alloc(((size_t)joint->part_count + 1) * sizeof *parts);
    uint32_t made = 0;
    for (; made < joint->part_count && !sketch_is_spent(s); made++)
        parts[made] = term_part(c, &joint->parts[made], &is_sure);
    if (!s->graph->gave_up) {
        is_ordered = !is_sure;
        struct model_term whole[] = {is_sure ? term_bag(s, TERM_CHOICE, parts, made)
                                             : term_make(s, TERM_SEQUENCE, NULL, 0, parts, made),
                                     term_action(c, choice->action)};
        uint32_t vertex = sketch_count(s, term_make(s, TERM_CHOICE, &is_ordered, 1, whole, 2));
        sketch_part(s, vertex, (struct model_part){.kind = "command", .span = choice->span});
    }
    free(parts);
    sketch_close(s);
}

static void sketch_choice(struct chain_sketch *c, const struct choice *choice)
{
    struct sketch *s = c->sketch;
    const struct expr *guard = s->system->rules.items[choice->first_rule]->guard;
    int64_t known;
    if ((guard && sketch_fold(s, guard, &known) && !known) ||
        !sketch_blame(s, choice->span, "this command is not symmetric in %s"))
        return;
    struct model_term parts[3] = {guard ? term_expr(s, guard, NO_CARRIER) : term_empty(s)};
    struct model_term *outcomes = memory_alloc(((size_t)choice->rule_count + 1) * sizeof *outcomes);
    for (uint32_t i = 0; i < choice->rule_count && !sketch_is_spent(s); i++) {
        const struct rule *outcome = s->system->rules.items[choice->first_rule + i];
        outcomes[i] = term_outcome(c, guard, outcome->weight, &outcome->body);
    }
    if (!s->graph->gave_up) {
        parts[1] = term_bag(s, TERM_CHOICE, outcomes, choice->rule_count);
        parts[2] = term_action(c, choice->action);
        uint32_t vertex = sketch_count(s, term_make(s, TERM_CHOICE, NULL, 0, parts, 3));
        sketch_part(s, vertex, (struct model_part){.kind = "command", .span = choice->span});
    }
    free(outcomes);
    sketch_close(s);
}

/* --- start states --- */

/* Without the initial values that are to break nothing. */
static struct block unhealed(struct sketch *s, const struct block *body)
{
    struct block kept = {ARENA_ARRAY(s->graph->arena, struct stmt *, body->count), 0};
    for (uint32_t i = 0; i < body->count; i++)
        if (sketch_blame(s, body->items[i]->span, "the initial value is not the same for all of %s"))
            kept.items[kept.count++] = body->items[i];
    return kept;
}

static void sketch_start(struct chain_sketch *c, const struct rule *start)
{
    struct sketch *s = c->sketch;
    struct model_term term;
    uint32_t is_chosen = start->parameter_count > 0;
    struct block body = unhealed(s, &start->body);
    if (is_chosen && !sketch_blame(s, start->span, "the initial states are not symmetric in %s"))
        return;
    if (is_chosen ? term_chosen_start(s, start, &term)
                  : !start->guard && !start->prelude.count && term_updates(s, &body, &term)) {
        uint32_t vertex = term_freeze(s, term_make(s, TERM_START, &is_chosen, 1, &term, 1));
        sketch_part(s, vertex, (struct model_part){.kind = "start state", .span = start->span});
        sketch_close(s);
    } else {
        sketch_rule(s, start, true);
    }
}

/* --- rewards --- */

static void mark_rewards(struct chain_sketch *c, const struct pctl *formula)
{
    if (!formula)
        return;
    if (formula->kind == PCTL_REWARD)
        c->is_reward_used[formula->reward] = true;
    mark_rewards(c, formula->condition_formula);
    mark_rewards(c, formula->left);
    mark_rewards(c, formula->right);
}

/* Properties that show states are for whoever has all of them. */
static bool is_looked_at(const struct sketch *s, const struct property *property)
{
    return property->pctl && !pctl_shows_states(property->pctl) && !sketch_leaves_out(s, property);
}

static void list_actions(struct chain_sketch *c)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < c->chain->reward_count; i++)
        most += c->chain->rewards[i].count;
    c->actions = memory_alloc(((size_t)most + 1) * sizeof *c->actions);
    c->vertices = memory_alloc(((size_t)most + 1) * sizeof *c->vertices);
    for (uint32_t i = 0; i < c->chain->reward_count; i++)
        for (uint32_t k = 0; c->is_reward_used[i] && k < c->chain->rewards[i].count; k++) {
            const char *action = c->chain->rewards[i].items[k].action;
            if (!action || find_action(c, action) < c->action_count)
                continue;
            c->actions[c->action_count] = action;
            c->vertices[c->action_count++] =
                sketch_new_vertex(c->sketch, sketch_colour(c->sketch, COLOUR_ACTION, NULL, 0));
        }
}

static void sketch_rewards(struct chain_sketch *c, uint32_t number)
{
    struct sketch *s = c->sketch;
    const struct reward_structure *structure = &c->chain->rewards[number];
    if (!sketch_blame(s, structure->span, "these rewards are not symmetric in %s"))
        return;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        uint32_t words[] = {number, item->is_transition};
        struct model_term parts[3] = {term_expr(s, item->guard->formula, NO_CARRIER), term_weight(s, item->value),
                                      item->is_transition ? term_action(c, item->action) : term_empty(s)};
        uint32_t vertex = sketch_count(s, term_make(s, TERM_REWARD, words, 2, parts, 3));
        sketch_part(s, vertex, (struct model_part){.kind = "reward", .span = structure->span});
        sketch_close(s);
    }
}

/* --- properties --- */

static struct model_term term_formula(struct sketch *s, const struct pctl *formula);

static bool commutes(const struct pctl *formula)
{
    return formula->kind == PCTL_AND || formula->kind == PCTL_OR ||
           (formula->kind == PCTL_ARITHMETIC && (formula->op == OP_ADD || formula->op == OP_MUL));
}

static uint32_t count_operands(const struct pctl *formula, const struct pctl *outer)
{
    if (formula->kind != outer->kind || formula->op != outer->op)
        return 1;
    return count_operands(formula->left, outer) + count_operands(formula->right, outer);
}

static void add_operands(struct sketch *s, const struct pctl *formula, const struct pctl *outer,
                         struct model_term *parts, uint32_t *count)
{
    if (formula->kind != outer->kind || formula->op != outer->op) {
        parts[(*count)++] = term_formula(s, formula);
        return;
    }
    add_operands(s, formula->left, outer, parts, count);
    add_operands(s, formula->right, outer, parts, count);
}

static struct model_term term_operands(struct sketch *s, const struct pctl *formula)
{
    struct model_term *parts = memory_alloc(count_operands(formula, formula) * sizeof *parts), bag;
    uint32_t words[] = {formula->kind, formula->op}, count = 0;
    add_operands(s, formula, formula, parts, &count);
    bag = term_bag(s, TERM_FORMULA, parts, count);
    free(parts);
    return term_make(s, TERM_FORMULA, words, 2, &bag, 1);
}

static struct model_term term_formula(struct sketch *s, const struct pctl *f)
{
    if (!f)
        return term_empty(s);
    if (commutes(f))
        return term_operands(s, f);
    uint32_t words[] = {f->kind,
                        f->is_number,
                        f->op,
                        f->function,
                        f->is_whole,
                        f->is_query,
                        f->extreme,
                        f->path,
                        f->goal,
                        f->reward,
                        f->filter,
                        f->window.is_lower_strict,
                        f->window.is_upper_strict,
                        f->window.lower != NULL,
                        f->window.upper != NULL,
                        f->threshold != NULL};
    struct model_term parts[] = {f->proposition ? term_expr(s, f->proposition->formula, NO_CARRIER) : term_empty(s),
                                 term_weight(s, f->number),
                                 term_weight(s, f->threshold),
                                 term_weight(s, f->window.lower),
                                 term_weight(s, f->window.upper),
                                 term_formula(s, f->condition_formula),
                                 term_formula(s, f->left),
                                 term_formula(s, f->right)};
    return term_make(s, TERM_FORMULA, words, sizeof words / sizeof *words, parts, sizeof parts / sizeof *parts);
}

/* --- all of it --- */

void sketch_chain(struct sketch *s)
{
    const struct system *system = s->system;
    struct chain_sketch c = {.sketch = s, .chain = system->chain};
    ENSURE(!system->functions.count);
    c.is_reward_used = memory_zeroed((size_t)c.chain->reward_count + 1, sizeof *c.is_reward_used);
    for (size_t p = 0; p < system->properties.count; p++)
        if (is_looked_at(s, system->properties.items[p])) {
            mark_rewards(&c, system->properties.items[p]->pctl);
            c.needs_starts |= pctl_needs_starts(system->properties.items[p]->pctl);
        }
    list_actions(&c);
    for (uint32_t i = 0; i < c.chain->choice_count && !sketch_is_spent(s); i++) {
        const struct choice *choice = &c.chain->choices[i];
        const struct joint *joint = system->rules.items[choice->first_rule]->joint;
        if (joint)
            sketch_joint(&c, choice, joint);
        else
            sketch_choice(&c, choice);
    }
    for (size_t r = 0; c.needs_starts && r < system->starts.count; r++)
        sketch_start(&c, system->starts.items[r]);
    for (uint32_t i = 0; i < c.chain->reward_count; i++)
        if (c.is_reward_used[i])
            sketch_rewards(&c, i);
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        if (!is_looked_at(s, property))
            continue;
        if (s->options->without_formulas)
            continue;
        struct model_term formula = term_formula(s, property->pctl);
        uint32_t vertex = term_freeze(s, term_make(s, TERM_PROPERTY, &property->id, 1, &formula, 1));
        sketch_part(s, vertex, (struct model_part){.kind = "property", .name = property->name, .span = property->span});
        sketch_close(s);
    }
    free(c.is_reward_used);
    free(c.actions);
    free(c.vertices);
    VEC_FREE(&c.known);
}
