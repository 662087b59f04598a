/* The same work for each kernel. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

static void and_to(handle *f, handle g)
{
    handle old = *f;
    *f = kernel_and(old, g);
    kernel_release(old);
    kernel_release(g);
}

static void or_to(handle *f, handle g)
{
    handle old = *f;
    *f = kernel_or(old, g);
    kernel_release(old);
    kernel_release(g);
}

/* A queen on field (i,j) forbids another on (k,l). Variables are the fields, row by row. */
static void queens_forbid(handle *board, uint32_t n, uint32_t i, uint32_t j)
{
    handle none = kernel_true();
    for (int k = (int)n - 1; k >= 0; k--)
        for (int l = (int)n - 1; l >= 0; l--) {
            int dk = k - (int)i, dl = l - (int)j;
            if ((dk || dl) && (!dk || !dl || dk == dl || dk == -dl))
                and_to(&none, kernel_literal((uint32_t)k * n + (uint32_t)l, false));
        }
    or_to(&none, kernel_literal(i * n + j, false));
    and_to(board, none);
}

double workload_queens(uint32_t n)
{
    kernel_start(n * n);
    handle board = kernel_true();
    for (uint32_t i = 0; i < n; i++) {
        handle row = kernel_false();
        for (uint32_t j = 0; j < n; j++)
            or_to(&row, kernel_literal(i * n + j, true));
        and_to(&board, row);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            queens_forbid(&board, n, i, j);
    double count = kernel_count(board);
    kernel_release(board);
    kernel_end();
    return count;
}

/* A number in `bits` pairs of variables from pair `first` on; `next` chooses the next-state variables. */
static handle number_is(uint32_t first, uint32_t bits, uint32_t value, bool next)
{
    handle f = kernel_true();
    for (uint32_t b = bits; b-- > 0;)
        and_to(&f, kernel_literal(2 * (first + b) + next, value >> b & 1));
    return f;
}

static handle step_of(uint32_t first, uint32_t bits, uint32_t from, uint32_t to)
{
    handle f = number_is(first, bits, from, false);
    and_to(&f, number_is(first, bits, to, true));
    return f;
}

static struct kernel_relation *relation_on(handle relation, uint32_t first_a, uint32_t bits_a, uint32_t first_b,
                                           uint32_t bits_b)
{
    uint32_t current[64], count = 0;
    for (uint32_t i = 0; i < bits_a; i++)
        current[count++] = 2 * (first_a + i);
    for (uint32_t i = 0; i < bits_b; i++)
        current[count++] = 2 * (first_b + i);
    return kernel_relation(relation, current, count);
}

/* Breadth first: all successors of the whole set, until nothing is new. */
static double reach(handle states, struct kernel_relation **relations, uint32_t count, uint32_t variables)
{
    for (bool grows = true; grows;) {
        handle old = states;
        handle all = kernel_or(states, states);
        for (uint32_t i = 0; i < count; i++)
            or_to(&all, kernel_next(states, relations[i]));
        grows = all != old;
        states = all;
        kernel_release(old);
    }
    double total = ldexp(kernel_count(states), -(int)(variables / 2));
    kernel_release(states);
    for (uint32_t i = 0; i < count; i++)
        kernel_relation_release(relations[i]);
    free(relations);
    kernel_end();
    return total;
}

/* Philosopher i: thinks 0, has the left fork 1, eats 2, has put the left fork back 3; then its left fork: 0 free. That
 * is three pairs of variables for each. */
double workload_philosophers(uint32_t n)
{
    uint32_t variables = 6 * n, count = 0;
    kernel_start(variables);
    struct kernel_relation **relations = malloc(4 * n * sizeof(void *));
    handle states = kernel_true();
    for (uint32_t i = n; i-- > 0;)
        and_to(&states, number_is(3 * i, 3, 0, false));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t self = 3 * i, left = 3 * i + 2, right = 3 * ((i + 1) % n) + 2;
        for (uint32_t s = 0; s < 4; s++) {
            uint32_t fork = s % 2 ? right : left;
            handle step = step_of(self, 2, s, (s + 1) % 4);
            and_to(&step, step_of(fork, 1, s / 2, !(s / 2)));
            relations[count++] = relation_on(step, self, 2, fork, 1);
        }
    }
    return reach(states, relations, count, variables);
}

/* The semaphore mutex of Emerson and Wahl, "On combining symmetry reduction and symbolic representation for efficient
 * model checking" (CHARME 2003), with 16 locations for each process; no symmetry is used. */
double workload_mutex(uint32_t n)
{
    enum { BITS = 4, LOCATIONS = 1 << BITS };
    uint32_t variables = 2 * (BITS * n + 1), semaphore = BITS * n;
    kernel_start(variables);
    struct kernel_relation **relations = malloc(n * LOCATIONS * sizeof(void *));
    uint32_t count = 0;
    handle states = number_is(semaphore, 1, 0, false);
    for (uint32_t i = n; i-- > 0;)
        and_to(&states, number_is(BITS * i, BITS, 0, false));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < LOCATIONS; l++) {
            bool enters = l == LOCATIONS - 2, leaves = l == LOCATIONS - 1;
            handle step = step_of(BITS * i, BITS, l, (l + 1) % LOCATIONS);
            if (enters || leaves)
                and_to(&step, step_of(semaphore, 1, leaves, enters));
            relations[count++] = relation_on(step, BITS * i, BITS, semaphore, enters || leaves);
        }
    return reach(states, relations, count, variables);
}
