/* Types, layout, instances: every kind of type packed, unpacked, named and normalised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "ir/instance.h"
#include "ir_shorthand.h"

struct world {
    struct system *system;
    const struct type *node, *colour, *shape, *near, *far, *level, *wide;
};

/* near: a union whose blocks touch; far: one with a gap between them. */
static struct world world_create(void)
{
    static const char *const colours[] = {"Red", "Green", "Blue"};
    static const char *const shapes[] = {"Round"};
    struct world w = {.system = system_create("world")};
    struct system *s = w.system;
    w.node = type_index(s, "Node", 4, NOWHERE);
    w.colour = type_enum(s, "Colour", colours, 3, NOWHERE);
    w.shape = type_enum(s, "Shape", shapes, 1, NOWHERE);
    w.near = type_union(s, "Near", (const struct type *[]){w.colour, w.node}, 2, NOWHERE);
    w.far = type_union(s, "Far", (const struct type *[]){w.shape, w.node, w.shape}, 3, NOWHERE);
    w.level = type_range(s, "Level", -3, 4, NOWHERE);
    w.wide = type_range(s, NULL, INT32_MIN + 1, INT32_MAX, NOWHERE);
    return w;
}

static void assert_text(struct text *text, const char *expected)
{
    assert_string_equal(text_chars(text), expected);
    text_free(text);
}

static void test_codes(void **state)
{
    (void)state;
    struct world w = world_create();
    const struct type *types[] = {w.system->boolean, w.node, w.colour, w.shape, w.near, w.far, w.level};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        int32_t last = INT32_MIN;
        for (uint32_t o = 0; o < types[t]->size; o++) {
            int32_t code = type_code(types[t], o);
            assert_true(code > last); /* ordinals follow codes */
            last = code;
            assert_int_equal(type_ordinal(types[t], code), o);
        }
        assert_int_equal(type_ordinal(types[t], UNDEFINED), -1);
        assert_int_equal(type_ordinal(types[t], (int64_t)last + 1), -1);
        assert_int_equal(type_ordinal(types[t], (int64_t)INT32_MAX + 1), -1);
    }
    assert_int_equal(w.far->size, 5);
    assert_int_equal(w.far->block_count, 2);
    assert_int_equal(w.wide->size, UINT32_MAX);
    assert_int_equal(type_ordinal(w.wide, INT32_MAX), (int64_t)UINT32_MAX - 1);
    assert_int_equal(type_code(w.wide, UINT32_MAX - 1), INT32_MAX);
    assert_false(type_has(w.far, type_code(w.colour, 0)));
    assert_true(type_has_index(w.near));
    assert_false(type_has_index(w.colour));
    assert_null(type_index(w.system, "Huge", INT32_MAX, NOWHERE));
    assert_null(type_array(w.system, NULL, w.wide, w.node, NOWHERE));
    assert_null(type_multiset(w.system, NULL, w.node, TYPE_MAX_CELLS, NOWHERE));
    system_destroy(w.system);
}

static void test_mentions(void **state)
{
    (void)state;
    struct world w = world_create();
    struct system *s = w.system;
    const struct type *array = type_array(s, NULL, w.node, w.level, NOWHERE);
    const struct type *bag = type_multiset(s, NULL, w.far, 2, NOWHERE);
    struct field fields[] = {{.name = "l", .type = w.level}, {.name = "b", .type = bag}};
    const struct type *record = type_record(s, NULL, fields, 2, NOWHERE);
    assert_true(type_mentions(w.node, w.node));
    assert_true(type_mentions(array, w.node));
    assert_true(type_mentions(record, w.node));
    assert_false(type_mentions(w.level, w.node));
    assert_false(type_mentions(array, w.colour));
    assert_true(type_has_multiset(type_array(s, NULL, w.node, record, NOWHERE)));
    assert_false(type_has_multiset(array));
    system_destroy(s);
}

