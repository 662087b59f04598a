/* A formula "if a then b" where a is never true says nothing. One without AG or G is about start states only, which is
 * what people forget. */
#include "base/watch.h"
#include "engine/ctl/checker.h"

bool antecedent_is_unmet(struct checker *checker, const struct property *property, struct graph *graph,
                         const struct variable *const *variables)
{
    bool is_everywhere = false;
    if (!property->antecedent || !graph)
        return false;
    ctl_antecedent(property->ctl ? property->ctl : property->ltl, &is_everywhere);
    uint32_t count = is_everywhere ? graph->count : graph->starts;
    for (uint32_t n = 0; n < count; n++) {
        struct fault fault;
        const int32_t *cells = graph_load(checker, graph, variables, n);
        if (watch_is_up() || stepper_judge(checker->judge, property->antecedent, cells, NULL, &fault) != TRUTH_FALSE)
            return false;
    }
    return true;
}
