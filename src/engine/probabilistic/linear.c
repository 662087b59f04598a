/* P, E, A and R of formulas of LTL: on the product with a deterministic automaton. */
#include "pctl/linear.h"

#include <math.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/product.h"

enum { MOST_AUTOMATON = 10000, MOST_DETERMINISTIC = 100000, MOST_FREE_ATOMS = 10, MOST_MOVES = 1 << 22 };

uint64_t *markov_find_letters(const struct markov *markov, const struct pctl_linear *linear)
{
    uint32_t count = markov_count(markov);
    uint64_t *letters = memory_zeroed((size_t)count + 1, sizeof *letters);
    for (uint32_t i = 0; i < linear->atom_count; i++)
        for (uint32_t s = 0; s < count; s++)
            letters[s] |= (uint64_t)linear->atoms[i].bytes[s] << i;
    return letters;
}

struct deterministic *markov_make_automaton(struct markov *markov, struct pctl_linear *linear)
{
    struct automaton *automaton = automaton_create(linear->logic, linear->formula, MOST_AUTOMATON);
    if (!automaton) {
        if (markov_is_within_limits(markov))
            pctl_fail(&markov->evaluator, "the automaton of the formula has more than %d states", MOST_AUTOMATON);
        return NULL;
    }
    struct deterministic *deterministic = deterministic_create(automaton, MOST_DETERMINISTIC);
    automaton_destroy(automaton);
    return deterministic;
}

/* --- back to the states of the chain --- */

/* States from which the automaton does not begin: nobody looks at them. */
static void take_numbers(struct markov *markov, const struct markov_product *product, const struct state_numbers *found,
                         double limit, struct state_numbers *numbers)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (s < product->begin_count) {
            struct pctl_number number = numbers_at(found, s), copy = pctl_number_copy(&number);
            numbers_put(numbers, s, copy);
        } else {
            numbers_set(numbers, s, 0);
            if (!numbers->exact)
                numbers->bounds.upper[s] = limit;
        }
}

static uint8_t *take_truth(const struct markov *markov, const struct markov_product *product, const uint8_t *found)
{
    uint8_t *truth = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < product->begin_count; s++)
        truth[s] = found[s];
    return truth;
}

static void take_value(struct markov *markov, struct markov_product *product, double limit, struct pctl_value *found,
                       struct pctl_value *value)
{
    if (found->is_number)
        take_numbers(markov, product, found->numbers, limit, numbers_begin(markov, value));
    else
        value->truth.bytes = take_truth(markov, product, found->truth.bytes);
}

/* --- P, E and A --- */

/* The greatest probability of the formula or of its negation: to get where a scheduler can go on as it should. */
static bool measure(struct markov_product *product, const struct pctl *formula, struct pctl_value *found)
{
    struct markov *markov = &product->markov;
    struct pctl_until until = {.is_complement = pctl_turns_linear(formula), .window = &formula->window};
    until.goal.bytes = product_accepting(product, false);
    until.left.bytes = numbers_new_set(markov, true);
    bool is_done = until.goal.bytes && markov_until(markov, formula, &until, found);
    free(until.goal.bytes);
    free(until.left.bytes);
    return is_done;
}

static bool find_path(struct markov_product *product, const struct pctl *formula, struct pctl_value *found)
{
    struct markov *markov = &product->markov;
    uint8_t *goal = product_accepting(product, true), *all = numbers_new_set(markov, true);
    if (goal) {
        found->truth.bytes = markov_some_until(markov, all, goal);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            found->truth.bytes[s] = found->truth.bytes[s] != pctl_turns_linear(formula);
    }
    free(goal);
    free(all);
    return goal != NULL;
}

/* --- R --- */

/* The states of an automaton from which every word is accepted, also where that takes more than one letter to see:
 * those without a path that is never certain. `is_open`: by state, whether there is such a path. */
struct certainty {
    struct deterministic *automaton;
    uint32_t atom_count;
    VEC(uint8_t) is_open;
};

static bool steps_into_open(struct certainty *certainty, uint32_t state, bool *is_open)
{
    struct deterministic_move move;
    *is_open = false;
    for (uint64_t letter = 0; letter < UINT64_C(1) << certainty->atom_count && !*is_open; letter++) {
        if (!deterministic_step(certainty->automaton, state, letter, &move))
            return false;
        *is_open = certainty->is_open.items[move.target];
    }
    return true;
}

