#include <stdlib.h>
#include <string.h>

#include "engine/sat/search.h"
#include "exec/conditions.h"

/* -- Steps -- */

/* The new value of a variable where one of the steps that may change it is chosen. */
struct pending_value {
    bit changed, value;
};

static void prepare_changes(struct sat_search *search, struct pending_value *pending)
{
    struct aig *aig = &search->circuit.aig;
    for (size_t s = 0; s < search->circuit.steps.count; s++) {
        const struct circuit_step *step = &search->circuit.steps.items[s];
        for (uint32_t c = 0; c < step->change_count; c++) {
            const struct circuit_change *change = &search->circuit.changes.items[step->first_change + c];
            struct pending_value *about = &pending[change->variable];
            bit chosen = search->chosen.items[s];
            about->changed = aig_or(aig, about->changed, chosen);
            about->value = aig_or(aig, about->value, aig_and(aig, chosen, change->value));
        }
    }
}

static void prepare_next(struct sat_search *search)
{
    struct aig *aig = &search->circuit.aig;
    uint32_t count = search->circuit.variable_count;
    struct pending_value *pending = memory_zeroed((size_t)count + 1, sizeof *pending);
    prepare_changes(search, pending);
    search->next = memory_zeroed((size_t)count + 1, sizeof *search->next);
    for (uint32_t v = 0; v < count; v++) {
        bit kept = aig_and(aig, bit_not(pending[v].changed), circuit_variable(v));
        search->next[v] = aig_or(aig, pending[v].value, kept);
    }
    free(pending);
}

static void prepare_require(bit_list *list, bit f)
{
    if (f != BIT_TRUE)
        VEC_PUSH(list, f);
}

/* Exactly one step is chosen, and it fires. */
static void prepare_choice(struct sat_search *search)
{
    struct aig *aig = &search->circuit.aig;
    bit before = BIT_FALSE;
    for (size_t s = 0; s < search->circuit.steps.count; s++)
        VEC_PUSH(&search->chosen, aig_input(aig));
    for (size_t s = 0; s < search->circuit.steps.count; s++) {
        bit chosen = search->chosen.items[s];
        prepare_require(&search->stepping, aig_or(aig, bit_not(chosen), search->circuit.steps.items[s].fires));
        prepare_require(&search->stepping, bit_not(aig_and(aig, before, chosen)));
        before = aig_or(aig, before, chosen);
    }
    VEC_PUSH(&search->stepping, before);
}

/* The successor is considered, too. That it is a state is certain. */
static bool prepare_successor(struct sat_search *search, bit assumed)
{
    struct aig *aig = &search->circuit.aig;
    search->after = BIT_TRUE;
    if (assumed == BIT_TRUE)
        return true;
    bit *images = memory_zeroed((size_t)aig->inputs + 1, sizeof *images);
    for (uint32_t v = 0; v < search->circuit.variable_count; v++)
        images[v] = search->next[v];
    bit after = aig_compose(aig, assumed, images);
    free(images);
    search->after = after;
    if (after != BIT_NONE)
        prepare_require(&search->stepping, after);
    return after != BIT_NONE;
}

/* -- Assumptions -- */

static bool prepare_refuse(struct sat_search *search, struct span span, const char *words)
{
    stop_once(&search->stop, stop_because(STOP_REFUSED, "%s:%u:%u: %s", span.source ? span.source->shown : "",
                                          span.line, span.column, words));
    return false;
}

static bool prepare_assumption(struct sat_search *search, const struct property *property, bit *assumed)
{
    struct circuit *circuit = &search->circuit;
    bit holds, wrong;
    if (!circuit_formula(circuit, property->formula, false, &holds, &wrong))
        return false;
    if (wrong != BIT_FALSE && !circuit->algebra.is_false(circuit, wrong))
        return prepare_refuse(search, property->span,
                              "the assumption has no value in some state, which the sat engine does not support");
    *assumed = aig_and(&circuit->aig, *assumed, holds);
    return true;
}

static bool prepare_assumptions(struct sat_search *search, bit *assumed)
{
    *assumed = BIT_TRUE;
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        if (property_is_assumed(property) && !prepare_assumption(search, property, assumed))
            return false;
    }
    for (size_t i = 0; i < search->circuit.states.count; i++)
        VEC_PUSH(&search->always, search->circuit.states.items[i]);
    prepare_require(&search->always, *assumed);
    return true;
}

/* -- Start states -- */

static int rows_compare(const void *a, const void *b, void *width)
{
    return memcmp(a, b, *(const size_t *)width);
}

