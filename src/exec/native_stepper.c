/* Native code as a stepper. */
#include "exec/native.h"
#include "exec/native_follow.h"
#include "exec/native_runtime.h"
#include "exec/workspace.h"
#include "ir/arith.h"

struct native_stepper {
    struct stepper stepper;
    const struct native_program *program;
    const struct native_source *source;
    struct workspace workspace;
    struct native_run run;
    struct native_dispatch dispatch;
    struct native_follow follow;
    native_function *const *functions; /* of the rules or start states that are enumerated */
    struct rule *const *rules;
    uint32_t end, next;              /* rule number `next` goes on, or begins */
    uint32_t first_rule, rule_count; /* those that are enumerated */
    struct stepper *starts;          /* not NULL: enumerates them */
    bool is_at_starts;
};

static struct native_stepper *native_of(struct stepper *stepper)
{
    return (struct native_stepper *)stepper; /* its first member */
}

static void native_begin_enumeration(struct native_stepper *native, const int32_t *cells)
{
    const struct system *system = native->stepper.system;
    workspace_begin(&native->workspace, cells);
    native->functions = cells ? native->program->rules : native->program->starts;
    native->rules = cells ? system->rules.items : system->starts.items;
    native->next = cells ? native->first_rule : 0;
    native->end = cells ? native->first_rule + native->rule_count : native->program->start_count;
    native->run.resume = 0;
    native->run.dirty = 0;
    if (cells)
        dispatch_begin(&native->dispatch, cells);
    native->run.over = watch_flag(native->stepper.is_watched);
}

static void native_begin_starts(struct stepper *stepper)
{
    struct native_stepper *native = native_of(stepper);
    native->is_at_starts = native->starts;
    if (!native->starts) {
        native_begin_enumeration(native, NULL);
        return;
    }
    native->starts->is_watched = stepper->is_watched;
    stepper_begin_starts(native->starts);
}

static void native_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    native_of(stepper)->is_at_starts = false;
    native_begin_enumeration(native_of(stepper), cells);
}

static void native_restore(struct native_run *run)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    native->workspace.dirty = run->dirty;
    workspace_restore(&native->workspace);
    run->dirty = 0;
}

static int native_arith(int operator, int64_t left, int64_t right, int64_t *result)
{
    _Static_assert(ARITH_OK == 0 && ARITH_DIVISION == 2, "as native_runtime.h has it");
    return (int)arith_binary((enum operator) operator, left, right, result);
}

static struct fault native_fault(const struct native_stepper *native)
{
    const struct native_site *site = &native->source->sites.items[native->run.site];
    const struct property *runtime = native->stepper.system->properties.items[SYSTEM_RUNTIME];
    return (struct fault){.kind = site->kind,
                          .span = site->span,
                          .property = site->property ? site->property : runtime,
                          .value = native->run.value,
                          .type = site->type};
}

/* The rule that just returned goes on behind the choice of `level` parameters; with none chosen it is over. */
static void native_resume_at(struct native_stepper *native, uint32_t level)
{
    native->run.resume = level;
    native->next += !level;
}

static enum step_outcome native_report_fault(struct native_stepper *native, struct step *step)
{
    workspace_report_fault(&native->workspace, step);
    return STEP_FAULT;
}

static void native_share_fault(struct native_stepper *native, const struct rule *rule)
{
    int32_t level = native->source->sites.items[native->run.site].level;
    uint32_t chosen = level >= 0 ? (uint32_t)level : native->run.level;
    const struct fault fault = native_fault(native);
    workspace_share_fault(&native->workspace, &fault, rule, native_instance(&native->run, rule, chosen), chosen);
    native_resume_at(native, chosen);
}

/* What a rule returned, when it is not just over. */
static enum step_outcome native_report(struct native_stepper *native, int status, struct step *step)
{
    const struct rule *rule = native->rules[native->next];
    step->cells = NULL; /* but not all of it: this is the inner loop */
    step->changed = NULL;
    step->changed_count = 0;
    step->passed = NULL;
    step->fault.kind = FAULT_NONE;
    if (status == NATIVE_FAULT) {
        native_share_fault(native, rule);
        return native_report_fault(native, step);
    }
    step->rule = rule;
    step->instance = native_instance(&native->run, rule, rule->parameter_count);
    native_resume_at(native, rule->parameter_count);
    if (status == NATIVE_DISCARDED) {
        watch_cuts(); /* perhaps that was the reason */
        return STEP_DISCARDED;
    }
    if (native->stepper.passed_by_rule && native->functions == native->program->rules &&
        follow_is_due(&native->follow, native->workspace.memory))
        follow_chain(&native->follow, &native->run, native->workspace.memory, step, native->stepper.passed_by_rule);
    native->workspace.dirty = native->run.dirty;
    workspace_yield(&native->workspace, step);
    native->run.dirty = native->workspace.dirty;
    return STEP_STATE;
}

