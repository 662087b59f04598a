#include "base/clock.h"
#include "engine/every/every.h"

#include <stdlib.h>
#include <string.h>

static const char every_not_asked[] =
    "proofs for every size are about invariants, assertions, run-time errors and deadlocks";

/* "NODE and DATA" */
static void print_types(const struct system *system, struct text *out)
{
    uint32_t count = 0, said = 0;
    for (size_t i = 0; i < system->types.count; i++)
        count += system->types.items[i]->kind == TYPE_INDEX;
    for (size_t i = 0; i < system->types.count; i++) {
        if (system->types.items[i]->kind != TYPE_INDEX)
            continue;
        text_append(out, !said ? "" : said + 1 == count ? " and " : ", ");
        text_append(out, system->types.items[i]->name ? system->types.items[i]->name : "a scalarset");
        said++;
    }
}

/* The constants of index types, those that are two types' once: "3 of N and 2 of M". With a search only those that
 * do not change. */
static void print_constants(const struct system *system, const struct every_search *search, struct text *out)
{
    size_t count = system->sized.count, said = 0, left = 0;
    for (int round = 0; round < 2; round++) /* count them, and print them */
        for (size_t i = 0; i < count; i++) {
            const struct sized_index *sized = &system->sized.items[i];
            bool is_known = search && every_changes(search, i);
            for (size_t j = 0; j < i; j++)
                is_known |= !strcmp(system->sized.items[j].constant, sized->constant);
            if (is_known)
                continue;
            if (!round) {
                left++;
                continue;
            }
            text_format(out, "%s%u of %s",
                        !said              ? ""
                        : said + 1 == left ? " and "
                                           : ", ",
                        sized->type->size, sized->constant);
            said++;
        }
}

void every_print_sizes(const struct system *system, struct text *out)
{
    print_constants(system, NULL, out);
}

/* "sizes of NODE up to 3, with 2 of DATA", "sizes of P and D up to 3 in all combinations" */
static void print_explored(const struct every_search *search, struct text *out)
{
    uint32_t changing = 0, said = 0;
    for (size_t i = 0; i < search->system->sized.count; i++)
        changing += every_changes(search, i);
    text_append(out, "sizes of ");
    for (size_t i = 0; i < search->system->sized.count; i++) {
        const struct type *type = search->system->sized.items[i].type;
        if (!every_changes(search, i))
            continue;
        text_append(out, !said ? "" : said + 1 == changing ? " and " : ", ");
        text_append(out, type->name ? type->name : "a scalarset");
        said++;
    }
    text_format(out, " up to %u%s", search->explored,
                changing > 1 && search->explored > 1 ? " in all combinations" : "");
    struct text others = {0};
    print_constants(search->system, search, &others);
    if (others.length)
        text_format(out, ", with %s", others.chars);
    text_free(&others);
}

static void settle(const struct every_search *search, struct result *result, const struct property *property,
                   const char *types)
{
    if (search->is_proved[property->id])
        result_set_verdict(result, property, VERDICT_HOLDS, "for every size of %s", types);
    else if (search->explored && !search->is_varied)
        result_set_verdict(result, property, VERDICT_UNKNOWN,
                           "holds for the sizes of the model; not proved for all: %s", text_chars(&search->obstacle));
    else if (search->explored) {
        struct text explored = {0};
        print_explored(search, &explored);
        result_set_verdict(result, property, VERDICT_UNKNOWN, "holds for %s; not proved for all: %s",
                           text_chars(&explored), text_chars(&search->obstacle));
        text_free(&explored);
    } else
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", text_chars(&search->obstacle));
}

static void print_invariant(const struct every_search *search, struct text *out)
{
    bool *is_defined = defined_leaves(search->system, &search->candidates);
    uint32_t number = 0;
    for (size_t i = 0; i < search->candidates.count; i++) {
        const struct every_candidate *candidate = &search->candidates.items[i];
        if (candidate->is_out || candidate->property != UINT32_MAX)
            continue;
        text_format(out, "invariant \"inductive %u\" ", ++number);
        clause_print(search->system, &candidate->clause, candidate->is_plain ? NULL : is_defined, out);
        text_append(out, ";\n");
    }
    free(is_defined);
}

static bool has_proved(const struct every_search *search)
{
    for (size_t p = 0; p < search->system->properties.count; p++)
        if (search->is_proved[p])
            return true;
    return false;
}

/* Who gave the answers. */
static const char *name_solver(const struct every_search *search)
{
    struct text name = {0};
    if (!search->has_main)
        return "cutoffs";
    text_append(&name, "z3");
    if (search->by_cutoffs)
        text_format(&name, ", but for %u of cutoffs", search->by_cutoffs);
    const char *kept = arena_string(search->system->arena, text_chars(&name));
    text_free(&name);
    return kept;
}

/* What is covered at sizes that are not those of the result. */
static void print_covered(const struct every_search *search, struct text *out)
{
    if (search->explored && search->is_varied)
        print_explored(search, out);
    else if (search->explored)
        text_append(out, "the sizes of the model");
}

/* Names the sizes at which it is violated. */
static void name_sizes(struct result *result, const struct property *property, const char *sizes)
{
    struct property_result *found = &result->properties[property->id];
    struct text reason = {0};
    text_format(&reason, "%s%swith %s", found->reason ? found->reason : "", found->reason ? ", " : "", sizes);
    free(found->reason);
    found->reason = memory_string(text_chars(&reason));
    text_free(&reason);
}

