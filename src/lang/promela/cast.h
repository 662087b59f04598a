/* Which processes there can be: their pids, and what runs under a pid.
 *
 * Pids are given as SPIN gives them: a new process has the number of those that are there, and only the one with the
 * highest pid can be removed. So those that never end, and those below them, keep their places. */
#ifndef NOETHER_LANG_PROMELA_CAST_H
#define NOETHER_LANG_PROMELA_CAST_H

#include "lang/promela/asked.h"
#include "lang/promela/flow.h"

enum { PML_MAX_PIDS = 255 /* as in SPIN */, PML_MAX_UNSEEN = 10000 /* where nobody sees a pid */, PML_ROOM = 24 };

struct pml_role {
    uint32_t first, last; /* the pids that its processes can have; last < first: it never runs */
    bool is_run;          /* some process may start one */
    bool can_end;         /* its end can be reached */
    bool can_die;         /* and it can then be removed */
    bool is_fixed;        /* its pids are known: each process of it is started once, and not removed */
};

struct pml_cast {
    uint32_t count;                         /* pids are 0 .. count - 1 */
    VEC(const struct pml_proctype *) known; /* by pid: those that are there from the start */
    size_t at_once;                         /* so many of the placed ones are started before any of them moves */
    VEC(const struct pml_expr *) placed;    /* runs of init whose pids are known: value - 1 */
    struct pml_role *roles;                 /* by proctype */
    bool is_bounded;                        /* there cannot be more; else a run of more is an error */
    bool has_runs, has_deaths;
    bool reads_count; /* the model asks how many there are */
    bool dies_anyhow; /* a process that has ended disappears whatever its pid is */
    bool keeps_dead;  /* a process that has ended never disappears */
    bool is_placed;   /* all pids are known */
    bool needs_count; /* how many there are decides something */
};

/* The flows are those of the model's proctypes, in order. */
struct pml_cast pml_cast_make(struct pml_model *model, const struct pml_flow *flows, const struct pml_asked *asked,
                              struct diagnostics *diagnostics);
void pml_cast_free(struct pml_cast *cast);

#endif
