#include "population/threads.h"

#include <string.h>

#include "ir/instance.h"
#include "population/demand.h"

enum { MOST_THREADS = SHAPE_MOST_PARTICIPANTS + 2 }; /* participants and a spectator */

struct deriving {
    struct thread_system *threads;
    const struct thread_shape *shape;
    const struct sizes *sizes;
    struct instance *instances[MOST_THREADS];
    uint32_t most;                                  /* threads in an instance */
    bool fires[MOST_THREADS], judges[MOST_THREADS]; /* is there a rule, or formula, about so many threads? */
    bool is_missing;
    struct demands *demands;             /* by rule */
    VEC(struct thread_numbers) able;     /* by shared state: rules */
    struct words known;                  /* steps and generators: each is taken once */
    VEC(uint64_t) waiting;               /* pairs */
    VEC(struct thread_numbers) done;     /* by shared state: local states whose pair was looked at */
    VEC(struct thread_numbers) partners; /* those of them that can take part in a step of several */
    VEC(uint32_t) scratch;
};

static struct instance *instance_at(struct deriving *d, uint32_t size)
{
    ENSURE(size > 0 && size < MOST_THREADS);
    if (!d->instances[size]) {
        const struct layout *layout = d->sizes->at(d->sizes->user, size);
        if (layout)
            d->instances[size] = instance_create(d->shape, layout);
        d->is_missing |= !layout;
    }
    return d->instances[size];
}

/* --- what was reached --- */

static uint32_t add_shared(struct deriving *d, const uint32_t *words, uint32_t length)
{
    struct thread_system *threads = d->threads;
    uint32_t number = words_intern(&threads->shared, words, length);
    while (threads->reached.count <= number) {
        VEC_PUSH(&threads->reached, (struct thread_numbers){0});
        VEC_PUSH(&threads->leaving, (struct thread_numbers){0});
        VEC_PUSH(&threads->entering, (struct thread_numbers){0});
        VEC_PUSH(&threads->generated, (struct thread_numbers){0});
        VEC_PUSH(&d->done, (struct thread_numbers){0});
        VEC_PUSH(&d->partners, (struct thread_numbers){0});
    }
    return number;
}

static uint32_t read_shared(struct deriving *d, struct instance *instance, const int32_t *cells)
{
    instance_read_shared(instance, cells);
    return add_shared(d, instance->shared, instance->shared_cells);
}

static uint32_t read_local(struct deriving *d, struct instance *instance, const int32_t *cells, uint32_t thread)
{
    instance_read_local(instance, cells, thread);
    return words_intern(&d->threads->locals, instance->local, instance->local_cells);
}

static void add_pair(struct deriving *d, uint32_t shared, uint32_t local)
{
    struct thread_system *threads = d->threads;
    if (threads_have_pair(threads, shared, local))
        return;
    pairs_set(&threads->pairs, pairs_key(shared, local), 1);
    VEC_PUSH(&threads->reached.items[shared].list, local);
    VEC_PUSH(&d->waiting, pairs_key(shared, local));
}

/* --- an instance in a configuration --- */

static struct instance *put(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = instance_at(d, count);
    if (!instance)
        return NULL;
    instance_put_shared(instance, words_at(&d->threads->shared, shared));
    for (uint32_t t = 0; t < count; t++)
        instance_put_local(instance, t, words_at(&d->threads->locals, tuple[t]));
    return instance;
}

/* The same, for firing instances of rules. */
static struct instance *prepare(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = put(d, shared, tuple, count);
    if (instance)
        stepper_begin_successors(instance->evaluator, instance->cells);
    return instance;
}

/* What a step or generator is: equal ones are taken once. */
struct kind {
    uint32_t what; /* of a generator: 1 + property; of a broadcast: the rule */
    uint64_t instance;
    uint32_t size, from, to;
};

static bool is_new(struct deriving *d, struct kind kind, const uint32_t *tuple, uint32_t count)
{
    uint32_t before = words_count(&d->known);
    uint32_t head[] = {kind.what, (uint32_t)kind.instance, (uint32_t)(kind.instance >> 32), kind.size, kind.from,
                       kind.to};
    VEC_CLEAR(&d->scratch);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        VEC_PUSH(&d->scratch, head[i]);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&d->scratch, tuple[i]);
    words_intern(&d->known, d->scratch.items, (uint32_t)d->scratch.count);
    return words_count(&d->known) > before;
}

