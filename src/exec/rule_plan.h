/* In which order a rule's instances are decided: used by the VM's emitter and by the writer of native code.
 *
 * Prelude and guard are a list of items: statements and the conjuncts of the guard, in order. With parameters
 * p1..pn, level k of the code runs when p1..pk are chosen. An item stands at the level of the last parameter it, or
 * any item before it, depends on. So an item that fails cuts off all choices of the parameters that follow, and
 * still every instance sees the items in order; one that faults faults for all instances it cuts off. */
#ifndef NOETHER_EXEC_RULE_PLAN_H
#define NOETHER_EXEC_RULE_PLAN_H

#include "exec/vm_emit.h"

struct item {
    const struct stmt *stmt; /* or */
    const struct expr *conjunct;
    uint32_t level;
};

struct rule_plan {
    const struct rule *rule;
    VEC(struct item) items;
    bool is_pure; /* prelude and guard write no state cell */
};

struct rule_plan rule_plan_make(struct vm_emitter *emitter, const struct rule *rule);
void rule_plan_free(struct rule_plan *plan);

#endif
