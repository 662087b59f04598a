#include "bits/aig.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { AIG_MOST_NODES = 1 << 30, AIG_FIRST_CAPACITY = 1 << 10 };

void aig_create(struct aig *aig)
{
    struct aig_node constant = {BIT_NONE, BIT_NONE};
    *aig = (struct aig){.capacity = AIG_FIRST_CAPACITY};
    aig->table = memory_zeroed(aig->capacity, sizeof *aig->table);
    VEC_PUSH(&aig->nodes, constant);
}

void aig_destroy(struct aig *aig)
{
    VEC_FREE(&aig->nodes);
    free(aig->table);
    aig->table = NULL;
}

bit aig_input(struct aig *aig)
{
    struct aig_node input = {BIT_NONE, aig->inputs++};
    VEC_PUSH(&aig->nodes, input);
    return (bit)(aig->nodes.count - 1) * 2;
}

static uint32_t aig_hash(bit left, bit right)
{
    uint64_t mixed = ((uint64_t)left << 32 | right) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32);
}

/* Where the conjunction is in the table, or would be. */
static uint32_t *aig_slot(const struct aig *aig, bit left, bit right)
{
    uint32_t at = aig_hash(left, right) & (aig->capacity - 1);
    while (aig->table[at]) {
        const struct aig_node *node = &aig->nodes.items[aig->table[at]];
        if (node->left == left && node->right == right)
            break;
        at = (at + 1) & (aig->capacity - 1);
    }
    return &aig->table[at];
}

static void aig_grow(struct aig *aig)
{
    free(aig->table);
    aig->capacity *= 2;
    aig->table = memory_zeroed(aig->capacity, sizeof *aig->table);
    for (uint32_t n = 1; n < aig->nodes.count; n++)
        if (!aig_is_input(aig, n))
            *aig_slot(aig, aig->nodes.items[n].left, aig->nodes.items[n].right) = n;
}

static bool aig_is_and(const struct aig *aig, bit f)
{
    return f > BIT_TRUE && !aig_is_input(aig, f >> 1);
}

/* What f and g come to by a look at the operands of g; BIT_NONE: nothing. */
static bit aig_reduce(struct aig *aig, bit f, bit g)
{
    if (!aig_is_and(aig, g))
        return BIT_NONE;
    struct aig_node node = aig->nodes.items[g >> 1];
    if (!(g & 1u)) {
        if (f == node.left || f == node.right)
            return g;
        return f == bit_not(node.left) || f == bit_not(node.right) ? BIT_FALSE : BIT_NONE;
    }
    if (f == bit_not(node.left) || f == bit_not(node.right))
        return f;
    if (f == node.left)
        return aig_and(aig, f, bit_not(node.right));
    return f == node.right ? aig_and(aig, f, bit_not(node.left)) : BIT_NONE;
}

/* Two conjunctions that contradict each other. */
static bool aig_is_contradiction(const struct aig *aig, bit f, bit g)
{
    if (!aig_is_and(aig, f) || !aig_is_and(aig, g) || (f & 1u) || (g & 1u))
        return false;
    const struct aig_node *a = &aig->nodes.items[f >> 1], *b = &aig->nodes.items[g >> 1];
    return a->left == bit_not(b->left) || a->left == bit_not(b->right) || a->right == bit_not(b->left) ||
           a->right == bit_not(b->right);
}

static bit aig_make(struct aig *aig, bit left, bit right)
{
    uint32_t *slot = aig_slot(aig, left, right);
    struct aig_node node = {left, right};
    if (*slot)
        return *slot * 2;
    if (aig->nodes.count == AIG_MOST_NODES)
        return BIT_NONE;
    uint32_t number = (uint32_t)aig->nodes.count;
    *slot = number;
    VEC_PUSH(&aig->nodes, node);
    if (aig->nodes.count * 2 > aig->capacity)
        aig_grow(aig);
    return number * 2;
}

bit aig_and(struct aig *aig, bit f, bit g)
{
    if (f == BIT_NONE || g == BIT_NONE)
        return BIT_NONE;
    if (f == BIT_FALSE || g == BIT_FALSE || f == bit_not(g))
        return BIT_FALSE;
    if (f == BIT_TRUE || f == g)
        return g;
    if (g == BIT_TRUE)
        return f;
    bit simple = aig_reduce(aig, f, g);
    if (simple == BIT_NONE)
        simple = aig_reduce(aig, g, f);
    if (simple != BIT_NONE)
        return simple;
    if (aig_is_contradiction(aig, f, g))
        return BIT_FALSE;
    return f < g ? aig_make(aig, f, g) : aig_make(aig, g, f);
}

