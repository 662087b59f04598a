/* The model as a coloured graph whose automorphisms, restricted to the elements of index domains (carriers), are
 * symmetries of the model (survey section 7.3: symmetry in the cause implies symmetry in the effect).
 *
 * Vertices: the elements; *terms*, parts of rules, start states, functions and properties in which elements are named
 * or tables used; *tables*, finite functions and relations over elements that expressions compute ((i mod n) + 1, p <
 * 4). A term is a skeleton (its text with everything but elements, tables and other terms in it) and the vertices that
 * fill its holes; skeletons are interned and are the colours. Where the order of parts does not matter (iterations of
 * a loop that commute, instances of a quantifier, independent assignments) they are
 * a set. A permutation that is an automorphism takes each rule to a rule with the same meaning up to renaming, so it
 * takes steps to steps: soundness is by construction.
 *
 * There are two forms. *sketched*: rules as they are written, with parameters left open; small for any number of
 * elements, and the group maps each rule to itself. *ground*, every instance folded with its parameters: finds more (a
 * ring closed by an if, rules written out one by one). */
#ifndef NOETHER_DETECT_MODEL_GRAPH_H
#define NOETHER_DETECT_MODEL_GRAPH_H

#include "base/watch.h"
#include "rewrite/carriers.h"

/* A part of the model that stands by itself: a rule (an instance of it, in ground form), command, start state,
 * function, reward or property. */
struct model_part {
    uint32_t vertex, count;  /* count: how often it is there, where that matters */
    const char *kind, *name; /* "rule"; name: NULL: it has none */
    struct span span;
    const struct rule *rule; /* whose parameters have these values; NULL: none are known */
    const int64_t *values;
};

/* Does a permutation of the points take the model to itself? */
struct model_image {
    bool is_model;
    const struct model_part *lost; /* if not: a part whose image is no part. NULL: points of different types */
};

struct model_graph_options {
    const bool *is_in; /* by carrier: its elements are points. Loops over these are known to commute */
    bool is_ground;
    bool without_properties;
    bool without_formulas;     /* of chains: their formulas are left out, and the rewards they ask for are not */
    uint32_t skipped_property; /* is left out; UINT32_MAX: none */
    const bool *left_out;      /* by property: these are, too; NULL: none */
    const struct span *healed; /* what stands at these places is taken to break nothing */
    uint32_t healed_count;
    uint64_t most_vertices;        /* beyond that it gives up */
    const uint32_t *const *claims; /* permutations of the points to be examined, instead of looking for any */
    uint32_t claim_count;
    const struct watch *watch; /* when it is over: gives up, or keeps the generators found so far; NULL: never */
};

/* A place where elements are distinguished. */
struct model_break {
    struct span span;
    uint32_t carrier;    /* NO_CARRIER: any of them */
    const char *message; /* static; "%s" stands for the carrier's name */
};

struct model_graph {
    struct arena *arena;
    uint32_t *first;      /* by carrier: its first point; NO_CARRIER: it is not in the graph */
    uint32_t point_count; /* points are numbered through, carrier by carrier */
    bool gave_up;         /* too large: no generators */
    uint32_t *generators; /* images of the points, one after the other */
    uint32_t generator_count;
    struct model_image *images; /* by claim, unless it gave up */
    struct model_break *breaks;
    uint32_t break_count;
    uint64_t vertices;
};

struct model_graph *model_graph_create(const struct carriers *carriers, const struct model_graph_options *options);
void model_graph_destroy(struct model_graph *graph);

#endif
