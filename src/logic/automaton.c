/* The automaton of a formula: a tableau, made smaller. */
#include "logic/automaton.h"

#include "base/memory.h"
#include "logic/trim.h"

static struct automaton *seal(const struct ltl_tableau *tableau)
{
    struct automaton *automaton = memory_zeroed(1, sizeof *automaton);
    size_t count = tableau->edges.count, edge = 0;
    automaton->mark_count = tableau->mark_count;
    automaton->state_count = tableau->state_count;
    automaton->first = memory_alloc((tableau->state_count + 1) * sizeof *automaton->first);
    automaton->edges = memory_alloc((count + 1) * sizeof *automaton->edges);
    for (uint32_t state = 0; state < tableau->state_count; state++) {
        automaton->first[state] = (uint32_t)edge;
        for (; edge < count && tableau->edges.items[edge].source == state; edge++)
            automaton->edges[edge] = tableau->edges.items[edge].edge;
    }
    automaton->first[tableau->state_count] = (uint32_t)edge;
    return automaton;
}

struct automaton *automaton_create(struct logic *logic, logic_formula formula, uint32_t most)
{
    struct ltl_tableau tableau;
    struct automaton *automaton = NULL;
    if (tableau_build(logic, formula, most, &tableau) && tableau_trim(&tableau))
        automaton = seal(&tableau);
    tableau_free(&tableau);
    return automaton;
}

void automaton_destroy(struct automaton *automaton)
{
    if (!automaton)
        return;
    free(automaton->first);
    free(automaton->edges);
    free(automaton);
}

bool automaton_accepts_all(const struct automaton *automaton, uint32_t state)
{
    uint64_t all = marks_all(automaton->mark_count);
    for (uint32_t e = automaton->first[state]; e < automaton->first[state + 1]; e++) {
        const struct automaton_edge *edge = &automaton->edges[e];
        if (edge->target == state && !edge->label.positive && !edge->label.negative && edge->marks == all)
            return true;
    }
    return false;
}

bool automaton_is_terminal(const struct automaton *automaton)
{
    uint64_t before = 0;
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t e = automaton->first[state]; e < automaton->first[state + 1]; e++)
            if (!automaton_accepts_all(automaton, state) &&
                !automaton_accepts_all(automaton, automaton->edges[e].target))
                before |= automaton->edges[e].marks;
    return before != marks_all(automaton->mark_count);
}
