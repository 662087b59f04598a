/* The explicit-state engine: every reachable (representative) state, one by one. */
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/vec.h"
#include "engine/explicit/search.h"

static bool explicit_is_plain(const struct rule *rule)
{
    return rule->branch_count == 1 && !rule->branches[0].weight;
}

/* The visited set of a layered search takes more than what is expanded; a store by number does not. */
static const char *explicit_refuses(const struct system *system, const struct engine_options *options)
{
    bool is_layered = options->order == SEARCH_BREADTH_FIRST && options->store == STORE_COMPACT;
    for (size_t i = 0; i < system->properties.count; i++)
        is_layered &= system->properties.items[i]->kind != PROPERTY_LIVENESS;
    if (!is_layered && (options->representative == REPRESENTATIVE_FLOOD ||
                        options->representative == REPRESENTATIVE_MARKERS))
        return "--representative flood and markers need --search bfs, --store compact and no liveness property";
    return NULL;
}

static const char *explicit_supports(const struct system *system, const struct engine_options *options)
{
    for (size_t i = 0; i < system->rules.count; i++)
        if (!explicit_is_plain(system->rules.items[i]))
            return "a rule has several branches or weights: the explicit engine knows no probabilities";
    for (size_t i = 0; i < system->starts.count; i++)
        if (!explicit_is_plain(system->starts.items[i]))
            return "a start state has several branches or weights: the explicit engine knows no probabilities";
    return options ? explicit_refuses(system, options) : NULL;
}

static bool explicit_is_layered(const struct search *search)
{
    return search->options->order == SEARCH_BREADTH_FIRST && search->options->store == STORE_COMPACT &&
           search->options->representative != REPRESENTATIVE_FIRST && !search->livenesses.count;
}

/* How many bits of each word are in use. */
static uint32_t *explicit_word_bits(const struct layout *layout)
{
    uint32_t *bits = memory_zeroed(layout->words, sizeof *bits);
    for (uint32_t i = 0; i < layout->cell_count; i++) {
        const struct cell *cell = &layout->cells[i];
        if (cell->shift + cell->bits > bits[cell->word])
            bits[cell->word] = cell->shift + cell->bits;
    }
    return bits;
}

static uint32_t explicit_threads(const struct engine_options *options)
{
    cpu_set_t processors;
    if (options->threads)
        return options->threads;
    CPU_ZERO(&processors);
    if (sched_getaffinity(0, sizeof processors, &processors))
        return 1;
    return CPU_COUNT(&processors) > 0 ? (uint32_t)CPU_COUNT(&processors) : 1;
}

static void search_create_layered(struct search *search)
{
    uint32_t *word_bits = explicit_word_bits(search->layout);
    struct visited_options options = {
        .words = represent_is_marked(search) ? 1 : search->layout->words,
        .word_bits = represent_is_marked(search) ? NULL : word_bits,
        .is_fingerprint = search->options->hash_compact || represent_is_marked(search),
        .max_states = search->options->limits.states,
    };
    search->visited = visited_create(&options, &search->budget);
    free(word_bits);
    if (!search->visited)
        return;
    search->blocks = blocks_create(search->layout->words, &search->budget);
    search->spill = spill_create();
    search->crew = crew_create(search, search_work_layer);
    search->thread_count = represent_is_alone(search) ? 1 : explicit_threads(search->options);
}

static void search_create_numbered(struct search *search)
{
    search->store = store_create(search->layout->words, &search->budget, search->options->limits.states);
    if (search->options->representative == REPRESENTATIVE_FIRST && !symmetry_is_trivial(search->symmetry))
        search->firsts = firsts_create(search);
    if (search->livenesses.count) {
        search->edges = edges_create(&search->budget);
        search->goals = memory_zeroed(search->livenesses.count, sizeof *search->goals);
    }
}

