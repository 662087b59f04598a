/* The verdicts and the figures when the search is over. */
#include <string.h>

#include "base/clock.h"
#include "engine/explicit/search.h"

/* A goal that was never met. Where its formula could not be evaluated, that is what to show. */
static void outcome_settle_cover(struct explicit_search *search, const struct property *property)
{
    const struct explicit_finding *finding = search->unevaluated[property->id];
    if (!finding) {
        const char *doubt = search->result->statistics.doubt;
        result_set_violated(search->result, property, NULL, NULL, "never reached%s%s", doubt ? ", " : "",
                            doubt ? doubt : "");
        return;
    }
    struct trace *trace = violation_trace(search, finding);
    if (trace)
        result_set_failed(search->result, property, &finding->fault, trace, NULL);
}

static void outcome_settle_open(struct explicit_search *search, const struct property *property)
{
    struct result *result = search->result;
    if (!result->is_complete && result->properties[property->id].is_found)
        return;
    if (result->is_complete && (property->kind == PROPERTY_CTL || property->kind == PROPERTY_LTL)) {
        return; /* for temporal_decide */
    } else if (result->is_complete && property->kind == PROPERTY_COVER) {
        outcome_settle_cover(search, property);
    } else if (result->is_complete && result->statistics.doubt) {
        result_set_verdict(result, property, VERDICT_HOLDS, "%s", result->statistics.doubt);
    } else {
        result_settle(result, property);
    }
}

void outcome_note_level(struct explicit_search *search, uint64_t states)
{
    struct level level = {states, clock_wall() - search->begin + keep_seconds(search)};
    VEC_PUSH(&search->result->statistics.levels, level);
}

static void outcome_add_worker(struct statistics *statistics, const struct worker *worker, size_t rules)
{
    statistics->transitions += worker->transitions;
    statistics->unmade += worker->unmade;
    statistics->rules_fired += worker->rules_fired;
    for (size_t r = 0; r < rules; r++)
        statistics->fired_by_rule[r] += worker->fired_by_rule[r];
    const uint64_t *passed = worker->stepper->passed_by_rule;
    for (size_t r = 0; passed && r < rules; r++) {
        statistics->fired_by_rule[r] += passed[r];
        statistics->rules_fired += passed[r];
    }
    bigint_add(statistics->represented, worker->represented);
    bigint_add_u64(statistics->represented, worker->represented_small);
}

static void outcome_fill_statistics(struct explicit_search *search)
{
    struct statistics *statistics = &search->result->statistics;
    statistics->states = search_count_states(search);
    bigint_set(statistics->represented, 0);
    for (uint32_t i = 0; i < search->worker_count; i++)
        outcome_add_worker(statistics, &search->workers[i], search->system->rules.count);
    if (!search->workers[0].canon || represent_is_alone(search)) {
        bigint_set(statistics->represented, statistics->states);
    } else if (!represent_is_counted(&search->workers[0])) { /* it is not known */
        bigint_destroy(statistics->represented);
        statistics->represented = NULL;
    }
    if (search->stubborn) {
        statistics->is_thinned = thin_is_on(search);
        statistics->thinning_refusal = stubborn_refusal(search->stubborn);
    }
    if (statistics->is_thinned) { /* how many states there are is not known */
        statistics->represented_is_exact = false;
        bigint_destroy(statistics->represented);
        statistics->represented = NULL;
    }
    statistics->depth = search->deepest;
    statistics->store_bytes = search->visited ? visited_bytes(search->visited) + blocks_log_bytes(search->blocks)
                              : search->store ? store_bytes(search->store)
                                              : 0;
    if (statistics->is_hash_compact)
        statistics->expected_omissions = visited_expected_omissions(search->visited, statistics->states);
    statistics->peak_bytes = clock_peak_bytes();
    statistics->earlier_seconds = keep_seconds(search);
    statistics->earlier_cpu_seconds = keep_cpu_seconds(search);
    statistics->seconds = clock_wall() - search->begin + statistics->earlier_seconds;
    statistics->cpu_seconds = clock_cpu() - search->begin_cpu + statistics->earlier_cpu_seconds;
    ranks_total(search);
}

/* The atoms of temporal properties are evaluated later, by others. (Antecedents of invariants are parts of these.) */
static bool outcome_has_atoms(const struct system *system)
{
    size_t antecedents = 0;
    for (size_t p = 0; p < system->properties.count; p++)
        antecedents +=
            system->properties.items[p]->kind == PROPERTY_INVARIANT && system->properties.items[p]->antecedent;
    return system->propositions.count > antecedents;
}

void outcome_conclude(struct explicit_search *search)
{
    struct result *result = search->result;
    findings_settle(search);
    if (search->is_depth_cut && !search->stopped)
        search_stop(search, stop_limit(STOP_DEPTH, search->options->limits.depth));
    result->is_complete = !search->stopped;
    result->is_defined = findings_are_defined(search) && !outcome_has_atoms(result->system) && !thin_is_on(search);
    result->statistics.is_hash_compact = search->visited && search->options->hash_compact;
    if (represent_is_marked(search))
        result->statistics.doubt = "up to marker collisions";
    else if (result->statistics.is_hash_compact)
        result->statistics.doubt = "up to hash collisions";
    if (result->is_complete) {
        liveness_decide(search);
        dispute_settle(search);
        vacuity_conclude(search);
    }
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            outcome_settle_open(search, search->system->properties.items[i]);
    outcome_fill_statistics(search);
}
