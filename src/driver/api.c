/* The public C API (include/noether.h): thin, over what the command line uses too. */
#include "driver/api.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "driver/guard.h"

struct driver_answer {
    struct account account;
    struct check check;
    struct text stop;         /* the reason in words */
    VEC(uint32_t) properties; /* ids of those checked */
};

struct noether_result {
    const noether_model *model;
    bool symmetry_is_off;
    struct driver_answer *answer; /* one of these: */
    struct driver_answer found;
    struct driver_answer spare; /* where memory runs out; made beforehand */
};

/* There is no memory for this one; noether_free_text knows it. */
char api_out_of_memory[] = "out of memory\n";

char *api_take_text(struct text *text)
{
    return text->chars ? text->chars : memory_string("");
}

/* A text for the program, also if there is no memory. */
char *api_give_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_try(size);
    return copy ? memcpy(copy, text, size) : api_out_of_memory;
}

void *api_give_object(size_t size)
{
    void *object = memory_try(size);
    return object ? memset(object, 0, size) : NULL;
}

const char *noether_version(void)
{
    return NOETHER_VERSION;
}

static void find_memory(void *bytes)
{
    *(uint64_t *)bytes = check_default_memory();
}

/* What is outside the caller's structure has its default value. Where there is not even the memory to ask how much
 * there is, some. */
static noether_options default_options(void)
{
    uint64_t bytes;
    struct account account;
    if (guard_run(&account, 0, find_memory, &bytes))
        guard_release(&account);
    else
        bytes = (uint64_t)1 << 30;
    return (noether_options){.struct_size = sizeof(noether_options), .use_symmetry = 1, .memory_bytes = bytes};
}

void noether_init_options(noether_options *options, size_t struct_size)
{
    noether_options defaults = default_options();
    if (struct_size < sizeof options->struct_size)
        return; /* not even its size would fit */
    memset(options, 0, struct_size);
    defaults.struct_size = struct_size;
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* As far as both know the structure. NULL, or what is wrong with it: a newer program may ask for what this library does
 * not know. */
const char *api_take_options(const noether_options *given, noether_options *options)
{
    *options = default_options();
    if (!given)
        return NULL;
    size_t size = given->struct_size;
    if (size < offsetof(noether_options, threads) || size > 1 << 16)
        return "the options are not those of noether_default_options";
    for (size_t i = sizeof *options; i < size; i++)
        if (((const char *)given)[i])
            return "the options ask for what this version of the library does not know";
    memcpy(options, given, size < sizeof *options ? size : sizeof *options);
    return NULL;
}

/* The numbers of the header are those of base/stop.h, which may be sorted anew; these may not. */
noether_stop api_stop(enum stop_kind kind)
{
    static const noether_stop stops[] = {
        [STOP_NONE] = NOETHER_STOP_NONE,       [STOP_INTERRUPTED] = NOETHER_STOP_INTERRUPTED,
        [STOP_TIME] = NOETHER_STOP_TIME,       [STOP_MEMORY] = NOETHER_STOP_MEMORY,
        [STOP_STATES] = NOETHER_STOP_STATES,   [STOP_DEPTH] = NOETHER_STOP_DEPTH,
        [STOP_WORK] = NOETHER_STOP_WORK,       [STOP_VIOLATION] = NOETHER_STOP_VIOLATION,
        [STOP_DECIDED] = NOETHER_STOP_DECIDED, [STOP_FAULT] = NOETHER_STOP_FAULT,
        [STOP_REFUSED] = NOETHER_STOP_REFUSED, [STOP_UNDECIDED] = NOETHER_STOP_UNDECIDED,
        [STOP_FAILED] = NOETHER_STOP_FAILED,
    };
    return stops[kind];
}

static struct engine_options engine_options_of(const noether_options *options, enum engine_choice choice)
{
    bool has_stepper = choice == ENGINE_AUTO || choice == ENGINE_EXPLICIT || choice == ENGINE_COUNTER ||
                       choice == ENGINE_PROBABILISTIC;
    return (struct engine_options){
        .order = options->depth_first ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST,
        .deadlock = (enum deadlock_mode)options->deadlock,
        .stepper =
            has_stepper ? STEPPER_VM : STEPPER_AUTO, /* a library starts no compiler in the program that uses it */
        .keep_going = options->keep_going != 0,
        .threads = options->threads,
        .interrupted = options->cancel,
        .limits = {.memory_bytes = options->memory_bytes,
                   .states = options->states,
                   .seconds = options->seconds,
                   .depth = options->depth},
    };
}

static noether_result *refuse(const char *reason, char **error)
{
    if (error)
        *error = api_give_text(reason);
    return NULL;
}

static void answer_finish(struct driver_answer *answer)
{
    const struct result *result = answer->check.result;
    stop_print(&result->stop, &answer->stop);
    for (uint32_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i])
            VEC_PUSH(&answer->properties, i);
}

