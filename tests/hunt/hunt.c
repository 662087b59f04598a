/* Checks models of any language in randomly drawn configurations, in one process, and compares with plain exploration.
 *
 *   hunt [--states N] [--draws N] [--first K] [--milliseconds N] [--salt TEXT] [--disk DIR] [--native N] [--plant N]
 * MODEL...
 *
 * Of each model the configurations K to K + N - 1 are drawn (draw.h); they follow from the salt, by default the name of
 * the file without its extension. MODEL is read as ../differential/input.h says. A run ends after so many milliseconds
 * of processor time, and is late then. --native N: so many percent of the explicit searches compile the rules. --plant
 * N: every N-th answer is made wrong, which must be found (a self-test).
 *
 * Standard output, flushed line by line so that a caller knows what was under way when the process died:
 *
 *   begin PATH
 *   explore                           plain exploration begins
 *   truth STATES VERDICT PROPERTIES   of plain exploration; PROPERTIES: how many it decides
 *   try K OPTIONS                     as on the command line
 *   run K WORD MICROSECONDS [TEXT]    of processor time; agrees, late, refused (TEXT: why), FAIL (TEXT: what differs)
 *   end PATH WORD [TEXT]              ok, skip (more than N states), invalid (TEXT: the first diagnostic), FAIL
 *
 * Exit status 1 after a FAIL. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>

#include "../differential/input.h"
#include "../differential/judge.h"
#include "../differential/lockstep.h"
#include "base/hash.h"
#include "consensus.h"
#include "driver/unused.h"
#include "ir/validate.h"

enum { REDRAWS = 8, SECONDS_A_MODEL = 60 };

struct settings {
    uint32_t states, draws, first, milliseconds, plant, native;
    const char *salt, *disk;
};

/* One model under test. */
struct subject {
    const struct settings *settings;
    const struct model *model;
    struct plain *plain;
    struct consensus consensus;
    struct meaning meaning;
    uint64_t salt;
    bool is_chain, is_wrong;
};

static volatile int is_time_up;
static uint32_t planted; /* answers so far, for --plant */

static void note_time_up(int number)
{
    (void)number;
    is_time_up = 1;
}

static void set_time(uint32_t milliseconds)
{
    struct itimerval limit = {.it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}};
    struct sigaction action = {.sa_handler = note_time_up};
    sigaction(SIGVTALRM, &action, NULL);
    is_time_up = 0;
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* A text on one line. */
static void print_line(const char *text)
{
    for (; *text; text++)
        putchar(*text == '\n' ? ' ' : *text);
    putchar('\n');
    fflush(stdout);
}

static uint64_t processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void say_run(uint32_t number, const char *word, uint64_t begin, const char *text)
{
    printf("run %u %s %llu ", number, word, (unsigned long long)(processor_time() - begin));
    print_line(text);
}

/* Makes an answer wrong: the last verdict that is known. */
static void plant_error(struct result *result)
{
    for (size_t i = result->system->properties.count; i-- > 0;) {
        struct property_result *answer = &result->properties[i];
        if (!result->checked[i] || answer->verdict == VERDICT_UNKNOWN)
            continue;
        answer->verdict = answer->verdict == VERDICT_HOLDS ? VERDICT_VIOLATED : VERDICT_HOLDS;
        return;
    }
}

/* Engines that leave some properties open. */
static bool may_leave(const struct drawn *drawn)
{
    return drawn->engine == ENGINE_AUTO || drawn->engine == ENGINE_SYMBOLIC || drawn->engine == ENGINE_COUNTER ||
           drawn->engine == ENGINE_SAT;
}

static bool judge_figures(const struct subject *subject, const struct drawn *drawn, const struct result *result,
                          struct failure *failure)
{
    const struct statistics *statistics = &result->statistics;
    uint64_t represented = 0, states = plain_count(subject->plain);
    if (!result->is_complete || drawn->is_partial || drawn->engine != ENGINE_EXPLICIT || statistics->is_thinned ||
        drawn->options.order != SEARCH_BREADTH_FIRST || drawn->symmetry == SYMMETRY_GUARDED)
        return true;
    bool is_counted = statistics->represented && bigint_fits_u64(statistics->represented, &represented);
    if (is_counted && !statistics->represented_is_exact &&
        represented < states) /* a virtual symmetry: at most so many */
        return failure_set(failure, "at most %llu states represented, plain exploration %llu",
                           (unsigned long long)represented, (unsigned long long)states);
    if (statistics->represented && statistics->represented_is_exact && (!is_counted || represented != states))
        return failure_set(failure, "%llu states represented, plain exploration %llu", (unsigned long long)represented,
                           (unsigned long long)states);
    return drawn->symmetry != SYMMETRY_OFF || statistics->states == states ||
           failure_set(failure, "%llu states, plain exploration %llu", (unsigned long long)statistics->states,
                       (unsigned long long)states);
}

