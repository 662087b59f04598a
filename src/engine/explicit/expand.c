/* Expanding one state: the inner loop of every search. Nothing here allocates. */
#include <string.h>

#include "base/bits.h"
#include "engine/explicit/search.h"
#include "exec/conditions.h"

void expand_fault(struct worker *worker, state_id parent, const struct fault *fault)
{
    struct explicit_search *search = worker->search;
    bool is_start = parent == STATE_NONE;
    atomic_store_explicit(&search->has_failed, true, memory_order_relaxed);
    if (search->decided[fault->property->id])
        return;
    struct explicit_finding finding = {
        .property = fault->property,
        .evidence = TRACE_SHOWS_FAULT,
        .fault = *fault,
        .last = parent,
        .state = is_start ? NULL : worker->parent_packed,
        .ordinal = worker->ordinal,
        .length = is_start ? 0 : search->depth + 1,
    };
    findings_note(search, &finding);
}

/* Of a super-structure the last state is one of its orbit only; whether that is stuck, others find out. */
static enum trace_evidence expand_evidence(const struct engine_options *options)
{
    if (options->may_be_stuck)
        return TRACE_SHOWS_STATE;
    return options->deadlock == DEADLOCK_STUCK ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING;
}

/* The state that is being expanded. */
static const int32_t *expand_parent(struct worker *worker)
{
    if (!worker->is_unpacked)
        layout_unpack(worker->search->layout, worker->parent_packed, worker->parent);
    worker->is_unpacked = true;
    return worker->parent;
}

/* The same, where it stands already. */
static const int32_t *expand_cells(struct worker *worker)
{
    return worker->is_bulk ? worker->stepper->origin : expand_parent(worker);
}

static void expand_deadlock(struct worker *worker, state_id id)
{
    struct explicit_search *search = worker->search;
    const struct property *property = search->system->properties.items[SYSTEM_DEADLOCK];
    if (search->decided[property->id] || conditions_allow_end(worker->judge, expand_parent(worker)))
        return;
    struct explicit_finding finding = {
        .property = property,
        .evidence = expand_evidence(search->options),
        .last = id,
        .state = worker->parent_packed,
        .length = search->depth,
    };
    findings_note(search, &finding);
}

/* The successor's orbit is known by an earlier instance. (Assumptions have to be judged for every transition, and edges
 * are counted; a rule that fired in a state that was passed through says nothing about the instances in this one; and
 * the earlier instance may be left out by a stubborn set.) */
static bool expand_is_repeat(struct worker *worker, const struct step *step)
{
    const struct explicit_search *search = worker->search;
    return represent_is_successive(worker) && !search->assumptions.count && !search->edges && !step->passed &&
           !worker->thinner && canon_is_repeat(worker->canon, step->rule, step->instance);
}

/* 0: it has none. */
static uint16_t expand_number(const struct worker *worker, const struct rule *rule, uint64_t instance)
{
    uint32_t first = worker->search->first_numbers[rule->id];
    return first ? (uint16_t)(first + instance) : 0;
}

/* The number of an instance, or of its variant, in the state that is being expanded. */
static uint32_t expand_variant(struct worker *worker, uint32_t number)
{
    return worker->variants ? variant_number(worker->variants, number, expand_cells(worker)) : number;
}

/* Also before anything is asleep: those that will be are chosen by how states were found. */
uint16_t expand_mark(struct worker *worker, const struct step *step)
{
    uint64_t instance = step->instance;
    if (worker->canon &&
        (!worker->search->asleep || !canon_image_of(worker->canon, step->rule, step->instance, &instance)))
        return 0;
    uint16_t number = expand_number(worker, step->rule, instance);
    return worker->canon ? asleep_mark(worker->search->asleep, worker->canon, step->rule, step->instance, number)
                         : (uint16_t)expand_variant(worker, number);
}

/* With symmetry, when canon has begun with the state. */
static void expand_sleep_by_key(struct worker *worker)
{
    if (!worker->asleep || worker->is_sample)
        return;
    worker->asleep = asleep_by_key(worker->search->asleep, worker->canon, worker->mark_of_parent, worker->sleeping);
    worker->burst.asleep = worker->asleep;
}

