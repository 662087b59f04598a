#include "engine/ctl/fairly.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- the product with an automaton that stays inside --- */

static bool fairly_letters(struct linear_case *linear, const uint64_t *inside, bool is_inside)
{
    uint32_t count = linear->product.graph->count;
    if (!letters_open(linear))
        return false;
    for (uint32_t n = 0; inside && n < count; n++)
        *(bits_has(inside, n) == is_inside ? &linear->is_true[n] : &linear->is_false[n]) = 1;
    return true;
}

/* To be freed in any case. */
static bool fairly_open(struct linear_case *linear, struct graph *graph, const struct variable *const *variables,
                        const uint64_t *inside, bool is_inside)
{
    for (uint32_t i = 0; i < graph->arity; i++)
        VEC_PUSH(&linear->claim.tracked, variables[i]);
    linear->claim.logic = logic_create();
    logic_formula stays = inside ? logic_always(linear->claim.logic, logic_atom(linear->claim.logic, 0))
                                 : logic_truth(linear->claim.logic, true);
    linear->automaton = automaton_create(linear->claim.logic, stays, 2);
    if (!linear->automaton) /* the time was over, and there is no product */
        return false;
    linear->product = (struct linear_product){.linear = linear, .graph = graph, .variables = variables};
    return fairly_letters(linear, inside, is_inside) && requirements_find(linear) && !stop_is_set(&linear->fair_doubt);
}

/* What stopped it is the reason why nothing is known of the property. */
static void fairly_close(struct linear_case *linear)
{
    struct checker *checker = linear->checker;
    if (stop_is_set(&linear->claim.stop) || stop_is_set(&linear->fair_doubt))
        stop_once(&checker->doubt,
                  stop_copy(stop_is_set(&linear->claim.stop) ? &linear->claim.stop : &linear->fair_doubt));
    if (!linear->automaton)
        checker_spend(checker, 0); /* the time is up */
    linear_free(linear);
}

bool fairly_find_cycles(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                        const uint64_t *inside, bool is_inside, uint64_t *out)
{
    struct linear_case linear = {.checker = checker, .drops_finite = checker->options->drops_finite};
    bool is_good = fairly_open(&linear, graph, variables, inside, is_inside) && emptiness_collect(&linear, out);
    fairly_close(&linear);
    return is_good;
}

bool fairly_go_on(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                  const uint64_t *inside, bool is_inside, struct trace *trace)
{
    struct linear_case linear = {.checker = checker, .drops_finite = checker->options->drops_finite};
    size_t size = graph->arity * sizeof(int32_t);
    int32_t *values = memory_zeroed(size + 1, 1); /* finding requirements uses the variables */
    for (uint32_t i = 0; i < graph->arity; i++)
        values[i] = *checker_value(checker, variables[i]);
    bool is_good = fairly_open(&linear, graph, variables, inside, is_inside);
    for (uint32_t i = 0; i < graph->arity; i++)
        *checker_value(checker, variables[i]) = values[i];
    is_good = is_good && lasso_go_on(&linear, trace);
    free(values);
    fairly_close(&linear);
    return is_good;
}

/* --- the nodes with a fair path --- */

static bool fairly_find_all(struct checker *checker, struct graph *graph)
{
    graph->fair = checker_alloc(checker, bit_words(graph->count), sizeof *graph->fair);
    if (graph->fair && fairly_find_cycles(checker, graph, NULL, NULL, false, graph->fair) &&
        fixpoint_lead_to(checker, graph, NULL, false, graph->fair))
        return true;
    checker_free(checker, graph->fair, bit_words(graph->count), sizeof *graph->fair);
    graph->fair = NULL;
    return false;
}

/* Values beside a state do not matter: as in the graph without any. */
bool fairly_find(struct checker *checker, struct graph *graph, const struct variable *const *variables)
{
    if (!checker->is_fair || graph->fair)
        return true;
    struct graph *base = graph_get(checker, NULL, 0);
    if (!base || (!base->fair && !fairly_find_all(checker, base)))
        return false;
    if (base == graph)
        return true;
    graph->fair = checker_alloc(checker, bit_words(graph->count), sizeof *graph->fair);
    for (uint32_t n = 0; graph->fair && n < graph->count; n++) {
        const int32_t *cells = graph_load(checker, graph, variables, n);
        if (bits_has(base->fair, graph_find(checker, base, NULL, cells)))
            bits_add(graph->fair, n);
        if (!checker_spend(checker, 1)) { /* a part of it would be taken for all */
            checker_free(checker, graph->fair, bit_words(graph->count), sizeof *graph->fair);
            graph->fair = NULL;
        }
    }
    return graph->fair != NULL;
}

bool fairly_keeps_symmetry(const struct symmetry *symmetry)
{
    return symmetry->keeps_rules || !fairness_is_required(symmetry->system);
}

/* --- in words --- */

void fairly_say_runs(const struct checker *checker, const struct graph *graph, bool is_fair, bool drops_finite,
                     struct text *out)
{
    bool has_end = false;
    for (uint32_t n = 0; n < graph->count && !has_end; n++)
        has_end = !graph_out(graph, n);
    linear_say_runs(is_fair ? checker->system : NULL, has_end, drops_finite, out);
}
