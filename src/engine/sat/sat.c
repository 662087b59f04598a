/* The sat engine: bounded model checking, k-induction and IC3. */
#include <stdlib.h>

#include "base/clock.h"
#include "engine/sat/search.h"

static const char *sat_supports(const struct system *system, const struct engine_options *options, struct arena *words)
{
    uint64_t instances = 0;
    (void)options, (void)words; /* all its reasons are constant */
    if (!solver_is_available())
        return "this program was built without a SAT solver (libcadical-dev)";
    if (system_has_macro_steps(system))
        return system_refuses_single_rules(system);
    if (system_has_probabilities(system))
        return "the sat engine knows no probabilities";
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        if (rule->weight || rule->joint)
            return "the sat engine knows no probabilities";
        if (__builtin_add_overflow(instances, rule->instance_count, &instances) || instances > SAT_MOST_RULES)
            return "the rules have more than a million instances: each would be a part of the formula";
    }
    return NULL;
}

static void sat_settle(struct sat_search *search, enum sat_answer answer, const char *how)
{
    if (answer != SAT_SETTLED)
        return;
    search->is_settled = true;
    text_append(&search->proof, how);
}

static void sat_bmc(struct sat_search *search)
{
    enum sat_answer answer;
    do
        answer = sat_bmc_advance(search, 0);
    while ((answer == SAT_OPEN || answer == SAT_FOUND) && !search->is_over);
    sat_settle(search, answer, "no run is longer");
}

/* IC3, and bounded model checking in turn: a run is found by whichever is first, and is the shortest if that can be
 * had. */
static void sat_ic3(struct sat_search *search)
{
    bool is_alone = search->options->method == METHOD_IC3;
    enum sat_answer answer = sat_ic3_run(search, is_alone ? sat_is_over : sat_bmc_take_turn);
    sat_settle(search, answer, "proved by an inductive invariant");
    if (answer == SAT_SETTLED)
        sat_ic3_tell(search);
    if (answer == SAT_SETTLED)
        text_format(&search->proof, ": %u clauses, found with %u frames", search->clauses, search->frames);
    else if (search->is_settled)
        text_append(&search->proof, "no run is longer");
}

static bool sat_has_open(const struct sat_search *search)
{
    for (size_t i = 0; i < search->targets.count; i++)
        if (sat_target_is_open(search, &search->targets.items[i]))
            return true;
    return false;
}

static void sat_search_run(struct sat_search *search)
{
    sat_start_faults(search);
    if (search->is_over)
        return;
    if (!sat_has_open(search))
        sat_settle(search, SAT_SETTLED, "no state violates anything");
    else if (search->options->method == METHOD_BMC)
        sat_bmc(search);
    else if (search->options->method == METHOD_INDUCTION)
        sat_settle(search, sat_induction_run(search), "proved by induction");
    else
        sat_ic3(search);
}

static struct result *sat_run(const struct layout *layout, const struct symmetry *symmetry,
                              const struct engine_options *options)
{
    struct sat_search search = {
        .layout = layout,
        .system = layout->system,
        .symmetry = symmetry,
        .options = options,
        .result = result_create(layout->system, engine_sat.name),
        .begin = clock_wall(),
        .begin_cpu = clock_cpu(),
        .decided = memory_zeroed(layout->system->properties.count, sizeof(bool)),
    };
    watch_begin(&search.watch, options->limits.seconds, options->interrupted);
    if (sat_prepare(&search))
        sat_search_run(&search);
    sat_conclude(&search);
    watch_end(&search.watch);
    struct result *result = search.result;
    sat_release(&search);
    return result;
}

const struct engine engine_sat = {
    .name = "sat",
    .summary = "a SAT solver: bounded model checking, k-induction, IC3",
    .supports = sat_supports,
    .run = sat_run,
};