/* Passes over rules that have no instance. False: there are no more. */
static bool native_find(struct native_stepper *native)
{
    uint32_t rule = native->next, end = native->end;
    if (native->functions != native->program->rules || native->run.resume)
        return rule < end;
    while ((rule = dispatch_find(&native->dispatch, rule, end)) < end &&
           !dispatch_is_selected(&native->dispatch, rule)) {
        uint32_t found = native->program->finders[rule / NATIVE_FINDER](&native->run, native->workspace.memory, rule);
        if (found == rule)
            break;
        rule = found;
    }
    native->next = rule;
    return rule < end;
}

static enum step_outcome native_next(struct stepper *stepper, struct step *step)
{
    struct native_stepper *native = native_of(stepper);
    struct native_run *run = &native->run;
    if (native->is_at_starts)
        return stepper_next(native->starts, step);
    if (workspace_has_fault(&native->workspace))
        return native_report_fault(native, step);
    native_restore(run);
    while (native_find(native)) {
        int status = native->functions[native->next](run, native->workspace.memory);
        if (status != NATIVE_DONE)
            return native_report(native, status, step);
        native->next++;
        run->resume = 0;
    }
    *step = (struct step){0};
    return STEP_END;
}

static enum truth native_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                               struct fault *fault)
{
    struct native_stepper *native = native_of(stepper);
    uint64_t dirty = native->run.dirty;
    native->run.over = watch_flag(native->stepper.is_watched);
    int32_t *memory = native->source->is_direct[property->id]
                          ? (int32_t *)(uintptr_t)cells /* nothing is stored */
                          : workspace_probe(&native->workspace, cells, native->source->is_pure[property->id]);
    int status = native->program->properties[property->id](&native->run, memory);
    native->run.dirty = dirty;
    switch (status) {
    case NATIVE_TRUE:
        return TRUTH_TRUE;
    case NATIVE_FALSE:
        return TRUTH_FALSE;
    case NATIVE_DISCARDED:
        watch_cuts();
        return property->kind == PROPERTY_INVARIANT ? TRUTH_TRUE : TRUTH_FALSE;
    default:
        *fault = native_fault(native);
        return TRUTH_FAULT;
    }
}

static void native_destroy_stepper(struct stepper *stepper)
{
    struct native_stepper *native = native_of(stepper);
    workspace_close(&native->workspace);
    dispatch_close(&native->dispatch);
    follow_close(&native->follow);
    stepper_destroy(native->starts);
    free(stepper->covered);
    free(native);
}

struct stepper *native_stepper_over(const struct layout *layout, const struct native_program *program,
                                    const struct native_source *source, uint32_t first, uint32_t count)
{
    static const struct stepper_operations operations = {
        .name = "native",
        .begin_starts = native_begin_starts,
        .begin_successors = native_begin_successors,
        .next = native_next,
        .holds = native_holds,
        .destroy = native_destroy_stepper,
    };
    const struct system *system = layout->system;
    struct native_stepper *native = memory_zeroed(1, sizeof *native);
    native->stepper = (struct stepper){.operations = &operations, .system = system, .layout = layout};
    native->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    native->starts = stepper_of_starts(system, layout);
    native->program = program;
    native->source = source;
    native->first_rule = first;
    native->rule_count = count;
    native->run =
        (struct native_run){.covered = native->stepper.covered, .restore = native_restore, .arith = native_arith};
    dispatch_open(&native->dispatch, program);
    follow_open(&native->follow, program, layout);
    native->run.selected = native->dispatch.selected;
    workspace_open(&native->workspace, layout, system->memory_cells);
    ENSURE(program->block_shift == native->workspace.shift);
    return &native->stepper;
}
