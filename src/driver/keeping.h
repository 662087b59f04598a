/* The checkpoint of a check (store/checkpoint.h): which model and which command it is of, and what becomes of it when
 * the check is over.
 *
 * It names the command that the search was started with, the file of the model and hashes of its text and of the system
 * that the text means, with its constants, properties and included files. A search goes on only where all of them are
 * the same. */
#ifndef NOETHER_DRIVER_KEEPING_H
#define NOETHER_DRIVER_KEEPING_H

#include "driver/model.h"
#include "result/verdict.h"

struct checkpoint;
struct transport;

/* A new one in the folder; `words`: of the command, with which resume begins. NULL, and why. Of several ranks
 * (transport, else NULL) all call it at the same time, and all have it or none. */
struct checkpoint *keeping_create(const char *folder, const struct transport *transport, const struct model *model,
                                  char *const *words, size_t count, struct text *why);
/* The one that is there, and the words of its command, on the heap as their array is. NULL, and why. So also here. */
struct checkpoint *keeping_open(const char *folder, const struct transport *transport, char ***words, size_t *count,
                                struct text *why);
/* Is it of this model? False, and why not. */
bool keeping_fits(const struct checkpoint *checkpoint, const struct model *model, struct text *why);

/* The search is of that attempt of the plan (driver/plan.h), for which symmetry is set aside for this reason.
 * `checkpoint` NULL: nothing. */
void keeping_note_attempt(struct checkpoint *checkpoint, size_t attempt, const char *set_aside);
/* Which one it goes on with; 0 where there is nothing to go on with. *set_aside: as noted, or NULL. */
size_t keeping_attempt(const struct checkpoint *checkpoint, const char **set_aside);

/* The check is over. What can be continued stays, and *note says so; what is decided is removed. `result` NULL: the
 * check was refused, and what there was stays. Then the folder is free for others. */
void keeping_finish(struct checkpoint *checkpoint, const struct result *result, struct text *note);
/* "checkpoint with 1200 states, 9000 bytes: noether resume kept goes on from there", after a search that ended so. */
void keeping_print(const struct checkpoint *checkpoint, const struct stop *stop, struct text *out);
const char *keeping_folder(const struct checkpoint *checkpoint);
void keeping_close(struct checkpoint *checkpoint); /* NULL: nothing */

#endif
