/* The explicit-state engine: every reachable (representative) state, one by one. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/vec.h"
#include "engine/explicit/keep.h"
#include "ir/print.h"
#include "ranks/roll_call.h"

enum {
    EXPLICIT_PART = 16,        /* this part of the memory that is left may be spent on whole states, */
    EXPLICIT_MOST = 1 << 30,   /* no more than so many bytes: the search pauses while they grow, */
    EXPLICIT_CROWDED = 1 << 10 /* and in tests so many: most models outgrow them */
};

static bool explicit_is_plain(const struct rule *rule)
{
    return !rule->weight;
}

/* The first property that is decided on a graph; NULL: none. */
static const struct property *explicit_find_temporal(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == PROPERTY_CTL || property->kind == PROPERTY_LTL || property->kind == PROPERTY_LIVENESS)
            return property;
    }
    return NULL;
}

/* The --representative whose choices depend on the whole search, or NULL. */
static const char *explicit_names_whole(enum representative representative)
{
    return representative == REPRESENTATIVE_FIRST     ? "first"
           : representative == REPRESENTATIVE_FLOOD   ? "flood"
           : representative == REPRESENTATIVE_MARKERS ? "markers"
                                                      : NULL;
}

/* What `option` cannot be together with: one option or property, by its name. `graph`: where properties of whole runs
 * are decided. */
static const char *explicit_refuses_with(const struct system *system, const struct engine_options *options,
                                         const char *option, const char *graph, struct arena *words)
{
    const char *whole = explicit_names_whole(options->representative);
    const struct property *temporal = explicit_find_temporal(system);
    if (options->order != SEARCH_BREADTH_FIRST)
        return arena_format(words, "%s needs --search bfs", option);
    if (options->store != STORE_COMPACT)
        return arena_format(words, "%s needs --store compact", option);
    if (whole)
        return arena_format(words, "%s needs another --representative than %s", option, whole);
    if (temporal)
        return arena_format(words, "%s is for safety properties: %s \"%s\" is decided on %s", option,
                            property_kind_name(temporal->kind), temporal->name ? temporal->name : "", graph);
    return NULL;
}

/* What a checkpoint does not hold. */
static const char *explicit_refuses_keeping(const struct system *system, const struct engine_options *options,
                                            struct arena *words)
{
    if (!options->checkpoint_folder)
        return NULL;
    if (options->partial_order == PARTIAL_ORDER_REDUCED)
        return "--checkpoint does not keep what --reduction por knows of states: leave one of them out";
    return explicit_refuses_with(system, options, "--checkpoint", "a graph that is not kept", words);
}

/* What cannot be kept on the disk. */
static const char *explicit_refuses_disk(const struct system *system, const struct engine_options *options,
                                         struct arena *words)
{
    if (!options->disk_folder)
        return options->disk_limit ? "--disk-limit is for --disk" : NULL;
    if (options->hash_compact)
        return "--disk keeps whole states, --hash-compact does not: leave one of them out";
    if (options->partial_order == PARTIAL_ORDER_REDUCED)
        return "--reduction por asks of every state at once whether it was visited, which --disk says later: leave one "
               "of them out";
    return explicit_refuses_with(system, options, "--disk", "a graph in memory", words);
}

/* What ranks cannot do together. */
static const char *explicit_refuses_ranks(const struct system *system, const struct engine_options *options,
                                          struct arena *words)
{
    if (!options->is_distributed)
        return NULL;
    if (options->partial_order == PARTIAL_ORDER_REDUCED)
        return "--reduction por asks of every state at once whether it was visited, which another rank may know: leave "
               "it or --distributed out";
    return explicit_refuses_with(system, options, "--distributed", "a graph in one process", words);
}