static bool judge_answer(struct subject *subject, const struct drawn *drawn, uint32_t number,
                         const struct result *result, struct failure *failure)
{
    struct configuration configuration = {.name = "",
                                          .has_symmetry = drawn->symmetry != SYMMETRY_OFF,
                                          .is_limited = drawn->is_limited,
                                          .may_leave = may_leave(drawn),
                                          .is_roundabout = drawn->is_roundabout,
                                          .options = drawn->options};
    if (drawn->is_partial)
        return true;
    return (subject->is_chain || judge_properties(subject->plain, &configuration, result, failure)) &&
           consensus_add(&subject->consensus, subject->plain, drawn, number, result, failure) &&
           (subject->is_chain || judge_figures(subject, drawn, result, failure));
}

/* Before the search, or when the engine has seen the symmetry of the model; NULL: it is supported. */
static const char *refusal_of(const struct check *check)
{
    if (check->refusal || !check->result)
        return check->refusal ? check->refusal : "refused";
    return check->result->stop.kind == STOP_REFUSED ? text_chars(&(struct text){check->result->stop.detail, 0, 0})
                                                    : NULL;
}

static void run_one(struct subject *subject, const struct drawn *drawn, uint32_t number)
{
    struct engine_options options = drawn->options;
    options.interrupted = &is_time_up;
    uint64_t begin = processor_time();
    set_time(subject->settings->milliseconds);
    struct check check = check_model(subject->model, drawn->engine, drawn->symmetry, &options);
    set_time(0);
    const char *refusal = refusal_of(&check);
    struct failure failure = {0};
    if (!refusal && subject->settings->plant && ++planted % subject->settings->plant == 0)
        plant_error(check.result);
    if (refusal)
        say_run(number, "refused", begin, refusal);
    else if (check.result->stop.kind == STOP_INTERRUPTED)
        say_run(number, "late", begin, "");
    else if (judge_answer(subject, drawn, number, check.result, &failure))
        say_run(number, "agrees", begin, "");
    else {
        subject->is_wrong = true;
        say_run(number, "FAIL", begin, text_chars(&failure.what));
    }
    text_free(&failure.where);
    text_free(&failure.what);
    check_free(&check);
}

/* Few engines take steps of several rules; the others refuse all such models, which need not be seen each time. */
static bool is_hopeless(const struct subject *subject, const struct drawn *drawn)
{
    return system_has_macro_steps(subject->plain->system) && drawn->engine != ENGINE_EXPLICIT &&
           drawn->engine != ENGINE_AUTO && subject->salt % 16;
}

/* The first draw that has no option which the engine or the language would ignore. */
static struct drawn draw_used(const struct subject *subject, uint32_t number, struct arena *words, const char **refusal)
{
    struct draw_settings settings = {
        .disk = subject->settings->disk, .native = subject->settings->native, .states = plain_count(subject->plain)};
    struct drawn drawn = {0};
    for (uint32_t i = 0; i < REDRAWS; i++) {
        drawn =
            draw_configuration(hash_combine(subject->salt, i), number, &subject->meaning, subject->is_chain, &settings);
        *refusal = unused_option(subject->plain->system, drawn.engine, drawn.symmetry, &drawn.options, words);
        if (!*refusal && !is_hopeless(subject, &drawn))
            break;
    }
    return drawn;
}

static void try_number(struct subject *subject, uint32_t number)
{
    struct arena *words = arena_create();
    struct text options = {0};
    const char *refusal = NULL;
    struct drawn drawn = draw_used(subject, number, words, &refusal);
    draw_print(&drawn, &options);
    printf("try %u ", number);
    print_line(text_chars(&options));
    if (refusal)
        say_run(number, "refused", processor_time(), refusal);
    else
        run_one(subject, &drawn, number);
    text_free(&options);
    arena_destroy(words);
}

/* The evaluator against the virtual machine, in every state. */
static bool compare_stepper(struct subject *subject, struct failure *failure)
{
    struct plain *plain = subject->plain;
    struct steppers *steppers = steppers_create(plain->layout, STEPPER_VM, false);
    struct lockstep lockstep = lockstep_create(plain->layout, steppers_make(steppers));
    int32_t *cells = memory_zeroed(plain->layout->cell_count + 1, sizeof *cells);
    lockstep_starts(&lockstep, failure);
    for (uint32_t state = 0; state < plain_count(plain) && !failure->is_set; state++) {
        plain_cells(plain, state, cells);
        lockstep_state(&lockstep, cells, failure);
    }
    free(cells);
    lockstep_destroy(&lockstep);
    steppers_destroy(steppers);
    return !failure->is_set;
}

