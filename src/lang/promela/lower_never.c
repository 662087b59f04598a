/* The never claim, as an automaton that reads the states of a run.
 *
 * Its states are the nodes of the claim's flow, and one more: the end, from which whatever follows is a violation. In
 * an atomic sequence, or d_step, the claim looks at one state only; an assertion that fails leads to the end. As in
 * SPIN a cycle through an accept label of a process is one, too: each node has a twin, which is accepting, and which is
 * reached when a process stood at such a label in the state that was read. */
#include "ir/ctl.h"
#include "ir/same.h"
#include "lang/promela/lower.h"

enum { MOST_EDGES = 1 << 16 }; /* choices in an atomic sequence are multiplied */

struct pml_claim {
    struct pml_lower *lower;
    struct pml_flow flow;
    VEC(struct ctl *) conditions;
    VEC(struct never_edge) edges;
    uint64_t accepts; /* the condition that a process stands at an accept label; 0: there is none */
};

/* Conditions that hold, and such that do not. */
struct pml_letter {
    uint64_t positive, negative;
};

static const struct pml_self nobody = {.proctype = NULL};

static void claim_refuse(struct pml_claim *claim, struct span span, const char *what, const char *hint)
{
    if (claim->lower->diagnostics->errors)
        return;
    diag_error(claim->lower->diagnostics, span, "%s", what);
    diag_hint(claim->lower->diagnostics, "%s", hint);
}

static uint64_t condition_bit(struct pml_claim *claim, struct expr *formula, struct span span)
{
    size_t count = claim->conditions.count;
    for (size_t i = 0; i < count; i++)
        if (same_expr(claim->conditions.items[i]->proposition->formula, formula))
            return UINT64_C(1) << i;
    if (count == NEVER_MOST_CONDITIONS) {
        claim_refuse(claim, span, "the claim has more than 64 conditions", "write it as several models");
        return 0;
    }
    VEC_PUSH(&claim->conditions, ctl_proposition(claim->lower->system, formula, NULL, 0, span));
    return UINT64_C(1) << count;
}

/* False: there is no such state. */
static bool require(struct pml_claim *claim, struct pml_letter *letter, const struct pml_expr *expr, bool is_true)
{
    for (; expr->kind == PML_UNARY && expr->op == PML_NOT; expr = expr->left)
        is_true = !is_true;
    if (expr->kind == PML_NUMBER)
        return (expr->value != 0) == is_true;
    *(is_true ? &letter->positive : &letter->negative) |=
        condition_bit(claim, pml_lower_condition(claim->lower, nobody, expr), expr->span);
    return !(letter->positive & letter->negative);
}

/* No move of the node is possible that goes before this one. */
static bool require_turn(struct pml_claim *claim, struct pml_letter *letter, const struct pml_node *node, size_t move)
{
    bool is_possible = true;
    for (size_t m = 0; m < node->moves.count && is_possible; m++) {
        const struct pml_stmt *stmt = node->moves.items[m].stmt;
        if (pml_goes_first(node, m, move))
            is_possible = stmt && stmt->kind == PML_CONDITION && require(claim, letter, stmt->value, false);
    }
    return is_possible;
}

static void add_edge(struct pml_claim *claim, struct pml_letter letter, uint32_t target)
{
    if (claim->accepts)
        VEC_PUSH(&claim->edges, ((struct never_edge){letter.positive | claim->accepts, letter.negative,
                                                     target + (uint32_t)claim->flow.nodes.count}));
    letter.negative |= claim->accepts;
    VEC_PUSH(&claim->edges, ((struct never_edge){letter.positive, letter.negative, target}));
}

/* Can the move be done in such a state? */
static bool take_move(struct pml_claim *claim, const struct pml_move *move, struct pml_letter *letter)
{
    const struct pml_stmt *stmt = move->stmt;
    struct pml_letter fails = *letter;
    if (!stmt || stmt->kind == PML_GOTO || stmt->kind == PML_BREAK || stmt->kind == PML_ELSE)
        return true;
    switch (stmt->kind) {
    case PML_CONDITION:
        return require(claim, letter, stmt->value, true);
    case PML_ASSERT:
        if (require(claim, &fails, stmt->value, false))
            add_edge(claim, fails, claim->flow.end);
        return require(claim, letter, stmt->value, true);
    case PML_PRINT:
        return true;
    default:
        claim_refuse(
            claim, stmt->span, "a never claim only looks: here it would change something",
            "conditions, else, assert, goto, if, do, atomic and d_step can stand in it (SPIN warns of what else "
            "does): a process of its own can count");
        return false;
    }
}

