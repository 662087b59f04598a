/* The memory in which a fast stepper fires rules, shared by the VM and native code.
 *
 * The state whose successors are enumerated is kept as it was; instances run on a copy of it. Stores note which part
 * of the state they touch (one bit for each of at most 64 blocks of cells), and only those parts are looked at for
 * changes and copied back before the next instance. */
#ifndef NOETHER_EXEC_WORKSPACE_H
#define NOETHER_EXEC_WORKSPACE_H

#include "exec/stepper.h"

struct workspace {
    const struct layout *layout;
    int32_t *original;   /* the state whose successors are enumerated */
    int32_t *memory;     /* the state being changed, then scratch */
    int32_t *probe;      /* memory for properties of other states */
    uint32_t *changed;   /* room for the list in struct step */
    uint32_t shift;      /* cells of a block: 1 << shift */
    uint64_t dirty;      /* blocks of memory that may differ from the original */
    uint64_t *multisets; /* for each multiset of the layout: its blocks */
    bool is_normal;      /* the original's multisets are in normal order */
    bool is_start;       /* start states are enumerated */
    /* A fault shared by several instances: those still to be reported. */
    struct fault fault;
    const struct rule *fault_rule;
    uint64_t fault_next, fault_end;
};

/* memory_cells: those of the system, and perhaps temporaries behind them. */
void workspace_open(struct workspace *workspace, const struct layout *layout, uint32_t memory_cells);
void workspace_close(struct workspace *workspace);

/* The smallest shift for which 64 blocks cover that many cells. */
uint32_t workspace_shift(uint32_t state_cells);
/* The blocks of a stretch of cells. */
uint64_t workspace_blocks(const struct workspace *workspace, uint32_t address, uint32_t cells);

/* Successors of `cells`; NULL: start states. */
void workspace_begin(struct workspace *workspace, const int32_t *cells);
/* The same where `original` and `memory` have been changed to those of the state already. */
void workspace_begin_again(struct workspace *workspace);
/* An instance has been fired: packs the state it led to, from the one it comes from, and copies the touched parts back.
 */
void workspace_pack(struct workspace *workspace, const uint64_t *from, uint64_t *packed);
/* Copies the touched parts of the state back. */
void workspace_restore(struct workspace *workspace);
/* The same after workspace_yield, of a state that nobody has changed since. */
void workspace_take_back(struct workspace *workspace, const struct step *step);
/* An instance has been fired: normalises the state, and says in the step what it is and what has changed. */
void workspace_yield(struct workspace *workspace, struct step *step);

/* A fault before all parameters were chosen is that of all instances that share the first `level` ones: `instance`
 * is the first of them. They are reported one by one. */
void workspace_share_fault(struct workspace *workspace, const struct fault *fault, const struct rule *rule,
                           uint64_t instance, uint32_t level);
static inline bool workspace_has_fault(const struct workspace *workspace)
{
    return workspace->fault_next < workspace->fault_end;
}
void workspace_report_fault(struct workspace *workspace, struct step *step);

/* Memory in which a property of `cells` can be evaluated. The state just stepped to is where it is; a formula that
 * writes no state cell (is_pure) may be evaluated there. */
int32_t *workspace_probe(struct workspace *workspace, const int32_t *cells, bool is_pure);

#endif
