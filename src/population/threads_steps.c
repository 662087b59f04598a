#include "population/threads_inner.h"

#include <string.h>

#include "ir/instance.h"

/* --- spectators --- */

/* The same instance of the rule, of the same threads, with one thread more. */
static uint64_t widen(const struct thread_step *step, const struct rule *wide, const struct type *narrow_thread,
                      const struct type *wide_thread)
{
    int32_t values[SHAPE_MOST_PARAMETERS];
    ENSURE(step->rule->parameter_count <= SHAPE_MOST_PARAMETERS);
    instance_values(step->rule, step->instance, values);
    for (uint32_t p = 0; p < step->rule->parameter_count; p++) {
        const struct type *from = step->rule->parameters[p].type, *to = wide->parameters[p].type;
        ENSURE((from == narrow_thread) == (to == wide_thread));
        values[p] = type_code(to, (uint32_t)type_ordinal(from, values[p]));
    }
    return instance_number(wide, values);
}

/* Where the broadcast takes a spectator; WORDS_NONE: nowhere, the step faults. */
static uint32_t watch_spectator(struct deriving *d, uint32_t number, uint32_t local)
{
    const struct thread_step step = d->threads->steps.items[number];
    uint32_t tuple[MOST_THREADS], count = step.width;
    memcpy(tuple, threads_before(d->threads, &step), count * sizeof *tuple);
    tuple[count++] = local;
    struct instance *instance = deriving_prepare(d, step.from, tuple, count);
    if (!instance)
        return WORDS_NONE;
    const struct rule *rule = instance->layout->system->rules.items[step.rule->id];
    const struct type *narrow = d->instances[step.size]->layout->system->population;
    uint64_t wide = widen(&step, rule, narrow, instance->layout->system->population);
    struct step taken = {0};
    enum step_outcome outcome = stepper_fire_evaluator(instance->evaluator, rule, wide, &taken);
    if (outcome == STEP_END && watch_is_up())
        return WORDS_NONE;
    ENSURE(outcome == STEP_STATE || outcome == STEP_FAULT);
    if (outcome == STEP_STATE)
        return deriving_local(d, instance, taken.cells, count - 1);
    deriving_add_generator(d, step.from, tuple, count, taken.fault.property->id, true);
    return WORDS_NONE;
}

uint32_t threads_image(const struct thread_system *threads, uint32_t step, uint32_t local)
{
    if (!threads->steps.items[step].is_broadcast)
        return local;
    return pairs_get(&threads->images, pairs_key(step, local));
}

void deriving_meet(struct deriving *d, uint32_t number, uint32_t local)
{
    uint32_t image = local;
    if (d->threads->steps.items[number].is_broadcast) {
        image = watch_spectator(d, number, local);
        if (image != WORDS_NONE)
            pairs_set(&d->threads->images, pairs_key(number, local), image);
    }
    if (image != WORDS_NONE)
        deriving_add_pair(d, d->threads->steps.items[number].to, image);
}

/* --- steps --- */

/* Participants in the order of their local states, so that equal steps are equal; of a broadcast they are named. */
static void sort_participants(uint32_t *both, uint32_t width)
{
    uint32_t sorted[2 * MOST_THREADS];
    for (uint32_t t = 0; t < width; t++) {
        sorted[2 * t] = both[t];
        sorted[2 * t + 1] = both[width + t];
    }
    for (uint32_t i = 1; i < width; i++)
        for (uint32_t j = i; j > 0; j--) {
            uint32_t *a = &sorted[2 * j - 2], *b = &sorted[2 * j];
            if (a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1]))
                break;
            for (int k = 0; k < 2; k++) {
                uint32_t word = a[k];
                a[k] = b[k];
                b[k] = word;
            }
        }
    for (uint32_t t = 0; t < width; t++) {
        both[t] = sorted[2 * t];
        both[width + t] = sorted[2 * t + 1];
    }
}

/* Are all participants spectators that do not move? Then the step is one of fewer, or none. */
static bool is_idle(const struct thread_step *step, const uint32_t *both)
{
    return step->from == step->to && !step->is_broadcast &&
           !memcmp(both, both + step->width, step->width * sizeof *both);
}

