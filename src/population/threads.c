#include "population/threads_inner.h"

#include <string.h>

#include "ir/instance.h"

/* The instance of this size; NULL: there is none. */
static struct instance *deriving_instance(struct deriving *d, uint32_t size)
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

uint32_t deriving_shared(struct deriving *d, struct instance *instance, const int32_t *cells)
{
    instance_read_shared(instance, cells);
    return add_shared(d, instance->shared, instance->shared_cells);
}

uint32_t deriving_local(struct deriving *d, struct instance *instance, const int32_t *cells, uint32_t thread)
{
    instance_read_local(instance, cells, thread);
    return words_intern(&d->threads->locals, instance->local, instance->local_cells);
}

void deriving_add_pair(struct deriving *d, uint32_t shared, uint32_t local)
{
    struct thread_system *threads = d->threads;
    if (threads_have_pair(threads, shared, local))
        return;
    pairs_set(&threads->pairs, pairs_key(shared, local), 1);
    VEC_PUSH(&threads->reached.items[shared].list, local);
    VEC_PUSH(&d->waiting, pairs_key(shared, local));
}

/* --- an instance in a configuration --- */

static struct instance *deriving_put(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = deriving_instance(d, count);
    if (!instance)
        return NULL;
    instance_put_shared(instance, words_at(&d->threads->shared, shared));
    for (uint32_t t = 0; t < count; t++)
        instance_put_local(instance, t, words_at(&d->threads->locals, tuple[t]));
    return instance;
}

/* The same, for firing instances of rules. */
struct instance *deriving_prepare(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count)
{
    struct instance *instance = deriving_put(d, shared, tuple, count);
    if (instance)
        stepper_begin_successors(instance->evaluator, instance->cells);
    return instance;
}

bool deriving_is_new(struct deriving *d, struct thread_kind kind, const uint32_t *tuple, uint32_t count)
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

void deriving_add_generator(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t width,
                            uint32_t property, bool is_fault)
{
    struct thread_system *threads = d->threads;
    uint32_t sorted[MOST_THREADS] = {0};
    memcpy(sorted, tuple, width * sizeof *sorted);
    words_sort(sorted, width, 1);
    struct thread_kind kind = {.what = 1 + property, .size = is_fault, .from = shared, .to = WORDS_NONE};
    if (!deriving_is_new(d, kind, sorted, width))
        return;
    struct thread_generator generator = {shared, width, (uint32_t)threads->tuples.count, property, is_fault};
    for (uint32_t i = 0; i < width; i++)
        VEC_PUSH(&threads->tuples, sorted[i]);
    VEC_PUSH(&threads->generated.items[shared].list, (uint32_t)threads->generators.count);
    VEC_PUSH(&threads->generators, generator);
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
        struct instance *instance = is_judged(d, p, count) ? deriving_put(d, shared, tuple, count) : NULL;
        if (!instance)
            continue;
        const struct property *property = instance->layout->system->properties.items[p];
        if (stepper_holds(instance->evaluator, property, instance->cells, &fault) != TRUTH_TRUE)
            deriving_add_generator(d, shared, tuple, d->shape->properties[p].witnesses ? count : 0, (uint32_t)p, false);
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
    const struct thread_numbers *able = deriving_able_rules(d, shared);
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
        deriving_meet(d, d->threads->leaving.items[shared].list.items[i], local);
    VEC_PUSH(&d->done.items[shared].list, local);
    deriving_take_steps(d, shared, tuple, 1);
    bool has_partners = d->fires[2] && is_partner(d, shared, local);
    if (has_partners)
        VEC_PUSH(&d->partners.items[shared].list, local);
    for (uint32_t count = 1; count <= d->most; count++) {
        /* a step to a new shared state moves the lists */
        const struct thread_numbers partners = d->partners.items[shared], done = d->done.items[shared];
        if (count > 1 && has_partners && d->fires[count])
            take_tuples(d, deriving_take_steps, &partners, shared, tuple, 1, 0, count);
        if (d->judges[count])
            take_tuples(d, judge, &done, shared, tuple, 1, 0, count);
    }
}

/* --- start states --- */

static void take_start(struct deriving *d, struct instance *instance, const struct step *taken)
{
    const struct rule_shape *rule = &d->shape->starts[taken->rule->id];
    int32_t values[SHAPE_MOST_PARAMETERS];
    struct thread_start start = {deriving_shared(d, instance, taken->cells), WORDS_NONE, WORDS_NONE};
    uint32_t chosen = WORDS_NONE;
    ENSURE(taken->rule->parameter_count <= SHAPE_MOST_PARAMETERS);
    instance_values(taken->rule, taken->instance, values);
    for (uint32_t p = 0; rule->parameters && p < taken->rule->parameter_count; p++)
        if (taken->rule->parameters[p].type == instance->layout->system->population)
            chosen = (uint32_t)type_ordinal(taken->rule->parameters[p].type, values[p]);
    if (chosen != WORDS_NONE)
        start.chosen = deriving_local(d, instance, taken->cells, chosen);
    start.rest = deriving_local(d, instance, taken->cells, chosen == 0 ? 1 : 0);
    VEC_PUSH(&d->threads->starts, start);
    deriving_add_pair(d, start.shared, start.rest);
    if (chosen != WORDS_NONE)
        deriving_add_pair(d, start.shared, start.chosen);
}

enum { START_SIZE = 2 }; /* one that may be chosen, and another */

static void take_starts(struct deriving *d)
{
    struct instance *instance = deriving_instance(d, START_SIZE);
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

struct thread_system *threads_derive(const struct thread_shape *shape, const struct sizes *sizes, size_t most_pairs)
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
    while (d.waiting.count && !d.is_missing && threads->pairs.count <= most_pairs && !watch_is_up()) {
        uint64_t pair = VEC_POP(&d.waiting);
        take_pair(&d, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
    threads->is_cut = watch_is_up();
    threads->is_large = threads->pairs.count > most_pairs;
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
