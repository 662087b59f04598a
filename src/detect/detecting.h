/* Private to detect*.c: the state of a detection. */
#ifndef NOETHER_DETECT_DETECTING_H
#define NOETHER_DETECT_DETECTING_H

#include "base/vec.h"
#include "group/factor.h"
#include "detect/detect.h"
#include "detect/model_graph.h"
#include "rewrite/gather.h"

enum { DETECT_MOST_POINTS = 1100 }; /* of a model graph */

struct detecting {
    const struct system *system;
    struct carriers *carriers;
    struct arena *arena;
    struct detection found;
    struct symmetry_factor *refused; /* by carrier: why the discipline refused it */
    bool *is_full;                   /* by carrier: proved by the discipline */
    bool *is_graphed;                /* by carrier: looked at in the model graph */
    struct model_graph_options graph_options;
    struct model_graph *graph; /* whose points the group is on; NULL: nothing was left to look at */
    const uint32_t *first;     /* by carrier: its first point in the group; NO_CARRIER: it has none */
    uint32_t point_count;
    struct group *group; /* what was found there; NULL: see twins */
    /* By point, instead of a group when that would be too large to compute with: the least of the points that
     * exchanges of two take to it. The group is then the product of the full groups on these sets. */
    uint32_t *twins;
    bool keeps_rules;
    const struct watch *watch; /* or NULL */
    bool is_too_large;         /* the group of the model graph takes too long to compute */
};

/* Marks the carriers that are worth a look as wanted. */
void detect_candidates(struct carriers *carriers);
/* A detection whose carriers the discipline has accepted (is_full) or refused (`refused`). The caller destroys its
 * carriers. */
struct detecting detect_begin(const struct system *system, const struct watch *watch);
/* The discipline, with the carriers that are wanted as index types. False: it could not be asked. */
bool detect_ask(struct detecting *d);
const struct symmetry_factor *detect_factor(const struct detecting *d, uint32_t carrier);
/* detect_variables.c: variables that may play the same part, as classes (rewrite/gather.h); returns how many. Time: a
 * few walks over the model. */
uint32_t detect_variables(const struct system *system, uint32_t *class_of);
/* detect_gathered.c: with symmetries that exchange variables; symmetry NULL: there are none. */
struct detection detect_gathered(const struct system *system, const struct detect_options *options);
/* detect.c: without these. */
struct detection detect_variables_kept(const struct system *system, const struct detect_options *options);
/* detect_graph.c: sets graph and group. The carriers proved are left alone. */
void detect_group(struct detecting *d, const struct detect_options *options);
/* With those in the graph as index types, too: is what the discipline proved still proved, and does no order matter? */
bool detect_is_sound(struct detecting *d);
/* Sets is_graphed: the carriers that the graph decides about. False: there are none. */
bool detect_choose(struct detecting *d);
/* Numbers the elements of carriers through, as the points of the group. */
void detect_number(struct detecting *d, const bool *is_in);
/* detect_claims.c: what the user says about permutations. */
struct claim_move {
    uint32_t carrier, from, to; /* ordinals */
};
struct permutation_claim {
    struct span span;
    VEC(struct claim_move) moves; /* all other elements stay */
};
struct claims {
    VEC(struct permutation_claim) items;
};
/* Of a text in the form that is printed, or of the JSON answer. False: something is wrong, and was said. */
bool claims_read(const struct detecting *d, const struct source *source, struct claims *claims,
                 struct diagnostics *refused);
void claims_free(struct claims *claims);
/* May elements of the carrier be permuted at all? */
bool detect_is_open(const struct detecting *d, uint32_t carrier);
/* Sets cut_short where the time is over or the group too large. */
void detect_note_end(struct detecting *d);
/* Of a model graph. */
uint64_t detect_most_vertices(const struct detect_options *options);
/* detect_claimed.c */
struct detection detect_claimed(const struct system *system, const struct detect_options *options);
/* detect_places.c: looks at the places of control, too, and takes the group if it is larger on everything else. */
void detect_places(struct detecting *d);
/* Does no state mention this element of a carrier? */
bool detect_is_idle(const struct detecting *d, uint32_t carrier, uint32_t ordinal);
/* By point, the sets that the generators which exchange just two points connect. Returns the size of the largest. */
uint32_t detect_twins(const struct model_graph *graph, uint32_t *twins);
bool detect_is_larger(const struct group *group, const struct group *than);
/* The group of the graph with other options; its action on the elements of a carrier; is that the full one? */
struct group *detect_group_with(const struct detecting *d, struct model_graph_options options);
struct group *detect_group_on(const struct detecting *d, const struct model_graph *sketch,
                              struct model_graph_options options);
struct group *detect_restrict(const struct detecting *d, const struct group *group, uint32_t carrier);
bool detect_is_full(const struct detecting *d, const struct group *group, uint32_t carrier);
/* What the group would be without a property, or (UINT32_MAX) without any. */
struct group *detect_group_without(const struct detecting *d, uint32_t property);
/* detect_result.c: the factors of `found`, for the copy in it. */
void detect_factors(struct detecting *d);
/* detect_split.c: where a property shrinks the group of a chain, the largest group that some property leaves, with
 * parts for the others, in the place of `whole`. */
void detect_split(const struct system *system, const struct detect_options *options, struct detection *whole);
/* detect_hopes.c: what stands in the way of a larger group on the elements of a carrier. */
void detect_hopes(struct detecting *d, uint32_t carrier, struct symmetry_factor *factor);
/* detect_explain.c: adds the distinguished elements, as factors that are not used. */
void detect_explain(struct detecting *d, bool is_thorough);

#endif
