/* Implication by rules that look at operators only. */
#include "logic/pool.h"

static bool by_left(struct logic *logic, const struct logic_node *left, logic_formula formula, logic_formula right)
{
    switch (left->kind) {
    case LOGIC_AND:
        return logic_implies(logic, left->left, right) || logic_implies(logic, left->right, right);
    case LOGIC_OR:
    case LOGIC_UNTIL:
        return logic_implies(logic, left->left, right) && logic_implies(logic, left->right, right);
    case LOGIC_RELEASE:
        return logic_implies(logic, left->right, right);
    default:
        return formula == LOGIC_FALSE;
    }
}

static bool by_right(struct logic *logic, logic_formula left, const struct logic_node *right, logic_formula formula)
{
    switch (right->kind) {
    case LOGIC_OR:
        return logic_implies(logic, left, right->left) || logic_implies(logic, left, right->right);
    case LOGIC_AND:
    case LOGIC_RELEASE:
        return logic_implies(logic, left, right->left) && logic_implies(logic, left, right->right);
    case LOGIC_UNTIL:
        return logic_implies(logic, left, right->right);
    default:
        return formula == LOGIC_TRUE;
    }
}

/* The same operator with larger operands. */
static bool by_operands(struct logic *logic, const struct logic_node *left, const struct logic_node *right)
{
    if (left->kind != right->kind)
        return false;
    if (left->kind == LOGIC_NEXT)
        return logic_implies(logic, left->left, right->left);
    return (left->kind == LOGIC_UNTIL || left->kind == LOGIC_RELEASE) &&
           logic_implies(logic, left->left, right->left) && logic_implies(logic, left->right, right->right);
}

bool logic_implies(struct logic *logic, logic_formula left, logic_formula right)
{
    if (left == right || left == LOGIC_FALSE || right == LOGIC_TRUE)
        return true;
    uint64_t key = pairs_key(left, right);
    uint32_t known = pairs_get(&logic->implied, key);
    if (known != WORDS_NONE)
        return known;
    const struct logic_node *l = logic->nodes.items[left], *r = logic->nodes.items[right];
    bool is_implied = by_right(logic, left, r, right) || by_left(logic, l, left, right) || by_operands(logic, l, r);
    pairs_set(&logic->implied, key, is_implied);
    return is_implied;
}