static void add_step(struct deriving *d, struct thread_step step, uint32_t *both)
{
    struct thread_system *threads = d->threads;
    struct thread_kind kind = {.from = step.from, .to = step.to};
    if (step.is_broadcast)
        kind = (struct thread_kind){step.rule->id, step.instance, step.size, step.from, step.to};
    else
        sort_participants(both, step.width);
    if (is_idle(&step, both) || !deriving_is_new(d, kind, both, 2 * step.width))
        return;
    uint32_t number = (uint32_t)threads->steps.count;
    step.first = (uint32_t)threads->tuples.count;
    for (uint32_t i = 0; i < 2 * step.width; i++)
        VEC_PUSH(&threads->tuples, both[i]);
    VEC_PUSH(&threads->steps, step);
    VEC_PUSH(&threads->leaving.items[step.from].list, number);
    VEC_PUSH(&threads->entering.items[step.to].list, number);
    for (uint32_t t = 0; t < step.width; t++)
        deriving_add_pair(d, step.to, threads->tuples.items[step.first + step.width + t]);
    for (size_t i = 0; i < d->done.items[step.from].list.count; i++)
        deriving_meet(d, number, d->done.items[step.from].list.items[i]);
}

static void take_step(struct deriving *d, struct instance *instance, uint32_t shared, const uint32_t *tuple,
                      uint32_t count, const struct step *taken)
{
    const struct rule_shape *rule = &d->shape->rules[taken->rule->id];
    uint32_t both[2 * MOST_THREADS], width = rule->participants ? count : 0;
    struct thread_step step = {.from = shared,
                               .to = deriving_shared(d, instance, taken->cells),
                               .width = width,
                               .rule = taken->rule,
                               .instance = taken->instance,
                               .size = count,
                               .is_broadcast = rule->is_broadcast};
    for (uint32_t t = 0; t < width; t++) {
        both[t] = tuple[t];
        both[width + t] = deriving_local(d, instance, taken->cells, t);
    }
    add_step(d, step, both);
}

const struct thread_numbers *deriving_able_rules(struct deriving *d, uint32_t shared)
{
    while (d->able.count <= shared) {
        uint32_t number = (uint32_t)d->able.count;
        VEC_PUSH(&d->able, (struct thread_numbers){0});
        for (size_t r = 0; r < d->shape->system->rules.count; r++)
            if (!demands_exclude(&d->demands[r], words_at(&d->threads->shared, number), NULL))
                VEC_PUSH(&d->able.items[number].list, (uint32_t)r);
    }
    return &d->able.items[shared];
}

/* Does the instance have participants only, and can it be enabled? With others the step was found with fewer threads.
 */
static bool is_worth_firing(const struct deriving *d, const struct instance *instance, const struct rule *rule,
                            uint64_t number, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    const struct rule_shape *shape = &d->shape->rules[rule->id];
    const struct type *thread = instance->layout->system->population;
    const uint32_t *locals[SHAPE_MOST_PARAMETERS] = {0};
    int32_t values[SHAPE_MOST_PARAMETERS];
    uint32_t seen = 0;
    instance_values(rule, number, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].type == thread) {
            uint32_t ordinal = (uint32_t)type_ordinal(thread, values[p]);
            seen |= (uint32_t)1 << ordinal;
            locals[p] = words_at(&d->threads->locals, tuple[ordinal]);
        }
    uint32_t named = (uint32_t)__builtin_popcount(seen);
    return (count == 1 || named + (shape->participants - shape->parameters) >= count) &&
           !demands_exclude(&d->demands[rule->id], words_at(&d->threads->shared, shared), locals);
}

static bool asks_for_others(const struct deriving *d, const struct rule *rule)
{
    const struct rule_shape *shape = &d->shape->rules[rule->id];
    return shape->participants > shape->parameters;
}

static void fire_rule(struct deriving *d, struct instance *instance, const struct rule *rule, uint32_t shared,
                      const uint32_t *tuple, uint32_t count)
{
    for (uint64_t number = 0; number < rule->instance_count && !watch_cuts(); number++) {
        struct step taken = {0};
        if (!is_worth_firing(d, instance, rule, number, shared, tuple, count))
            continue;
        enum step_outcome outcome = stepper_fire_evaluator(instance->evaluator, rule, number, &taken);
        if (outcome == STEP_FAULT)
            deriving_add_generator(d, shared, tuple, count, taken.fault.property->id, true);
        if (outcome == STEP_FAULT && taken.fault.property->kind == PROPERTY_RUNTIME && asks_for_others(d, rule))
            d->threads->doubtful = rule;
        else if (outcome == STEP_STATE)
            take_step(d, instance, shared, tuple, count, &taken);
        if (outcome == STEP_STATE || outcome == STEP_FAULT) /* spectators may have been put there */
            deriving_prepare(d, shared, tuple, count);
    }
}

void deriving_take_steps(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = deriving_prepare(d, shared, tuple, count);
    const struct thread_numbers *able = deriving_able_rules(d, shared);
    for (size_t i = 0; instance && i < able->list.count; i++) {
        uint32_t r = d->able.items[shared].list.items[i];
        if (count == 1 || d->shape->rules[r].participants >= count)
            fire_rule(d, instance, instance->layout->system->rules.items[r], shared, tuple, count);
        able = &d->able.items[shared];
    }
}
