/* The canonicaliser on states with many elements, where all permutations cannot be tried: known orbit sizes, and the
 * same representative for random relabellings, with the search, with nauty, and with the switch between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/build.h"
#include "canon/canon.h"

enum { MAX_CELLS = 2048, MAX_DEGREE = 64 };
static const struct span nowhere;

struct fixture {
    struct system *system;
    struct layout *layout;
    struct symmetry *symmetry;
    struct canon *canon;
    const struct type *node;
    uint64_t random;
    int32_t cells[MAX_CELLS];
};

enum shape { LOCAL, REFERENCES, MATRIX };

static struct fixture *fixture_create(enum shape shape, uint32_t degree)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct system *system = fixture->system = system_create("canon");
    const struct type *node = fixture->node = type_index(system, "Node", degree, nowhere);
    const struct type *row = shape == LOCAL        ? type_range(system, NULL, 0, 9, nowhere)
                             : shape == REFERENCES ? node
                                                   : type_array(system, NULL, node, type_bool(system), nowhere);
    system_add_global(system, "v", type_array(system, NULL, node, row, nowhere), nowhere);
    system_finish(system);
    fixture->layout = layout_create(system);
    fixture->symmetry = symmetry_find(system);
    fixture->canon = canon_create(fixture->symmetry, fixture->layout);
    fixture->random = 88172645463325252u;
    assert_true(fixture->layout->cell_count <= MAX_CELLS);
    return fixture;
}

static void fixture_destroy(struct fixture *fixture)
{
    canon_destroy(fixture->canon);
    symmetry_destroy(fixture->symmetry);
    layout_destroy(fixture->layout);
    system_destroy(fixture->system);
    free(fixture);
}

static void shuffle(struct fixture *fixture, uint32_t *image)
{
    uint32_t n = fixture->node->size;
    for (uint32_t i = 0; i < n; i++) {
        fixture->random ^= fixture->random << 13;
        fixture->random ^= fixture->random >> 7;
        fixture->random ^= fixture->random << 17;
        uint32_t j = (uint32_t)((fixture->random >> 20) % (i + 1));
        image[i] = image[j];
        image[j] = i;
    }
}

static void check_size(struct fixture *fixture, const int32_t *cells, const char *expected)
{
    struct bigint *size = bigint_create(0);
    canon_orbit_size(fixture->canon, cells, size);
    char *digits = bigint_digits(size);
    assert_string_equal(digits, expected);
    free(digits);
    bigint_destroy(size);
}

/* Checks the fixture's state: `size` is the decimal number of states in its orbit. Leaves the representative. */
static void check(struct fixture *fixture, const char *size, uint32_t rounds, int32_t *representative)
{
    static const uint64_t budgets[] = {UINT64_MAX, 0, 100, 4096};
    size_t bytes = fixture->layout->cell_count * sizeof(int32_t);
    static int32_t moved[MAX_CELLS], other[MAX_CELLS];
    for (size_t b = 0; b < 4; b++) {
        canon_set_budget(fixture->canon, budgets[b]);
        check_size(fixture, fixture->cells, size);
        canon_apply(fixture->canon, fixture->cells, representative);
        for (uint32_t r = 0; r < rounds; r++) {
            uint32_t image[MAX_DEGREE];
            const uint32_t *images[1] = {image};
            shuffle(fixture, image);
            symmetry_act(fixture->symmetry, fixture->layout, images, fixture->cells, moved);
            canon_apply(fixture->canon, moved, other);
            assert_memory_equal(other, representative, bytes);
        }
        check_size(fixture, moved, size);
    }
}

static void set_references(struct fixture *fixture, uint32_t (*next)(uint32_t))
{
    for (uint32_t i = 0; i < fixture->node->size; i++)
        fixture->cells[i] = fixture->node->blocks->lo + (int32_t)next(i);
}

static void set_matrix(struct fixture *fixture, bool (*edge)(uint32_t, uint32_t))
{
    uint32_t n = fixture->node->size;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            fixture->cells[i * n + j] = i != j && edge(i, j);
}

static void test_twins(void **state)
{
    (void)state;
    int32_t representative[MAX_CELLS];
    struct fixture *fixture = fixture_create(LOCAL, 12);
    check(fixture, "1", 100, representative);
    fixture->cells[7] = 1;
    check(fixture, "12", 100, representative);
    for (uint32_t i = 0; i < 5; i++)
        fixture->cells[i] = 3;
    check(fixture, "5544", 100, representative);
    for (uint32_t i = 0; i < 12; i++)
        fixture->cells[i] = (int32_t)(i % 6);
    check(fixture, "7484400", 100, representative);
    fixture_destroy(fixture);
    fixture = fixture_create(LOCAL, 40);
    for (uint32_t i = 0; i < 20; i++)
        fixture->cells[2 * i] = 1;
    check(fixture, "137846528820", 100, representative);
    fixture_destroy(fixture);
}

static uint32_t next_in_ring(uint32_t i)
{
    return (i + 1) % 12;
}

static uint32_t next_in_pair(uint32_t i)
{
    return i ^ 1;
}

static uint32_t next_in_hexagon(uint32_t i)
{
    return i / 6 * 6 + (i % 6 + 1) % 6;
}

static uint32_t next_in_star(uint32_t i)
{
    return i / 4 * 4;
}

static void test_references(void **state)
{
    (void)state;
    int32_t representative[MAX_CELLS];
    struct fixture *fixture = fixture_create(REFERENCES, 12);
    set_references(fixture, next_in_ring);
    check(fixture, "39916800", 50, representative);
    set_references(fixture, next_in_pair);
    check(fixture, "10395", 50, representative);
    set_references(fixture, next_in_hexagon);
    check(fixture, "6652800", 50, representative);
    set_references(fixture, next_in_star);
    check(fixture, "369600", 50, representative);
    fixture_destroy(fixture);
}

static bool edge_in_cube(uint32_t i, uint32_t j)
{
    uint32_t differ = i ^ j;
    return (differ & (differ - 1)) == 0;
}

static bool edge_in_rook(uint32_t i, uint32_t j)
{
    return i / 4 == j / 4 || i % 4 == j % 4;
}

/* On the 4 x 4 torus: the neighbours in both directions and along one diagonal. */
static bool edge_in_shrikhande(uint32_t i, uint32_t j)
{
    uint32_t x = (i / 4 - j / 4) & 3, y = (i % 4 - j % 4) & 3;
    return (x == 0 && (y == 1 || y == 3)) || (y == 0 && (x == 1 || x == 3)) || (x == y && (x == 1 || x == 3));
}

static bool edge_in_triangles(uint32_t i, uint32_t j)
{
    return i / 3 == j / 3;
}

static void test_graphs(void **state)
{
    (void)state;
    static int32_t first[MAX_CELLS], second[MAX_CELLS];
    struct fixture *fixture = fixture_create(MATRIX, 16);
    set_matrix(fixture, edge_in_cube);
    check(fixture, "54486432000", 20, first);
    set_matrix(fixture, edge_in_rook);
    check(fixture, "18162144000", 20, first);
    set_matrix(fixture, edge_in_shrikhande);
    check(fixture, "108972864000", 20, second);
    assert_memory_not_equal(first, second, fixture->layout->cell_count * sizeof(int32_t));
    fixture_destroy(fixture);
    fixture = fixture_create(MATRIX, 9);
    set_matrix(fixture, edge_in_triangles);
    check(fixture, "280", 20, first);
    fixture_destroy(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twins), cmocka_unit_test(test_references),
                                       cmocka_unit_test(test_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
