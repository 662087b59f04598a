/* The symmetric super-structure of a model: which guards break the symmetry, and what is left without them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "driver/plan.h"
#include "ir/walk.h"
#include "observe/rules.h"
#include "pass/guarded.h"
#include "rewrite/weaken.h"

/* Behind one conjunct that distinguishes processes there may be another. */
enum { GUARDED_MOST_ROUNDS = 8 };

struct guarded_constants {
    const struct system *system;
    bool *are;
};

static bool guarded_note_write(void *user, const struct place *place, bool is_written)
{
    struct guarded_constants *constants = user;
    for (size_t g = 0; is_written && g < constants->system->globals.count; g++)
        constants->are[g] &= constants->system->globals.items[g] != place->variable;
    return true;
}

/* References may write what they were bound to. */
static bool guarded_note_bind(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_BIND)
        for (const struct place *place = stmt->place; place; place = place->base)
            guarded_note_write(user, place, true);
    return true;
}

/* By global variable: is it the same in all start states, nowhere undefined, and written by no rule? On the heap. */
static bool *guarded_find_constants(const struct layout *layout)
{
    const struct system *system = layout->system;
    struct guarded_constants constants = {system, memory_alloc(system->globals.count + 1)};
    int32_t *first = NULL;
    struct stepper *stepper = stepper_create_vm(system, layout);
    struct step step = {0};
    enum step_outcome outcome;
    memset(constants.are, true, system->globals.count);
    walk_all_but_starts(
        &(struct walker){.on_stmt = guarded_note_bind, .on_place = guarded_note_write, .user = &constants}, system);
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome == STEP_STATE && !first)
            first = memcpy(memory_alloc((layout->cell_count + 1) * sizeof *first), step.cells,
                           layout->cell_count * sizeof *first);
        for (size_t g = 0; g < system->globals.count; g++) {
            const struct variable *variable = system->globals.items[g];
            constants.are[g] &= outcome == STEP_STATE;
            for (uint32_t c = variable->address; constants.are[g] && c < variable->address + variable->type->cells; c++)
                constants.are[g] = step.cells[c] == first[c] && step.cells[c] != UNDEFINED;
        }
    }
    stepper_destroy(stepper);
    free(first);
    return constants.are;
}

/* Leaves out every conjunct that distinguishes two processes. False: there is none. */
static bool guarded_round(struct system *copy, const bool *is_constant, bool *is_known)
{
    struct layout *layout = layout_create(copy);
    struct rule_partitions *partitions = rules_find(layout, NULL, RULES_WORK_TO_SHOW, true);
    bool is_weaker = false;
    *is_known &= !partitions->not_analysed;
    for (uint32_t i = 0; i < partitions->count; i++) {
        const struct rule_partition *partition = &partitions->items[i];
        *is_known &= !partition->not_analysed;
        for (uint32_t c = 0; partition->rule && c < partition->class_count; c++)
            for (uint32_t b = 0; b < partition->classes[c].boundary_count; b++)
                is_weaker |= weaken_guard(copy, copy->rules.items[partition->rule->id],
                                          partition->classes[c].boundaries[b].span, is_constant);
    }
    rule_partitions_destroy(partitions);
    layout_destroy(layout);
    return is_weaker;
}

/* *is_known: it is known of every rule whom it distinguishes. */
static struct system *guarded_system(const struct layout *layout, bool *is_known)
{
    struct system *copy = weaken_begin(layout->system);
    bool *is_constant = guarded_find_constants(layout);
    bool is_weaker = false, fits = true;
    bool goes_on = copy != NULL;
    for (int round = 0; goes_on && fits && round < GUARDED_MOST_ROUNDS && !watch_is_up(); round++) {
        goes_on = guarded_round(copy, is_constant, is_known);
        is_weaker |= goes_on;
        fits = weaken_finish(copy);
    }
    if (copy && fits && is_weaker)
        weaken_constants(copy, is_constant);
    free(is_constant);
    if (copy && fits && is_weaker)
        return copy;
    system_destroy(copy);
    return NULL;
}

