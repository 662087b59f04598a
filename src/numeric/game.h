/* Matrix games, exactly: max over mixtures of the points, min over the coordinates, of point - target.
 *
 * The value says whether a target lies below a convex combination of points (value >= 0), in all coordinates. If not,
 * the weights separate: w * target > w * point for every point. Solved as the linear program of von Neumann's game by
 * the simplex method, with Bland's rule. */
#ifndef NOETHER_NUMERIC_GAME_H
#define NOETHER_NUMERIC_GAME_H

#include <stdint.h>

#include "base/rational.h"

struct game {
    uint32_t dimension;
    struct rational *value;
    struct rational **weights; /* by coordinate: not negative, their sum is 1 */
};

struct game *game_create(uint32_t dimension);
void game_destroy(struct game *game);
/* At least one point. */
void game_solve(struct game *game, struct rational *const *const *points, uint32_t count,
                struct rational *const *target);

#endif
