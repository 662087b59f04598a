/* The product of multi.h, and its end components collapsed. */
#include <string.h>

#include "base/hash.h"
#include "engine/probabilistic/multi_product.h"

enum { MOST_OBJECTIVES = 16, END = 0 };
enum status { STATUS_OPEN, STATUS_MET, STATUS_OVER }; /* two bits for each objective */
static const uint64_t MOST_STEPS = 1 << 30;

/* --- objectives --- */

static bool open_path(struct multi *multi, const struct pctl *formula, struct multi_objective *objective)
{
    struct markov *markov = multi->markov;
    if (!pctl_make_until(&markov->evaluator, formula, &objective->until))
        return false;
    objective->is_inverse = objective->until.is_complement;
    objective->has_steps = formula->window.upper != NULL;
    uint64_t first;
    if (objective->has_steps && !pctl_steps(&formula->window, &first, &objective->steps)) {
        memset(objective->until.goal.bytes, 0, markov_count(markov)); /* no step is within the bound */
        objective->steps = 0;
    }
    return true;
}

bool multi_is_large(const struct pctl *formula)
{
    return formula->is_query ? formula->extreme == PCTL_GREATEST : formula->op == OP_GE;
}

/* What is made large: the expectation, or its negative. */
static void open_bound(struct multi_objective *objective)
{
    const struct pctl *formula = objective->formula;
    objective->is_less = multi_is_large(formula) == objective->is_inverse;
    if (formula->is_query)
        return;
    struct rational *one = rational_create(1, 1);
    objective->bound = rational_create(0, 1);
    rational_copy(objective->bound, formula->threshold->factor);
    if (objective->is_inverse) {
        rational_negate(objective->bound);
        rational_add(objective->bound, one);
    }
    if (objective->is_less)
        rational_negate(objective->bound);
    rational_destroy(one);
}

static bool open_objective(struct multi *multi, const struct pctl *formula, struct multi_objective *objective)
{
    struct markov *markov = multi->markov;
    objective->formula = formula;
    objective->is_reward = formula->kind == PCTL_REWARD;
    if (objective->is_reward) {
        if (!earnings_check(markov, formula->reward))
            return false;
        objective->earnings = earnings_by_row(markov, formula->reward);
        objective->has_steps = formula->goal == PCTL_CUMULATED;
        objective->steps = objective->has_steps ? (uint64_t)formula->window.upper->value : 0;
    } else if (!(pctl_is_linear(formula) ? multi_open_linear : open_path)(multi, formula, objective))
        return false;
    if (!formula->is_query && formula->threshold->is_rounded)
        return pctl_fail(&markov->evaluator, "multi(...) is not compared with a logarithm or a root");
    if (objective->steps > MOST_STEPS)
        return pctl_fail(&markov->evaluator, "more than 2^30 steps in multi(...): not supported");
    open_bound(objective);
    if (objective->steps > multi->horizon)
        multi->horizon = objective->steps;
    return true;
}

/* --- the product --- */

static enum status status_of(uint64_t memory, uint32_t objective)
{
    return (enum status)(memory >> (2 * objective) & 3);
}

static uint64_t steps_of(const struct multi *multi, uint64_t memory)
{
    return memory >> (2 * multi->count);
}

static enum status next_status(const struct multi_objective *objective, enum status before, uint32_t state,
                               uint64_t steps)
{
    if (objective->is_reward || objective->automaton || before != STATUS_OPEN)
        return STATUS_OVER;
    if (objective->until.goal.bytes[state] && (!objective->has_steps || steps <= objective->steps))
        return STATUS_MET;
    bool is_over = !objective->until.left.bytes[state] || (objective->has_steps && steps >= objective->steps);
    return is_over ? STATUS_OVER : STATUS_OPEN;
}

/* On entering the state; `before`: what became of the objectives until then. */
static uint64_t next_memory(const struct multi *multi, uint64_t before, uint32_t state, uint64_t steps)
{
    uint64_t memory = steps << (2 * multi->count);
    for (uint32_t i = 0; i < multi->count; i++)
        memory |= (uint64_t)next_status(&multi->objectives[i], status_of(before, i), state, steps) << (2 * i);
    return memory;
}

