/* The bytecode VM: a stepper (exec/stepper.h) that runs a compiled program (vm_code.h).
 *
 * The enumeration of successors is a coroutine: the code of all rules in a row, that stops at each
 * successor and goes on behind it. Stores note which part of the state they touch (one bit for each of at most 64
 * blocks of cells), and only those parts are copied back before the next instance. */
#ifndef NOETHER_EXEC_VM_H
#define NOETHER_EXEC_VM_H

#include "exec/stepper.h"
#include "exec/vm_code.h"

enum vm_exit { VM_EXIT_STATE, VM_EXIT_DISCARDED, VM_EXIT_FAULT, VM_EXIT_END, VM_EXIT_TRUE, VM_EXIT_FALSE };

struct vm {
    struct stepper stepper;
    struct vm_program program;
    int64_t *registers;
    uint32_t *calls;   /* return addresses */
    int32_t *original; /* the state whose successors are enumerated */
    int32_t *memory;   /* the state being changed, then scratch, then temporaries */
    int32_t *probe;    /* memory for properties of other states */
    uint32_t shift;    /* cells of a block: 1 << shift */
    uint64_t dirty;    /* blocks of memory that may differ from the original */
    uint32_t *changed; /* the cells of them that do, of the last successor */
    bool is_start;     /* start states are enumerated */
    uint64_t multisets;/* blocks with cells of multisets */
    bool is_normal;    /* the original's multisets are in normal order */
    uint32_t resume;   /* where to go on; the position of END when there is nothing to do */
    /* How the run ended. */
    uint32_t pc;       /* the instruction */
    uint32_t depth;    /* calls that were open */
    uint32_t check;    /* FAULT: which check failed, */
    int64_t value;     /* and on what */
    /* A fault shared by several instances: those still to be reported. */
    struct fault fault;
    const struct rule *fault_rule;
    uint64_t fault_next, fault_end;
};

struct stepper *vm_create(const struct system *system, const struct layout *layout, const struct vm_tuning *tuning);

/* Runs from `pc` on `memory` (vm->memory or vm->probe) until something is to be reported. */
enum vm_exit vm_run(struct vm *vm, int32_t *memory, uint32_t pc);
/* Copies the touched parts of the state back. */
void vm_restore(struct vm *vm);
/* The blocks of a stretch of cells. */
uint64_t vm_blocks(const struct vm *vm, uint32_t address, uint32_t cells);

/* The program, for --dump=bytecode. */
void vm_disassemble(const struct system *system, const struct layout *layout, struct text *out);

#endif
