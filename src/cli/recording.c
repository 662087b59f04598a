#include "cli/recording.h"

#include <string.h>
#include <sys/stat.h>

#include "report/exchange.h"
#include "report/trace_file.h"

static void take_define(void *user, const char *name, const struct json *value)
{
    struct recording *recording = user;
    if (json_read_text(value))
        VEC_PUSH(&recording->defines, ((struct define){name, json_read_text(value)}));
}

/* Constants given on the command line win over those in the file. */
static void take_defines(struct recording *recording, const struct options *options)
{
    if (!options->defines.count)
        json_each(json_get(recording->document, "defines"), take_define, recording);
    for (size_t i = 0; i < options->defines.count; i++)
        VEC_PUSH(&recording->defines, options->defines.items[i]);
}

bool recording_read(const char *path, const struct options *options, struct recording *recording)
{
    *recording = (struct recording){.path = path};
    const char *reason;
    struct text message = {0};
    int64_t version;
    struct source *source = source_read(path, &reason);
    if (!source) {
        cli_fail("cannot read %s: %s", path, reason);
        return false;
    }
    recording->document = json_parse(source->text, source->length, &message);
    source_free(source);
    if (itf_is(recording->document)) {
        struct json *itf = recording->document;
        recording->document = itf_to_trace_file(itf, &message);
        json_free(itf);
        if (!recording->document) {
            cli_fail("%s: %s", path, message.chars);
            text_free(&message);
            return false;
        }
    }
    if (!recording->document) {
        cli_fail("%s: not JSON: %s", path, message.chars);
    } else if (!json_read_integer(json_get(recording->document, "version"), &version) ||
               !json_get(recording->document, "result")) {
        cli_fail("%s: not a trace file; noether check --trace writes one", path);
    } else if (version != REPORT_TRACE_VERSION) {
        cli_fail("%s: trace version %lld; this noether reads version %d", path, (long long)version,
                 REPORT_TRACE_VERSION);
    } else {
        recording->result = json_get(recording->document, "result");
    }
    text_free(&message);
    if (recording->result)
        take_defines(recording, options);
    return recording->result != NULL;
}

void recording_free(struct recording *recording)
{
    VEC_FREE(&recording->defines);
    json_free(recording->document);
}

static void read_loop(const struct recording *recording, struct trace *trace)
{
    int64_t loop;
    if (!json_read_integer(json_get(recording->result, "loop"), &loop))
        return;
    trace->has_loop = true;
    trace->loop = loop >= 0 && loop < trace->count ? (uint32_t)loop : trace->count; /* trace_replay will say so */
}

static const struct property *read_claim(const struct recording *recording, const struct model *model,
                                         enum verdict *verdict)
{
    int64_t id;
    const char *word = json_read_text(json_get(recording->result, "verdict"));
    if (!json_read_integer(json_get(recording->result, "id"), &id) || id < 0 ||
        (uint64_t)id >= model->system->properties.count || !word)
        return NULL;
    bool is_open = !strcmp(word, "unknown"); /* the run of a simulation */
    *verdict = is_open ? VERDICT_UNKNOWN : strcmp(word, "holds") ? VERDICT_VIOLATED : VERDICT_HOLDS;
    return model->system->properties.items[id];
}

static void append_define(void *text, const char *name, const struct json *value)
{
    if (json_read_text(value))
        text_format(text, " -D %s=%s", name, json_read_text(value));
}

/* A trace that does not fit the model is mostly one of another model, or of other constants. */
static void say_origin(const struct recording *recording)
{
    const char *model = json_read_text(json_get(recording->document, "model"));
    struct text text = {0};
    if (model) {
        text_format(&text, "%s is a trace of %s", recording->path, model);
        json_each(json_get(recording->document, "defines"), append_define, &text);
        cli_fail("%s", text.chars);
    }
    text_free(&text);
}

/* It may be one of a file that is no longer there. */
static void say_properties(const struct recording *recording)
{
    const char *file = json_read_text(json_get(recording->document, "properties"));
    if (file)
        cli_fail("%s was written with the properties of %s", recording->path, file);
}

bool recording_claim(const struct recording *recording, const struct model *model, struct property_result *claim)
{
    struct text message = {0};
    *claim = (struct property_result){0};
    claim->property = read_claim(recording, model, &claim->verdict);
    if (!claim->property) {
        cli_fail("%s: the result names no property of %s", recording->path, model->system->name);
        say_properties(recording);
        return false;
    }
    claim->reason = (char *)json_read_text(json_get(recording->result, "reason"));
    claim->trace = trace_from_json(json_get(recording->result, "trace"), model->layout, &message);
    if (!claim->trace) {
        cli_fail("%s: %s", recording->path, text_chars(&message));
        say_origin(recording);
    } else {
        read_loop(recording, claim->trace);
        trace_fold(claim->trace);
    }
    text_free(&message);
    return claim->trace != NULL;
}

struct evidence_mode recording_mode(const struct recording *recording)
{
    const struct json *options = json_get(recording->document, "options");
    const char *deadlock = json_read_text(json_get(options, "deadlock"));
    const char *finite = json_read_text(json_get(options, "finite-runs"));
    return (struct evidence_mode){.deadlock =
                                      deadlock && !strcmp(deadlock, "stuck") ? DEADLOCK_STUCK : DEADLOCK_STUTTERING,
                                  .drops_finite = finite && !strcmp(finite, "drop")};
}

