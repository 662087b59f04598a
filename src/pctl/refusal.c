#include "pctl/refusal.h"

#include <math.h>

/* Who refuses it. */
enum { EVERYBODY = 1, FAIR = 2, FRACTIONS = 4, DIAGRAMS = 8 };

static const char *const because_diagrams =
    "that is computed explicitly only (--engine counter, --engine probabilistic), not symbolically";

static const char *why(int who)
{
    return who == FAIR        ? "not supported under fairness (--fair)"
           : who == FRACTIONS ? "not supported in exact arithmetic (--exact)"
           : who == DIAGRAMS  ? because_diagrams
                              : "not supported";
}

static int who_asks(const struct pctl_evaluator *evaluator)
{
    return EVERYBODY | (evaluator->is_fair ? FAIR : 0) | (evaluator->arithmetic == PCTL_FRACTIONS ? FRACTIONS : 0) |
           (evaluator->arithmetic == PCTL_DIAGRAMS ? DIAGRAMS : 0);
}

/* The greatest of the bounds; below 0 where nothing is within them. */
static double steps_of(const struct pctl_window *window)
{
    double first = window->lower ? window->lower->value + window->is_lower_strict : 0;
    double last = window->upper ? window->upper->value - window->is_upper_strict : first;
    return last < 0 ? last : fmax(first, last);
}

/* Fairness changes nothing for the least reward until something is reached; the greatest is refused, as by PRISM. Under
 * a bound from below alone some scheduler may put off an until, the least of which is asked for. */
bool pctl_refuse(struct pctl_evaluator *evaluator, const struct pctl *formula)
{
    enum pctl_kind kind = formula->kind;
    const struct pctl_window *window = &formula->window;
    bool is_least = pctl_is_least(formula), is_timed = evaluator->chain->kind == CHAIN_CTMC;
    bool is_branching = kind == PCTL_EXISTS || kind == PCTL_FORALL, has_window = window->lower || window->upper;
    bool is_next = kind == PCTL_PROBABILITY && formula->path == PCTL_NEXT;
    bool is_path = kind == PCTL_PROBABILITY && !is_next && has_window;
    bool is_until = formula->path == PCTL_EVENTUALLY || formula->path == PCTL_UNTIL;
    bool is_reward = kind == PCTL_REWARD, is_filter = kind == PCTL_FILTER;
    bool is_over = is_reward && (formula->goal == PCTL_CUMULATED || formula->goal == PCTL_INSTANT);
    bool is_common = formula->filter == PCTL_FILTER_MIN || formula->filter == PCTL_FILTER_MAX ||
                     formula->filter == PCTL_FILTER_FORALL || formula->filter == PCTL_FILTER_EXISTS;
    double steps = (is_path || is_over || is_branching) && !is_timed ? steps_of(window) : 0;
    const struct {
        const char *what;
        bool is_it;
        int who;
    } list[] = {
        {"multi(...)", kind == PCTL_MULTI, FAIR | DIAGRAMS},
        {"LTL (temporal operators inside one another, or combined)", pctl_is_linear(formula), FAIR | DIAGRAMS},
        {"a bound on time inside LTL", kind == PCTL_TEMPORAL && has_window && is_timed, EVERYBODY},
        {"a bound on X", kind == PCTL_TEMPORAL && has_window && formula->path == PCTL_NEXT, EVERYBODY},
        {"multi(...) inside a formula", kind == PCTL_MULTI && formula != evaluator->root, EVERYBODY},
        {"a bound on X", is_next && has_window, EVERYBODY},
        {"a bound on X", is_branching && has_window && formula->path == PCTL_NEXT, EVERYBODY},
        {"a bound on time under E or A", is_branching && has_window && is_timed, EVERYBODY},
        {"E and A", is_branching, FAIR},
        {"a bound on time", is_path && is_timed, FRACTIONS | DIAGRAMS},
        {"a bound from below alone", is_path && !window->upper && is_least == is_until, FAIR},
        {"a bound on steps from below", is_path && window->lower, DIAGRAMS},
        {"a bound on steps below 0", steps < 0, DIAGRAMS},
        {"more than 10^15 steps", steps > 1e15, is_path || is_branching ? EVERYBODY : DIAGRAMS},
        {"more than 10^9 steps", steps > 1e9, FRACTIONS},
        {"a reward at or within a time", is_over && is_timed, FRACTIONS | DIAGRAMS},
        {"the long run", kind == PCTL_STEADY || (is_reward && formula->goal == PCTL_LONG_RUN), FAIR | DIAGRAMS},
        {"the total reward", is_reward && formula->goal == PCTL_TOTAL, FAIR | DIAGRAMS},
        {"the greatest reward until something is reached", is_reward && formula->goal == PCTL_REACH && !is_least, FAIR},
        {"a reward that is compared inside a formula", is_reward && !formula->is_query && formula != evaluator->root,
         DIAGRAMS},
        {"the filter \"range\"", is_filter && formula->filter == PCTL_FILTER_RANGE, FRACTIONS},
        {"a filter other than min, max, forall and exists", is_filter && !is_common, DIAGRAMS},
        {"arithmetic with values",
         kind == PCTL_ARITHMETIC || kind == PCTL_NEGATE || kind == PCTL_CALL ||
             (kind == PCTL_COND && formula->is_number),
         DIAGRAMS},
        {"a logarithm", kind == PCTL_CALL && formula->function == PCTL_LOGARITHM, FRACTIONS},
        {"a number that depends on the state", kind == PCTL_NUMBER && (formula->number->top || formula->number->bottom),
         DIAGRAMS},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int who = list[i].is_it ? list[i].who & who_asks(evaluator) : 0;
        if (who)
            return !pctl_fail(evaluator, "%s: %s", list[i].what, why(who & -who));
    }
    return false;
}

bool pctl_refuse_diagrams(struct pctl_evaluator *evaluator, const char *what)
{
    return pctl_fail(evaluator, "%s: %s", what, because_diagrams);
}
