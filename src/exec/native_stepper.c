/* Native code as a stepper. */
#include "base/bits.h"
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
    /* In bulk (exec/burst.h). */
    uint64_t *packed;    /* the state that is enumerated */
    uint32_t *changed;   /* room for the cells that differ from the state before */
    bool is_known;       /* workspace, dispatch and `packed` are of one state */
    struct burst *burst; /* NULL: one by one */
    bool is_full;        /* it: the rule under way goes on later */
    struct step shown;   /* to burst->visit: the rest of it stays zero */
    int (*emit)(struct native_run *run);
    uint64_t *awake;   /* no instance is asleep, */
    uint64_t *unasked; /* and how many are is not counted */
    uint64_t own_bits; /* of `dirty`: those of cells of the state, where each has its own */
};

static struct native_stepper *native_of(struct stepper *stepper)
{
    return (struct native_stepper *)stepper; /* its first member */
}

static void native_begin_rules(struct native_stepper *native)
{
    native->functions = native->program->rules;
    native->rules = native->stepper.system->rules.items;
    native->next = native->first_rule;
    native->end = native->first_rule + native->rule_count;
    native->run.resume = 0;
    native->run.dirty = 0;
    native->run.over = watch_flag(native->stepper.is_watched);
}

static void native_begin_enumeration(struct native_stepper *native, const int32_t *cells)
{
    const struct system *system = native->stepper.system;
    native->is_known = false;
    workspace_begin(&native->workspace, cells);
    native_begin_rules(native);
    if (cells) {
        dispatch_begin(&native->dispatch, cells);
        return;
    }
    native->functions = native->program->starts;
    native->rules = system->starts.items;
    native->next = 0;
    native->end = native->program->start_count;
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

static bool native_is_held(const struct native_stepper *native)
{
    const struct native_program *program = native->program;
    return program->holder != UINT32_MAX && native->workspace.memory[program->holder] != program->nobody;
}

/* A step of several rules, to its end. The rule that it ends with, or NULL: it is not so simple. */
static const struct rule *native_follow_through(struct native_stepper *native)
{
    struct step step = {.rule = native->rules[native->next]};
    if (native->stepper.passed_by_rule && native->follow.is_possible)
        follow_chain(&native->follow, &native->run, native->workspace.memory, &step, native->stepper.passed_by_rule);
    return native_is_held(native) ? NULL : step.rule;
}

/* A rule has led to a state, which somebody looks at as it stands. 0: that was enough. */
static int native_show(struct native_run *run)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    const struct rule *rule = native->rules[native->next];
    struct step *step = &native->shown;
    step->rule = rule;
    step->instance = native_instance(run, rule, rule->parameter_count);
    native->workspace.dirty = run->dirty;
    native->burst->slept = run->slept;
    workspace_yield(&native->workspace, step);
    native->is_full = !native->burst->visit(native->burst->user, step);
    workspace_take_back(&native->workspace, step);
    run->dirty = 0;
    return !native->is_full;
}

/* One more state is in the burst. */
static inline void native_note(struct native_stepper *native, const struct rule *rule)
{
    struct burst *burst = native->burst;
    burst->rules[burst->count] = rule->id;
    burst->ordinals[burst->count] = burst->count + native->run.slept;
    burst->numbers[burst->count++] = (uint16_t)native->run.number;
}

/* A rule has led to a state. 0: it is to be reported one by one, or there is no room for more. */
static int native_emit(struct native_run *run)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    struct burst *burst = native->burst;
    const struct rule *rule = native_is_held(native) ? native_follow_through(native) : native->rules[native->next];
    if (!rule)
        return 0;
    native->workspace.dirty = run->dirty;
    workspace_pack(&native->workspace, native->packed, burst_state(burst, burst->count));
    run->dirty = 0;
    native_note(native, rule);
    native->is_full = burst->count == burst->most;
    return !native->is_full;
}

/* The same where every cell has a bit of `dirty` for itself, and nothing is in the way: no multiset, no holder, no type
 * with gaps. This is where most time is spent in a step, so the number of words is known to the compiler. */
static inline __attribute__((always_inline)) int native_emit_cells(struct native_run *run, uint32_t words)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    struct burst *burst = native->burst;
    uint64_t *packed = burst->states + (size_t)burst->count * words;
    const int32_t *original = native->workspace.original;
    int32_t *memory = native->workspace.memory;
    for (uint32_t w = 0; w < words; w++)
        packed[w] = native->packed[w];
    for (uint64_t dirty = run->dirty & native->own_bits; dirty; dirty &= dirty - 1) {
        uint32_t cell = (uint32_t)__builtin_ctzll(dirty);
        int32_t code = memory[cell];
        memory[cell] = original[cell];
        placement_put(&native->stepper.layout->placements[cell], code, packed);
    }
    run->dirty = 0;
    native_note(native, native->rules[native->next]);
    native->is_full = burst->count == burst->most;
    return !native->is_full;
}

static int native_emit_1(struct native_run *run)
{
    return native_emit_cells(run, 1);
}

static int native_emit_2(struct native_run *run)
{
    return native_emit_cells(run, 2);
}

static int native_emit_3(struct native_run *run)
{
    return native_emit_cells(run, 3);
}

static int native_emit_any(struct native_run *run)
{
    return native_emit_cells(
        run, ((struct native_stepper *)((char *)run - offsetof(struct native_stepper, run)))->stepper.layout->words);
}

static void native_choose_emit(struct native_stepper *native)
{
    static int (*const by_words[])(struct native_run *) = {native_emit_any, native_emit_1, native_emit_2,
                                                           native_emit_3};
    const struct layout *layout = native->stepper.layout;
    native->emit = native_emit;
    if (native->workspace.shift || layout->multiset_count || layout->scattered_count ||
        native->program->holder != UINT32_MAX)
        return;
    native->own_bits = layout->cell_count < 64 ? ((uint64_t)1 << layout->cell_count) - 1 : UINT64_MAX;
    native->emit = by_words[layout->words < sizeof by_words / sizeof *by_words ? layout->words : 0];
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
        int status = native->functions[native->next](run, native->workspace.memory);
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

static enum step_outcome native_next(struct stepper *stepper, struct step *step)
{
    struct native_stepper *native = native_of(stepper);
    if (native->is_at_starts)
        return stepper_next(native->starts, step);
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

/* All of the state at once. */
static void native_load(struct native_stepper *native, const uint64_t *packed)
{
    struct workspace *workspace = &native->workspace;
    dispatch_take_over(&native->dispatch);
    native->program->load(packed, workspace->original, native->dispatch.selected, native->dispatch.unsure,
                          native->dispatch.called);
    memcpy(workspace->memory, workspace->original, native->stepper.layout->cell_count * sizeof *workspace->memory);
    workspace->is_start = false;
    workspace_begin_again(workspace);
}

static bool native_begin_packed(struct stepper *stepper, const uint64_t *packed)
{
    struct native_stepper *native = native_of(stepper);
    const struct layout *layout = stepper->layout;
    native->is_at_starts = false;
    if (native->program->load) {
        native_load(native, packed);
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
    native->run.asleep = burst->asleep ? burst->asleep : native->awake;
    native->run.counts = burst->asleep ? burst->counts : native->unasked;
    native->run.slept = 0;
    enum step_outcome outcome = native_go_on(native, step);
    native->run.emit = NULL;
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
