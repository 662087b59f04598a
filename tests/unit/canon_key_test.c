/* Keys of instances (canon_key): a permutation of a state and an instance keeps the key, by brute force over all
 * permutations, and so does any change of cells that are not listed. Sleep sets with symmetry rest on both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "ir/instance.h"
#include "canon_states.h"
#include "permutation_next.h"
#include "sanitized.h"
#include "text_model.h"

enum {
    BITS = 32,
    FEW_BITS = 7,
    ROUNDS = IS_SANITIZED ? 40 : 200,
    CHANGES = 4,
    DEGREE = 4,
    FACTORS = 2,
    PARAMETERS = 3
};

/* Rows of flat values, of references, of both; of two types; and cells of no row. */
static const char *const rows = "type P: scalarset(4); Q: scalarset(2); E: enum { e, f, g };"
                                "  Rec: record n: 0..3; who: P; end;"
                                "var place: array [P] of E; next: array [P] of P; rec: array [P] of Rec;"
                                "  held: array [Q] of P; owner: array [P] of Q; turn: P; count: 0..3;";
/* What stands in the rows of two elements, and messages. */
static const char *const pairs =
    "type P: scalarset(3); Q: scalarset(2); U: union { P, enum { none } };"
    "var link: array [P] of array [P] of boolean; seen: array [P] of array [Q] of 0..2; any: array [P] of U;"
    "  flag: array [Q] of boolean; net: multiset [2] of P; last: U; count: 0..1;";
static const char *const rules = "startstate begin clear count; end;"
                                 "ruleset p: P do rule \"one\" true ==> begin end; end;"
                                 "ruleset p: P; q: Q do rule \"two types\" true ==> begin end; end;"
                                 "ruleset p: P; r: P do rule \"two\" true ==> begin end; end;"
                                 "ruleset n: 0..2; p: P; r: P do rule \"and a number\" true ==> begin end; end;"
                                 "ruleset n: 0..2 do rule \"number\" true ==> begin end; end;";

static void setup(struct fixture *fixture, struct model **model, const char *declarations)
{
    char text[2048];
    snprintf(text, sizeof text, "%s %s", declarations, rules);
    *model = text_model("canon_key_test.m", text);
    *fixture = (struct fixture){.system = (*model)->system};
    fixture_open_with(fixture, symmetry_find(fixture->system));
    assert_int_equal(fixture->symmetry->factor_count, FACTORS);
    for (uint32_t f = 0; f < FACTORS; f++)
        assert_true(fixture->symmetry->factors[f].is_used);
}

static void teardown(struct fixture *fixture, struct model *model)
{
    canon_destroy(fixture->canon);
    canon_destroy(fixture->other);
    symmetry_destroy(fixture->symmetry);
    layout_destroy(fixture->layout);
    model_destroy(model);
}

static uint32_t key_in(struct canon *canon, const struct layout *layout, const int32_t *cells, const struct rule *rule,
                       uint64_t instance, uint32_t bits)
{
    uint64_t packed[MAX_CELLS];
    layout_pack(layout, cells, packed);
    canon_begin(canon, cells, packed);
    return canon_key(canon, rule, instance, bits);
}

/* Where a permutation takes it: its parameters are taken there one by one. */
static uint64_t image_of(const struct symmetry *symmetry, const struct rule *rule, uint64_t instance,
                         uint32_t images[FACTORS][DEGREE])
{
    int32_t values[PARAMETERS];
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        for (uint32_t f = 0; f < FACTORS; f++) {
            const struct type *type = symmetry->factors[f].type;
            if (rule->parameters[p].type == type)
                values[p] = type_code(type, images[f][values[p] - type_code(type, 0)]);
        }
    return instance_number(rule, values);
}

