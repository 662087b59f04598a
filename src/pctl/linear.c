/* Formulas of LTL: the operators of formulas become those of logic/, and bounds on steps are unfolded. */
#include "pctl/linear.h"

#include "pctl/refusal.h"

/* So many steps of a bound are unfolded. */
enum { MOST_STEPS = 100 };

struct linear_maker {
    struct pctl_evaluator *evaluator;
    struct pctl_linear *linear;
    const struct pctl *sources[LOGIC_MAX_ATOMS]; /* of the atoms */
};

/* Of the formula, or (`is_not`) of its negation, which is taken inwards: a bound and X have to be where they are. */
static bool make(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made);

/* Conditions that are the same one are the same atom. */
static bool is_same_atom(const struct pctl *a, const struct pctl *b)
{
    bool is_builtin = a->kind == PCTL_INITIAL || a->kind == PCTL_DEADLOCK;
    return a == b ||
           (a->kind == b->kind && (is_builtin || (a->kind == PCTL_TRUTH && a->proposition == b->proposition)));
}

static bool add_atom(struct linear_maker *maker, const struct pctl *formula, uint32_t *atom)
{
    struct pctl_linear *linear = maker->linear;
    for (*atom = 0; *atom < linear->atom_count; ++*atom)
        if (maker->sources[*atom] && is_same_atom(maker->sources[*atom], formula))
            return true;
    if (*atom == LOGIC_MAX_ATOMS)
        return pctl_fail(maker->evaluator, "more than %d state formulas in one formula of LTL: not supported",
                         LOGIC_MAX_ATOMS);
    maker->sources[*atom] = formula;
    linear->atom_count++;
    return pctl_evaluate_truth(maker->evaluator, formula, &linear->atoms[*atom]);
}

static bool make_atom(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made)
{
    struct logic *logic = maker->linear->logic;
    const struct proposition *proposition = formula->kind == PCTL_TRUTH ? formula->proposition : NULL;
    if (proposition && proposition->formula->kind == EXPR_CONST) {
        *made = logic_truth(logic, (proposition->formula->value != 0) != is_not);
        return true;
    }
    uint32_t atom;
    if (!add_atom(maker, formula, &atom))
        return false;
    *made = is_not ? logic_not(logic, logic_atom(logic, atom)) : logic_atom(logic, atom);
    return true;
}

/* a & b, or of the negation (with is_not) a | b. */
static logic_formula join(const struct linear_maker *maker, bool is_not, logic_formula left, logic_formula right)
{
    return is_not ? logic_or(maker->linear->logic, left, right) : logic_and(maker->linear->logic, left, right);
}

/* --- temporal operators --- */

static logic_formula next(const struct linear_maker *maker, logic_formula formula)
{
    struct pctl_linear *linear = maker->linear;
    if (linear->next_atom < LOGIC_MAX_ATOMS)
        formula = logic_and(linear->logic, formula, logic_atom(linear->logic, linear->next_atom));
    return logic_next(linear->logic, formula);
}

/* left U right, or left R right, with `to` steps at most (if has_end) and `from` at least. */
static logic_formula unfold(const struct linear_maker *maker, bool is_release, logic_formula left, logic_formula right,
                            bool has_end, uint64_t from, uint64_t to)
{
    struct logic *logic = maker->linear->logic;
    logic_formula whole = has_end      ? right
                          : is_release ? logic_release(logic, left, right)
                                       : logic_until(logic, left, right);
    for (uint64_t step = from; has_end && step < to; step++)
        whole = join(maker, !is_release, right, join(maker, is_release, left, next(maker, whole)));
    for (uint64_t step = 0; step < from; step++)
        whole = join(maker, is_release, left, next(maker, whole));
    return whole;
}

static bool make_fixpoint(struct linear_maker *maker, const struct pctl_window *window, bool is_release,
                          logic_formula left, logic_formula right, logic_formula *made)
{
    bool has_window = window->lower || window->upper;
    uint64_t from = 0, to = 0;
    if (has_window && !pctl_steps(window, &from, &to)) {
        *made = logic_truth(maker->linear->logic, is_release);
        return true;
    }
    if (to > MOST_STEPS)
        return pctl_fail(maker->evaluator, "a bound of more than %d steps inside LTL: not supported", MOST_STEPS);
    *made = unfold(maker, is_release, left, right, window->upper != NULL, from, to);
    return true;
}

