/* Compares every engine and option with plain exploration.
 *
 *   compare [--states N] [--native N] [--search 0|1|2] [--ways GROUP,...] MODEL...
 *
 * Every N-th of the models is compiled to native code, too (0: none): that takes a tenth of a second for each. --search
 * 0: the engines that store states one by one are not run with all their options; 1: only those that take partial
 * symmetry. --ways: the driver is compared, too, with these groups of ways.h. MODEL is read as input.h says.
 *
 * For each model one line on standard output: "ok" (or "skip": too many states, "invalid", "FAIL"), the path, the
 * number of states, of rules fired, "violated" or "holds" (deadlocks: stuttering), and the order of the group; then,
 * for each group of ways, a line "way GROUP N LATE REFUSAL": how many were compared, how many took too long, and why
 * the engine refuses the model, if it does; before all "begin PATH", so that a caller knows which model was under way
 * when the program died. A failure says what differed, and where. Exit status 1 when a model failed. */
#include <malloc.h>
#include <sys/prctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "base/hash.h"
#include "input.h"
#include "ir/validate.h"
#include "judge.h"
#include "lockstep.h"
#include "ways.h"

/* The engines under test. A new engine is one line here: the options that it does not know are left out. */
struct engine_row {
    const struct engine *engine;
    bool has_depth_first, has_steppers, has_stores;
    bool has_methods; /* adaptive: tells every state it stands for, perhaps several times, in place of --symmetry */
};
static const struct engine_row ENGINES[] = {
    {&engine_explicit, true, true, true, false},
    {&engine_adaptive, false, false, false, true},
};

struct settings {
    uint32_t states; /* of larger models only the first so many are looked at */
    bool is_native;
    uint32_t search; /* 0: none; 1: only engines that take partial symmetry: the others see enough models elsewhere; 2:
                        all */
    unsigned ways;   /* groups, bits by enum way_group */
};

/* How states are kept and by how many threads, in a breadth-first search. The first is what the other rows have. */
static const struct engine_options STORES[] = {
    {.threads = 1},
    {.threads = 1, .crowd = 1}, /* a crowd: instances are asleep from the first level on */
    {.threads = 2, .crowd = 1},
    {.threads = 3, .crowd = 2, .hash_compact = true},
    {.store = STORE_PLAIN},
};

static size_t list_stores(const struct engine_row *row, struct configuration *list)
{
    size_t count = 0;
    for (unsigned bits = 0; bits < 4 && row->has_stores; bits++)
        for (size_t i = 1; i < sizeof STORES / sizeof *STORES; i++) {
            struct configuration made = {.engine = row->engine, .has_symmetry = bits & 1, .options = STORES[i]};
            made.options.stepper = STEPPER_VM;
            made.options.keep_going = bits & 2;
            list[count++] = made;
        }
    return count;
}

enum { MAX_CONFIGURATIONS = 256, DEFAULT_STATES = 3000, SECONDS_A_MODEL = 60 };

/* A search cut short in one way or another: half the states, half the depth, hardly any memory. */
static size_t list_limited(const struct plain *plain, const struct engine_row *row, struct configuration *list)
{
    const struct limits limits[] = {
        {.states = plain_count(plain) / 2 + 1},
        {.depth = plain->greatest_depth / 2 + 1},
        {.memory_bytes = 1},
        {.memory_bytes = 100000},
    };
    size_t count = 0;
    for (unsigned bits = 0; bits < 16; bits++) {
        struct configuration made = {.engine = row->engine, .is_limited = true, .tells_all = row->has_methods};
        made.has_symmetry = bits & 1 && !row->has_methods;
        made.options.method = bits & 1 && row->has_methods ? METHOD_STANDARD : METHOD_ADAPTIVE;
        made.options.order = bits & 2 ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST;
        made.options.stepper = STEPPER_VM;
        made.options.keep_going = true;
        made.options.threads = 1 + bits % 2;
        made.options.crowd = 1;
        made.options.limits = limits[bits / 4];
        if (!(bits & 2) || row->has_depth_first)
            list[count++] = made;
    }
    return count;
}

/* Every way to a representative. */
static size_t list_representatives(const struct engine_row *row, const struct plain *plain,
                                   const struct symmetry *symmetry, struct configuration *list)
{
    size_t count = 0;
    for (enum representative r = REPRESENTATIVE_CANONICAL; r <= REPRESENTATIVE_NAUTY && row->has_stores; r++)
        for (unsigned bits = 0; bits < 2; bits++) {
            struct configuration made = {.engine = row->engine, .has_symmetry = true};
            made.options.representative = r;
            made.options.stepper = STEPPER_VM;
            made.options.keep_going = true;
            made.options.order = bits ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST;
            made.options.threads = 1 + (r & 1);
            made.options.crowd = 1;
            if (!representative_refusal(symmetry, r) &&
                !row->engine->supports(plain->system, &made.options, plain->system->arena))
                list[count++] = made;
        }
    return count;
}