/* Can anything still be earned? */
static bool is_live(const struct multi *multi, const uint32_t *places, uint64_t memory)
{
    for (uint32_t i = 0; i < multi->count; i++) {
        const struct multi_objective *objective = &multi->objectives[i];
        if (objective->automaton   ? !deterministic_accepts_none(objective->automaton, places[i])
            : objective->is_reward ? !objective->has_steps || steps_of(multi, memory) < objective->steps
                                   : status_of(memory, i) != STATUS_OVER)
            return true;
    }
    return false;
}

static uint64_t hash_of(const struct monitored_state *state)
{
    return hash_combine(hash_combine(state->state, state->places), state->memory);
}

static void grow(struct monitored *product)
{
    uint32_t capacity = product->capacity ? 2 * product->capacity : 1024;
    free(product->table);
    product->table = memory_zeroed(capacity, sizeof *product->table);
    product->capacity = capacity;
    for (uint32_t n = 1; n < product->states.count; n++) {
        const struct monitored_state *state = &product->states.items[n];
        uint64_t slot = hash_of(state) & (capacity - 1);
        while (product->table[slot])
            slot = (slot + 1) & (capacity - 1);
        product->table[slot] = n;
    }
}

static uint32_t number_of(struct monitored *product, uint32_t state, const uint32_t *places, uint64_t memory)
{
    if (!is_live(product->multi, places, memory))
        return END;
    struct monitored_state own = {state, words_intern(&product->places, places, product->multi->count), memory};
    if (2 * (uint32_t)product->states.count >= product->capacity)
        grow(product);
    uint64_t slot = hash_of(&own) & (product->capacity - 1);
    for (; product->table[slot]; slot = (slot + 1) & (product->capacity - 1)) {
        const struct monitored_state *known = &product->states.items[product->table[slot]];
        if (known->state == state && known->places == own.places && known->memory == memory)
            return product->table[slot];
    }
    product->table[slot] = (uint32_t)product->states.count;
    VEC_PUSH(&product->states, own);
    return (uint32_t)product->states.count - 1;
}

static uint32_t earns_of(const struct multi *multi, uint64_t memory)
{
    uint32_t earns = 0;
    for (uint32_t i = 0; i < multi->count; i++) {
        const struct multi_objective *objective = &multi->objectives[i];
        bool does = objective->automaton   ? false /* it earns by staying */
                    : objective->is_reward ? !objective->has_steps || steps_of(multi, memory) < objective->steps
                                           : status_of(memory, i) == STATUS_MET;
        earns |= (uint32_t)does << i;
    }
    return earns;
}

static void begin_row(struct monitored *product, uint32_t origin, uint32_t memory)
{
    matrix_begin_row(&product->matrix);
    VEC_PUSH(&product->row_origin, origin);
    VEC_PUSH(&product->row_memory, memory);
}

static bool expand(struct monitored *product, uint32_t number)
{
    const struct multi *multi = product->multi;
    uint32_t places[MOST_OBJECTIVES] = {0};
    if (multi->linear_count && !multi_read_letters(product, number, places))
        return false;
    const struct matrix *chain = &multi->markov->matrix;
    struct monitored_state from = product->states.items[number];
    uint64_t steps = steps_of(multi, from.memory);
    steps += steps < multi->horizon;
    matrix_begin_state(&product->matrix);
    for (uint32_t row = chain->state_row.items[from.state]; row < chain->state_row.items[from.state + 1]; row++) {
        begin_row(product, row, earns_of(multi, from.memory));
        for (uint64_t i = chain->row_entry.items[row]; i < chain->row_entry.items[row + 1]; i++) {
            uint32_t target = chain->entries.items[i].target;
            uint32_t to = number_of(product, target, places, next_memory(multi, from.memory, target, steps));
            VEC_PUSH(&product->matrix.entries, ((struct entry){to, chain->entries.items[i].value}));
            VEC_PUSH(&product->origin, i);
        }
    }
    return true;
}

