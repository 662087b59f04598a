/* A search as its checkpoint has it. Nothing in a checkpoint is believed that can be checked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"

struct restoring {
    struct explicit_search *search;
    const struct json *described, *parts;
    struct keep_places places;
    bool is_first;   /* the first rank has the counts of all */
    struct text why; /* it is refused; empty: it is not */
};

static bool restore_refuse(struct restoring *restoring, const char *why)
{
    if (!restoring->why.length)
        text_append(&restoring->why, why);
    return false;
}

static bool restore_is_over(struct explicit_search *search)
{
    if (watch_is_up())
        search_stop(search, watch_stop(watch_of_thread));
    return search_is_stopped(search);
}

static void restore_levels(const struct restoring *restoring)
{
    const struct json *levels = json_get(restoring->described, "levels");
    for (size_t i = 0; i < json_size(levels); i++) {
        struct level level = {0};
        json_read_count(json_item(json_item(levels, i), 0), &level.states);
        json_read_real(json_item(json_item(levels, i), 1), &level.seconds);
        VEC_PUSH(&restoring->search->result->statistics.levels, level);
    }
}

/* --- the counts --- */

static bool restore_damaged(struct restoring *restoring, const char *key)
{
    if (!restoring->why.length)
        text_format(&restoring->why, "the manifest is damaged (\"%s\")", key);
    return false;
}

/* The sum over all parts; of all ranks the first one has it. */
static bool restore_sum(struct restoring *restoring, const char *key, uint64_t *sum)
{
    for (uint32_t part = 0; part < restoring->places.parts; part++) {
        uint64_t count;
        if (!json_read_count(json_get(json_item(restoring->parts, part), key), &count))
            return restore_damaged(restoring, key);
        *sum += restoring->is_first ? count : 0;
    }
    return true;
}

/* `counts` NULL: they are only looked at. */
static bool restore_rules(struct restoring *restoring, const char *key, uint64_t *counts)
{
    size_t rules = restoring->search->system->rules.count;
    for (size_t r = 0; r < rules && counts; r++)
        counts[r] = 0;
    for (uint32_t part = 0; part < restoring->places.parts; part++) {
        const struct json *list = json_get(json_item(restoring->parts, part), key);
        if (json_size(list) != rules)
            return restore_damaged(restoring, key);
        for (size_t r = 0; r < rules; r++) {
            uint64_t count;
            if (!json_read_count(json_item(list, r), &count))
                return restore_damaged(restoring, key);
            if (counts && restoring->is_first)
                counts[r] += count;
        }
    }
    return true;
}

static bool restore_represented(struct restoring *restoring, struct bigint *represented)
{
    struct bigint *number = bigint_create(0);
    bool is_good = true;
    for (uint32_t part = 0; part < restoring->places.parts && is_good; part++) {
        is_good = bigint_read(number, json_read_text(json_get(json_item(restoring->parts, part), "represented")));
        if (is_good && restoring->is_first)
            bigint_add(represented, number);
    }
    bigint_destroy(number);
    return is_good || restore_damaged(restoring, "represented");
}

/* (Checkpoints of earlier versions of the program do not have it.) */
static bool restore_unmade(struct restoring *restoring, struct worker *worker)
{
    return !json_get(json_item(restoring->parts, 0), "unmade") || restore_sum(restoring, "unmade", &worker->unmade);
}

static bool restore_counts(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct worker *worker = &search->workers[0];
    struct keeper *keeper = search->keeper;
    uint64_t depth;
    if (!json_read_count(json_get(restoring->described, "depth"), &depth) || depth > UINT32_MAX - 2)
        return restore_damaged(restoring, "depth");
    if (!restore_sum(restoring, "transitions", &worker->transitions) || !restore_unmade(restoring, worker) ||
        !restore_sum(restoring, "rules_fired", &worker->rules_fired) ||
        !restore_sum(restoring, "work", &keeper->work) || !restore_rules(restoring, "fired", worker->fired_by_rule) ||
        !restore_represented(restoring, worker->represented))
        return false;
    search->depth = search->deepest = (uint32_t)depth;
    bigint_copy(keeper->represented, worker->represented);
    json_read_real(json_get(restoring->described, "seconds"), &keeper->seconds);
    json_read_bool(json_get(restoring->described, "is_exact"), &search->result->statistics.represented_is_exact);
    for (uint32_t part = 0; part < restoring->places.parts && restoring->is_first; part++) {
        double seconds = 0;
        json_read_real(json_get(json_item(restoring->parts, part), "cpu_seconds"), &seconds);
        keeper->cpu += seconds;
    }
    return true;
}

