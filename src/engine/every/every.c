#include "engine/every/every.h"
#include "population/sizes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/watch.h"

/* Without a limit of time: the sizes that are tried take no longer than this, in all. */
static const double EVERY_SECONDS = 120, EVERY_SECONDS_A_QUESTION = 5;

/* -- Which sizes change -- */

/* The elements of what an array of the state has as its index are processes; the others are data, of which the declared
 * number is enough to find an invariant. */
static bool type_is_dimension(const struct type *type, const struct type *index)
{
    if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type_is_dimension(type->fields[f].type, index))
                return true;
        return false;
    }
    if (type->kind == TYPE_MULTISET)
        return type_is_dimension(type->element, index);
    if (type->kind != TYPE_ARRAY)
        return false;
    for (uint32_t b = 0; b < type->index->block_count; b++)
        if (type->index->blocks[b].owner == index)
            return true;
    return type_is_dimension(type->element, index);
}

static bool is_dimension(const struct system *system, const struct type *index)
{
    for (size_t g = 0; g < system->globals.count; g++)
        if (type_is_dimension(system->globals.items[g]->type, index))
            return true;
    return false;
}

static bool has_dimension(const struct system *system)
{
    for (size_t i = 0; i < system->sized.count; i++)
        if (is_dimension(system, system->sized.items[i].type))
            return true;
    return false;
}

/* Where there are no processes, but only what points to them, all sizes change. */
bool every_changes(const struct every_search *search, size_t sized)
{
    const char *constant = search->system->sized.items[sized].constant;
    const char *parameter = search->options->parameter;
    bool changes = parameter ? !strcmp(parameter, constant) : !has_dimension(search->system);
    for (size_t i = 0; i < search->system->sized.count && !parameter; i++) /* others may have the same constant */
        changes |= !strcmp(search->system->sized.items[i].constant, constant) &&
                   is_dimension(search->system, search->system->sized.items[i].type);
    return changes;
}

static bool any_changes(const struct every_search *search)
{
    for (size_t i = 0; i < search->system->sized.count; i++)
        if (every_changes(search, i))
            return true;
    return false;
}

void every_take_clause(void *user, const struct layout *layout, const struct cell_literal *literals, uint32_t count)
{
    struct every_search *search = user;
    clause_lift(layout, literals, count, &search->candidates);
}

/* Is all proved but perhaps the absence of deadlocks? */
static bool is_proved(const struct every_search *search, bool with_deadlock)
{
    for (size_t p = 0; p < search->system->properties.count; p++) {
        const struct property *property = search->system->properties.items[p];
        bool is_safety =
            property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_ASSERTION ||
            property->kind == PROPERTY_ERROR || property->kind == PROPERTY_RUNTIME ||
            (with_deadlock && property->kind == PROPERTY_DEADLOCK && search->options->deadlock != DEADLOCK_OFF);
        if (is_safety && !search->is_proved[p])
            return false;
    }
    return true;
}

/* -- All sizes -- */

void every_set_obstacle(struct every_search *search, struct span at, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_clear(&search->obstacle);
    text_vformat(&search->obstacle, format, arguments);
    va_end(arguments);
    search->obstacle_at = at;
    search->obstacle_hint = hint;
    if (at.line)
        text_format(&search->obstacle, " (line %u)", at.line);
}

static bool is_sized(const struct system *system, const struct type *type)
{
    for (size_t i = 0; i < system->sized.count; i++)
        if (system->sized.items[i].type == type)
            return true;
    return false;
}

/* A number that stands in the model, and may be meant to be that of the elements, would stay as it is when the size
 * changes: what is proved then is not what is meant. */
static bool finds_obstacle(struct every_search *search)
{
    for (size_t i = 0; i < search->system->types.count; i++) {
        const struct type *type = search->system->types.items[i];
        if (type->kind != TYPE_INDEX || is_sized(search->system, type))
            continue;
        every_set_obstacle(search, type->span, "declare it by a constant that is used nowhere else: const N: 3;",
                           "the size of %s is no constant with a name", type->name ? type->name : "a scalarset");
        return true;
    }
    for (size_t i = 0; i < search->system->sized.count; i++) {
        const struct sized_index *sized = &search->system->sized.items[i];
        if (sized->is_only)
            continue;
        every_set_obstacle(search, sized->elsewhere,
                           "proofs for every size know no number of elements: say it with a quantifier over them, or "
                           "check sizes one by one (noether check -D)",
                           "the constant %s is not only the size of %s, but used as a number", sized->constant,
                           sized->type->name ? sized->type->name : "a scalarset");
        return true;
    }
    if (!every_has_solver(search))
        text_append(&search->obstacle, "there is neither z3, which proves invariants for all sizes, nor a SAT solver");
    return search->obstacle.length > 0;
}

