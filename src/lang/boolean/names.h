/* What editors are told of the names of a Boolean program (base/names.h). */
#ifndef NOETHER_LANG_BOOLEAN_NAMES_H
#define NOETHER_LANG_BOOLEAN_NAMES_H

#include "base/names.h"
#include "lang/boolean/program.h"

/* Of a program whose names are resolved. `names` NULL: nothing. */
void bp_note_names(struct names *names, const struct bp_program *program);
/* For struct language. */
bool bp_is_name(const char *text);

#endif
