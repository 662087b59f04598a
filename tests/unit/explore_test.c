/* Numbered exploration against one successor at a time: the same numbers, parents and edges; limits; going on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "explore/explore.h"
#include "small_system.h"

struct fixture {
    struct small_family family;
    struct stepper *stepper;
    struct budget budget;
    struct explore *explore;
    VEC(struct explore_edge) edges;
    VEC(size_t) first; /* by state */
    uint32_t expanded, stop_at;
    struct places *places; /* NULL: successors are sent as steps; else one in two by its place */
};

static void open_fixture(struct fixture *f, uint32_t nodes, int32_t top, bool with_symmetry, uint64_t most)
{
    memset(f, 0, sizeof *f);
    f->family = small_family_create(nodes, top);
    small_family_rule(&f->family, "climb", top);
    small_family_rule(&f->family, "climb a little", 1);
    small_finish(&f->family.small, with_symmetry);
    const struct layout *layout = f->family.small.layout;
    f->stepper = stepper_create_vm(layout->system, layout);
    f->explore = explore_create(layout, layout->cell_count, f->family.small.symmetry, &f->budget, most);
    f->stop_at = UINT32_MAX;
}

static void close_fixture(struct fixture *f)
{
    explore_destroy(f->explore);
    assert_int_equal(f->budget.used, 0);
    stepper_destroy(f->stepper);
    VEC_FREE(&f->edges);
    VEC_FREE(&f->first);
    small_free(&f->family.small);
}

static void send_by_place(struct fixture *f, const struct step *step)
{
    uint64_t place = places_of(f->places, step->cells);
    assert_true(place < f->places->count);
    explore_send_number(f->explore, step->rule, step->instance, explore_number_at(f->explore, place));
}

static bool expand(void *user, uint32_t state, const int32_t *cells)
{
    struct fixture *f = user;
    struct step step = {0};
    assert_int_equal(state, f->expanded++);
    stepper_begin_successors(f->stepper, cells);
    for (bool is_odd = state % 2; stepper_next(f->stepper, &step) != STEP_END; is_odd = !is_odd)
        if (f->places && is_odd)
            send_by_place(f, &step);
        else
            explore_send(f->explore, &step);
    return state != f->stop_at;
}

static bool settle(void *user, uint32_t state, const struct explore_edge *edges, size_t count)
{
    struct fixture *f = user;
    assert_int_equal(state, f->first.count);
    VEC_PUSH(&f->first, f->edges.count);
    for (size_t i = 0; i < count; i++)
        VEC_PUSH(&f->edges, edges[i]);
    return true;
}

static enum explore_end run(struct fixture *f)
{
    const struct explore_client client = {f, expand, settle};
    return explore_run(f->explore, &client);
}

static void insert_starts(struct fixture *f)
{
    struct step step = {0};
    uint32_t number;
    stepper_begin_starts(f->stepper);
    while (stepper_next(f->stepper, &step) == STEP_STATE)
        assert_int_not_equal(explore_insert(f->explore, step.cells, &number), STORE_FULL);
}

/* --- one at a time --- */

struct plain {
    struct fixture *fixture;
    struct budget budget;
    struct store *store;
    struct canon *canon;
    int32_t *cells, *image;
    uint64_t *packed;
    size_t edge;
};

static uint32_t plain_insert(struct plain *plain, const int32_t *cells, uint32_t parent)
{
    const struct layout *layout = plain->fixture->family.small.layout;
    uint32_t number = UINT32_MAX;
    canon_apply(plain->canon, cells, plain->image);
    layout_pack(layout, plain->image, plain->packed);
    store_insert(plain->store, plain->packed, store_hash(plain->store, plain->packed), parent, &number);
    return number;
}

