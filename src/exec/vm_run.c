/* The interpreter loop: computed goto, one block for each instruction. */
#include "exec/vm.h"

#include <string.h>

#include "ir/arith.h"

/* One word of operands. */
#define WORD(i) pc[i]
#define REG(i) registers[pc[i]]
/* The address operand that starts at word i, in its three modes, and how many words it takes. */
#define AT_C(i) (pc[i])
#define AT_E(i) ((int64_t)pc[i] + (int64_t)memory[pc[(i) + 1]] * pc[(i) + 2])
#define AT_X(i) ((int64_t)pc[i] + registers[pc[(i) + 1]])
enum { SIZE_C = 1, SIZE_E = 3, SIZE_X = 2 };

#define DISPATCH() goto *labels[*pc]
#define NEXT(name)                                                                                                     \
    do {                                                                                                               \
        pc += VM_LENGTH_##name;                                                                                        \
        DISPATCH();                                                                                                    \
    } while (0)
#define JUMP_TO(target)                                                                                                \
    do {                                                                                                               \
        pc = code + (target);                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)
#define JUMP_IF(name, condition, target)                                                                               \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            JUMP_TO(target);                                                                                           \
        NEXT(name);                                                                                                    \
    } while (0)
#define FAIL(number, what)                                                                                             \
    do {                                                                                                               \
        vm->check = (number);                                                                                          \
        vm->value = (what);                                                                                            \
        goto fault;                                                                                                    \
    } while (0)
/* In every loop: is the time over? */
#define LOOK()                                                                                                         \
    do {                                                                                                               \
        if (UNLIKELY(__atomic_load_n(over, __ATOMIC_RELAXED)) && watch_cuts())                                         \
            goto do_DISCARD;                                                                                           \
    } while (0)
#define UNLIKELY(condition) __builtin_expect((condition), 0)
#define MARK(address) (dirty |= (uint64_t)1 << (((uint64_t)(address) >> shift) & 63))

/* The instructions that come in three modes. */
#define FOR_MODES(DO, name)                                                                                            \
    DO(name, C)                                                                                                        \
    DO(name, E)                                                                                                        \
    DO(name, X)

