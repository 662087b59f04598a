/* The VM as a stepper. */
#include <string.h>

#include "exec/vm.h"
#include "exec/vm_emit.h"

static struct vm *vm_of(struct stepper *stepper)
{
    return (struct vm *)stepper; /* its first member */
}

uint64_t vm_blocks(const struct vm *vm, uint32_t address, uint32_t cells)
{
    uint32_t state = vm->stepper.system->state_cells;
    if (address >= state)
        return 0;
    uint32_t first = address >> vm->shift, last = (address + cells - 1) >> vm->shift;
    if (last > 63)
        last = 63;
    return (UINT64_MAX >> (63 - last)) & (UINT64_MAX << first);
}

/* Stores to scratch may have marked blocks too: copying those back changes nothing. */
void vm_restore(struct vm *vm)
{
    uint32_t state = vm->stepper.system->state_cells, size = 1u << vm->shift;
    for (uint64_t dirty = vm->dirty; dirty; dirty &= dirty - 1) {
        uint32_t start = (uint32_t)__builtin_ctzll(dirty) << vm->shift;
        if (size == 1 && start < state)
            vm->memory[start] = vm->original[start];
        else if (start < state)
            memcpy(vm->memory + start, vm->original + start,
                   (start + size <= state ? size : state - start) * sizeof *vm->memory);
    }
    vm->dirty = 0;
}

/* The cells of the touched blocks that are not what they were. */
static uint32_t vm_list_changed(struct vm *vm)
{
    uint32_t state = vm->stepper.system->state_cells, size = 1u << vm->shift, count = 0;
    for (uint64_t dirty = vm->dirty; dirty; dirty &= dirty - 1) {
        uint32_t start = (uint32_t)__builtin_ctzll(dirty) << vm->shift, end = start + size;
        if (end > state)
            end = state;
        for (uint32_t cell = start; cell < end; cell++) {
            vm->changed[count] = cell;
            count += vm->memory[cell] != vm->original[cell];
        }
    }
    return count;
}

static void vm_begin(struct vm *vm, uint32_t entry)
{
    const struct system *system = vm->stepper.system;
    vm->is_start = entry == vm->program.starts;
    memcpy(vm->memory, vm->original, system->state_cells * sizeof *vm->memory);
    vm->dirty = 0;
    vm->is_normal = true;
    if (vm->multisets) { /* a multiset not touched is in normal order afterwards only if it was before */
        layout_normalise(vm->stepper.layout, vm->memory);
        vm->is_normal = memcmp(vm->memory, vm->original, system->state_cells * sizeof *vm->memory) == 0;
        memcpy(vm->memory, vm->original, system->state_cells * sizeof *vm->memory);
    }
    vm->resume = entry;
    vm->fault_next = vm->fault_end = 0;
}

static void vm_begin_starts(struct stepper *stepper)
{
    struct vm *vm = vm_of(stepper);
    layout_blank(stepper->layout, vm->original);
    vm_begin(vm, vm->program.starts);
}

static void vm_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct vm *vm = vm_of(stepper);
    memcpy(vm->original, cells, stepper->system->state_cells * sizeof *cells);
    vm_begin(vm, vm->program.successors);
}

static struct fault vm_fault(const struct vm *vm)
{
    const struct vm_site *site = vm_find_site(&vm->program, vm->pc, vm->check);
    const struct property *runtime = vm->stepper.system->properties.items[SYSTEM_RUNTIME];
    return (struct fault){.kind = site->kind,
                          .span = site->span,
                          .property = site->property ? site->property : runtime,
                          .value = vm->value,
                          .type = site->type};
}

/* The instance the parameters say, those from `level` on being at their first value. */
static uint64_t vm_instance(const struct vm *vm, const struct vm_rule *rule, uint32_t level)
{
    uint64_t number = 0;
    for (uint32_t p = 0; p < rule->rule->parameter_count; p++) {
        const struct type *type = rule->rule->parameters[p].type;
        number *= type->size;
        if (p < level && type->block_count == 1)
            number += (uint64_t)((int64_t)vm->memory[rule->cells[p]] - type->blocks->lo);
        else if (p < level)
            number += (uint64_t)type_ordinal(type, vm->memory[rule->cells[p]]);
    }
    return number;
}

/* The code that was running for a rule when the run ended. */
static const struct vm_segment *vm_segment(const struct vm *vm)
{
    return vm_find_segment(&vm->program, vm->depth ? vm->calls[0] : vm->pc);
}

static void step_set(const struct vm *vm, const struct vm_segment *segment, struct step *step)
{
    const struct vm_rule *rule = &vm->program.rules[segment->rule];
    step->rule = rule->rule;
    step->instance = segment->instance >= 0 ? (uint64_t)segment->instance : vm_instance(vm, rule, segment->level);
}

/* One fault may be that of many instances: all that share the parameters chosen so far. */
static void vm_share_fault(struct vm *vm)
{
    const struct vm_segment *segment = vm_segment(vm);
    struct step step;
    step_set(vm, segment, &step);
    uint64_t count = 1;
    for (uint32_t p = segment->level; p < step.rule->parameter_count; p++)
        count *= step.rule->parameters[p].type->size;
    vm->fault = vm_fault(vm);
    vm->fault_rule = step.rule;
    vm->fault_next = step.instance;
    vm->fault_end = step.instance + count;
    vm->resume = segment->resume;
}

static enum step_outcome vm_report_fault(struct vm *vm, struct step *step)
{
    *step = (struct step){.rule = vm->fault_rule, .instance = vm->fault_next++, .fault = vm->fault};
    return STEP_FAULT;
}

