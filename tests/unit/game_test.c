/* Matrix games (numeric/game.h): the weights are a mixture whose worst point has the value, and no mixture of a fine
 * grid has a worst point below it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "numeric/game.h"
#include "sanitized.h"

enum { MOST = 6, GRID = 24 };

static struct rational *points[MOST][3], *target[3];
static struct rational *const *lists[MOST];

static void begin(uint32_t count, const int64_t numbers[][3], const int64_t *goal, uint64_t bottom)
{
    for (uint32_t i = 0; i < 3; i++)
        target[i] = rational_create(goal[i], bottom);
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = 0; i < 3; i++)
            points[j][i] = rational_create(numbers[j][i], bottom);
        lists[j] = points[j];
    }
}

static void end(uint32_t count)
{
    for (uint32_t i = 0; i < 3; i++) {
        rational_destroy(target[i]);
        for (uint32_t j = 0; j < count; j++)
            rational_destroy(points[j][i]);
    }
}

static double worst(uint32_t count, const double *weights)
{
    double most = -INFINITY;
    for (uint32_t j = 0; j < count; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < 3; i++)
            sum += weights[i] * (rational_to_double(points[j][i]) - rational_to_double(target[i]));
        most = fmax(most, sum);
    }
    return most;
}

static void check(uint32_t count)
{
    struct game *game = game_create(3);
    game_solve(game, lists, count, target);
    double value = rational_to_double(game->value), weights[3], sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        weights[i] = rational_to_double(game->weights[i]);
        assert_true(weights[i] >= 0);
        sum += weights[i];
    }
    assert_true(fabs(sum - 1) < 1e-12);
    assert_true(fabs(worst(count, weights) - value) < 1e-9);
    for (int a = 0; a <= GRID; a++)
        for (int b = 0; a + b <= GRID; b++) {
            double other[] = {(double)a / GRID, (double)b / GRID, (double)(GRID - a - b) / GRID};
            assert_true(worst(count, other) >= value - 1e-9);
        }
    game_destroy(game);
}

static void what_is_known(void **state)
{
    (void)state;
    const int64_t corners[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, middle[3] = {0, 0, 0};
    struct game *game = game_create(3);
    struct rational *third = rational_create(1, 3);
    begin(3, corners, middle, 1);
    game_solve(game, lists, 3, target);
    assert_int_equal(rational_compare(game->value, third), 0);
    assert_int_equal(rational_compare(game->weights[2], third), 0);
    end(3);
    game_destroy(game);
    rational_destroy(third);
}

static void random_games(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int k = 0; k < FEWER(300); k++) {
        int64_t numbers[MOST][3], goal[3];
        uint32_t count = 1 + (uint32_t)k % MOST;
        for (uint32_t j = 0; j <= count; j++)
            for (uint32_t i = 0; i < 3; i++) {
                seed = seed * 1664525 + 1013904223;
                (j < count ? numbers[j] : goal)[i] = (int64_t)(seed >> 24) % 9 - 4;
            }
        begin(count, (const int64_t(*)[3])numbers, goal, 1 + (uint64_t)k % 3);
        check(count);
        end(count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_known), cmocka_unit_test(random_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
