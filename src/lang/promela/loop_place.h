/* Where a loop stands in the automaton of its proctype: is it entered in one way only, and with which value of its
 * counter? */
#ifndef NOETHER_LANG_PROMELA_LOOP_PLACE_H
#define NOETHER_LANG_PROMELA_LOOP_PLACE_H

#include "lang/promela/flow.h"

bool pml_writes(const struct pml_stmt *stmt, const struct pml_variable *variable);
/* The nodes of the statement are those from its own to this one. */
uint32_t pml_last_node(const struct pml_stmt *stmt);
/* The value of the variable wherever control comes to the node `begin`, but not from the nodes begin .. end. False: it
 * is not known, or not always the same. */
bool pml_value_before(const struct pml_flow *flow, uint32_t begin, uint32_t end, const struct pml_variable *variable,
                      int64_t *value);
/* Is the process never seen between the nodes, and does it come in at the first, from a step that it goes on from? */
bool pml_is_closed(const struct pml_flow *flow, uint32_t begin, uint32_t end);
/* The move of the node that does the statement; UINT32_MAX: there is none. */
uint32_t pml_move_of(const struct pml_node *node, const struct pml_stmt *stmt);

#endif
