/* The VM as a stepper. */
#include <string.h>

#include "exec/macro.h"
#include "exec/vm.h"
#include "exec/vm_emit.h"
#include "ir/walk.h"

static struct vm *vm_of(struct stepper *stepper)
{
    return (struct vm *)stepper; /* its first member */
}

static void vm_begin_starts(struct stepper *stepper)
{
    struct vm *vm = vm_of(stepper);
    vm->is_at_starts = vm->starts;
    if (vm->starts) {
        vm->starts->is_watched = stepper->is_watched;
        stepper_begin_starts(vm->starts);
        return;
    }
    workspace_begin(&vm->workspace, NULL);
    vm->resume = vm->program.starts;
}

static void vm_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct vm *vm = vm_of(stepper);
    vm->is_at_starts = false;
    workspace_begin(&vm->workspace, cells);
    vm->resume = vm->program.successors;
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
            number += (uint64_t)((int64_t)vm->workspace.memory[rule->cells[p]] - type->blocks->lo);
        else if (p < level)
            number += (uint64_t)type_ordinal(type, vm->workspace.memory[rule->cells[p]]);
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

static void vm_share_fault(struct vm *vm)
{
    const struct vm_segment *segment = vm_segment(vm);
    const struct fault fault = vm_fault(vm);
    struct step step;
    step_set(vm, segment, &step);
    workspace_share_fault(&vm->workspace, &fault, step.rule, step.instance, segment->level);
    vm->resume = segment->resume;
}

static enum step_outcome vm_yield(struct vm *vm, struct step *step)
{
    const int32_t *code = vm->program.code.items + vm->pc;
    const struct vm_rule *rule = &vm->program.rules[code[1]];
    bool is_known = code[0] == VM_YIELD_AT;
    step->rule = rule->rule;
    step->instance = is_known ? (uint64_t)code[2] : vm_instance(vm, rule, rule->rule->parameter_count);
    vm->resume = vm->pc + (is_known ? VM_LENGTH_YIELD_AT : VM_LENGTH_YIELD);
    workspace_yield(&vm->workspace, step);
    return STEP_STATE;
}

static enum step_outcome vm_report_fault(struct vm *vm, struct step *step)
{
    workspace_report_fault(&vm->workspace, step);
    return STEP_FAULT;
}

static enum step_outcome vm_next(struct stepper *stepper, struct step *step)
{
    struct vm *vm = vm_of(stepper);
    if (vm->is_at_starts)
        return stepper_next(vm->starts, step);
    if (workspace_has_fault(&vm->workspace))
        return vm_report_fault(vm, step);
    workspace_restore(&vm->workspace);
    enum vm_exit exit = vm_run(vm, vm->workspace.memory, vm->resume);
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

static enum truth vm_decide(struct vm *vm, int32_t *memory, int64_t start, enum truth if_discarded, struct fault *fault)
{
    uint64_t dirty = vm->workspace.dirty;
    enum vm_exit exit = vm_run(vm, memory, (uint32_t)start);
    vm->workspace.dirty = dirty;
    switch (exit) {
    case VM_EXIT_TRUE:
        return TRUTH_TRUE;
    case VM_EXIT_FALSE:
        return TRUTH_FALSE;
    case VM_EXIT_DISCARDED:
        return if_discarded;
    case VM_EXIT_FAULT:
        *fault = vm_fault(vm);
        return TRUTH_FAULT;
    default:
        UNREACHABLE("end of a formula");
    }
}

static enum truth vm_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                           struct fault *fault)
{
    struct vm *vm = vm_of(stepper);
    int32_t *memory = workspace_probe(&vm->workspace, cells, vm->program.is_pure[property->id]);
    return vm_decide(vm, memory, vm->program.properties[property->id],
                     property->kind == PROPERTY_INVARIANT ? TRUTH_TRUE : TRUTH_FALSE, fault);
}

static enum truth vm_judge(struct stepper *stepper, const struct proposition *proposition, const int32_t *cells,
                           const int32_t *values, struct fault *fault)
{
    struct vm *vm = vm_of(stepper);
    int32_t *memory = workspace_probe(&vm->workspace, cells, false);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        memory[proposition->variables[v]->address] = values[v];
    return vm_decide(vm, memory, vm->program.propositions[proposition->id], TRUTH_FALSE, fault);
}

static void vm_destroy(struct stepper *stepper)
{
    struct vm *vm = vm_of(stepper);
    vm_free_program(&vm->program);
    stepper_destroy(vm->starts);
    free(stepper->covered);
    free(vm->registers);
    free(vm->calls);
    workspace_close(&vm->workspace);
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
        .judge = vm_judge,
        .destroy = vm_destroy,
    };
    ENSURE(system->finished && layout->cell_count == system->state_cells);
    struct vm *vm = memory_zeroed(1, sizeof *vm);
    vm->stepper = (struct stepper){.operations = &operations, .system = system, .layout = layout};
    vm->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    vm->starts = stepper_of_starts(system, layout);
    vm_compile(&vm->program, system, tuning);
    vm->registers = memory_zeroed((size_t)vm->program.register_count + 1, sizeof *vm->registers);
    vm->calls = memory_zeroed(vm->program.call_depth, sizeof *vm->calls);
    workspace_open(&vm->workspace, layout, vm->program.memory_cells);
    while (vm->program.code.items[vm->resume] != VM_END) /* nothing to enumerate before begin_* */
        vm->resume += 1 + (uint32_t)strlen(vm_op_operands((enum vm_op)vm->program.code.items[vm->resume]));
    return &vm->stepper;
}

struct stepper *vm_create_single(const struct system *system, const struct layout *layout)
{
    if (walk_is_overgrown(system))
        return stepper_create_single(system, layout);
    return vm_create(system, layout, &VM_TUNING);
}

static struct stepper *vm_make(const struct system *system, const struct layout *layout, void *user)
{
    (void)user;
    return vm_create_single(system, layout);
}

struct stepper *stepper_create_vm(const struct system *system, const struct layout *layout)
{
    return macro_wrap(system, layout, vm_make, NULL);
}

void vm_disassemble(const struct system *system, const struct layout *layout, struct text *out)
{
    struct vm_program program;
    (void)layout; /* addresses are those of the system */
    if (walk_is_overgrown(system)) {
        text_append(out, "no code: its expressions share too much\n");
        return;
    }
    vm_compile(&program, system, &VM_TUNING);
    vm_print_program(&program, system, out);
    vm_free_program(&program);
}
