/* From the rules to the matrix: states are expanded in the order in which they were found. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "engine/probabilistic/exploration.h"
#include "engine/probabilistic/synchronous.h"
#include "ir/walk.h"

enum { STATES_BETWEEN_LOOKS = 1024, LONG_ROW = 64, STATES_BEFORE_TRIAL = 500, SMALL_GROUP = 8 };

static bool fail_full(struct markov *markov)
{
    if (store_is_at_state_limit(markov->store))
        return markov_stop(markov, stop_limit(STOP_STATES, markov->options->limits.states));
    return markov_stop(markov, stop_limit(STOP_MEMORY, markov->options->limits.memory_bytes));
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
        if (explore_insert(markov->explore, step.cells, &number) == STORE_FULL)
            return fail_full(markov);
    }
    markov->initial_count = markov_count(markov);
    markov->has_whole_orbits = markov_represents(markov, starts);
    return markov->initial_count || pctl_fail(&markov->evaluator, "there is no initial state");
}

bool exploration_fail(struct exploration *exploration, enum fault_kind kind, double number, struct span span)
{
    struct fault fault = {.kind = kind, .span = span, .number = number};
    return markov_fail_with(exploration->markov, &fault);
}

static bool fail_sum(struct exploration *exploration, const struct outcome *outcome, double sum)
{
    const struct markov *markov = exploration->markov;
    const struct choice *choice = &markov->chain->choices[outcome->choice];
    const struct rule *rule = markov->layout->system->rules.items[choice->first_rule];
    struct fault fault = fault_of_sum(choice, rule, outcome->way, sum);
    return markov_fail_with(exploration->markov, &fault);
}

void exploration_note_number(struct exploration *exploration, const struct weight *weight, double number)
{
    struct markov *markov = exploration->markov;
    if ((weight->top || weight->bottom) && !markov->is_divided)
        markov->is_divided = !markov_is_short(markov, weight, exploration->source, number);
}

static inline bool is_same_choice(const struct outcome *a, const struct outcome *b)
{
    return a->choice == b->choice && a->way == b->way;
}

/* --- one state: its outcomes --- */

/* A choice that is enabled has an outcome with a chance; rates may all be 0. */
static bool check_chance(struct exploration *exploration, size_t first, const struct outcome *seen)
{
    const struct chain *chain = exploration->markov->chain;
    size_t count = exploration->outcomes.count;
    if (chain->kind == CHAIN_CTMC || (count > first && is_same_choice(seen, &VEC_LAST(&exploration->outcomes))))
        return true;
    return fail_sum(exploration, seen, 0);
}

static bool weigh(struct exploration *exploration, const struct step *step, struct outcome *found)
{
    found->choice = exploration->choice_of_rule[step->rule->id];
    found->way = step->rule->joint ? chain_way(step->rule, step->instance) : 0;
    if (!weigher_weigh(exploration->weigher, step->rule, step->instance, &found->weight))
        return false;
    if (found->weight < 0)
        return exploration_fail(exploration, FAULT_NEGATIVE, found->weight, step->rule->span);
    if (!step->rule->joint)
        exploration_note_number(exploration, step->rule->weight, found->weight);
    return true;
}

/* The outcomes of a step that all modules take together: those with the same target are one already. */
static void add_synchronous(struct exploration *exploration, const struct synchronous_row *row)
{
    struct markov *markov = exploration->markov;
    struct statistics *statistics = &markov->result->statistics;
    struct outcome found = {.choice = exploration->choice_of_rule[row->rule->id], .way = row->way};
    statistics->rules_fired += row->fired;
    statistics->fired_by_rule[row->rule->id] += row->fired;
    markov->most_outcomes = row->summands > markov->most_outcomes ? (size_t)row->summands : markov->most_outcomes;
    for (size_t i = 0; i < row->count; i++) {
        explore_send_number(markov->explore, row->rule, 0, row->entries[i].target);
        found.weight = row->entries[i].value;
        VEC_PUSH(&exploration->outcomes, found);
    }
}

