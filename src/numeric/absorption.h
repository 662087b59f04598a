/* Linear equations x = constant + terms * x of a chain that leaves its states with probability 1, in doubles.
 *
 * The elimination of Grassmann, Taksar and Heyman (1985): what a state is left with is the sum of the ways out of it,
 * never 1 minus the ways back, so nothing is subtracted and states that are left with tiny probability lose no digits.
 * The factors are kept, to solve the same equations for other constants, which may then be negative. The order of
 * elimination is greedy: first what makes the fewest new terms (Markowitz 1957), so that chains which are narrow
 * (birth-death chains, queues in a row, grids) are solved in about linear time.
 *
 * With constants that are not negative, the values have a relative error that absorption_error bounds. The reason: by
 * the matrix-tree theorem, a value is a quotient of two sums of products, each product with one number at most from
 * each row. So a relative change d of the numbers of a row changes a value by 2d at most (O'Cinneide 1993). Eliminating
 * a state with s terms and p users changes the numbers of p rows by s + 3 roundings each; the error is the sum over the
 * states, about two roundings for each multiplication that was made. */
#ifndef NOETHER_NUMERIC_ABSORPTION_H
#define NOETHER_NUMERIC_ABSORPTION_H

#include <stdbool.h>
#include <stdint.h>

struct absorption;

/* go_on is asked after about so many terms. */
enum { ABSORPTION_WORK_BETWEEN_QUESTIONS = 1 << 18 };

/* States 0 .. count - 1. NULL: more terms than `most_terms` would have to be kept, go_on (NULL: always) said no, or
 * some state is never left. `fill` is called once for each state, in order, and adds what its row is made of. */
struct absorption *absorption_create(uint32_t count, void (*fill)(void *user, uint32_t state, struct absorption *into),
                                     void *user, uint64_t most_terms, bool (*go_on)(void *user), void *go_on_user);
void absorption_destroy(struct absorption *absorption);
/* For `fill`: from the state to another one (to itself: no matter), and out of all of them. */
void absorption_add(struct absorption *absorption, uint32_t from, uint32_t to, double probability);
void absorption_add_exit(struct absorption *absorption, uint32_t from, double probability);
/* The relative error of the solution for exact constants that are not negative, at most, if no number left the range of
 * a double (rounding_is_out_of_range). It is about the chain of the numbers given; INFINITY: nothing is known. */
double absorption_error(const struct absorption *absorption);
/* `values` holds the constants, then the solution. */
void absorption_solve(const struct absorption *absorption, double *values);

#endif