static void add_generator(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t width, uint32_t property,
                          bool is_fault)
{
    struct thread_system *threads = d->threads;
    uint32_t sorted[MOST_THREADS] = {0};
    memcpy(sorted, tuple, width * sizeof *sorted);
    words_sort(sorted, width, 1);
    struct kind kind = {.what = 1 + property, .size = is_fault, .from = shared, .to = WORDS_NONE};
    if (!is_new(d, kind, sorted, width))
        return;
    struct thread_generator generator = {shared, width, (uint32_t)threads->tuples.count, property, is_fault};
    for (uint32_t i = 0; i < width; i++)
        VEC_PUSH(&threads->tuples, sorted[i]);
    VEC_PUSH(&threads->generated.items[shared].list, (uint32_t)threads->generators.count);
    VEC_PUSH(&threads->generators, generator);
}

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
    struct instance *instance = prepare(d, step.from, tuple, count);
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
        return read_local(d, instance, taken.cells, count - 1);
    add_generator(d, step.from, tuple, count, taken.fault.property->id, true);
    return WORDS_NONE;
}

uint32_t threads_image(const struct thread_system *threads, uint32_t step, uint32_t local)
{
    if (!threads->steps.items[step].is_broadcast)
        return local;
    return pairs_get(&threads->images, pairs_key(step, local));
}

static void meet_spectator(struct deriving *d, uint32_t number, uint32_t local)
{
    uint32_t image = local;
    if (d->threads->steps.items[number].is_broadcast) {
        image = watch_spectator(d, number, local);
        if (image != WORDS_NONE)
            pairs_set(&d->threads->images, pairs_key(number, local), image);
    }
    if (image != WORDS_NONE)
        add_pair(d, d->threads->steps.items[number].to, image);
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
    struct kind kind = {.from = step.from, .to = step.to};
    if (step.is_broadcast)
        kind = (struct kind){step.rule->id, step.instance, step.size, step.from, step.to};
    else
        sort_participants(both, step.width);
    if (is_idle(&step, both) || !is_new(d, kind, both, 2 * step.width))
        return;
    uint32_t number = (uint32_t)threads->steps.count;
    step.first = (uint32_t)threads->tuples.count;
    for (uint32_t i = 0; i < 2 * step.width; i++)
        VEC_PUSH(&threads->tuples, both[i]);
    VEC_PUSH(&threads->steps, step);
    VEC_PUSH(&threads->leaving.items[step.from].list, number);
    VEC_PUSH(&threads->entering.items[step.to].list, number);
    for (uint32_t t = 0; t < step.width; t++)
        add_pair(d, step.to, threads->tuples.items[step.first + step.width + t]);
    for (size_t i = 0; i < d->done.items[step.from].list.count; i++)
        meet_spectator(d, number, d->done.items[step.from].list.items[i]);
}

static void take_step(struct deriving *d, struct instance *instance, uint32_t shared, const uint32_t *tuple,
                      uint32_t count, const struct step *taken)
{
    const struct rule_shape *rule = &d->shape->rules[taken->rule->id];
    uint32_t both[2 * MOST_THREADS], width = rule->participants ? count : 0;
    struct thread_step step = {.from = shared,
                               .to = read_shared(d, instance, taken->cells),
                               .width = width,
                               .rule = taken->rule,
                               .instance = taken->instance,
                               .size = count,
                               .is_broadcast = rule->is_broadcast};
    for (uint32_t t = 0; t < width; t++) {
        both[t] = tuple[t];
        both[width + t] = read_local(d, instance, taken->cells, t);
    }
    add_step(d, step, both);
}

/* The rules that the shared state does not exclude. */
static const struct thread_numbers *able_rules(struct deriving *d, uint32_t shared)
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
            add_generator(d, shared, tuple, count, taken.fault.property->id, true);
        if (outcome == STEP_FAULT && taken.fault.property->kind == PROPERTY_RUNTIME && asks_for_others(d, rule))
            d->threads->doubtful = rule;
        else if (outcome == STEP_STATE)
            take_step(d, instance, shared, tuple, count, &taken);
        if (outcome == STEP_STATE || outcome == STEP_FAULT) /* spectators may have been put there */
            prepare(d, shared, tuple, count);
    }
}

static void take_steps(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = prepare(d, shared, tuple, count);
    const struct thread_numbers *able = able_rules(d, shared);
    for (size_t i = 0; instance && i < able->list.count; i++) {
        uint32_t r = d->able.items[shared].list.items[i];
        if (count == 1 || d->shape->rules[r].participants >= count)
            fire_rule(d, instance, instance->layout->system->rules.items[r], shared, tuple, count);
        able = &d->able.items[shared];
    }
}