/* All outcomes of the state, in the order of the choices. */
static bool gather_by_rules(struct exploration *exploration)
{
    struct markov *markov = exploration->markov;
    struct statistics *statistics = &markov->result->statistics;
    struct step step;
    enum step_outcome outcome;
    struct outcome last = {0};
    bool has_last = false;
    size_t first = exploration->outcomes.count;
    weigher_load(exploration->weigher, exploration->source);
    stepper_begin_successors(exploration->stepper, exploration->source);
    while ((outcome = stepper_next(exploration->stepper, &step)) != STEP_END && !watch_is_up()) {
        struct outcome found;
        statistics->rules_fired++;
        statistics->fired_by_rule[step.rule->id]++;
        if (!weigh(exploration, &step, &found))
            return false;
        if (has_last && !is_same_choice(&last, &found) && !check_chance(exploration, first, &last))
            return false;
        last = found;
        has_last = true;
        if (found.weight == 0)
            continue; /* it never happens, so it may as well be wrong */
        if (outcome == STEP_FAULT)
            return markov_fail_with(markov, &step.fault);
        explore_send(markov->explore, &step);
        VEC_PUSH(&exploration->outcomes, found);
    }
    if (watch_is_up()) /* perhaps not all outcomes were seen */
        return markov_may_go_on(markov);
    return !has_last || check_chance(exploration, first, &last);
}

static bool gather(struct exploration *exploration)
{
    struct synchronous_row row;
    enum synchronous_outcome outcome = exploration->synchronous
                                           ? synchronous_expand(exploration->synchronous, exploration->source, &row)
                                           : SYNCHRONOUS_OTHER;
    if (outcome == SYNCHRONOUS_OTHER)
        return gather_by_rules(exploration);
    if (outcome == SYNCHRONOUS_ROW)
        add_synchronous(exploration, &row);
    return outcome == SYNCHRONOUS_ROW;
}

/* --- one state: its rows --- */

size_t exploration_end_of_choice(const struct exploration *exploration, size_t from, double *sum)
{
    const struct outcome *outcomes = exploration->outcomes.items;
    size_t to = from;
    *sum = 0;
    while (to < exploration->outcomes.count && is_same_choice(&outcomes[to], &outcomes[from]))
        *sum += outcomes[to++].weight;
    return to;
}

/* Weights become shares of the row. */
static bool share_weights(struct exploration *exploration, size_t from, size_t to, double total)
{
    struct outcome *outcomes = exploration->outcomes.items;
    struct markov *markov = exploration->markov;
    for (size_t i = from; i < to; i++) {
        double share = total == 1 ? outcomes[i].weight : outcomes[i].weight / total;
        if (share < DBL_MIN && !markov->options->is_exact)
            return pctl_fail(&markov->evaluator, "a probability is too small for doubles (--exact takes it as it is)");
        outcomes[i].weight = share < DBL_MIN ? DBL_MIN : share;
    }
    return true;
}

static bool add_row(struct exploration *exploration, size_t from, size_t to, double total)
{
    exploration->markov->is_divided |= total != 1;
    VEC_PUSH(&exploration->rows, to);
    VEC_LAST(&exploration->row_counts)++;
    return rewards_of_row(exploration, from, to, total) && share_weights(exploration, from, to, total);
}

/* The chances of every choice must add up to 1. In a decision process each has a row of its own. */
static bool add_choices(struct exploration *exploration, size_t first, size_t *choices)
{
    const struct chain *chain = exploration->markov->chain;
    *choices = 0;
    for (size_t from = first, end = exploration->outcomes.count; from < end; ++*choices) {
        double sum;
        size_t to = exploration_end_of_choice(exploration, from, &sum);
        if (fabs(sum - 1) > CHANCES_TOLERANCE)
            return fail_sum(exploration, &exploration->outcomes.items[from], sum);
        if (chain->kind == CHAIN_MDP && !add_row(exploration, from, to, 1))
            return false;
        from = to;
    }
    return true;
}

static bool add_rates(struct exploration *exploration, size_t first)
{
    size_t end = exploration->outcomes.count;
    double total = 0;
    for (size_t i = first; i < end; i++)
        total += exploration->outcomes.items[i].weight;
    VEC_PUSH(&exploration->markov->exit_rate, total);
    return add_row(exploration, first, end, first == end ? 1 : total);
}

