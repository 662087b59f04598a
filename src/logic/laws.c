/* The operators, simplified by laws of LTL. Every law is written once for an operator and its dual: AND and OR, UNTIL
 * and RELEASE.
 *
 * The laws preserve the language, but a tableau must not apply them to the sets it makes: where a formula is dropped
 * because another implies it, the one that puts off an UNTIL may no longer be there to be seen. */
#include "logic/pool.h"

/* One of a pair of dual operators. */
struct dual_side {
    bool is_and;              /* of the junction: AND or OR */
    logic_formula unit, zero; /* x op unit = x, x op zero = zero */
};

static const struct dual_side and_side = {true, LOGIC_TRUE, LOGIC_FALSE}, or_side = {false, LOGIC_FALSE, LOGIC_TRUE};

static enum logic_kind kind_of(const struct dual_side *side)
{
    return side->is_and ? LOGIC_AND : LOGIC_OR;
}

/* Is `weak` superfluous beside `strong`? */
static bool absorbs(struct logic *logic, const struct dual_side *side, logic_formula strong, logic_formula weak)
{
    return side->is_and ? logic_implies(logic, strong, weak) : logic_implies(logic, weak, strong);
}

void logic_collect(const struct logic *logic, enum logic_kind kind, logic_formula formula,
                   struct logic_operands *operands)
{
    const struct logic_node *node = logic_node(logic, formula);
    if (node->kind != kind) {
        VEC_PUSH(&operands->list, formula);
        return;
    }
    logic_collect(logic, kind, node->left, operands);
    logic_collect(logic, kind, node->right, operands);
}

static bool are_opposite(const struct logic *logic, logic_formula a, logic_formula b)
{
    const struct logic_node *left = logic_node(logic, a), *right = logic_node(logic, b);
    bool are_literals = (left->kind == LOGIC_ATOM && right->kind == LOGIC_NOT) ||
                        (left->kind == LOGIC_NOT && right->kind == LOGIC_ATOM);
    return (are_literals && left->left == right->left) || logic->duals.items[a] == b || logic->duals.items[b] == a;
}

static logic_formula junction(struct logic *logic, const struct dual_side *side, logic_formula left,
                              logic_formula right)
{
    return side->is_and ? logic_and(logic, left, right) : logic_or(logic, left, right);
}

/* Two operands as one: X a & X b = X (a & b), a R b & a R c = a R (b & c), a U c & b U c = (a & b) U c; and the duals.
 */
static logic_formula merged(struct logic *logic, const struct dual_side *side, logic_formula first,
                            logic_formula second)
{
    const struct logic_node *a = logic_node(logic, first), *b = logic_node(logic, second);
    if (a->kind != b->kind)
        return LOGIC_NONE;
    if (a->kind == LOGIC_NEXT)
        return logic_next(logic, junction(logic, side, a->left, b->left));
    bool shares_left = a->kind == (side->is_and ? LOGIC_RELEASE : LOGIC_UNTIL);
    bool shares_right = a->kind == (side->is_and ? LOGIC_UNTIL : LOGIC_RELEASE);
    logic_formula left = a->left, right = a->right;
    if (shares_left && a->left == b->left)
        right = junction(logic, side, a->right, b->right);
    else if (shares_right && a->right == b->right)
        left = junction(logic, side, a->left, b->left);
    else
        return LOGIC_NONE;
    return a->kind == LOGIC_UNTIL ? logic_until(logic, left, right) : logic_release(logic, left, right);
}

/* Drops operands i and j, which are replaced by what is in their place. */
static void replace_pair(const struct logic *logic, const struct dual_side *side, struct logic_operands *operands,
                         size_t i, size_t j, logic_formula by)
{
    operands->list.items[j] = VEC_LAST(&operands->list);
    (void)VEC_POP(&operands->list);
    operands->list.items[i] = VEC_LAST(&operands->list);
    (void)VEC_POP(&operands->list);
    logic_collect(logic, kind_of(side), by, operands);
}

/* One law on operands i < j; true: something changed. */
static bool simplify_pair(struct logic *logic, const struct dual_side *side, struct logic_operands *operands, size_t i,
                          size_t j)
{
    logic_formula a = operands->list.items[i], b = operands->list.items[j], by = LOGIC_NONE;
    if (are_opposite(logic, a, b))
        by = side->zero;
    else if (absorbs(logic, side, a, b))
        by = a;
    else if (absorbs(logic, side, b, a))
        by = b;
    else
        by = merged(logic, side, a, b);
    if (by != LOGIC_NONE)
        replace_pair(logic, side, operands, i, j, by);
    return by != LOGIC_NONE;
}

static bool simplify_once(struct logic *logic, const struct dual_side *side, struct logic_operands *operands)
{
    for (size_t j = 1; j < operands->list.count; j++)
        for (size_t i = 0; i < j; i++)
            if (simplify_pair(logic, side, operands, i, j))
                return true;
    return false;
}

/* The operands in a fixed order, so that equal sets are equal formulas. */
static logic_formula rebuild(struct logic *logic, const struct dual_side *side, struct logic_operands *operands)
{
    size_t count = words_sort_unique(operands->list.items, operands->list.count);
    logic_formula whole = side->unit;
    for (size_t i = count; i-- > 0;) {
        logic_formula operand = operands->list.items[i];
        if (operand == side->zero)
            return side->zero;
        if (whole == side->unit)
            whole = operand;
        else if (operand != side->unit)
            whole = logic_intern(logic, kind_of(side), operand, whole);
    }
    return whole;
}

