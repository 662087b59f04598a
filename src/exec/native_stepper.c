/* Native code as a stepper. */
#include "base/bits.h"
#include "exec/native_fire.h"
#include "exec/vm.h"
#include "ir/arith.h"

static void native_begin_rules(struct native_stepper *native)
{
    native->functions = native->program->rules;
    native->splits = native->source->splits.items;
    native->rules = native->stepper.system->rules.items;
    native->next = native->first_rule;
    native->end = native->first_rule + native->rule_count;
    native->run.resume = 0;
    native->run.dirty = 0;
    native->run.over = watch_flag(native->stepper.is_watched);
}

/* By code of their own. */
static void native_begin_own_starts(struct native_stepper *native)
{
    native->is_known = false;
    workspace_begin(&native->workspace, NULL);
    native_begin_rules(native);
    native->functions = native->program->starts;
    native->splits = NULL;
    native->rules = native->stepper.system->starts.items;
    native->next = 0;
    native->end = native->program->start_count;
}

static void native_begin_starts(struct stepper *stepper)
{
    struct native_stepper *native = native_of(stepper);
    if (!native->starts && !native->source->has_starts)
        native->starts = vm_create_single(stepper->system, stepper->layout);
    native->is_at_starts = native->starts;
    if (!native->starts) {
        native_begin_own_starts(native);
        return;
    }
    native->starts->is_watched = stepper->is_watched;
    stepper_begin_starts(native->starts);
}

/* All of the state at once. */
static void load_state(struct native_stepper *native, const uint64_t *packed)
{
    struct workspace *workspace = &native->workspace;
    dispatch_take_over(&native->dispatch);
    native->program->load(packed, workspace->original, native->dispatch.selected, native->dispatch.unsure,
                          native->dispatch.called);
    memcpy(workspace->memory, workspace->original, native->stepper.layout->cell_count * sizeof *workspace->memory);
    workspace->is_start = false;
    workspace_begin_again(workspace);
}

/* Where all is left to the loader, it is packed for its sake. */
static void native_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct native_stepper *native = native_of(stepper);
    native->is_at_starts = native->is_known = false;
    if (native->source->is_loaded) {
        layout_pack(stepper->layout, cells, native->packed);
        load_state(native, native->packed);
    } else {
        workspace_begin(&native->workspace, cells);
        dispatch_begin(&native->dispatch, cells);
    }
    native_begin_rules(native);
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
    if (native->judged.kind != FAULT_NONE) {
        workspace_share_fault(&native->workspace, &native->judged, rule,
                              native_instance(&native->run, rule, rule->parameter_count), rule->parameter_count);
        native->judged.kind = FAULT_NONE;
        native_resume_at(native, rule->parameter_count);
        return;
    }
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
    if (!native->burst && native->stepper.passed_by_rule && native->functions == native->program->rules &&
        follow_is_due(&native->follow, native->workspace.memory))
        follow_chain(&native->follow, &native->run, native->workspace.memory, step, native->stepper.passed_by_rule);
    native->workspace.dirty = native->run.dirty;
    workspace_yield(&native->workspace, step);
    native->run.dirty = native->workspace.dirty;
    return STEP_STATE;
}

