/* Representatives under groups that are not products of full symmetric ones, against every element of the group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "canon_states.h"
#include "perm_read.h"
#include "sanitized.h"

enum { MAX_GENERATORS = 6, MAX_ORBIT = 2000, MAX_FACTORS = 3 };

/* What the group is made of: each a factor with generators in cycle notation, its points counted from 1 through the
 * types in order of declaration; no generators: full on the type of its number. */
struct plan {
    uint32_t first, degree; /* of the points of all types */
    const char *generators[MAX_GENERATORS];
};

static struct symmetry_point point_number(const struct system *system, uint32_t number)
{
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (type->kind != TYPE_INDEX)
            continue;
        if (number < type->size)
            return (struct symmetry_point){.type = type, .ordinal = number};
        number -= type->size;
    }
    fail_msg("there is no such point");
    return (struct symmetry_point){0};
}

static void plan_factor(struct symmetry *symmetry, const struct plan *plan, struct symmetry_factor *factor)
{
    struct arena *arena = symmetry->arena;
    struct symmetry_point *points = ARENA_ARRAY(arena, struct symmetry_point, plan->degree);
    for (uint32_t i = 0; i < plan->degree; i++)
        points[i] = point_number(symmetry->system, plan->first + i);
    *factor =
        (struct symmetry_factor){.type = points[0].type, .degree = plan->degree, .points = points, .is_used = true};
    uint32_t *generators = ARENA_ARRAY(arena, uint32_t, MAX_GENERATORS * plan->degree);
    for (; plan->generators[factor->generator_count]; factor->generator_count++)
        assert_true(perm_read(plan->degree, plan->generators[factor->generator_count],
                              generators + factor->generator_count * plan->degree));
    factor->generators = generators;
    factor->kind = factor->generator_count ? SYMMETRY_GENERATED : SYMMETRY_FULL;
}

static void open_plan(struct fixture *fixture, const struct plan *plans, uint32_t count)
{
    system_finish(fixture->system);
    struct symmetry *symmetry = symmetry_none(fixture->system);
    symmetry->factors = ARENA_ARRAY(symmetry->arena, struct symmetry_factor, count);
    symmetry->factor_count = count;
    for (uint32_t f = 0; f < count; f++)
        plan_factor(symmetry, &plans[f], &symmetry->factors[f]);
    fixture_open_with(fixture, symmetry);
}

struct orbit {
    struct fixture *fixture;
    int32_t states[MAX_ORBIT][MAX_CELLS];
    uint32_t count;
};

static void orbit_add(struct orbit *orbit, const int32_t *cells)
{
    size_t bytes = orbit->fixture->layout->cell_count * sizeof *cells;
    for (uint32_t i = 0; i < orbit->count; i++)
        if (!memcmp(orbit->states[i], cells, bytes))
            return;
    assert_true(orbit->count < MAX_ORBIT);
    memcpy(orbit->states[orbit->count++], cells, bytes);
}

/* Closes it under the generators of every factor. */
static void orbit_fill(struct orbit *orbit, const int32_t *cells)
{
    const struct symmetry *symmetry = orbit->fixture->symmetry;
    int32_t image[MAX_CELLS];
    orbit->count = 0;
    orbit_add(orbit, cells);
    for (uint32_t at = 0; at < orbit->count; at++)
        for (uint32_t f = 0; f < symmetry->factor_count; f++)
            for (uint32_t g = 0; g < symmetry_generator_count(&symmetry->factors[f]); g++) {
                uint32_t permutation[64];
                const uint32_t *images[MAX_FACTORS] = {0};
                symmetry_generator(&symmetry->factors[f], g, permutation);
                images[f] = permutation;
                symmetry_act(symmetry, orbit->fixture->layout, images, orbit->states[at], image);
                orbit_add(orbit, image);
            }
}

static void check_orbit_size(struct fixture *fixture, const int32_t *cells, uint64_t classes, uint32_t expected)
{
    struct bigint *size = bigint_create(0);
    uint64_t small;
    canon_orbit_size(fixture->canon, cells, size);
    assert_true(bigint_fits_u64(size, &small));
    assert_int_equal(small, expected);
    assert_true(canon_orbit_of(fixture->canon, classes, &small));
    assert_int_equal(small, expected);
    bigint_destroy(size);
}

