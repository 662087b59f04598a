/* The symbolic engine: sets of states as decision diagrams. */
#include <stdlib.h>

#include "base/clock.h"
#include "engine/symbolic/chance.h"
#include "engine/symbolic/search.h"
#include "ir/fairness.h"

static bool symbolic_is_plain(const struct rule *rule)
{
    return !rule->weight;
}

static const char *symbolic_supports(const struct system *system, const struct engine_options *options,
                                     struct arena *words)
{
    (void)words; /* all its reasons are constant */
    uint64_t instances = 0;
    if (system_has_macro_steps(system))
        return system_refuses_single_rules(system);
    if (system_has_probabilities(system) && system->chain->kind == CHAIN_MDP && options->is_fair)
        return "the symbolic engine counts all schedulers, fair or not (--fair)";
    if (system_has_probabilities(system) && options->is_exact)
        return "the symbolic engine has bounds, no exact values (--exact): --engine probabilistic or counter";
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        if (!system_has_probabilities(system) && !symbolic_is_plain(rule))
            return "a rule has a probability: the symbolic engine knows no probabilities";
        if (rule->joint)
            return "synchronised commands have more than a million combinations: each would be a transition relation "
                   "of its own";
        if (__builtin_add_overflow(instances, rule->instance_count, &instances) || instances > SYMBOLIC_MOST_RULES)
            return "the rules have more than a million instances: each would be a transition relation of its own";
    }
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == PROPERTY_CTL && ctl_has_future(property->ctl) && fairness_is_required(system))
            return "CTL properties with fairness are decided by the explicit engine (--engine explicit), not by the "
                   "symbolic one";
    }
    for (size_t i = 0; i < system->starts.count; i++)
        if (!symbolic_is_plain(system->starts.items[i]))
            return "a start state has a probability: the symbolic engine knows no probabilities";
    return NULL;
}

bool symbolic_is_reached_first(const struct symbolic_search *search)
{
    const struct engine_options *options = search->options;
    return options->saturate_first && options->order != SEARCH_BACKWARD && !options->limits.depth &&
           !search->model.reducer;
}

/* Layer by layer as long as that is cheap: a violation that is near is found, even if the rest of the states is many.
 * Then all that can be reached, at once, and, if something is to be shown, the way there. */
static bool symbolic_search(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    if (search->options->views)
        return views_search(search);
    if (search->options->order == SEARCH_BACKWARD && backward_excludes_all(search)) {
        answer_report_start_faults(search);
        model->reached = model->starts;
        search->is_backward = true;
        text_append(&search->result->stepper, "backward from the violations: of the reachable states, only the start "
                                              "states were looked at");
        return true;
    }
    if (search->options->only_backward) {
        stop_once(&model->stop, stop_of(STOP_WORK));
        return false;
    }
    bool is_layered = search->options->limits.depth || model->reducer;
    bool is_hunted = is_layered || !search->options->saturate_first;
    if (is_hunted && (!hunt(search, is_layered ? HUNT_ALL : HUNT_SMALL) || search->is_over || search->is_cut))
        return false;
    if (search->is_exhausted)
        model->is_reached = true;
    else if (!symbolic_reach(model))
        return false;
    return targets_add_stuck(search) && targets_add_liveness(search) && targets_meet(search) &&
           hunt(search, HUNT_MARKED) && (search->is_over || hunt_lost(search));
}

/* What the method of --method makes of a symmetry that it cannot use as a whole. */
static void symbolic_note_method(struct symbolic_search *search)
{
    const struct symbolic_reducer *reducer = search->model.reducer;
    struct text type = {0};
    if (!reducer)
        return;
    if (reducer->loose) {
        type_print(reducer->loose, &type);
        result_fall_back(search->result, NULL, "a part of the symmetry",
                         "--method multiple needs a fully symmetric type with local variables: it does not use "
                         "%s",
                         text_chars(&type));
    }
    if (reducer->method == METHOD_DYNAMIC && !reducer->is_unique)
        result_fall_back(search->result, NULL, "unique representatives",
                         "the group is too large to try all its elements: an orbit may have several representatives");
    if (reducer->method == METHOD_ONTHEFLY && !search->options->frontier)
        result_fall_back(
            search->result, NULL, "unique representatives",
            "all states of an orbit that are first met in one layer are stored (--frontier 1 stores fewer)");
    text_free(&type);
}

static struct result *symbolic_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    if (system_has_probabilities(layout->system))
        return chance_run(layout, symmetry, options);
    struct symbolic_search search = {
        .result = result_create(layout->system, engine_symbolic.name),
        .options = options,
        .begin_cpu = clock_cpu(),
        .decided = memory_zeroed(layout->system->properties.count, sizeof(bool)),
    };
    if (symbolic_open(&search.model, layout, symmetry, options) && targets_create(&search))
        symbolic_search(&search);
    answer_conclude(&search);
    symbolic_note_method(&search);
    vacuity_find(&search);
    targets_destroy(&search);
    symbolic_close(&search.model);
    free(search.decided);
    return search.result;
}

const struct engine engine_symbolic = {
    .name = "symbolic",
    .summary = "decision diagrams",
    .supports = symbolic_supports,
    .run = symbolic_run,
};
