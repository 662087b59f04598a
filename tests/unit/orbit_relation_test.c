/* The sizes of orbit relations: Table 1 of the survey (section 5.1), as far as they are made in a moment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/symbolic/orbit_relation.h"

static uint64_t orbit_size(uint32_t processes, uint32_t bits, bool is_interleaved)
{
    struct dd_options options = {.variables = 2 * processes * bits};
    struct dd_manager *m = dd_create(&options);
    uint32_t *pairs = memory_alloc(processes * bits * sizeof *pairs);
    for (uint32_t p = 0; p < processes; p++)
        for (uint32_t b = 0; b < bits; b++)
            pairs[p * bits + b] = is_interleaved ? b * processes + p : p * bits + b;
    uint64_t size = dd_size_plain(m, orbit_relation_full(m, pairs, processes, bits));
    free(pairs);
    dd_destroy(m);
    return size;
}

static void sizes_are_those_of_the_survey(void **state)
{
    static const struct {
        uint32_t processes, bits, concatenated, interleaved;
    } table[] = {{3, 2, 160, 131}, {5, 2, 934, 2373}, {3, 3, 1403, 363}, {5, 3, 31249, 40655}, {3, 4, 9174, 601}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(orbit_size(table[i].processes, table[i].bits, false), table[i].concatenated);
        assert_int_equal(orbit_size(table[i].processes, table[i].bits, true), table[i].interleaved);
    }
}

/* Two states are related when one is a permutation of the other: three processes of two bits, all pairs. */
static bool is_permutation(uint32_t s, uint32_t t)
{
    for (uint32_t value = 0; value < 4; value++) {
        uint32_t here = 0, there = 0;
        for (uint32_t p = 0; p < 3; p++) {
            here += (s >> (2 * p) & 3) == value;
            there += (t >> (2 * p) & 3) == value;
        }
        if (here != there)
            return false;
    }
    return true;
}

static void relation_is_that_of_permutations(void **state)
{
    static const uint32_t pairs[] = {0, 1, 2, 3, 4, 5};
    struct dd_options options = {.variables = 12};
    struct dd_manager *m = dd_create(&options);
    dd relation = orbit_relation_full(m, pairs, 3, 2);
    (void)state;
    for (uint32_t s = 0; s < 64; s++)
        for (uint32_t t = 0; t < 64; t++) {
            bool values[12];
            for (uint32_t i = 0; i < 6; i++) {
                values[2 * i] = s >> i & 1;
                values[2 * i + 1] = t >> i & 1;
            }
            assert_int_equal(dd_evaluate(m, relation, values), is_permutation(s, t));
        }
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_the_survey),
        cmocka_unit_test(relation_is_that_of_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
