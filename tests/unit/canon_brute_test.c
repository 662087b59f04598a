/* The canonicaliser against brute force over all permutations: random states of systems with every way a state can
 * mention elements. Same orbit <=> same representative; the representative is in the orbit; orbit sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "canon_states.h"
#include "permutation_next.h"
#include "sanitized.h"

enum { MAX_FACTORS = 3, MAX_DEGREE = 5, MAX_ORBIT = 4096 };

struct group_walk {
    uint32_t storage[MAX_FACTORS][MAX_DEGREE];
    const uint32_t *images[MAX_FACTORS];
};

static void group_identity(const struct symmetry *symmetry, struct group_walk *walk, uint32_t f)
{
    for (uint32_t i = 0; i < symmetry->factors[f].degree; i++)
        walk->storage[f][i] = i;
    walk->images[f] = walk->storage[f];
}

static bool group_next(const struct symmetry *symmetry, struct group_walk *walk)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (permutation_next(walk->storage[f], symmetry->factors[f].degree))
            return true;
        group_identity(symmetry, walk, f);
    }
    return false;
}

/* Checks one state: every image has the same representative, which is one of the images; counts distinct images. */
static void check_state(struct fixture *fixture, const int32_t *cells)
{
    static int32_t orbit[MAX_ORBIT][MAX_CELLS];
    int32_t representative[MAX_CELLS], image[MAX_CELLS], other[MAX_CELLS];
    size_t bytes = fixture->layout->cell_count * sizeof(int32_t);
    uint32_t count = 0;
    bool is_inside = false;
    canon_apply(fixture->canon, cells, representative);
    struct group_walk walk;
    for (uint32_t f = 0; f < fixture->symmetry->factor_count; f++)
        walk.images[f] = canon_image(fixture->canon, f);
    symmetry_act(fixture->symmetry, fixture->layout, walk.images, cells, image);
    assert_memory_equal(image, representative, bytes);
    for (uint32_t f = 0; f < fixture->symmetry->factor_count; f++)
        group_identity(fixture->symmetry, &walk, f);
    do {
        symmetry_act(fixture->symmetry, fixture->layout, walk.images, cells, image);
        uint32_t at = 0;
        while (at < count && memcmp(orbit[at], image, bytes) != 0)
            at++;
        if (at < count)
            continue;
        assert_true(count < MAX_ORBIT);
        memcpy(orbit[count++], image, bytes);
        canon_apply(fixture->canon, image, other);
        assert_memory_equal(other, representative, bytes);
        is_inside |= memcmp(image, representative, bytes) == 0;
    } while (group_next(fixture->symmetry, &walk));
    assert_true(is_inside);
    struct bigint *size = bigint_create(0), *expected = bigint_create(count);
    canon_orbit_size(fixture->canon, cells, size);
    assert_int_equal(bigint_compare(size, expected), 0);
    bigint_destroy(size);
    bigint_destroy(expected);
}

static bool is_same(const struct fixture *fixture, const int32_t *cells, const int32_t *others)
{
    return memcmp(cells, others, fixture->layout->cell_count * sizeof *cells) == 0;
}

/* Some cells, or one, as rules do, are replaced by those of another random state; multisets are sorted again. */
static uint32_t random_step(struct fixture *fixture, const int32_t *cells, int32_t *next, uint32_t *changed,
                            uint32_t spread)
{
    int32_t other[MAX_CELLS];
    uint32_t count = 0, n = fixture->layout->cell_count, part = 1 + (uint32_t)(random_next(fixture) % 8);
    uint32_t only = (uint32_t)(random_next(fixture) % (2 * n));
    part = only < n ? 0 : part;
    random_state(fixture, other, spread);
    for (uint32_t c = 0; c < n; c++)
        next[c] =
            fixture->layout->cells[c].type && (c == only || random_next(fixture) % 8 < part) ? other[c] : cells[c];
    for (uint32_t m = 0; m < fixture->layout->multiset_count && part > 4; m++) {
        const struct multiset_site *site = &fixture->layout->multisets[m];
        memcpy(next + site->address, other + site->address, site->type->cells * sizeof *next);
    }
    for (uint32_t m = 0; m < fixture->layout->multiset_count; m++) { /* free slots are blank */
        const struct multiset_site *site = &fixture->layout->multisets[m];
        for (uint32_t s = 0; s < site->type->cells; s += multiset_stride(site->type))
            for (uint32_t c = 1; !next[site->address + s] && c < multiset_stride(site->type); c++)
                next[site->address + s + c] = fixture->layout->cells[site->address + s + c].type ? UNDEFINED : 0;
    }
    layout_normalise(fixture->layout, next);
    for (uint32_t c = 0; c < n; c++)
        if (next[c] != cells[c])
            changed[count++] = c;
    return count;
}

