/* What was found and not yet reported. The search reports at the end of a level (depth first: of a state), when all
 * that is to be found there has been: so the run that is shown is a shortest one, and neither the order in which a
 * level is expanded nor the number of threads decides which property it is about. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

void finding_destroy(struct explicit_finding *finding)
{
    if (!finding)
        return;
    free((void *)finding->state);
    free((void *)finding->beyond);
    free(finding);
}

static void *finding_copy_bytes(const void *bytes, size_t size)
{
    return bytes ? memcpy(memory_alloc(size), bytes, size) : NULL;
}

struct explicit_finding *finding_copy(const struct explicit_search *search, const struct explicit_finding *finding)
{
    struct explicit_finding *copy = memory_alloc(sizeof *copy);
    *copy = *finding;
    copy->state = finding_copy_bytes(finding->state, search->layout->words * sizeof *finding->state);
    copy->beyond = finding_copy_bytes(finding->beyond, search->layout->cell_count * sizeof *finding->beyond);
    return copy;
}

static int finding_compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int finding_compare_bytes(const void *a, const void *b, size_t size)
{
    return a && b ? memcmp(a, b, size) : (a != NULL) - (b != NULL);
}

/* Negative: a is the better one. */
static int finding_compare(const struct explicit_search *search, const struct explicit_finding *a,
                           const struct explicit_finding *b)
{
    int order = finding_compare_numbers(a->length, b->length);
    if (!order)
        order = finding_compare_bytes(a->state, b->state, search->layout->words * sizeof *a->state);
    if (!order)
        order = finding_compare_numbers(a->ordinal, b->ordinal);
    if (!order)
        order = finding_compare_bytes(a->beyond, b->beyond, search->layout->cell_count * sizeof *a->beyond);
    return order;
}

static void findings_keep(struct explicit_search *search, struct explicit_finding **best,
                          const struct explicit_finding *finding)
{
    struct lock lock;
    lock_take(&lock, &search->lock);
    if (!*best || finding_compare(search, finding, *best) < 0) {
        struct explicit_finding *copy = finding_copy(search, finding);
        finding_destroy(*best);
        *best = copy;
    }
    search->has_found = true;
    lock_give(&lock);
}

void findings_note(struct explicit_search *search, const struct explicit_finding *finding)
{
    findings_keep(search, &search->found[finding->property->id], finding);
}

void findings_note_unevaluated(struct explicit_search *search, const struct explicit_finding *finding)
{
    findings_keep(search, &search->unevaluated[finding->property->id], finding);
}

void findings_destroy(struct explicit_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        finding_destroy(search->found[i]);
        finding_destroy(search->unevaluated[i]);
    }
    free(search->found);
    free(search->unevaluated);
}

/* Cover statements set a flag in the stepper as they run. The step that did it is not always part of a run (the
 * statement may stand in a function that a guard calls), so these goals are met without a witness. Formulas do not
 * count: when they are evaluated is the engine's business. */
static void findings_settle_statements(struct explicit_search *search)
{
    for (uint32_t i = 0; i < search->cover_statements.count; i++) {
        const struct property *property = search->cover_statements.items[i];
        bool is_met = false;
        for (uint32_t w = 0; w < search->worker_count; w++)
            is_met |= search->workers[w].stepper->covered[property->id];
        if (!is_met || search->decided[property->id])
            continue;
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search_decide(search, property);
    }
}

bool findings_are_defined(const struct explicit_search *search)
{
    size_t undefined = stepper_undefined(search->system);
    for (uint32_t w = 0; w < search->worker_count; w++)
        if (search->workers[w].stepper->covered[undefined] || search->workers[w].judge->covered[undefined])
            return false;
    return true;
}

/* The next to be reported: goals that were met first, they end nothing; then the shortest. */
static struct explicit_finding *findings_take(struct explicit_search *search)
{
    struct explicit_finding **best = NULL;
    for (size_t i = 0; i < search->system->properties.count; i++) {
        struct explicit_finding **finding = &search->found[i];
        if (!*finding)
            continue;
        bool is_goal = (*finding)->evidence == TRACE_SHOWS_TRUE;
        bool is_better = !best || (is_goal && (*best)->evidence != TRACE_SHOWS_TRUE) ||
                         (is_goal == ((*best)->evidence == TRACE_SHOWS_TRUE) && (*finding)->length < (*best)->length);
        if (is_better)
            best = finding;
    }
    if (!best)
        return NULL;
    struct explicit_finding *taken = *best;
    *best = NULL;
    return taken;
}

bool findings_settle(struct explicit_search *search)
{
    struct explicit_finding *finding;
    bool is_over = false; /* a violation is enough */
    findings_settle_statements(search);
    if (!search->has_found)
        return !search->stopped;
    search->has_found = false;
    while ((finding = findings_take(search))) {
        if (!is_over && !search->decided[finding->property->id])
            violation_report(search, finding);
        is_over |= finding->evidence != TRACE_SHOWS_TRUE && !search->options->keep_going;
        finding_destroy(finding);
    }
    return !search->stopped;
}
