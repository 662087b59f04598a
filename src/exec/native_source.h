/* The generated program: the transition function as C, and the meaning of its numbers. */
#ifndef NOETHER_EXEC_NATIVE_SOURCE_H
#define NOETHER_EXEC_NATIVE_SOURCE_H

#include "base/text.h"
#include "exec/fault.h"

/* What a failed check means. */
struct native_site {
    enum fault_kind kind;
    struct span span;
    const struct property *property;
    const struct type *type;
    int32_t level; /* parameters chosen where it stands in a rule; -1: in a function or property */
};

struct native_source {
    struct text code;
    char name[17]; /* a hash of the text, which the program knows as noether_source */
    VEC(struct native_site) sites;
    bool *is_pure;       /* by property id: its formula writes no state cell, */
    bool *is_direct;     /* and needs no scratch cell: it can be evaluated on the state as it is */
    const char *refusal; /* not NULL: why there is no code */
};

/* Deterministic: the same system gives the same text. */
void native_write(struct native_source *source, const struct system *system);
void native_source_free(struct native_source *source);

#endif