/* The visited set of a layered search takes more than what is expanded; a store by number does not. */
static const char *explicit_refuses(const struct system *system, const struct engine_options *options,
                                    struct arena *words)
{
    bool has_liveness = false;
    for (size_t i = 0; i < system->properties.count; i++)
        has_liveness |= system->properties.items[i]->kind == PROPERTY_LIVENESS;
    const char *lacks = options->order != SEARCH_BREADTH_FIRST ? "--search bfs"
                        : options->store != STORE_COMPACT      ? "--store compact"
                        : has_liveness                         ? "no liveness property"
                                                               : NULL;
    if (has_liveness && options->partial_order == PARTIAL_ORDER_REDUCED)
        return "--reduction por keeps safety properties, not liveness: leave one of them out";
    if (lacks && (options->representative == REPRESENTATIVE_FLOOD || options->representative == REPRESENTATIVE_MARKERS))
        return arena_format(words, "--representative flood and markers need %s", lacks);
    const char *refusal = explicit_refuses_keeping(system, options, words);
    if (!refusal)
        refusal = explicit_refuses_disk(system, options, words);
    return refusal ? refusal : explicit_refuses_ranks(system, options, words);
}

static const char *explicit_supports(const struct system *system, const struct engine_options *options,
                                     struct arena *words)
{
    for (size_t i = 0; i < system->rules.count; i++)
        if (!explicit_is_plain(system->rules.items[i]))
            return "a rule has a probability: the explicit engine knows no probabilities";
    for (size_t i = 0; i < system->starts.count; i++)
        if (!explicit_is_plain(system->starts.items[i]))
            return "a start state has a probability: the explicit engine knows no probabilities";
    return options ? explicit_refuses(system, options, words) : NULL;
}

static bool explicit_is_layered(const struct explicit_search *search)
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

static int explicit_compare_fields(const void *first, const void *second)
{
    const struct visited_field *x = first, *y = second;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word)
                              : (x->shift > y->shift) - (x->shift < y->shift);
}

/* What the bits mean: the cells, in order of their places. */
static struct visited_field *explicit_fields(const struct layout *layout)
{
    struct visited_field *fields = memory_zeroed((size_t)layout->cell_count + 1, sizeof *fields);
    for (uint32_t i = 0; i < layout->cell_count; i++)
        fields[i] = (struct visited_field){layout->cells[i].word, layout->cells[i].shift, layout->cells[i].bits};
    qsort(fields, layout->cell_count, sizeof *fields, explicit_compare_fields);
    return fields;
}

static uint32_t explicit_threads(const struct engine_options *options)
{
    return options->threads ? options->threads : processors_available();
}

/* How much memory the visited set may take before it is made compact. (Partial-order reduction looks states up by keys;
 * and to use the disk all of them are counted.) */
static uint64_t explicit_whole_bytes(const struct explicit_search *search)
{
    uint64_t part = budget_left(&search->budget) / EXPLICIT_PART;
    if (search->disk || search->options->partial_order == PARTIAL_ORDER_REDUCED)
        return 0;
    return search->options->crowd ? EXPLICIT_CROWDED : part < EXPLICIT_MOST ? part : EXPLICIT_MOST;
}

static void search_create_layered(struct explicit_search *search)
{
    uint32_t *word_bits = explicit_word_bits(search->layout);
    struct visited_field *fields = explicit_fields(search->layout);
    disk_begin(search);
    ranks_begin(search);
    bool is_whole = !represent_is_marked(search);
    search->thread_count = represent_is_alone(search) ? 1 : explicit_threads(search->options);
    search->crew = crew_create(search, search_work_layer);
    struct visited_options options = {
        .words = is_whole ? search->layout->words : 1,
        .word_bits = is_whole ? word_bits : NULL,
        .fields = is_whole ? fields : NULL,
        .field_count = search->layout->cell_count,
        .is_fingerprint = search->options->hash_compact || represent_is_marked(search),
        .max_states = search->disk ? 0 : search_most_states(search), /* disk_count counts them */
        .team = search->thread_count > 1 ? crew_team(search->crew) : NULL,
        .whole_bytes = explicit_whole_bytes(search),
        .is_alone = search->thread_count == 1,
    };
    search->visited = visited_create(&options, &search->budget);
    free(word_bits);
    free(fields);
    if (!search->visited)
        return;
    search->blocks = blocks_create(search->layout->words, &search->budget, disk_place(search));
    search->spill = spill_create(disk_place(search));
}

