/* Formulas of branching time on the graph of the plain exploration, by the definition: sets of states as arrays, fixed
 * points by going over all edges until nothing changes, quantifiers one value after the other.
 *
 * A condition that cannot be evaluated in a state is neither true nor false there, so a formula has two sets: where it
 * is certainly true, and where it may be. A property holds when it is certainly true in every start state. */
#include <string.h>

#include "plain.h"

struct sets {
    bool *certain, *possible; /* by state */
};

/* Values of the quantified variables around, the innermost last. */
struct binding {
    const struct variable *variable;
    int32_t value;
    const struct binding *outer;
};

struct branching {
    struct plain *plain;
    enum deadlock_mode mode;
    uint32_t count; /* of states */
    int32_t *cells;
    bool *has_successor;
};

static struct sets evaluate(struct branching *branching, const struct ctl *ctl, const struct binding *binding);

static struct sets sets_create(const struct branching *branching)
{
    bool *certain = memory_zeroed(2 * (size_t)branching->count + 1, sizeof *certain);
    return (struct sets){certain, certain + branching->count};
}

static int32_t value_of(const struct binding *binding, const struct variable *variable)
{
    while (binding->variable != variable)
        binding = binding->outer;
    return binding->value;
}

static struct sets evaluate_proposition(struct branching *branching, const struct proposition *proposition,
                                        const struct binding *binding)
{
    struct sets sets = sets_create(branching);
    int32_t *values = memory_zeroed(proposition->variable_count + 1, sizeof *values);
    for (uint32_t i = 0; i < proposition->variable_count; i++)
        values[i] = value_of(binding, proposition->variables[i]);
    for (uint32_t state = 0; state < branching->count; state++) {
        struct fault fault = {0};
        plain_cells(branching->plain, state, branching->cells);
        enum truth truth = stepper_judge(branching->plain->judge, proposition, branching->cells, values, &fault);
        sets.certain[state] = truth == TRUTH_TRUE;
        sets.possible[state] = truth != TRUTH_FALSE;
    }
    free(values);
    return sets;
}

static struct sets evaluate_deadlock(struct branching *branching)
{
    struct sets sets = sets_create(branching);
    enum deadlock_mode mode = branching->mode == DEADLOCK_STUCK ? DEADLOCK_STUCK : DEADLOCK_STUTTERING;
    for (uint32_t state = 0; state < branching->count; state++) {
        plain_cells(branching->plain, state, branching->cells);
        sets.certain[state] = plain_is_deadlock(branching->plain, branching->cells, mode);
    }
    memcpy(sets.possible, sets.certain, branching->count);
    return sets;
}

static void negate(const struct branching *branching, struct sets sets)
{
    for (uint32_t state = 0; state < branching->count; state++) {
        bool certain = sets.certain[state];
        sets.certain[state] = !sets.possible[state];
        sets.possible[state] = !certain;
    }
}

/* left &= right, or left |= right. */
static void combine(const struct branching *branching, struct sets left, struct sets right, bool is_and)
{
    for (uint32_t i = 0; i < 2 * branching->count; i++)
        left.certain[i] = is_and ? left.certain[i] && right.certain[i] : left.certain[i] || right.certain[i];
}

static struct sets evaluate_quantifier(struct branching *branching, const struct ctl *ctl, const struct binding *outer)
{
    bool is_all = ctl->kind == CTL_FORALL;
    struct sets sets = sets_create(branching);
    memset(sets.certain, is_all, 2 * (size_t)branching->count);
    for (uint32_t ordinal = 0; ordinal < ctl->variable->type->size; ordinal++) {
        struct binding binding = {ctl->variable, type_code(ctl->variable->type, ordinal), outer};
        struct sets body = evaluate(branching, ctl->left, &binding);
        combine(branching, sets, body, is_all);
        free(body.certain);
    }
    return sets;
}

/* Where a successor (a predecessor, backwards) is in the set. */
static void step(const struct branching *branching, const bool *set, bool is_backward, bool *into)
{
    memset(into, 0, branching->count);
    for (size_t i = 0; i < branching->plain->edges.count; i++) {
        struct plain_edge edge = branching->plain->edges.items[i];
        into[is_backward ? edge.to : edge.from] |= set[is_backward ? edge.from : edge.to];
    }
}

