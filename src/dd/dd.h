/* Decision diagrams: BDDs with complement edges, and MTBDDs with real leaves, in one node store.
 *
 * A handle (`dd`) is a 31-bit node number with a complement bit below it. Node 0 is the constant; DD_FALSE is 0 and
 * DD_TRUE its complement, so a Boolean constant is its own handle and negation is free. Every other node is either a
 * leaf with a double (of an MTBDD) or an inner node: a variable and two handles. The low edge of a node is never
 * complemented, edges of MTBDDs never are; so equal functions have equal handles, and comparing two of them is ==. A
 * BDD ends in node 0, an MTBDD in leaves: the two never share a node, and an operation says which of the two it takes.
 *
 * Variables are numbered from 0 in their order, 0 at the root. For transition relations, variable 2k is a bit of the
 * current state and 2k+1 the same bit of the next state.
 *
 * Ownership. What an operation returns carries no reference. A node lives as long as it is reachable from a handle
 * with a reference (dd_ref), from a registered variable (dd_register), or from an operand of the operation that runs.
 * Everything else may be collected whenever an operation starts, unless collection is paused (dd_pause).
 *
 * Memory. The store and its tables are counted against options.memory (what dd_count and the like need for a
 * moment is not). An operation that would exceed it collects garbage, tries
 * once more, and then returns DD_NONE. Every operation on DD_NONE returns DD_NONE, so that a chain of operations needs
 * one check, at its end. dd_failure says why.
 *
 * Threads. One thread at a time calls the operations of a manager. With options.threads > 1 an operation shares its
 * work with other threads of the manager; results are the same functions.
 *
 * Cost: 16 bytes a node, and 8 for the unique table, 24 for the operation caches at most. */
#ifndef NOETHER_DD_DD_H
#define NOETHER_DD_DD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bigint;
struct dd_manager;
typedef uint32_t dd;

#define DD_FALSE 0u
#define DD_TRUE 1u
#define DD_NONE UINT32_MAX

enum { DD_MAX_VARIABLES = 1 << 16 };

struct dd_options {
    uint32_t variables;
    uint32_t threads; /* 0 and 1: the caller's only */
    uint64_t memory;  /* bytes; 0: no limit */
    uint64_t nodes;   /* initial capacity; 0: a small store, which grows */
    /* Leaves whose values differ by at most this part of them are one leaf (0: only equal ones). Without it the noise
     * of rounding makes sharing impossible. Zero is never merged with another value. */
    double tolerance;
    /* Asked now and then, by any of the threads; true: the running operation fails. May be NULL. */
    bool (*stop)(void *data);
    void *stop_data;
};

enum dd_failure { DD_FAILURE_NONE, DD_FAILURE_MEMORY, DD_FAILURE_STOPPED };

/* NULL when the memory limit does not allow even the smallest store. */
struct dd_manager *dd_create(const struct dd_options *options);
void dd_destroy(struct dd_manager *m);
uint32_t dd_variable_count(const struct dd_manager *m);
/* Why the last operation that returned DD_NONE did so. */
enum dd_failure dd_failure(const struct dd_manager *m);

struct dd_statistics {
    uint64_t nodes;    /* in use now, garbage included */
    uint64_t live;     /* after the last collection */
    uint64_t peak;     /* most nodes in use so far */
    uint64_t capacity; /* of the store */
    uint64_t bytes;    /* of memory taken */
    uint64_t collections, growths;
};
struct dd_statistics dd_statistics(const struct dd_manager *m);

/* -- Keeping nodes alive (collect.c) -- */
dd dd_ref(struct dd_manager *m, dd f); /* returns f; DD_NONE is allowed */
void dd_unref(struct dd_manager *m, dd f);
/* Whatever these handles are at the time of a collection is kept. Unregister in the opposite order, or pay for a
 * search. */
void dd_register(struct dd_manager *m, const dd *first, size_t count);
void dd_unregister(struct dd_manager *m, const dd *first);
/* Between these, which nest, nothing is collected. */
void dd_pause(struct dd_manager *m);
void dd_resume(struct dd_manager *m);
void dd_collect(struct dd_manager *m);

/* -- Boolean functions (boolean.c) -- */
static inline dd dd_not(dd f)
{
    return f == DD_NONE ? f : f ^ 1u;
}
dd dd_variable(struct dd_manager *m, uint32_t variable);
dd dd_literal(struct dd_manager *m, uint32_t variable, bool positive);
dd dd_and(struct dd_manager *m, dd f, dd g);
dd dd_or(struct dd_manager *m, dd f, dd g);
dd dd_xor(struct dd_manager *m, dd f, dd g);
dd dd_iff(struct dd_manager *m, dd f, dd g);
dd dd_difference(struct dd_manager *m, dd f, dd g); /* f and not g */
dd dd_ite(struct dd_manager *m, dd f, dd g, dd h);
/* Is f a subset of g; do they meet? Nothing is built. DD_TRUE, DD_FALSE or DD_NONE. */
dd dd_is_subset(struct dd_manager *m, dd f, dd g);
dd dd_is_disjoint(struct dd_manager *m, dd f, dd g);

