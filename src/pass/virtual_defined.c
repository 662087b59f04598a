/* Cells that are defined in every reachable state: an inductive invariant, found by dropping cells that some step
 * leaves undefined (Flanagan, Leino: Houdini, FME 2001). Without it a guard that may read an undefined value fails for
 * some processes and not for others. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bits/circuit.h"
#include "exec/steppers.h"
#include "pass/virtual.h"

enum { DEFINED_MOST_STARTS = 4096, DEFINED_CONFLICTS = 2000 };

/* Marks the cells that all start states define; none if there are too many start states. */
static void defined_in_starts(const struct layout *layout, bool *is_defined)
{
    struct stepper *stepper = stepper_create_evaluator(layout->system, layout);
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t starts = 0;
    for (uint32_t c = 0; c < layout->cell_count; c++)
        is_defined[c] = layout->cells[c].type != NULL;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && starts++ < DEFINED_MOST_STARTS)
        for (uint32_t c = 0; outcome == STEP_STATE && c < layout->cell_count; c++)
            is_defined[c] &= step.cells[c] != UNDEFINED;
    if (outcome != STEP_END || watch_is_up())
        memset(is_defined, false, layout->cell_count);
    stepper_destroy(stepper);
}

/* Is the cell defined, with these values of the state variables? */
static bit defined_is(struct circuit *circuit, uint32_t cell, const bit *values)
{
    bit any = BIT_FALSE;
    for (uint32_t v = circuit->first[cell]; v < circuit->first[cell + 1] && any != BIT_NONE; v++)
        any = values[v] == BIT_NONE ? BIT_NONE : aig_or(&circuit->aig, any, values[v]);
    return any;
}

struct defining {
    struct circuit *circuit;
    struct solver *solver;
    struct cnf *cnf;
    bool *is_defined;
    bit *before, *after; /* by variable */
    uint32_t *cell_of;   /* by variable */
};

/* May the step leave the cell undefined, from a state in which all marked cells are defined? */
static bool defined_may_end(struct defining *d, const struct circuit_step *step, uint32_t cell)
{
    bit is = defined_is(d->circuit, cell, d->after);
    bit ends = is == BIT_NONE ? BIT_NONE : aig_and(&d->circuit->aig, step->fires, bit_not(is));
    if (ends == BIT_FALSE)
        return false;
    if (ends == BIT_NONE || watch_is_up())
        return true;
    for (uint32_t c = 0; c < d->circuit->layout->cell_count; c++)
        if (d->is_defined[c])
            solver_assume(d->solver, cnf_literal(d->cnf, defined_is(d->circuit, c, d->before)));
    solver_assume(d->solver, cnf_literal(d->cnf, ends));
    return solver_ask(d->solver, DEFINED_CONFLICTS) != SOLVER_UNSATISFIABLE;
}

/* Drops the marked cells that the step may leave undefined. Returns whether there are any. */
static bool defined_drop(struct defining *d, const struct circuit_step *step)
{
    const struct circuit_change *changes = d->circuit->changes.items + step->first_change;
    bool is_dropped = false;
    for (uint32_t i = 0; i < step->change_count; i++)
        d->after[changes[i].variable] = changes[i].value;
    for (uint32_t i = 0; i < step->change_count; i++) {
        uint32_t cell = d->cell_of[changes[i].variable];
        if (!d->is_defined[cell] || !defined_may_end(d, step, cell))
            continue;
        d->is_defined[cell] = false;
        is_dropped = true;
    }
    for (uint32_t i = 0; i < step->change_count; i++)
        d->after[changes[i].variable] = d->before[changes[i].variable];
    return is_dropped;
}

/* Drops the cells whose image is not marked, so that the marked states are closed under the permutation. */
static bool defined_close(struct defining *d, const uint32_t *map)
{
    bool is_dropped = false;
    for (uint32_t v = 0; v < d->circuit->variable_count; v++) {
        uint32_t cell = d->cell_of[v];
        if (!d->is_defined[cell] || d->is_defined[d->cell_of[map[v]]])
            continue;
        d->is_defined[cell] = false;
        is_dropped = true;
    }
    return is_dropped;
}

void virtual_require_defined(struct circuit *circuit, struct solver *solver, struct cnf *cnf,
                             const uint32_t *const *maps, uint32_t map_count)
{
    struct defining d = {.circuit = circuit, .solver = solver, .cnf = cnf};
    size_t cells = (size_t)circuit->layout->cell_count + 1, variables = (size_t)circuit->variable_count + 1;
    d.is_defined = memory_alloc(cells);
    d.before = memory_alloc(2 * variables * sizeof *d.before);
    d.after = d.before + variables;
    d.cell_of = memory_alloc(variables * sizeof *d.cell_of);
    defined_in_starts(circuit->layout, d.is_defined);
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++)
        for (uint32_t v = circuit->first[c]; v < circuit->first[c + 1]; v++) {
            d.cell_of[v] = c;
            d.before[v] = d.after[v] = circuit_variable(v);
        }
    for (bool is_dropped = true; is_dropped;) {
        is_dropped = false;
        for (uint32_t m = 0; m < map_count; m++)
            is_dropped |= defined_close(&d, maps[m]);
        for (size_t s = 0; s < circuit->steps.count; s++)
            is_dropped |= defined_drop(&d, &circuit->steps.items[s]);
    }
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++)
        if (d.is_defined[c])
            cnf_require(cnf, defined_is(circuit, c, d.before));
    free(d.is_defined);
    free(d.before);
    free(d.cell_of);
}
