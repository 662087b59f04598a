/* The pool: formulas by number, with their traits and duals. */
#include "logic/pool.h"

struct logic *logic_create(void)
{
    struct logic *logic = memory_zeroed(1, sizeof *logic);
    logic->arena = arena_create();
    logic_intern(logic, LOGIC_FALSE, 0, 0);
    logic_intern(logic, LOGIC_TRUE, 0, 0);
    return logic;
}

void logic_destroy(struct logic *logic)
{
    if (!logic)
        return;
    words_free(&logic->keys);
    arena_destroy(logic->arena);
    VEC_FREE(&logic->nodes);
    VEC_FREE(&logic->traits);
    VEC_FREE(&logic->duals);
    pairs_free(&logic->implied);
    free(logic);
}

const struct logic_node *logic_node(const struct logic *logic, logic_formula formula)
{
    return logic->nodes.items[formula];
}

bool logic_has(const struct logic *logic, logic_formula formula, unsigned traits)
{
    return (logic->traits.items[formula] & traits) == traits;
}

/* What both operands have, except that UNTIL ends safety. */
static unsigned binary_traits(const struct logic *logic, const struct logic_node *node)
{
    unsigned left = logic->traits.items[node->left], right = logic->traits.items[node->right], both = left & right;
    if (node->kind == LOGIC_UNTIL) {
        both &= ~(unsigned)LOGIC_IS_SAFETY;
        both |= right & LOGIC_IS_EVENTUAL;
        both |= node->left == LOGIC_TRUE ? LOGIC_IS_EVENTUAL : 0;
    } else if (node->kind == LOGIC_RELEASE) {
        both |= right & LOGIC_IS_UNIVERSAL;
        both |= node->left == LOGIC_FALSE ? LOGIC_IS_UNIVERSAL : 0;
    }
    return both;
}

static unsigned traits_of(const struct logic *logic, const struct logic_node *node)
{
    switch (node->kind) {
    case LOGIC_FALSE:
    case LOGIC_TRUE:
        return LOGIC_IS_SAFETY | LOGIC_IS_SUSPENDABLE;
    case LOGIC_ATOM:
    case LOGIC_NOT:
        return LOGIC_IS_SAFETY;
    case LOGIC_NEXT:
        return logic->traits.items[node->left];
    default:
        return binary_traits(logic, node);
    }
}

logic_formula logic_intern(struct logic *logic, enum logic_kind kind, logic_formula left, logic_formula right)
{
    uint32_t number = words_intern(&logic->keys, (uint32_t[]){kind, left, right}, 3);
    if (number < logic->nodes.count)
        return number;
    struct logic_node *node = arena_alloc(logic->arena, sizeof *node);
    *node = (struct logic_node){.kind = kind, .left = left, .right = right};
    VEC_PUSH(&logic->nodes, node);
    VEC_PUSH(&logic->traits, (uint8_t)traits_of(logic, node));
    VEC_PUSH(&logic->duals, LOGIC_NONE);
    return number;
}

logic_formula logic_truth(struct logic *logic, bool is_true)
{
    return logic_intern(logic, is_true ? LOGIC_TRUE : LOGIC_FALSE, 0, 0);
}

logic_formula logic_atom(struct logic *logic, uint32_t atom)
{
    ENSURE(atom < LOGIC_MAX_ATOMS);
    return logic_intern(logic, LOGIC_ATOM, atom, 0);
}

static logic_formula dual(struct logic *logic, const struct logic_node *node)
{
    switch (node->kind) {
    case LOGIC_FALSE:
    case LOGIC_TRUE:
        return logic_truth(logic, node->kind == LOGIC_FALSE);
    case LOGIC_ATOM:
        return logic_intern(logic, LOGIC_NOT, node->left, 0);
    case LOGIC_NOT:
        return logic_atom(logic, node->left);
    case LOGIC_NEXT:
        return logic_next(logic, logic_not(logic, node->left));
    default:
        break;
    }
    logic_formula left = logic_not(logic, node->left);
    logic_formula right = logic_not(logic, node->right);
    switch (node->kind) {
    case LOGIC_AND:
        return logic_or(logic, left, right);
    case LOGIC_OR:
        return logic_and(logic, left, right);
    case LOGIC_UNTIL:
        return logic_release(logic, left, right);
    default:
        return logic_until(logic, left, right);
    }
}

logic_formula logic_not(struct logic *logic, logic_formula formula)
{
    if (logic->duals.items[formula] == LOGIC_NONE) {
        logic_formula found = dual(logic, logic->nodes.items[formula]);
        logic->duals.items[formula] = found;
        if (logic->duals.items[found] == LOGIC_NONE)
            logic->duals.items[found] = formula;
    }
    return logic->duals.items[formula];
}

logic_formula logic_eventually(struct logic *logic, logic_formula formula)
{
    return logic_until(logic, LOGIC_TRUE, formula);
}

logic_formula logic_always(struct logic *logic, logic_formula formula)
{
    return logic_release(logic, LOGIC_FALSE, formula);
}

bool logic_is_safety(const struct logic *logic, logic_formula formula)
{
    return logic_has(logic, formula, LOGIC_IS_SAFETY);
}
