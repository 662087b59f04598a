/* Objectives of LTL (multi.h). Each is made large: where a formula is to be rare, its negation is the objective. The
 * product follows a deterministic automaton for each of them. A scheduler ends in an end component, and may stay in a
 * part of it: which automata can accept there together is what it earns by stopping (Etessami, Kwiatkowska, Vardi and
 * Yannakakis, "Multi-objective model checking of Markov decision processes", TACAS 2007, section 4; with parity instead
 * of Büchi automata). */
#include "engine/probabilistic/multi_product.h"
#include "pctl/linear.h"

bool multi_open_linear(struct multi *multi, const struct pctl *formula, struct multi_objective *objective)
{
    struct markov *markov = multi->markov;
    struct pctl_linear linear;
    if (++multi->linear_count > MULTI_MOST_LINEAR)
        return pctl_fail(&markov->evaluator, "multi(...) with more than %d objectives of LTL: not supported",
                         MULTI_MOST_LINEAR);
    objective->is_inverse = !multi_is_large(formula);
    if (pctl_make_linear(&markov->evaluator, formula, objective->is_inverse, &linear))
        objective->automaton = markov_make_automaton(markov, &linear);
    if (objective->automaton)
        objective->letters = markov_find_letters(markov, &linear);
    pctl_linear_free(&markov->evaluator, &linear);
    return objective->automaton != NULL;
}

bool multi_read_letters(struct monitored *product, uint32_t number, uint32_t *after)
{
    const struct multi *multi = product->multi;
    struct monitored_state from = product->states.items[number];
    for (uint32_t i = 0; i < multi->count; i++) {
        const struct multi_objective *objective = &multi->objectives[i];
        struct deterministic_move move = {0};
        if (objective->automaton &&
            !deterministic_step(objective->automaton, words_at(&product->places, from.places)[i],
                                objective->letters[from.state], &move))
            return pctl_fail(&multi->markov->evaluator,
                             "the deterministic automaton of the formula has more than %u states",
                             deterministic_count(objective->automaton) - 1);
        after[i] = move.target;
        VEC_PUSH(&product->priority, move.priority);
    }
    return true;
}

/* Every end component of `wanted` whose states show a bad priority, one that is the least and odd, loses them. Those
 * without one are good: `found` gets their objectives. Is anything left to look at? */
static bool sift(const struct monitored *product, const struct ends *parts, const struct ends *ends, uint32_t set,
                 uint8_t *wanted, uint32_t *found)
{
    uint32_t states = (uint32_t)product->states.count, count = product->multi->count;
    uint32_t *least = memory_alloc(((size_t)parts->count * count + 1) * sizeof *least);
    uint32_t *bad = memory_zeroed((size_t)parts->count + 1, sizeof *bad);
    bool is_left = false;
    for (size_t i = 0; i < (size_t)parts->count * count; i++)
        least[i] = UINT32_MAX;
    for (uint32_t s = 1; s < states; s++)
        for (uint32_t i = 0; parts->of[s] != ENDS_NONE && i < count; i++) {
            uint32_t *known = &least[(size_t)parts->of[s] * count + i],
                     own = product->priority.items[(size_t)s * count + i];
            *known = own < *known ? own : *known;
        }
    for (uint32_t part = 0; part < parts->count; part++)
        for (uint32_t i = 0; i < count; i++)
            bad[part] |= (set >> i & 1 && least[(size_t)part * count + i] % 2) ? 1u << i : 0;
    for (uint32_t s = 1; s < states; s++) {
        uint32_t part = parts->of[s];
        wanted[s] = part != ENDS_NONE && bad[part];
        if (part != ENDS_NONE && !bad[part])
            found[ends->of[s]] = set;
        for (uint32_t i = 0; wanted[s] && i < count; i++)
            if (bad[part] >> i & 1 && product->priority.items[(size_t)s * count + i] == least[(size_t)part * count + i])
                wanted[s] = 0;
        is_left |= wanted[s];
    }
    free(least);
    free(bad);
    return is_left;
}

/* By end component: `set` if a scheduler can stay in it such that all these objectives are met, else 0. */
static bool find_stays(const struct monitored *product, const struct ends *ends, uint32_t set, uint32_t *found)
{
    struct markov *markov = product->multi->markov;
    uint32_t states = (uint32_t)product->states.count;
    uint8_t *wanted = memory_zeroed((size_t)states + 1, 1);
    bool is_left = true, is_done = true;
    for (uint32_t s = 1; s < states; s++)
        wanted[s] = ends->of[s] != ENDS_NONE;
    while (is_left && is_done) {
        struct ends *parts = ends_create(&product->matrix, wanted, NULL, markov_may_go_on, markov);
        is_done = parts && markov_is_within_limits(markov);
        is_left = is_done && sift(product, parts, ends, set, wanted, found);
        ends_destroy(parts);
    }
    free(wanted);
    return is_done;
}

static bool is_part_of_another(const struct multi_stays *stays, uint32_t component, uint32_t set)
{
    for (size_t i = 0; i < stays->list.count; i++)
        if (stays->list.items[i].component == component && !(set & ~stays->list.items[i].set))
            return true;
    return false;
}

/* Larger sets first: a set that is a part of another one earns less. */
bool multi_find_stays(const struct monitored *product, const struct ends *ends, struct multi_stays *stays)
{
    const struct multi *multi = product->multi;
    uint32_t all = 0;
    bool is_done = true;
    for (uint32_t i = 0; i < multi->count; i++)
        all |= multi->objectives[i].automaton ? 1u << i : 0;
    uint32_t *found = memory_zeroed((size_t)ends->count + 1, sizeof *found);
    for (uint32_t size = multi->linear_count; size && is_done; size--)
        for (uint32_t set = all; set && is_done; set = (set - 1) & all) {
            if ((uint32_t)__builtin_popcount(set) != size)
                continue;
            for (uint32_t c = 0; c < ends->count; c++)
                found[c] = 0;
            is_done = find_stays(product, ends, set, found);
            for (uint32_t c = 0; c < ends->count; c++)
                if (found[c] && !is_part_of_another(stays, c, set))
                    VEC_PUSH(&stays->list, ((struct multi_stay){c, set}));
        }
    free(found);
    return is_done;
}