static void guarded_say(struct plan *plan)
{
    uint32_t count = guarded_count(plan->bases[BASE_GUARDED]);
    text_format(&plan->why, "explicit, without the guards of %u rule%s that break the symmetry", count,
                count == 1 ? "" : "s");
}

static void guarded_say_none(struct plan *plan, const char *why)
{
    text_format(&plan->why, "explicit, since %s", why);
    text_format(&plan->set_aside, "no guard is left out (--symmetry guarded): %s", why);
}

/* The super-structure, opened as a base. NULL: there is none, or it is of no use; plan->why says why. */
static struct view *guarded_open(struct plan *plan)
{
    const struct system *system = plan->model->system;
    const char *refusal = guarded_refusal(system);
    struct view **view = &plan->bases[BASE_GUARDED];
    bool is_known = true;
    struct system *weak = refusal ? NULL : guarded_system(plan->model->layout, &is_known);
    if (weak)
        *view = view_guarded(plan_base(plan, BASE_PLAIN), weak, &(struct detect_options){.watch = watch_of_thread});
    if (*view)
        guarded_say(plan);
    else
        guarded_say_none(plan, refusal ? refusal
                               : !is_known
                                   ? "which processes a rule distinguishes is not known (noether symmetry says why)"
                               : weak ? "without the guards that distinguish processes nothing is symmetric either"
                                      : "no guard breaks the symmetry that can be left out");
    return *view;
}

/* Numbers of states after which a search of the super-structure or of the model is cut, and the other one begins. */
static const uint64_t guarded_trials[] = {1 << 14, 1 << 18, 1 << 22};

void plan_note_growth(struct plan *plan, const struct attempt *next, uint64_t states)
{
    text_clear(&plan->why);
    text_clear(&plan->set_aside);
    guarded_say(plan);
    if (next->base == BASE_GUARDED)
        return;
    text_format(&plan->why, "; after %llu states of that, and no end, on the model itself", (unsigned long long)states);
    text_format(&plan->set_aside,
                "without the guards that break the symmetry there are more than %llu states: the states are those of "
                "the model itself",
                (unsigned long long)states);
}

/* The super-structure may have more states than the model, even without bound: the searches of both take turns, each
 * time with a higher limit of states, until one of them ends. */
static void guarded_add_trials(struct plan *plan, struct attempt weak, struct attempt exact)
{
    exact.cause = CAUSE_CUT;
    for (size_t t = 0; t < sizeof guarded_trials / sizeof *guarded_trials; t++) {
        uint64_t most = plan->options.limits.states;
        if (most && most <= guarded_trials[t])
            break;
        weak.options.limits.states = exact.options.limits.states = guarded_trials[t];
        VEC_PUSH(&plan->attempts, weak);
        VEC_PUSH(&plan->attempts, exact);
        weak.cause = CAUSE_CUT;
    }
    weak.options.limits.states = plan->options.limits.states;
    VEC_PUSH(&plan->attempts, weak);
}

/* The super-structure first, with the explicit engine; what it leaves open is decided on the model. */
void plan_by_guards(struct plan *plan)
{
    struct attempt first = {
        .base = BASE_GUARDED, .engine = &engine_explicit, .options = plan->options, .view = guarded_open(plan)};
    struct attempt exact = {.base = BASE_DETECTED, .engine = &engine_explicit, .options = plan->options};
    plan->refusal = engine_explicit.supports(plan->model->system, &plan->options, plan->words);
    plan_base(plan, exact.base);
    if (first.view) {
        guarded_prepare(first.view, &first.options);
        guarded_add_trials(plan, first, exact);
        exact.cause = CAUSE_OPEN;
    }
    VEC_PUSH(&plan->attempts, exact);
    plan_add_declared(plan, &exact);
}