static void search_create(struct search *search)
{
    limits_begin(search);
    judge_create(search);
    pthread_mutex_init(&search->lock, NULL);
    search->thread_count = 1;
    if (explicit_is_layered(search))
        search_create_layered(search);
    else
        search_create_numbered(search);
    search->workers = memory_zeroed(search->thread_count, sizeof *search->workers);
    search->worker_count = 1;
    worker_create(&search->workers[0], search);
}

static void search_destroy(struct search *search)
{
    crew_destroy(search->crew);
    for (uint32_t i = 0; i < search->worker_count; i++)
        worker_destroy(&search->workers[i]);
    free(search->workers);
    for (uint32_t i = 0; i < search->livenesses.count && search->goals; i++)
        free(search->goals[i]);
    free(search->goals);
    edges_destroy(search->edges);
    firsts_destroy(search->firsts);
    store_destroy(search->store);
    visited_destroy(search->visited);
    blocks_destroy(search->blocks);
    spill_destroy(search->spill);
    VEC_FREE(&search->level);
    judge_destroy(search);
    pthread_mutex_destroy(&search->lock);
}

static void search_run(struct search *search)
{
    if (!search->store && !search->visited) {
        search_stop_full(search);
        return;
    }
    if (!starts_insert(search))
        return;
    if (search->visited)
        search_run_layers(search);
    else if (search->options->order == SEARCH_DEPTH_FIRST)
        search_run_dfs(search);
    else
        search_run_bfs(search);
}

static void explicit_describe(struct search *search, const struct trial *lost)
{
    struct result *result = search->result;
    enum representative kind = search->options->representative;
    bool is_none = symmetry_is_trivial(search->symmetry);
    result->representative =
        representative_names[kind == REPRESENTATIVE_AUTO ? REPRESENTATIVE_CANONICAL : kind];
    if (is_none)
        result->representative = "none";
    const struct trial *trial = lost ? lost : &search->trial;
    if (trial->is_over)
        text_format(&result->stepper, "symmetry %s: a representative stands for %.2f states and costs as much as %.2f%s\n",
                    lost ? "does not pay" : "pays", trial->gain, trial->cost, lost ? "; searched without it" : "");
    steppers_describe(search->steppers, &result->stepper);
    result->profile = steppers_profile(search->steppers);
}

/* `lost`: the trial after which this search is made without symmetry, or NULL. */
static struct result *explicit_search(const struct layout *layout, const struct symmetry *symmetry,
                                      const struct engine_options *options, const struct trial *lost,
                                      struct trial *trial)
{
    struct search search = {
        .layout = layout,
        .system = layout->system,
        .symmetry = symmetry,
        .options = options,
        .result = result_create(layout->system, engine_explicit.name),
    };
    search.steppers = steppers_create(layout, options->stepper, options->profile);
    if (steppers_refusal(search.steppers)) {
        result_set_stopped(search.result, "no native code: %s", steppers_refusal(search.steppers));
        steppers_destroy(search.steppers);
        return search.result;
    }
    search_create(&search);
    search_run(&search);
    if (!search.trial.is_lost)
        outcome_conclude(&search);
    *trial = search.trial;
    search_destroy(&search);
    explicit_describe(&search, lost);
    steppers_destroy(search.steppers);
    return search.result;
}

static struct result *explicit_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    struct trial trial = {0}, second;
    double begin = clock_wall();
    struct result *result = explicit_search(layout, symmetry, options, NULL, &trial);
    if (!trial.is_lost)
        return result;
    struct engine_options rest = *options;
    struct symmetry *none = symmetry_none(layout->system);
    double gone = clock_wall() - begin;
    if (rest.limits.seconds > 0)
        rest.limits.seconds = rest.limits.seconds > gone ? rest.limits.seconds - gone : 0.001;
    result_destroy(result);
    result = explicit_search(layout, none, &rest, &trial, &second);
    symmetry_destroy(none);
    return result;
}

const struct engine engine_explicit = {
    .name = "explicit",
    .leaves_ctl = true,
    .summary = "every reachable state, or one representative of each orbit, breadth or depth first",
    .supports = explicit_supports,
    .run = explicit_run,
};