/* States are unpacked by generated code, or by what differs from the state before. */
static size_t list_native(const struct engine_row *row, struct configuration *list)
{
    for (unsigned bits = 0; bits < 8; bits++) {
        list[bits] = (struct configuration){
            .engine = row->engine, .has_symmetry = bits & 1, .loader_cells = bits & 2 ? "0" : NULL};
        list[bits].options.stepper = STEPPER_NATIVE;
        list[bits].options.crowd = 1;
        list[bits].options.keep_going = bits & 4;
    }
    return 8;
}

static size_t list_configurations(const struct plain *plain, const struct settings *settings,
                                  const struct symmetry *symmetry, struct configuration *list)
{
    size_t count = 0;
    for (size_t e = 0; e < sizeof ENGINES / sizeof *ENGINES; e++) {
        const struct engine_row *row = &ENGINES[e];
        if ((settings->search == 1 && !row->has_methods) ||
            row->engine->supports(plain->system, NULL, plain->system->arena))
            continue;
        count += list_limited(plain, row, list + count);
        if (settings->is_native && row->has_steppers)
            count += list_native(row, list + count);
        count += list_stores(row, list + count);
        if (!symmetry_is_trivial(symmetry))
            count += list_representatives(row, plain, symmetry, list + count);
        for (unsigned bits = 0; bits < 48; bits++) {
            struct configuration made = {.engine = row->engine, .has_symmetry = bits & 1 && !row->has_methods};
            made.tells_all = row->has_methods;
            made.options.method = bits & 1 && row->has_methods ? METHOD_STANDARD : METHOD_ADAPTIVE;
            made.options.order = bits & 2 ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST;
            made.options.threads = 1;
            made.options.stepper = bits & 4 ? STEPPER_EVALUATOR : STEPPER_VM;
            made.options.keep_going = bits & 8;
            made.options.deadlock = (enum deadlock_mode)(bits / 16);
            if ((bits & 2 && !row->has_depth_first) || (bits & 4 && !row->has_steppers))
                continue;
            ENSURE(count + 32 < MAX_CONFIGURATIONS);
            list[count++] = made;
        }
    }
    return count;
}

struct collector {
    struct stored *stored;
    uint32_t words;
};

static void collect_state(void *user, const uint64_t *packed)
{
    struct collector *collector = user;
    for (uint32_t i = 0; i < collector->words; i++)
        VEC_PUSH(&collector->stored->words, packed[i]);
    collector->stored->count++;
}

/* States of complete searches, breadth first, by representative; 0: none. */
struct counts {
    uint64_t states[REPRESENTATIVE_NAUTY + 1];
};

/* What finer ways save: no way keeps fewer states than there are orbits, and what sorting alone leaves is never less
 * than what is left when something is done about ties. */
static bool compare_counts(const struct counts *counts, struct failure *failure)
{
    static const enum representative pairs[][2] = {
        {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_SEGMENTED}, {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_LOCAL},
        {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_FIRST},     {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_FLOOD},
        {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_ENUMERATE}, {REPRESENTATIVE_ENUMERATE, REPRESENTATIVE_CANONICAL},
        {REPRESENTATIVE_CANONICAL, REPRESENTATIVE_NAUTY},     {REPRESENTATIVE_NAUTY, REPRESENTATIVE_CANONICAL},
        {REPRESENTATIVE_MARKERS, REPRESENTATIVE_CANONICAL},   {REPRESENTATIVE_SEGMENTED, REPRESENTATIVE_SORTED},
        {REPRESENTATIVE_LOCAL, REPRESENTATIVE_SORTED},        {REPRESENTATIVE_SORTED, REPRESENTATIVE_FLOOD},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint64_t less = counts->states[pairs[i][0]], more = counts->states[pairs[i][1]];
        if (less && more && less > more)
            return failure_set(failure, "%s stores %llu states, %s %llu", representative_names[pairs[i][0]],
                               (unsigned long long)less, representative_names[pairs[i][1]], (unsigned long long)more);
    }
    return true;
}

