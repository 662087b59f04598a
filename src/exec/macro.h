/* Steps of several rules (system->holder), and rules that wait until nothing else can move (system->idle).
 *
 * A wrapper around any stepper, which fires single rules: its steps are those of the system. A successor in which the
 * holder is nobody is passed on as it came: the common case costs one comparison. A successor that is passed through is
 * expanded at once, breadth first, by a second stepper that is made when it is first needed; each state that is reached
 * is yielded once for each first rule. The states passed through are kept while the step lasts: loops among them end,
 * and step->passed says how each state was reached. They are counted by the account of memory, and the watch is asked
 * at each rule: both end the search as always.
 *
 * A step that an assume statement discards does not make a holder go on, nor a state move. */
#ifndef NOETHER_EXEC_MACRO_H
#define NOETHER_EXEC_MACRO_H

#include "exec/stepper.h"

/* Makes a stepper that fires single rules. */
typedef struct stepper *macro_maker(const struct system *system, const struct layout *layout, void *user);

/* What `make` makes, wrapped where the steps of the system are not single rules. `user` must outlive the stepper. */
struct stepper *macro_wrap(const struct system *system, const struct layout *layout, macro_maker *make, void *user);

#endif
