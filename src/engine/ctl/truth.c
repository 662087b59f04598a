/* What is true where. Temporal formulas are decided innermost first, each for all nodes of its graph at once; all else
 * is evaluated where it is wanted. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/fairly.h"

const struct temporal *truth_of(const struct checker *checker, const struct ctl *ctl)
{
    for (size_t i = 0; i < checker->temporals.count; i++)
        if (checker->temporals.items[i].ctl == ctl)
            return &checker->temporals.items[i];
    UNREACHABLE("a temporal formula that was not decided");
}

static bool truth_same_values(const struct ctl *a, const struct ctl *b)
{
    for (uint32_t i = 0; i < a->free_count; i++)
        if (a->free[i] != b->free[i])
            return false;
    return true;
}

static uint32_t truth_node(struct checker *checker, const struct temporal *t, const struct ctl_spot *spot)
{
    if (spot->graph == t->graph && truth_same_values(t->ctl, spot->about))
        return spot->node;
    return graph_find(checker, t->graph, t->ctl->free, spot->cells);
}

static enum truth truth_of_proposition(struct checker *checker, const struct proposition *proposition,
                                       const struct ctl_spot *spot)
{
    enum { FEW = 16 };
    int32_t few[FEW], *values = few;
    if (proposition->variable_count > FEW)
        values = memory_alloc(proposition->variable_count * sizeof *values);
    for (uint32_t i = 0; i < proposition->variable_count; i++)
        values[i] = *checker_value(checker, proposition->variables[i]);
    struct fault fault = {0};
    enum truth truth = stepper_judge(checker->judge, proposition, spot->cells, values, &fault);
    if (truth == TRUTH_FAULT && !checker->has_fault) {
        checker->has_fault = true;
        checker->fault = fault;
    }
    if (values != few)
        free(values);
    return truth;
}

static enum truth truth_of_deadlock(struct checker *checker, const struct ctl_spot *spot)
{
    struct graph *graph = graph_get(checker, NULL, 0);
    ENSURE(graph);
    return bits_has(graph->deadlocks, graph_find(checker, graph, NULL, spot->cells)) ? TRUTH_TRUE : TRUTH_FALSE;
}

static enum truth truth_not(enum truth truth)
{
    return truth == TRUTH_FAULT ? truth : truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

/* One is TRUTH_FALSE, or both are TRUTH_TRUE, or there is doubt. */
static enum truth truth_and(enum truth a, enum truth b)
{
    return a == TRUTH_FALSE || b == TRUTH_FALSE ? TRUTH_FALSE : a == TRUTH_FAULT ? a : b;
}

static enum truth truth_of_quantifier(struct checker *checker, const struct ctl *ctl, const struct ctl_spot *spot)
{
    const struct type *type = ctl->variable->type;
    int32_t *value = checker_value(checker, ctl->variable), before = *value;
    bool is_forall = ctl->kind == CTL_FORALL;
    enum truth truth = TRUTH_TRUE; /* of "for all", or of "for none" */
    for (uint32_t i = 0; i < type->size && truth != TRUTH_FALSE; i++) {
        *value = type_code(type, i);
        enum truth one = truth_at(checker, ctl->left, spot);
        truth = truth_and(truth, is_forall ? one : truth_not(one));
    }
    *value = before;
    return is_forall ? truth : truth_not(truth);
}

/* left & right, either of them negated. */
static enum truth truth_of_both(struct checker *checker, const struct ctl *ctl, bool is_left, bool is_right,
                                const struct ctl_spot *spot)
{
    enum truth left = truth_at(checker, ctl->left, spot), right;
    left = is_left ? left : truth_not(left);
    if (left == TRUTH_FALSE)
        return left;
    right = truth_at(checker, ctl->right, spot);
    return truth_and(left, is_right ? right : truth_not(right));
}

enum truth truth_at(struct checker *checker, const struct ctl *ctl, const struct ctl_spot *spot)
{
    const struct temporal *t;
    uint32_t node;
    switch (ctl->kind) {
    case CTL_PROPOSITION:
        return truth_of_proposition(checker, ctl->proposition, spot);
    case CTL_DEADLOCK:
        return truth_of_deadlock(checker, spot);
    case CTL_NOT:
        return truth_not(truth_at(checker, ctl->left, spot));
    case CTL_AND:
        return truth_of_both(checker, ctl, true, true, spot);
    case CTL_OR:
        return truth_not(truth_of_both(checker, ctl, false, false, spot));
    case CTL_IMPLIES:
        return truth_not(truth_of_both(checker, ctl, true, false, spot));
    case CTL_FORALL:
    case CTL_EXISTS:
        return truth_of_quantifier(checker, ctl, spot);
    default:
        t = truth_of(checker, ctl);
        node = truth_node(checker, t, spot);
        return bits_has(t->sure.holds, node) ? TRUTH_TRUE : bits_has(t->maybe.holds, node) ? TRUTH_FAULT : TRUTH_FALSE;
    }
}