static bool compare_configuration(struct plain *plain, const struct symmetry *symmetry,
                                  const struct permutations *permutations, const struct configuration *configuration,
                                  struct counts *counts, struct failure *failure)
{
    struct stored stored = {0};
    struct collector collector = {&stored, plain->layout->words};
    struct engine_options options = configuration->options;
    options.on_state = collect_state;
    options.on_state_user = &collector;
    text_clear(&failure->where);
    configuration_print(configuration, &failure->where);
    if (configuration->loader_cells)
        setenv("NOETHER_LOADER_CELLS", configuration->loader_cells, 1);
    struct result *result = configuration->engine->run(plain->layout, symmetry, &options);
    unsetenv("NOETHER_LOADER_CELLS");
    judge_result(plain, permutations, configuration, result, &stored, failure);
    if (result->is_complete && options.order == SEARCH_BREADTH_FIRST)
        counts->states[options.representative] = result->statistics.states;
    result_destroy(result);
    VEC_FREE(&stored.words);
    return !failure->is_set;
}

static void compare_engines(struct plain *plain, const struct settings *settings, const struct symmetry *symmetry[2],
                            struct permutations *all[2], struct failure *failure)
{
    struct configuration list[MAX_CONFIGURATIONS];
    size_t count = list_configurations(plain, settings, symmetry[1], list);
    struct counts counts = {0};
    for (size_t i = 0; i < count && !failure->is_set; i++)
        compare_configuration(plain, symmetry[list[i].has_symmetry], all[list[i].has_symmetry], &list[i], &counts,
                              failure);
    if (!failure->is_set)
        compare_counts(&counts, failure);
}

/* The evaluator against another, in every state. */
static void compare_stepper(struct plain *plain, enum stepper_choice choice, struct failure *failure)
{
    struct steppers *steppers = steppers_create(plain->layout, choice, false);
    if (steppers_refusal(steppers)) {
        failure_set(failure, "%s", steppers_refusal(steppers));
        steppers_destroy(steppers);
        return;
    }
    struct lockstep lockstep = lockstep_create(plain->layout, steppers_make(steppers));
    int32_t *cells = memory_zeroed(plain->layout->cell_count + 1, sizeof *cells);
    text_clear(&failure->where);
    text_append(&failure->where, choice == STEPPER_VM ? "evaluator / VM" : "evaluator / native code");
    lockstep_starts(&lockstep, failure);
    for (uint32_t state = 0; state < plain_count(plain) && !failure->is_set; state++) {
        plain_cells(plain, state, cells);
        lockstep_state(&lockstep, cells, failure);
    }
    free(cells);
    lockstep_destroy(&lockstep);
    steppers_destroy(steppers);
}

static void compare_symmetry(struct plain *plain, const struct settings *settings, struct failure *failure,
                             uint64_t *group_order)
{
    struct symmetry *none = symmetry_none(plain->system), *found = symmetry_find(plain->system);
    struct permutations *identity = permutations_create(none), *group = permutations_create(found);
    if (!group) {
        failure_set(failure, "the group is too large to enumerate");
    } else {
        *group_order = group->count;
        text_clear(&failure->where);
        text_append(&failure->where, "canonicaliser");
        if (orbit_check_canon(plain, group, failure))
            compare_engines(plain, settings, (const struct symmetry *[]){none, found},
                            (struct permutations *[]){identity, group}, failure);
    }
    permutations_destroy(identity);
    permutations_destroy(group);
    symmetry_destroy(none);
    symmetry_destroy(found);
}

enum outcome { OUTCOME_OK, OUTCOME_SKIP, OUTCOME_INVALID, OUTCOME_FAIL };

/* What the plain exploration found, for comparison with other tools. */
struct summary {
    uint32_t states;
    uint64_t rules_fired;
    bool is_violated;
    uint64_t group_order;
    struct ways_outcome ways;
};

static struct summary summarise(struct plain *plain)
{
    struct summary summary = {.states = plain_count(plain), .rules_fired = plain->rules_fired, .group_order = 1};
    for (size_t i = 0; i < plain->system->properties.count && !plain->is_truncated; i++) {
        const struct property *property = plain->system->properties.items[i];
        bool is_shown = plain_outcome(plain, property, DEADLOCK_STUTTERING)->is_shown;
        summary.is_violated |= is_shown != (property->kind == PROPERTY_COVER);
    }
    return summary;
}

