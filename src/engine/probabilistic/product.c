#include "engine/probabilistic/product.h"

#include <string.h>

#include "numeric/components.h"
#include "numeric/ends.h"

static uint32_t number_of(struct markov_product *product, uint32_t state, uint32_t memory)
{
    uint64_t key = pairs_key(state, memory);
    uint32_t number = pairs_get(&product->numbers, key);
    if (number == WORDS_NONE) {
        number = (uint32_t)product->states.count;
        pairs_set(&product->numbers, key, number);
        VEC_PUSH(&product->states, ((struct product_state){state, memory}));
    }
    return number;
}

/* The rows of a state: those of the chain, with the automaton one step on. */
static void expand(struct markov_product *product, struct product_state from, uint32_t after)
{
    const struct matrix *chain = &product->chain->matrix;
    struct matrix *matrix = &product->markov.matrix;
    const struct exact_chain *known = product->chain->exact;
    matrix_begin_state(matrix);
    for (uint32_t row = chain->state_row.items[from.state]; row < chain->state_row.items[from.state + 1]; row++) {
        matrix_begin_row(matrix);
        VEC_PUSH(&product->row_origin, row);
        for (uint64_t i = chain->row_entry.items[row]; i < chain->row_entry.items[row + 1]; i++) {
            const struct entry *entry = &chain->entries.items[i];
            matrix_append(matrix, number_of(product, entry->target, after), entry->value);
            if (known)
                VEC_PUSH(&product->chances, known->chances[i]);
        }
    }
}

/* Where the automaton accepts all words or none it does not matter how the chain goes on: it stays. */
static void stay(struct markov_product *product, uint32_t number, uint32_t state)
{
    struct matrix *matrix = &product->markov.matrix;
    matrix_begin_state(matrix);
    matrix_begin_row(matrix);
    matrix_append(matrix, number, 1);
    VEC_PUSH(&product->row_origin, product->chain->matrix.state_row.items[state]);
    if (product->chain->exact)
        VEC_PUSH(&product->chances, product->one);
}

static bool explode(struct markov_product *product, const struct deterministic *automaton)
{
    return pctl_fail(&product->chain->evaluator, "the deterministic automaton of the formula has more than %u states",
                     deterministic_count(automaton) - 1);
}

static bool explore(struct markov_product *product, struct deterministic *automaton, const uint64_t *letters)
{
    struct markov *chain = product->chain;
    for (uint32_t n = 0; n < product->states.count; n++) {
        struct product_state from = product->states.items[n];
        struct deterministic_move move;
        uint64_t bytes = matrix_bytes(&product->markov.matrix) + deterministic_bytes(automaton);
        if (n % 256 == 0 && (!markov_is_within_limits(chain) || !markov_fits(chain, bytes)))
            return false;
        if (!deterministic_step(automaton, from.memory, letters[from.state], &move))
            return explode(product, automaton);
        VEC_PUSH(&product->priority, move.priority);
        VEC_PUSH(&product->after, move.target);
        if (deterministic_accepts_all(automaton, from.memory) || deterministic_accepts_none(automaton, from.memory))
            stay(product, n, from.state);
        else
            expand(product, from, move.target);
    }
    matrix_close(&product->markov.matrix);
    return true;
}

/* All that the chain has which the numbers need. */
static void open_markov(struct markov_product *product)
{
    const struct markov *chain = product->chain;
    product->markov = (struct markov){.layout = chain->layout,
                                      .symmetry = chain->symmetry,
                                      .chain = chain->chain,
                                      .options = chain->options,
                                      .result = chain->result,
                                      .began = chain->began,
                                      .held_elsewhere = chain->held_elsewhere + markov_bytes(chain),
                                      .began_bytes = chain->began_bytes,
                                      .is_divided = chain->is_divided,
                                      .most_outcomes = chain->most_outcomes,
                                      .threads = chain->threads,
                                      .slack = chain->slack,
                                      .initial_count = chain->initial_count,
                                      .epsilon = chain->epsilon,
                                      .patience = chain->patience};
    product->markov.evaluator = chain->evaluator;
    product->markov.evaluator.self = &product->markov;
    product->markov.evaluator.failure = (struct stop){0};
}

bool product_build(struct markov_product *product, struct markov *chain, struct deterministic *automaton,
                   const uint64_t *letters, bool from_starts)
{
    *product = (struct markov_product){.chain = chain, .one = rational_create(1, 1)};
    open_markov(product);
    product->begin_count = from_starts ? chain->initial_count : markov_count(chain);
    for (uint32_t s = 0; s < product->begin_count; s++)
        number_of(product, s, 0);
    if (!explore(product, automaton, letters))
        return false;
    if (chain->exact) {
        product->exact.chances = product->chances.items;
        product->markov.exact = &product->exact;
    }
    return true;
}

/* What the witness of the chain shows of the product: how the bounds came nearer, and what is certain. */
static void hand_witness_over(struct markov_product *product)
{
    struct witness *from = &product->markov.witness, *to = &product->chain->witness;
    free(from->rows);
    free(from->through);
    free(from->goal);
    if (from->has_bounds) {
        to->has_bounds = true;
        to->lower = from->lower;
        to->upper = from->upper;
        to->sweeps = from->sweeps;
    }
    VEC_FREE(&from->series);
}

void product_free(struct markov_product *product)
{
    struct markov *chain = product->chain, *markov = &product->markov;
    if (stop_is_set(&markov->evaluator.failure)) {
        stop_once(&chain->evaluator.failure, markov->evaluator.failure);
        chain->evaluator.is_undecided = markov->evaluator.is_undecided;
    }
    chain->patience = markov->patience;
    chain->sweeps += markov->sweeps;
    chain->is_mistaken |= markov->is_mistaken;
    hand_witness_over(product);
    reverse_destroy(markov->reverse);
    matrix_free(&markov->matrix);
    VEC_FREE(&product->states);
    VEC_FREE(&product->priority);
    VEC_FREE(&product->after);
    VEC_FREE(&product->row_origin);
    VEC_FREE(&product->chances);
    rational_destroy(product->one);
    pairs_free(&product->numbers);
}