bit aig_xor(struct aig *aig, bit f, bit g)
{
    bit only_f = aig_and(aig, f, bit_not(g)), only_g = aig_and(aig, bit_not(f), g);
    return aig_or(aig, only_f, only_g);
}

bit aig_ite(struct aig *aig, bit f, bit g, bit h)
{
    if (g == h)
        return g;
    if (g == bit_not(h))
        return bit_not(aig_xor(aig, f, g));
    bit then = aig_and(aig, f, g), otherwise = aig_and(aig, bit_not(f), h);
    return aig_or(aig, then, otherwise);
}

/* -- Walks: from the roots down, then what was found in the order of the numbers -- */

static uint8_t *aig_cone(const struct aig *aig, const bit *roots, size_t count, uint32_t *top)
{
    uint8_t *in_cone = memory_zeroed(aig->nodes.count, 1);
    *top = 0;
    for (size_t i = 0; i < count; i++) {
        in_cone[roots[i] >> 1] = 1;
        *top = roots[i] >> 1 > *top ? roots[i] >> 1 : *top;
    }
    for (uint32_t n = *top; n > 0; n--)
        if (in_cone[n] && !aig_is_input(aig, n)) {
            in_cone[aig->nodes.items[n].left >> 1] = 1;
            in_cone[aig->nodes.items[n].right >> 1] = 1;
        }
    return in_cone;
}

bit aig_compose(struct aig *aig, bit f, const bit *images)
{
    uint32_t top;
    uint8_t *in_cone = aig_cone(aig, &f, 1, &top);
    bit *made = memory_zeroed((size_t)top + 1, sizeof *made);
    bool is_whole = true;
    for (uint32_t n = 1; n <= top && is_whole; n++) {
        struct aig_node node = aig->nodes.items[n];
        if (!in_cone[n])
            continue;
        made[n] = node.left == BIT_NONE ? images[node.right]
                                        : aig_and(aig, made[node.left >> 1] ^ (node.left & 1u),
                                                  made[node.right >> 1] ^ (node.right & 1u));
        is_whole = made[n] != BIT_NONE;
    }
    bit result = is_whole ? made[top] ^ (f & 1u) : BIT_NONE;
    free(made);
    free(in_cone);
    return result;
}

void aig_evaluate(const struct aig *aig, const bit *roots, size_t count, const bool *inputs, struct aig_values *values)
{
    uint32_t top;
    uint8_t *in_cone = aig_cone(aig, roots, count, &top);
    *values = (struct aig_values){.values = in_cone, .count = top + 1};
    in_cone[0] = 0;
    for (uint32_t n = 1; n <= top; n++) {
        struct aig_node node = aig->nodes.items[n];
        if (!in_cone[n])
            in_cone[n] = 2;
        else if (node.left == BIT_NONE)
            in_cone[n] = inputs[node.right];
        else
            in_cone[n] = aig_value(values, node.left) && aig_value(values, node.right);
    }
}

void aig_values_free(struct aig_values *values)
{
    free(values->values);
    values->values = NULL;
}

/* Which operand of a false conjunction is to be false: one that is needed anyway, or else the one nearer to inputs. */
static bit aig_blame(const struct aig *aig, const struct aig_values *values, const uint8_t *needed, const bool *marked,
                     struct aig_node node)
{
    bit operands[2] = {node.left, node.right};
    for (int i = 0; i < 2; i++) {
        uint32_t n = operands[i] >> 1;
        bool is_known = needed[n] || (aig_is_input(aig, n) && marked[aig->nodes.items[n].right]);
        if (!aig_value(values, operands[i]) && is_known)
            return operands[i];
    }
    return aig_value(values, node.left) ? node.right : node.left;
}

void aig_justify(const struct aig *aig, const struct aig_values *values, const bit *roots, size_t count, bool *marked)
{
    uint8_t *needed = memory_zeroed(values->count, 1);
    for (size_t i = 0; i < count; i++)
        needed[roots[i] >> 1] = 1;
    for (uint32_t n = values->count; n-- > 1;) {
        struct aig_node node = aig->nodes.items[n];
        if (!needed[n])
            continue;
        if (node.left == BIT_NONE) {
            marked[node.right] = true;
        } else if (values->values[n]) {
            needed[node.left >> 1] = needed[node.right >> 1] = 1;
        } else {
            needed[aig_blame(aig, values, needed, marked, node) >> 1] = 1;
        }
    }
    free(needed);
}
