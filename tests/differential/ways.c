#include "ways.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "driver/check.h"
#include "judge.h"

const char *const way_group_names[WAYS_COUNT] = {"explicit", "adaptive", "complete", "guarded",
                                                 "symbolic", "counter",  "generic",  "symbolic-auto",
                                                 "auto",     "written",  "sat"};

/* Of which searches the runs are shortest. */
enum shortness { SHORTEST, SHORTEST_WHEN_FIRST, ROUNDABOUT };

struct way {
    enum way_group group;
    const char *name;
    enum engine_choice engine;
    enum symmetry_choice symmetry;
    struct engine_options options;
    enum shortness shortness;
    bool counts_orbits; /* it stores as many states as there are orbits of the declared symmetry */
    const char *crowd;  /* so many processes are a crowd, for `auto`; NULL: as ever */
};

enum { SECONDS = 2, FRONTIER = 12 };

#define VM .stepper = STEPPER_VM, .threads = 1
#define SYMBOLIC(method_name, wanted, group, shortness)                                                                \
    {                                                                                                                  \
        group, "symbolic, " method_name, ENGINE_SYMBOLIC, SYMMETRY_DECLARED, {.method = wanted}, shortness, false,     \
            NULL                                                                                                       \
    }

static const struct way WAYS[] = {
    {WAYS_EXPLICIT, "explicit, declared symmetry", ENGINE_EXPLICIT, SYMMETRY_DECLARED, {VM}, SHORTEST, true, NULL},
    {WAYS_EXPLICIT, "explicit, symmetry off", ENGINE_EXPLICIT, SYMMETRY_OFF, {VM}, SHORTEST, false, NULL},
    {WAYS_EXPLICIT, "explicit, symmetry auto", ENGINE_EXPLICIT, SYMMETRY_AUTO, {VM}, SHORTEST, false, NULL},
    {WAYS_GUARDED, "explicit, symmetry guarded", ENGINE_EXPLICIT, SYMMETRY_GUARDED, {VM}, SHORTEST, false, NULL},
    {WAYS_ADAPTIVE, "adaptive", ENGINE_ADAPTIVE, SYMMETRY_AUTO, {.method = METHOD_ADAPTIVE}, SHORTEST, false, NULL},
    {WAYS_ADAPTIVE,
     "adaptive, standard",
     ENGINE_ADAPTIVE,
     SYMMETRY_AUTO,
     {.method = METHOD_STANDARD},
     SHORTEST,
     false,
     NULL},
    {WAYS_COMPLETE,
     "complete, all permutations",
     ENGINE_COMPLETE,
     SYMMETRY_AUTO,
     {.permutations = COMPLETE_ALL},
     ROUNDABOUT,
     false,
     NULL},
    {WAYS_COMPLETE,
     "complete, rotations",
     ENGINE_COMPLETE,
     SYMMETRY_AUTO,
     {.permutations = COMPLETE_ROTATION},
     ROUNDABOUT,
     false,
     NULL},
    {WAYS_COMPLETE,
     "complete, no permutations",
     ENGINE_COMPLETE,
     SYMMETRY_AUTO,
     {.permutations = COMPLETE_NONE},
     ROUNDABOUT,
     false,
     NULL},
    SYMBOLIC("none", METHOD_NONE, WAYS_SYMBOLIC, SHORTEST_WHEN_FIRST),
    SYMBOLIC("dynamic", METHOD_DYNAMIC, WAYS_SYMBOLIC, SHORTEST_WHEN_FIRST),
    SYMBOLIC("orbit", METHOD_ORBIT, WAYS_SYMBOLIC, SHORTEST_WHEN_FIRST),
    SYMBOLIC("multiple", METHOD_MULTIPLE, WAYS_SYMBOLIC, SHORTEST_WHEN_FIRST),
    SYMBOLIC("onthefly", METHOD_ONTHEFLY, WAYS_SYMBOLIC, SHORTEST_WHEN_FIRST),
    {WAYS_SYMBOLIC,
     "symbolic, onthefly, small frontier",
     ENGINE_SYMBOLIC,
     SYMMETRY_DECLARED,
     {.method = METHOD_ONTHEFLY, .frontier = FRONTIER},
     ROUNDABOUT,
     false,
     NULL},
    {WAYS_SYMBOLIC,
     "symbolic, backward",
     ENGINE_SYMBOLIC,
     SYMMETRY_DECLARED,
     {.method = METHOD_NONE, .order = SEARCH_BACKWARD},
     ROUNDABOUT,
     false,
     NULL},
    {WAYS_SYMBOLIC_AUTO,
     "symbolic, auto",
     ENGINE_SYMBOLIC,
     SYMMETRY_AUTO,
     {.method = METHOD_AUTO},
     SHORTEST_WHEN_FIRST,
     false,
     NULL},
    {WAYS_COUNTER,
     "counter, dead values kept",
     ENGINE_COUNTER,
     SYMMETRY_DECLARED,
     {VM, .keep_dead = true},
     SHORTEST,
     true,
     NULL},
    {WAYS_COUNTER, "counter", ENGINE_COUNTER, SYMMETRY_AUTO, {VM}, SHORTEST, false, NULL},
    {WAYS_GENERIC,
     "generic, dead values kept",
     ENGINE_SYMBOLIC,
     SYMMETRY_DECLARED,
     {.method = METHOD_GENERIC, .keep_dead = true},
     SHORTEST_WHEN_FIRST,
     true,
     NULL},
    {WAYS_GENERIC,
     "generic",
     ENGINE_SYMBOLIC,
     SYMMETRY_AUTO,
     {.method = METHOD_GENERIC},
     SHORTEST_WHEN_FIRST,
     false,
     NULL},
    {WAYS_SAT, "sat", ENGINE_SAT, SYMMETRY_DECLARED, {.method = METHOD_AUTO}, ROUNDABOUT, false, NULL},
    {WAYS_SAT, "sat, ic3", ENGINE_SAT, SYMMETRY_DECLARED, {.method = METHOD_IC3}, ROUNDABOUT, false, NULL},
    {WAYS_SAT, "sat, ic3 without symmetry", ENGINE_SAT, SYMMETRY_OFF, {.method = METHOD_IC3}, ROUNDABOUT, false, NULL},
    {WAYS_SAT,
     "sat, induction",
     ENGINE_SAT,
     SYMMETRY_DECLARED,
     {.method = METHOD_INDUCTION},
     SHORTEST_WHEN_FIRST,
     false,
     NULL},
    /* Any number of states is too many to be counted one by one: backward from the violations first. */
    {WAYS_AUTO, "auto, a crowd of two", ENGINE_AUTO, SYMMETRY_AUTO, {VM, .crowd = 1}, SHORTEST, false, "2"},
    {WAYS_AUTO, "auto, with a rival", ENGINE_AUTO, SYMMETRY_AUTO, {VM, .crowd = 2}, SHORTEST_WHEN_FIRST, false, NULL},
    {WAYS_AUTO, "auto", ENGINE_AUTO, SYMMETRY_AUTO, {VM}, SHORTEST, false, NULL},
};