static bool add_rows(struct exploration *exploration, size_t first)
{
    struct markov *markov = exploration->markov;
    size_t choices, end = exploration->outcomes.count;
    VEC_PUSH(&markov->is_deadlock, end == first);
    markov->most_outcomes = end - first > markov->most_outcomes ? end - first : markov->most_outcomes;
    VEC_PUSH(&exploration->row_counts, 0);
    if (markov->chain->kind == CHAIN_CTMC)
        return add_rates(exploration, first);
    if (!add_choices(exploration, first, &choices))
        return false;
    return (markov->chain->kind == CHAIN_MDP && choices) ||
           add_row(exploration, first, end, choices ? (double)choices : 1);
}

static bool expand(void *user, uint32_t state, const int32_t *cells)
{
    struct exploration *exploration = user;
    struct markov *markov = exploration->markov;
    size_t first = exploration->outcomes.count;
    if (state % STATES_BETWEEN_LOOKS == 0) {
        markov_report_progress(markov, state);
        if (!markov_may_go_on(markov) || !markov_fits(markov, 0) || !exploration_rival_loses(exploration))
            return false;
    }
    markov->expanded = state;
    exploration->source = cells;
    return gather(exploration) && add_rows(exploration, first) && rewards_of_state(exploration);
}

/* --- into the matrix --- */

/* Those with the same target are one entry: where they are many, they are added up by target first. */
static void add_entries(struct exploration *exploration, const struct outcome *outcomes,
                        const struct explore_edge *edges, size_t count)
{
    struct matrix *matrix = &exploration->markov->matrix;
    if (count == 1) {
        matrix_append(matrix, edges[0].target, outcomes[0].weight);
        return;
    }
    if (count <= LONG_ROW) {
        for (size_t i = 0; i < count; i++)
            matrix_add(matrix, edges[i].target, outcomes[i].weight);
        return;
    }
    while (exploration->sums.count < markov_count(exploration->markov))
        VEC_PUSH(&exploration->sums, 0);
    for (size_t i = 0; i < count; i++)
        exploration->sums.items[edges[i].target] += outcomes[i].weight;
    for (size_t i = 0; i < count; i++) {
        double *sum = &exploration->sums.items[edges[i].target];
        if (*sum > 0)
            matrix_append(matrix, edges[i].target, *sum);
        *sum = 0;
    }
}

/* When the last state is settled, everything is. */
static void forget_settled(struct exploration *exploration)
{
    if (exploration->settled_states < exploration->row_counts.count)
        return;
    exploration->settled_outcomes = exploration->settled_rows = exploration->settled_states = 0;
    VEC_CLEAR(&exploration->outcomes);
    VEC_CLEAR(&exploration->rows);
    VEC_CLEAR(&exploration->row_counts);
}

/* A small group that exchanges nothing in so many states costs time and saves none: all states so far represent
 * themselves, so from here on they all may. If others would come, they are more by no more than its order. */
static void drop_idle_symmetry(struct markov *markov)
{
    struct bigint *order = symmetry_order(markov->symmetry), *size = bigint_create(1);
    uint64_t small, one;
    bool is_idle = bigint_fits_u64(order, &small) && small <= SMALL_GROUP;
    canon_set_exact(markov->canon, true);
    for (uint32_t s = 0; s < markov_count(markov) && is_idle; s++) {
        canon_orbit_size(markov->canon, markov_cells(markov, s), size);
        is_idle = bigint_fits_u64(size, &one) && one == 1;
    }
    canon_set_exact(markov->canon, false);
    if (is_idle) {
        explore_drop_canon(markov->explore);
        markov->result->representative = "none";
        markov->canon = NULL;
    }
    bigint_destroy(order);
    bigint_destroy(size);
}

