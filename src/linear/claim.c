#include "linear/claim.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/watch.h"
#include "ir/fairness.h"
#include "rewrite/prenex.h"

/* More states are refused: the formula, not the model, would be the problem. */
enum { LINEAR_MOST_STATES = 4096 };

typedef VEC(const struct variable *) linear_variables;

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
    linear_pull(pulling, ltl->left, is_left, is_free && prenex_lets_pass(kind, is_positive, false));
    if (ltl->right)
        linear_pull(pulling, ltl->right, is_positive, is_free && prenex_lets_pass(kind, is_positive, true));
}

bool linear_names_elements(const struct ctl *ltl)
{
    struct pulling pulling = {0};
    linear_pull(&pulling, ltl, true, true);
    return pulling.is_bound;
}

/* --- translation --- */

static bool linear_is_tracked(const struct linear_claim *claim, const struct variable *variable)
{
    for (size_t i = 0; i < claim->tracked.count; i++)
        if (claim->tracked.items[i] == variable)
            return true;
    return false;
}

static const struct linear_binding *linear_bound(const struct linear_claim *claim, const struct variable *variable)
{
    for (size_t i = claim->bindings.count; i > 0; i--)
        if (claim->bindings.items[i - 1].variable == variable)
            return &claim->bindings.items[i - 1];
    return NULL;
}

static bool atom_is(const struct linear_claim *claim, const struct linear_atom *atom,
                    const struct proposition *proposition)
{
    if (atom->proposition != proposition)
        return false;
    for (size_t i = 0; i < atom->binding_count; i++)
        if (linear_bound(claim, atom->bindings[i].variable)->value != atom->bindings[i].value)
            return false;
    return true;
}

static void linear_add_atom(struct linear_claim *claim, const struct proposition *proposition)
{
    struct linear_atom atom = {.proposition = proposition};
    atom.bindings = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *atom.bindings);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        if (!linear_is_tracked(claim, proposition->variables[v]))
            atom.bindings[atom.binding_count++] = *linear_bound(claim, proposition->variables[v]);
    VEC_PUSH(&claim->atoms, atom);
}

static logic_formula linear_atom(struct linear_claim *claim, const struct proposition *proposition)
{
    for (size_t i = 0; i < claim->atoms.count; i++)
        if (atom_is(claim, &claim->atoms.items[i], proposition))
            return logic_atom(claim->logic, (uint32_t)i);
    if (claim->atoms.count == LOGIC_MAX_ATOMS) {
        stop_once(&claim->stop,
                  stop_because(STOP_UNDECIDED, "the formula has more than %d conditions, its quantifiers written out",
                               LOGIC_MAX_ATOMS));
        return logic_truth(claim->logic, true);
    }
    linear_add_atom(claim, proposition);
    return logic_atom(claim->logic, (uint32_t)claim->atoms.count - 1);
}

static logic_formula linear_formula(struct linear_claim *claim, const struct ctl *ltl);

static logic_formula linear_write_out(struct linear_claim *claim, const struct ctl *ltl)
{
    bool is_forall = ltl->kind == CTL_FORALL;
    logic_formula all = logic_truth(claim->logic, is_forall);
    for (uint32_t i = 0; i < ltl->variable->type->size && !stop_is_set(&claim->stop); i++) {
        struct linear_binding binding = {ltl->variable, type_code(ltl->variable->type, i)};
        VEC_PUSH(&claim->bindings, binding);
        logic_formula one = linear_formula(claim, ltl->left);
        (void)VEC_POP(&claim->bindings);
        all = is_forall ? logic_and(claim->logic, all, one) : logic_or(claim->logic, all, one);
    }
    return all;
}