/* A device that a trace file names is not read: it may have no end. */
static bool is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* A file may hold anything. NULL: it is no small number. */
static const char *recorded_count(const struct json *options, enum option_id id)
{
    const char *text = json_read_text(json_get(options, option_rows[id].name));
    bool is_count = text && *text && strlen(text) < 6 && strspn(text, "0123456789") == strlen(text);
    return is_count ? text : NULL;
}

/* What the choice was; NULL: the first one. */
static const char *recorded_choice(const struct json *options, enum option_id id)
{
    const char *text = json_read_text(json_get(options, option_rows[id].name));
    return text && options_position(option_rows[id].argument, text, strlen(text)) >= 0 ? text : NULL;
}

/* The claim is about the properties, the fairness and the number of threads that it was made with; what the command
 * line gives wins. A file of properties that is gone is not missed where the claim is one of the model's own. */
static struct options with_recorded(const struct options *options, const struct recording *recording)
{
    struct options all = *options;
    const char *file = json_read_text(json_get(recording->document, "properties"));
    const struct json *recorded = json_get(recording->document, "options");
    if (!options->values[OPTION_PROPERTY])
        all.values[OPTION_PROPERTY] = json_read_text(json_get(recorded, "property"));
    if (!options->values[OPTION_THREADS_OF_MODEL])
        all.values[OPTION_THREADS_OF_MODEL] = recorded_count(recorded, OPTION_THREADS_OF_MODEL);
    if (!options->values[OPTION_RECURSION])
        all.values[OPTION_RECURSION] = recorded_count(recorded, OPTION_RECURSION);
    if (!options->values[OPTION_PROCESSES])
        all.values[OPTION_PROCESSES] = recorded_count(recorded, OPTION_PROCESSES);
    if (!options_choice(options, OPTION_PROCESS_DEATH))
        all.values[OPTION_PROCESS_DEATH] = recorded_choice(recorded, OPTION_PROCESS_DEATH);
    if (!all.values[OPTION_PROCESS_DEATH])
        all.values[OPTION_PROCESS_DEATH] = options->values[OPTION_PROCESS_DEATH];
    if (!options_properties(options) && file && is_file(file))
        all.values[OPTION_PROPERTIES] = file;
    return all;
}

int recording_with_model(const struct options *options, const char *path, recording_use *use)
{
    struct recording recording;
    int code = EXIT_USAGE;
    if (recording_read(path, options, &recording)) {
        struct options all = with_recorded(options, &recording);
        struct model *model = cli_load(&all, recording.defines.items, recording.defines.count, &code);
        if (model)
            code = use(&all, &recording, model);
        model_destroy(model);
    }
    recording_free(&recording);
    return code;
}

/* False after a message. */
static bool write_run(const struct report *report, const struct options *options, const struct property_result *claim,
                      const char *path)
{
    struct text text = {0};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    exchange_print(report, claim, (enum trace_form)options_choice(options, OPTION_TRACE_FORMAT), &text);
    bool ok = cli_end_text(&epilogue, path);
    if (ok)
        ok = strcmp(path, "-") ? cli_can_write(path, options) && cli_write_text(path, &text)
                               : cli_print(&text, EXIT_HOLDS) == EXIT_HOLDS;
    text_free(&text);
    return ok;
}

bool recording_write(const struct options *options, const struct property_result *claim, const char *path)
{
    struct report_option deadlock = {"deadlock", options->values[OPTION_DEADLOCK]};
    struct report_option *defines = memory_zeroed(options->defines.count + 1, sizeof *defines);
    for (size_t i = 0; i < options->defines.count; i++)
        defines[i] = (struct report_option){options->defines.items[i].name, options->defines.items[i].value};
    struct report report = {.model = options->operands.items[0],
                            .properties = options_properties(options),
                            .options = &deadlock,
                            .option_count = 1,
                            .defines = defines,
                            .define_count = options->defines.count};
    bool ok = write_run(&report, options, claim, path);
    free(defines);
    return ok;
}

struct recorded_options {
    VEC(struct report_option) items;
};

static void take_option(void *user, const char *name, const struct json *value)
{
    struct recorded_options *list = user;
    if (json_read_text(value))
        VEC_PUSH(&list->items, ((struct report_option){name, json_read_text(value)}));
}

bool recording_write_again(const struct recording *recording, const struct options *options,
                           const struct property_result *claim, const char *path)
{
    struct recorded_options list = {0};
    struct report_option *defines = memory_zeroed(recording->defines.count + 1, sizeof *defines);
    for (size_t i = 0; i < recording->defines.count; i++)
        defines[i] = (struct report_option){recording->defines.items[i].name, recording->defines.items[i].value};
    json_each(json_get(recording->document, "options"), take_option, &list);
    struct report report = {.model = options->operands.items[0],
                            .properties = options_properties(options),
                            .options = list.items.items,
                            .option_count = list.items.count,
                            .defines = defines,
                            .define_count = recording->defines.count};
    bool ok = write_run(&report, options, claim, path);
    VEC_FREE(&list.items);
    free(defines);
    return ok;
}
