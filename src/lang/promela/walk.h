/* Visiting the parts of a model's tree. */
#ifndef NOETHER_LANG_PROMELA_WALK_H
#define NOETHER_LANG_PROMELA_WALK_H

#include "lang/promela/ast.h"

struct pml_walk {
    void *user;
    void (*stmt)(void *user, struct pml_stmt *stmt); /* before what is in it; NULL: not asked for */
    /* Before what is in it. Where a channel is operated on (sent to, received from, polled, measured) the expression is
     * not used as a value. NULL: not asked for. */
    void (*expr)(void *user, struct pml_expr *expr, bool is_operated);
};

void pml_walk_block(const struct pml_walk *walk, struct pml_block *block);
/* What stands in the statement itself, not in its blocks. */
void pml_walk_stmt(const struct pml_walk *walk, struct pml_stmt *stmt);
void pml_walk_expr(const struct pml_walk *walk, struct pml_expr *expr, bool is_operated); /* NULL: nothing */
/* The process that is started in it; NULL: none. */
struct pml_expr *pml_run_in(struct pml_expr *expr);
const struct pml_expr *pml_started(const struct pml_stmt *stmt);
/* skip, true, or the number itself. */
bool pml_is_one(const struct pml_stmt *stmt);
/* Is it executed as soon as control is there? */
bool pml_is_sure(const struct pml_stmt *stmt);
/* Everything: initial values, bodies, provided clauses, formulas; the never claim and the trace assertion, too. */
void pml_walk_model(const struct pml_walk *walk, struct pml_model *model);

#endif