/* --- properties --- */

static bool is_judged(const struct deriving *d, size_t property, uint32_t count)
{
    const struct property_shape *shape = &d->shape->properties[property];
    bool is_invariant = d->shape->system->properties.items[property]->kind == PROPERTY_INVARIANT;
    return is_invariant && !shape->left_out && (shape->witnesses >= count || count == 1);
}

static void judge(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    for (size_t p = 0; p < d->shape->system->properties.count; p++) {
        struct fault fault = {0};
        struct instance *instance = is_judged(d, p, count) ? put(d, shared, tuple, count) : NULL;
        if (!instance)
            continue;
        const struct property *property = instance->layout->system->properties.items[p];
        if (stepper_holds(instance->evaluator, property, instance->cells, &fault) != TRUTH_TRUE)
            add_generator(d, shared, tuple, d->shape->properties[p].witnesses ? count : 0, (uint32_t)p, false);
    }
}

/* --- pairs --- */

/* Is there a rule or formula about so many threads? */
static bool wants(const struct deriving *d, uint32_t count, bool of_rules)
{
    const struct system *system = d->shape->system;
    for (size_t r = 0; of_rules && r < system->rules.count; r++)
        if (count == 1 || d->shape->rules[r].participants >= count)
            return true;
    for (size_t p = 0; !of_rules && p < system->properties.count; p++)
        if (is_judged(d, p, count))
            return true;
    return false;
}

/* Can a thread in this local state be a participant of a step of several? An instance of one that violates the first
 * demand on it ends there at the latest, as do those of the other participants alone. */
static bool is_partner(struct deriving *d, uint32_t shared, uint32_t local)
{
    const struct thread_numbers *able = able_rules(d, shared);
    for (size_t i = 0; i < able->list.count; i++) {
        const struct rule *rule = d->shape->system->rules.items[able->list.items[i]];
        const struct rule_shape *shape = &d->shape->rules[rule->id];
        if (shape->participants > 1 && shape->participants > shape->parameters)
            return true;
        for (uint32_t p = 0; shape->participants > 1 && p < rule->parameter_count; p++)
            if (rule->parameters[p].type == d->shape->thread &&
                demands_admit(&d->demands[rule->id], p, words_at(&d->threads->locals, local)))
                return true;
    }
    return false;
}

typedef void take_function(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count);

/* All configurations of `count` threads with those chosen so far, the others being any from the list. */
static void take_tuples(struct deriving *d, take_function *take, const struct thread_numbers *list, uint32_t shared,
                        uint32_t *tuple, uint32_t chosen, size_t from, uint32_t count)
{
    if (d->is_missing || watch_is_up())
        return;
    if (chosen == count) {
        take(d, shared, tuple, count);
        return;
    }
    for (size_t i = from; i < list->list.count; i++) {
        tuple[chosen] = list->list.items[i];
        take_tuples(d, take, list, shared, tuple, chosen + 1, i, count);
    }
}

static void take_pair(struct deriving *d, uint32_t shared, uint32_t local)
{
    uint32_t tuple[MOST_THREADS] = {local};
    size_t steps = d->threads->leaving.items[shared].list.count;
    for (size_t i = 0; i < steps; i++)
        meet_spectator(d, d->threads->leaving.items[shared].list.items[i], local);
    VEC_PUSH(&d->done.items[shared].list, local);
    take_steps(d, shared, tuple, 1);
    bool has_partners = d->fires[2] && is_partner(d, shared, local);
    if (has_partners)
        VEC_PUSH(&d->partners.items[shared].list, local);
    for (uint32_t count = 1; count <= d->most; count++) {
        /* a step to a new shared state moves the lists */
        const struct thread_numbers partners = d->partners.items[shared], done = d->done.items[shared];
        if (count > 1 && has_partners && d->fires[count])
            take_tuples(d, take_steps, &partners, shared, tuple, 1, 0, count);
        if (d->judges[count])
            take_tuples(d, judge, &done, shared, tuple, 1, 0, count);
    }
}

/* --- start states --- */

