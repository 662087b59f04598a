/* Images, preimages and saturation against explicit sets of states. */
#include "dd_sum.h"
#include "dd_truth.h"

#include <stdlib.h>
#include <string.h>

#include "base/bigint.h"

enum { BITS = 5, STATES = 1 << BITS, RELATIONS = 6 };

struct relation {
    uint32_t changed; /* bits it may change; the others it only reads */
    bool allows[STATES][STATES];
    struct dd_relation dd;
};

static dd state_is(struct dd_manager *m, uint32_t state, uint32_t mask, bool next)
{
    dd f = DD_TRUE;
    dd_register(m, &f, 1);
    for (uint32_t b = 0; b < BITS; b++)
        if (mask >> b & 1)
            f = dd_and(m, f, dd_literal(m, 2 * b + next, state >> b & 1));
    dd_unregister(m, &f);
    return f;
}

/* A few random transitions, each from all states that agree with one on the bits it reads. */
static void relation_create(struct dd_manager *m, struct random *random, struct relation *relation,
                            uint32_t transitions)
{
    uint32_t variables[BITS], count = 0, read = random_below(random, STATES);
    memset(relation->allows, 0, sizeof relation->allows);
    relation->changed = random_below(random, STATES);
    relation->dd.relation = DD_FALSE;
    dd_register(m, &relation->dd.relation, 1);
    for (uint32_t i = 0; i < transitions; i++) {
        uint32_t from = random_below(random, STATES), to = random_below(random, STATES);
        dd both = state_is(m, from, read, false);
        dd_register(m, &both, 1);
        both = dd_and(m, both, state_is(m, to, relation->changed, true));
        relation->dd.relation = dd_or(m, relation->dd.relation, both);
        dd_unregister(m, &both);
        for (uint32_t s = 0; s < STATES; s++)
            if (((s ^ from) & read) == 0)
                relation->allows[s][(s & ~relation->changed) | (to & relation->changed)] = true;
    }
    dd_unregister(m, &relation->dd.relation);
    dd_ref(m, relation->dd.relation);
    for (uint32_t b = 0; b < BITS; b++)
        if (relation->changed >> b & 1)
            variables[count++] = 2 * b;
    relation->dd.changed = dd_ref(m, dd_cube(m, variables, count));
}

static dd set_of(struct dd_manager *m, const bool *states)
{
    dd f = DD_FALSE;
    dd_register(m, &f, 1);
    for (uint32_t s = 0; s < STATES; s++)
        if (states[s])
            f = dd_or(m, f, state_is(m, s, STATES - 1, false));
    dd_unregister(m, &f);
    return f;
}

static void check_images(struct dd_manager *m, struct random *random, const struct relation *relation)
{
    bool states[STATES], next[STATES] = {false}, previous[STATES] = {false};
    for (uint32_t s = 0; s < STATES; s++)
        states[s] = random_below(random, 3) == 0;
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t t = 0; t < STATES; t++) {
            next[t] = next[t] || (states[s] && relation->allows[s][t]);
            previous[s] = previous[s] || (states[t] && relation->allows[s][t]);
        }
    dd set = dd_ref(m, set_of(m, states)),
       image = dd_ref(m, dd_next(m, set, relation->dd.relation, relation->dd.changed));
    assert_int_equal(image, set_of(m, next));
    dd_unref(m, image);
    image = dd_ref(m, dd_previous(m, set, relation->dd.relation, relation->dd.changed));
    assert_int_equal(image, set_of(m, previous));
    dd_unref(m, image);
    dd_unref(m, set);
}

static void check_saturation(struct dd_manager *m, struct random *random, const struct relation *relations)
{
    bool states[STATES] = {false}, grows = true;
    struct dd_relation list[RELATIONS];
    states[random_below(random, STATES)] = true;
    dd initial = dd_ref(m, set_of(m, states));
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < RELATIONS; i++)
            for (uint32_t s = 0; s < STATES; s++)
                for (uint32_t t = 0; t < STATES; t++)
                    if (states[s] && relations[i].allows[s][t] && !states[t])
                        grows = states[t] = true;
    }
    for (uint32_t i = 0; i < RELATIONS; i++)
        list[i] = relations[i].dd;
    dd reached = dd_ref(m, dd_saturate(m, initial, list, RELATIONS));
    assert_int_equal(reached, set_of(m, states));
    dd_unref(m, reached);
    dd_unref(m, initial);
}

static void random_relations(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 2 * BITS, .nodes = 1});
    struct random random = {11};
    struct relation *relations = calloc(RELATIONS, sizeof *relations);
    for (uint32_t round = 0; round < 60; round++) {
        for (uint32_t i = 0; i < RELATIONS; i++) {
            relation_create(m, &random, &relations[i], 1 + random_below(&random, 4));
            check_images(m, &random, &relations[i]);
        }
        check_saturation(m, &random, relations);
        for (uint32_t i = 0; i < RELATIONS; i++) {
            dd_unref(m, relations[i].dd.relation);
            dd_unref(m, relations[i].dd.changed);
        }
    }
    free(relations);
    dd_destroy(m);
}

/* Sixty counters modulo four that move one at a time: 4^60 states. */
static void saturation_of_many_counters(void **state)
{
    (void)state;
    enum { COUNTERS = 60, PAIRS = 2 * COUNTERS };
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 2 * PAIRS, .nodes = 1});
    struct dd_relation relations[COUNTERS];
    uint32_t all[PAIRS];
    dd initial = DD_TRUE;
    dd_register(m, &initial, 1);
    for (uint32_t i = 0; i < PAIRS; i++) {
        all[i] = 2 * i;
        initial = dd_and(m, initial, dd_literal(m, 2 * i, false));
    }
    for (uint32_t i = 0; i < COUNTERS; i++) {
        dd sum[2], step = DD_TRUE;
        dd_pause(m);
        for (uint32_t b = 0; b < 2; b++)
            sum[b] = dd_variable(m, 4 * i + 2 * b);
        sum_count(m, sum, 2, DD_TRUE);
        for (uint32_t b = 0; b < 2; b++)
            step = dd_and(m, step, dd_iff(m, dd_variable(m, 4 * i + 2 * b + 1), sum[b]));
        relations[i].relation = dd_ref(m, step);
        relations[i].changed = dd_ref(m, dd_cube(m, &all[2 * i], 2));
        dd_resume(m);
    }
    dd reached = dd_ref(m, dd_saturate(m, initial, relations, COUNTERS));
    assert_int_equal(reached, DD_TRUE);
    dd_unregister(m, &initial);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_relations),
        cmocka_unit_test(saturation_of_many_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
