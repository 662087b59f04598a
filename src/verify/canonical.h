/* A representative of a state: of all images under the group the least, found by colours of elements (refinement) and
 * by trying those that colours leave alike. Two states of an orbit have the same. Nothing depends on that but whether a
 * good certificate is accepted: a representative is an image of the state under the group, whatever it is. */
#ifndef NOETHER_VERIFY_CANONICAL_H
#define NOETHER_VERIFY_CANONICAL_H

#include "verify/action.h"

/* Factors that are not full may have so many permutations together: all are tried. */
enum { CANONICAL_LARGEST = 5000 };

struct canonical;

/* NULL: *flaw says why. */
struct canonical *canonical_create(const struct group_action *action, const struct layout *layout, const char **flaw);
void canonical_destroy(struct canonical *canonical);
void canonical_pack(struct canonical *canonical, const int32_t *cells, uint64_t *packed);

#endif
