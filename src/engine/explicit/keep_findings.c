/* Findings in a checkpoint. Which failure one is about is not written down: it is found again by evaluation, so that a
 * continued search reports what the model does. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"

/* --- into it --- */

static struct json *describe_state(const struct explicit_search *search, const uint64_t *state)
{
    struct json *words = json_make_array();
    for (uint32_t w = 0; w < search->layout->words; w++)
        json_push(words, json_make_hash(state[w]));
    return words;
}

static struct json *describe_cells(const struct explicit_search *search, const int32_t *cells)
{
    struct json *list = json_make_array();
    for (uint32_t c = 0; c < search->layout->cell_count; c++)
        json_push(list, json_make_integer(cells[c]));
    return list;
}

static struct json *describe_finding(const struct explicit_search *search, const struct explicit_finding *finding)
{
    struct json *described = json_make_object();
    json_set(described, "property", json_make_count(finding->property->id));
    json_set(described, "evidence", json_make_count(finding->evidence));
    json_set(described, "length", json_make_count(finding->length));
    json_set(described, "ordinal", json_make_count(finding->ordinal));
    json_set(described, "last", json_make_hash(finding->last));
    if (finding->state)
        json_set(described, "state", describe_state(search, finding->state));
    if (finding->beyond)
        json_set(described, "beyond", describe_cells(search, finding->beyond));
    return described;
}

struct json *keep_describe_findings(const struct explicit_search *search, struct explicit_finding *const *list,
                                    size_t count)
{
    struct json *all = json_make_array();
    for (size_t i = 0; i < count; i++)
        if (list[i])
            json_push(all, describe_finding(search, list[i]));
    return all;
}

/* --- out of it --- */

static bool read_state(const struct explicit_search *search, const struct json *words, uint64_t *state)
{
    for (uint32_t w = 0; w < search->layout->words; w++)
        if (!json_read_hash(json_item(words, w), &state[w]))
            return false;
    return json_size(words) == search->layout->words && layout_is_packed(search->layout, state);
}

static bool is_code(const struct cell *cell, int64_t value)
{
    return cell->type ? value == UNDEFINED || type_has(cell->type, value) : value == 0 || value == 1;
}

static bool read_cells(const struct explicit_search *search, const struct json *list, int32_t *cells)
{
    for (uint32_t c = 0; c < search->layout->cell_count; c++) {
        int64_t value;
        if (!json_read_integer(json_item(list, c), &value) || !is_code(&search->layout->cells[c], value))
            return false;
        cells[c] = (int32_t)value;
    }
    return json_size(list) == search->layout->cell_count && layout_is_normal(search->layout, cells);
}

static bool read_numbers(const struct explicit_search *search, const struct json *described,
                         struct explicit_finding *finding)
{
    uint64_t property, evidence, length;
    bool is_read = json_read_count(json_get(described, "property"), &property) &&
                   json_read_count(json_get(described, "evidence"), &evidence) &&
                   json_read_count(json_get(described, "length"), &length) &&
                   json_read_count(json_get(described, "ordinal"), &finding->ordinal) &&
                   json_read_hash(json_get(described, "last"), &finding->last);
    if (!is_read || property >= search->system->properties.count || evidence > TRACE_SHOWS_STATE || length > UINT32_MAX)
        return false;
    finding->property = search->system->properties.items[property];
    finding->evidence = (enum trace_evidence)evidence;
    finding->length = (uint32_t)length;
    return true;
}

static bool take_steps_uncounted(struct worker *worker, struct explicit_finding *finding)
{
    struct step step = {0};
    enum step_outcome outcome;
    uint64_t ordinal = 0;
    if (finding->state) {
        layout_unpack(worker->search->layout, finding->state, worker->fresh);
        stepper_begin_successors(worker->stepper, worker->fresh);
    } else {
        stepper_begin_starts(worker->stepper);
    }
    while ((outcome = stepper_next(worker->stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT && step.fault.property == finding->property && ordinal == finding->ordinal) {
            finding->fault = step.fault;
            return true;
        }
        ordinal += outcome == STEP_STATE;
    }
    return false;
}

static bool take_steps_again(struct worker *worker, struct explicit_finding *finding)
{
    worker->stepper->is_uncounted = true;
    bool is_met = take_steps_uncounted(worker, finding);
    worker->stepper->is_uncounted = false;
    return is_met;
}

/* A step that fails: the one after so many that are states. */
static bool find_failing_step(struct worker *worker, struct explicit_finding *finding)
{
    uint64_t *kept = path_keep_counts(worker);
    bool is_found = take_steps_again(worker, finding);
    path_restore_counts(worker, kept);
    return is_found;
}

static bool find_fault(struct worker *worker, struct explicit_finding *finding)
{
    if (finding->evidence == TRACE_SHOWS_FAULT)
        return find_failing_step(worker, finding);
    if (finding->evidence != TRACE_SHOWS_FALSE)
        return true;
    if (!finding->property->formula || (!finding->beyond && !finding->state))
        return false;
    if (!finding->beyond)
        layout_unpack(worker->search->layout, finding->state, worker->fresh);
    return stepper_holds(worker->judge, finding->property, finding->beyond ? finding->beyond : worker->fresh,
                         &finding->fault) != TRUTH_TRUE;
}

struct explicit_finding *keep_find_again(struct explicit_search *search, const struct json *described,
                                         const struct keep_places *places)
{
    const struct json *words = json_get(described, "state"), *list = json_get(described, "beyond");
    struct explicit_finding finding = {0};
    uint64_t *state = memory_zeroed(search->layout->words, sizeof *state);
    int32_t *beyond = memory_zeroed((size_t)search->layout->cell_count + 1, sizeof *beyond);
    finding.state = words ? state : NULL;
    finding.beyond = list ? beyond : NULL;
    bool is_good = read_numbers(search, described, &finding) &&
                   (!places || keep_place_of_state(places, finding.last, &finding.last)) &&
                   (!words || read_state(search, words, state)) && (!list || read_cells(search, list, beyond)) &&
                   find_fault(&search->workers[0], &finding);
    struct explicit_finding *copy = is_good ? finding_copy(search, &finding) : NULL;
    free(state);
    free(beyond);
    return copy;
}