/* The burst is full: the rule under way goes on when there is room again. */
static enum step_outcome native_report_full(struct native_stepper *native, struct step *step)
{
    native->is_full = false;
    native_resume_at(native, native->rules[native->next]->parameter_count);
    *step = (struct step){0};
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

static enum step_outcome native_go_on(struct native_stepper *native, struct step *step)
{
    struct native_run *run = &native->run;
    native_restore(run);
    while (native_find(native)) {
        const struct native_split *split = native->splits ? &native->splits[native->next] : NULL;
        int status = split && split->is_split ? native->fire(native, split)
                                              : native->functions[native->next](run, native->workspace.memory);
        if (native->is_full)
            return native_report_full(native, step);
        if (status != NATIVE_DONE)
            return native_report(native, status, step);
        native->next++;
        run->resume = 0;
    }
    *step = (struct step){0};
    return STEP_END;
}

static enum step_outcome native_next_start(struct native_stepper *native, struct step *step)
{
    enum step_outcome outcome = stepper_next(native->starts, step);
    stepper_note_covered(&native->stepper, native->starts, true);
    return outcome;
}

static enum step_outcome native_next(struct stepper *stepper, struct step *step)
{
    struct native_stepper *native = native_of(stepper);
    if (native->is_at_starts)
        return native_next_start(native, step);
    if (workspace_has_fault(&native->workspace))
        return native_report_fault(native, step);
    return native_go_on(native, step);
}

/* --- in bulk --- */

/* The state before this one is known: what differs is changed. */
static void native_change(struct native_stepper *native, const uint64_t *packed)
{
    const struct layout *layout = native->stepper.layout;
    struct workspace *workspace = &native->workspace;
    native_restore(&native->run);
    uint32_t count = layout_unpack_changes(layout, native->packed, packed, workspace->original, native->changed);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = native->changed[i];
        dispatch_change(&native->dispatch, cell, workspace->memory[cell], workspace->original[cell]);
        workspace->memory[cell] = workspace->original[cell];
    }
    workspace_begin_again(workspace);
}

static bool native_begin_packed(struct stepper *stepper, const uint64_t *packed)
{
    struct native_stepper *native = native_of(stepper);
    const struct layout *layout = stepper->layout;
    native->is_at_starts = false;
    if (native->program->load) {
        load_state(native, packed);
    } else if (native->is_known) {
        native_change(native, packed);
    } else {
        layout_unpack(layout, packed, native->workspace.probe);
        workspace_begin(&native->workspace, native->workspace.probe);
        dispatch_begin_changes(&native->dispatch, native->workspace.original, layout->cell_count);
    }
    for (uint32_t w = 0; w < layout->words; w++) /* few: memcpy would be called */
        native->packed[w] = packed[w];
    native->is_known = true;
    stepper->origin = native->workspace.original;
    native_begin_rules(native);
    return !native_is_held(native);
}

static enum step_outcome native_burst(struct stepper *stepper, struct burst *burst, struct step *step)
{
    struct native_stepper *native = native_of(stepper);
    if (workspace_has_fault(&native->workspace))
        return native_report_fault(native, step);
    native->burst = burst;
    native->run.emit = burst->visit ? native_show : native->emit;
    native->fire = burst->visit ? native_fire_each : native->fire_many;
    native->run.asleep = burst->asleep ? burst->asleep : native->awake;
    native->run.counts = burst->asleep ? burst->counts : native->unasked;
    native->run.slept = 0;
    enum step_outcome outcome = native_go_on(native, step);
    native->run.emit = NULL;
    native->fire = native_fire_each;
    native->run.asleep = native->awake;
    native->run.counts = native->unasked;
    burst->slept = native->run.slept;
    native->burst = NULL;
    return outcome;
}

/* (Rules that were passed through are not to be counted twice.) */
static bool native_begin_again(struct stepper *stepper)
{
    struct native_stepper *native = native_of(stepper);
    if (!native->is_known || native->program->holder != UINT32_MAX)
        return false;
    native_restore(&native->run);
    native_begin_rules(native);
    return true;
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
    stepper_destroy(native->judge);
    free(stepper->covered);
    free(native->packed);
    free(native->changed);
    free(native->awake);
    free(native->unasked);
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
        .begin_packed = native_begin_packed,
        .burst = native_burst,
        .begin_again = native_begin_again,
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
    native->packed = memory_zeroed(layout->words, sizeof *native->packed);
    native->changed = memory_zeroed((size_t)layout->cell_count + 1, sizeof *native->changed);
    native->awake = memory_zeroed(bits_words(SYSTEM_NUMBERED + 1), sizeof *native->awake);
    native->unasked = memory_zeroed((size_t)program->rule_count + 1, sizeof *native->unasked);
    native->run.asleep = native->awake;
    native->run.counts = native->unasked;
    dispatch_open(&native->dispatch, program);
    follow_open(&native->follow, program, layout);
    native->run.selected = native->dispatch.selected;
    native->run.unsure = native->dispatch.unsure;
    workspace_open(&native->workspace, layout, system->memory_cells);
    ENSURE(program->block_shift == native->workspace.shift);
    native_choose_emit(native);
    return &native->stepper;
}