/* --- what was found --- */

static void restore_covered(const struct restoring *restoring)
{
    const struct explicit_search *search = restoring->search;
    for (size_t part = 0; part < json_size(restoring->parts); part++) {
        const struct json *covered = json_get(json_item(restoring->parts, part), "covered");
        for (size_t i = 0; i < json_size(covered); i++) {
            uint64_t property;
            if (json_read_count(json_item(covered, i), &property) && property <= stepper_undefined(search->system))
                search->workers[0].stepper->covered[property] = true;
        }
    }
}

static bool restore_is_unmet(const struct json *part, const struct property *property)
{
    const struct json *unmet = json_get(part, "unmet");
    for (size_t i = 0; i < json_size(unmet); i++) {
        uint64_t id;
        if (json_read_count(json_item(unmet, i), &id) && id == property->id)
            return true;
    }
    return false;
}

/* What no rank has met. */
static void restore_unmet(const struct restoring *restoring)
{
    struct worker *worker = &restoring->search->workers[0];
    size_t kept = 0;
    for (size_t i = 0; i < worker->unmet.count; i++) {
        bool is_unmet = true;
        for (size_t part = 0; part < json_size(restoring->parts); part++)
            is_unmet &= restore_is_unmet(json_item(restoring->parts, part), worker->unmet.items[i]);
        if (is_unmet)
            worker->unmet.items[kept++] = worker->unmet.items[i];
    }
    worker->unmet.count = kept;
}

/* Is the last state of the run there? Another rank may have it. */
static bool restore_has(const struct explicit_search *search, const struct explicit_finding *finding)
{
    return search->ranks || finding->last == STATE_NONE || blocks_has(search->blocks, finding->last);
}

/* By all ranks at the same time: is it good for all of them? */
static bool restore_agree(struct restoring *restoring, bool is_good)
{
    return !ranks_sum(restoring->search, !is_good);
}

/* All ranks find the same, or none does: time may be up in some of them only. */
static struct explicit_finding *restore_find(struct restoring *restoring, const struct json *described)
{
    struct watch *watch = restoring->search->ranks ? watch_suspend() : NULL;
    struct explicit_finding *finding = keep_find_again(restoring->search, described, &restoring->places);
    if (restoring->search->ranks)
        watch_adopt(watch);
    return finding;
}

/* Calls `use` for each finding of the list, which it takes. */
static bool restore_findings(struct restoring *restoring, const struct json *list, const char *key,
                             void (*use)(struct explicit_search *search, struct explicit_finding *finding))
{
    for (size_t i = 0; i < json_size(list); i++) {
        struct explicit_finding *finding = restore_find(restoring, json_item(list, i));
        if (!finding || !restore_has(restoring->search, finding)) {
            finding_destroy(finding);
            if (restore_is_over(restoring->search)) /* what was evaluated was cut short: that says nothing */
                return false;
            return restore_damaged(restoring, key);
        }
        use(restoring->search, finding);
        if (!restore_agree(restoring, !restore_is_over(restoring->search)))
            return false;
    }
    return true;
}

static void restore_reported(struct explicit_search *search, struct explicit_finding *finding)
{
    violation_report(search, finding);
    finding_destroy(finding);
}

static void restore_found(struct explicit_search *search, struct explicit_finding *finding)
{
    findings_note(search, finding);
    finding_destroy(finding);
}

static void restore_unevaluated(struct explicit_search *search, struct explicit_finding *finding)
{
    findings_note_unevaluated(search, finding);
    finding_destroy(finding);
}

/* Before the states are judged, which must not look at these again; they are reported when the log is there. */
static void restore_decided(const struct restoring *restoring, bool is_decided)
{
    const struct json *list = json_get(restoring->described, "reported");
    const struct explicit_search *search = restoring->search;
    for (size_t i = 0; i < json_size(list); i++) {
        uint64_t property;
        if (json_read_count(json_get(json_item(list, i), "property"), &property) &&
            property < search->system->properties.count)
            search->decided[property] = is_decided;
    }
}

/* --- all of it --- */