static void check_state(struct fixture *fixture, const int32_t *cells)
{
    static struct orbit orbit;
    int32_t representative[MAX_CELLS], other[MAX_CELLS];
    uint64_t packed[MAX_CELLS], plain[MAX_CELLS];
    size_t bytes = fixture->layout->cell_count * sizeof *cells;
    const uint32_t *images[MAX_FACTORS];
    orbit.fixture = fixture;
    orbit_fill(&orbit, cells);
    canon_apply(fixture->canon, cells, representative);
    for (uint32_t f = 0; f < fixture->symmetry->factor_count; f++)
        images[f] = canon_image(fixture->canon, f);
    symmetry_act(fixture->symmetry, fixture->layout, images, cells, other);
    assert_memory_equal(other, representative, bytes);
    bool is_inside = false;
    for (uint32_t i = 0; i < orbit.count; i++) {
        is_inside |= !memcmp(orbit.states[i], representative, bytes);
        canon_apply(fixture->other, orbit.states[i], other);
        assert_memory_equal(other, representative, bytes);
    }
    assert_true(is_inside);
    layout_pack(fixture->layout, cells, plain);
    canon_begin(fixture->canon, cells, plain);
    check_orbit_size(fixture, cells, canon_successor(fixture->canon, cells, NULL, 0, packed), orbit.count);
    layout_unpack(fixture->layout, packed, other);
    assert_memory_equal(other, representative, bytes);
}

/* Other representatives: in the orbit; one for all when they are said to be unique; markers are. */
static void check_strategies(struct fixture *fixture, const int32_t *cells)
{
    static struct orbit orbit;
    size_t bytes = fixture->layout->cell_count * sizeof *cells;
    orbit.fixture = fixture;
    orbit_fill(&orbit, cells);
    for (enum representative r = REPRESENTATIVE_SORTED; r <= REPRESENTATIVE_LOCAL; r++) {
        int32_t first[MAX_CELLS], out[MAX_CELLS];
        canon_choose(fixture->other, r);
        canon_apply(fixture->other, cells, first);
        for (uint32_t i = 0; i < orbit.count; i += 1 + orbit.count / 50) {
            bool is_inside = false;
            canon_apply(fixture->other, orbit.states[i], out);
            assert_true(!canon_is_unique(fixture->other) || !memcmp(first, out, bytes));
            for (uint32_t j = 0; j < orbit.count && !is_inside; j++)
                is_inside = !memcmp(orbit.states[j], out, bytes);
            assert_true(is_inside);
        }
    }
    canon_choose(fixture->other, REPRESENTATIVE_CANONICAL);
    for (uint32_t seed = 0; seed < 5; seed++) {
        uint64_t packed[MAX_CELLS];
        int32_t leaf[MAX_CELLS];
        bool is_inside = false;
        canon_random_leaf(fixture->other, cells, seed, packed);
        layout_unpack(fixture->layout, packed, leaf);
        for (uint32_t j = 0; j < orbit.count && !is_inside; j++)
            is_inside = !memcmp(orbit.states[j], leaf, bytes);
        assert_true(is_inside);
    }
    uint64_t marker = canon_marker(fixture->other, cells);
    for (uint32_t i = 0; i < orbit.count; i++)
        assert_true(canon_marker(fixture->other, orbit.states[i]) == marker);
}

static void check_random(struct fixture *fixture, uint32_t rounds)
{
    int32_t cells[MAX_CELLS];
    for (uint32_t r = 0; r < FEWER(rounds); r++) {
        random_state(fixture, cells, 1 + r % 3);
        check_state(fixture, cells);
        if (r % 8 == 0)
            check_strategies(fixture, cells);
    }
}

/* Local states and references over two types and a third: everything a state can say. */
static struct fixture two_types(uint32_t nodes, uint32_t boxes)
{
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", nodes, nowhere);
    const struct type *box = type_index(system, "Box", boxes, nowhere);
    const struct type *flag = type_bool(system);
    system_add_global(system, "local", type_array(system, NULL, node, make_record(system, flag, node), nowhere),
                      nowhere);
    system_add_global(system, "owner", type_array(system, NULL, box, node, nowhere), nowhere);
    system_add_global(system, "full", type_array(system, NULL, box, flag, nowhere), nowhere);
    system_add_global(system, "net", type_multiset(system, NULL, make_record(system, node, box), 2, nowhere), nowhere);
    system_add_global(system, "token", node, nowhere);
    return fixture;
}