static bool explore(struct monitored *product)
{
    struct markov *markov = product->multi->markov;
    VEC_PUSH(&product->states, ((struct monitored_state){0}));
    matrix_begin_state(&product->matrix);
    begin_row(product, UINT32_MAX, 0);
    VEC_PUSH(&product->matrix.entries, ((struct entry){END, 1}));
    VEC_PUSH(&product->origin, UINT64_MAX);
    uint32_t places[MOST_OBJECTIVES] = {0};
    for (uint32_t i = 0; i < product->multi->count; i++)
        VEC_PUSH(&product->priority, 0); /* of the end, which is never looked at */
    product->multi->initial = number_of(product, 0, places, next_memory(product->multi, 0, 0, 0));
    for (uint32_t n = 1; n < product->states.count; n++) {
        if (n % 1024 == 0 && (!markov_is_within_limits(markov) || !markov_fits(markov, matrix_bytes(&product->matrix))))
            return false;
        if (!expand(product, n))
            return false;
    }
    matrix_close(&product->matrix);
    return true;
}

/* --- without end components --- */

/* Of a row that a scheduler can take again and again. */
static bool earns_rewards(const struct multi *multi, uint32_t origin, uint32_t memory)
{
    bool earns = false;
    for (uint32_t i = 0; i < multi->count && origin != UINT32_MAX; i++) {
        const struct multi_objective *objective = &multi->objectives[i];
        earns |= (memory >> i & 1) && (!objective->is_reward || objective->earnings.near[origin] != 0);
    }
    return earns;
}

static bool check_ends(const struct monitored *product, const struct ends *ends)
{
    for (uint32_t row = 0; row < matrix_rows(&product->matrix); row++)
        if (ends->is_kept[row] &&
            earns_rewards(product->multi, product->row_origin.items[row], product->row_memory.items[row]))
            return pctl_fail(&product->multi->markov->evaluator,
                             "a scheduler can earn rewards without end: multi(...) is about finite totals");
    return true;
}

static void copy_row(struct monitored *product, uint32_t row, const uint32_t *number)
{
    struct multi *multi = product->multi;
    const struct matrix *matrix = &product->matrix;
    matrix_begin_row(&multi->matrix);
    VEC_PUSH(&multi->row_origin, product->row_origin.items[row]);
    VEC_PUSH(&multi->row_memory, product->row_memory.items[row]);
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        VEC_PUSH(&multi->matrix.entries, ((struct entry){number[entry->target], entry->value}));
        VEC_PUSH(&multi->origin, product->origin.items[i]);
    }
}

/* And earns the objectives of the set. */
static void add_stop(struct multi *multi, uint32_t end, uint32_t set)
{
    matrix_begin_row(&multi->matrix);
    VEC_PUSH(&multi->row_origin, UINT32_MAX);
    VEC_PUSH(&multi->row_memory, set);
    VEC_PUSH(&multi->matrix.entries, ((struct entry){end, 1}));
    VEC_PUSH(&multi->origin, UINT64_MAX);
}

static void add_stops(struct multi *multi, const struct multi_stays *stays, uint32_t component, uint32_t end)
{
    bool has_stop = false;
    for (size_t i = 0; i < stays->list.count; i++)
        if (stays->list.items[i].component == component) {
            add_stop(multi, end, stays->list.items[i].set);
            has_stop = true;
        }
    if (!has_stop)
        add_stop(multi, end, 0);
}

/* The new numbers: one for each end component, one for each other state, the last for the end. */
static uint32_t *renumber(const struct monitored *product, const struct ends *ends, uint32_t *count)
{
    uint32_t states = (uint32_t)product->states.count;
    uint32_t *number = memory_zeroed((size_t)states + 1, sizeof *number);
    uint32_t *of_end = memory_zeroed((size_t)ends->count + 1, sizeof *of_end);
    *count = 0;
    for (uint32_t s = 1; s < states; s++) {
        uint32_t component = ends->of[s];
        if (component == ENDS_NONE)
            number[s] = (*count)++;
        else if (of_end[component])
            number[s] = of_end[component] - 1;
        else
            of_end[component] = (number[s] = (*count)++) + 1;
    }
    number[END] = (*count)++;
    free(of_end);
    return number;
}

