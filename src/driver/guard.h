/* The border between the C API and the program around it. What runs behind it works for an account of its own: where
 * memory runs out, it comes back here, and all that it had is given back at once. Numbers are rounded, read and written
 * as we want it, and as the program wants it again afterwards. Where the thread of the program has a small stack, the
 * work is done in another one (base/thread.h). */
#ifndef NOETHER_DRIVER_GUARD_H
#define NOETHER_DRIVER_GUARD_H

#include "base/account.h"

/* Begins the account, with that limit of bytes (0: none), and runs work(data) for it. False: memory ran out, or
 * there is none for the stack of a thread; the account is released. True: it keeps what the work has left, until
 * guard_release; it must stay where it is. */
bool guard_run(struct account *account, uint64_t limit, void (*work)(void *data), void *data);
/* Releases what the work has left, after all of it was freed: builds with checks insist on that. */
void guard_release(struct account *account);
/* For work that leaves one text: it goes to the heap of the program. NULL: memory ran out, or the work has left none.
 */
char *guard_text(char *(*work)(const void *data), const void *data);

#endif
