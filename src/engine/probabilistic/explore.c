/* From the rules to the matrix: states are expanded in the order in which they were found. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "engine/probabilistic/memo.h"
#include "engine/probabilistic/weigh.h"

enum { STATES_BETWEEN_LOOKS = 1024, LONG_ROW = 64 };

struct outcome {
    uint32_t target, choice;
    uint64_t way; /* of the choices that are one rule */
    double weight;
};

struct numbers {
    double *items;
    size_t count, capacity;
};

struct exploration {
    struct markov *markov;
    struct stepper *stepper;
    struct weigher *weigher;
    struct memo *memo; /* NULL: none */
    uint32_t *choice_of_rule;
    struct outcome *outcomes; /* of the state being expanded, choice by choice */
    size_t outcome_count, outcome_capacity;
    uint64_t *packed, *packed_source;
    int32_t *source, *representative;
    struct numbers *state_rewards, *row_rewards; /* by structure */
    struct numbers sums; /* by state; 0 between uses */
};

/* The state that exploration->packed is. */
static bool insert(struct exploration *exploration, uint32_t parent, uint32_t *number)
{
    struct markov *markov = exploration->markov;
    uint64_t hash = store_hash(markov->store, exploration->packed);
    if (store_insert(markov->store, exploration->packed, hash, parent, number) != STORE_FULL)
        return true;
    if (store_is_at_state_limit(markov->store))
        return markov_stop(markov, stop_limit(STOP_STATES, markov->options->limits.states));
    return markov_stop(markov, stop_limit(STOP_MEMORY, markov->options->limits.memory_bytes));
}

static void pack_start(struct exploration *exploration, const int32_t *cells)
{
    struct markov *markov = exploration->markov;
    if (markov->canon) {
        canon_apply(markov->canon, cells, exploration->representative);
        cells = exploration->representative;
    }
    layout_pack(markov->layout, cells, exploration->packed);
}

static void pack_successor(struct exploration *exploration, const struct step *step)
{
    struct markov *markov = exploration->markov;
    if (markov->canon)
        canon_successor(markov->canon, step->cells, step->changed, step->changed_count, exploration->packed);
    else
        layout_pack(markov->layout, step->cells, exploration->packed);
}

static bool insert_successor(struct exploration *exploration, const struct step *step, uint32_t parent, uint32_t *number)
{
    struct memo *memo = exploration->memo;
    bool is_kept = memo && memo_is_worth_it(memo);
    if (is_kept && memo_find(memo, step->cells, number))
        return true;
    pack_successor(exploration, step);
    if (!insert(exploration, parent, number))
        return false;
    if (is_kept)
        memo_keep(memo, *number);
    return true;
}