static bool settle(void *user, uint32_t state, const struct explore_edge *edges, size_t count)
{
    struct exploration *exploration = user;
    struct matrix *matrix = &exploration->markov->matrix;
    size_t first = exploration->settled_outcomes, from = first;
    uint32_t rows = exploration->row_counts.items[exploration->settled_states++];
    matrix_begin_state(matrix);
    for (uint32_t r = 0; r < rows; r++) {
        size_t to = exploration->rows.items[exploration->settled_rows++];
        matrix_begin_row(matrix);
        if (from < to)
            add_entries(exploration, exploration->outcomes.items + from, edges + (from - first), to - from);
        else
            matrix_append(matrix, state, 1); /* nothing is enabled: it stays */
        from = to;
    }
    ENSURE(from == first + count);
    exploration->settled_outcomes = from;
    forget_settled(exploration);
    if (state == STATES_BEFORE_TRIAL && exploration->markov->canon)
        drop_idle_symmetry(exploration->markov);
    return true;
}

static bool explore(struct exploration *exploration)
{
    struct markov *markov = exploration->markov;
    const struct explore_client client = {exploration, expand, settle};
    if (!add_starts(exploration))
        return false;
    enum explore_end end = explore_run(markov->explore, &client);
    markov->result->statistics.depth = explore_depth(markov->explore);
    if (markov->canon)
        canon_set_exact(markov->canon, true); /* sizes of orbits are part of the answer */
    if (end == EXPLORE_FULL)
        fail_full(markov);
    else if (end == EXPLORE_STOPPED)
        markov_is_within_limits(markov); /* it may not know yet that the time is over */
    if (end != EXPLORE_DONE)
        return false;
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

static void markov_open(struct markov *markov)
{
    const struct layout *layout = markov->layout;
    uint64_t limit = markov->options->limits.memory_bytes;
    size_t structures = (size_t)markov->chain->reward_count + 1;
    markov->budget.limit = limit > markov->held_elsewhere ? limit - markov->held_elsewhere : limit ? 1 : 0;
    markov->began_bytes = markov->began_bytes ? markov->began_bytes : clock_peak_bytes();
    markov->explore =
        explore_create(layout, layout->cell_count, markov->symmetry, &markov->budget, markov->options->limits.states);
    markov->store = explore_store(markov->explore);
    markov->canon = explore_canon(markov->explore);
    markov->judge = stepper_create_vm(layout->system, layout);
    markov->chances = chances_create(layout);
    if (walk_is_overgrown(layout->system)) { /* else a state is judged in no time, also when the limit is reached */
        markov->judge->is_watched = true;
        chances_watch(markov->chances);
    }
    markov->expanded = MARKOV_START;
    markov->cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *markov->cells);
    markov->state_reward = memory_zeroed(structures, sizeof *markov->state_reward);
    markov->row_reward = memory_zeroed(structures, sizeof *markov->row_reward);
}

bool markov_build(struct markov *markov)
{
    struct steppers *steppers = steppers_create(markov->layout, markov->options->stepper, false);
    bool is_refused = steppers_refusal(steppers) && !markov_stop(markov, steppers_stop(steppers));
    if (is_refused) { /* nothing is asked of it, but its like is needed */
        steppers_destroy(steppers);
        steppers = steppers_create(markov->layout, STEPPER_VM, false);
    }
    struct exploration exploration = {.markov = markov, .stepper = steppers_make(steppers)};
    exploration.rivalry.begin = clock_cpu();
    exploration.stepper->is_watched = true;
    markov_open(markov);
    exploration.weigher = weigher_create(markov);
    exploration.synchronous = synchronous_create(markov);
    exploration.choice_of_rule = map_choices(markov->chain, markov->layout->system->rules.count);
    rewards_begin(&exploration);
    bool is_built = !is_refused && explore(&exploration);
    rewards_end(&exploration);
    markov->slack = markov_find_slack(markov);
    stepper_destroy(exploration.stepper);
    steppers_destroy(steppers);
    weigher_destroy(exploration.weigher);
    synchronous_destroy(exploration.synchronous);
    free(exploration.choice_of_rule);
    VEC_FREE(&exploration.outcomes);
    VEC_FREE(&exploration.rows);
    VEC_FREE(&exploration.row_counts);
    VEC_FREE(&exploration.sums);
    return is_built;
}
