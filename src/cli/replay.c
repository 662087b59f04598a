#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/recording.h"

static int say(const struct options *options, const struct property_result *claim, const char *path, const char *wrong)
{
    const struct trace *trace = claim->trace;
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .full_states = options->values[OPTION_FULL_STATES] != NULL};
    bool is_shown = options->values[OPTION_VERBOSE] || style.full_states;
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    if (is_shown && wrong)
        report_text_trace(trace, &style, &text);
    else if (is_shown)
        report_text_evidence(claim, &style, &text);
    if (is_shown && !wrong)
        text_char(&text, '\n');
    text_printable(&text, path, strlen(path));
    if (wrong) {
        text_append(&text, ": does not replay: ");
        text_printable(&text, wrong, strlen(wrong));
        text_char(&text, '\n');
    } else {
        text_format(&text, ": replays, %u step%s: ", trace->count - 1, trace->count == 2 ? "" : "s");
        report_text_claim(claim, &text);
        text_char(&text, '\n');
    }
    bool is_whole = cli_end_text(&epilogue, "the run");
    int code = is_whole ? cli_print(&text, wrong ? EXIT_VIOLATED : EXIT_HOLDS) : EXIT_UNKNOWN;
    text_free(&text);
    return code;
}

static int replay(const struct options *options, const struct recording *recording, const struct model *model)
{
    struct property_result claim;
    if (!recording_claim(recording, model, &claim))
        return EXIT_USAGE;
    struct evidence_mode mode = recording_mode(recording);
    char *wrong = check_evidence(claim.trace, claim.property, claim.verdict, &mode);
    claim.fault = check_last_fault(claim.trace, claim.property);
    const char *path = options->values[OPTION_TRACE];
    bool is_alone = path && !wrong && !strcmp(path, "-"); /* the run is all that is printed */
    int code = is_alone ? EXIT_HOLDS : say(options, &claim, recording->path, wrong);
    if (path && !wrong && !recording_write_again(recording, options, &claim, path))
        code = EXIT_USAGE;
    free(wrong);
    trace_destroy(claim.trace);
    return code;
}

int command_replay(const struct options *options)
{
    return recording_with_model(options, VEC_LAST(&options->operands), replay);
}
