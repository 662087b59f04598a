/* From the formula of a property to the automaton of its negation. */
#include "engine/ctl/linear.h"

#include <stdlib.h>

#include "base/memory.h"

/* More states are refused: the formula, not the model, would be the problem. */
enum { LINEAR_MOST_STATES = 4096 };

/* --- quantifiers that can stand in front ---
 *
 * A universal quantifier (under a negation: an existential one) moves out of every operator but the operands of U, W, R
 * and M that end it, and F (under a negation: G). */

typedef VEC(const struct variable *) linear_variables;

static bool moves_from_left(enum ctl_kind kind, bool is_positive)
{
    switch (kind) {
    case LTL_F:
        return !is_positive;
    case LTL_G:
    case LTL_U:
    case LTL_W:
        return is_positive;
    case LTL_R:
    case LTL_M:
        return !is_positive;
    default:
        return true;
    }
}

static bool moves_from_right(enum ctl_kind kind, bool is_positive)
{
    switch (kind) {
    case LTL_U:
    case LTL_W:
        return !is_positive;
    case LTL_R:
    case LTL_M:
        return is_positive;
    default:
        return true;
    }
}

struct pulling {
    linear_variables *tracked; /* those that can be moved; or NULL */
    bool is_bound;             /* one over elements of an index type stays inside */
};

static void linear_pull(struct pulling *pulling, const struct ctl *ltl, bool is_positive, bool is_free)
{
    enum ctl_kind kind = ltl->kind;
    if (kind == CTL_PROPOSITION)
        return;
    if (kind == CTL_FORALL || kind == CTL_EXISTS) {
        is_free = is_free && (kind == CTL_FORALL) == is_positive;
        if (is_free && pulling->tracked)
            VEC_PUSH(pulling->tracked, ltl->variable);
        pulling->is_bound |= !is_free && type_has_index(ltl->variable->type);
        linear_pull(pulling, ltl->left, is_positive, is_free);
        return;
    }
    bool is_left = kind == CTL_NOT || kind == CTL_IMPLIES ? !is_positive : is_positive;
    linear_pull(pulling, ltl->left, is_left, is_free && moves_from_left(kind, is_positive));
    if (ltl->right)
        linear_pull(pulling, ltl->right, is_positive, is_free && moves_from_right(kind, is_positive));
}

bool linear_names_elements(const struct ctl *ltl)
{
    struct pulling pulling = {0};
    linear_pull(&pulling, ltl, true, true);
    return pulling.is_bound;
}

/* --- translation --- */

static bool linear_is_tracked(const struct linear_case *linear, const struct variable *variable)
{
    for (size_t i = 0; i < linear->tracked.count; i++)
        if (linear->tracked.items[i] == variable)
            return true;
    return false;
}

static const struct linear_binding *linear_bound(const struct linear_case *linear, const struct variable *variable)
{
    for (size_t i = linear->bindings.count; i > 0; i--)
        if (linear->bindings.items[i - 1].variable == variable)
            return &linear->bindings.items[i - 1];
    return NULL;
}

static bool atom_is(const struct linear_case *linear, const struct linear_atom *atom,
                    const struct proposition *proposition)
{
    if (atom->proposition != proposition)
        return false;
    for (size_t i = 0; i < atom->binding_count; i++)
        if (linear_bound(linear, atom->bindings[i].variable)->value != atom->bindings[i].value)
            return false;
    return true;
}

static void linear_add_atom(struct linear_case *linear, const struct proposition *proposition)
{
    struct linear_atom atom = {.proposition = proposition};
    atom.bindings = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *atom.bindings);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        if (!linear_is_tracked(linear, proposition->variables[v]))
            atom.bindings[atom.binding_count++] = *linear_bound(linear, proposition->variables[v]);
    VEC_PUSH(&linear->atoms, atom);
}