static void answer_free(struct driver_answer *answer)
{
    check_free(&answer->check);
    VEC_FREE(&answer->properties);
    text_free(&answer->stop);
    guard_release(&answer->account);
}

struct checking {
    const struct model *model;
    const noether_options *options;
    enum engine_choice choice;
    struct driver_answer *answer;
    struct stop stop; /* of an answer that knows nothing */
};

static void give_up(void *data)
{
    struct checking *checking = data;
    struct check *check = &checking->answer->check;
    const struct system *system = checking->model->system;
    *check = check_symmetry(checking->model, SYMMETRY_OFF);
    check->result = result_create(system, "none");
    check->result->checked[SYSTEM_DEADLOCK] &= checking->options->deadlock != NOETHER_DEADLOCK_OFF;
    check->result->is_abandoned = true;
    result_set_stopped(check->result, checking->stop);
    for (size_t i = 0; i < system->properties.count; i++)
        if (check->result->checked[i])
            result_set_unknown(check->result, system->properties.items[i], &checking->stop);
    answer_finish(checking->answer);
}

static void check(void *data)
{
    struct checking *checking = data;
    const noether_options *options = checking->options;
    struct engine_options engine = engine_options_of(options, checking->choice);
    struct check *check = &checking->answer->check;
    *check =
        check_model(checking->model, checking->choice, options->use_symmetry ? SYMMETRY_AUTO : SYMMETRY_OFF, &engine);
    if (check->result)
        answer_finish(checking->answer);
}

/* Where memory runs out, an answer all the same: with what is said of a limit, if there is the memory for that now. */
static void check_or_give_up(noether_result *result, struct checking *checking)
{
    uint64_t limit = checking->options->memory_bytes;
    checking->answer = result->answer = &result->found;
    if (guard_run(&result->found.account, limit, check, checking))
        return;
    bool is_limit = account_failed_by_limit(&result->found.account);
    result->found = (struct driver_answer){0};
    checking->stop = stop_limit(STOP_MEMORY, limit);
    if (is_limit && guard_run(&result->found.account, 0, give_up, checking))
        return;
    result->found = (struct driver_answer){0};
    result->answer = &result->spare;
}

noether_result *noether_check_with(const noether_model *model, const noether_options *given, char **error)
{
    noether_options options;
    struct checking checking = {
        .model = model->model, .options = &options, .choice = ENGINE_AUTO, .stop = stop_of(STOP_MEMORY)};
    if (error)
        *error = NULL;
    const char *wrong = api_take_options(given, &options);
    if (!wrong && options.engine && !engine_choice_of(options.engine, &checking.choice))
        wrong = "there is no such engine";
    if (wrong)
        return refuse(wrong, error);
    noether_result *result = api_give_object(sizeof *result);
    checking.answer = result ? &result->spare : NULL;
    if (!result || !guard_run(&result->spare.account, 0, give_up, &checking)) {
        free(result);
        return refuse(api_out_of_memory, error);
    }
    result->model = model;
    result->symmetry_is_off = !options.use_symmetry;
    check_or_give_up(result, &checking);
    if (result->answer->check.result)
        return result;
    refuse(result->answer->check.refusal, error);
    noether_free_result(result);
    return NULL;
}

