/* The data shared by the passes of the front end: parse, constants, resolve, elaborate, compose, properties. */
#ifndef NOETHER_LANG_PRISM_READER_H
#define NOETHER_LANG_PRISM_READER_H

#include "base/report.h"
#include "lang/prism/parse.h"
#include "lang/prism/prism.h"

struct prism_reader {
    struct arena *arena;
    struct prism_values values;
    struct diagnostics *diagnostics;
    const struct source *source; /* of the model */
    struct reading reading;
    struct prism_model *model;
    struct prism_properties *properties;          /* or NULL */
    VEC(struct prism_symbol *) symbols;           /* sorted by name once all are in (symbols.h) */
    VEC(const struct prism_variable *) variables; /* until they are in the network */
    struct prism_network network;
    uint64_t expanded;  /* nodes made by expanding formulas */
    uint32_t depth;     /* of the expansion under way */
    uint32_t untaken;   /* branches around it that are never taken: what fails there, such as 1/0, does not matter */
    uint32_t shared;    /* expansions that are used more than once */
    uint64_t tolerated; /* failures in such branches */
    bool is_expanded_reported;
};

bool prism_error(struct prism_reader *reader, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* names.c: for the table of names, if one is asked for. */
void prism_note_names(struct prism_reader *reader);
/* elaborate.c */
void prism_elaborate(struct prism_reader *reader);
/* compose.c: the joints of the network, from the system or of all components in parallel */
void prism_compose(struct prism_reader *reader);
/* lower.c: NULL after an error */
struct system *prism_lower(struct prism_reader *reader, const char *name);
/* expected.c: of the lines after //RESULT, what holds of the constants as they are: a number, a fraction, "true",
 * "Infinity", "NaN", "[a,b]" or "Error..."; "~" before it: only about so. NULL: nothing. */
const char *prism_expected(struct prism_reader *reader, const char *lines);
/* properties.c */
void prism_elaborate_properties(struct prism_reader *reader);
/* It cannot be checked, for the first of these reasons. */
void prism_refuse_property(struct prism_reader *reader, struct prism_property *property,
                           const struct diagnostics *refusal);

#endif
