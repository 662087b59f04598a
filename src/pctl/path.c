/* Untils, and the quantifiers of paths. */
#include "pctl/evaluate.h"

static bool is_complemented(enum pctl_path path)
{
    return path == PCTL_ALWAYS || path == PCTL_WEAK_UNTIL || path == PCTL_RELEASE;
}

static void become_complement(struct pctl_evaluator *evaluator, enum pctl_path path, struct pctl_until *until)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    until->is_complement = true;
    until->is_least = !until->is_least;
    if (path == PCTL_WEAK_UNTIL) {
        union pctl_set either =
            carrier->join(self, PCTL_UNION, carrier->copy(self, until->left), carrier->copy(self, until->goal));
        until->left = carrier->join(self, PCTL_DIFFERENCE, until->left, until->goal);
        until->goal = pctl_set_complement(evaluator, either);
        return;
    }
    until->goal = pctl_set_complement(evaluator, until->goal);
    if (path == PCTL_RELEASE)
        until->left = pctl_set_complement(evaluator, until->left);
}

/* A fair scheduler that can reach the goal again and again does so: the only way to miss it is to get where it cannot
 * be reached at all. So the least chance is the complement of the greatest chance to get there (Baier and Kwiatkowska
 * 1998). */
static void become_fair(struct pctl_evaluator *evaluator, struct pctl_until *until)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    union pctl_set can = carrier->reach(self, until->left, until->goal);
    carrier->free_set(self, until->left);
    until->left = carrier->join(self, PCTL_DIFFERENCE, carrier->copy(self, can), until->goal);
    until->goal = pctl_set_complement(evaluator, can);
    until->is_least = false;
    until->is_complement = !until->is_complement;
}

bool pctl_make_until(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_until *until)
{
    *until = (struct pctl_until){
        .is_least = pctl_is_least(formula), .is_next = formula->path == PCTL_NEXT, .window = &formula->window};
    if (!pctl_evaluate_truth(evaluator, formula->right, &until->goal))
        return false;
    if (!formula->left)
        until->left = evaluator->carrier->known(evaluator->self, PCTL_TRUTH);
    else if (!pctl_evaluate_truth(evaluator, formula->left, &until->left))
        return false;
    if (is_complemented(formula->path))
        become_complement(evaluator, formula->path, until);
    /* up to some step any scheduler may still turn out to be fair */
    if (evaluator->is_fair && until->is_least && !until->is_next && !formula->window.upper)
        become_fair(evaluator, until);
    return true;
}

void pctl_until_free(struct pctl_evaluator *evaluator, struct pctl_until *until)
{
    evaluator->carrier->free_set(evaluator->self, until->left);
    evaluator->carrier->free_set(evaluator->self, until->goal);
}

/* From where some path has the until. */
static union pctl_set some_with(struct pctl_evaluator *evaluator, const struct pctl_until *until)
{
    return until->is_next ? evaluator->carrier->before(evaluator->self, until->goal)
                          : evaluator->carrier->reach(evaluator->self, until->left, until->goal);
}

/* Some path without it: forever in "not goal", or out of "left" before the goal. */
static union pctl_set some_without(struct pctl_evaluator *evaluator, const struct pctl_until *until)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    union pctl_set not_goal = pctl_set_complement(evaluator, carrier->copy(self, until->goal)), found;
    if (until->is_next)
        found = carrier->before(self, not_goal);
    else {
        union pctl_set out =
            carrier->join(self, PCTL_DIFFERENCE, carrier->copy(self, not_goal), carrier->copy(self, until->left));
        union pctl_set end = carrier->join(self, PCTL_UNION, out, carrier->stay(self, not_goal));
        found = carrier->reach(self, not_goal, end);
        carrier->free_set(self, end);
    }
    carrier->free_set(self, not_goal);
    return found;
}

/* Are they the same? Takes neither. */
static bool is_same(struct pctl_evaluator *evaluator, union pctl_set a, union pctl_set b)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    union pctl_set other = carrier->join(self, PCTL_EITHER, carrier->copy(self, a), carrier->copy(self, b));
    bool is_same = carrier->is_empty(self, other);
    carrier->free_set(self, other);
    return is_same;
}

/* set := first, or if NULL all, and (second or some step leads to the set), so many times; it ends sooner when nothing
 * changes any more. Takes the set. */
static union pctl_set step_back(struct pctl_evaluator *evaluator, const union pctl_set *first,
                                const union pctl_set *second, uint64_t steps, union pctl_set set)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    for (bool is_over = false; steps && !is_over && !stop_is_set(&evaluator->failure); steps--) {
        union pctl_set next = carrier->before(self, set);
        if (first)
            next = carrier->join(self, PCTL_INTERSECTION, next, carrier->copy(self, *first));
        if (second)
            next = carrier->join(self, PCTL_UNION, next, carrier->copy(self, *second));
        is_over = is_same(evaluator, set, next);
        carrier->free_set(self, set);
        set = next;
    }
    return set;
}

/* From where some path has the until within the steps: towards the goal inside the window, through left before it. */
static union pctl_set some_with_in(struct pctl_evaluator *evaluator, const struct pctl_until *until, uint64_t from,
                                   uint64_t to)
{
    union pctl_set set = until->window->upper ? step_back(evaluator, &until->left, &until->goal, to - from,
                                                          evaluator->carrier->copy(evaluator->self, until->goal))
                                              : some_with(evaluator, until);
    return step_back(evaluator, &until->left, NULL, from, set);
}

/* Some path does not: without the goal inside the window, or out of left before it. */
static union pctl_set some_without_in(struct pctl_evaluator *evaluator, const struct pctl_until *until, uint64_t from,
                                      uint64_t to)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    union pctl_set not_goal = pctl_set_complement(evaluator, carrier->copy(self, until->goal));
    union pctl_set not_left = pctl_set_complement(evaluator, carrier->copy(self, until->left));
    union pctl_set out =
        carrier->join(self, PCTL_DIFFERENCE, carrier->copy(self, not_goal), carrier->copy(self, until->left));
    union pctl_set set = until->window->upper
                             ? step_back(evaluator, &not_goal, &out, to - from, carrier->copy(self, not_goal))
                             : some_without(evaluator, until);
    set = step_back(evaluator, NULL, &not_left, from, set);
    carrier->free_set(self, not_goal);
    carrier->free_set(self, not_left);
    carrier->free_set(self, out);
    return set;
}

static union pctl_set find_paths(struct pctl_evaluator *evaluator, const struct pctl_until *until, bool with)
{
    uint64_t from, to;
    if (until->is_next || (!until->window->lower && !until->window->upper))
        return (with ? some_with : some_without)(evaluator, until);
    if (pctl_steps(until->window, &from, &to))
        return (with ? some_with_in : some_without_in)(evaluator, until, from, to);
    union pctl_set all = evaluator->carrier->known(evaluator->self, PCTL_TRUTH);
    return with ? pctl_set_complement(evaluator, all) : all;
}

/* All paths are those of which none is otherwise. */
bool pctl_evaluate_branching(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    struct pctl_until until;
    bool is_all = formula->kind == PCTL_FORALL, is_done = pctl_make_until(evaluator, formula, &until);
    if (is_done) {
        value->truth = find_paths(evaluator, &until, until.is_complement == is_all);
        if (is_all)
            value->truth = pctl_set_complement(evaluator, value->truth);
    }
    pctl_until_free(evaluator, &until);
    return is_done;
}
