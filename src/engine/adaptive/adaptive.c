/* The adaptive engine: T. Wahl, "Adaptive Symmetry Reduction" (CAV 2007). */
#include <string.h>

#include "engine/adaptive/search.h"

static const char *adaptive_refuse(struct arena *words, struct span span, const char *what)
{
    return span.line ? arena_format(words, "line %u: the adaptive engine does not support %s", span.line, what)
                     : arena_format(words, "the adaptive engine does not support %s", what);
}

static const char *adaptive_refuse_properties(const struct system *system, struct arena *words)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == PROPERTY_LIVENESS)
            return adaptive_refuse(words, property->span,
                                   "liveness properties (it answers questions of "
                                   "reachability only)");
        if (property->kind == PROPERTY_CTL)
            return adaptive_refuse(words, property->span,
                                   "CTL properties (it answers questions of reachability "
                                   "only)");
        if (property->kind == PROPERTY_LTL)
            return adaptive_refuse(words, property->span,
                                   "LTL properties (it answers questions of reachability "
                                   "only)");
        if (property_is_assumed(property))
            return adaptive_refuse(words, property->span, "assumptions about states");
        if (property->kind == PROPERTY_COVER && !property->formula)
            return adaptive_refuse(words, property->span, "cover statements");
    }
    return NULL;
}

static const char *adaptive_refuse_rules(const struct system *system, const struct roster *roster, struct arena *words)
{
    struct variants variants = {0};
    const char *refusal = NULL;
    for (size_t i = 0; i < system->rules.count && !refusal; i++) {
        const struct rule *rule = system->rules.items[i];
        if (rule->weight)
            refusal = adaptive_refuse(words, rule->span, "rules with probabilities");
        else if (!variants_add_rule(&variants, roster, rule))
            refusal = adaptive_refuse(words, rule->span, "a rule about more than four processes");
    }
    for (size_t i = 0; i < system->properties.count && !refusal; i++) {
        const struct property *property = system->properties.items[i];
        if (property->formula && i != SYSTEM_DEADLOCK && !variants_add_property(&variants, roster, property))
            refusal = adaptive_refuse(words, property->span, "a formula about more than four references");
    }
    variants_free(&variants);
    return refusal;
}

static const char *adaptive_supports(const struct system *system, const struct engine_options *options,
                                     struct arena *words)
{
    (void)options;
    if (system_has_macro_steps(system))
        return system_refuses_single_rules(system);
    for (size_t g = 0; g < system->globals.count; g++)
        if (type_has_multiset(system->globals.items[g]->type))
            return adaptive_refuse(words, system->globals.items[g]->span, "multisets");
    for (size_t s = 0; s < system->scratch.count; s++)
        if (!system->scratch.items[s]->is_reference && type_has_multiset(system->scratch.items[s]->type))
            return adaptive_refuse(words, system->scratch.items[s]->span, "multisets");
    const char *refusal = adaptive_refuse_properties(system, words);
    if (refusal)
        return refusal;
    struct layout *layout = layout_create(system);
    struct roster *roster = roster_create(layout, NULL, 0);
    refusal = roster ? adaptive_refuse_rules(system, roster, words)
                     : adaptive_refuse(words, (struct span){0},
                                       "a model without processes: no rule is "
                                       "parameterised by the index of an array");
    roster_destroy(roster);
    layout_destroy(layout);
    return refusal;
}

static void search_number_partitions(struct adaptive_search *search)
{
    uint32_t n = search->roster->element_count, *labels = memory_alloc(n * sizeof *labels);
    partitions_create(&search->partitions, n);
    for (uint32_t e = 0; e < n; e++)
        labels[e] = search->roster->families[search->roster->family_of[e]].first;
    search->friends = search->coarsest = partitions_intern(&search->partitions, labels);
    for (uint32_t e = 0; e < n; e++)
        labels[e] = e;
    search->finest = partitions_intern(&search->partitions, labels);
    free(labels);
}