/* Engines without CTL, and those that count, leave properties open. */
static bool may_leave(const struct way *way)
{
    return way->group >= WAYS_COUNTER || way->group == WAYS_SYMBOLIC;
}

/* As a whole. */
static bool is_late(const struct result *result)
{
    return result->stop.kind == STOP_INTERRUPTED;
}

static bool leaves_late(const struct plain *plain, const struct result *result)
{
    bool leaves = false;
    for (size_t i = 0; i < plain->system->properties.count; i++)
        leaves |= judge_is_late(&result->properties[i]);
    return leaves;
}

/* The limit is one of the processor's time: what is late does not depend on what else the machine does. */
static volatile int is_time_up;

static void note_time_up(int number)
{
    (void)number;
    is_time_up = 1;
}

static void set_time(int seconds)
{
    struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    struct sigaction action = {.sa_handler = note_time_up};
    sigaction(SIGVTALRM, &action, NULL);
    is_time_up = 0;
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* Before the search, or when the engine has seen the symmetry of the model; NULL: it is supported. */
static const char *refusal_of(const struct check *check)
{
    if (check->refusal)
        return check->refusal;
    return check->result->stop.kind == STOP_REFUSED ? check->result->stop.detail : NULL;
}

static void judge_statistics(struct plain *plain, const struct way *way, const struct result *result,
                             struct ways_outcome *outcome, struct failure *failure)
{
    const struct statistics *statistics = &result->statistics;
    uint64_t represented = 0;
    if (!result->is_complete)
        return;
    if (statistics->represented && statistics->represented_is_exact && way->group < WAYS_COUNTER &&
        way->options.order == SEARCH_BREADTH_FIRST &&
        (!bigint_fits_u64(statistics->represented, &represented) || represented != plain_count(plain)))
        failure_set(failure, "%llu states represented, plain exploration %u", (unsigned long long)represented,
                    plain_count(plain));
    if (way->group == WAYS_COUNTER && outcome->orbits && statistics->states > outcome->orbits)
        failure_set(failure, "%llu states, more than the %llu orbits", (unsigned long long)statistics->states,
                    (unsigned long long)outcome->orbits);
    if (!way->counts_orbits)
        return;
    if (way->group == WAYS_EXPLICIT)
        outcome->orbits = statistics->states;
    if (outcome->orbits && outcome->orbits != statistics->states)
        failure_set(failure, "%llu states, but there are %llu orbits", (unsigned long long)statistics->states,
                    (unsigned long long)outcome->orbits);
}

static void judge_check(struct plain *plain, const struct way *way, const struct engine_options *options,
                        const struct check *check, struct ways_outcome *outcome, struct failure *failure)
{
    struct configuration configuration = {.name = way->name,
                                          .has_symmetry = way->symmetry != SYMMETRY_OFF,
                                          .may_leave = may_leave(way),
                                          .options = *options};
    configuration.is_roundabout =
        way->shortness == ROUNDABOUT || (way->shortness == SHORTEST_WHEN_FIRST && options->keep_going);
    if (judge_properties(plain, &configuration, check->result, failure))
        judge_statistics(plain, way, check->result, outcome, failure);
}

/* False: the engine refuses the model. */
static bool compare_way(struct plain *plain, const struct model *model, const struct way *way,
                        const struct engine_options *varying, struct ways_outcome *outcome, struct failure *failure)
{
    struct engine_options options = way->options;
    options.keep_going = varying->keep_going;
    options.deadlock = varying->deadlock;
    options.interrupted = &is_time_up;
    text_clear(&failure->where);
    configuration_print(&(struct configuration){.name = way->name, .options = options}, &failure->where);
    if (way->crowd)
        setenv("NOETHER_CROWD", way->crowd, true);
    set_time(SECONDS);
    struct check check = check_model(model, way->engine, way->symmetry, &options);
    set_time(0);
    unsetenv("NOETHER_CROWD");
    const char *refusal = refusal_of(&check);
    bool is_taken = !refusal;
    if (refusal && !outcome->refusals[way->group])
        outcome->refusals[way->group] = memory_string(refusal);
    if (!refusal && is_late(check.result))
        outcome->late[way->group]++;
    else if (!refusal) {
        outcome->compared[way->group]++;
        outcome->late[way->group] += leaves_late(plain, check.result);
        judge_check(plain, way, &options, &check, outcome, failure);
    }
    check_free(&check);
    return is_taken;
}

/* The ways with counters take longest: of the two, with dead values and without, a model has one, the next model the
 * other. */
static bool has_turn(enum way_group group, size_t number, uint64_t salt)
{
    return (group != WAYS_COUNTER && group != WAYS_GENERIC) || (salt / 3 + number) % 2;
}

/* To the end, or to the first violation? Both, but the ways of crowds, which take longest, take turns. */
static bool is_wanted(enum way_group group, bool keep_going, uint64_t salt)
{
    return group < WAYS_COUNTER || keep_going == (salt / 6 % 2 == 0);
}

/* A model that is refused once is refused again. */
static void compare_both(struct plain *plain, const struct model *model, size_t number, uint64_t salt,
                         struct ways_outcome *outcome, struct failure *failure)
{
    const struct way *way = &WAYS[number];
    struct engine_options varying = {.deadlock = (enum deadlock_mode)(salt % 3)};
    bool is_taken = true;
    for (int i = 0; i < 2 && is_taken && !failure->is_set; i++) {
        varying.keep_going = i == 0;
        if (is_wanted(way->group, varying.keep_going, salt))
            is_taken = compare_way(plain, model, way, &varying, outcome, failure);
    }
}

void ways_compare(struct plain *plain, const struct model *model, unsigned groups, uint64_t salt,
                  struct ways_outcome *outcome, struct failure *failure)
{
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (groups & 1u << WAYS[i].group && has_turn(WAYS[i].group, i, salt) && !failure->is_set)
            compare_both(plain, model, i, salt, outcome, failure);
    if (groups & 1u << WAYS_WRITTEN && !failure->is_set) {
        text_clear(&failure->where);
        text_append(&failure->where, "the model that is written");
        set_time(SECONDS);
        outcome->compared[WAYS_WRITTEN] = written_compare(plain, model, outcome->orbits, (enum deadlock_mode)(salt % 3),
                                                          &is_time_up, &outcome->refusals[WAYS_WRITTEN], failure);
        set_time(0);
    }
}

void ways_outcome_free(struct ways_outcome *outcome)
{
    for (size_t i = 0; i < WAYS_COUNT; i++)
        free(outcome->refusals[i]);
}
