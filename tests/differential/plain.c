#include "plain.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t *state_words(const struct plain *plain, uint32_t state)
{
    return plain->words.items + (size_t)state * plain->layout->words;
}

static uint32_t *table_slot(const struct plain *plain, const uint64_t *packed)
{
    size_t size = plain->layout->words * sizeof *packed;
    uint64_t position = hash_bytes(packed, size) & (plain->table_size - 1);
    while (plain->table[position] && memcmp(state_words(plain, plain->table[position] - 1), packed, size))
        position = (position + 1) & (plain->table_size - 1);
    return &plain->table[position];
}

uint32_t plain_find_packed(const struct plain *plain, const uint64_t *packed)
{
    uint32_t entry = *table_slot(plain, packed);
    return entry ? entry - 1 : PLAIN_NONE;
}

uint32_t plain_find(const struct plain *plain, const int32_t *cells)
{
    uint64_t *packed = memory_zeroed(plain->layout->words, sizeof *packed);
    layout_pack(plain->layout, cells, packed);
    uint32_t state = plain_find_packed(plain, packed);
    free(packed);
    return state;
}

void plain_cells(const struct plain *plain, uint32_t state, int32_t *cells)
{
    layout_unpack(plain->layout, state_words(plain, state), cells);
}

static void show(struct plain_property *outcome, uint32_t length)
{
    if (outcome->is_shown && outcome->length <= length)
        return;
    outcome->is_shown = true;
    outcome->length = length;
}

/* Is the state considered at all? A formula that faults is a violation of its property, and the state is dropped, too.
 */
static bool admit_state(struct plain *plain, const int32_t *cells, uint32_t length)
{
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        if (property->kind != PROPERTY_ASSUMPTION || !property->formula)
            continue;
        struct fault fault = {0};
        enum truth truth = stepper_holds(plain->judge, property, cells, &fault);
        if (truth == TRUTH_FAULT)
            show(&plain->properties[i], length);
        if (truth != TRUTH_TRUE)
            return false;
    }
    return true;
}

static void check_state(struct plain *plain, const int32_t *cells, uint32_t length)
{
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        if (!property->formula || (property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_COVER))
            continue;
        struct fault fault = {0};
        enum truth truth = stepper_holds(plain->judge, property, cells, &fault);
        enum truth wanted = property->kind == PROPERTY_COVER ? TRUTH_TRUE : TRUTH_FALSE;
        if (truth == wanted || (truth == TRUTH_FAULT && property->kind == PROPERTY_INVARIANT))
            show(&plain->properties[i], length);
    }
}

/* The number of the state, new or not; PLAIN_NONE when an assumption excludes it. */
static uint32_t add_state(struct plain *plain, const int32_t *cells, uint32_t depth)
{
    uint64_t *packed = memory_zeroed(plain->layout->words, sizeof *packed);
    layout_pack(plain->layout, cells, packed);
    uint32_t *slot = table_slot(plain, packed);
    uint32_t state = *slot ? *slot - 1 : PLAIN_NONE;
    plain->is_truncated |= plain_count(plain) >= plain->state_limit;
    if (state == PLAIN_NONE && !plain->is_truncated && admit_state(plain, cells, depth + 1)) {
        state = plain_count(plain);
        *slot = state + 1;
        for (uint32_t i = 0; i < plain->layout->words; i++)
            VEC_PUSH(&plain->words, packed[i]);
        VEC_PUSH(&plain->depth, depth);
        plain->greatest_depth = depth;
        check_state(plain, cells, depth + 1);
    }
    free(packed);
    return state;
}

static void note_covers(struct plain *plain, uint32_t length)
{
    for (size_t i = 0; i < plain->system->properties.count; i++)
        if (plain->stepper->covered[i])
            show(&plain->properties[i], length);
}