static void search_create_numbered(struct explicit_search *search)
{
    search->store = store_create(search->layout->words, &search->budget, search->options->limits.states);
    if (search->options->representative == REPRESENTATIVE_FIRST && !symmetry_is_trivial(search->symmetry))
        search->firsts = firsts_create(search);
    if (search->livenesses.count) {
        search->edges = edges_create(&search->budget);
        search->goals = memory_zeroed(search->livenesses.count, sizeof *search->goals);
    }
}

/* system_first_number of all rules, in one go. */
static uint32_t *explicit_first_numbers(const struct system *system)
{
    uint32_t *numbers = memory_zeroed(system->rules.count + 1, sizeof *numbers);
    bool is_numbered = system_total_instances(system, SYSTEM_NUMBERED + 1) <= SYSTEM_NUMBERED;
    for (size_t r = 0, next = 1; r < system->rules.count && is_numbered; r++) {
        numbers[r] = (uint32_t)next;
        next += system->rules.items[r]->instance_count;
    }
    return numbers;
}

static void search_create(struct explicit_search *search)
{
    limits_begin(search);
    search->first_numbers = explicit_first_numbers(search->system);
    judge_create(search);
    pthread_mutex_init(&search->lock, NULL);
    search->thread_count = 1;
    if (explicit_is_layered(search))
        search_create_layered(search);
    else
        search_create_numbered(search);
    thin_begin(search);
    search->workers = memory_zeroed(search->thread_count, sizeof *search->workers);
    search->worker_count = 1;
    worker_create(&search->workers[0], search);
}

static void search_destroy(struct explicit_search *search)
{
    crew_destroy(search->crew);
    keep_end(search);
    for (uint32_t i = 0; i < search->worker_count; i++)
        worker_destroy(&search->workers[i]);
    free(search->workers);
    for (uint32_t i = 0; i < search->livenesses.count && search->goals; i++)
        free(search->goals[i]);
    free(search->goals);
    edges_destroy(search->edges);
    firsts_destroy(search->firsts);
    free(search->first_numbers);
    store_destroy(search->store);
    visited_destroy(search->visited);
    blocks_destroy(search->blocks);
    spill_destroy(search->spill);
    disk_end(search);
    ranks_end(search);
    VEC_FREE(&search->level);
    VEC_FREE(&search->expanded);
    VEC_FREE(&search->settled);
    asleep_destroy(search->asleep);
    lineage_destroy(search->lineage);
    stubborn_destroy(search->stubborn);
    judge_destroy(search);
    pthread_mutex_destroy(&search->lock);
}

static void search_run(struct explicit_search *search)
{
    if (!search->store && !search->visited) {
        search_stop_full(search);
        ranks_meet(search);
        return;
    }
    if (!(search->is_restored ? restore_search(search) : starts_insert(search))) {
        search->result->statistics.is_restore_cut = search->is_restored;
        return;
    }
    if (search->visited)
        search_run_layers(search);
    else if (search->options->order == SEARCH_DEPTH_FIRST)
        search_run_dfs(search);
    else
        search_run_bfs(search);
}

static void trial_describe(const struct trial *trial, const char *which, struct text *out)
{
    if (trial->before)
        trial_describe(trial->before, "canonical", out);
    if (trial->is_over)
        text_format(out, "%s representatives %s: each stands for %.2f states and costs as much as %.2f\n", which,
                    trial->is_lost ? "do not pay" : "pay", trial->gain, trial->cost);
}

