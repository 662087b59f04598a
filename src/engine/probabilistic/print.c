/* filter(print, formula, states) and filter(printall, ...): the values of states, beside that of the initial one. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"

static bool is_print(const struct pctl *formula)
{
    return formula->kind == PCTL_FILTER &&
           (formula->filter == PCTL_FILTER_PRINT || formula->filter == PCTL_FILTER_PRINT_ALL);
}

static struct state_value value_at(const struct pctl_value *value, uint32_t state)
{
    if (!value->is_number)
        return (struct state_value){.is_truth = true, .holds = value->truth.bytes[state]};
    struct pctl_number number = numbers_at(value->numbers, state);
    struct state_value found = {.lower = number.lower, .upper = number.upper};
    if (number.is_exact) {
        found.exact = number.exact ? rational_digits(number.exact) : memory_string("infinity");
        found.lower = number.exact ? rational_to_double_below(number.exact) : INFINITY;
        found.upper = number.exact ? rational_to_double_above(number.exact) : INFINITY;
    }
    return found;
}

/* As in PRISM, `print` leaves out what is 0 or false. */
static bool is_nothing(const struct state_value *value)
{
    return value->is_truth ? !value->holds : value->lower == 0 && value->upper == 0;
}

static void add(struct markov *markov, const struct pctl *formula, const struct pctl_value *value, uint32_t state,
                struct quantity *quantity)
{
    struct state_value found = value_at(value, state);
    size_t size = markov->layout->cell_count * sizeof *found.cells;
    if (formula->filter == PCTL_FILTER_PRINT && is_nothing(&found)) {
        free(found.exact);
        return;
    }
    found.cells = memory_alloc(size + 1);
    memcpy(found.cells, markov_cells(markov, state), size);
    VEC_PUSH(&quantity->printed, found);
}

void print_states(struct markov *markov, const struct pctl *formula, const struct pctl_value *value,
                  struct quantity *quantity)
{
    union pctl_set states = {0};
    if (!is_print(formula) || (formula->right && !pctl_evaluate_truth(&markov->evaluator, formula->right, &states)))
        return;
    quantity->layout = markov->layout;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!formula->right || states.bytes[s])
            add(markov, formula, value, s, quantity);
    if (formula->right)
        markov->evaluator.carrier->free_set(markov->evaluator.self, states);
}