/* The short way to a successor's representative gives the same as the long one, and the size of its orbit. */
static void check_successors(struct fixture *fixture, const int32_t *parent, uint32_t rounds, uint32_t spread)
{
    int32_t next[MAX_CELLS], expected[MAX_CELLS], found[MAX_CELLS];
    uint64_t parent_packed[MAX_CELLS], packed[MAX_CELLS], size, expected_size;
    uint32_t changed[MAX_CELLS];
    struct bigint *orbit = bigint_create(0);
    layout_pack(fixture->layout, parent, parent_packed);
    canon_begin(fixture->canon, parent, parent_packed);
    for (uint32_t r = 0; r < rounds; r++) {
        uint32_t count = random_step(fixture, parent, next, changed, spread);
        uint64_t classes = canon_successor(fixture->canon, next, r % 5 ? changed : NULL, count, packed);
        if (canon_plain(fixture->canon)) {
            layout_unpack(fixture->layout, canon_plain(fixture->canon), found);
            assert_true(is_same(fixture, found, next));
        }
        if (r % 3 == 0) { /* other work in between */
            canon_apply(fixture->canon, next, expected);
            layout_unpack(fixture->layout, packed, found);
            assert_true(is_same(fixture, found, expected));
        }
        layout_unpack(fixture->layout, packed, found);
        canon_apply(fixture->other, next, expected);
        assert_true(is_same(fixture, found, expected));
        canon_orbit_size(fixture->other, next, orbit);
        if (canon_orbit_of(fixture->canon, classes, &size)) {
            assert_true(bigint_fits_u64(orbit, &expected_size));
            assert_int_equal(size, expected_size);
        }
    }
    bigint_destroy(orbit);
}

static void check_random(struct fixture *fixture, uint32_t rounds)
{
    static const uint64_t budgets[] = {4096, 0, UINT64_MAX, 3};
    int32_t cells[MAX_CELLS], representative[MAX_CELLS];
    for (uint32_t r = 0; r < (IS_SANITIZED ? rounds / 4 : rounds); r++) {
        random_state(fixture, cells, 1 + r % 3);
        canon_set_budget(fixture->canon, budgets[r % 4]);
        canon_set_budget(fixture->other, budgets[r % 4]);
        check_state(fixture, cells);
        check_successors(fixture, cells, 2, 1 + r % 3);
        canon_apply(fixture->canon, cells, representative);
        check_successors(fixture, representative, 8, 1 + r % 3);
    }
}

static void test_local_states(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 5, nowhere);
    const struct type *range = type_range(system, NULL, 0, 3, nowhere);
    system_add_global(system, "s",
                      type_array(system, NULL, node, make_record(system, range, type_bool(system)), nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 300);
    fixture_close(&fixture);
}