static bool find_certain(struct certainty *certainty)
{
    for (uint32_t state = 0; state < deterministic_count(certainty->automaton); state++) {
        struct deterministic_move move;
        if ((uint64_t)state << certainty->atom_count > MOST_MOVES)
            return false;
        for (uint64_t letter = 0; letter < UINT64_C(1) << certainty->atom_count; letter++)
            if (!deterministic_step(certainty->automaton, state, letter, &move) || watch_is_up())
                return false;
        VEC_PUSH(&certainty->is_open, !deterministic_accepts_all(certainty->automaton, state));
    }
    for (bool has_changed = true; has_changed && !watch_is_up();) {
        has_changed = false;
        for (uint32_t state = 0; state < certainty->is_open.count; state++) {
            bool is_open = certainty->is_open.items[state];
            if (is_open && !steps_into_open(certainty, state, &is_open))
                return false;
            has_changed |= is_open != certainty->is_open.items[state];
            certainty->is_open.items[state] = is_open;
        }
    }
    return !watch_is_up();
}

/* What the chain earns by row, by row of the product; it stays the chain's. */
static struct markov_earnings lift_earnings(const struct markov_product *product,
                                            const struct markov_earnings *earnings)
{
    uint32_t rows = (uint32_t)product->row_origin.count;
    struct markov_earnings lifted = {memory_zeroed((size_t)rows + 1, sizeof(double)), NULL, rows};
    if (earnings->exact)
        lifted.exact = memory_zeroed((size_t)rows + 1, sizeof *lifted.exact);
    for (uint32_t r = 0; r < rows; r++) {
        lifted.near[r] = earnings->near[product->row_origin.items[r]];
        if (lifted.exact)
            lifted.exact[r] = earnings->exact[product->row_origin.items[r]];
    }
    return lifted;
}

/* Until the automaton is certain: after it has read the state. */
static bool earn(struct markov_product *product, const struct pctl *formula, const struct certainty *certainty,
                 struct pctl_value *found)
{
    struct markov *markov = &product->markov;
    struct markov_earnings earnings = earnings_by_row(product->chain, formula->reward);
    struct markov_earnings lifted = lift_earnings(product, &earnings);
    uint8_t *goal = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        goal[s] = !certainty->is_open.items[product->after.items[s]];
    bool is_done = markov_reward_until(markov, formula, &lifted, goal, numbers_begin(markov, found));
    free(goal);
    free(lifted.near);
    free(lifted.exact);
    earnings_free(&earnings);
    return is_done;
}

/* --- all of it --- */

static bool is_certainty_found(struct markov *markov, const struct pctl_linear *linear, struct certainty *certainty)
{
    certainty->atom_count = linear->atom_count;
    if (linear->atom_count > MOST_FREE_ATOMS)
        return pctl_fail(&markov->evaluator, "a reward of LTL with more than %d state formulas: not supported",
                         MOST_FREE_ATOMS - 1);
    if (find_certain(certainty))
        return true;
    return markov_is_within_limits(markov) &&
           pctl_fail(&markov->evaluator, "the deterministic automaton of the formula has more than %d moves",
                     MOST_MOVES);
}

static bool evaluate(struct markov_product *product, const struct pctl *formula, const struct certainty *certainty,
                     struct pctl_value *found)
{
    return formula->kind == PCTL_REWARD        ? earn(product, formula, certainty, found)
           : formula->kind == PCTL_PROBABILITY ? measure(product, formula, found)
                                               : find_path(product, formula, found);
}

bool markov_linear(void *self, const struct pctl *formula, struct pctl_linear *linear, struct pctl_value *value)
{
    struct markov *markov = self;
    struct markov_product product;
    struct pctl_value found = {0};
    struct certainty certainty = {.automaton = markov_make_automaton(markov, linear)};
    if (!certainty.automaton)
        return false;
    bool is_reward = formula->kind == PCTL_REWARD;
    uint64_t *letters = markov_find_letters(markov, linear);
    bool is_root = formula == markov->evaluator.root;
    bool is_done =
        !is_reward || (earnings_check(markov, formula->reward) && is_certainty_found(markov, linear, &certainty));
    if (is_done) {
        is_done = product_build(&product, markov, certainty.automaton, letters, is_root) &&
                  evaluate(&product, formula, &certainty, &found);
        if (is_done)
            take_value(markov, &product, is_reward ? INFINITY : 1, &found, value);
        pctl_value_free(&product.markov.evaluator, &found);
        product_free(&product);
    }
    VEC_FREE(&certainty.is_open);
    free(letters);
    deterministic_destroy(certainty.automaton);
    return is_done;
}
