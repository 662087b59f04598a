/* An and-inverter graph with structural hashing: Boolean functions of inputs, as handles (bit.h).
 *
 * Node 0 is the constant. Every other node is an input, or the conjunction of two handles of earlier nodes, so the
 * order of the numbers is topological. A conjunction is made once; what follows from the two levels below it is
 * simplified (Brummayer, Biere: Local two-level and-inverter graph minimization without blowup, MEMICS 2006). Nodes
 * live as long as the graph: 8 bytes each, and 8 for the table.
 *
 * A graph of 2^30 nodes, or one for which there is no memory left, makes no more: operations return BIT_NONE. */
#ifndef NOETHER_BITS_AIG_H
#define NOETHER_BITS_AIG_H

#include "base/vec.h"
#include "bits/bit.h"

struct aig_node {
    bit left, right; /* left < right; of an input: BIT_NONE, and its number */
};

struct aig {
    VEC(struct aig_node) nodes;
    uint32_t *table; /* of conjunctions; 0: free */
    uint32_t capacity, inputs;
};

void aig_create(struct aig *aig);
void aig_destroy(struct aig *aig);
bit aig_input(struct aig *aig);
bit aig_and(struct aig *aig, bit f, bit g);
bit aig_xor(struct aig *aig, bit f, bit g);
bit aig_ite(struct aig *aig, bit f, bit g, bit h);
static inline bit aig_or(struct aig *aig, bit f, bit g)
{
    return bit_not(aig_and(aig, bit_not(f), bit_not(g)));
}
/* f with each input by its image; `images` has one for every input. */
bit aig_compose(struct aig *aig, bit f, const bit *images);

static inline bool aig_is_input(const struct aig *aig, uint32_t node)
{
    return node && aig->nodes.items[node].left == BIT_NONE;
}

/* The values of all nodes below the roots, from those of the inputs. */
struct aig_values {
    uint8_t *values; /* by node; 2: not computed */
    uint32_t count;
};
void aig_evaluate(const struct aig *aig, const bit *roots, size_t count, const bool *inputs, struct aig_values *values);
void aig_values_free(struct aig_values *values);
static inline bool aig_value(const struct aig_values *values, bit f)
{
    return values->values[f >> 1] ^ (f & 1u);
}
/* Marks inputs whose values alone give the roots the values they have: of a conjunction that is false one operand
 * suffices. Inputs that are marked already are taken first. */
void aig_justify(const struct aig *aig, const struct aig_values *values, const bit *roots, size_t count, bool *marked);

#endif