/* a W b = (!a | b) R (a | b), and its negation (a & !b) U (!a & !b). */
static bool make_weak_until(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made)
{
    logic_formula same, other, right;
    if (!make(maker, formula->left, is_not, &same) || !make(maker, formula->left, !is_not, &other) ||
        !make(maker, formula->right, is_not, &right))
        return false;
    logic_formula through = join(maker, !is_not, other, right);
    return make_fixpoint(maker, &formula->window, !is_not, through, join(maker, !is_not, same, right), made);
}

static bool make_temporal(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made)
{
    bool is_release = formula->path == PCTL_ALWAYS || formula->path == PCTL_RELEASE;
    logic_formula left = logic_truth(maker->linear->logic, is_release == is_not), right;
    if (pctl_refuse(maker->evaluator, formula))
        return false;
    if (formula->path == PCTL_WEAK_UNTIL)
        return make_weak_until(maker, formula, is_not, made);
    if ((formula->left && !make(maker, formula->left, is_not, &left)) || !make(maker, formula->right, is_not, &right))
        return false;
    if (formula->path != PCTL_NEXT)
        return make_fixpoint(maker, &formula->window, is_release != is_not, left, right, made);
    *made = next(maker, right);
    return true;
}

/* --- the others --- */

/* c ? a : b = (c & a) | (!c & b), also of the negations of a and b. */
static bool choose(struct linear_maker *maker, const struct pctl *condition, const struct pctl *left, bool is_left_not,
                   const struct pctl *right, bool is_right_not, logic_formula *made)
{
    logic_formula yes, no, then, otherwise;
    if (!make(maker, condition, false, &yes) || !make(maker, condition, true, &no) ||
        !make(maker, left, is_left_not, &then) || !make(maker, right, is_right_not, &otherwise))
        return false;
    *made = join(maker, true, join(maker, false, yes, then), join(maker, false, no, otherwise));
    return true;
}

static bool make_binary(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made)
{
    bool is_and = formula->kind == PCTL_AND, is_implication = formula->kind == PCTL_IMPLIES;
    logic_formula left, right;
    if (!make(maker, formula->left, is_not != is_implication, &left) || !make(maker, formula->right, is_not, &right))
        return false;
    *made = join(maker, is_and == is_not, left, right);
    return true;
}

static bool make(struct linear_maker *maker, const struct pctl *formula, bool is_not, logic_formula *made)
{
    if (pctl_is_atom(formula))
        return make_atom(maker, formula, is_not, made);
    switch (formula->kind) {
    case PCTL_TEMPORAL:
        return make_temporal(maker, formula, is_not, made);
    case PCTL_NOT:
        return make(maker, formula->left, !is_not, made);
    case PCTL_COND:
        return choose(maker, formula->condition_formula, formula->left, is_not, formula->right, is_not, made);
    case PCTL_COMPARE: { /* a = b is a ? b : !b */
        bool is_other = is_not != (formula->op == OP_NE);
        return choose(maker, formula->left, formula->right, is_other, formula->right, !is_other, made);
    }
    default:
        return make_binary(maker, formula, is_not, made);
    }
}

bool pctl_turns_linear(const struct pctl *formula)
{
    return formula->kind == PCTL_FORALL || (formula->kind == PCTL_PROBABILITY && pctl_is_least(formula));
}

bool pctl_make_linear(struct pctl_evaluator *evaluator, const struct pctl *formula, bool is_negated,
                      struct pctl_linear *linear)
{
    struct linear_maker maker = {.evaluator = evaluator, .linear = linear};
    *linear = (struct pctl_linear){.logic = logic_create(), .next_atom = LOGIC_MAX_ATOMS};
    if (formula->kind == PCTL_REWARD) {
        linear->next_atom = linear->atom_count++;
        linear->atoms[linear->next_atom] = evaluator->carrier->known(evaluator->self, PCTL_TRUTH);
    }
    return make(&maker, formula->right, is_negated, &linear->formula);
}

void pctl_linear_free(struct pctl_evaluator *evaluator, struct pctl_linear *linear)
{
    for (uint32_t i = 0; i < linear->atom_count; i++)
        evaluator->carrier->free_set(evaluator->self, linear->atoms[i]);
    logic_destroy(linear->logic);
}