static void explore_starts(struct plain *plain)
{
    struct step step;
    enum step_outcome outcome;
    stepper_begin_starts(plain->stepper);
    while ((outcome = stepper_next(plain->stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT)
            show(&plain->properties[step.fault.property->id], 1);
        if (outcome == STEP_STATE)
            add_state(plain, step.cells, 0);
    }
    note_covers(plain, 1);
}

/* What the instances of a state say about a deadlock. One that faults is no deadlock, the fault is reported; one that
 * an assume statement discards counts as not enabled; one whose successor an assumption excludes is enabled. */
struct deadlock_evidence {
    bool is_enabled, is_moving;
};

static void weigh_step(struct deadlock_evidence *evidence, enum step_outcome outcome, bool is_other)
{
    evidence->is_enabled |= outcome != STEP_DISCARDED;
    evidence->is_moving |= outcome == STEP_FAULT || (outcome == STEP_STATE && is_other);
}

static void expand_state(struct plain *plain, uint32_t state, int32_t *cells, struct deadlock_evidence *evidence)
{
    uint32_t depth = plain->depth.items[state];
    struct step step;
    enum step_outcome outcome;
    plain_cells(plain, state, cells);
    stepper_begin_successors(plain->stepper, cells);
    size_t size = plain->layout->cell_count * sizeof *cells;
    while ((outcome = stepper_next(plain->stepper, &step)) != STEP_END) {
        weigh_step(evidence, outcome, outcome == STEP_STATE && memcmp(step.cells, cells, size));
        if (outcome == STEP_FAULT)
            show(&plain->properties[step.fault.property->id], depth + 2);
        if (outcome != STEP_STATE)
            continue;
        plain->rules_fired++;
        struct plain_edge edge = {state, add_state(plain, step.cells, depth + 1)};
        if (edge.to == PLAIN_NONE)
            continue;
        plain->transitions++;
        VEC_PUSH(&plain->edges, edge);
    }
    note_covers(plain, depth + 2);
}

bool plain_may_end(struct plain *plain, const int32_t *cells)
{
    const struct property *deadlock = plain->system->properties.items[SYSTEM_DEADLOCK];
    struct fault fault;
    return deadlock->formula && stepper_holds(plain->judge, deadlock, cells, &fault) == TRUTH_TRUE;
}

static void note_deadlock(struct plain *plain, uint32_t state, const int32_t *cells,
                          const struct deadlock_evidence *evidence)
{
    uint32_t length = plain->depth.items[state] + 1;
    if (evidence->is_moving || plain_may_end(plain, cells))
        return;
    if (!evidence->is_enabled)
        show(&plain->deadlock[DEADLOCK_STUCK], length);
    show(&plain->deadlock[DEADLOCK_STUTTERING], length);
}

bool plain_is_deadlock(struct plain *plain, const int32_t *cells, enum deadlock_mode mode)
{
    mode = deadlock_mode_of(plain->system, mode);
    struct deadlock_evidence evidence = {0};
    struct step step;
    enum step_outcome outcome;
    stepper_begin_successors(plain->stepper, cells);
    size_t size = plain->layout->cell_count * sizeof *cells;
    while ((outcome = stepper_next(plain->stepper, &step)) != STEP_END)
        weigh_step(&evidence, outcome, outcome == STEP_STATE && memcmp(step.cells, cells, size));
    return mode == DEADLOCK_STUCK ? !evidence.is_enabled : mode == DEADLOCK_STUTTERING && !evidence.is_moving;
}

/* From every state a goal can be reached: backwards along the edges until nothing changes. */
static void decide_liveness(struct plain *plain, const struct property *property)
{
    struct plain_property *outcome = &plain->properties[property->id];
    uint32_t count = plain_count(plain);
    int32_t *cells = memory_zeroed(plain->layout->cell_count + 1, sizeof *cells);
    outcome->stuck = memory_zeroed(count + 1, sizeof *outcome->stuck);
    for (uint32_t state = 0; state < count; state++) {
        struct fault fault = {0};
        plain_cells(plain, state, cells);
        enum truth truth = stepper_holds(plain->judge, property, cells, &fault);
        outcome->stuck[state] = truth != TRUTH_TRUE;
        if (truth == TRUTH_FAULT) /* found while searching, before anything is known about the graph */
            show(outcome, plain->depth.items[state] + 1);
    }
    outcome->has_fault = outcome->is_shown;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = plain->edges.count; i-- > 0;) {
            struct plain_edge edge = plain->edges.items[i];
            if (outcome->stuck[edge.from] && !outcome->stuck[edge.to]) {
                outcome->stuck[edge.from] = false;
                changed = true;
            }
        }
    }
    for (uint32_t state = 0; state < count; state++)
        if (outcome->stuck[state] && !outcome->has_fault)
            show(outcome, plain->depth.items[state] + 1);
    free(cells);
}

