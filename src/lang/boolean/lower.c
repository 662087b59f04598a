#include "lang/boolean/lower.h"

#include <string.h>

#include "lang/boolean/boolean.h"

/* Is there a global variable, or a variable of another procedure, of that name? */
static bool is_shared_name(const struct bp_program *program, const struct bp_variable *variable)
{
    uint32_t count = 0;
    for (size_t i = 0; i < program->globals.count; i++)
        count += !strcmp(program->globals.items[i]->name.text, variable->name.text);
    for (size_t p = 0; p < program->procedures.count; p++)
        for (size_t i = 0; i < program->procedures.items[p]->variables.count; i++)
            count += !strcmp(program->procedures.items[p]->variables.items[i]->name.text, variable->name.text);
    return count > 1 || !strcmp(variable->name.text, "pc") || !strcmp(variable->name.text, "atomic");
}

static const char *home_name(struct bp_lowering *lower, const struct bp_procedure *procedure,
                             const struct bp_variable *variable, uint32_t level)
{
    const char *name = variable->name.text;
    if (is_shared_name(lower->program, variable))
        name = arena_format(lower->arena, "%s_%s", procedure->name.text, name);
    return level > 1 ? arena_format(lower->arena, "%s_level%u", name, level) : name;
}

static void declare_locals(struct bp_lowering *lower, const struct flow_frame *frame)
{
    struct threads *threads = &lower->threads;
    const struct bp_procedure *procedure = frame->procedure;
    size_t slot = procedure->id * (size_t)lower->flow->recursion + frame->level - 1;
    if (lower->homes[slot])
        return;
    lower->homes[slot] = ARENA_ARRAY(lower->arena, const struct variable *, procedure->variables.count + 1);
    for (size_t i = 0; i < procedure->variables.count; i++) {
        const struct bp_variable *variable = procedure->variables.items[i];
        const char *name = home_name(lower, procedure, variable, frame->level);
        if (variable->is_read)
            lower->homes[slot][i] = threads_add_local(threads, name, threads->system->boolean, variable->name.span);
    }
}

static void declare_globals(struct bp_lowering *lower)
{
    struct system *system = lower->threads.system;
    const struct bp_program *program = lower->program;
    lower->globals = ARENA_ARRAY(lower->arena, const struct variable *, program->globals.count + 1);
    for (size_t i = 0; i < program->globals.count; i++) {
        const struct bp_variable *variable = program->globals.items[i];
        if (variable->is_read)
            lower->globals[i] = system_add_global(system, variable->name.text, system->boolean, variable->name.span);
    }
}

static bool declare(struct bp_lowering *lower)
{
    struct threads *threads = &lower->threads;
    const struct bp_flow *flow = lower->flow;
    struct span span = lower->program->main->name.span;
    const struct type *places = bp_places(lower);
    if (!places)
        return false;
    declare_globals(lower);
    if (flow->has_atomic)
        lower->atomic = system_add_global(threads->system, "atomic", threads->system->boolean, span);
    lower->pc = threads_add_local(threads, "pc", places, span);
    lower->homes =
        ARENA_ARRAY(lower->arena, const struct variable **, lower->program->procedures.count *(size_t)flow->recursion);
    for (size_t i = 0; i < flow->frames.count; i++)
        declare_locals(lower, flow->frames.items[i]);
    lower->thread = threads_bind(threads, "t", threads->thread, span);
    lower->other = threads_bind(threads, "u", threads->thread, span);
    lower->each = threads_bind(threads, "w", threads->thread, span);
    return true;
}

/* How deep calls are followed is not the program's affair. */
static void add_deepest(struct bp_lowering *lower, struct span span)
{
    unsigned most = lower->flow->recursion;
    const char *name = arena_format(lower->arena, "recursion is not deeper than %u (--recursion)", most);
    struct property *property = system_add_property(lower->threads.system, PROPERTY_ERROR, name, NULL, span);
    property->bound =
        arena_format(lower->threads.system->arena,
                     "calls are followed to a depth of %u only, and go deeper (--recursion N: more)", most);
    lower->too_deep = property;
}