/* `before`: the trials that were lost. */
static void explicit_describe(struct explicit_search *search, const struct trial *before)
{
    struct result *result = search->result;
    enum representative kind = search->options->representative;
    bool is_none = symmetry_is_trivial(search->symmetry);
    result->representative = representative_names[kind == REPRESENTATIVE_AUTO ? REPRESENTATIVE_CANONICAL : kind];
    if (is_none)
        result->representative = "none";
    const struct trial *last = is_none && before ? before : &search->trial;
    trial_describe(last, last->before ? "greedy" : "canonical", &result->stepper);
    if (is_none && before)
        text_append(&result->stepper, "symmetry does not pay: searched without it\n");
    if (result->statistics.unmade)
        text_format(&result->stepper, "%.1f%% of the successors were not made: others lead there as well\n",
                    100.0 * (double)result->statistics.unmade / (double)result->statistics.transitions);
    if (search->pauses.count)
        text_format(&result->stepper, "the visited set grew %u times, in %.1f ms, the longest pause %.1f ms\n",
                    search->pauses.count, 1000 * search->pauses.seconds, 1000 * search->pauses.longest);
    steppers_describe(search->steppers, &result->stepper);
    result->profile = steppers_profile(search->steppers);
}

/* What ranks must agree on. */
static uint64_t search_topic(const struct explicit_search *search)
{
    const struct engine_options *options = search->options;
    uint64_t choices = (uint64_t)options->deadlock << 8 | (uint64_t)options->partial_order;
    return hash_combine(hash_combine(ir_hash_system(search->system), keep_identity(search)), choices);
}

/* `trials`: of the rungs so far; those before were lost. */
static struct result *explicit_search(const struct layout *layout, const struct symmetry *symmetry,
                                      const struct engine_options *options, struct trial *trials, uint32_t rung,
                                      bool is_restored)
{
    const struct trial *before = rung ? &trials[rung - 1] : NULL;
    struct explicit_search search = {
        .layout = layout,
        .system = layout->system,
        .symmetry = symmetry,
        .options = options,
        .result = result_create(layout->system, engine_explicit.name),
        .trial = trials[rung],
        .is_restored = is_restored,
    };
    search.trial.before = before;
    search.steppers = steppers_create(layout, options->stepper, options->profile);
    struct stop refusal = {0};
    if (steppers_refusal(search.steppers))
        refusal = steppers_stop(search.steppers);
    if (options->transport)
        roll_call_answer(options->transport, search_topic(&search), &refusal);
    if (stop_is_set(&refusal)) {
        result_set_stopped(search.result, refusal);
        steppers_destroy(search.steppers);
        return search.result;
    }
    if (options->on_search)
        options->on_search(options->on_state_user, layout, symmetry);
    search_create(&search);
    keep_begin(&search, rung);
    search_run(&search);
    if (!search.trial.is_lost)
        outcome_conclude(&search);
    ranks_describe(&search, &search.result->stepper);
    trials[rung] = search.trial;
    search_destroy(&search);
    explicit_describe(&search, before);
    steppers_destroy(search.steppers);
    return search.result;
}

/* The rungs of trial.c, one after the other, within the limits of the whole. */
static struct result *explicit_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    enum { RUNGS = 3 };
    struct trial trials[RUNGS] = {0};
    struct engine_options rest = *options;
    struct symmetry *none = NULL;
    double begin = clock_wall();
    struct result *result = NULL;
    uint32_t rung = 0;
    bool is_restored = restore_trials(options->checkpoint, trials, RUNGS, &rung);
    for (uint32_t r = 1; r <= rung; r++)
        trials[r].before = &trials[r - 1];
    for (uint32_t first = rung; rung < RUNGS; rung++) {
        double gone = clock_wall() - begin;
        if (rung && options->limits.seconds > 0)
            rest.limits.seconds = options->limits.seconds > gone ? options->limits.seconds - gone : 0.001;
        if (rung >= 1)
            rest.representative = REPRESENTATIVE_GREEDY;
        if (rung == 2)
            none = symmetry_none(layout->system);
        result_destroy(result);
        result = explicit_search(layout, none ? none : symmetry, &rest, trials, rung, is_restored && rung == first);
        if (!trials[rung].is_lost)
            break;
    }
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
