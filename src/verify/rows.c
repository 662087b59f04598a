#include "verify/rows.h"

#include <stdlib.h>

#include "base/memory.h"
#include "exec/probe.h"
#include "ir/instance.h"

void rows_open(struct rows *rows, const struct layout *layout, struct text *reason)
{
    const struct system *system = layout->system;
    *rows = (struct rows){.layout = layout, .chain = system->chain, .reason = reason};
    rows->stepper = stepper_create_evaluator(system, layout);
    rows->stepper->is_watched = true;
    rows->judge = stepper_create_evaluator(system, layout);
    rows->probe = probe_create(layout);
    rows->weights = memory_alloc(chain_most_weights(system) * sizeof *rows->weights);
    struct rational **numbers[] = {&rows->factor, &rows->number, &rows->sum, &rows->one};
    for (size_t i = 0; i < 4; i++)
        *numbers[i] = rational_create(1, 1);
}

void rows_close(struct rows *rows)
{
    for (size_t i = 0; i < rows->outcomes.count; i++)
        rational_destroy(rows->outcomes.items[i].chance);
    for (size_t i = 0; i < rows->rows.count; i++)
        rational_destroy(rows->rows.items[i].total);
    VEC_FREE(&rows->outcomes);
    VEC_FREE(&rows->rows);
    struct rational *numbers[] = {rows->factor, rows->number, rows->sum, rows->one};
    for (size_t i = 0; i < 4; i++)
        rational_destroy(numbers[i]);
    stepper_destroy(rows->stepper);
    stepper_destroy(rows->judge);
    probe_destroy(rows->probe);
    free(rows->weights);
}

static bool fail(struct rows *rows, const struct fault *fault, const char *what)
{
    text_append(rows->reason, what);
    if (fault)
        fault_print(fault, rows->reason);
    return false;
}

static bool part_of_weight(struct rows *rows, const struct expr *part, int64_t *value)
{
    struct fault fault = {0};
    *value = 1;
    return !part || probe_value(rows->probe, part, value, &fault) == PROBE_VALUE ||
           fail(rows, &fault, "a number of the model cannot be evaluated: ");
}

/* factor * top / bottom, in the state that is loaded. */
static bool weight_of(struct rows *rows, const struct weight *weight, struct rational *number)
{
    int64_t top, bottom;
    if (weight->is_rounded)
        return fail(rows, NULL, "a number of the model is a root or a logarithm");
    if (!part_of_weight(rows, weight->top, &top) || !part_of_weight(rows, weight->bottom, &bottom))
        return false;
    if (!bottom)
        return fail(rows, NULL, "a number of the model is divided by 0");
    rational_set(rows->factor, bottom);
    rational_set(number, top);
    rational_divide(number, rows->factor);
    rational_multiply(number, weight->factor);
    return true;
}

static struct row_outcome *next_outcome(struct rows *rows, const struct rule *rule, uint64_t instance)
{
    if (rows->outcome_count == rows->outcomes.count)
        VEC_PUSH(&rows->outcomes, ((struct row_outcome){.chance = rational_create(0, 1)}));
    struct row_outcome *outcome = &rows->outcomes.items[rows->outcome_count++];
    outcome->rule = rule;
    outcome->instance = instance;
    return outcome;
}

static bool add_outcome(struct rows *rows, const struct step *step, enum step_outcome found)
{
    struct row_outcome *outcome = next_outcome(rows, step->rule, step->instance);
    uint32_t count = chain_weights(step->rule, step->instance, rows->weights);
    rational_set(outcome->chance, 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!weight_of(rows, rows->weights[i], rows->number))
            return false;
        rational_multiply(outcome->chance, rows->number);
    }
    if (rational_sign(outcome->chance) < 0)
        return fail(rows, NULL, "a probability or rate is negative");
    if (!rational_sign(outcome->chance))
        return true;
    if (found == STEP_FAULT)
        return fail(rows, &step->fault, "a step fails: ");
    outcome->target = found == STEP_STATE ? rows->find(rows->user, step->cells) : UINT64_MAX;
    if (outcome->target != UINT64_MAX)
        return true;
    text_append(rows->reason, "\"");
    instance_print(step->rule, step->instance, rows->reason);
    return fail(rows, NULL, "\" leads out of the certificate");
}

static bool are_together(const struct rows *rows, const struct row_outcome *a, const struct row_outcome *b)
{
    return a->rule && b->rule && chain_choice(rows->chain, a->rule) == chain_choice(rows->chain, b->rule) &&
           chain_way(a->rule, a->instance) == chain_way(b->rule, b->instance);
}

