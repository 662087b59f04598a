/* Path formulas as untils. Everything is an until, or the complement of one under the other extreme:
 *   F b = true U b         G b = !(true U !b)
 *   a W b = !(a & !b U !a & !b)     a R b = !(!a U !b) */
#ifndef NOETHER_ENGINE_PROBABILISTIC_UNTIL_H
#define NOETHER_ENGINE_PROBABILISTIC_UNTIL_H

#include "engine/probabilistic/formula.h"

/* "left until goal", perhaps complemented. */
struct until {
    uint8_t *left, *goal;
    bool is_complement;
    enum extreme extreme;
    const struct pctl_window *window;
};

/* Free it in any case. False: markov->failure says why. */
bool until_make(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                struct until *until);
void until_free(struct until *until);
/* What the graph decides exactly, without the window: probabilities 0 and 1 (one byte a state each). */
void until_decide(struct markov *markov, const struct until *until, uint8_t *zero, uint8_t *one);

#endif
