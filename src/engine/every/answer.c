#include "base/clock.h"
#include "engine/every/every.h"

#include <stdlib.h>

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

/* "sizes of NODE up to 3, others as in the model" */
static void print_explored(const struct every_search *search, struct text *out)
{
    const char *before = "sizes of ";
    bool are_all = true;
    for (size_t i = 0; i < search->system->sized.count; i++) {
        const struct type *type = search->system->sized.items[i].type;
        are_all &= every_changes(search, i);
        if (!every_changes(search, i))
            continue;
        text_format(out, "%s%s", before, type->name ? type->name : "a scalarset");
        before = ", ";
    }
    text_format(out, " up to %u%s", search->explored, are_all ? "" : ", others as in the model");
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
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s",
                           search->obstacle.length ? search->obstacle.chars : "there was no time");
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

/* A violation was found with one size: what holds there, or is not met, may do so with that size only. */
static void forget_of_one_size(const struct every_search *search, struct result *result)
{
    for (size_t p = 0; p < result->system->properties.count; p++) {
        const struct property *property = result->system->properties.items[p];
        enum verdict verdict = result->properties[p].verdict;
        if (!result->checked[p])
            continue;
        if (property->kind == PROPERTY_COVER && verdict == VERDICT_VIOLATED)
            result_set_verdict(result, property, VERDICT_UNKNOWN, "not met with sizes up to %u", search->tried);
        else if (property->kind != PROPERTY_COVER && verdict == VERDICT_HOLDS)
            result_set_verdict(result, property, VERDICT_UNKNOWN, "holds with sizes up to %u; not proved for all",
                               search->tried);
        else
            continue;
        result->is_complete = false;
    }
}

static void fill_figures(const struct every_search *search, struct result *result, const char *types)
{
    struct every_size *every = &result->every;
    *every = (struct every_size){.type = arena_string(search->system->arena, types),
                                 .explored = search->explored,
                                 .is_asked = true,
                                 .is_by_invariant = true};
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

struct result *every_answer(struct every_search *search)
{
    struct text types = {0};
    bool is_complete = true;
    print_types(search->system, &types);
    if (search->violated) {
        struct result *result = search->violated;
        forget_of_one_size(search, result);
        result->every = (struct every_size){.type = arena_string(search->system->arena, text_chars(&types)),
                                            .size = search->tried,
                                            .explored = search->explored,
                                            .is_asked = true,
                                            .is_by_invariant = true};
        text_free(&types);
        return result;
    }
    struct result *result = result_create(search->system, engine_every.name);
    for (size_t p = 0; p < search->system->properties.count; p++) {
        const struct property *property = search->system->properties.items[p];
        enum property_kind kind = property->kind;
        bool is_safety = kind == PROPERTY_INVARIANT || kind == PROPERTY_ASSERTION || kind == PROPERTY_ERROR ||
                         kind == PROPERTY_RUNTIME || kind == PROPERTY_DEADLOCK;
        if (kind == PROPERTY_DEADLOCK && search->options->deadlock == DEADLOCK_OFF)
            result->checked[p] = false;
        else if (is_safety)
            settle(search, result, property, text_chars(&types));
        else if (kind != PROPERTY_ASSUMPTION && kind != PROPERTY_FAIRNESS)
            result_leave_out(result, property,
                             "proofs for every size are about invariants, assertions, run-time "
                             "errors and deadlocks");
        is_complete &= !is_safety || !result->checked[p] || search->is_proved[p];
    }
    result->is_complete = is_complete;
    if (!is_complete)
        result_set_stopped(result,
                           stop_because(STOP_REFUSED, "not proved for all sizes: %s",
                                        search->obstacle.length ? search->obstacle.chars : "there was no time"));
    fill_figures(search, result, text_chars(&types));
    text_free(&types);
    return result;
}