static void run_plan(struct fixture fixture, const struct plan *plans, uint32_t count, uint32_t rounds)
{
    open_plan(&fixture, plans, count);
    check_random(&fixture, rounds);
    fixture_close(&fixture);
}

static void test_rings(void **state)
{
    (void)state;
    static const struct plan turning[] = {{0, 6, {"(1 2 3 4 5 6)"}}};
    static const struct plan turned[] = {{0, 7, {"(1 2 3 4 5 6 7)", "(2 7)(3 6)(4 5)"}}};
    static const struct plan both[] = {{0, 5, {"(1 3 5 2 4)"}}, {5, 4, {"(1 2 3 4)", "(1 3)"}}};
    run_plan(two_types(6, 2), turning, 1, 300);
    run_plan(two_types(7, 2), turned, 1, 200);
    run_plan(two_types(5, 4), both, 2, 200);
}

/* One group on two types, in step; points in between that do not move. */
static void test_parallel(void **state)
{
    (void)state;
    static const struct plan together[] = {{0, 8, {"(1 2)(6 5)", "(1 2 3 4)(6 5 8 7)"}}};
    static const struct plan some[] = {{1, 7, {"(1 2)(6 7)", "(2 3)(5 6)"}}};
    static const struct plan turning[] = {{0, 10, {"(1 2 3 4 5)(6 8 10 7 9)"}}};
    run_plan(two_types(4, 4), together, 1, 200);
    run_plan(two_types(5, 4), some, 1, 200);
    run_plan(two_types(5, 5), turning, 1, 200);
}

static void test_mixed(void **state)
{
    (void)state;
    static const struct plan ring_and_full[] = {{0, 5, {"(1 2 3 4 5)"}}, {5, 4, {NULL}}};
    static const struct plan full_and_ring[] = {{0, 4, {NULL}}, {4, 3, {"(1 2 3)"}}};
    static const struct plan part[] = {{0, 3, {NULL}}, {3, 3, {"(1 2 3)"}}, {6, 2, {NULL}}};
    run_plan(two_types(5, 4), ring_and_full, 2, 200);
    run_plan(two_types(4, 3), full_and_ring, 2, 200);
    run_plan(two_types(6, 2), part, 3, 200);
}

static void test_products(void **state)
{
    (void)state;
    static const struct plan wreath[] = {{0, 6, {"(1 2)", "(1 3 5)(2 4 6)", "(1 3)(2 4)"}}};
    static const struct plan cube[] = {{0, 8, {"(1 2)(3 4)(5 6)(7 8)", "(1)(2 3 5)(4 7 6)", "(2 3)(6 7)"}}};
    static const struct plan sign[] = {{0, 7, {"(1 2 3)", "(1 2)(6 7)"}}};
    static const struct plan tree[] = {{0, 9, {"(1 2)", "(1 3 5)(2 4 6)(7 8 9)", "(1 3)(2 4)(7 8)"}}};
    run_plan(two_types(6, 2), wreath, 1, 150);
    run_plan(two_types(8, 2), cube, 1, 150);
    run_plan(two_types(5, 2), sign, 1, 150);
    run_plan(two_types(6, 3), tree, 1, 150);
}

/* Every state alike: the search must not try the group element by element. */
static void test_large(void **state)
{
    (void)state;
    static const struct plan together[] = {
        {0,
         40,
         {"(1 2)(21 22)", "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)"
                          "(21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40)"}}};
    struct fixture fixture = two_types(20, 20);
    int32_t cells[MAX_CELLS], representative[MAX_CELLS];
    struct bigint *size = bigint_create(0), *expected = bigint_create(19 * 20);
    open_plan(&fixture, together, 1);
    layout_blank(fixture.layout, cells);
    canon_orbit_size(fixture.canon, cells, size);
    bigint_set(expected, 1);
    assert_int_equal(bigint_compare(size, expected), 0);
    cells[2 * 7 + 1] = fixture.layout->cells[1].type->blocks->lo + 3; /* local[7].b names another node */
    canon_orbit_size(fixture.canon, cells, size);
    bigint_set(expected, 19 * 20);
    assert_int_equal(bigint_compare(size, expected), 0);
    canon_apply(fixture.canon, cells, representative);
    bigint_destroy(size);
    bigint_destroy(expected);
    fixture_close(&fixture);
}

