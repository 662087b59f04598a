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
        cli_fail("%s: not a trace file; noether check --trace writes one", path);
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
    *verdict = strcmp(word, "holds") ? VERDICT_VIOLATED : VERDICT_HOLDS;
    return model->system->properties.items[id];
}

static enum deadlock_mode read_deadlock(const struct recording *recording)
{
    const char *mode = json_read_text(json_get(json_get(recording->document, "options"), "deadlock"));
    return mode && !strcmp(mode, "stuck") ? DEADLOCK_STUCK : DEADLOCK_STUTTERING;
}

static int say(const struct options *options, const struct property_result *claim, const char *path, const char *wrong)
{
    const struct trace *trace = claim->trace;
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .full_states = options->values[OPTION_FULL_STATES] != NULL};
    bool is_shown = options->values[OPTION_VERBOSE] || style.full_states;
    if (is_shown && wrong)
        report_text_trace(trace, &style, &text);
    else if (is_shown)
        report_text_evidence(claim, &style, &text);
    if (wrong) {
        text_format(&text, "%s: does not replay: %s\n", path, wrong);
    } else {
        text_format(&text, "%s%s: replays, %u step%s: ", is_shown ? "\n" : "", path, trace->count - 1,
                    trace->count == 2 ? "" : "s");
        report_text_claim(claim, &text);
        text_char(&text, '\n');
    }
    int code = cli_print(&text, wrong ? EXIT_VIOLATED : EXIT_HOLDS);
    text_free(&text);
    return code;
}

static void append_define(void *text, const char *name, const struct json *value)
{
    if (json_read_text(value))
        text_format(text, " -D %s=%s", name, json_read_text(value));
}

/* A trace that does not fit the model is mostly one of another model, or of other constants. */
static void say_origin(const struct recording *recording, const char *path)
{
    const char *model = json_read_text(json_get(recording->document, "model"));
    struct text text = {0};
    if (model) {
        text_format(&text, "%s is a trace of %s", path, model);
        json_each(json_get(recording->document, "defines"), append_define, &text);
        cli_fail("%s", text.chars);
    }
    text_free(&text);
}

static int replay(const struct options *options, const struct recording *recording, const struct model *model)
{
    const char *path = options->operands.items[options->operands.count - 1];
    struct text message = {0};
    struct property_result claim = {0};
    claim.property = read_claim(recording, model, &claim.verdict);
    if (!claim.property)
        return cli_fail("%s: the result names no property of %s", path, options->operands.items[0]);
    claim.reason = (char *)json_read_text(json_get(recording->result, "reason"));
    claim.trace = trace_from_json(json_get(recording->result, "trace"), model->layout, &message);
    int code;
    if (!claim.trace) {
        code = cli_fail("%s: %s", path, text_chars(&message));
        say_origin(recording, path);
    } else {
        read_loop(recording, claim.trace);
        char *wrong = check_evidence(claim.trace, claim.property, claim.verdict, read_deadlock(recording));
        claim.fault = check_last_fault(claim.trace, claim.property);
        code = say(options, &claim, path, wrong);
        free(wrong);
        trace_destroy(claim.trace);
    }
    text_free(&message);
    return code;
}

int command_replay(const struct options *options)
{
    struct recording recording = {0};
    int code = EXIT_USAGE;
    if (read_recording(options->operands.items[options->operands.count - 1], &recording)) {
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