bool truth_has_fault(struct checker *checker, const struct ctl *ctl, const struct ctl_spot *spot)
{
    bool is_quantifier = ctl->kind == CTL_FORALL || ctl->kind == CTL_EXISTS;
    if (ctl->kind == CTL_PROPOSITION) {
        checker->has_fault = false;
        return truth_of_proposition(checker, ctl->proposition, spot) == TRUTH_FAULT;
    }
    if (!is_quantifier)
        return (ctl->left && truth_has_fault(checker, ctl->left, spot)) ||
               (ctl->right && truth_has_fault(checker, ctl->right, spot));
    int32_t *value = checker_value(checker, ctl->variable), before = *value;
    bool has_fault = false;
    for (uint32_t i = 0; i < ctl->variable->type->size && !has_fault; i++) {
        *value = type_code(ctl->variable->type, i);
        has_fault = truth_has_fault(checker, ctl->left, spot);
    }
    *value = before;
    return has_fault;
}

/* Where an operand of the formula holds, and where it may hold, over the nodes of its graph. *maybe is *sure when they
 * are the same. */
static bool truth_of_operand(struct checker *checker, const struct temporal *t, const struct ctl *operand,
                             uint64_t **sure, uint64_t **maybe)
{
    struct graph *graph = t->graph;
    size_t words = bit_words(graph->count), size = checker->system->state_cells * sizeof(int32_t);
    *sure = *maybe = checker_alloc(checker, words, sizeof **sure);
    int32_t *cells = memory_zeroed(size + 1, 1);
    bool is_good = *sure != NULL;
    for (uint32_t n = 0; is_good && n < graph->count; n++) {
        memcpy(cells, graph_load(checker, graph, t->ctl->free, n), size); /* graph->cells is used in between */
        struct ctl_spot spot = {cells, graph, t->ctl, n};
        enum truth truth = truth_at(checker, operand, &spot);
        if (truth == TRUTH_FAULT && *maybe == *sure) {
            *maybe = checker_alloc(checker, words, sizeof **maybe);
            if (*maybe)
                memcpy(*maybe, *sure, words * sizeof **maybe);
        }
        is_good = *maybe && checker_spend(checker, 1);
        if (is_good && truth == TRUTH_TRUE)
            bits_add(*sure, n);
        if (is_good && truth != TRUTH_FALSE)
            bits_add(*maybe, n);
    }
    free(cells);
    return is_good;
}

static bool truth_decide(struct checker *checker, const struct ctl *ctl)
{
    struct temporal t = {.ctl = ctl, .graph = graph_get(checker, ctl->free, ctl->free_count)};
    if (!t.graph)
        return false;
    bool is_past = ctl->kind == CTL_EY || ctl->kind == CTL_EP;
    bool is_good = (is_past || fairly_find(checker, t.graph, ctl->free)) &&
                   truth_of_operand(checker, &t, ctl->left, &t.sure.left, &t.maybe.left) &&
                   (!ctl->right || truth_of_operand(checker, &t, ctl->right, &t.sure.right, &t.maybe.right)) &&
                   fixpoint_decide(checker, &t, &t.sure);
    bool is_certain = t.sure.left == t.maybe.left && t.sure.right == t.maybe.right;
    if (is_good && is_certain)
        t.maybe.holds = t.sure.holds;
    else if (is_good)
        is_good = fixpoint_decide(checker, &t, &t.maybe);
    VEC_PUSH(&checker->temporals, t); /* also to be freed */
    return is_good;
}

bool truth_prepare(struct checker *checker, const struct ctl *ctl)
{
    if (ctl->left && !truth_prepare(checker, ctl->left))
        return false;
    if (ctl->right && !truth_prepare(checker, ctl->right))
        return false;
    if (ctl->kind == CTL_DEADLOCK)
        return graph_get(checker, NULL, 0) != NULL;
    return !ctl_is_temporal(ctl) || truth_decide(checker, ctl);
}

static void sets_free(struct checker *checker, uint64_t *sure, uint64_t *maybe, size_t words)
{
    checker_free(checker, sure, words, sizeof *sure);
    if (maybe != sure)
        checker_free(checker, maybe, words, sizeof *maybe);
}

void truth_forget(struct checker *checker)
{
    for (size_t i = 0; i < checker->temporals.count; i++) {
        struct temporal *t = &checker->temporals.items[i];
        size_t words = bit_words(t->graph->count);
        sets_free(checker, t->sure.holds, t->maybe.holds, words);
        sets_free(checker, t->sure.left, t->maybe.left, words);
        sets_free(checker, t->sure.right, t->maybe.right, words);
    }
    VEC_CLEAR(&checker->temporals);
}
