/* The evaluator as a stepper. */
#include "exec/evaluate.h"

#include <string.h>

#include "exec/macro.h"
#include "ir/chain.h"
#include "ir/instance.h"

static struct evaluator *evaluator_of(struct stepper *stepper)
{
    return (struct evaluator *)stepper; /* its first member */
}

/* Of single rules (exec/macro.h wraps others). */
static struct evaluator *evaluator_single(struct stepper *stepper)
{
    ENSURE(!stepper->passed_by_rule);
    return evaluator_of(stepper);
}

static void evaluator_restart(struct evaluator *evaluator, bool is_start)
{
    evaluator->is_start = is_start;
    evaluator->rule = 0;
    evaluator->instance = 0;
}

static void evaluator_begin_starts(struct stepper *stepper)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    const struct system *system = stepper->system;
    evaluator_restart(evaluator, true);
    for (size_t g = 0; g < system->globals.count; g++)
        evaluate_fill(system->globals.items[g]->type, evaluator->state + system->globals.items[g]->address, false);
}

static void evaluator_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    evaluator_restart(evaluator, false);
    memcpy(evaluator->state, cells, stepper->system->state_cells * sizeof *cells);
}

void evaluate_load(struct evaluator *evaluator, const int32_t *cells)
{
    const struct system *system = evaluator->stepper.system;
    memcpy(evaluator->memory, cells, system->state_cells * sizeof *cells);
    for (uint32_t c = system->state_cells; c < system->memory_cells; c++)
        evaluator->memory[c] = UNDEFINED;
    evaluator->function = NULL;
    evaluator->fault = (struct fault){0};
}

static void evaluator_set_parameters(struct evaluator *evaluator, const struct rule *rule, uint64_t instance)
{
    int32_t *values = memory_alloc((rule->parameter_count + 1) * sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        evaluator->memory[rule->parameters[p].variable->address] = values[p];
    free(values);
}

static enum run evaluator_fire(struct evaluator *evaluator, const struct rule *rule, uint64_t instance)
{
    evaluator_set_parameters(evaluator, rule, instance);
    int64_t holds = 1;
    enum run run = evaluate_block(evaluator, &rule->prelude);
    if (run == RUN_OK && rule->guard)
        run = evaluate_expr(evaluator, rule->guard, &holds);
    if (run == RUN_OK && !holds)
        run = RUN_DISABLED;
    if (run == RUN_OK)
        run = evaluate_block(evaluator, &rule->body);
    return run == RUN_RETURNED ? RUN_OK : run;
}

/* evaluator->instance counts the instances that are tried. */
static uint64_t evaluator_tries(const struct rule *rule)
{
    return rule->tried ? rule->tried_count : rule->instance_count;
}

/* The next instance to try, or NULL at the end. */
static const struct rule *evaluator_advance(struct evaluator *evaluator, uint64_t *instance)
{
    const struct system *system = evaluator->stepper.system;
    size_t count = evaluator->is_start ? system->starts.count : system->rules.count;
    struct rule *const *rules = evaluator->is_start ? system->starts.items : system->rules.items;
    while (evaluator->rule < count && evaluator->instance == evaluator_tries(rules[evaluator->rule])) {
        evaluator->rule++;
        evaluator->instance = 0;
    }
    if (evaluator->rule == count)
        return NULL;
    const struct rule *rule = rules[evaluator->rule];
    *instance = rule->tried ? rule->tried[evaluator->instance] : evaluator->instance;
    evaluator->instance++;
    return rule;
}

static uint32_t evaluator_parameter(const struct evaluator *evaluator, const struct rule *rule, uint32_t parameter)
{
    return parameter == JOINT_ALONE ? 0 : (uint32_t)evaluator->memory[rule->parameters[parameter].variable->address];
}

/* Of a joint, after an instance that is disabled or faults: the next one that takes another command of the first part
 * whose guard is not true, or of one before it (or another outcome, where there is no such outcome). The instances
 * between them are disabled, or fault, as well. */
static uint64_t evaluator_skip(struct evaluator *evaluator, const struct rule *rule, uint64_t instance)
{
    const struct joint *joint = rule->joint;
    uint32_t level = 0, failed = UINT32_MAX; /* parameters chosen before what fails */
    evaluate_load(evaluator, evaluator->state);
    evaluator_set_parameters(evaluator, rule, instance);
    for (uint32_t p = 0; p < joint->part_count && failed == UINT32_MAX; p++) {
        const struct joint_part *part = &joint->parts[p];
        int64_t holds = 0;
        level += part->command_parameter != JOINT_ALONE;
        uint32_t command = evaluator_parameter(evaluator, rule, part->command_parameter);
        if (evaluate_expr(evaluator, part->commands[command].guard, &holds) != RUN_OK || !holds)
            failed = level;
    }
    for (uint32_t p = 0; p < joint->part_count && failed == UINT32_MAX; p++) {
        const struct joint_part *part = &joint->parts[p];
        uint32_t command = evaluator_parameter(evaluator, rule, part->command_parameter);
        level += part->outcome_parameter != JOINT_ALONE;
        if (evaluator_parameter(evaluator, rule, part->outcome_parameter) >= part->commands[command].outcome_count)
            failed = level;
    }
    uint64_t skipped = 1;
    for (uint32_t p = failed; p < rule->parameter_count; p++)
        skipped *= rule->parameters[p].type->size;
    return (instance / skipped + 1) * skipped;
}

/* Of the first that is tried and not before this one. */
static uint64_t evaluator_position(const struct rule *rule, uint64_t instance)
{
    size_t low = 0, high = rule->tried_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rule->tried[middle] < instance)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void stepper_seek_evaluator(struct stepper *stepper, const struct rule *rule, uint64_t instance)
{
    struct evaluator *evaluator = evaluator_single(stepper);
    evaluator->rule = rule->id;
    evaluator->instance = rule->tried ? evaluator_position(rule, instance) : instance;
}

void stepper_tell_undefined(struct stepper *stepper, void (*tell)(void *user, const struct expr *test), void *user)
{
    struct evaluator *evaluator = evaluator_single(stepper);
    evaluator->tell = tell;
    evaluator->tell_user = user;
}

static enum step_outcome evaluator_finish(struct evaluator *evaluator, enum run run, struct step *step)
{
    const struct system *system = evaluator->stepper.system;
    if (run == RUN_FAULT) {
        step->fault = evaluator->fault;
        return STEP_FAULT;
    }
    if (run == RUN_DISCARDED)
        return STEP_DISCARDED;
    for (size_t g = 0; g < system->globals.count; g++)
        evaluate_normalise(system->globals.items[g]->type, evaluator->memory + system->globals.items[g]->address);
    memcpy(evaluator->found, evaluator->memory, system->state_cells * sizeof *evaluator->found);
    step->cells = evaluator->found;
    return STEP_STATE;
}

enum step_outcome stepper_fire_evaluator(struct stepper *stepper, const struct rule *rule, uint64_t instance,
                                         struct step *step)
{
    struct evaluator *evaluator = evaluator_single(stepper);
    evaluate_load(evaluator, evaluator->state);
    enum run run = evaluator_fire(evaluator, rule, instance);
    *step = (struct step){.rule = rule, .instance = instance};
    return run == RUN_DISABLED || stepper_is_cut(stepper) ? STEP_END : evaluator_finish(evaluator, run, step);
}

static enum step_outcome evaluator_next(struct stepper *stepper, struct step *step)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    const struct rule *rule;
    uint64_t instance;
    while (!stepper_is_cut(stepper) && (rule = evaluator_advance(evaluator, &instance))) {
        evaluate_load(evaluator, evaluator->state);
        enum run run = evaluator_fire(evaluator, rule, instance);
        *step = (struct step){.rule = rule, .instance = instance};
        enum step_outcome outcome = run == RUN_DISABLED ? STEP_END : evaluator_finish(evaluator, run, step);
        if (rule->joint && (run == RUN_DISABLED || run == RUN_FAULT))
            evaluator->instance = evaluator_skip(evaluator, rule, instance);
        if (run != RUN_DISABLED)
            return outcome;
    }
    *step = (struct step){0};
    return STEP_END;
}

