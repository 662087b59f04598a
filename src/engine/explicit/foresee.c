/* How much of a search is left, by the widths of its levels: whether a compiler pays is asked before that is known, and
 * how large the visited set is to be.
 *
 * Levels grow by a factor that shrinks from level to level, until it is below 1. If it goes on shrinking as it did over
 * the last levels, the widths to come are known. That is right within a factor of two or three for most models, and
 * wrong where a violation ends the search, so only a part of it is counted on. */
#include <math.h>

#include "engine/explicit/search.h"

enum {
    FORESEE_SPAN = 4,    /* levels over which growth is measured, */
    FORESEE_APART = 3,   /* twice, that far apart */
    FORESEE_LEVELS = 200 /* to come: those behind them are not counted */
};
#define FORESEE_SHRINKS 0.98 /* by this factor at least */
#define FORESEE_TRUST 0.4    /* of what is foreseen, */
#define FORESEE_MOST 3.0     /* and no more than so many times what was done: a violation may be near */
#define FORESEE_FAR 64.0     /* the same, where a wrong guess costs little */
#define FORESEE_GROWTH 2.0   /* what is known to be left leads to about as much again */

/* Of one level to the next, on average, of those up to `last`. */
static double foresee_factor(const struct level *last)
{
    return pow((double)last->states / (double)last[-FORESEE_SPAN].states, 1.0 / FORESEE_SPAN);
}

/* The states of the last level and of those to come; 0: it is too early to say. */
static double foresee_states(const struct statistics *statistics)
{
    size_t count = statistics->levels.count;
    if (count <= FORESEE_SPAN + FORESEE_APART)
        return 0;
    const struct level *last = &statistics->levels.items[count - 1];
    double factor = foresee_factor(last), width = (double)last->states, sum = 0;
    double shrinks = pow(factor / foresee_factor(last - FORESEE_APART), 1.0 / FORESEE_APART);
    shrinks = fmin(shrinks, FORESEE_SHRINKS);
    factor *= pow(shrinks, (FORESEE_SPAN + 1) / 2.0); /* it was that of the middle of its span */
    for (int level = 0; level < FORESEE_LEVELS && width >= 1; level++) {
        sum += width;
        width *= factor;
        factor *= shrinks;
    }
    return sum;
}

void foresee_level(const struct explicit_search *search)
{
    uint64_t states = search_count_states(search), level = search->level_states;
    if (states <= level)
        return;
    double done = (double)(states - level), known = FORESEE_GROWTH * (double)level / done;
    double more = FORESEE_TRUST * foresee_states(&search->result->statistics) / done;
    steppers_foresee(search->steppers, fmax(known, fmin(more, FORESEE_MOST)));
    if (search->visited)
        visited_foresee(search->visited, states + (uint64_t)(fmin(more, FORESEE_FAR) * done));
}
