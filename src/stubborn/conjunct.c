/* Guards, conjunct by conjunct: what each reads, and the values of a cell that let it be true. Of an invariant the
 * conjuncts are those of its negation, of a cover those of its formula. */
#include <stdlib.h>

#include "base/memory.h"
#include "stubborn/inner.h"

enum { CONJUNCT_SIZE = 2000 }; /* larger ones are not evaluated */

struct guard_split {
    struct stubborn *stubborn;
    struct unit *unit;
    struct queue_use queue;
    VEC(struct guard_conjunct) conjuncts;
    bool is_done;
};

static uint64_t *conjunct_set(struct guard_split *split, uint32_t words)
{
    uint64_t *set = arena_alloc(split->stubborn->arena, words * sizeof *set);
    for (uint32_t w = 0; w < words; w++)
        set[w] = 0;
    return set;
}

/* The only cell of the set, or UINT32_MAX. */
static uint32_t conjunct_only_cell(const struct stubborn *stubborn, const uint64_t *reads)
{
    uint32_t first = bits_next(reads, stubborn->cell_words, 0);
    bool is_only = bits_next(reads, stubborn->cell_words, first + 1) >= stubborn->layout->cell_count;
    return first < stubborn->layout->cell_count && is_only ? first : UINT32_MAX;
}

/* Where the conjunct, which reads one cell that can change, is not false. */
static void conjunct_find_allowed(struct guard_split *split, struct guard_conjunct *conjunct)
{
    struct stubborn *stubborn = split->stubborn;
    struct peval *peval = &stubborn->peval;
    const struct type *type = stubborn->layout->cells[conjunct->cell].type;
    if (!type || type->size > STUBBORN_VALUES || stubborn->is_constant[conjunct->cell])
        return;
    conjunct->allowed = conjunct_set(split, bits_words(type->size + 1));
    bits_add(conjunct->allowed, 0); /* undefined: it may fault */
    conjunct->is_exact = true;
    stubborn->is_constant[conjunct->cell] = true;
    for (uint32_t v = 0; v < type->size; v++) {
        stubborn->constants[conjunct->cell] = type_code(type, v);
        struct peval_value truth = peval_evaluate(peval, conjunct->expr);
        if (truth.kind != PEVAL_KNOWN || (truth.value != 0) != conjunct->is_negated)
            bits_add(conjunct->allowed, v + 1);
        conjunct->is_exact &= truth.kind == PEVAL_KNOWN;
        stubborn->work += conjunct->expr->size;
    }
    stubborn->is_constant[conjunct->cell] = false;
}

/* A part of the first message is compared, behind the test that there is one: sends do not matter to it. */
static void conjunct_find_heads(struct guard_split *split, struct guard_conjunct *conjunct)
{
    struct stubborn *stubborn = split->stubborn;
    bool is_tested = false;
    for (size_t i = 0; i < split->conjuncts.count; i++)
        is_tested |=
            split->conjuncts.items[i].expr && queue_is_condition(&split->queue, split->conjuncts.items[i].expr);
    if (!is_tested || !queue_is_match(&split->queue, conjunct->expr) || conjunct->is_negated)
        return;
    const struct place *place = split->queue.place;
    uint32_t address;
    if (!peval_address(&stubborn->peval, place, &address))
        return;
    uint64_t *right = conjunct_set(split, stubborn->cell_words);
    conjunct->heads = conjunct_set(split, stubborn->cell_words);
    split->is_done &= trace_reads(stubborn, split->unit, conjunct->expr->right, right);
    for (uint32_t c = 0; c < place->type->cells; c++)
        if (!bits_has(right, address + c))
            bits_add(conjunct->heads, address + c);
    /* If the length is set by something else than a send or receive, the first message may be another. */
    bits_add(conjunct->reads, address + split->queue.length->offset);
}

static void conjunct_add(struct guard_split *split, const struct expr *expr, bool is_negated)
{
    struct stubborn *stubborn = split->stubborn;
    struct guard_conjunct conjunct = {.expr = expr, .is_negated = is_negated, .cell = UINT32_MAX};
    conjunct.reads = conjunct_set(split, stubborn->cell_words);
    conjunct.is_heavy = !expr || expr->size > CONJUNCT_SIZE || split->unit->is_coarse;
    split->is_done &= trace_reads(stubborn, split->unit, expr, conjunct.reads);
    for (uint32_t c = 0; c < stubborn->layout->cell_count; c++)
        if (stubborn->is_constant[c])
            bits_remove(conjunct.reads, c);
    if (!conjunct.is_heavy) {
        conjunct.is_safe = peval_evaluate(&stubborn->peval, expr).kind != PEVAL_RISKY;
        conjunct.cell = conjunct_only_cell(stubborn, conjunct.reads);
        if (conjunct.cell != UINT32_MAX)
            conjunct_find_allowed(split, &conjunct);
        conjunct_find_heads(split, &conjunct);
        conjunct.is_late = conjunct.heads || (split->unit->known.count && split->conjuncts.count > 0);
    }
    VEC_PUSH(&split->conjuncts, conjunct);
}

static void conjunct_split_expr(struct guard_split *split, const struct expr *expr, bool is_negated)
{
    enum operator both = is_negated ? OP_OR : OP_AND;
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        conjunct_split_expr(split, expr->left, !is_negated);
    } else if (expr->kind == EXPR_BINARY && expr->op == both) {
        conjunct_split_expr(split, expr->left, is_negated);
        conjunct_split_expr(split, expr->right, is_negated);
    } else if (expr->kind == EXPR_BINARY && expr->op == OP_IMPLIES && is_negated) {
        conjunct_split_expr(split, expr->left, false);
        conjunct_split_expr(split, expr->right, true);
    } else {
        conjunct_add(split, expr, is_negated);
    }
}

static void conjunct_split_rule(struct guard_split *split, const struct rule *rule)
{
    bool has_choice = rule->prelude.count > 0;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        has_choice |= rule->parameters[p].choose != NULL;
    if (!split->unit->is_coarse)
        peval_bind_instance(&split->stubborn->peval, rule, split->unit->instance);
    control_bind(split->stubborn, split->unit);
    split->queue = queue_find(rule);
    if (has_choice)
        conjunct_add(split, NULL, false);
    else if (rule->guard)
        conjunct_split_expr(split, rule->guard, false);
    control_release(split->stubborn, split->unit);
    peval_release_instance(&split->stubborn->peval, rule);
}

bool conjunct_split(struct stubborn *stubborn)
{
    bool is_done = true;
    for (uint32_t u = 0; u < stubborn->unit_count && is_done; u++) {
        struct guard_split split = {.stubborn = stubborn, .unit = &stubborn->units[u], .is_done = true};
        if (split.unit->rule)
            conjunct_split_rule(&split, split.unit->rule);
        else
            conjunct_split_expr(&split, split.unit->property->formula,
                                split.unit->property->kind == PROPERTY_INVARIANT);
        split.unit->conjunct_count = (uint32_t)split.conjuncts.count;
        split.unit->conjuncts = VEC_SEAL(&split.conjuncts, stubborn->arena);
        is_done = split.is_done && stubborn->work <= STUBBORN_WORK && !watch_is_up();
    }
    return is_done;
}