static void test_print(void **state)
{
    (void)state;
    struct world w = world_create();
    struct system *s = w.system;
    struct text text = {0};
    type_print_value(s->boolean, 1, &text);
    text_char(&text, ' ');
    type_print_value(w.level, -3, &text);
    text_char(&text, ' ');
    type_print_value(w.far, type_code(w.node, 1), &text);
    text_char(&text, ' ');
    type_print_value(w.near, type_code(w.colour, 2), &text);
    text_char(&text, ' ');
    type_print_value(w.node, UNDEFINED, &text);
    assert_text(&text, "true -3 Node_2 Blue undefined");
    struct field fields[] = {{.name = "a", .type = w.level}, {.name = "b", .type = s->boolean}};
    const struct type *record = type_record(s, NULL, fields, 2, NOWHERE);
    type_print(type_array(s, NULL, w.node, type_multiset(s, NULL, record, 2, NOWHERE), NOWHERE), &text);
    assert_text(&text, "array [Node] of multiset [2] of record {a: Level; b: boolean}");
    type_print_structure(w.far, &text);
    text_char(&text, ' ');
    type_print_structure(w.colour, &text);
    text_char(&text, ' ');
    type_print_structure(w.level, &text);
    assert_text(&text, "union {Node, Shape} enum {Red, Green, Blue} -3..4");
    const struct type *least = type_least_range(s, NULL, 7, NOWHERE), *field = type_range(s, NULL, -7, 7, NOWHERE);
    type_print_structure(least, &text);
    text_char(&text, ' ');
    type_print_value(least, UNDEFINED, &text);
    assert_text(&text, "-2147483648..7 -2147483648");
    assert_true(type_has_value(least, UNDEFINED) && !type_has_value(field, UNDEFINED) && type_has_value(field, 3));
    assert_true(type_has_least(type_array(s, NULL, w.node, least, NOWHERE)));
    assert_false(type_has_same_values(least, type_range(s, NULL, INT32_MIN + 1, 7, NOWHERE)));
    system_destroy(s);
}

/* A state with every kind of type in it, multisets in multisets included. */
static struct layout *everything(struct world *w)
{
    struct system *s = w->system;
    const struct type *inner = type_multiset(s, NULL, w->far, 2, NOWHERE);
    struct field fields[] = {
        {.name = "kind", .type = w->colour}, {.name = "to", .type = w->node}, {.name = "bag", .type = inner}};
    const struct type *message = type_record(s, "Message", fields, 3, NOWHERE);
    system_add_global(s, "flag", s->boolean, NOWHERE);
    system_add_global(s, "wide", w->wide, NOWHERE);
    system_add_global(s, "levels", type_array(s, NULL, w->near, w->level, NOWHERE), NOWHERE);
    system_add_global(s, "wider", w->wide, NOWHERE);
    system_add_global(s, "any", type_array(s, NULL, w->node, w->far, NOWHERE), NOWHERE);
    system_add_global(s, "near", w->near, NOWHERE);
    system_add_global(s, "net", type_multiset(s, NULL, message, 3, NOWHERE), NOWHERE);
    system_add_global(s, "empty", type_record(s, NULL, NULL, 0, NOWHERE), NOWHERE);
    assert_true(system_finish(s));
    return layout_create(s);
}

static void randomise(const struct layout *layout, int32_t *cells, uint64_t *seed)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type;
        uint64_t random = *seed = hash_mix(*seed);
        if (!type)
            cells[c] = random & 1;
        else if (random % 4 == 0)
            cells[c] = UNDEFINED;
        else if (random % 4 == 1) /* the ends are where packing goes wrong */
            cells[c] = type_code(type, random & 4 ? 0 : type->size - 1);
        else
            cells[c] = type_code(type, (uint32_t)((random >> 8) % type->size));
    }
}

/* From one packed state to another: the cells that differ, each once. */
static void test_changes(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    uint32_t count = layout->cell_count;
    int32_t *before = memory_zeroed(count, sizeof *before), *after = memory_zeroed(count, sizeof *after);
    uint64_t *known = memory_zeroed(layout->words, sizeof *known), *words = memory_zeroed(layout->words, sizeof *words);
    uint32_t *changed = memory_zeroed(count, sizeof *changed);
    uint64_t seed = 7;
    for (int round = 0; round < 500; round++) {
        uint32_t differing = 0;
        randomise(layout, before, &seed);
        randomise(layout, after, &seed);
        for (uint32_t c = 0; c < count; c++) { /* few of them, in every second round */
            if (round % 2 && (c * 7 + (uint32_t)round) % 11)
                after[c] = before[c];
            differing += after[c] != before[c];
        }
        layout_pack(layout, before, known);
        layout_pack(layout, after, words);
        assert_int_equal(layout_unpack_changes(layout, known, words, before, changed), differing);
        assert_memory_equal(before, after, count * sizeof *before);
        for (uint32_t i = 0; i < differing; i++)
            for (uint32_t j = 0; j < i; j++)
                assert_int_not_equal(changed[i], changed[j]);
    }
    free(before);
    free(after);
    free(known);
    free(words);
    free(changed);
    layout_destroy(layout);
    system_destroy(w.system);
}

