/* Undeclared symmetry: of plain ranges and enums, found, proved and explained.
 *
 * Candidates are the index domains (carriers) of rewrite/carriers.h. In a copy of the system (rewrite/retype.h) they
 * are index types, and the proof of the symmetry of scalarsets (discipline.h) is tried on them: those that pass have
 * the full symmetric group, for any size. Those that it rejects only because elements are named or computed with become
 * part of the model graph (model_graph.h). The symmetry is one of the copy, and engines run on the copy.
 *
 * The group leaves all properties invariant. For Markov chains, where each property is computed separately, it may be
 * split: then those that would make the group smaller get one of their own (symmetry->parts). */
#ifndef NOETHER_DETECT_DETECT_H
#define NOETHER_DETECT_DETECT_H

#include "base/diag.h"
#include "base/watch.h"
#include "rewrite/retype.h"
#include "symmetry/symmetry.h"

struct detect_options {
    uint64_t most_vertices; /* of a model graph; 0: the usual */
    bool explains;          /* look for the fewest places that break the symmetry */
    bool gathers;           /* look for symmetries that exchange variables (rewrite/gather.h) */
    bool splits;            /* properties of a chain may have groups of their own */
    /* Permutations given by the user (detect_claims.c has the form): these are proved, and no others are looked for.
     * NULL: none are given. */
    const struct source *claims;
    struct diagnostics *refused; /* errors in `claims` go there; NULL: permutations that are not proved are skipped */
    const bool *left_out;        /* by property: need not be invariant; NULL: all must be */
    const struct watch
        *watch; /* ends it early, with what was proved so far (symmetry->cut_short says so); NULL: none */
};

struct detection {
    struct system *gathered;     /* the copy that `retyped` is made of (rewrite/gather.h); NULL: the original */
    struct retyped retyped;      /* system NULL: nothing was found beyond what is declared */
    const struct system *system; /* whose symmetry it is: the copy, or the original */
    struct symmetry *symmetry;
    struct detection_part *parts; /* what symmetry->parts are of */
    uint32_t part_count;
};

struct detection_part {
    struct detection found;
    struct layout *layout;
    bool *is_for;
};

struct detection detect_symmetry(const struct system *system, const struct detect_options *options);
/* Assumes the full group on an index domain that the rules distinguish: the domain of that number, counted from 0
 * among those that arrays have. It is no symmetry of the model; see pass/virtual.h for what makes it usable. What the
 * discipline proves is there, too. False: there is no domain of that number. found->symmetry NULL: this one cannot be
 * used, because others would lose their proof. */
bool detect_assumed(const struct system *system, uint32_t number, struct detection *found);
void detection_free(struct detection *detection);

#endif
