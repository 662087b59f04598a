#include <stdlib.h>

#include "engine/sat/search.h"

void sat_unroll_begin(struct sat_unrolling *unrolling, const struct sat_search *search)
{
    *unrolling = (struct sat_unrolling){.search = search, .solver = solver_create()};
}

void sat_unroll_end(struct sat_unrolling *unrolling)
{
    for (size_t i = 0; i < unrolling->frames.count; i++)
        cnf_close(&unrolling->frames.items[i]);
    VEC_FREE(&unrolling->frames);
    solver_destroy(unrolling->solver);
}

/* The state variables of the new frame are the next values of the one before. */
static void unroll_connect(struct sat_unrolling *unrolling, struct cnf *before, struct cnf *after)
{
    const struct sat_search *search = unrolling->search;
    for (size_t i = 0; i < search->stepping.count; i++)
        cnf_require(before, search->stepping.items[i]);
    for (uint32_t v = 0; v < search->circuit.variable_count; v++)
        cnf_set(after, circuit_variable(v), cnf_literal(before, search->next[v]));
}

void sat_unroll_extend(struct sat_unrolling *unrolling)
{
    const struct sat_search *search = unrolling->search;
    struct cnf frame;
    cnf_open(&frame, &search->circuit.aig, unrolling->solver);
    if (unrolling->frames.count) {
        unroll_connect(unrolling, &VEC_LAST(&unrolling->frames), &frame);
    } else {
        for (uint32_t v = 0; v < search->circuit.variable_count; v++)
            cnf_literal(&frame, circuit_variable(v));
        for (size_t i = 0; i < search->always.count; i++)
            cnf_require(&frame, search->always.items[i]);
    }
    VEC_PUSH(&unrolling->frames, frame);
}

int sat_unroll_literal(struct sat_unrolling *unrolling, uint32_t frame, bit f)
{
    return cnf_literal(&unrolling->frames.items[frame], f);
}

void sat_unroll_state(struct sat_unrolling *unrolling, uint32_t frame, bool *values)
{
    for (uint32_t v = 0; v < unrolling->search->circuit.variable_count; v++)
        values[v] = solver_value(unrolling->solver, sat_unroll_literal(unrolling, frame, circuit_variable(v)));
}