static enum truth evaluator_decide(struct evaluator *evaluator, const struct expr *formula, enum truth if_discarded,
                                   struct fault *fault)
{
    int64_t holds = 0;
    enum run run = evaluate_expr(evaluator, formula, &holds);
    if (run == RUN_FAULT) {
        *fault = evaluator->fault;
        return TRUTH_FAULT;
    }
    if (run == RUN_DISCARDED) /* a state that is not considered violates nothing and shows nothing */
        return if_discarded;
    return holds ? TRUTH_TRUE : TRUTH_FALSE;
}

static enum truth evaluator_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                                  struct fault *fault)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    evaluate_load(evaluator, cells);
    return evaluator_decide(evaluator, property->formula,
                            property->kind == PROPERTY_INVARIANT ? TRUTH_TRUE : TRUTH_FALSE, fault);
}

static enum truth evaluator_judge(struct stepper *stepper, const struct proposition *proposition, const int32_t *cells,
                                  const int32_t *values, struct fault *fault)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    evaluate_load(evaluator, cells);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        evaluator->memory[proposition->variables[v]->address] = values[v];
    return evaluator_decide(evaluator, proposition->formula, TRUTH_FALSE, fault);
}

static void evaluator_destroy(struct stepper *stepper)
{
    struct evaluator *evaluator = evaluator_of(stepper);
    free(stepper->covered);
    free(evaluator->memory);
    free(evaluator->state);
    free(evaluator->found);
    free(evaluator);
}

struct stepper *stepper_create_single(const struct system *system, const struct layout *layout)
{
    static const struct stepper_operations operations = {
        .name = "evaluator",
        .begin_starts = evaluator_begin_starts,
        .begin_successors = evaluator_begin_successors,
        .next = evaluator_next,
        .holds = evaluator_holds,
        .judge = evaluator_judge,
        .destroy = evaluator_destroy,
    };
    ENSURE(system->finished && layout->cell_count == system->state_cells);
    struct evaluator *evaluator = memory_zeroed(1, sizeof *evaluator);
    evaluator->stepper = (struct stepper){.operations = &operations, .system = system, .layout = layout};
    evaluator->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    evaluator->memory = memory_zeroed((size_t)system->memory_cells + 1, sizeof(int32_t));
    evaluator->state = memory_zeroed((size_t)system->state_cells + 1, sizeof(int32_t));
    evaluator->found = memory_zeroed((size_t)system->state_cells + 1, sizeof(int32_t));
    evaluator_restart(evaluator, false);
    evaluator->rule = system->rules.count; /* nothing to enumerate before begin_* */
    return &evaluator->stepper;
}

static struct stepper *evaluator_make(const struct system *system, const struct layout *layout, void *user)
{
    (void)user;
    return stepper_create_single(system, layout);
}

struct stepper *stepper_create_evaluator(const struct system *system, const struct layout *layout)
{
    return macro_wrap(system, layout, evaluator_make, NULL);
}

struct stepper *stepper_of_starts(const struct system *system, const struct layout *layout)
{
    for (size_t i = 0; i < system->starts.count; i++)
        if (system->starts.items[i]->tried)
            return stepper_create_single(system, layout);
    return NULL;
}
