/* The bytecode of the VM.
 *
 * Code is a list of 32-bit words: an opcode, then its operands, as the table below says. Registers hold 64-bit
 * integers; memory is the flat cell memory of ir/expr.h. An address operand comes in three modes:
 *
 *   C  a         cell a
 *   E  a v s     cell a + memory[v] * s     (v: a scratch cell that is never undefined: a parameter or a reference)
 *   X  a r       cell a + register r
 *
 * The letters of an operand list: r register, v sure scratch cell, a address, k constant, s stride, j jump target,
 * t type, p property, u rule, n number of cells. Reading a cell in a form that is not called RAW faults when it is
 * undefined. What a fault means is found through the side table of sites, by the position of the instruction and
 * the number of the check within it. */
#ifndef NOETHER_EXEC_VM_CODE_H
#define NOETHER_EXEC_VM_CODE_H

#include "base/text.h"
#include "base/vec.h"
#include "exec/fault.h"

/* clang-format off */
#define VM_MODES(X, name, before, after)                                                                               \
    X(name##_C, before "a" after)                                                                                      \
    X(name##_E, before "avs" after)                                                                                    \
    X(name##_X, before "ar" after)
/* clang-format on */

/* Compare and jump: a cell or a register with a constant, a register or a sure cell. */
/* clang-format off */
#define VM_COMPARE(X, name, right)                                                                                     \
    VM_MODES(X, name##right, "", VM_OPERAND_##right "j")                                                               \
    X(name##right##_R, "r" VM_OPERAND_##right "j")
/* clang-format on */
#define VM_OPERAND_K "k"
#define VM_OPERAND_R "r"
#define VM_OPERAND_V "v"

/* clang-format off */
#define VM_INSTRUCTIONS(X)                                                                                             \
    /* control */                                                                                                      \
    X(TRUE, "")        /* the property holds */                                                                        \
    X(FALSE, "")                                                                                                       \
    X(END, "")         /* no more instances */                                                                         \
    X(YIELD, "u")      /* a successor; the instance is read off the parameters */                                      \
    X(YIELD_AT, "uk")  /* a successor of a known instance */                                                           \
    X(RESTORE, "")     /* the state as it was */                                                                       \
    X(DISCARD, "")                                                                                                     \
    X(FAULT, "")                                                                                                       \
    X(COVER, "p")                                                                                                      \
    X(JUMP, "j")                                                                                                       \
    X(CALL, "j")                                                                                                       \
    X(RETURN, "")                                                                                                      \
    /* values */                                                                                                       \
    X(CONST, "rk")                                                                                                     \
    X(CONST64, "rkk")  /* low word, high word */                                                                       \
    X(MOVE, "rr")                                                                                                      \
    VM_MODES(X, LOAD, "r", "")                                                                                         \
    VM_MODES(X, RAW, "r", "")                                                                                          \
    X(ADD, "rrr") X(SUB, "rrr") X(MUL, "rrr") X(DIV, "rrr") X(MOD, "rrr")                                              \
    X(ADD_K, "rrk")                                                                                                    \
    X(ADD_KC, "rak")   /* cell plus constant */                                                                        \
    X(AND, "rrr") X(OR, "rrr") X(XOR, "rrr") X(SHL, "rrr") X(SHR, "rrr")                                               \
    X(NEGATE, "rr") X(COMPLEMENT, "rr")                                                                                \
    X(EQUAL, "rrrn")   /* are the cells at two addresses equal? */                                                     \
    X(ANY_UNDEFINED, "rrn")                                                                                            \
    X(SLOT_TAKEN, "rrrkk") /* multiset, slot, capacity, stride */                                                      \
    /* addresses */                                                                                                    \
    X(ADDRESS_E, "ravs")                                                                                               \
    X(ADDRESS_EE, "ravsvs")                                                                                            \
    X(ADDRESS_X, "rar")                                                                                                \
    X(OFFSET, "rrr")         /* sum without check */                                                                   \
    X(INDEX, "rrkks")        /* (index - low) * stride, the index within low..high */                                  \
    X(INDEX_FREE, "rrks")    /* the same when it cannot be outside */                                                  \
    X(INDEX_C, "rakks")      /* the index is a cell */                                                                 \
    X(INDEX_FREE_C, "raks")                                                                                            \
    X(INDEX_TYPE, "rrts")    /* the index type has gaps */                                                             \
    X(SLOT, "rrrkk")         /* multiset, slot, capacity, stride: the element */                                       \
    /* stores */                                                                                                       \
    X(SET, "ak")             /* a scratch cell: nothing to restore */                                                  \
    X(LET, "ar")                                                                                                       \
    VM_MODES(X, STORE_K, "", "k")                                                                                      \
    VM_MODES(X, STORE, "", "r")                                                                                        \
    X(CHECK, "rkk")          /* the value is within low..high */                                                       \
    X(CHECK_RAW, "rkk")      /* or undefined */                                                                        \
    X(CHECK_TYPE, "rt")                                                                                                \
    X(CHECK_RAW_TYPE, "rt")                                                                                            \
    X(COPY, "rrn")                                                                                                     \
    X(FILL, "rkn")           /* from the templates */                                                                  \
    X(TAKE_SLOT, "rrkk")     /* a free slot of a multiset: capacity, stride; the address of its element */             \
    X(FREE_SLOT, "rrrkk")    /* multiset, slot; the element*/                                                          \
    /* jumps */                                                                                                        \
    VM_COMPARE(X, JEQ_, K) VM_COMPARE(X, JNE_, K) VM_COMPARE(X, JLT_, K) VM_COMPARE(X, JGE_, K)                        \
    VM_COMPARE(X, JEQ_, R) VM_COMPARE(X, JNE_, R)                                                                      \
    VM_COMPARE(X, JEQ_, V) VM_COMPARE(X, JNE_, V)                                                                      \
    X(JLT_RR, "rrj") X(JLE_RR, "rrj")                                                                                  \
    X(JEQ_VV, "vvj") X(JNE_VV, "vvj")                                                                                  \
    X(JEQ_VK, "vkj") X(JNE_VK, "vkj")                                                                                  \
    VM_MODES(X, JUNDEFINED, "", "j")                                                                                   \
    VM_MODES(X, JDEFINED, "", "j")                                                                                     \
    X(JIN, "rkkj") X(JOUT, "rkkj") X(JIN_TYPE, "rtj") X(JOUT_TYPE, "rtj")                                              \
    /* loops */                                                                                                        \
    X(LOOP, "vkj")           /* the next code up to k */                                                               \
    X(LOOP_TYPE, "vtj")      /* the next code of a type with gaps */                                                   \
    X(FOR_CHECK, "r")        /* a step of 0 */                                                                         \
    X(FOR_TEST, "rrrj")      /* counter, last, step: out when past the end */                                          \
    X(FOR_NEXT, "rrj")       /* counter, step: back; falls through when it cannot go on */                             \
    X(TICK, "r")             /* counts the iterations of a while */                                                    \
    X(JFREE, "rvkj")         /* multiset, slot, stride: is it free? */
/* clang-format on */

enum vm_op {
#define VM_OP(name, operands) VM_##name,
    VM_INSTRUCTIONS(VM_OP)
#undef VM_OP
        VM_OP_COUNT
};

/* Words of an instruction, the opcode included. */
enum {
#define VM_LENGTH(name, operands) VM_LENGTH_##name = sizeof(operands),
    VM_INSTRUCTIONS(VM_LENGTH)
#undef VM_LENGTH
};

/* What a failed check means. */
struct vm_site {
    uint32_t pc, check;
    enum fault_kind kind;
    struct span span;
    const struct property *property;
    const struct type *type;
};

struct vm_rule {
    const struct rule *rule;
    uint32_t *cells; /* that count its parameters */
};

/* A stretch of code that decides or fires instances of a rule; sorted by start. */
struct vm_segment {
    uint32_t start;
    int32_t rule;     /* its position in program->rules; -1: a property or a function */
    uint32_t level;   /* number of parameters chosen when it runs */
    uint32_t resume;  /* where to go on when it ends without a successor */
    int64_t instance; /* the first one it speaks for; -1: read it off the parameters */
};

struct vm_program {
    VEC(int32_t) code;
    VEC(struct vm_site) sites; /* sorted by pc */
    VEC(struct vm_segment) segments;
    VEC(const struct type *) types;
    VEC(int32_t) templates; /* what clear and undefine write */
    struct vm_rule *rules;  /* by the number in YIELD: the rules, then the start states */
    uint32_t rule_count;
    uint32_t starts, successors; /* entry points */
    int64_t *properties;         /* entry points by property id; -1: no formula */
    int64_t *propositions;       /* entry points by proposition id */
    bool *is_pure;               /* by property id: writes no state cell */
    uint32_t register_count, call_depth;
    uint32_t memory_cells; /* those of the system, then temporaries */
};

/* How far code is multiplied for speed. The tests try the extremes. */
struct vm_tuning {
    uint32_t inline_nodes; /* of a function that is emitted where it is called */
    uint32_t unroll_nodes; /* of a rule, times its instances, for code of each instance's own */
    uint32_t loop_nodes;   /* of the body of a loop or quantifier, times its values, to be unrolled */
    uint32_t unroll_words; /* of code in all, beyond which nothing more is unrolled */
};
extern const struct vm_tuning VM_TUNING;

const char *vm_op_operands(enum vm_op op);
const struct vm_site *vm_find_site(const struct vm_program *program, uint32_t pc, uint32_t check);
const struct vm_segment *vm_find_segment(const struct vm_program *program, uint32_t pc);
void vm_print_program(const struct vm_program *program, const struct system *system, struct text *out);
void vm_free_program(struct vm_program *program);

#endif