static bool add_starts(struct exploration *exploration)
{
    struct markov *markov = exploration->markov;
    struct step step;
    enum step_outcome outcome;
    uint32_t number;
    uint64_t starts = 0;
    stepper_begin_starts(exploration->stepper);
    while ((outcome = stepper_next(exploration->stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT)
            return markov_fail_with(markov, &step.fault);
        if (outcome != STEP_STATE)
            continue;
        starts++;
        pack_start(exploration, step.cells);
        if (!insert(exploration, STORE_NO_PARENT, &number))
            return false;
    }
    markov->initial_count = markov_count(markov);
    markov->has_whole_orbits = markov_represents(markov, starts);
    return markov->initial_count || markov_fail(markov, "there is no initial state");
}

/* What it is, and where, is told by a run (breakdown.h). */
static bool fail_in_state(struct exploration *exploration, enum fault_kind kind, double number, struct span span)
{
    struct fault fault = {.kind = kind, .span = span, .number = number};
    return markov_fail_with(exploration->markov, &fault);
}

/* Of numbers that depend on the state: is it exactly that of the model? */
static void note_number(struct exploration *exploration, const struct weight *weight, double number)
{
    struct markov *markov = exploration->markov;
    if ((weight->top || weight->bottom) && !markov->is_divided)
        markov->is_divided = !markov_is_short(markov, weight, exploration->source, number);
}

static void push_outcome(struct exploration *exploration, struct outcome outcome)
{
    if (exploration->outcome_count == exploration->outcome_capacity) {
        exploration->outcome_capacity = 2 * exploration->outcome_capacity + 16;
        exploration->outcomes =
            memory_resize(exploration->outcomes, exploration->outcome_capacity * sizeof *exploration->outcomes);
    }
    exploration->outcomes[exploration->outcome_count++] = outcome;
}

static bool is_same_choice(const struct outcome *a, const struct outcome *b)
{
    return a->choice == b->choice && a->way == b->way;
}

/* A choice that is enabled has an outcome with a chance; rates may all be 0. */
static bool check_chance(struct exploration *exploration, const struct outcome *seen)
{
    const struct chain *chain = exploration->markov->chain;
    size_t count = exploration->outcome_count;
    if (chain->kind == CHAIN_CTMC || (count && is_same_choice(seen, &exploration->outcomes[count - 1])))
        return true;
    return fail_in_state(exploration, FAULT_SUM, 0, chain->choices[seen->choice].span);
}

/* All outcomes of the state, in the order of the choices. */
static bool gather(struct exploration *exploration, uint32_t state)
{
    struct markov *markov = exploration->markov;
    struct step step;
    enum step_outcome outcome;
    struct outcome last = {0};
    bool has_last = false;
    exploration->outcome_count = 0;
    weigher_load(exploration->weigher, exploration->source);
    if (markov->canon)
        canon_begin(markov->canon, exploration->source, exploration->packed_source);
    stepper_begin_successors(exploration->stepper, exploration->source);
    while ((outcome = stepper_next(exploration->stepper, &step)) != STEP_END && !watch_is_up()) {
        struct outcome found = {.choice = exploration->choice_of_rule[step.rule->id],
                                .way = chain_way(step.rule, step.instance)};
        markov->result->statistics.rules_fired++;
        markov->result->statistics.fired_by_rule[step.rule->id]++;
        if (!weigher_weigh(exploration->weigher, step.rule, step.instance, &found.weight))
            return false;
        if (found.weight < 0)
            return fail_in_state(exploration, FAULT_NEGATIVE, found.weight, step.rule->span);
        if (!step.rule->joint)
            note_number(exploration, step.rule->branches[0].weight, found.weight);
        if (has_last && !is_same_choice(&last, &found) && !check_chance(exploration, &last))
            return false;
        last = found;
        has_last = true;
        if (found.weight == 0)
            continue; /* it never happens, so it may as well be wrong */
        if (outcome == STEP_FAULT)
            return markov_fail_with(markov, &step.fault);
        if (!insert_successor(exploration, &step, state, &found.target))
            return false;
        push_outcome(exploration, found);
    }
    if (watch_is_up()) /* perhaps not all outcomes were seen */
        return markov_may_go_on(markov);
    return !has_last || check_chance(exploration, &last);
}

/* The end of the run of outcomes of the same choice that begins at `from`, and their sum. */
static size_t end_of_choice(const struct exploration *exploration, size_t from, double *sum)
{
    size_t to = from;
    *sum = 0;
    while (to < exploration->outcome_count &&
           is_same_choice(&exploration->outcomes[to], &exploration->outcomes[from]))
        *sum += exploration->outcomes[to++].weight;
    return to;
}

/* What a structure gives for taking a choice in the state (or, NULL, for being in it). */
static bool add_rewards(struct exploration *exploration, const struct reward_structure *structure,
                        const struct choice *choice, double *sum)
{
    struct markov *markov = exploration->markov;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        bool is_wanted = item->is_transition == (choice != NULL);
        double value;
        if (!is_wanted || (choice && !chain_is_same_action(item->action, choice->action)))
            continue;
        if (!markov_truth(markov, item->guard, exploration->source, &is_wanted))
            return false;
        if (!is_wanted)
            continue;
        if (!markov_number(markov, item->value, exploration->source, &value))
            return false;
        if (value < 0)
            return fail_in_state(exploration, FAULT_REWARD, value, structure->span);
        note_number(exploration, item->value, value);
        *sum += value;
    }
    return true;
}

static bool reward_state(struct exploration *exploration)
{
    const struct chain *chain = exploration->markov->chain;
    for (uint32_t i = 0; i < chain->reward_count; i++) {
        double sum = 0;
        if (!add_rewards(exploration, &chain->rewards[i], NULL, &sum))
            return false;
        VEC_PUSH(&exploration->state_rewards[i], sum);
    }
    return true;
}

