/* How far a search is, for its checkpoint. docs/scale.md describes the members. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/explicit/keep.h"

static struct json *describe_counts(const uint64_t *counts, size_t count)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_push(list, json_make_count(counts[i]));
    return list;
}

/* By rule id, of all workers: rules that a step ended with, or (passed) went through. */
static struct json *describe_rules(const struct explicit_search *search, bool passed)
{
    size_t rules = search->system->rules.count;
    uint64_t *sums = memory_zeroed(rules + 1, sizeof *sums);
    for (uint32_t w = 0; w < search->worker_count; w++) {
        const struct worker *worker = &search->workers[w];
        const uint64_t *counts = passed ? worker->stepper->passed_by_rule : worker->fired_by_rule;
        for (size_t r = 0; counts && r < rules; r++)
            sums[r] += counts[r];
    }
    struct json *list = describe_counts(sums, rules);
    free(sums);
    return list;
}

static struct json *describe_rest(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < search->level.count; i++) {
        const struct block_range *range = &search->level.items[i];
        uint64_t numbers[] = {blocks_ref(range->block, 0) >> 32, range->from, range->to};
        json_push(list, describe_counts(numbers, 3));
    }
    return list;
}

static struct json *describe_levels(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < search->result->statistics.levels.count; i++) {
        const struct level *level = &search->result->statistics.levels.items[i];
        struct json *pair = json_make_array();
        json_push(pair, json_make_count(level->states));
        json_push(pair, json_make_real(level->seconds));
        json_push(list, pair);
    }
    return list;
}

/* By property id: cover statements that were met; behind them, whether an undefined value was. */
static struct json *describe_covered(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    size_t undefined = stepper_undefined(search->system);
    for (size_t p = 0; p <= undefined; p++) {
        bool is_met = false;
        for (uint32_t w = 0; w < search->worker_count; w++)
            is_met |=
                search->workers[w].stepper->covered[p] || (p == undefined && search->workers[w].judge->covered[p]);
        if (is_met)
            json_push(list, json_make_count(p));
    }
    return list;
}

static struct json *describe_unmet(const struct explicit_search *search)
{
    struct json *list = json_make_array();
    for (uint32_t i = 0; i < search->invariants.count; i++)
        if (vacuity_is_unmet(search, search->invariants.items[i]))
            json_push(list, json_make_count(search->invariants.items[i]->id));
    return list;
}

static struct json *describe_trial(const struct trial *trial)
{
    struct json *described = json_make_object();
    json_set(described, "is_over", json_make_bool(trial->is_over));
    json_set(described, "states", json_make_count(trial->states));
    json_set(described, "levels", json_make_count(trial->levels));
    json_set(described, "represented", json_make_real(trial->represented));
    json_set(described, "gain", json_make_real(trial->gain));
    json_set(described, "cost", json_make_real(trial->cost));
    return described;
}

static uint64_t describe_work(const struct explicit_search *search)
{
    uint64_t work = keep_work(search);
    for (uint32_t w = 0; w < search->worker_count; w++)
        work += search->workers[w].canon ? canon_work(search->workers[w].canon) : 0;
    return work;
}

static void describe_trials(const struct explicit_search *search, struct json *described)
{
    struct json *trials = json_make_array();
    for (const struct trial *trial = &search->trial; trial; trial = trial->before)
        json_push(trials, describe_trial(trial));
    json_set(described, "rung", json_make_count(search->keeper->rung));
    json_set(described, "trials", trials);
}

static void describe_sums(const struct explicit_search *search, struct json *described)
{
    uint64_t transitions = 0, unmade = 0, fired = 0;
    for (uint32_t w = 0; w < search->worker_count; w++) {
        transitions += search->workers[w].transitions;
        unmade += search->workers[w].unmade;
        fired += search->workers[w].rules_fired;
    }
    char *represented = bigint_digits(search->keeper->represented);
    json_set(described, "transitions", json_make_count(transitions));
    json_set(described, "unmade", json_make_count(unmade));
    json_set(described, "rules_fired", json_make_count(fired));
    json_set(described, "fired", describe_rules(search, false));
    json_set(described, "passed", describe_rules(search, true));
    json_set(described, "represented", json_make_text(represented));
    free(represented);
}

static void describe_findings(const struct explicit_search *search, struct json *described)
{
    size_t properties = search->system->properties.count;
    json_set(described, "found", keep_describe_findings(search, search->found, properties));
    json_set(described, "unevaluated", keep_describe_findings(search, search->unevaluated, properties));
    json_set(described, "covered", describe_covered(search));
    json_set(described, "unmet", describe_unmet(search));
}

struct json *keep_describe(struct explicit_search *search)
{
    const struct keeper *keeper = search->keeper;
    struct json *described = json_make_object();
    json_set(described, "identity", json_make_hash(keep_identity(search)));
    json_set(described, "depth", json_make_count(search->depth));
    json_set(described, "owned", json_make_bool(keeper->is_owned));
    json_set(described, "levels", describe_levels(search));
    json_set(described, "seconds", json_make_real(keeper->seconds + clock_wall() - search->begin));
    json_set(described, "is_exact", json_make_bool(search->result->statistics.represented_is_exact));
    json_set(described, "reported", keep_describe_findings(search, keeper->reported.items, keeper->reported.count));
    describe_trials(search, described);
    return described;
}

struct json *keep_describe_part(struct explicit_search *search)
{
    struct json *described = json_make_object();
    json_set(described, "blocks", json_make_count(blocks_count(search->blocks)));
    json_set(described, "rest", describe_rest(search));
    json_set(described, "work", json_make_count(describe_work(search)));
    json_set(described, "cpu_seconds", json_make_real(keep_cpu_seconds(search) + clock_cpu() - search->begin_cpu));
    describe_sums(search, described);
    describe_findings(search, described);
    return described;
}