static void test_round_trip(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    int32_t *again = memory_zeroed(layout->cell_count, sizeof *again);
    uint64_t *words = memory_zeroed(layout->words, sizeof *words);
    uint64_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        randomise(layout, cells, &seed);
        layout_pack(layout, cells, words);
        layout_unpack(layout, words, again);
        assert_memory_equal(cells, again, layout->cell_count * sizeof *cells);
        for (uint32_t c = 0; c < layout->cell_count; c++) { /* what the header promises of the bits */
            const struct cell *cell = &layout->cells[c];
            uint64_t bits = words[cell->word] >> cell->shift & (((uint64_t)1 << cell->bits) - 1);
            assert_int_equal(bits,
                             cell->type ? (uint64_t)(type_ordinal(cell->type, cells[c]) + 1) : (uint64_t)cells[c]);
            assert_true(cell->shift + cell->bits <= 64);
        }
    }
    layout_blank(layout, cells);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        assert_int_equal(cells[c], layout->cells[c].type ? UNDEFINED : 0);
    layout_pack(layout, cells, words);
    for (uint32_t i = 0; i < layout->words; i++)
        assert_int_equal(words[i], 0);
    free(cells);
    free(again);
    free(words);
    layout_destroy(layout);
    system_destroy(w.system);
}

/* From one random state to the next, cell by cell: the same words as packing it afresh. */
static void test_repack(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    size_t bytes = layout->words * sizeof(uint64_t);
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    int32_t *target = memory_zeroed(layout->cell_count, sizeof *target);
    uint32_t *changed = memory_zeroed(layout->cell_count, sizeof *changed);
    uint64_t *words = memory_zeroed(layout->words, sizeof *words),
             *expected = memory_zeroed(layout->words, sizeof *words);
    uint64_t seed = 5;
    layout_blank(layout, cells);
    layout_pack(layout, cells, words);
    for (int round = 0; round < 2000; round++) {
        uint32_t count = 0;
        randomise(layout, target, &seed);
        for (uint32_t c = 0; c < layout->cell_count; c++)
            if ((seed = hash_mix(seed)) % 3 == 0) {
                cells[c] = target[c];
                changed[count++] = c;
            }
        layout_repack(layout, cells, changed, count, words);
        layout_pack(layout, cells, expected);
        assert_memory_equal(words, expected, bytes);
    }
    free(cells);
    free(target);
    free(changed);
    free(words);
    free(expected);
    layout_destroy(layout);
    system_destroy(w.system);
}

/* A gap left by a wide cell is filled by later narrow ones; no bit belongs to two cells. */
static void test_bits_are_tight(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    assert_true(layout->words <= layout->bits / 64 + 1);
    uint64_t *used = memory_zeroed(layout->words, sizeof *used);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        uint64_t mask = (((uint64_t)1 << layout->cells[c].bits) - 1) << layout->cells[c].shift;
        assert_int_equal(used[layout->cells[c].word] & mask, 0);
        used[layout->cells[c].word] |= mask;
    }
    free(used);
    layout_destroy(layout);
    system_destroy(w.system);
}

static void test_no_state(void **state)
{
    (void)state;
    struct system *s = system_create("none");
    assert_true(system_finish(s));
    struct layout *layout = layout_create(s);
    uint64_t word = 7;
    assert_int_equal(layout->words, 1);
    layout_pack(layout, NULL, &word);
    assert_int_equal(word, 0);
    layout_destroy(layout);
    system_destroy(s);
}

static void assert_name(const struct layout *layout, uint32_t cell, const char *name)
{
    struct text text = {0};
    layout_cell_name(layout, cell, &text);
    assert_text(&text, name);
}

static void test_names(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    uint32_t levels = w.system->globals.items[2]->address, net = w.system->globals.items[6]->address;
    uint32_t stride = multiset_stride(w.system->globals.items[6]->type);
    assert_name(layout, 0, "flag");
    assert_name(layout, levels, "levels[Node_1]");
    assert_name(layout, levels + 5, "levels[Green]");
    assert_name(layout, net, "net{0}.taken");
    assert_name(layout, net + stride + 2, "net{1}.to");
    assert_name(layout, net + 2 * stride + 3, "net{2}.bag{0}.taken");
    assert_name(layout, net + 2 * stride + 6, "net{2}.bag{1}");
    layout_destroy(layout);
    system_destroy(w.system);
}

