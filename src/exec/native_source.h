/* The generated program: the transition function as C, and the meaning of its numbers. */
#ifndef NOETHER_EXEC_NATIVE_SOURCE_H
#define NOETHER_EXEC_NATIVE_SOURCE_H

#include "base/text.h"
#include "base/vec.h"
#include "exec/fault.h"

/* What a failed check means. */
struct native_site {
    enum fault_kind kind;
    struct span span;
    const struct property *property;
    const struct type *type;
    int32_t level; /* parameters chosen where it stands in a rule; -1: in a function or property */
};

/* A rule whose guard the loader evaluates for all instances (native_mask.c): its function only fires one, and the host
 * goes over them (native_fire.c). */
struct native_split {
    bool is_split;      /* otherwise the rest says nothing */
    bool has_parameter; /* one; the positions in `selection` are those that may fire */
    bool has_test;      /* asked, the function says whether an instance is enabled; without, where the loader does not
                           know, the guard faults */
    bool is_joined;     /* its effect stands in one function with others */
    bool is_astride;    /* the bits of its instances lie in two words */
    uint32_t selection, mask;
    uint32_t first; /* number of the first instance (burst.h); 0: they have none */
};

struct native_source {
    struct text code;
    char name[17]; /* a hash of the text, which the program knows as noether_source */
    VEC(struct native_site) sites;
    VEC(struct native_split) splits; /* by rule id */
    bool has_starts;                 /* there is code for the start states */
    bool is_loaded;                  /* the loader is all that knows what is selected in a state */
    bool *is_pure;                   /* by property id: its formula writes no state cell, */
    bool *is_direct;                 /* and needs no scratch cell: it can be evaluated on the state as it is */
    const char *refusal;             /* not NULL: why there is no code */
};

/* Deterministic: the same system gives the same text. */
void native_write(struct native_source *source, const struct system *system);
void native_source_free(struct native_source *source);

#endif
