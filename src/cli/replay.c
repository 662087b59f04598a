#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report/trace_file.h"

/* A trace file, read: the document and the constants the run was made with. */
struct recording {
    struct json *document;
    const struct json *result;
    VEC(struct define) defines;
};

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

static bool read_recording(const char *path, struct recording *recording)
{
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
    if (!recording->document) {
        cli_fail("%s: not JSON: %s", path, message.chars);
    } else if (!json_read_integer(json_get(recording->document, "version"), &version) ||
               !json_get(recording->document, "result")) {
        cli_fail("%s: not a trace file", path);
    } else if (version != REPORT_TRACE_VERSION) {
        cli_fail("%s: trace version %lld; this noether reads version %d", path, (long long)version,
                 REPORT_TRACE_VERSION);
    } else {
        recording->result = json_get(recording->document, "result");
    }
    text_free(&message);
    return recording->result != NULL;
}

/* The property the trace is about, and what it says of it. */
static const struct property *read_claim(const struct recording *recording, const struct model *model,
                                         enum verdict *verdict)
{
    int64_t id;
    const char *word = json_read_text(json_get(recording->result, "verdict"));
    if (!json_read_integer(json_get(recording->result, "id"), &id) || id < 0 ||
        (uint64_t)id >= model->system->properties.count || !word)
        return NULL;
    *verdict = strcmp(word, "holds") ? VERDICT_VIOLATED : VERDICT_HOLDS;
    return model->system->properties.items[id];
}

static enum deadlock_mode read_deadlock(const struct recording *recording)
{
    const char *mode = json_read_text(json_get(json_get(recording->document, "options"), "deadlock"));
    return mode && !strcmp(mode, "stuck") ? DEADLOCK_STUCK : DEADLOCK_STUTTERING;
}

static int say(const struct options *options, const struct trace *trace, const char *path, const char *wrong)
{
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .full_states = options->values[OPTION_FULL_STATES] != NULL};
    if (options->values[OPTION_VERBOSE] || style.full_states)
        report_text_trace(trace, &style, &text);
    if (wrong)
        text_format(&text, "%s: does not replay: %s\n", path, wrong);
    else
        text_format(&text, "%s: replays, %u step%s\n", path, trace->count - 1, trace->count == 2 ? "" : "s");
    int code = cli_print(&text, wrong ? EXIT_VIOLATED : EXIT_HOLDS);
    text_free(&text);
    return code;
}

static int replay(const struct options *options, const struct recording *recording, const struct model *model)
{
    const char *path = options->operands.items[1];
    enum verdict verdict;
    struct text message = {0};
    const struct property *property = read_claim(recording, model, &verdict);
    if (!property)
        return cli_fail("%s: the result names no property of %s", path, options->operands.items[0]);
    struct trace *trace = trace_from_json(json_get(recording->result, "trace"), model->layout, &message);
    int code;
    if (!trace) {
        code = cli_fail("%s: %s", path, text_chars(&message));
    } else {
        char *wrong = check_evidence(trace, property, verdict, read_deadlock(recording));
        code = say(options, trace, path, wrong);
        free(wrong);
        trace_destroy(trace);
    }
    text_free(&message);
    return code;
}

int command_replay(const struct options *options)
{
    struct recording recording = {0};
    int code = EXIT_USAGE;
    if (read_recording(options->operands.items[1], &recording)) {
        take_defines(&recording, options);
        struct model *model =
            cli_load(options, options->operands.items[0], recording.defines.items, recording.defines.count);
        if (model)
            code = replay(options, &recording, model);
        model_destroy(model);
    }
    VEC_FREE(&recording.defines);
    json_free(recording.document);
    return code;
}
