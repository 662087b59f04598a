/* Checks the promises a front end makes about the system it hands over (types of operands, scalars where scalars
 * are due, raw reads only where allowed, no recursion, addresses set). Returns NULL or what is broken.
 * Run after every front end in debug builds and in the tests. */
#ifndef NOETHER_IR_VALIDATE_H
#define NOETHER_IR_VALIDATE_H

#include "ir/system.h"

/* The text lives in the system's arena. */
const char *ir_validate(struct system *system);

#endif