static void plain_compare(struct plain *plain, uint32_t state)
{
    struct fixture *f = plain->fixture;
    const struct layout *layout = f->family.small.layout;
    struct step step = {0};
    const struct store *explored = explore_store(f->explore);
    assert_memory_equal(store_state(explored, state), store_state(plain->store, state), layout->words * 8);
    assert_int_equal(store_parent(explored, state), store_parent(plain->store, state));
    assert_int_equal(f->first.items[state], plain->edge);
    layout_unpack(layout, store_state(plain->store, state), plain->cells);
    stepper_begin_successors(f->stepper, plain->cells);
    for (; stepper_next(f->stepper, &step) == STEP_STATE; plain->edge++) {
        const struct explore_edge *edge = &f->edges.items[plain->edge];
        assert_ptr_equal(edge->rule, step.rule);
        assert_int_equal(edge->instance, step.instance);
        assert_int_equal(edge->target, plain_insert(plain, step.cells, state));
    }
}

static void compare(struct fixture *f)
{
    const struct layout *layout = f->family.small.layout;
    struct step step = {0};
    struct plain plain = {.fixture = f,
                          .canon = canon_create(f->family.small.symmetry, layout),
                          .cells = memory_zeroed(layout->cell_count + 1, sizeof(int32_t)),
                          .image = memory_zeroed(layout->cell_count + 1, sizeof(int32_t)),
                          .packed = memory_zeroed(layout->words, sizeof(uint64_t))};
    plain.store = store_create(layout->words, &plain.budget, 0);
    stepper_begin_starts(f->stepper);
    while (stepper_next(f->stepper, &step) == STEP_STATE)
        plain_insert(&plain, step.cells, STORE_NO_PARENT);
    for (uint32_t s = 0; s < store_count(plain.store); s++)
        plain_compare(&plain, s);
    assert_int_equal(store_count(explore_store(f->explore)), store_count(plain.store));
    assert_int_equal(plain.edge, f->edges.count);
    store_destroy(plain.store);
    canon_destroy(plain.canon);
    free(plain.cells);
    free(plain.image);
    free(plain.packed);
}

static void numbers_are_those_of_one_at_a_time(void **state)
{
    (void)state;
    for (uint32_t nodes = 1; nodes <= 5; nodes++)
        for (int with_symmetry = 0; with_symmetry < 2; with_symmetry++) {
            struct fixture f;
            open_fixture(&f, nodes, 3, with_symmetry, 0);
            insert_starts(&f);
            assert_int_equal(run(&f), EXPLORE_DONE);
            assert_int_equal(explore_depth(f.explore), nodes * 3);
            compare(&f);
            close_fixture(&f);
        }
}

/* A place in a sum of strides, and the state at a place. */
static void compare_places(const struct fixture *f)
{
    const struct layout *layout = f->family.small.layout;
    int32_t *cells = memory_zeroed(layout->cell_count + 1, sizeof *cells);
    uint64_t last = 0;
    for (uint64_t p = 0; p < f->places->count; p++) {
        places_cells(f->places, p, cells);
        assert_int_equal(places_of(f->places, cells), p);
    }
    for (uint32_t c = 0; c < layout->cell_count; c++)
        last += f->places->strides[c] * (layout->cells[c].type->size - 1);
    assert_int_equal(last, f->places->count - 1);
    free(cells);
}

/* Some are known by their places, while others wait for the store. */
static void numbers_by_place_are_the_same(void **state)
{
    (void)state;
    for (uint32_t nodes = 1; nodes <= 5; nodes++)
        for (int with_symmetry = 0; with_symmetry < 2; with_symmetry++) {
            struct fixture f;
            open_fixture(&f, nodes, 3, with_symmetry, 0);
            insert_starts(&f); /* in which a cell has no value */
            f.places = explore_places(f.explore);
            assert_non_null(f.places);
            assert_ptr_equal(f.places, explore_places(f.explore));
            assert_int_equal(run(&f), EXPLORE_DONE);
            compare(&f);
            compare_places(&f);
            close_fixture(&f);
        }
}

