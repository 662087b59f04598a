#include "engine/probabilistic/numbers.h"

#include <math.h>
#include <string.h>

uint8_t *numbers_new_set(const struct markov *markov, bool is_in)
{
    size_t count = markov_count(markov);
    uint8_t *set = memory_zeroed(count + 1, 1);
    memset(set, is_in, count);
    return set;
}

struct bounds numbers_new_bounds(const struct markov *markov)
{
    size_t count = (size_t)markov_count(markov) + 1;
    return (struct bounds){memory_zeroed(count, sizeof(double)), memory_zeroed(count, sizeof(double))};
}

void numbers_widen(const struct markov *markov, struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov) && markov->slack > 0; s++) {
        double off = fmax(fabs(bounds->lower[s]), fabs(bounds->upper[s])) * markov->slack;
        bounds->lower[s] -= isfinite(off) ? off : 0;
        bounds->upper[s] += isfinite(off) ? off : 0;
    }
}

struct state_numbers *numbers_new(const struct markov *markov)
{
    struct state_numbers *numbers = memory_zeroed(1, sizeof *numbers);
    numbers->count = markov_count(markov);
    if (markov->exact)
        numbers->exact = memory_zeroed((size_t)numbers->count + 1, sizeof *numbers->exact);
    else
        numbers->bounds = numbers_new_bounds(markov);
    return numbers;
}

void numbers_free(struct state_numbers *numbers)
{
    if (!numbers)
        return;
    free(numbers->bounds.lower);
    free(numbers->bounds.upper);
    for (uint32_t s = 0; numbers->exact && s < numbers->count; s++)
        rational_destroy(numbers->exact[s]);
    free(numbers->exact);
    free(numbers);
}

struct state_numbers *numbers_begin(const struct markov *markov, struct pctl_value *value)
{
    struct state_numbers *numbers = numbers_new(markov);
    value->is_number = true;
    value->numbers = numbers;
    return numbers;
}

struct pctl_number numbers_at(const struct state_numbers *numbers, uint32_t state)
{
    return numbers->exact ? pctl_fraction(numbers->exact[state])
                          : pctl_interval(numbers->bounds.lower[state], numbers->bounds.upper[state]);
}

void numbers_put(struct state_numbers *numbers, uint32_t state, struct pctl_number number)
{
    if (numbers->exact)
        numbers->exact[state] = number.exact;
    else {
        numbers->bounds.lower[state] = number.lower;
        numbers->bounds.upper[state] = number.upper;
    }
}

void numbers_set(struct state_numbers *numbers, uint32_t state, double integer)
{
    if (!numbers->exact) {
        numbers->bounds.lower[state] = numbers->bounds.upper[state] = integer;
        return;
    }
    if (!numbers->exact[state])
        numbers->exact[state] = rational_create(0, 1);
    rational_set(numbers->exact[state], (int64_t)integer);
}