/* The least set with goal, and what is in `path` and has a step into it. */
static void until(const struct branching *branching, const bool *path, bool *goal, bool is_backward)
{
    bool *before = memory_zeroed(branching->count + 1, sizeof *before);
    for (bool changed = true; changed;) {
        changed = false;
        step(branching, goal, is_backward, before);
        for (uint32_t state = 0; state < branching->count; state++)
            if (before[state] && !goal[state] && (!path || path[state]))
                changed = goal[state] = true;
    }
    free(before);
}

/* The greatest set inside `set` of states with a successor in it, or with none at all: paths are maximal. */
static void always(const struct branching *branching, bool *set)
{
    bool *before = memory_zeroed(branching->count + 1, sizeof *before);
    for (bool changed = true; changed;) {
        changed = false;
        step(branching, set, false, before);
        for (uint32_t state = 0; state < branching->count; state++)
            if (set[state] && !before[state] && branching->has_successor[state]) {
                set[state] = false;
                changed = true;
            }
    }
    free(before);
}

/* E-operators on one set; `right` is the goal of an until. */
static void apply(const struct branching *branching, enum ctl_kind kind, bool *left, bool *right)
{
    bool *copy = memory_zeroed(branching->count + 1, sizeof *copy);
    memcpy(copy, left, branching->count);
    if (kind == CTL_EX || kind == CTL_EY)
        step(branching, copy, kind == CTL_EY, left);
    else if (kind == CTL_EF || kind == CTL_EP)
        until(branching, NULL, left, kind == CTL_EP);
    else if (kind == CTL_EG)
        always(branching, left);
    else { /* EU */
        until(branching, copy, right, false);
        memcpy(left, right, branching->count);
    }
    free(copy);
}

/* A[f U g]: not (E[!g U !f & !g] or EG !g). */
static struct sets evaluate_all_until(struct branching *branching, struct sets left, struct sets right)
{
    struct sets bad = sets_create(branching), round = sets_create(branching);
    negate(branching, left);
    negate(branching, right);
    memcpy(bad.certain, left.certain, 2 * (size_t)branching->count);
    combine(branching, bad, right, true);
    memcpy(round.certain, right.certain, 2 * (size_t)branching->count);
    until(branching, right.certain, bad.certain, false);
    until(branching, right.possible, bad.possible, false);
    always(branching, round.certain);
    always(branching, round.possible);
    combine(branching, bad, round, false);
    negate(branching, bad);
    free(round.certain);
    return bad;
}

static enum ctl_kind dual_of(enum ctl_kind kind)
{
    return kind == CTL_AX ? CTL_EX : kind == CTL_AF ? CTL_EG : CTL_EF;
}

static struct sets evaluate_temporal(struct branching *branching, const struct ctl *ctl, const struct binding *binding)
{
    struct sets left = evaluate(branching, ctl->left, binding), right = {0};
    if (ctl->right)
        right = evaluate(branching, ctl->right, binding);
    if (ctl->kind == CTL_AU) {
        struct sets all = evaluate_all_until(branching, left, right);
        free(left.certain);
        free(right.certain);
        return all;
    }
    bool is_all = ctl->kind == CTL_AX || ctl->kind == CTL_AF || ctl->kind == CTL_AG;
    enum ctl_kind kind = is_all ? dual_of(ctl->kind) : ctl->kind;
    if (is_all)
        negate(branching, left);
    apply(branching, kind, left.certain, right.certain);
    apply(branching, kind, left.possible, right.possible);
    if (is_all)
        negate(branching, left);
    free(right.certain);
    return left;
}

static struct sets evaluate_connective(struct branching *branching, const struct ctl *ctl,
                                       const struct binding *binding)
{
    struct sets left = evaluate(branching, ctl->left, binding);
    struct sets right = evaluate(branching, ctl->right, binding);
    if (ctl->kind == CTL_IMPLIES)
        negate(branching, left);
    combine(branching, left, right, ctl->kind == CTL_AND);
    free(right.certain);
    return left;
}