static logic_formula linear_operator(struct linear_claim *claim, const struct ctl *ltl)
{
    struct logic *logic = claim->logic;
    logic_formula left = linear_formula(claim, ltl->left);
    logic_formula right = ltl->right ? linear_formula(claim, ltl->right) : left;
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

static logic_formula linear_formula(struct linear_claim *claim, const struct ctl *ltl)
{
    if (stop_is_set(&claim->stop))
        return logic_truth(claim->logic, true);
    if (ltl->kind == CTL_PROPOSITION)
        return linear_atom(claim, ltl->proposition);
    if (ltl->kind != CTL_FORALL && ltl->kind != CTL_EXISTS)
        return linear_operator(claim, ltl);
    return linear_is_tracked(claim, ltl->variable) ? linear_formula(claim, ltl->left) : linear_write_out(claim, ltl);
}

/* Of an automaton that is given: its conditions are the atoms, in their order. */
static void linear_take_conditions(struct linear_claim *claim, const struct ctl *ltl)
{
    claim->never = ltl->never;
    claim->formula = logic_truth(claim->logic, true);
    for (uint32_t i = 0; i < ltl->never->condition_count; i++)
        linear_add_atom(claim, ctl_never_condition(ltl, i)->proposition);
}

bool linear_translate(struct linear_claim *claim, const struct property *property)
{
    linear_variables tracked = {0};
    struct pulling pulling = {.tracked = &tracked};
    *claim = (struct linear_claim){.property = property, .logic = logic_create()};
    linear_pull(&pulling, property->ltl, true, true);
    claim->tracked.items = tracked.items;
    claim->tracked.count = tracked.count;
    claim->tracked.capacity = tracked.capacity;
    if (property->ltl->kind == LTL_NEVER)
        linear_take_conditions(claim, property->ltl);
    else
        claim->formula = linear_formula(claim, property->ltl);
    return !stop_is_set(&claim->stop);
}

void linear_claim_free(struct linear_claim *claim)
{
    for (size_t i = 0; i < claim->atoms.count; i++)
        free(claim->atoms.items[i].bindings);
    VEC_FREE(&claim->atoms);
    VEC_FREE(&claim->bindings);
    VEC_FREE(&claim->tracked);
    logic_destroy(claim->logic);
    stop_free(&claim->stop);
}

/* The mark stands on the edges from accepting states. */
static struct automaton *linear_given(const struct never *never)
{
    struct automaton *automaton = memory_zeroed(1, sizeof *automaton);
    uint32_t count = never->first[never->state_count];
    *automaton = (struct automaton){.mark_count = 1, .state_count = never->state_count, .start = never->start};
    automaton->first = memory_alloc(((size_t)never->state_count + 1) * sizeof *automaton->first);
    automaton->edges = memory_alloc(((size_t)count + 1) * sizeof *automaton->edges);
    for (uint32_t s = 0; s <= never->state_count; s++)
        automaton->first[s] = never->first[s];
    for (uint32_t s = 0; s < never->state_count; s++)
        for (uint32_t e = never->first[s]; e < never->first[s + 1]; e++) {
            const struct never_edge *edge = &never->edges[e];
            automaton->edges[e] = (struct automaton_edge){
                .label = {edge->positive, edge->negative}, .marks = never->is_accepting[s], .target = edge->target};
        }
    return automaton;
}

struct automaton *linear_automaton(struct linear_claim *claim)
{
    if (claim->never)
        return linear_given(claim->never);
    struct automaton *automaton =
        automaton_create(claim->logic, logic_not(claim->logic, claim->formula), LINEAR_MOST_STATES);
    if (!automaton && !watch_is_up())
        stop_once(&claim->stop, stop_because(STOP_UNDECIDED, "the automaton of its negation has more than %d states",
                                             LINEAR_MOST_STATES));
    return automaton;
}

/* --- runs that count --- */

static bool has_fair_condition(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->fairness && system->properties.items[i]->fairness->kind == FAIRNESS_CONDITION)
            return true;
    return false;
}

bool linear_is_closed(const struct linear_claim *claim, const struct system *system, bool drops_finite)
{
    bool is_safety = claim->never ? claim->never->is_finite : logic_is_safety(claim->logic, claim->formula);
    return is_safety && !drops_finite && !has_fair_condition(system);
}

bool linear_may_be_vacuous(const struct system *system, bool drops_finite)
{
    return has_fair_condition(system) || drops_finite;
}

void linear_say_runs(const struct system *system, bool has_end, bool drops_finite, struct text *words)
{
    for (size_t i = 0; system && i < system->properties.count; i++) {
        if (!system->properties.items[i]->fairness)
            continue;
        text_append(words, words->length ? "; " : "on runs with ");
        fairness_print(system->properties.items[i]->fairness, words);
    }
    if (has_end)
        text_format(words, "%s%s", words->length ? "; " : "",
                    drops_finite ? "runs that end do not count" : "runs that end repeat their last state");
}
