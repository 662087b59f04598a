/* What is true where. Temporal formulas are decided innermost first, each for all nodes of its graph at once; all else is
 * evaluated where it is wanted. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/checker.h"

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

static uint32_t truth_node(struct checker *checker, const struct temporal *t, const struct spot *spot)
{
    if (spot->graph == t->graph && truth_same_values(t->ctl, spot->about))
        return spot->node;
    return graph_find(checker, t->graph, t->ctl->free, spot->cells);
}

static enum truth truth_of_proposition(struct checker *checker, const struct proposition *proposition,
                                       const struct spot *spot)
{
    enum { FEW = 16 };
    int32_t few[FEW], *values = few;
    if (proposition->variable_count > FEW)
        values = memory_alloc(proposition->variable_count * sizeof *values);
    for (uint32_t i = 0; i < proposition->variable_count; i++)
        values[i] = *checker_value(checker, proposition->variables[i]);
    enum truth truth = stepper_judge(checker->judge, proposition, spot->cells, values, &checker->fault);
    if (values != few)
        free(values);
    return truth;
}

static enum truth truth_of_deadlock(struct checker *checker, const struct spot *spot)
{
    struct graph *graph = graph_get(checker, NULL, 0);
    ENSURE(graph);
    return bit_get(graph->deadlocks, graph_find(checker, graph, NULL, spot->cells)) ? TRUTH_TRUE : TRUTH_FALSE;
}

/* Every value is tried, as everywhere: that one of them faults does not depend on the order of the elements. */
static enum truth truth_of_quantifier(struct checker *checker, const struct ctl *ctl, const struct spot *spot)
{
    const struct type *type = ctl->variable->type;
    int32_t *value = checker_value(checker, ctl->variable), before = *value;
    enum truth decided = ctl->kind == CTL_FORALL ? TRUTH_FALSE : TRUTH_TRUE;
    enum truth truth = ctl->kind == CTL_FORALL ? TRUTH_TRUE : TRUTH_FALSE;
    for (uint32_t i = 0; i < type->size && truth != TRUTH_FAULT; i++) {
        *value = type_code(type, i);
        enum truth one = truth_at(checker, ctl->left, spot);
        if (one == TRUTH_FAULT || one == decided)
            truth = one;
    }
    *value = before;
    return truth;
}

enum truth truth_at(struct checker *checker, const struct ctl *ctl, const struct spot *spot)
{
    enum truth left;
    const struct temporal *t;
    switch (ctl->kind) {
    case CTL_PROPOSITION:
        return truth_of_proposition(checker, ctl->proposition, spot);
    case CTL_DEADLOCK:
        return truth_of_deadlock(checker, spot);
    case CTL_NOT:
        left = truth_at(checker, ctl->left, spot);
        return left == TRUTH_FAULT ? left : left == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
    case CTL_AND:
        left = truth_at(checker, ctl->left, spot);
        return left == TRUTH_TRUE ? truth_at(checker, ctl->right, spot) : left;
    case CTL_OR:
        left = truth_at(checker, ctl->left, spot);
        return left == TRUTH_FALSE ? truth_at(checker, ctl->right, spot) : left;
    case CTL_IMPLIES:
        left = truth_at(checker, ctl->left, spot);
        return left == TRUTH_TRUE ? truth_at(checker, ctl->right, spot) : left == TRUTH_FALSE ? TRUTH_TRUE : left;
    case CTL_FORALL:
    case CTL_EXISTS:
        return truth_of_quantifier(checker, ctl, spot);
    default:
        t = truth_of(checker, ctl);
        return bit_get(t->holds, truth_node(checker, t, spot)) ? TRUTH_TRUE : TRUTH_FALSE;
    }
}

/* Where an operand of the formula holds, over the nodes of its graph. */
static uint64_t *truth_of_operand(struct checker *checker, const struct temporal *t, const struct ctl *operand)
{
    struct graph *graph = t->graph;
    uint64_t *set = checker_alloc(checker, bit_words(graph->count), sizeof *set);
    int32_t *cells = memory_zeroed(checker->system->state_cells + 1, sizeof *cells);
    for (uint32_t n = 0; set && n < graph->count; n++) {
        const int32_t *loaded = graph_load(checker, graph, t->ctl->free, n);
        memcpy(cells, loaded, checker->system->state_cells * sizeof *cells); /* loaded is used in between */
        struct spot spot = {cells, graph, t->ctl, n};
        enum truth truth = truth_at(checker, operand, &spot);
        if (truth == TRUTH_TRUE)
            bit_set(set, n);
        if (truth == TRUTH_FAULT)
            memcpy(checker->fault_cells, cells, checker->system->state_cells * sizeof *cells);
        if (truth == TRUTH_FAULT || !checker_spend(checker, 1)) {
            checker_free(checker, set, bit_words(graph->count), sizeof *set);
            set = NULL;
        }
    }
    free(cells);
    return set;
}

static bool truth_decide(struct checker *checker, const struct ctl *ctl)
{
    struct temporal t = {.ctl = ctl, .graph = graph_get(checker, ctl->free, ctl->free_count)};
    if (!t.graph)
        return false;
    t.left = truth_of_operand(checker, &t, ctl->left);
    if (t.left && ctl->right)
        t.right = truth_of_operand(checker, &t, ctl->right);
    bool is_good = t.left && (t.right || !ctl->right) && fixpoint_decide(checker, &t);
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

void truth_forget(struct checker *checker)
{
    for (size_t i = 0; i < checker->temporals.count; i++) {
        struct temporal *t = &checker->temporals.items[i];
        size_t words = t->graph ? bit_words(t->graph->count) : 0;
        checker_free(checker, t->holds, words, sizeof *t->holds);
        checker_free(checker, t->left, words, sizeof *t->left);
        checker_free(checker, t->right, words, sizeof *t->right);
    }
    VEC_CLEAR(&checker->temporals);
}