/* Shuffling the slots (and the inner ones) of a multiset never changes the normal form. */
/* A free slot holds nothing. */
static void blank_free_slots(const struct layout *layout, int32_t *cells)
{
    for (uint32_t m = 0; m < layout->multiset_count; m++) {
        const struct multiset_site *site = &layout->multisets[m];
        uint32_t stride = multiset_stride(site->type);
        for (uint32_t s = 0; s < site->type->capacity; s++) {
            uint32_t slot = site->address + s * stride;
            for (uint32_t c = 1; !cells[slot] && c < stride; c++)
                cells[slot + c] = layout->cells[slot + c].type ? UNDEFINED : 0;
        }
    }
}

static void test_normalise(void **state)
{
    (void)state;
    struct world w = world_create();
    struct layout *layout = everything(&w);
    const struct variable *net = w.system->globals.items[6];
    uint32_t stride = multiset_stride(net->type), inner = net->address + 3;
    size_t size = layout->cell_count * sizeof(int32_t);
    int32_t *cells = memory_zeroed(1, size), *other = memory_zeroed(1, size);
    uint64_t seed = 5;
    assert_int_equal(layout->multiset_count, 4);
    for (int round = 0; round < 500; round++) {
        randomise(layout, cells, &seed);
        blank_free_slots(layout, cells);
        memcpy(other, cells, size);
        memcpy(other + net->address, cells + net->address + 2 * stride, stride * sizeof *cells);
        memcpy(other + net->address + 2 * stride, cells + net->address, stride * sizeof *cells);
        int32_t *bag = other + inner; /* two slots of two cells */
        int32_t kept[2] = {bag[0], bag[1]};
        memmove(bag, bag + 2, sizeof kept);
        memcpy(bag + 2, kept, sizeof kept);
        layout_normalise(layout, cells);
        layout_normalise(layout, other);
        assert_true(layout_is_normal(layout, cells));
        assert_memory_equal(cells, other, size);
        for (uint32_t s = 1; s < net->type->capacity; s++)
            assert_true(cells[net->address + (s - 1) * stride] >= cells[net->address + s * stride]);
    }
    free(cells);
    free(other);
    layout_destroy(layout);
    system_destroy(w.system);
}

static void test_instances(void **state)
{
    (void)state;
    struct world w = world_create();
    struct system *s = w.system;
    struct rule *rule = system_add_rule(s, "Send request", NOWHERE);
    struct rule *plain = system_add_rule(s, NULL, NOWHERE);
    ir_add_parameter(s, rule, system_add_scratch(s, "i", w.far, NOWHERE), w.far);
    ir_add_parameter(s, rule, system_add_scratch(s, "m", w.level, NOWHERE), w.level);
    assert_true(system_finish(s));
    assert_int_equal(rule->instance_count, 40);
    for (uint64_t n = 0; n < rule->instance_count; n++) {
        int32_t values[2];
        instance_values(rule, n, values);
        assert_int_equal(values[1], -3 + (int64_t)(n % 8)); /* the last runs fastest */
        assert_int_equal(instance_number(rule, values), n);
    }
    struct text text = {0};
    instance_print(rule, 8 + 6, &text);
    assert_text(&text, "Send request (i: Node_2, m: 3)");
    instance_print(plain, 0, &text);
    assert_text(&text, "rule 2");
    system_destroy(s);
}

static void test_limits(void **state)
{
    (void)state;
    struct system *s = system_create("large");
    const struct type *big = type_array(s, NULL, type_range(s, NULL, 1, TYPE_MAX_CELLS, NOWHERE), s->boolean, NOWHERE);
    assert_non_null(big);
    for (uint32_t i = 0; i <= SYSTEM_MAX_CELLS / TYPE_MAX_CELLS; i++)
        system_add_global(s, "v", big, NOWHERE);
    assert_false(system_finish(s));
    system_destroy(s);
    s = system_create("many");
    struct rule *rule = system_add_rule(s, NULL, NOWHERE);
    for (int p = 0; p < 3; p++)
        ir_add_parameter(s, rule, system_add_scratch(s, "p", s->integer, NOWHERE), s->integer);
    assert_true(system_finish(s));
    assert_int_equal(rule->instance_count, UINT64_MAX);
    system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),          cmocka_unit_test(test_mentions),   cmocka_unit_test(test_print),
        cmocka_unit_test(test_changes),        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_repack),
        cmocka_unit_test(test_bits_are_tight), cmocka_unit_test(test_no_state),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_normalise),      cmocka_unit_test(test_instances),  cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
