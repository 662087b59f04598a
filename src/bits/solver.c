#include "bits/solver.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"
#include "base/watch.h"

#ifdef NOETHER_CADICAL

#include <ccadical.h>
#include <pthread.h>

enum { SOLVER_LARGE = 1 << 16 }; /* variables */

struct solver {
    CCaDiCaL *cadical;
    int variables;
    bool is_partial; /* the time was over when a clause was added: it was not, and nothing is answered any more */
    struct cleanup cleanup; /* its memory is not of the account */
};

bool solver_is_available(void)
{
    return true;
}

static int solver_is_over(void *state)
{
    (void)state;
    return watch_is_up();
}

static void solver_undo(void *data)
{
    ccadical_release(((struct solver *)data)->cadical);
    account_add_solver(-1);
}

struct solver *solver_create(void)
{
    struct solver *solver = memory_zeroed(1, sizeof *solver);
    solver->cadical = ccadical_init();
    ccadical_set_option(solver->cadical, "quiet", 1);
    ccadical_set_terminate(solver->cadical, NULL, solver_is_over);
    account_add_solver(1);
    cleanup_push(&solver->cleanup, solver_undo, solver);
    return solver;
}

static void *solver_release(void *cadical)
{
    ccadical_release(cadical);
    return NULL;
}

/* A large solver has millions of clauses, each with memory of its own: giving it back takes longer than a run has to
 * end in, and nothing needs to wait for it. */
static bool solver_release_aside(struct solver *solver)
{
    pthread_t thread;
    if (solver->variables < SOLVER_LARGE || !thread_start(&thread, solver_release, solver->cadical))
        return false;
    pthread_detach(thread);
    return true;
}

void solver_destroy(struct solver *solver)
{
    if (!solver)
        return;
    cleanup_drop(&solver->cleanup);
    account_add_solver(-1);
    if (!solver_release_aside(solver))
        ccadical_release(solver->cadical);
    free(solver);
}

int solver_variable(struct solver *solver)
{
    return ++solver->variables;
}

void solver_add(struct solver *solver, const int *literals, size_t count)
{
    solver->is_partial |= watch_is_up();
    if (solver->is_partial)
        return;
    for (size_t i = 0; i < count; i++)
        ccadical_add(solver->cadical, literals[i]);
    ccadical_add(solver->cadical, 0);
}

void solver_assume(struct solver *solver, int literal)
{
    ccadical_assume(solver->cadical, literal);
}

void solver_constrain(struct solver *solver, const int *literals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ccadical_constrain(solver->cadical, literals[i]);
    ccadical_constrain(solver->cadical, 0);
}

enum solver_answer solver_ask(struct solver *solver, uint32_t conflicts)
{
    if (solver->is_partial || watch_is_up())
        return SOLVER_UNKNOWN;
    if (conflicts)
        ccadical_limit(solver->cadical, "conflicts", conflicts < INT_MAX ? (int)conflicts : INT_MAX);
    int answer = ccadical_solve(solver->cadical);
    return answer == 10 ? SOLVER_SATISFIABLE : answer == 20 ? SOLVER_UNSATISFIABLE : SOLVER_UNKNOWN;
}

bool solver_value(struct solver *solver, int literal)
{
    return ccadical_val(solver->cadical, literal) > 0;
}

bool solver_failed(struct solver *solver, int literal)
{
    return ccadical_failed(solver->cadical, literal);
}

#else

bool solver_is_available(void)
{
    return false;
}

/* There is no solver: these are never called. */
struct solver *solver_create(void)
{
    UNREACHABLE("there is no SAT solver");
}

void solver_destroy(struct solver *solver)
{
    (void)solver;
}

int solver_variable(struct solver *solver)
{
    (void)solver;
    return 0;
}

void solver_add(struct solver *solver, const int *literals, size_t count)
{
    (void)solver, (void)literals, (void)count;
}

void solver_assume(struct solver *solver, int literal)
{
    (void)solver, (void)literal;
}

void solver_constrain(struct solver *solver, const int *literals, size_t count)
{
    (void)solver, (void)literals, (void)count;
}

enum solver_answer solver_ask(struct solver *solver, uint32_t conflicts)
{
    (void)solver, (void)conflicts;
    return SOLVER_UNKNOWN;
}

bool solver_value(struct solver *solver, int literal)
{
    (void)solver, (void)literal;
    return false;
}

bool solver_failed(struct solver *solver, int literal)
{
    (void)solver, (void)literal;
    return false;
}

#endif
