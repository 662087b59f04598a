/* Canonicaliser: state -> unique representative of its orbit, and the permutation that took it there.
 *
 * Belongs to one thread. No canonicaliser enumerates n! permutations where refinement can avoid it. */
#ifndef NOETHER_CANON_CANON_H
#define NOETHER_CANON_CANON_H

#include "symmetry/symmetry.h"

struct canon;

/* Which state of its orbit represents a state (--representative). See canon/strategy.h; `auto` is canonical here. */
enum representative {
    REPRESENTATIVE_AUTO,
    REPRESENTATIVE_CANONICAL,
    REPRESENTATIVE_SORTED,
    REPRESENTATIVE_SEGMENTED,
    REPRESENTATIVE_ENUMERATE,
    REPRESENTATIVE_LOCAL,
    REPRESENTATIVE_FIRST,   /* the first one met: the engine's business; here canonical */
    REPRESENTATIVE_MARKERS, /* each for itself, those with the same canon_marker are taken for one */
    REPRESENTATIVE_FLOOD,   /* each for itself, and all its images are remembered */
    REPRESENTATIVE_NAUTY,
    REPRESENTATIVE_GREEDY
};
extern const char *const representative_names[];
enum { REPRESENTATIVE_ENUMERABLE = 50000 };

/* NULL: it works for this group; else why not. */
const char *representative_refusal(const struct symmetry *symmetry, enum representative representative);

struct canon *canon_create(const struct symmetry *symmetry, const struct layout *layout);
void canon_destroy(struct canon *canon);

/* Writes the representative of `cells` (normalised multisets) to `out` (normalised; may not overlap). Two states
 * are in the same orbit iff their representatives are equal. */
void canon_apply(struct canon *canon, const int32_t *cells, int32_t *out);
/* Number of states in the orbit of `cells`, by orbit-stabiliser: |G| / |stabiliser|. */
void canon_orbit_size(struct canon *canon, const int32_t *cells, struct bigint *size);
/* After canon_apply: image[e] = ordinal to which element e of the factor was taken; NULL when the factor moves
 * nothing. Valid until the next call. */
const uint32_t *canon_image(const struct canon *canon, uint32_t factor);

/* The short way for the successors of one state: most of what is known of the state holds for them too.
 *
 * canon_begin takes a state (best a representative: its elements are in order already), with its packed form; both
 * must stay until the last successor. canon_successor packs the representative of a successor, which is given as
 * `struct step` gives it: the cells in which it differs (NULL: not known). The result is the same as that of
 * canon_apply; canon_image does not know of it. Returns the classes of twins of the representative: bit i is set when
 * position i, over all factors, begins a class; 0: not known. (With factors that are not full: the order of the
 * state's stabiliser.) canon_orbit_of reads it. */
void canon_begin(struct canon *canon, const int32_t *cells, const uint64_t *packed);
uint64_t canon_successor(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count,
                         uint64_t *packed);
/* After canon_successor: the successor packed as it stands, before anything moved; NULL: nobody has packed it. */
const uint64_t *canon_plain(const struct canon *canon);
/* After canon_successor: where the permutation that led to the representative takes the instance of a rule. False: not
 * known. */
bool canon_image_of(const struct canon *canon, const struct rule *rule, uint64_t instance, uint64_t *image);
/* A number of an instance in the state begun with, of so many bits. Permutations that are applied to both keep it; it
 * depends on no other cells than those listed, by bit. False: of this instance it says nothing. */
uint32_t canon_key(struct canon *canon, const struct rule *rule, uint64_t instance, uint32_t bits);
bool canon_list_key_cells(const struct canon *canon, const struct rule *rule, uint64_t instance, uint64_t *cells);
/* Of up to 64 such instances, bit by bit from the first on, those with a lesser key. */
uint64_t canon_keep_lesser(struct canon *canon, const struct rule *rule, uint64_t first, uint64_t which, uint32_t key,
                           uint32_t bits);
/* Does an earlier instance of the rule lead from the state begun with to a state of the same orbit, for certain? (The
 * rule's parameters differ by a permutation of twins.) */
bool canon_is_repeat(struct canon *canon, const struct rule *rule, uint64_t instance);
/* Can there be any? */
bool canon_has_repeats(struct canon *canon);
/* Where there can be: a bit for each instance by number (system_first_number), those that canon_is_repeat is true of
 * and those of `more` (NULL: none); is_whole: all of the former, else some. The earlier instance has a smaller number.
 * Until the next call; NULL: it is not known of all at once. */
const uint64_t *canon_pass_repeats(struct canon *canon, const uint64_t *more, bool *is_whole);
/* The size of the orbit of a state with these classes of twins; false: not known from them. */
bool canon_orbit_of(const struct canon *canon, uint64_t classes, uint64_t *size);

/* What canon_apply and canon_successor give from now on. Representatives other than canonical, enumerate and nauty are
 * not unique; canon_image knows of canonical and greedy ones only, and nothing is a repeat for others. */
void canon_choose(struct canon *canon, enum representative representative);
bool canon_is_unique(const struct canon *canon);
/* Is the group no product of full groups? Then a representative costs much more. */
bool canon_is_generated(const struct canon *canon);
/* A hash that is the same for all states of an orbit. It may be the same for others: those that colours cannot
 * distinguish. */
uint64_t canon_marker(struct canon *canon, const int32_t *cells);
/* Packs a state of the orbit, labelled by colours and, where these leave a choice, at random: a function of the state
 * and the seed. */
void canon_random_leaf(struct canon *canon, const int32_t *cells, uint64_t seed, uint64_t *packed);
/* Every image of the state under the group, some several times, until `visit` returns false. After canon_choose(FLOOD).
 */
void canon_each_image(struct canon *canon, const int32_t *cells, bool (*visit)(void *user, const int32_t *image),
                      void *user);

/* Each state of the orbit once, until `visit` returns false. False: there are more than `most`. */
bool canon_visit_orbit(struct canon *canon, const int32_t *cells, uint32_t most,
                       bool (*visit)(void *user, const int32_t *image), void *user);

/* What was spent on representatives so far: a count of steps, about a nanosecond each, the same in every run. */
uint64_t canon_work(const struct canon *canon);

/* True if the thread's time (base/watch.h) ended during a call so far: representatives made since may not be canonical,
 * and orbit sizes may be wrong. Such a state must not be stored. */
bool canon_was_cut(const struct canon *canon);
/* From now on calls are not cut: for single states whose representative or orbit size must be right also when the time
 * is over, such as those of a run that was found. */
void canon_set_exact(struct canon *canon, bool is_exact);

/* For tests: the number of leaves of the search tree beyond which nauty labels the state (0: always when there is a
 * choice to make; UINT64_MAX: never). All canonicalisers of a run must agree on it. */
void canon_set_budget(struct canon *canon, uint64_t leaves);

/* The action itself: out = p(cells), multisets normalised. images[f] is a permutation of 0..degree-1 for
 * each factor in use (NULL: identity). */
void symmetry_act(const struct symmetry *symmetry, const struct layout *layout, const uint32_t *const *images,
                  const int32_t *cells, int32_t *out);

#endif
