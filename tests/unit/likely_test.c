/* The likeliest path to a goal, against all products of probabilities, on random chains. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/likely.h"

enum { STATES = 9 };

static uint32_t pick(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

struct chain {
    struct matrix matrix;
    double step[STATES][STATES]; /* 0: there is none */
    uint32_t rows[STATES];       /* the one that counts: each state has another, which leads to all */
    uint8_t through[STATES], goal[STATES];
};

static struct chain random_chain(uint64_t *seed)
{
    struct chain chain = {0};
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t parts = 1 + pick(seed, 3), own = pick(seed, 2);
        matrix_begin_state(&chain.matrix);
        for (uint32_t row = 0; row < 2; row++) {
            chain.rows[s] = row == own ? (uint32_t)chain.matrix.row_entry.count : chain.rows[s];
            matrix_begin_row(&chain.matrix);
            for (uint32_t i = 0, at = pick(seed, STATES); i < (row == own ? parts : STATES);
                 i++, at = (at + 1 + pick(seed, 2)) % STATES) {
                if (row != own)
                    matrix_add(&chain.matrix, i, 1.0 / STATES);
                else if (!chain.step[s][at]) {
                    chain.step[s][at] = (1 + pick(seed, 7)) / 8.0;
                    matrix_add(&chain.matrix, at, chain.step[s][at]);
                }
            }
        }
        chain.through[s] = pick(seed, 4) > 0;
        chain.goal[s] = pick(seed, 5) == 0;
    }
    matrix_close(&chain.matrix);
    return chain;
}

/* The greatest product of the steps of any path from each state: no best path visits a state twice. */
static void find_best(const struct chain *chain, double *best)
{
    for (uint32_t s = 0; s < STATES; s++)
        best[s] = chain->goal[s];
    for (uint32_t round = 0; round < STATES; round++)
        for (uint32_t s = 0; s < STATES; s++)
            for (uint32_t t = 0; t < STATES; t++)
                if (chain->through[s] && !chain->goal[s])
                    best[s] = fmax(best[s], chain->step[s][t] * best[t]);
}

/* Is it one, and of the probability it says? */
static void expect_path(const struct chain *chain, const struct likely_path *path, uint32_t start)
{
    double product = 1;
    assert_true(path->count > 0 && path->states[0] == start && chain->goal[path->states[path->count - 1]]);
    assert_true(path->chances[0] == 1);
    for (uint32_t i = 1; i < path->count; i++) {
        uint32_t from = path->states[i - 1], to = path->states[i];
        assert_true(chain->through[from] && !chain->goal[from]);
        assert_true(chain->step[from][to] > 0 && path->chances[i] == chain->step[from][to]);
        product *= path->chances[i];
    }
    assert_true(fabs(product - path->chance) <= 1e-12 * product);
}

static void paths_are_the_likeliest(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint32_t found = 0, missed = 0;
    for (uint32_t round = 0; round < 400; round++) {
        struct chain chain = random_chain(&seed);
        double best[STATES];
        find_best(&chain, best);
        for (uint32_t start = 0; start < STATES; start++) {
            struct likely_path path = {0};
            bool is_found = likely_path_find(&chain.matrix, chain.rows, chain.through, chain.goal, start, &path);
            assert_int_equal(is_found, best[start] > 0);
            if (is_found) {
                expect_path(&chain, &path, start);
                assert_true(fabs(path.chance - best[start]) <= 1e-12 * best[start]);
                free(path.states);
                free(path.chances);
            }
            found += is_found && path.count > 2;
            missed += !is_found;
        }
        matrix_free(&chain.matrix);
    }
    assert_true(found > 400 && missed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_the_likeliest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