/* Sorted, each once. */
static void prepare_sort_rows(struct sat_search *search)
{
    size_t width = search->circuit.variable_count, kept = 0;
    if (!search->row_count || !width)
        return;
    qsort_r(search->rows, search->row_count, width * sizeof *search->rows, rows_compare, &width);
    for (size_t i = 1; i < search->row_count; i++)
        if (memcmp(search->rows + kept * width, search->rows + i * width, width)) {
            kept++;
            memmove(search->rows + kept * width, search->rows + i * width, width);
        }
    search->row_count = kept + 1;
}

static bool prepare_rows(struct sat_search *search)
{
    struct stepper *stepper = stepper_create_vm(search->system, search->layout);
    struct step step = {0};
    enum step_outcome outcome;
    size_t width = search->circuit.variable_count, room = 0;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && search->row_count <= SAT_MOST_STARTS) {
        if (outcome != STEP_STATE || !conditions_admit(stepper, step.cells))
            continue;
        if (search->row_count == room) {
            room = room ? 2 * room : 16;
            search->rows = memory_resize(search->rows, room * width * sizeof *search->rows + 1);
        }
        circuit_encode(&search->circuit, step.cells, search->rows + search->row_count++ * width);
    }
    for (size_t i = 0; i < search->system->properties.count; i++) /* cover statements in start states */
        if (stepper->covered[i]) {
            result_set_verdict(search->result, search->system->properties.items[i], VERDICT_HOLDS, NULL);
            search->decided[i] = true;
        }
    stepper_destroy(stepper);
    prepare_sort_rows(search);
    if (outcome == STEP_END) /* they are all of them: only then can anything be said */
        return true;
    stop_once(&search->stop, stop_because(STOP_REFUSED, "there are more than a million starts, which the sat "
                                                        "engine would have to list"));
    return false;
}

/* The rows from `from` to `to`, which agree in the variables before `variable`, as a function. */
static bit prepare_rows_function(struct sat_search *search, size_t from, size_t to, uint32_t variable)
{
    struct aig *aig = &search->circuit.aig;
    size_t width = search->circuit.variable_count;
    bit all = BIT_TRUE;
    for (; variable < width; variable++) {
        size_t middle = from; /* sorted: those with false come first */
        while (middle < to && !search->rows[middle * width + variable])
            middle++;
        bit is_true = circuit_variable(variable);
        if (middle == from) {
            all = aig_and(aig, all, is_true);
        } else if (middle == to) {
            all = aig_and(aig, all, bit_not(is_true));
        } else {
            bit low = prepare_rows_function(search, from, middle, variable + 1);
            bit high = prepare_rows_function(search, middle, to, variable + 1);
            return aig_and(aig, all, aig_ite(aig, is_true, high, low));
        }
    }
    return all;
}

/* -- All of it -- */

static bool prepare_refused(struct sat_search *search)
{
    const struct refusal *refusal = &search->circuit.refusal;
    if (stop_is_set(&search->stop))
        return false;
    if (!refusal->is_refused) {
        sat_cut(search);
        return false;
    }
    return prepare_refuse(search, refusal->span, text_chars(&refusal->words));
}

bool sat_prepare(struct sat_search *search)
{
    bit assumed;
    if (!circuit_open(&search->circuit, search->layout) || !prepare_assumptions(search, &assumed))
        return prepare_refused(search);
    prepare_choice(search);
    prepare_next(search);
    if (!prepare_successor(search, assumed) || !prepare_rows(search))
        return prepare_refused(search);
    search->starts = search->row_count ? prepare_rows_function(search, 0, search->row_count, 0) : BIT_FALSE;
    if (!sat_targets_make(search))
        return prepare_refused(search);
    sat_symmetry_find(search);
    search->representative = sat_representative(search);
    return true;
}

void sat_release(struct sat_search *search)
{
    sat_bmc_destroy(search->bmc);
    sat_ic3_destroy(search->ic3);
    sat_symmetry_free(search);
    VEC_FREE(&search->chosen);
    VEC_FREE(&search->always);
    VEC_FREE(&search->stepping);
    for (size_t i = 0; i < search->targets.count; i++)
        if (search->targets.items[i].trace)
            trace_destroy(search->targets.items[i].trace);
    VEC_FREE(&search->targets);
    text_free(&search->proof);
    stop_free(&search->stop);
    free(search->next);
    free(search->rows);
    free(search->decided);
    circuit_close(&search->circuit);
}
