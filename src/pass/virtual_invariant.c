/* An inductive invariant: cells that are defined in every reachable state, and state variables that never change. It is
 * found by dropping what some step does not keep (Flanagan, Leino: Houdini, FME 2001). Without it a guard that may read
 * an undefined value fails for some processes and not for others, and rules that are never enabled count. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bits/circuit.h"
#include "exec/steppers.h"
#include "pass/virtual.h"

enum { INVARIANT_MOST_STARTS = 4096, INVARIANT_CONFLICTS = 2000, NOT_FIXED = 2 };

struct invariant {
    struct circuit *circuit;
    struct solver *solver;
    struct cnf *cnf;
    bool *is_defined;
    uint8_t *fixed;      /* by variable: its value in all states, or NOT_FIXED */
    bit *before, *after; /* by variable */
    uint32_t *cell_of;   /* by variable */
};

/* Marks the cells that all start states define, and the variables that have one value in all of them; none if there are
 * too many start states. */
static void invariant_in_starts(struct invariant *d)
{
    const struct layout *layout = d->circuit->layout;
    bool *is_defined = d->is_defined, *values = memory_zeroed(d->circuit->variable_count + 1, sizeof *values);
    struct stepper *stepper = stepper_create_evaluator(layout->system, layout);
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t starts = 0;
    bool is_first = true;
    for (uint32_t c = 0; c < layout->cell_count; c++)
        is_defined[c] = layout->cells[c].type != NULL;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && starts++ < INVARIANT_MOST_STARTS) {
        if (outcome != STEP_STATE)
            continue;
        for (uint32_t c = 0; c < layout->cell_count; c++)
            is_defined[c] &= step.cells[c] != UNDEFINED;
        circuit_encode(d->circuit, step.cells, values);
        for (uint32_t v = 0; v < d->circuit->variable_count; v++)
            d->fixed[v] = is_first || d->fixed[v] == values[v] ? values[v] : NOT_FIXED;
        is_first = false;
    }
    if (outcome != STEP_END || is_first || watch_is_up()) {
        memset(is_defined, false, layout->cell_count);
        memset(d->fixed, NOT_FIXED, d->circuit->variable_count);
    }
    stepper_destroy(stepper);
    free(values);
}

/* Is the cell defined, with these values of the state variables? */
static bit defined_is(struct circuit *circuit, uint32_t cell, const bit *values)
{
    bit any = BIT_FALSE;
    for (uint32_t v = circuit->first[cell]; v < circuit->first[cell + 1] && any != BIT_NONE; v++)
        any = values[v] == BIT_NONE ? BIT_NONE : aig_or(&circuit->aig, any, values[v]);
    return any;
}

/* May `ends` be true behind the step, which fires in a state of the invariant? */
static bool invariant_may_end(struct invariant *d, const struct circuit_step *step, bit ends)
{
    ends = ends == BIT_NONE ? BIT_NONE : aig_and(&d->circuit->aig, step->fires, ends);
    if (ends == BIT_FALSE)
        return false;
    if (ends == BIT_NONE || watch_is_up())
        return true;
    for (uint32_t v = 0; v < d->circuit->variable_count; v++)
        if (d->fixed[v] != NOT_FIXED)
            solver_assume(d->solver, cnf_literal(d->cnf, d->before[v] ^ !d->fixed[v]));
    for (uint32_t c = 0; c < d->circuit->layout->cell_count; c++)
        if (d->is_defined[c])
            solver_assume(d->solver, cnf_literal(d->cnf, defined_is(d->circuit, c, d->before)));
    solver_assume(d->solver, cnf_literal(d->cnf, ends));
    return solver_ask(d->solver, INVARIANT_CONFLICTS) != SOLVER_UNSATISFIABLE;
}

