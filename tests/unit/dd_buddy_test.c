/* The same random computations here and in BuDDy: on more variables than a truth table can have, the two agree on
 * counts and on sizes (BuDDy has no complement edges, so sizes are compared as if there were none), which tells
 * functions apart as well as anything short of equality; and on samples. */
#include <bdd.h>

#include "dd_truth.h"

enum { VARIABLES = 40, POOL = 20, ROUNDS = 1500, LARGEST = 20000 };

struct twins {
    struct dd_manager *m;
    dd ours[POOL];
    BDD theirs[POOL];
    dd all, odd;
    BDD their_odd;
};

static void check_twins(struct twins *t, uint32_t i)
{
    assert_int_not_equal(t->ours[i], DD_NONE);
    assert_int_equal(dd_size_plain(t->m, t->ours[i]), bdd_nodecount(t->theirs[i]));
    assert_true(dd_count_double(t->m, t->ours[i], t->all) == bdd_satcount(t->theirs[i]));
}

static void put_twins(struct twins *t, uint32_t i, dd ours, BDD theirs)
{
    dd_ref(t->m, ours);
    bdd_addref(theirs);
    dd_unref(t->m, t->ours[i]);
    bdd_delref(t->theirs[i]);
    t->ours[i] = ours;
    t->theirs[i] = theirs;
}

static void put_literal(struct twins *t, uint32_t i, struct random *random)
{
    uint32_t v = random_below(random, VARIABLES);
    bool positive = random_below(random, 2);
    put_twins(t, i, dd_literal(t->m, v, positive), positive ? bdd_ithvar((int)v) : bdd_nithvar((int)v));
}

static void twins_start(struct twins *t, struct random *random, uint32_t threads)
{
    int odd[VARIABLES / 2];
    uint32_t all[VARIABLES], ours[VARIABLES / 2];
    t->m = dd_create(&(struct dd_options){.variables = VARIABLES, .nodes = 1, .threads = threads});
    bdd_init(100000, 10000);
    bdd_setvarnum(VARIABLES);
    bdd_gbc_hook(NULL);
    for (uint32_t i = 0; i < VARIABLES; i++)
        all[i] = i;
    for (uint32_t i = 0; i < VARIABLES / 2; i++) {
        odd[i] = (int)(2 * i + 1);
        ours[i] = 2 * i + 1;
    }
    t->all = dd_ref(t->m, dd_cube(t->m, all, VARIABLES));
    t->odd = dd_ref(t->m, dd_cube(t->m, ours, VARIABLES / 2));
    t->their_odd = bdd_addref(bdd_makeset(odd, VARIABLES / 2));
    for (uint32_t i = 0; i < POOL; i++) {
        t->ours[i] = DD_FALSE;
        t->theirs[i] = bddfalse;
        put_literal(t, i, random);
    }
}

static void twins_step(struct twins *t, struct random *random)
{
    struct dd_manager *m = t->m;
    uint32_t i = random_below(random, POOL), j = random_below(random, POOL), k = random_below(random, POOL);
    uint32_t to = random_below(random, POOL), v = random_below(random, VARIABLES);
    dd f = t->ours[i], g = t->ours[j], h = t->ours[k];
    BDD F = t->theirs[i], G = t->theirs[j], H = t->theirs[k];
    if (bdd_nodecount(F) + bdd_nodecount(G) + bdd_nodecount(H) > LARGEST) {
        put_literal(t, to, random);
        return;
    }
    switch (random_below(random, 10)) {
    case 0:
        put_twins(t, to, dd_and(m, f, g), bdd_and(F, G));
        break;
    case 1:
        put_twins(t, to, dd_or(m, f, g), bdd_or(F, G));
        break;
    case 2:
    case 3:
        put_twins(t, to, dd_xor(m, f, g), bdd_xor(F, G));
        break;
    case 4:
    case 5:
        put_twins(t, to, dd_ite(m, f, g, h), bdd_ite(F, G, H));
        break;
    case 6:
        put_twins(t, to, dd_and_exists(m, f, g, t->odd), bdd_appex(F, G, bddop_and, t->their_odd));
        break;
    case 7:
        put_twins(t, to, dd_not(dd_exists(m, dd_not(f), t->odd)), bdd_forall(F, t->their_odd));
        break;
    case 8:
        put_twins(t, to, dd_compose_all(m, f, &v, &g, 1), bdd_compose(F, G, (int)v));
        break;
    default:
        put_literal(t, to, random);
    }
    check_twins(t, to);
}

static void twins_end(struct twins *t)
{
    for (uint32_t i = 0; i < POOL; i++)
        check_twins(t, i);
    assert_true(dd_statistics(t->m).collections > 0);
    dd_destroy(t->m);
    bdd_done();
}

static void random_computations(void **state)
{
    (void)state;
    struct twins t;
    struct random random = {2024};
    twins_start(&t, &random, 1);
    for (uint32_t i = 0; i < ROUNDS; i++)
        twins_step(&t, &random);
    twins_end(&t);
}

static void with_threads(void **state)
{
    (void)state;
    struct twins t;
    struct random random = {2025};
    twins_start(&t, &random, 3);
    for (uint32_t i = 0; i < ROUNDS; i++)
        twins_step(&t, &random);
    twins_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_computations),
        cmocka_unit_test(with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