static enum outcome compare_system(const struct model *model, const struct settings *settings, struct failure *failure,
                                   struct summary *summary)
{
    const char *broken_promise = ir_validate(model->system);
    if (broken_promise) {
        failure_set(failure, "ir_validate: %s", broken_promise);
        return OUTCOME_FAIL;
    }
    struct plain *plain = plain_explore(model->layout, settings->states);
    enum outcome outcome = plain->is_truncated ? OUTCOME_SKIP : OUTCOME_OK;
    *summary = summarise(plain);
    compare_stepper(plain, STEPPER_VM, failure);
    if (settings->is_native && !failure->is_set)
        compare_stepper(plain, STEPPER_NATIVE, failure);
    if (outcome == OUTCOME_OK && settings->search && !failure->is_set)
        compare_symmetry(plain, settings, failure, &summary->group_order);
    if (outcome == OUTCOME_OK && settings->ways && !failure->is_set)
        ways_compare(plain, model, settings->ways, hash_bytes(model->source->text, model->source->length),
                     &summary->ways, failure);
    plain_destroy(plain);
    return failure->is_set ? OUTCOME_FAIL : outcome;
}

static enum outcome compare_model(const char *path, const struct settings *settings, struct failure *failure,
                                  struct summary *summary)
{
    struct input input = input_open(path);
    enum outcome outcome = OUTCOME_INVALID;
    if (input.model)
        outcome = compare_system(input.model, settings, failure, summary);
    else
        diag_print(&input.diagnostics, &failure->what);
    input_close(&input);
    return outcome;
}

static void print_ways(const struct ways_outcome *ways, unsigned groups)
{
    for (size_t g = 0; g < WAYS_COUNT; g++)
        if (groups & 1u << g)
            printf("way %s %u %u %s\n", way_group_names[g], ways->compared[g], ways->late[g],
                   ways->refusals[g] ? ways->refusals[g] : "");
}

/* A model that takes so much of the processor's time kills the program: the caller goes on with the next one. */
static void begin_time(void)
{
    struct itimerval limit = {.it_value = {.tv_sec = SECONDS_A_MODEL}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static bool compare_file(const char *path, const struct settings *settings)
{
    static const char *const names[] = {"ok", "skip", "invalid", "FAIL"};
    struct failure failure = {0};
    struct summary summary = {0};
    printf("begin %s\n", path);
    fflush(stdout);
    begin_time();
    enum outcome outcome = compare_model(path, settings, &failure, &summary);
    printf("%s %s %u %llu %s %llu\n", names[outcome], path, summary.states, (unsigned long long)summary.rules_fired,
           summary.is_violated ? "violated" : "holds", (unsigned long long)summary.group_order);
    if (outcome == OUTCOME_FAIL)
        printf("  %s: %s\n", text_chars(&failure.where), text_chars(&failure.what));
    if (outcome == OUTCOME_INVALID)
        printf("%s", text_chars(&failure.what));
    if (outcome == OUTCOME_OK)
        print_ways(&summary.ways, settings->ways);
    fflush(stdout);
    text_free(&failure.where);
    text_free(&failure.what);
    ways_outcome_free(&summary.ways);
    return outcome != OUTCOME_FAIL;
}

/* The number after an option, if that is what stands there. */
static bool take_number(int count, char **arguments, int *at, const char *option, uint32_t *number)
{
    if (*at + 1 >= count || strcmp(arguments[*at], option))
        return false;
    *number = (uint32_t)strtoul(arguments[*at + 1], NULL, 10);
    *at += 2;
    return true;
}

static bool take_ways(int count, char **arguments, int *at, unsigned *ways)
{
    if (*at + 1 >= count || strcmp(arguments[*at], "--ways"))
        return false;
    for (char *name = strtok(arguments[*at + 1], ","); name; name = strtok(NULL, ","))
        for (size_t g = 0; g < WAYS_COUNT; g++)
            *ways |= strcmp(name, way_group_names[g]) ? 0 : 1u << g;
    *at += 2;
    return true;
}

/* Hundreds of checks, one after the other: memory that one has returned is the next one's, without a way to the kernel
 * and back. Their tables are small: of a huge page most would be cleared for nothing. */
static void keep_memory(void)
{
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, 1 << 26);
}

int main(int count, char **arguments)
{
    keep_memory();
    struct settings settings = {.states = DEFAULT_STATES, .search = 2};
    uint32_t native = 0;
    int first = 1;
    while (take_number(count, arguments, &first, "--states", &settings.states) ||
           take_number(count, arguments, &first, "--native", &native) ||
           take_number(count, arguments, &first, "--search", &settings.search) ||
           take_ways(count, arguments, &first, &settings.ways))
        continue;
    if (first >= count) {
        fprintf(stderr, "usage: compare [--states N] [--native N] [--search 0|1|2] [--ways GROUP,...] MODEL...\n");
        return 2;
    }
    bool is_good = true;
    for (int i = first; i < count; i++) {
        settings.is_native = native && (uint32_t)(i - first) % native == 0;
        is_good &= compare_file(arguments[i], &settings);
    }
    return is_good ? 0 : 1;
}
