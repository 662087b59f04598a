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

/* One round over all edges: marks the ends of those that lead from (is_back: to) what is marked, inside (NULL:
 * anywhere). False: nothing new. */
static bool automaton_spread(const struct automaton *automaton, const bool *inside, bool is_back, bool *marked)
{
    bool is_new = false;
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t e = automaton->first[state]; e < automaton->first[state + 1]; e++) {
            uint32_t target = automaton->edges[e].target, from = is_back ? target : state,
                     to = is_back ? state : target;
            if (!marked[from] || marked[to] || (inside && !inside[to]))
                continue;
            is_new = marked[to] = true;
        }
    return is_new;
}

bool automaton_is_recurrent(const struct automaton *automaton, uint32_t state)
{
    bool *forth = memory_zeroed(automaton->state_count, sizeof *forth), has_edge = false;
    bool *component = memory_zeroed(automaton->state_count, sizeof *component);
    uint64_t marks = 0;
    forth[state] = component[state] = true;
    while (automaton_spread(automaton, NULL, false, forth))
        ;
    while (automaton_spread(automaton, forth, true, component))
        ;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t e = automaton->first[s]; component[s] && e < automaton->first[s + 1]; e++)
            if (component[automaton->edges[e].target]) {
                marks |= automaton->edges[e].marks;
                has_edge = true;
            }
    free(forth);
    free(component);
    return has_edge && marks == marks_all(automaton->mark_count);
}