/* The same with cells at pairs, and with a cell that holds a node or a box. */
static struct fixture pairs_of(uint32_t nodes, uint32_t boxes, bool has_union)
{
    struct fixture fixture = two_types(nodes, boxes);
    struct system *system = fixture.system;
    const struct type *node = fixture.system->globals.items[4]->type;
    const struct type *box = fixture.system->globals.items[1]->type->index;
    const struct type *either[] = {node, box};
    system_add_global(
        system, "sent",
        type_array(system, NULL, node, type_array(system, NULL, box, type_bool(system), nowhere), nowhere), nowhere);
    system_add_global(system, "last", has_union ? type_union(system, NULL, either, 2, nowhere) : box, nowhere);
    return fixture;
}

/* From one state to another, the short way. */
static void check_successors(struct fixture *fixture, uint32_t rounds)
{
    int32_t from[MAX_CELLS], to[MAX_CELLS], expected[MAX_CELLS], found[MAX_CELLS];
    uint64_t plain[MAX_CELLS], packed[MAX_CELLS];
    for (uint32_t r = 0; r < FEWER(rounds); r++) {
        uint32_t changed[MAX_CELLS], count = 0;
        random_state(fixture, to, 1 + r % 3);
        canon_apply(fixture->other, to, from);
        random_state(fixture, to, 1 + r % 3);
        for (uint32_t c = 0; c < fixture->layout->cell_count; c++) {
            if (to[c] != from[c])
                changed[count++] = c;
        }
        layout_pack(fixture->layout, from, plain);
        canon_begin(fixture->canon, from, plain);
        canon_successor(fixture->canon, to, changed, count, packed);
        layout_unpack(fixture->layout, packed, found);
        canon_apply(fixture->other, to, expected);
        assert_memory_equal(found, expected, fixture->layout->cell_count * sizeof *found);
    }
}

/* Are these families of one full group? Labelled by the search, and by nauty. */
static void check_families(struct fixture fixture, const struct plan *plans, uint32_t count, bool is_family)
{
    open_plan(&fixture, plans, count);
    assert_int_equal(canon_is_generated(fixture.canon), !is_family);
    check_random(&fixture, 120);
    check_successors(&fixture, 200);
    canon_set_budget(fixture.canon, 0);
    canon_set_budget(fixture.other, 0);
    check_random(&fixture, 40);
    fixture_close(&fixture);
}

static void test_families(void **state)
{
    (void)state;
    static const struct plan together[] = {{0, 8, {"(1 2)(5 6)", "(1 2 3 4)(5 6 7 8)"}}};
    static const struct plan some[] = {{1, 6, {"(1 2)(4 5)", "(2 3)(5 6)"}}};
    static const struct plan and_full[] = {{0, 3, {NULL}}, {3, 6, {"(1 2)(4 5)", "(2 3)(5 6)"}}};
    static const struct plan and_ring[] = {{0, 6, {"(1 2)(4 5)", "(2 3)(5 6)"}}, {6, 3, {"(1 2 3)"}}};
    static const struct plan crossed[] = {{0, 8, {"(1 2)(6 5)", "(1 2 3 4)(6 5 8 7)"}}};
    static const struct plan even[] = {{0, 8, {"(1 2 3)(5 6 7)", "(2 3 4)(6 7 8)"}}};
    static const struct plan unlike[] = {{0, 7, {"(1 2)(5 6)", "(2 3)(6 7)", "(3 4)(5 6)"}}};
    check_families(pairs_of(4, 4, false), together, 1, true);
    check_families(pairs_of(4, 5, false), some, 1, true);
    check_families(pairs_of(6, 3, false), and_full, 2, true);
    check_families(pairs_of(3, 6, false), and_ring, 2, false);
    check_families(pairs_of(4, 4, true), together, 1, false);
    check_families(pairs_of(4, 4, false), crossed, 1, false);
    check_families(pairs_of(4, 4, false), even, 1, false);
    check_families(pairs_of(4, 3, false), unlike, 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),    cmocka_unit_test(test_parallel), cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_products), cmocka_unit_test(test_large),    cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