/* A row that takes the choices of outcomes from..to - 1, each with the share of its weights in `total`. */
static bool reward_row(struct exploration *exploration, size_t from, size_t to, double total)
{
    struct markov *markov = exploration->markov;
    const struct chain *chain = markov->chain;
    for (uint32_t i = 0; i < chain->reward_count; i++) {
        double sum = 0;
        for (size_t k = from; k < to;) {
            double share, reward = 0;
            const struct choice *choice = &chain->choices[exploration->outcomes[k].choice];
            k = end_of_choice(exploration, k, &share);
            if (!add_rewards(exploration, &chain->rewards[i], choice, &reward))
                return false;
            markov->is_divided |= reward > 0 && share != total;
            if (reward > 0 && !(reward * share / total >= DBL_MIN) && !markov->options->is_exact)
                return markov_fail(markov, "a reward is too small for doubles (--exact takes it as it is)");
            sum += reward * share / total;
        }
        VEC_PUSH(&exploration->row_rewards[i], sum);
    }
    return true;
}

/* Those with the same target are one entry: where they are many, they are added up by target first. */
static void add_entries(struct exploration *exploration, size_t from, size_t to, double total)
{
    struct matrix *matrix = &exploration->markov->matrix;
    const struct outcome *outcomes = exploration->outcomes;
    if (to - from <= LONG_ROW) {
        for (size_t i = from; i < to; i++)
            matrix_add(matrix, outcomes[i].target, fmax(outcomes[i].weight / total, DBL_MIN));
        return;
    }
    while (exploration->sums.count < markov_count(exploration->markov))
        VEC_PUSH(&exploration->sums, 0);
    for (size_t i = from; i < to; i++)
        exploration->sums.items[outcomes[i].target] += fmax(outcomes[i].weight / total, DBL_MIN);
    for (size_t i = from; i < to; i++) {
        double *sum = &exploration->sums.items[outcomes[i].target];
        if (*sum > 0)
            matrix_append(matrix, outcomes[i].target, *sum);
        *sum = 0;
    }
}

static bool add_row(struct exploration *exploration, size_t from, size_t to, double total)
{
    struct markov *markov = exploration->markov;
    markov->is_divided |= total != 1;
    matrix_begin_row(&markov->matrix);
    for (size_t i = from; i < to && !markov->options->is_exact; i++)
        if (exploration->outcomes[i].weight / total < DBL_MIN)
            return markov_fail(markov, "a probability is too small for doubles (--exact takes it as it is)");
    add_entries(exploration, from, to, total);
    return reward_row(exploration, from, to, total);
}

/* The chances of every choice must add up to 1. */
static bool check_sums(struct exploration *exploration, size_t *choices)
{
    struct markov *markov = exploration->markov;
    *choices = 0;
    for (size_t from = 0; from < exploration->outcome_count; ++*choices) {
        double sum;
        const struct choice *choice = &markov->chain->choices[exploration->outcomes[from].choice];
        from = end_of_choice(exploration, from, &sum);
        if (markov->chain->kind != CHAIN_CTMC && fabs(sum - 1) > CHANCES_TOLERANCE)
            return fail_in_state(exploration, FAULT_SUM, sum, choice->span);
    }
    return true;
}

static bool add_rows(struct exploration *exploration, uint32_t state)
{
    struct markov *markov = exploration->markov;
    size_t choices, count = exploration->outcome_count;
    double total = 0;
    if (!check_sums(exploration, &choices))
        return false;
    matrix_begin_state(&markov->matrix);
    VEC_PUSH(&markov->is_deadlock, count == 0);
    markov->most_outcomes = count > markov->most_outcomes ? count : markov->most_outcomes;
    for (size_t i = 0; i < count; i++)
        total += exploration->outcomes[i].weight;
    if (markov->chain->kind == CHAIN_CTMC)
        VEC_PUSH(&markov->exit_rate, total);
    if (!count) {
        matrix_begin_row(&markov->matrix);
        matrix_add(&markov->matrix, state, 1);
        return reward_row(exploration, 0, 0, 1);
    }
    if (markov->chain->kind == CHAIN_DTMC)
        return add_row(exploration, 0, count, (double)choices);
    if (markov->chain->kind == CHAIN_CTMC)
        return add_row(exploration, 0, count, total);
    for (size_t from = 0; from < count;) {
        size_t to = end_of_choice(exploration, from, &total);
        if (!add_row(exploration, from, to, 1))
            return false;
        from = to;
    }
    return true;
}