noether_result *noether_check(const noether_model *model, const noether_options *options)
{
    return noether_check_with(model, options, NULL);
}

void noether_free_result(noether_result *result)
{
    if (!result)
        return;
    answer_free(&result->found);
    answer_free(&result->spare);
    free(result);
}

noether_verdict noether_verdict_of(const noether_result *result)
{
    return (noether_verdict)result_exit_code(result->answer->check.result);
}

const char *noether_verdict_name(noether_verdict verdict)
{
    return verdict == NOETHER_HOLDS ? "holds" : verdict == NOETHER_VIOLATED ? "violated" : "unknown";
}

noether_stop noether_stop_of(const noether_result *result)
{
    return api_stop(result->answer->check.result->stop.kind);
}

const char *noether_stop_reason(const noether_result *result)
{
    return text_chars(&result->answer->stop);
}

size_t noether_property_count(const noether_result *result)
{
    return result->answer->properties.count;
}

static const struct property_result *property_at(const noether_result *result, size_t property)
{
    ENSURE(property < result->answer->properties.count);
    return &result->answer->check.result->properties[result->answer->properties.items[property]];
}

const char *noether_property_name(const noether_result *result, size_t property)
{
    const char *name = property_at(result, property)->property->name;
    return name ? name : "";
}

const char *noether_property_kind(const noether_result *result, size_t property)
{
    return property_kind_name(property_at(result, property)->property->kind);
}

noether_verdict noether_property_verdict(const noether_result *result, size_t property)
{
    static const noether_verdict verdicts[] = {NOETHER_HOLDS, NOETHER_VIOLATED, NOETHER_UNKNOWN};
    return verdicts[property_at(result, property)->verdict];
}

const char *noether_property_reason(const noether_result *result, size_t property)
{
    const char *reason = property_at(result, property)->reason;
    return reason ? reason : "";
}

noether_stop noether_property_stop(const noether_result *result, size_t property)
{
    return api_stop(property_at(result, property)->stop);
}

int noether_property_value(const noether_result *result, size_t property, double *lower, double *upper)
{
    const struct property_result *found = property_at(result, property);
    if (!found->has_value)
        return 0;
    *lower = found->lower;
    *upper = found->upper;
    return 1;
}

static char *trace_text(const void *trace)
{
    struct report_style style = {0};
    struct text text = {0};
    report_text_trace(trace, &style, &text);
    return api_take_text(&text);
}

char *noether_property_trace(const noether_result *result, size_t property)
{
    const struct trace *trace = property_at(result, property)->trace;
    return trace ? guard_text(trace_text, trace) : NULL;
}

uint64_t noether_states(const noether_result *result)
{
    return result->answer->check.result->statistics.states;
}

static char *digits_text(const void *number)
{
    return bigint_digits(number);
}

char *noether_represented(const noether_result *result)
{
    const struct bigint *represented = result->answer->check.result->statistics.represented;
    return represented ? guard_text(digits_text, represented) : NULL;
}

static char *json_text(const void *data)
{
    const noether_result *result = data;
    struct report report = {
        .model = result->model->path,
        .properties = result->model->properties_path,
        .layout = result->answer->check.layout,
        .symmetry = result->answer->check.symmetry,
        .symmetry_is_off = result->symmetry_is_off,
        .result = result->answer->check.result,
        .defines = result->model->defines.items,
        .define_count = result->model->defines.count,
    };
    struct json *document = report_json(&report);
    struct text text = {0};
    json_print(document, &text);
    json_free(document);
    return api_take_text(&text);
}

char *noether_json(const noether_result *result)
{
    return guard_text(json_text, result);
}

void noether_free_text(char *text)
{
    if (text != api_out_of_memory)
        free(text);
}
