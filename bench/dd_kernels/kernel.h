/* What the workloads need of a decision-diagram package. Each of the two files noether.c and buddy.c implements it,
 * with what that package offers for the purpose; the workloads are linked with each. Handles returned carry a
 * reference. */
#ifndef NOETHER_BENCH_KERNEL_H
#define NOETHER_BENCH_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t handle;

extern const char *const kernel_name;

/* Variable 2k is a current, 2k+1 the next one. */
void kernel_start(uint32_t variables);
void kernel_end(void);
handle kernel_true(void);
handle kernel_false(void);
handle kernel_literal(uint32_t variable, bool positive);
handle kernel_and(handle f, handle g);
handle kernel_or(handle f, handle g);
handle kernel_not(handle f);
void kernel_release(handle f);
double kernel_count(handle f); /* over all variables */

/* A relation that changes the given pairs (2k in the list stands for the pair). It takes over the reference. */
struct kernel_relation;
struct kernel_relation *kernel_relation(handle relation, const uint32_t *current, uint32_t count);
handle kernel_next(handle states, const struct kernel_relation *relation);
void kernel_relation_release(struct kernel_relation *relation);

/* -- workloads.c: each returns a number both kernels must agree on -- */
struct workload {
    const char *name;
    double (*run)(uint32_t size);
};
double workload_queens(uint32_t n);
double workload_philosophers(uint32_t n);
double workload_mutex(uint32_t n);

#endif
