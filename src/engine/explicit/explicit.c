/* The explicit-state engine: every reachable (representative) state, one by one. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

static bool explicit_is_plain(const struct rule *rule)
{
    return rule->branch_count == 1 && !rule->branches[0].weight;
}

static const char *explicit_supports(const struct system *system)
{
    for (size_t i = 0; i < system->rules.count; i++)
        if (!explicit_is_plain(system->rules.items[i]))
            return "a rule has several branches or weights: the explicit engine knows no probabilities";
    for (size_t i = 0; i < system->starts.count; i++)
        if (!explicit_is_plain(system->starts.items[i]))
            return "a start state has several branches or weights: the explicit engine knows no probabilities";
    return NULL;
}

static struct stepper *explicit_stepper(const struct layout *layout, enum stepper_choice choice)
{
    return choice == STEPPER_EVALUATOR ? stepper_create_evaluator(layout->system, layout)
                                       : stepper_create_vm(layout->system, layout);
}

static void worker_create(struct worker *worker, const struct search *search)
{
    const struct layout *layout = search->layout;
    size_t size = layout->cell_count * sizeof(int32_t);
    worker->stepper = explicit_stepper(layout, search->options->stepper);
    worker->judge = explicit_stepper(layout, search->options->stepper);
    worker->canon = symmetry_is_trivial(search->symmetry) ? NULL : canon_create(search->symmetry, layout);
    worker->parent = memory_alloc(size);
    worker->image = memory_alloc(size);
    worker->fresh = memory_alloc(size);
    worker->parent_packed = memory_alloc(layout->words * sizeof(uint64_t));
    worker->batch = memory_alloc(SEARCH_BATCH * layout->words * sizeof(uint64_t));
}

static void worker_destroy(struct worker *worker)
{
    stepper_destroy(worker->stepper);
    stepper_destroy(worker->judge);
    if (worker->canon)
        canon_destroy(worker->canon);
    free(worker->parent);
    free(worker->image);
    free(worker->fresh);
    free(worker->parent_packed);
    free(worker->batch);
}

static void search_create(struct search *search)
{
    const struct limits *limits = &search->options->limits;
    search->budget.limit = limits->memory_bytes;
    search->store = store_create(search->layout->words, &search->budget, limits->states);
    judge_create(search);
    worker_create(&search->worker, search);
    search->represented = bigint_create(0);
    search->orbit = bigint_create(0);
    if (search->livenesses.count) {
        search->edges = edges_create(&search->budget);
        search->goals = memory_zeroed(search->livenesses.count, sizeof *search->goals);
    }
}

static void search_destroy(struct search *search)
{
    for (uint32_t i = 0; i < search->livenesses.count; i++)
        free(search->goals[i]);
    free(search->goals);
    edges_destroy(search->edges);
    store_destroy(search->store);
    worker_destroy(&search->worker);
    judge_destroy(search);
    bigint_destroy(search->represented);
    bigint_destroy(search->orbit);
}

static struct result *explicit_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    struct search search = {
        .layout = layout,
        .system = layout->system,
        .symmetry = symmetry,
        .options = options,
        .result = result_create(layout->system, engine_explicit.name),
    };
    search_create(&search);
    limits_begin(&search);
    if (starts_insert(&search)) {
        if (options->order == SEARCH_DEPTH_FIRST)
            search_run_dfs(&search);
        else
            search_run_bfs(&search);
    }
    outcome_conclude(&search);
    search_destroy(&search);
    return search.result;
}

const struct engine engine_explicit = {
    .name = "explicit",
    .summary = "every reachable state, or one representative of each orbit, breadth or depth first",
    .supports = explicit_supports,
    .run = explicit_run,
};