/* What is proved stays proved, whatever a later attempt finds. */
static void take_best(struct every_search *search, bool *best)
{
    size_t count = search->system->properties.count;
    bool is_better = true, is_any = false;
    for (size_t p = 0; p < count; p++) {
        is_better &= search->is_proved[p] || !best[p];
        is_any |= search->is_proved[p];
    }
    if (!is_better || !is_any)
        return;
    memcpy(best, search->is_proved, count * sizeof *best);
    for (size_t i = 0; i < search->candidates.count; i++)
        search->candidates.items[i].is_kept = !search->candidates.items[i].is_out;
}

/* Sizes up to 1, 2, 3, ... in all combinations: the invariants of each are candidates. */
static void prove_sizes(struct every_search *search, bool can_prove)
{
    bool *best = memory_zeroed(search->system->properties.count + 1, sizeof *best);
    clause_add_defined(search->system, &search->candidates);
    clause_add_properties(search->system, &search->candidates);
    for (uint32_t size = 1; size <= EVERY_LARGEST && !search->is_cut; size++) {
        if (!every_solve_shell(search, size))
            break;
        if ((size > 1 || !search->is_varied) && can_prove) {
            every_prove(search);
            take_best(search, best);
        }
        memcpy(search->is_proved, best, search->system->properties.count * sizeof *best);
        if (!search->is_varied || is_proved(search, true) || (is_proved(search, false) && size >= 3))
            break;
    }
    memcpy(search->is_proved, best, search->system->properties.count * sizeof *best);
    free(best);
}

static void every_search_run(struct every_search *search)
{
    search->is_varied = any_changes(search);
    every_explore_first(search);
    if (search->violated || search->is_cut)
        return;
    bool has_obstacle = finds_obstacle(search),
         is_open = smt_folder_open(&search->folder, search->options->evidence_folder);
    if (!is_open && !has_obstacle)
        text_append(&search->obstacle, "there is no folder for the queries");
    prove_sizes(search, is_open && !has_obstacle);
    if (!is_proved(search, true) && !search->is_cut)
        every_explore_rest(search);
    if (is_open && !search->violated)
        every_conclude(search);
    smt_folder_close(&search->folder);
}

static const char *every_supports(const struct system *system, const struct engine_options *options,
                                  struct arena *words)
{
    (void)options, (void)words;
    bool has_index = false;
    for (size_t i = 0; i < system->types.count; i++)
        has_index |= system->types.items[i]->kind == TYPE_INDEX;
    if (!has_index)
        return "the model has no scalarset, so there is no size to be proved for";
    if (system_has_probabilities(system))
        return "proofs for every size know no probabilities";
    return system_has_macro_steps(system) ? system_refuses_single_rules(system) : NULL;
}

static struct result *every_run(const struct layout *layout, const struct symmetry *symmetry,
                                const struct engine_options *options)
{
    struct every_search search = {.layout = layout, .system = layout->system, .options = options};
    struct watch watch;
    (void)symmetry; /* the discipline decides: what distinguishes elements is no formula */
    ENSURE(options->sizes && options->helper && options->explorer);
    search.begin = clock_wall();
    search.begin_cpu = clock_cpu();
    search.seconds = EVERY_SECONDS_A_QUESTION;
    search.is_proved = memory_zeroed(layout->system->properties.count + 1, sizeof(bool));
    watch_begin(&watch, options->limits.seconds > 0 ? options->limits.seconds : EVERY_SECONDS, options->interrupted);
    every_search_run(&search);
    struct result *result = every_answer(&search);
    watch_end(&watch);
    candidates_free(&search.candidates);
    every_free_combinations(&search);
    text_free(&search.obstacle);
    text_free(&search.second);
    text_free(&search.cutoff);
    text_free(&search.small.why);
    free(search.is_proved);
    return result;
}

const struct engine engine_every = {
    .name = "every",
    .summary = "every size of the scalarsets: invariants of small sizes, proved inductive for all",
    .supports = every_supports,
    .run = every_run,
};
