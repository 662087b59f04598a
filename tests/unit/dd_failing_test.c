/* Operations that run out of memory: at whatever point of an operation that happens, it fails as a whole, or its result
 * is right. What was there before is still right afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "dd/dd.h"

/* The order is the worst one for these functions: they have thousands of nodes. */
enum { HALF = 9, VARIABLES = 2 * HALF, ROWS = 300, QUANTIFIED = 3 };

static bool any_pair(const bool *v)
{
    bool is_any = false;
    for (uint32_t i = 0; i < HALF; i++)
        is_any |= v[i] && v[HALF + i];
    return is_any;
}

static bool odd_pairs(const bool *v)
{
    bool is_odd = false;
    for (uint32_t i = 0; i < HALF; i++)
        is_odd ^= v[i] && v[HALF + (i + 4) % HALF];
    return is_odd;
}

static bool both(const bool *v)
{
    return any_pair(v) && odd_pairs(v);
}

static bool differ(const bool *v)
{
    return any_pair(v) != odd_pairs(v);
}

static bool choice(const bool *v)
{
    return v[2] != v[HALF] ? any_pair(v) : odd_pairs(v);
}

/* Is there a value of the first variables for which both are true? */
static bool exists(const bool *v)
{
    bool w[VARIABLES], is_found = false;
    memcpy(w, v, sizeof w);
    for (uint32_t bits = 0; bits < 1u << QUANTIFIED; bits++) {
        for (uint32_t i = 0; i < QUANTIFIED; i++)
            w[i] = bits >> i & 1;
        is_found |= both(w);
    }
    return is_found;
}

/* Counts what failed. */
struct run {
    struct dd_manager *m;
    uint32_t failed, right;
};

static dd expect(struct run *run, dd f, bool (*truth)(const bool *))
{
    if (f == DD_NONE) {
        run->failed++;
        return f;
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        bool values[VARIABLES];
        for (uint32_t v = 0; v < VARIABLES; v++)
            values[v] = hash_mix(row * 77 + 5) >> v & 1;
        if (dd_evaluate(run->m, f, values) != truth(values))
            fail_msg("a result is wrong");
    }
    run->right++;
    return f;
}

/* Operands: registered, so that no collection takes them away. */
struct handles {
    dd any, odd, first, one, other, pair, sum;
};

static dd build(struct run *run, struct handles *h, bool is_odd)
{
    struct dd_manager *m = run->m;
    h->sum = DD_FALSE;
    for (uint32_t i = 0; i < HALF; i++) {
        h->one = dd_variable(m, i);
        h->other = dd_variable(m, HALF + (is_odd ? (i + 4) % HALF : i));
        h->pair = dd_and(m, h->one, h->other);
        h->sum = is_odd ? dd_xor(m, h->sum, h->pair) : dd_or(m, h->sum, h->pair);
    }
    return expect(run, h->sum, is_odd ? odd_pairs : any_pair);
}

static void use(struct run *run, uint32_t threads, uint64_t memory)
{
    struct dd_options options = {.variables = VARIABLES, .threads = threads, .memory = memory};
    struct dd_manager *m = run->m = dd_create(&options);
    if (!m)
        return;
    struct handles h = {0};
    dd_register(m, &h.any, sizeof h / sizeof h.any);
    h.any = build(run, &h, false);
    h.odd = build(run, &h, true);
    uint32_t first[QUANTIFIED] = {0, 1, 2};
    h.first = dd_cube(m, first, QUANTIFIED);
    h.one = expect(run, dd_and(m, h.any, h.odd), both);
    expect(run, dd_exists(m, h.one, h.first), exists);
    expect(run, dd_xor(m, h.any, h.odd), differ);
    expect(run, dd_and_exists(m, h.any, h.odd, h.first), exists);
    h.one = dd_variable(m, 2);
    h.other = dd_variable(m, HALF);
    h.pair = dd_xor(m, h.one, h.other);
    expect(run, dd_ite(m, h.pair, h.any, h.odd), choice);
    if (h.any != DD_NONE)
        expect(run, h.any, any_pair);
    if (h.odd != DD_NONE)
        expect(run, h.odd, odd_pairs);
    dd_unregister(m, &h.any);
    dd_destroy(m);
}

static void sweep(uint32_t threads)
{
    struct run run = {0};
    uint32_t mixed = 0; /* runs in which some operations failed */
    for (uint64_t memory = 16 << 10; memory < 1 << 20; memory += memory / 40) {
        uint32_t failed = run.failed, right = run.right;
        use(&run, threads, memory);
        mixed += run.failed > failed && run.right > right;
    }
    use(&run, threads, 0);
    assert_true(mixed >= 10);
}

static void operations_fail_as_a_whole(void **state)
{
    (void)state;
    sweep(1);
}

static void operations_of_several_threads_fail_as_a_whole(void **state)
{
    (void)state;
    sweep(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operations_fail_as_a_whole),
                                       cmocka_unit_test(operations_of_several_threads_fail_as_a_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