static logic_formula make_junction(struct logic *logic, const struct dual_side *side, logic_formula left,
                                   logic_formula right)
{
    struct logic_operands operands = {0};
    logic_collect(logic, kind_of(side), left, &operands);
    logic_collect(logic, kind_of(side), right, &operands);
    /* Every change takes an operand away, or makes one smaller; the limit is a last resort. */
    for (size_t rounds = 4 * operands.list.count + 16; rounds && simplify_once(logic, side, &operands);)
        rounds--;
    logic_formula whole = rebuild(logic, side, &operands);
    VEC_FREE(&operands.list);
    return whole;
}

logic_formula logic_and(struct logic *logic, logic_formula left, logic_formula right)
{
    return make_junction(logic, &and_side, left, right);
}

logic_formula logic_or(struct logic *logic, logic_formula left, logic_formula right)
{
    return make_junction(logic, &or_side, left, right);
}

/* Splits the operands of a junction into those that are suspendable (f = X f) and the rest. False: there are none, or
 * nothing else. */
static bool split_suspendable(struct logic *logic, const struct dual_side *side, logic_formula formula,
                              logic_formula *rest, logic_formula *suspended)
{
    struct logic_operands operands = {0};
    logic_collect(logic, kind_of(side), formula, &operands);
    *rest = *suspended = side->unit;
    for (size_t i = 0; i < operands.list.count; i++) {
        logic_formula operand = operands.list.items[i];
        logic_formula *place = logic_has(logic, operand, LOGIC_IS_SUSPENDABLE) ? suspended : rest;
        *place = junction(logic, side, *place, operand);
    }
    VEC_FREE(&operands.list);
    return *rest != side->unit && *suspended != side->unit;
}

logic_formula logic_next(struct logic *logic, logic_formula formula)
{
    logic_formula rest, suspended;
    if (logic_has(logic, formula, LOGIC_IS_SUSPENDABLE))
        return formula;
    if (split_suspendable(logic, &and_side, formula, &rest, &suspended))
        return logic_and(logic, logic_next(logic, rest), suspended);
    if (split_suspendable(logic, &or_side, formula, &rest, &suspended))
        return logic_or(logic, logic_next(logic, rest), suspended);
    return logic_intern(logic, LOGIC_NEXT, formula, 0);
}

static logic_formula make_fixpoint(struct logic *logic, const struct dual_side *side, logic_formula left,
                                   logic_formula right)
{
    return side->is_and ? logic_until(logic, left, right) : logic_release(logic, left, right);
}

/* F and G of an operator: F X a = X F a, F (a U b) = F b; LOGIC_NONE: no law. */
static logic_formula lone_fixpoint(struct logic *logic, const struct dual_side *side, logic_formula right)
{
    const struct logic_node *node = logic_node(logic, right);
    if (node->kind == LOGIC_NEXT)
        return logic_next(logic, make_fixpoint(logic, side, side->unit, node->left));
    if (node->kind == (side->is_and ? LOGIC_UNTIL : LOGIC_RELEASE))
        return make_fixpoint(logic, side, side->unit, node->right);
    return LOGIC_NONE;
}

/* a U b, or with the side of OR a R b; LOGIC_NONE: no law. */
static logic_formula fixpoint_law(struct logic *logic, const struct dual_side *side, logic_formula left,
                                  logic_formula right)
{
    const struct logic_node *a = logic_node(logic, left), *b = logic_node(logic, right);
    enum logic_kind kind = side->is_and ? LOGIC_UNTIL : LOGIC_RELEASE;
    logic_formula rest, suspended;
    if (logic_has(logic, right, side->is_and ? LOGIC_IS_EVENTUAL : LOGIC_IS_UNIVERSAL) ||
        absorbs(logic, side, left, right))
        return right;
    if (b->kind == kind && absorbs(logic, side, left, b->left)) /* a U (b U c) = b U c where a implies b */
        return right;
    if (a->kind == kind && a->right == right) /* (a U b) U b */
        return left;
    if (left != side->unit && are_opposite(logic, left, right)) /* !b U b */
        return make_fixpoint(logic, side, side->unit, right);
    if (a->kind == LOGIC_NEXT && b->kind == LOGIC_NEXT)
        return logic_next(logic, make_fixpoint(logic, side, a->left, b->left));
    if (split_suspendable(logic, side, right, &rest, &suspended)) /* a U (b & s) = (a U b) & s */
        return junction(logic, side, make_fixpoint(logic, side, left, rest), suspended);
    return left == side->unit ? lone_fixpoint(logic, side, right) : LOGIC_NONE;
}

logic_formula logic_until(struct logic *logic, logic_formula left, logic_formula right)
{
    logic_formula by = fixpoint_law(logic, &and_side, left, right);
    return by != LOGIC_NONE ? by : logic_intern(logic, LOGIC_UNTIL, left, right);
}

logic_formula logic_release(struct logic *logic, logic_formula left, logic_formula right)
{
    logic_formula by = fixpoint_law(logic, &or_side, left, right);
    return by != LOGIC_NONE ? by : logic_intern(logic, LOGIC_RELEASE, left, right);
}