static void take_start(struct deriving *d, struct instance *instance, const struct step *taken)
{
    const struct rule_shape *rule = &d->shape->starts[taken->rule->id];
    int32_t values[SHAPE_MOST_PARAMETERS];
    struct thread_start start = {read_shared(d, instance, taken->cells), WORDS_NONE, WORDS_NONE};
    uint32_t chosen = WORDS_NONE;
    ENSURE(taken->rule->parameter_count <= SHAPE_MOST_PARAMETERS);
    instance_values(taken->rule, taken->instance, values);
    for (uint32_t p = 0; rule->parameters && p < taken->rule->parameter_count; p++)
        if (taken->rule->parameters[p].type == instance->layout->system->population)
            chosen = (uint32_t)type_ordinal(taken->rule->parameters[p].type, values[p]);
    if (chosen != WORDS_NONE)
        start.chosen = read_local(d, instance, taken->cells, chosen);
    start.rest = read_local(d, instance, taken->cells, chosen == 0 ? 1 : 0);
    VEC_PUSH(&d->threads->starts, start);
    add_pair(d, start.shared, start.rest);
    if (chosen != WORDS_NONE)
        add_pair(d, start.shared, start.chosen);
}

enum { START_SIZE = 2 }; /* one that may be chosen, and another */

static void take_starts(struct deriving *d)
{
    struct instance *instance = instance_at(d, START_SIZE);
    struct step taken = {0};
    enum step_outcome outcome;
    if (!instance)
        return;
    stepper_begin_starts(instance->evaluator);
    while ((outcome = stepper_next(instance->evaluator, &taken)) != STEP_END)
        if (outcome == STEP_STATE)
            take_start(d, instance, &taken);
        else if (outcome == STEP_FAULT)
            d->threads->faulty_start = true;
}

/* --- all --- */

static uint32_t most_threads(const struct thread_shape *shape)
{
    uint32_t most = 1;
    for (size_t r = 0; r < shape->system->rules.count; r++)
        most = shape->rules[r].participants > most ? shape->rules[r].participants : most;
    for (size_t p = 0; p < shape->system->properties.count; p++)
        if (!shape->properties[p].left_out && shape->properties[p].witnesses > most)
            most = shape->properties[p].witnesses;
    return most;
}

static void deriving_free(struct deriving *d)
{
    for (size_t i = 0; i < MOST_THREADS; i++)
        instance_destroy(d->instances[i]);
    words_free(&d->known);
    VEC_FREE(&d->waiting);
    for (size_t i = 0; i < d->done.count; i++)
        VEC_FREE(&d->done.items[i].list);
    VEC_FREE(&d->done);
    for (size_t i = 0; i < d->partners.count; i++)
        VEC_FREE(&d->partners.items[i].list);
    VEC_FREE(&d->partners);
    VEC_FREE(&d->scratch);
    for (size_t i = 0; i < d->able.count; i++)
        VEC_FREE(&d->able.items[i].list);
    VEC_FREE(&d->able);
    free(d->demands);
}

struct thread_system *threads_derive(const struct thread_shape *shape, const struct sizes *sizes)
{
    struct thread_system *threads = memory_zeroed(1, sizeof *threads);
    struct deriving d = {.threads = threads, .shape = shape, .sizes = sizes, .most = most_threads(shape)};
    d.demands = memory_zeroed(shape->system->rules.count + 1, sizeof *d.demands);
    for (size_t r = 0; r < shape->system->rules.count; r++)
        d.demands[r] = demands_find(shape, shape->system->rules.items[r]);
    for (uint32_t count = 1; count <= d.most; count++) {
        d.fires[count] = wants(&d, count, true);
        d.judges[count] = wants(&d, count, false);
    }
    take_starts(&d);
    while (d.waiting.count && !d.is_missing && !watch_is_up()) {
        uint64_t pair = VEC_POP(&d.waiting);
        take_pair(&d, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
    threads->is_cut = watch_is_up();
    bool is_missing = d.is_missing;
    deriving_free(&d);
    if (!is_missing)
        return threads;
    threads_destroy(threads);
    return NULL;
}

void threads_destroy(struct thread_system *threads)
{
    if (!threads)
        return;
    for (size_t s = 0; s < threads->reached.count; s++) {
        VEC_FREE(&threads->reached.items[s].list);
        VEC_FREE(&threads->leaving.items[s].list);
        VEC_FREE(&threads->entering.items[s].list);
        VEC_FREE(&threads->generated.items[s].list);
    }
    VEC_FREE(&threads->reached);
    VEC_FREE(&threads->leaving);
    VEC_FREE(&threads->entering);
    VEC_FREE(&threads->generated);
    VEC_FREE(&threads->steps);
    VEC_FREE(&threads->generators);
    VEC_FREE(&threads->starts);
    VEC_FREE(&threads->tuples);
    words_free(&threads->shared);
    words_free(&threads->locals);
    pairs_free(&threads->pairs);
    pairs_free(&threads->images);
    free(threads);
}
