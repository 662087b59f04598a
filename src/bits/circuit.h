/* A system as a circuit: an and-inverter graph over the bits of a state.
 *
 * A cell of the state is a few *state variables*, which are the first inputs of the graph. A small scalar has one for
 * each of its values (none of them is true where it is undefined); a larger one, and the taken-flag of a slot, has the
 * bits it is packed into (ir/layout.h). So a permutation of processes, which permutes values of index types, permutes
 * state variables (circuit_permutation).
 *
 * Every instance of a rule that can be enabled is a step: where it fires, and the new values of the state variables it
 * may change. What is translated, and how, is the machine's business (machine.h).
 *
 * Not every assignment is a state: `states` are functions that are all true in states. Everything else in the
 * circuit means something only where they are. */
#ifndef NOETHER_BITS_CIRCUIT_H
#define NOETHER_BITS_CIRCUIT_H

#include "bits/cnf.h"
#include "bits/machine.h"

typedef VEC(bit) bit_list;

struct circuit_change {
    uint32_t variable;
    bit value;
};

struct circuit_step {
    const struct rule *rule;
    uint64_t instance;
    bit fires;  /* it is enabled here, ends, and nothing goes wrong */
    bit alters; /* ... and leads to another state */
    bit faults; /* something goes wrong here */
    uint32_t first_change, change_count;
};

struct circuit {
    const struct layout *layout;
    const struct system *system;
    struct aig aig;
    struct algebra algebra;
    uint32_t variable_count;
    uint32_t *first; /* by cell, one more than there are: its first state variable */
    bool *is_listed; /* by cell: a variable for each value */
    bit_list states;
    VEC(struct circuit_step) steps;
    VEC(struct circuit_change) changes;
    event_list faults;  /* by property: the states from which some instance violates it */
    event_list covered; /* by property of a cover statement: where some instance meets it */
    struct refusal refusal;
    /* Private: questions about single functions; and is there no time any more? */
    struct solver *solver;
    struct cnf cnf;
    uint32_t work;
    bool is_over;
};

/* False: see the refusal. Close it in any case. */
bool circuit_open(struct circuit *circuit, const struct layout *layout);
void circuit_close(struct circuit *circuit);

static inline bit circuit_variable(uint32_t variable)
{
    return 2 * (variable + 1); /* the inputs come first, behind the constant */
}

/* Where the formula is true, and where it cannot be evaluated. False: see the refusal. */
bool circuit_formula(struct circuit *circuit, const struct expr *formula, bool when_discarded, bit *holds, bit *wrong);

/* The image of a state under a permutation of processes. */
typedef void circuit_act(void *user, const int32_t *cells, int32_t *out);
#define CIRCUIT_NO_IMAGE UINT32_MAX
/* By state variable: the variable that the permutation takes it to; CIRCUIT_NO_IMAGE for variables of multisets. False:
 * it does not permute variables, because a cell with process numbers has no variable for each value. Takes
 * cell_count * variable_count steps. */
bool circuit_permutation(const struct circuit *circuit, circuit_act *act, void *user, uint32_t *map);

/* The state variables of a state, and back. */
void circuit_encode(const struct circuit *circuit, const int32_t *cells, bool *values);
void circuit_decode(const struct circuit *circuit, const bool *values, int32_t *cells);

#endif
