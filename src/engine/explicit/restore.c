/* A search as its checkpoint has it. Nothing in a checkpoint is believed that can be checked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"

/* States that the visited set is planned after (insert.c). */
enum { RESTORE_SAMPLE = 4096 };

struct restoring {
    struct explicit_search *search;
    const struct json *described;
    uint64_t states, settled; /* how many there are, and of levels that were found whole */
    uint64_t read;            /* so far */
    bool *waits;              /* by number of block: has it states that are to be expanded? */
    uint64_t last;            /* of these blocks */
    VEC(uint64_t) sample;     /* the first states, until the visited set is planned: */
    bool is_planned;
    struct text why; /* it is refused; empty: it is not */
};

static bool restore_refuse(struct restoring *restoring, const char *why)
{
    if (!restoring->why.length)
        text_append(&restoring->why, why);
    return false;
}

static bool restore_count(struct restoring *restoring, const char *key, uint64_t most, uint64_t *out)
{
    if (json_read_count(json_get(restoring->described, key), out) && *out <= most)
        return true;
    text_format(&restoring->why, "the manifest is damaged (\"%s\")", key);
    return false;
}

/* --- the states --- */

static void restore_plan(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct visited_sample sample = {restoring->sample.items, restoring->read};
    if (restoring->is_planned || restoring->read < RESTORE_SAMPLE)
        return;
    if (visited_wants_plan(search->visited, restoring->read))
        visited_replan(search->visited, &sample);
    restoring->is_planned = true;
    search->workers[0].plan = visited_plan_number(search->visited);
    VEC_FREE(&restoring->sample);
}

static void restore_sample(struct restoring *restoring, const struct kept_piece *piece)
{
    size_t words = (size_t)piece->count * restoring->search->layout->words;
    for (size_t w = 0; w < words && !restoring->is_planned; w++)
        VEC_PUSH(&restoring->sample, piece->states[w]);
}

/* A state of the level that is being found. */
static void restore_judge(struct worker *worker, state_id id, const uint64_t *packed)
{
    layout_unpack(worker->search->layout, packed, worker->fresh);
    if (represent_is_counted(worker))
        judge_count_orbit(worker, worker->fresh, 0);
    judge_new_state(worker, id, id, packed, worker->fresh);
}

static bool restore_waits(const struct restoring *restoring, uint32_t block)
{
    bool is_few = restoring->states < RESTORE_SAMPLE; /* the visited set is still to be planned after all of them */
    return is_few || (block <= restoring->last && restoring->waits[block]);
}

static bool restore_is_over(struct explicit_search *search)
{
    if (watch_is_up())
        search_stop(search, watch_stop(watch_of_thread));
    return search_is_stopped(search);
}

static void restore_ranges(struct restoring *restoring, const struct kept_piece *piece)
{
    struct explicit_search *search = restoring->search;
    struct block_range range;
    if (restoring->read >= restoring->settled &&
        blocks_restore_range(search->blocks, piece->block, piece->from, piece->from + piece->count, &range))
        blocks_restore_level(search->workers[0].writer, &range);
}

/* Nothing else may come into a visited set, or to those who fire rules. */
static bool restore_is_valid(const struct layout *layout, const struct kept_piece *piece)
{
    for (uint32_t i = 0; i < piece->count; i++)
        if (!layout_is_packed(layout, piece->states + (size_t)i * layout->words))
            return false;
    return true;
}

static bool restore_piece(void *user, const struct kept_piece *piece)
{
    struct restoring *restoring = user;
    struct explicit_search *search = restoring->search;
    struct worker *worker = &search->workers[0];
    bool is_new = restoring->read >= restoring->settled;
    if (piece->block > restoring->states || piece->count > restoring->states - restoring->read ||
        (!is_new && piece->count > restoring->settled - restoring->read) || !restore_is_valid(search->layout, piece) ||
        !blocks_fits(search->blocks, piece))
        return restore_refuse(restoring, "its segments are not those of its manifest");
    if (!blocks_restore(search->blocks, piece, is_new || restore_waits(restoring, piece->block))) {
        search_stop_full(search);
        return false;
    }
    if (!insert_known(worker, piece->states, piece->count))
        return false;
    restore_ranges(restoring, piece);
    for (uint32_t i = 0; i < piece->count && is_new; i++)
        restore_judge(worker, (uint64_t)piece->block << 32 | (piece->from + i),
                      piece->states + (size_t)i * search->layout->words);
    restore_sample(restoring, piece);
    restoring->read += piece->count;
    restore_plan(restoring);
    return !restore_is_over(search);
}