/* Does another state lead there as well? */
static bool expand_is_asleep(struct worker *worker, const struct step *step)
{
    if (!worker->asleep)
        return false;
    uint16_t number = expand_number(worker, step->rule, step->instance);
    if (worker->is_sample)
        asleep_count(worker->search->asleep, worker->mark_of_parent, expand_variant(worker, number));
    bool is_asleep = bits_has(worker->asleep, number);
    worker->unmade += is_asleep;
    return is_asleep;
}

bool expand_step(struct worker *worker, state_id id, const struct step *step, bool *is_other)
{
    worker->rules_fired++;
    worker->fired_by_rule[step->rule->id]++;
    *is_other = step_is_other(step, expand_parent(worker), worker->search->layout->cell_count);
    if (*is_other && !expand_is_asleep(worker, step) && !expand_is_repeat(worker, step))
        return insert_successor(worker, id, step);
    worker->ordinal++;
    worker->transitions++; /* back to where it came from, or to where one has been already: nothing to look up */
    return limits_spend(worker, 1);
}

/* Nobody asks more of a successor than its packed state. */
static bool expand_is_plain(const struct worker *worker)
{
    const struct explicit_search *search = worker->search;
    return search->visited && !search->edges && !search->assumptions.count && !worker->canon && !worker->thinner;
}

/* Nobody asks more of a successor than its representative. */
static bool expand_is_reduced(const struct worker *worker)
{
    const struct explicit_search *search = worker->search;
    return search->visited && !search->edges && !search->assumptions.count && !worker->thinner &&
           !system_has_macro_steps(search->system) && represent_is_successive(worker);
}

/* Those that were asleep since this was last asked, in this call of the stepper. */
static void expand_note_slept(struct worker *worker)
{
    uint32_t more = worker->burst.slept - worker->noted;
    worker->noted = worker->burst.slept;
    worker->rules_fired += more;
    worker->transitions += more;
    worker->ordinal += more;
    worker->slept += more;
    worker->unmade += more;
}

/* The same as expand_step, in the middle of the stepper's work. */
static bool expand_visit(void *user, const struct step *step)
{
    struct worker *worker = user;
    if (worker->burst.slept != worker->noted)
        expand_note_slept(worker);
    if (worker->asleep && worker->is_sample)
        asleep_count(worker->search->asleep, worker->mark_of_parent, expand_number(worker, step->rule, step->instance));
    worker->rules_fired++;
    worker->fired_by_rule[step->rule->id]++;
    worker->is_alive |=
        (step->changed_count || worker->search->options->deadlock == DEADLOCK_STUCK) && !step->rule->own_guard;
    bool is_repeat =
        step->changed_count && worker->has_repeats && canon_is_repeat(worker->canon, step->rule, step->instance);
    if (step->changed_count && !is_repeat)
        return insert_representative(worker, worker->visited, step);
    worker->unmade += is_repeat;
    worker->ordinal++;
    worker->transitions++;
    return limits_spend(worker, 1);
}

/* Repeats are passed over as those asleep are: they are counted, and not even fired. */
static void expand_pass_repeats(struct worker *worker)
{
    bool is_whole;
    worker->has_repeats = canon_has_repeats(worker->canon);
    if (!worker->has_repeats || (worker->asleep && worker->is_sample))
        return;
    const uint64_t *passed = canon_pass_repeats(worker->canon, worker->asleep, &is_whole);
    if (!passed)
        return;
    worker->burst.asleep = passed;
    worker->has_repeats = !is_whole;
}

/* An instance has failed, or was discarded. Those that it stands for will, too, and are not to be counted: from here on
 * they are fired. (It comes before them.) */
static void expand_stop_passing(struct worker *worker)
{
    if (!worker->burst.visit)
        return;
    worker->burst.asleep = worker->asleep;
    worker->has_repeats = canon_has_repeats(worker->canon);
}