static void what_has_no_room_is_nowhere(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 5, 3, false, 20);
    insert_starts(&f);
    f.places = explore_places(f.explore);
    assert_int_equal(run(&f), EXPLORE_FULL);
    close_fixture(&f);
    open_fixture(&f, 30, 3, false, 0);
    assert_null(explore_places(f.explore)); /* 4^30 */
    close_fixture(&f);
}

static void a_full_store_ends_it_or_not(void **state)
{
    (void)state;
    for (uint64_t most = 1; most < 300; most += 23) {
        struct fixture f;
        size_t nowhere = 0;
        open_fixture(&f, 5, 3, false, most);
        insert_starts(&f);
        assert_int_equal(run(&f), EXPLORE_FULL);
        assert_true(store_is_at_state_limit(explore_store(f.explore)));
        for (size_t i = 0; i < f.edges.count; i++)
            assert_true(f.edges.items[i].target < most);
        close_fixture(&f);
        open_fixture(&f, 5, 3, false, most);
        explore_go_on_when_full(f.explore);
        insert_starts(&f);
        assert_int_equal(run(&f), EXPLORE_DONE);
        assert_int_equal(store_count(explore_store(f.explore)), most);
        assert_int_equal(f.first.count, most);
        for (size_t i = 0; i < f.edges.count; i++)
            nowhere += f.edges.items[i].target == EXPLORE_NOWHERE;
        assert_true(nowhere > 0);
        close_fixture(&f);
    }
}

static void a_client_may_stop_it(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 4, 3, true, 0);
    f.stop_at = 7;
    insert_starts(&f);
    assert_int_equal(run(&f), EXPLORE_STOPPED);
    assert_int_equal(f.expanded, 8);
    assert_true(f.first.count <= 7);
    close_fixture(&f);
}

static void it_goes_on_with_what_is_inserted_later(void **state)
{
    (void)state;
    struct fixture f, all;
    open_fixture(&f, 3, 2, false, 0);
    open_fixture(&all, 3, 2, false, 0);
    insert_starts(&all);
    assert_int_equal(run(&all), EXPLORE_DONE);
    /* The last state of all has no successors; the start state leads to everything. */
    const struct layout *layout = f.family.small.layout;
    const struct store *store = explore_store(all.explore);
    int32_t *cells = memory_zeroed(layout->cell_count + 1, sizeof *cells);
    uint32_t number;
    layout_unpack(layout, store_state(store, store_count(store) - 1), cells);
    assert_int_equal(explore_insert(f.explore, cells, &number), STORE_NEW);
    assert_int_equal(run(&f), EXPLORE_DONE);
    assert_int_equal(f.expanded, 1);
    insert_starts(&f);
    assert_int_equal(run(&f), EXPLORE_DONE);
    assert_int_equal(f.expanded, all.expanded);
    assert_int_equal(f.edges.count, all.edges.count);
    free(cells);
    close_fixture(&f);
    close_fixture(&all);
}

static void a_path_leads_from_a_start_state(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 3, 3, true, 0);
    insert_starts(&f);
    assert_int_equal(run(&f), EXPLORE_DONE);
    const struct store *store = explore_store(f.explore);
    uint32_t count, last = store_count(store) - 1, *path = explore_path(store, last, &count);
    assert_int_equal(count, 10);
    assert_int_equal(path[0], 0);
    assert_int_equal(path[count - 1], last);
    for (uint32_t i = 1; i < count; i++)
        assert_int_equal(store_parent(store, path[i]), path[i - 1]);
    free(path);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_one_at_a_time),
        cmocka_unit_test(numbers_by_place_are_the_same),
        cmocka_unit_test(what_has_no_room_is_nowhere),
        cmocka_unit_test(a_full_store_ends_it_or_not),
        cmocka_unit_test(a_client_may_stop_it),
        cmocka_unit_test(it_goes_on_with_what_is_inserted_later),
        cmocka_unit_test(a_path_leads_from_a_start_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