static void check_image(struct fixture *fixture, const int32_t *cells, uint32_t images[FACTORS][DEGREE])
{
    int32_t moved[MAX_CELLS];
    const uint32_t *pointers[FACTORS] = {images[0], images[1]};
    const struct system *system = fixture->system;
    symmetry_act(fixture->symmetry, fixture->layout, pointers, cells, moved);
    for (size_t r = 0; r < system->rules.count; r++) {
        const struct rule *rule = system->rules.items[r];
        uint64_t instance = random_next(fixture) % rule->instance_count;
        uint64_t image = image_of(fixture->symmetry, rule, instance, images);
        uint32_t key = key_in(fixture->canon, fixture->layout, cells, rule, instance, BITS);
        assert_int_equal(key_in(fixture->other, fixture->layout, moved, rule, image, BITS), key);
        assert_int_equal(canon_key(fixture->other, rule, image, FEW_BITS), key >> (BITS - FEW_BITS));
    }
}

/* All permutations of each factor, with a random one of the other. */
static void check_images(struct fixture *fixture, const int32_t *cells)
{
    uint32_t images[FACTORS][DEGREE];
    for (uint32_t f = 0; f < FACTORS; f++)
        for (uint32_t i = 0; i < DEGREE; i++)
            images[f][i] = i;
    do {
        if (random_next(fixture) % 2)
            permutation_next(images[1], fixture->symmetry->factors[1].degree);
        check_image(fixture, cells, images);
    } while (permutation_next(images[0], fixture->symmetry->factors[0].degree));
}

/* Cells that are not listed are those of another state; multisets are so as a whole, and no key lists a part of one. */
static void check_changes(struct fixture *fixture, const int32_t *cells, const struct rule *rule, uint64_t instance)
{
    uint64_t listed[MAX_CELLS / 64 + 1] = {0};
    int32_t next[MAX_CELLS];
    bool is_keyed = canon_list_key_cells(fixture->canon, rule, instance, listed);
    assert_int_equal(is_keyed, rule->parameters[rule->parameter_count - 1].type->kind == TYPE_INDEX);
    uint32_t key = key_in(fixture->canon, fixture->layout, cells, rule, instance, BITS);
    for (uint32_t i = 0; i < CHANGES; i++) {
        random_state(fixture, next, 3);
        for (uint32_t c = 0; c < fixture->layout->cell_count; c++)
            if (bits_has(listed, c))
                next[c] = cells[c];
        assert_int_equal(key_in(fixture->other, fixture->layout, next, rule, instance, BITS), key);
    }
}

static void check_rows(const char *declarations)
{
    struct fixture fixture;
    struct model *model;
    int32_t cells[MAX_CELLS];
    setup(&fixture, &model, declarations);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        random_state(&fixture, cells, 1 + round % 3);
        check_images(&fixture, cells);
        for (size_t r = 0; r < fixture.system->rules.count; r++)
            for (uint64_t i = 0; i < fixture.system->rules.items[r]->instance_count; i++)
                check_changes(&fixture, cells, fixture.system->rules.items[r], i);
    }
    teardown(&fixture, model);
}

static void test_rows(void **state)
{
    (void)state;
    check_rows(rows);
}

static void test_pairs(void **state)
{
    (void)state;
    check_rows(pairs);
}

/* Keys tell rows apart, or nothing would ever be asleep; and those that are kept are the lesser ones. */
static void test_order(void **state)
{
    (void)state;
    struct fixture fixture;
    struct model *model;
    int32_t cells[MAX_CELLS];
    uint32_t different = 0;
    setup(&fixture, &model, rows);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        random_state(&fixture, cells, 3);
        for (size_t r = 0; r < fixture.system->rules.count; r++) {
            const struct rule *rule = fixture.system->rules.items[r];
            uint64_t one = random_next(&fixture) % rule->instance_count;
            uint64_t all = ~(uint64_t)0 >> (64 - rule->instance_count);
            uint32_t limit = key_in(fixture.canon, fixture.layout, cells, rule, one, FEW_BITS);
            uint64_t kept = canon_keep_lesser(fixture.canon, rule, 0, all, limit, FEW_BITS);
            for (uint64_t i = 0; i < rule->instance_count; i++) {
                uint32_t key = canon_key(fixture.canon, rule, i, FEW_BITS);
                assert_int_equal(kept >> i & 1, key < limit);
                different += key != limit;
            }
        }
    }
    assert_true(different > 5 * ROUNDS);
    teardown(&fixture, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