static bool expand_begin_visits(struct worker *worker)
{
    if (!expand_is_reduced(worker) || !stepper_begin_packed(worker->stepper, worker->parent_packed))
        return false;
    canon_begin(worker->canon, worker->stepper->origin, worker->parent_packed);
    expand_sleep_by_key(worker);
    expand_pass_repeats(worker);
    worker->is_sieved = !trial_is_on(worker->search) && sieve_is_asked(&worker->sieve);
    worker->burst.visit = expand_visit;
    worker->burst.user = worker;
    return true;
}

static void expand_begin_successors(struct worker *worker)
{
    worker->is_unpacked = false;
    worker->burst.visit = NULL;
    worker->is_bulk = expand_begin_visits(worker);
    if (worker->is_bulk)
        return;
    worker->is_bulk = expand_is_plain(worker) && stepper_begin_packed(worker->stepper, worker->parent_packed);
    if (worker->is_bulk)
        return;
    expand_parent(worker);
    if (represent_is_successive(worker)) {
        canon_begin(worker->canon, worker->parent, worker->parent_packed);
        expand_sleep_by_key(worker);
    }
    if (worker->thinner)
        thin_begin_state(worker);
    stepper_begin_successors(worker->stepper, worker->parent);
}

/* What is asleep in the state. */
static void expand_begin_sleep(struct worker *worker, uint16_t mark)
{
    struct asleep *asleep = worker->search->asleep;
    worker->asleep = worker->burst.asleep = NULL;
    worker->variants = asleep ? asleep_variants(asleep) : NULL;
    worker->burst.counts = worker->fired_by_rule;
    worker->slept = 0;
    if (!asleep)
        return;
    worker->mark_of_parent = mark;
    worker->is_sample = worker == worker->search->workers && asleep_samples(asleep, mark);
    worker->asleep = asleep_after(asleep, worker->is_sample ? 0 : mark);
    worker->burst.asleep = worker->asleep;
}

/* The same, once the cells of the state are known. */
static void expand_settle_sleep(struct worker *worker)
{
    struct asleep *asleep = worker->search->asleep;
    if (!worker->variants || worker->is_sample || !asleep_depends(asleep, worker->mark_of_parent))
        return;
    worker->asleep = asleep_by_cells(asleep, worker->mark_of_parent, expand_cells(worker), worker->sleeping);
    worker->burst.asleep = worker->asleep;
}

static bool expand_begin(struct worker *worker, state_id id, const uint64_t *packed, uint16_t mark)
{
    struct explicit_search *search = worker->search;
    bool has_parts = search->visited && visited_has_parts(search->visited);
    /* What is held of the state before is still to be compared with its parts. */
    if ((has_parts || worker->has_latest || worker->visits.count) && !insert_latest(worker))
        return false;
    for (uint32_t w = 0; w < search->layout->words; w++) /* few: memcpy would be called */
        worker->parent_packed[w] = packed[w];
    worker->ordinal = 0;
    worker->expanded++;
    if (has_parts)
        visited_begin(search->visited, worker->hand, worker->parent_packed);
    if (search->edges && !edges_begin(search->edges, (uint32_t)id)) {
        search_stop_full(search);
        return false;
    }
    worker->visited = id;
    worker->is_alive = false;
    expand_begin_sleep(worker, mark);
    expand_begin_successors(worker);
    expand_settle_sleep(worker);
    worker->passed = worker->burst.asleep;
    return true;
}

/* What came in bulk. */
static bool expand_burst(struct worker *worker, state_id id, bool *is_alive)
{
    const struct explicit_search *search = worker->search;
    const struct burst *burst = &worker->burst;
    bool is_stuck_only = search->options->deadlock == DEADLOCK_STUCK;
    worker->rules_fired += burst->count + burst->slept;
    worker->slept += burst->slept;
    worker->unmade += burst->slept;
    for (uint32_t i = 0; i < burst->count && worker->asleep && worker->is_sample; i++)
        asleep_count(worker->search->asleep, worker->mark_of_parent, expand_variant(worker, burst->numbers[i]));
    for (uint32_t i = 0; i < burst->count; i++) {
        worker->fired_by_rule[burst->rules[i]]++;
        if (!*is_alive && !search->system->rules.items[burst->rules[i]]->own_guard)
            *is_alive = is_stuck_only ||
                        memcmp(burst_state(burst, i), worker->parent_packed, burst->words * sizeof *burst->states) != 0;
    }
    return insert_burst(worker, id);
}