#define DO_LOAD(name, mode)                                                                                            \
    do_##name##_##mode:                                                                                                \
    {                                                                                                                  \
        int32_t cell = memory[AT_##mode(2)];                                                                           \
        if (UNLIKELY(cell == UNDEFINED))                                                                               \
            FAIL(0, 0);                                                                                                \
        REG(1) = cell;                                                                                                 \
        NEXT(name##_##mode);                                                                                           \
    }
#define DO_RAW(name, mode)                                                                                             \
    do_##name##_##mode : REG(1) = memory[AT_##mode(2)];                                                                \
    NEXT(name##_##mode);
#define DO_STORE_K(name, mode)                                                                                         \
    do_##name##_##mode:                                                                                                \
    {                                                                                                                  \
        int64_t address = AT_##mode(1);                                                                                \
        memory[address] = WORD(1 + SIZE_##mode);                                                                       \
        MARK(address);                                                                                                 \
        NEXT(name##_##mode);                                                                                           \
    }
#define DO_STORE(name, mode)                                                                                           \
    do_##name##_##mode:                                                                                                \
    {                                                                                                                  \
        int64_t address = AT_##mode(1);                                                                                \
        memory[address] = (int32_t)REG(1 + SIZE_##mode);                                                               \
        MARK(address);                                                                                                 \
        NEXT(name##_##mode);                                                                                           \
    }
#define DO_JUNDEFINED(name, mode)                                                                                      \
    do_##name##_##mode : JUMP_IF(name##_##mode, memory[AT_##mode(1)] == UNDEFINED, WORD(1 + SIZE_##mode));
#define DO_JDEFINED(name, mode)                                                                                        \
    do_##name##_##mode : JUMP_IF(name##_##mode, memory[AT_##mode(1)] != UNDEFINED, WORD(1 + SIZE_##mode));

/* Compare and jump. The right operand: a constant, a register, a sure cell. */
#define RIGHT_K(i) WORD(i)
#define RIGHT_R(i) REG(i)
#define RIGHT_V(i) memory[WORD(i)]
#define DO_COMPARE_CELL(name, right, mode, op)                                                                         \
    do_##name##_##right##_##mode:                                                                                      \
    {                                                                                                                  \
        int32_t cell = memory[AT_##mode(1)];                                                                           \
        if (UNLIKELY(cell == UNDEFINED))                                                                               \
            FAIL(0, 0);                                                                                                \
        JUMP_IF(name##_##right##_##mode, cell op RIGHT_##right(1 + SIZE_##mode), WORD(2 + SIZE_##mode));               \
    }
#define DO_COMPARE(name, right, op)                                                                                    \
    DO_COMPARE_CELL(name, right, C, op)                                                                                \
    DO_COMPARE_CELL(name, right, E, op)                                                                                \
    DO_COMPARE_CELL(name, right, X, op)                                                                                \
    do_##name##_##right##_R : JUMP_IF(name##_##right##_R, REG(1) op RIGHT_##right(2), WORD(3));

#define DO_CHECKED(name, builtin)                                                                                      \
    do_##name : if (UNLIKELY(builtin(REG(2), REG(3), &REG(1)))) FAIL(1, 0);                                            \
    NEXT(name);
#define DO_BITS(name, op)                                                                                              \
    do_##name : REG(1) = REG(2) op REG(3);                                                                             \
    NEXT(name);
/* The rare operators share the arithmetic of the IR. */
#define DO_ARITH(name, op)                                                                                             \
    do_##name : status = arith_binary(op, REG(2), REG(3), &REG(1));                                                    \
    if (UNLIKELY(status != ARITH_OK))                                                                                  \
        FAIL(status == ARITH_DIVISION ? 0 : 1, 0);                                                                     \
    NEXT(name);

static bool any_undefined(const int32_t *cells, int32_t count)
{
    for (int32_t c = 0; c < count; c++)
        if (cells[c] == UNDEFINED)
            return true;
    return false;
}

/* The code after `code` in a type with gaps between its blocks; false at the end. */
static bool next_code(const struct type *type, int32_t *code)
{
    int64_t ordinal = type_ordinal(type, *code) + 1;
    if (ordinal == type->size)
        return false;
    *code = type_code(type, (uint32_t)ordinal);
    return true;
}

/* The first free slot, or -1. */
static int64_t free_slot(const int32_t *memory, int64_t base, int32_t capacity, int32_t stride)
{
    for (int32_t s = 0; s < capacity; s++)
        if (!memory[base + (int64_t)s * stride])
            return base + (int64_t)s * stride;
    return -1;
}

enum vm_exit vm_run(struct vm *vm, int32_t *memory, uint32_t start)
{
    static const void *const labels[] = {
#define VM_TARGET(name, operands) &&do_##name,
        VM_INSTRUCTIONS(VM_TARGET)
#undef VM_TARGET
    };
    const int32_t *const code = vm->program.code.items;
    const struct type *const *types = vm->program.types.items;
    int64_t *const registers = vm->registers;
    struct workspace *const workspace = &vm->workspace;
    const uint32_t shift = workspace->shift;
    const int32_t *pc = code + start;
    uint64_t dirty = workspace->dirty;
    const int *const over = watch_hint(vm->stepper.is_watched);
    uint32_t depth = 0;
    enum vm_exit exit;
    enum arith_status status;
    DISPATCH();

    /* control */
do_TRUE:
    exit = VM_EXIT_TRUE;
    goto leave;
do_FALSE:
    exit = VM_EXIT_FALSE;
    goto leave;
do_END:
    exit = VM_EXIT_END;
    goto leave;
do_YIELD:
do_YIELD_AT:
    exit = VM_EXIT_STATE;
    goto leave;
do_DISCARD:
    exit = VM_EXIT_DISCARDED;
    goto leave;
do_FAULT:
    FAIL(0, 0);
do_RESTORE:
    workspace->dirty = dirty;
    workspace_restore(workspace);
    dirty = 0;
    NEXT(RESTORE);
do_COVER:
    vm->stepper.covered[WORD(1)] = true;
    NEXT(COVER);
do_JUMP:
    JUMP_TO(WORD(1));
do_CALL:
    LOOK(); /* calls in calls multiply */
    vm->calls[depth++] = (uint32_t)(pc - code);
    JUMP_TO(WORD(1));
do_RETURN:
    pc = code + vm->calls[--depth];
    NEXT(CALL);

    /* values */
do_CONST:
    REG(1) = WORD(2);
    NEXT(CONST);
do_CONST64:
    REG(1) = (int64_t)((uint64_t)(uint32_t)WORD(2) | (uint64_t)(uint32_t)WORD(3) << 32);
    NEXT(CONST64);
do_MOVE:
    REG(1) = REG(2);
    NEXT(MOVE);
    FOR_MODES(DO_LOAD, LOAD)
    FOR_MODES(DO_RAW, RAW)
    DO_CHECKED(ADD, __builtin_add_overflow)
    DO_CHECKED(SUB, __builtin_sub_overflow)
    DO_CHECKED(MUL, __builtin_mul_overflow)
    DO_ARITH(DIV, OP_DIV)
    DO_ARITH(MOD, OP_MOD)
    DO_ARITH(SHL, OP_SHL)
    DO_ARITH(SHR, OP_SHR)
    DO_BITS(AND, &)
    DO_BITS(OR, |)
    DO_BITS(XOR, ^)
do_ADD_K:
    if (UNLIKELY(__builtin_add_overflow(REG(2), (int64_t)WORD(3), &REG(1))))
        FAIL(0, 0);
    NEXT(ADD_K);
do_ADD_KC:
    if (UNLIKELY(memory[WORD(2)] == UNDEFINED))
        FAIL(0, 0);
    REG(1) = (int64_t)memory[WORD(2)] + WORD(3);
    NEXT(ADD_KC);
do_NEGATE:
    if (UNLIKELY(__builtin_sub_overflow((int64_t)0, REG(2), &REG(1))))
        FAIL(1, 0);
    NEXT(NEGATE);
do_COMPLEMENT:
    REG(1) = ~REG(2);
    NEXT(COMPLEMENT);
do_EQUAL:
    REG(1) = memcmp(memory + REG(2), memory + REG(3), (size_t)WORD(4) * sizeof *memory) == 0;
    NEXT(EQUAL);
do_ANY_UNDEFINED:
    REG(1) = any_undefined(memory + REG(2), WORD(3));
    NEXT(ANY_UNDEFINED);
do_SLOT_TAKEN:
    if (UNLIKELY(REG(3) < 0 || REG(3) >= WORD(4)))
        FAIL(0, 0);
    REG(1) = memory[REG(2) + REG(3) * WORD(5)];
    NEXT(SLOT_TAKEN);

    /* addresses */
do_ADDRESS_E:
    REG(1) = AT_E(2);
    NEXT(ADDRESS_E);
do_ADDRESS_EE:
    REG(1) = AT_E(2) + (int64_t)memory[WORD(5)] * WORD(6);
    NEXT(ADDRESS_EE);
do_ADDRESS_X:
    REG(1) = AT_X(2);
    NEXT(ADDRESS_X);
do_OFFSET:
    REG(1) = REG(2) + REG(3);
    NEXT(OFFSET);
do_INDEX:
    if (UNLIKELY(REG(2) < WORD(3) || REG(2) > WORD(4)))
        FAIL(0, REG(2));
    REG(1) = (REG(2) - WORD(3)) * WORD(5);
    NEXT(INDEX);
do_INDEX_FREE:
    REG(1) = (REG(2) - WORD(3)) * WORD(4);
    NEXT(INDEX_FREE);
do_INDEX_C : {
    int32_t cell = memory[WORD(2)];
    if (UNLIKELY(cell == UNDEFINED))
        FAIL(0, 0);
    if (UNLIKELY(cell < WORD(3) || cell > WORD(4)))
        FAIL(1, cell);
    REG(1) = ((int64_t)cell - WORD(3)) * WORD(5);
    NEXT(INDEX_C);
}
do_INDEX_FREE_C : {
    int32_t cell = memory[WORD(2)];
    if (UNLIKELY(cell == UNDEFINED))
        FAIL(0, 0);
    REG(1) = ((int64_t)cell - WORD(3)) * WORD(4);
    NEXT(INDEX_FREE_C);
}
do_INDEX_TYPE : {
    int64_t ordinal = type_ordinal(types[WORD(3)], REG(2));
    if (UNLIKELY(ordinal < 0))
        FAIL(0, REG(2));
    REG(1) = ordinal * WORD(4);
    NEXT(INDEX_TYPE);
}
do_SLOT : {
    if (UNLIKELY(REG(3) < 0 || REG(3) >= WORD(4)))
        FAIL(0, 0);
    int64_t address = REG(2) + REG(3) * WORD(5);
    if (UNLIKELY(!memory[address]))
        FAIL(1, 0);
    REG(1) = address + 1;
    NEXT(SLOT);
}

    /* stores */
do_SET:
    memory[WORD(1)] = WORD(2);
    NEXT(SET);
do_LET:
    memory[WORD(1)] = (int32_t)REG(2);
    NEXT(LET);
    FOR_MODES(DO_STORE_K, STORE_K)
    FOR_MODES(DO_STORE, STORE)
do_CHECK:
    if (UNLIKELY(REG(1) < WORD(2) || REG(1) > WORD(3)))
        FAIL(0, REG(1));
    NEXT(CHECK);
do_CHECK_RAW:
    if (UNLIKELY((REG(1) < WORD(2) || REG(1) > WORD(3)) && REG(1) != UNDEFINED))
        FAIL(0, REG(1));
    NEXT(CHECK_RAW);
do_CHECK_TYPE:
    if (UNLIKELY(!type_has(types[WORD(2)], REG(1))))
        FAIL(0, REG(1));
    NEXT(CHECK_TYPE);
do_CHECK_RAW_TYPE:
    if (UNLIKELY(REG(1) != UNDEFINED && !type_has(types[WORD(2)], REG(1))))
        FAIL(0, REG(1));
    NEXT(CHECK_RAW_TYPE);
do_COPY:
    memmove(memory + REG(1), memory + REG(2), (size_t)WORD(3) * sizeof *memory);
    dirty |= workspace_blocks(workspace, (uint32_t)REG(1), (uint32_t)WORD(3));
    NEXT(COPY);
do_FILL:
    if (WORD(3)) /* of a record without fields there is no template */
        memcpy(memory + REG(1), vm->program.templates.items + WORD(2), (size_t)WORD(3) * sizeof *memory);
    dirty |= workspace_blocks(workspace, (uint32_t)REG(1), (uint32_t)WORD(3));
    NEXT(FILL);
do_TAKE_SLOT : {
    int64_t address = free_slot(memory, REG(2), WORD(3), WORD(4));
    if (UNLIKELY(address < 0))
        FAIL(0, 0);
    memory[address] = 1;
    MARK(address);
    REG(1) = address + 1;
    NEXT(TAKE_SLOT);
}
do_FREE_SLOT : {
    if (UNLIKELY(REG(3) < 0 || REG(3) >= WORD(4)))
        FAIL(0, 0);
    int64_t address = REG(2) + REG(3) * WORD(5);
    if (UNLIKELY(!memory[address]))
        FAIL(0, 0);
    memory[address] = 0;
    MARK(address);
    REG(1) = address + 1;
    NEXT(FREE_SLOT);
}

    /* jumps */
    DO_COMPARE(JEQ, K, ==)
    DO_COMPARE(JNE, K, !=)
    DO_COMPARE(JLT, K, <)
    DO_COMPARE(JGE, K, >=)
    DO_COMPARE(JEQ, R, ==)
    DO_COMPARE(JNE, R, !=)
    DO_COMPARE(JEQ, V, ==)
    DO_COMPARE(JNE, V, !=)
do_JLT_RR:
    JUMP_IF(JLT_RR, REG(1) < REG(2), WORD(3));
do_JLE_RR:
    JUMP_IF(JLE_RR, REG(1) <= REG(2), WORD(3));
do_JEQ_VV:
    JUMP_IF(JEQ_VV, memory[WORD(1)] == memory[WORD(2)], WORD(3));
do_JNE_VV:
    JUMP_IF(JNE_VV, memory[WORD(1)] != memory[WORD(2)], WORD(3));
do_JEQ_VK:
    JUMP_IF(JEQ_VK, memory[WORD(1)] == WORD(2), WORD(3));
do_JNE_VK:
    JUMP_IF(JNE_VK, memory[WORD(1)] != WORD(2), WORD(3));
    FOR_MODES(DO_JUNDEFINED, JUNDEFINED)
    FOR_MODES(DO_JDEFINED, JDEFINED)
do_JIN:
    JUMP_IF(JIN, REG(1) >= WORD(2) && REG(1) <= WORD(3), WORD(4));
do_JOUT:
    JUMP_IF(JOUT, REG(1) < WORD(2) || REG(1) > WORD(3), WORD(4));
do_JIN_TYPE:
    JUMP_IF(JIN_TYPE, type_has(types[WORD(2)], REG(1)), WORD(3));
do_JOUT_TYPE:
    JUMP_IF(JOUT_TYPE, !type_has(types[WORD(2)], REG(1)), WORD(3));

    /* loops */
do_LOOP:
    LOOK();
    if (memory[WORD(1)] < WORD(2)) {
        memory[WORD(1)]++;
        JUMP_TO(WORD(3));
    }
    NEXT(LOOP);
do_LOOP_TYPE:
    LOOK();
    JUMP_IF(LOOP_TYPE, next_code(types[WORD(2)], &memory[WORD(1)]), WORD(3));
do_FOR_CHECK:
    if (UNLIKELY(REG(1) == 0))
        FAIL(0, 0);
    NEXT(FOR_CHECK);
do_FOR_TEST:
    JUMP_IF(FOR_TEST, REG(3) > 0 ? REG(1) > REG(2) : REG(1) < REG(2), WORD(4));
do_FOR_NEXT:
    LOOK();
    JUMP_IF(FOR_NEXT, !__builtin_add_overflow(REG(1), REG(2), &REG(1)), WORD(3));
do_TICK:
    LOOK();
    if (UNLIKELY((uint64_t)REG(1) == vm->stepper.system->loop_limit))
        FAIL(0, 0);
    REG(1)++;
    NEXT(TICK);
do_JFREE:
    JUMP_IF(JFREE, !memory[REG(1) + (int64_t)memory[WORD(2)] * WORD(3)], WORD(4));

fault:
    exit = VM_EXIT_FAULT;
leave:
    workspace->dirty = dirty;
    vm->depth = depth;
    vm->pc = (uint32_t)(pc - code);
    return exit;
}