static enum step_outcome vm_yield(struct vm *vm, struct step *step)
{
    const int32_t *code = vm->program.code.items + vm->pc;
    const struct vm_rule *rule = &vm->program.rules[code[1]];
    bool is_known = code[0] == VM_YIELD_AT;
    step->rule = rule->rule;
    step->instance = is_known ? (uint64_t)code[2] : vm_instance(vm, rule, rule->rule->parameter_count);
    step->cells = vm->memory;
    vm->resume = vm->pc + (is_known ? VM_LENGTH_YIELD_AT : VM_LENGTH_YIELD);
    if (vm->multisets && ((vm->dirty & vm->multisets) || !vm->is_normal)) {
        layout_normalise(vm->stepper.layout, vm->memory);
        vm->dirty |= vm->multisets;
    }
    if (!vm->is_start) {
        step->changed = vm->changed;
        step->changed_count = vm_list_changed(vm);
    }
    return STEP_STATE;
}

static enum step_outcome vm_next(struct stepper *stepper, struct step *step)
{
    struct vm *vm = vm_of(stepper);
    if (vm->fault_next < vm->fault_end)
        return vm_report_fault(vm, step);
    vm_restore(vm);
    enum vm_exit exit = vm_run(vm, vm->memory, vm->resume);
    *step = (struct step){0};
    switch (exit) {
    case VM_EXIT_STATE:
        return vm_yield(vm, step);
    case VM_EXIT_DISCARDED:
        step_set(vm, vm_segment(vm), step);
        vm->resume = vm_segment(vm)->resume;
        return STEP_DISCARDED;
    case VM_EXIT_FAULT:
        vm_share_fault(vm);
        return vm_report_fault(vm, step);
    case VM_EXIT_END:
        vm->resume = vm->pc;
        return STEP_END;
    default:
        UNREACHABLE("end of a rule");
    }
}

static enum truth vm_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                           struct fault *fault)
{
    struct vm *vm = vm_of(stepper);
    int32_t *memory = vm->memory;
    /* The state just stepped to is where it is; a formula that writes no state cell may be evaluated there. */
    if (cells != memory || !vm->program.is_pure[property->id]) {
        memory = vm->probe;
        memcpy(memory, cells, stepper->system->state_cells * sizeof *cells);
    }
    enum vm_exit exit = vm_run(vm, memory, (uint32_t)vm->program.properties[property->id]);
    switch (exit) {
    case VM_EXIT_TRUE:
        return TRUTH_TRUE;
    case VM_EXIT_FALSE:
        return TRUTH_FALSE;
    case VM_EXIT_DISCARDED:
        return property->kind == PROPERTY_INVARIANT ? TRUTH_TRUE : TRUTH_FALSE;
    case VM_EXIT_FAULT:
        *fault = vm_fault(vm);
        return TRUTH_FAULT;
    default:
        UNREACHABLE("end of a formula");
    }
}

static void vm_destroy(struct stepper *stepper)
{
    struct vm *vm = vm_of(stepper);
    vm_free_program(&vm->program);
    free(stepper->covered);
    free(vm->registers);
    free(vm->calls);
    free(vm->changed);
    free(vm->original);
    free(vm->memory);
    free(vm->probe);
    free(vm);
}

struct stepper *vm_create(const struct system *system, const struct layout *layout, const struct vm_tuning *tuning)
{
    static const struct stepper_operations operations = {
        .name = "vm",
        .begin_starts = vm_begin_starts,
        .begin_successors = vm_begin_successors,
        .next = vm_next,
        .holds = vm_holds,
        .destroy = vm_destroy,
    };
    ENSURE(system->finished && layout->cell_count == system->state_cells);
    struct vm *vm = memory_zeroed(1, sizeof *vm);
    vm->stepper = (struct stepper){.operations = &operations, .system = system, .layout = layout};
    vm->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    vm_compile(&vm->program, system, tuning);
    vm->registers = memory_zeroed((size_t)vm->program.register_count + 1, sizeof *vm->registers);
    vm->calls = memory_zeroed(vm->program.call_depth, sizeof *vm->calls);
    vm->changed = memory_zeroed((size_t)system->state_cells + 1, sizeof *vm->changed);
    vm->original = memory_zeroed((size_t)system->state_cells + 1, sizeof *vm->original);
    vm->memory = memory_zeroed((size_t)vm->program.memory_cells + 1, sizeof *vm->memory);
    vm->probe = memory_zeroed((size_t)vm->program.memory_cells + 1, sizeof *vm->probe);
    while (((uint64_t)64 << vm->shift) < system->state_cells)
        vm->shift++;
    for (uint32_t m = 0; m < layout->multiset_count; m++)
        vm->multisets |= vm_blocks(vm, layout->multisets[m].address, layout->multisets[m].type->cells);
    while (vm->program.code.items[vm->resume] != VM_END) /* nothing to enumerate before begin_* */
        vm->resume += 1 + (uint32_t)strlen(vm_op_operands((enum vm_op)vm->program.code.items[vm->resume]));
    return &vm->stepper;
}

struct stepper *stepper_create_vm(const struct system *system, const struct layout *layout)
{
    return vm_create(system, layout, &VM_TUNING);
}

void vm_disassemble(const struct system *system, const struct layout *layout, struct text *out)
{
    struct vm_program program;
    (void)layout; /* addresses are those of the system */
    vm_compile(&program, system, &VM_TUNING);
    vm_print_program(&program, system, out);
    vm_free_program(&program);
}