/* A violation was found at some sizes: what holds there, or is not met, may do so with these sizes only. */
static void settle_violated(const struct every_search *search, struct result *result)
{
    struct text sizes = {0}, covered = {0};
    every_print_sizes(result->system, &sizes);
    print_covered(search, &covered);
    for (size_t p = 0; p < result->system->properties.count; p++) {
        const struct property *property = result->system->properties.items[p];
        enum verdict verdict = result->properties[p].verdict;
        bool is_cover = property->kind == PROPERTY_COVER;
        if (!result->checked[p])
            continue;
        if (verdict == VERDICT_VIOLATED && !is_cover)
            name_sizes(result, property, text_chars(&sizes));
        else if (verdict == VERDICT_VIOLATED)
            result_set_verdict(result, property, VERDICT_UNKNOWN, "not met with %s", text_chars(&sizes));
        else if (verdict == VERDICT_HOLDS && !is_cover)
            result_set_verdict(result, property, VERDICT_UNKNOWN, "holds with %s%s%s; not proved for all",
                               text_chars(&sizes), covered.length ? ", and for " : "", text_chars(&covered));
        else if (verdict == VERDICT_UNKNOWN && (property->ctl || property->ltl || property->kind == PROPERTY_LIVENESS))
            result_leave_out(result, property, every_not_asked);
        result->is_complete &= verdict == VERDICT_VIOLATED && !is_cover;
    }
    text_free(&sizes);
    text_free(&covered);
}

/* Of the types whose sizes change. */
static uint32_t largest_size(const struct every_search *search, const struct system *system)
{
    uint32_t largest = 1;
    for (size_t i = 0; i < system->sized.count; i++)
        if (every_changes(search, i) && system->sized.items[i].type->size > largest)
            largest = system->sized.items[i].type->size;
    return largest;
}

static void fill_figures(const struct every_search *search, struct result *result, const char *types)
{
    struct every_size *every = &result->every;
    *every = (struct every_size){.type = arena_string(search->system->arena, types),
                                 .explored = search->explored,
                                 .is_asked = true,
                                 .is_by_invariant = true};
    print_covered(search, &every->covered);
    if (!result->is_complete) {
        every->obstacle_at = search->obstacle_at;
        every->obstacle_hint = search->obstacle_hint;
        text_append(&every->obstacle, text_chars(&search->obstacle));
    }
    if (has_proved(search)) {
        every->clauses = search->kept;
        every->queries = search->queries;
        print_invariant(search, &every->invariant);
        every->solver = name_solver(search);
        text_append(&every->second, text_chars(&search->second));
        if (search->has_main) /* else it is no second opinion */
            text_append(&every->cutoffs, text_chars(&search->cutoff));
    }
    result->statistics.is_stateless = true;
    bigint_destroy(result->statistics.represented);
    result->statistics.represented = NULL;
    result->statistics.seconds = clock_wall() - search->begin;
    result->statistics.cpu_seconds = clock_cpu() - search->begin_cpu;
}

/* When the time is over that is the reason, unless the proof does not understand a place of the model: more time would
 * not help. */
static struct stop take_stop(struct every_search *search)
{
    struct stop stop = watch_stop(watch_of_thread);
    bool is_late = stop_is_set(&stop) && !search->obstacle_at.line;
    if (!is_late)
        stop_free(&stop);
    if (!is_late && !search->obstacle.length)
        text_append(&search->obstacle, "there was no time");
    if (!is_late)
        return stop_because(STOP_REFUSED, "not proved for all sizes: %s", text_chars(&search->obstacle));
    text_clear(&search->obstacle);
    stop_print(&stop, &search->obstacle);
    return stop;
}

struct result *every_answer(struct every_search *search)
{
    struct text types = {0};
    bool is_complete = true;
    print_types(search->system, &types);
    if (search->violated) {
        struct result *result = search->violated;
        settle_violated(search, result);
        result->every = (struct every_size){.type = arena_string(search->system->arena, text_chars(&types)),
                                            .size = largest_size(search, result->system),
                                            .explored = search->explored,
                                            .is_asked = true,
                                            .is_by_invariant = true};
        every_print_sizes(result->system, &result->every.sizes);
        print_covered(search, &result->every.covered);
        text_free(&types);
        return result;
    }
    struct result *result = result_create(search->system, engine_every.name);
    struct stop stop = take_stop(search);
    for (size_t p = 0; p < search->system->properties.count; p++) {
        const struct property *property = search->system->properties.items[p];
        enum property_kind kind = property->kind;
        bool is_safety = every_is_safety(property);
        if (kind == PROPERTY_DEADLOCK && search->options->deadlock == DEADLOCK_OFF)
            result->checked[p] = false;
        else if (is_safety)
            settle(search, result, property, text_chars(&types));
        else if (kind != PROPERTY_ASSUMPTION && kind != PROPERTY_FAIRNESS)
            result_leave_out(result, property, every_not_asked);
        is_complete &= !is_safety || !result->checked[p] || search->is_proved[p];
    }
    result->is_complete = is_complete;
    if (!is_complete)
        result_set_stopped(result, stop);
    else
        stop_free(&stop);
    fill_figures(search, result, text_chars(&types));
    text_free(&types);
    return result;
}
