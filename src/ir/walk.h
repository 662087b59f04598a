/* Visiting every place, expression and statement below a node, parents first; bodies of called
 * functions are not entered. A NULL callback is skipped; returning false does not enter the node. An expression that
 * stands in several places is visited in the first of them only.
 *
 * A place is_written when a statement stores into it or it is passed by reference, and so are the places it is a
 * part of (its indices are read). Binding a reference writes nothing: a write through it is a written DEREF. */
#ifndef NOETHER_IR_WALK_H
#define NOETHER_IR_WALK_H

#include "ir/system.h"

struct walker {
    bool (*on_stmt)(void *user, const struct stmt *stmt);
    bool (*on_expr)(void *user, const struct expr *expr);
    bool (*on_place)(void *user, const struct place *place, bool is_written);
    void *user;
};

void walk_block(const struct walker *walker, const struct block *block);
void walk_stmt(const struct walker *walker, const struct stmt *stmt);
void walk_expr(const struct walker *walker, const struct expr *expr);
void walk_place(const struct walker *walker, const struct place *place, bool is_written);
/* The formula of a property, if it has one; of a CTL or PCTL property all propositions, and numbers, in it. */
void walk_property(const struct walker *walker, const struct property *property);
/* All of a rule: preludes, guard, weights, bodies. */
void walk_rule(const struct walker *walker, const struct rule *rule);
/* The rewards of a chain, if the system is one (its weights belong to the rules). */
void walk_rewards(const struct walker *walker, const struct system *system);
/* All rules, start states and functions; and, walk_system, the properties and rewards as well. */
void walk_steps(const struct walker *walker, const struct system *system);
void walk_system(const struct walker *walker, const struct system *system);
/* The bodies of start states; everything else that walk_system visits, functions that they call included. */
void walk_starts(const struct walker *walker, const struct system *system);
void walk_all_but_starts(const struct walker *walker, const struct system *system);

/* Do the expressions share so much that, taken for trees, there is no room for them, or for code that is made of them?
 */
bool walk_is_overgrown(const struct system *system);

#endif