/* The outcomes of one choice; their sum. */
static size_t end_of_choice(const struct rows *rows, size_t from, struct rational *sum)
{
    const struct row_outcome *outcomes = rows->outcomes.items;
    size_t to = from;
    rational_set(sum, 0);
    while (to < rows->outcome_count && (to == from || are_together(rows, &outcomes[from], &outcomes[to])))
        rational_add(sum, outcomes[to++].chance);
    return to;
}

static struct chain_row *add_row(struct rows *rows, size_t first, size_t end)
{
    if (rows->row_count == rows->rows.count)
        VEC_PUSH(&rows->rows, ((struct chain_row){.total = rational_create(0, 1)}));
    struct chain_row *row = &rows->rows.items[rows->row_count++];
    row->first = first;
    row->end = end;
    rational_set(row->total, 1);
    return row;
}

static bool make_rows(struct rows *rows)
{
    bool is_timed = rows->chain->kind == CHAIN_CTMC, is_single = rows->chain->kind != CHAIN_MDP;
    struct chain_row *single = is_single ? add_row(rows, 0, rows->outcome_count) : NULL;
    int64_t choices = 0;
    if (is_timed)
        rational_set(single->total, 0);
    for (size_t from = 0; from < rows->outcome_count; choices++) {
        size_t to = end_of_choice(rows, from, rows->sum);
        if (is_timed)
            rational_add(single->total, rows->sum);
        else if (rational_compare(rows->sum, rows->one) != 0)
            return fail(rows, NULL, "the probabilities of a choice do not add up to 1 exactly");
        if (!is_single)
            add_row(rows, from, to);
        from = to;
    }
    if (single && !is_timed && choices)
        rational_set(single->total, choices);
    rows->is_stuck = !choices || (is_timed && !rational_sign(single->total));
    return true;
}

bool rows_load(struct rows *rows, const int32_t *cells, uint64_t number)
{
    struct step step = {0};
    enum step_outcome found;
    rows->cells = cells;
    rows->outcome_count = rows->row_count = 0;
    probe_load(rows->probe, cells);
    stepper_begin_successors(rows->stepper, cells);
    while ((found = stepper_next(rows->stepper, &step)) != STEP_END)
        if (!add_outcome(rows, &step, found))
            return false;
    if (!make_rows(rows))
        return false;
    if (rows->is_stuck) {
        rows->row_count = rows->outcome_count = 0;
        struct row_outcome *outcome = next_outcome(rows, NULL, 0);
        outcome->target = number;
        rational_set(outcome->chance, 1);
        add_row(rows, 0, 1);
    }
    return true;
}

bool rows_judge(struct rows *rows, const struct proposition *proposition, bool *truth)
{
    struct fault fault = {0};
    enum truth found = stepper_judge(rows->judge, proposition, rows->cells, NULL, &fault);
    *truth = found == TRUTH_TRUE;
    return found != TRUTH_FAULT || fail(rows, &fault, "a condition cannot be evaluated: ");
}

/* Of the choice that the outcome belongs to; NULL: for being in the state. */
static bool add_rewards(struct rows *rows, const struct reward_structure *structure, const struct choice *choice,
                        const struct rational *times, struct rational *earned)
{
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        bool is_due =
            item->is_transition == (choice != NULL) && (!choice || chain_is_same_action(item->action, choice->action));
        if (is_due && !rows_judge(rows, item->guard, &is_due))
            return false;
        if (!is_due)
            continue;
        if (!weight_of(rows, item->value, rows->number))
            return false;
        if (rational_sign(rows->number) < 0)
            return fail(rows, NULL, "a reward is negative");
        rational_add_product(earned, rows->number, times, rows->factor);
    }
    return true;
}

bool rows_earn(struct rows *rows, const struct chain_row *row, const struct reward_structure *structure,
               struct rational *earned)
{
    const struct chain *chain = rows->chain;
    bool is_timed = chain->kind == CHAIN_CTMC; /* for each unit of time: 1 / total of it passes */
    if (!(is_timed && rows->is_stuck) && !add_rewards(rows, structure, NULL, is_timed ? rows->one : row->total, earned))
        return false;
    for (size_t from = row->first; from < row->end && !rows->is_stuck;) {
        const struct choice *choice = &chain->choices[chain_choice(chain, rows->outcomes.items[from].rule)];
        from = end_of_choice(rows, from, rows->sum);
        if (!add_rewards(rows, structure, choice, rows->sum, earned))
            return false;
    }
    return true;
}