/* The members of each new state, as a list for each. */
static void collapse(struct monitored *product, const struct ends *ends, const struct multi_stays *stays)
{
    struct multi *multi = product->multi;
    uint32_t states = (uint32_t)product->states.count, count;
    uint32_t *number = renumber(product, ends, &count);
    uint32_t *first = memory_zeroed((size_t)count + 1, sizeof *first), *next = memory_zeroed(states, sizeof *next);
    for (uint32_t s = states; s-- > 1;) { /* 0 ends a list */
        next[s] = first[number[s]];
        first[number[s]] = s;
    }
    for (uint32_t n = 0; n + 1 < count; n++) {
        matrix_begin_state(&multi->matrix);
        for (uint32_t s = first[n]; s; s = next[s])
            for (uint32_t row = product->matrix.state_row.items[s]; row < product->matrix.state_row.items[s + 1]; row++)
                if (!ends->is_kept[row])
                    copy_row(product, row, number);
        if (ends->of[first[n]] != ENDS_NONE)
            add_stops(multi, stays, ends->of[first[n]], count - 1);
    }
    matrix_begin_state(&multi->matrix);
    add_stop(multi, count - 1, 0);
    matrix_close(&multi->matrix);
    multi->initial = number[multi->initial];
    multi->unknown = memory_zeroed((size_t)count + 1, 1);
    memset(multi->unknown, 1, count - 1);
    free(number);
    free(first);
    free(next);
}

static void list_rewards(struct multi *multi)
{
    uint32_t rows = matrix_rows(&multi->matrix);
    multi->rewards = memory_zeroed(multi->count + 1, sizeof *multi->rewards);
    for (uint32_t i = 0; i < multi->count; i++) {
        const struct multi_objective *objective = &multi->objectives[i];
        multi->rewards[i] = memory_zeroed((size_t)rows + 1, sizeof **multi->rewards);
        for (uint32_t row = 0; row < rows; row++)
            if (multi->row_memory.items[row] >> i & 1)
                multi->rewards[i][row] =
                    objective->is_reward ? objective->earnings.near[multi->row_origin.items[row]] : 1;
    }
}

static bool build(struct monitored *product)
{
    struct multi *multi = product->multi;
    if (!explore(product))
        return false;
    uint8_t *wanted = memory_zeroed(product->states.count + 1, 1);
    memset(wanted + 1, 1, product->states.count - 1);
    struct ends *ends = ends_create(&product->matrix, wanted, NULL, markov_may_go_on, multi->markov);
    struct multi_stays stays = {0};
    bool is_built = ends && check_ends(product, ends) && multi_find_stays(product, ends, &stays);
    if (is_built) {
        collapse(product, ends, &stays);
        list_rewards(multi);
        multi->reverse = reverse_create(&multi->matrix);
    }
    VEC_FREE(&stays.list);
    ends_destroy(ends);
    free(wanted);
    return is_built;
}

bool multi_create(struct markov *markov, const struct pctl *formula, struct multi *multi)
{
    *multi = (struct multi){.markov = markov};
    if (markov->initial_count != 1)
        return pctl_fail(&markov->evaluator, "multi(...) is about one initial state, and there are several");
    for (const struct pctl *rest = formula; rest; rest = rest->right)
        multi->count++;
    if (multi->count > MOST_OBJECTIVES)
        return pctl_fail(&markov->evaluator, "multi(...) with more than %d objectives: not supported", MOST_OBJECTIVES);
    multi->objectives = memory_zeroed(multi->count + 1, sizeof *multi->objectives);
    uint32_t i = 0;
    for (const struct pctl *rest = formula; rest; rest = rest->right)
        if (!open_objective(multi, rest->left, &multi->objectives[i++]))
            return false;
    struct monitored product = {.multi = multi};
    bool is_built = build(&product);
    VEC_FREE(&product.states);
    VEC_FREE(&product.priority);
    words_free(&product.places);
    free(product.table);
    matrix_free(&product.matrix);
    VEC_FREE(&product.origin);
    VEC_FREE(&product.row_origin);
    VEC_FREE(&product.row_memory);
    return is_built;
}

void multi_free(struct multi *multi)
{
    for (uint32_t i = 0; multi->objectives && i < multi->count; i++) {
        struct multi_objective *objective = &multi->objectives[i];
        pctl_until_free(&multi->markov->evaluator, &objective->until);
        if (objective->is_reward)
            earnings_free(&objective->earnings);
        deterministic_destroy(objective->automaton);
        free(objective->letters);
        rational_destroy(objective->bound);
        free(multi->rewards ? multi->rewards[i] : NULL);
    }
    free(multi->rewards);
    free(multi->objectives);
    free(multi->unknown);
    if (multi->reverse)
        reverse_destroy(multi->reverse);
    matrix_free(&multi->matrix);
    VEC_FREE(&multi->origin);
    VEC_FREE(&multi->row_origin);
    VEC_FREE(&multi->row_memory);
}