/* Assertions have a property each; and the end of recursion, where there is one. */
static void add_assertions(struct bp_lowering *lower)
{
    struct system *system = lower->threads.system;
    for (size_t p = 0; p < lower->program->procedures.count; p++)
        for (size_t i = 0; i < lower->program->procedures.items[p]->steps.count; i++) {
            struct bp_step *step = lower->program->procedures.items[p]->steps.items[i];
            if (step->kind == BP_STEP_ASSERT)
                step->property = system_add_property(system, PROPERTY_ASSERTION, step->text, NULL, step->span);
        }
    for (size_t i = 0; i < lower->flow->moves.count && !lower->too_deep; i++)
        if (lower->flow->moves.items[i].is_too_deep)
            add_deepest(lower, lower->flow->moves.items[i].step->span);
}

static void start_globals(struct bp_lowering *lower, struct rule *start, struct thread_steps *body)
{
    struct threads *threads = &lower->threads;
    struct span span = start->span;
    size_t choices = 0;
    for (size_t i = 0; i < lower->program->globals.count; i++) {
        const struct bp_variable *variable = lower->program->globals.items[i];
        if (!lower->globals[i])
            continue;
        struct expr *value = threads_truth(threads, variable->initial > 0, span);
        if (variable->initial < 0) {
            const struct variable *choice = bp_choice(lower, choices++);
            threads_add_parameter(threads, start, choice);
            value = threads_value(threads, choice, span);
        }
        threads_assign(threads, body, place_variable(threads->system, lower->globals[i], span), value, span);
    }
    if (choices > LOWER_MAX_CHOICES)
        report_error(lower->diagnostics, span, "%zu global variables begin with any value; at most %d are supported",
                     choices, LOWER_MAX_CHOICES);
    if (lower->atomic)
        threads_assign(threads, body, place_variable(threads->system, lower->atomic, span),
                       threads_truth(threads, false, span), span);
}

/* One thread runs main, which starts the others; or all do. */
static void start_threads(struct bp_lowering *lower, struct rule *start, struct thread_steps *body)
{
    struct threads *threads = &lower->threads;
    struct thread_steps each = {0};
    struct span span = start->span;
    bool is_alone = lower->flow->has_starts;
    size_t slots = lower->program->procedures.count * (size_t)lower->flow->recursion;
    for (size_t slot = 0; slot < slots; slot++) {
        const struct bp_procedure *procedure = lower->program->procedures.items[slot / lower->flow->recursion];
        for (size_t i = 0; lower->homes[slot] && i < procedure->variables.count; i++)
            if (lower->homes[slot][i])
                threads_assign_own(threads, &each, lower->homes[slot][i], lower->each, 0, span);
    }
    threads_assign_own(threads, &each, lower->pc, lower->each, is_alone ? bp_unborn(lower) : lower->flow->start, span);
    VEC_PUSH(body, threads_for_all(threads, lower->each, &each, span));
    if (!is_alone)
        return;
    threads_add_parameter(threads, start, lower->thread);
    threads_assign_own(threads, body, lower->pc, lower->thread, lower->flow->start, span);
}

static void lower_start(struct bp_lowering *lower)
{
    struct thread_steps body = {0};
    struct rule *start = system_add_start(lower->threads.system, "start", lower->program->main->name.span);
    start_globals(lower, start, &body);
    start_threads(lower, start, &body);
    start->body = threads_seal(&lower->threads, &body);
}

struct system *bp_lower(struct bp_program *program, struct bp_flow *flow, const char *name, uint32_t thread_count,
                        const struct source *const *asked, struct arena *arena, struct diagnostics *diagnostics)
{
    struct span span = program->main->name.span;
    struct bp_lowering lower = {.threads = threads_create(name, &language_boolean, thread_count, span),
                                .program = program,
                                .flow = flow,
                                .arena = arena,
                                .diagnostics = diagnostics};
    struct system *system = lower.threads.system;
    if (declare(&lower)) {
        add_assertions(&lower);
        lower_start(&lower);
        for (size_t i = 0; i < flow->moves.count && !diagnostics->errors && !diag_is_late(diagnostics); i++)
            bp_lower_move(&lower, &flow->moves.items[i]);
        bp_lower_properties(&lower, asked);
    }
    VEC_FREE(&lower.choices);
    if (!diagnostics->errors && !system_finish(system))
        report_error(diagnostics, span, "the threads take too much memory");
    if (!diagnostics->errors)
        return system;
    system_destroy(system);
    return NULL;
}
