/* The languages that models are read in. */
#ifndef NOETHER_DRIVER_LANGUAGES_H
#define NOETHER_DRIVER_LANGUAGES_H

#include "ir/language.h"

enum { LANGUAGE_COUNT = 5 };
extern const struct language *const languages[LANGUAGE_COUNT];

/* A model under the extension of another language: that is all that is wrong with it. */
void report_other_language(const struct language *read, const struct source *source, struct diagnostics *diagnostics);
/* Properties for models of another language (NULL: there are none): the same, if all errors are in them. */
void report_other_properties(const struct language *read, const struct source *source, struct diagnostics *diagnostics);

#endif