static bool restore_is_ours(struct restoring *restoring)
{
    uint64_t identity;
    if (!json_read_hash(json_get(restoring->described, "identity"), &identity))
        return restore_refuse(restoring, "the manifest is damaged (\"identity\")");
    return identity == keep_identity(restoring->search) ||
           restore_refuse(restoring, "the symmetry that is used is not that of the checkpoint");
}

static bool restore_all_states(struct restoring *restoring)
{
    restore_decided(restoring, true);
    bool is_good = restore_states(restoring->search, restoring->described, &restoring->places, &restoring->why);
    restore_decided(restoring, false);
    return is_good;
}

static bool restore_all_findings(struct restoring *restoring)
{
    bool is_good =
        restore_findings(restoring, json_get(restoring->described, "reported"), "reported", restore_reported);
    for (uint32_t part = 0; part < restoring->places.parts && is_good; part++) {
        const struct json *one = json_item(restoring->parts, part);
        is_good = restore_findings(restoring, json_get(one, "found"), "found", restore_found) &&
                  restore_findings(restoring, json_get(one, "unevaluated"), "unevaluated", restore_unevaluated);
    }
    return is_good;
}

static bool restore_all(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    uint32_t ranks = search->ranks ? search->ranks->count : 1;
    bool is_good = (keep_places_read(&restoring->places, restoring->described, ranks) &&
                    restoring->places.parts == checkpoint_parts(search->keeper->checkpoint)) ||
                   restore_damaged(restoring, "parts");
    is_good = is_good && restore_is_ours(restoring) && restore_counts(restoring) && restore_all_states(restoring);
    if (!restore_agree(restoring, is_good))
        return false;
    uint64_t states = 0;
    for (uint32_t part = 0; part < restoring->places.parts; part++)
        states += checkpoint_part_states(search->keeper->checkpoint, part);
    if (ranks_sum(search, search_count_states(search)) != states)
        return restore_refuse(restoring, "its segments are not those of its manifest");
    is_good = restore_all_findings(restoring) && keep_feed_held(search, &restoring->places, &restoring->why) &&
              restore_rules(restoring, "passed", search->workers[0].stepper->passed_by_rule); /* runs were taken */
    return restore_agree(restoring, is_good);
}

static void restore_trial(const struct json *described, struct trial *trial)
{
    uint64_t levels = 0;
    json_read_bool(json_get(described, "is_over"), &trial->is_over);
    json_read_count(json_get(described, "states"), &trial->states);
    json_read_count(json_get(described, "levels"), &levels);
    json_read_real(json_get(described, "represented"), &trial->represented);
    json_read_real(json_get(described, "gain"), &trial->gain);
    json_read_real(json_get(described, "cost"), &trial->cost);
    trial->levels = (uint32_t)levels;
}

bool restore_trials(const struct checkpoint *checkpoint, struct trial *trials, uint32_t count, uint32_t *rung)
{
    const struct json *described = checkpoint ? checkpoint_search(checkpoint) : NULL;
    const struct json *list = json_get(described, "trials");
    uint64_t number;
    if (!json_read_count(json_get(described, "rung"), &number) || number >= count)
        return false;
    *rung = (uint32_t)number;
    for (uint32_t r = 0; r <= *rung; r++) { /* the last one comes first */
        restore_trial(json_item(list, *rung - r), &trials[r]);
        trials[r].is_lost = r < *rung;
    }
    return true;
}

bool restore_search(struct explicit_search *search)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    struct restoring restoring = {.search = search, .described = checkpoint_search(checkpoint)};
    restoring.parts = json_get(restoring.described, "parts");
    restoring.is_first = !search->ranks || !search->ranks->rank;
    search->is_planned = true; /* from a sample of its own */
    restore_unmet(&restoring);
    restore_covered(&restoring);
    bool is_good = restore_all(&restoring);
    if (is_good)
        restore_levels(&restoring);
    if (restoring.why.length)
        search_stop(search, stop_because(STOP_REFUSED, "%s: %s", checkpoint_folder(checkpoint), restoring.why.chars));
    if (!is_good) {
        ranks_meet(search);             /* why */
        if (!search_is_stopped(search)) /* nothing must be concluded from a part */
            search_stop(search, stop_because(STOP_FAILED, "the checkpoint could not be restored"));
    }
    checkpoint_take_search(checkpoint);
    keep_places_free(&restoring.places);
    text_free(&restoring.why);
    return is_good;
}
