/* The bytecode VM: a stepper (exec/stepper.h) that runs a compiled program (vm_code.h).
 *
 * The enumeration of successors is a coroutine: the code of all rules in a row, that stops at each
 * successor and goes on behind it. */
#ifndef NOETHER_EXEC_VM_H
#define NOETHER_EXEC_VM_H

#include "exec/vm_code.h"
#include "exec/workspace.h"

enum vm_exit { VM_EXIT_STATE, VM_EXIT_DISCARDED, VM_EXIT_FAULT, VM_EXIT_END, VM_EXIT_TRUE, VM_EXIT_FALSE };

struct vm {
    struct stepper stepper;
    struct vm_program program;
    struct workspace workspace; /* temporaries behind the scratch cells */
    int64_t *registers;
    uint32_t *calls;        /* return addresses */
    uint32_t resume;        /* where to go on; the position of END when there is nothing to do */
    struct stepper *starts; /* not NULL: enumerates the start states */
    bool is_at_starts;
    /* How the run ended. */
    uint32_t pc;    /* the instruction */
    uint32_t depth; /* calls that were open */
    uint32_t check; /* FAULT: which check failed, */
    int64_t value;  /* and on what */
};

/* Their steps are single rules, also where those of the system are not (exec/macro.h). The second one is an evaluator
 * where the code would be too large. */
struct stepper *vm_create(const struct system *system, const struct layout *layout, const struct vm_tuning *tuning);
struct stepper *vm_create_single(const struct system *system, const struct layout *layout);

/* Runs from `pc` on `memory` (the workspace's memory or probe) until something is to be reported. */
enum vm_exit vm_run(struct vm *vm, int32_t *memory, uint32_t pc);
/* The program, for --dump=bytecode. */
void vm_disassemble(const struct system *system, const struct layout *layout, struct text *out);

#endif
