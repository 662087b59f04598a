/* A SAT solver, incremental: clauses are added, questions are asked under assumptions.
 *
 * The only user of CaDiCaL (solver.c). Literals are integers other than 0; the negation is the negative. A variable is
 * made by solver_variable. Where the program was built without CaDiCaL, solver_is_available says so, and nothing else
 * may be called.
 *
 * The solver polls the watch of the thread (base/watch.h): a question that it cuts is SOLVER_UNKNOWN, and so is every
 * question after a clause that came too late. Its memory is
 * counted by the size of the process only, which the watch looks at. */
#ifndef NOETHER_BITS_SOLVER_H
#define NOETHER_BITS_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum solver_answer { SOLVER_UNKNOWN, SOLVER_SATISFIABLE, SOLVER_UNSATISFIABLE };

struct solver;

bool solver_is_available(void);
struct solver *solver_create(void);
void solver_destroy(struct solver *solver);
int solver_variable(struct solver *solver);
void solver_add(struct solver *solver, const int *literals, size_t count);
static inline void solver_add_unit(struct solver *solver, int a)
{
    solver_add(solver, &a, 1);
}
static inline void solver_add_pair(struct solver *solver, int a, int b)
{
    int literals[2] = {a, b};
    solver_add(solver, literals, 2);
}
/* For the next question only. */
void solver_assume(struct solver *solver, int literal);
/* A clause for the next question only; at most one. */
void solver_constrain(struct solver *solver, const int *literals, size_t count);
/* `conflicts` 0: no limit, else SOLVER_UNKNOWN after so many. */
enum solver_answer solver_ask(struct solver *solver, uint32_t conflicts);
/* After SOLVER_SATISFIABLE. */
bool solver_value(struct solver *solver, int literal);
/* After SOLVER_UNSATISFIABLE: was the assumption needed? */
bool solver_failed(struct solver *solver, int literal);

#endif
