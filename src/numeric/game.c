#include "numeric/game.h"

#include <stdbool.h>

#include "base/memory.h"

struct game *game_create(uint32_t dimension)
{
    struct game *game = memory_zeroed(1, sizeof *game);
    game->dimension = dimension;
    game->value = rational_create(0, 1);
    game->weights = memory_zeroed(dimension + 1, sizeof *game->weights);
    for (uint32_t i = 0; i < dimension; i++)
        game->weights[i] = rational_create(0, 1);
    return game;
}

void game_destroy(struct game *game)
{
    for (uint32_t i = 0; game && i < game->dimension; i++)
        rational_destroy(game->weights[i]);
    if (game) {
        rational_destroy(game->value);
        free(game->weights);
    }
    free(game);
}

/* The tableau of: max sum p, where for each point sum_i p_i * payoff_i <= 1, p >= 0. One line for each point and the
 * objective below them; columns: p, slacks, right side. */
struct tableau {
    uint32_t lines, columns; /* without the objective; without the right side */
    struct rational **cells;
    uint32_t *basic; /* by line: the column that is in the basis */
    struct rational *scratch;
};

static struct rational *cell(const struct tableau *tableau, uint32_t line, uint32_t column)
{
    return tableau->cells[(size_t)line * (tableau->columns + 1) + column];
}

/* The payoffs are made positive by adding the same number to all. */
static struct rational *find_shift(struct rational *const *const *points, uint32_t count,
                                   struct rational *const *target, uint32_t dimension)
{
    struct rational *least = rational_create(0, 1), *payoff = rational_create(0, 1), *one = rational_create(1, 1);
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t i = 0; i < dimension; i++) {
            rational_copy(payoff, points[j][i]);
            rational_subtract(payoff, target[i]);
            if (rational_compare(payoff, least) < 0)
                rational_copy(least, payoff);
        }
    rational_negate(least);
    rational_add(least, one);
    rational_destroy(payoff);
    rational_destroy(one);
    return least;
}

static struct tableau tableau_create(struct rational *const *const *points, uint32_t count,
                                     struct rational *const *target, uint32_t dimension, const struct rational *shift)
{
    struct tableau tableau = {.lines = count, .columns = dimension + count, .scratch = rational_create(0, 1)};
    size_t size = (size_t)(count + 1) * (tableau.columns + 1);
    tableau.cells = memory_zeroed(size, sizeof *tableau.cells);
    tableau.basic = memory_zeroed(count + 1, sizeof *tableau.basic);
    for (size_t i = 0; i < size; i++)
        tableau.cells[i] = rational_create(0, 1);
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = 0; i < dimension; i++) {
            rational_copy(cell(&tableau, j, i), points[j][i]);
            rational_subtract(cell(&tableau, j, i), target[i]);
            rational_add(cell(&tableau, j, i), shift);
        }
        rational_set(cell(&tableau, j, dimension + j), 1);
        rational_set(cell(&tableau, j, tableau.columns), 1);
        tableau.basic[j] = dimension + j;
    }
    for (uint32_t i = 0; i < dimension; i++)
        rational_set(cell(&tableau, count, i), -1);
    return tableau;
}

static void tableau_free(struct tableau *tableau)
{
    for (size_t i = 0; i < (size_t)(tableau->lines + 1) * (tableau->columns + 1); i++)
        rational_destroy(tableau->cells[i]);
    free(tableau->cells);
    free(tableau->basic);
    rational_destroy(tableau->scratch);
}

/* Bland: the first column that improves, and of the lines that bound it the one of the first basic column. */
static bool choose_pivot(struct tableau *tableau, uint32_t *line, uint32_t *column)
{
    struct rational *best = rational_create(0, 1);
    bool is_found = false;
    for (*column = 0; *column < tableau->columns; ++*column)
        if (rational_sign(cell(tableau, tableau->lines, *column)) < 0)
            break;
    for (uint32_t j = 0; *column < tableau->columns && j < tableau->lines; j++) {
        if (rational_sign(cell(tableau, j, *column)) <= 0)
            continue;
        rational_copy(tableau->scratch, cell(tableau, j, tableau->columns));
        rational_divide(tableau->scratch, cell(tableau, j, *column));
        int order = is_found ? rational_compare(tableau->scratch, best) : -1;
        if (order > 0 || (order == 0 && tableau->basic[j] > tableau->basic[*line]))
            continue;
        rational_copy(best, tableau->scratch);
        *line = j;
        is_found = true;
    }
    rational_destroy(best);
    return is_found;
}

static void pivot(struct tableau *tableau, uint32_t line, uint32_t column)
{
    struct rational *factor = rational_create(0, 1);
    rational_copy(factor, cell(tableau, line, column));
    for (uint32_t c = 0; c <= tableau->columns; c++)
        rational_divide(cell(tableau, line, c), factor);
    for (uint32_t j = 0; j <= tableau->lines; j++) {
        if (j == line || !rational_sign(cell(tableau, j, column)))
            continue;
        rational_copy(factor, cell(tableau, j, column));
        rational_negate(factor);
        for (uint32_t c = 0; c <= tableau->columns; c++)
            rational_add_product(cell(tableau, j, c), factor, cell(tableau, line, c), tableau->scratch);
    }
    tableau->basic[line] = column;
    rational_destroy(factor);
}

void game_solve(struct game *game, struct rational *const *const *points, uint32_t count,
                struct rational *const *target)
{
    struct rational *shift = find_shift(points, count, target, game->dimension);
    struct tableau tableau = tableau_create(points, count, target, game->dimension, shift);
    uint32_t line = 0, column;
    while (choose_pivot(&tableau, &line, &column))
        pivot(&tableau, line, column);
    const struct rational *sum = cell(&tableau, count, tableau.columns); /* the value of the shifted game is 1 / sum */
    for (uint32_t i = 0; i < game->dimension; i++)
        rational_set(game->weights[i], 0);
    for (uint32_t j = 0; j < count; j++)
        if (tableau.basic[j] < game->dimension) {
            rational_copy(game->weights[tableau.basic[j]], cell(&tableau, j, tableau.columns));
            rational_divide(game->weights[tableau.basic[j]], sum);
        }
    rational_set(game->value, 1);
    rational_divide(game->value, sum);
    rational_subtract(game->value, shift);
    rational_destroy(shift);
    tableau_free(&tableau);
}
