/* A copy of a system in which carriers (rewrite/carriers.h) that were ranges and enums are index types.
 *
 * The copy means the same: the same states under other codes, the same steps. Values print as before. Where an
 * element is used as a number (arithmetic), or a number as an element, the copy adds the difference of the codes. One
 * thing differs: quantifiers and search loops over index types look at every element (ir/expr.h), so the copy may
 * fault where the original stops early. As long as nothing faults in the copy, nothing does in the original, and
 * they have the same runs.
 *
 * The copy refers to the types and names of the original, which must outlive it. */
#ifndef NOETHER_REWRITE_RETYPE_H
#define NOETHER_REWRITE_RETYPE_H

#include "rewrite/carriers.h"

struct retyped {
    struct system *system;
    const struct type **types;         /* by carrier: its index type, also of declared ones; NULL: not wanted */
    const struct variable **variables; /* by position: of the original's scratch variables */
};

/* Of the carriers that are wanted. False when the codes run out: nothing is made. */
bool retype_system(const struct carriers *carriers, struct retyped *retyped);
void retype_free(struct retyped *retyped);

#endif
