/* Subsumption of abstract states: the index against orbits, element by element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/adaptive/reached.h"
#include "sanitized.h"

enum { ELEMENTS = 5, LOCALS = 3, VECTORS = 243, ROUNDS = 300, STATES = 40 };

struct bench {
    struct partitions partitions;
    struct reached reached;
    uint32_t coarsest;
};

static void bench_open(struct bench *bench, uint32_t elements)
{
    uint32_t labels[ELEMENTS] = {0};
    *bench = (struct bench){0};
    partitions_create(&bench->partitions, elements);
    bench->coarsest = partitions_intern(&bench->partitions, labels);
    reached_create(&bench->reached, &bench->partitions, bench->coarsest);
}

static void bench_close(struct bench *bench)
{
    reached_destroy(&bench->reached);
    partitions_destroy(&bench->partitions);
}

/* The abstract state of a vector of local states. */
static bool bench_add(struct bench *bench, uint32_t elements, const uint32_t *labels, const uint32_t *locals)
{
    uint32_t words[2 + 3 * ELEMENTS] = {0, partitions_intern(&bench->partitions, labels)}, length = 2;
    const struct partition *partition = partitions_at(&bench->partitions, words[1]);
    for (uint32_t c = 0; c < partition->cell_count; c++) {
        uint32_t counts[LOCALS] = {0}, at = length++;
        for (uint32_t e = 0; e < elements; e++)
            counts[locals[e]] += partition->cell_of[e] == c;
        for (uint32_t l = 0; l < LOCALS; l++)
            if (counts[l]) {
                words[length++] = l * (elements + 1) + counts[l];
                words[at]++;
            }
    }
    return reached_add(&bench->reached, words, length, UINT32_MAX, 0);
}

/* The counts agree in every cell of the first partition, but a mixed cell of the second is split by it: with T at 0 and
 * 1 it stands for a state that the first does not. */
static void a_mixed_cell_that_is_split_is_not_subsumed(void **unused)
{
    static const uint32_t rows[] = {0, 0, 1, 1}, columns[] = {0, 1, 0, 1};
    static const uint32_t mixed[] = {0, 1, 1, 0}, uniform[] = {0, 1, 0, 1};
    struct bench bench;
    (void)unused;
    bench_open(&bench, 4);
    assert_true(bench_add(&bench, 4, rows, mixed));
    assert_true(bench_add(&bench, 4, columns, mixed));
    assert_false(bench_add(&bench, 4, columns, uniform)); /* its cells are split, too, but hold one local state each */
    assert_false(bench_add(&bench, 4, rows, mixed));
    bench_close(&bench);
}

static void the_coarsest_subsumes_its_bucket(void **unused)
{
    static const uint32_t one[] = {0, 0, 0, 0}, rows[] = {0, 0, 1, 1};
    static const uint32_t mixed[] = {0, 1, 1, 0}, other[] = {0, 1, 1, 1};
    struct bench bench;
    (void)unused;
    bench_open(&bench, 4);
    assert_true(bench_add(&bench, 4, rows, mixed));
    assert_true(bench_add(&bench, 4, one, mixed));
    assert_true(bench.reached.is_dropped.items[0]);
    assert_false(bench.reached.is_dropped.items[1]);
    assert_false(bench_add(&bench, 4, rows, mixed));
    assert_true(bench_add(&bench, 4, rows, other));
    bench_close(&bench);
}

/* Which vectors an abstract state stands for: those with the same counts in every cell. */
static void orbit(const uint32_t *labels, const uint32_t *locals, bool *has)
{
    for (uint32_t v = 0; v < VECTORS; v++) {
        int counts[ELEMENTS][LOCALS] = {{0}};
        uint32_t rest = v;
        has[v] = true;
        for (uint32_t e = 0; e < ELEMENTS; e++, rest /= LOCALS) {
            counts[labels[e]][rest % LOCALS]++;
            counts[labels[e]][locals[e]]--;
        }
        for (uint32_t i = 0; i < ELEMENTS * LOCALS; i++)
            has[v] &= counts[i / LOCALS][i % LOCALS] == 0;
    }
}

static bool includes(const bool *large, const bool *small)
{
    for (uint32_t v = 0; v < VECTORS; v++)
        if (small[v] && !large[v])
            return false;
    return true;
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* New iff no earlier state stands for all that it stands for; dropped only what the new one stands for. */
static void the_index_agrees_with_the_orbits(void **unused)
{
    static bool orbits[STATES][VECTORS];
    (void)unused;
    for (uint64_t seed = 1; seed <= FEWER(ROUNDS); seed++) {
        uint64_t random = seed;
        uint32_t count = 0;
        struct bench bench;
        bench_open(&bench, ELEMENTS);
        for (uint32_t i = 0; i < STATES; i++) {
            uint32_t labels[ELEMENTS], locals[ELEMENTS], cells = 1 + next_random(&random) % ELEMENTS;
            bool is_subsumed = false;
            for (uint32_t e = 0; e < ELEMENTS; e++) {
                labels[e] = next_random(&random) % cells;
                locals[e] = next_random(&random) % (2 + seed % 2);
            }
            orbit(labels, locals, orbits[count]);
            for (uint32_t s = 0; s < count; s++)
                is_subsumed |= includes(orbits[s], orbits[count]);
            if (bench_add(&bench, ELEMENTS, labels, locals) == is_subsumed)
                fail_msg("seed %u, state %u: it is %ssubsumed", (unsigned)seed, i, is_subsumed ? "" : "not ");
            count += !is_subsumed;
            for (uint32_t s = 0; s + 1 < count; s++)
                if (bench.reached.is_dropped.items[s]) {
                    bool is_covered = false;
                    for (uint32_t t = s + 1; t < count; t++)
                        is_covered |= includes(orbits[t], orbits[s]);
                    assert_true(is_covered);
                }
        }
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixed_cell_that_is_split_is_not_subsumed),
        cmocka_unit_test(the_coarsest_subsumes_its_bucket),
        cmocka_unit_test(the_index_agrees_with_the_orbits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