/* The next step; before it, what comes in bulk. False: the search is over. */
static bool expand_next(struct worker *worker, state_id id, struct step *step, enum step_outcome *outcome,
                        bool *is_alive)
{
    if (!worker->is_bulk) {
        *outcome = stepper_next(worker->stepper, step);
        return true;
    }
    do {
        worker->noted = 0;
        *outcome = stepper_burst(worker->stepper, &worker->burst, step);
        if (worker->burst.visit)
            expand_note_slept(worker);
        *is_alive |= worker->is_alive;
        if (worker->burst.visit ? *outcome == STEP_STATE && !step->cells : !expand_burst(worker, id, is_alive))
            return false;
    } while (*outcome == STEP_STATE && !step->cells);
    return true;
}

/* Does an instance of the state, asleep or not, lead elsewhere? */
static bool expand_looks_on(struct stepper *stepper, const int32_t *cells)
{
    struct step step;
    enum step_outcome outcome;
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && step_is_other(&step, cells, stepper->layout->cell_count))
            return true;
    return false;
}

/* Of a state in which instances asleep were met, and none that leads elsewhere: does one of these? */
static bool expand_moves(struct worker *worker)
{
    const struct asleep *asleep = worker->search->asleep;
    if (worker->search->options->deadlock == DEADLOCK_STUCK || (asleep && asleep_all_move(asleep, worker->passed)))
        return true;
    if (worker->is_bulk && stepper_begin_again(worker->stepper))
        return expand_looks_on(worker->stepper, worker->stepper->origin);
    worker->judge->is_uncounted = true;
    stepper_begin_successors(worker->judge, expand_parent(worker));
    bool moves = expand_looks_on(worker->judge, worker->parent);
    worker->judge->is_uncounted = false;
    return moves;
}

/* Deadlock, as rumur has it: an instance that an assume statement discards counts as not enabled; one whose
 * successor breaks an assumption of the model counts as enabled. An instance that faults is no deadlock either: the
 * fault itself is reported. */
bool expand_state(struct worker *worker, state_id id, const uint64_t *packed, uint16_t mark)
{
    struct explicit_search *search = worker->search;
    struct step step = {0};
    enum step_outcome outcome;
    bool is_alive = search->options->deadlock == DEADLOCK_OFF;
    if (!expand_begin(worker, id, packed, mark))
        return false;
    for (;;) {
        bool is_other = true;
        if (!expand_next(worker, id, &step, &outcome, &is_alive))
            return false;
        if (outcome == STEP_END)
            break;
        if (outcome != STEP_STATE)
            expand_stop_passing(worker);
        if (worker->thinner)
            is_other = thin_keep(worker, outcome, &step);
        else if (outcome == STEP_STATE && !expand_step(worker, id, &step, &is_other))
            return false;
        else if (outcome == STEP_FAULT)
            expand_fault(worker, id, &step.fault);
        if (outcome != STEP_DISCARDED && (is_other || search->options->deadlock == DEADLOCK_STUCK) &&
            !step.rule->own_guard)
            is_alive = true;
    }
    if (!is_alive && worker->slept)
        is_alive = expand_moves(worker);
    if (!is_alive && !watch_is_up() && /* else perhaps not all of its successors were seen */
        options_allow_stuck(search->options, expand_parent(worker)))
        expand_deadlock(worker, id);
    if (worker->thinner && !thin_choose(worker, id))
        return false;
    /* The log of edges is written source by source. */
    if (search->edges && !insert_flush(worker))
        return false;
    return limits_spend(worker, 1);
}