static bool explore(struct exploration *exploration)
{
    struct markov *markov = exploration->markov;
    if (!add_starts(exploration))
        return false;
    uint32_t end_of_layer = markov_count(markov);
    for (uint32_t state = 0; state < markov_count(markov); state++) {
        if (state == end_of_layer) {
            markov->result->statistics.depth++;
            end_of_layer = markov_count(markov);
        }
        if (state % STATES_BETWEEN_LOOKS == 0) {
            markov_report_progress(markov, state);
            if (!markov_may_go_on(markov) || !markov_fits(markov, 0))
                return false;
        }
        markov->expanded = state;
        memcpy(exploration->packed_source, store_state(markov->store, state),
               markov->layout->words * sizeof *exploration->packed_source);
        layout_unpack(markov->layout, exploration->packed_source, exploration->source);
        if (!gather(exploration, state) || !add_rows(exploration, state) || !reward_state(exploration))
            return false;
    }
    matrix_close(&markov->matrix);
    return true;
}

static uint32_t *map_choices(const struct chain *chain, size_t rules)
{
    uint32_t *map = memory_zeroed(rules + 1, sizeof *map);
    for (uint32_t i = 0; i < chain->choice_count; i++)
        for (uint32_t k = 0; k < chain->choices[i].rule_count; k++)
            map[chain->choices[i].first_rule + k] = i;
    return map;
}

static bool is_product_of_full(const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used && symmetry->factors[f].kind != SYMMETRY_FULL)
            return false;
    return true;
}

bool markov_build(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    uint32_t structures = markov->chain->reward_count;
    struct steppers *steppers = steppers_create(markov->layout, markov->options->stepper, false);
    struct exploration exploration = {.markov = markov, .stepper = steppers_make(steppers)};
    exploration.stepper->is_watched = true;
    uint64_t limit = markov->options->limits.memory_bytes;
    markov->budget.limit = limit > markov->held_elsewhere ? limit - markov->held_elsewhere : limit ? 1 : 0;
    markov->began_bytes = markov->began_bytes ? markov->began_bytes : clock_peak_bytes();
    markov->store = store_create(markov->layout->words, &markov->budget, markov->options->limits.states);
    if (!symmetry_is_trivial(markov->symmetry))
        markov->canon = canon_create(markov->symmetry, markov->layout);
    markov->judge = stepper_create_vm(system, markov->layout);
    markov->chances = chances_create(markov->layout);
    markov->expanded = MARKOV_START;
    markov->cells = memory_zeroed(markov->layout->cell_count + 1, sizeof *markov->cells);
    exploration.weigher = weigher_create(markov);
    exploration.memo = markov->canon && !is_product_of_full(markov->symmetry) ? memo_create(markov->layout) : NULL;
    exploration.choice_of_rule = map_choices(markov->chain, system->rules.count);
    exploration.packed = memory_zeroed(markov->layout->words, sizeof *exploration.packed);
    exploration.packed_source = memory_zeroed(markov->layout->words, sizeof *exploration.packed_source);
    exploration.representative = memory_zeroed(markov->layout->cell_count + 1, sizeof *exploration.representative);
    exploration.source = memory_zeroed(markov->layout->cell_count + 1, sizeof *exploration.source);
    exploration.state_rewards = memory_zeroed((size_t)structures + 1, sizeof *exploration.state_rewards);
    exploration.row_rewards = memory_zeroed((size_t)structures + 1, sizeof *exploration.row_rewards);
    markov->state_reward = memory_zeroed((size_t)structures + 1, sizeof *markov->state_reward);
    markov->row_reward = memory_zeroed((size_t)structures + 1, sizeof *markov->row_reward);
    bool is_built = explore(&exploration);
    for (uint32_t i = 0; i < structures; i++) {
        markov->state_reward[i] = exploration.state_rewards[i].items;
        markov->row_reward[i] = exploration.row_rewards[i].items;
    }
    markov->slack = markov_find_slack(markov);
    stepper_destroy(exploration.stepper);
    steppers_destroy(steppers);
    weigher_destroy(exploration.weigher);
    if (exploration.memo)
        memo_destroy(exploration.memo);
    free(exploration.choice_of_rule);
    free(exploration.packed);
    free(exploration.packed_source);
    free(exploration.source);
    free(exploration.representative);
    free(exploration.outcomes);
    VEC_FREE(&exploration.sums);
    free(exploration.state_rewards);
    free(exploration.row_rewards);
    return is_built;
}