static logic_formula linear_atom(struct linear_case *linear, const struct proposition *proposition)
{
    for (size_t i = 0; i < linear->atoms.count; i++)
        if (atom_is(linear, &linear->atoms.items[i], proposition))
            return logic_atom(linear->logic, (uint32_t)i);
    if (linear->atoms.count == LOGIC_MAX_ATOMS) {
        stop_once(&linear->stop,
                  stop_because(STOP_UNDECIDED, "the formula has more than %d conditions, its quantifiers written out",
                               LOGIC_MAX_ATOMS));
        return logic_truth(linear->logic, true);
    }
    linear_add_atom(linear, proposition);
    return logic_atom(linear->logic, (uint32_t)linear->atoms.count - 1);
}

static logic_formula linear_formula(struct linear_case *linear, const struct ctl *ltl);

static logic_formula linear_write_out(struct linear_case *linear, const struct ctl *ltl)
{
    bool is_forall = ltl->kind == CTL_FORALL;
    logic_formula all = logic_truth(linear->logic, is_forall);
    for (uint32_t i = 0; i < ltl->variable->type->size && !stop_is_set(&linear->stop); i++) {
        struct linear_binding binding = {ltl->variable, type_code(ltl->variable->type, i)};
        VEC_PUSH(&linear->bindings, binding);
        logic_formula one = linear_formula(linear, ltl->left);
        (void)VEC_POP(&linear->bindings);
        all = is_forall ? logic_and(linear->logic, all, one) : logic_or(linear->logic, all, one);
    }
    return all;
}

static logic_formula linear_operator(struct linear_case *linear, const struct ctl *ltl)
{
    struct logic *logic = linear->logic;
    logic_formula left = linear_formula(linear, ltl->left);
    logic_formula right = ltl->right ? linear_formula(linear, ltl->right) : left;
    switch (ltl->kind) {
    case CTL_NOT:
        return logic_not(logic, left);
    case CTL_AND:
        return logic_and(logic, left, right);
    case CTL_OR:
        return logic_or(logic, left, right);
    case CTL_IMPLIES:
        return logic_or(logic, logic_not(logic, left), right);
    case LTL_X:
        return logic_next(logic, left);
    case LTL_F:
        return logic_eventually(logic, left);
    case LTL_G:
        return logic_always(logic, left);
    case LTL_U:
        return logic_until(logic, left, right);
    case LTL_W:
        return logic_release(logic, right, logic_or(logic, left, right));
    case LTL_R:
        return logic_release(logic, left, right);
    case LTL_M:
        return logic_until(logic, right, logic_and(logic, left, right));
    default:
        UNREACHABLE("an operator of branching time in a formula of linear time");
    }
}

static logic_formula linear_formula(struct linear_case *linear, const struct ctl *ltl)
{
    if (stop_is_set(&linear->stop))
        return logic_truth(linear->logic, true);
    if (ltl->kind == CTL_PROPOSITION)
        return linear_atom(linear, ltl->proposition);
    if (ltl->kind != CTL_FORALL && ltl->kind != CTL_EXISTS)
        return linear_operator(linear, ltl);
    return linear_is_tracked(linear, ltl->variable) ? linear_formula(linear, ltl->left) : linear_write_out(linear, ltl);
}

bool linear_translate(struct linear_case *linear)
{
    linear_variables tracked = {0};
    struct pulling pulling = {.tracked = &tracked};
    linear_pull(&pulling, linear->property->ltl, true, true);
    linear->tracked.items = tracked.items;
    linear->tracked.count = tracked.count;
    linear->tracked.capacity = tracked.capacity;
    linear->logic = logic_create();
    linear->formula = linear_formula(linear, linear->property->ltl);
    if (stop_is_set(&linear->stop))
        return false;
    linear->automaton = automaton_create(linear->logic, logic_not(linear->logic, linear->formula), LINEAR_MOST_STATES);
    if (!linear->automaton && watch_is_up())
        return checker_spend(linear->checker, 0);
    if (!linear->automaton)
        stop_once(&linear->stop, stop_because(STOP_UNDECIDED, "the automaton of its negation has more than %d states",
                                              LINEAR_MOST_STATES));
    return linear->automaton != NULL;
}
