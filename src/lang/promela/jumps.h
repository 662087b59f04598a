/* Labels that are asked for from elsewhere (proctype[pid]@label).
 *
 * Control does not stand at a jump: it is where the jump leads to. Where a remote reference names its label, SPIN puts
 * a skip in front of the jump, so that the process can be seen there: one more state. */
#ifndef NOETHER_LANG_PROMELA_JUMPS_H
#define NOETHER_LANG_PROMELA_JUMPS_H

#include "lang/promela/ast.h"

void pml_keep_asked_jumps(struct pml_model *model);

#endif
