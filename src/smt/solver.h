/* A solver for SMT-LIB files: a program of its own (z3, cvc5), found on the path. */
#ifndef NOETHER_SMT_SOLVER_H
#define NOETHER_SMT_SOLVER_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum smt_answer { SMT_UNSATISFIABLE, SMT_SATISFIABLE, SMT_UNKNOWN };
typedef VEC(enum smt_answer) smt_answer_list;

struct smt_solver {
    const char *name; /* of the program */
    bool is_found;
};

bool smt_solver_is_found(const char *name);

/* A folder for files of queries: the caller's, which is kept, or one of its own. */
struct smt_folder {
    struct text path;
    bool is_kept;
};
bool smt_folder_open(struct smt_folder *folder, const char *kept);
void smt_folder_close(struct smt_folder *folder);
/* Removes a file, and what solvers said of it. */
void smt_folder_forget(const struct smt_folder *folder, const char *name);
/* A new file, in place of one that is there (base/folder.h). False: it cannot be written. */
bool smt_folder_write(const struct smt_folder *folder, const char *name, const struct text *content);

/* Asks all questions of a file, in order; each for at most so many seconds. False: there is no answer to all of them
 * (an error, or the watch of the thread was up). */
bool smt_solve(const struct smt_folder *folder, const char *solver, const char *file, double seconds,
               smt_answer_list *answers);
/* The same for a file that asks for unsatisfiable cores, and each answer is unsat: `take` gets the number in each name
 * of each core ("c17"), with the number of the question. */
bool smt_solve_cores(const struct smt_folder *folder, const char *solver, const char *file, double seconds,
                     void (*take)(void *user, uint32_t question, uint32_t name), void *user);

#endif
