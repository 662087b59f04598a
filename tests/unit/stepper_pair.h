/* A fast stepper against the evaluator: the same instances, outcomes, states, faults (where, why, on what value),
 * truths and covers. */
#ifndef NOETHER_TESTS_STEPPER_PAIR_H
#define NOETHER_TESTS_STEPPER_PAIR_H

#include <string.h>

#include "ir/definite.h"
#include "ir/print.h"
#include "vm_random_rules.h"

struct pair {
    struct stepper *evaluator, *fast;
    bool is_silent;    /* the other one does not say what has changed */
    bool wants_values; /* it knows of cells that have one in every state of a run (ir/definite.h) */
    void (*disassemble)(const struct stepper *fast, struct text *out); /* may be NULL */
    uint64_t steps[STEP_END + 1];
    uint64_t faults[FAULT_NO_RETURN + 1];
    uint64_t in_bulk; /* successors that came so */
    uint64_t visited; /* and so (burst->visit) */
};

static inline bool same_fault(const struct fault *a, const struct fault *b)
{
    return a->kind == b->kind && a->span.line == b->span.line && a->property == b->property && a->value == b->value &&
           a->type == b->type;
}

static inline void explain(const struct pair *pair, const char *what, const struct fault *a, const struct fault *b)
{
    struct text text = {0};
    ir_print_system(pair->fast->system, &text);
    text_append(&text, "\n");
    if (pair->disassemble)
        pair->disassemble(pair->fast, &text);
    print_error("%s\n%s differs: fault %d line %u value %lld, fault %d line %u value %lld\n", text_chars(&text), what,
                (int)a->kind, a->span.line, (long long)a->value, (int)b->kind, b->span.line, (long long)b->value);
    text_free(&text);
    fail();
}

static inline void compare_truths(struct pair *pair, const int32_t *cells, const int32_t *fast_cells)
{
    const struct system *system = pair->fast->system;
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        struct fault a = {0}, b = {0};
        if (!property->formula)
            continue;
        enum truth truth = stepper_holds(pair->evaluator, property, cells, &a);
        if (stepper_holds(pair->fast, property, fast_cells, &b) != truth ||
            (truth == TRUTH_FAULT && !same_fault(&a, &b)))
            explain(pair, "truth", &a, &b);
    }
}

/* The list of changed cells: each cell that differs once, and no other. */
static inline void check_changed(const struct layout *layout, const struct step *step, const int32_t *origin)
{
    uint32_t differing = 0;
    assert_int_equal(step->changed != NULL, origin != NULL);
    for (uint32_t c = 0; origin && c < layout->cell_count; c++)
        differing += step->cells[c] != origin[c];
    assert_int_equal(step->changed_count, differing);
    for (uint32_t i = 0; i < step->changed_count; i++) {
        assert_true(step->cells[step->changed[i]] != origin[step->changed[i]]);
        for (uint32_t j = 0; j < i; j++)
            assert_true(step->changed[i] != step->changed[j]);
    }
}

/* Properties are asked between two steps, of the state stepped to, where it stands. */
static inline void compare_step(struct pair *pair, enum step_outcome outcome, const struct step *a,
                                const struct step *b)
{
    size_t size = pair->fast->layout->cell_count * sizeof *a->cells;
    if (a->rule != b->rule || a->instance != b->instance)
        explain(pair, "instance", &a->fault, &b->fault);
    if (outcome == STEP_FAULT && !same_fault(&a->fault, &b->fault))
        explain(pair, "fault", &a->fault, &b->fault);
    if (outcome != STEP_STATE)
        return;
    if (memcmp(a->cells, b->cells, size))
        explain(pair, "state", &a->fault, &b->fault);
    int32_t *kept = memory_alloc(size);
    memcpy(kept, b->cells, size);
    compare_truths(pair, kept, b->cells);
    assert_memory_equal(kept, b->cells, size);
    free(kept);
}

/* `origin`: what they step from; NULL: start states. */
static inline void compare_steps(struct pair *pair, const int32_t *origin)
{
    enum step_outcome outcome;
    do {
        struct step a, b;
        outcome = stepper_next(pair->evaluator, &a);
        if (stepper_next(pair->fast, &b) != outcome)
            explain(pair, "outcome", &a.fault, &b.fault);
        compare_step(pair, outcome, &a, &b);
        if (outcome == STEP_STATE && !pair->is_silent)
            check_changed(pair->fast->layout, &b, origin);
        pair->steps[outcome]++;
        pair->faults[a.fault.kind]++;
    } while (outcome != STEP_END);
}