/* -- Quantification (quantify.c). A cube is the conjunction of the quantified variables. -- */
dd dd_cube(struct dd_manager *m, const uint32_t *variables, size_t count);
dd dd_exists(struct dd_manager *m, dd f, dd cube);
dd dd_and_exists(struct dd_manager *m, dd f, dd g, dd cube);

/* -- Transition relations (relation.c) --
 * `changed` is the cube of the current variables (even numbers) that the relation may change. Where it mentions a
 * pair's next variable the pair must be in `changed`; a current variable outside it may be read, and keeps its value.
 */
dd dd_next(struct dd_manager *m, dd states, dd relation, dd changed);
dd dd_previous(struct dd_manager *m, dd states, dd relation, dd changed);

/* -- Saturation (saturate.c): all states reachable by any of the relations from `states` -- */
struct dd_relation {
    dd relation, changed;
};
dd dd_saturate(struct dd_manager *m, dd states, const struct dd_relation *relations, size_t count);

/* -- Substitution (compose.c); for BDDs and MTBDDs; the images are BDDs -- */
/* Each variables[i] by images[i], all at once; the others stay. */
dd dd_compose_all(struct dd_manager *m, dd f, const uint32_t *variables, const dd *images, size_t count);
/* A renaming of variables, made once and used often: results are kept between calls. `images` has one entry for
 * each variable and must be a permutation. Belongs to the manager, which frees it. */
struct dd_permutation;
const struct dd_permutation *dd_permutation(struct dd_manager *m, const uint32_t *images);
/* f with each variable v renamed to images[v]. */
dd dd_permute(struct dd_manager *m, dd f, const struct dd_permutation *permutation);

/* -- A generalised cofactor (restrict.c): a function that agrees with f where care holds, small; it never mentions a
 * variable f does not -- */
dd dd_restrict(struct dd_manager *m, dd f, dd care);

/* -- A subset (thin.c) of f with at most `most` nodes, or a single cube; not empty when f is not -- */
dd dd_thin(struct dd_manager *m, dd f, uint64_t most);

/* -- Looking at a diagram (inspect.c, count.c). No nodes are made, except by those that return a dd. -- */
uint64_t dd_size(struct dd_manager *m, dd f); /* inner nodes */
/* As a package without complement edges counts them: for comparison with sizes in the literature. */
uint64_t dd_size_plain(struct dd_manager *m, dd f);
dd dd_support(struct dd_manager *m, dd f); /* as a cube */
bool dd_evaluate(struct dd_manager *m, dd f, const bool *values);
double dd_evaluate_leaf(struct dd_manager *m, dd f, const bool *values);
/* The satisfying assignments of the variables in `cube`, which holds the support of f; f must not be DD_NONE. The
 * number is the caller's. */
struct bigint *dd_count(struct dd_manager *m, dd f, dd cube);
double dd_count_double(struct dd_manager *m, dd f, dd cube);
/* An assignment that makes f true: values[variable] is 0, 1, or -1 where f does not care. False when f is false. */
bool dd_pick_values(struct dd_manager *m, dd f, int8_t *values);
/* The parts of an inner node, for those who walk a diagram. */
bool dd_is_constant(const struct dd_manager *m, dd f); /* also true of leaves */
uint32_t dd_top(const struct dd_manager *m, dd f);     /* its variable */
dd dd_low(const struct dd_manager *m, dd f);
dd dd_high(const struct dd_manager *m, dd f);

/* -- Functions to the reals: MTBDDs (real.c, matrix.c). NaN is no value: do not make it. -- */
dd dd_leaf(struct dd_manager *m, double value);
double dd_leaf_value(const struct dd_manager *m, dd f);
/* The different values of an MTBDD, ascending; the caller frees them. No nodes are made. */
double *dd_leaf_values(struct dd_manager *m, dd f, size_t *count);
enum dd_operation { DD_PLUS, DD_MINUS, DD_TIMES, DD_DIVIDE, DD_MIN, DD_MAX }; /* 0 times anything is 0 */
dd dd_apply(struct dd_manager *m, enum dd_operation operation, dd f, dd g);
/* The BDD chooses between two MTBDDs; with leaves 1 and 0 it becomes one. */
dd dd_select(struct dd_manager *m, dd condition, dd f, dd g);
dd dd_equal(struct dd_manager *m, dd f, dd g); /* the BDD of f = g */
/* Sum, minimum or maximum (DD_PLUS, DD_MIN, DD_MAX) over all values of the variables in the cube. */
dd dd_abstract(struct dd_manager *m, enum dd_operation operation, dd f, dd cube);
/* From now on sums, differences, products and quotients of leaves are rounded down instead of to the nearest double, in
 * every thread: what is below a value stays below it (and what is above stays so when it is written as its negative).
 */
void dd_round_down(struct dd_manager *m, bool on);
/* Leaves rounded down to the given number of binary digits (1 to 52): fewer different ones. */
dd dd_truncate(struct dd_manager *m, dd f, uint32_t digits);
/* A matrix has its row in the current and its column in the next variables, a vector its index in the current ones. For
 * the variables in `cube` (current ones): (Mv)(s) = sum over t of M(s,t) v(t). */
dd dd_matrix_vector(struct dd_manager *m, dd matrix, dd vector, dd cube);

#endif