static struct sets evaluate(struct branching *branching, const struct ctl *ctl, const struct binding *binding)
{
    switch (ctl->kind) {
    case CTL_PROPOSITION:
        return evaluate_proposition(branching, ctl->proposition, binding);
    case CTL_DEADLOCK:
        return evaluate_deadlock(branching);
    case CTL_NOT: {
        struct sets sets = evaluate(branching, ctl->left, binding);
        negate(branching, sets);
        return sets;
    }
    case CTL_AND:
    case CTL_OR:
    case CTL_IMPLIES:
        return evaluate_connective(branching, ctl, binding);
    case CTL_FORALL:
    case CTL_EXISTS:
        return evaluate_quantifier(branching, ctl, binding);
    default:
        return evaluate_temporal(branching, ctl, binding);
    }
}

/* The random formulas of linear time say the same with A before each operator. */
static struct ctl *branching_of(struct arena *arena, const struct ctl *ltl)
{
    struct ctl *copy = ARENA_NEW(arena, struct ctl);
    *copy = *ltl;
    if (ctl_is_linear(ltl)) {
        ENSURE(ltl->kind == LTL_G || ltl->kind == LTL_F || ltl->kind == LTL_U);
        copy->kind = ltl->kind == LTL_G ? CTL_AG : ltl->kind == LTL_F ? CTL_AF : CTL_AU;
    }
    copy->left = ltl->left ? branching_of(arena, ltl->left) : NULL;
    copy->right = ltl->right ? branching_of(arena, ltl->right) : NULL;
    return copy;
}

static bool is_state_formula(const struct ctl *ctl)
{
    return !ctl || (!ctl_is_linear(ctl) && is_state_formula(ctl->left) && is_state_formula(ctl->right));
}

/* True if the formula says the same with A before each operator: a part of the deterministic fragment of Maidl, "The
 * common fragment of CTL and LTL". */
static bool is_translatable(const struct ctl *ltl)
{
    if (is_state_formula(ltl))
        return true;
    switch (ltl->kind) {
    case CTL_AND:
        return is_translatable(ltl->left) && is_translatable(ltl->right);
    case CTL_OR:
        return (is_state_formula(ltl->left) && is_translatable(ltl->right)) ||
               (is_state_formula(ltl->right) && is_translatable(ltl->left));
    case CTL_IMPLIES:
        return is_state_formula(ltl->left) && is_translatable(ltl->right);
    case CTL_FORALL:
    case LTL_G:
        return is_translatable(ltl->left);
    case LTL_F:
        return is_state_formula(ltl->left);
    case LTL_U:
        return is_state_formula(ltl->left) && is_state_formula(ltl->right);
    default:
        return false;
    }
}

bool plain_can_decide(const struct plain *plain, const struct property *property)
{
    bool has_fairness = false;
    for (size_t i = 0; i < plain->system->properties.count; i++)
        has_fairness |= plain->system->properties.items[i]->kind == PROPERTY_FAIRNESS;
    if (property->kind == PROPERTY_PCTL || property->refusal)
        return false;
    return !(property->ctl || property->ltl) ||
           (!has_fairness && !property->drops_finite && is_translatable(property->ltl));
}

bool plain_ctl_is_violated(struct plain *plain, const struct property *property, enum deadlock_mode mode)
{
    uint32_t count = plain_count(plain);
    struct branching branching = {plain, mode, count, memory_zeroed(plain->layout->cell_count + 1, sizeof(int32_t)),
                                  memory_zeroed(count + 1, sizeof(bool))};
    for (size_t i = 0; i < plain->edges.count; i++)
        branching.has_successor[plain->edges.items[i].from] = true;
    struct arena *arena = arena_create();
    struct sets sets = evaluate(&branching, property->ctl ? property->ctl : branching_of(arena, property->ltl), NULL);
    arena_destroy(arena);
    bool is_violated = false;
    for (uint32_t state = 0; state < count; state++)
        is_violated |= plain->depth.items[state] == 0 && !sets.certain[state];
    free(sets.certain);
    free(branching.cells);
    free(branching.has_successor);
    return is_violated;
}
