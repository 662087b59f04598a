/* The automaton of a proctype: where control can stand, and the moves from there.
 *
 * The nodes are SPIN's: one for each statement but unless, blocks too, and one for the end of an `if` or `do`; jumps
 * are followed, so that numbers of states agree. The moves of an `if` or `do` are those of the first statements
 * of its options. */
#ifndef NOETHER_LANG_PROMELA_FLOW_H
#define NOETHER_LANG_PROMELA_FLOW_H

#include "lang/promela/ast.h"

#define PML_NOWHERE UINT32_MAX

struct pml_move {
    struct pml_stmt *stmt; /* what is done: a basic statement or a jump; NULL: the end of an if or do, nothing */
    uint32_t target;
    uint32_t number; /* SPIN's, of what is done (parse.h) */
    bool keeps;      /* the process goes on alone: an atomic sequence or d_step is not over */
    uint32_t rank;   /* 0; of an escape of `unless` more: while one is possible, none of lower rank is */
    uint32_t escape; /* SPIN's number of the first statement of that escape */
    const struct pml_stmt
        *dstep;       /* the d_step it belongs to: of its moves from a node, the first one counts; or NULL */
    bool is_shadowed; /* in a d_step, behind an option that begins with a choice: it is never tried */
};

struct pml_node {
    struct span span;
    struct pml_stmt *stmt; /* NULL: the end of an if or do, or of the process */
    uint32_t number;       /* SPIN's (parse.h) */
    VEC(struct pml_move) moves;
    uint32_t after;               /* the node that comes behind it in the text; of a jump: where it leads */
    bool is_after_atomic;         /* what comes behind it is inside an atomic sequence, and not its last statement */
    const struct pml_stmt *dstep; /* the d_step around it; NULL: none */
    bool is_in_atomic;
    bool is_atomic; /* whoever moves from here goes on alone: in an atomic sequence, and not its last statement */
    bool is_passed; /* a jump, or the end of an if or do: usually no step of its own */
    bool is_inside; /* of its d_step, not at the beginning: it must not block here */
    bool is_end;    /* a process may stand here for ever: an end label */
    bool is_accept, is_progress;
    bool is_fused;                   /* control never stands here: it goes on at once, in the same step */
    bool is_reached;                 /* from the entry, and not fused */
    const struct pml_set_loop *loop; /* the loop over a set that begins here, which is fused (set_loop.h); or NULL */
    const struct pml_set_choice *choice; /* likewise */
};

struct pml_flow {
    const struct pml_proctype *proctype;
    VEC(struct pml_node) nodes; /* the last one is the end of the process */
    uint32_t entry, end;
    bool has_atomic;
};

/* False when something is wrong (reported). The numbers of nodes are in the statements. */
bool pml_flow_build(struct pml_flow *flow, struct pml_proctype *proctype, struct arena *arena,
                    struct diagnostics *diagnostics);
void pml_flow_free(struct pml_flow *flow);
/* Does pan try `other` before `move`, moves of the node with these indices, and not `move` if `other` is possible? */
bool pml_goes_first(const struct pml_node *node, size_t other, size_t move);
/* The node of a label; PML_NOWHERE: there is none. */
uint32_t pml_flow_label(const struct pml_flow *flow, const char *label);
/* Can the node be reached from itself? */
bool pml_flow_is_cyclic(const struct pml_flow *flow, uint32_t node);

#endif
