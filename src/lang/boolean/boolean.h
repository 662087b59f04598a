/* The front ends for Boolean programs (.bp) and thread transition systems (.tts): text -> system.
 *
 * Both become a system of one shape. The threads are the elements of one scalarset, `Thread`. What threads share is a
 * variable without an index; what is a thread's own, its program counter included, is an array over Thread. A thread
 * that does not exist (not yet, or no longer) is in a local state of its own. The number of threads is the one asked
 * for (struct manner), or that of the program. No variable of the state holds a thread, and no rule asks for all of
 * them: a run with some threads is a run with more. */
#ifndef NOETHER_LANG_BOOLEAN_BOOLEAN_H
#define NOETHER_LANG_BOOLEAN_BOOLEAN_H

#include "ir/language.h"

extern const struct language language_boolean; /* Boolean programs: docs/languages/boolean.md */
extern const struct language language_tts;     /* thread transition systems, and their .prop */

#endif
