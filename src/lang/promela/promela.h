/* Promela, the language of SPIN. */
#ifndef NOETHER_LANG_PROMELA_PROMELA_H
#define NOETHER_LANG_PROMELA_PROMELA_H

#include "ir/language.h"

extern const struct language language_promela;

#endif