/* In bulk, if the fast one can; `most` at a time. */
static inline void compare_bulk(struct pair *pair, const struct layout *layout, const int32_t *cells, uint32_t most)
{
    size_t size = layout->words * sizeof(uint64_t);
    struct burst burst = {.words = layout->words, .most = most, .states = memory_alloc(most * size)};
    uint64_t *origin = memory_alloc(size), *packed = memory_alloc(size);
    enum step_outcome outcome = STEP_END;
    layout_pack(layout, cells, origin);
    stepper_begin_successors(pair->evaluator, cells);
    if (stepper_begin_packed(pair->fast, origin))
        do {
            struct step a, b;
            outcome = stepper_burst(pair->fast, &burst, &b);
            assert_true(burst.count <= most);
            for (uint32_t i = 0; i < burst.count; i++) {
                assert_int_equal(stepper_next(pair->evaluator, &a), STEP_STATE);
                layout_pack(layout, a.cells, packed);
                if (a.rule->id != burst.rules[i] || memcmp(packed, burst_state(&burst, i), size))
                    explain(pair, "state in bulk", &a.fault, &a.fault);
                pair->in_bulk++;
            }
            if (outcome == STEP_STATE && !b.cells)
                continue;
            if (stepper_next(pair->evaluator, &a) != outcome)
                explain(pair, "outcome in bulk", &a.fault, &b.fault);
            compare_step(pair, outcome, &a, &b);
        } while (outcome != STEP_END);
    free(burst.states);
    free(origin);
    free(packed);
}

/* Whom a stepper calls for each successor: it has enough of some. */
struct pair_visitor {
    struct pair *pair;
    const int32_t *origin;
    uint32_t patience;
};

static inline bool compare_visit(void *user, const struct step *b)
{
    struct pair_visitor *visitor = user;
    struct pair *pair = visitor->pair;
    struct step a;
    assert_int_equal(stepper_next(pair->evaluator, &a), STEP_STATE);
    if (a.rule != b->rule || a.instance != b->instance ||
        memcmp(a.cells, b->cells, pair->fast->layout->cell_count * sizeof *a.cells))
        explain(pair, "state visited", &a.fault, &a.fault);
    check_changed(pair->fast->layout, b, visitor->origin);
    pair->visited++;
    return pair->visited % visitor->patience;
}

/* The same as compare_bulk, with visits. */
static inline void compare_visits(struct pair *pair, const struct layout *layout, const int32_t *cells, uint32_t most)
{
    struct pair_visitor visitor = {pair, cells, most};
    struct burst burst = {.words = layout->words, .most = 1, .visit = compare_visit, .user = &visitor};
    uint64_t *origin = memory_alloc(layout->words * sizeof *origin);
    enum step_outcome outcome = STEP_END;
    layout_pack(layout, cells, origin);
    stepper_begin_successors(pair->evaluator, cells);
    if (stepper_begin_packed(pair->fast, origin))
        do {
            struct step a, b;
            assert_memory_equal(pair->fast->origin, cells, layout->cell_count * sizeof *cells);
            outcome = stepper_burst(pair->fast, &burst, &b);
            if (outcome == STEP_STATE && !b.cells)
                continue;
            if (stepper_next(pair->evaluator, &a) != outcome)
                explain(pair, "outcome of visits", &a.fault, &b.fault);
            compare_step(pair, outcome, &a, &b);
        } while (outcome != STEP_END);
    free(origin);
}

/* Any state; one of a run as far as it matters. */
static inline void pair_state(const struct pair *pair, const struct layout *layout, const bool *is_definite,
                              uint64_t *seed, int32_t *cells)
{
    random_state(layout, seed, cells);
    for (uint32_t c = 0; pair->wants_values && c < layout->cell_count; c++)
        if (is_definite[c] && cells[c] == UNDEFINED)
            cells[c] = type_code(layout->cells[c].type, 0);
}

static inline void compare_system(struct pair *pair, const struct layout *layout, uint64_t seed, int states)
{
    int32_t *cells = memory_alloc(layout->cell_count * sizeof *cells);
    struct arena *arena = arena_create();
    const bool *is_definite = definite_find(layout->system, arena);
    stepper_begin_starts(pair->evaluator);
    stepper_begin_starts(pair->fast);
    compare_steps(pair, NULL);
    for (int i = 0; i < states; i++) {
        pair_state(pair, layout, is_definite, &seed, cells);
        stepper_begin_successors(pair->evaluator, cells);
        stepper_begin_successors(pair->fast, cells);
        compare_steps(pair, cells);
        compare_truths(pair, cells, cells);
    }
    for (int i = 0; i < states; i++) { /* one behind the other: the fast one keeps what has not changed */
        if (i % 3 != 2)
            pair_state(pair, layout, is_definite, &seed, cells);
        compare_bulk(pair, layout, cells, i % 2 ? 1 + (uint32_t)i % 5 : BURST_MOST);
        if (!system_has_macro_steps(layout->system))
            compare_visits(pair, layout, cells, i % 2 ? 1 + (uint32_t)i % 5 : BURST_MOST);
    }
    assert_memory_equal(pair->evaluator->covered, pair->fast->covered,
                        layout->system->properties.count * sizeof *pair->fast->covered);
    arena_destroy(arena);
    free(cells);
}

#endif