/* The edges from the node, whatever was seen of the same state before it. */
static void claim_moves(struct pml_claim *claim, uint32_t number, struct pml_letter seen, size_t depth)
{
    const struct pml_node *node = &claim->flow.nodes.items[number];
    if (depth > claim->flow.nodes.count || claim->edges.count > MOST_EDGES) {
        claim_refuse(claim, node->span, "this atomic sequence need not end, or is too large",
                     "write a loop outside of atomic");
        return;
    }
    for (size_t m = 0; m < node->moves.count && !claim->lower->diagnostics->errors; m++) {
        const struct pml_move *move = &node->moves.items[m];
        struct pml_letter letter = seen;
        if (move->rank)
            claim_refuse(claim, node->span, "unless is not supported in a never claim", "use if and goto");
        if (move->is_shadowed)
            claim_refuse(claim, move->stmt ? move->stmt->span : node->span, "this option of a d_step is never tried",
                         "an option before it begins with a choice, in which pan stays: write one choice");
        if (!require_turn(claim, &letter, node, m) || !take_move(claim, move, &letter))
            continue;
        if (move->keeps && move->target != claim->flow.end)
            claim_moves(claim, move->target, letter, depth + 1);
        else
            add_edge(claim, letter, move->target);
    }
}

static struct ctl *join_conditions(struct pml_claim *claim, struct span span)
{
    struct system *system = claim->lower->system;
    struct ctl *all = NULL;
    for (size_t i = 0; i < claim->conditions.count; i++)
        all = all ? ctl_operator(system, CTL_AND, all, claim->conditions.items[i], span) : claim->conditions.items[i];
    return all ? all : ctl_proposition(system, pml_truth(claim->lower, true, span), NULL, 0, span);
}

/* The edges of a state: a node, or its twin. */
static void claim_edges(struct pml_claim *claim, uint32_t state)
{
    uint32_t number = state % (uint32_t)claim->flow.nodes.count;
    if (number == claim->flow.end)
        add_edge(claim, (struct pml_letter){0, 0}, number);
    else if (claim->flow.nodes.items[number].is_reached)
        claim_moves(claim, number, (struct pml_letter){0, 0}, 0);
}

static struct ctl *claim_formula(struct pml_claim *claim)
{
    struct arena *arena = claim->lower->system->arena;
    struct span span = claim->flow.proctype->span;
    struct expr *accepts = pml_some_accepts(claim->lower, span);
    claim->accepts = accepts ? condition_bit(claim, accepts, span) : 0;
    uint32_t nodes = (uint32_t)claim->flow.nodes.count, count = claim->accepts ? 2 * nodes : nodes;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 1);
    bool *is_accepting = ARENA_ARRAY(arena, bool, count);
    struct never *never = ARENA_NEW(arena, struct never);
    *never = (struct never){.state_count = count, .start = claim->flow.entry, .is_finite = !accepts};
    for (uint32_t s = 0; s < count; s++) {
        const struct pml_node *node = &claim->flow.nodes.items[s % nodes];
        bool is_end = s % nodes == claim->flow.end;
        first[s] = (uint32_t)claim->edges.count;
        is_accepting[s] = is_end || node->is_accept || s >= nodes;
        never->is_finite &= is_end || !node->is_accept || !node->is_reached;
        claim_edges(claim, s);
    }
    first[count] = (uint32_t)claim->edges.count;
    never->first = first;
    never->condition_count = (uint32_t)claim->conditions.count;
    never->is_accepting = is_accepting;
    never->edges = VEC_SEAL(&claim->edges, arena);
    return ctl_never(claim->lower->system, never, join_conditions(claim, span), span);
}

struct ctl *pml_lower_never(struct pml_lower *lower, struct pml_proctype *proctype)
{
    struct pml_claim claim = {.lower = lower};
    struct ctl *formula =
        pml_flow_build(&claim.flow, proctype, lower->arena, lower->diagnostics) ? claim_formula(&claim) : NULL;
    pml_flow_free(&claim.flow);
    VEC_FREE(&claim.conditions);
    VEC_FREE(&claim.edges);
    return formula;
}
