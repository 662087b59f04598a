/* The letters that the automaton reads: which atoms are true, and which are false, in each node. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/linear.h"

static enum truth letters_judge(struct linear_case *linear, const struct linear_atom *atom, const int32_t *cells)
{
    struct checker *checker = linear->checker;
    const struct proposition *proposition = atom->proposition;
    int32_t *values = memory_alloc(((size_t)proposition->variable_count + 1) * sizeof *values);
    struct fault fault = {0};
    for (size_t i = 0; i < atom->binding_count; i++)
        *checker_value(checker, atom->bindings[i].variable) = atom->bindings[i].value;
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        values[v] = *checker_value(checker, proposition->variables[v]);
    enum truth truth = stepper_judge(checker->judge, proposition, cells, values, &fault);
    free(values);
    if (truth == TRUTH_FAULT && !checker->has_fault) {
        checker->has_fault = true;
        checker->fault = fault;
    }
    return truth;
}

static void letters_read(struct linear_case *linear, uint32_t node)
{
    const int32_t *cells = graph_load(linear->checker, linear->product.graph, linear->product.variables, node);
    for (size_t a = 0; a < linear->claim.atoms.count; a++) {
        enum truth truth = letters_judge(linear, &linear->claim.atoms.items[a], cells);
        uint64_t bit = (uint64_t)1 << a;
        linear->is_true[node] |= truth == TRUTH_TRUE ? bit : 0;
        linear->is_false[node] |= truth == TRUTH_FALSE ? bit : 0;
        linear->has_doubt |= truth == TRUTH_FAULT;
    }
}

bool letters_open(struct linear_case *linear)
{
    size_t count = (size_t)linear->product.graph->count + 1;
    linear->is_true = checker_alloc(linear->checker, count, sizeof *linear->is_true);
    linear->is_false = checker_alloc(linear->checker, count, sizeof *linear->is_false);
    return linear->is_true && linear->is_false;
}

bool letters_find(struct linear_case *linear)
{
    struct checker *checker = linear->checker;
    uint32_t count = linear->product.graph->count;
    if (!letters_open(linear))
        return false;
    for (uint32_t node = 0; node < count; node++) {
        letters_read(linear, node);
        if (!checker_spend(checker, 1))
            return false;
    }
    return true;
}