static void say_truth(struct subject *subject)
{
    struct plain *plain = subject->plain;
    size_t decided = 0;
    bool is_violated = false;
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        bool is_asked = property->kind != PROPERTY_ASSUMPTION && property->kind != PROPERTY_FAIRNESS &&
                        !property->bound &&
                        !(property->kind == PROPERTY_DEADLOCK && subject->meaning.deadlock == DEADLOCK_OFF) &&
                        plain_can_decide(plain, property);
        decided += is_asked;
        is_violated |= is_asked && plain_outcome(plain, property, subject->meaning.deadlock)->is_shown !=
                                       (property->kind == PROPERTY_COVER);
    }
    printf("truth %u %s %zu\n", plain_count(plain), is_violated ? "violated" : "holds", decided);
}

static const char *compare_plain(struct subject *subject, struct failure *failure)
{
    if (subject->plain->is_truncated)
        return "skip";
    subject->consensus = consensus_create(subject->model->system);
    if (!subject->is_chain)
        say_truth(subject);
    if (!subject->is_chain && subject->salt % 4 == 0)
        compare_stepper(subject, failure);
    for (uint32_t i = 0; i < subject->settings->draws; i++)
        try_number(subject, subject->settings->first + i);
    consensus_free(&subject->consensus);
    return failure->is_set || subject->is_wrong ? "FAIL" : "ok";
}

static const char *compare_model(const struct input *input, const struct settings *settings, uint64_t salt,
                                 struct failure *failure)
{
    struct subject subject = {.settings = settings, .model = input->model, .salt = salt};
    const char *broken_promise = ir_validate(input->model->system);
    if (broken_promise) {
        failure_set(failure, "ir_validate: %s", broken_promise);
        return "FAIL";
    }
    subject.is_chain = system_has_probabilities(input->model->system);
    subject.meaning = draw_meaning(salt, input->model->system);
    printf("explore\n");
    fflush(stdout);
    subject.plain = plain_explore(input->model->layout, settings->states);
    const char *word = compare_plain(&subject, failure);
    plain_destroy(subject.plain);
    return word;
}

/* The name of the file without its folder and extension. */
static uint64_t salt_of(const char *path, const struct settings *settings)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (settings->salt)
        return hash_bytes(settings->salt, strlen(settings->salt));
    return hash_bytes(name, strcspn(name, "."));
}

static bool compare_file(const char *path, const struct settings *settings)
{
    struct failure failure = {0};
    printf("begin %s\n", path);
    fflush(stdout);
    struct itimerval limit = {.it_value = {.tv_sec = SECONDS_A_MODEL}};
    setitimer(ITIMER_PROF, &limit, NULL); /* kills: the caller goes on with the next model */
    struct input input = input_open(path);
    const char *word = "invalid";
    if (input.model)
        word = compare_model(&input, settings, salt_of(path, settings), &failure);
    else
        diag_print(&input.diagnostics, &failure.what);
    printf("end %s %s ", path, word);
    print_line(text_chars(&failure.what));
    input_close(&input);
    text_free(&failure.where);
    text_free(&failure.what);
    return strcmp(word, "FAIL") != 0;
}

/* Takes the option if it stands there. */
static bool take(int count, char **arguments, int *at, const char *option, uint32_t *number, const char **text)
{
    if (*at + 1 >= count || strcmp(arguments[*at], option))
        return false;
    if (number)
        *number = (uint32_t)strtoul(arguments[*at + 1], NULL, 10);
    else
        *text = arguments[*at + 1];
    *at += 2;
    return true;
}

int main(int count, char **arguments)
{
    /* As in compare.c: many small checks, one after the other. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, 1 << 26);
    struct settings settings = {.states = 1000, .draws = 5, .milliseconds = 100};
    int at = 1;
    while (take(count, arguments, &at, "--states", &settings.states, NULL) ||
           take(count, arguments, &at, "--draws", &settings.draws, NULL) ||
           take(count, arguments, &at, "--first", &settings.first, NULL) ||
           take(count, arguments, &at, "--milliseconds", &settings.milliseconds, NULL) ||
           take(count, arguments, &at, "--native", &settings.native, NULL) ||
           take(count, arguments, &at, "--plant", &settings.plant, NULL) ||
           take(count, arguments, &at, "--salt", NULL, &settings.salt) ||
           take(count, arguments, &at, "--disk", NULL, &settings.disk))
        continue;
    if (at >= count) {
        fprintf(stderr,
                "usage: hunt [--states N] [--draws N] [--first K] [--milliseconds N] [--salt TEXT] [--disk DIR] "
                "[--native N] [--plant N] MODEL...\n");
        return 2;
    }
    bool is_good = true;
    for (; at < count; at++)
        is_good &= compare_file(arguments[at], &settings);
    return is_good ? 0 : 1;
}