/* --- the level --- */

static bool restore_read_range(const struct json *described, uint64_t *numbers)
{
    for (uint32_t i = 0; i < 3; i++)
        if (!json_read_count(json_item(described, i), &numbers[i]) || numbers[i] > UINT32_MAX)
            return false;
    return true;
}

/* Before the states: which blocks have some that wait. */
static bool restore_note_waiting(struct restoring *restoring)
{
    const struct json *rest = json_get(restoring->described, "rest");
    uint64_t numbers[3];
    for (size_t i = 0; i < json_size(rest); i++) {
        if (!restore_read_range(json_item(rest, i), numbers) || numbers[0] > restoring->states)
            return restore_refuse(restoring, "the manifest is damaged (\"rest\")");
        if (numbers[0] > restoring->last)
            restoring->last = numbers[0];
    }
    restoring->waits = memory_zeroed((size_t)restoring->last + 1, sizeof *restoring->waits);
    for (size_t i = 0; i < json_size(rest) && restore_read_range(json_item(rest, i), numbers); i++)
        restoring->waits[numbers[0]] = true;
    return true;
}

static bool restore_level(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    const struct json *rest = json_get(restoring->described, "rest");
    for (size_t i = 0; i < json_size(rest); i++) {
        uint64_t numbers[3];
        struct block_range range;
        restore_read_range(json_item(rest, i), numbers);
        if (!blocks_restore_range(search->blocks, (uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2],
                                  &range))
            return restore_refuse(restoring, "the manifest is damaged (\"rest\")");
        VEC_PUSH(&search->level, range);
        search->level_states += range.to - range.from;
    }
    search->is_planned = restoring->is_planned;
    blocks_restore_end(search->blocks, restoring->is_planned);
    return true;
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

static bool restore_rules(struct restoring *restoring, const char *key, uint64_t *counts)
{
    const struct json *list = json_get(restoring->described, key);
    size_t rules = restoring->search->system->rules.count;
    bool is_good = json_size(list) == rules;
    for (size_t r = 0; r < rules && is_good && counts; r++)
        is_good = json_read_count(json_item(list, r), &counts[r]);
    return is_good || restore_refuse(restoring, "the manifest is damaged (its counts by rule)");
}

static bool restore_represented(struct restoring *restoring, struct bigint *represented)
{
    const char *digits = json_read_text(json_get(restoring->described, "represented"));
    for (const char *c = digits; digits && *c; c++) {
        if (*c < '0' || *c > '9')
            return restore_refuse(restoring, "the manifest is damaged (\"represented\")");
        bigint_multiply_u64(represented, 10);
        bigint_add_u64(represented, (uint64_t)(*c - '0'));
    }
    return digits || restore_refuse(restoring, "the manifest is damaged (\"represented\")");
}

static bool restore_counts(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct worker *worker = &search->workers[0];
    struct keeper *keeper = search->keeper;
    uint64_t depth;
    if (!restore_count(restoring, "depth", UINT32_MAX - 1, &depth) ||
        !restore_count(restoring, "states", UINT64_MAX, &restoring->states) ||
        !restore_count(restoring, "settled", restoring->states, &restoring->settled) ||
        !restore_count(restoring, "transitions", UINT64_MAX, &worker->transitions) ||
        !restore_count(restoring, "rules_fired", UINT64_MAX, &worker->rules_fired) ||
        !restore_count(restoring, "work", UINT64_MAX, &keeper->work) ||
        !restore_rules(restoring, "fired", worker->fired_by_rule) ||
        !restore_represented(restoring, worker->represented))
        return false;
    search->depth = search->deepest = (uint32_t)depth;
    keeper->settled = restoring->settled;
    bigint_copy(keeper->represented, worker->represented);
    json_read_real(json_get(restoring->described, "seconds"), &keeper->seconds);
    json_read_real(json_get(restoring->described, "cpu_seconds"), &keeper->cpu);
    json_read_bool(json_get(restoring->described, "is_exact"), &search->result->statistics.represented_is_exact);
    return true;
}

/* --- what was found --- */

static void restore_covered(const struct restoring *restoring)
{
    const struct json *covered = json_get(restoring->described, "covered");
    const struct explicit_search *search = restoring->search;
    for (size_t i = 0; i < json_size(covered); i++) {
        uint64_t property;
        if (json_read_count(json_item(covered, i), &property) && property <= stepper_undefined(search->system))
            search->workers[0].stepper->covered[property] = true;
    }
}

static void restore_unmet(const struct restoring *restoring)
{
    const struct json *unmet = json_get(restoring->described, "unmet");
    struct worker *worker = &restoring->search->workers[0];
    size_t kept = 0;
    for (size_t i = 0; i < worker->unmet.count; i++)
        for (size_t j = 0; j < json_size(unmet); j++) {
            uint64_t property;
            if (json_read_count(json_item(unmet, j), &property) && property == worker->unmet.items[i]->id)
                worker->unmet.items[kept++] = worker->unmet.items[i];
        }
    worker->unmet.count = kept;
}

/* Is the last state of the run there? */
static bool restore_has(const struct explicit_search *search, const struct explicit_finding *finding)
{
    return finding->last == STATE_NONE || blocks_has(search->blocks, finding->last);
}

/* Calls `use` for each finding of the list, which it takes. */
static bool restore_findings(struct restoring *restoring, const char *key,
                             void (*use)(struct explicit_search *search, struct explicit_finding *finding))
{
    const struct json *list = json_get(restoring->described, key);
    for (size_t i = 0; i < json_size(list); i++) {
        struct explicit_finding *finding = keep_find_again(restoring->search, json_item(list, i));
        if (!finding || !restore_has(restoring->search, finding)) {
            finding_destroy(finding);
            if (restore_is_over(restoring->search)) /* what was evaluated was cut short: that says nothing */
                return false;
            text_format(&restoring->why, "the manifest is damaged (\"%s\")", key);
            return false;
        }
        use(restoring->search, finding);
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

static bool restore_states(struct restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct text damage = {0};
    uint64_t most = search->options->limits.states;
    if (most && restoring->states > most)
        return restore_refuse(restoring, "it has more states than --states allows");
    restore_decided(restoring, true);
    bool is_good = checkpoint_read(search->keeper->checkpoint, search->layout->words,
                                   blocks_most_states(search->blocks), restore_piece, restoring, &damage);
    restore_decided(restoring, false);
    if (damage.length)
        restore_refuse(restoring, damage.chars);
    text_free(&damage);
    if (is_good && (restoring->read != restoring->states || search_count_states(search) != restoring->states))
        return restore_refuse(restoring, "its segments are not those of its manifest");
    return is_good;
}

static bool restore_all(struct restoring *restoring)
{
    return restore_is_ours(restoring) && restore_counts(restoring) && restore_note_waiting(restoring) &&
           restore_states(restoring) && restore_level(restoring) &&
           restore_findings(restoring, "reported", restore_reported) &&
           restore_findings(restoring, "found", restore_found) &&
           restore_findings(restoring, "unevaluated", restore_unevaluated) &&
           restore_rules(restoring, "passed",
                         restoring->search->workers[0].stepper->passed_by_rule); /* runs were taken */
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
    struct restoring restoring = {.search = search, .described = checkpoint_search(search->keeper->checkpoint)};
    search->is_planned = true; /* from a sample of its own */
    restore_unmet(&restoring);
    restore_covered(&restoring);
    bool is_good = restore_all(&restoring);
    if (is_good)
        restore_levels(&restoring);
    if (restoring.why.length)
        search_stop(search, stop_because(STOP_REFUSED, "%s: %s", checkpoint_folder(search->keeper->checkpoint),
                                         restoring.why.chars));
    else if (!is_good && !search_is_stopped(search)) /* nothing must be concluded from a part */
        search_stop(search, stop_because(STOP_FAILED, "the checkpoint could not be restored"));
    checkpoint_take_search(search->keeper->checkpoint);
    text_free(&restoring.why);
    VEC_FREE(&restoring.sample);
    free(restoring.waits);
    return is_good;
}
