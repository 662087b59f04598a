/* Loops over an index type that only search: `for i: T do if e then return true; end; end;`
 *
 * Such a loop stops at the first match, so whether it meets a fault in a later iteration depends on the numbering of
 * the elements. Quantifiers over index types look at all elements for that reason (ir/expr.h), and these loops are made
 * to do the same: every iteration runs, then the loop returns. A fault that is met this way only is one that plain
 * exploration meets in a permuted state.
 *
 * A loop searches when its body writes nothing, contains no assert, error, assume or cover (calls included), and all
 * its returns give the same constant (or nothing), none of them from inside a loop with an order. It becomes
 *
 *     found := false;
 *     for i: T do ... if e then found := true; end; ... end;
 *     if found then return true; end;
 *
 * so code that runs or analyses the IR needs no special case. */
#ifndef NOETHER_REWRITE_SEARCH_LOOPS_H
#define NOETHER_REWRITE_SEARCH_LOOPS_H

#include "ir/system.h"

/* For a front end whose language says so, before system_finish. The functions' bodies are complete and do not call
 * each other in a circle. */
void search_loops_complete(struct system *system);

#endif