static void test_references(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 5, nowhere);
    system_add_global(system, "head", node, nowhere);
    system_add_global(system, "next",
                      type_array(system, NULL, node, make_record(system, node, type_bool(system)), nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

/* Lists from both ends: who is known by name changes in many ways. */
static void test_lists(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 5, nowhere);
    const struct type *other = type_index(system, "Other", 2, nowhere);
    const struct type *links = make_record(system, node, node);
    system_add_global(system, "head", node, nowhere);
    system_add_global(system, "tail", node, nowhere);
    system_add_global(system, "owner", other, nowhere);
    system_add_global(system, "links",
                      type_array(system, NULL, node, make_record(system, links, type_bool(system)), nowhere), nowhere);
    system_add_global(system, "held", type_array(system, NULL, other, node, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

static void test_pure_references(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 5, nowhere);
    system_add_global(system, "next", type_array(system, NULL, node, node, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

static void test_two_indices(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 4, nowhere);
    const struct type *line = type_index(system, "Line", 3, nowhere);
    const struct type *flag = type_bool(system);
    const struct type *row = type_array(system, NULL, node, flag, nowhere);
    system_add_global(system, "edge", type_array(system, NULL, node, row, nowhere), nowhere);
    const struct type *lines = type_array(system, NULL, line, make_record(system, flag, node), nowhere);
    system_add_global(system, "held", type_array(system, NULL, node, lines, nowhere), nowhere);
    system_add_global(system, "owner", type_array(system, NULL, line, node, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 300);
    fixture_close(&fixture);
}

/* Only a symmetric relation: many automorphisms that are no exchange of two elements. */
static void test_graphs(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 5, nowhere);
    const struct type *row = type_array(system, NULL, node, type_bool(system), nowhere);
    system_add_global(system, "edge", type_array(system, NULL, node, row, nowhere), nowhere);
    fixture_open(&fixture);
    int32_t cells[MAX_CELLS];
    static const uint64_t budgets[] = {UINT64_MAX, 0, 5};
    for (uint32_t graph = 0; graph < 1024; graph += 3) {
        uint32_t bit = 0;
        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t j = 0; j <= i; j++)
                cells[5 * i + j] = cells[5 * j + i] = i == j ? 0 : (int32_t)(graph >> bit++ & 1);
        canon_set_budget(fixture.canon, budgets[graph % 3]);
        check_state(&fixture, cells);
        canon_set_budget(fixture.canon, budgets[(graph / 3) % 3]);
        check_state(&fixture, cells);
    }
    fixture_close(&fixture);
}

static void test_unions(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const char *labels[] = {"none", "all"};
    const struct type *special = type_enum(system, "Special", labels, 2, nowhere);
    const struct type *node = type_index(system, "Node", 3, nowhere);
    const struct type *home = type_index(system, "Home", 1, nowhere);
    const struct type *line = type_index(system, "Line", 3, nowhere);
    const struct type *members[] = {line, special, node, home};
    const struct type *any = type_union(system, "Any", members, 4, nowhere);
    system_add_global(system, "x", any, nowhere);
    system_add_global(system, "a", type_array(system, NULL, any, any, nowhere), nowhere);
    system_add_global(system, "b", type_array(system, NULL, node, make_record(system, any, type_bool(system)), nowhere),
                      nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

static void test_multisets(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 4, nowhere);
    const struct type *line = type_index(system, "Line", 3, nowhere);
    const struct type *message = make_record(system, node, make_record(system, node, type_bool(system)));
    system_add_global(system, "net", type_multiset(system, NULL, message, 4, nowhere), nowhere);
    const struct type *inbox = type_multiset(system, NULL, make_record(system, line, type_bool(system)), 2, nowhere);
    system_add_global(system, "inbox", type_array(system, NULL, node, inbox, nowhere), nowhere);
    const struct type *plain = type_multiset(system, NULL, type_range(system, NULL, 0, 2, nowhere), 2, nowhere);
    system_add_global(system, "plain", type_array(system, NULL, line, plain, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

static void test_arrays_in_multisets(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 4, nowhere);
    const struct type *set = type_array(system, NULL, node, type_bool(system), nowhere);
    const struct type *element =
        make_record(system, node, make_record(system, set, type_array(system, NULL, node, node, nowhere)));
    system_add_global(system, "net", type_multiset(system, NULL, element, 3, nowhere), nowhere);
    system_add_global(system, "sets", type_multiset(system, NULL, set, 3, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

static void test_three_factors(void **state)
{
    (void)state;
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 4, nowhere);
    const struct type *line = type_index(system, "Line", 3, nowhere);
    const struct type *value = type_index(system, "Value", 3, nowhere);
    system_add_global(system, "memory", type_array(system, NULL, line, make_record(system, value, node), nowhere),
                      nowhere);
    const struct type *cache = type_array(system, NULL, line, value, nowhere);
    system_add_global(system, "cache", type_array(system, NULL, node, cache, nowhere), nowhere);
    fixture_open(&fixture);
    check_random(&fixture, 200);
    fixture_close(&fixture);
}

/* Two factors on parts of one type, not side by side; the other elements stay. */
static void test_parts_of_a_type(void **state)
{
    (void)state;
    static const uint32_t members[2][3] = {{0, 2, 5}, {1, 4}};
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *node = type_index(system, "Node", 6, nowhere);
    system_add_global(system, "head", node, nowhere);
    system_add_global(system, "next",
                      type_array(system, NULL, node, make_record(system, node, type_bool(system)), nowhere), nowhere);
    const struct type *set = type_array(system, NULL, node, type_bool(system), nowhere);
    system_add_global(system, "sees", type_array(system, NULL, node, set, nowhere), nowhere);
    system_add_global(system, "net", type_multiset(system, NULL, make_record(system, node, node), 3, nowhere), nowhere);
    system_finish(system);
    struct symmetry *symmetry = symmetry_none(system);
    struct symmetry_factor *factors = ARENA_ARRAY(symmetry->arena, struct symmetry_factor, 2);
    for (uint32_t f = 0; f < 2; f++) {
        struct symmetry_point *points = ARENA_ARRAY(symmetry->arena, struct symmetry_point, 3);
        factors[f] = (struct symmetry_factor){.type = node, .degree = 3 - f, .points = points, .is_used = true};
        for (uint32_t p = 0; p < factors[f].degree; p++)
            points[p] = (struct symmetry_point){.type = node, .ordinal = members[f][p]};
    }
    symmetry->factors = factors;
    symmetry->factor_count = 2;
    fixture_open_with(&fixture, symmetry);
    check_random(&fixture, 600);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_states),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_pure_references),
        cmocka_unit_test(test_two_indices),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_unions),
        cmocka_unit_test(test_multisets),
        cmocka_unit_test(test_arrays_in_multisets),
        cmocka_unit_test(test_three_factors),
        cmocka_unit_test(test_parts_of_a_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