static bool invariant_drop_cell(struct invariant *d, const struct circuit_step *step, uint32_t cell)
{
    bit is = d->is_defined[cell] ? defined_is(d->circuit, cell, d->after) : BIT_TRUE;
    if (is == BIT_TRUE || !invariant_may_end(d, step, is == BIT_NONE ? BIT_NONE : bit_not(is)))
        return false;
    d->is_defined[cell] = false;
    return true;
}

static bool invariant_drop_variable(struct invariant *d, const struct circuit_step *step, uint32_t variable)
{
    bit value = d->after[variable];
    if (d->fixed[variable] == NOT_FIXED ||
        !invariant_may_end(d, step, value == BIT_NONE ? BIT_NONE : value ^ d->fixed[variable]))
        return false;
    d->fixed[variable] = NOT_FIXED;
    return true;
}

/* Drops what the step may not keep. Returns whether there is anything. */
static bool invariant_drop(struct invariant *d, const struct circuit_step *step)
{
    const struct circuit_change *changes = d->circuit->changes.items + step->first_change;
    bool is_dropped = false;
    for (uint32_t i = 0; i < step->change_count; i++)
        d->after[changes[i].variable] = changes[i].value;
    for (uint32_t i = 0; i < step->change_count; i++) {
        is_dropped |= invariant_drop_cell(d, step, d->cell_of[changes[i].variable]);
        is_dropped |= invariant_drop_variable(d, step, changes[i].variable);
    }
    for (uint32_t i = 0; i < step->change_count; i++)
        d->after[changes[i].variable] = d->before[changes[i].variable];
    return is_dropped;
}

/* Drops what does not hold for the image, too, so that the invariant is closed under the permutation. */
static bool invariant_close(struct invariant *d, const uint32_t *map)
{
    bool is_dropped = false;
    for (uint32_t v = 0; v < d->circuit->variable_count; v++) {
        uint32_t cell = d->cell_of[v];
        if (d->fixed[v] != NOT_FIXED && d->fixed[map[v]] != d->fixed[v]) {
            d->fixed[v] = NOT_FIXED;
            is_dropped = true;
        }
        if (!d->is_defined[cell] || d->is_defined[d->cell_of[map[v]]])
            continue;
        d->is_defined[cell] = false;
        is_dropped = true;
    }
    return is_dropped;
}

void virtual_require_invariant(struct circuit *circuit, struct solver *solver, struct cnf *cnf,
                               const uint32_t *const *maps, uint32_t map_count)
{
    struct invariant d = {.circuit = circuit, .solver = solver, .cnf = cnf};
    size_t cells = (size_t)circuit->layout->cell_count + 1, variables = (size_t)circuit->variable_count + 1;
    d.is_defined = memory_alloc(cells);
    d.fixed = memory_alloc(variables);
    memset(d.fixed, NOT_FIXED, variables);
    d.before = memory_alloc(2 * variables * sizeof *d.before);
    d.after = d.before + variables;
    d.cell_of = memory_alloc(variables * sizeof *d.cell_of);
    invariant_in_starts(&d);
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++)
        for (uint32_t v = circuit->first[c]; v < circuit->first[c + 1]; v++) {
            d.cell_of[v] = c;
            d.before[v] = d.after[v] = circuit_variable(v);
        }
    for (bool is_dropped = true; is_dropped;) {
        is_dropped = false;
        for (uint32_t m = 0; m < map_count; m++)
            is_dropped |= invariant_close(&d, maps[m]);
        for (size_t s = 0; s < circuit->steps.count; s++)
            is_dropped |= invariant_drop(&d, &circuit->steps.items[s]);
    }
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++)
        if (d.is_defined[c])
            cnf_require(cnf, defined_is(circuit, c, d.before));
    for (uint32_t v = 0; v < circuit->variable_count; v++)
        if (d.fixed[v] != NOT_FIXED)
            cnf_require(cnf, d.before[v] ^ !d.fixed[v]);
    free(d.is_defined);
    free(d.fixed);
    free(d.before);
    free(d.cell_of);
}