/* --- acceptance --- */

/* Drops the strongly connected components without the priority: no end component of theirs has it. It takes a round,
 * where end components may take many. */
static void drop_components(const struct markov_product *product, uint32_t priority, uint8_t *wanted)
{
    struct components *components = components_create(&product->markov.matrix, wanted);
    for (uint32_t c = 0; c < components->count; c++) {
        bool has_priority = false;
        for (uint32_t i = components->first[c]; i < components->first[c + 1] && !has_priority; i++)
            has_priority = product->priority.items[components->states[i]] == priority;
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            wanted[components->states[i]] = has_priority;
    }
    components_destroy(components);
}

/* Adds the end components of `wanted` that have the priority. False: a limit. */
static bool add_ends(struct markov_product *product, uint8_t *wanted, uint32_t priority, uint8_t *accepting)
{
    drop_components(product, priority, wanted);
    struct ends *ends = ends_create(&product->markov.matrix, wanted, NULL, markov_may_go_on, &product->markov);
    uint8_t *is_good = memory_zeroed((ends ? ends->count : 0) + 1, 1);
    for (uint32_t s = 0; ends && s < product->states.count; s++)
        if (ends->of[s] != ENDS_NONE && product->priority.items[s] == priority)
            is_good[ends->of[s]] = 1;
    for (uint32_t s = 0; ends && s < product->states.count; s++)
        accepting[s] |= ends->of[s] != ENDS_NONE && is_good[ends->of[s]];
    bool is_done = ends != NULL;
    free(is_good);
    ends_destroy(ends);
    return is_done;
}

static bool has_edge_inside(const struct matrix *matrix, uint32_t state, const uint8_t *inside)
{
    uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
    for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
        if (inside[matrix->entries.items[i].target])
            return true;
    return false;
}

/* The same for strongly connected components with an edge. */
static bool add_components(struct markov_product *product, uint8_t *wanted, uint32_t priority, uint8_t *accepting)
{
    struct components *components = components_create(&product->markov.matrix, wanted);
    uint8_t *inside = memory_zeroed(product->states.count + 1, 1);
    for (uint32_t c = 0; c < components->count; c++) {
        const uint32_t *states = components->states + components->first[c];
        uint32_t count = components->first[c + 1] - components->first[c];
        bool is_good = false;
        for (uint32_t i = 0; i < count; i++) {
            is_good |= product->priority.items[states[i]] == priority;
            inside[states[i]] = 1;
        }
        is_good = is_good && has_edge_inside(&product->markov.matrix, states[0], inside);
        for (uint32_t i = 0; i < count; i++) {
            inside[states[i]] = 0;
            accepting[states[i]] |= is_good;
        }
    }
    free(inside);
    components_destroy(components);
    return markov_is_within_limits(&product->markov);
}

static bool leaves(const struct matrix *matrix, uint32_t state, const uint8_t *inside)
{
    uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
    for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
        if (!inside[matrix->entries.items[i].target])
            return true;
    return false;
}

/* A chain without choices stays in the components that it cannot leave, and there all states occur again and again. */
static void add_bottom(const struct markov_product *product, const uint32_t *states, uint32_t count, uint8_t *inside,
                       uint8_t *accepting)
{
    uint32_t least = UINT32_MAX;
    bool is_left = false;
    for (uint32_t i = 0; i < count; i++)
        inside[states[i]] = 1;
    for (uint32_t i = 0; i < count && !is_left; i++) {
        uint32_t priority = product->priority.items[states[i]];
        least = priority < least ? priority : least;
        is_left = leaves(&product->markov.matrix, states[i], inside);
    }
    for (uint32_t i = 0; i < count; i++) {
        inside[states[i]] = 0;
        accepting[states[i]] = !is_left && least % 2 == 0;
    }
}

static uint8_t *accepting_bottoms(struct markov_product *product)
{
    size_t count = product->states.count;
    uint8_t *all = numbers_new_set(&product->markov, true), *inside = memory_zeroed(count + 1, 1);
    uint8_t *accepting = memory_zeroed(count + 1, 1);
    struct components *components = components_create(&product->markov.matrix, all);
    for (uint32_t c = 0; c < components->count; c++)
        add_bottom(product, components->states + components->first[c], components->first[c + 1] - components->first[c],
                   inside, accepting);
    components_destroy(components);
    free(all);
    free(inside);
    return accepting;
}

uint8_t *product_accepting(struct markov_product *product, bool by_graph)
{
    if (!by_graph && product->chain->chain->kind != CHAIN_MDP)
        return accepting_bottoms(product);
    size_t count = product->states.count;
    uint8_t *accepting = memory_zeroed(count + 1, 1), *wanted = memory_zeroed(count + 1, 1);
    bool is_done = true;
    for (uint32_t priority = 0; is_done;) {
        uint32_t next = UINT32_MAX;
        for (size_t s = 0; s < count; s++)
            if (product->priority.items[s] >= priority && product->priority.items[s] < next)
                next = product->priority.items[s];
        if (next == UINT32_MAX)
            break;
        for (size_t s = 0; s < count; s++)
            wanted[s] = product->priority.items[s] >= next;
        if (next % 2 == 0)
            is_done = (by_graph ? add_components : add_ends)(product, wanted, next, accepting);
        priority = next + 1;
    }
    free(wanted);
    if (is_done)
        return accepting;
    free(accepting);
    return NULL;
}