struct plain *plain_explore(const struct layout *layout, uint32_t state_limit)
{
    struct plain *plain = memory_zeroed(1, sizeof *plain);
    plain->layout = layout;
    plain->system = layout->system;
    plain->stepper = stepper_create_evaluator(layout->system, layout);
    plain->judge = stepper_create_evaluator(layout->system, layout);
    plain->properties = memory_zeroed(plain->system->properties.count + 1, sizeof *plain->properties);
    plain->state_limit = state_limit;
    for (plain->table_size = 1024; plain->table_size < 4 * (uint64_t)state_limit;)
        plain->table_size *= 2;
    plain->table = memory_zeroed(plain->table_size, sizeof *plain->table);
    int32_t *cells = memory_zeroed(layout->cell_count + 1, sizeof *cells);
    explore_starts(plain);
    for (uint32_t state = 0; state < plain_count(plain) && !plain->is_truncated; state++) {
        struct deadlock_evidence evidence = {0};
        expand_state(plain, state, cells, &evidence);
        note_deadlock(plain, state, cells, &evidence);
    }
    free(cells);
    for (size_t i = 0; i < plain->system->properties.count && !plain->is_truncated; i++)
        if (plain->system->properties.items[i]->kind == PROPERTY_LIVENESS)
            decide_liveness(plain, plain->system->properties.items[i]);
    return plain;
}

void plain_destroy(struct plain *plain)
{
    for (size_t i = 0; i < plain->system->properties.count; i++)
        free(plain->properties[i].stuck);
    stepper_destroy(plain->stepper);
    stepper_destroy(plain->judge);
    VEC_FREE(&plain->words);
    VEC_FREE(&plain->depth);
    VEC_FREE(&plain->edges);
    free(plain->table);
    for (size_t mode = 0; mode < sizeof plain->branching / sizeof *plain->branching; mode++)
        free(plain->branching[mode]);
    free(plain->properties);
    free(plain);
}

static bool has_formula(const struct property *property)
{
    return property->ctl || property->ltl;
}

/* Formulas of branching and linear time are decided when somebody asks: their deadlocks depend on the mode. */
static const struct plain_property *decide_branching(struct plain *plain, const struct property *property,
                                                     enum deadlock_mode mode)
{
    if (!plain->branching[mode]) {
        size_t count = plain->system->properties.count;
        plain->branching[mode] = memory_zeroed(count, sizeof **plain->branching);
        for (size_t i = 0; i < count; i++)
            if (plain_can_decide(plain, plain->system->properties.items[i]) &&
                has_formula(plain->system->properties.items[i]))
                plain->branching[mode][i].is_shown =
                    plain_ctl_is_violated(plain, plain->system->properties.items[i], mode);
    }
    return &plain->branching[mode][property->id];
}

const struct plain_property *plain_outcome(struct plain *plain, const struct property *property,
                                           enum deadlock_mode mode)
{
    mode = deadlock_mode_of(plain->system, mode);
    if (has_formula(property))
        return decide_branching(plain, property, mode);
    return property->kind == PROPERTY_DEADLOCK ? &plain->deadlock[mode] : &plain->properties[property->id];
}
