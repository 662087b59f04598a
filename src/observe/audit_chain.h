/* The part of an audit that is about probabilities: the outcomes of each state with their weights, choice by choice,
 * and the rewards. A permutation must map the choices of a state to those of its image, with the same multiplicities.
 */
#ifndef NOETHER_OBSERVE_AUDIT_CHAIN_H
#define NOETHER_OBSERVE_AUDIT_CHAIN_H

#include "exec/stepper.h"
#include "symmetry/symmetry.h"

struct audit_chain;

/* NULL: the system is no chain. Only rewards are compared that a property with this symmetry (NULL: any) asks for. */
struct audit_chain *audit_chain_create(const struct layout *layout, const struct symmetry *symmetry);
void audit_chain_destroy(struct audit_chain *audit);
/* The states one after the other: each step, numbered from 0, then the end of the state. */
void audit_chain_step(struct audit_chain *audit, const struct step *step, const int32_t *source, uint32_t number);
void audit_chain_end(struct audit_chain *audit, const int32_t *source);
/* Once it is known where the steps of the state lead. */
void audit_chain_settle(struct audit_chain *audit, uint32_t state, const uint32_t *targets);
/* Are the choices of `state`, with moved[t] for each target t, those of `image`, and the rewards the same? */
bool audit_chain_compare(struct audit_chain *audit, uint32_t state, uint32_t image, const uint32_t *moved);

#endif
