/* The Murphi front end: both dialects (CMurphi 5 and rumur), text -> IR. */
#ifndef NOETHER_LANG_MURPHI_H
#define NOETHER_LANG_MURPHI_H

#include "ir/system.h"

/* -D NAME=VALUE; one that names no constant of the model is an error */
struct murphi_define {
    const char *name, *value;
    bool used; /* set when a constant of that name was declared */
};

/* An expression, read in the scope of the model: names are those of its globals, and elements of scalarsets may be called
 * as they are printed ("Node_2"). */
struct murphi_question {
    const struct source *text;
    const struct type *type; /* the answer, in the arena of the system: the type, and */
    struct expr *value;      /* a scalar (which may be undefined), */
    struct place *place;     /* or an array, record or multiset */
};

struct murphi_options {
    struct murphi_define *defines;
    size_t define_count;
    const struct source *properties; /* a file of properties to add to those of the model, or NULL */
    struct murphi_question *question; /* answered when the model is read; or NULL */
};

/* NULL when diagnostics->errors > 0. The sources must outlive the system (spans point into them). */
struct system *murphi_read(const struct source *source, const struct murphi_options *options,
                           struct diagnostics *diagnostics);

/* The system as text that murphi_read (and rumur) takes: for systems without functions, multisets, references, loops and
 * quantifiers, as reduce/ makes them. False when it has an operator that has no spelling (of bits). */
bool murphi_write(const struct system *system, struct text *out);

#endif