static void search_list_variants(struct adaptive_search *search)
{
    const struct system *system = search->system;
    for (size_t i = 0; i < system->rules.count; i++)
        ENSURE(variants_add_rule(&search->variants, search->roster, system->rules.items[i]));
    search->rule_variants = search->variants.count;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->formula && i != SYSTEM_DEADLOCK)
            ENSURE(variants_add_property(&search->variants, search->roster, system->properties.items[i]));
}

static void search_create(struct adaptive_search *search)
{
    search->roster = roster_create(search->layout, search->starts.items, search->start_count);
    scene_create(&search->scene, search->roster);
    search_number_partitions(search);
    search_list_variants(search);
    search->locals = memory_alloc(search->roster->element_count * sizeof *search->locals);
}

static void search_destroy(struct adaptive_search *search)
{
    if (search->roster) {
        scene_destroy(&search->scene);
        partitions_destroy(&search->partitions);
        variants_free(&search->variants);
        roster_destroy(search->roster);
    }
    view_free(&search->view);
    view_free(&search->fresh);
    unwind_free(&search->unwinding);
    unwind_free(&search->probe);
    VEC_FREE(&search->starts);
    VEC_FREE(&search->queue);
    VEC_FREE(&search->words);
    free(search->locals);
    free(search->decided);
    judging_forget(search);
    free(search->unevaluated);
}

/* Breadth first: states are expanded in the order of their numbers. */
static void search_levels(struct adaptive_search *search)
{
    uint32_t depth_limit = search->options->limits.depth;
    search->level_end = reached_count(&search->reached);
    for (uint32_t number = 0; number < reached_count(&search->reached); number++) {
        if (number == search->level_end) {
            search->level_end = reached_count(&search->reached);
            search->deepest = ++search->depth;
        }
        if (depth_limit && search->depth >= depth_limit) {
            search->is_depth_cut = true;
            return;
        }
        search->frontier = reached_count(&search->reached) - number;
        if (search->reached.is_dropped.items[number])
            continue;
        if (!unfold_state(search, number))
            break;
    }
    if (reached_count(&search->reached) > search->level_end)
        search->deepest = search->depth + 1;
}

static void search_begin(struct adaptive_search *search)
{
    struct statistics *statistics = &search->result->statistics;
    search->must_begin_again = search->is_depth_cut = false;
    search->depth = search->deepest = search->level_end = 0;
    statistics->transitions = statistics->rules_fired = 0;
    judging_forget(search);
    memset(statistics->fired_by_rule, 0, search->system->rules.count * sizeof *statistics->fired_by_rule);
    rulebook_create(&search->book, &search->scene, &search->partitions, search->coarsest, &search->variants);
    reached_create(&search->reached, &search->partitions, search->coarsest);
}

static void search_end(struct adaptive_search *search)
{
    rulebook_destroy(&search->book);
    reached_destroy(&search->reached);
}

static struct result *adaptive_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    struct adaptive_search search = {
        .layout = layout,
        .system = layout->system,
        .options = options,
        .result = result_create(layout->system, engine_adaptive.name),
    };
    (void)symmetry; /* found rule by rule */
    judging_create(&search);
    bounds_begin(&search);
    if (!origin_read(&search)) {
        bounds_end(&search);
        finish_conclude(&search);
        search_destroy(&search);
        return search.result;
    }
    search_create(&search);
    search_begin(&search);
    while (true) {
        if (origin_insert(&search))
            search_levels(&search);
        if (!search.must_begin_again || search.stopped)
            break;
        search_end(&search);
        search_begin(&search);
    }
    bounds_end(&search);
    finish_conclude(&search);
    if (options->on_state || options->on_abstract)
        represented_list(&search);
    search_end(&search);
    search_destroy(&search);
    return search.result;
}

const struct engine engine_adaptive = {
    .name = "adaptive",
    .summary = "abstract states with partitions that adapt to how symmetry is broken on the way, breadth first",
    .supports = adaptive_supports,
    .run = adaptive_run,
};
